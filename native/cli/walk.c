/* walk.c - folders to the paths of the files in them; a list of folders yet to read, no recursion. See walk.h. */
#include "walk.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report.h"

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

static void read_folder(const char *folder, DIR *directory, cli_paths *files, cli_paths *folders, cli_takes_fn *takes)
{
	const char *between = folder[0] && folder[strlen(folder) - 1] == '/' ? "" : "/";
	for (const struct dirent *entry; (entry = readdir(directory));) {
		struct stat info;
		if (entry->d_name[0] == '.') continue;
		char *path = cli_format("%s%s%s", folder, between, entry->d_name);
		bool known = lstat(path, &info) == 0;
		if (known && S_ISDIR(info.st_mode)) cli_paths_add(folders, path);
		else if (known && S_ISREG(info.st_mode) && takes(entry->d_name)) cli_paths_add(files, path);
		else free(path);
	}
}

bool cli_walk(cli_paths *out, const char *source, bool deep, cli_takes_fn *takes)
{
	struct stat info;
	if (stat(source, &info)) return false;
	if (!S_ISDIR(info.st_mode)) {
		cli_paths_add(out, cli_format("%s", source));
		return true;
	}
	cli_paths found = { 0 }, folders = { 0 };
	cli_paths_add(&folders, cli_format("%s", source));
	for (uint32_t i = 0; i < folders.count && (deep || i == 0); i++) {
		DIR *directory = opendir(folders.paths[i]);
		if (directory) read_folder(folders.paths[i], directory, &found, &folders, takes);
		else cli_paths_add(&found, cli_format("%s", folders.paths[i]));
		if (directory) closedir(directory);
	}
	if (found.count) qsort(found.paths, found.count, sizeof *found.paths, compare_paths);
	for (uint32_t i = 0; i < found.count; i++) cli_paths_add(out, found.paths[i]);
	free(found.paths);
	cli_paths_free(&folders);
	return true;
}
