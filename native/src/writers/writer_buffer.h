/* writer_buffer.h - bytes put together in memory by a library that writes piece by piece, in the writer's budget. */
#ifndef BSPI_WRITER_BUFFER_H
#define BSPI_WRITER_BUFFER_H

#include "writers/writers.h"

typedef struct bspi_buffer {
	bspi_writer *writer;
	uint8_t *data;
	size_t size, capacity;
} bspi_buffer;

/* A bspscene_write_fn; user is the bspi_buffer. False: writer->failure is set. */
bool bspi_buffer_add(void *user, const void *data, size_t size);
void bspi_buffer_free(bspi_buffer *buffer); /* also of empty and freed ones */

#endif
