/* inputs.c - files by their identity, device and inode, and not by their names. See inputs.h. */
#include "inputs.h"

#include <sys/stat.h>

static bool is_same_file(const struct stat *file, const char *path)
{
	struct stat other;
	return stat(path, &other) == 0 && other.st_dev == file->st_dev && other.st_ino == file->st_ino;
}

bool cli_is_input(const cli_source *source, const char *path)
{
	struct stat file;
	if (stat(path, &file)) return false;
	if (is_same_file(&file, source->path)) return true;
	const bspscene_files *files = bspscene_place_files(source->place);
	const char *searched;
	for (uint32_t i = 0; (searched = bspscene_files_search_path(files, i)); i++) {
		if (is_same_file(&file, searched)) return true;
	}
	return false;
}
