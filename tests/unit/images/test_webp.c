/* Promise: lossless WebP pictures decode exactly, with transparency, and lossy ones nearly. Truncated or damaged files
 * and animations are refused with a reason, without reads outside of the file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "images/images.h"
#include "images/write/write.h"
#include "support/bspt.h"

enum { SIDE = 24, PIXELS = SIDE * SIDE, LOSSLESS = 101, LOSSY = 95 };

typedef struct file {
	uint8_t data[16384];
	size_t size;
} file;

static bool append(void *user, const void *data, size_t size)
{
	file *out = user;
	if (size > sizeof out->data - out->size) return false;
	memcpy(out->data + out->size, data, size);
	out->size += size;
	return true;
}

static void paint(uint8_t pixels[PIXELS * 4])
{
	for (int i = 0; i < PIXELS; i++) {
		pixels[4 * i] = (uint8_t)(i % SIDE * 10);
		pixels[4 * i + 1] = (uint8_t)(i / SIDE * 10);
		pixels[4 * i + 2] = 60;
		pixels[4 * i + 3] = (uint8_t)(i % 3 ? 255 : 128);
	}
}

/* Encodes the painted picture. */
static void encode(file *out, uint32_t channels, float quality)
{
	uint8_t painted[PIXELS * 4], pixels[PIXELS * 4];
	bspscene_error error;
	paint(painted);
	for (size_t i = 0; i < PIXELS; i++) memcpy(pixels + i * channels, painted + i * 4, channels);
	out->size = 0;
	const bspi_webp_kind kind = { .quality = quality };
	if (!bspi_write_webp(&kind, SIDE, SIDE, channels, pixels, append, out, &error)) fail_msg("%s", error.message);
}

static void pixels_are_given(void **state)
{
	(void)state;
	static const struct { uint32_t channels; float quality; int error; } cases[] = {
		{ 4, LOSSLESS, 0 }, { 3, LOSSLESS, 0 }, { 4, LOSSY, 24 }, { 3, LOSSY, 24 },
	};
	uint8_t painted[PIXELS * 4];
	paint(painted);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		file webp;
		encode(&webp, cases[i].channels, cases[i].quality);
		bspi_bytes bytes = bspi_bytes_of(webp.data, webp.size);
		bspi_image_info info = bspi_image_probe(bytes), checked;
		assert_true(info.format == BSPSCENE_IMAGE_WEBP && info.width == SIDE && info.height == SIDE);
		assert_int_equal(info.has_alpha, cases[i].channels == 4);
		assert_true(bspi_image_check(bytes, &checked, NULL));
		bspscene_pixels got;
		bspscene_error error;
		if (!bspi_image_decode(&bspi_system_heap, info.format, bytes, &got, &error)) fail_msg("%s", error.message);
		for (int k = 0; k < PIXELS * 4; k++) {
			int want = k % 4 == 3 && cases[i].channels == 3 ? 255 : painted[k];
			assert_true(abs(got.data[k] - want) <= cases[i].error);
		}
		bspscene_pixels_free(&got);
	}
}

/* A decoder may allocate working memory by itself. This memory is charged to the budget before the decoder runs. */
static void working_memory_is_charged(void **state)
{
	(void)state;
	file webp;
	encode(&webp, 4, LOSSLESS);
	bspi_budget budget;
	bspscene_pixels got;
	bspscene_error error;
	bspi_budget_begin(&budget, 100000, NULL);
	bspi_bytes bytes = bspi_bytes_of(webp.data, webp.size);
	assert_false(bspi_bytes_decode_within(&budget, BSPSCENE_IMAGE_WEBP, bytes, &got, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_MEMORY_LIMIT);
	assert_int_equal(budget.used, 0);
	budget.limit = 4 << 20;
	if (!bspi_bytes_decode_within(&budget, BSPSCENE_IMAGE_WEBP, bytes, &got, &error)) fail_msg("%s", error.message);
	bspi_pixels_give(&budget, &got);
	assert_int_equal(budget.used, 0);
}

static void try_bytes(bspt_guard *guard, const uint8_t *data, size_t size)
{
	bspi_bytes bytes = bspi_bytes_of(bspt_guard_place(guard, data, size), size);
	bspi_image_info info = bspi_image_probe(bytes);
	bspscene_pixels got = { 0 };
	bspscene_error error = { 0 };
	if (info.format != BSPSCENE_IMAGE_WEBP || (uint64_t)info.width * info.height > 1 << 20) return;
	bool ok = bspi_image_decode(&bspi_system_heap, info.format, bytes, &got, &error);
	if (ok) assert_true(got.width == info.width && got.height == info.height);
	else assert_true(error.status && error.message[0]);
	bspscene_pixels_free(&got);
}

static void damage_does_no_harm(void **state)
{
	(void)state;
	static const uint8_t changes[] = { 0x01, 0x80, 0xff };
	bspt_guard guard = bspt_guard_make(sizeof(file));
	for (int lossless = 0; lossless < 2; lossless++) {
		file webp;
		encode(&webp, 4, lossless ? LOSSLESS : LOSSY);
		for (size_t size = 12; size <= webp.size; size++) {
			bspscene_pixels got;
			bspi_bytes cut = bspi_bytes_of(webp.data, size);
			bool ok = bspi_image_decode(&bspi_system_heap, BSPSCENE_IMAGE_WEBP, cut, &got, NULL);
			if (ok) bspscene_pixels_free(&got);
			assert_int_equal(ok, size == webp.size);
			try_bytes(&guard, webp.data, size);
		}
		for (size_t at = 0; at < webp.size; at++) {
			for (size_t change = 0; change < sizeof changes; change++) {
				webp.data[at] ^= changes[change];
				try_bytes(&guard, webp.data, webp.size);
				webp.data[at] ^= changes[change];
			}
		}
	}
	bspt_guard_free(&guard);
}

static void animations_are_refused_in_words(void **state)
{
	(void)state;
	static const uint8_t bytes[] = "RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\2\0\0\0\7\0\0\7\0\0";
	bspscene_pixels got;
	bspscene_error error;
	assert_false(bspi_image_decode(&bspi_system_heap, BSPSCENE_IMAGE_WEBP, bspi_bytes_of(bytes, sizeof bytes - 1), &got,
	                               &error));
	assert_string_equal(error.message, "WebP: animations are not supported");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pixels_are_given), cmocka_unit_test(working_memory_is_charged),
		cmocka_unit_test(damage_does_no_harm), cmocka_unit_test(animations_are_refused_in_words),
	};
	if (!bspi_can_write_webp(SIDE, SIDE)) return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
