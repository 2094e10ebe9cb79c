/* bytes_writer.h - writes little-endian bytes, for lumps and files without tables. */
#ifndef BSPT_BYTES_WRITER_H
#define BSPT_BYTES_WRITER_H

#include "base/bytes.h"

enum { BSPT_MOST_WRITTEN = 8192 };

typedef struct bspt_writer {
	uint8_t data[BSPT_MOST_WRITTEN];
	size_t size;
} bspt_writer;

void bspt_put(bspt_writer *writer, const void *data, size_t size);
void bspt_put_u8(bspt_writer *writer, uint32_t value);
void bspt_put_u16(bspt_writer *writer, uint32_t value);
void bspt_put_u32(bspt_writer *writer, uint32_t value);
/* Writes `count` doubles as floats. */
void bspt_put_floats(bspt_writer *writer, int count, ...);
/* Overwrites the four bytes at `at`, which must exist. */
void bspt_put_u32_at(bspt_writer *writer, size_t at, uint32_t value);
/* Appends zeros up to a total size. */
void bspt_pad_to(bspt_writer *writer, size_t size);
/* Writes `text` in a field of `size` bytes, padded with zeros. */
void bspt_put_name(bspt_writer *writer, const char *text, size_t size);

static inline bspi_bytes bspt_written(const bspt_writer *writer) { return bspi_bytes_of(writer->data, writer->size); }

#endif
