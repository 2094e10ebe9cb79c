/* Promise: the files that a load reads are recorded and stored, also from an archive that is mapped into memory. A file
 * whose existence was only checked is stored empty. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "archive/process/map_files.h"
#include "support/bspt.h"
#include "support/make/build_archive.h"

#define READ "bytes of the file that is read"

static void open_one(const bspscene_load_options *options, const char *path, bool read)
{
	char bytes[8];
	size_t size = 0, part = 0;
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	assert_true(options->open_file(options->file_user, &stream, path, BSPSCENE_FILE_OTHER));
	if (stream.data && read) size = (size_t)stream.size;
	while (!stream.data && read && (part = stream.read(stream.user, bytes, sizeof bytes)) != 0) {
		assert_memory_equal(bytes, &READ[size], part);
		size += part;
	}
	assert_int_equal(size, read ? strlen(READ) : 0);
	if (stream.close) stream.close(stream.user);
}

static json_int_t size_of(const json_t *files, const char *path)
{
	size_t i;
	json_t *one;
	json_array_foreach(files, i, one) {
		const char *found = json_string_value(json_object_get(one, "path"));
		size_t ahead = strlen(found) - strlen(path);
		if (strlen(found) >= strlen(path) && !strcmp(found + ahead, path)) {
			return json_integer_value(json_object_get(one, "size"));
		}
	}
	fail_msg("%s is not kept", path);
	return 0;
}

static void lent_bytes_are_read_like_others(void **state)
{
	static const bspt_member members[] = { { .name = "a/read.txt", .text = READ },
		                                   { .name = "a/asked.txt", .text = "not read" } };
	char top[512], list[600];
	cli_source source = { .path = "" };
	cli_output output;
	bspscene_error error;
	bspscene_stream map;
	bspscene_load_options options;
	(void)state;
	bspt_make_directory(top, sizeof top);
	bspt_bytes pak = bspt_pak(members, 2, 56);
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	assert_true(bspscene_file_system_mount_memory(files, "made.pak", pak.data, pak.size, &error));
	bspscene_load_options_init(&options);
	cli_map_files *noted = cli_map_files_begin(files, &options);
	open_one(&options, "a/read.txt", true);
	open_one(&options, "a/asked.txt", false);
	bspscene_stream_init(&map);
	map.data = "map";
	map.size = 3;
	assert_true(cli_output_open(&output, &source, top));
	assert_true(cli_map_files_write(noted, "x.bsp", &map, &output, &error));
	assert_true(cli_output_commit(&output));
	snprintf(list, sizeof list, "%s/files.json", top);
	json_t *document = json_load_file(list, 0, NULL);
	const json_t *kept = json_object_get(document, "files");
	assert_int_equal(json_array_size(kept), 3);
	assert_int_equal(size_of(kept, "game/maps/x.bsp"), 3);
	assert_int_equal(size_of(kept, "a/read.txt"), strlen(READ));
	assert_int_equal(size_of(kept, "a/asked.txt"), 0);
	json_decref(document);
	cli_output_close(&output);
	cli_map_files_free(noted);
	bspscene_file_system_free(files);
	bspt_remove_directory(top);
	free(pak.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(lent_bytes_are_read_like_others) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
