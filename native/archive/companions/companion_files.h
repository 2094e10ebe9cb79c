/* companion_files.h - all that belongs to a map into a store: each file once, by what it holds, and companions.json,
 * the list of them with their texts and what they say of the map. */
#ifndef CLI_COMPANION_FILES_H
#define CLI_COMPANION_FILES_H

#include <bspscene/bspscene.h>
#include <jansson.h>

#include "cli/output.h"

/* Largest number of bytes of a map's texts in the list. The files are complete. */
enum { CLI_MOST_TEXT = 65536 };

/* Writes files/NAME and companions.json. `entry` is the map's line of a catalog, `game` what its game's maps.ufo is
 * looked for in. False: the output knows why. */
bool cli_write_companions(const json_t *entry, bspscene_file_system *game, const cli_args *args, cli_output *output);

#endif
