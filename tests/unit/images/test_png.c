/* test_png.c - PNG files hold exactly the given pixels, as libpng's own reader shows, and a full disk is an error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <png.h>

#include <bspscene/bspscene.h>

#include "images/write/write.h"
#include "support/buffer.h"
#include "support/make/sample_scene.h"
#include "support/random.h"

static uint8_t *random_pixels(size_t size, uint64_t seed)
{
	uint8_t *pixels = malloc(size);
	assert_non_null(pixels);
	for (size_t i = 0; i < size; i++) {
		uint32_t number = bspt_random(&seed);
		/* Lightmaps have runs of equal pixels as well as noise, so these pixels have both. */
		pixels[i] = number >> 28 ? (uint8_t)(i / 7) : (uint8_t)(number >> 16);
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
			bspscene_lightmap_page page = { 20, 12, cases[i].format, black ? NULL : pixels, NULL };
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

/* Fills the pixels with at least as many colors as the kind of content requires, in random order. */
static void fill_with(content kind, uint8_t *pixels, size_t count, uint32_t channels)
{
	static const uint32_t colors[] = { [FEW_COLORS] = 256, [TOO_MANY] = 257, [HOLES] = 9, [GRAYS] = 256 };
	uint64_t seed = 77;
	for (size_t i = 0; i < count; i++) {
		uint32_t number = bspt_random(&seed) >> 8;
		uint32_t which = kind == ONE_COLOR ? 5 : kind == NOISE ? number : number % colors[kind];
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

/* All levels of compression and all forms of a PNG, also with palettes, decode to the same pixels. */
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
			const bspi_png_kind png = {
				.compression = (bspscene_compression)(options / 4), .light = options & 1, .may_shrink = options & 2,
			};
			check_form(cases[i].kind, 61, 67, cases[i].channels, &png,
			           png.may_shrink ? cases[i].form : cases[i].plain);
		}
	}
	/* For so few pixels, a palette would be larger than the pixels. */
	check_form(FEW_COLORS, 4, 4, 3, &(bspi_png_kind){ .may_shrink = true }, RGB);
}

/* Pages of extreme shapes, one pixel wide or very wide, are written in each form of pixels. */
static void test_long_and_narrow(void **state)
{
	static const struct { uint32_t width, height; } shapes[] = { { 1, 5000 }, { 16384, 3 }, { 16384, 1 } };
	(void)state;
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		for (uint32_t channels = 3; channels <= 4; channels++) {
			const bspi_png_kind plain = { .light = i & 1 }, shrunk = { .may_shrink = true };
			uint8_t form = channels == 4 ? RGBA : RGB;
			check_form(NOISE, shapes[i].width, shapes[i].height, channels, &plain, form);
			check_form(TOO_MANY, shapes[i].width, shapes[i].height, channels, &shrunk, form);
			check_form(FEW_COLORS, shapes[i].width, shapes[i].height, channels, &shrunk, INDEXED);
			check_form(BLACK, shapes[i].width, shapes[i].height, channels, &shrunk, channels == 4 ? INDEXED : GRAY);
		}
	}
}

/* The disk is full at the first byte, in the header, in the pixels or at the end. */
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

/* ---- bspscene_write_picture -------------------------------------------------------------------------------- */

enum { DEEP_WIDTH = 67, DEEP_HEIGHT = 41 };

/* Compares the rows as stored, most significant byte first. */
static void check_stored(const bspt_buffer *file, uint32_t channels, uint32_t bits, const uint8_t *wanted)
{
	const size_t row_size = (size_t)DEEP_WIDTH * channels * bits / 8;
	FILE *stream = tmpfile();
	assert_non_null(stream);
	assert_int_equal(fwrite(file->data, 1, file->size, stream), file->size);
	rewind(stream);
	png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_infop info = png_create_info_struct(png);
	uint8_t *row = malloc(row_size);
	assert_non_null(row);
	if (setjmp(png_jmpbuf(png))) fail_msg("libpng cannot read it");
	png_init_io(png, stream);
	png_read_info(png, info);
	assert_int_equal(png_get_bit_depth(png, info), bits);
	assert_int_equal(png_get_channels(png, info), channels);
	for (uint32_t y = 0; y < DEEP_HEIGHT; y++) {
		png_read_row(png, row, NULL);
		assert_memory_equal(row, wanted + y * row_size, row_size);
	}
	png_read_end(png, info);
	png_destroy_read_struct(&png, &info, NULL);
	free(row);
	fclose(stream);
}

