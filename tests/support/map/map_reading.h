/* map_reading.h - a map read from bytes in memory, as far as the checked map and no further. */
#ifndef BSPT_MAP_READING_H
#define BSPT_MAP_READING_H

#include "support/make/build_map.h"

typedef struct bspt_reading {
	bspi_ctx ctx;
	bspi_map map;
} bspt_reading;

/* An empty load of "test.bsp" that may take 64 MB. */
void bspt_begin_reading(bspt_reading *reading, bool strict);
/* Begins and reads; the context has the error. */
bool bspt_read_bytes(bspt_reading *reading, const void *data, size_t size, bool strict);
/* Begins with the first variant of Quake III's room, which is sound. */
void bspt_read_room(bspt_reading *reading, bool strict);
/* Nothing is left of the load's memory. */
void bspt_end_reading(bspt_reading *reading);
/* Faces that validation left. */
uint32_t bspt_kept_faces(const bspi_map *map);

#endif
