/* beside_map.c - mounts files next to a map outside of maps/, and WADs next to any map. A game asks for "maps/x.lit"
 * and "halflife.wad", but users keep x.bsp, x.lit and halflife.wad together in any folder or archive. Such files get
 * the names that the game asks for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file_system/mounts.h"
#include "io/system.h"

#define MAP_FOLDER "maps/"

/* Returns the length of the suffix that makes a file a companion of a map: what follows x in "x.lit", "x.lux", "x.ent",
 * "x@1234.ent" and "x_l_0.lmp". Returns 0 for other files. `key` is in lower case. */
static size_t companion_ending(const char *key)
{
	static const char *const endings[] = { ".lit", ".lux", ".vis", ".rtlights", ".ent" };
	const char *slash = strrchr(key, '/'), *name = slash ? slash + 1 : key, *end = key + strlen(key);
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		if (!bspi_text_ends(name, endings[i])) continue;
		const char *at = strcmp(endings[i], ".ent") ? NULL : strrchr(name, '@');
		return at && at > name ? (size_t)(end - at) : strlen(endings[i]);
	}
	if (!bspi_text_ends(name, ".lmp")) return 0;
	const char *number = end - strlen(".lmp");
	while (number > name && number[-1] >= '0' && number[-1] <= '9') number--;
	bool patch = *number != '.' && number - name > 3 && !memcmp(number - 3, "_l_", 3);
	return patch ? (size_t)(end - number) + 3 : 0;
}

/* ---- In archives ------------------------------------------------------------------------------------------- */

static int compare_keys(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool has_key(const char *const *keys, uint32_t count, const char *key)
{
	return bsearch(&key, keys, count, sizeof *keys, compare_keys) != NULL;
}

/* Stores in `out` the name by which a game asks for an entry of an archive. Returns false if the entry has this name
 * already, or belongs to no map of the archive. */
static bool game_name(const char *key, const char *const *keys, uint32_t count, char out[BSPI_PATH_SIZE + 8])
{
	char map[BSPI_PATH_SIZE + 8];
	const char *slash = strrchr(key, '/'), *name = slash ? slash + 1 : key;
	size_t ending = companion_ending(key);
	bool wad = bspi_text_ends(key, ".wad");
	if (!ending && !(wad && slash)) return false;
	snprintf(out, BSPI_PATH_SIZE + 8, "%s%s", wad ? "" : MAP_FOLDER, name);
	snprintf(map, sizeof map, "%.*s.bsp", (int)(strlen(key) - ending), key);
	return (wad || has_key(keys, count, map)) && !has_key(keys, count, out);
}

/* Adds a second name for an entry of an archive. */
static bool add_alias(bspi_mount *mount, const bspi_entry *file, const char *name, bspscene_error *error)
{
	bspi_entry *alias;
	const bspi_entry found = *file; /* a copy, because adding an entry may move the others in memory */
	BSPI_TRY(bspi_mount_add(mount, name, found.order, &alias, error));
	if (!alias) return true;
	const char *path = alias->path, *key = alias->key;
	*alias = found;
	alias->path = path;
	alias->key = key;
	return true;
}

bool bspi_mount_name_companions(bspi_mount *mount, bspscene_error *error)
{
	uint32_t count = mount->entry_count, companions = 0;
	char name[BSPI_PATH_SIZE + 8];
	for (uint32_t i = 0; i < count; i++) {
		companions += companion_ending(mount->entries[i].key) || bspi_text_ends(mount->entries[i].key, ".wad");
	}
	if (!companions) return true;
	const char **keys = bspi_arena_alloc(&mount->arena, count, sizeof *keys);
	if (!keys) {
		return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "%s: out of memory", mount->origin);
	}
	for (uint32_t i = 0; i < count; i++) keys[i] = mount->entries[i].key;
	qsort(keys, count, sizeof *keys, compare_keys);
	for (uint32_t i = 0; i < count; i++) {
		if (!game_name(mount->entries[i].key, keys, count, name)) continue;
		BSPI_TRY(add_alias(mount, &mount->entries[i], name, error));
	}
	return true;
}

