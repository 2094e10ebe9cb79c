/* large_pages_windows.c - see large_pages.h. Windows has them for the privileged only. */
#include "base/large_pages.h"

void *bspi_take_large_pages(size_t size)
{
	(void)size;
	return NULL;
}
