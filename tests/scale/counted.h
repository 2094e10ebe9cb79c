/* counted.h - measures the library's work as a number that is equal on every machine: executed basic blocks, and bytes
 * that the C library processed, in units of sixteen. */
#ifndef BSPT_COUNTED_H
#define BSPT_COUNTED_H

#include <stdint.h>

uint64_t bspt_counted_work(void);

#endif
