/* walk.h - the files below folders, sorted, without following links. */
#ifndef CLI_WALK_H
#define CLI_WALK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_paths {
	char **paths;
	uint32_t count, room;
} cli_paths;

typedef bool cli_takes_fn(const char *name);

/* Adds `source`, when it is a file, or the files in it whose names are taken; with `deep` also those of folders below,
 * but for folders whose names begin with a dot. Of links only `source` itself may be one. Folders that cannot be read
 * are added as they are, so that whoever opens them says why. False with errno: there is no `source`. */
bool cli_walk(cli_paths *out, const char *source, bool deep, cli_takes_fn *takes);
void cli_paths_add(cli_paths *paths, char *path);
void cli_paths_free(cli_paths *paths);

#endif
