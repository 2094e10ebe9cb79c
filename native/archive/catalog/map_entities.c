/* map_entities.c - see map_entities.h. A load requests game paths such as "maps/NAME.ent". The map may be in any
 * folder, so the requested file is searched next to NAME.bsp. Symbolic links are not followed, as everywhere in a
 * catalog. */
#include "archive/catalog/map_entities.h"

#include <stdlib.h>
#include <string.h>

#include <bspscene/binding.h>

#include "archive/catalog/companion_names.h"
#include "archive/catalog/place_file.h"
#include "cli/host/platform.h"
#include "cli/read_stream.h"
#include "cli/report.h"

/* Returns the path of a file next to the map, in new memory. */
static char *path_beside(const cli_entity_files *files, const char *game_path)
{
	size_t folder = (size_t)(cli_file_name(files->map) - files->map);
	return cli_format("%.*s%s", (int)folder, files->map, cli_file_name(game_path));
}

/* Reads a file next to the map into new memory. Returns NULL if there is none. */
static void *read_beside(cli_entity_files *files, const char *path, size_t *size)
{
	bspscene_error error;
	bspscene_stream stream;
	if (!files->members->depth) {
		if (cli_kind_of(path, false) != CLI_PATH_FILE) return NULL;
		return cli_place_read(&files->reader, path, NULL, 0, CLI_LARGEST_COMPANION, size, &error);
	}
	if (!cli_members_has(files->members, path) || !cli_members_open(files->members, path, &stream)) return NULL;
	if (cli_work_take(&files->members->work, CLI_WORK_UNPACKED, stream.size)) {
		return cli_read_stream(&stream, CLI_LARGEST_COMPANION, size);
	}
	if (stream.close) stream.close(stream.user);
	return NULL;
}

/* Implements bspscene_open_file_fn; user is a cli_entity_files. */
static bool open_beside(void *user, bspscene_stream *stream, const char *game_path, bspscene_file_kind kind)
{
	cli_entity_files *files = user;
	if (kind != BSPSCENE_FILE_ENTITIES) return false;
	char *path = path_beside(files, game_path);
	size_t size = 0;
	void *data = read_beside(files, path, &size);
	if (!data) {
		free(path);
		return false;
	}
	cli_paths_add(&files->opened, path);
	stream->data = stream->user = data;
	stream->size = size;
	stream->close = free;
	return true;
}

void cli_find_entity_files(cli_entity_files *files, bspscene_load_options *options)
{
	options->open_file = open_beside;
	options->file_user = files;
}

static bool is_stale(const cli_entity_files *files, const bspscene_scene *scene, const char *path)
{
	double file_seconds, map_seconds;
	if (files->members->depth || strcmp(scene->family, "goldsrc") != 0) return false;
	return cli_seconds_of(path, &file_seconds) && cli_seconds_of(files->map, &map_seconds) &&
	       file_seconds < map_seconds;
}

void cli_note_entity_file(cli_entity_files *files, const bspscene_scene *scene)
{
	size_t size = 0;
	char *path = path_beside(files, scene->entity_file);
	void *data = is_stale(files, scene, path) ? NULL : read_beside(files, path, &size);
	if (data) bspscene_hash_bytes(data, size, files->hash);
	free(data);
	free(path);
}

void cli_entity_files_free(cli_entity_files *files)
{
	cli_place_reader_close(&files->reader);
	cli_paths_free(&files->opened);
}
