/* test_images.c - pictures in every way of storing decode to the same pixels, top row first, and bspscene_image_decode
 * does so for any image of a scene. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <png.h>

#include "images/images.h"
#include "support/make/build_picture.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define DATA(literal) (const uint8_t *)(literal), sizeof(literal) - 1
#define ROWS(literal) (const uint8_t *)(literal)

/* Reads the header and decodes the picture. `want` has the expected RGBA pixels, width x height of them. */
static void expect_pixels(const char *what, bspt_bytes bytes, bspscene_image_format format, uint32_t width,
                          uint32_t height, const uint8_t *want, bool has_alpha, int tolerance)
{
	bspscene_pixels pixels;
	bspscene_error error;
	bspi_image_info info = bspi_image_probe(bspt_view(bytes));
	if (info.format != format || info.width != width || info.height != height || info.has_alpha != has_alpha) {
		fail_msg("%s: probed as %d, %u x %u, alpha %d", what, info.format, info.width, info.height, info.has_alpha);
	}
	bool decoded = bspi_image_decode(&bspi_system_heap, format, bspt_view(bytes), &pixels, &error);
	if (!decoded) fail_msg("%s: %s", what, error.message);
	if (pixels.width != width || pixels.height != height) fail_msg("%s: %u x %u", what, pixels.width, pixels.height);
	for (size_t i = 0; i < (size_t)width * height * 4; i++) {
		if (abs(pixels.data[i] - want[i]) > tolerance) {
			fail_msg("%s: pixel %zu channel %zu is %u instead of %u", what, i / 4, i % 4, pixels.data[i], want[i]);
		}
	}
	if (bspi_pixels_have_alpha(&pixels) && !has_alpha) fail_msg("%s: has alpha", what);
	bspscene_pixels_free(&pixels);
	free(bytes.data);
}

/* The pixels are red, green / blue, white. The last one is half transparent if there is alpha. */
static const uint8_t four[] = { 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255 };
static const uint8_t four_alpha[] = { 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 128 };
/* The pixels are black, dark, light, white. */
static const uint8_t grays[] = { 0, 0, 0, 255, 85, 85, 85, 255, 170, 170, 170, 255, 255, 255, 255, 255 };
static const uint8_t grays_alpha[] = { 0, 0, 0, 255, 85, 85, 85, 255, 170, 170, 170, 255, 255, 255, 255, 128 };
/* The third pixel has the key color, so it is transparent. */
static const uint8_t four_keyed[] = { 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 0, 255, 255, 255, 255 };
static const uint8_t grays_keyed[] = { 0, 0, 0, 255, 85, 85, 85, 255, 170, 170, 170, 0, 255, 255, 255, 255 };

