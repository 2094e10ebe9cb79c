/* charged.h - memory for libraries with hooks of their own: each piece is charged to a budget before it is taken, until
 * it is given back. */
#ifndef BSPI_CHARGED_H
#define BSPI_CHARGED_H

#include "base/budget.h"

typedef struct bspi_charge {
	const bspi_heap *heap;             /* where the memory comes from */
	bspi_budget *budget;               /* NULL: nobody counts. Stays the same while anything is taken */
	bool refused;                      /* the budget had no room once */
} bspi_charge;

/* The budget's own heap. */
static inline bspi_charge bspi_charge_to(bspi_budget *budget)
{
	return (bspi_charge){ .heap = &budget->heap, .budget = budget };
}

/* For memory that a library takes by itself: `size` bytes, to be given back by the same size. */
bool bspi_charge_take(bspi_charge *charge, uint64_t size);
void bspi_charge_give(bspi_charge *charge, uint64_t size);

/* The library's hooks: `charge` is a bspi_charge. NULL: no room in the budget, or out of memory. */
void *bspi_charged_take(void *charge, size_t count, size_t size);
void bspi_charged_give(void *charge, void *data); /* NULL is fine */

#endif
