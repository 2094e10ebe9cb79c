/* source_maps.c - lists the maps of a source, names them, and finds a map by name. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assembly/assembly.h"
#include "base/text.h"
#include "io/system.h"
#include "models/alone/model_map.h"
#include "sources/open_source.h"

enum { NAMES_SHOWN = 8, MODEL_HEAD = 64 };

/* Returns the name of a map: "oa_dm1" for "maps/oa_dm1.bsp", "farm.ump/medium" for an assembly. Outside of maps/, the
 * name is the whole path, so that names are unique. */
static const char *name_of(bspscene_source *place, const char *path)
{
	if (place->kind == BSPSCENE_SOURCE_MAP) {
		bspi_bytes stem = bspi_map_stem(path);
		return bspi_source_copy(place, (const char *)stem.data, stem.size);
	}
	if (!bspi_text_starts(path, "maps/")) return path;
	const char *name = path + strlen("maps/");
	return bspi_source_copy(place, name, bspi_map_path_size(name));
}

typedef struct map_list {
	bspscene_source *place;
	bool failed;
} map_list;

static bool make_room(bspscene_source *place)
{
	if (place->map_count < place->map_capacity) return true;
	uint32_t capacity = place->map_capacity ? place->map_capacity * 2 : 16;
	bspi_source_map *maps = bspi_arena_alloc(&place->arena, capacity, sizeof *maps);
	if (!maps) return false;
	if (place->map_count) memcpy(maps, place->maps, place->map_count * sizeof *maps);
	place->maps = maps;
	place->map_capacity = capacity;
	return true;
}

static bool add_map_in(bspscene_source *place, const char *path, const char *file)
{
	const char *name = make_room(place) ? name_of(place, path) : NULL;
	if (name) place->maps[place->map_count++] = (bspi_source_map) { path, name, file ? file : path };
	return name != NULL;
}

static void add_map(void *user, const char *path)
{
	map_list *list = user;
	list->failed = list->failed || !add_map_in(list->place, path, NULL);
}

/* Adds the map "maps/farm.ump/medium" for an assembly (a bspi_found_assembly_fn). If a text defines two with the same
 * name, only one is added. */
static bool add_assembly(void *user, const char *file, bspi_bytes name)
{
	map_list *list = user;
	bspscene_source *place = list->place;
	size_t size = strlen(file) + name.size + 2;
	char *path = bspi_arena_alloc(&place->arena, size, 1);
	if (path) snprintf(path, size, "%s/%.*s", file, (int)name.size, (const char *)name.data);
	for (uint32_t i = place->map_count; path && i-- > 0 && !strcmp(place->maps[i].file, file);) {
		if (bspi_text_equal(place->maps[i].path, path)) return true;
	}
	list->failed = !path || !add_map_in(place, path, file);
	return !list->failed;
}

/* True if the file is a model that can be loaded alone. Not all formats of models in maps can. */
static bool is_model(const bspscene_source *place, const char *path)
{
	uint8_t head[MODEL_HEAD];
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	if (!bspi_is_model_path(path)) return false;
	if (!bspscene_file_system_open(place->files, &stream, path, BSPSCENE_FILE_MODEL)) return false;
	size_t size = stream.size < sizeof head ? (size_t)stream.size : sizeof head, got = size;
	if (stream.data) memcpy(head, stream.data, size);
	else got = stream.read(stream.user, head, size);
	if (stream.close) stream.close(stream.user);
	return got == size && bspi_model_format_of(bspi_bytes_of(head, size)) != NULL;
}

/* Adds a model (a bspscene_found_file_fn). */
static void add_model(void *user, const char *path)
{
	const map_list *list = user;
	if (is_model(list->place, path)) add_map(user, path);
}

static int compare_maps(const void *a, const void *b)
{
	return bspi_text_compare(((const bspi_source_map *)a)->path, ((const bspi_source_map *)b)->path);
}

/* Extensions of maps: not compressed, and as download servers compress them. */
static const char *const map_endings[] = { ".bsp", ".bsp.bz2", ".bsp.gz", ".bsp.xz", ".bsp.zst" };
enum { MAP_ENDINGS = sizeof map_endings / sizeof *map_endings };

static bool is_map_ending(const char *ending)
{
	for (size_t i = 0; i < MAP_ENDINGS; i++) {
		if (bspi_text_equal(ending, map_endings[i])) return true;
	}
	return false;
}

/* The length of a map's path without its extension; `is_map` tells if the extension is one of `map_endings`. */
typedef struct map_name {
	size_t stem;
	bool is_map;
} map_name;

static map_name name_map(const bspi_source_map *map)
{
	size_t stem = bspi_map_path_size(map->path);
	return (map_name){ stem, is_map_ending(map->path + stem) };
}

static int compare_stems(const bspi_source_map *a, const bspi_source_map *b, size_t stem_a, size_t stem_b)
{
	return bspi_text_compare_parts(a->path, stem_a, b->path, stem_b);
}

