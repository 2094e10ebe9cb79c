/* pairs.h - 64-bit keys to 32-bit values, in memory of a context's stage arena: a table lasts as long as what is in
 * that. Open addressing; starts empty from { 0 }. */
#ifndef BSPI_PAIRS_H
#define BSPI_PAIRS_H

#include "base/ctx.h"

typedef struct bspi_pair_slot {
	uint64_t key;
	uint32_t value;
	bool used;
} bspi_pair_slot;

typedef struct bspi_pairs {
	bspi_pair_slot *slots;
	size_t slot_count;                 /* a power of two, or 0 */
	uint32_t count;
} bspi_pairs;

/* The value of a key, 0 when it is new. NULL: ctx->error is set. Adding moves values. */
uint32_t *bspi_pairs_add(bspi_ctx *ctx, bspi_pairs *pairs, uint64_t key, bool *is_new);
/* NULL when the key is not there. */
uint32_t *bspi_pairs_find(const bspi_pairs *pairs, uint64_t key);
/* A key for anything; different things may have the same. */
uint64_t bspi_pairs_hash(const void *data, size_t size);

#endif
