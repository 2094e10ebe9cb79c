/* floor.h - what is below a point of a scene: where things fall, and whose light is on them. */
#ifndef BSPI_FLOOR_H
#define BSPI_FLOOR_H

#include <bspscene/scene.h>

#include "base/ctx.h"

typedef struct bspi_floor {
	float height;
	const bspscene_mesh *mesh;         /* that it is in */
	uint32_t section, first_index;     /* of the triangle, there */
} bspi_floor;

/* The height of the highest floor of a mesh below `from` within `farthest`, for a box of this half width: 0 for a
 * point. Skies, liquids and what nothing collides with are none. False: there is none. Of the scene only the materials
 * are asked. */
bool bspi_find_floor(const bspscene_scene *scene, const bspscene_mesh *mesh, const float from[3], float half_width,
                     float farthest, bspi_floor *out);

/* The triangles of meshes that are floors, for many searches: a quarter of a map's, and side by side in memory. */
typedef struct bspi_floors {
	struct bspi_floor_triangle *triangles; /* NULL: not yet collected */
	uint32_t count;
} bspi_floors;

/* Of these meshes of the scene, into `arena`; false: ctx->error is set. */
bool bspi_collect_floors(bspi_ctx *ctx, bspi_arena *arena, const bspscene_scene *scene, const uint32_t *meshes,
                         uint32_t mesh_count, bspi_floors *out);
/* As bspi_find_floor in all of them. */
bool bspi_find_floor_among(const bspi_floors *floors, const float from[3], float half_width, float farthest,
                           bspi_floor *out);

#endif
