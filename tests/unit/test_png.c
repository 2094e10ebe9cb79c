/* test_png.c - PNG files hold exactly the pixels that were given, whoever decodes them, and a full disk is an error.
 * libpng's own reader is the judge, so this holds for the writer by stb_image_write as well. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <png.h>

#include <bspscene/bspscene.h>

#include "support/buffer.h"

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
	static const struct { bspscene_page_format format; uint32_t channels; } cases[] = {
		{ BSPSCENE_PAGE_RGB8, 3 }, { BSPSCENE_PAGE_RAW32, 4 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (int black = 0; black < 2; black++) {
			size_t size = (size_t)20 * 12 * cases[i].channels;
			uint8_t *pixels = black ? calloc(1, size) : random_pixels(size, 9);
			bspscene_page page = { 20, 12, cases[i].format, black ? NULL : pixels };
			bspt_buffer file = BSPT_BUFFER;
			assert_string_equal(bspscene_page_extension(&page), "png");
			assert_true(bspscene_write_page(&page, bspt_buffer_write, &file, NULL));
			uint8_t *decoded = decode(&file, 20, 12, cases[i].channels);
			assert_memory_equal(pixels, decoded, size);
			free(decoded);
			free(pixels);
			bspt_buffer_free(&file);
		}
	}
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pixels_survive),
		cmocka_unit_test(test_pages),
		cmocka_unit_test(test_full_disk),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
