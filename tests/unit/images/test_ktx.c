/* test_ktx.c - QFusion's KTX pictures decode to their pixels: every format of bytes and shorts, both byte orders,
 * compressed blocks. Inconsistent files are refused with a reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "images/images.h"

#define DATA(literal) (const uint8_t *)(literal), sizeof(literal) - 1
#define BYTES 0x1401u

enum { HEADER = 64, ROOM = 256 };

typedef struct ktx {
	/* If the pixels are compressed, `type` is 0 and `format` is the internal format. */
	uint32_t type, format, width, height;
	const uint8_t *rows; size_t size;
	uint32_t depth, layers, key_values;
	bool big_endian;
} ktx;

static void put(uint8_t *out, uint32_t value, bool big_endian)
{
	for (int i = 0; i < 4; i++) out[i] = (uint8_t)(value >> 8 * (big_endian ? 3 - i : i));
}

static size_t encode(const ktx *k, uint8_t out[ROOM])
{
	const uint32_t numbers[13] = {
		0x04030201, k->type, 1, k->type ? k->format : 0, k->format, k->format, k->width, k->height, k->depth, k->layers,
		1, 1, k->key_values,
	};
	memcpy(out, "\253KTX 11\273\r\n\032\n", 12);
	for (int i = 0; i < 13; i++) put(out + 12 + 4 * i, numbers[i], k->big_endian);
	uint32_t at = HEADER + (k->key_values < 16 ? k->key_values : 0);
	memset(out + HEADER, 0xee, at - HEADER);
	put(out + at, (uint32_t)k->size, k->big_endian);
	memcpy(out + at + 4, k->rows, k->size);
	return at + 4 + k->size;
}

/* Rows of two pixels with three bytes each are padded to eight bytes. */
static void arrangements(void **state)
{
	static const uint8_t half[8] = { 255, 0, 0, 255, 0, 255, 255, 128 };
	static const uint8_t solid[8] = { 255, 0, 0, 255, 0, 255, 255, 255 };
	static const uint8_t grays[8] = { 17, 17, 17, 255, 34, 34, 34, 128 };
	static const uint8_t light[8] = { 17, 17, 17, 255, 34, 34, 34, 255 };
	static const uint8_t alpha[8] = { 0, 0, 0, 17, 0, 0, 0, 34 };
	static const uint8_t shorts[8] = { 255, 0, 0, 255, 0, 255, 255, 0 };
	static const struct { const char *what; ktx picture; const uint8_t *want; bool has_alpha; } cases[] = {
		{ "rgba", { BYTES, 0x1908, 2, 1, DATA("\377\0\0\377\0\377\377\200"), 0, 0, 0, false }, half, true },
		{ "bgra", { BYTES, 0x80e1, 2, 1, DATA("\0\0\377\377\377\377\0\200"), 0, 0, 0, false }, half, true },
		{ "rgb", { BYTES, 0x1907, 2, 1, DATA("\377\0\0\0\377\377\0\0"), 0, 0, 0, false }, solid, false },
		{ "bgr", { BYTES, 0x80e0, 2, 1, DATA("\0\0\377\377\377\0\0\0"), 0, 0, 0, false }, solid, false },
		{ "gray alpha", { BYTES, 0x190a, 2, 1, DATA("\21\377\42\200"), 0, 0, 0, false }, grays, true },
		{ "gray", { BYTES, 0x1909, 2, 1, DATA("\21\42\0\0"), 0, 0, 0, false }, light, false },
		{ "alpha", { BYTES, 0x1906, 2, 1, DATA("\21\42\0\0"), 0, 0, 0, false }, alpha, true },
		{ "4444", { 0x8033, 0x1908, 2, 1, DATA("\17\360\360\17"), 0, 0, 0, false }, shorts, true },
		{ "5551", { 0x8034, 0x1908, 2, 1, DATA("\1\370\376\7"), 0, 0, 0, false }, shorts, true },
		{ "565", { 0x8363, 0x1907, 2, 1, DATA("\0\370\377\7"), 0, 0, 0, false }, solid, false },
		{ "565 of the other order", { 0x8363, 0x1907, 2, 1, DATA("\370\0\7\377"), 0, 0, 0, true }, solid, false },
		{ "rgba of the other order", { BYTES, 0x1908, 2, 1, DATA("\377\0\0\377\0\377\377\200"), 0, 0, 0, true }, half,
		  true },
		{ "behind keys", { BYTES, 0x1908, 2, 1, DATA("\377\0\0\377\0\377\377\200"), 0, 0, 12, false }, half, true },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t bytes[ROOM];
		bspscene_pixels pixels;
		bspscene_error error;
		bspi_bytes file = bspi_bytes_of(bytes, encode(&cases[i].picture, bytes));
		bspi_image_info info = bspi_image_probe(file);
		assert_true(info.format == BSPSCENE_IMAGE_KTX && info.width == 2 && info.height == 1);
		assert_int_equal(info.has_alpha, cases[i].has_alpha);
		bool decoded = bspi_image_decode(&bspi_system_heap, info.format, file, &pixels, &error);
		if (!decoded) fail_msg("%s: %s", cases[i].what, error.message);
		if (memcmp(pixels.data, cases[i].want, 8)) fail_msg("%s: other pixels", cases[i].what);
		bspscene_pixels_free(&pixels);
	}
}