static void test_depths_and_channels(void **state)
{
	static const uint32_t channels[] = { 1, 3, 4 };
	enum { COUNT = DEEP_WIDTH * DEEP_HEIGHT * 4 };
	(void)state;
	uint8_t *bytes = random_pixels(2 * COUNT, 3);
	uint16_t *words = malloc(COUNT * sizeof *words);
	assert_non_null(words);
	for (size_t i = 0; i < COUNT; i++) words[i] = (uint16_t)(bytes[2 * i] << 8 | bytes[2 * i + 1]);
	for (int i = 0; i < 6; i++) {
		bool deep = i & 1;
		bspscene_picture_options options;
		bspscene_picture_options_init(&options);
		options.channel_bits = deep ? 16 : 8;
		/* The palette option must be ignored for 16 bits, because PNG has no palettes of that depth. */
		options.allow_palette = deep;
		bspt_buffer file = BSPT_BUFFER;
		bspscene_error error;
		if (!bspscene_write_picture(DEEP_WIDTH, DEEP_HEIGHT, channels[i / 2], deep ? (const void *)words : bytes,
		                            &options, bspt_buffer_write, &file, &error)) {
			fail_msg("%s", error.message);
		}
		check_stored(&file, channels[i / 2], options.channel_bits, bytes);
		bspt_buffer_free(&file);
	}
	free(words);
	free(bytes);
}

/* Texts come before the pixels, unchanged, also empty ones and letters of two bytes. */
static void test_texts(void **state)
{
	static const char title[] = "iTXtTitle\0\0\0\0\0caf\xc3\xa9", empty[] = "iTXtCamera\0\0\0\0";
	static const bspscene_picture_text texts[] = { { "Title", "caf\xc3\xa9" }, { "Camera", "" } };
	static const uint8_t pixel[3] = { 1, 2, 3 };
	(void)state;
	bspscene_picture_options options;
	bspscene_picture_options_init(&options);
	options.texts = texts;
	options.text_count = 2;
	bspt_buffer file = BSPT_BUFFER;
	assert_true(bspscene_write_picture(1, 1, 3, pixel, &options, bspt_buffer_write, &file, NULL));
	size_t found_title = 0, found_empty = 0, found_pixels = 0;
	for (size_t i = 0; i + sizeof title < file.size; i++) {
		if (!memcmp(file.data + i, title, sizeof title - 1)) found_title = i;
		if (!memcmp(file.data + i, empty, sizeof empty)) found_empty = i;
		if (!memcmp(file.data + i, "IDAT", 4)) found_pixels = i;
	}
	assert_true(found_title && found_title < found_empty && found_empty < found_pixels);
	bspt_buffer_free(&file);
}

/* ---- What goes wrong --------------------------------------------------------------------------------------- */

typedef struct counted_heap {
	size_t left;                       /* number of allocations before the first failure */
	size_t live;
} counted_heap;

static void *counted_allocate(void *user, size_t size)
{
	counted_heap *heap = user;
	if (!heap->left) return NULL;
	heap->left--;
	heap->live++;
	return malloc(size);
}

static void counted_release(void *user, void *data)
{
	((counted_heap *)user)->live--;
	free(data);
}

enum { TROUBLE_SIDE = 90 };

static bool write_troubled(const uint8_t *pixels, const bspscene_picture_options *options, bspt_buffer *file,
                           bspscene_error *error)
{
	return bspscene_write_picture(TROUBLE_SIDE, TROUBLE_SIDE, 3, pixels, options, bspt_buffer_write, file, error);
}

