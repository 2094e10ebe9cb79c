/* processors.h - the operating system's functions that the renderer needs. */
#ifndef BSPR_PROCESSORS_H
#define BSPR_PROCESSORS_H

#include <stdint.h>

/* Returns how many threads can run at once, at least 1. */
uint32_t bspr_processors(void);

#endif
