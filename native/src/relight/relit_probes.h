/* relit_probes.h - what the files that change the light of probes share. */
#ifndef BSPI_RELIT_PROBES_H
#define BSPI_RELIT_PROBES_H

#include "relight/relight_parts.h"
#include "stages/light/light_grid.h"
#include "stages/probes/probes.h"

/* The light that a probe gets. */
typedef struct bspi_edited_light_of {
	double light[BSPI_SIDES][3];
	bool changed;
	bool side_changed[BSPI_SIDES];
} bspi_edited_light_of;

/* Writes the light of the `count` probes that are at one point (one for each style) to the record of the point.
 * Before the call, `record` must contain the old light. Returns the factor by which the light is too bright to be
 * stored, or 1 if it is not. probe_fit.c */
double bspi_fit_record(const bspi_probes *probes, const bspi_probe *items, const bspi_edited_light_of *news,
                       uint32_t count, const bspi_luxel_code *code, uint8_t *record);

#endif
