/* compare_keys.c - lists the differences between the entities of two sets, key by key. The entities were paired
 * before. */
#include "rewrite/rewrite_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* ---- Pairing keys ----------------------------------------------------------------------------------------- */

/* A key and its value. Sorting by key leaves those with the same key in their order. */
typedef struct keyed {
	const char *key, *value;
	uint32_t pair;
} keyed;

static int compare_keyed(const void *x, const void *y)
{
	const keyed *a = x, *b = y;
	int order = strcmp(a->key, b->key);
	return order ? order : (a->pair > b->pair) - (a->pair < b->pair);
}

static uint32_t sort_pairs(const bspi_entity_set *set, uint32_t entity, keyed *out)
{
	const bspi_edit_entity *of = &set->entities[entity];
	for (uint32_t i = 0; i < of->pair_count; i++) {
		const bspi_edit_pair *pair = &set->pairs[of->first_pair + i];
		out[i] = (keyed){ pair->key, pair->value, of->first_pair + i };
	}
	if (of->pair_count) qsort(out, of->pair_count, sizeof *out, compare_keyed);
	return of->pair_count;
}

static uint32_t count_of_key(const keyed *list, uint32_t count)
{
	uint32_t same = 0;
	while (same < count && !strcmp(list[same].key, list[0].key)) same++;
	return same;
}

static void join(const bspi_key_pairing *keys, const keyed *old, const keyed *new)
{
	keys->new_of_old[old->pair] = new->pair;
	keys->old_of_new[new->pair] = old->pair;
}

/* Pairs the old and new values of one key: first the equal ones at the beginning, then the equal ones at the end,
 * then the others in order. A Source entity may have the same output key several times. If one of these outputs is
 * removed, that counts as one change. */
static void pair_values(const bspi_key_pairing *keys, const keyed *old, uint32_t old_count, const keyed *new,
                        uint32_t new_count)
{
	uint32_t first = 0;
	while (first < old_count && first < new_count && !strcmp(old[first].value, new[first].value)) {
		join(keys, &old[first], &new[first]);
		first++;
	}
	while (old_count > first && new_count > first &&
	       !strcmp(old[old_count - 1].value, new[new_count - 1].value)) {
		join(keys, &old[--old_count], &new[--new_count]);
	}
	for (; first < old_count && first < new_count; first++) join(keys, &old[first], &new[first]);
}

static void pair_entity(const bspi_key_pairing *keys, const keyed *old, uint32_t old_count, const keyed *new,
                        uint32_t new_count)
{
	while (old_count && new_count) {
		int order = strcmp(old->key, new->key);
		uint32_t olds = order <= 0 ? count_of_key(old, old_count) : 0;
		uint32_t news = order >= 0 ? count_of_key(new, new_count) : 0;
		if (order == 0) pair_values(keys, old, olds, new, news);
		old += olds;
		old_count -= olds;
		new += news;
		new_count -= news;
	}
}

bool bspi_pair_keys(bspi_ctx *ctx, const bspi_entity_set *old, const bspi_entity_set *new,
                    const bspi_entity_pairing *pairing, bspi_key_pairing *out)
{
	out->new_of_old = bspi_push_unset(ctx, &ctx->scratch, old->pair_count, sizeof *out->new_of_old);
	out->old_of_new = bspi_push_unset(ctx, &ctx->scratch, new->pair_count, sizeof *out->old_of_new);
	keyed *olds = bspi_push_unset(ctx, &ctx->stage, old->pair_count, sizeof *olds);
	keyed *news = bspi_push_unset(ctx, &ctx->stage, new->pair_count, sizeof *news);
	BSPI_TRY(out->new_of_old && out->old_of_new && olds && news);
	for (uint32_t i = 0; i < old->pair_count; i++) out->new_of_old[i] = BSPSCENE_NO_INDEX;
	for (uint32_t i = 0; i < new->pair_count; i++) out->old_of_new[i] = BSPSCENE_NO_INDEX;
	for (uint32_t i = 0; i < new->count; i++) {
		uint32_t of = pairing->old_of_new[i];
		if (of == BSPSCENE_NO_INDEX) continue;
		uint32_t old_count = sort_pairs(old, of, olds), new_count = sort_pairs(new, i, news);
		pair_entity(out, olds, old_count, news, new_count);
	}
	bspi_arena_reset(&ctx->stage);
	return true;
}

bool bspi_same_keys(const bspi_entity_set *old, uint32_t old_entity, const bspi_entity_set *new, uint32_t new_entity,
                    const bspi_key_pairing *keys)
{
	const bspi_edit_entity *a = &old->entities[old_entity], *b = &new->entities[new_entity];
	if (a->pair_count != b->pair_count) return false;
	for (uint32_t i = a->first_pair; i < a->first_pair + a->pair_count; i++) {
		uint32_t other = keys->new_of_old[i];
		if (other == BSPSCENE_NO_INDEX || strcmp(old->pairs[i].value, new->pairs[other].value)) return false;
	}
	return true;
}

