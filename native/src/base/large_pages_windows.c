/* large_pages_windows.c - see large_pages.h. Never returns memory, because Windows requires a privilege for large
 * pages. */
#include "base/large_pages.h"

void *bspi_take_large_pages(size_t size)
{
	(void)size;
	return NULL;
}