/* Compares two maps. Copies of the same map become neighbors, and the uncompressed one is the first of them. */
static int compare_copies(const void *a, const void *b)
{
	map_name name_a = name_map(a), name_b = name_map(b);
	int order = compare_stems(a, b, name_a.stem, name_b.stem);
	if (!order && name_a.is_map != name_b.is_map) order = name_a.is_map ? -1 : 1;
	return order ? order : compare_maps(a, b);
}

/* Sorts the maps. Of several copies of a map only the first one is kept. That is the uncompressed one, if there is
 * one. */
static void sort_maps(bspscene_source *place)
{
	uint32_t kept = 0;
	if (!place->map_count) return;
	qsort(place->maps, place->map_count, sizeof *place->maps, compare_copies);
	for (uint32_t i = 0; i < place->map_count; i++) {
		const bspi_source_map *map = &place->maps[i], *last = &place->maps[kept ? kept - 1 : 0];
		map_name name = name_map(map), before = name_map(last);
		bool twin = kept && name.is_map && before.is_map && !compare_stems(map, last, name.stem, before.stem);
		if (!twin) place->maps[kept++] = *map;
	}
	place->map_count = kept;
	qsort(place->maps, place->map_count, sizeof *place->maps, compare_maps);
}

static void add_files(map_list *list, uint32_t first)
{
	bspscene_source *place = list->place;
	for (size_t i = 0; i < MAP_ENDINGS; i++) {
		bspi_file_system_list_from(place->files, first, map_endings[i], add_map, list);
	}
}

/* Returns the game path of a model's file. With it, files that the model names are found. */
static const char *model_path(bspscene_source *place)
{
	char path[BSPI_PATH_SIZE];
	const char *from = place->path, *game = place->game;
	char *real = place->in_memory || !game ? NULL : bspi_system_real_path(place->path);
	size_t size = real ? strlen(game) : 0;
	if (real && !strncmp(real, game, size)) from = real + size + (real[size] == '/');
	bool known = bspi_model_game_path(from, path);
	free(real);
	return known ? bspi_source_copy(place, path, strlen(path)) : place->path;
}

bool bspi_add_place_model(bspscene_source *place, const char *name, bspscene_error *error)
{
	map_list list = { .place = place };
	char path[BSPI_PATH_SIZE];
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	if (!name || place->kind == BSPSCENE_SOURCE_MAP || !bspi_is_model_path(name)) return true;
	if (!bspi_text_path(name, true, path, sizeof path)) return true;
	if (!bspscene_file_system_open(place->files, &stream, path, BSPSCENE_FILE_MODEL)) return true;
	if (stream.close) stream.close(stream.user);
	const char *copy = bspi_source_copy(place, path, strlen(path));
	if (copy) add_map(&list, copy);
	return (copy && !list.failed) || bspi_source_fail_memory(place, error);
}

bool bspi_find_source_maps(bspscene_source *place, uint32_t first, bspscene_error *error)
{
	map_list list = { .place = place };
	const char *path = place->is_model ? model_path(place) : place->path;
	if (place->kind == BSPSCENE_SOURCE_MAP && path && !place->is_assembly) add_map(&list, path);
	else if (place->kind == BSPSCENE_SOURCE_MAP) list.failed = !path;
	else add_files(&list, first);
	bspi_bytes text;
	if (place->is_assembly) {
		BSPI_TRY(bspi_read_place_head(place, BSPI_LARGEST_UMP, &text, error));
		bspi_list_assemblies(text, place->path, add_assembly, &list);
	} else if (place->kind != BSPSCENE_SOURCE_MAP) {
		list.failed = list.failed || !bspi_list_assemblies_of(place->files, first, add_assembly, &list);
	}
	if (place->kind == BSPSCENE_SOURCE_ARCHIVE && !place->map_count) {
		place->only_models = true;
		bspi_file_system_list_from(place->files, first, "", add_model, &list);
	}
	if (list.failed) return bspi_source_fail_memory(place, error);
	sort_maps(place);
	return true;
}

/* ---- Finding a map ----------------------------------------------------------------------------------------- */

/* True if the map has this name in the list. */
static bool is_listed_as(const bspi_source_map *map, const char *name)
{
	return bspi_text_equal(map->name, name);
}

/* True if the name is any form of the map's path, such as "oa_dm1", "oa_dm1.bsp", "maps/oa_dm1" and
 * "maps/oa_dm1.bsp". */
static bool has_path(const bspi_source_map *map, const char *name)
{
	char wanted[BSPI_PATH_SIZE], path[BSPI_PATH_SIZE];
	if (!bspi_text_path(name, true, wanted, sizeof wanted) || !bspi_text_path(map->path, true, path, sizeof path)) {
		return false;
	}
	wanted[bspi_map_path_size(wanted)] = 0;
	path[bspi_map_path_size(path)] = 0;
	return !strcmp(path, wanted) || (bspi_text_starts(path, "maps/") && !strcmp(path + strlen("maps/"), wanted));
}

