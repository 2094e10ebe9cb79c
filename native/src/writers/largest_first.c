/* largest_first.c - see largest_first.h. */
#include "writers/largest_first.h"

#include <stdlib.h>

typedef struct costly {
	double cost;
	uint32_t number;
} costly;

static int compare_costs(const void *a, const void *b)
{
	const costly *first = a, *second = b;
	if (first->cost != second->cost) return first->cost > second->cost ? -1 : 1;
	return first->number < second->number ? -1 : first->number > second->number;
}

const uint32_t *bspi_largest_first(bspi_writer *writer, const double *costs, uint32_t count)
{
	costly *all = bspi_writer_push(writer, costly, count);
	uint32_t *order = bspi_writer_push(writer, uint32_t, count);
	if (!all || !order) return NULL;
	for (uint32_t i = 0; i < count; i++) all[i] = (costly){ costs[i], i };
	if (count) qsort(all, count, sizeof *all, compare_costs);
	for (uint32_t i = 0; i < count; i++) order[i] = all[i].number;
	return order;
}
