/* process_place.c - opens the place where a catalog found a map. See process_map.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/catalog/members.h"
#include "archive/catalog/place_reader.h"
#include "archive/process/process_map.h"
#include "archive/store/roots.h"
#include "cli/host/platform.h"
#include "cli/report.h"

/* Returns how many nested archives lead to the map. The map itself is the last of `members`. */
static size_t inner_count(const json_t *entry)
{
	size_t members = json_array_size(json_object_get(entry, "members"));
	return members ? members - 1 : 0;
}

/* Returns the key of an open place: the path of the outermost file and the names of the nested archives. New memory. */
static char *key_of(const json_t *entry, const char *path)
{
	const json_t *members = json_object_get(entry, "members");
	char *outermost = cli_format("%s%s", json_array_size(members) ? "archive:" : "map:", path);
	char *key = cli_join_members(outermost, members, inner_count(entry), "/");
	free(outermost);
	return key;
}

bool cli_is_place_of(const json_t *entry, const cli_args *args, const cli_map_place *place)
{
	char *path = cli_path_on_disk(entry, args), *key = key_of(entry, path ? path : "");
	bool same = path && place->place && !strcmp(key, place->key);
	free(key);
	free(path);
	return same;
}

/* Returns the bytes of the innermost archive. */
static void *read_inner(const json_t *entry, const char *path, size_t *size, bspscene_error *error)
{
	cli_place_reader reader = { 0 };
	const json_t *members = json_object_get(entry, "members");
	void *data = cli_place_read(&reader, path, members, inner_count(entry), CLI_LARGEST_INNER, size, error);
	cli_place_reader_close(&reader);
	return data;
}

bool cli_can_open_games(const cli_args *args)
{
	bool ok = true;
	for (uint32_t i = 0; i < args->game_count && ok; i++) {
		bspscene_error error;
		bspscene_file_system *files = bspscene_file_system_create(NULL);
		if (!files) cli_end_without_memory();
		ok = cli_kind_of(args->games[i], true) == CLI_PATH_DIRECTORY
		         ? bspscene_file_system_mount_game(files, args->games[i], &error)
		         : bspscene_file_system_mount(files, args->games[i], &error);
		bspscene_file_system_free(files);
		if (!ok) cli_fail_error("", &error);
	}
	return ok;
}

static bool open_place_at(const json_t *entry, const char *path, const cli_args *args, cli_map_place *out,
                          bspscene_error *error)
{
	bspscene_source_options options;
	bspscene_source_options_init(&options);
	options.games = args->games;
	options.game_count = args->game_count;
	*out = (cli_map_place) { .key = key_of(entry, path) };
	if (inner_count(entry)) {
		size_t size = 0;
		out->data = read_inner(entry, path, &size, error);
		options.data = out->data;
		options.size = size;
		if (!out->data) return false;
	}
	out->place = bspscene_source_open(path, &options, error);
	return out->place != NULL;
}

bool cli_open_place_of(const json_t *entry, const cli_args *args, cli_map_place *out, bspscene_error *error)
{
	char *path = cli_path_on_disk(entry, args);
	bool ok = path && open_place_at(entry, path, args, out, error);
	if (!path) {
		const char *root = json_string_value(json_object_get(entry, "root"));
		*error = (bspscene_error) { .status = BSPSCENE_ERROR_NOT_FOUND };
		snprintf(error->message, sizeof error->message,
		         "the catalog uses the root \"%.200s\": name its directory with --root %.200s=DIR", root ? root : "",
		         root ? root : "");
	}
	free(path);
	return ok;
}

bool cli_is_fault_of_place(const json_t *entry, const cli_args *args, const bspscene_error *error)
{
	const json_t *size = json_object_get(entry, "stored_size");
	bspscene_status why = error->status;
	uint64_t now;
	if (why == BSPSCENE_ERROR_IO || why == BSPSCENE_ERROR_NOT_FOUND) return true;
	if (why == BSPSCENE_ERROR_OUT_OF_MEMORY || json_array_size(json_object_get(entry, "members"))) return true;
	char *path = cli_path_on_disk(entry, args);
	bool known = path && json_is_integer(size) && cli_size_of(path, &now);
	bool another = known && now != (uint64_t)json_integer_value(size);
	free(path);
	return another;
}

void cli_close_place(cli_map_place *place)
{
	bspscene_source_free(place->place);
	free(place->data);
	free(place->key);
	*place = (cli_map_place) { 0 };
}
