/* remove_tree.c - see remove_tree.h. Lists each folder before its contents and removes them in reverse order, so that
 * each folder is empty by then. */
#include "cli/host/remove_tree.h"

#include <stdlib.h>

#include "cli/host/platform.h"
#include "cli/host/walk.h"
#include "cli/report.h"

typedef struct listing {
	cli_paths *folders, *others;
	const char *folder;
} listing;

/* Implements cli_entry_fn. */
static void add_entry(const char *name, cli_path_kind kind, void *user)
{
	const listing *l = user;
	cli_paths_add(kind == CLI_PATH_DIRECTORY ? l->folders : l->others, cli_format("%s/%s", l->folder, name));
}

/* Removes a file or an empty folder. Tries both, because a link to a folder is a folder on Windows. */
static void remove_one(const char *path)
{
	cli_remove_file(path);
	cli_remove_directory(path);
}

void cli_remove_tree(const char *path)
{
	cli_paths folders = { 0 }, others = { 0 };
	bool is_folder = cli_kind_of(path, false) == CLI_PATH_DIRECTORY;
	cli_paths_add(is_folder ? &folders : &others, cli_format("%s", path));
	for (uint32_t i = 0; i < folders.count; i++) {
		listing l = { &folders, &others, folders.paths[i] };
		cli_each_entry(l.folder, add_entry, &l);
	}
	for (uint32_t i = 0; i < others.count; i++) remove_one(others.paths[i]);
	for (uint32_t i = folders.count; i-- > 0;) cli_remove_directory(folders.paths[i]);
	cli_paths_free(&others);
	cli_paths_free(&folders);
}
