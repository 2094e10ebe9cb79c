/* probed.h - the light probes of a map, to be changed and written back. Failures fail the calling cmocka test. */
#ifndef BSPT_PROBED_H
#define BSPT_PROBED_H

#include "support/check/baked.h"

enum { BSPT_PROBE_SIDES = 6 };

/* Pages with probes, and the list of the probes' light. */
typedef struct bspt_probed {
	bspt_baked baked;
	bspscene_light_list *list;
	const bspscene_light_probe *probes;
	uint32_t count;
} bspt_probed;

/* Bakes a map's light with its probes. Returns false if it has none. Call bspt_probed_free in any case. */
bool bspt_bake_probes(bspt_probed *out, bspt_bytes map, bspscene_lightmap_encoding encoding);
void bspt_probed_free(bspt_probed *p);
/* Returns the light of one side of a probe, three half floats. */
uint16_t *bspt_probe_luxel(const bspt_probed *p, uint32_t probe, int side);
void bspt_set_probe_light(const bspt_probed *p, uint32_t probe, int side, const double light[3]);
/* Returns the map with the light written into it, to be freed with test_free. `report` may be NULL. */
bspt_bytes bspt_relight_probes(const bspt_probed *p, bspt_bytes map, bspscene_relight_report *report);

#endif
