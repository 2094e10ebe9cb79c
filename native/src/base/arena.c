/* arena.c - allocates growing chunks from one budget. See arena.h. */
#include "base/arena.h"

#include <string.h>

#include "base/bytes.h"
#include "base/large_pages.h"

#define FIRST_CHUNK ((size_t)16 << 10)
#define LARGEST_CHUNK ((size_t)1 << 20)
#define LARGEST_PART 8                 /* a new chunk is at most 1 / LARGEST_PART of its arena, so that little memory
                                        * stays unused */
/* Arenas above this size get chunks that are whole large pages. Touching one large page for the first time is cheaper
 * than touching many small ones. */
#define LARGE_ARENA ((size_t)2 << 20)

struct bspi_chunk {
	bspi_chunk *next;
	size_t size, used;                 /* number of bytes after this header, and how many of them are in use */
};

#define ALIGNMENT 16u
#define HEADER_SIZE ((sizeof(bspi_chunk) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)
#define LARGE_CHUNK (BSPI_LARGE_PAGE - HEADER_SIZE)

void bspi_arena_init(bspi_arena *arena, bspi_budget *budget)
{
	*arena = (bspi_arena){ .budget = budget };
}

static void give_chunk(bspi_arena *arena, bspi_chunk *chunk)
{
	bspi_budget_give(arena->budget, chunk->size + HEADER_SIZE);
	bspi_heap_give(&arena->budget->heap, chunk);
}

void bspi_arena_reset(bspi_arena *arena)
{
	for (bspi_chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
		next = chunk->next;
		give_chunk(arena, chunk);
	}
	bspi_arena_init(arena, arena->budget);
}

void bspi_arena_rewind(bspi_arena *arena)
{
#ifdef BSPI_ARENA_EXACT
	bspi_arena_reset(arena);           /* keeps no chunk, so that sanitizers find later accesses to it */
#else
	bspi_chunk *kept = NULL;
	for (bspi_chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
		next = chunk->next;
		if (chunk->size > LARGE_CHUNK || (kept && chunk->size <= kept->size)) {
			give_chunk(arena, chunk);
			continue;
		}
		if (kept) give_chunk(arena, kept);
		kept = chunk;
	}
	bspi_arena_init(arena, arena->budget);
	if (!kept) return;
	kept->next = NULL;
	kept->used = 0;
	arena->chunks = kept;
	arena->size = kept->size;
#endif
}

static bspi_chunk *add_chunk(bspi_arena *arena, size_t size, bool zeroed)
{
	if (!bspi_budget_take(arena->budget, (uint64_t)size + HEADER_SIZE)) return NULL;
	const bspi_heap *heap = &arena->budget->heap;
	bspi_chunk *chunk = zeroed ? bspi_heap_take_zeroed(heap, size + HEADER_SIZE)
	                           : bspi_heap_take(heap, size + HEADER_SIZE);
	if (!chunk) {
		bspi_budget_give(arena->budget, (uint64_t)size + HEADER_SIZE);
		return NULL;
	}
#ifdef BSPI_ARENA_EXACT
	if (!zeroed) memset(chunk, 0xa5, size + HEADER_SIZE); /* not zero, so that tests find code that relies on zeros */
#endif
	*chunk = (bspi_chunk){ .size = size };
	arena->size += size;
	return chunk;
}

/* Returns the size of the next chunk. A large request gets its own. */
static size_t chunk_size(const bspi_arena *arena, size_t wanted)
{
#ifdef BSPI_ARENA_EXACT
	(void)arena;
	return wanted;                     /* each request has its own malloc, so that sanitizers know its bounds */
#else
	size_t part = arena->size / LARGEST_PART;
	size_t usual = part < FIRST_CHUNK ? FIRST_CHUNK : part < LARGEST_CHUNK ? part : LARGEST_CHUNK;
	if (arena->size >= LARGE_ARENA) usual = LARGE_CHUNK;
	/* If the usual size would exceed the memory limit, the chunk has only the requested size, so that a request that
	 * fits is not refused. */
	size_t most = usual == LARGE_CHUNK ? usual / 2 : usual / 4;
	return wanted <= most && usual + HEADER_SIZE <= bspi_budget_left(arena->budget) ? usual : wanted;
#endif
}

static void *take(bspi_arena *arena, size_t count, size_t size, bool zeroed)
{
	size_t wanted;
	if (!bspi_mul_size(&wanted, count, size) || wanted > SIZE_MAX / 2 - HEADER_SIZE - ALIGNMENT) {
		bspi_budget_refuse(arena->budget, BSPI_REFUSED_MEMORY);
		return NULL;
	}
	wanted = wanted ? (wanted + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : ALIGNMENT;

	bspi_chunk *chunk = arena->chunks;
	bool fresh = false;
	if (!chunk || wanted > chunk->size - chunk->used) {
		size_t new_size = chunk_size(arena, wanted);
		/* A large zeroed array gets its chunk from calloc, so that pages that are never touched take no memory. */
		fresh = zeroed && new_size == wanted;
		chunk = add_chunk(arena, new_size, fresh);
		if (!chunk) return NULL;
		/* If this request fills the whole new chunk, the new chunk is linked after the current one, so that the next
		 * requests still use the current one. */
		if (chunk->size == wanted && arena->chunks) {
			chunk->next = arena->chunks->next;
			arena->chunks->next = chunk;
		} else {
			chunk->next = arena->chunks;
			arena->chunks = chunk;
		}
	}
	void *p = (uint8_t *)chunk + HEADER_SIZE + chunk->used;
	chunk->used += wanted;
	if (zeroed && !fresh) memset(p, 0, wanted);
	return p;
}

void *bspi_arena_alloc(bspi_arena *arena, size_t count, size_t size)
{
	return take(arena, count, size, true);
}

void *bspi_arena_alloc_unset(bspi_arena *arena, size_t count, size_t size)
{
	return take(arena, count, size, false);
}
