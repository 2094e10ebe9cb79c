/* map_places.h - merges the places of a map that a catalog found with those that an earlier result has. Places are
 * sorted. So a store that was filled in several runs equals a store that was filled in one run. */
#ifndef CLI_MAP_PLACES_H
#define CLI_MAP_PLACES_H

#include <jansson.h>
#include <stdbool.h>

/* Returns text that identifies a place: its root, path and members. New memory. */
char *cli_place_key(const json_t *place);
/* Returns a new, sorted array with a complete line for each place in `entries` (lines of a catalog) and in `result`
 * (NULL: none). For a place in both, the catalog's line is used. */
json_t *cli_places_merge(const json_t *entries, const json_t *result);
/* Returns a new array of all places except the one at index `but`, from which the map was read. */
json_t *cli_places_but(const json_t *places, size_t but);
/* True if both lines name the same place with the same files next to the map, so that processing either gives the same
 * result. */
bool cli_is_same_source(const json_t *place, const json_t *other);

#endif
