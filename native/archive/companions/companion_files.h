/* companion_files.h - copies all files that belong to a map into a store, each file once by its contents, and writes
 * companions.json: a list of them with their texts, and facts about the map from these texts. */
#ifndef CLI_COMPANION_FILES_H
#define CLI_COMPANION_FILES_H

#include <bspscene/bspscene.h>
#include <jansson.h>

#include "cli/output.h"

/* Largest number of bytes of all texts of a map in companions.json. The stored files are complete. */
enum { CLI_MOST_TEXT = 65536 };

/* Writes files/NAME for each companion, and companions.json. `entry` is the map's line of a catalog; `game` is searched
 * for the game's maps.ufo. If it returns false, the output has the error. */
bool cli_write_companions(const json_t *entry, bspscene_file_system *game, const cli_args *args, cli_output *output);

#endif
