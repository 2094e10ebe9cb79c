/* radix_sort.h - numbers in order by their digits: linear, stable, and the same on every system, which qsort is not. */
#ifndef BSPI_RADIX_SORT_H
#define BSPI_RADIX_SORT_H

#include <bspscene/common.h>

typedef struct bspi_keyed {
	uint64_t key;
	uint32_t index;                    /* index of the element with this key */
} bspi_keyed;

/* By key, equal ones as they were. `room` is for as many. Returns which of the two has the result; the other one is
 * overwritten. */
bspi_keyed *bspi_radix_sort(bspi_keyed *items, bspi_keyed *room, uint32_t count);

#endif
