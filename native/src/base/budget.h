/* budget.h - limits the memory and the decoded pictures of a load, a write or a picture. Without a limit from the
 * caller, the limit depends on the size of the files that were read, so that a small file cannot take all memory. While
 * a job runs (parallel.h), all of its threads may call the functions; only the calling thread may access members. */
#ifndef BSPI_BUDGET_H
#define BSPI_BUDGET_H

#include "base/heap.h"

/* The resource that the budget refused first. */
typedef enum bspi_refusal {
	BSPI_REFUSED_NOTHING,
	BSPI_REFUSED_MEMORY,
	BSPI_REFUSED_PIXELS,               /* more decoded pictures than allowed */
	BSPI_REFUSED_ALLOCATION            /* allocation_limit was reached */
} bspi_refusal;

typedef struct bspi_budget {
	uint64_t used, peak, limit;        /* bytes charged now; the most that were charged so far; their limit */
	uint64_t source_size;              /* stored bytes of all files read */
	uint64_t decoded;                  /* bytes of all decoded pictures so far */
	uint64_t allocations, allocation_limit; /* number of allocations so far; their limit (0: none) */
	bool grows;                        /* the limit is the default, which follows source_size */
	bspi_refusal refused;              /* first refusal by the budget (not by the system) */
	bspi_heap heap;                    /* where the bytes come from */
	bool exhausted;                    /* the system or the allocator had no memory at some time, even if the code went
	                                    * on without it */
} bspi_budget;

/* Returns the default limit for files of this size. */
uint64_t bspi_default_limit(uint64_t source_size);
/* Starts a budget. `limit` 0: the default. `allocator` NULL: the system's. The budget must stay in place, or be moved
 * by bspi_budget_move. */
void bspi_budget_begin(bspi_budget *budget, uint64_t limit, const bspscene_allocator *allocator);
/* Returns a copy of a budget for an owner that outlives the load. Its heap no longer refers to `exhausted` or to a
 * lock. */
bspi_budget bspi_budget_move(const bspi_budget *budget);
/* Raises a default limit for a file. Call it before reading the file, with the size that is stored. */
void bspi_budget_read(bspi_budget *budget, uint64_t stored_size);
/* Records the first refusal. Returns false. */
bool bspi_budget_refuse(bspi_budget *budget, bspi_refusal what);
bspi_refusal bspi_budget_refused(const bspi_budget *budget);
/* The first function charges `size` bytes that were allocated elsewhere, for example a file that malloc holds. The
 * second one releases such bytes. */
bool bspi_budget_take(bspi_budget *budget, uint64_t size);
void bspi_budget_give(bspi_budget *budget, uint64_t size);
uint64_t bspi_budget_left(const bspi_budget *budget);
/* Charges the pixels of a picture and the memory of its decoder; the caller releases both by bspi_budget_give. Also
 * counts the pixels toward the limit of all decoded pictures. */
bool bspi_budget_decode(bspi_budget *budget, uint64_t pixels_size, uint64_t working_size);

#endif
