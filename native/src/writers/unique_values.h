/* unique_values.h - numbers distinct vectors of floats in the order of first use, for formats whose corners refer to
 * values by index. */
#ifndef BSPI_UNIQUE_VALUES_H
#define BSPI_UNIQUE_VALUES_H

#include "writers/writers.h"

typedef struct bspi_unique_values {
	float *values; uint32_t count;     /* the values, of `width` floats each */
	uint32_t width;
	uint32_t *slots; size_t slot_count;/* open addressing, a power of two; 0: free */
} bspi_unique_values;

/* Allocates for this many values of up to this many floats, for repeated use. False if memory is out. */
bool bspi_unique_reserve(bspi_arena *arena, bspi_unique_values *unique, size_t largest_count, uint32_t most_floats);
/* Begins a new set of values with `width` floats each, within what was reserved. */
void bspi_unique_clear(bspi_unique_values *unique, uint32_t width, size_t largest_count);
/* Returns the index of a value, and adds it if it is new. Values are compared bit by bit, with -0 as 0. */
uint32_t bspi_unique_number(bspi_unique_values *unique, const float *value);

#endif
