/* map.c - the table of the map's arrays. See map.h. */
#include "map/map.h"

const bspi_array_info bspi_array_infos[BSPI_ARRAY_COUNT] = {
#define X(name, type) { #name, sizeof(type), offsetof(bspi_map, name), offsetof(bspi_map, name##_count) },
	BSPI_MAP_ARRAYS(X)
#undef X
};
