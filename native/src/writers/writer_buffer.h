/* writer_buffer.h - collects in memory the bytes that libraries write in pieces, within the writer's budget. */
#ifndef BSPI_WRITER_BUFFER_H
#define BSPI_WRITER_BUFFER_H

#include "writers/writers.h"

typedef struct bspi_buffer {
	bspi_writer *writer;
	bspscene_error *error;             /* where failures go; NULL: to the writer. A task that uses the buffer sets
	                                    * it. */
	uint8_t *data;
	size_t size, capacity;
} bspi_buffer;

/* Appends bytes. It can be used as a bspscene_write_fn, with the bspi_buffer as its user. On failure it returns false
 * and sets writer->failure or *error. */
bool bspi_buffer_add(void *user, const void *data, size_t size);
/* Makes room for `size` more bytes at `data + size`. The caller writes the bytes there and increases the buffer's
 * `size`. */
bool bspi_buffer_reserve(bspi_buffer *buffer, size_t size);
void bspi_buffer_free(bspi_buffer *buffer); /* frees the bytes, if there are any */

#endif
