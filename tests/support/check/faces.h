/* faces.h - runs the plan and mesh stages on faces that a test makes, without a file or a family. */
#ifndef BSPT_FACES_H
#define BSPT_FACES_H

#include <bspscene/material.h>

#include "stages/stages.h"
#include "support/bspt.h"

enum { BSPT_MATERIALS = 8, BSPT_MODELS = 4, BSPT_MOST_FACES = 9216, BSPT_MOST_VERTICES = 65536 };

/* Faces are added to the last model; one exists from the beginning. Textures and materials 0 to 7 exist, named by their
 * number. Change any member before bspt_run_faces. */
typedef struct bspt_faces {
	bspi_ctx ctx;
	bspi_map map;
	bspscene_scene scene;
	bspi_scene_parts parts;
	bspi_build build;
	bspscene_material materials[BSPT_MATERIALS];
	uint32_t texture_materials[BSPT_MATERIALS];
	const bspscene_material *material_table[BSPT_MATERIALS];
} bspt_faces;

void bspt_begin_faces(bspt_faces *f);
void bspt_end_faces(bspt_faces *f);

/* Adds draw vertices with a zero normal and white light. Returns the number of the first. */
uint32_t bspt_add_vertices(bspt_faces *f, const float (*positions)[3], uint32_t count);
bspi_face *bspt_add_face(bspt_faces *f, bspi_face_kind kind);
/* Adds a patch. `controls` has its control points row by row. */
bspi_face *bspt_add_patch(bspt_faces *f, const float (*controls)[3], uint32_t width, uint32_t height);
/* Adds a triangle list; indices are relative to the first position. */
bspi_face *bspt_add_triangles(bspt_faces *f, const float (*positions)[3], uint32_t vertex_count,
                              const uint32_t *indices, uint32_t index_count);
/* Adds a polygon with texinfo 0, and a plane through three of its corners. Corners are clockwise from the front. */
bspi_face *bspt_add_polygon(bspt_faces *f, const float (*corners)[3], uint32_t count);
void bspt_add_model(bspt_faces *f);

/* Runs the stages for light, plan, lightmaps and meshes. Returns false if one fails, with the reason in ctx.error. */
bool bspt_run_faces(bspt_faces *f);
/* Runs the stages like bspt_run_faces, but a failure ends the test. Checks the mesh against the public header. */
void bspt_build_faces(bspt_faces *f);

/* Returns the surface of a face record after bspt_build_faces, or NULL if the record was left out. */
const bspi_surface *bspt_surface_of(const bspt_faces *f, uint32_t face);
const bspscene_face *bspt_face_of(const bspt_faces *f, uint32_t face);

#endif