/* ---- The list of changes ---------------------------------------------------------------------------------- */

typedef struct listing {
	bspi_ctx *ctx;
	const bspi_entity_set *old, *new;
	const bspi_entity_pairing *pairing;
	const bspi_key_pairing *keys;
	bspscene_entity_change *changes;
	bspscene_entity_changes *out;
} listing;

static uint32_t list_keys(const listing *list, uint32_t old, uint32_t new, bspscene_key_change *out)
{
	uint32_t count = 0;
	const bspi_edit_entity *of = old == BSPSCENE_NO_INDEX ? NULL : &list->old->entities[old];
	for (uint32_t i = 0; of && i < of->pair_count; i++) {
		const bspi_edit_pair *pair = &list->old->pairs[of->first_pair + i], *other = NULL;
		uint32_t to = new == BSPSCENE_NO_INDEX ? new : list->keys->new_of_old[of->first_pair + i];
		if (to != BSPSCENE_NO_INDEX) other = &list->new->pairs[to];
		if (other && !strcmp(pair->value, other->value)) continue;
		if (out) out[count] = (bspscene_key_change){ pair->key, pair->value, other ? other->value : NULL };
		count++;
	}
	of = new == BSPSCENE_NO_INDEX ? NULL : &list->new->entities[new];
	for (uint32_t i = 0; of && i < of->pair_count; i++) {
		const bspi_edit_pair *pair = &list->new->pairs[of->first_pair + i];
		if (list->keys->old_of_new[of->first_pair + i] != BSPSCENE_NO_INDEX) continue;
		if (out) out[count] = (bspscene_key_change){ pair->key, NULL, pair->value };
		count++;
	}
	return count;
}

static bool add_change(const listing *list, bspscene_change_kind kind, uint32_t old, uint32_t new)
{
	bspscene_entity_changes *out = list->out;
	bspscene_entity_change *change = &list->changes[out->change_count++];
	const bspi_entity_set *set = old == BSPSCENE_NO_INDEX ? list->new : list->old;
	uint32_t entity = old == BSPSCENE_NO_INDEX ? new : old, count = list_keys(list, old, new, NULL);
	bspscene_key_change *keys = bspi_push(list->ctx, &list->ctx->result, bspscene_key_change, count);
	BSPI_TRY(keys);
	*change = (bspscene_entity_change){
		.kind = kind, .old_entity = old, .new_entity = new, .classname = bspi_edit_value(set, entity, "classname"),
		.targetname = bspi_edit_value(set, entity, "targetname"), .origin = bspi_edit_value(set, entity, "origin"),
		.key_count = list_keys(list, old, new, keys),
		.keys = bspi_table(list->ctx, bspscene_key_change, keys, count),
	};
	out->added += kind == BSPSCENE_CHANGE_ADDED;
	out->removed += kind == BSPSCENE_CHANGE_REMOVED;
	out->changed += kind == BSPSCENE_CHANGE_MODIFIED;
	return change->keys != NULL;
}

bool bspi_list_changes(bspi_ctx *ctx, const bspi_entity_set *old, const bspi_entity_set *new,
                       const bspi_entity_pairing *pairing, const bspi_key_pairing *keys,
                       bspscene_entity_changes *out)
{
	listing list = { .ctx = ctx, .old = old, .new = new, .pairing = pairing, .keys = keys, .out = out };
	list.changes = bspi_push(ctx, &ctx->result, bspscene_entity_change, (size_t)old->count + new->count);
	BSPI_TRY(list.changes);
	uint32_t last = 0;
	for (uint32_t i = 0; i < old->count; i++) {
		uint32_t to = pairing->new_of_old[i];
		if (to == BSPSCENE_NO_INDEX) {
			BSPI_TRY(add_change(&list, BSPSCENE_CHANGE_REMOVED, i, to));
			continue;
		}
		out->reordered = out->reordered || to < last;
		last = to;
		if (!bspi_same_keys(old, i, new, to, keys)) BSPI_TRY(add_change(&list, BSPSCENE_CHANGE_MODIFIED, i, to));
	}
	for (uint32_t i = 0; i < new->count; i++) {
		if (pairing->old_of_new[i] != BSPSCENE_NO_INDEX) continue;
		BSPI_TRY(add_change(&list, BSPSCENE_CHANGE_ADDED, BSPSCENE_NO_INDEX, i));
	}
	out->changes = bspi_table(ctx, bspscene_entity_change, list.changes, out->change_count);
	return out->changes != NULL;
}
