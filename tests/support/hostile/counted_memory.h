/* counted_memory.h - an allocator that counts what it gave, and fails on request. */
#ifndef BSPT_COUNTED_MEMORY_H
#define BSPT_COUNTED_MEMORY_H

#include <bspscene/bspscene.h>

typedef struct bspt_counted {
	uint64_t calls;                    /* of allocate */
	uint64_t fail_at;                  /* this call and all after it fail; 0: none */
	uint64_t pieces, bytes;            /* held now */
	uint64_t most_bytes;
} bspt_counted;

/* Ends the program if memory is freed that it did not give. */
bspscene_allocator bspt_counted_allocator(bspt_counted *counted);

#endif
