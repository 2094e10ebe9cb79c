/* test_stb_write.c - TGA and BMP hold exactly the pixels, and HDR holds light at the precision of RGBE, also if several
 * threads write at once. stb_image and the library's decoders read the files back. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/bspscene.h>

#include "base/parallel/threads.h"
#include "images/images.h"
#include "images/write/write.h"
#include "support/buffer.h"
#include "support/random.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_HDR
#define STBI_ONLY_TGA
#define STBI_ONLY_BMP
#define STBI_NO_STDIO
#if defined(__GNUC__)
	/* gcc reports unused functions at the end of the file, so this warning stays off. */
	#pragma GCC diagnostic ignored "-Wunused-function"
	#pragma GCC diagnostic ignored "-Wconversion"
	#pragma GCC diagnostic ignored "-Wsign-conversion"
	#pragma GCC diagnostic ignored "-Wshadow"
	#if !defined(__clang__)
		#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
	#endif
#endif
#include <stb/stb_image.h>

enum { RGB = 3, LARGEST_HALF = 0x7bff };

/* Makes bytes that are partly runs and partly noise. */
static uint8_t *random_bytes(size_t size, uint64_t seed)
{
	uint8_t *bytes = malloc(size);
	assert_non_null(bytes);
	for (size_t i = 0; i < size; i++) {
		uint32_t number = bspt_random(&seed);
		bytes[i] = number >> 29 ? (uint8_t)(i / 50) : (uint8_t)(number >> 16);
	}
	return bytes;
}

/* Returns half floats of all magnitudes next to each other. */
static uint16_t *random_halves(size_t count, uint32_t seed)
{
	uint16_t *halves = (uint16_t *)(void *)random_bytes(count * sizeof *halves, seed);
	for (size_t i = 0; i < count; i++) halves[i] = halves[i] % (LARGEST_HALF + 1);
	return halves;
}

static bspscene_picture_options options_of(bspscene_picture_format format)
{
	bspscene_picture_options options;
	bspscene_picture_options_init(&options);
	options.format = format;
	return options;
}

static const struct { uint32_t width, height; } sizes[] = {
	{ 1, 1 }, { 1, 700 }, { 7, 9 }, { 8, 3 }, { 33, 20 }, { 129, 64 }, { 16384, 2 },
};

static void check_bytes(bspscene_picture_format format, uint32_t width, uint32_t height, uint32_t channels)
{
	const size_t count = (size_t)width * height;
	uint8_t *pixels = random_bytes(count * channels, width + channels);
	const bspscene_picture_options options = options_of(format);
	bspt_buffer file = BSPT_BUFFER;
	bspscene_error error;
	if (!bspscene_write_picture(width, height, channels, pixels, &options, bspt_buffer_write, &file, &error)) {
		fail_msg("%s", error.message);
	}
	assert_int_equal(error.status, BSPSCENE_OK);
	int w, h, stored;
	uint8_t *theirs = stbi_load_from_memory(file.data, (int)file.size, &w, &h, &stored, (int)channels);
	assert_non_null(theirs);
	assert_true(w == (int)width && h == (int)height && stored == (int)channels);
	assert_memory_equal(theirs, pixels, count * channels);
	stbi_image_free(theirs);
	/* The library's reader supports no BMP with masks, which BMP needs for alpha. */
	if (width <= BSPI_LARGEST_IMAGE && (channels == RGB || format == BSPSCENE_PICTURE_TGA)) {
		const bspi_bytes bytes = bspi_bytes_of(file.data, file.size);
		bspscene_pixels ours;
		bspscene_image_format kind = format == BSPSCENE_PICTURE_TGA ? BSPSCENE_IMAGE_TGA : BSPSCENE_IMAGE_BMP;
		assert_int_equal(bspi_image_probe(bytes).format, kind);
		if (!bspi_image_decode(&bspi_system_heap, kind, bytes, &ours, &error)) fail_msg("%s", error.message);
		for (size_t i = 0; i < count; i++) assert_memory_equal(ours.data + 4 * i, pixels + channels * i, RGB);
		bspscene_pixels_free(&ours);
	}
	bspt_buffer_free(&file);
	free(pixels);
}

