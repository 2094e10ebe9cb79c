/* test_web_picture.c - a picture is copied to the file only if every viewer shows it in the same way. It must be
 * complete. It must not have a profile, non-square pixels, animation, or channels that browsers do not know. All other
 * pictures are converted to PNG. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "support/captured.h"
#include "support/make/sample_scene.h"
#include "writers/web_picture.h"
#include "writers/writer_costs.h"

#define PNG_HEAD 33                    /* size of the signature and of IHDR */

/* Returns the fixture with one more chunk after its header. The chunk has a wrong checksum, which is only checked when
 * the picture is decoded. */
static bspt_bytes png_with(const char *type, const uint8_t *data, uint32_t size)
{
	bspt_bytes png = bspt_read_fixture("atrium/quake3/textures/sample/floor.png");
	bspt_bytes out = { malloc(png.size + size + 12), png.size + size + 12 };
	const uint8_t length[4] = { (uint8_t)(size >> 24), (uint8_t)(size >> 16), (uint8_t)(size >> 8), (uint8_t)size };
	memcpy(out.data, png.data, PNG_HEAD);
	memcpy(out.data + PNG_HEAD, length, 4);
	memcpy(out.data + PNG_HEAD + 4, type, 4);
	if (size) memcpy(out.data + PNG_HEAD + 8, data, size);
	memset(out.data + PNG_HEAD + 8 + size, 0, 4);
	memcpy(out.data + PNG_HEAD + 12 + size, png.data + PNG_HEAD, png.size - PNG_HEAD);
	free(png.data);
	return out;
}

#define BYTE(value, shift) (uint8_t)((value) >> (shift) & 255)
#define BE(value) BYTE(value, 24), BYTE(value, 16), BYTE(value, 8), BYTE(value, 0)

