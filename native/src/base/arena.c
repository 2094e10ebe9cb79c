/* arena.c - chunks that double in size, under one budget. See arena.h. */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

#define FIRST_CHUNK ((size_t)16 << 10)
#define LARGEST_CHUNK ((size_t)1 << 20)

struct bspi_chunk {
	bspi_chunk *next;
	size_t size, used;                 /* of the payload behind this header */
};

#define ALIGNMENT 16u
#define HEADER_SIZE ((sizeof(bspi_chunk) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

void bspi_arena_init(bspi_arena *arena, bspi_budget *budget)
{
	*arena = (bspi_arena){ .budget = budget, .next_size = FIRST_CHUNK };
}

void bspi_arena_reset(bspi_arena *arena)
{
	for (bspi_chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
		next = chunk->next;
		bspi_budget_give(arena->budget, chunk->size + HEADER_SIZE);
		free(chunk);
	}
	bspi_arena_init(arena, arena->budget);
}

bool bspi_budget_take(bspi_budget *budget, uint64_t size)
{
	budget->allocations++;
	if ((budget->allocation_limit && budget->allocations > budget->allocation_limit) ||
	    size > budget->limit - budget->used) {
		budget->over_limit = true;
		return false;
	}
	budget->used += size;
	if (budget->used > budget->peak) budget->peak = budget->used;
	return true;
}

void bspi_budget_give(bspi_budget *budget, uint64_t size)
{
	budget->used -= size;
}

static bspi_chunk *add_chunk(bspi_arena *arena, size_t size)
{
	if (!bspi_budget_take(arena->budget, (uint64_t)size + HEADER_SIZE)) return NULL;
	/* calloc: fresh pages from the system are zero already, and most arrays are large. */
	bspi_chunk *chunk = calloc(1, size + HEADER_SIZE);
	if (!chunk) {
		bspi_budget_give(arena->budget, (uint64_t)size + HEADER_SIZE);
		return NULL;
	}
	chunk->size = size;
	return chunk;
}

void *bspi_arena_alloc(bspi_arena *arena, size_t count, size_t size)
{
	size_t wanted;
	if (!bspi_mul_size(&wanted, count, size) || wanted > SIZE_MAX / 2 - HEADER_SIZE - ALIGNMENT) {
		arena->budget->over_limit = true;
		return NULL;
	}
	wanted = wanted ? (wanted + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : ALIGNMENT;

	bspi_chunk *chunk = arena->chunks;
#ifdef BSPI_ARENA_EXACT
	chunk = NULL;                      /* every request its own malloc, so that sanitizers see its ends */
	size_t chunk_size = wanted;
#else
	uint64_t left = arena->budget->limit - arena->budget->used;
	/* Near the limit no more than asked for, so that what fits is not refused for the room behind it. */
	bool exact = wanted > arena->next_size / 4 || arena->next_size + HEADER_SIZE > left;
	size_t chunk_size = exact ? wanted : arena->next_size;
#endif
	if (!chunk || wanted > chunk->size - chunk->used) {
		chunk = add_chunk(arena, chunk_size);
		if (!chunk) return NULL;
		/* A large request gets a chunk of its own, behind the one being filled. */
		if (chunk_size == wanted && arena->chunks) {
			chunk->next = arena->chunks->next;
			arena->chunks->next = chunk;
		} else {
			chunk->next = arena->chunks;
			arena->chunks = chunk;
			if (arena->next_size < LARGEST_CHUNK) arena->next_size *= 2;
		}
	}
	void *p = (uint8_t *)chunk + HEADER_SIZE + chunk->used;
	chunk->used += wanted;
	return p;
}
