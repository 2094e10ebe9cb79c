/* join_maps.h - checked maps -> one: each moved to its place, or as it is where what stands in it is moved by its
 * entity. */
#ifndef BSPI_JOIN_MAPS_H
#define BSPI_JOIN_MAPS_H

#include "map/map.h"

/* A map and how far it is moved. The same may come several times. */
typedef struct bspi_map_part {
	const bspi_map *map;
	float shift[3];
	uint32_t first_model;              /* what "*1" of its entities is in the joined map: set by bspi_join_maps */
} bspi_map_part;

/* Can it be joined with others? NULL, or why not. */
const char *bspi_why_not_joined(const bspi_map *map, const bspi_map *first);
/* The first part's game and rules are the map's. Its records are no file's, so nothing can be written back. */
bool bspi_join_maps(bspi_ctx *ctx, bspi_map_part *parts, uint32_t count, bspi_map *out);
/* The entities of all, with their places moved and their models renumbered; the first one's world is that of all. Made
 * when the parts know their first_model. join_entities.c */
bool bspi_join_entities(bspi_ctx *ctx, const bspi_map_part *parts, uint32_t count, bspi_bytes *out);

#endif
