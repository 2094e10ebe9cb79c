/* radix_sort.h - radix sort: linear, stable and the same on every system, unlike qsort. */
#ifndef BSPI_RADIX_SORT_H
#define BSPI_RADIX_SORT_H

#include <bspscene/common.h>

typedef struct bspi_keyed {
	uint64_t key;
	uint32_t index;                    /* index of the element with this key */
} bspi_keyed;

/* Sorts by key. Items with equal keys keep their order. `room` is another array of `count` items. Returns the array
 * that holds the result, which is one of the two. The other is overwritten. */
bspi_keyed *bspi_radix_sort(bspi_keyed *items, bspi_keyed *room, uint32_t count);

#endif
