/* build_model.h - one small model in every format, made from the formats' descriptions, without the library's tables.
 * It is a crate of 16 units around its origin with a pyramid on its front (+X), whose tip is at 16. */
#ifndef BSPT_BUILD_MODEL_H
#define BSPT_BUILD_MODEL_H

#include "support/make/bytes_writer.h"

enum { BSPT_MODEL_VERTICES = 9, BSPT_MODEL_TRIANGLES = 14 };
/* For Quake's MDL: index of the vertex on the skin's seam, index of the only triangle that uses the back half of the
 * skin, and length of each side of the skin in texels. */
enum { BSPT_MODEL_POINT = 8, BSPT_MODEL_BACK = 10, BSPT_MODEL_SKIN = 8 };

/* Positions of the vertices in game units, and vertex indices of the triangles, clockwise seen from outside. */
extern const float bspt_model_points[BSPT_MODEL_VERTICES][3];
extern const uint8_t bspt_model_triangles[BSPT_MODEL_TRIANGLES][3];

/* A model and its sibling files. The bytes are valid until the next call of bspt_build_model. */
typedef struct bspt_model_file {
	const char *format;                /* the library's id of the format */
	const char *path;                  /* path in the game, such as "models/crate.md3" */
	bspi_bytes bytes;
	struct {
		const char *ending;            /* replaces the model's extension or, for an xmodel, the folder */
		bspi_bytes bytes;
	} siblings[2];
	uint32_t sibling_count;
} bspt_model_file;

/* Makes the same model as a map of Quake, lit by BSPT_BOX_LIGHT everywhere. build_box_map.c */
enum { BSPT_BOX_LIGHT = 100 };
void bspt_build_box_map(bspt_writer *out);

/* Make the model in Bloodlines' format, with float vertices (kind 0) or compressed ones (1 and 2). Its triangles are in
 * a second file. build_vampire_model.c */
void bspt_build_vampire_model(bspt_writer *out, int kind);
void bspt_build_vampire_triangles(bspt_writer *out, int kind);

/* Make the model as a TIKI with its mesh and animation: SKB 3 and SKA 3 (kind 0), SKB 4 and SKA 4 (1), SKD 5 and SKC 13
 * (2), SKD 6 and SKC 14 (3). build_tiki_model.c */
void bspt_build_tiki(bspt_writer *out, int kind);
void bspt_build_tiki_mesh(bspt_writer *out, int kind);
void bspt_build_tiki_animation(bspt_writer *out, int kind);

/* Make the model as Call of Duty's xmodel with bones and surfaces. The file of surfaces is named "b" in version 14,
 * "a" in version 20 and "c" in version 25. build_xmodel.c */
void bspt_build_xmodel(bspt_writer *out, uint32_t version);
void bspt_build_xmodel_parts(bspt_writer *out, uint32_t version);
void bspt_build_xmodel_surfs(bspt_writer *out, uint32_t version);

/* The number of formats, and the model in each. */
extern const uint32_t bspt_model_count;
bspt_model_file bspt_build_model(uint32_t number);

#endif
