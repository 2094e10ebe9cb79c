/* gallery_record.c - joins result.json, info.json and entities.json of a map in one object. See gallery_record.h.
 *
 * Members are copied one by one and their types are checked, so that readers of the object need not check them. */
#include "archive/pictures/picture_kinds.h"
#include "archive/gallery/gallery_companions.h"
#include "archive/gallery/gallery_record.h"
#include "archive/store/roots.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/describe.h"
#include "cli/json.h"
#include "cli/host/platform.h"
#include "cli/report.h"

/* Larger files are not read, because `process` never writes them. */
#define LARGEST_FILE ((long)256 << 20)
/* Largest number of worldspawn's keys in the record, and largest length of their values. entities.json has all of
 * them. */
enum { MOST_PAIRS = 100, LONGEST_VALUE = 1000 };

/* ---- Reading ---------------------------------------------------------------------------------------------- */

/* Reads a file. Returns NULL, with errno, on failure. If the file is larger than LARGEST_FILE, errno is 0. */
static char *read_file(const char *path, size_t *size)
{
	FILE *file = cli_open_regular(path);
	char *text = NULL;
	if (!file) return NULL;
	errno = 0;
	long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
	if (end >= 0 && end <= LARGEST_FILE && fseek(file, 0, SEEK_SET) == 0) {
		text = cli_allocate((size_t)end + 1, 1);
		*size = fread(text, 1, (size_t)end, file);
	}
	fclose(file);
	return text;
}

/* Reads a JSON file. Returns NULL if the file is missing. If the file exists but cannot be read, prints a warning and
 * returns NULL. */
static json_t *read_json(const cli_store *store, const char *id, const char *name, const cli_args *args)
{
	char *path = cli_store_path(store, id, name);
	size_t size = 0;
	char *text = read_file(path, &size);
	json_error_t error = { .text = "too large" };
	json_t *value = text ? json_loadb(text, size, 0, &error) : NULL;
	if (text && !value) cli_warn(args, "%s: %s", path, error.text);
	else if (!text && errno != ENOENT) cli_warn(args, "%s: %s", path, errno ? strerror(errno) : error.text);
	free(text);
	free(path);
	return value;
}

/* ---- Members ---------------------------------------------------------------------------------------------- */

static void copy_text(json_t *to, const char *name, const json_t *from)
{
	json_object_set_new(to, name, json_string(cli_record_text(from, name)));
}

static void copy_number(json_t *to, const char *name, const json_t *from)
{
	json_object_set_new(to, name, json_integer(cli_record_number(from, name)));
}

static json_t *texts_of(const json_t *array)
{
	json_t *texts = json_array();
	for (size_t i = 0; i < json_array_size(array); i++) {
		json_t *text = json_array_get(array, i);
		if (json_is_string(text)) json_array_append(texts, text);
	}
	return texts;
}

/* Returns a copy of an object with only its integer members. [] becomes {}. */
static json_t *numbers_of(json_t *object)
{
	json_t *numbers = json_object();
	const char *name;
	json_t *value;
	json_object_foreach(object, name, value)
	{
		if (json_is_number(value)) json_object_set(numbers, name, value);
	}
	return numbers;
}

static json_t *point_of(const json_t *bounds, const char *name)
{
	json_t *point = json_object_get(bounds, name), *copy = json_array();
	for (size_t i = 0; i < 3; i++) {
		json_t *value = json_array_get(point, i);
		json_array_append_new(copy, json_real(json_number_value(value)));
	}
	return copy;
}

static json_t *places_of(const json_t *places)
{
	json_t *copy = json_array();
	for (size_t i = 0; i < json_array_size(places); i++) {
		const json_t *place = json_array_get(places, i);
		json_t *one = json_object();
		copy_text(one, "name", place);
		copy_text(one, "path", place);
		json_object_set_new(one, "members", texts_of(json_object_get(place, "members")));
		json_array_append_new(copy, one);
	}
	return copy;
}

/* True if the need has exactly the members that `info` writes, with the right types. Then the record uses it as it is,
 * and not a corrected copy. */
static bool is_need(const json_t *need)
{
	const json_t *found = json_object_get(need, "found");
	if (!json_is_string(json_object_get(need, "kind")) || !json_is_string(json_object_get(need, "name"))) return false;
	if (!json_is_true(found)) return json_is_false(found) && json_object_size(need) == 3;
	return json_is_string(json_object_get(need, "path")) && json_is_string(json_object_get(need, "archive")) &&
	       json_object_size(need) == 5;
}

