/* test_png.c - PNG files hold exactly the pixels that were given, whoever decodes them, and a full disk is an error.
 * libpng's own reader is the judge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <png.h>

#include <bspscene/bspscene.h>

#include "images/write/png_rows.h"
#include "images/write/write.h"
#include "support/buffer.h"
#include "support/make/sample_scene.h"

static uint8_t *random_pixels(size_t size, uint32_t seed)
{
	uint8_t *pixels = malloc(size);
	assert_non_null(pixels);
	for (size_t i = 0; i < size; i++) {
		seed = seed * 1664525u + 1013904223u;
		/* Runs and noise, as lightmaps have both. */
		pixels[i] = seed >> 28 ? (uint8_t)(i / 7) : (uint8_t)(seed >> 16);
	}
	return pixels;
}

static uint8_t *decode(const bspt_buffer *file, uint32_t width, uint32_t height, uint32_t channels)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	assert_true(png_image_begin_read_from_memory(&image, file->data, file->size));
	assert_int_equal(image.width, width);
	assert_int_equal(image.height, height);
	assert_int_equal(image.format, channels == 4 ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB);
	uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
	assert_non_null(pixels);
	assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
	return pixels;
}

static const struct { uint32_t width, height, channels; } sizes[] = {
	{ 1, 1, 3 }, { 1, 1, 4 }, { 4, 4, 3 }, { 3, 257, 4 }, { 1021, 5, 3 }, { 260, 380, 3 }, { 512, 512, 4 },
};

static void test_pixels_survive(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		size_t size = (size_t)sizes[i].width * sizes[i].height * sizes[i].channels;
		uint8_t *pixels = random_pixels(size, (uint32_t)i);
		bspt_buffer file = BSPT_BUFFER;
		bspscene_error error = { .status = BSPSCENE_ERROR_IO };
		assert_true(bspscene_write_png(sizes[i].width, sizes[i].height, sizes[i].channels, pixels, bspt_buffer_write,
		                               &file, &error));
		assert_int_equal(error.status, BSPSCENE_OK);
		uint8_t *decoded = decode(&file, sizes[i].width, sizes[i].height, sizes[i].channels);
		assert_memory_equal(pixels, decoded, size);
		free(decoded);
		free(pixels);
		bspt_buffer_free(&file);
	}
}

static void test_pages(void **state)
{
	static const struct { bspscene_lightmap_page_format format; uint32_t channels; } cases[] = {
		{ BSPSCENE_LIGHTMAP_PAGE_RGB8, 3 }, { BSPSCENE_LIGHTMAP_PAGE_RAW32, 4 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (int black = 0; black < 2; black++) {
			size_t size = (size_t)20 * 12 * cases[i].channels;
			uint8_t *pixels = black ? calloc(1, size) : random_pixels(size, 9);
			bspscene_lightmap_page page = { 20, 12, cases[i].format, black ? NULL : pixels };
			bspt_buffer file = BSPT_BUFFER;
			assert_string_equal(bspscene_lightmap_page_extension(&page), "png");
			assert_true(bspscene_write_lightmap_page(&page, bspt_buffer_write, &file, NULL));
			uint8_t *decoded = decode(&file, 20, 12, cases[i].channels);
			assert_memory_equal(pixels, decoded, size);
			free(decoded);
			free(pixels);
			bspt_buffer_free(&file);
		}
	}
}

typedef enum content { NOISE, ONE_COLOR, FEW_COLORS, TOO_MANY, HOLES, GRAYS, BLACK } content;

/* Pixels of so many colors at least, in no order. */
static void fill_with(content kind, uint8_t *pixels, size_t count, uint32_t channels)
{
	static const uint32_t colors[] = { [FEW_COLORS] = 256, [TOO_MANY] = 257, [HOLES] = 9, [GRAYS] = 256 };
	uint32_t seed = 77;
	for (size_t i = 0; i < count; i++) {
		seed = seed * 1664525u + 1013904223u;
		uint32_t which = kind == ONE_COLOR ? 5 : kind == NOISE ? seed >> 8 : (seed >> 8) % colors[kind];
		if (i < 257 && kind != ONE_COLOR && kind != NOISE) which = (uint32_t)i % colors[kind];
		uint8_t *pixel = pixels + i * channels;
		pixel[0] = (uint8_t)which;
		pixel[1] = kind == GRAYS ? pixel[0] : (uint8_t)(which >> 8);
		pixel[2] = kind == GRAYS ? pixel[0] : (uint8_t)(which * 3);
		if (channels == 4) pixel[3] = kind == HOLES && which < 3 ? (uint8_t)(which * 100) : 255;
	}
}

enum { GRAY = 0, RGB = 2, INDEXED = 3, RGBA = 6 };

static void check_form(content kind, uint32_t width, uint32_t height, uint32_t channels, const bspi_png_kind *png,
                       uint8_t form)
{
	size_t count = (size_t)width * height;
	uint8_t *pixels = calloc(count, channels), *decoded = malloc(count * channels);
	assert_true(pixels && decoded);
	if (kind != BLACK) fill_with(kind, pixels, count, channels);
	bspt_buffer file = BSPT_BUFFER;
	assert_true(bspi_write_png(&bspi_system_heap, png, width, height, channels, kind == BLACK ? NULL : pixels,
	                           bspt_buffer_write, &file, NULL));
	assert_int_equal(((const uint8_t *)file.data)[25], form);
	png_image image = { .version = PNG_IMAGE_VERSION };
	assert_true(png_image_begin_read_from_memory(&image, file.data, file.size));
	assert_true(image.width == width && image.height == height);
	image.format = channels == 4 ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
	assert_true(png_image_finish_read(&image, NULL, decoded, 0, NULL));
	assert_int_equal(image.warning_or_error, 0);
	assert_memory_equal(pixels, decoded, count * channels);
	free(decoded);
	free(pixels);
	bspt_buffer_free(&file);
}

/* Whatever the level and the form, a palette among them, the pixels are the same. */
static void test_forms(void **state)
{
	static const struct { content kind; uint32_t channels; uint8_t form, plain; } cases[] = {
		{ NOISE, 3, RGB, RGB }, { NOISE, 4, RGBA, RGBA }, { ONE_COLOR, 3, INDEXED, RGB },
		{ FEW_COLORS, 3, INDEXED, RGB },
		{ FEW_COLORS, 4, INDEXED, RGBA }, { TOO_MANY, 4, RGBA, RGBA }, { HOLES, 4, INDEXED, RGBA },
		{ GRAYS, 3, GRAY, RGB }, { GRAYS, 4, GRAY, RGBA }, { BLACK, 3, GRAY, RGB },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (int options = 0; options < 12; options++) {
			const bspi_png_kind png = { (bspscene_compression)(options / 4), options & 1, options & 2 };
			check_form(cases[i].kind, 61, 67, cases[i].channels, &png,
			           png.may_shrink ? cases[i].form : cases[i].plain);
		}
	}
	/* A palette would be longer than the pixels. */
	check_form(FEW_COLORS, 4, 4, 3, &(bspi_png_kind){ .may_shrink = true }, RGB);
}

/* Beyond 64 MiB zlib takes over, in portions. */
static void test_large_pictures(void **state)
{
	(void)state;
	check_form(TOO_MANY, 4800, 4700, 3, &(bspi_png_kind){ .light = true }, RGB);
}

/* Refused at the first byte, in the header, in the pixels and at the very end. */
static void test_full_disk(void **state)
{
	(void)state;
	uint8_t *pixels = random_pixels((size_t)300 * 300 * 3, 5);
	bspt_buffer whole = BSPT_BUFFER;
	assert_true(bspscene_write_png(300, 300, 3, pixels, bspt_buffer_write, &whole, NULL));
	size_t stops[] = { 0, 10, 40, whole.size / 2, whole.size - 1 };
	for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
		bspt_buffer file = { .refuse_after = stops[i] };
		bspscene_error error;
		assert_false(bspscene_write_png(300, 300, 3, pixels, bspt_buffer_write, &file, &error));
		assert_int_equal(error.status, BSPSCENE_ERROR_IO);
		assert_true(error.message[0] != 0);
		assert_int_equal(file.calls_after_refusal, 0);
		assert_false(bspscene_write_png(300, 300, 3, pixels, bspt_buffer_write, &file, NULL));
		bspt_buffer_free(&file);
	}
	bspt_buffer_free(&whole);
	free(pixels);
}

