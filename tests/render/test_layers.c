/* Promise: layers, borders between two textures, detail textures and emission look as the formulas of material.h say.
 * The test has its own copy of the formulas, in double precision. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "shade/shade.h"

#define GAMMA 2.2

static double linear(double display)
{
	return pow(fmax(display, 0), GAMMA);
}

static double display(double light)
{
	return pow(fmax(light, 0), 1 / GAMMA);
}

static double mix(double from, double to, double by)
{
	return from + (to - from) * by;
}

static double clamp(double value)
{
	return fmin(fmax(value, 0), 1);
}

static double smooth(double x, double low, double high)
{
	double t = clamp((x - low) / (high - low));
	return 3 * t * t - 2 * t * t * t;
}

static double luminance(const double color[3])
{
	return 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2];
}

static void assert_near(double got, double want)
{
	if (!(fabs(got - want) < 1e-3)) fail_msg("%g instead of %g", got, want);
}

/* ---- Layers ------------------------------------------------------------------------------------------------- */

static void layers_cover_each_other(void **state)
{
	static const bspscene_layer layers[3] = {
		{ .luminance = { 0.05f, 0.8f } },
		{ .luminance = { 0.1f, 0.6f }, .luminance_share = 0.3f, .blend = { 0.1f, 0.95f } },
		{ .luminance = { 0, 0.5f }, .luminance_share = 0.8f, .blend = { 0.2f, 1.4f }, .doubled = true },
	};
	static const bspr_layers at = {
		.colors = { { 0.9f, 0.4f, 0.2f, 1 }, { 0.3f, 0.7f, 0.5f, 1 }, { 0.6f, 0.2f, 0.8f, 1 } },
		.weights = { 1, 0.35f, 0.6f },
	};
	const bspscene_layer *table[] = { &layers[0], &layers[1], &layers[2] };
	bspscene_material material = { .layers = table };
	(void)state;
	for (material.layer_count = 1; material.layer_count <= 3; material.layer_count++) {
		double color[3] = { 0 }, bright = 0;
		float got[3];
		for (uint32_t n = 0; n < material.layer_count; n++) {
			const bspscene_layer *layer = &layers[n];
			double c[3], share = (double)layer->luminance_share;
			for (int i = 0; i < 3; i++) c[i] = linear((double)at.colors[n][i]);
			double own = smooth(luminance(c), (double)layer->luminance[0], (double)layer->luminance[1]);
			double weight = (double)at.weights[n] * (1 + (1 - bright) * (1 - share) + own * share);
			double amount = n ? smooth(weight, (double)layer->blend[0], (double)layer->blend[1]) : 1;
			assert_true(!n || (amount > 0.05 && amount < 0.95));
			for (int i = 0; i < 3; i++) color[i] += ((layer->doubled ? 2 * color[i] * c[i] : c[i]) - color[i]) * amount;
			bright += (own - bright) * amount;
		}
		bspr_blend_layers(&material, &at, got);
		for (int i = 0; i < 3; i++) assert_near((double)got[i], fmin(display(color[i]), 1));
	}
}

/* In the mask, green is the middle of the border, and red is half of the border's width. */
static void borders_are_where_the_mask_says(void **state)
{
	static const float masks[][4] = { { 0.2f, 0.5f, 0, 0 }, { 0.4f, 0.3f, 0, 0 }, { 0.3f, 0.9f, 0, 0 } };
	(void)state;
	for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
		double g = (double)masks[i][1], r = (double)masks[i][0];
		for (int step = 0; step <= 10; step++) {
			double w = step / 10.0;
			bspscene_blend_mask border = { .masked = false };
			assert_near((double)bspr_blend_amount(&border, masks[i], (float)w),
			            smooth(w, fmax(g - r, 0), fmin(g + r, 1)));
			border.masked = true;
			assert_near((double)bspr_blend_amount(&border, masks[i], (float)w), smooth(0.5, g - r, g + r));
		}
	}
}

/* ---- Details ------------------------------------------------------------------------------------------------ */