static json_t *needs_of(const json_t *needs)
{
	json_t *copy = json_array();
	for (size_t i = 0; i < json_array_size(needs); i++) {
		json_t *need = json_array_get(needs, i);
		if (is_need(need)) {
			json_array_append(copy, need);
			continue;
		}
		bool found = json_is_true(json_object_get(need, "found"));
		json_t *one = json_object();
		copy_text(one, "kind", need);
		copy_text(one, "name", need);
		json_object_set_new(one, "found", json_boolean(found));
		if (found) copy_text(one, "path", need);
		if (found) copy_text(one, "archive", need);
		json_array_append_new(copy, one);
	}
	return copy;
}

static json_t *warnings_of(const json_t *warnings)
{
	json_t *copy = json_array();
	for (size_t i = 0; i < json_array_size(warnings); i++) {
		const json_t *warning = json_array_get(warnings, i);
		json_t *one = json_object();
		copy_text(one, "code", warning);
		copy_number(one, "count", warning);
		copy_text(one, "lump", warning);
		copy_text(one, "message", warning);
		json_array_append_new(copy, one);
	}
	return copy;
}

/* ---- Entities --------------------------------------------------------------------------------------------- */

/* Returns [["class", count], ...] in the order of first appearance. */
static json_t *classes_of(const json_t *entities)
{
	json_t *counts = json_object(), *classes = json_array();
	for (size_t i = 0; i < json_array_size(entities); i++) {
		const char *name = cli_record_text(json_array_get(entities, i), "classname");
		json_object_set_new(counts, name, json_integer(cli_record_number(counts, name) + 1));
	}
	const char *name;
	json_t *count;
	json_object_foreach(counts, name, count)
	{
		json_array_append_new(classes, json_pack("[s,O]", name, count));
	}
	return classes;
}

/* Returns the keys of the first entity, which stand for the map itself. */
static json_t *worldspawn_of(const json_t *entities)
{
	const json_t *pairs = json_object_get(json_array_get(entities, 0), "pairs");
	json_t *copy = json_array();
	for (size_t i = 0; i < json_array_size(pairs) && json_array_size(copy) < MOST_PAIRS; i++) {
		const json_t *pair = json_array_get(pairs, i);
		json_t *key = json_array_get(pair, 0), *value = json_array_get(pair, 1);
		if (!json_is_string(key) || !json_is_string(value)) continue;
		if (json_string_length(key) + json_string_length(value) > LONGEST_VALUE) continue;
		json_array_append_new(copy, json_pack("[O,O]", key, value));
	}
	return copy;
}

/* Returns the author's name from worldspawn. Editors and compilers use several keys for it. */
static const char *author_of(const json_t *worldspawn)
{
	static const char *const keys[] = { "author", "_author", "mapper", "_mapper", "creator" };
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		for (size_t i = 0; i < json_array_size(worldspawn); i++) {
			const json_t *pair = json_array_get(worldspawn, i);
			if (!strcmp(json_string_value(json_array_get(pair, 0)), keys[k])) {
				return json_string_value(json_array_get(pair, 1));
			}
		}
	}
	return "";
}

static const char *title_in(const json_t *worldspawn)
{
	for (size_t i = 0; i < json_array_size(worldspawn); i++) {
		const json_t *pair = json_array_get(worldspawn, i);
		if (!strcmp(json_string_value(json_array_get(pair, 0)), "message")) {
			return json_string_value(json_array_get(pair, 1));
		}
	}
	return "";
}

/* ---- The record ------------------------------------------------------------------------------------------- */

static void add_file(json_t *files, const cli_store *store, const char *id, const char *name)
{
	char *path = cli_store_path(store, id, name);
	if (cli_kind_of(path, false) == CLI_PATH_FILE) json_array_append_new(files, json_string(name));
	free(path);
}

/* Lists the files of a map that exist in the store. The page links to them. */
static json_t *files_of(const cli_store *store, const char *id)
{
	static const char *const names[] = {
		"result.json", "info.json", "entities.json", "lightmaps/atlas.json", "map.glb", "files.json",
	};
	json_t *files = json_array();
	for (int kind = 0; kind < CLI_PICTURE_KINDS; kind++) add_file(files, store, id, cli_picture_rows[kind].file);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) add_file(files, store, id, names[i]);
	return files;
}

