/* charged.c - see charged.h. Each block has a header with its size, because a library does not tell the size of a block
 * when it frees it. */
#include "io/charged.h"

#include <stddef.h>

typedef union head {
	size_t size;                       /* size of the block, including this header */
	max_align_t aligned;
} head;

bool bspi_charge_take(bspi_charge *charge, uint64_t size)
{
	if (!charge->budget || bspi_budget_take(charge->budget, size)) return true;
	charge->refused = true;
	return false;
}

void bspi_charge_give(bspi_charge *charge, uint64_t size)
{
	if (charge->budget) bspi_budget_give(charge->budget, size);
}

void *bspi_charged_take(void *charge, size_t count, size_t size)
{
	bspi_charge *c = charge;
	if (size && count > (SIZE_MAX - sizeof(head)) / size) return NULL;
	size_t whole = sizeof(head) + count * size;
	if (!bspi_charge_take(c, whole)) return NULL;
	head *piece = bspi_heap_take(c->heap, whole);
	if (!piece) {
		bspi_charge_give(c, whole);
		return NULL;
	}
	piece->size = whole;
	return piece + 1;
}

void bspi_charged_give(void *charge, void *data)
{
	bspi_charge *c = charge;
	if (!data) return;
	head *piece = (head *)data - 1;
	bspi_charge_give(c, piece->size);
	bspi_heap_give(c->heap, piece);
}