/* PNG's section 9.4, with its order of neighbors where two are as near. */
static uint8_t paeth(int left, int up, int corner)
{
	int guess = left + up - corner;
	int by_left = abs(guess - left), by_up = abs(guess - up), by_corner = abs(guess - corner);
	if (by_left <= by_up && by_left <= by_corner) return (uint8_t)left;
	return (uint8_t)(by_up <= by_corner ? up : corner);
}

static void test_paeth(void **state)
{
	static const uint8_t values[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 100, 127, 128, 200, 253, 254, 255 };
	enum { COUNT = sizeof values, X = 77 };
	(void)state;
	for (uint32_t i = 0; i < COUNT * COUNT * COUNT; i++) {
		uint8_t left = values[i % COUNT], up = values[i / COUNT % COUNT], corner = values[i / COUNT / COUNT];
		const uint8_t pixels[4] = { corner, up, left, X }, black[2] = { 0 };
		const bspi_png_rows rows = { .width = 2, .height = 2, .channels = 1, .pixels = pixels, .stride = 2 };
		uint8_t out[3], tried[3];
		bspi_png_filter_row(&rows, 1, black, tried, out);
		uint8_t wanted = (uint8_t)(X - paeth(left, up, corner));
		if (out[2] != wanted) fail_msg("%u %u %u: %u, not %u", left, up, corner, out[2], wanted);
	}
}

/* Who asks what failed is told, and who does not ask as well gets no file. */
static void test_images_say_what_failed(void **state)
{
	const uint32_t image = BSPT_SAMPLE_IMAGE_RGBA;
	(void)state;
	bspt_sample *sample = bspt_sample_make();
	bspt_sink sink;
	bspscene_output output = bspt_sink_output(&sink);
	sink.fail_after = UINT64_MAX;
	bspscene_error error = { .status = BSPSCENE_ERROR_IO };
	assert_true(bspscene_write_images(&sample->scene, &image, 1, NULL, &output, &error));
	assert_int_equal(error.status, BSPSCENE_OK);
	assert_true(bspscene_write_images(&sample->scene, &image, 1, NULL, &output, NULL));
	sink.fail_after = sink.size;
	assert_false(bspscene_write_images(&sample->scene, &image, 1, NULL, &output, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_IO);
	assert_false(bspscene_write_images(&sample->scene, &image, 1, NULL, &output, NULL));
	bspt_sample_free(sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pixels_survive),
		cmocka_unit_test(test_paeth),
		cmocka_unit_test(test_pages),
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_large_pictures),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_images_say_what_failed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
