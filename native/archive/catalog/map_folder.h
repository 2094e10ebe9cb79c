/* map_folder.h - lists the files of a folder that may belong to maps in it. A folder is read once for all of its
 * maps. */
#ifndef CLI_MAP_FOLDER_H
#define CLI_MAP_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/host/walk.h"

typedef struct cli_map_folder {
	char *path;                        /* path; "" is the current folder */
	cli_paths names;                   /* texts, documents and WADs in it, sorted */
	uint32_t map_count;                /* number of maps and archives in it */
} cli_map_folder;

enum { CLI_FOLDERS_KEPT = 8 };

/* A cache of folders. It is empty if all bytes are zero. */
typedef struct cli_map_folders {
	cli_map_folder kept[CLI_FOLDERS_KEPT];
	uint32_t next;
} cli_map_folders;

/* Sets out[0] to the folder of a file. Sets out[1] to its parent folder if the folder is named "maps" and has a single
 * map, else to NULL. The results are valid until CLI_FOLDERS_KEPT other folders were requested. */
void cli_find_folders(cli_map_folders *folders, const char *path, const cli_map_folder *out[2]);
/* Returns "FOLDER/NAME" in new memory. */
char *cli_path_in(const cli_map_folder *folder, const char *name);
void cli_map_folders_free(cli_map_folders *folders);

#endif
