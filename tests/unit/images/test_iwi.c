/* test_iwi.c - Call of Duty's IWi pictures decode to their largest level, which is the last in the file; unsupported or
 * inconsistent files are refused with a reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "images/images.h"

#define DATA(literal) (const uint8_t *)(literal), sizeof(literal) - 1

enum { ROOM = 256, HEADER = 28, SMALLER = 5, CUBE = 4 };

typedef struct iwi {
	uint8_t version, kind, use;
	uint16_t width, height;
	const uint8_t *level; size_t size;
} iwi;

/* Writes a picture. Smaller levels come before the largest. */
static size_t encode(const iwi *w, uint8_t out[ROOM])
{
	const uint8_t header[12] = {
		'I', 'W', 'i', w->version, w->kind, w->use, (uint8_t)w->width, (uint8_t)(w->width >> 8), (uint8_t)w->height,
		(uint8_t)(w->height >> 8), 1, 0,
	};
	memset(out, 0xee, ROOM);
	memcpy(out, header, sizeof header);
	memcpy(out + HEADER + SMALLER, w->level, w->size);
	return HEADER + SMALLER + w->size;
}

static void pixels(void **state)
{
	static const struct { const char *what; iwi picture; uint8_t want[8]; bool has_alpha; } cases[] = {
		{ "argb", { 5, 1, 0, 2, 1, DATA("\0\0\377\377\377\377\0\200") }, { 255, 0, 0, 255, 0, 255, 255, 128 }, true },
		{ "rgb", { 6, 2, 0, 2, 1, DATA("\0\0\377\377\377\0") }, { 255, 0, 0, 255, 0, 255, 255, 255 }, false },
		{ "gray alpha", { 6, 3, 0, 2, 1, DATA("\21\377\42\200") }, { 17, 17, 17, 255, 34, 34, 34, 128 }, true },
		{ "alpha", { 5, 4, 0, 2, 1, DATA("\21\42") }, { 0, 0, 0, 17, 0, 0, 0, 34 }, true },
		{ "the first face of a cube", { 6, 4, CUBE, 2, 1, DATA("\21\42cccccccccc") },
		  { 0, 0, 0, 17, 0, 0, 0, 34 }, true },
		{ "DXT1", { 5, 11, 0, 2, 1, DATA("\0\370\37\0\1\0\0\0") }, { 0, 0, 255, 255, 255, 0, 0, 255 }, true },
		{ "DXT3", { 5, 12, 0, 2, 1, DATA("\360\0\0\0\0\0\0\0\0\370\37\0\1\0\0\0") },
		  { 0, 0, 255, 0, 255, 0, 0, 255 }, true },
		{ "DXT5", { 6, 13, 0, 2, 1, DATA("\377\0\1\0\0\0\0\0\0\370\37\0\1\0\0\0") },
		  { 0, 0, 255, 0, 255, 0, 0, 255 }, true },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t bytes[ROOM];
		bspscene_pixels got;
		bspscene_error error;
		bspi_bytes file = bspi_bytes_of(bytes, encode(&cases[i].picture, bytes));
		bspi_image_info info = bspi_image_probe(file);
		assert_true(info.format == BSPSCENE_IMAGE_IWI && info.width == 2 && info.height == 1);
		assert_int_equal(info.has_alpha, cases[i].has_alpha);
		if (!bspi_image_decode(&bspi_system_heap, info.format, file, &got, &error)) {
			fail_msg("%s: %s", cases[i].what, error.message);
		}
		if (memcmp(got.data, cases[i].want, 8)) fail_msg("%s: other pixels", cases[i].what);
		bspscene_pixels_free(&got);
	}
}

static void refused(void **state)
{
	static const struct { iwi picture; size_t less; bspscene_status status; const char *message;
	} cases[] = {
		{ { 13, 1, 0, 2, 1, DATA("12345678") },
		  0,
		  BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		  "IWi: version 13 is not supported" },
		{ { 6, 7, 0, 2, 1, DATA("12345678") },
		  0,
		  BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		  "IWi: pixel format 7 is not supported" },
		{ { 6, 1, 0, 2, 1, DATA("12345678") },
		  SMALLER + 1,
		  BSPSCENE_ERROR_BAD_DATA,
		  "IWi: the file ends before the last of its 2 x 1 pixels" },
		{ { 6, 4, CUBE, 2, 1, DATA("123456") },
		  0,
		  BSPSCENE_ERROR_BAD_DATA,
		  "IWi: the file ends before the last of its 2 x 1 pixels" },
		{ { 6, 1, 0, 0, 1, DATA("12345678") },
		  0,
		  BSPSCENE_ERROR_LIMIT,
		  "IWi: 0 x 1 pixels are not possible: each side has 1 to 8192" },
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
		assert_false(bspi_image_decode(&bspi_system_heap, BSPSCENE_IMAGE_IWI, file, &got, &error));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(pixels), cmocka_unit_test(refused) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
