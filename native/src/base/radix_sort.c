/* radix_sort.c - see radix_sort.h. An LSD radix sort. Digits that are equal in all keys are skipped, so offsets into a
 * lump of some megabytes take two passes. */
#include "base/radix_sort.h"

#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, KEY_BITS = 64 };

static uint32_t digit_of(uint64_t key, int shift)
{
	return (uint32_t)(key >> shift) & (DIGITS - 1);
}

static void sort_by_digit(const bspi_keyed *items, uint32_t count, int shift, bspi_keyed *out)
{
	uint32_t places[DIGITS], next = 0;
	memset(places, 0, sizeof places);
	for (uint32_t i = 0; i < count; i++) places[digit_of(items[i].key, shift)]++;
	for (uint32_t i = 0; i < DIGITS; i++) {
		uint32_t first = next;
		next += places[i];
		places[i] = first;
	}
	for (uint32_t i = 0; i < count; i++) out[places[digit_of(items[i].key, shift)]++] = items[i];
}

bspi_keyed *bspi_radix_sort(bspi_keyed *items, bspi_keyed *room, uint32_t count)
{
	uint64_t differing = 0;
	bool sorted_already = true;        /* true: `items` is sorted, as often happens, because compilers store light in
	                                    * order */
	for (uint32_t i = 1; i < count; i++) {
		differing |= items[i].key ^ items[0].key;
		sorted_already = sorted_already && items[i - 1].key <= items[i].key;
	}
	if (sorted_already) return items;
	for (int shift = 0; shift < KEY_BITS; shift += DIGIT_BITS) {
		if (!digit_of(differing, shift)) continue;
		sort_by_digit(items, count, shift, room);
		bspi_keyed *sorted = room;
		room = items;
		items = sorted;
	}
	return items;
}
