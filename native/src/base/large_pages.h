/* large_pages.h - memory in the system's large pages, for arrays of megabytes. Touching a page for the first time is
 * expensive, and large pages are fewer. */
#ifndef BSPI_LARGE_PAGES_H
#define BSPI_LARGE_PAGES_H

#include <stddef.h>

#define BSPI_LARGE_PAGE ((size_t)2 << 20)

/* Returns memory for `size` bytes, which must be at least half a large page. Free it by free or realloc. NULL: not
 * available or no memory; use malloc then. */
void *bspi_take_large_pages(size_t size);

#endif