static void test_out_of_memory(void **state)
{
	(void)state;
	uint8_t *pixels = calloc(TROUBLE_SIDE * TROUBLE_SIDE, 3);
	assert_non_null(pixels);
	fill_with(FEW_COLORS, pixels, TROUBLE_SIDE * TROUBLE_SIDE, 3);
	bool written = false;
	for (size_t count = 0; !written; count++) {
		counted_heap heap = { .left = count };
		const bspscene_allocator allocator = { counted_allocate, counted_release, &heap };
		bspscene_picture_options options;
		bspscene_picture_options_init(&options);
		options.allocator = &allocator;
		options.allow_palette = true;
		bspt_buffer file = BSPT_BUFFER;
		bspscene_error error = { .status = BSPSCENE_OK };
		written = write_troubled(pixels, &options, &file, &error);
		assert_int_equal(error.status, written ? BSPSCENE_OK : BSPSCENE_ERROR_OUT_OF_MEMORY);
		if (!written) assert_string_equal(error.message, "PNG: out of memory");
		assert_int_equal(heap.live, 0);
		assert_true(count < 100 && (written || count < 90));
		bspt_buffer_free(&file);
	}
	free(pixels);
}

typedef struct canceler {
	uint32_t calls, cancel_at;
	double last;
} canceler;

static bspscene_progress_result cancel(void *user, const char *stage, double fraction)
{
	canceler *c = user;
	assert_string_equal(stage, "write");
	assert_true(fraction >= c->last && fraction <= 1);
	c->last = fraction;
	return c->calls++ == c->cancel_at ? BSPSCENE_PROGRESS_CANCEL : BSPSCENE_PROGRESS_CONTINUE;
}

/* Progress is called at the start and after every row, and can cancel at each call. */
static void test_cancel(void **state)
{
	(void)state;
	uint8_t *pixels = random_pixels(TROUBLE_SIDE * TROUBLE_SIDE * 3, 8);
	for (uint32_t at = 0; at <= TROUBLE_SIDE + 1; at++) {
		counted_heap heap = { .left = SIZE_MAX };
		const bspscene_allocator allocator = { counted_allocate, counted_release, &heap };
		canceler c = { .cancel_at = at };
		bspscene_picture_options options;
		bspscene_picture_options_init(&options);
		options.allocator = &allocator;
		options.progress = cancel;
		options.progress_user = &c;
		bspt_buffer file = BSPT_BUFFER;
		bspscene_error error;
		bool written = write_troubled(pixels, &options, &file, &error);
		assert_int_equal(written, at > TROUBLE_SIDE);
		assert_int_equal(error.status, written ? BSPSCENE_OK : BSPSCENE_ERROR_CANCELED);
		assert_int_equal(c.calls, written ? TROUBLE_SIDE + 1 : at + 1);
		assert_true(!written || c.last >= 1);
		assert_int_equal(heap.live, 0);
		bspt_buffer_free(&file);
	}
	free(pixels);
}

/* The disk may be full after any number of bytes. */
static void test_full_disk_everywhere(void **state)
{
	(void)state;
	uint8_t *pixels = random_pixels(TROUBLE_SIDE * TROUBLE_SIDE * 3, 8);
	bspt_buffer whole = BSPT_BUFFER;
	assert_true(write_troubled(pixels, NULL, &whole, NULL));
	for (size_t stop = 0; stop < whole.size; stop += 1 + stop / 16) {
		bspt_buffer file = { .refuse_after = stop };
		bspscene_error error;
		assert_false(write_troubled(pixels, NULL, &file, &error));
		assert_int_equal(error.status, BSPSCENE_ERROR_IO);
		assert_string_equal(error.message, "PNG: writing failed");
		assert_int_equal(file.calls_after_refusal, 0);
		bspt_buffer_free(&file);
	}
	bspt_buffer_free(&whole);
	free(pixels);
}

/* The error is reported if `error` is given. Without it the call fails in the same way and writes no file. */
static void test_images_say_what_failed(void **state)
{
	const uint32_t image = BSPT_SAMPLE_IMAGE_RGBA;
	(void)state;
	bspt_sample *sample = bspt_sample_make();
	bspt_sink sink;
	bspscene_output output = bspt_sink_output(&sink);
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
		cmocka_unit_test(test_pages),
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_long_and_narrow),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_depths_and_channels),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_out_of_memory),
		cmocka_unit_test(test_cancel),
		cmocka_unit_test(test_full_disk_everywhere),
		cmocka_unit_test(test_images_say_what_failed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
