/* read_stream.h - reads whole streams. */
#ifndef CLI_READ_STREAM_H
#define CLI_READ_STREAM_H

#include <bspscene/load.h>

/* Reads all bytes of a stream into new memory, and closes the stream. Returns NULL if it cannot be read or has more
 * than `most` bytes. */
void *cli_read_stream(bspscene_stream *stream, uint64_t most, size_t *size);

#endif
