/* measure.h - measurements that all benchmarks share. */
#ifndef BSPT_MEASURE_H
#define BSPT_MEASURE_H

#include <stdbool.h>

/* Returns the processor time of all threads of this process in seconds, with the kernel's part. */
double bspt_processor_seconds(void);
/* Reads a file and copies it once. Ends the program if this fails, otherwise returns true. */
bool bspt_read_and_copy(const char *path);

#endif
