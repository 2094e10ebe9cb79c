/* counted.h - the work of the library so far, as a number that is the same on every machine: basic blocks that were
 * run, and bytes that the C library processed for it, sixteen at a time. */
#ifndef BSPT_COUNTED_H
#define BSPT_COUNTED_H

#include <stdint.h>

uint64_t bspt_counted_work(void);

#endif
