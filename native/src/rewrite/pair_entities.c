/* pair_entities.c - pairs the entities of two sets. If the caller states the pairs, nothing else counts. Otherwise
 * these are paired, in this order: equal entities, those with the same `hammerid`, those with the same brush model (of
 * the same build), and the most similar ones of a class. */
#include "rewrite/rewrite_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* What identifies an entity: its name, or NULL. A list of these is sorted by hash; those with equal hashes are in the
 * order of the set. */
typedef struct known_by {
	const char *name, *other;
	uint64_t hash;                     /* hash of the name, or of all pairs */
	uint32_t entity;
} known_by;

typedef struct pairing_work {
	bspi_ctx *ctx;
	const bspi_entity_set *old, *new;
	bspi_entity_pairing *out;
	uint64_t *old_hashes, *new_hashes; /* for each pair of a set, the hash of its key and value */
	struct candidate *candidates; uint32_t candidate_room; /* candidates of the class that is being paired */
} pairing_work;

static void join(const pairing_work *work, uint32_t old, uint32_t new)
{
	work->out->old_of_new[new] = old;
	work->out->new_of_old[old] = new;
}

static uint64_t mix(uint64_t hash, uint64_t more)
{
	return (hash ^ more) * UINT64_C(0x100000001b3) ^ hash >> 31;
}

static uint64_t *hash_pairs(bspi_ctx *ctx, const bspi_entity_set *set)
{
	uint64_t *hashes = bspi_push(ctx, &ctx->stage, uint64_t, set->pair_count);
	for (uint32_t i = 0; hashes && i < set->pair_count; i++) {
		const bspi_edit_pair *pair = &set->pairs[i];
		hashes[i] = mix(bspi_hash(pair->key, strlen(pair->key)), bspi_hash(pair->value, strlen(pair->value)));
	}
	return hashes;
}

static int compare_known(const void *x, const void *y)
{
	const known_by *a = x, *b = y;
	if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
	return (a->entity > b->entity) - (a->entity < b->entity);
}

/* ---- Equal entities, and those with a unique name --------------------------------------------------------- */

typedef bool know_fn(const bspi_entity_set *set, const uint64_t *hashes, uint32_t entity, known_by *out);

static bool know_by_all(const bspi_entity_set *set, const uint64_t *hashes, uint32_t entity, known_by *out)
{
	const bspi_edit_entity *of = &set->entities[entity];
	out->hash = of->pair_count;
	for (uint32_t i = 0; i < of->pair_count; i++) out->hash = mix(out->hash, hashes[of->first_pair + i]);
	return true;
}

static bool know_by(const char *name, const char *other, known_by *out)
{
	out->name = name;
	out->other = other;
	out->hash = mix(bspi_hash(name, strlen(name)), bspi_hash(other, strlen(other)));
	return *name != 0;
}

static bool know_by_hammerid(const bspi_entity_set *set, const uint64_t *hashes, uint32_t entity, known_by *out)
{
	(void)hashes;
	return know_by(bspi_edit_value(set, entity, "hammerid"), bspi_edit_value(set, entity, "classname"), out);
}

static bool know_by_model(const bspi_entity_set *set, const uint64_t *hashes, uint32_t entity, known_by *out)
{
	(void)hashes;
	const char *model = bspi_edit_value(set, entity, "model");
	return know_by(*model == '*' ? model : "", "", out);
}

static known_by *list_known(const pairing_work *work, bool new, know_fn *know, uint32_t *count)
{
	const bspi_entity_set *set = new ? work->new : work->old;
	const uint32_t *taken = new ? work->out->old_of_new : work->out->new_of_old;
	known_by *list = bspi_push(work->ctx, &work->ctx->stage, known_by, set->count);
	*count = 0;
	for (uint32_t i = 0; list && i < set->count; i++) {
		known_by one = { .entity = i };
		if (taken[i] != BSPSCENE_NO_INDEX || !know(set, new ? work->new_hashes : work->old_hashes, i, &one)) continue;
		list[(*count)++] = one;
	}
	if (list && *count) qsort(list, *count, sizeof *list, compare_known);
	return list;
}

