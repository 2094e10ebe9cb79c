/* Promise: nothing that happens to a real map's file, its siblings, its memory or its output can do harm.
 * The argument is the tier. The tier quick (default) tries every n-th variation of one map of each kind. The tiers full
 * and slow try more variations of all maps, and the tier exhaustive tries all variations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/hostile/hostile.h"

static const struct {
	const char *map, *textures;        /* paths relative to fixtures/ */
	uint32_t effort;                   /* how many times as many variations are tried as of other maps; skies are drawn
	                                    * if it is above 1 */
	/* True if the map is also in the quick tier. One map is enough for formats that share most code, because rooms of
	 * all variants are attacked as well. */
	bool quick;
} cases[] = {
	{ "atrium/quake3/maps/atrium.bsp", "atrium/quake3", 4, true },
	{ "atrium/quake3/maps/atrium_external.bsp", "atrium/quake3", 1, false },
	{ "atrium/quake3/maps/atrium_styles.bsp", "atrium/quake3", 1, true },
	{ "atrium/quake3/maps/atrium_deluxe.bsp", "atrium/quake3", 1, false },
	{ "atrium/et/maps/atrium.bsp", "atrium/quake3", 1, false },
	{ "atrium/jediacademy/maps/atrium.bsp", "atrium/quake3", 1, false },
	{ "atrium/qfusion/maps/atrium_unlit.bsp", "atrium/quake3", 1, false },
	{ "atrium/quake/maps/atrium.bsp", "atrium/quake", 2, true },
	{ "atrium/quake/maps/atrium_bspx.bsp", "atrium/quake", 1, false },
	{ "atrium/quake_bsp2/maps/atrium.bsp", "atrium/quake_bsp2", 1, false },
	{ "atrium/quake_2psb/maps/atrium.bsp", "atrium/quake_2psb", 1, false },
	{ "atrium/hexen2/maps/atrium.bsp", "atrium/hexen2", 1, false },
	{ "atrium/goldsrc/maps/atrium_wad.bsp", "atrium/goldsrc", 2, true },
	{ "atrium/quake2_q2map/maps/atrium.bsp", "atrium/quake2_q2map", 2, true },
	{ "atrium/quake2_qbism/maps/atrium.bsp", "atrium/quake2_q2map", 1, false },
	{ "nightfire/maps/room.bsp", "nightfire", 1, true },
	{ "mohaa/maps/room.bsp", "mohaa", 1, true },
	{ "ufoai/maps/room.bsp", "ufoai", 1, true },
	{ "ufoai/maps/yard/y_lawn.bsp", "ufoai", 1, false },
	{ "callofduty/maps/room.bsp", "callofduty", 1, true },
	{ "callofduty4/maps/room.bsp", "callofduty4", 1, false },
	{ "genesis3d/maps/room.bsp", "genesis3d", 1, true },
	{ "respawn/maps/room.bsp", "respawn", 1, true },
};

#define QUICK_STRIDE 907u
static uint32_t tier_stride = QUICK_STRIDE;

static bool is_attacked(size_t i) { return tier_stride < QUICK_STRIDE || cases[i].quick; }

typedef void attack_fn(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);

/* Attacks each map of the tier. If `with_siblings`, the map's textures and other files can be opened, too. */
static void attack_all(attack_fn *attack, bool with_siblings, uint32_t stride)
{
	bspt_heap_known();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (!is_attacked(i)) continue;
		bspt_bytes file = bspt_read_fixture(cases[i].map);
		bspscene_file_system *files = bspt_mount_fixtures(cases[i].textures, NULL);
		bspt_victim victim = { .name = cases[i].map, .data = file.data, .size = file.size };
		bspscene_load_options_init(&victim.options);
		victim.options.lightmap_page_size = 256;
		victim.stride = stride / cases[i].effort;
		if (!victim.stride) victim.stride = 1;
		victim.write_stride = 500;
		victim.no_sky = tier_stride > 1 && cases[i].effort == 1;
		if (with_siblings) {
			bspt_use_files(&victim.options, files);
		}
		bspt_report report = { 0 };
		bspt_tally tally = { 0 };
		attack(&victim, &tally, &report);
		bspt_tally_print(&victim, &tally);
		bspt_assert_clean(&report);
		bspscene_file_system_free(files);
		free(file.data);
	}
}

/* Truncated files fail early, so six times as many variations are tried as of other damage. */
static void test_truncate(void **state) { (void)state; attack_all(bspt_hostile_truncate, false, tier_stride / 6); }
static void test_patch(void **state) { (void)state; attack_all(bspt_hostile_patch, false, tier_stride); }
static void test_fields(void **state) { (void)state; attack_all(bspt_hostile_fields, false, tier_stride / 4 + 1); }
static void test_cancel(void **state) { (void)state; attack_all(bspt_hostile_cancel, true, tier_stride); }
static void test_starve(void **state) { (void)state; attack_all(bspt_hostile_starve, true, tier_stride / 16 + 1); }
static void test_streams(void **state) { (void)state; attack_all(bspt_hostile_streams, false, tier_stride); }
static void test_siblings(void **state) { (void)state; attack_all(bspt_hostile_siblings, true, tier_stride / 64 + 1); }

static void test_outputs(void **state)
{
	(void)state;
	attack_all(bspt_hostile_outputs, true, tier_stride > 1 ? 4 * QUICK_STRIDE : 1);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "full")) tier_stride = 500;
	if (argc > 1 && !strcmp(argv[1], "slow")) tier_stride = 200;
	if (argc > 1 && !strcmp(argv[1], "exhaustive")) tier_stride = 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_truncate),
		cmocka_unit_test(test_patch),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_cancel),
		cmocka_unit_test(test_starve),
		cmocka_unit_test(test_streams),
		cmocka_unit_test(test_siblings),
		cmocka_unit_test(test_outputs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