static void test_bytes_survive(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		for (uint32_t channels = 3; channels <= 4; channels++) {
			check_bytes(BSPSCENE_PICTURE_TGA, sizes[i].width, sizes[i].height, channels);
			check_bytes(BSPSCENE_PICTURE_BMP, sizes[i].width, sizes[i].height, channels);
		}
	}
}

/* Decodes with stb_image. Free the result with stbi_image_free. */
static float *decode_hdr(const bspt_buffer *file, uint32_t width, uint32_t height)
{
	int w, h, channels;
	float *floats = stbi_loadf_from_memory(file->data, (int)file->size, &w, &h, &channels, RGB);
	assert_non_null(floats);
	assert_true(w == (int)width && h == (int)height);
	return floats;
}

static void check_light(const uint16_t *halves, const float *read, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		float value[RGB], most = 0;
		for (int k = 0; k < RGB; k++) {
			value[k] = bspi_half_to_float(halves[RGB * i + (size_t)k]);
			most = fmaxf(most, value[k]);
		}
		for (int k = 0; k < RGB; k++) {
			float lost = value[k] - read[RGB * i + (size_t)k];
			if (fabsf(lost) <= most / 256) continue;
			fail_msg("pixel %zu: %g, not %g, where the brightest is %g", i, (double)read[RGB * i + (size_t)k],
			         (double)value[k], (double)most);
		}
	}
}

static void test_light_survives(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const uint32_t width = sizes[i].width, height = sizes[i].height;
		const size_t count = (size_t)width * height;
		uint16_t *halves = random_halves(count * RGB, (uint32_t)i);
		const bspscene_picture_options options = options_of(BSPSCENE_PICTURE_HDR);
		bspt_buffer file = BSPT_BUFFER;
		assert_true(bspscene_write_picture(width, height, RGB, halves, &options, bspt_buffer_write, &file, NULL));
		float *read = decode_hdr(&file, width, height);
		check_light(halves, read, count);
		stbi_image_free(read);
		bspt_buffer_free(&file);
		free(halves);
	}
}

/* Every half float is written, in pixels whose other channels are smaller. */
static void test_every_half(void **state)
{
	enum { COUNT = LARGEST_HALF + 1 };
	(void)state;
	uint16_t *halves = malloc(COUNT * RGB * sizeof *halves);
	assert_non_null(halves);
	for (size_t i = 0; i < COUNT * RGB; i++) halves[i] = (uint16_t)(i / RGB >> i % RGB);
	const bspscene_picture_options options = options_of(BSPSCENE_PICTURE_HDR);
	bspt_buffer file = BSPT_BUFFER;
	assert_true(bspscene_write_picture(COUNT / 128, 128, RGB, halves, &options, bspt_buffer_write, &file, NULL));
	float *read = decode_hdr(&file, COUNT / 128, 128);
	check_light(halves, read, COUNT);
	stbi_image_free(read);
	bspt_buffer_free(&file);
	free(halves);
}

static void test_what_is_no_light(void **state)
{
	static const uint16_t halves[4 * RGB] = {
		0xbc00, 0x3c00, 0,           /* -1 and 1 */
		0x7e00, 0x3800, 0xfe00,      /* NaNs */
		0x7c00, 0xfc00, 0,           /* infinities */
	};
	static const float wanted[4 * RGB] = { 0, 1, 0, 0, 0.5f, 0, 65504, 0, 0, 0, 0, 0 };
	(void)state;
	const bspscene_picture_options options = options_of(BSPSCENE_PICTURE_HDR);
	bspt_buffer file = BSPT_BUFFER;
	assert_true(bspscene_write_picture(4, 1, RGB, halves, &options, bspt_buffer_write, &file, NULL));
	float *read = decode_hdr(&file, 4, 1);
	for (size_t i = 0; i < 4 * RGB; i++) assert_true(fabsf(read[i] - wanted[i]) <= wanted[i] / 256);
	stbi_image_free(read);
	bspt_buffer_free(&file);
}

