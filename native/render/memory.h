/* memory.h - limits the memory of a renderer, including the scene and Embree. Memory is counted before it is
 * allocated. */
#ifndef BSPR_MEMORY_H
#define BSPR_MEMORY_H

#include <stdatomic.h>

#include <bspscene/render.h>

typedef struct bspr_memory {
	bspscene_allocator allocator;      /* the caller's allocator; all zero: the system's */
	uint64_t limit;
	_Atomic uint64_t used;             /* bytes that are counted now; atomic, because threads of Embree may change it */
	uint64_t decoded;                  /* bytes of all decoded pictures so far: at most twice the limit */
	_Atomic bool refused;
} bspr_memory;

void bspr_memory_begin(bspr_memory *memory, const bspscene_scene *scene, const bspscene_render_options *options);
/* Counts `size` more bytes. False if the limit would be exceeded; `refused` is then set. */
bool bspr_memory_take(bspr_memory *memory, uint64_t size);
/* Takes `size` bytes off the count. */
void bspr_memory_give(bspr_memory *memory, uint64_t size);
/* Counts `size` bytes for decoding a picture, and adds them to `decoded`. The caller later takes them off the count by
 * bspr_memory_give. False if a limit would be exceeded. */
bool bspr_memory_decode(bspr_memory *memory, uint64_t size);
uint64_t bspr_memory_left(const bspr_memory *memory);
/* Returns zeroed memory that is counted until the renderer is freed. NULL if the limit would be exceeded or memory is
 * short. */
void *bspr_allocate(bspr_memory *memory, size_t count, size_t size);
/* Returns zeroed memory that is not counted. NULL if memory is out. */
void *bspr_take(const bspscene_allocator *allocator, size_t count, size_t size);
void bspr_release(const bspscene_allocator *allocator, void *data); /* `data` may be NULL */

#endif
