/* counted_memory.h - an allocator that counts allocations, and fails on request. */
#ifndef BSPT_COUNTED_MEMORY_H
#define BSPT_COUNTED_MEMORY_H

#include <bspscene/load.h>

typedef struct bspt_counted {
	uint64_t calls;                    /* number of calls of the allocate callback */
	uint64_t fail_at;                  /* the first call that fails; all after it fail, too; 0 for none */
	uint64_t pieces, bytes;            /* number and total size of current allocations */
	uint64_t most_bytes;
} bspt_counted;

/* Returns the allocator. If it is used to free memory that it did not allocate, it ends the program. */
bspscene_allocator bspt_counted_allocator(bspt_counted *counted);

#endif
