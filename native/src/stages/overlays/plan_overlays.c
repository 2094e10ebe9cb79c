/* plan_overlays.c - plans the surfaces of overlays. An overlay gets one surface for each drawn face that it covers,
 * with the vertices and triangles of the covered part. Each overlay becomes a mesh of its own. */
#include "stages/geometry/geometry.h"

#include <bspscene/material.h>
#include "stages/skybox.h"

/* Limit for the corners of polygons and triangles that are clipped for all overlays together. Real maps need less than
 * a few million. */
#define MOST_CUTS ((uint64_t)1 << 24)

uint64_t bspi_count_overlay_surfaces(const bspi_build *build)
{
	const bspi_map *map = build->map;
	uint64_t count = 0;
	for (uint32_t i = 0; i < map->overlays_count; i++) count += (uint32_t)map->overlays[i].face_count;
	for (uint32_t i = 0; i < map->water_overlays_count; i++) count += (uint32_t)map->water_overlays[i].face_count;
	for (uint32_t i = 0; i < build->decal_count; i++) count += (uint32_t)build->decals[i].face_count;
	return count;
}

/* True if the overlay can be on the face. Source's compiler puts overlays on the world only, because faces of entities
 * move. Decals store the model that has their faces. */
static bool is_covered(const bspi_build *build, const bspi_overlay *overlay, int32_t index)
{
	const bspi_model *model = &build->map->models[overlay->entity >= 0 ? overlay->model : 0];
	const bspi_face *face = &build->map->faces[index];
	bool flat = face->kind == BSPI_FACE_POLYGON || face->kind == BSPI_FACE_DISPLACEMENT;
	if (!flat || index < model->first_face || index - model->first_face >= model->face_count) return false;
	return bspi_is_drawn(build, face);
}

static bool add_surface(bspi_build *build, const bspi_overlay *overlay, int32_t index, uint64_t *cuts)
{
	const bspi_map *map = build->map;
	const bspi_face *face = &map->faces[index];
	bool displaced = face->kind == BSPI_FACE_DISPLACEMENT;
	*cuts += displaced ? 3 * bspi_disp_triangle_count(build, face) : (uint32_t)face->edge_count;
	if (*cuts > MOST_CUTS) {
		return bspi_warn(build->ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("overlays"),
		                 "the overlays cover too many faces: the others are left out");
	}
	bspi_shape_size size = bspi_measure_overlay(build, overlay, face);
	if (!size.indices) return true;
	build->plan.surfaces[build->plan.surface_count++] = (bspi_surface){
		.face = (uint32_t)index, .part = bspi_overlay_part(build, build->overlay_count),
		.overlay = build->overlay_count,
		.material = build->texture_materials[overlay->texture], .kind = BSPSCENE_SURFACE_VISIBLE,
		.fog = face->fog < 0 ? BSPSCENE_NO_INDEX : (uint32_t)face->fog,
		.lighting = BSPSCENE_LIGHTING_FULLBRIGHT, .source_page = BSPSCENE_NO_INDEX, .page = BSPSCENE_NO_INDEX,
		.page_image = BSPSCENE_NO_INDEX,
		.vertex_count = (uint32_t)size.vertices, .index_count = (uint32_t)size.indices,
	};
	return true;
}

static bool add_overlay(bspi_build *build, const bspi_overlay *overlay, uint32_t source, bool water, uint64_t *cuts)
{
	uint32_t before = build->plan.surface_count;
	if (!overlay->face_count) return true;
	uint32_t material = build->texture_materials[overlay->texture];
	if (build->scene->materials[material]->surface_kind != BSPSCENE_SURFACE_VISIBLE) return true;
	for (int32_t i = 0; i < overlay->face_count; i++) {
		int32_t face = overlay->faces[i];
		if (is_covered(build, overlay, face)) BSPI_TRY(add_surface(build, overlay, face, cuts));
	}
	if (build->plan.surface_count == before) return true;
	const bspi_face *first = &build->map->faces[build->plan.surfaces[before].face];
	build->overlays[build->overlay_count++] = (bspi_placed_overlay){
		.overlay = overlay, .source = source, .first_surface = before,
		.surface_count = build->plan.surface_count - before, .water = water,
		.in_skybox = bspi_is_face_in_skybox(build, first),
	};
	return true;
}

static uint32_t most_corners(const bspi_map *map)
{
	int32_t most = 3;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		if (map->faces[i].kind == BSPI_FACE_POLYGON && map->faces[i].edge_count > most) most = map->faces[i].edge_count;
	}
	return (uint32_t)most;
}

bool bspi_plan_overlays(bspi_build *build)
{
	const bspi_map *map = build->map;
	size_t most = (size_t)map->overlays_count + map->water_overlays_count + build->decal_count;
	uint64_t cuts = 0;
	if (!most) return true;
	build->overlays = bspi_push(build->ctx, &build->ctx->scratch, bspi_placed_overlay, most);
	BSPI_TRY(build->overlays && bspi_make_overlay_buffers(build, most_corners(map)));
	for (uint32_t i = 0; i < map->overlays_count; i++) BSPI_TRY(add_overlay(build, &map->overlays[i], i, false, &cuts));
	for (uint32_t i = 0; i < map->water_overlays_count; i++) {
		BSPI_TRY(add_overlay(build, &map->water_overlays[i], i, true, &cuts));
	}
	for (uint32_t i = 0; i < build->decal_count; i++) {
		BSPI_TRY(add_overlay(build, &build->decals[i], (uint32_t)build->decals[i].entity, false, &cuts));
	}
	return bspi_stack_overlays(build);
}
