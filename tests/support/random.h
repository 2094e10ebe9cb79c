/* random.h - numbers for tests, the same on every machine. */
#ifndef BSPT_RANDOM_H
#define BSPT_RANDOM_H

#include <stdint.h>

/* Returns the next number of a sequence, which depends on the seed only: splitmix64 (Steele, Lea and Flood 2014). */
uint32_t bspt_random(uint64_t *state);

#endif
