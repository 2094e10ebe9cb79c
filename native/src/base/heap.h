/* heap.h - memory from the caller's allocator, or from the system's. A load, a bake or a write takes all its memory
 * from a heap, mostly through arenas. This includes memory for other libraries. */
#ifndef BSPI_HEAP_H
#define BSPI_HEAP_H

#include <bspscene/common.h>

typedef struct bspi_heap {
	bspscene_allocator allocator;      /* zeroed: the system's */
	bool *exhausted;                   /* set to true if an allocation fails; may be NULL */
	struct bspi_lock *lock;            /* serializes calls of the allocator while several threads work; or NULL */
} bspi_heap;

/* The heap of malloc and free. It is for memory outside of calls that have an allocator. */
extern const bspi_heap bspi_system_heap;

/* Both functions return memory that is aligned like that of malloc. A size of 0 gives a non-NULL pointer. NULL if
 * memory is out. */
void *bspi_heap_take(const bspi_heap *heap, size_t size);
void *bspi_heap_take_zeroed(const bspi_heap *heap, size_t size);
/* Like realloc: `data` may be NULL, and is unchanged if the result is NULL. */
void *bspi_heap_grow(const bspi_heap *heap, void *data, size_t old_size, size_t size);
void bspi_heap_give(const bspi_heap *heap, void *data); /* may be NULL */

/* Callbacks for libraries; their user pointer is bspi_heap_opaque's result. */
static inline void *bspi_heap_opaque(const bspi_heap *heap)
{
	return (void *)(uintptr_t)heap;
}
void *bspi_heap_take_array(void *heap, size_t count, size_t size);
void bspi_heap_give_back(void *heap, void *data);

#endif
