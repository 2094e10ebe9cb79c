/* directory.c - what lies below a directory, without leaving it. See file.h. */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "io/file.h"

typedef struct path_list {
	const char **paths;
	uint32_t count, capacity;
} path_list;

typedef struct scan {
	bspi_arena *arena;
	const char *root;
	char *real_root;                   /* without links, to compare where links lead */
	bool deep;
	path_list files, folders;          /* folders end in '/' and are taken off when they are read */
	uint32_t found;                    /* of both */
	bspscene_error *error;
} scan;

static bool fail_memory(const scan *s)
{
	return bspi_error_set(s->error, BSPSCENE_ERROR_OUT_OF_MEMORY, "%s: out of memory while listing the directory",
	                      s->root);
}

static bool add_path(scan *s, path_list *list, const char *folder, const char *name, const char *end)
{
	if (s->found++ >= BSPI_MOST_FILES) {
		return bspi_error_set(s->error, BSPSCENE_ERROR_LIMIT, "%s: more than %u files: not a game's directory", s->root,
		                      BSPI_MOST_FILES);
	}
	size_t size = strlen(folder) + strlen(name) + strlen(end) + 1;
	char *path = bspi_arena_alloc(s->arena, size, 1);
	if (!path) return fail_memory(s);
	snprintf(path, size, "%s%s%s", folder, name, end);
	if (list->count == list->capacity) {
		uint32_t capacity = list->capacity ? list->capacity * 2 : 64;
		const char **paths = bspi_arena_alloc(s->arena, capacity, sizeof *paths);
		if (!paths) return fail_memory(s);
		if (list->count) memcpy(paths, list->paths, list->count * sizeof *paths);
		list->paths = paths;
		list->capacity = capacity;
	}
	list->paths[list->count++] = path;
	return true;
}

/* Does the link `folder``name` end inside of the directory that is listed? */
static bool leads_inside(const scan *s, const char *folder, const char *name)
{
	char path[PATH_MAX];
	int size = snprintf(path, sizeof path, "%s/%s%s", s->root, folder, name);
	char *target = size > 0 && (size_t)size < sizeof path ? realpath(path, NULL) : NULL;
	size_t root_size = strlen(s->real_root);
	bool inside = target && !strncmp(target, s->real_root, root_size) && (target[root_size] == '/' || root_size == 1);
	free(target);
	return inside;
}

static bool add_entry(scan *s, int descriptor, const char *folder, const char *name)
{
	struct stat status;
	if (!strcmp(name, ".") || !strcmp(name, "..") || strlen(folder) + strlen(name) + 1 >= BSPI_PATH_SIZE) return true;
	if (fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return true;
	if (S_ISLNK(status.st_mode)) {
		bool follow = fstatat(descriptor, name, &status, 0) == 0 && S_ISREG(status.st_mode) &&
		              (!s->deep || leads_inside(s, folder, name));
		return !follow || add_path(s, &s->files, folder, name, "");
	}
	if (S_ISDIR(status.st_mode)) return add_path(s, s->deep ? &s->folders : &s->files, folder, name, "/");
	return !S_ISREG(status.st_mode) || add_path(s, &s->files, folder, name, "");
}

static bool scan_folder(scan *s, const char *folder)
{
	char path[PATH_MAX];
	int size = snprintf(path, sizeof path, "%s/%s", s->root, folder);
	if (size < 0 || (size_t)size >= sizeof path) {
		return bspi_error_set(s->error, BSPSCENE_ERROR_IO, "%s: the path is too long", s->root);
	}
	DIR *directory = opendir(path);
	if (!directory) {
		if (*folder && (errno == EACCES || errno == ENOENT)) return true;
		return bspi_error_set(s->error, errno == ENOENT ? BSPSCENE_ERROR_NOT_FOUND : BSPSCENE_ERROR_IO,
		                      "%s: the directory cannot be read: %s", path, strerror(errno));
	}
	bool ok = true;
	while (ok) {
		errno = 0;
		const struct dirent *entry = readdir(directory);
		if (!entry) {
			if (errno) {
				ok = bspi_error_set(s->error, BSPSCENE_ERROR_IO, "%s: reading the directory failed: %s", path,
				                    strerror(errno));
			}
			break;
		}
		ok = add_entry(s, dirfd(directory), folder, entry->d_name);
	}
	closedir(directory);
	return ok;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool bspi_list_directory(bspi_arena *arena, const char *path, bool deep, bspi_listing *out, bspscene_error *error)
{
	scan s = { .arena = arena, .root = path, .deep = deep, .error = error };
	*out = (bspi_listing){ 0 };
	s.real_root = realpath(path, NULL);
	if (!s.real_root) {
		return bspi_error_set(error, errno == ENOENT ? BSPSCENE_ERROR_NOT_FOUND : BSPSCENE_ERROR_IO,
		                      "%s: the directory cannot be read: %s", path, strerror(errno));
	}
	bool ok = scan_folder(&s, "");
	while (ok && s.folders.count) ok = scan_folder(&s, s.folders.paths[--s.folders.count]);
	free(s.real_root);
	if (!ok) return false;
	if (s.files.count) qsort(s.files.paths, s.files.count, sizeof *s.files.paths, compare_paths);
	*out = (bspi_listing){ s.files.paths, s.files.count };
	return true;
}
