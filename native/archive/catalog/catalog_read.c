/* catalog_read.c - see catalog_read.h. Keeps the text of the catalog as it is, and parses a line only when it is
 * needed. */
#include "archive/catalog/catalog_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/host/platform.h"
#include "cli/report.h"
#include "archive/store/map_store.h"

/* Largest file that is read, in bytes: enough for about 5 million maps. */
#define LARGEST_CATALOG ((size_t)4 << 30)

typedef struct numbered_line {
	char id[CLI_ID_LENGTH + 1];
	uint32_t number;
	char *line;
} numbered_line;

static char *read_text(const char *path)
{
	FILE *file = path ? cli_open_to_read(path) : stdin;
	const char *name = path ? path : "standard input";
	size_t room = 1 << 16, size = 0;
	char *text = NULL;
	if (!file) {
		cli_fail("%s: %s", name, strerror(errno));
		return NULL;
	}
	for (size_t got = 1; got && size < LARGEST_CATALOG; size += got) {
		if (!text || size + 1 >= room) text = cli_resize(text, room *= 2, 1);
		got = fread(text + size, 1, room - size - 1, file);
	}
	text[size] = 0;
	bool ok = !ferror(file) && size < LARGEST_CATALOG;
	if (!ok) cli_fail("%s: %s", name, ferror(file) ? "reading failed" : "is too large");
	if (path) fclose(file);
	if (ok) return text;
	free(text);
	return NULL;
}

static bool is_ours(const char *id, uint32_t shard, uint32_t shard_count)
{
	char head[9] = { 0 };
	memcpy(head, id, 8);
	return !shard_count || strtoul(head, NULL, 16) % shard_count == shard - 1;
}

static bool is_object_with_texts(const json_t *entry)
{
	const json_t *members = json_object_get(entry, "members");
	bool ok = json_is_string(json_object_get(entry, "path")) && (!members || json_is_array(members));
	for (size_t i = 0; i < json_array_size(members) && ok; i++) ok = json_is_string(json_array_get(members, i));
	return ok;
}

/* Parses a line into `out`. Returns false if the line describes a map. For all other lines it returns true: an error
 * line is added to `catalog->errors`, and any other line is counted as bad. */
static bool is_no_map(cli_catalog *catalog, char *line, uint32_t number, numbered_line *out)
{
	json_t *entry = json_loads(line, 0, NULL);
	const char *id = json_string_value(json_object_get(entry, "id"));
	bool whole = is_object_with_texts(entry), is_error = whole && json_object_get(entry, "error");
	bool is_map = whole && !is_error && cli_is_id(id);
	*out = (numbered_line) { .number = number, .line = line };
	if (is_map) memcpy(out->id, id, CLI_ID_LENGTH);
	json_decref(entry);
	if (is_error) {
		catalog->errors = cli_resize(catalog->errors, catalog->error_count + (size_t)1, sizeof *catalog->errors);
		catalog->errors[catalog->error_count++] = line;
	} else if (!is_map && !catalog->bad_count++) {
		catalog->first_bad = number + 1;
	}
	return !is_map;
}

/* Compares lines for qsort: first by the map's id, then by their position in the catalog. */
static int compare_ids(const void *a, const void *b)
{
	const numbered_line *one = a, *other = b;
	int order = strcmp(one->id, other->id);
	return order ? order : (one->number > other->number) - (one->number < other->number);
}

static int compare_maps(const void *a, const void *b)
{
	const char *one = ((const cli_catalog_map *)a)->lines[0], *other = ((const cli_catalog_map *)b)->lines[0];
	return (one > other) - (one < other); /* both point into the catalog's text, so their order is that of the lines */
}

static void group(cli_catalog *catalog, numbered_line *lines, uint32_t count)
{
	if (count) qsort(lines, count, sizeof *lines, compare_ids);
	catalog->maps = cli_allocate(count, sizeof *catalog->maps);
	catalog->lines = cli_allocate(count, sizeof *catalog->lines);
	for (uint32_t i = 0; i < count; i++) {
		catalog->lines[i] = lines[i].line;
		if (i == 0 || strcmp(lines[i].id, lines[i - 1].id) != 0) {
			cli_catalog_map *map = &catalog->maps[catalog->map_count++];
			memcpy(map->id, lines[i].id, sizeof map->id);
			map->lines = catalog->lines + i;
		}
		catalog->maps[catalog->map_count - 1].line_count++;
	}
	if (catalog->map_count) qsort(catalog->maps, catalog->map_count, sizeof *catalog->maps, compare_maps);
}

bool cli_catalog_read(cli_catalog *catalog, const char *path, uint32_t shard, uint32_t shard_count)
{
	*catalog = (cli_catalog) { .text = read_text(path) };
	if (!catalog->text) return false;
	numbered_line *lines = NULL;
	uint32_t count = 0, room = 0, number = 0;
	bool any = false;
	for (char *line = catalog->text; *line; number++) {
		char *end = line + strcspn(line, "\n"), *next = *end ? end + 1 : end;
		*end = 0;
		if (count == room) lines = cli_resize(lines, room = room ? 2 * room : 256, sizeof *lines);
		if (*line && !is_no_map(catalog, line, number, &lines[count])) {
			any = true;
			count += is_ours(lines[count].id, shard, shard_count);
		}
		line = next;
	}
	bool ok = any || catalog->error_count || !catalog->bad_count;
	if (ok) group(catalog, lines, count);
	else
		cli_fail("%s: is not a catalog as \"bspscene catalog\" prints it; it begins with: %.80s",
		         path ? path : "standard input", catalog->text);
	free(lines);
	if (!ok) cli_catalog_free(catalog);
	return ok;
}

json_t *cli_catalog_entries(const cli_catalog_map *map)
{
	json_t *entries = json_array();
	for (uint32_t i = 0; i < map->line_count; i++) json_array_append_new(entries, json_loads(map->lines[i], 0, NULL));
	return entries;
}

void cli_catalog_free(cli_catalog *catalog)
{
	free(catalog->maps);
	free(catalog->lines);
	free(catalog->errors);
	free(catalog->text);
	*catalog = (cli_catalog) { 0 };
}
