/* map_light.h - hashes of the light that games take from files next to a map. */
#ifndef CLI_MAP_LIGHT_H
#define CLI_MAP_LIGHT_H

#include <jansson.h>

#include "archive/catalog/place_reader.h"
#include "cli/options/args.h"

/* Returns the SHA-256 of a catalog line's light file, or of the hashes of several as text, in the order of the line.
 * False: it has none that can be read. `reader` keeps the archive open. */
bool cli_hash_light(const json_t *line, const cli_args *args, cli_place_reader *reader, char out[65]);
/* Makes a map with light files different from one without: its `id` becomes the SHA-256 of its own hash and its
 * light's, which are stored as `bytes` and `light`. Other maps are unchanged. */
void cli_identify_with_light(json_t *line, const cli_args *args, cli_place_reader *reader);
/* The SHA-256 of the map's own bytes. */
const char *cli_hash_of_map(const json_t *line);

#endif
