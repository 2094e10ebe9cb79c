/* map_files.c - see map_files.h. */
#include "archive/process/map_files.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "archive/catalog/members.h"
#include "archive/shared/shared_files.h"
#include "cli/json.h"
#include "cli/read_stream.h"
#include "cli/report.h"
#include "cli/text_set.h"

#define FOLDER "files"
#define LARGEST ((uint64_t)UINT32_MAX)

typedef struct noted_file {
	char *path;
	bspscene_file_kind kind;
	uint32_t mount;                    /* number of the folder or archive that has the file; of two mounts with the same
	                                    * file, the one with the higher number is used */
	bool is_read;                      /* the file was opened, not only tested for existence */
} noted_file;

struct cli_map_files {
	bspscene_file_system *files;
	cli_text_set known;                /* paths of the files; the number of a path is the index in `noted` plus 1 */
	noted_file *noted;
	size_t count, room;
};

/* Wraps a stream that a load opened. */
typedef struct watched {
	cli_map_files *noted;
	size_t number;
	bspscene_stream stream;
	size_t at;                         /* number of bytes read so far, if the original stream lends its bytes and has no
	                                    * read function */
} watched;

/* ---- Noting ----------------------------------------------------------------------------------------------- */

/* Returns the number of a mount, counted from the end of the search order. Stored paths contain this number, so that a
 * viewer searches the mounts in the same order. */
static uint32_t find_mount(const bspscene_file_system *files, const char *origin)
{
	uint32_t count = 0, found = 0;
	const char *path;
	for (; (path = bspscene_file_system_search_path(files, count)) != NULL; count++) {
		if (!found && origin && !strcmp(path, origin)) found = count + 1;
	}
	return found ? count - found + 1 : 0;
}

static size_t note(cli_map_files *noted, const char *path, bspscene_file_kind kind, const char *origin)
{
	bool is_new;
	size_t number = cli_text_set_add(&noted->known, path, &is_new) - 1;
	if (!is_new) return number;
	if (noted->count == noted->room) {
		noted->room = noted->room ? 2 * noted->room : 64;
		noted->noted = cli_resize(noted->noted, noted->room, sizeof *noted->noted);
	}
	noted->noted[noted->count++] = (noted_file) {
		.path = cli_format("%s", path), .kind = kind, .mount = find_mount(noted->files, origin),
	};
	return number;
}

/* ---- Streams ---------------------------------------------------------------------------------------------- */

static size_t read_watched(void *user, void *data, size_t size)
{
	watched *w = user;
	w->noted->noted[w->number].is_read = true;
	if (!w->stream.data) return w->stream.read(w->stream.user, data, size);
	size_t left = (size_t)w->stream.size - w->at, part = size < left ? size : left;
	if (part) memcpy(data, (const char *)w->stream.data + w->at, part);
	w->at += part;
	return part;
}

static void close_watched(void *user)
{
	watched *w = user;
	if (w->stream.close) w->stream.close(w->stream.user);
	free(w);
}

/* Implements bspscene_open_file_fn. Streams that lend their bytes are changed to streams that are read, so that every
 * read is recorded. */
static bool open_watched(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	cli_map_files *noted = user;
	watched *w = cli_allocate(1, sizeof *w);
	bspscene_stream_init(&w->stream);
	if (!bspscene_file_system_open(noted->files, &w->stream, path, kind)) {
		free(w);
		return false;
	}
	w->noted = noted;
	w->number = note(noted, path, kind, w->stream.origin);
	*stream = w->stream;
	stream->user = w;
	stream->data = NULL;
	stream->read = read_watched;
	stream->close = close_watched;
	return true;
}

/* Implements bspscene_list_files_fn. */
static void list_files(void *user, const char *prefix, const char *suffix, bspscene_found_file_fn *found,
                       void *found_user)
{
	bspscene_file_system_list(((cli_map_files *)user)->files, prefix, suffix, found, found_user);
}

cli_map_files *cli_map_files_begin(bspscene_file_system *files, bspscene_load_options *options)
{
	cli_map_files *noted = cli_allocate(1, sizeof *noted);
	noted->files = files;
	options->open_file = open_watched;
	options->list_files = list_files;
	options->file_user = noted;
	options->threads = 1;
	return noted;
}

/* ---- Writing ---------------------------------------------------------------------------------------------- */