static void test_pages_without_data(void **state)
{
	static const bspscene_picture_format formats[] = { BSPSCENE_PICTURE_TGA, BSPSCENE_PICTURE_BMP };
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const bspscene_lightmap_page page = { 20, 12, BSPSCENE_LIGHTMAP_PAGE_RAW32, NULL, NULL };
		const bspi_page_kind kind = { .bytes = formats[i] };
		bspt_buffer file = BSPT_BUFFER;
		int w, h, channels;
		assert_true(bspi_write_page(&bspi_system_heap, &page, &kind, bspt_buffer_write, &file, NULL));
		uint8_t *read = stbi_load_from_memory(file.data, (int)file.size, &w, &h, &channels, 4);
		assert_true(read && w == 20 && h == 12 && channels == 4 && !read[0] && !read[3] && !read[4 * 239]);
		stbi_image_free(read);
		bspt_buffer_free(&file);
	}
	const bspscene_lightmap_page page = { 20, 12, BSPSCENE_LIGHTMAP_PAGE_RGB16F, NULL, NULL };
	const bspi_page_kind kind = { .floats = BSPSCENE_PICTURE_HDR };
	bspt_buffer file = BSPT_BUFFER;
	assert_true(bspi_write_page(&bspi_system_heap, &page, &kind, bspt_buffer_write, &file, NULL));
	float *read = decode_hdr(&file, 20, 12);
	assert_true(read[0] <= 0 && read[719] <= 0);
	stbi_image_free(read);
	bspt_buffer_free(&file);
}

/* ---- In several threads ------------------------------------------------------------------------------------ */

enum { THREADS = 4, WIDTH = 65, HEIGHT = 40 };

typedef struct at_once {
	const uint8_t *pixels;
	bspt_buffer files[THREADS][3];
} at_once;

static const bspscene_picture_format formats[3] = {
	BSPSCENE_PICTURE_TGA, BSPSCENE_PICTURE_BMP, BSPSCENE_PICTURE_HDR,
};

static void write_some(void *data, uint32_t number)
{
	at_once *all = data;
	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < 3; i++) {
			const bspscene_picture_options options = options_of(formats[i]);
			bspt_buffer *file = &all->files[number][i];
			bspt_buffer_free(file);
			*file = BSPT_BUFFER;
			(void)bspscene_write_picture(WIDTH, HEIGHT, RGB, all->pixels, &options, bspt_buffer_write, file, NULL);
		}
	}
}

/* The settings of stb_image_write are static variables. A writer that changed one would be noticed here or by
 * ThreadSanitizer. */
static void test_threads(void **state)
{
	(void)state;
	uint16_t *pixels = random_halves((size_t)WIDTH * HEIGHT * RGB, 4);
	at_once all = { .pixels = (const uint8_t *)pixels }, alone = { .pixels = (const uint8_t *)pixels };
	write_some(&alone, 0);
	bspi_run_threads(THREADS, write_some, &all);
	for (int k = 0; k < THREADS; k++) {
		for (int i = 0; i < 3; i++) {
			/* A thread that could not start has written nothing. */
			const bspt_buffer *file = &all.files[k][i], *wanted = &alone.files[0][i];
			assert_true(file->size == wanted->size || (k && !file->size));
			if (file->size) assert_memory_equal(file->data, wanted->data, wanted->size);
			bspt_buffer_free(&all.files[k][i]);
		}
	}
	for (int i = 0; i < 3; i++) bspt_buffer_free(&alone.files[0][i]);
	free(pixels);
}

/* ---- What goes wrong --------------------------------------------------------------------------------------- */

static void test_what_a_format_has_not(void **state)
{
	static const struct { bspscene_picture_format format; uint32_t width, height, channels, bits; } cases[] = {
		{ BSPSCENE_PICTURE_TGA, 4, 4, 1, 8 },  { BSPSCENE_PICTURE_BMP, 4, 4, 3, 16 },
		{ BSPSCENE_PICTURE_HDR, 4, 4, 4, 0 },  { BSPSCENE_PICTURE_PNG, 4, 4, 2, 8 },
		{ BSPSCENE_PICTURE_PNG, 4, 4, 3, 12 }, { BSPSCENE_PICTURE_TGA, 65536, 1, 3, 8 },
		{ BSPSCENE_PICTURE_HDR, 20000, 20000, 3, 0 }, { BSPSCENE_PICTURE_FORCE_32BIT, 4, 4, 3, 8 },
	};
	static const uint8_t pixels[256];
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_picture_options options = options_of(cases[i].format);
		options.channel_bits = cases[i].bits;
		bspt_buffer file = BSPT_BUFFER;
		bspscene_error error;
		assert_false(bspscene_write_picture(cases[i].width, cases[i].height, cases[i].channels, pixels, &options,
		                                    bspt_buffer_write, &file, &error));
		assert_int_equal(error.status, BSPSCENE_ERROR_UNSUPPORTED_FORMAT);
		assert_true(error.message[0] && !file.size);
		bspt_buffer_free(&file);
	}
}

