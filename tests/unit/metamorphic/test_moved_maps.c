/* Promise: a room that is shifted, turned by 90 degrees, mirrored or doubled gives the same scene, moved. Loads are
 * compared with each other, so the test has no expected values that depend on the code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/metamorphic/moved_scene.h"

/* The motions that are applied to rooms. A shift is a whole number of luxels, and of cells of every light grid. So
 * luxels and cells divide the moved map at the same points of its surfaces. */
static const bspt_motion motions[] = {
	{ .name = "shifted", .shift = { 512, -256, 128 }, .scale = 1 },
	{ .name = "turned once", .scale = 1, .quarters = 1 },
	{ .name = "turned twice and shifted", .shift = { -64, 128, 256 }, .scale = 1, .quarters = 2 },
	{ .name = "mirrored", .scale = 1, .mirrored = true },
	{ .name = "mirrored and turned", .shift = { 0, 1024, 0 }, .scale = 1, .quarters = 1, .mirrored = true },
	{ .name = "twice as large", .scale = 2 },
};

static bspscene_scene *load_parts(const bspi_variant *variant, const bspt_own_parts *own)
{
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.include_mask = BSPSCENE_SURFACE_ALL & ~(uint32_t)BSPSCENE_SURFACE_COLLISION;
	return bspt_load_parts(variant, &own->parts, &options);
}

/* Removes curves, because their number of triangles depends on their size in game units. */
static void drop_curves(bspt_own_parts *own)
{
	for (uint32_t i = 0; i < own->parts.map.faces_count; i++) {
		bspi_face *face = &own->parts.map.faces[i];
		if (face->patch_width) face->game_type = 4;
		face->patch_width = face->patch_height = 0;
	}
}

static void take_parts(bspt_own_parts *own, const bspi_family *family, const bspi_variant *variant,
                       const bspt_motion *motion)
{
	bspt_own_parts_take(own, family, variant);
	own->parts.bspx_count = 0;         /* lumps of BSPX are left out, because the test does not move their contents */
	if (motion->scale != 1) drop_curves(own);
}

/* Returns whether the samples of light move with the map. Maps with ambient samples are left out. A light grid moves
 * with the map only if the map is just shifted, not rotated, mirrored or scaled. */
static bool has_moved_samples(const bspscene_scene *scene, const bspt_motion *motion)
{
	bool only_shifted = !motion->quarters && !motion->mirrored && motion->scale == 1;
	return !scene->ambient_count && (!scene->light_grid || only_shifted);
}

static uint32_t check_motion(const bspi_family *family, const bspi_variant *variant, const bspt_motion *motion)
{
	bspt_own_parts before, after;
	take_parts(&before, family, variant, motion);
	take_parts(&after, family, variant, motion);
	bool moves = bspt_can_move(&after, family, motion);
	if (moves) {
		bspt_report report = { 0 };
		bspt_context(&report, "%s, %s", bspt_variant_name(family, variant), motion->name);
		bspt_move_parts(&after, variant, motion);
		bspscene_scene *a = load_parts(variant, &before), *b = load_parts(variant, &after);
		bspt_check_moved(a, b, motion, 0, &report);
		if (has_moved_samples(a, motion)) bspt_check_moved_samples(a, b, motion, &report);
		bspscene_scene_free(a);
		bspscene_scene_free(b);
		bspt_assert_clean(&report);
	}
	bspt_own_parts_free(&before);
	bspt_own_parts_free(&after);
	return moves;
}

/* The first variant of each family gets all motions, each other variant gets one. */
static void test_moved(void **state)
{
	(void)state;
	uint32_t checked = 0;
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		for (uint32_t v = 0; v < bspi_families[f]->variant_count; v++) {
			for (uint32_t m = 0; m < sizeof motions / sizeof *motions; m++) {
				if (v && m != v % (sizeof motions / sizeof *motions)) continue;
				checked += check_motion(bspi_families[f], &bspi_families[f]->variants[v], &motions[m]);
			}
		}
	}
	print_message("%u motions\n", checked);
	assert_true(checked > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_moved) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
