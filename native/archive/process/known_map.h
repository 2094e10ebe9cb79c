/* known_map.h - a map of a catalog to what a store has of it, and whether that is all. */
#ifndef CLI_KNOWN_MAP_H
#define CLI_KNOWN_MAP_H

#include "archive/catalog/catalog_read.h"
#include "archive/store/map_store.h"

typedef struct cli_known_map {
	json_t *result, *places;           /* result: NULL when there is none */
	bool suffices, same_source, complete; /* each of them only where those before are */
} cli_known_map;

cli_known_map cli_know_map(const cli_store *store, const cli_catalog_map *map, const cli_args *args);
void cli_forget_map(cli_known_map *known);

#endif
