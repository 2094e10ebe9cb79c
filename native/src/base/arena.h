/* arena.h - memory of one load: `stage` dies when the stage ends that took it, `scratch` when the load ends, `result`
 * is the scene. Everything lives as long as the arena it came from, so nothing in between frees or owns. */
#ifndef BSPI_ARENA_H
#define BSPI_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What all arenas of a load together may use. */
typedef struct bspi_budget {
	uint64_t used, peak, limit;        /* bytes taken from the system */
	uint64_t allocations, allocation_limit; /* limit 0: none */
	bool over_limit;                   /* a request was refused by the budget, not by the system */
} bspi_budget;

typedef struct bspi_chunk bspi_chunk;

typedef struct bspi_arena {
	bspi_budget *budget;
	bspi_chunk *chunks;
	size_t size;                       /* of all chunks */
} bspi_arena;

void bspi_arena_init(bspi_arena *arena, bspi_budget *budget);
/* Frees everything; the arena can be used again. */
void bspi_arena_reset(bspi_arena *arena);
/* Zeroed memory, aligned for any type; a request of 0 bytes gives a non-NULL pointer. NULL: out of memory or limits. */
void *bspi_arena_alloc(bspi_arena *arena, size_t count, size_t size);
/* The same with anything in it, for large arrays that are written from end to end at once. */
void *bspi_arena_alloc_unset(bspi_arena *arena, size_t count, size_t size);
/* Adds `size` bytes held elsewhere (a file read by malloc) to the budget, or takes them off again. */
bool bspi_budget_take(bspi_budget *budget, uint64_t size);
void bspi_budget_give(bspi_budget *budget, uint64_t size);

#endif