static void set_catalog(json_t *record, const json_t *entry)
{
	static const char *const texts[] = { "family", "variant", "geometry", "entities", "modified", "path", "bytes",
		                                 "light", "entities_beside" };
	static const char *const numbers[] = { "version", "size", "stored_size" };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) copy_text(record, texts[i], entry);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) copy_number(record, numbers[i], entry);
	json_object_set_new(record, "format", json_string(cli_format_title(cli_record_text(entry, "family"),
	                                                                   cli_record_text(entry, "variant"))));
	json_object_set_new(record, "members", texts_of(json_object_get(entry, "members")));
	json_object_set_new(record, "companions", texts_of(json_object_get(entry, "companions")));
}

static void set_info(json_t *record, const json_t *info)
{
	const json_t *bounds = json_object_get(info, "bounds");
	json_t *box = json_object();
	json_object_set_new(box, "min", point_of(bounds, "min"));
	json_object_set_new(box, "max", point_of(bounds, "max"));
	json_object_set_new(record, "meters_per_unit",
	                    json_real(json_number_value(json_object_get(info, "meters_per_unit"))));
	json_object_set_new(record, "counts", numbers_of(json_object_get(info, "counts")));
	json_object_set_new(record, "bounds", box);
	json_object_set_new(record, "lightmaps", numbers_of(json_object_get(info, "lightmaps")));
	json_object_set_new(record, "needs", needs_of(json_object_get(info, "needs")));
	json_object_set_new(record, "warnings", warnings_of(json_object_get(info, "warnings")));
}

static void hide_folder(json_t *object, const char *member)
{
	json_t *path = json_object_get(object, member);
	if (!path) return;
	const char *name = cli_published_name(json_string_value(path));
	if (name != json_string_value(path)) json_object_set_new(object, member, json_string(name));
}

/* Hides the folders of this machine: replaces each path outside of all roots by its file name, also where a message
 * contains the path. */
static void hide_folders(json_t *record)
{
	const json_t *lists[] = { json_object_get(record, "places"), json_object_get(record, "needs") };
	char *path = cli_format("%s", cli_record_text(record, "path"));
	char *message = cli_text_without(cli_record_text(record, "message"), path);
	json_object_set_new(record, "message", json_string(message));
	hide_folder(record, "path");
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		for (size_t k = 0; k < json_array_size(lists[i]); k++) {
			hide_folder(json_array_get(lists[i], k), "path");
			hide_folder(json_array_get(lists[i], k), "archive");
		}
	}
	json_t *files = json_object_get(record, "companions");
	for (size_t i = 0; i < json_array_size(files); i++) {
		const char *text = json_string_value(json_array_get(files, i)), *name = cli_published_name(text);
		if (name != text) json_array_set_new(files, i, json_string(name));
	}
	free(message);
	free(path);
}

json_t *cli_gallery_record(const cli_store *store, const char *id, const cli_args *args)
{
	json_t *result = read_json(store, id, "result.json", args);
	if (strcmp(cli_record_text(result, "id"), id) != 0) {
		cli_warn(args, "%s/%.2s/%s: left out, because it has no result.json of this map", store->path, id, id);
		return NULL;
	}
	json_t *info = read_json(store, id, "info.json", args), *entities = read_json(store, id, "entities.json", args);
	json_t *companions = read_json(store, id, "companions.json", args);
	json_t *original = read_json(store, id, "original.json", args);
	const json_t *entry = json_object_get(result, "catalog");
	json_t *worldspawn = worldspawn_of(entities), *record = json_object();
	const char *stored = cli_record_text(entry, "title");
	char *title = cli_title(*stored ? stored : title_in(worldspawn));
	json_object_set_new(record, "id", json_string(id));
	copy_text(record, "name", result);
	json_object_set_new(record, "title", json_string(title));
	free(title);
	json_object_set_new(record, "author", json_string(author_of(worldspawn)));
	cli_set_companions_of_record(record, companions, original);
	copy_text(record, "status", result);
	copy_text(record, "reason", result);
	copy_text(record, "message", result);
	set_catalog(record, entry);
	json_object_set_new(record, "places", places_of(json_object_get(result, "places")));
	set_info(record, info);
	json_object_set_new(record, "worldspawn", worldspawn);
	json_object_set_new(record, "classes", classes_of(entities));
	json_object_set_new(record, "files", files_of(store, id));
	cli_publish_json(record, args);
	hide_folders(record);
	return record;
}
