/* processors.h - what the renderer asks of the operating system. */
#ifndef BSPR_PROCESSORS_H
#define BSPR_PROCESSORS_H

#include <stdint.h>

/* How many threads can work at once, at least 1. */
uint32_t bspr_processors(void);

#endif
