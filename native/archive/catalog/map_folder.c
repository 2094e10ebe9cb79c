/* map_folder.c - see map_folder.h. */
#include "archive/catalog/map_folder.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "archive/catalog/companion_names.h"
#include "archive/catalog/map_names.h"
#include "cli/host/platform.h"
#include "cli/report.h"

/* Implements cli_entry_fn. */
static void note(const char *name, cli_path_kind kind, void *user)
{
	cli_map_folder *folder = user;
	cli_companion_kind what = cli_companion_kind_of(name);
	if (kind != CLI_PATH_FILE) return;
	if (cli_catalog_takes(name)) folder->map_count++;
	else if (what == CLI_COMPANION_TEXT || what == CLI_COMPANION_DOCUMENT || what == CLI_COMPANION_WAD) {
		cli_paths_add(&folder->names, cli_format("%s", name));
	}
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void clear(cli_map_folder *folder)
{
	cli_paths_free(&folder->names);
	free(folder->path);
	*folder = (cli_map_folder) { 0 };
}

static const cli_map_folder *find(cli_map_folders *folders, const char *path, size_t length)
{
	for (int i = 0; i < CLI_FOLDERS_KEPT; i++) {
		const char *kept = folders->kept[i].path;
		if (kept && strlen(kept) == length && !memcmp(kept, path, length)) return &folders->kept[i];
	}
	cli_map_folder *folder = &folders->kept[folders->next];
	folders->next = (folders->next + 1) % CLI_FOLDERS_KEPT;
	clear(folder);
	folder->path = cli_format("%.*s", (int)length, path);
	cli_each_entry(length ? folder->path : ".", note, folder);
	cli_paths *names = &folder->names;
	if (names->count) qsort(names->paths, names->count, sizeof *names->paths, compare_names);
	return folder;
}

/* Returns the length of the path's folder, without the last separator. Returns 0 if the path names no folder. */
static size_t folder_length(const char *path, size_t length)
{
	while (length && !cli_is_separator(path[length - 1])) length--;
	return length > 1 && length > cli_root_length(path) ? length - 1 : length;
}

void cli_find_folders(cli_map_folders *folders, const char *path, const cli_map_folder *out[2])
{
	size_t length = folder_length(path, strlen(path)), above = folder_length(path, length);
	const size_t maps = strlen("maps");
	bool in_maps = length >= maps && !strncasecmp(path + length - maps, "maps", maps) &&
	               (length == maps || cli_is_separator(path[length - maps - 1]));
	out[0] = find(folders, path, length);
	out[1] = in_maps && out[0]->map_count == 1 ? find(folders, path, above) : NULL;
}

char *cli_path_in(const cli_map_folder *folder, const char *name)
{
	size_t length = strlen(folder->path);
	bool ends = !length || cli_is_separator(folder->path[length - 1]);
	return cli_format("%s%s%s", folder->path, ends ? "" : "/", name);
}

void cli_map_folders_free(cli_map_folders *folders)
{
	for (int i = 0; i < CLI_FOLDERS_KEPT; i++) clear(&folders->kept[i]);
}