static void pngs_with_meanings_of_their_own_do_not_pass(void **state)
{
	static const struct { const char *type; uint8_t data[32]; uint32_t size; bool passes; } cases[] = {
		{ "tEXt", { 'a', 0, 'b' }, 3, true }, { "sRGB", { 0 }, 1, true }, { "gAMA", { BE(45455) }, 4, true },
		{ "gAMA", { BE(100000) }, 4, false }, { "gAMA", { 0 }, 0, false }, { "iCCP", { 'p', 0, 0, 1 }, 4, false },
		{ "acTL", { BE(2), BE(0) }, 8, false }, { "pHYs", { BE(2835), BE(2835), 1 }, 9, true },
		{ "pHYs", { BE(1), BE(2), 0 }, 9, false },
		{ "cHRM", { BE(31270), BE(32900), BE(64000), BE(33000), BE(30000), BE(60000), BE(15000), BE(6000) }, 32, true },
		{ "cHRM", { BE(31270), BE(32900), BE(64000), BE(33000), BE(30000), BE(60000), BE(15000), BE(6001) }, 32,
		  false },
		{ "IHDR", { BE(1), BE(1), 8, 2 }, 13, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_bytes png = png_with(cases[i].type, cases[i].data, cases[i].size);
		assert_int_equal(bspi_png_passes(bspi_bytes_of(png.data, png.size)), cases[i].passes);
		free(png.data);
	}
}

static void pngs_without_pixels_do_not_pass(void **state)
{
	enum { CHUNK = 12 };
	bspt_sample *sample = bspt_sample_make();
	uint8_t bytes[PNG_HEAD + CHUNK];
	(void)state;
	memcpy(bytes, sample->png.data, PNG_HEAD);
	memcpy(bytes + PNG_HEAD, sample->png.data + sample->png.size - CHUNK, CHUNK);
	assert_memory_equal(bytes + PNG_HEAD + 4, "IEND", 4);
	assert_false(bspi_png_passes(bspi_bytes_of(bytes, sizeof bytes)));
	bspt_sample_free(sample);
}

/* The bytes end at a guard page, so that reading one too far is a fault. */
static void cut_off_pictures_do_not_pass(void **state)
{
	bspt_sample *sample = bspt_sample_make();
	const bspscene_image *jpeg = &sample->images[BSPT_SAMPLE_IMAGE_JPEG];
	bspt_guard guard = bspt_guard_make(4096);
	(void)state;
	for (size_t size = 0; size <= sample->png.size; size++) {
		const uint8_t *data = bspt_guard_place(&guard, sample->png.data, size);
		assert_int_equal(bspi_png_passes(bspi_bytes_of(data, size)), size == sample->png.size);
	}
	for (size_t size = 0; size <= jpeg->size; size++) {
		const uint8_t *data = bspt_guard_place(&guard, jpeg->data, size);
		assert_int_equal(bspi_jpeg_passes(bspi_bytes_of(data, size)), size == jpeg->size);
	}
	bspt_guard_free(&guard);
	bspt_sample_free(sample);
}

static void damaged_pictures_are_looked_at_safely(void **state)
{
	static const uint8_t values[] = { 0, 1, 0x7F, 0xFE, 0xFF };
	bspt_sample *sample = bspt_sample_make();
	const bspscene_image *jpeg = &sample->images[BSPT_SAMPLE_IMAGE_JPEG];
	bspt_guard guard = bspt_guard_make(4096);
	uint8_t bytes[1024];
	(void)state;
	assert_true(sample->png.size <= sizeof bytes);
	for (size_t i = 0; i < sample->png.size * sizeof values; i++) {
		memcpy(bytes, sample->png.data, sample->png.size);
		bytes[i / sizeof values] = values[i % sizeof values];
		(void)bspi_png_passes(bspi_bytes_of(bspt_guard_place(&guard, bytes, sample->png.size), sample->png.size));
	}
	for (size_t i = 0; i < jpeg->size * sizeof values; i++) {
		memcpy(bytes, jpeg->data, jpeg->size);
		bytes[i / sizeof values] = values[i % sizeof values];
		(void)bspi_jpeg_passes(bspi_bytes_of(bspt_guard_place(&guard, bytes, jpeg->size), jpeg->size));
	}
	bspt_guard_free(&guard);
	bspt_sample_free(sample);
}

/* Checks the written picture of an image with one texel, for a use of the picture and with these gains. */
static void check_texel(const bspscene_image *image, bspi_picture_use use, const float gains[3], const uint8_t want[4])
{
	bspi_writer writer = { .main_name = "" };
	bspi_picture picture;
	bspscene_error error;
	bspscene_pixels pixels;
	bspi_budget_begin(&writer.budget, 1 << 24, NULL);
	assert_true(bspi_picture_make(&writer, image, use, gains, &picture, &error));
	const bspscene_image written = {
		.name = "", .path = "", .archive = "", .format = BSPSCENE_IMAGE_PNG, .width = 1, .height = 1,
		.data = picture.data, .size = picture.size,
	};
	assert_true(bspscene_image_decode(&written, &pixels, &error));
	assert_memory_equal(pixels.data, want, 4);
	bspscene_pixels_free(&pixels);
	bspi_picture_free(&picture);
}

/* Over black, the picture must look as in the game. There, its color times alpha is added, or its color alone if the
 * blend mode does not use alpha. */
static void added_pictures_have_their_brightest_channel_as_alpha(void **state)
{
	static const uint8_t texel[4] = { 200, 100, 0, 51 };
	static const struct { bool by_alpha; uint8_t want[4]; } cases[] = {
		{ false, { 255, 127, 0, 200 } }, { true, { 255, 127, 0, 40 } },
	};
	const bspscene_image image = {
		.name = "", .path = "", .archive = "", .format = BSPSCENE_IMAGE_RGBA, .width = 1, .height = 1, .data = texel,
		.size = sizeof texel, .has_alpha = true,
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const bspscene_material material = { .alpha_mode = BSPSCENE_ALPHA_MODE_ADD,
			                                 .added_by_alpha = cases[i].by_alpha };
		check_texel(&image, bspi_base_picture_use(&material), NULL, cases[i].want);
	}
}

/* Gains apply to display values. Results are rounded and end at white. */
static void gains_brighten_up_to_white(void **state)
{
	static const uint8_t texel[4] = { 200, 100, 255, 255 };
	static const struct { float gains[3]; uint8_t want[4]; } cases[] = {
		{ { 1, 1, 1 }, { 200, 100, 255, 255 } },
		{ { 2, 2, 2 }, { 255, 200, 255, 255 } },
		{ { 1.003f, 1.017f, 0.5f }, { 201, 102, 128, 255 } },
		{ { 1.002f, 1.014f, 0 }, { 200, 101, 0, 255 } },
	};
	const bspscene_image image = {
		.name = "", .path = "", .archive = "", .format = BSPSCENE_IMAGE_RGBA, .width = 1, .height = 1, .data = texel,
		.size = sizeof texel,
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		check_texel(&image, BSPI_PICTURE_PLAIN, cases[i].gains, cases[i].want);
	}
}

static size_t find_frame(const uint8_t *jpeg, size_t size)
{
	for (size_t at = 0; at + 1 < size; at++) {
		if (jpeg[at] == 0xFF && jpeg[at + 1] == 0xC0) return at;
	}
	bspt_die("frame", "not found");
}

static void only_frames_that_browsers_decode_pass(void **state)
{
	/* Each offset is counted from the marker of the frame. At 1 is the kind of the frame, at 4 the number of bits, at 5
	 * and 7 the size, and at 9 the number of channels. */
	static const struct { size_t offset; uint8_t value; bool passes; } cases[] = {
		{ 1, 0xC0, true }, { 1, 0xC1, true }, { 1, 0xC2, true }, { 1, 0xC3, false }, { 1, 0xC9, false },
		{ 1, 0xCF, false },
		{ 1, 0xC4, false }, { 4, 12, false }, { 6, 0, false }, { 8, 0, false }, { 9, 3, true }, { 9, 4, false },
		{ 9, 0, false },
	};
	bspt_sample *sample = bspt_sample_make();
	const bspscene_image *source = &sample->images[BSPT_SAMPLE_IMAGE_JPEG];
	const bspscene_image *cmyk = &sample->images[BSPT_SAMPLE_IMAGE_CMYK];
	uint8_t *jpeg = malloc(source->size + 100);
	size_t frame = find_frame(source->data, source->size);
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		memcpy(jpeg, source->data, source->size);
		jpeg[frame + cases[i].offset] = cases[i].value;
		assert_int_equal(bspi_jpeg_passes(bspi_bytes_of(jpeg, source->size)), cases[i].passes);
	}
	/* Bytes after the end, as some programs leave, do no harm. */
	memcpy(jpeg, source->data, source->size);
	memset(jpeg + source->size, 0, 100);
	assert_true(bspi_jpeg_passes(bspi_bytes_of(jpeg, source->size + 100)));
	assert_false(bspi_jpeg_passes(bspi_bytes_of(cmyk->data, cmyk->size)));
	free(jpeg);
	bspt_sample_free(sample);
}

