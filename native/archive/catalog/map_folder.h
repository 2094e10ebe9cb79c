/* map_folder.h - a folder of the disk to what may belong to maps in it: read once for all maps in a row. */
#ifndef CLI_MAP_FOLDER_H
#define CLI_MAP_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/host/walk.h"

typedef struct cli_map_folder {
	char *path;                        /* "" is the current one */
	cli_paths names;                   /* of texts, documents and WADs in it, sorted */
	uint32_t map_count;                /* maps and archives in it */
} cli_map_folder;

enum { CLI_FOLDERS_KEPT = 8 };

/* Zeroed: none yet. */
typedef struct cli_map_folders {
	cli_map_folder kept[CLI_FOLDERS_KEPT];
	uint32_t next;
} cli_map_folders;

/* The folder of the file, and the one around a folder "maps" with a single map in it (NULL: there is none). Valid until
 * as many folders as are kept were asked for. */
void cli_find_folders(cli_map_folders *folders, const char *path, const cli_map_folder *out[2]);
/* "FOLDER/NAME" in new memory. */
char *cli_path_in(const cli_map_folder *folder, const char *name);
void cli_map_folders_free(cli_map_folders *folders);

#endif
