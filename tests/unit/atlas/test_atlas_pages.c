/* test_atlas_pages.c - if a page was saved larger than the atlas states, each luxel is the mean of its pixels, also in
 * EXR. With any number of threads, the pages and the reported error are the same, and the memory limit is kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

static bool read_page(file *written, uint32_t width, bspscene_lightmap_page *out, uint16_t pixels[3])
{
	bspi_ctx ctx = { .options = { .open_file = open_file, .file_user = written }, .file = "atlas", .name = "atlas" };
	const bspi_page_wanted wanted = { .width = width, .height = SIDE, .format = BSPSCENE_LIGHTMAP_PAGE_RGB16F };
	bspi_budget_begin(&ctx.budget, UINT64_C(1) << 24, NULL);
	bspi_begin_memory(&ctx);
	*out = (bspscene_lightmap_page){ width, SIDE, BSPSCENE_LIGHTMAP_PAGE_RGB16F, NULL, NULL };
	bool read = bspi_read_atlas_pages(&ctx, &(bspi_page_read){ "page.exr", wanted, out }, 1);
	if (read) memcpy(pixels, (const uint16_t *)out->data + 3 * (SIDE + 1), 3 * sizeof *pixels);
	bspi_end_memory(&ctx);
	return read;
}

/* A picture is saved with 2 x 2 pixels for each luxel. Their red values are 1, 2, 3 and 4, plus 10 for each column of
 * luxels and 100 for each row. Green is 5 in all pixels, and blue is 0. The test compares luxel (1, 1), which must be
 * the mean of its pixels. */
static void larger_exr_is_its_mean(void **state)
{
	(void)state;
	if (!HAS_EXR) skip();
	static uint16_t pixels[LARGE * LARGE * 3];
	static file written;
	for (uint32_t y = 0; y < LARGE; y++) {
		for (uint32_t x = 0; x < LARGE; x++) {
			uint16_t *pixel = pixels + 3 * (y * LARGE + x);
			uint32_t luxel = 10 * (x / FACTOR) + 100 * (y / FACTOR);
			pixel[0] = bspi_half_from_float((float)(1 + x % FACTOR + y % FACTOR * FACTOR + luxel));
			pixel[1] = bspi_half_from_float(5);
			pixel[2] = 0;
		}
	}
	const bspscene_lightmap_page large = { LARGE, LARGE, BSPSCENE_LIGHTMAP_PAGE_RGB16F, pixels, NULL };
	bspscene_lightmap_page page;
	bspscene_error error;
	uint16_t luxel[3];
	assert_true(bspscene_write_lightmap_page(&large, put, &written, &error));
	assert_true(read_page(&written, SIDE, &page, luxel));
	assert_int_equal(luxel[0], bspi_half_from_float(112.5f));
	assert_int_equal(luxel[1], bspi_half_from_float(5));
	assert_int_equal(luxel[2], 0);
	assert_false(read_page(&written, SIDE + 1, &page, luxel)); /* fails: SIDE + 1 does not divide the size */
}

/* ---- Threads ---------------------------------------------------------------------------------------------- */

enum { PAGES = 70, PAGE_SIDE = 24, PIXEL_COUNT = PAGE_SIDE * PAGE_SIDE };

typedef struct atlas {
	file files[PAGES];
	char names[PAGES][16];
	bspi_page_read reads[PAGES];
	bspscene_lightmap_page pages[PAGES];
	uint32_t missing, told;
} atlas;

/* Makes pages of noise; every third is saved at twice the size that the atlas states. */
static atlas *make_atlas(void)
{
	static uint8_t pixels[3 * PIXEL_COUNT];
	atlas *a = test_calloc(1, sizeof *a);
	uint32_t seed = 5;
	for (uint32_t i = 0; i < PAGES; i++) {
		for (size_t k = 0; k < sizeof pixels; k++) pixels[k] = (uint8_t)((seed = seed * 1664525u + 1013904223u) >> 24);
		const bspscene_lightmap_page page = { PAGE_SIDE, PAGE_SIDE, BSPSCENE_LIGHTMAP_PAGE_RGB8, pixels, NULL };
		uint32_t side = i % 3 ? PAGE_SIDE : PAGE_SIDE / 2;
		assert_true(bspscene_write_lightmap_page(&page, put, &a->files[i], NULL));
		snprintf(a->names[i], sizeof a->names[i], "%u.png", (unsigned)i);
		const bspi_page_wanted wanted = { .width = side, .height = side, .format = BSPSCENE_LIGHTMAP_PAGE_RGB8 };
		a->reads[i] = (bspi_page_read){ a->names[i], wanted, &a->pages[i] };
	}
	a->missing = PAGES;
	return a;
}

