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
	const char *place;
	for (uint32_t i = 0; source->files && (place = bspscene_files_place(source->files, i)); i++) {
		if (is_same_file(&file, place)) return true;
	}
	return false;
}