static bool is_same_entity(const pairing_work *work, const known_by *old, const known_by *new)
{
	if (old->name) return !strcmp(old->name, new->name) && !strcmp(old->other, new->other);
	const bspi_edit_entity *a = &work->old->entities[old->entity], *b = &work->new->entities[new->entity];
	if (a->pair_count != b->pair_count) return false;
	for (uint32_t i = 0; i < a->pair_count; i++) {
		const bspi_edit_pair *one = &work->old->pairs[a->first_pair + i], *other = &work->new->pairs[b->first_pair + i];
		if (strcmp(one->key, other->key) || strcmp(one->value, other->value)) return false;
	}
	return true;
}

/* Pairs entities with the same name. If several have it, they are paired in order, the first with the first. */
static bool pair_known(const pairing_work *work, know_fn *know)
{
	uint32_t old_count, new_count, i = 0, k = 0;
	const known_by *old = list_known(work, false, know, &old_count);
	const known_by *new = old ? list_known(work, true, know, &new_count) : NULL;
	BSPI_TRY(old && new);
	while (i < old_count && k < new_count) {
		bool equal = old[i].hash == new[k].hash, first = old[i].hash < new[k].hash;
		if (equal && is_same_entity(work, &old[i], &new[k])) join(work, old[i].entity, new[k].entity);
		i += equal || first;
		k += equal || !first;
	}
	return true;
}

/* ---- The most similar of a class --------------------------------------------------------------------------- */

static bool know_by_class(const bspi_entity_set *set, const uint64_t *hashes, uint32_t entity, known_by *out)
{
	(void)hashes;
	know_by(bspi_edit_value(set, entity, "classname"), "", out);
	return true;
}

typedef struct candidate {
	uint32_t alike;                    /* number of pairs that the old and the new entity have in common, plus a
	                                    * bonus if their names or positions are equal */
	float away;
	uint32_t old, new;
} candidate;

static int compare_candidates(const void *x, const void *y)
{
	const candidate *a = x, *b = y;
	if (a->alike != b->alike) return a->alike > b->alike ? -1 : 1;
	if (a->away != b->away) return a->away < b->away ? -1 : 1;
	if (a->old != b->old) return a->old < b->old ? -1 : 1;
	return (a->new > b->new) - (a->new < b->new);
}

static float distance(const char *a, const char *b)
{
	float one[3] = { 0 }, other[3] = { 0 }, sum = 0;
	bspi_text_numbers(a, one, 3);
	bspi_text_numbers(b, other, 3);
	for (int i = 0; i < 3; i++) sum += one[i] > other[i] ? one[i] - other[i] : other[i] - one[i];
	return sum;
}

static candidate weigh(const pairing_work *work, uint32_t old, uint32_t new)
{
	enum { LARGE = 64, NAME = 8, PLACE = 8 };
	const bspi_edit_entity *a = &work->old->entities[old], *b = &work->new->entities[new];
	const char *name = bspi_edit_value(work->old, old, "targetname"), *at = bspi_edit_value(work->old, old, "origin");
	const char *place = bspi_edit_value(work->new, new, "origin");
	candidate out = { .away = distance(at, place), .old = old, .new = new };
	uint32_t a_count = a->pair_count < LARGE ? a->pair_count : LARGE;
	uint32_t b_count = b->pair_count < LARGE ? b->pair_count : LARGE;
	for (uint32_t i = 0; i < a_count; i++) {
		uint64_t hash = work->old_hashes[a->first_pair + i];
		for (uint32_t k = 0; k < b_count; k++) out.alike += hash == work->new_hashes[b->first_pair + k];
	}
	if (*name && !strcmp(name, bspi_edit_value(work->new, new, "targetname"))) out.alike += NAME;
	if (*at && !strcmp(at, place)) out.alike += PLACE;
	return out;
}