static bool has_file_name(const bspi_source_map *map, const char *name)
{
	bspi_bytes wanted = bspi_map_stem(name), stem = bspi_map_stem(map->path);
	if (wanted.size != stem.size || wanted.data != (const uint8_t *)name) return false;
	for (size_t i = 0; i < stem.size; i++) {
		if (bspi_lower((char)stem.data[i]) != bspi_lower((char)wanted.data[i])) return false;
	}
	return true;
}

static uint32_t find(const bspscene_source *place, bool (*means)(const bspi_source_map *, const char *),
                     const char *name, bool alone)
{
	uint32_t found = BSPSCENE_NO_INDEX;
	for (uint32_t i = 0; i < place->map_count; i++) {
		if (!means(&place->maps[i], name)) continue;
		if (!alone) return i;
		if (found != BSPSCENE_NO_INDEX) return BSPSCENE_NO_INDEX;
		found = i;
	}
	return found;
}

static void name_some(const bspscene_source *place, char *out, size_t size)
{
	size_t at = 0;
	out[0] = 0;
	for (uint32_t i = 0; i < place->map_count && at < size; i++) {
		const char *name = i < NAMES_SHOWN ? place->maps[i].name : "...";
		int written = snprintf(out + at, size - at, "%s%s", i ? ", " : "", name);
		at += written > 0 ? (size_t)written : 0;
		if (i == NAMES_SHOWN) break;
	}
}

typedef struct model_names {
	const bspscene_source *place;
	char text[300];
	size_t at;
	uint32_t count;
} model_names;

static void name_model(void *user, const char *path)
{
	model_names *names = user;
	if (names->count >= NAMES_SHOWN || names->at >= sizeof names->text) return;
	if (bspi_text_ends(path, ".bsp") || !is_model(names->place, path)) return;
	names->count++;
	const char *shown = names->count == NAMES_SHOWN ? "..." : path;
	int written = snprintf(names->text + names->at, sizeof names->text - names->at, "%s%s",
	                       names->count > 1 ? ", " : "", shown);
	names->at += written > 0 ? (size_t)written : 0;
}

/* Fails because there are no maps. If a game has models instead, the message names some of their paths. Models of an
 * archive were already listed like maps. */
static bool fail_without_maps(const bspscene_source *place, bspscene_error *error)
{
	model_names names = { .place = place };
	if (place->kind == BSPSCENE_SOURCE_GAME) bspi_file_system_list_from(place->files, 0, "", name_model, &names);
	if (!names.count) {
		return bspi_error_set(error, BSPSCENE_ERROR_NOT_FOUND, "%s: has no %s", place->path,
		                      place->is_assembly ? "assemblies" : "maps (*.bsp)");
	}
	return bspi_error_set(
		error, BSPSCENE_ERROR_NOT_FOUND,
		"%s: has no maps (*.bsp), only models; to open a model, give its path as the map's name, for example "
		"%s",
		place->path, names.text);
}

static uint32_t fail_choice(const bspscene_source *place, const char *name, bspscene_error *error)
{
	char names[300];
	name_some(place, names, sizeof names);
	if (!place->map_count) {
		fail_without_maps(place, error);
	} else if (!name) {
		bspi_error_set(error, BSPSCENE_ERROR_BAD_OPTIONS, "%s: has %u %s, choose one: %s", place->path,
		               place->map_count, place->only_models ? "models" : "maps", names);
	} else if (place->kind == BSPSCENE_SOURCE_MAP && !place->is_assembly) {
		bspi_error_set(error, BSPSCENE_ERROR_BAD_OPTIONS, "%s: is a map itself, and its name is not \"%s\"",
		               place->path, name);
	} else {
		bspi_error_set(error, BSPSCENE_ERROR_NOT_FOUND, "%s: has no %s \"%s\" in it; it has %s", place->path,
		               place->only_models ? "model" : "map", name, names);
	}
	return BSPSCENE_NO_INDEX;
}

uint32_t bspscene_source_find_map(const bspscene_source *place, const char *name, bspscene_error *error)
{
	assert(place);
	if (error) *error = (bspscene_error) { .record = BSPSCENE_NO_INDEX, .offset = BSPI_NO_OFFSET };
	if (!name || !*name) return place->map_count == 1 ? 0 : fail_choice(place, NULL, error);
	uint32_t map = find(place, is_listed_as, name, false);
	if (map == BSPSCENE_NO_INDEX) map = find(place, has_path, name, false);
	if (map == BSPSCENE_NO_INDEX) map = find(place, has_file_name, name, true);
	return map == BSPSCENE_NO_INDEX ? fail_choice(place, name, error) : map;
}