static void png_of_all_kinds(void **state)
{
	(void)state;
	static const uint8_t palette[] = { 255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255 };
	static const struct { const char *what; bspt_png png; const uint8_t *want; bool has_alpha; } cases[] = {
		{ "rgb",
		  { .color_type = PNG_COLOR_TYPE_RGB, .depth = 8, .rows = ROWS("\377\0\0\0\377\0" "\0\0\377\377\377\377") },
		  four, false },
		{ "rgb16", { .color_type = PNG_COLOR_TYPE_RGB, .depth = 16, .rows =
			ROWS("\377\377\0\0\0\0\0\0\377\377\0\0" "\0\0\0\0\377\377\377\377\377\377\377\377") }, four, false },
		{ "rgba", { .color_type = PNG_COLOR_TYPE_RGB_ALPHA, .depth = 8, .rows =
			ROWS("\377\0\0\377\0\377\0\377" "\0\0\377\377\377\377\377\200") }, four_alpha, true },
		{ "rgb keyed",
		  { .color_type = PNG_COLOR_TYPE_RGB, .depth = 8, .rows = ROWS("\377\0\0\0\377\0" "\0\0\377\377\377\377"),
			.alpha = ROWS("\0\0\377"), .alpha_count = 3 }, four_keyed, true },
		{ "gray8", { .color_type = PNG_COLOR_TYPE_GRAY, .depth = 8, .rows = ROWS("\0\125" "\252\377") }, grays, false },
		{ "gray2", { .color_type = PNG_COLOR_TYPE_GRAY, .depth = 2, .rows = ROWS("\020" "\260") }, grays, false },
		{ "gray16", { .color_type = PNG_COLOR_TYPE_GRAY, .depth = 16, .rows = ROWS("\0\0\125\125" "\252\252\377\377") },
		  grays, false },
		{ "gray keyed",
		  { .color_type = PNG_COLOR_TYPE_GRAY, .depth = 8, .rows = ROWS("\0\125" "\252\377"), .alpha = ROWS("\252\0\0"),
			.alpha_count = 1 }, grays_keyed, true },
		{ "gray alpha", { .color_type = PNG_COLOR_TYPE_GRAY_ALPHA, .depth = 8, .rows =
			ROWS("\0\377\125\377" "\252\377\377\200") }, grays_alpha, true },
		{ "palette8",
		  { .color_type = PNG_COLOR_TYPE_PALETTE, .depth = 8, .rows = ROWS("\0\1" "\2\3"), .palette = palette,
			.palette_count = 4 }, four, false },
		{ "palette2",
		  { .color_type = PNG_COLOR_TYPE_PALETTE, .depth = 2, .rows = ROWS("\020" "\260"), .palette = palette,
			.palette_count = 4 }, four, false },
		{ "palette alpha",
		  { .color_type = PNG_COLOR_TYPE_PALETTE, .depth = 4, .rows = ROWS("\001" "\043"), .palette = palette,
			.palette_count = 4, .alpha = ROWS("\377\377\377\200"), .alpha_count = 4 }, four_alpha, true },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		for (int interlaced = 0; interlaced < 2; interlaced++) {
			bspt_png png = cases[i].png;
			png.width = png.height = 2;
			png.interlaced = interlaced;
			expect_pixels(cases[i].what, bspt_encode_png(&png), BSPSCENE_IMAGE_PNG, 2, 2, cases[i].want,
			              cases[i].has_alpha, 0);
		}
	}
}

/* The picture has four areas of 32 x 32, so that subsampled chroma does not mix them. */
static void jpeg_of_all_kinds(void **state)
{
	(void)state;
	enum { SIDE = 64 };
	static uint8_t rgb[SIDE * SIDE * 3], want[SIDE * SIDE * 4], gray[SIDE * SIDE * 4], half[SIDE * SIDE * 4];
	for (size_t i = 0; i < SIDE * SIDE; i++) {
		const uint8_t *color = four + 4 * (i % SIDE / 32 + i / SIDE / 32 * 2);
		memcpy(rgb + 3 * i, color, 3);
		memcpy(want + 4 * i, color, 4);
		int luma = (299 * color[0] + 587 * color[1] + 114 * color[2] + 500) / 1000;
		memset(gray + 4 * i, luma, 3);
		for (size_t c = 0; c < 3; c++) half[4 * i + c] = color[c] / 2;
		half[4 * i + 3] = gray[4 * i + 3] = 255;
	}
	const struct { const char *what; bspt_jpeg_kind kind; const uint8_t *want; } cases[] = {
		{ "color", BSPT_JPEG_COLOR, want }, { "gray", BSPT_JPEG_GRAY, gray },
		{ "cmyk, half black", BSPT_JPEG_CMYK, half },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		expect_pixels(cases[i].what, bspt_encode_jpeg(SIDE, SIDE, cases[i].kind, rgb), BSPSCENE_IMAGE_JPEG, SIDE, SIDE,
		              cases[i].want, false, 6);
	}
	/* The pictures have one column, one row, and one pixel. */
	static const uint32_t sizes[][2] = { { 1, 8 }, { 8, 1 }, { 1, 1 } };
	for (size_t i = 0; i < COUNT(sizes); i++) {
		expect_pixels("narrow", bspt_encode_jpeg(sizes[i][0], sizes[i][1], BSPT_JPEG_COLOR, rgb), BSPSCENE_IMAGE_JPEG,
		              sizes[i][0], sizes[i][1], want, false, 6);
	}
	/* With subsampled chroma, only the middle of an area has exactly the color of the area. */
	static const bspt_jpeg_kind coarse[] = { BSPT_JPEG_HALF_COLOR, BSPT_JPEG_PROGRESSIVE };
	for (size_t i = 0; i < COUNT(coarse); i++) {
		bspt_bytes bytes = bspt_encode_jpeg(SIDE, SIDE, coarse[i], rgb);
		bspscene_pixels pixels;
		assert_true(bspi_image_decode(&bspi_system_heap, BSPSCENE_IMAGE_JPEG, bspt_view(bytes), &pixels, NULL));
		for (uint32_t area = 0; area < 4; area++) {
			const uint8_t *middle = pixels.data + 4 * ((area / 2 * 32 + 16) * SIDE + area % 2 * 32 + 16);
			for (int c = 0; c < 3; c++) assert_true(abs(middle[c] - four[4 * area + (uint32_t)c]) <= 6);
		}
		bspscene_pixels_free(&pixels);
		free(bytes.data);
	}
}

