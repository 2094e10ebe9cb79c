/* fraction.h - the progress of a call from 0 to 1, which never decreases. Before a part of the work begins, it is given
 * a range of the progress. The ranges follow from measured times (tests/bench/bench_progress.c). */
#ifndef BSPI_FRACTION_H
#define BSPI_FRACTION_H

#include <bspscene/load.h>

/* Zeroed: nothing is done, and the current part is the whole. */
typedef struct bspi_fraction {
	double before, after;              /* range of the present part, 0..1 */
	double reached;
} bspi_fraction;

/* Sets the current part of the whole. */
void bspi_fraction_part(bspi_fraction *fraction, double from, double to);
/* Sets the current part. `from` and `to` are positions in `part`, which was set before. */
void bspi_fraction_part_of(bspi_fraction *fraction, const bspi_fraction *part, double from, double to);
/* Makes the rest of the present part the new part, for work that is repeated. */
void bspi_fraction_rest(bspi_fraction *fraction);
/* Returns the progress of the whole when the share `done` of the present part is done. Never less than it returned
 * before. */
double bspi_fraction_at(bspi_fraction *fraction, double done);
/* Returns done / total, or 0 if the total is unknown. */
double bspi_share_done(uint64_t done, uint64_t total);

#endif
