/* random.h - numbers for tests, the same on every machine. */
#ifndef BSPT_RANDOM_H
#define BSPT_RANDOM_H

#include <stdint.h>

/* A sequence of numbers from a seed: splitmix64 (Steele, Lea and Flood 2014). */
uint32_t bspt_random(uint64_t *state);

#endif
