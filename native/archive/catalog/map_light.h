/* map_light.h - hashes of the light and entities that games take from files next to a map. */
#ifndef CLI_MAP_LIGHT_H
#define CLI_MAP_LIGHT_H

#include <jansson.h>

#include <stdbool.h>
#include <stddef.h>

/* Reads companion number `index` of a catalog's line into new memory. NULL: it cannot be read. */
typedef void *cli_read_companion_fn(void *user, const json_t *line, size_t index, size_t *size);

/* Computes the SHA-256 of a line's light file, or, if there are several, of their hashes as text in the order of the
 * line. False if no light file can be read. */
bool cli_hash_light(const json_t *line, cli_read_companion_fn *read, void *user, char out[65]);
/* Makes a map with light or entities in files next to it different from one without: its `id` becomes the SHA-256 of
 * its own hash and theirs, which are stored as `bytes`, `light` and `entities_beside`. Other maps are unchanged.
 * `entities`: the SHA-256 of the file that the entities are from; NULL: the map. */
void cli_identify_map(json_t *line, cli_read_companion_fn *read, void *user, const char *entities);
/* False: the line's id is not that of its `bytes`, `light` and `entities_beside`. */
bool cli_is_id_of_its_files(const json_t *line);
/* The SHA-256 of the map's own bytes. */
const char *cli_hash_of_map(const json_t *line);

#endif
