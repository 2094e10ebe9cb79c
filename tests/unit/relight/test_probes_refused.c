/* test_probes_refused.c - relight refuses a list of probes that does not belong to the map or has another shape, and
 * repairs values that are not light. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/check/probed.h"

#define QUAKE3 BSPT_FIXTURES "/atrium/quake3/maps/atrium.bsp"

static void check_refused(const bspt_probed *p, bspt_bytes map, bspscene_status status, const char *words)
{
	bspt_relit *r = bspt_relight(&p->baked, map);
	assert_false(r->ok);
	assert_int_equal(r->captured.file_count, 0);
	assert_int_equal(r->error.status, status);
	if (!strstr(r->error.message, words)) fail_msg("%s", r->error.message);
	bspt_relit_free(r);
}

static void probes_of_something_else_are_refused(void **state)
{
	(void)state;
	bspt_bytes map = bspt_read_file(QUAKE3);
	bspt_probed p;
	assert_true(bspt_bake_probes(&p, map, BSPSCENE_LIGHTMAP_ENCODING_HDR));
	const bspscene_light_list good = *p.list;
	p.list->count -= BSPT_PROBE_SIDES;
	check_refused(&p, map, BSPSCENE_ERROR_OTHER_MAP, "luxels in the atlas, but");
	*p.list = good;
	p.list->luxels.height = 1;
	check_refused(&p, map, BSPSCENE_ERROR_BAD_DATA, "does not hold");
	*p.list = good;
	p.list->luxels.format = BSPSCENE_LIGHTMAP_PAGE_RGB8;
	check_refused(&p, map, BSPSCENE_ERROR_BAD_DATA, "does not hold");
	*p.list = good;
	bspscene_light_list first = p.baked.lists[0];
	p.baked.lists[0] = good;
	check_refused(&p, map, BSPSCENE_ERROR_BAD_DATA, "is there twice");
	p.baked.lists[0] = first;
	bspt_probed_free(&p);
	bspt_baked raw;
	assert_true(bspt_bake(&raw, map, BSPSCENE_LIGHTMAP_ENCODING_RAW));
	first = raw.lists[0];
	raw.lists[0].name = "probes";
	bspt_relit *r = bspt_relight(&raw, map);
	assert_true(!r->ok && strstr(r->error.message, "cannot be in raw encoding"));
	bspt_relit_free(r);
	bspt_baked_free(&raw);
	free(map.data);
}

/* Values that are not light become 0, and are counted. */
static void what_is_no_light_is_repaired(void **state)
{
	(void)state;
	bspt_bytes map = bspt_read_file(QUAKE3);
	bspt_probed p;
	bspscene_relight_report report;
	assert_true(bspt_bake_probes(&p, map, BSPSCENE_LIGHTMAP_ENCODING_HDR));
	static const uint16_t bad[] = { 0x7e00, 0x7c00, 0xbc00 }; /* half floats: NaN, infinity, a negative number */
	for (int side = 0; side < BSPT_PROBE_SIDES; side++) memcpy(bspt_probe_luxel(&p, 5, side), bad, sizeof bad);
	bspt_bytes out = bspt_relight_probes(&p, map, &report);
	assert_int_equal(report.repaired, BSPT_PROBE_SIDES);
	assert_true(report.clamped >= 1 && report.clamp_factor > 1);
	test_free(out.data);
	bspt_probed_free(&p);
	free(map.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(probes_of_something_else_are_refused),
		cmocka_unit_test(what_is_no_light_is_repaired),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
