/* xmodel.h - Call of Duty's models. A model consists of three files: levels of detail and materials (xmodel/), bones at
 * rest (xmodelparts/), and triangles (xmodelsurfs/). The vertices of the triangles are relative to bones or to the
 * model. */
#ifndef BSPI_XMODEL_H
#define BSPI_XMODEL_H

#include "models/model.h"

/* Versions of the games: 14 of Call of Duty, 20 of Call of Duty 2, 25 of Call of Duty 4. */
enum { BSPI_XMODEL_14 = 14, BSPI_XMODEL_20 = 20, BSPI_XMODEL_25 = 25 };

/* The transforms of the bones to model space, at rest. */
typedef struct bspi_xmodel_bones {
	float (*to_model)[12];
	uint32_t count;
} bspi_xmodel_bones;

/* Value that a surface has in place of the index of its bone, if its vertices have different bones. */
enum { BSPI_XMODEL_BONES = 0xffff };

/* Reads the bones. Refuses a file that ends early, or in which a bone comes before its parent. xmodel_parts.c */
bool bspi_read_xmodel_parts(bspi_model_reader *reader, bspi_bytes file, uint32_t version, bspi_xmodel_bones *out);
/* Reads the surfaces as sections. Refuses a file with more than `materials` surfaces. In version 25, `bones` is not
 * used. xmodel_surfs.c */
bool bspi_read_xmodel_surfs(bspi_model_reader *reader, bspi_bytes file, uint32_t version,
                            const bspi_xmodel_bones *bones, uint32_t materials);
/* Adds a vertex whose position and normal are relative to a bone. xmodel_parts.c */
bool bspi_add_xmodel_vertex(bspi_model_reader *reader, const bspi_xmodel_bones *bones, uint32_t bone,
                            const float place[3], const float normal[3], const float uv[2]);
/* Reads a surface of version 14. xmodel_strips.c */
bool bspi_read_xmodel_strips(bspi_model_reader *reader, bspi_cursor *at, const bspi_xmodel_bones *bones);

/* Returns the version of the file in xmodel/; 0: the file is not an xmodel. xmodel.c */
uint32_t bspi_xmodel_version(bspi_bytes file);

extern const bspi_layout *const bspi_xmodel_part_layouts[]; /* this list and the next one end with NULL */
extern const bspi_layout *const bspi_xmodel_surf_layouts[];
extern const bspi_layout bspi_xmodel_strip_vertex;

#endif
