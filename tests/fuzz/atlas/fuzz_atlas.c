/* fuzz_atlas.c - the input is the text of atlas.json, a byte 0, and a picture that serves as each of its pages. If the
 * atlas can be read, its light is written into a room of GoldSrc, without comparing hashes. The result is an error with
 * a message, or a map of the same size that loads. */
#include <stdlib.h>
#include <string.h>

#include <bspscene/relight.h>

#include "support/make/build_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MEMORY ((uint64_t)32 << 20)

static bool open_picture(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const bspi_bytes *picture = user;
	(void)path;
	(void)kind;
	stream->data = picture->data;
	stream->size = picture->size;
	return picture->size > 0;
}

static bool begin(void *user, const char *name)
{
	bspt_bytes *out = user;
	(void)name;
	free(out->data);
	out->data = NULL;
	out->size = 0;
	return true;
}

static bool put(void *user, const void *data, size_t size)
{
	bspt_bytes *out = user;
	uint8_t *larger = realloc(out->data, out->size + size + 1);
	if (!larger) abort();
	memcpy(larger + out->size, data, size);
	out->data = larger;
	out->size += size;
	return true;
}

static bool end(void *user)
{
	(void)user;
	return true;
}

static void write_back(const bspscene_edited_light *read)
{
	bspscene_edited_light light = *read;
	bspscene_stream stream;
	bspscene_output output;
	bspscene_error error;
	bspt_bytes written = { NULL, 0 };
	bspt_bytes room = bspt_build_room(&bspi_family_goldsrc, bspt_find_variant(&bspi_family_goldsrc, "goldsrc"));
	light.light_hash[0] = light.layout_hash[0] = 0;
	bspscene_stream_init(&stream);
	bspscene_output_init(&output);
	stream.data = room.data;
	stream.size = room.size;
	output.user = &written;
	output.begin = begin;
	output.write = put;
	output.end = end;
	bool done = bspscene_relight(&stream, NULL, &light, NULL, &output, NULL, &error);
	if (done == (error.status != BSPSCENE_OK) || (!done && !error.message[0])) abort();
	if (done) {
		bspscene_scene *scene = bspscene_load_memory(written.data, written.size, NULL, &error);
		if (written.size != room.size || !scene) abort();
		bspscene_scene_free(scene);
	}
	free(written.data);
	free(room.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *gap = size ? memchr(data, 0, size) : NULL;
	size_t length = gap ? (size_t)(gap - data) : size;
	bspi_bytes picture = gap ? bspi_bytes_of(gap + 1, size - length - 1) : BSPI_NO_BYTES;
	bspscene_load_options load;
	bspscene_error error;
	bspscene_load_options_init(&load);
	load.open_file = open_picture;
	load.file_user = &picture;
	load.memory_limit = MEMORY;
	bspscene_edited_light *light = bspscene_read_atlas(data, length, &load, &error);
	if (!light && (error.status == BSPSCENE_OK || !error.message[0])) abort();
	if (light) write_back(light);
	bspscene_edited_light_free(light);
	return 0;
}
