/* place_reader.c - see place_reader.h. */
#include "archive/catalog/place_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/catalog/members.h"
#include "cli/host/platform.h"
#include "cli/read_stream.h"
#include "cli/report.h"

static void set_error(bspscene_error *error, const char *name)
{
	*error = (bspscene_error) { .status = BSPSCENE_ERROR_NOT_FOUND, .record = BSPSCENE_NO_INDEX, .offset = UINT64_MAX };
	snprintf(error->message, sizeof error->message, "%.300s: is not there, or cannot be read", name);
}

static size_t read_some(void *user, void *buffer, size_t size)
{
	size_t got = fread(buffer, 1, size, user);
	return got || !ferror((FILE *)user) ? got : SIZE_MAX;
}

static void *read_file(const char *path, uint64_t most, size_t *size, bspscene_error *error)
{
	FILE *file = cli_kind_of(path, true) == CLI_PATH_FILE ? cli_open_to_read(path) : NULL;
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	stream.user = file;
	stream.read = read_some;
	void *data = file ? cli_read_stream(&stream, most, size) : NULL;
	if (file) fclose(file);
	if (!data) set_error(error, path);
	return data;
}

static void *read_member(bspscene_file_system *files, const char *name, uint64_t most, size_t *size,
                         bspscene_error *error)
{
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	void *data = bspscene_file_system_open(files, &stream, name, BSPSCENE_FILE_OTHER)
	                 ? cli_read_stream(&stream, most, size)
	                 : NULL;
	if (!data) set_error(error, name);
	return data;
}

static const char *member_at(const json_t *members, size_t index)
{
	const char *name = json_string_value(json_array_get(members, index));
	return name ? name : "";
}

void cli_place_reader_close(cli_place_reader *reader)
{
	bspscene_file_system_free(reader->files);
	free(reader->data);
	free(reader->key);
	*reader = (cli_place_reader) { 0 };
}

/* Opens the archive at `path`. If `count` is not 0, then opens the nested archives that the first `count` members name,
 * each inside the one before. Only the last archive stays open. */
static bool open_archive(cli_place_reader *reader, const char *path, const json_t *members, size_t count,
                         bspscene_error *error)
{
	size_t size = 0;
	for (size_t i = 0; i <= count; i++) {
		bspscene_file_system *outer = reader->files;
		void *data = outer ? read_member(outer, member_at(members, i - 1), CLI_LARGEST_INNER, &size, error) : NULL;
		bspscene_file_system_free(outer);
		free(reader->data);
		reader->files = NULL;
		reader->data = data;
		if (outer && !data) return false;
		reader->files = bspscene_file_system_create(NULL);
		if (!reader->files) cli_end_without_memory();
		bool mounted =
			outer ? bspscene_file_system_mount_memory(reader->files, member_at(members, i - 1), data, size, error)
				  : bspscene_file_system_mount(reader->files, path, error);
		if (!mounted) return false;
	}
	return true;
}

void *cli_place_read(cli_place_reader *reader, const char *path, const json_t *members, size_t count, uint64_t most,
                     size_t *size, bspscene_error *error)
{
	if (!count) return read_file(path, most, size, error);
	char *key = cli_join_members(path, members, count - 1, "\x01");
	if (!reader->key || strcmp(reader->key, key) != 0) {
		cli_place_reader_close(reader);
		if (!open_archive(reader, path, members, count - 1, error)) {
			cli_place_reader_close(reader);
			free(key);
			return NULL;
		}
		reader->key = cli_format("%s", key);
	}
	free(key);
	return read_member(reader->files, member_at(members, count - 1), most, size, error);
}
