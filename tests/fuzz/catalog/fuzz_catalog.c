/* fuzz_catalog.c - the input is a catalog; its last byte chooses a shard. Each map must be read once, from lines of the
 * input, and belong to the shard of its id. */
#include <stdlib.h>
#include <string.h>

#include "archive/catalog/catalog_read.h"
#include "archive/store/map_store.h"
#include "support/bspt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[200], path[240];

static void remove_folder(void)
{
	bspt_remove_directory(folder);
}

static void check(const cli_catalog *catalog, const uint8_t *data, size_t size)
{
	for (uint32_t i = 0; i < catalog->map_count; i++) {
		const cli_catalog_map *map = &catalog->maps[i];
		if (!cli_is_id(map->id) || !map->line_count) abort();
		for (uint32_t k = 0; k < i; k++) {
			if (!strcmp(catalog->maps[k].id, map->id)) abort();
		}
		json_t *entries = cli_catalog_entries(map);
		if (json_array_size(entries) != map->line_count) abort();
		json_decref(entries);
		if (map->lines[0] < catalog->text || map->lines[0] > catalog->text + size) abort();
		if (memcmp(map->lines[0], data + (map->lines[0] - catalog->text), strlen(map->lines[0])) != 0) abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!*folder) {
		bspt_make_directory(folder, sizeof folder);
		strcat(strcat(path, folder), "/catalog.jsonl");
		atexit(remove_folder);
	}
	if (!size || size > 1u << 16) return 0;
	uint32_t shards = data[size - 1] % 4;
	bspt_write_file(path, data, size - 1);
	for (uint32_t shard = shards ? 1 : 0; shard <= shards; shard++) {
		cli_catalog catalog;
		if (!cli_catalog_read(&catalog, path, shard, shards)) continue;
		check(&catalog, data, size - 1);
		cli_catalog_free(&catalog);
	}
	return 0;
}