/* Returns the part of a path that begins at its last folder "maps". This is the path in the game. */
static char *game_path(const char *path)
{
	const char *found = NULL, *name = path;
	for (const char *at = path; *at; at++) {
		bool begins = at == path || at[-1] == '/' || at[-1] == '\\';
		if (begins && !strncasecmp(at, "maps", 4) && (at[4] == '/' || at[4] == '\\')) found = at;
		if (begins) name = at;
	}
	return found ? cli_format("game/maps/%s", found + 5) : cli_format("game/maps/%s", name);
}

/* Calls `each` with all bytes of a stream. If there is no stream, calls it with an empty file. */
static bool hand_out(bspscene_stream *stream, const char *path, cli_map_file_fn *each, void *user,
                     bspscene_error *error)
{
	size_t size = 0;
	void *data = stream ? cli_read_stream(stream, LARGEST, &size) : NULL;
	if (stream && !data) {
		*error = (bspscene_error) { .status = BSPSCENE_ERROR_IO, .record = BSPSCENE_NO_INDEX, .offset = UINT64_MAX };
		snprintf(error->message, sizeof error->message, "%.200s: cannot be read again", path);
		return false;
	}
	bool ok = each(user, path, data ? data : "", size);
	free(data);
	return ok;
}

/* Calls `each` with a recorded file. Skips a file that the load could not read. */
static bool hand_out_noted(const cli_map_files *noted, const noted_file *one, cli_map_file_fn *each, void *user)
{
	bspscene_stream stream;
	bspscene_error error = { .status = BSPSCENE_OK };
	bspscene_stream_init(&stream);
	if (one->is_read && !bspscene_file_system_open(noted->files, &stream, one->path, one->kind)) return true;
	char *path = one->mount ? cli_format("game/%04u.pk3dir/%s", one->mount, one->path)
	                        : cli_format("game/%s", one->path);
	bool ok = hand_out(one->is_read ? &stream : NULL, path, each, user, &error);
	free(path);
	return ok || error.status == BSPSCENE_ERROR_IO;
}

bool cli_map_files_each(const cli_map_files *noted, const char *path, bspscene_stream *map, cli_map_file_fn *each,
                        void *user, bspscene_error *error)
{
	char *map_path = game_path(path);
	bool ok = hand_out(map, map_path, each, user, error);
	for (size_t i = 0; i < noted->count && ok; i++) ok = hand_out_noted(noted, &noted->noted[i], each, user);
	free(map_path);
	return ok;
}

typedef struct store_writer {
	cli_text_set written;
	json_t *list;
	cli_output *output;
} store_writer;

/* Implements cli_map_file_fn: writes files/NAME, unless that exists, and adds a line to the list. */
static bool put(void *user, const char *path, const void *data, size_t size)
{
	store_writer *to = user;
	char *name = cli_shared_name(data, size), *file = cli_format(FOLDER "/%s", name);
	json_t *line = json_object();
	bool is_new;
	cli_text_set_add(&to->written, name, &is_new);
	bool ok = !is_new || (cli_output_begin(to->output, file) && cli_output_write(to->output, data, size) &&
	                      cli_output_end(to->output));
	json_object_set_new(line, "path", cli_json_text(path));
	json_object_set_new(line, "file", json_string(name));
	json_object_set_new(line, "size", json_integer((json_int_t)size));
	json_array_append_new(to->list, line);
	free(file);
	free(name);
	return ok;
}

bool cli_map_files_write(const cli_map_files *noted, const char *path, bspscene_stream *map, cli_output *output,
                         bspscene_error *error)
{
	store_writer to = { .list = json_array(), .output = output };
	json_t *document = json_object();
	char *map_path = game_path(path);
	bool ok = cli_map_files_each(noted, path, map, put, &to, error);
	json_object_set_new(document, "map", cli_json_text(map_path));
	json_object_set_new(document, "files", to.list);
	ok = cli_json_write(document, output, "files.json") && ok;
	cli_text_set_free(&to.written);
	free(map_path);
	return ok;
}

void cli_map_files_free(cli_map_files *noted)
{
	if (!noted) return;
	for (size_t i = 0; i < noted->count; i++) free(noted->noted[i].path);
	cli_text_set_free(&noted->known);
	free(noted->noted);
	free(noted);
}
