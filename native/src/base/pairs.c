/* pairs.c - see pairs.h. */
#include "base/pairs.h"

#include "base/text.h"

#define FIRST_SLOTS 64u

static bspi_pair_slot *find_slot(const bspi_pairs *pairs, uint64_t key)
{
	uint64_t mixed = key * UINT64_C(0x9e3779b97f4a7c15);
	size_t mask = pairs->slot_count - 1, at = (size_t)(mixed >> 32) & mask;
	while (pairs->slots[at].used && pairs->slots[at].key != key) at = (at + 1) & mask;
	return &pairs->slots[at];
}

static bool grow(bspi_ctx *ctx, bspi_pairs *pairs)
{
	bspi_pairs larger = { .count = pairs->count };
	larger.slot_count = pairs->slot_count ? 2 * pairs->slot_count : FIRST_SLOTS;
	larger.slots = bspi_push(ctx, &ctx->stage, bspi_pair_slot, larger.slot_count);
	BSPI_TRY(larger.slots);
	for (size_t i = 0; i < pairs->slot_count; i++) {
		if (pairs->slots[i].used) *find_slot(&larger, pairs->slots[i].key) = pairs->slots[i];
	}
	*pairs = larger;
	return true;
}

uint32_t *bspi_pairs_add(bspi_ctx *ctx, bspi_pairs *pairs, uint64_t key, bool *is_new)
{
	if (pairs->slot_count <= 2 * (size_t)pairs->count && !grow(ctx, pairs)) return NULL;
	bspi_pair_slot *slot = find_slot(pairs, key);
	*is_new = !slot->used;
	if (*is_new) {
		*slot = (bspi_pair_slot){ key, 0, true };
		pairs->count++;
	}
	return &slot->value;
}

uint32_t *bspi_pairs_find(const bspi_pairs *pairs, uint64_t key)
{
	if (!pairs->count) return NULL;
	bspi_pair_slot *slot = find_slot(pairs, key);
	return slot->used ? &slot->value : NULL;
}

uint64_t bspi_pairs_hash(const void *data, size_t size)
{
	return bspi_hash(data, size);
}
