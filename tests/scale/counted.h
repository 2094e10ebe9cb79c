/* counted.h - what the library has done so far, as a number that is the same on every machine: blocks of its code that
 * were run, and bytes that the C library passed over for it, sixteen at a time. */
#ifndef BSPT_COUNTED_H
#define BSPT_COUNTED_H

#include <stdint.h>

uint64_t bspt_counted_work(void);

#endif
