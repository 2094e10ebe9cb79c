/* directory.c - lists the files below a directory, without leaving it. See file.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/file.h"
#include "io/system.h"

enum { PATH_SIZE = 4096 };

typedef struct path_list {
	const char **paths;
	uint32_t count, capacity;
} path_list;

typedef struct scan {
	bspi_arena *arena;
	const char *root;
	char *real_root;                   /* path of the root without links; targets of links are compared with it */
	const char *folder;                /* the current folder, relative to the root */
	bool deep, failed;
	path_list files, folders;          /* `folders`: those that are still to be listed; paths of folders end in
	                                    * '/' */
	uint32_t found;                    /* number of files and folders */
	bspscene_error *error;
} scan;

static bool fail_memory(const scan *s)
{
	return bspi_error_set(s->error, BSPSCENE_ERROR_OUT_OF_MEMORY, "%s: out of memory while listing the directory",
	                      s->root);
}

static bool add_path(scan *s, path_list *list, const char *name, const char *end)
{
	if (s->found++ >= BSPI_MOST_FILES) {
		return bspi_error_set(s->error, BSPSCENE_ERROR_LIMIT,
		                      "%s: more than %u files, so it is not a game directory; name a smaller one", s->root,
		                      BSPI_MOST_FILES);
	}
	size_t size = strlen(s->folder) + strlen(name) + strlen(end) + 1;
	char *path = bspi_arena_alloc(s->arena, size, 1);
	if (!path) return fail_memory(s);
	snprintf(path, size, "%s%s%s", s->folder, name, end);
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

static bool system_path(const scan *s, char out[PATH_SIZE], const char *name)
{
	int size = snprintf(out, PATH_SIZE, "%s/%s%s", s->root, s->folder, name);
	return size > 0 && size < PATH_SIZE;
}

/* True if the link at `path` leads to a place below the listed directory. */
static bool leads_inside(const scan *s, const char *path)
{
	char *target = bspi_system_real_path(path);
	bool inside = target && bspi_lies_below(target, s->real_root);
	free(target);
	return inside;
}

static bool leads_to_file(const scan *s, const char *name)
{
	char path[PATH_SIZE];
	return system_path(s, path, name) && bspi_system_kind(path) == BSPI_PATH_FILE &&
	       (!s->deep || leads_inside(s, path));
}

/* Adds an entry of a directory (a bspi_entry_fn). */
static bool add_entry(void *user, const char *name, bspi_path_kind kind)
{
	scan *s = user;
	if (strlen(s->folder) + strlen(name) + 1 >= BSPI_PATH_SIZE) return true;
	if (kind == BSPI_PATH_DIRECTORY) {
		s->failed = !add_path(s, s->deep ? &s->folders : &s->files, name, "/");
	} else if (kind == BSPI_PATH_FILE || (kind == BSPI_PATH_LINK && leads_to_file(s, name))) {
		s->failed = !add_path(s, &s->files, name, "");
	}
	return !s->failed;
}

static bool scan_folder(scan *s, const char *folder)
{
	char path[PATH_SIZE];
	s->folder = folder;
	if (!system_path(s, path, "")) {
		return bspi_error_set(s->error, BSPSCENE_ERROR_IO, "%s: the path is too long", s->root);
	}
	if (bspi_system_list(path, add_entry, s)) return !s->failed;
	if (*folder && (errno == EACCES || errno == ENOENT)) return true;
	return bspi_error_set(s->error, errno == ENOENT ? BSPSCENE_ERROR_NOT_FOUND : BSPSCENE_ERROR_IO,
	                      "%s: the directory cannot be read: %s", path, strerror(errno));
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool bspi_list_directory(bspi_arena *arena, const char *path, bool deep, bspi_listing *out, bspscene_error *error)
{
	scan s = { .arena = arena, .root = path, .deep = deep, .error = error };
	*out = (bspi_listing){ 0 };
	s.real_root = bspi_system_real_path(path);
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
