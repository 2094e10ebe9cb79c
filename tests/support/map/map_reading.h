/* map_reading.h - reads a map from bytes in memory up to validation, without building a scene. */
#ifndef BSPT_MAP_READING_H
#define BSPT_MAP_READING_H

#include "support/make/build_map.h"

typedef struct bspt_reading {
	bspi_ctx ctx;
	bspi_map map;
} bspt_reading;

/* Begins an empty load of "test.bsp" with a limit of 64 MB. */
void bspt_begin_reading(bspt_reading *reading, bool strict);
/* Begins a load and reads the map. If that fails, the context has the error. */
bool bspt_read_bytes(bspt_reading *reading, const void *data, size_t size, bool strict);
/* Reads the room of Quake III's first variant, which is valid. */
void bspt_read_room(bspt_reading *reading, bool strict);
/* Ends the load, and checks that all its memory was freed. */
void bspt_end_reading(bspt_reading *reading);
/* Counts the faces that validation kept. */
uint32_t bspt_kept_faces(const bspi_map *map);

#endif
