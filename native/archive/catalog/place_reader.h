/* place_reader.h - a path and the way through archives below it -> the bytes that lie there. The archive that was read
 * from last stays open. */
#ifndef CLI_PLACE_READER_H
#define CLI_PLACE_READER_H

#include <jansson.h>

#include <bspscene/bspscene.h>

/* Zeroed: none is open. */
typedef struct cli_place_reader {
	char *key;
	bspscene_file_system *files;
	void *data;                        /* of an inner archive */
} cli_place_reader;

/* The file `path`, or what the first `count` members lead to in it, in new memory. NULL with the error: it is not
 * there, cannot be read, or has more than `most` bytes. */
void *cli_place_read(cli_place_reader *reader, const char *path, const json_t *members, size_t count, uint64_t most,
                     size_t *size, bspscene_error *error);
void cli_place_reader_close(cli_place_reader *reader);

#endif
