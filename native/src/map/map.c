/* map.c - the table of the map's arrays, and a function that tells where records are in the file. See map.h. */
#include "map/map.h"

#include <assert.h>
#include <string.h>

const bspi_array_info bspi_array_infos[BSPI_ARRAY_COUNT] = {
#define X(name, type) { #name, sizeof(type), offsetof(bspi_map, name), offsetof(bspi_map, name##_count) },
	BSPI_MAP_ARRAYS(X)
#undef X
};

void bspi_add_light_store(bspi_map *map, const bspi_light_store *store)
{
	assert(map->light_store_count < BSPI_MOST_LIGHT_STORES);
	if (store->luxels.size) map->light_stores[map->light_store_count++] = *store;
}

bool bspi_add_lump_spans(bspi_ctx *ctx, bspi_map *map, const bspi_lump_span *spans, uint32_t count)
{
	bspi_lump_span *all = bspi_push_unset(ctx, &ctx->scratch, (size_t)map->lump_span_count + count, sizeof *all);
	BSPI_TRY(all);
	uint32_t kept = map->lump_span_count;
	if (kept) memcpy(all, map->lump_spans, kept * sizeof *all);
	for (uint32_t i = 0; i < count; i++) {
		if (spans[i].bytes.size) all[kept++] = spans[i];
	}
	map->lump_spans = all;
	map->lump_span_count = kept;
	return true;
}

bool bspi_add_lump_places(bspi_ctx *ctx, bspi_map *map, const bspi_lump_place *places, uint32_t count)
{
	bspi_lump_place *all = bspi_push_unset(ctx, &ctx->scratch, (size_t)map->lump_place_count + count, sizeof *all);
	BSPI_TRY(all);
	uint32_t kept = map->lump_place_count;
	if (kept) memcpy(all, map->lump_places, kept * sizeof *all);
	for (uint32_t i = 0; i < count; i++) {
		if (places[i].at) all[kept++] = places[i];
	}
	map->lump_places = all;
	map->lump_place_count = kept;
	return true;
}

bspi_location bspi_record_location(const bspi_map *map, bspi_array_id array, uint32_t index)
{
	const bspi_source *source = &map->sources[array];
	bool read = source->lump && source->stride;
	return (bspi_location){ read ? source->lump : bspi_array_infos[array].name, index,
	                     read ? source->offset + (uint64_t)index * source->stride : BSPI_NO_OFFSET,
	                     array == BSPI_ARRAY_faces ? BSPI_RECORD_FACE : BSPI_RECORD_OTHER };
}
