/* companion_files.h - copies all files that belong to a map into a store, each file once by its contents, and writes
 * companions.json: the list of them with their texts and the facts in these. */
#ifndef CLI_COMPANION_FILES_H
#define CLI_COMPANION_FILES_H

#include <bspscene/bspscene.h>
#include <jansson.h>

#include "cli/output.h"

/* Largest number of bytes of a map's texts in the list. The files are complete. */
enum { CLI_MOST_TEXT = 65536 };

/* Writes files/NAME and companions.json. `entry` is the map's line of a catalog; `game` is searched for the game's
 * maps.ufo. False: the output has the error. */
bool cli_write_companions(const json_t *entry, bspscene_file_system *game, const cli_args *args, cli_output *output);

#endif
