/* Promise: canceling takes effect while a writer encodes a large picture, not after it, with any number of threads and
 * the same error. */
#include "support/captured.h"
#include "support/make/sample_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/formats.h>
#include <bspscene/writer.h>

#include "images/write/write.h"

enum { SIDE = 1536, PAGE_SIZE = SIDE * SIDE * 3, IMAGE_SIZE = SIDE * SIDE * 4 };

static const uint32_t counts[] = { 1, 2, 4 };

/* Cancels at the first progress call that repeats the stage and the fraction of the call before. Such a call comes
 * while a picture is being encoded. */
typedef struct asked {
	char stage[24];
	double fraction;
	uint32_t calls, repeated, after_cancel;
	bool cancels;
} asked;

static bspscene_progress_result answer(void *user, const char *stage, double fraction)
{
	asked *a = user;
	bool again = a->calls && !strcmp(a->stage, stage) && !(fraction > a->fraction);
	if (a->cancels && a->repeated) a->after_cancel++;
	a->calls++;
	a->repeated += again;
	a->fraction = fraction;
	snprintf(a->stage, sizeof a->stage, "%s", stage);
	return again && a->cancels ? BSPSCENE_PROGRESS_CANCEL : BSPSCENE_PROGRESS_CONTINUE;
}

static bspt_sample *make_large(uint8_t **luxels, uint8_t **pixels)
{
	bspt_sample *sample = bspt_sample_make();
	*luxels = malloc(PAGE_SIZE);
	*pixels = malloc(IMAGE_SIZE);
	assert_true(*luxels && *pixels);
	for (uint32_t i = 0; i < PAGE_SIZE; i++) (*luxels)[i] = (uint8_t)(i * 2654435761u >> 27);
	for (uint32_t i = 0; i < IMAGE_SIZE; i++) (*pixels)[i] = (uint8_t)(i * 2654435761u >> 27);
	for (int i = 0; i < BSPT_SAMPLE_PAGES; i++) {
		sample->pages[i] = (bspscene_lightmap_page){ SIDE, SIDE, BSPSCENE_LIGHTMAP_PAGE_RGB8, *luxels, NULL };
	}
	bspscene_image *image = &sample->images[BSPT_SAMPLE_IMAGE_RGBA];
	image->width = image->height = SIDE;
	image->data = *pixels;
	image->size = IMAGE_SIZE;
	return sample;
}

static bspscene_write_options options_of(asked *a, uint32_t threads)
{
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	options.lighting = BSPSCENE_WRITE_LIGHTING_LIGHTMAP;
	options.memory_limit = UINT64_C(1) << 30;
	options.output_limit = UINT64_C(1) << 30;
	options.progress = answer;
	options.progress_user = a;
	options.threads = threads;
	return options;
}

typedef bool write_fn(const bspt_sample *sample, const bspscene_write_options *options, bspt_captured *captured,
                      bspscene_error *error);

static bool write_glb(const bspt_sample *sample, const bspscene_write_options *options, bspt_captured *captured,
                      bspscene_error *error)
{
	const bspscene_output output = bspt_capture(captured);
	return bspscene_write(&sample->scene, "glb", options, &output, error);
}

/* Compresses with lossless WebP, because libwebp needs a second for a picture of so many colors. */
static bool write_webp(const bspt_sample *sample, const bspscene_write_options *options, bspt_captured *captured,
                       bspscene_error *error)
{
	bspscene_write_options compressing = *options;
	compressing.compress = BSPSCENE_COMPRESS_WEBP;
	return write_glb(sample, &compressing, captured, error);
}

static bool write_atlas(const bspt_sample *sample, const bspscene_write_options *options, bspt_captured *captured,
                        bspscene_error *error)
{
	const bspscene_output output = bspt_capture(captured);
	return bspscene_write(&sample->scene, "atlas", options, &output, error);
}

static bool write_images(const bspt_sample *sample, const bspscene_write_options *options, bspt_captured *captured,
                         bspscene_error *error)
{
	static const uint32_t images[] = { BSPT_SAMPLE_IMAGE_RGBA, BSPT_SAMPLE_IMAGE_RGBA };
	const bspscene_output output = bspt_capture(captured);
	return bspscene_write_images(&sample->scene, images, 2, options, &output, error);
}

static void check_cancel(const char *what, write_fn *write, const char *message)
{
	uint8_t *luxels, *pixels;
	bspt_sample *sample = make_large(&luxels, &pixels);
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		asked a = { .cancels = true };
		const bspscene_write_options options = options_of(&a, counts[i]);
		bspt_captured captured;
		bspscene_error error;
		bool written = write(sample, &options, &captured, &error);
		if (written || error.status != BSPSCENE_ERROR_CANCELED || strcmp(error.message, message)) {
			fail_msg("%s, %u threads: %s, \"%s\"", what, counts[i], written ? "written" : "failed", error.message);
		}
		assert_int_equal(a.repeated, 1);
		assert_int_equal(a.after_cancel, 0);
		bspt_captured_free(&captured);
	}
	bspt_sample_free(sample);
	free(luxels);
	free(pixels);
}

static void test_cancel_within_pictures(void **state)
{
	(void)state;
	check_cancel("glb", write_glb, "sample: canceled");
	check_cancel("atlas", write_atlas, "sample: canceled");
	check_cancel("images", write_images, "canceled");
}

static void test_cancel_within_webp(void **state)
{
	(void)state;
	if (!bspi_can_write_webp(SIDE, SIDE)) skip();
	check_cancel("webp", write_webp, "sample: canceled");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cancel_within_pictures),
		cmocka_unit_test(test_cancel_within_webp),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
