/* memory.c - see memory.h. */
#include "memory.h"

#include <stdlib.h>
#include <string.h>

#define DECODED_PER_LIMIT 2u

void bspr_memory_begin(bspr_memory *memory, const bspscene_scene *scene, const bspscene_render_options *options)
{
	if (options->allocator) memory->allocator = *options->allocator;
	memory->limit = options->memory_limit ? options->memory_limit : bspscene_default_limit(scene);
	atomic_init(&memory->used, scene->memory_size);
	atomic_init(&memory->refused, false);
	memory->decoded = 0;
}

bool bspr_memory_take(bspr_memory *memory, uint64_t size)
{
	uint64_t before = atomic_fetch_add(&memory->used, size);
	if (before <= memory->limit && size <= memory->limit - before) return true;
	atomic_fetch_sub(&memory->used, size);
	atomic_store(&memory->refused, true);
	return false;
}

void bspr_memory_give(bspr_memory *memory, uint64_t size)
{
	atomic_fetch_sub(&memory->used, size);
}

bool bspr_memory_decode(bspr_memory *memory, uint64_t size)
{
	uint64_t most = memory->limit > UINT64_MAX / DECODED_PER_LIMIT ? UINT64_MAX : memory->limit * DECODED_PER_LIMIT;
	if (memory->decoded > most || size > most - memory->decoded) {
		atomic_store(&memory->refused, true);
		return false;
	}
	if (!bspr_memory_take(memory, size)) return false;
	memory->decoded += size;
	return true;
}

uint64_t bspr_memory_left(const bspr_memory *memory)
{
	uint64_t used = atomic_load(&memory->used);
	return used < memory->limit ? memory->limit - used : 0;
}

void *bspr_allocate(bspr_memory *memory, size_t count, size_t size)
{
	if (!count) count = 1;
	if (count > SIZE_MAX / size || !bspr_memory_take(memory, (uint64_t)count * size)) return NULL;
	return bspr_take(&memory->allocator, count, size);
}

void *bspr_take(const bspscene_allocator *allocator, size_t count, size_t size)
{
	if (!count) count = 1;
	if (!allocator->allocate) return calloc(count, size);
	void *data = count <= SIZE_MAX / size ? allocator->allocate(allocator->user, count * size) : NULL;
	if (data) memset(data, 0, count * size);
	return data;
}

void bspr_release(const bspscene_allocator *allocator, void *data)
{
	if (!data) return;
	if (allocator->allocate) allocator->release(allocator->user, data);
	else free(data);
}
