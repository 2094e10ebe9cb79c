/* walk.c - lists the files below folders. A list of folders that remain to be read replaces recursion. See walk.h. */
#include "cli/host/walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/names.h"
#include "cli/host/platform.h"
#include "cli/report.h"

void cli_paths_add(cli_paths *paths, char *path)
{
	if (paths->count == paths->room) {
		paths->room = paths->room ? 2 * paths->room : 64;
		paths->paths = cli_resize(paths->paths, paths->room, sizeof *paths->paths);
	}
	paths->paths[paths->count++] = path;
}

void cli_paths_free(cli_paths *paths)
{
	for (uint32_t i = 0; i < paths->count; i++) free(paths->paths[i]);
	free(paths->paths);
	*paths = (cli_paths) { 0 };
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

typedef struct folder {
	const char *path;
	cli_paths *files, *folders;
	cli_takes_fn *takes;
} folder;

/* Implements cli_entry_fn. */
static void add_entry(const char *name, cli_path_kind kind, void *user)
{
	const folder *f = user;
	const char *last = cli_last_separator(f->path);
	bool file = kind == CLI_PATH_FILE && f->takes(name);
	if (name[0] == '.' || (!file && kind != CLI_PATH_DIRECTORY)) return;
	char *path = cli_format("%s%s%s", f->path, last && !last[1] ? "" : "/", name);
	cli_paths_add(file ? f->files : f->folders, path);
}

bool cli_walk(cli_paths *out, const char *source, bool deep, cli_takes_fn *takes)
{
	cli_path_kind kind = cli_kind_of(source, true);
	if (kind == CLI_PATH_ABSENT) return false;
	if (kind != CLI_PATH_DIRECTORY) {
		cli_paths_add(out, cli_format("%s", source));
		return true;
	}
	cli_paths found = { 0 }, folders = { 0 };
	cli_paths_add(&folders, cli_format("%s", source));
	for (uint32_t i = 0; i < folders.count && (deep || i == 0); i++) {
		folder f = { folders.paths[i], &found, &folders, takes };
		if (!cli_each_entry(f.path, add_entry, &f)) cli_paths_add(&found, cli_format("%s", f.path));
	}
	if (found.count) qsort(found.paths, found.count, sizeof *found.paths, compare_paths);
	for (uint32_t i = 0; i < found.count; i++) cli_paths_add(out, found.paths[i]);
	free(found.paths);
	cli_paths_free(&folders);
	return true;
}