static bool pair_class(pairing_work *work, const known_by *old, uint32_t old_count, const known_by *new,
                       uint32_t new_count)
{
	enum { MOST = 1 << 18 };
	bspi_ctx *ctx = work->ctx;
	if ((uint64_t)old_count * new_count > MOST) {
		for (uint32_t i = 0; i < old_count && i < new_count; i++) join(work, old[i].entity, new[i].entity);
		return true;
	}
	uint32_t count = 0, wanted = old_count * new_count;
	if (wanted > work->candidate_room) {
		work->candidate_room = 2 * wanted;
		work->candidates = bspi_push_unset(ctx, &ctx->stage, work->candidate_room, sizeof(candidate));
	}
	candidate *all = work->candidates;
	BSPI_TRY(all);
	for (uint32_t i = 0; i < old_count; i++) {
		for (uint32_t k = 0; k < new_count; k++) all[count++] = weigh(work, old[i].entity, new[k].entity);
	}
	qsort(all, count, sizeof *all, compare_candidates);
	for (uint32_t i = 0; i < count; i++) {
		bool free = work->out->new_of_old[all[i].old] == BSPSCENE_NO_INDEX &&
		            work->out->old_of_new[all[i].new] == BSPSCENE_NO_INDEX;
		if (free) join(work, all[i].old, all[i].new);
	}
	return true;
}

static uint32_t count_alike(const known_by *list, uint32_t count)
{
	uint32_t alike = 0;
	while (alike < count && list[alike].hash == list[0].hash) alike++;
	return alike;
}

static bool pair_by_class(pairing_work *work)
{
	uint32_t old_count, new_count, i = 0, k = 0;
	const known_by *old = list_known(work, false, know_by_class, &old_count);
	const known_by *new = old ? list_known(work, true, know_by_class, &new_count) : NULL;
	BSPI_TRY(old && new);
	while (i < old_count && k < new_count) {
		uint32_t olds = count_alike(old + i, old_count - i), news = count_alike(new + k, new_count - k);
		if (old[i].hash == new[k].hash && !strcmp(old[i].name, new[k].name)) {
			BSPI_TRY(pair_class(work, old + i, olds, new + k, news));
		}
		bool equal = old[i].hash == new[k].hash, first = old[i].hash < new[k].hash;
		i += equal || first ? olds : 0;
		k += equal || !first ? news : 0;
	}
	return true;
}

/* ---- All entities ----------------------------------------------------------------------------------------- */

static uint32_t *push_none(bspi_ctx *ctx, uint32_t count)
{
	uint32_t *numbers = bspi_push_unset(ctx, &ctx->scratch, count, sizeof *numbers);
	for (uint32_t i = 0; numbers && i < count; i++) numbers[i] = BSPSCENE_NO_INDEX;
	return numbers;
}

bool bspi_pair_entities(bspi_ctx *ctx, const bspi_entity_set *old, const bspi_entity_set *new, bool one_map,
                        bspi_entity_pairing *out)
{
	pairing_work work = { .ctx = ctx, .old = old, .new = new, .out = out };
	out->old_of_new = push_none(ctx, new->count);
	out->new_of_old = push_none(ctx, old->count);
	BSPI_TRY(out->old_of_new && out->new_of_old);
	/* If the caller made several copies of an entity, only the first one is paired with it. */
	for (uint32_t i = 0; new->numbered && i < new->count; i++) {
		uint32_t source = new->entities[i].source;
		if (source != BSPSCENE_NO_INDEX && out->new_of_old[source] == BSPSCENE_NO_INDEX) join(&work, source, i);
	}
	if (new->numbered) return true;
	work.old_hashes = hash_pairs(ctx, old);
	work.new_hashes = hash_pairs(ctx, new);
	bool paired = work.old_hashes && work.new_hashes && pair_known(&work, know_by_all) &&
	              pair_known(&work, know_by_hammerid) && (!one_map || pair_known(&work, know_by_model)) &&
	              pair_by_class(&work);
	bspi_arena_reset(&ctx->stage);
	return paired;
}
