/* guard_posix.c - memory between unreadable pages. See bspt.h. */
#define _DEFAULT_SOURCE
#include "support/bspt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

bspt_guard bspt_guard_make(size_t capacity)
{
	size_t page = page_size();
	size_t inside = (capacity + page - 1) / page * page;
	if (!inside) inside = page;
	bspt_guard guard = { NULL, inside + 2 * page, inside };
	void *base = mmap(NULL, guard.mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (base == MAP_FAILED) {
		perror("mmap");
		abort();
	}
	guard.base = base;
	return guard;
}

static void protect(bspt_guard *guard, int how)
{
	if (mprotect(guard->base + page_size(), guard->capacity, how)) {
		perror("mprotect");
		abort();
	}
}

const uint8_t *bspt_guard_place(bspt_guard *guard, const void *data, size_t size)
{
	if (size > guard->capacity) abort();
	uint8_t *place = guard->base + page_size() + guard->capacity - size;
	protect(guard, PROT_READ | PROT_WRITE);
	if (size) memmove(place, data, size);
	protect(guard, PROT_READ);
	return place;
}

void bspt_guard_free(bspt_guard *guard)
{
	munmap(guard->base, guard->mapped);
	*guard = (bspt_guard){ 0 };
}
