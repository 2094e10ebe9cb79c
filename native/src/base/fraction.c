/* fraction.c - see fraction.h. */
#include "base/fraction.h"

#include <math.h>

void bspi_fraction_part(bspi_fraction *fraction, double from, double to)
{
	fraction->before = from;
	fraction->after = 1 - to;
}

void bspi_fraction_part_of(bspi_fraction *fraction, const bspi_fraction *part, double from, double to)
{
	double before = part->before, size = 1 - before - part->after;
	bspi_fraction_part(fraction, before + size * from, to < 1 ? before + size * to : 1 - part->after);
}

void bspi_fraction_rest(bspi_fraction *fraction)
{
	if (fraction->reached > fraction->before) fraction->before = fraction->reached;
}

double bspi_fraction_at(bspi_fraction *fraction, double done)
{
	double to = 1 - fraction->after, share = fmin(fmax(done, 0), 1);
	double at = share < 1 ? fraction->before + (to - fraction->before) * share : to;
	if (at > fraction->reached) fraction->reached = fmin(at, 1);
	return fraction->reached;
}

double bspi_share_done(uint64_t done, uint64_t total)
{
	return total ? (double)done / (double)total : 0;
}
