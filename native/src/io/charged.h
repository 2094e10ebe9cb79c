/* charged.h - memory for libraries with allocation hooks: each block is charged to a budget before it is allocated,
 * until it is freed. */
#ifndef BSPI_CHARGED_H
#define BSPI_CHARGED_H

#include "base/budget.h"

typedef struct bspi_charge {
	const bspi_heap *heap;             /* where the memory comes from */
	bspi_budget *budget;               /* NULL: not charged. Must stay the same while anything is allocated */
	bool refused;                      /* the budget refused a block */
} bspi_charge;

/* Uses the budget's own heap. */
static inline bspi_charge bspi_charge_to(bspi_budget *budget)
{
	return (bspi_charge){ .heap = &budget->heap, .budget = budget };
}

/* Charge `size` bytes that a library allocates by itself, and release them. */
bool bspi_charge_take(bspi_charge *charge, uint64_t size);
void bspi_charge_give(bspi_charge *charge, uint64_t size);

/* Allocation hooks; `charge` is a bspi_charge. NULL if the budget refuses or memory is out. */
void *bspi_charged_take(void *charge, size_t count, size_t size);
void bspi_charged_give(void *charge, void *data); /* may be NULL */

#endif
