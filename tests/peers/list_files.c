/* list_files.c - list_files ARCHIVE: prints a line "CRC-32 SIZE NAME" for each file, as read by
 * bspscene_file_system. */
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "support/bspt.h"

static void read_all(const char *name, const bspscene_stream *stream)
{
	uLong sum = crc32(0, NULL, 0);
	uint64_t done = 0;
	if (stream->data) {
		sum = crc32(sum, stream->data, (uInt)stream->size);
		done = stream->size;
	} else {
		uint8_t buffer[4096];
		size_t got = sizeof buffer;
		while (got == sizeof buffer) {
			got = stream->read(stream->user, buffer, sizeof buffer);
			if (got == SIZE_MAX) bspt_die("read", name);
			sum = crc32(sum, buffer, (uInt)got);
			done += got;
		}
	}
	if (done != stream->size) bspt_die("read all of", name);
	printf("%08lx %llu %s\n", sum, (unsigned long long)done, name);
}

static void list_file(void *user, const char *path)
{
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	if (!bspscene_file_system_open(user, &stream, path, BSPSCENE_FILE_OTHER)) bspt_die("open", path);
	read_all(path, &stream);
	if (stream.close) stream.close(stream.user);
}

int main(int argc, char **argv)
{
	bspscene_error error;
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	if (argc != 2) bspt_die("run without the name of", "an archive");
	if (!bspscene_file_system_mount(files, argv[1], &error)) {
		fprintf(stderr, "%s\n", error.message);
		bspscene_file_system_free(files);
		return EXIT_FAILURE;
	}
	bspscene_file_system_list(files, "", "", list_file, files);
	bspscene_file_system_free(files);
	return EXIT_SUCCESS;
}
