/* known_map.h - finds what a store already has of a map, and whether that is complete. */
#ifndef CLI_KNOWN_MAP_H
#define CLI_KNOWN_MAP_H

#include "archive/catalog/catalog_read.h"
#include "archive/store/map_store.h"

typedef struct cli_known_map {
	json_t *result, *places;           /* JSON of the result that the store has, and all places of the map; NULL:
	                                    * none */
	bool suffices, same_source, complete; /* `suffices`: the result has all requested products. `same_source`: in
	                                       * addition, it was made from the place where the map is now. `complete`: in
	                                       * addition, its list of places is up to date. */
} cli_known_map;

cli_known_map cli_know_map(const cli_store *store, const cli_catalog_map *map, const cli_args *args);
void cli_forget_map(cli_known_map *known);

#endif
