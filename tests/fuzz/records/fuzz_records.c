/* fuzz_records.c - the input has the three files that a store keeps for a map: result.json, info.json and
 * entities.json. A byte 1 ends each file. Whatever these files contain, the gallery's record of the map must have
 * every member that the gallery's page reads, with the right type. */
#include <stdlib.h>
#include <string.h>

#include "archive/gallery/gallery_record.h"
#include "archive/process/json_arena.h"
#include "support/bspt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char id[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
static char folder[200];

static void remove_folder(void)
{
	bspt_remove_directory(folder);
}

static void make_store(const cli_store *store)
{
	char *map = cli_store_path(store, id, NULL), parent[240];
	snprintf(parent, sizeof parent, "%s/%.2s", folder, id);
	bspt_make_folder(parent);
	bspt_make_folder(map);
	free(map);
	atexit(remove_folder);
}

static void write_files(const cli_store *store, const uint8_t *data, size_t size)
{
	static const char *const names[] = { "result.json", "info.json", "entities.json" };
	for (size_t i = 0; i < 3; i++) {
		const uint8_t *end = size ? memchr(data, 1, size) : NULL;
		size_t length = end ? (size_t)(end - data) : size;
		char *path = cli_store_path(store, id, names[i]);
		bspt_write_file(path, size ? (const void *)data : "", length);
		free(path);
		data += end ? length + 1 : length;
		size -= end ? length + 1 : length;
	}
}

static void check(const json_t *record)
{
	static const char *const texts[] = { "id", "name", "title", "author", "status", "reason", "message" };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		if (!json_is_string(json_object_get(record, texts[i]))) abort();
	}
	static const char *const arrays[] = { "places", "worldspawn", "classes", "files", "members", "needs", "warnings" };
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
		if (!json_is_array(json_object_get(record, arrays[i]))) abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static cli_json_arena arena;
	const cli_store store = { .path = folder };
	if (!*folder) {
		bspt_make_directory(folder, sizeof folder);
		make_store(&store);
	}
	cli_args args = { .quiet = true };
	write_files(&store, data, size);
	cli_json_arena_use(&arena);
	json_t *record = cli_gallery_record(&store, id, &args);
	if (record) check(record);
	cli_json_arena_end();
	cli_json_arena_reset(&arena);
	return 0;
}
