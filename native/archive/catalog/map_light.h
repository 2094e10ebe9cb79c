/* map_light.h - the light that games take from files beside a map, by what it is recognized again. */
#ifndef CLI_MAP_LIGHT_H
#define CLI_MAP_LIGHT_H

#include <jansson.h>

#include <stdbool.h>
#include <stddef.h>

/* Reads the companion of that number of a catalog's line into new memory. NULL: it cannot be read. */
typedef void *cli_read_companion_fn(void *user, const json_t *line, size_t index, size_t *size);

/* Of a catalog's line: the SHA-256 of its only light file, or of all of theirs together, as text one after the other in
 * the order in which the line has them. False: it has none that can be read. */
bool cli_hash_light(const json_t *line, cli_read_companion_fn *read, void *user, char out[65]);
/* A map with light beside it is another one than without: its `id` becomes the SHA-256 of its own and its light's,
 * which are kept as `bytes` and `light`. Maps without stay as they are. */
void cli_identify_with_light(json_t *line, cli_read_companion_fn *read, void *user);
/* False: the line's id is not that of its `bytes` and `light`. */
bool cli_is_id_of_its_light(const json_t *line);
/* The SHA-256 of the map's own bytes. */
const char *cli_hash_of_map(const json_t *line);

#endif
