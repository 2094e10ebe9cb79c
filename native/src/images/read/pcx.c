/* pcx.c - decodes PCX as in Quake II's time: one plane of 8 bits with a palette at the end, or three planes of 8
 * bits. */
#include <string.h>

#include "images/codecs.h"

#define HEADER_SIZE 128u
#define PALETTE_SIZE 768u
#define PALETTE_MARK 0x0cu             /* stands before the palette, but some writers omit it */
#define RUN 0xc0u                      /* a byte from here on begins a run: the next byte is repeated (byte - RUN)
                                        * times */

typedef struct pcx_header {
	uint8_t bits, planes;
	uint32_t width, height, line;      /* size in pixels; `line`: bytes per row of one plane, including padding */
} pcx_header;

static bool read_header(bspi_bytes bytes, pcx_header *h)
{
	const uint8_t *p = bytes.data;
	/* manufacturer 10, version 0..5, run-length coding */
	if (bytes.size < HEADER_SIZE || p[0] != 10 || p[1] > 5 || p[2] != 1) return false;
	uint16_t left = bspi_load_u16(p + 4), top = bspi_load_u16(p + 6), right = bspi_load_u16(p + 8),
	         bottom = bspi_load_u16(p + 10);
	if (right < left || bottom < top) return false;
	*h = (pcx_header){ p[3], p[65], right - left + 1u, bottom - top + 1u, bspi_load_u16(p + 66) };
	return true;
}

static bool probe(bspi_bytes bytes, bspi_image_info *info)
{
	pcx_header h;
	if (!read_header(bytes, &h)) return false;
	info->width = h.width;
	info->height = h.height;
	return true;
}

bool bspi_pcx_palette(bspi_bytes bytes, uint8_t palette[PALETTE_SIZE])
{
	pcx_header h;
	if (!read_header(bytes, &h) || bytes.size < HEADER_SIZE + PALETTE_SIZE) return false;
	memcpy(palette, bytes.data + bytes.size - PALETTE_SIZE, PALETTE_SIZE);
	return true;
}

/* Returns how many decoded bytes the file has. The palette at the end does not count. */
static uint64_t count_coded(bspi_bytes bytes, const pcx_header *h, uint64_t wanted)
{
	uint64_t count = 0;
	if (h->planes == 1) bytes.size -= PALETTE_SIZE;
	if (h->planes == 1 && bytes.data[bytes.size - 1] == PALETTE_MARK) bytes.size--;
	bspi_cursor at = bspi_cursor_at(bytes, HEADER_SIZE);
	while (count < wanted) {
		uint8_t byte = bspi_take_u8(&at);
		if (byte >= RUN) bspi_take_u8(&at);
		if (at.failed) return count;
		count += byte >= RUN ? byte - RUN : 1u;
	}
	return count;
}

static bool check(bspi_bytes bytes, bspi_image_info *info, bspscene_error *error)
{
	pcx_header h;
	(void)info;
	if (!read_header(bytes, &h)) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER, "the values in the header contradict each other");
	}
	if (h.bits != 8 || (h.planes != 1 && h.planes != 3)) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "%u planes of %u bits are not supported",
		                      h.planes, h.bits);
	}
	if (h.line < h.width) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER, "rows of %u bytes do not fit %u pixels", h.line,
		                      h.width);
	}
	if (h.planes == 1 && bytes.size < HEADER_SIZE + PALETTE_SIZE) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_DATA, "the palette is missing");
	}
	BSPI_TRY(bspi_check_size(h.width, h.height, bytes, 0, error));
	uint64_t wanted = (uint64_t)h.line * h.planes * h.height, there = count_coded(bytes, &h, wanted);
	if (there >= wanted) return true;
	return bspi_error_set(error, BSPSCENE_ERROR_BAD_DATA, "%u x %u pixels, but the file ends after %llu of %llu bytes",
	                      h.width, h.height, (unsigned long long)there, (unsigned long long)wanted);
}

/* The current run. Some programs write runs that continue in the next row. */
typedef struct run {
	bspi_cursor at;
	uint32_t left;
	uint8_t value;
} run;

static uint8_t next_byte(run *r)
{
	while (!r->left) {
		uint8_t byte = bspi_take_u8(&r->at);
		r->left = byte >= RUN ? byte - RUN : 1u;
		r->value = byte >= RUN ? bspi_take_u8(&r->at) : byte;
	}
	r->left--;
	return r->value;
}

static bool decode(const bspi_heap *heap, bspi_bytes bytes, bspi_wanted wanted, bspscene_pixels *out,
                   bspscene_error *error)
{
	(void)wanted;
	pcx_header h;
	uint8_t palette[PALETTE_SIZE];
	run r = { .at = bspi_cursor_at(bytes, HEADER_SIZE) };
	BSPI_TRY(read_header(bytes, &h) && bspi_pixels_create(heap, h.width, h.height, out, error));
	if (h.planes == 1) bspi_pcx_palette(bytes, palette);
	for (uint32_t y = 0; y < h.height; y++) {
		uint8_t *row = out->data + (size_t)4 * h.width * y;
		for (uint32_t i = 0; i < h.line * h.planes; i++) {
			uint32_t plane = i / h.line, x = i % h.line;
			uint8_t value = next_byte(&r);
			if (x >= h.width) continue;
			if (h.planes == 1) memcpy(row + 4 * x, palette + 3 * value, 3);
			else row[4 * x + plane] = value;
			row[4 * x + 3] = 255;
		}
	}
	return true;
}

const bspi_codec bspi_pcx_codec = { BSPSCENE_IMAGE_PCX, "PCX", probe, check, decode, NULL };
