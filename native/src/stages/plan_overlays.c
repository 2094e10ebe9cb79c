/* plan_overlays.c - overlays to surfaces: one for each drawn face that an overlay covers, as large as the part that it
 * covers. Each overlay is a part, that is a mesh, of its own. */
#include "stages/geometry.h"
#include "stages/skybox.h"

/* Polygons and triangles that are cut, of all overlays together. Real maps stay below a million. */
#define MOST_CUTS ((uint64_t)1 << 22)

uint64_t bspi_count_overlay_surfaces(const bspi_build *build)
{
	const bspi_map *map = build->map;
	uint64_t count = 0;
	for (uint32_t i = 0; i < map->overlays_count; i++) count += (uint32_t)map->overlays[i].face_count;
	for (uint32_t i = 0; i < map->water_overlays_count; i++) count += (uint32_t)map->water_overlays[i].face_count;
	for (uint32_t i = 0; i < build->decal_count; i++) count += (uint32_t)build->decals[i].face_count;
	return count;
}

/* Faces of entities move; overlays do not lie on them. */
static bool is_covered(const bspi_build *build, int32_t index)
{
	const bspi_model *world = &build->map->models[0];
	const bspi_face *face = &build->map->faces[index];
	bool flat = face->kind == BSPI_FACE_POLYGON || face->kind == BSPI_FACE_DISPLACEMENT;
	return flat && index >= world->first_face && index - world->first_face < world->face_count && bspi_is_drawn(build, face);
}

static bool add_surface(bspi_build *build, const bspi_overlay *overlay, int32_t index, uint64_t *cuts)
{
	const bspi_map *map = build->map;
	const bspi_face *face = &map->faces[index];
	*cuts += face->kind == BSPI_FACE_DISPLACEMENT ? bspi_disp_triangle_count(build, face) : 1;
	if (*cuts > MOST_CUTS) {
		return bspi_warn(build->ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("overlays"), "they lie on too much: the rest is left out");
	}
	bspi_shape_size size = bspi_measure_overlay(build, overlay, face);
	if (!size.indices) return true;
	build->plan.surfaces[build->plan.surface_count++] = (bspi_surface){
		.face = (uint32_t)index, .part = map->models_count + 1 + build->overlay_count, .overlay = build->overlay_count,
		.material = map->textures[overlay->texture].material, .kind = BSPSCENE_VISIBLE,
		.lighting = BSPSCENE_LIGHTING_FULLBRIGHT, .source_page = BSPSCENE_NO_INDEX, .page = BSPSCENE_NO_INDEX,
		.vertex_count = (uint32_t)size.vertices, .index_count = (uint32_t)size.indices,
	};
	return true;
}

static bool add_overlay(bspi_build *build, const bspi_overlay *overlay, uint32_t source, bool water, uint64_t *cuts)
{
	uint32_t before = build->plan.surface_count;
	if (!overlay->face_count) return true;
	if (build->scene->materials[build->map->textures[overlay->texture].material].include != BSPSCENE_VISIBLE) return true;
	for (int32_t i = 0; i < overlay->face_count; i++) {
		if (is_covered(build, overlay->faces[i])) BSPI_TRY(add_surface(build, overlay, overlay->faces[i], cuts));
	}
	if (build->plan.surface_count == before) return true;
	const bspi_face *first = &build->map->faces[build->plan.surfaces[before].face];
	build->overlays[build->overlay_count++] = (bspi_placed_overlay){ overlay, source, water, bspi_is_face_in_skybox(build, first) };
	return true;
}

bool bspi_plan_overlays(bspi_build *build)
{
	const bspi_map *map = build->map;
	size_t most = (size_t)map->overlays_count + map->water_overlays_count + build->decal_count;
	uint64_t cuts = 0;
	if (!most) return true;
	build->overlays = bspi_push(build->ctx, &build->ctx->scratch, bspi_placed_overlay, most);
	BSPI_TRY(build->overlays);
	for (uint32_t i = 0; i < map->overlays_count; i++) BSPI_TRY(add_overlay(build, &map->overlays[i], i, false, &cuts));
	for (uint32_t i = 0; i < map->water_overlays_count; i++) BSPI_TRY(add_overlay(build, &map->water_overlays[i], i, true, &cuts));
	for (uint32_t i = 0; i < build->decal_count; i++) {
		BSPI_TRY(add_overlay(build, &build->decals[i], (uint32_t)build->decals[i].entity, false, &cuts));
	}
	return true;
}
