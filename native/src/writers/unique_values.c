/* unique_values.c - see unique_values.h. */
#include "writers/unique_values.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"

#define MOST_FLOATS 4

static size_t slots_for(size_t largest_count)
{
	size_t count = 16;
	while (count < 2 * largest_count) count *= 2;
	return count;
}

bool bspi_unique_reserve(bspi_arena *arena, bspi_unique_values *unique, size_t largest_count, uint32_t most_floats)
{
	assert(most_floats <= MOST_FLOATS);
	unique->slots = bspi_arena_alloc_unset(arena, slots_for(largest_count), sizeof *unique->slots);
	unique->values = bspi_arena_alloc_unset(arena, largest_count * most_floats, sizeof *unique->values);
	return unique->slots && unique->values;
}

/* See unique_values.h. Clears only as many slots as are needed, because most meshes are small. */
void bspi_unique_clear(bspi_unique_values *unique, uint32_t width, size_t largest_count)
{
	unique->slot_count = slots_for(largest_count);
	memset(unique->slots, 0, unique->slot_count * sizeof *unique->slots);
	unique->count = 0;
	unique->width = width;
}

uint32_t bspi_unique_number(bspi_unique_values *unique, const float *value)
{
	float plain[MOST_FLOATS];
	size_t size = unique->width * sizeof *value;
	for (uint32_t i = 0; i < unique->width; i++) plain[i] = value[i] + 0.0f;
	size_t at = (size_t)bspi_hash(plain, size) & (unique->slot_count - 1);
	for (; unique->slots[at]; at = (at + 1) & (unique->slot_count - 1)) {
		uint32_t number = unique->slots[at] - 1;
		if (!memcmp(unique->values + (size_t)number * unique->width, plain, size)) return number;
	}
	memcpy(unique->values + (size_t)unique->count * unique->width, plain, size);
	unique->slots[at] = ++unique->count;
	return unique->count - 1;
}
