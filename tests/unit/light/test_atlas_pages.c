/* test_atlas_pages.c - pages that come back larger become the mean of their pixels, in EXR too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "images/images.h"
#include "relight/atlas_pages.h"
#include "support/bspt.h"

#ifdef BSPI_HAVE_EXR
	#define HAS_EXR true
#else
	#define HAS_EXR false
#endif

enum { SIDE = 3, FACTOR = 2, LARGE = SIDE * FACTOR };

typedef struct file {
	uint8_t bytes[1 << 16];
	size_t size;
} file;

static bool put(void *user, const void *data, size_t size)
{
	file *out = user;
	if (size > sizeof out->bytes - out->size) return false;
	memcpy(out->bytes + out->size, data, size);
	out->size += size;
	return true;
}

static bool open_file(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const file *written = user;
	(void)path;
	(void)kind;
	stream->data = written->bytes;
	stream->size = written->size;
	return true;
}

static bool read_page(file *written, uint32_t width, bspscene_page *out, uint16_t pixels[3])
{
	bspi_ctx ctx = { .options = { .open_file = open_file, .file_user = written }, .file = "atlas", .name = "atlas" };
	const bspi_page_wanted wanted = { .width = width, .height = SIDE, .format = BSPSCENE_PAGE_RGB16F };
	bspi_budget_begin(&ctx.budget, UINT64_C(1) << 24, NULL);
	bspi_begin_memory(&ctx);
	bool read = bspi_read_atlas_page(&ctx, "page.exr", &wanted, out);
	if (read) memcpy(pixels, (const uint16_t *)out->data + 3 * (SIDE + 1), 3 * sizeof *pixels);
	bspi_end_memory(&ctx);
	return read;
}

/* Luxel 1, 1 has pixels of 1, 2, 3 and 4 in red, all 5 in green, none in blue. */
static void larger_exr_is_its_mean(void **state)
{
	(void)state;
	if (!HAS_EXR) skip();
	static uint16_t pixels[LARGE * LARGE * 3];
	static file written;
	for (uint32_t y = 0; y < LARGE; y++) {
		for (uint32_t x = 0; x < LARGE; x++) {
			uint16_t *pixel = pixels + 3 * (y * LARGE + x);
			pixel[0] = bspi_half_from_float((float)(1 + x % FACTOR + y % FACTOR * FACTOR));
			pixel[1] = bspi_half_from_float(5);
			pixel[2] = 0;
		}
	}
	const bspscene_page large = { LARGE, LARGE, BSPSCENE_PAGE_RGB16F, pixels };
	bspscene_page page;
	bspscene_error error;
	uint16_t luxel[3];
	assert_true(bspscene_write_page(&large, put, &written, &error));
	assert_true(read_page(&written, SIDE, &page, luxel));
	assert_int_equal(luxel[0], bspi_half_from_float(2.5f));
	assert_int_equal(luxel[1], bspi_half_from_float(5));
	assert_int_equal(luxel[2], 0);
	assert_false(read_page(&written, SIDE + 1, &page, luxel)); /* of no whole factor */
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(larger_exr_is_its_mean) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
