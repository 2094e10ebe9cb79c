/* test_exr.c - EXR files hold exactly the given half floats, in the channels R, G and B, as OpenEXR's own reader shows.
 * A full disk is an error. Our reader accepts any data window. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/bspscene.h>

#include "images/images.h"
#include "support/buffer.h"
#include "support/random.h"

#ifdef BSPI_HAVE_EXR

#include <openexr.h>

static uint16_t *random_halves(size_t count, uint64_t seed)
{
	uint16_t *halves = malloc(count * sizeof *halves);
	assert_non_null(halves);
	for (size_t i = 0; i < count; i++) {
		uint32_t number = bspt_random(&seed);
		halves[i] = bspi_half_from_float((float)(number >> 20) / 100.0f * (number & 0x10000 ? 1 : 0.001f));
	}
	return halves;
}

static int64_t on_read(exr_const_context_t context, void *user, void *buffer, uint64_t size, uint64_t offset,
                       exr_stream_error_func_ptr_t report)
{
	const bspt_buffer *file = user;
	(void)context;
	(void)report;
	if (offset > file->size) return -1;
	size_t left = file->size - (size_t)offset;
	if (size > left) size = left;
	memcpy(buffer, file->data + offset, (size_t)size);
	return (int64_t)size;
}

static int64_t on_size(exr_const_context_t context, void *user)
{
	(void)context;
	return (int64_t)((const bspt_buffer *)user)->size;
}

/* Decodes to interleaved RGB, the layout of pages. */
static uint16_t *decode(bspt_buffer *file, uint32_t width, uint32_t height)
{
	exr_context_initializer_t options = EXR_DEFAULT_CONTEXT_INITIALIZER;
	options.user_data = file;
	options.read_fn = on_read;
	options.size_fn = on_size;
	exr_context_t context = NULL;
	assert_int_equal(exr_start_read(&context, "test.exr", &options), EXR_ERR_SUCCESS);
	exr_attr_box2i_t window;
	exr_compression_t compression;
	int32_t lines;
	assert_int_equal(exr_get_data_window(context, 0, &window), EXR_ERR_SUCCESS);
	assert_int_equal(window.max.x - window.min.x + 1, width);
	assert_int_equal(window.max.y - window.min.y + 1, height);
	assert_int_equal(exr_get_compression(context, 0, &compression), EXR_ERR_SUCCESS);
	assert_int_equal(compression, EXR_COMPRESSION_PIZ);
	assert_int_equal(exr_get_scanlines_per_chunk(context, 0, &lines), EXR_ERR_SUCCESS);

	uint16_t *pixels = calloc((size_t)width * height * 3, sizeof *pixels);
	assert_non_null(pixels);
	exr_decode_pipeline_t pipeline = EXR_DECODE_PIPELINE_INITIALIZER;
	for (int32_t y = 0; y < (int32_t)height; y += lines) {
		exr_chunk_info_t chunk;
		assert_int_equal(exr_read_scanline_chunk_info(context, 0, y, &chunk), EXR_ERR_SUCCESS);
		if (y == 0) assert_int_equal(exr_decoding_initialize(context, 0, &chunk, &pipeline), EXR_ERR_SUCCESS);
		else assert_int_equal(exr_decoding_update(context, 0, &chunk, &pipeline), EXR_ERR_SUCCESS);
		assert_int_equal(pipeline.channel_count, 3);
		for (int i = 0; i < 3; i++) {
			exr_coding_channel_info_t *channel = &pipeline.channels[i];
			assert_int_equal(channel->data_type, EXR_PIXEL_HALF);
			assert_non_null(strchr("RGB", channel->channel_name[0]));
			channel->user_pixel_stride = 6;
			channel->user_line_stride = (int32_t)width * 6;
			size_t index = channel->channel_name[0] == 'R' ? 0 : channel->channel_name[0] == 'G' ? 1 : 2;
			channel->decode_to_ptr = (uint8_t *)(pixels + (size_t)y * width * 3 + index);
		}
		if (y == 0) assert_int_equal(exr_decoding_choose_default_routines(context, 0, &pipeline), EXR_ERR_SUCCESS);
		assert_int_equal(exr_decoding_run(context, 0, &pipeline), EXR_ERR_SUCCESS);
	}
	exr_decoding_destroy(context, &pipeline);
	exr_finish(&context);
	return pixels;
}

/* These sizes are near multiples of 32 lines, which PIZ compresses together, or have very few pixels in one
 * direction. */
static const struct { uint32_t width, height; } sizes[] = {
	{ 1, 1 }, { 7, 1 }, { 1, 9 }, { 4, 4 }, { 5, 31 }, { 33, 32 }, { 260, 33 }, { 128, 97 }, { 3, 300 },
};

