/* budget.h - what a load, a writing or a picture may use: memory, and pictures decoded. Without a limit of the caller's
 * it grows with the files that were read, so that a small file cannot ask for a machine. While a job runs
 * (parallel.h), its functions are safe in all of the job's threads; the members are the calling thread's alone. */
#ifndef BSPI_BUDGET_H
#define BSPI_BUDGET_H

#include "base/heap.h"

/* The request that was refused. */
typedef enum bspi_refusal {
	BSPI_REFUSED_NOTHING,
	BSPI_REFUSED_MEMORY,
	BSPI_REFUSED_PIXELS,               /* more pictures than may be decoded */
	BSPI_REFUSED_ALLOCATION            /* by allocation_limit */
} bspi_refusal;

typedef struct bspi_budget {
	uint64_t used, peak, limit;        /* bytes taken from the system, and held by what is being worked on */
	uint64_t source_size;              /* bytes that the files read take where they are stored */
	uint64_t decoded;                  /* bytes of all pictures decoded so far */
	uint64_t allocations, allocation_limit; /* limit 0: none */
	bool grows;                        /* the limit is the default one: it follows source_size */
	bspi_refusal refused;              /* the first refusal by the budget, not by the system */
	bspi_heap heap;                    /* where the bytes come from */
	bool exhausted;                    /* it gave none, whatever was made of that since */
} bspi_budget;

/* The default limit, in proportion to the file. */
uint64_t bspi_default_limit(uint64_t source_size);
/* `limit` 0: the default. `allocator` NULL: the system's. The budget then stays where it is, or goes to an owner by
 * bspi_budget_move. */
void bspi_budget_begin(bspi_budget *budget, uint64_t limit, const bspscene_allocator *allocator);
/* The budget of what outlives its maker: as it is, but nobody asks any more whether memory sufficed. */
bspi_budget bspi_budget_move(const bspi_budget *budget);
/* A file of this stored size is about to be read. */
void bspi_budget_read(bspi_budget *budget, uint64_t stored_size);
/* Remembers what was refused; always false. */
bool bspi_budget_refuse(bspi_budget *budget, bspi_refusal what);
bspi_refusal bspi_budget_refused(const bspi_budget *budget);
/* Adds `size` bytes held elsewhere (a file read by malloc) to the budget, or takes them off again. */
bool bspi_budget_take(bspi_budget *budget, uint64_t size);
void bspi_budget_give(bspi_budget *budget, uint64_t size);
uint64_t bspi_budget_left(const bspi_budget *budget);
/* Takes the pixels of a picture and what its decoder works with, both to be given back, and counts the pixels among
 * all that may ever be decoded. */
bool bspi_budget_decode(bspi_budget *budget, uint64_t pixels_size, uint64_t working_size);

#endif
