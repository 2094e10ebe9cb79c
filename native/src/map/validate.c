/* validate.c - checks the neutral map. Afterward every index, range, float and name is valid, or its face is dropped.
 * This file checks the records that others refer to. validate_textures.c checks textures, validate_tree.c the tree,
 * validate_faces.c faces, and validate_placed.c what the compiler placed. */
#include "map/validate.h"

#include <inttypes.h>

#include "base/text.h"
#include "base/vec.h"

/* Limit for the sides of a brush. Real brushes have at most a few dozen (q3map2: MAX_BUILD_SIDES 300). */
#define MOST_BRUSH_SIDES 4096

#define USE_PLANES(used, map, records) \
	for (uint32_t use = 0; use < (map)->records##_count; use++) { \
		int64_t plane = (map)->records[use].plane; \
		if (plane >= 0 && plane < (map)->planes_count) (used)[plane] = true; \
	}

/* Marks each plane that any record refers to. The normals of the other planes need not be valid. */
static bool *find_used_planes(bspi_ctx *ctx, const bspi_map *map)
{
	bool *used = bspi_push(ctx, &ctx->stage, bool, map->planes_count);
	if (!used) return NULL;
	USE_PLANES(used, map, faces)
	USE_PLANES(used, map, nodes)
	USE_PLANES(used, map, clipnodes)
	USE_PLANES(used, map, brush_sides)
	return used;
}

static bool check_planes(bspi_ctx *ctx, bspi_map *map)
{
	bool *used = NULL;
	for (uint32_t i = 0; i < map->planes_count; i++) {
		bspi_plane *plane = &map->planes[i];
		float length = sqrtf(bspi_dot(plane->normal, plane->normal));
		if (fabsf(length - 1) <= 0.01f && isfinite(plane->distance)) continue;
		if (!used) used = find_used_planes(ctx, map);
		BSPI_TRY(used);
		if (used[i])
			BSPI_REPAIR(
				planes, i, TREE,
				"its normal has length %g instead of 1, or its distance %g is not finite: z = 0 is used instead",
				(double)length, (double)plane->distance);
		*plane = (bspi_plane){ { 0, 0, 1 }, 0 };
	}
	return true;
}

/* If a map has no models, adds a model for the world. Nearly empty maps may have no models. */
static bool make_world(bspi_ctx *ctx, bspi_map *map)
{
	const char *lump = bspi_record_location(map, BSPI_ARRAY_models, 0).lump;
	BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_REFERENCE, BSPI_LUMP(lump),
	                   map->faces_count ? "the map has no models, so all its faces are taken as the world"
	                                    : "the map has neither models nor faces: there is nothing to show"));
	map->models = bspi_push(ctx, &ctx->scratch, bspi_model, 1);
	BSPI_TRY(map->models);
	map->models[0].face_count = (int32_t)map->faces_count;
	map->models[0].brush_count = (int32_t)map->brushes_count;
	map->models_count = 1;
	return true;
}

static bool check_models(bspi_ctx *ctx, bspi_map *map)
{
	if (!map->models_count) BSPI_TRY(make_world(ctx, map));
	for (uint32_t i = 0; i < map->models_count; i++) {
		bspi_model *model = &map->models[i];
		if (!bspi_are_finite(model->mins, 3) || !bspi_are_finite(model->maxs, 3) || !bspi_is_position(model->origin)) {
			BSPI_REPAIR(models, i, REFERENCE, "bounds or origin are not finite: set to 0");
			memset(model->mins, 0, sizeof model->mins);
			memset(model->maxs, 0, sizeof model->maxs);
			memset(model->origin, 0, sizeof model->origin);
		}
		if (!BSPI_TAKE_RANGE(model->first_brush, model->brush_count, map->brushes_count)) {
			BSPI_REPAIR(models, i, REFERENCE,
			            "it uses %" PRId32 " brushes from number %" PRId32 " on, but there are %" PRIu32
			            ": it gets no brushes",
			            model->brush_count, model->first_brush, map->brushes_count);
			model->first_brush = model->brush_count = 0;
		}
	}
	return true;
}

/* Sets taken[] for the faces that the reader generated. They belong to a model already, so no other model can claim
 * them. */
static void take_added_faces(bspi_map *map, bool *taken)
{
	for (uint32_t i = 0; i < map->models_count; i++) {
		bspi_model *model = &map->models[i];
		if (!bspi_is_range(model->first_added, model->added_count, map->faces_count)) model->added_count = 0;
		for (int32_t k = 0; k < model->added_count; k++) taken[model->first_added + k] = true;
	}
}

/* Assigns each face to one model; the world comes first. A model keeps the faces of its range up to the first one that
 * is assigned already. So overlapping ranges take no extra time. */
