/* move_lumps.c - replaces a lump in the map's file by one of another size. The lump (entities or texture projections)
 * stays at its offset. Everything after it is moved as one block. All offsets are updated: in the lump directory, in
 * Source's game lump, and in the BSPX container after the lumps. */
#include "rewrite/rewrite_parts.h"

#include <inttypes.h>
#include <string.h>

/* The data after the replaced lump is moved by a multiple of this many bytes, so that all lumps stay aligned. */
enum { ALIGNMENT = 4 };

/* ---- Places of lumps -------------------------------------------------------------------------------------- */

static uint64_t number_at(bspi_bytes file, size_t at) { return bspi_load_u32(file.data + at); }

static bool is_inside(bspi_bytes file, uint64_t offset, uint64_t size)
{
	return offset <= file.size && size <= file.size - offset;
}

static const char bspx[] = "BSPX";

/* Returns the byte offset at which the map's own lumps end. The BSPX container begins there. */
static uint64_t lumps_end(const bspi_map *map)
{
	uint64_t end = 0;
	for (uint32_t i = 0; i < map->lump_place_count; i++) {
		const bspi_lump_place *place = &map->lump_places[i];
		uint64_t offset = number_at(map->file, place->at), size = number_at(map->file, place->size_at);
		if (place->inner || place->name == bspx || !size || !is_inside(map->file, offset, size)) continue;
		if (offset + size > end) end = offset + size;
	}
	return end;
}

/* Adds the lumps of the BSPX directory, which maps of any family may have. It has "BSPX", a count, and entries with a
 * name, an offset and a size. */
bool bspi_add_bspx_places(bspi_ctx *ctx, bspi_map *map)
{
	enum { ENTRY = 32, NAME = 24 };
	bspi_cursor cursor = bspi_cursor_at(map->file, (lumps_end(map) + 3) & ~(uint64_t)3);
	const uint8_t *tag = bspi_take(&cursor, 4);
	uint32_t count = bspi_take_u32(&cursor);
	if (!tag || cursor.failed || memcmp(tag, bspx, 4)) return true;
	size_t room = (map->file.size - cursor.at) / ENTRY;
	if (count > room) count = (uint32_t)room;
	bspi_lump_place *places = bspi_push(ctx, &ctx->scratch, bspi_lump_place, count);
	BSPI_TRY(places);
	for (uint32_t i = 0; i < count; i++) {
		size_t at = cursor.at + (size_t)i * ENTRY + NAME;
		places[i] = (bspi_lump_place){ bspx, at, at + 4, 0, false };
	}
	return bspi_add_lump_places(ctx, map, places, count);
}

const bspi_lump_place *bspi_find_place(const bspi_map *map, const char *name)
{
	for (uint32_t i = 0; i < map->lump_place_count; i++) {
		if (!strcmp(map->lump_places[i].name, name)) return &map->lump_places[i];
	}
	return NULL;
}

static bool share(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
	return a < b + b_size && b < a + a_size;
}

static bool check_overlap(bspi_ctx *ctx, const bspi_map *map, const bspi_move *move)
{
	enum { NUMBER = 4 };
	const char *name = move->place->name;
	uint64_t text = move->old_end - move->begin, room = move->tail - move->begin;
	for (uint32_t i = 0; i < map->lump_place_count; i++) {
		const bspi_lump_place *place = &map->lump_places[i];
		uint64_t offset = number_at(map->file, place->at), size = number_at(map->file, place->size_at);
		bool own = place->at == move->place->at;
		bool shared = !own && !place->inner && size && share(offset, size, move->begin, text);
		BSPI_CHECK(ctx, !shared, BSPSCENE_ERROR_BAD_LUMP, BSPI_LUMP_AT(name, move->begin),
		           "it shares bytes with \"%s\" at %" PRIu64 ", so the %s there cannot change alone", place->name,
		           offset, name);
		bool said = share(place->at, NUMBER, move->begin, room) || share(place->size_at, NUMBER, move->begin, room);
		BSPI_CHECK(ctx, !said, BSPSCENE_ERROR_BAD_LUMP,
		           BSPI_LUMP_AT(name, move->begin), "it shares bytes with the directory, so it cannot change alone");
	}
	return true;
}

