/* charged.h - memory for libraries that have allocation hooks. Each block is charged to a budget before it is
 * allocated. The charge ends when the block is freed. */
#ifndef BSPI_CHARGED_H
#define BSPI_CHARGED_H

#include "base/budget.h"

typedef struct bspi_charge {
	const bspi_heap *heap;             /* where the memory comes from */
	bspi_budget *budget;               /* NULL: memory is not charged; must not change while any memory is allocated */
	bool refused;                      /* true after the budget refused a block */
} bspi_charge;

/* Makes a charge that uses the budget's own heap. */
static inline bspi_charge bspi_charge_to(bspi_budget *budget)
{
	return (bspi_charge){ .heap = &budget->heap, .budget = budget };
}

/* bspi_charge_take charges `size` bytes that a library allocates without our hooks. It returns false if the budget
 * refuses. bspi_charge_give ends the charge. */
bool bspi_charge_take(bspi_charge *charge, uint64_t size);
void bspi_charge_give(bspi_charge *charge, uint64_t size);

/* Allocation hooks. `charge` is a bspi_charge. bspi_charged_take returns NULL if the budget refuses or memory is
 * out. */
void *bspi_charged_take(void *charge, size_t count, size_t size);
void bspi_charged_give(void *charge, void *data); /* may be NULL */

#endif
