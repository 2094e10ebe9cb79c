/* arena.h - memory of one load: `stage` dies when the stage ends that took it, `scratch` when the load ends, `result`
 * is the scene. Everything lives as long as the arena it came from, so nothing in between frees or owns. */
#ifndef BSPI_ARENA_H
#define BSPI_ARENA_H

#include "base/budget.h"

typedef struct bspi_chunk bspi_chunk;

typedef struct bspi_arena {
	bspi_budget *budget;
	bspi_chunk *chunks;
	size_t size;                       /* sum of all chunks */
} bspi_arena;

void bspi_arena_init(bspi_arena *arena, bspi_budget *budget);
/* Frees everything; the arena can be used again. */
void bspi_arena_reset(bspi_arena *arena);
/* Forgets everything, but keeps the largest chunk that is not too large for what comes next. */
void bspi_arena_rewind(bspi_arena *arena);
/* Zeroed memory, aligned for any type; a request of 0 bytes gives a non-NULL pointer. NULL: out of memory or limits. */
void *bspi_arena_alloc(bspi_arena *arena, size_t count, size_t size);
/* The same with anything in it, for large arrays that are written from end to end at once. */
void *bspi_arena_alloc_unset(bspi_arena *arena, size_t count, size_t size);

#endif