/* The picture has two blocks next to each other, of which the second is cut off at the edge. */
static void etc1_blocks(void **state)
{
	/* A block in individual mode. It stores each color with four bits, divides the block into a left and a right half,
	 * and uses table 0. The colors are 0x11 and 0xee. The first pixel is two steps below its color, and all others are
	 * one step above theirs. */
	static const uint8_t sides[8] = { 0x1e, 0x1e, 0x1e, 0x00, 0x00, 0x01, 0x00, 0x01 };
	/* A block in differential mode. It stores the first color with five bits, and the second one as a difference of -1.
	 * It divides the block into an upper and a lower half, and uses tables 1 and 7. All pixels are one step above their
	 * color. */
	static const uint8_t rows[8] = { 0x87, 0x87, 0x87, 0x3f, 0x00, 0x00, 0x00, 0x00 };
	static const struct { uint32_t x, y; uint8_t gray; } cases[] = {
		{ 0, 0, 0x11 - 8 }, { 1, 0, 0x11 + 2 }, { 0, 1, 0x11 + 2 }, { 2, 0, 0xee + 2 }, { 3, 3, 0xee + 2 },
		{ 4, 0, 132 + 5 }, { 5, 1, 132 + 5 }, { 4, 2, 123 + 47 }, { 5, 3, 123 + 47 },
	};
	uint8_t blocks[16], bytes[ROOM];
	bspscene_pixels pixels;
	(void)state;
	memcpy(blocks, sides, 8);
	memcpy(blocks + 8, rows, 8);
	const ktx picture = { 0, 0x8d64, 6, 4, blocks, 16, 0, 0, 0, false };
	bspi_bytes file = bspi_bytes_of(bytes, encode(&picture, bytes));
	assert_true(bspi_image_decode(&bspi_system_heap, BSPSCENE_IMAGE_KTX, file, &pixels, NULL));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const uint8_t *got = pixels.data + 4 * (cases[i].y * 6 + cases[i].x);
		if (got[0] != cases[i].gray || got[1] != got[0] || got[2] != got[0] || got[3] != 255) {
			fail_msg("%u, %u: %u %u %u %u instead of %u", cases[i].x, cases[i].y, got[0], got[1], got[2], got[3],
			         cases[i].gray);
		}
	}
	bspscene_pixels_free(&pixels);
}

/* The block has the colors red and blue, and two colors between them. The first pixel is blue. */
static void s3tc_blocks(void **state)
{
	static const uint8_t block[8] = { 0x00, 0xf8, 0x1f, 0x00, 0x01, 0x00, 0x00, 0x00 };
	uint8_t bytes[ROOM];
	bspscene_pixels pixels;
	(void)state;
	const ktx picture = { 0, 0x83f0, 2, 1, block, 8, 0, 0, 0, false };
	bspi_bytes file = bspi_bytes_of(bytes, encode(&picture, bytes));
	assert_true(bspi_image_decode(&bspi_system_heap, BSPSCENE_IMAGE_KTX, file, &pixels, NULL));
	assert_memory_equal(pixels.data, ((const uint8_t[]){ 0, 0, 255, 255, 255, 0, 0, 255 }), 8);
	bspscene_pixels_free(&pixels);
}

static void refused(void **state)
{
	static const uint8_t row[8];
	static const struct { ktx picture; size_t less; bspscene_status status; const char *message; } cases[] = {
		{ { BYTES, 0x1908, 2, 1, row, 8, 0, 0, 0, false }, 1, BSPSCENE_ERROR_BAD_DATA,
		  "KTX: the file ends before the last of its 2 x 1 pixels" },
		{ { BYTES, 0x1908, 2, 1, row, 8, 0, 0, 0xfffffff0, false }, 0, BSPSCENE_ERROR_BAD_DATA,
		  "KTX: the file ends before the last of its 2 x 1 pixels" },
		{ { BYTES, 0x1908, 0, 1, row, 8, 0, 0, 0, false }, 0, BSPSCENE_ERROR_LIMIT,
		  "KTX: 0 x 1 pixels are not possible: each side has 1 to 8192" },
		{ { BYTES, 0x1908, UINT32_MAX, 1, row, 8, 0, 0, 0, false }, 0, BSPSCENE_ERROR_LIMIT,
		  "KTX: 4294967295 x 1 pixels are not possible: each side has 1 to 8192" },
		{ { BYTES, 0x1908, 2, 1, row, 8, 2, 0, 0, false }, 0, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		  "KTX: OpenGL type 0x1401 with format 0x1908, depth 2 and 0 layers is not supported" },
		{ { BYTES, 0x1908, 2, 1, row, 8, 0, 3, 0, false }, 0, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		  "KTX: OpenGL type 0x1401 with format 0x1908, depth 0 and 3 layers is not supported" },
		{ { 0, 0x9278, 2, 1, row, 8, 0, 0, 0, false }, 0, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		  "KTX: OpenGL type 0x0 with format 0x9278, depth 0 and 0 layers is not supported" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t bytes[ROOM];
		bspscene_error error;
		bspscene_pixels pixels;
		bspi_bytes file = bspi_bytes_of(bytes, encode(&cases[i].picture, bytes) - cases[i].less);
		assert_false(bspi_image_decode(&bspi_system_heap, BSPSCENE_IMAGE_KTX, file, &pixels, &error));
		assert_int_equal(error.status, cases[i].status);
		assert_string_equal(error.message, cases[i].message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arrangements), cmocka_unit_test(etc1_blocks), cmocka_unit_test(s3tc_blocks),
		cmocka_unit_test(refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