/* ---- On disk ----------------------------------------------------------------------------------------------- */

/* Returns the folder of a path, or "." if the path names none. False if the path is too long. */
static bool folder_of(const char *path, char out[BSPI_PATH_SIZE])
{
	const char *slash = strrchr(path, '/');
	size_t length = slash ? (size_t)(slash - path) : 0;
	if (length >= BSPI_PATH_SIZE) return false;
	memcpy(out, path, length);
	out[length] = 0;
	if (!length) strcpy(out, slash ? "/" : ".");
	return true;
}

/* Stores in `out` the name by which a game asks for a file that lies next to the map. `stem` is the map's name without
 * ".bsp". Returns false if the game asks for no such file. */
static bool wanted_name(const char *file, bspi_bytes stem, bool companions, bool wads, char out[BSPI_PATH_SIZE + 8])
{
	char key[BSPI_PATH_SIZE];
	size_t size = strlen(file);
	if (size >= sizeof key) return false;
	for (size_t i = 0; i <= size; i++) key[i] = bspi_lower(file[i]);
	if (wads && bspi_text_ends(key, ".wad")) {
		snprintf(out, BSPI_PATH_SIZE + 8, "%s", file);
		return true;
	}
	size_t ending = companions ? companion_ending(key) : 0;
	if (!ending || size - ending != stem.size) return false;
	for (size_t i = 0; i < stem.size; i++) {
		if (key[i] != bspi_lower((char)stem.data[i])) return false;
	}
	snprintf(out, BSPI_PATH_SIZE + 8, MAP_FOLDER "%s", file);
	return true;
}

/* True if the file really lies in the folder, so that it is not a link to somewhere else. `root` is the folder's real
 * path. */
static bool is_inside(const char *folder, const char *root, const char *file)
{
	char path[2 * BSPI_PATH_SIZE + 8];
	snprintf(path, sizeof path, "%s/%s", folder, file);
	char *real = bspi_system_real_path(path);
	bool inside = real && bspi_lies_below(real, root);
	free(real);
	return inside;
}

/* Mounts the wanted files of a folder. *out is NULL if there are no such files, or if the folder cannot be read. */
static bool mount_folder(const char *folder, bspi_bytes stem, bool companions, bool wads, bspi_mount **out,
                         bspscene_error *error)
{
	bspi_listing listing;
	bspi_entry *entry;
	char name[BSPI_PATH_SIZE + 8];
	*out = bspi_mount_directory(folder, error);
	if (!*out) return false;
	(*out)->only_companions = true;
	bool ok = true;
	char *root = bspi_system_real_path(folder);
	if (!root || !bspi_list_directory(&(*out)->arena, folder, false, &listing, NULL)) listing.count = 0;
	for (uint32_t i = 0; ok && i < listing.count; i++) {
		if (!wanted_name(listing.paths[i], stem, companions, wads, name)) continue;
		if (!is_inside(folder, root, listing.paths[i])) continue;
		ok = bspi_mount_add(*out, name, i, &entry, error);
		if (ok && entry) entry->file = listing.paths[i];
	}
	free(root);
	if (ok && (*out)->entry_count) return true;
	bspi_mount_close(*out);
	*out = NULL;
	return ok;
}

bool bspi_mount_files_beside(const char *map, bool no_game, bool wads, bspi_mount *out[2], bspscene_error *error)
{
	char folder[BSPI_PATH_SIZE], above[BSPI_PATH_SIZE + 8];
	bspi_bytes stem = bspi_map_stem(map);
	out[0] = out[1] = NULL;
	if (!folder_of(map, folder)) return true;
	BSPI_TRY(mount_folder(folder, stem, no_game, wads, &out[0], error));
	snprintf(above, sizeof above, "%s/..", folder);
	if (!wads || !no_game || mount_folder(above, stem, false, true, &out[1], error)) return true;
	bspi_mount_close(out[0]);
	out[0] = NULL;
	return false;
}
