/* writer_buffer.h - bytes put together in memory by a library that writes piece by piece, in the writer's budget. */
#ifndef BSPI_WRITER_BUFFER_H
#define BSPI_WRITER_BUFFER_H

#include "writers/writers.h"

typedef struct bspi_buffer {
	bspi_writer *writer;
	bspscene_error *error;             /* where failures go instead of to the writer, in a task of a job; or NULL */
	uint8_t *data;
	size_t size, capacity;
} bspi_buffer;

/* A bspscene_write_fn; user is the bspi_buffer. False: writer->failure is set, or *error. */
bool bspi_buffer_add(void *user, const void *data, size_t size);
/* Room for `size` more bytes behind `data + size`, which whoever writes them there adds to `size`. */
bool bspi_buffer_reserve(bspi_buffer *buffer, size_t size);
void bspi_buffer_free(bspi_buffer *buffer); /* also of empty and freed ones */

#endif
