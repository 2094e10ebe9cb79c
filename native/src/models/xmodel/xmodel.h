/* xmodel.h - Call of Duty's models, which consist of three files: levels of detail and materials (xmodel/), bones at
 * rest (xmodelparts/), and triangles relative to bones or to the model (xmodelsurfs/). */
#ifndef BSPI_XMODEL_H
#define BSPI_XMODEL_H

#include "models/model.h"

/* 14: Call of Duty, 20: Call of Duty 2, 25: Call of Duty 4. */
enum { BSPI_XMODEL_14 = 14, BSPI_XMODEL_20 = 20, BSPI_XMODEL_25 = 25 };

/* transforms from bones to the model, at rest */
typedef struct bspi_xmodel_bones {
	float (*to_model)[12];
	uint32_t count;
} bspi_xmodel_bones;

/* Marks a surface whose vertices each have their own bone. */
enum { BSPI_XMODEL_BONES = 0xffff };

/* Reads bones. Refuses a file that ends early or has a parent after its child. xmodel_parts.c */
bool bspi_read_xmodel_parts(bspi_model_reader *reader, bspi_bytes file, uint32_t version, bspi_xmodel_bones *out);
/* Reads the surfaces as sections, one for each of `materials`. Version 25 needs no bones. xmodel_surfs.c */
bool bspi_read_xmodel_surfs(bspi_model_reader *reader, bspi_bytes file, uint32_t version,
                            const bspi_xmodel_bones *bones, uint32_t materials);
/* Adds a vertex in the space of a bone. xmodel_parts.c */
bool bspi_add_xmodel_vertex(bspi_model_reader *reader, const bspi_xmodel_bones *bones, uint32_t bone,
                            const float place[3], const float normal[3], const float uv[2]);
/* Reads a surface of version 14. xmodel_strips.c */
bool bspi_read_xmodel_strips(bspi_model_reader *reader, bspi_cursor *at, const bspi_xmodel_bones *bones);

/* Returns the version of a model's first file; 0: it is none. xmodel.c */
uint32_t bspi_xmodel_version(bspi_bytes file);

extern const bspi_layout *const bspi_xmodel_part_layouts[]; /* both lists end with NULL */
extern const bspi_layout *const bspi_xmodel_surf_layouts[];
extern const bspi_layout bspi_xmodel_strip_vertex;

#endif
