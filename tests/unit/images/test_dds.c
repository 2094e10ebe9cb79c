/* test_dds.c - DDS pictures decode to their pixels: all kinds of masks, compressed blocks, DXGI formats. Unsupported or
 * inconsistent files are refused with a reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "images/images.h"

#define DATA(literal) (const uint8_t *)(literal), sizeof(literal) - 1

enum { ROOM = 256, HEADER = 128, LONG_HEADER = 148 };
enum { ALPHA_PIXELS = 0x1, ALPHA_ONLY = 0x2, FOUR_CC = 0x4, RGB = 0x40, LUMINANCE = 0x20000 };

typedef struct dds {
	uint32_t flags;
	const char *name;                  /* the FourCC, if `flags` has FOUR_CC */
	uint32_t bits, masks[4], dxgi, width, height;
	const uint8_t *rows; size_t size;
} dds;

static void put(uint8_t *out, uint32_t value)
{
	for (int i = 0; i < 4; i++) out[i] = (uint8_t)(value >> 8 * i);
}

static size_t encode(const dds *d, uint8_t out[ROOM])
{
	size_t at = d->dxgi ? LONG_HEADER : HEADER;
	memset(out, 0, ROOM);
	memcpy(out, "DDS ", 4);
	put(out + 4, 124);
	put(out + 12, d->height);
	put(out + 16, d->width);
	put(out + 76, 32);
	put(out + 80, d->flags);
	if (d->name) memcpy(out + 84, d->name, 4);
	put(out + 88, d->bits);
	for (int i = 0; i < 4; i++) put(out + 92 + 4 * i, d->masks[i]);
	if (d->dxgi) put(out + HEADER, d->dxgi);
	memcpy(out + at, d->rows, d->size);
	return at + d->size;
}

