/* walk.h - lists the files below folders, sorted, without following links. */
#ifndef CLI_WALK_H
#define CLI_WALK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_paths {
	char **paths;
	uint32_t count, room;
} cli_paths;

typedef bool cli_takes_fn(const char *name);

/* Adds `source` if it is a file. If it is a folder, adds the files in it that `takes` accepts and, with `deep`, also
 * those in its subfolders. Skips links, except `source` itself, and names in a folder that begin with a dot. Adds the
 * path of a folder that cannot be read, so that whoever opens it reports why. Returns false with errno if `source` does
 * not exist. */
bool cli_walk(cli_paths *out, const char *source, bool deep, cli_takes_fn *takes);
void cli_paths_add(cli_paths *paths, char *path);
void cli_paths_free(cli_paths *paths);

#endif
