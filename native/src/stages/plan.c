/* plan.c - makes surfaces of faces: which faces are drawn, their kind and size, and how they are lit. Sizes are checked
 * against the memory limit before vertices are read. */
#include <inttypes.h>

#include <bspscene/material.h>

#include "stages/geometry/geometry.h"
#include "stages/skybox.h"

/* Least size of a vertex in bytes: position, normal and uv. */
#define VERTEX_SIZE (8 * sizeof(float))

static const bspscene_material *face_material(const bspi_build *build, const bspi_face *face)
{
	return build->scene->materials[bspi_face_material(build, face)];
}

static void add_surface(bspi_build *build, uint32_t model, uint32_t index)
{
	const bspi_face *face = &build->map->faces[index];
	if (!bspi_is_drawn(build, face)) return;
	uint32_t part = model ? model : bspi_world_part(build, face->levels);
	if (!model && bspi_is_face_in_skybox(build, face)) part = bspi_skybox_part(build);
	build->plan.surfaces[build->plan.surface_count++] = (bspi_surface){
		.face = index,
		.part = part,
		.overlay = BSPSCENE_NO_INDEX,
		.material = bspi_face_material(build, face),
		.fog = face->fog < 0 ? BSPSCENE_NO_INDEX : (uint32_t)face->fog,
		.kind = face_material(build, face)->surface_kind,
		.lighting = BSPSCENE_LIGHTING_FULLBRIGHT,
		.source_page = BSPSCENE_NO_INDEX,
		.page = BSPSCENE_NO_INDEX,
		.page_image = BSPSCENE_NO_INDEX,
	};
}

static bool add_surfaces(bspi_build *build)
{
	const bspi_map *map = build->map;
	uint64_t face_count = bspi_count_overlay_surfaces(build);
	for (uint32_t i = 0; i < map->models_count; i++) {
		face_count += (uint64_t)map->models[i].face_count + (uint64_t)map->models[i].added_count;
	}
	if (face_count > UINT32_MAX) {
		return bspi_fail(build->ctx, BSPSCENE_ERROR_LIMIT, BSPI_LUMP("models"),
		                 "they have %" PRIu64 " faces together, which is more than can be shown", face_count);
	}
	build->plan.surfaces = bspi_push_unset(build->ctx, &build->ctx->scratch, (size_t)face_count, sizeof(bspi_surface));
	BSPI_TRY(build->plan.surfaces);
	for (uint32_t i = 0; i < map->models_count; i++) {
		const bspi_model *model = &map->models[i];
		for (int32_t k = 0; k < model->face_count; k++) add_surface(build, i, (uint32_t)(model->first_face + k));
		for (int32_t k = 0; k < model->added_count; k++) add_surface(build, i, (uint32_t)(model->first_added + k));
	}
	return true;
}

/* Checks that the vertices and indices of all surfaces so far fit 32-bit indices and the memory limit. Several faces
 * may use the same vertices and indices of the file, so even a small file can ask for any number of both. */
static bool check_size(bspi_build *build, uint64_t vertices, uint64_t indices)
{
	bspi_ctx *ctx = build->ctx;
	uint64_t limit = ctx->budget.limit - ctx->budget.used;
	BSPI_CHECK(ctx, vertices <= UINT32_MAX && indices <= UINT32_MAX, BSPSCENE_ERROR_LIMIT, BSPI_LUMP("faces"),
	           "they need %" PRIu64 " vertices and %" PRIu64 " indices, which is more than is supported", vertices,
	           indices);
	BSPI_CHECK(ctx, vertices * VERTEX_SIZE + indices * sizeof(uint32_t) <= limit, BSPSCENE_ERROR_MEMORY_LIMIT,
	           BSPI_LUMP("faces"),
	           "they need %" PRIu64 " vertices and %" PRIu64 " indices, which is more than the memory limit of %" PRIu64
	           " MiB allows", vertices, indices, ctx->budget.limit >> 20);
	return true;
}

static bool measure_shapes(bspi_build *build)
{
	bspi_plan *plan = &build->plan;
	uint64_t vertices = 0, indices = 0;
	for (uint32_t i = 0; i < plan->surface_count; i++) {
		bspi_surface *surface = &plan->surfaces[i];
		const bspi_face *face = &build->map->faces[surface->face];
		const bspi_shape *shape = bspi_surface_shape(build, surface);
		bspi_shape_size size = { surface->vertex_count, surface->index_count };
		if (shape->measure) size = shape->measure(build, face);
		/* The sizes of one surface are below 2^62 each, so the sums cannot wrap before they are checked. */
		vertices += size.vertices;
		indices += size.indices;
		BSPI_TRY(check_size(build, vertices, indices));
		surface->vertex_count = (uint32_t)size.vertices;
		surface->index_count = (uint32_t)size.indices;
	}
	return true;
}

/* True if an unlit surface keeps its luxels. In formats that store whole pages, stages of unlit materials may sample
 * the page that the face names. In other formats, the light of unlit materials (sky, Quake's liquids) is a leftover of
 * the compiler. */
static bool keeps_light(const bspi_build *build, const bspi_face *face, const bspscene_material *material)
{
	if (face->fullbright) return false;
	return build->map->rules.light_storage == BSPI_STORAGE_PAGES || !material->unlit;
}

static bool measure_light(bspi_build *build)
{
	bspi_plan *plan = &build->plan;
	for (uint32_t i = 0; i < plan->surface_count; i++) {
		bspi_surface *surface = &plan->surfaces[i];
		const bspi_face *face = &build->map->faces[surface->face];
		const bspscene_material *material = build->scene->materials[surface->material];
		if (keeps_light(build, face, material)) BSPI_TRY(bspi_measure_luxels(build, surface));
		bool bright = face->fullbright || material->unlit || build->map->full_bright;
		if (bright) surface->lighting = BSPSCENE_LIGHTING_FULLBRIGHT;
	}
	return true;
}

/* Counts the faces of the whole map, including hidden ones. */
static void count_faces(bspi_build *build)
{
	bspscene_counts *counts = &build->parts->counts;
	for (uint32_t i = 0; i < build->map->faces_count; i++) {
		const bspi_face *face = &build->map->faces[i];
		switch (face->kind) {
		case BSPI_FACE_DROPPED: continue;
		case BSPI_FACE_POLYGON: case BSPI_FACE_PROJECTED: counts->polygons++; break;
		case BSPI_FACE_TRIANGLES: face->soup ? counts->meshes++ : counts->polygons++; break;
		case BSPI_FACE_PATCH: counts->patches++; break;
		case BSPI_FACE_FLARE: counts->billboards++; continue;
		case BSPI_FACE_FOLIAGE: case BSPI_FACE_TERRAIN: counts->meshes++; break;
		case BSPI_FACE_DISPLACEMENT: counts->displacements++; break;
		}
		const bspscene_material *material = face_material(build, face);
		counts->lightmap_faces += keeps_light(build, face, material) && bspi_face_has_luxels(build, face);
	}
}

bool bspi_build_plan(bspi_build *build)
{
	BSPI_TRY(add_surfaces(build));
	BSPI_TRY(bspi_plan_overlays(build));
	BSPI_TRY(bspi_plan_patches(build));
	BSPI_TRY(measure_shapes(build));
	BSPI_TRY(measure_light(build));
	BSPI_TRY(bspi_make_page_images(build));
	count_faces(build);
	return true;
}
