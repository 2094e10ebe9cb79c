/* collision.c - adds meshes of the map's collision data to the scene, if the caller asked for SURFACE_COLLISION. */
#include "stages/collision/collision.h"

#include <bspscene/material.h>

/* Limit for the work on a map, in points and corners of bodies: LEAST_WORK, plus WORK_PER_RECORD for each node, clip
 * node and brush side. Real maps need a few hundred for each of these records. */
#define LEAST_WORK 65536u
#define WORK_PER_RECORD 4096u

enum { BUFFER_COUNT = 3 };

/* Makes a longer array of the scene, with the `count` elements of `more` after the old ones. `size` is the size of an
 * element in bytes. */
static const void *append(bspi_ctx *ctx, const void *old, uint32_t old_count, const void *more, uint32_t count,
                          size_t size)
{
	uint8_t *all = bspi_push_zeroed(ctx, &ctx->result, (size_t)old_count + count, size);
	if (all && old_count) memcpy(all, old, old_count * size);
	if (all && count) memcpy(all + old_count * size, more, count * size);
	return all;
}

static bool publish(bspi_collision_maker *maker)
{
	bspi_ctx *ctx = maker->build->ctx;
	bspscene_scene *scene = maker->build->scene;
	if (!maker->mesh_count) return true;
	const bspscene_mesh *meshes = bspi_push_copy(ctx, maker->meshes, maker->mesh_count, sizeof *meshes);
	const bspscene_material *materials = bspi_push_copy(ctx, maker->materials, maker->material_count,
	                                                    sizeof *materials);
	BSPI_TRY(meshes && materials);
	const bspscene_mesh *const *mesh_table = bspi_table(ctx, bspscene_mesh, meshes, maker->mesh_count);
	const bspscene_material *const *material_table = bspi_table(ctx, bspscene_material, materials,
	                                                            maker->material_count);
	BSPI_TRY(mesh_table && material_table);
	scene->meshes = append(ctx, scene->meshes, scene->mesh_count, mesh_table, maker->mesh_count, sizeof *mesh_table);
	scene->faces = append(ctx, scene->faces, scene->face_count, maker->faces, maker->face_count, sizeof *maker->faces);
	scene->materials = append(ctx, scene->materials, scene->material_count, material_table, maker->material_count,
	                          sizeof *material_table);
	BSPI_TRY(scene->meshes && scene->faces && scene->materials);
	scene->mesh_count += maker->mesh_count;
	scene->face_count += maker->face_count;
	scene->material_count += maker->material_count;
	return true;
}

bool bspi_build_collision(bspi_build *build)
{
	bspi_ctx *ctx = build->ctx;
	const bspi_map *map = build->map;
	build->collision = bspi_push(ctx, &ctx->scratch, struct bspi_collision, 1);
	BSPI_TRY(build->collision);
	build->collision->drawn_meshes = build->scene->mesh_count;
	if (!(ctx->options.include_mask & BSPSCENE_SURFACE_COLLISION)) return true;
	uint64_t records = (uint64_t)map->nodes_count + map->clipnodes_count + map->brush_sides_count;
	bspi_collision_maker maker = {
		.build = build, .out = build->collision, .work_left = LEAST_WORK + records * WORK_PER_RECORD,
		.buffers = bspi_push(ctx, &ctx->scratch, bspi_body, BUFFER_COUNT),
		.materials = bspi_push(ctx, &ctx->scratch, bspscene_material, BSPI_MOST_COLLISION_MATERIALS),
	};
	BSPI_TRY(maker.buffers && maker.materials);
	BSPI_TRY(map->brushes_count ? bspi_collide_brushes(&maker) : bspi_collide_hulls(&maker));
	if (maker.stopped) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("collision"),
		                   "the collision is too complex: a part is left out"));
	}
	return publish(&maker);
}
