/* memory.h - what a renderer may hold, the scene included: counted before it is taken, Embree's too. */
#ifndef BSPR_MEMORY_H
#define BSPR_MEMORY_H

#include <stdatomic.h>

#include <bspscene/render.h>

typedef struct bspr_memory {
	bspscene_allocator allocator;      /* the caller's; zeroed: the system's */
	uint64_t limit;
	_Atomic uint64_t used;             /* Embree may build with threads of its own */
	uint64_t decoded;                  /* bytes of all pictures decoded so far: at most twice the limit */
	_Atomic bool refused;
} bspr_memory;

void bspr_memory_begin(bspr_memory *memory, const bspscene_scene *scene, const bspscene_render_options *options);
/* False, and remembered, when there is not as much left. */
bool bspr_memory_take(bspr_memory *memory, uint64_t size);
void bspr_memory_give(bspr_memory *memory, uint64_t size);
/* Takes what decoding a picture needs, to be given back, and counts it among all pictures. */
bool bspr_memory_decode(bspr_memory *memory, uint64_t size);
uint64_t bspr_memory_left(const bspr_memory *memory);
/* Zeroed memory, counted until the renderer goes; NULL: refused, or there is none. */
void *bspr_allocate(bspr_memory *memory, size_t count, size_t size);
/* The same, but not counted. */
void *bspr_take(const bspscene_allocator *allocator, size_t count, size_t size);
void bspr_release(const bspscene_allocator *allocator, void *data); /* NULL is fine */

#endif
