/* heap.h - memory from the caller's allocator, or from the system's. Our code and the libraries below it take all
 * memory of a load, a bake or a write from here, mostly through an arena. */
#ifndef BSPI_HEAP_H
#define BSPI_HEAP_H

#include <bspscene/common.h>

typedef struct bspi_heap {
	bspscene_allocator allocator;      /* zeroed: the system's */
	bool *exhausted;                   /* set when it gave none; NULL: nobody asks */
	struct bspi_lock *lock;            /* over the allocator and the budget while several threads work; or NULL */
} bspi_heap;

/* The system's, for what belongs to no call with an allocator. */
extern const bspi_heap bspi_system_heap;

/* Aligned as malloc does; a size of 0 gives a non-NULL pointer. NULL: out of memory. */
void *bspi_heap_take(const bspi_heap *heap, size_t size);
void *bspi_heap_take_zeroed(const bspi_heap *heap, size_t size);
/* realloc: `data` may be NULL, and stays as it is when the result is NULL. */
void *bspi_heap_grow(const bspi_heap *heap, void *data, size_t old_size, size_t size);
void bspi_heap_give(const bspi_heap *heap, void *data); /* NULL is fine */

/* The same in the shape that libraries call back, with what bspi_heap_opaque gives. */
static inline void *bspi_heap_opaque(const bspi_heap *heap)
{
	return (void *)(uintptr_t)heap;
}
void *bspi_heap_take_array(void *heap, size_t count, size_t size);
void bspi_heap_give_back(void *heap, void *data);

#endif
