/* join_maps.h - joins checked maps. The world of each map is translated to its position. The models of entities are
 * not translated, because the origins of the entities move them. */
#ifndef BSPI_JOIN_MAPS_H
#define BSPI_JOIN_MAPS_H

#include "map/map.h"

/* A map and its translation. The same map may occur several times. */
typedef struct bspi_map_part {
	const bspi_map *map;
	float shift[3];
	uint32_t first_model;              /* index of the part's model "*1" in the joined map, set by bspi_join_maps */
} bspi_map_part;

/* Returns NULL if the map can be joined with `first`, else the reason why not. */
const char *bspi_why_not_joined(const bspi_map *map, const bspi_map *first);
/* Joins maps into one, with the game and the rules of the first part. Its records come from no single file, so nothing
 * can be written back. */
bool bspi_join_maps(bspi_ctx *ctx, bspi_map_part *parts, uint32_t count, bspi_map *out);
/* Joins the entities of all parts. Moves their origins, renumbers their models, and keeps only the first part's
 * worldspawn. first_model of the parts must be set. join_entities.c */
bool bspi_join_entities(bspi_ctx *ctx, const bspi_map_part *parts, uint32_t count, bspi_bytes *out);

#endif
