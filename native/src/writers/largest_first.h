/* largest_first.h - the order in which threads work on tasks of different cost: the largest first, so that at the end
 * no thread begins a long task while the others are idle. */
#ifndef BSPI_LARGEST_FIRST_H
#define BSPI_LARGEST_FIRST_H

#include "writers/writers.h"

/* Returns the numbers 0 to count - 1, sorted by decreasing cost. Numbers with equal costs keep their order. The
 * writer's arena owns the result. Returns NULL with writer->failure set if memory is out. */
const uint32_t *bspi_largest_first(bspi_writer *writer, const double *costs, uint32_t count);

#endif
