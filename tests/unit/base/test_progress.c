/* Promise: progress of loading, baking and writing begins at 0, never falls, and ends with 1, for every family and
 * every writer. Every call can cancel, the last one too. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/fraction.h"
#include "support/bspt.h"

static const struct {
	const char *map, *textures;        /* paths relative to fixtures/ */
} cases[] = {
	{ "atrium/quake3/maps/atrium.bsp", "atrium/quake3" },
	{ "atrium/quake3/maps/atrium_external.bsp", "atrium/quake3" },
	{ "atrium/quake3/maps/atrium_styles.bsp", "atrium/quake3" },
	{ "atrium/et/maps/atrium.bsp", "atrium/quake3" },
	{ "atrium/qfusion/maps/atrium_unlit.bsp", "atrium/quake3" },
	{ "atrium/quake/maps/atrium_bspx.bsp", "atrium/quake" },
	{ "atrium/quake_bsp2/maps/atrium.bsp", "atrium/quake_bsp2" },
	{ "atrium/hexen2/maps/atrium.bsp", "atrium/hexen2" },
	{ "atrium/goldsrc/maps/atrium_wad.bsp", "atrium/goldsrc" },
	{ "atrium/quake2_q2map/maps/atrium.bsp", "atrium/quake2_q2map" },
	{ "source/maps/room.bsp", "source" },
	{ "nightfire/maps/room.bsp", "nightfire" },
	{ "mohaa/maps/room.bsp", "mohaa" },
	{ "ufoai/maps/room.bsp", "ufoai" },
	{ "callofduty/maps/room.bsp", "callofduty" },
	{ "genesis3d/maps/room.bsp", "genesis3d" },
};
enum { CASE_COUNT = sizeof cases / sizeof *cases };

typedef struct told {
	const char *what;
	double last;
	uint32_t calls, cancel_at;         /* `cancel_at` is the number of the call that cancels, 0 for none */
} told;

static bspscene_progress_result listen(void *user, const char *stage, double fraction)
{
	told *t = user;
	if (!*stage || !(fraction >= t->last && fraction <= 1) || (!t->calls && fraction != 0)) {
		fail_msg("%s: call %u: \"%s\" at %.17g after %.17g", t->what, t->calls, stage, fraction, t->last);
	}
	t->last = fraction;
	return ++t->calls == t->cancel_at ? BSPSCENE_PROGRESS_CANCEL : BSPSCENE_PROGRESS_CONTINUE;
}

static void expect_whole(const told *t)
{
	if (!(t->last == 1) || t->calls < 2) fail_msg("%s: %u calls end at %.17g", t->what, t->calls, t->last);
}

static bspscene_scene *load(size_t i, bspscene_file_system *files, told *t)
{
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	bspt_use_files(&options, files);
	options.progress = listen;
	options.progress_user = t;
	return bspscene_load_file(bspt_fixture_path(cases[i].map), &options, NULL);
}

static void loads(void **state)
{
	(void)state;
	for (size_t i = 0; i < CASE_COUNT; i++) {
		bspscene_file_system *files = bspt_mount_fixtures(cases[i].textures, NULL);
		told whole = { .what = cases[i].map };
		bspscene_scene *scene = load(i, files, &whole);
		assert_non_null(scene);
		expect_whole(&whole);
		bspscene_scene_free(scene);
		told canceled = { .what = cases[i].map, .cancel_at = whole.calls };
		assert_null(load(i, files, &canceled));
		assert_int_equal(canceled.calls, whole.calls);
		bspscene_file_system_free(files);
	}
}

/* Reading a map counts as work in the progress, also for streams of unknown size and for bytes in memory. */
static void sources(void **state)
{
	(void)state;
	bspt_bytes file = bspt_read_fixture(cases[0].map);
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	told memory = { .what = "memory" }, unknown = { .what = "unknown size" };
	options.progress = listen;
	options.progress_user = &memory;
	bspscene_scene_free(bspscene_load_memory(file.data, file.size, &options, NULL));
	expect_whole(&memory);
	bspt_stream source = { file.data, file.size, 0, 999, SIZE_MAX, 0 };
	bspscene_stream stream = bspt_stream_open(&source, UINT64_MAX);
	options.progress_user = &unknown;
	bspscene_scene_free(bspscene_load_stream(&stream, &options, NULL));
	expect_whole(&unknown);
	free(file.data);
}

static void write_scene(const bspscene_scene *scene, const char *writer, bspscene_write_lighting lighting)
{
	bspt_sink sink;
	bspscene_output output = bspt_sink_output(&sink);
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	told t = { .what = writer };
	options.lighting = lighting;
	options.progress = listen;
	options.progress_user = &t;
	bspscene_error error;
	if (!bspscene_write(scene, writer, &options, &output, &error)) fail_msg("%s: %s", writer, error.message);
	expect_whole(&t);
}

static void writers_and_bakes(void **state)
{
	(void)state;
	for (size_t i = 0; i < CASE_COUNT; i++) {
		bspscene_file_system *files = bspt_mount_fixtures(cases[i].textures, NULL);
		told loading = { .what = cases[i].map };
		bspscene_scene *scene = load(i, files, &loading);
		for (uint32_t w = 0; bspscene_writers()[w]; w++) {
			write_scene(scene, bspscene_writers()[w]->name, BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
			if (i % 4 == 0) write_scene(scene, bspscene_writers()[w]->name, BSPSCENE_WRITE_LIGHTING_VERTEX);
		}
		bspscene_bake_options options;
		bspscene_bake_options_init(&options);
		told t = { .what = "bake" };
		options.progress = listen;
		options.progress_user = &t;
		/* The limit allows so few triangles that baking starts again with a larger error. */
		options.vertices = true;
		options.triangle_limit = scene->counts->triangles * 2;
		bspscene_scene_free(bspscene_bake_light(scene, &options, NULL));
		expect_whole(&t);
		bspscene_scene_free(scene);
		bspscene_file_system_free(files);
	}
}

static void parts_of_the_whole(void **state)
{
	(void)state;
	bspi_fraction f = { .before = 0 };
	assert_true(bspi_fraction_at(&f, 0.25) == 0.25);
	bspi_fraction_part(&f, 0.2, 0.6);
	assert_true(bspi_fraction_at(&f, 0) == 0.25); /* a new part does not let progress fall */
	assert_true(bspi_fraction_at(&f, 0.5) > 0.39 && bspi_fraction_at(&f, 0.5) < 0.41);
	bspi_fraction_rest(&f);
	assert_true(bspi_fraction_at(&f, 0.5) > 0.49 && bspi_fraction_at(&f, 0.5) < 0.51);
	assert_true(bspi_fraction_at(&f, 7) == 0.6 && bspi_fraction_at(&f, NAN) == 0.6);
	const bspi_fraction part = { .before = 0.6 };
	bspi_fraction_part_of(&f, &part, 0, 0.5);
	assert_true(bspi_fraction_at(&f, 1) > 0.79 && bspi_fraction_at(&f, 1) < 0.81);
	bspi_fraction_part_of(&f, &part, 0.5, 1);
	assert_true(bspi_fraction_at(&f, 1) == 1 && bspi_fraction_at(&f, 0) == 1);
	assert_true(bspi_share_done(3, 0) == 0 && bspi_share_done(1, 4) == 0.25);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads),
		cmocka_unit_test(sources),
		cmocka_unit_test(writers_and_bakes),
		cmocka_unit_test(parts_of_the_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