/* Returns what the mode makes of a channel; channel 3 is alpha. */
static double wanted(bspscene_detail_texture_mode mode, double f, const double c[4], const double d[4], int channel)
{
	double a = d[3], b = c[3], x = c[channel], y = d[channel];
	bool alpha = channel == 3;
	switch (mode) {
	case BSPSCENE_DETAIL_TEXTURE_DOUBLED: return alpha ? b : x * mix(1, 2 * y, f);
	case BSPSCENE_DETAIL_TEXTURE_ADD: return alpha ? b : x + f * y;
	case BSPSCENE_DETAIL_TEXTURE_OVER: return alpha ? b : mix(x, y, f * a);
	case BSPSCENE_DETAIL_TEXTURE_FADE: return mix(x, y, f);
	case BSPSCENE_DETAIL_TEXTURE_UNDER: return alpha ? a : mix(x, y, f * (1 - b));
	case BSPSCENE_DETAIL_TEXTURE_PATTERNS: return alpha ? b : x * mix(1, 2 * mix(d[0], a, b), f);
	case BSPSCENE_DETAIL_TEXTURE_MULTIPLY: return x * mix(1, y, f);
	case BSPSCENE_DETAIL_TEXTURE_MASK: return alpha ? b * mix(1, a, f) : x;
	case BSPSCENE_DETAIL_TEXTURE_SELF_SHADOWED: return alpha ? b : x * (d[0] + d[1] + d[2]) * 2 / 3;
	default: return x;
	}
}

static void details_change_what_is_below(void **state)
{
	static const float below[4] = { 0.7f, 0.5f, 0.3f, 0.8f }, texel[4] = { 0.2f, 0.9f, 0.4f, 0.35f };
	static const float tint[3] = { 1, 0.5f, 0.75f };
	static const float factors[] = { 0.3f, 1 };
	(void)state;
	for (int i = 0; i < 2 * 2 * 12; i++) {
		bspscene_detail_texture detail = { .mode = (bspscene_detail_texture_mode)(i / 4),
			                               .factor = factors[i & 1],
			                               .display = i & 2,
			                               .color = { tint[0], tint[1], tint[2] } };
		bool shown = detail.display || detail.mode == BSPSCENE_DETAIL_TEXTURE_ADD;
		double c[4] = { 0, 0, 0, (double)below[3] }, d[4] = { 0, 0, 0, (double)texel[3] };
		for (int k = 0; k < 3; k++) {
			c[k] = linear((double)below[k]);
			d[k] = (shown ? linear((double)texel[k]) : (double)texel[k]) * (double)tint[k];
		}
		float got[4] = { below[0], below[1], below[2], below[3] };
		bspr_apply_detail(&detail, texel, got);
		for (int k = 0; k < 3; k++) {
			double want = wanted(detail.mode, (double)detail.factor, c, d, k);
			assert_near((double)got[k], display(want));
		}
		assert_near((double)got[3], wanted(detail.mode, (double)detail.factor, c, d, 3));
	}
}

static void details_glow_over_the_light(void **state)
{
	static const float lit[3] = { 0.4f, 0.6f, 0.1f }, texel[4] = { 0.3f, 0.8f, 0.55f, 1 };
	static const float factors[] = { 0.25f, 0.5f, 0.8f };
	(void)state;
	for (int i = 0; i < 2 * 3; i++) {
		bool band = i & 1;
		double f = (double)factors[i / 2];
		bspscene_detail_texture detail = { .mode =
			                                   band ? BSPSCENE_DETAIL_TEXTURE_GLOW_BAND : BSPSCENE_DETAIL_TEXTURE_GLOW,
			                               .factor = factors[i / 2],
			                               .color = { 1, 1, 1 } };
		float got[3] = { lit[0], lit[1], lit[2] };
		bspr_add_detail_glow(&detail, texel, got);
		for (int k = 0; k < 3; k++) {
			double d = (double)texel[k], part = clamp(f >= 0.5 ? (d + f - 1) / f : 4 * f * (d - 0.5));
			assert_near((double)got[k], display(linear((double)lit[k]) + (band ? part : f * d)));
		}
	}
}

/* A surface emits its own color times the texture, in linear light. The mask tells where and how strongly. */
static void what_shines_keeps_its_texture(void **state)
{
	static const float texture[3] = { 0.5f, 0.25f, 0.75f }, part[3] = { 0.3f, 0, 1 };
	const bspscene_emission_mask own = { .color = { 0.8f, 1, 2 } };
	float color[3] = { 0.2f, 0.1f, 0.6f };
	(void)state;
	bspr_shine(&own, texture, part, color);
	assert_near((double)color[0], display(mix(linear(0.2), 0.8 * linear(0.5), 0.3)));
	assert_near((double)color[1], 0.1);
	assert_near((double)color[2], display(2 * linear(0.75)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layers_cover_each_other),       cmocka_unit_test(borders_are_where_the_mask_says),
		cmocka_unit_test(details_change_what_is_below),  cmocka_unit_test(details_glow_over_the_light),
		cmocka_unit_test(what_shines_keeps_its_texture),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
