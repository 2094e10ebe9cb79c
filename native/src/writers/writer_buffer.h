/* writer_buffer.h - collects in memory what libraries write piece by piece, within the writer's budget. */
#ifndef BSPI_WRITER_BUFFER_H
#define BSPI_WRITER_BUFFER_H

#include "writers/writers.h"

typedef struct bspi_buffer {
	bspi_writer *writer;
	bspscene_error *error;             /* in a task: where failures go instead of to the writer; else NULL */
	uint8_t *data;
	size_t size, capacity;
} bspi_buffer;

/* A bspscene_write_fn; user is the bspi_buffer. False: writer->failure is set, or *error. */
bool bspi_buffer_add(void *user, const void *data, size_t size);
/* Makes room for `size` more bytes at `data + size`. The caller writes them and adds to `size`. */
bool bspi_buffer_reserve(bspi_buffer *buffer, size_t size);
void bspi_buffer_free(bspi_buffer *buffer); /* may be empty or freed */

#endif
