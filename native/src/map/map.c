/* map.c - the table of the map's arrays, and where their records were. See map.h. */
#include "map/map.h"

#include <assert.h>

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

bspi_place bspi_record_place(const bspi_map *map, bspi_array_id array, uint32_t index)
{
	const bspi_source *source = &map->sources[array];
	bool read = source->lump && source->stride;
	return (bspi_place){ read ? source->lump : bspi_array_infos[array].name, index,
	                     read ? source->offset + (uint64_t)index * source->stride : BSPI_NO_OFFSET,
	                     array == BSPI_ARRAY_faces ? BSPI_RECORD_FACE : BSPI_RECORD_OTHER };
}
