/* test_light_encoding.c - luxels become exactly what the engines make of them. Bytes follow Quake III's shift and
 * clamp, for every pair of channel values. Floats have the value of their formula, except for rounding. Raw pages keep
 * the bytes of the file. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "images/images.h"
#include "support/make/made_light.h"

static const bspi_rules by_hue = { .light_clamp = BSPI_CLAMP_HUE, .intensity = 1 };
static const bspi_rules by_channel = { .light_clamp = BSPI_CLAMP_CHANNELS, .intensity = 2 };

static bspi_light_encoder encoder_of(const bspi_rules *rules, bspi_light_encoding light, float overbright,
                                     bspscene_lightmap_encoding page)
{
	bspi_light_encoder encoder = { 0 };
	bspi_init_encoder(&encoder, rules, light, overbright, page);
	return encoder;
}

/* Shifts and clamps as R_ColorShiftLightingBytes in tr_bsp.c does. */
static void shift_as_quake3(const uint8_t in[3], int shift, uint8_t out[3])
{
	int r = in[0] << shift, g = in[1] << shift, b = in[2] << shift;
	if ((r | g | b) > 255) {
		int max = r > g ? r : g;
		max = max > b ? max : b;
		r = r * 255 / max;
		g = g * 255 / max;
		b = b * 255 / max;
	}
	out[0] = (uint8_t)r;
	out[1] = (uint8_t)g;
	out[2] = (uint8_t)b;
}

/* Tests every pair of values of two channels, with several values of the third. Rows of 1 to 37 pixels are encoded,
 * because an encoder may handle the last pixels of a row separately. */
