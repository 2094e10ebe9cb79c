/* xmodel.h - Call of Duty 2's models, version 20, are three files: what levels of detail there are and of which
 * materials (xmodel/), bones at rest (xmodelparts/), triangles in the spaces of bones (xmodelsurfs/). */
#ifndef BSPI_XMODEL_H
#define BSPI_XMODEL_H

#include "models/model.h"

enum { BSPI_XMODEL_VERSION = 20 };

/* Bones -> the model, at rest. */
typedef struct bspi_xmodel_bones {
	float (*to_model)[12];
	uint32_t count;
} bspi_xmodel_bones;

/* What ends early or has parents that come later is refused. xmodel_parts.c */
bool bspi_read_xmodel_parts(bspi_model_reader *reader, bspi_bytes file, bspi_xmodel_bones *out);
/* The surfaces as sections, one for each of `materials`. xmodel_surfs.c */
bool bspi_read_xmodel_surfs(bspi_model_reader *reader, bspi_bytes file, const bspi_xmodel_bones *bones,
                            uint32_t materials);

extern const bspi_layout *const bspi_xmodel_part_layouts[]; /* these end with NULL */
extern const bspi_layout *const bspi_xmodel_surf_layouts[];

#endif
