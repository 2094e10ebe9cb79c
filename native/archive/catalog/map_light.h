/* map_light.h - hashes of light files next to a map, which games use in place of the map's own light. */
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
/* Makes a map with light files different from one without: its `id` becomes the SHA-256 of its own hash and its
 * light's, which are stored as `bytes` and `light`. Other maps are unchanged. */
void cli_identify_with_light(json_t *line, cli_read_companion_fn *read, void *user);
/* True if the line's id follows from its `bytes` and `light`. */
bool cli_is_id_of_its_light(const json_t *line);
/* Returns the SHA-256 of the map's own bytes. */
const char *cli_hash_of_map(const json_t *line);

#endif
