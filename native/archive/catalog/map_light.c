/* map_light.c - see map_light.h. */
#include "archive/catalog/map_light.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <bspscene/binding.h>

#include "archive/catalog/companion_names.h"
#include "cli/byte_buffer.h"

/* Quake's maps use .lit and .lux, all others lm_0000.tga and following. */
static bool is_light_of(const json_t *line, const char *path)
{
	const char *family = json_string_value(json_object_get(line, "family"));
	bool is_page = !strncasecmp(cli_file_name(path), "lm_", 3);
	return cli_companion_kind_of(path) == CLI_COMPANION_LIGHT && is_page == (!family || strcmp(family, "quake") != 0);
}

enum { HASH = 64 }; /* length of one hash in letters */

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

static void hash_both(const char *bytes, const char *light, char id[HASH + 1])
{
	char both[2 * HASH];
	memcpy(both, bytes, HASH);
	memcpy(both + HASH, light, HASH);
	bspscene_hash_bytes(both, sizeof both, id);
}

void cli_identify_with_light(json_t *line, cli_read_companion_fn *read, void *user)
{
	char light[HASH + 1], id[HASH + 1];
	const char *bytes = json_string_value(json_object_get(line, "id"));
	if (!bytes || strlen(bytes) != HASH || !cli_hash_light(line, read, user, light)) return;
	hash_both(bytes, light, id);
	json_object_set(line, "bytes", json_object_get(line, "id"));
	json_object_set_new(line, "light", json_string(light));
	json_object_set_new(line, "id", json_string(id));
}

bool cli_is_id_of_its_light(const json_t *line)
{
	char id[HASH + 1];
	const char *bytes = json_string_value(json_object_get(line, "bytes"));
	const char *light = json_string_value(json_object_get(line, "light"));
	const char *known = json_string_value(json_object_get(line, "id"));
	if (!bytes) return true;
	if (!light || !known || strlen(bytes) != HASH || strlen(light) != HASH) return false;
	hash_both(bytes, light, id);
	return !strcmp(id, known);
}

const char *cli_hash_of_map(const json_t *line)
{
	const char *bytes = json_string_value(json_object_get(line, "bytes"));
	return bytes ? bytes : json_string_value(json_object_get(line, "id"));
}
