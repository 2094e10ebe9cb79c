/* largest_first.h - the order in which threads make things of different cost: the largest first, so that no thread
 * begins a long one while the others have nothing left to do. */
#ifndef BSPI_LARGEST_FIRST_H
#define BSPI_LARGEST_FIRST_H

#include "writers/writers.h"

/* Returns the numbers 0 to count - 1 by falling cost; numbers of equal cost keep their order. The writer's arena owns
 * them. NULL if memory is out, with the writer's failure set. */
const uint32_t *bspi_largest_first(bspi_writer *writer, const double *costs, uint32_t count);

#endif
