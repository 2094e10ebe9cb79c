/* large_pages_windows.c - see large_pages.h. Windows only allows them with a privilege. */
#include "base/large_pages.h"

void *bspi_take_large_pages(size_t size)
{
	(void)size;
	return NULL;
}