/* ---- Moving ----------------------------------------------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Returns the byte offset of the first byte that moves. */
static uint64_t find_tail(const bspi_map *map, const bspi_move *move)
{
	uint64_t next = map->file.size, end = (lumps_end(map) + 3) & ~(uint64_t)3;
	if (end < map->file.size && end >= move->old_end) next = end;
	for (uint32_t i = 0; i < map->lump_place_count; i++) {
		uint64_t offset = number_at(map->file, map->lump_places[i].at);
		uint64_t size = number_at(map->file, map->lump_places[i].size_at);
		bool behind = offset >= move->old_end && offset < map->file.size;
		if (!map->lump_places[i].inner && size && behind) next = least(next, offset);
	}
	/* A gap that is smaller than the alignment is padding. A larger gap may have data that no lump names, so it is
	 * moved too. */
	return next - move->old_end < ALIGNMENT ? next : move->old_end;
}

static void measure(const bspi_map *map, bspi_move *move)
{
	uint64_t end = move->begin + move->bytes.size;
	move->tail = (size_t)find_tail(map, move);
	if (end >= move->tail) move->by = (int64_t)((end - move->tail + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
	else move->by = -(int64_t)((move->tail - end) / ALIGNMENT * ALIGNMENT);
}

/* ---- The file --------------------------------------------------------------------------------------------- */

static void store_u32(uint8_t *out, uint32_t value)
{
	for (int i = 0; i < 4; i++) out[i] = (uint8_t)(value >> 8 * i);
}

/* Updates the offsets of all moved lumps, and the offset and size of the replaced lump. If the replaced lump was
 * compressed, marks it as uncompressed. For that, Source uses an unpacked size of 0. */
static void follow(const bspi_map *map, const bspi_move *move, uint8_t *out)
{
	for (uint32_t i = 0; i < map->lump_place_count; i++) {
		size_t at = map->lump_places[i].at;
		uint64_t offset = number_at(map->file, at);
		if (offset < move->tail || offset > map->file.size) continue;
		store_u32(out + bspi_moved_to(move, at), (uint32_t)bspi_moved_to(move, (size_t)offset));
	}
	store_u32(out + bspi_moved_to(move, move->place->at), (uint32_t)move->begin);
	store_u32(out + bspi_moved_to(move, move->place->size_at), (uint32_t)move->bytes.size);
	if (move->unpacked) store_u32(out + bspi_moved_to(move, move->place->unpacked_at), 0);
}

bool bspi_replace_lump(bspi_ctx *ctx, const bspi_map *map, bspi_move *move, bspi_bytes *file)
{
	measure(map, move);
	BSPI_TRY(check_overlap(ctx, map, move));
	int64_t size = (int64_t)map->file.size + move->by;
	BSPI_CHECK(ctx, size <= INT32_MAX, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, BSPI_NOWHERE,
	           "the map would be larger than 2 GiB, the most that its directory allows");
	uint8_t *out = bspi_push(ctx, &ctx->scratch, uint8_t, (size_t)size);
	BSPI_TRY(out);
	memcpy(out, map->file.data, move->begin);
	memcpy(out + move->begin, move->bytes.data, move->bytes.size);
	memcpy(out + bspi_moved_to(move, move->tail), map->file.data + move->tail, map->file.size - move->tail);
	follow(map, move, out);
	*file = bspi_bytes_of(out, (size_t)size);
	return true;
}

bool bspi_move_lumps(bspi_rewrite *r, bspi_move *move)
{
	bspi_ctx *ctx = r->ctx;
	bspi_map *map = &r->map;
	BSPI_TRY(bspi_add_bspx_places(ctx, map));
	bspi_bytes old = map->packed_entities.size ? map->packed_entities : map->entities;
	*move = (bspi_move){
		.place = bspi_find_place(map, "entities"), .bytes = r->text, .unpacked = map->packed_entities.size != 0,
	};
	BSPI_CHECK(ctx, move->place, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, BSPI_NOWHERE,
	           "writing entities into maps of this format is not supported");
	uint64_t offset = (uint64_t)((uintptr_t)old.data - (uintptr_t)map->file.data);
	bool inside = !old.size || is_inside(map->file, offset, old.size);
	BSPI_CHECK(ctx, inside, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, BSPI_NOWHERE,
	           "the map's entities lie in files next to it, which cannot be written");
	/* A map without entities gets their text after all lumps. */
	uint64_t end = (lumps_end(map) + 3) & ~(uint64_t)3;
	move->begin = old.size ? (size_t)offset : (size_t)least(end, map->file.size);
	move->old_end = move->begin + old.size;
	return bspi_replace_lump(ctx, map, move, &r->file);
}
