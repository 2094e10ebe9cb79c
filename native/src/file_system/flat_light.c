/* flat_light.c - light beside a map that lies in no maps/: a game asks for "maps/x.lit", and people pack or keep x.bsp
 * and x.lit in whatever folder. Such files are found by the name that a game asks for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file_system/mounts.h"

static const char *const endings[] = { ".lit", ".lux" };
enum { ENDINGS = sizeof endings / sizeof *endings, ENDING = 4 };

static bool is_light(const char *key)
{
	for (int i = 0; i < ENDINGS; i++) {
		if (bspi_text_ends(key, endings[i])) return true;
	}
	return false;
}

static int compare_keys(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool has_key(const char *const *keys, uint32_t count, const char *key)
{
	return bsearch(&key, keys, count, sizeof *keys, compare_keys) != NULL;
}

/* Gives light beside a map of the archive its game's name as well. */
static bool add_alias(bspi_mount *mount, const bspi_entry *light, const char *const *keys, uint32_t count,
                      bspscene_error *error)
{
	char name[BSPI_PATH_SIZE];
	bspi_entry *alias;
	const bspi_entry found = *light; /* entries move when one more comes */
	const char *slash = strrchr(found.path, '/');
	int stem = (int)(strlen(found.key) - ENDING);
	snprintf(name, sizeof name, "%.*s.bsp", stem, found.key);
	if (!has_key(keys, count, name)) return true;
	snprintf(name, sizeof name, "maps/%s", slash ? found.key + (slash + 1 - found.path) : found.key);
	if (has_key(keys, count, name)) return true;
	BSPI_TRY(bspi_mount_add(mount, name, found.order, &alias, error));
	if (!alias) return true;
	const char *path = alias->path, *key = alias->key;
	*alias = found;
	alias->path = path;
	alias->key = key;
	return true;
}

bool bspi_mount_name_flat_light(bspi_mount *mount, bspscene_error *error)
{
	uint32_t count = mount->entry_count, lights = 0;
	for (uint32_t i = 0; i < count; i++) lights += is_light(mount->entries[i].key);
	if (!lights) return true;
	const char **keys = bspi_arena_alloc(&mount->arena, count, sizeof *keys);
	if (!keys) {
		return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "%s: out of memory", mount->origin);
	}
	for (uint32_t i = 0; i < count; i++) keys[i] = mount->entries[i].key;
	qsort(keys, count, sizeof *keys, compare_keys);
	for (uint32_t i = 0; i < count; i++) {
		if (is_light(mount->entries[i].key)) BSPI_TRY(add_alias(mount, &mount->entries[i], keys, count, error));
	}
	return true;
}

/* The folder of a path, "." where it has none. False: too long. */
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

bool bspi_mount_light_beside(const char *map, bspi_mount **out, bspscene_error *error)
{
	char folder[BSPI_PATH_SIZE], name[BSPI_PATH_SIZE], path[2 * BSPI_PATH_SIZE];
	bspi_bytes stem = bspi_map_stem(map);
	*out = NULL;
	if (!folder_of(map, folder) || stem.size >= BSPI_PATH_SIZE - 16) return true;
	for (int i = 0; i < ENDINGS; i++) {
		bspi_entry *entry;
		char *file = NULL;
		snprintf(name, sizeof name, "maps/%.*s%s", (int)stem.size, (const char *)stem.data, endings[i]);
		snprintf(path, sizeof path, "%s/%s", folder, name + strlen("maps/"));
		bspi_file *light = bspi_file_open(&bspi_system_heap, path, NULL);
		if (!light) continue;
		bspi_file_close(light);
		if (!*out) *out = bspi_mount_directory(folder, error);
		if (*out) (*out)->only_light = true;
		if (*out) file = bspi_arena_alloc(&(*out)->arena, strlen(name), 1);
		if (!file || !bspi_mount_add(*out, name, 0, &entry, error)) {
			bspi_mount_close(*out);
			*out = NULL;
			return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "%s: out of memory", folder);
		}
		strcpy(file, name + strlen("maps/"));
		if (entry) entry->file = file;
	}
	return true;
}