static bspt_bytes picture_of(bspt_sample *sample, uint32_t section, const char **mime, bspt_captured *captured,
                             bspt_gltf *gltf)
{
	bspt_report report = { 0 };
	bspscene_error error;
	bspscene_output output = bspt_capture(captured);
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	/* This test writes lightmaps, because with light in vertices the picture would be brightened. */
	options.lighting = BSPSCENE_WRITE_LIGHTING_LIGHTMAP;
	if (!bspscene_write(&sample->scene, "glb", &options, &output, &error)) fail_msg("%s", error.message);
	*gltf = bspt_gltf_open(captured, &report);
	bspt_assert_clean(&report);
	uint32_t material = (uint32_t)bspt_gltf_number(gltf, "meshes/0/primitives/%u/material", section);
	uint32_t texture = (uint32_t)bspt_gltf_number(gltf, "materials/%u/pbrMetallicRoughness/baseColorTexture/index",
	                                              material);
	uint32_t image = (uint32_t)bspt_gltf_number(gltf, "textures/%u/source", texture);
	*mime = bspt_gltf_text(gltf, "images/%u/mimeType", image);
	return bspt_gltf_image(gltf, image);
}

static void what_does_not_pass_is_written_anew(void **state)
{
	static const uint8_t gamma[4] = { BE(100000) }, garbage[100] = { 1, 2, 3 };
	bspt_bytes odd = png_with("gAMA", gamma, 4);
	bspt_bytes old = bspt_read_fixture("atrium/quake3/textures/sample/floor.png");
	const struct { const void *data; size_t size; bool is_checkerboard; } cases[] = {
		{ odd.data, odd.size, false }, { garbage, sizeof garbage, true }, { old.data, 60, true },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_sample *sample = bspt_sample_make();
		bspt_captured captured;
		bspt_gltf gltf;
		const char *mime;
		bspscene_pixels pixels, want;
		bspscene_image original = { .format = BSPSCENE_IMAGE_PNG, .data = old.data, .size = old.size };
		if (cases[i].is_checkerboard) original.format = BSPSCENE_IMAGE_MISSING;
		sample->images[BSPT_SAMPLE_IMAGE_PNG].data = cases[i].data;
		sample->images[BSPT_SAMPLE_IMAGE_PNG].size = cases[i].size;
		bspt_bytes png = picture_of(sample, BSPT_SAMPLE_BRICK, &mime, &captured, &gltf);
		bspscene_image image = { .format = BSPSCENE_IMAGE_PNG, .data = png.data, .size = png.size };
		assert_string_equal(mime, "image/png");
		assert_true(bspi_png_passes(bspi_bytes_of(png.data, png.size)));
		assert_true(bspscene_image_decode(&image, &pixels, NULL) && bspscene_image_decode(&original, &want, NULL));
		assert_int_equal(pixels.width, want.width);
		assert_memory_equal(pixels.data, want.data, (size_t)want.width * want.height * 4);
		bspscene_pixels_free(&pixels);
		bspscene_pixels_free(&want);
		bspt_gltf_close(&gltf);
		bspt_captured_free(&captured);
		bspt_sample_free(sample);
	}
	free(odd.data);
	free(old.data);
}