/* There are two pixels, opaque red and half-transparent cyan. */
static void pixels(void **state)
{
	static const uint8_t half[8] = { 255, 0, 0, 255, 0, 255, 255, 128 };
	static const uint8_t solid[8] = { 255, 0, 0, 255, 0, 255, 255, 255 };
	static const uint8_t grays[8] = { 17, 17, 17, 255, 34, 34, 34, 128 };
	static const uint8_t light[8] = { 17, 17, 17, 255, 34, 34, 34, 255 };
	static const uint8_t alpha[8] = { 0, 0, 0, 17, 0, 0, 0, 34 };
	static const uint8_t single[8] = { 17, 17, 17, 255, 34, 34, 34, 255 };
	static const uint8_t normals[8] = { 128, 17, 191, 255, 128, 34, 214, 255 };
	static const uint32_t rgb = RGB, rgba = RGB | ALPHA_PIXELS;
	const struct { const char *what; dds picture; const uint8_t *want; bool has_alpha; } cases[] = {
		{ "argb",
		  { rgba, NULL, 32, { 0xff0000, 0xff00, 0xff, 0xff000000 }, 0, 2, 1, DATA("\0\0\377\377\377\377\0\200") },
		  half, true },
		{ "xrgb", { rgb, NULL, 32, { 0xff0000, 0xff00, 0xff, 0xff000000 }, 0, 2, 1, DATA("\0\0\377\0\377\377\0\200") },
		  solid, false },
		{ "bgr", { rgb, NULL, 24, { 0xff0000, 0xff00, 0xff, 0 }, 0, 2, 1, DATA("\0\0\377\377\377\0") }, solid, false },
		{ "565", { rgb, NULL, 16, { 0xf800, 0x7e0, 0x1f, 0 }, 0, 2, 1, DATA("\0\370\377\7") }, solid, false },
		{ "gray", { LUMINANCE, NULL, 8, { 0xff, 0, 0, 0 }, 0, 2, 1, DATA("\21\42") }, light, false },
		{ "gray alpha", { LUMINANCE | ALPHA_PIXELS, NULL, 16, { 0xff, 0, 0, 0xff00 }, 0, 2, 1, DATA("\21\377\42\200") },
		  grays, true },
		{ "alpha", { ALPHA_ONLY, NULL, 8, { 0xff, 0, 0, 0xff }, 0, 2, 1, DATA("\21\42") }, alpha, true },
		{ "dxgi rgba", { FOUR_CC, "DX10", 0, { 0 }, 28, 2, 1, DATA("\377\0\0\377\0\377\377\200") }, half, true },
		{ "dxgi bgrx", { FOUR_CC, "DX10", 0, { 0 }, 88, 2, 1, DATA("\0\0\377\0\377\377\0\0") }, solid, false },
		{ "one channel", { FOUR_CC, "ATI1", 0, { 0 }, 0, 2, 1, DATA("\21\42\10\0\0\0\0\0") }, single, false },
		{ "dxgi bc4", { FOUR_CC, "DX10", 0, { 0 }, 80, 2, 1, DATA("\21\42\10\0\0\0\0\0") }, single, false },
		{ "two channels",
		  { FOUR_CC, "BC5U", 0, { 0 }, 0, 2, 1, DATA("\200\200\0\0\0\0\0\0\21\42\10\0\0\0\0\0") },
		  normals, false },
		{ "two channels, the second first",
		  { FOUR_CC, "ATI2", 0, { 0 }, 0, 2, 1, DATA("\21\42\10\0\0\0\0\0\200\200\0\0\0\0\0\0") },
		  normals, false },
		{ "dxgi r", { FOUR_CC, "DX10", 0, { 0 }, 61, 2, 1, DATA("\21\42") }, single, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t bytes[ROOM];
		bspscene_pixels got;
		bspscene_error error;
		bspi_bytes file = bspi_bytes_of(bytes, encode(&cases[i].picture, bytes));
		bspi_image_info info = bspi_image_probe(file);
		assert_true(info.format == BSPSCENE_IMAGE_DDS && info.width == 2 && info.height == 1);
		assert_int_equal(info.has_alpha, cases[i].has_alpha);
		if (!bspi_image_decode(&bspi_system_heap, info.format, file, &got, &error)) {
			fail_msg("%s: %s", cases[i].what, error.message);
		}
		if (memcmp(got.data, cases[i].want, 8)) fail_msg("%s: other pixels", cases[i].what);
		bspscene_pixels_free(&got);
	}
}

static void decode(const dds *picture, bspscene_pixels *got)
{
	uint8_t bytes[ROOM];
	bspscene_error error;
	bspi_bytes file = bspi_bytes_of(bytes, encode(picture, bytes));
	if (!bspi_image_decode(&bspi_system_heap, BSPSCENE_IMAGE_DDS, file, got, &error)) fail_msg("%s", error.message);
}

/* A channel of n bits is full at 2^n - 1, wherever its bits are in the pixel. */
static void masks_of_any_width(void **state)
{
	(void)state;
	for (uint32_t bits = 1; bits <= 16; bits++) {
		for (uint32_t shift = 0; shift + bits <= 32; shift++) {
			uint32_t most = (1u << bits) - 1, values[2] = { most, most / 3 };
			uint8_t rows[8];
			for (int i = 0; i < 2; i++) put(rows + 4 * i, values[i] << shift | ~(most << shift));
			bspscene_pixels got;
			decode(&(dds){ RGB, NULL, 32, { 0, most << shift, 0, 0 }, 0, 2, 1, rows, sizeof rows }, &got);
			for (int i = 0; i < 2; i++) {
				double wanted = values[i] * 255.0 / most, off = got.data[4 * i + 1] - wanted;
				if (off < -1 || off > 1) fail_msg("%u bits: %u, not %g", bits, got.data[4 * i + 1], wanted);
				assert_int_equal(got.data[4 * i] | got.data[4 * i + 2], 0);
			}
			assert_int_equal(got.data[1], 255);
			bspscene_pixels_free(&got);
		}
	}
}

/* A pixel has ten bits for each color and two for alpha, with red or blue in the low bits. */
static void ten_bits(void **state)
{
	static const uint8_t rows[] = { 0xff, 0x03, 0x00, 0xc0, 0x00, 0x00, 0xf0, 0x3f };
	static const uint8_t low_red[8] = { 255, 0, 0, 255, 0, 0, 255, 0 }, low_blue[8] = { 0, 0, 255, 255, 255, 0, 0, 0 };
	const uint32_t low = 0x3ff, middle = 0xffc00, high = 0x3ff00000, alpha = 0xc0000000;
	bspscene_pixels got;
	(void)state;
	for (int blue_first = 0; blue_first < 2; blue_first++) {
		uint32_t red = blue_first ? high : low, blue = blue_first ? low : high;
		const dds picture = { RGB | ALPHA_PIXELS, NULL, 32, { red, middle, blue, alpha }, 0, 2, 1, rows, sizeof rows };
		decode(&picture, &got);
		assert_memory_equal(got.data, blue_first ? low_blue : low_red, 8);
		bspscene_pixels_free(&got);
	}
}

/* The picture is smaller than its block, whose two colors are red and blue. If the first of them is the smaller number,
 * the block has three colors and transparent pixels. */
static void blocks(void **state)
{
	static const uint8_t four[8] = { 0x00, 0xf8, 0x1f, 0x00, 0x01, 0x00, 0x00, 0x00 };
	static const uint8_t three[8] = { 0x1f, 0x00, 0x00, 0xf8, 0x03, 0x00, 0x00, 0x00 };
	static const uint8_t alphas[16] = { 0xf0, 0, 0, 0, 0, 0, 0, 0, 0x00, 0xf8, 0x1f, 0x00, 0x01, 0x00, 0x00, 0x00 };
	static const struct { const char *what; dds picture; uint8_t want[8]; } cases[] = {
		{ "DXT1", { FOUR_CC, "DXT1", 0, { 0 }, 0, 2, 1, four, 8 }, { 0, 0, 255, 255, 255, 0, 0, 255 } },
		{ "DXT1, said to be opaque", { FOUR_CC, "DXT1", 0, { 0 }, 0, 2, 1, three, 8 },
		  { 0, 0, 0, 255, 0, 0, 255, 255 } },
		{ "DXT1 with holes", { FOUR_CC | ALPHA_PIXELS, "DXT1", 0, { 0 }, 0, 2, 1, three, 8 },
		  { 0, 0, 0, 0, 0, 0, 255, 255 } },
		{ "DXT3", { FOUR_CC, "DXT3", 0, { 0 }, 0, 2, 1, alphas, 16 }, { 0, 0, 255, 0, 255, 0, 0, 255 } },
		{ "BC2", { FOUR_CC, "DX10", 0, { 0 }, 74, 2, 1, alphas, 16 }, { 0, 0, 255, 0, 255, 0, 0, 255 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t bytes[ROOM];
		bspscene_pixels got;
		bspi_bytes file = bspi_bytes_of(bytes, encode(&cases[i].picture, bytes));
		assert_true(bspi_image_decode(&bspi_system_heap, BSPSCENE_IMAGE_DDS, file, &got, NULL));
		if (memcmp(got.data, cases[i].want, 8)) fail_msg("%s: other pixels", cases[i].what);
		bspscene_pixels_free(&got);
	}
}

static void refused(void **state)
{
	static const struct { dds picture; size_t less; bspscene_status status; const char *message; } cases[] = {
		{ { FOUR_CC, "RXGB", 0, { 0 }, 0, 2, 1, DATA("12345678") }, 0, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		  "DDS: pixel format RXGB is not supported" },
		{ { FOUR_CC, "\1\2\3\4", 0, { 0 }, 0, 2, 1, DATA("12345678") }, 0, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		  "DDS: pixel format ???? is not supported" },
		{ { FOUR_CC, "DX10", 0, { 0 }, 2, 2, 1, DATA("12345678") }, 0, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		  "DDS: DXGI_FORMAT 2 is not supported" },
		{ { RGB, NULL, 32, { 0xf0f, 0xff00, 0xff, 0 }, 0, 2, 1, DATA("12345678") }, 0,
		  BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "DDS: its channel masks are not supported" },
		{ { RGB, NULL, 32, { 0x1ffff, 0, 0, 0 }, 0, 2, 1, DATA("12345678") }, 0, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		  "DDS: its channel masks are not supported" },
		{ { RGB, NULL, 12, { 0xf00, 0xf0, 0xf, 0 }, 0, 2, 1, DATA("12345678") }, 0, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		  "DDS: its channel masks are not supported" },
		{ { RGB, NULL, 24, { 0xff0000, 0xff00, 0xff, 0 }, 0, 2, 1, DATA("123456") }, 1, BSPSCENE_ERROR_BAD_DATA,
		  "DDS: the file ends before the last of its 2 x 1 pixels" },
		{ { RGB, NULL, 24, { 0xff0000, 0xff00, 0xff, 0 }, 0, 0, 1, DATA("123456") }, 0, BSPSCENE_ERROR_LIMIT,
		  "DDS: 0 x 1 pixels are not possible: each side has 1 to 8192" },
		{ { RGB, NULL, 24, { 0xff0000, 0xff00, 0xff, 0 }, 0, 8192, 0x40000001, DATA("123456") }, 0,
		  BSPSCENE_ERROR_LIMIT, "DDS: 8192 x 1073741825 pixels are not possible: each side has 1 to 8192" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t bytes[ROOM];
		bspscene_pixels got;
		bspscene_error error;
		bspi_image_info info;
		bspi_bytes file = bspi_bytes_of(bytes, encode(&cases[i].picture, bytes) - cases[i].less);
		assert_false(bspi_image_check(file, &info, &error));
		assert_int_equal(error.status, cases[i].status);
		assert_string_equal(error.message, cases[i].message);
		assert_false(bspi_image_decode(&bspi_system_heap, BSPSCENE_IMAGE_DDS, file, &got, &error));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pixels), cmocka_unit_test(masks_of_any_width), cmocka_unit_test(ten_bits),
		cmocka_unit_test(blocks), cmocka_unit_test(refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
