/* test_lit_between.c - between two luxels, baked pictures and mean light have the value that the renderer shows.
 * Halfway, this is half of the linear light if the game interpolates linear light, else half of the display value. It
 * holds for pages of bytes and of half floats. The light of two sets is added in the same way. Once, every game's pages
 * of bytes were averaged as display values, and its pages of half floats as linear light. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "images/images.h"
#include "support/light/lit_sample.h"

#define GAMMA 2.2

enum { LUXELS = 3 * BSPT_LIT_PAGE * BSPT_LIT_PAGE, DARK = 10, BRIGHT = 150 };

/* The sample with one color, and with pages whose left half is dark. */
typedef struct halved {
	bspt_lit_sample sample;
	uint16_t halves[LUXELS];
	bspscene_lightmap_set sets[2];
} halved;

static void make(halved *h, bool linear, bool halves, uint32_t sets)
{
	bspt_lit_sample *s = &h->sample;
	bspt_lit_sample_scene(s);
	for (uint32_t i = 0; i < BSPT_LIT_TEXTURE * BSPT_LIT_TEXTURE; i++) {
		memcpy(s->texels + 4 * i, bspt_lit_left_color, 3);
	}
	for (uint32_t i = 0; i < LUXELS; i++) {
		s->luxels[i] = i / 3 % BSPT_LIT_PAGE < BSPT_LIT_PAGE / 2 ? DARK : BRIGHT;
		h->halves[i] = bspi_half_from_float((float)pow(s->luxels[i] / 255.0, GAMMA));
	}
	if (halves) s->page.format = BSPSCENE_LIGHTMAP_PAGE_RGB16F;
	if (halves) s->page.data = h->halves;
	s->scene.linear_luxels = linear;
	s->scene.lightmap_sets = h->sets;
	s->scene.lightmap_set_count = sets;
	for (uint32_t i = 0; i < sets; i++) h->sets[i] = (bspscene_lightmap_set){ .intensity = 1.25f, .pages = &s->page };
	h->sets[1].intensity = 0.5f;
}

/* Returns the display value, 0..1, halfway between a dark and a bright luxel. */
static double wanted(bool linear, uint32_t sets)
{
	const double power = linear ? GAMMA : 1, intensities[2] = { 1.25, 0.5 };
	double sum = 0;
	for (uint32_t i = 0; i < sets; i++) {
		sum += (pow(DARK / 255.0 * intensities[i], power) + pow(BRIGHT / 255.0 * intensities[i], power)) / 2;
	}
	return pow(sum, 1 / power);
}

/* Checks the middle of the picture of face 0. */
static void the_picture_has(const bspt_lit_sample *s, double light)
{
	const bspi_lit_sheet *sheet = &s->lit.sheets[0];
	/* The uvs of two opposite corners of the face, 0 and 2. */
	const float *low = s->lit.uvs[0], *high = low + 4;
	bspscene_image image = { .format = BSPSCENE_IMAGE_JPEG, .data = sheet->picture.data, .size = sheet->picture.size };
	bspscene_pixels pixels;
	assert_true(s->lit.sections[0][0].in_picture);
	assert_true(bspscene_image_decode(&image, &pixels, NULL));
	uint32_t x = (uint32_t)((low[0] + high[0]) / 2 * (float)pixels.width);
	uint32_t y = (uint32_t)((low[1] + high[1]) / 2 * (float)pixels.height);
	const uint8_t *pixel = pixels.data + 4 * ((size_t)y * pixels.width + x);
	for (int i = 0; i < 3; i++) assert_float_equal(pixel[i], (float)(bspt_lit_left_color[i] * light), 8);
	bspscene_pixels_free(&pixels);
}

static void light_between_luxels_is_as_in_pictures(void **state)
{
	static halved h;
	(void)state;
	for (uint32_t i = 0; i < 8; i++) {
		const bool linear = i & 1, halves = i & 2;
		const uint32_t sets = 1 + i / 4;
		make(&h, linear, halves, sets);
		assert_true(bspt_lit_sample_make(&h.sample, 0));
		the_picture_has(&h.sample, wanted(linear, sets));
		bspt_lit_sample_release(&h.sample);
	}
	assert_true(wanted(true, 1) - wanted(false, 1) > 0.1);
}

/* All corners lie on the border between the dark and the bright half of the page. */
static void mean_light_is_as_in_pictures(void **state)
{
	static halved h;
	(void)state;
	for (uint32_t i = 0; i < 4; i++) {
		const bool linear = i & 1, halves = i & 2;
		make(&h, linear, halves, 1);
		for (uint32_t k = 0; k < 2 * BSPT_LIT_VERTICES; k++) h.sample.lightmap_uvs[k] = 0.5f;
		h.sample.materials[0].alpha_mode = BSPSCENE_ALPHA_MODE_ADD;
		assert_true(bspt_lit_sample_make(&h.sample, 0));
		assert_false(h.sample.lit.sections[0][0].in_picture);
		for (int k = 0; k < 3; k++) {
			assert_float_equal(h.sample.lit.sections[0][0].light[k], (float)wanted(linear, 1), 1 / 64.0f + 1e-4f);
		}
		bspt_lit_sample_release(&h.sample);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(light_between_luxels_is_as_in_pictures),
		cmocka_unit_test(mean_light_is_as_in_pictures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
