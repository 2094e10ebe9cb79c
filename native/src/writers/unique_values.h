/* unique_values.h - runs of floats that differ, in the order of their first use, with a number for each: for formats
 * whose corners name their values by index. */
#ifndef BSPI_UNIQUE_VALUES_H
#define BSPI_UNIQUE_VALUES_H

#include "writers/writers.h"

typedef struct bspi_unique_values {
	float *values; uint32_t count;     /* of `width` floats each */
	uint32_t width;
	uint32_t *slots; size_t slot_count;/* open addressing, a power of two; 0: free */
} bspi_unique_values;

/* Room for so many values of that many floats, to be used again and again. False: out of memory. */
bool bspi_unique_reserve(bspi_arena *arena, bspi_unique_values *unique, size_t largest_count, uint32_t most_floats);
/* For values of so many floats, and no more of them than there is room for. */
void bspi_unique_clear(bspi_unique_values *unique, uint32_t width, size_t largest_count);
/* The number of a value, which is a new one unless it is there already, bit for bit; -0 is 0. */
uint32_t bspi_unique_number(bspi_unique_values *unique, const float *value);

#endif
