/* source_load.c - opens a map of a source as a stream, and loads it with the source's files (bspscene_source_load,
 * bspscene_open). */
#include <assert.h>
#include <stdio.h>

#include <bspscene/binding.h>

#include "base/caller_struct.h"
#include "base/text.h"
#include "io/io.h"
#include "options.h"
#include "sources/open_source.h"

static bool open_stored(const bspscene_source *place, uint32_t map, bspscene_stream *stream, bspscene_error *error)
{
	const char *path = place->maps[map].file, *unreadable = bspscene_file_system_unreadable(place->files, path);
	if (unreadable) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "%s: %s: %s", place->path, path, unreadable);
	}
	if (bspscene_file_system_open(place->files, stream, path, BSPSCENE_FILE_MAP)) return true;
	return bspi_error_set(error, BSPSCENE_ERROR_IO, "%s: %s: cannot be read from the archive", place->path, path);
}

bool bspscene_source_open_map(const bspscene_source *place, uint32_t map, bspscene_stream *stream,
                              bspscene_error *error)
{
	assert(place && map < place->map_count && stream);
	if (error) *error = (bspscene_error) { .record = BSPSCENE_NO_INDEX, .offset = BSPI_NO_OFFSET };
	if (place->kind != BSPSCENE_SOURCE_MAP) return open_stored(place, map, stream, error);
	bspscene_stream whole = { .data = place->data.data, .size = place->data.size };
	if (!place->in_memory && !bspi_open_native(&bspi_system_heap, place->path, &whole, error)) return false;
	bspi_give_struct(stream, &whole, sizeof whole);
	return true;
}

/* Puts the source's name before a message, because the load put only the map's name there. */
static void name_place(const bspscene_source *place, bspscene_error *error)
{
	char message[sizeof error->message];
	memcpy(message, error->message, sizeof message);
	snprintf(error->message, sizeof error->message, "%.160s: %.300s", place->path, message);
	bspscene_sanitize_text(error->message);
}

static bspscene_scene *load(const bspscene_source *place, uint32_t map, const bspscene_load_options *options,
                            bspscene_error *error)
{
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	if (place->kind == BSPSCENE_SOURCE_MAP) {
		if (!place->in_memory) return bspscene_load_file(place->path, options, error);
		return bspscene_load_memory(place->data.data, place->data.size, options, error);
	}
	if (!open_stored(place, map, &stream, error)) return NULL;
	bspscene_scene *scene = bspscene_load_stream(&stream, options, error);
	if (!scene && error) name_place(place, error);
	return scene;
}

void bspscene_source_prepare_load(const bspscene_source *place, uint32_t map, bspscene_load_options *options)
{
	assert(place && map < place->map_count && options);
	/* If the struct ends before the member `seed`, it is too small to be set here, and the load refuses it. */
	if (options->struct_size < BSPI_END_OF(bspscene_load_options, seed)) return;
	options->name = place->maps[map].path;
	if (options->open_file) return;
	options->open_file = bspscene_file_system_open;
	options->list_files = bspscene_file_system_list;
	options->file_user = place->files;
}

bspscene_scene *bspscene_source_load(const bspscene_source *place, uint32_t map, const bspscene_load_options *options,
                                    bspscene_error *error)
{
	assert(place);
	bspscene_load_options known;
	if (error) *error = (bspscene_error) { .record = BSPSCENE_NO_INDEX, .offset = BSPI_NO_OFFSET };
	if (!bspi_read_options(options, &known, error)) return NULL;
	bspscene_source_prepare_load(place, map, &known);
	return load(place, map, &known, error);
}

/* True if the options have an open_file of their own. If the struct ends before that member, the load refuses it
 * later. */
static bool has_own_files(const bspscene_load_options *options)
{
	return options && options->struct_size >= BSPI_END_OF(bspscene_load_options, open_file) && options->open_file;
}

bspscene_scene *bspscene_open(const char *path, const bspscene_open_options *options, bspscene_error *error)
{
	assert(path);
	bspscene_open_options known;
	bspscene_source_options around;
	bspscene_open_options_init(&known);
	bspscene_source_options_init(&around);
	size_t least = BSPI_END_OF(bspscene_open_options, load);
	if (options && !bspscene_struct_read(&known, sizeof known, least, options, "open_options", error)) return NULL;
	around.games = known.games;
	around.game_count = known.game_count;
	around.model = known.map;
	around.isolated = has_own_files(known.load);
	bspscene_source *place = bspscene_source_open(path, &around, error);
	uint32_t map = place ? bspscene_source_find_map(place, known.map, error) : BSPSCENE_NO_INDEX;
	bspscene_scene *scene = map == BSPSCENE_NO_INDEX ? NULL : bspscene_source_load(place, map, known.load, error);
	bspscene_source_free(place);
	return scene;
}
