/* probed.c - see probed.h. */
#include "support/check/probed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "images/images.h"

bool bspt_bake_probes(bspt_probed *out, bspt_bytes map, bspscene_lightmap_encoding encoding)
{
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.lightmap_encoding = encoding;
	options.keep_map_light = options.light_probes = true;
	assert_true(bspt_bake_as(&out->baked, map, &options));
	const bspscene_map_light *stored = out->baked.scene->map_light;
	out->list = NULL;
	out->probes = stored->probes;
	out->count = stored->probe_count;
	for (uint32_t i = 0; i < out->baked.light.list_count; i++) {
		if (!strcmp(out->baked.lists[i].name, "probes")) out->list = &out->baked.lists[i];
	}
	assert_int_equal(out->list != NULL, out->count > 0);
	if (out->list) assert_int_equal(out->list->count, out->count * BSPT_PROBE_SIDES);
	return out->list;
}

void bspt_probed_free(bspt_probed *p) { bspt_baked_free(&p->baked); }

uint16_t *bspt_probe_luxel(const bspt_probed *p, uint32_t probe, int side)
{
	return (uint16_t *)(uintptr_t)p->list->luxels.data + 3 * ((size_t)probe * BSPT_PROBE_SIDES + (size_t)side);
}

void bspt_set_probe_light(const bspt_probed *p, uint32_t probe, int side, const double light[3])
{
	for (int i = 0; i < 3; i++) bspt_probe_luxel(p, probe, side)[i] = bspi_half_from_float((float)light[i]);
}

bspt_bytes bspt_relight_probes(const bspt_probed *p, bspt_bytes map, bspscene_relight_report *report)
{
	bspt_relit *r = bspt_relight(&p->baked, map);
	if (!r->ok) fail_msg("%s", r->error.message);
	if (report) *report = r->report;
	bspt_bytes out = bspt_relit_map(r);
	bspt_relit_free(r);
	return out;
}
