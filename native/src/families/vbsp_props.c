/* vbsp_props.c - the game lump's static props: names, leafs, records. Fourteen layouts share eight version numbers, so the
 * size of a record, which the lump's own size tells, decides what is behind its common part (source.md 9). */
#include "families/vbsp_tables.h"

#include "io/lzma.h"

enum { ENTRY_SIZE = 16, NAME_SIZE = 128, SMALLEST_RECORD = 56, LARGEST_RECORD = 512, MOST_ENTRIES = 64, COMPRESSED = 1 };
#define STATIC_PROPS 0x73707270u       /* 'sprp' */

typedef struct game_entry {
	uint32_t id;
	uint16_t flags, version;
	int32_t offset, size;
} game_entry;

static game_entry read_entry(bspi_bytes lump, uint32_t index)
{
	bspi_cursor cursor = bspi_cursor_at(lump, 4 + ENTRY_SIZE * (uint64_t)index);
	game_entry at = { .id = bspi_take_u32(&cursor) };
	at.flags = bspi_take_u16(&cursor);
	at.version = bspi_take_u16(&cursor);
	at.offset = bspi_take_i32(&cursor);
	at.size = bspi_take_i32(&cursor);
	return at;
}

static bool leave_out(bspi_ctx *ctx, const char *why)
{
	return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP("static props"), "%s: left out", why);
}

/* Bytes of a part; places count from the file's start, rarely from the lump's. A compressed part states its unpacked size
 * and ends where the next begins. False: there is none, which was counted, or an error. */
static bool open_part(bspi_ctx *ctx, const bspi_lump *lump, bspi_bytes file, uint32_t index, uint32_t count, bspi_bytes *out)
{
	game_entry at = read_entry(lump->bytes, index);
	*out = BSPI_NO_BYTES;
	if (at.offset < 0 || at.size < 0) return leave_out(ctx, "its place is negative");
	bool absolute = (uint64_t)at.offset >= lump->offset;
	uint64_t offset = absolute ? (uint64_t)at.offset : lump->offset + (uint64_t)at.offset, size = (uint64_t)at.size;
	if (at.flags & COMPRESSED) {
		uint64_t end = lump->offset + lump->bytes.size;
		game_entry next = index + 1 < count ? read_entry(lump->bytes, index + 1) : at;
		if (next.offset > at.offset) end = offset + (uint64_t)(next.offset - at.offset);
		size = end > offset ? end - offset : 0;
	}
	if (!bspi_slice(file, offset, size, out)) return leave_out(ctx, "it does not lie inside the file");
	if (!bspi_is_valve_lzma(*out)) return true;
	return bspi_read_valve_lzma(ctx, *out, BSPI_LUMP("static props"), out);
}

/* What follows the common part. */
static void read_tail(const uint8_t *record, size_t size, int32_t bsp_version, bspi_static_prop *prop)
{
	enum { COLOR_AT = 64, SCALE_AT = 76 };
	prop->scale = 1;
	memset(prop->color, 255, sizeof prop->color);
	/* 68: L4D and L4D2's 8; 76 and more: CS:GO, Strata. At 72, Left 4 Dead 2 has a color, others have flags. */
	bool colored = size == 68 || (size == 72 && bsp_version == 21) || (size >= 76 && size <= 88 && bsp_version >= 21);
	if (colored) memcpy(prop->color, record + COLOR_AT, sizeof prop->color);
	bool scaled = size >= 80 && size <= 88 && bsp_version >= 21;
	if (scaled) prop->scale = bspi_load_f32(record + SCALE_AT);
}

static void read_record(const uint8_t *record, bspi_bytes names, bspi_static_prop *prop)
{
	for (int k = 0; k < 3; k++) {
		prop->origin[k] = bspi_load_f32(record + 4 * k);
		prop->angles[k] = bspi_load_f32(record + 12 + 4 * k);
	}
	bspi_bytes name;
	uint32_t number = bspi_load_u16(record + 24);
	prop->skin = bspi_load_i32(record + 32);
	if (!bspi_slice(names, (uint64_t)number * NAME_SIZE, NAME_SIZE, &name)) return; /* validate counts and drops it */
	memcpy(prop->model, name.data, NAME_SIZE);
	for (char *c = prop->model; *c; c++) *c = (char)(*c == '\\' ? '/' : *c);
}

static bool read_part(bspi_ctx *ctx, bspi_bytes part, uint32_t version, int32_t bsp_version, bspi_map *map)
{
	bspi_cursor cursor = bspi_cursor_at(part, 0);
	uint32_t name_count = bspi_take_u32(&cursor);
	bspi_bytes names;
	if (cursor.failed || !bspi_slice(part, 4, (uint64_t)name_count * NAME_SIZE, &names)) {
		return leave_out(ctx, "too many names");
	}
	cursor = bspi_cursor_at(part, 4 + (uint64_t)names.size);
	uint64_t leafs = bspi_take_u32(&cursor), leaf_size = version >= 12 ? 4 : 2;
	cursor = bspi_cursor_at(part, 8 + (uint64_t)names.size + leafs * leaf_size);
	uint32_t count = bspi_take_u32(&cursor);
	if (cursor.failed) return leave_out(ctx, "it ends before its records");
	bspi_bytes rest = bspi_bytes_of(part.data + cursor.at, part.size - cursor.at);
	if (!count) return true;
	size_t size = rest.size / count;
	if (size < SMALLEST_RECORD || size > LARGEST_RECORD || rest.size % count) {
		return leave_out(ctx, "its records have no size");
	}
	map->static_props = bspi_push(ctx, &ctx->scratch, bspi_static_prop, count);
	BSPI_TRY(map->static_props);
	map->static_props_count = count;
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *record = rest.data + (size_t)i * size;
		read_record(record, names, &map->static_props[i]);
		read_tail(record, size, bsp_version, &map->static_props[i]);
	}
	return true;
}

bool bspi_read_static_props(bspi_ctx *ctx, const bspi_lump *lump, bspi_bytes file, int32_t version, bspi_map *map)
{
	if (!lump->bytes.size) return true;
	bspi_cursor cursor = bspi_cursor_at(lump->bytes, 0);
	uint32_t count = bspi_take_u32(&cursor);
	if (cursor.failed || count > MOST_ENTRIES || count > (lump->bytes.size - 4) / ENTRY_SIZE) {
		return leave_out(ctx, "a bad directory");
	}
	for (uint32_t i = 0; i < count; i++) {
		game_entry at = read_entry(lump->bytes, i);
		bspi_bytes part;
		if (at.id != STATIC_PROPS) continue;
		BSPI_TRY(open_part(ctx, lump, file, i, count, &part));
		return !part.size || read_part(ctx, part, at.version, version, map);
	}
	return true;
}
