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

/* Adds `source` if it is a file, or the files in it that `takes` accepts; with `deep`, also those of subfolders whose
 * names do not begin with a dot. Links are skipped, except `source` itself. Unreadable folders are added by their own
 * path, so that whoever opens them reports why. False with errno if `source` does not exist. */
bool cli_walk(cli_paths *out, const char *source, bool deep, cli_takes_fn *takes);
void cli_paths_add(cli_paths *paths, char *path);
void cli_paths_free(cli_paths *paths);

#endif
