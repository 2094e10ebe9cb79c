/* test_image_damage.c - files with a wrong size or type are refused with a reason before memory is allocated. Truncated
 * or changed files do no harm, and a JPEG shows its intact part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <png.h>

#include "images/images.h"
#include "support/make/build_picture.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define DATA(literal) (const uint8_t *)(literal), sizeof(literal) - 1
#define ROWS(literal) (const uint8_t *)(literal)

/* Engines show the intact part of a damaged JPEG, and so does the library, even if little more than the header is
 * left. */
static void half_a_jpeg_is_half_a_picture(void **state)
{
	(void)state;
	static uint8_t rgb[64 * 64 * 3];
	for (size_t i = 0; i < COUNT(rgb); i++) rgb[i] = (uint8_t)(i % 3 == 0 ? 255 : (i * 7919) & 63);
	bspt_bytes bytes = bspt_encode_jpeg(64, 64, BSPT_JPEG_COLOR, rgb);
	bspscene_pixels pixels;
	bspscene_error error;
	bytes.size = bytes.size * 2 / 3;
	bool decoded = bspi_image_decode(&bspi_system_heap, BSPSCENE_IMAGE_JPEG, bspt_view(bytes), &pixels, &error);
	if (!decoded) fail_msg("%s", error.message);
	const uint8_t *first = pixels.data, *last = pixels.data + 4 * 64 * 63;
	assert_true(first[0] > 200 && first[1] < 100);
	assert_true(abs(last[0] - last[1]) < 10 && last[3] == 255);
	bspscene_pixels_free(&pixels);
	free(bytes.data);

	/* This file makes TurboJPEG report a warning and then an error, without decoding anything. After the warning,
	 * TurboJPEG calls the error a warning, too. The library must still treat it as an error. */
	char path[600];
	snprintf(path, sizeof path, "%s/fuzz/images/corpus/jpeg_error_after_warning.jpg", BSPT_SOURCE_DIR);
	bytes = bspt_read_file(path);
	assert_false(bspi_image_decode(&bspi_system_heap, BSPSCENE_IMAGE_JPEG, bspt_view(bytes), &pixels, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_DATA);
	free(bytes.data);
}

/* A load that does not decode images can still detect broken ones. */
static void most_damage_is_found_without_decoding(void **state)
{
	(void)state;
	static uint8_t rgb[64 * 64 * 3];
	static const bspt_tga tga = { .type = 10, .bits = 24, .width = 2, .height = 2, .data = "\203\1\2\3", .size = 4 };
	const struct { bspt_bytes bytes; bool shown_in_part; } cases[] = {
		{ bspt_lying_png(1, 1), false }, { bspt_encode_tga(&tga), false },
		{ bspt_encode_jpeg(64, 64, BSPT_JPEG_COLOR, rgb), true },
		{ bspt_encode_bmp(2, 2, 24, NULL, 0, DATA("abcdef\0\0abcdef\0\0")), false },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_bytes bytes = cases[i].bytes;
		bspi_image_info info;
		bspscene_error error;
		if (!bspi_image_check(bspt_view(bytes), &info, &error)) fail_msg("%s", error.message);
		assert_false(info.damaged);
		bytes.size -= info.format == BSPSCENE_IMAGE_PNG ? 20 : 1;  /* the last chunk of a PNG is not needed */
		bool ok = bspi_image_check(bspt_view(bytes), &info, &error);
		assert_int_equal(ok, cases[i].shown_in_part);
		assert_int_equal(ok && info.damaged, cases[i].shown_in_part);
		free(bytes.data);
	}
	bspt_bytes png = bspt_lying_png(1, 1);
	png.size -= 5;                     /* cut in the last chunk */
	bspi_image_info info;
	bspscene_pixels pixels;
	assert_true(bspi_image_check(bspt_view(png), &info, NULL));
	assert_true(bspi_image_decode(&bspi_system_heap, BSPSCENE_IMAGE_PNG, bspt_view(png), &pixels, NULL));
	bspscene_pixels_free(&pixels);
	png.size = 33;                     /* only the header is left */
	assert_false(bspi_image_check(bspt_view(png), &info, NULL));
	free(png.data);
	assert_false(bspi_image_check(BSPI_NO_BYTES, &info, NULL));
}

static void what_is_wrong_is_said_in_words(void **state)
{
	(void)state;
	static const uint8_t rgb[8 * 8 * 3];
	bspt_bytes jpeg = bspt_encode_jpeg(8, 8, BSPT_JPEG_COLOR, rgb),
	           huge_jpeg = bspt_encode_jpeg(8, 8, BSPT_JPEG_COLOR, rgb);
	bspt_bytes png = bspt_lying_png(1, 1), bad_png = bspt_lying_png(1, 1), cut_png = bspt_lying_png(1, 1);
	bad_png.data[45] ^= 0xff;          /* changes a pixel, so that the checksum is wrong */
	cut_png.size = 50;
	for (uint8_t *p = huge_jpeg.data; p < huge_jpeg.data + huge_jpeg.size - 9; p++) {
		if (p[0] == 0xff && p[1] == 0xc0) memcpy(p + 5, "\x20\0\x20\0", 4);
	}
	static const bspt_tga tga = { .type = 2, .bits = 24, .width = 2, .height = 2, .data = "\1\2\3", .size = 3 };
	static const bspt_tga packed = {
		.type = 10, .bits = 24, .width = 20, .height = 20, .data = "\377\1\2\3\177\1", .size = 6,
	};
	static const bspt_tga shifted = {
		.type = 1, .bits = 8, .width = 1, .height = 1, .map_first = 16, .map_count = 1, .map_bits = 24,
		.map = "\1\2\3", .data = "\20", .size = 1,
	};
	static const bspt_tga wide = { .type = 2, .bits = 24, .width = 8193, .height = 1, .data = "", .size = 0 };
	static const uint8_t palette[768];
	const struct {
		bspscene_image_format format;
		bspt_bytes bytes;
		bspscene_status status;
		const char *words;
	} cases[] = {
		{ BSPSCENE_IMAGE_PNG, jpeg, BSPSCENE_ERROR_UNKNOWN_FORMAT, "is not a PNG picture" },
		{ BSPSCENE_IMAGE_JPEG, png, BSPSCENE_ERROR_UNKNOWN_FORMAT, "is not a JPEG picture" },
		{ BSPSCENE_IMAGE_PNG, bad_png, BSPSCENE_ERROR_BAD_DATA, "PNG: " },
		{ BSPSCENE_IMAGE_PNG, cut_png, BSPSCENE_ERROR_BAD_DATA, "PNG: the file ends early" },
		{ BSPSCENE_IMAGE_PNG, bspt_lying_png(8192, 8192), BSPSCENE_ERROR_BAD_DATA,
		  "PNG: 8192 x 8192 pixels do not fit into" },
		{ BSPSCENE_IMAGE_PNG, bspt_lying_png(8193, 1), BSPSCENE_ERROR_LIMIT,
		  "PNG: 8193 x 1 pixels are not possible: each side has 1 to 8192" },
		{ BSPSCENE_IMAGE_JPEG, huge_jpeg, BSPSCENE_ERROR_BAD_DATA, "JPEG: 8192 x 8192 pixels do not fit into" },
		{ BSPSCENE_IMAGE_JPEG, { (uint8_t *)(uintptr_t)"\xff\xd8\xff\xe0", 4 }, BSPSCENE_ERROR_BAD_HEADER, "JPEG: " },
		{ BSPSCENE_IMAGE_TGA, bspt_encode_tga(&tga), BSPSCENE_ERROR_BAD_DATA,
		  "TGA: 2 x 2 pixels, but the file ends after 1 of them" },
		{ BSPSCENE_IMAGE_TGA, bspt_encode_tga(&packed), BSPSCENE_ERROR_BAD_DATA,
		  "TGA: 20 x 20 pixels, but the file ends after 128 of them" },
		{ BSPSCENE_IMAGE_TGA, bspt_encode_tga(&shifted), BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		  "TGA: a color map that begins at entry 16 is not supported" },
		{ BSPSCENE_IMAGE_TGA, bspt_encode_tga(&wide), BSPSCENE_ERROR_LIMIT,
		  "TGA: 8193 x 1 pixels are not possible: each side has 1 to 8192" },
		{ BSPSCENE_IMAGE_PCX, bspt_encode_pcx(2, 2, 1, 2, DATA("\0\1"), palette), BSPSCENE_ERROR_BAD_DATA,
		  "PCX: 2 x 2 pixels, but the file ends after 2 of 4 bytes" },
		{ BSPSCENE_IMAGE_PCX, bspt_encode_pcx(2, 2, 1, 2, DATA("\0\1\2\3"), NULL), BSPSCENE_ERROR_BAD_DATA,
		  "PCX: the palette is missing" },
		{ BSPSCENE_IMAGE_PCX, bspt_encode_pcx(4, 1, 1, 2, DATA("\0\1\2\3"), palette), BSPSCENE_ERROR_BAD_HEADER,
		  "PCX: rows of 2 bytes do not fit 4 pixels" },
		{ BSPSCENE_IMAGE_PCX, bspt_encode_pcx(2, 2, 4, 2, DATA("\0\1\2\3"), palette), BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		  "PCX: 4 planes of 8 bits are not supported" },
		{ BSPSCENE_IMAGE_PCX, bspt_encode_pcx(8192, 8192, 1, 8192, DATA("\0"), palette), BSPSCENE_ERROR_BAD_DATA,
		  "PCX: 8192 x 8192 pixels, but the file ends after 1 of 67108864 bytes" },
		{ BSPSCENE_IMAGE_BMP, bspt_encode_bmp(2, 2, 24, NULL, 0, DATA("\0")), BSPSCENE_ERROR_BAD_DATA,
		  "BMP: the file ends before the last of its 2 x 2 pixels" },
		{ BSPSCENE_IMAGE_BMP, bspt_encode_bmp(2, 2, 4, NULL, 0, DATA("\0")), BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
		  "BMP: 4 bits with compression 0 are not supported" },
		{ BSPSCENE_IMAGE_BMP, bspt_encode_bmp(INT32_MAX, INT32_MIN, 32, NULL, 0, DATA("\0")), BSPSCENE_ERROR_LIMIT,
		  "BMP: 2147483647 x 2147483648 pixels" },
		{ BSPSCENE_IMAGE_VTF, { (uint8_t *)(uintptr_t)"VTF", 4 }, BSPSCENE_ERROR_UNKNOWN_FORMAT,
		  "is not a VTF picture" },
		{ BSPSCENE_IMAGE_MISSING, { (uint8_t *)(uintptr_t)"", 0 }, BSPSCENE_ERROR_UNKNOWN_FORMAT,
		  "it is not a picture of a known format" },
	};
	bspt_heap_reset_peak();
	size_t before = bspt_heap_now();
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspscene_pixels pixels = { .width = 1, .height = 1, .data = (uint8_t *)(uintptr_t)"" };
		bspscene_error error;
		if (bspi_image_decode(&bspi_system_heap, cases[i].format, bspt_view(cases[i].bytes), &pixels, &error)) {
			fail_msg("decoded, instead of: %s", cases[i].words);
		}
		if (error.status != cases[i].status || !strstr(error.message, cases[i].words)) {
			fail_msg("%s \"%s\" instead of \"%s\"", bspscene_status_name(error.status), error.message, cases[i].words);
		}
		assert_null(pixels.data);
		assert_false(bspi_image_decode(&bspi_system_heap, cases[i].format, bspt_view(cases[i].bytes), &pixels, NULL));
	}
	if (bspt_heap_known()) assert_true(bspt_heap_peak() - before < 4 << 20);
	for (size_t i = 0; i < COUNT(cases); i++) {
		if (cases[i].bytes.size > 4) free(cases[i].bytes.data);
	}
}