static void tga_of_all_kinds(void **state)
{
	(void)state;
	enum { TOP = 0x20, RIGHT = 0x10 };
	static const uint8_t *map24 = ROWS("\0\0\377\0\377\0\377\0\0\377\377\377");
	static const struct { const char *what; bspt_tga tga; const uint8_t *want; bool has_alpha; } cases[] = {
		{ "bottom up", { .type = 2, .bits = 24, .data = "\377\0\0\377\377\377" "\0\0\377\0\377\0", .size = 12 }, four,
		  false },
		{ "top down",
		  { .type = 2, .bits = 24, .descriptor = TOP, .data = "\0\0\377\0\377\0" "\377\0\0\377\377\377", .size = 12 },
		  four, false },
		{ "right to left",
		  { .type = 2, .bits = 24, .descriptor = TOP | RIGHT, .data = "\0\377\0\0\0\377" "\377\377\377\377\0\0",
		    .size = 12 }, four, false },
		{ "with id",
		  { .type = 2, .bits = 24, .descriptor = TOP, .id_size = 5, .data = "\0\0\377\0\377\0" "\377\0\0\377\377\377",
		    .size = 12 }, four, false },
		{ "32 bits",
		  { .type = 2, .bits = 32, .descriptor = TOP | 8,
		    .data = "\0\0\377\377\0\377\0\377" "\377\0\0\377\377\377\377\200", .size = 16 }, four_alpha, true },
		{ "16 bits", { .type = 2, .bits = 16, .descriptor = TOP, .data = "\0\174\340\3" "\37\0\377\177", .size = 8 },
		  four, false },
		{ "gray", { .type = 3, .bits = 8, .descriptor = TOP, .data = "\0\125\252\377", .size = 4 }, grays, false },
		{ "gray alpha",
		  { .type = 3, .bits = 16, .descriptor = TOP, .data = "\0\377\125\377\252\377\377\200", .size = 8 },
		  grays_alpha, true },
		{ "mapped",
		  { .type = 1, .bits = 8, .descriptor = TOP, .map_count = 4, .map_bits = 24, .data = "\0\1\2\3", .size = 4 },
		  four, false },
		{ "packed, a run over two rows",
		  { .type = 10, .bits = 24, .descriptor = TOP, .data = "\3\0\0\377\0\377\0\377\0\0\377\377\377", .size = 13 },
		  four, false },
		{ "packed runs",
		  { .type = 10, .bits = 32, .descriptor = TOP,
		    .data = "\200\0\0\377\377\200\0\377\0\377" "\1\377\0\0\377\377\377\377\200", .size = 19 },
		  four_alpha, true },
		{ "packed gray", { .type = 11, .bits = 8, .data = "\1\252\377\0\0\0\125", .size = 7 }, grays, false },
		{ "packed mapped",
		  { .type = 9, .bits = 8, .descriptor = TOP, .map_count = 4, .map_bits = 24, .data = "\3\0\1\2\3", .size = 5 },
		  four, false },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_tga tga = cases[i].tga;
		tga.width = tga.height = 2;
		tga.map = map24;
		expect_pixels(cases[i].what, bspt_encode_tga(&tga), BSPSCENE_IMAGE_TGA, 2, 2, cases[i].want, cases[i].has_alpha,
		              0);
	}
}

