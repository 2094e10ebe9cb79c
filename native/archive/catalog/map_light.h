/* map_light.h - hashes of the light and entities that games take from files next to a map. */
#ifndef CLI_MAP_LIGHT_H
#define CLI_MAP_LIGHT_H

#include <jansson.h>

#include <stdbool.h>
#include <stddef.h>

/* Reads companion number `index` of a catalog's line into new memory. NULL if it cannot be read. */
typedef void *cli_read_companion_fn(void *user, const json_t *line, size_t index, size_t *size);

/* Computes a hash of all light files that the line lists as companions. For one file it is the SHA-256 of the file. For
 * several it is the SHA-256 of their hashes as text, in the order of the line. False if no light file can be read. */
bool cli_hash_light(const json_t *line, cli_read_companion_fn *read, void *user, char out[65]);
/* Changes the line's `id` if the map has files with light or entities next to it. The new id is the SHA-256 of the
 * hashes of the map, the light and the entities, which are stored as `bytes`, `light` and `entities_beside`. A line
 * without such files is not changed. `entities` is the SHA-256 of the file from which engines take entities. NULL means
 * that they use the map's own. */
void cli_identify_map(json_t *line, cli_read_companion_fn *read, void *user, const char *entities);
/* True if the line's `id` is the one that cli_identify_map computes from the line's `bytes`, `light` and
 * `entities_beside`. */
bool cli_is_id_of_its_files(const json_t *line);
/* Returns the SHA-256 of the map's own bytes. */
const char *cli_hash_of_map(const json_t *line);

#endif
