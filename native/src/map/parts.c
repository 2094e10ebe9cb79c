/* parts.c - removes the parts that the caller excluded from the checked map, so that stages need not know of them.
 * See map.h. */
#include "map/map.h"

bool bspi_wants_model(const bspi_ctx *ctx, uint32_t model)
{
	return ctx->options.parts != BSPSCENE_PARTS_MODEL || ctx->options.model == model;
}

static void drop_faces(bspi_map *map)
{
	for (uint32_t i = 0; i < map->faces_count; i++) map->faces[i].kind = BSPI_FACE_DROPPED;
}

static void take_out_overlays(bspi_map *map)
{
	map->overlays_count = map->water_overlays_count = 0;
}

/* Drops all faces except those of one model. Faces that it shares with other models are kept. */
static bool keep_model(bspi_ctx *ctx, bspi_map *map, uint32_t wanted)
{
	BSPI_CHECK(ctx, wanted < map->models_count, BSPSCENE_ERROR_BAD_OPTIONS, BSPI_NOWHERE,
	           "options: there is no model %u, the map has %u", wanted, map->models_count);
	const bspi_model *model = &map->models[wanted];
	for (uint32_t i = 0; i < map->faces_count; i++) {
		int64_t of_file = (int64_t)i - model->first_face, added = (int64_t)i - model->first_added;
		bool is_its = (of_file >= 0 && of_file < model->face_count) || (added >= 0 && added < model->added_count);
		if (!is_its) map->faces[i].kind = BSPI_FACE_DROPPED;
	}
	for (uint32_t i = 0; i < map->models_count; i++) {
		if (i != wanted) map->models[i].face_count = map->models[i].added_count = 0;
	}
	if (wanted) take_out_overlays(map);
	return true;
}

static void take_out_geometry(bspi_map *map)
{
	drop_faces(map);
	take_out_overlays(map);
	map->dispinfos_count = 0;
	map->rules.light_storage = BSPI_STORAGE_NONE;
}

/* Removes everything except entities. Models remain as empty records, because entities refer to them by number. */
static void keep_entities(bspi_map *map)
{
	for (uint32_t i = 0; i < map->models_count; i++) {
		map->models[i].face_count = map->models[i].added_count = map->models[i].brush_count = 0;
	}
	for (int id = 0; id < BSPI_ARRAY_COUNT; id++) {
		uint32_t *count = (uint32_t *)(void *)((char *)map + bspi_array_infos[id].count_offset);
		if (id != BSPI_ARRAY_models) *count = 0;
	}
	map->lighting = map->lighting_hdr = map->light_directions = BSPI_NO_BYTES;
	map->light_grid = map->light_grid_index = map->light_grid_palette = map->light_octree = BSPI_NO_BYTES;
	map->rules.light_storage = BSPI_STORAGE_NONE;
	map->cluster_count = map->vis_row_size = 0;
}

bool bspi_take_out_parts(bspi_ctx *ctx, bspi_map *map)
{
	switch (ctx->options.parts) {
	case BSPSCENE_PARTS_MODEL: return keep_model(ctx, map, ctx->options.model);
	case BSPSCENE_PARTS_NO_GEOMETRY: take_out_geometry(map); break;
	case BSPSCENE_PARTS_ENTITIES: keep_entities(map); break;
	default: break;
	}
	return true;
}