/* Makes the information header as long as that of version 4 (108 bytes), so that the colors begin later. */
static bspt_bytes bmp_of_version_4(bspt_bytes bmp)
{
	enum { HEADERS = 54, LONGER = 68 };
	bspt_bytes out = { calloc(1, bmp.size + LONGER), bmp.size + LONGER };
	assert_non_null(out.data);
	memcpy(out.data, bmp.data, HEADERS);
	memcpy(out.data + HEADERS + LONGER, bmp.data + HEADERS, bmp.size - HEADERS);
	out.data[10] = (uint8_t)(out.data[10] + LONGER);
	out.data[14] = 40 + LONGER;
	free(bmp.data);
	return out;
}

static void pcx_and_bmp(void **state)
{
	(void)state;
	uint8_t palette[768] = { 255, 0, 0, 0, 255, 0, 0, 0, 255 };
	uint8_t colors[1024] = { 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255, 255, 255 };
	palette[3 * 0xc3] = palette[3 * 0xc3 + 1] = palette[3 * 0xc3 + 2] = 255;
	/* Rows of 2 pixels are padded to 4 bytes. PCX must store values from 0xc0 on as runs. */
	expect_pixels("pcx", bspt_encode_pcx(2, 2, 1, 4, DATA("\0\1\0\0\2\301\303\0\0"), palette), BSPSCENE_IMAGE_PCX, 2, 2,
	              four, false, 0);
	expect_pixels("pcx, a run over rows", bspt_encode_pcx(2, 2, 1, 2, DATA("\0\303\1\2"), palette), BSPSCENE_IMAGE_PCX,
	              2, 2, (const uint8_t[]){ 255, 0, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255 }, false, 0);
	expect_pixels("pcx of three planes",
	              bspt_encode_pcx(2, 2, 3, 2, DATA("\301\377\0\0\301\377\0\0\0\301\377\0\301\377\302\377"), NULL),
	              BSPSCENE_IMAGE_PCX, 2, 2, four, false, 0);
	expect_pixels("bmp",
	              bspt_encode_bmp(2, 2, 24, NULL, 0,
	                              DATA("\377\0\0\377\377\377\0\0"
	                                   "\0\0\377\0\377\0\0\0")),
	              BSPSCENE_IMAGE_BMP, 2, 2, four, false, 0);
	expect_pixels("bmp top down",
	              bspt_encode_bmp(2, -2, 32, NULL, 0,
	                              DATA("\0\0\377\0\0\377\0\0"
	                                   "\377\0\0\0\377\377\377\0")),
	              BSPSCENE_IMAGE_BMP, 2, 2, four, false, 0);
	expect_pixels("bmp 8 bits",
	              bspt_encode_bmp(2, 2, 8, colors, 4,
	                              DATA("\2\3\0\0"
	                                   "\0\1\0\0")),
	              BSPSCENE_IMAGE_BMP, 2, 2, four, false, 0);
	bspt_bytes short_header = bspt_encode_bmp(2, 2, 8, colors, 4, DATA("\2\3\0\0\0\1\0\0"));
	expect_pixels("bmp 8 bits, version 4", bmp_of_version_4(short_header), BSPSCENE_IMAGE_BMP, 2, 2, four, false, 0);

	uint8_t got[768];
	bspt_bytes pcx = bspt_encode_pcx(2, 2, 1, 2, DATA("\0\1\2\3"), palette);
	assert_true(bspi_pcx_palette(bspt_view(pcx), got));
	assert_memory_equal(got, palette, sizeof palette);
	assert_false(bspi_pcx_palette(bspi_bytes_of(pcx.data, 700), got));
	free(pcx.data);
}