static void test_quake3_clamp(void **state)
{
	static uint8_t in[256 * 256 * 3], out[sizeof in];
	(void)state;
	for (int shift = 0; shift <= 2; shift++) {
		bspi_light_encoder encoder = encoder_of(&by_hue, BSPI_LIGHT_RGB8, (float)(1 << shift),
		                                        BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
		assert_int_equal(encoder.format, BSPSCENE_LIGHTMAP_PAGE_RGB8);
		for (int third = 0; third < 256; third += 37) {
			for (int i = 0; i < 256 * 256; i++) {
				in[3 * i + third % 3] = (uint8_t)third;
				in[3 * i + (third + 1) % 3] = (uint8_t)(i >> 8);
				in[3 * i + (third + 2) % 3] = (uint8_t)i;
			}
			uint32_t at = 0;
			for (uint32_t length = 1; at < 256 * 256; at += length, length = length % 37 + 1) {
				if (length > 256 * 256 - at) length = 256 * 256 - at;
				encoder.row(&encoder, in + (size_t)at * 3, length, out + (size_t)at * 3);
			}
			for (int i = 0; i < 256 * 256; i++) {
				uint8_t want[3];
				shift_as_quake3(in + 3 * i, shift, want);
				assert_memory_equal(out + 3 * i, want, 3);
			}
		}
	}
}

static void test_bytes(void **state)
{
	static const struct { float overbright; uint8_t in, out; } cases[] = {
		{ 1, 0, 0 }, { 1, 200, 200 }, { 2, 100, 200 }, { 2, 200, 255 }, { 1.5f, 101, 152 }, { 0.5f, 255, 128 },
		{ 1.32f, 255, 255 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t in[3] = { cases[i].in, 0, cases[i].in }, out[3], gray[3];
		bspi_light_encoder rgb = encoder_of(&by_channel, BSPI_LIGHT_RGB8, cases[i].overbright,
		                                    BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
		rgb.row(&rgb, in, 1, out);
		assert_int_equal(out[0], cases[i].out);
		assert_int_equal(out[1], 0);
		assert_int_equal(out[2], cases[i].out);
		bspi_light_encoder one = encoder_of(&by_channel, BSPI_LIGHT_GRAY8, cases[i].overbright,
		                                    BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
		one.row(&one, in, 1, gray);
		for (int k = 0; k < 3; k++) assert_int_equal(gray[k], cases[i].out);
	}
}

static float half_at(const void *page, int index)
{
	uint16_t half;
	memcpy(&half, (const uint8_t *)page + 2 * index, sizeof half);
	return bspi_half_to_float(half);
}

/* Compares within the 11 significant bits of a half float. */
static void assert_close(float got, double want)
{
	assert_true(fabs((double)got - want) <= want / 2048 + 1e-7);
}

static void test_hdr_of_bytes(void **state)
{
	(void)state;
	for (int i = 0; i < 256; i++) {
		uint8_t in[3] = { (uint8_t)i, 255, 0 };
		uint16_t out[3];
		bspi_light_encoder encoder = encoder_of(&by_channel, BSPI_LIGHT_RGB8, 4, BSPSCENE_LIGHTMAP_ENCODING_HDR);
		assert_int_equal(encoder.format, BSPSCENE_LIGHTMAP_PAGE_RGB16F);
		encoder.row(&encoder, in, 1, out);
		assert_close(half_at(out, 0), pow(i / 255.0 * 4 * 2, 2.2));
		assert_close(half_at(out, 1), pow(8, 2.2));
		assert_int_equal(out[2], 0);
		bspi_light_encoder gray = encoder_of(&by_channel, BSPI_LIGHT_GRAY8, 1, BSPSCENE_LIGHTMAP_ENCODING_HDR);
		gray.row(&gray, in, 1, out);
		for (int k = 0; k < 3; k++) assert_close(half_at(out, k), pow(i / 255.0 * 2, 2.2));
	}
}

static double clamp_byte(double value)
{
	return value < 255 ? value : 255;
}

static void test_e5bgr9(void **state)
{
	(void)state;
	for (uint32_t exponent = 0; exponent < 32; exponent++) {
		for (uint32_t mantissa = 0; mantissa < 512; mantissa += 7) {
			uint32_t bits = mantissa | 511u << 9 | 0u << 18 | exponent << 27;
			uint8_t in[4] = { (uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16), (uint8_t)(bits >> 24) };
			uint8_t out[3];
			uint16_t hdr[3];
			double red = ldexp(mantissa, (int)exponent - 24), green = ldexp(511, (int)exponent - 24);
			bspi_light_encoder display =
				encoder_of(&by_channel, BSPI_LIGHT_E5BGR9, 1, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
			display.row(&display, in, 1, out);
			assert_true(fabs(out[0] - clamp_byte(red / 2 * 255)) <= 0.51);
			assert_true(fabs(out[1] - clamp_byte(green / 2 * 255)) <= 0.51);
			assert_int_equal(out[2], 0);
			bspi_light_encoder linear = encoder_of(&by_channel, BSPI_LIGHT_E5BGR9, 1, BSPSCENE_LIGHTMAP_ENCODING_HDR);
			linear.row(&linear, in, 1, hdr);
			assert_close(half_at(hdr, 0), fmin(pow(red, 2.2), 65504));
			assert_close(half_at(hdr, 1), fmin(pow(green, 2.2), 65504));
			/* A color that is too bright is scaled down as a whole, so that its hue stays. */
			bspi_rules hue = by_hue;
			hue.intensity = 2;
			bspi_light_encoder clamped = encoder_of(&hue, BSPI_LIGHT_E5BGR9, 1, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
			clamped.row(&clamped, in, 1, out);
			double scale = green / 2 > 1 ? 2 / green : 1;
			assert_true(fabs(out[0] - red * scale / 2 * 255) <= 0.51);
		}
	}
}

static void test_rgbexp32(void **state)
{
	(void)state;
	for (int exponent = -128; exponent < 128; exponent++) {
		for (int c = 0; c < 256; c += 5) {
			uint8_t in[4] = { (uint8_t)c, 255, 0, (uint8_t)exponent }, out[3];
			uint16_t hdr[3];
			double linear = ldexp(c, exponent) / 255;
			bspi_light_encoder display =
				encoder_of(&by_channel, BSPI_LIGHT_RGBEXP32, 1, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
			display.row(&display, in, 1, out);
			assert_true(fabs(out[0] - clamp_byte(pow(linear, 1 / 2.2) / 2 * 255)) <= 0.51);
			assert_int_equal(out[2], 0);
			bspi_light_encoder direct = encoder_of(&by_channel, BSPI_LIGHT_RGBEXP32, 1, BSPSCENE_LIGHTMAP_ENCODING_HDR);
			direct.row(&direct, in, 1, hdr);
			assert_close(half_at(hdr, 0), fmin(linear, 65504));
			assert_int_equal(hdr[2], 0);
		}
	}
}

static void test_raw(void **state)
{
	static const uint8_t in[12] = { 1, 2, 3, 250, 251, 252, 0, 128, 255, 7, 77, 177 };
	uint8_t out[36];
	(void)state;
	static const struct { bspi_light_encoding light; bspscene_lightmap_page_format format; } cases[] = {
		{ BSPI_LIGHT_RGB8, BSPSCENE_LIGHTMAP_PAGE_RGB8 }, { BSPI_LIGHT_E5BGR9, BSPSCENE_LIGHTMAP_PAGE_RAW32 },
		{ BSPI_LIGHT_RGBEXP32, BSPSCENE_LIGHTMAP_PAGE_RAW32 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspi_light_encoder encoder = encoder_of(&by_hue, cases[i].light, 4, BSPSCENE_LIGHTMAP_ENCODING_RAW);
		assert_int_equal(encoder.format, cases[i].format);
		encoder.row(&encoder, in, 12 / encoder.in_size, out);
		assert_memory_equal(in, out, sizeof in);
	}
	bspi_light_encoder gray = encoder_of(&by_hue, BSPI_LIGHT_GRAY8, 4, BSPSCENE_LIGHTMAP_ENCODING_RAW);
	gray.row(&gray, in, 12, out);
	for (size_t i = 0; i < sizeof out; i++) assert_int_equal(out[i], in[i / 3]);
}

/* texture * page * intensity is the same in every encoding. */
static void test_intensities(void **state)
{
	static const struct { bspi_light_encoding light; bspscene_lightmap_encoding page; float want;
	} cases[] = {
		{ BSPI_LIGHT_RGB8, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, 2 },
		{ BSPI_LIGHT_RGB8, BSPSCENE_LIGHTMAP_ENCODING_RAW, 8 },
		{ BSPI_LIGHT_GRAY8, BSPSCENE_LIGHTMAP_ENCODING_RAW, 8 },
		{ BSPI_LIGHT_RGB8, BSPSCENE_LIGHTMAP_ENCODING_HDR, 1 },
		{ BSPI_LIGHT_RGBEXP32, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, 2 },
		{ BSPI_LIGHT_RGBEXP32, BSPSCENE_LIGHTMAP_ENCODING_HDR, 1 },
		{ BSPI_LIGHT_E5BGR9, BSPSCENE_LIGHTMAP_ENCODING_RAW, 1 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_true(bspi_page_intensity(&by_channel, cases[i].light, 4, cases[i].page) == cases[i].want);
	}
}

static void test_vertex_light(void **state)
{
	static const struct { bspscene_lightmap_encoding encoding; uint8_t want[4];
	} cases[] = {
		{ BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, { 255, 127, 0, 9 } },
		{ BSPSCENE_LIGHTMAP_ENCODING_HDR, { 255, 127, 0, 9 } },
		{ BSPSCENE_LIGHTMAP_ENCODING_NONE, { 255, 127, 0, 9 } },
		{ BSPSCENE_LIGHTMAP_ENCODING_RAW, { 200, 100, 0, 9 } },
	};
	static const uint8_t in[4] = { 200, 100, 0, 9 };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_light light;
		bspt_light_init(&light);
		light.ctx.options.lightmap_encoding = cases[i].encoding;
		assert_true(bspi_prepare_lighting(&light.build));
		uint8_t out[4];
		bspi_encode_vertex_light(&light.build, in, out);
		assert_memory_equal(out, cases[i].want, 4);
		memcpy(out, in, 4);
		bspi_encode_vertex_light(&light.build, out, out);
		assert_memory_equal(out, cases[i].want, 4);
		bspt_light_free(&light);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quake3_clamp),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_hdr_of_bytes),
		cmocka_unit_test(test_e5bgr9),
		cmocka_unit_test(test_rgbexp32),
		cmocka_unit_test(test_raw),
		cmocka_unit_test(test_intensities),
		cmocka_unit_test(test_vertex_light),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
