/* heap.c - see heap.h. */
#include "base/heap.h"

#include <stdlib.h>
#include <string.h>

#include "base/large_pages.h"
#include "base/parallel/threads.h"

/* From this size on, a large page is used: one large page is cheaper than the small pages that it replaces. */
#define LEAST_LARGE (BSPI_LARGE_PAGE / 2)

const bspi_heap bspi_system_heap = { .exhausted = NULL };

static void *noted(const bspi_heap *heap, void *data)
{
	if (data || !heap->exhausted) return data;
	bspi_lock_take(heap->lock);
	*heap->exhausted = true;
	bspi_lock_give(heap->lock);
	return NULL;
}

/* Calls the caller's allocator from one thread at a time. */
static void *allocate(const bspi_heap *heap, size_t size)
{
	bspi_lock_take(heap->lock);
	void *data = heap->allocator.allocate(heap->allocator.user, size);
	bspi_lock_give(heap->lock);
	return data;
}

void *bspi_heap_take(const bspi_heap *heap, size_t size)
{
	if (!size) size = 1;
	if (heap->allocator.allocate) return noted(heap, allocate(heap, size));
	void *data = size >= LEAST_LARGE ? bspi_take_large_pages(size) : NULL;
	return data ? data : noted(heap, malloc(size));
}

/* Uses calloc: fresh pages are zero already, and most arrays are large. */
void *bspi_heap_take_zeroed(const bspi_heap *heap, size_t size)
{
	if (!heap->allocator.allocate) return noted(heap, calloc(1, size ? size : 1));
	void *data = bspi_heap_take(heap, size);
	if (data) memset(data, 0, size);
	return data;
}

void *bspi_heap_grow(const bspi_heap *heap, void *data, size_t old_size, size_t size)
{
	if (!heap->allocator.allocate) return noted(heap, realloc(data, size));
	void *grown = bspi_heap_take(heap, size);
	if (!grown) return NULL;
	if (data) memcpy(grown, data, old_size < size ? old_size : size);
	bspi_heap_give(heap, data);
	return grown;
}

void bspi_heap_give(const bspi_heap *heap, void *data)
{
	if (!data) return;
	if (!heap->allocator.allocate) {
		free(data);
		return;
	}
	bspi_lock_take(heap->lock);
	heap->allocator.release(heap->allocator.user, data);
	bspi_lock_give(heap->lock);
}

void *bspi_heap_take_array(void *heap, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size) return NULL;
	return bspi_heap_take(heap, count * size);
}

void bspi_heap_give_back(void *heap, void *data)
{
	bspi_heap_give(heap, data);
}
