/* floor.h - finds the floor below a point of a scene. Items drop onto it, and models get its light. */
#ifndef BSPI_FLOOR_H
#define BSPI_FLOOR_H

#include <bspscene/scene.h>

#include "base/ctx.h"

typedef struct bspi_floor {
	float height;
	const bspscene_mesh *mesh;         /* mesh of the floor */
	uint32_t section, first_index;     /* the triangle in that mesh */
} bspi_floor;

/* Finds the highest floor of a mesh under a box around `from`, at most `farthest` game units lower than `from`. The
 * box extends `half_width` game units to each side; 0: the floor under the point. Only surfaces with a material of
 * kind NORMAL that is not drawn additively are floors. Returns false if there is none. The scene may be incomplete,
 * because only its materials are used. */
bool bspi_find_floor(const bspscene_scene *scene, const bspscene_mesh *mesh, const float from[3], float half_width,
                     float farthest, bspi_floor *out);

/* The floor triangles of several meshes, in one array. Searching it again and again is faster than searching the
 * meshes, because only about a quarter of a map's triangles are floors. */
typedef struct bspi_floors {
	struct bspi_floor_triangle *triangles; /* NULL: not yet collected */
	uint32_t count;
} bspi_floors;

/* Collects the floors of these meshes in `arena`. False: ctx->error is set. */
bool bspi_collect_floors(bspi_ctx *ctx, bspi_arena *arena, const bspscene_scene *scene, const uint32_t *meshes,
                         uint32_t mesh_count, bspi_floors *out);
/* Like bspi_find_floor, in collected floors. */
bool bspi_find_floor_among(const bspi_floors *floors, const float from[3], float half_width, float farthest,
                           bspi_floor *out);

#endif
