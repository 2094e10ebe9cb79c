/* map_light.c - see map_light.h. */
#include "archive/catalog/map_light.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <bspscene/binding.h>

#include "archive/catalog/companion_names.h"
#include "archive/catalog/place_reader.h"
#include "archive/catalog/place_file.h"
#include "cli/byte_buffer.h"

/* Quake's maps use .lit and .lux, all others lm_0000.tga and following. */
static bool is_light_of(const json_t *line, const char *path)
{
	const char *family = json_string_value(json_object_get(line, "family"));
	bool is_page = !strncasecmp(cli_file_name(path), "lm_", 3);
	return cli_companion_kind_of(path) == CLI_COMPANION_LIGHT && is_page == (!family || strcmp(family, "quake") != 0);
}

enum { HASH = 64 }; /* letters of one */

bool cli_hash_light(const json_t *line, const cli_args *args, cli_place_reader *reader, char out[65])
{
	const json_t *companions = json_object_get(line, "companions");
	cli_bytes hashes = { 0 };
	for (size_t i = 0; i < json_array_size(companions); i++) {
		const char *path = json_string_value(json_array_get(companions, i));
		if (!path || !is_light_of(line, path)) continue;
		bspscene_error error;
		size_t size;
		json_t *place = cli_companion_place(line, i);
		void *data = cli_read_place_file(reader, place, args, &size, &error);
		if (data) bspscene_hash_bytes(data, size, out);
		if (data) cli_bytes_add(&hashes, out, HASH);
		free(data);
		json_decref(place);
	}
	if (hashes.size > HASH) bspscene_hash_bytes(hashes.at, hashes.size, out);
	free(hashes.at);
	return hashes.size > 0;
}

void cli_identify_with_light(json_t *line, const cli_args *args, cli_place_reader *reader)
{
	char light[HASH + 1], both[2 * HASH], id[HASH + 1];
	const char *bytes = json_string_value(json_object_get(line, "id"));
	if (!bytes || strlen(bytes) != HASH || !cli_hash_light(line, args, reader, light)) return;
	memcpy(both, bytes, HASH);
	memcpy(both + HASH, light, HASH);
	bspscene_hash_bytes(both, sizeof both, id);
	json_object_set(line, "bytes", json_object_get(line, "id"));
	json_object_set_new(line, "light", json_string(light));
	json_object_set_new(line, "id", json_string(id));
}

const char *cli_hash_of_map(const json_t *line)
{
	const char *bytes = json_string_value(json_object_get(line, "bytes"));
	return bytes ? bytes : json_string_value(json_object_get(line, "id"));
}
