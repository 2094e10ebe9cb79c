/* check_moved.c - reads the new file again, before it is written. It must have the new entities. All other lumps must
 * be unchanged, at the places that its directory names. */
#include "rewrite/rewrite_parts.h"

#include <string.h>

static bool fail_check(bspi_rewrite *r, const char *what)
{
	return bspi_fail(
		r->ctx, BSPSCENE_ERROR_BAD_DATA, BSPI_NOWHERE,
		"nothing was written: when the new map was read again, %s differed from what was asked for; please report "
		"this map",
		what);
}

/* ---- Entities --------------------------------------------------------------------------------------------- */

static uint32_t *push_numbers(bspi_ctx *ctx, uint32_t count)
{
	uint32_t *numbers = bspi_push_unset(ctx, &ctx->scratch, count, sizeof *numbers);
	for (uint32_t i = 0; numbers && i < count; i++) numbers[i] = i;
	return numbers;
}

bool bspi_check_entity_bytes(bspi_rewrite *r, bspi_bytes text)
{
	bspi_ctx *ctx = r->ctx;
	bspi_entity_set again;
	BSPI_TRY(bspi_scan_entities(ctx, text, &r->map, &again));
	if (again.count != r->new.count) return fail_check(r, "the number of entities");
	uint32_t *numbers = push_numbers(ctx, again.count);
	const bspi_entity_pairing same = { numbers, numbers };
	bspi_key_pairing keys;
	BSPI_TRY(numbers && bspi_pair_keys(ctx, &again, &r->new, &same, &keys));
	for (uint32_t i = 0; i < again.count; i++) {
		BSPI_CHECK(
			ctx, bspi_same_keys(&again, i, &r->new, i, &keys), BSPSCENE_ERROR_BAD_DATA, BSPI_RECORD("new entities", i),
			"nothing was written: it would be read with other keys or values than asked for; please report this map");
	}
	return true;
}

/* ---- Everything else -------------------------------------------------------------------------------------- */

static void copy_place(uint8_t *out, const bspi_move *move, bspi_bytes file, size_t at, size_t size)
{
	memcpy(out + bspi_moved_to(move, at), file.data + at, size);
}

/* Undoes all changes of offsets in a copy of the new file. Then everything except the replaced lump must equal the old
 * file. */
static bool check_bytes(bspi_rewrite *r, const bspi_move *move)
{
	enum { NUMBER = 4 };
	const bspi_map *map = &r->map;
	bspi_bytes old = map->file, new = r->file;
	uint8_t *back = bspi_push_unset(r->ctx, &r->ctx->scratch, new.size, 1);
	BSPI_TRY(back);
	memcpy(back, new.data, new.size);
	for (uint32_t i = 0; i < map->lump_place_count; i++) copy_place(back, move, old, map->lump_places[i].at, NUMBER);
	copy_place(back, move, old, move->place->at, NUMBER);
	copy_place(back, move, old, move->place->size_at, NUMBER);
	if (map->packed_entities.size) copy_place(back, move, old, move->place->unpacked_at, NUMBER);
	size_t tail = bspi_moved_to(move, move->tail);
	bool same = new.size - tail == old.size - move->tail && !memcmp(back, old.data, move->begin) &&
	            !memcmp(back + tail, old.data + move->tail, new.size - tail);
	return same || bspi_fail(r->ctx, BSPSCENE_ERROR_BAD_DATA, BSPI_NOWHERE,
	                         "nothing was written: bytes of the new map that should not change differed; please report "
	                         "this map");
}

static bool check_places(bspi_rewrite *r, const bspi_move *move, const bspi_map *again)
{
	const bspi_map *map = &r->map;
	if (again->lump_place_count != map->lump_place_count) return fail_check(r, "the number of lumps");
	for (uint32_t i = 0; i < map->lump_place_count; i++) {
		const bspi_lump_place *a = &map->lump_places[i], *b = &again->lump_places[i];
		const uint8_t *old = map->file.data, *new = r->file.data;
		uint32_t offset = bspi_load_u32(old + a->at), size = bspi_load_u32(old + a->size_at);
		bool moves = offset >= move->tail && offset <= map->file.size;
		bool same = !strcmp(a->name, b->name) && b->at == bspi_moved_to(move, a->at) &&
		            b->size_at == bspi_moved_to(move, a->size_at);
		if (a->at != move->place->at) {
			same = same && bspi_load_u32(new + b->size_at) == size &&
			       bspi_load_u32(new + b->at) == (moves ? (uint32_t)bspi_moved_to(move, offset) : offset);
		}
		if (!same) return fail_check(r, a->name);
	}
	return true;
}

bool bspi_check_moved(bspi_rewrite *r, const bspi_move *move)
{
	bspi_ctx *ctx = r->ctx;
	bspi_map *again = bspi_push(ctx, &ctx->scratch, bspi_map, 1);
	BSPI_TRY(again && check_bytes(r, move));
	/* The map is read a second time, which may take as much memory as the first time. */
	bspi_budget_read(&ctx->budget, r->file.size);
	bool read = bspi_read_map(ctx, r->file, again) && bspi_add_bspx_places(ctx, again);
	if (!read) return bspi_fail_again(ctx, "nothing was written, because the new map could not be read again");
	bspi_arena_reset(&ctx->stage);
	if (strcmp(again->family, r->map.family)) return fail_check(r, "its format");
	bool whole = again->entities.size == r->text.size && !memcmp(again->entities.data, r->text.data, r->text.size);
	if (!whole) return fail_check(r, "entities");
	return check_places(r, move, again) && bspi_check_entity_bytes(r, again->entities);
}