/* Checks that the reader returns the pixels. It must also return all memory that it took from the budget. */
static void expect_read(const bspt_buffer *file, const uint16_t *pixels, uint32_t width, uint32_t height)
{
	bspscene_error error = { .message = "" };
	bspi_budget budget = { .limit = (uint64_t)1 << 26 };
	uint32_t got[2];
	uint16_t *read = NULL;
	if (!bspi_read_exr(&budget, bspi_bytes_of(file->data, file->size), &got[0], &got[1], &read, &error)) {
		fail_msg("%u x %u: %s", width, height, error.message);
	}
	assert_int_equal(got[0], width);
	assert_int_equal(got[1], height);
	assert_memory_equal(read, pixels, (size_t)width * height * 3 * sizeof *pixels);
	bspi_give_exr(&budget, width, height, read);
	assert_int_equal(budget.used, 0);
}

static void test_halves_survive(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		for (int black = 0; black < 2; black++) {
			size_t count = (size_t)sizes[i].width * sizes[i].height * 3;
			uint16_t *pixels = black ? calloc(count, sizeof *pixels) : random_halves(count, (uint32_t)i);
			bspscene_lightmap_page page = { sizes[i].width, sizes[i].height, BSPSCENE_LIGHTMAP_PAGE_RGB16F,
				                            black ? NULL : pixels, NULL };
			bspt_buffer file = BSPT_BUFFER;
			bspscene_error error = { .status = BSPSCENE_ERROR_IO };
			assert_string_equal(bspscene_lightmap_page_extension(&page), "exr");
			assert_true(bspscene_write_lightmap_page(&page, bspt_buffer_write, &file, &error));
			assert_int_equal(error.status, BSPSCENE_OK);
			uint16_t *decoded = decode(&file, sizes[i].width, sizes[i].height);
			assert_memory_equal(pixels, decoded, count * sizeof *pixels);
			expect_read(&file, pixels, sizes[i].width, sizes[i].height);
			free(decoded);
			free(pixels);
			bspt_buffer_free(&file);
		}
	}
}

/* A data window may be away from the origin. Programs that paint a part of a larger picture write this. */
static void test_windows_may_be_anywhere(void **state)
{
	enum { WIDTH = 5, HEIGHT = 3, MOVED = 7 };
	static const char name[] = "dataWindow\0box2i";
	(void)state;
	uint16_t *pixels = random_halves((size_t)WIDTH * HEIGHT * 3, 1);
	bspscene_lightmap_page page = { WIDTH, HEIGHT, BSPSCENE_LIGHTMAP_PAGE_RGB16F, pixels, NULL };
	bspt_buffer file = BSPT_BUFFER;
	bspscene_error error = { .message = "" };
	assert_true(bspscene_write_lightmap_page(&page, bspt_buffer_write, &file, &error));
	size_t at = 0;
	while (memcmp(file.data + at, name, sizeof name) != 0) assert_true(++at + 64 < file.size);
	uint8_t *window = file.data + at + sizeof name + 4;       /* skips the attribute's name, type and size */
	for (size_t i = 0; i < 4; i += 2) window[4 * i] = (uint8_t)(window[4 * i] + MOVED);
	expect_read(&file, pixels, WIDTH, HEIGHT);
	free(pixels);
	bspt_buffer_free(&file);
}

static void test_full_disk(void **state)
{
	static const size_t stops[] = { 0, 1, 1000 };
	(void)state;
	uint16_t *pixels = random_halves((size_t)64 * 64 * 3, 1);
	bspscene_lightmap_page page = { 64, 64, BSPSCENE_LIGHTMAP_PAGE_RGB16F, pixels, NULL };
	for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
		bspt_buffer file = { .refuse_after = stops[i] };
		bspscene_error error;
		assert_false(bspscene_write_lightmap_page(&page, bspt_buffer_write, &file, &error));
		assert_int_equal(error.status, BSPSCENE_ERROR_IO);
		assert_int_equal(file.calls_after_refusal, 0);
		bspt_buffer_free(&file);
	}
	free(pixels);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_halves_survive),
		cmocka_unit_test(test_windows_may_be_anywhere),
		cmocka_unit_test(test_full_disk),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

/* A build without OpenEXR writes Radiance HDR instead. */
int main(void)
{
	static const char magic[] = "#?RADIANCE\n";
	static const uint16_t luxel[3];
	bspscene_lightmap_page page = { 1, 1, BSPSCENE_LIGHTMAP_PAGE_RGB16F, luxel, NULL };
	bspt_buffer file = BSPT_BUFFER;
	bool written = !strcmp(bspscene_lightmap_page_extension(&page), "hdr") &&
	               bspscene_write_lightmap_page(&page, bspt_buffer_write, &file, NULL) &&
	               file.size > sizeof magic && !memcmp(file.data, magic, sizeof magic - 1);
	bspt_buffer_free(&file);
	return written ? 0 : 1;
}

#endif
