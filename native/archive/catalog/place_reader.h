/* place_reader.h - reads a file from an archive, or from an archive in it. The last archive stays open for the next
 * call. */
#ifndef CLI_PLACE_READER_H
#define CLI_PLACE_READER_H

#include <jansson.h>

#include <bspscene/bspscene.h>

/* A reader that keeps the last archive open. No archive is open if all bytes are zero. */
typedef struct cli_place_reader {
	char *key;
	bspscene_file_system *files;
	void *data;                        /* bytes of a nested archive */
} cli_place_reader;

/* Reads a file into new memory. If `count` is 0, this is the file `path` itself. Otherwise `path` is an archive, and
 * the last of the first `count` members names the file. The members before it name nested archives, outermost first.
 * Returns NULL, with the error, if the file does not exist, cannot be read or has more than `most` bytes. */
void *cli_place_read(cli_place_reader *reader, const char *path, const json_t *members, size_t count, uint64_t most,
                     size_t *size, bspscene_error *error);
void cli_place_reader_close(cli_place_reader *reader);

#endif
