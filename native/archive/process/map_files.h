/* map_files.h - the files that a load of a map reads, so that who has them and nothing else of the game loads the same
 * scene: what the viewer beside a gallery opens.
 *
 *     files.json         { "map": "game/maps/x.bsp", "files": [{ "path", "file", "size" }, ...] }, the map first
 *     files/NAME         what `file` names, for cli_share_files
 *
 * `path` keeps which of the game's folders and archives a file came from, as "game/0003.pk3dir/...", since the order in
 * which engines search them decides which one of two counts. A file that was only asked after is there, empty. */
#ifndef CLI_MAP_FILES_H
#define CLI_MAP_FILES_H

#include <bspscene/bspscene.h>

#include "cli/output.h"

typedef struct cli_map_files cli_map_files;

/* From here on loads with these options, in one thread, note what they read. `files` answers them. */
cli_map_files *cli_map_files_begin(bspscene_file_system *files, bspscene_load_options *options);
/* Writes them all, with the map of that path in its game, whose stream it closes. False: the output knows why, or
 * `error` does. */
bool cli_map_files_write(const cli_map_files *noted, const char *path, bspscene_stream *map, cli_output *output,
                         bspscene_error *error);
void cli_map_files_free(cli_map_files *noted);

#endif
