/* vbsp_game_lump.c - the directory of the game lump. Games define the lump's parts; each part has an id of four letters
 * (docs/formats/source.md, "Game lump"). */
#include "families/vbsp/vbsp_tables.h"

#include "io/lzma.h"

enum { ENTRY_SIZE = 16, WIDE_ENTRY_SIZE = 20, ID_SIZE = 4, MOST_ENTRIES = 64, COMPRESSED = 1 };

typedef struct game_entry {
	uint32_t id, flags, version;
	int32_t offset, size;
} game_entry;

/* The directory of a game lump. The file stores the count, then the entries. */
typedef struct game_directory {
	bspi_bytes entries;
	uint32_t count, entry_size;
} game_directory;

static game_entry read_entry(const game_directory *directory, uint32_t index)
{
	bspi_cursor cursor = bspi_cursor_at(directory->entries, directory->entry_size * (uint64_t)index);
	bool wide = directory->entry_size == WIDE_ENTRY_SIZE;
	game_entry at = { .id = bspi_take_u32(&cursor) };
	at.flags = wide ? bspi_take_u32(&cursor) : bspi_take_u16(&cursor);
	at.version = wide ? bspi_take_u32(&cursor) : bspi_take_u16(&cursor);
	at.offset = bspi_take_i32(&cursor);
	at.size = bspi_take_i32(&cursor);
	return at;
}

static bool leave_out(bspi_ctx *ctx, uint32_t id, const char *why)
{
	char name[5] = { (char)(id >> 24 & 0x7f), (char)(id >> 16 & 0x7f), (char)(id >> 8 & 0x7f), (char)(id & 0x7f), 0 };
	return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP("game lump"), "part %s: %s: left out", name, why);
}

/* Opens a part of the game lump. In most files its offset is relative to the file, in a few to the lump. A compressed
 * part states its uncompressed size, and ends where the next part begins. If parts are compressed, the last entry only
 * marks the end. */
static bool open_entry(bspi_ctx *ctx, const bspi_lump *lump, bspi_bytes file, const game_directory *directory,
                       uint32_t index, bspi_bytes *out)
{
	game_entry at = read_entry(directory, index);
	*out = BSPI_NO_BYTES;
	if (!at.size) return true;
	if (at.offset < 0 || at.size < 0) return leave_out(ctx, at.id, "its offset or size is negative");
	bool absolute = (uint64_t)at.offset >= lump->offset;
	uint64_t offset = absolute ? (uint64_t)at.offset : lump->offset + (uint64_t)at.offset, size = (uint64_t)at.size;
	uint64_t end = lump->offset + lump->bytes.size;
	if (at.flags & COMPRESSED) {
		uint64_t last = end;
		game_entry next = index + 1 < directory->count ? read_entry(directory, index + 1) : at;
		if (next.offset > at.offset) last = offset + (uint64_t)(next.offset - at.offset);
		size = last > offset ? last - offset : 0;
	}
	if (!bspi_slice(file, offset, size, out)) return leave_out(ctx, at.id, "it does not lie inside the file");
	if (offset > end || size > end - offset) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP("game lump"),
		                   "one of its parts begins or ends outside of the lump: it is read from there"));
	}
	if (!bspi_is_valve_lzma(*out)) return true;
	return bspi_read_valve_lzma(ctx, *out, BSPI_LUMP("game lump"), false, out);
}

static bool read_directory(bspi_bytes lump, bspi_game_form form, game_directory *out)
{
	bspi_cursor cursor = bspi_cursor_at(lump, form.moved);
	out->count = bspi_take_u32(&cursor);
	out->entry_size = form.wide_entries ? WIDE_ENTRY_SIZE : ENTRY_SIZE;
	return !cursor.failed && out->count <= MOST_ENTRIES &&
	       bspi_slice(lump, cursor.at, out->entry_size * (uint64_t)out->count, &out->entries);
}

static bool has_names(bspi_bytes lump, bspi_game_form form)
{
	game_directory directory;
	if (!read_directory(lump, form, &directory)) return false;
	for (uint32_t i = 0; i < ID_SIZE * directory.count; i++) {
		uint8_t c = directory.entries.data[(size_t)(i / ID_SIZE) * directory.entry_size + i % ID_SIZE];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
		if (!letter) return false;
	}
	return true;
}

bool bspi_has_wide_game_entries(bspi_bytes lump)
{
	return has_names(lump, (bspi_game_form){ .wide_entries = true }) && !has_names(lump, (bspi_game_form){ 0 });
}

bool bspi_add_game_places(bspi_ctx *ctx, const bspi_lump *lump, bspi_game_form form, bspi_map *map)
{
	bspi_lump_place places[MOST_ENTRIES];
	game_directory directory;
	uint32_t count = 0;
	if (!lump->bytes.size || lump->packed.size || !read_directory(lump->bytes, form, &directory)) return true;
	for (uint32_t i = 0; i < directory.count; i++) {
		game_entry entry = read_entry(&directory, i);
		bool absolute = entry.offset >= 0 && (uint64_t)entry.offset >= lump->offset;
		size_t end = (size_t)(directory.entries.data - map->file.data) + directory.entry_size * ((size_t)i + 1);
		size_t place = end - 8;
		if (absolute) places[count++] = (bspi_lump_place){ "game lump", place, place + 4, 0, true };
	}
	return bspi_add_lump_places(ctx, map, places, count);
}

bool bspi_open_game_part(bspi_ctx *ctx, const bspi_lump *lump, bspi_game_form form, bspi_bytes file, uint32_t id,
                         bspi_game_part *out)
{
	game_directory directory;
	*out = (bspi_game_part){ BSPI_NO_BYTES, 0 };
	if (!lump->bytes.size) return true;
	if (!read_directory(lump->bytes, form, &directory)) return leave_out(ctx, id, "its directory is damaged");
	for (uint32_t i = 0; i < directory.count; i++) {
		game_entry entry = read_entry(&directory, i);
		if (entry.id != id) continue;
		out->version = entry.version;
		return open_entry(ctx, lump, file, &directory, i, &out->bytes);
	}
	return true;
}