/* Progress is in proportion to the time that pictures take. A picture that is copied counts the same whatever its size
 * is, and one that is converted counts more. */
static void pictures_that_are_handed_on_take_no_time_for_their_pixels(void **state)
{
	bspt_sample *sample = bspt_sample_make();
	bspscene_image image = sample->images[BSPT_SAMPLE_IMAGE_PNG], larger = image;
	bspi_writer writer = { .main_name = "" };
	(void)state;
	larger.width *= 2;
	assert_true(bspi_picture_passes(&image, BSPI_PICTURE_PLAIN));
	double handed_on = bspi_cost_of_picture(&writer, &image, false);
	assert_true(bspi_cost_of_picture(&writer, &larger, false) == handed_on);
	assert_true(bspi_cost_of_picture(&writer, &image, true) > handed_on);
	assert_true(bspi_cost_of_picture(&writer, &larger, true) > bspi_cost_of_picture(&writer, &image, true));
	bspt_sample_free(sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pngs_with_meanings_of_their_own_do_not_pass),
		cmocka_unit_test(pngs_without_pixels_do_not_pass),
		cmocka_unit_test(cut_off_pictures_do_not_pass),
		cmocka_unit_test(damaged_pictures_are_looked_at_safely),
		cmocka_unit_test(only_frames_that_browsers_decode_pass),
		cmocka_unit_test(gains_brighten_up_to_white),
		cmocka_unit_test(added_pictures_have_their_brightest_channel_as_alpha),
		cmocka_unit_test(what_does_not_pass_is_written_anew),
		cmocka_unit_test(pictures_that_are_handed_on_take_no_time_for_their_pixels),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
