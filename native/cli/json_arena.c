/* json_arena.c - see json_arena.h. Half of the time that a file of JSON takes is malloc's and free's for each value. */
#include "json_arena.h"

#include <jansson.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { CHUNK = 1 << 20 };

typedef struct chunk chunk;
struct chunk {
	chunk *previous;
	size_t room, used;
	alignas(max_align_t) char bytes[];
};

/* jansson's functions are the process's, and get nothing to find a state by. */
static chunk *newest;
static json_malloc_t plain_malloc;
static json_free_t plain_free;

static void *take(size_t size)
{
	const size_t unit = alignof(max_align_t);
	if (size > SIZE_MAX / 2) return NULL;
	size = (size + unit - 1) / unit * unit;
	if (!newest || newest->room - newest->used < size) {
		size_t room = size > CHUNK ? size : CHUNK;
		chunk *added = malloc(sizeof *added + room);
		if (!added) return NULL;
		*added = (chunk) { .previous = newest, .room = room };
		newest = added;
	}
	void *taken = newest->bytes + newest->used;
	newest->used += size;
	return taken;
}

static void keep(void *taken)
{
	(void)taken;
}

/* Frees all chunks but those that `last` begins. */
static void free_until(const chunk *last)
{
	while (newest != last) {
		chunk *previous = newest->previous;
		free(newest);
		newest = previous;
	}
}

void cli_json_arena_begin(void)
{
	json_get_alloc_funcs(&plain_malloc, &plain_free);
	json_set_alloc_funcs(take, keep);
}

void cli_json_arena_reset(void)
{
	const chunk *first = newest;
	while (first && first->previous) first = first->previous;
	free_until(first);
	if (newest) newest->used = 0;
}

void cli_json_arena_end(void)
{
	free_until(NULL);
	json_set_alloc_funcs(plain_malloc, plain_free);
}