static bool check_model_faces(bspi_ctx *ctx, bspi_map *map)
{
	bool *taken = bspi_push(ctx, &ctx->stage, bool, map->faces_count);
	BSPI_TRY(taken);
	take_added_faces(map, taken);
	for (uint32_t i = 0; i < map->models_count; i++) {
		bspi_model *model = &map->models[i];
		int32_t wanted = model->face_count, own = 0;
		if (!BSPI_TAKE_RANGE(model->first_face, wanted, map->faces_count)) {
			BSPI_REPAIR(models, i, REFERENCE,
			            "it uses %" PRId32 " faces from number %" PRId32 " on, but there are %" PRIu32
			            ": it gets no faces",
			            wanted, model->first_face, map->faces_count);
			model->first_face = model->face_count = 0;
			continue;
		}
		while (own < wanted && !taken[model->first_face + own]) taken[model->first_face + own++] = true;
		if (own < wanted)
			BSPI_REPAIR(models, i, REFERENCE,
			            "%" PRId32 " of its faces belong to another model: they stay with that one", wanted - own);
		model->face_count = own;
	}
	return true;
}

static bool check_brush_sides(bspi_ctx *ctx, bspi_map *map)
{
	uint32_t textures = map->texinfos_count ? map->texinfos_count : map->textures_count;
	for (uint32_t i = 0; i < map->brush_sides_count; i++) {
		bspi_brush_side *side = &map->brush_sides[i];
		if (side->texture != -1 && !bspi_is_index(side->texture, textures)) {
			BSPI_REPAIR(brush_sides, i, REFERENCE,
			            "it uses texture %" PRId32 ", but there are %" PRIu32 ": the side gets none", side->texture,
			            textures);
			side->texture = -1;
		}
		if (!bspi_is_index(side->plane, map->planes_count)) {
			BSPI_REPAIR(brush_sides, i, REFERENCE,
			            "it uses plane %" PRId32 ", but there are %" PRIu32 ": plane 0 is used", side->plane,
			            map->planes_count);
			side->plane = 0;
		}
	}
	return true;
}

static bool check_brushes(bspi_ctx *ctx, bspi_map *map)
{
	for (uint32_t i = 0; i < map->brushes_count; i++) {
		bspi_brush *brush = &map->brushes[i];
		if (brush->texture != -1 && !bspi_is_index(brush->texture, map->textures_count)) {
			BSPI_REPAIR(brushes, i, REFERENCE,
			            "it uses texture %" PRId32 ", but there are %" PRIu32 ": the brush gets none", brush->texture,
			            map->textures_count);
			brush->texture = -1;
		}
		bool fits = BSPI_TAKE_RANGE(brush->first_side, brush->side_count, map->brush_sides_count) &&
		            brush->side_count <= MOST_BRUSH_SIDES;
		if (fits && map->planes_count) continue;
		if (!fits) {
			BSPI_REPAIR(brushes, i, REFERENCE,
			            "it uses %" PRId32 " sides from number %" PRId32
			            " on, which are too many or past the last of %" PRIu32 ": the brush gets no sides",
			            brush->side_count, brush->first_side, map->brush_sides_count);
		}
		brush->first_side = brush->side_count = 0;
	}
	return true;
}

static bool check_fogs(bspi_ctx *ctx, bspi_map *map)
{
	for (uint32_t i = 0; i < map->fogs_count; i++) {
		bspi_fog *fog = &map->fogs[i];
		BSPI_TRY(bspi_check_name(ctx, map, BSPI_ARRAY_fogs, i, fog->shader, sizeof fog->shader));
		if (fog->brush != -1 && !bspi_is_index(fog->brush, map->brushes_count)) {
			BSPI_REPAIR(fogs, i, REFERENCE,
			            "it fills brush %" PRId32 ", but there are %" PRIu32 ": the fog gets no bounds", fog->brush,
			            map->brushes_count);
			fog->brush = -1;
		}
		if (fog->brush == -1) fog->visible_side = -1;
		if (fog->visible_side != -1 &&
		    !bspi_is_index(fog->visible_side, (uint32_t)map->brushes[fog->brush].side_count)) {
			BSPI_REPAIR(fogs, i, REFERENCE,
			            "side %" PRId32 " of its brush should be its surface, but the brush has %" PRId32
			            " sides: the fog gets no surface",
			            fog->visible_side, map->brushes[fog->brush].side_count);
			fog->visible_side = -1;
		}
	}
	return true;
}

bool bspi_validate(bspi_ctx *ctx, bspi_map *map)
{
	/* The checks, in their order. Each may rely on those before it. */
	static bool (*const rules[])(bspi_ctx *ctx, bspi_map *map) = {
		check_planes, bspi_validate_textures, check_brush_sides, check_brushes, check_fogs, check_models,
		check_model_faces, bspi_validate_dispinfos, bspi_validate_faces, bspi_validate_tree, bspi_validate_overlays,
		bspi_validate_props, bspi_validate_lights,
	};
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) BSPI_TRY(rules[i](ctx, map));
	return true;
}
