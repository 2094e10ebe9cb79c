/* heap.c - see heap.h. */
#include "base/heap.h"

#include <stdlib.h>
#include <string.h>

const bspi_heap bspi_system_heap = { .exhausted = NULL };

static void *noted(const bspi_heap *heap, void *data)
{
	if (!data && heap->exhausted) *heap->exhausted = true;
	return data;
}

void *bspi_heap_take(const bspi_heap *heap, size_t size)
{
	const bspscene_allocator *own = &heap->allocator;
	if (!size) size = 1;
	return noted(heap, own->allocate ? own->allocate(own->user, size) : malloc(size));
}

/* calloc: fresh pages from the system are zero already, and most arrays are large. */
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
	if (heap->allocator.allocate) heap->allocator.release(heap->allocator.user, data);
	else free(data);
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
