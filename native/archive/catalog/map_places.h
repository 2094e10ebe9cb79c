/* map_places.h - the places of a map: from the lines of a catalog and from an earlier result, in an order that does not
 * depend on which was found first. So a store that grew equals one that was made at once. */
#ifndef CLI_MAP_PLACES_H
#define CLI_MAP_PLACES_H

#include <jansson.h>
#include <stdbool.h>

/* Returns the key of a place: root, path and members. New memory. */
char *cli_place_key(const json_t *place);
/* Returns full lines, sorted, for all places in `entries`, which are lines of a catalog, and in `result` (NULL: none).
 * If both have a place, the catalog's line is used. A new array. */
json_t *cli_places_merge(const json_t *entries, const json_t *result);
/* Returns the places a result stores: all but the one that the map was read from. A new array. */
json_t *cli_places_but(const json_t *places, size_t but);
/* True if both give the same result: one place with the same files next to it. */
bool cli_is_same_source(const json_t *place, const json_t *other);

#endif
