/* relit_probes.h - what the parts share that write light of probes. */
#ifndef BSPI_RELIT_PROBES_H
#define BSPI_RELIT_PROBES_H

#include "relight/relight_parts.h"
#include "stages/light/light_grid.h"
#include "stages/probes/probes.h"

/* What a probe is to have. */
typedef struct bspi_edited_light_of {
	double light[BSPI_SIDES][3];
	bool changed;
	bool side_changed[BSPI_SIDES];
} bspi_edited_light_of;

/* All `count` probes of a point into its record, which has what was there before. Returns by how much light is too
 * bright. probe_fit.c */
double bspi_fit_record(const bspi_probes *probes, const bspi_probe *items, const bspi_edited_light_of *news,
                       uint32_t count, const bspi_luxel_code *code, uint8_t *record);

#endif
