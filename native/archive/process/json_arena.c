/* json_arena.c - see json_arena.h. The arena halves the time to parse JSON, because jansson calls malloc and free for
 * each value. */
#include "archive/process/json_arena.h"

#include <jansson.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

enum { CHUNK = 1 << 20 };

struct cli_json_chunk {
	cli_json_chunk *previous;
	size_t room, used;
	alignas(max_align_t) char bytes[];
};

/* Global, because jansson's allocation functions have no user argument. */
static cli_json_arena *current;
static json_malloc_t plain_malloc;
static json_free_t plain_free;

static void *take(size_t size)
{
	const size_t unit = alignof(max_align_t);
	cli_json_chunk *newest = current->newest;
	if (size > SIZE_MAX / 2) return NULL;
	size = (size + unit - 1) / unit * unit;
	if (!newest || newest->room - newest->used < size) {
		size_t room = size > CHUNK ? size : CHUNK;
		cli_json_chunk *added = malloc(sizeof *added + room);
		if (!added) return NULL;
		*added = (cli_json_chunk) { .previous = newest, .room = room };
		current->newest = newest = added;
		current->size += room;
	}
	void *taken = newest->bytes + newest->used;
	newest->used += size;
	return taken;
}

static void keep(void *taken)
{
	(void)taken;
}

void cli_json_arena_use(cli_json_arena *arena)
{
	if (!current) {
		json_get_alloc_funcs(&plain_malloc, &plain_free);
		json_set_alloc_funcs(take, keep);
	}
	current = arena;
}

/* Frees all chunks that are newer than `last`. Frees all chunks if `last` is NULL. */
static void free_until(cli_json_arena *arena, const cli_json_chunk *last)
{
	while (arena->newest != last) {
		cli_json_chunk *newest = arena->newest;
		arena->newest = newest->previous;
		arena->size -= newest->room;
		free(newest);
	}
}

void cli_json_arena_reset(cli_json_arena *arena)
{
	const cli_json_chunk *first = arena->newest;
	while (first && first->previous) first = first->previous;
	free_until(arena, first);
	if (arena->newest) arena->newest->used = 0;
}

void cli_json_arena_end(void)
{
	if (current) json_set_alloc_funcs(plain_malloc, plain_free);
	current = NULL;
}

void cli_json_arena_free(cli_json_arena *arena)
{
	free_until(arena, NULL);
}