static void try_picture(bspt_guard *guard, bspscene_image_format format, const uint8_t *data, size_t size)
{
	bspscene_pixels pixels;
	bspscene_error error = { 0 };
	bspi_bytes bytes = bspi_bytes_of(bspt_guard_place(guard, data, size), size);
	bspi_image_probe(bytes);
	if (bspi_image_decode(&bspi_system_heap, format, bytes, &pixels, &error)) {
		assert_true(pixels.width >= 1 && pixels.width <= 8192 && pixels.height >= 1 && pixels.height <= 8192 &&
		            pixels.data);
		/* Reads every pixel, so that memory checkers detect unwritten ones. */
		bspi_pixels_have_alpha(&pixels);
	} else {
		assert_true(error.status != BSPSCENE_OK && error.message[0] && !pixels.data);
	}
	bspscene_pixels_free(&pixels);
}

static void pictures_cut_or_changed_anywhere_do_no_harm(void **state)
{
	(void)state;
	static const uint8_t rgb[16 * 16 * 3], palette[768];
	static const bspt_tga packed = {
		.type = 9, .bits = 8, .width = 3, .height = 2, .map_count = 4, .map_bits = 24, .map = "abcdefghijkl",
		.data = "\2\1\2\3\202\1", .size = 6,
	};
	static const bspt_tga plain = {
		.type = 2, .bits = 16, .width = 3, .height = 2, .descriptor = 0x30, .data = "abcdefghijkl", .size = 12,
	};
	static const bspt_png png = {
		.width = 3, .height = 2, .color_type = PNG_COLOR_TYPE_PALETTE, .depth = 8, .interlaced = true,
		.rows = ROWS("\0\1\2\3\0\1"), .palette = ROWS("abcdefghijkl"), .palette_count = 4,
		.alpha = ROWS("ab"), .alpha_count = 2,
	};
	const struct { bspscene_image_format format; bspt_bytes bytes; } cases[] = {
		{ BSPSCENE_IMAGE_PNG, bspt_encode_png(&png) },
		{ BSPSCENE_IMAGE_JPEG, bspt_encode_jpeg(16, 16, BSPT_JPEG_HALF_COLOR, rgb) },
		{ BSPSCENE_IMAGE_TGA, bspt_encode_tga(&packed) }, { BSPSCENE_IMAGE_TGA, bspt_encode_tga(&plain) },
		{ BSPSCENE_IMAGE_PCX, bspt_encode_pcx(3, 2, 1, 4, DATA("\302\1\2\3\302\7\1\1"), palette) },
		{ BSPSCENE_IMAGE_BMP, bspt_encode_bmp(3, 2, 24, NULL, 0, DATA("abcdefghi\0\0\0abcdefghi\0\0\0")) },
	};
	static const uint8_t changes[] = { 0x01, 0x80, 0xff };
	bspt_guard guard = bspt_guard_make(4096);
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_bytes bytes = cases[i].bytes;
		for (size_t size = 0; size <= bytes.size; size++) try_picture(&guard, cases[i].format, bytes.data, size);
		for (size_t at = 0; at < bytes.size; at++) {
			for (size_t change = 0; change < COUNT(changes); change++) {
				bytes.data[at] ^= changes[change];
				try_picture(&guard, cases[i].format, bytes.data, bytes.size);
				bytes.data[at] ^= changes[change];
			}
		}
		free(bytes.data);
	}
	bspt_guard_free(&guard);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_a_jpeg_is_half_a_picture),
		cmocka_unit_test(most_damage_is_found_without_decoding),
		cmocka_unit_test(what_is_wrong_is_said_in_words),
		cmocka_unit_test(pictures_cut_or_changed_anywhere_do_no_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
