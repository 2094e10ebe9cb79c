/* measure.h - what all benches measure against. */
#ifndef BSPT_MEASURE_H
#define BSPT_MEASURE_H

#include <stdbool.h>

/* Of all threads, the kernel's part included. */
double bspt_processor_seconds(void);
/* Reads a file and copies it once. */
bool bspt_read_and_copy(const char *path);

#endif
