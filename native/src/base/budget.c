/* budget.c - see budget.h. */
#include "base/budget.h"

#include <assert.h>

#include "base/parallel/threads.h"

/* The default limit is DEFAULT_BASE, and DEFAULT_PER_BYTE for each byte of the files. In 189 real maps, loading takes
 * at most a fifth of it, and writing at most a quarter. Decoded pictures take at most half of their own limit
 * (tests/bench/bench_budget.c). The whole process with its libraries stays below 256 MB plus 64 bytes per byte of the
 * files. */
#define DEFAULT_BASE ((uint64_t)192 << 20)
#define DEFAULT_PER_BYTE 56u
/* Upper limit of the default memory limit, which is computed from sizes that files state and that may be wrong. */
#define LARGEST_DEFAULT ((uint64_t)16 << 30)
/* Pictures are decoded, used and freed one after the other. All of them together may have this many times the memory
 * limit. */
#define DECODED_PER_LIMIT 2u

uint64_t bspi_default_limit(uint64_t source_size)
{
	if (source_size > (LARGEST_DEFAULT - DEFAULT_BASE) / DEFAULT_PER_BYTE) return LARGEST_DEFAULT;
	return DEFAULT_BASE + DEFAULT_PER_BYTE * source_size;
}

void bspi_budget_begin(bspi_budget *budget, uint64_t limit, const bspscene_allocator *allocator)
{
	assert(!allocator || (allocator->allocate && allocator->release));
	*budget = (bspi_budget){ .limit = limit ? limit : bspi_default_limit(0), .grows = !limit };
	if (allocator) budget->heap.allocator = *allocator;
	budget->heap.exhausted = &budget->exhausted;
}

bspi_budget bspi_budget_move(const bspi_budget *budget)
{
	bspi_budget moved = *budget;
	moved.heap.exhausted = NULL;
	moved.heap.lock = NULL;
	return moved;
}

void bspi_budget_read(bspi_budget *budget, uint64_t stored_size)
{
	uint64_t room = UINT64_MAX - budget->source_size;
	budget->source_size += stored_size < room ? stored_size : room;
	if (budget->grows) budget->limit = bspi_default_limit(budget->source_size);
}

static bool refuse(bspi_budget *budget, bspi_refusal what)
{
	if (!budget->refused) budget->refused = what;
	return false;
}

bool bspi_budget_refuse(bspi_budget *budget, bspi_refusal what)
{
	bspi_lock_take(budget->heap.lock);
	refuse(budget, what);
	bspi_lock_give(budget->heap.lock);
	return false;
}

bspi_refusal bspi_budget_refused(const bspi_budget *budget)
{
	bspi_lock_take(budget->heap.lock);
	bspi_refusal what = budget->refused;
	bspi_lock_give(budget->heap.lock);
	return what;
}

static bool take(bspi_budget *budget, uint64_t size)
{
	budget->allocations++;
	if (budget->allocation_limit && budget->allocations > budget->allocation_limit) {
		return refuse(budget, BSPI_REFUSED_ALLOCATION);
	}
	if (budget->used > budget->limit || size > budget->limit - budget->used) return refuse(budget, BSPI_REFUSED_MEMORY);
	budget->used += size;
	if (budget->used > budget->peak) budget->peak = budget->used;
	return true;
}

bool bspi_budget_take(bspi_budget *budget, uint64_t size)
{
	bspi_lock_take(budget->heap.lock);
	bool taken = take(budget, size);
	bspi_lock_give(budget->heap.lock);
	return taken;
}

void bspi_budget_give(bspi_budget *budget, uint64_t size)
{
	bspi_lock_take(budget->heap.lock);
	budget->used -= size;
	bspi_lock_give(budget->heap.lock);
}

uint64_t bspi_budget_left(const bspi_budget *budget)
{
	bspi_lock_take(budget->heap.lock);
	uint64_t left = budget->used <= budget->limit ? budget->limit - budget->used : 0;
	bspi_lock_give(budget->heap.lock);
	return left;
}

static bool decode(bspi_budget *budget, uint64_t pixels_size, uint64_t working_size)
{
	uint64_t most = budget->limit > UINT64_MAX / DECODED_PER_LIMIT ? UINT64_MAX : budget->limit * DECODED_PER_LIMIT;
	if (budget->decoded > most || pixels_size > most - budget->decoded) return refuse(budget, BSPI_REFUSED_PIXELS);
	if (!take(budget, pixels_size + working_size)) return false;
	budget->decoded += pixels_size;
	return true;
}

bool bspi_budget_decode(bspi_budget *budget, uint64_t pixels_size, uint64_t working_size)
{
	bspi_lock_take(budget->heap.lock);
	bool taken = decode(budget, pixels_size, working_size);
	bspi_lock_give(budget->heap.lock);
	return taken;
}
