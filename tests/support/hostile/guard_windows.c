/* guard_windows.c - memory between unreadable pages. See bspt.h. */
#define WIN32_LEAN_AND_MEAN
#include "support/bspt.h"

#include <windows.h>

#include <stdlib.h>
#include <string.h>

static size_t page_size(void)
{
	SYSTEM_INFO info;
	GetSystemInfo(&info);
	return info.dwPageSize;
}

bspt_guard bspt_guard_make(size_t capacity)
{
	size_t page = page_size();
	size_t inside = (capacity + page - 1) / page * page;
	if (!inside) inside = page;
	bspt_guard guard = { NULL, inside + 2 * page, inside };
	guard.base = VirtualAlloc(NULL, guard.mapped, MEM_RESERVE | MEM_COMMIT, PAGE_NOACCESS);
	if (!guard.base) abort();
	return guard;
}

static void protect(bspt_guard *guard, DWORD how)
{
	DWORD before;
	if (!VirtualProtect(guard->base + page_size(), guard->capacity, how, &before)) abort();
}

const uint8_t *bspt_guard_place(bspt_guard *guard, const void *data, size_t size)
{
	if (size > guard->capacity) abort();
	uint8_t *place = guard->base + page_size() + guard->capacity - size;
	protect(guard, PAGE_READWRITE);
	if (size) memmove(place, data, size);
	protect(guard, PAGE_READONLY);
	return place;
}

void bspt_guard_free(bspt_guard *guard)
{
	VirtualFree(guard->base, 0, MEM_RELEASE);
	*guard = (bspt_guard){ 0 };
}
