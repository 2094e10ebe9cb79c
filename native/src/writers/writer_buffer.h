/* writer_buffer.h - collects bytes in memory that libraries write in pieces, within the writer's budget. */
#ifndef BSPI_WRITER_BUFFER_H
#define BSPI_WRITER_BUFFER_H

#include "writers/writers.h"

typedef struct bspi_buffer {
	bspi_writer *writer;
	bspscene_error *error;             /* where failures go if a task uses the buffer; NULL: to the writer */
	uint8_t *data;
	size_t size, capacity;
} bspi_buffer;

/* Appends bytes. It is a bspscene_write_fn whose user is the bspi_buffer. Returns false with writer->failure, or
 * *error, set. */
bool bspi_buffer_add(void *user, const void *data, size_t size);
/* Makes room for `size` more bytes at `data + size`. The caller writes them and adds to `size`. */
bool bspi_buffer_reserve(bspi_buffer *buffer, size_t size);
void bspi_buffer_free(bspi_buffer *buffer); /* frees the bytes; the buffer may be empty */

#endif
