/* large_pages_posix.c - see large_pages.h. Only Linux can do this for a single array (madvise), and it may be disabled
 * there. */
#define _DEFAULT_SOURCE /* madvise */
#include "base/large_pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#ifdef MADV_HUGEPAGE

void *bspi_take_large_pages(size_t size)
{
	void *data;
	size_t rest = size % BSPI_LARGE_PAGE;
	/* If the block fills at least half of its last large page, it gets all of that page. */
	if (size > SIZE_MAX / 2) return NULL;
	if (rest >= BSPI_LARGE_PAGE / 2) size += BSPI_LARGE_PAGE - rest;
	if (posix_memalign(&data, BSPI_LARGE_PAGE, size)) return NULL;
	(void)madvise(data, size / BSPI_LARGE_PAGE * BSPI_LARGE_PAGE, MADV_HUGEPAGE);
	return data;
}

#else

void *bspi_take_large_pages(size_t size) { (void)size; return NULL; }

#endif
