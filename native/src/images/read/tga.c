/* tga.c - decodes TGA by stb_image, after checking the header and the amount of data. stb_image alone has three errors:
 * it leaves rows uninitialized if the file ends early, ignores right-to-left order, and misreads color maps that do not
 * begin at entry 0. It is used only for TGA, because it is not safe for other formats. */
#include <limits.h>

#include "images/codecs.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_TGA
#define STBI_NO_STDIO
#define STBI_NO_FAILURE_STRINGS        /* stb_image would store failure strings in a global variable */
#define STBI_MAX_DIMENSIONS 8192
#if defined(__GNUC__)
	/* With STBI_ONLY_TGA, stb_image.h declares functions that it does not define. */
	#pragma GCC diagnostic ignored "-Wunused-function"
	#if !defined(__clang__)
		#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
	#endif
#endif
#include <stb/stb_image.h>

#define HEADER_SIZE 18u
#define RIGHT_TO_LEFT 0x10u

typedef struct tga_header {
	uint8_t id_size, has_map, type, map_bits, bits, descriptor;
	uint16_t map_first, map_count, width, height;
	bool packed;                       /* run-length encoded */
	uint64_t data_offset;
} tga_header;

static bool bits_are_valid(const tga_header *h)
{
	bool map_ok = h->map_bits == 15 || h->map_bits == 16 || h->map_bits == 24 || h->map_bits == 32;
	switch (h->type & ~8u) {
	case 1: return h->has_map == 1 && map_ok && h->map_count && (h->bits == 8 || h->bits == 16);
	case 2: return !h->has_map && (h->bits == 15 || h->bits == 16 || h->bits == 24 || h->bits == 32);
	case 3: return !h->has_map && (h->bits == 8 || h->bits == 16);
	default: return false;
	}
}

/* Reads the header. There is no magic, so all fields must be consistent. */
static bool read_header(bspi_bytes bytes, tga_header *h)
{
	const uint8_t *p = bytes.data;
	if (bytes.size < HEADER_SIZE) return false;
	*h = (tga_header){
		.id_size = p[0], .has_map = p[1], .type = p[2], .map_first = bspi_load_u16(p + 3),
		.map_count = bspi_load_u16(p + 5), .map_bits = p[7], .width = bspi_load_u16(p + 12),
		.height = bspi_load_u16(p + 14), .bits = p[16], .descriptor = p[17],
	};
	h->packed = h->type & 8;
	h->data_offset = HEADER_SIZE + h->id_size;
	if (h->has_map) h->data_offset += (uint64_t)h->map_count * ((h->map_bits + 7u) / 8);
	return bits_are_valid(h) && h->width && h->height && (h->descriptor & 0xc0) == 0;
}

static bool probe(bspi_bytes bytes, bspi_image_info *info)
{
	tga_header h;
	if (!read_header(bytes, &h)) return false;
	info->width = h.width;
	info->height = h.height;
	info->has_alpha = h.has_map ? h.map_bits == 32 : (h.type & ~8u) == 3 ? h.bits == 16 : h.bits == 32;
	return true;
}

/* Returns the number of pixels in run-length packets that are complete. */
static uint64_t count_packed(bspi_bytes bytes, const tga_header *h, uint64_t wanted)
{
	size_t pixel_size = (h->bits + 7u) / 8;
	bspi_cursor at = bspi_cursor_at(bytes, h->data_offset);
	uint64_t count = 0;
	while (count < wanted) {
		uint8_t packet = bspi_take_u8(&at);
		uint32_t length = (packet & 127u) + 1;
		bspi_take(&at, packet & 128 ? pixel_size : length * pixel_size);
		if (at.failed) return count;
		count += length;
	}
	return count;
}

static uint64_t count_stored(bspi_bytes bytes, const tga_header *h)
{
	return h->data_offset < bytes.size ? (bytes.size - h->data_offset) / ((h->bits + 7u) / 8) : 0;
}

static void mirror(bspscene_pixels *pixels)
{
	for (uint32_t y = 0; y < pixels->height; y++) {
		uint8_t *left = pixels->data + (size_t)4 * pixels->width * y, *right = left + (size_t)4 * (pixels->width - 1);
		for (; left < right; left += 4, right -= 4) {
			uint8_t pixel[4];
			memcpy(pixel, left, 4);
			memcpy(left, right, 4);
			memcpy(right, pixel, 4);
		}
	}
}

static bool check(bspi_bytes bytes, bspi_image_info *info, bspscene_error *error)
{
	tga_header h;
	(void)info;
	if (!read_header(bytes, &h)) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER, "the values in the header contradict each other");
	}
	BSPI_TRY(bspi_check_size(h.width, h.height, bytes, 0, error));
	if (h.map_first && h.has_map) {
		return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		                      "a color map that begins at entry %u is not supported", h.map_first);
	}
	uint64_t wanted = (uint64_t)h.width * h.height;
	uint64_t there = h.packed ? count_packed(bytes, &h, wanted) : count_stored(bytes, &h);
	if (there >= wanted && bytes.size <= INT_MAX) return true;
	return bspi_error_set(error, BSPSCENE_ERROR_BAD_DATA, "%u x %u pixels, but the file ends after %llu of them",
	                      h.width, h.height, (unsigned long long)there);
}

/* Expands gray, gray with alpha, or RGB to RGBA; copies RGBA. */
static void spread_channels(const uint8_t *from, int channels, bspscene_pixels *to)
{
	size_t count = (size_t)to->width * to->height;
	for (size_t i = 0; i < count; i++, from += channels) {
		uint8_t *rgba = to->data + 4 * i;
		for (int c = 0; c < 3; c++) rgba[c] = from[channels < 3 ? 0 : c];
		rgba[3] = channels % 2 ? 255 : from[channels - 1];
	}
}

/* stb_image uses malloc and cannot use another allocator, so its result is copied. */
static bool decode(const bspi_heap *heap, bspi_bytes bytes, bspi_wanted wanted, bspscene_pixels *out,
                   bspscene_error *error)
{
	(void)wanted;
	int width, height, channels;
	uint8_t *stored = stbi_load_from_memory(bytes.data, (int)bytes.size, &width, &height, &channels, 0);
	if (!stored) return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "out of memory");
	bool created = bspi_pixels_create(heap, (uint32_t)width, (uint32_t)height, out, error);
	if (created) spread_channels(stored, channels, out);
	if (created && bytes.data[17] & RIGHT_TO_LEFT) mirror(out);
	stbi_image_free(stored);
	return created;
}

/* Returns the size of the picture that stb_image allocates, in the stored format. */
static uint64_t working_size(bspi_bytes bytes, uint32_t side, bspi_image_info *info)
{
	(void)bytes;
	(void)side;
	return (uint64_t)info->width * info->height * (info->has_alpha ? 4 : 3);
}

const bspi_codec bspi_tga_codec = { BSPSCENE_IMAGE_TGA, "TGA", probe, check, decode, working_size };
