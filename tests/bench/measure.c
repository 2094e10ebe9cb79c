/* measure.c - see measure.h. */
#define _POSIX_C_SOURCE 200809L
#include "measure.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/bspt.h"

double bspt_processor_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool bspt_read_and_copy(const char *path)
{
	bspt_bytes file = bspt_read_file(path);
	uint8_t *copy = malloc(file.size + 1);
	if (!copy) bspt_die("allocate", path);
	memcpy(copy, file.data, file.size);
	volatile uint8_t last = copy[file.size / 2];   /* keeps the compiler from removing the copy */
	(void)last;
	free(copy);
	free(file.data);
	return true;
}