static void test_full_disk(void **state)
{
	(void)state;
	uint16_t *pixels = random_halves((size_t)WIDTH * HEIGHT * RGB, 4);
	for (int i = 0; i < 3; i++) {
		const bspscene_picture_options options = options_of(formats[i]);
		bspt_buffer whole = BSPT_BUFFER;
		assert_true(bspscene_write_picture(WIDTH, HEIGHT, RGB, pixels, &options, bspt_buffer_write, &whole, NULL));
		for (size_t stop = 0; stop < whole.size; stop += 97) {
			bspt_buffer file = { .refuse_after = stop };
			bspscene_error error;
			assert_false(bspscene_write_picture(WIDTH, HEIGHT, RGB, pixels, &options, bspt_buffer_write, &file,
			                                    &error));
			assert_int_equal(error.status, BSPSCENE_ERROR_IO);
			assert_non_null(strstr(error.message, ": writing failed"));
			assert_int_equal(file.calls_after_refusal, 0);
			bspt_buffer_free(&file);
		}
		bspt_buffer_free(&whole);
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

static void test_cancel(void **state)
{
	(void)state;
	uint16_t *pixels = random_halves((size_t)WIDTH * HEIGHT * RGB, 4);
	for (int i = 0; i < 3; i++) {
		bool written = false;
		for (uint32_t at = 0; !written; at++) {
			canceler c = { .cancel_at = at };
			bspscene_picture_options options = options_of(formats[i]);
			options.progress = cancel;
			options.progress_user = &c;
			bspt_buffer file = BSPT_BUFFER;
			bspscene_error error;
			written = bspscene_write_picture(WIDTH, HEIGHT, RGB, pixels, &options, bspt_buffer_write, &file, &error);
			assert_int_equal(error.status, written ? BSPSCENE_OK : BSPSCENE_ERROR_CANCELED);
			assert_int_equal(c.calls, written ? at : at + 1);
			assert_true(at < 20 && (!written || (at > 2 && c.last >= 1)));
			bspt_buffer_free(&file);
		}
	}
	free(pixels);
}

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

static void test_out_of_memory(void **state)
{
	static const size_t needed[3] = { 0, 0, 2 };
	(void)state;
	uint16_t *pixels = random_halves((size_t)WIDTH * HEIGHT * RGB, 4);
	for (int i = 0; i < 3; i++) {
		for (size_t count = 0; count <= needed[i]; count++) {
			counted_heap heap = { .left = count };
			const bspscene_allocator allocator = { counted_allocate, counted_release, &heap };
			bspscene_picture_options options = options_of(formats[i]);
			options.allocator = &allocator;
			bspt_buffer file = BSPT_BUFFER;
			bspscene_error error;
			bool written = bspscene_write_picture(WIDTH, HEIGHT, RGB, pixels, &options, bspt_buffer_write, &file,
			                                      &error);
			assert_int_equal(written, count == needed[i]);
			assert_int_equal(error.status, written ? BSPSCENE_OK : BSPSCENE_ERROR_OUT_OF_MEMORY);
			assert_true(!heap.live && (written || !file.size));
			bspt_buffer_free(&file);
		}
	}
	free(pixels);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes_survive),
		cmocka_unit_test(test_light_survives),
		cmocka_unit_test(test_every_half),
		cmocka_unit_test(test_what_is_no_light),
		cmocka_unit_test(test_pages_without_data),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_what_a_format_has_not),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_cancel),
		cmocka_unit_test(test_out_of_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
