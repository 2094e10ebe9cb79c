/* fuzz_archives.c - the input is an archive; every listed file is read unless it is large. */
#include <stdlib.h>
#include <string.h>

#include <bspscene/bspscene.h>

#include "base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_BYTES ((uint64_t)1 << 20) /* limit of bytes that are read from all entries together */

typedef struct reader {
	bspscene_file_system *files;
	uint64_t left;
	uint32_t count;
} reader;

static void read_stream(reader *r, const bspscene_stream *stream)
{
	uint8_t buffer[1500];
	uint64_t done = 0;
	if (stream->data) {
		uint8_t sum = 0;
		for (uint64_t i = 0; i < stream->size; i++) sum ^= ((const uint8_t *)stream->data)[i];
		*(volatile uint8_t *)buffer = sum;
		return;
	}
	while (r->left) {
		size_t got = stream->read(stream->user, buffer, sizeof buffer);
		if (got == SIZE_MAX) return;
		if (got > sizeof buffer) abort();
		done += got;
		if (done > stream->size) abort();
		if (got < sizeof buffer) {
			if (done != stream->size) abort();
			return;
		}
		r->left = r->left > got ? r->left - got : 0;
	}
}

static void read_entry(void *user, const char *path)
{
	reader *r = user;
	char folded[BSPI_PATH_SIZE];
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	/* Checks that every listed name is safe and finds its file. */
	if (!bspi_text_path(path, false, folded, sizeof folded) || strcmp(path, folded)) abort();
	if (!bspscene_file_system_open(r->files, &stream, path, BSPSCENE_FILE_OTHER)) return;
	if (r->count++ < 100) read_stream(r, &stream);
	if (stream.close) stream.close(stream.user);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bspscene_error error;
	reader r = { bspscene_file_system_create(NULL), MOST_BYTES, 0 };
	if (bspscene_file_system_mount_memory(r.files, "fuzz.vpk", data, size, &error)) {
		if (error.status || !bspscene_file_system_search_path(r.files, 0)) abort();
		bspscene_file_system_list(r.files, "", "", read_entry, &r);
	} else if (!error.status || !error.message[0] || bspscene_file_system_search_path(r.files, 0)) {
		abort();
	}
	bspscene_file_system_free(r.files);
	return 0;
}
