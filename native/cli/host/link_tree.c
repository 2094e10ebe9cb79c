/* link_tree.c - see link_tree.h. */
#include "cli/host/link_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/host/platform.h"
#include "cli/report.h"
#include "cli/host/walk.h"

/* Implements cli_takes_fn: accepts all files. */
static bool take_all(const char *name)
{
	(void)name;
	return true;
}

/* Makes the parent folders of `path`. The folder that its first `length` bytes name exists already. */
static bool make_parents(char *path, size_t length)
{
	for (char *slash = strchr(path + length, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		bool ok = cli_make_directory(path) || errno == EEXIST;
		*slash = '/';
		if (!ok) return false;
	}
	return true;
}

bool cli_link_tree(const char *from, const char *to)
{
	cli_paths files = { 0 };
	cli_path_kind kind = cli_kind_of(from, false);
	if (kind == CLI_PATH_ABSENT) return true;
	bool ok = (kind == CLI_PATH_FILE || kind == CLI_PATH_DIRECTORY) && cli_walk(&files, from, true, take_all);
	for (uint32_t i = 0; ok && i < files.count; i++) {
		char *path = cli_format("%s%s", to, files.paths[i] + strlen(from));
		ok = make_parents(path, strlen(to)) && cli_make_link(files.paths[i], path);
		free(path);
	}
	cli_paths_free(&files);
	return ok;
}
