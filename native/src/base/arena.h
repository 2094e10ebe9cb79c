/* arena.h - memory of a load in three arenas: `stage` is freed when a stage ends, `scratch` when the load ends,
 * `result` belongs to the scene. Single allocations are never freed. */
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
/* Frees all chunks except the largest one of usual size, which is kept for reuse. */
void bspi_arena_rewind(bspi_arena *arena);
/* Returns zeroed memory, aligned for any type; a request of 0 bytes gives a non-NULL pointer. NULL if memory is out or
 * a limit is exceeded. */
void *bspi_arena_alloc(bspi_arena *arena, size_t count, size_t size);
/* Like bspi_arena_alloc but uninitialized, for large arrays that are written completely at once. */
void *bspi_arena_alloc_unset(bspi_arena *arena, size_t count, size_t size);

#endif
