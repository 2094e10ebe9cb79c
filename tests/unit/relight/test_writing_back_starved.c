/* Promise: relight and rewrite allocate with the caller's allocator and free everything. Whichever allocation fails
 * first, they report that memory is out and write no file. The argument is the tier: quick (default) tries some
 * allocations, full more, exhaustive all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "relight/relight_parts.h"
#include "support/check/baked.h"
#include "support/hostile/counted_memory.h"
#include "support/make/build_map.h"
#include "support/rewrite/rewritten.h"

/* Maps with light in blocks, in pages, in vertices and the grid, and in two sets of lumps. */
static const char *const maps[] = {
	"atrium/quake/maps/atrium.bsp", "atrium/goldsrc/maps/atrium_wad.bsp", "atrium/quake2_q2map/maps/atrium.bsp",
	"atrium/quake3/maps/atrium.bsp", "source/maps/room.bsp",
};

enum { LAST = 8 };

static uint64_t most_failures = 25;

/* Runs the call and returns the number of allocations that it made. Allocation number `fail_at` and all later ones
 * fail; 0 means that none fails. */
typedef uint64_t attempt_fn(const char *map, bspt_bytes bytes, void *what, uint64_t fail_at);

static void check(const char *map, uint64_t fail_at, const bspt_counted *counted, bool ok, const bspscene_error *error,
                  uint32_t file_count)
{
	const char *words = ok ? "written" : error->message;
	if (ok != !fail_at) fail_msg("%s: allocation %u fails: %s", map, (unsigned)fail_at, words);
	if (counted->pieces) fail_msg("%s: allocation %u fails: something leaks", map, (unsigned)fail_at);
	assert_true(!fail_at == (file_count > 0));
	if (fail_at && error->status != BSPSCENE_ERROR_OUT_OF_MEMORY) {
		fail_msg("%s: allocation %u fails: %s", map, (unsigned)fail_at, words);
	}
}

static uint64_t relight(const char *map, bspt_bytes bytes, void *what, uint64_t fail_at)
{
	bspt_counted counted = { .fail_at = fail_at };
	bspscene_allocator allocator = bspt_counted_allocator(&counted);
	bspscene_load_options load;
	bspscene_load_options_init(&load);
	load.allocator = &allocator;
	bspt_relit *r = bspt_relight_as(what, bytes, &load, NULL);
	check(map, fail_at, &counted, r->ok, &r->error, r->captured.file_count);
	assert_true(fail_at || r->report.changed);
	bspt_relit_free(r);
	return counted.calls;
}

static uint64_t rewrite(const char *map, bspt_bytes bytes, void *what, uint64_t fail_at)
{
	bspt_rewritten r;
	bspt_counted counted = { .fail_at = fail_at };
	bspscene_allocator allocator = bspt_counted_allocator(&counted);
	bspscene_load_options load;
	bspscene_load_options_init(&load);
	load.allocator = &allocator;
	bspt_rewrite(&r, bytes, what, NULL, &load);
	bool ok = r.ok;
	uint32_t file_count = r.captured.file_count;
	bspscene_error error = r.error;
	bspt_rewritten_free(&r);
	check(map, fail_at, &counted, ok, &error, file_count);
	return counted.calls;
}

static void starve(attempt_fn *attempt, const char *map, bspt_bytes bytes, void *what)
{
	uint64_t count = attempt(map, bytes, what, 0), step = count / most_failures + 1;
	assert_true(count > 1);
	for (uint64_t n = 1; n <= count; n += step) attempt(map, bytes, what, n);
	/* The last allocations happen while the file is written, so each of them is tried. */
	for (uint64_t n = count > LAST ? count - LAST : 1; n <= count; n++) attempt(map, bytes, what, n);
}

static void relight_ends_in_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
		bspt_bytes bytes = bspt_read_file(bspt_fixture_path(maps[i]));
		bspt_baked b;
		assert_true(bspt_bake(&b, bytes, BSPSCENE_LIGHTMAP_ENCODING_RAW));
		bspt_baked_luxel(&b, 0, 0, 0, 0)[0] ^= 0x55;
		starve(relight, maps[i], bytes, &b);
		bspt_baked_free(&b);
		free(bytes.data);
	}
}

/* In some builds, bspi_settle_bumped_light takes its memory from a chunk that exists already, so it does not notice
 * failing allocations. So this test sets a memory limit of one byte instead. */
static void bumped_light_is_not_settled_without_memory(void **state)
{
	static bspi_relight r;
	static const bspscene_lightmap_rect places[1];
	static bspi_face face;
	const bspscene_edited_light light = { .rects = places, .rect_count = 1 };
	bspi_ctx ctx = { .file = "test", .name = "test", .budget.limit = 1 };
	(void)state;
	bspi_begin_memory(&ctx);
	r = (bspi_relight){ .build.ctx = &ctx, .light = &light };
	r.map.faces = &face;
	r.map.faces_count = 1;
	assert_false(bspi_settle_bumped_light(&r));
	bspi_end_memory(&ctx);
}

static void rewrite_ends_in_words(void **state)
{
	static const char text[] = "{ \"classname\" \"worldspawn\" \"message\" \"new\" }\n"
							   "{ \"classname\" \"light\" \"origin\" \"1 2 3\" }\n";
	(void)state;
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
		bspt_bytes bytes = bspt_read_file(bspt_fixture_path(maps[i]));
		bspscene_edited_entities entities;
		bspscene_edited_entities_init(&entities);
		entities.text = text;
		entities.text_size = strlen(text);
		starve(rewrite, maps[i], bytes, &entities);
		free(bytes.data);
	}
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "full")) most_failures = 150;
	if (argc > 1 && !strcmp(argv[1], "exhaustive")) most_failures = UINT32_MAX;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(relight_ends_in_words),
		cmocka_unit_test(bumped_light_is_not_settled_without_memory),
		cmocka_unit_test(rewrite_ends_in_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