static void pictures_are_told_by_their_content(void **state)
{
	(void)state;
	static const struct { const char *bytes; size_t size; bspscene_image_format format; } cases[] = {
		{ "", 0, BSPSCENE_IMAGE_MISSING },
		{ "version https://git-lfs.github.com/spec/v1", 42, BSPSCENE_IMAGE_MISSING },
		{ "<!DOCTYPE html><html><head><title>404", 37, BSPSCENE_IMAGE_MISSING },
		{ "IBSP\x2e\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20, BSPSCENE_IMAGE_MISSING },
		{ "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20, BSPSCENE_IMAGE_MISSING },
		{ "\x89PNG\r\n\x1a\n", 8, BSPSCENE_IMAGE_PNG },
		{ "\xff\xd8\xff\xe0", 4, BSPSCENE_IMAGE_JPEG },
		{ "\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\30\0", 18, BSPSCENE_IMAGE_TGA },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspi_image_info info = bspi_image_probe(bspi_bytes_of(cases[i].bytes, cases[i].size));
		if (info.format != cases[i].format) fail_msg("case %zu: format %d", i, info.format);
	}
}

/* ---- The public call -------------------------------------------------------------------------------------- */

static void a_scene_s_images_decode_whatever_they_are(void **state)
{
	(void)state;
	bspscene_pixels pixels;
	bspscene_error error;
	bspscene_image missing = {
		.name = "textures/gone", .path = "", .format = BSPSCENE_IMAGE_MISSING, .is_checkerboard = true,
	};
	assert_true(bspscene_image_decode(&missing, &pixels, &error));
	assert_int_equal(error.status, BSPSCENE_OK);
	assert_int_equal(pixels.width, 64);
	assert_int_equal(pixels.height, 64);
	assert_memory_equal(pixels.data, "\377\0\377\377", 4);
	assert_memory_equal(pixels.data + 4 * 8, "\0\0\0\377", 4);
	assert_memory_equal(pixels.data + 4 * 8 * 64, "\0\0\0\377", 4);
	bspscene_pixels_free(&pixels);
	assert_null(pixels.data);
	bspscene_pixels_free(&pixels);

	bspscene_image rgba = {
		.name = "wall", .path = "", .format = BSPSCENE_IMAGE_RGBA, .width = 2, .height = 2,
		.data = four_alpha, .size = 16,
	};
	assert_true(bspscene_image_decode(&rgba, &pixels, NULL));
	assert_memory_equal(pixels.data, four_alpha, 16);
	assert_true(bspi_pixels_have_alpha(&pixels));
	bspscene_pixels_free(&pixels);

	bspt_bytes tga = bspt_encode_tga(&(bspt_tga){
		.type = 3, .bits = 8, .width = 2, .height = 2, .descriptor = 0x20, .data = "\0\125\252\377", .size = 4 });
	bspscene_image encoded = {
		.name = "wall", .path = "textures/wall.tga", .format = BSPSCENE_IMAGE_TGA,
		.data = tga.data, .size = tga.size,
	};
	assert_true(bspscene_image_decode(&encoded, &pixels, &error));
	assert_memory_equal(pixels.data, grays, 16);
	bspscene_pixels_free(&pixels);

	/* Messages name the file, or the texture if there is no file. */
	encoded.format = BSPSCENE_IMAGE_PNG;
	assert_false(bspscene_image_decode(&encoded, &pixels, &error));
	assert_string_equal(error.message, "textures/wall.tga: is not a PNG picture");
	encoded.data = NULL;
	assert_false(bspscene_image_decode(&encoded, &pixels, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_NOT_FOUND);
	rgba.size = 15;
	assert_false(bspscene_image_decode(&rgba, &pixels, &error));
	assert_string_equal(error.message, "wall: 2 x 2 pixels do not fit into 15 bytes: the file is damaged");
	rgba.width = 0;
	assert_false(bspscene_image_decode(&rgba, &pixels, &error));
	free(tga.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(png_of_all_kinds),
		cmocka_unit_test(jpeg_of_all_kinds),
		cmocka_unit_test(tga_of_all_kinds),
		cmocka_unit_test(pcx_and_bmp),
		cmocka_unit_test(pictures_are_told_by_their_content),
		cmocka_unit_test(a_scene_s_images_decode_whatever_they_are),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
