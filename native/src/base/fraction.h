/* fraction.h - the progress of a call from 0 to 1, which never falls. Each part of the work gets a share before it
 * begins; the shares were measured (tests/bench/bench_progress.c). */
#ifndef BSPI_FRACTION_H
#define BSPI_FRACTION_H

#include <bspscene/load.h>

/* Zeroed: nothing is done, and what comes is the whole. */
typedef struct bspi_fraction {
	double before, after;              /* of the whole, on both sides of the work that is being done */
	double reached;
} bspi_fraction;

/* From here on the work is this part of the whole. */
void bspi_fraction_part(bspi_fraction *fraction, double from, double to);
/* The same, of a part that was set before. */
void bspi_fraction_part_of(bspi_fraction *fraction, const bspi_fraction *part, double from, double to);
/* The rest of the part becomes the part: the work is repeated. */
void bspi_fraction_rest(bspi_fraction *fraction);
/* How much of the whole it is when `done` of the part is, or more, when that was told before. */
double bspi_fraction_at(bspi_fraction *fraction, double done);
/* done / total, and 0 when the total is not known. */
double bspi_share_done(uint64_t done, uint64_t total);

#endif
