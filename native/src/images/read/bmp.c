/* bmp.c - decodes uncompressed BMP of 8, 24 and 32 bits, which skies of GoldSrc and early Quake III use. */
#include <string.h>

#include "images/codecs.h"

#define FILE_HEADER 14u
#define INFO_HEADER 40u
#define COLOR_SIZE 4u

typedef struct bmp_header {
	uint32_t data_offset, info_size, width, height, bits, compression, color_count;
	bool top_down;
} bmp_header;

static bool read_header(bspi_bytes bytes, bmp_header *h)
{
	const uint8_t *p = bytes.data;
	if (bytes.size < FILE_HEADER + INFO_HEADER || memcmp(p, "BM", 2)) return false;
	int32_t height = bspi_load_i32(p + 22);
	*h = (bmp_header){
		.data_offset = bspi_load_u32(p + 10), .info_size = bspi_load_u32(p + 14), .width = bspi_load_u32(p + 18),
		.height = height < 0 ? 0u - (uint32_t)height : (uint32_t)height, .bits = bspi_load_u16(p + 28),
		.compression = bspi_load_u32(p + 30), .color_count = bspi_load_u32(p + 46), .top_down = height < 0,
	};
	return h->info_size >= INFO_HEADER && h->info_size <= 256;
}

static bool probe(bspi_bytes bytes, bspi_image_info *info)
{
	bmp_header h;
	if (!read_header(bytes, &h)) return false;
	info->width = h.width;
	info->height = h.height;
	return true;
}

static bool find_colors(bspi_bytes bytes, const bmp_header *h, bspi_bytes *out)
{
	uint32_t count = h->color_count && h->color_count < 256 ? h->color_count : 256;
	uint64_t offset = (uint64_t)FILE_HEADER + h->info_size;
	uint64_t fitting = h->data_offset > offset ? (h->data_offset - offset) / COLOR_SIZE : 0;
	return bspi_slice(bytes, offset, (fitting < count ? fitting : count) * COLOR_SIZE, out);
}

static void put_row(const uint8_t *row, const bmp_header *h, bspi_bytes colors, uint8_t *out)
{
	uint32_t step = h->bits / 8;
	for (uint32_t x = 0; x < h->width; x++) {
		const uint8_t *bgr = row + (size_t)x * step;
		static const uint8_t black[COLOR_SIZE];
		if (step == 1) bgr = *bgr * COLOR_SIZE < colors.size ? colors.data + *bgr * COLOR_SIZE : black;
		out[4 * x] = bgr[2];
		out[4 * x + 1] = bgr[1];
		out[4 * x + 2] = bgr[0];
		out[4 * x + 3] = 255;
	}
}

static uint32_t stride_of(const bmp_header *h)
{
	return (h->width * h->bits / 8 + 3) / 4 * 4;
}

static bool check(bspi_bytes bytes, bspi_image_info *info, bspscene_error *error)
{
	bmp_header h;
	bspi_bytes colors, rows;
	(void)info;
	if (!read_header(bytes, &h)) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER, "the values in the header contradict each other");
	}
	if (h.compression || (h.bits != 8 && h.bits != 24 && h.bits != 32)) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "%u bits with compression %u are not supported",
		                      h.bits, h.compression);
	}
	BSPI_TRY(bspi_check_size(h.width, h.height, bytes, 0, error));
	if (h.bits == 8 && !find_colors(bytes, &h, &colors)) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_DATA, "the palette is cut off");
	}
	if (bspi_slice(bytes, h.data_offset, (uint64_t)stride_of(&h) * h.height, &rows)) return true;
	return bspi_error_set(error, BSPSCENE_ERROR_BAD_DATA, "the file ends before the last of its %u x %u pixels",
	                      h.width, h.height);
}

static bool decode(const bspi_heap *heap, bspi_bytes bytes, bspi_wanted wanted, bspscene_pixels *out,
                   bspscene_error *error)
{
	(void)wanted;
	bmp_header h;
	bspi_bytes colors = BSPI_NO_BYTES;
	BSPI_TRY(read_header(bytes, &h) && bspi_pixels_create(heap, h.width, h.height, out, error));
	if (h.bits == 8) find_colors(bytes, &h, &colors);
	for (uint32_t y = 0; y < h.height; y++) {
		uint32_t from = h.top_down ? y : h.height - 1 - y;
		put_row(bytes.data + h.data_offset + (size_t)stride_of(&h) * from, &h, colors,
		        out->data + (size_t)4 * h.width * y);
	}
	return true;
}

const bspi_codec bspi_bmp_codec = { BSPSCENE_IMAGE_BMP, "BMP", probe, check, decode, NULL };
