/* unique_values.h - numbers distinct vectors of floats in the order of first use. It is for formats in which corners
 * refer to values by index. */
#ifndef BSPI_UNIQUE_VALUES_H
#define BSPI_UNIQUE_VALUES_H

#include "writers/writers.h"

typedef struct bspi_unique_values {
	float *values; uint32_t count;     /* the values, of `width` floats each */
	uint32_t width;
	uint32_t *slots; size_t slot_count;/* hash table with open addressing, its size a power of two; a slot of 0 is
	                                    * free */
} bspi_unique_values;

/* Allocates memory for up to `largest_count` values with up to `most_floats` floats each. It may be used for several
 * sets, one after the other. Returns false if memory is out. */
bool bspi_unique_reserve(bspi_arena *arena, bspi_unique_values *unique, size_t largest_count, uint32_t most_floats);
/* Begins a new set of up to `largest_count` values with `width` floats each. Both numbers must not exceed those that
 * bspi_unique_reserve received. */
void bspi_unique_clear(bspi_unique_values *unique, uint32_t width, size_t largest_count);
/* Returns the index of a value, and adds the value if it is new. Two values are the same if all their bits are equal,
 * but -0 counts as 0. */
uint32_t bspi_unique_number(bspi_unique_values *unique, const float *value);

#endif
