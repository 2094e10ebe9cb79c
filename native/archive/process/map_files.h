/* map_files.h - collects the files that a load of a map reads. A viewer that has only these files loads the same scene.
 *
 *     files.json         { "map": "game/maps/x.bsp", "files": [{ "path", "file", "size" }, ...] }, the map first
 *     files/NAME         the files that `file` names, for cli_share_files
 *
 * `path` tells which of the game's folders and archives a file came from, as "game/0003.pk3dir/...", because their
 * search order decides which of two files is used. A file that was only looked for is stored empty. */
#ifndef CLI_MAP_FILES_H
#define CLI_MAP_FILES_H

#include <bspscene/bspscene.h>

#include "cli/output.h"

typedef struct cli_map_files cli_map_files;

/* Makes later loads with these options record what they read from `files`. The loads must run in one thread. */
cli_map_files *cli_map_files_begin(bspscene_file_system *files, bspscene_load_options *options);
/* Called with each file: its path in the game, and its bytes, which are valid during the call. */
typedef bool cli_map_file_fn(void *user, const char *path, const void *data, size_t size);
/* Calls `each` for the map at `path` and then for each recorded file, until it returns false. Closes the stream `map`.
 * Returns false if `each` did or, with `error` set, if the map cannot be read again. */
bool cli_map_files_each(const cli_map_files *noted, const char *path, bspscene_stream *map, cli_map_file_fn *each,
                        void *user, bspscene_error *error);
/* Writes the map under its path in the game, and all recorded files. Closes the map's stream. If it returns false, the
 * output or `error` has the reason. */
bool cli_map_files_write(const cli_map_files *noted, const char *path, bspscene_stream *map, cli_output *output,
                         bspscene_error *error);
void cli_map_files_free(cli_map_files *noted);

#endif
