/* large_pages.h - memory in the system's large pages, for arrays of megabytes: the first touch of every page costs more
 * than what is written there, and large ones are few. */
#ifndef BSPI_LARGE_PAGES_H
#define BSPI_LARGE_PAGES_H

#include <stddef.h>

#define BSPI_LARGE_PAGE ((size_t)2 << 20)

/* At least half a page, to be given back by free or realloc. NULL: not here, or out of memory; ask malloc. */
void *bspi_take_large_pages(size_t size);

#endif
