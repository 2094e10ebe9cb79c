/* map_light.c - see map_light.h. */
#include "archive/catalog/map_light.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <bspscene/binding.h>

#include "archive/catalog/companion_names.h"
#include "cli/byte_buffer.h"

/* True if the map's engine reads light from this file: .lit and .lux for Quake, lm_0000.tga and so on for all
 * others. */
static bool is_light_of(const json_t *line, const char *path)
{
	const char *family = json_string_value(json_object_get(line, "family"));
	bool is_page = !strncasecmp(cli_file_name(path), "lm_", 3);
	return cli_companion_kind_of(path) == CLI_COMPANION_LIGHT && is_page == (!family || strcmp(family, "quake") != 0);
}

enum { HASH = 64 }; /* length of a SHA-256 in hexadecimal digits */

bool cli_hash_light(const json_t *line, cli_read_companion_fn *read, void *user, char out[65])
{
	const json_t *companions = json_object_get(line, "companions");
	cli_bytes hashes = { 0 };
	for (size_t i = 0; i < json_array_size(companions); i++) {
		const char *path = json_string_value(json_array_get(companions, i));
		if (!path || !is_light_of(line, path)) continue;
		size_t size;
		void *data = read(user, line, i, &size);
		if (data) bspscene_hash_bytes(data, size, out);
		if (data) cli_bytes_add(&hashes, out, HASH);
		free(data);
	}
	if (hashes.size > HASH) bspscene_hash_bytes(hashes.at, hashes.size, out);
	free(hashes.at);
	return hashes.size > 0;
}

/* Computes the id of a map from the hashes of its files: its own bytes, light and entities next to it. `light` and
 * `entities` may be NULL. Returns false if a hash has a wrong length. */
static bool hash_files(const char *bytes, const char *light, const char *entities, char id[HASH + 1])
{
	static const char word[] = "entities";
	char all[3 * HASH + sizeof word];
	size_t size = 0;
	const char *const parts[] = { bytes, light, entities ? word : NULL, entities };
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		size_t length = parts[i] == word ? sizeof word - 1 : HASH;
		if (!parts[i]) continue;
		if (strlen(parts[i]) != length) return false;
		memcpy(all + size, parts[i], length);
		size += length;
	}
	bspscene_hash_bytes(all, size, id);
	return true;
}

void cli_identify_map(json_t *line, cli_read_companion_fn *read, void *user, const char *entities)
{
	char light[HASH + 1], id[HASH + 1];
	const char *bytes = json_string_value(json_object_get(line, "id"));
	bool has_light = cli_hash_light(line, read, user, light);
	if (!bytes || (!has_light && !entities)) return;
	if (!hash_files(bytes, has_light ? light : NULL, entities, id)) return;
	json_object_set(line, "bytes", json_object_get(line, "id"));
	if (has_light) json_object_set_new(line, "light", json_string(light));
	if (entities) json_object_set_new(line, "entities_beside", json_string(entities));
	json_object_set_new(line, "id", json_string(id));
}

bool cli_is_id_of_its_files(const json_t *line)
{
	char id[HASH + 1];
	const char *bytes = json_string_value(json_object_get(line, "bytes"));
	const char *light = json_string_value(json_object_get(line, "light"));
	const char *entities = json_string_value(json_object_get(line, "entities_beside"));
	const char *known = json_string_value(json_object_get(line, "id"));
	if (!bytes) return true;
	if (!known || (!light && !entities) || !hash_files(bytes, light, entities, id)) return false;
	return !strcmp(id, known);
}

const char *cli_hash_of_map(const json_t *line)
{
	const char *bytes = json_string_value(json_object_get(line, "bytes"));
	return bytes ? bytes : json_string_value(json_object_get(line, "id"));
}