static bool open_page(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	atlas *a = user;
	uint32_t number = (uint32_t)strtoul(path, NULL, 10);
	(void)kind;
	if (number == a->missing) return false;
	stream->data = a->files[number].bytes;
	stream->size = a->files[number].size;
	return true;
}

static bspscene_progress_result tell(void *user, const char *stage, double fraction)
{
	(void)stage;
	(void)fraction;
	((atlas *)user)->told++;
	return BSPSCENE_PROGRESS_CONTINUE;
}

/* Returns a hash of all pixels. If reading fails, returns 0 and sets *error. */
static uint64_t read_all(atlas *a, uint32_t threads, uint64_t limit, bspscene_error *error)
{
	bspi_ctx ctx = { .options = { .open_file = open_page, .file_user = a, .threads = threads, .progress = tell,
	                              .progress_user = a }, .file = "atlas", .name = "atlas" };
	uint64_t hash = 1;
	bspi_budget_begin(&ctx.budget, limit, NULL);
	bspi_begin_memory(&ctx);
	a->told = 0;
	if (!bspi_read_atlas_pages(&ctx, a->reads, PAGES)) hash = 0;
	for (uint32_t i = 0; hash && i < PAGES; i++) {
		const bspi_page_wanted *wanted = &a->reads[i].wanted;
		const uint8_t *bytes = a->pages[i].data;
		for (size_t k = 0; k < (size_t)wanted->width * wanted->height * 3; k++) hash = hash * 31 + bytes[k];
	}
	*error = ctx.error;
	bspi_end_memory(&ctx);
	return hash;
}

static const uint32_t counts[] = { 1, 2, 3, 8 };
enum { COUNTS = sizeof counts / sizeof *counts, LIMIT = 1 << 26 };

static void check_fault(atlas *a, const char *words)
{
	for (size_t i = 0; i < COUNTS; i++) {
		bspscene_error error;
		assert_true(!read_all(a, counts[i], LIMIT, &error));
		if (!strstr(error.message, words)) fail_msg("%u threads: %s", (unsigned)counts[i], error.message);
		assert_string_equal(error.lump, "atlas");
	}
}

static void any_number_of_threads_reads_the_same(void **state)
{
	atlas *a = make_atlas();
	bspscene_error error;
	uint64_t expected = read_all(a, 1, LIMIT, &error);
	(void)state;
	assert_true(expected);
	for (size_t i = 0; i < COUNTS; i++) {
		assert_true(read_all(a, counts[i], LIMIT, &error) == expected);
		assert_int_equal(a->told, PAGES);
	}
	a->files[66].size = 40;
	a->missing = 60;
	check_fault(a, "60.png: is missing");
	a->reads[45].wanted.width = 7;
	a->files[50].size = 40;
	check_fault(a, "45.png: has 24 x 24 pixels");
	test_free(a);
}

/* Under every memory limit, eight threads succeed or fail as one thread does. */
static void threads_keep_to_the_limit(void **state)
{
	enum { STEPS = 60, MOST = 1 << 20 };
	atlas *a = make_atlas();
	uint32_t read = 0, refused = 0;
	(void)state;
	for (uint64_t limit = MOST / STEPS; limit <= MOST; limit += MOST / STEPS) {
		bspscene_error alone, error;
		uint64_t expected = read_all(a, 1, limit, &alone), hash = read_all(a, 8, limit, &error);
		if (hash != expected) fail_msg("%llu bytes: %s, %s", (unsigned long long)limit, alone.message, error.message);
		assert_int_equal(error.status, alone.status);
		assert_string_equal(error.message, alone.message);
		if (hash) read++;
		else if (error.status == BSPSCENE_ERROR_MEMORY_LIMIT) refused++;
	}
	assert_true(read > 5 && refused > 5 && read + refused >= STEPS);
	test_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(larger_exr_is_its_mean), cmocka_unit_test(any_number_of_threads_reads_the_same),
		cmocka_unit_test(threads_keep_to_the_limit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
