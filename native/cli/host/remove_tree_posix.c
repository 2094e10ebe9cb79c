/* remove_tree_posix.c - see remove_tree.h. Folders are listed before what is in them: backwards each is empty. */
#include "cli/host/remove_tree.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/report.h"
#include "cli/host/walk.h"

static bool is_folder(const char *path)
{
	struct stat info;
	return lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static void add_entries(cli_paths *paths, const char *folder)
{
	DIR *directory = opendir(folder);
	if (!directory) return;
	for (const struct dirent *entry; (entry = readdir(directory));) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
		cli_paths_add(paths, cli_format("%s/%s", folder, entry->d_name));
	}
	closedir(directory);
}

void cli_remove_tree(const char *path)
{
	cli_paths paths = { 0 };
	if (unlink(path) == 0 || !is_folder(path)) return;
	cli_paths_add(&paths, cli_format("%s", path));
	for (uint32_t i = 0; i < paths.count; i++) {
		if (is_folder(paths.paths[i])) add_entries(&paths, paths.paths[i]);
	}
	for (uint32_t i = paths.count; i-- > 0;) {
		if (unlink(paths.paths[i])) rmdir(paths.paths[i]);
	}
	cli_paths_free(&paths);
}
