/* measure.h - the reference measurements of all benches. */
#ifndef BSPT_MEASURE_H
#define BSPT_MEASURE_H

#include <stdbool.h>

/* Processor time of all threads, with the kernel's part. */
double bspt_processor_seconds(void);
/* Reads a file and copies it once. */
bool bspt_read_and_copy(const char *path);

#endif
