/* processors_posix.c - see processors.h. */
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE
#include "processors.h"

#include <unistd.h>

uint32_t bspr_processors(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);
	return count > 1 ? (uint32_t)count : 1;
}
