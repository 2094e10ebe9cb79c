/* map_places.h - the places of one map: lines of a catalog, with what a store's result knows of other ones, in an order
 * that does not depend on which was found first. So a store that grew is the one that is made at once. */
#ifndef CLI_MAP_PLACES_H
#define CLI_MAP_PLACES_H

#include <jansson.h>
#include <stdbool.h>

/* Returns the key of a place: root, path and members. New memory. */
char *cli_place_key(const json_t *place);
/* Full lines of all places in `entries`, lines of a catalog, and in `result` (NULL: nothing is known yet), sorted.
 * Where both know a place, the catalog's line counts. A new array. */
json_t *cli_places_merge(const json_t *entries, const json_t *result);
/* Returns the places a result stores: all but the one that the map was read from. A new array. */
json_t *cli_places_but(const json_t *places, size_t but);
/* True if both give the same result: one place with the same files next to it. */
bool cli_is_same_source(const json_t *place, const json_t *other);

#endif
