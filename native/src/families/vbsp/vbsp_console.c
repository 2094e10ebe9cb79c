/* vbsp_console.c - converts big-endian maps of Xbox 360 and PS3 (PSBV) to lumps as on a PC. The layout tables of
 * vbsp_tables.c tell which bytes form a number. Lumps that other files read without a table have tables here. No other
 * file depends on the byte order (docs/formats/source.md, "Consoles"). */
#include "families/vbsp/vbsp_tables.h"

/* A layout that is only used for swapping: of its fields, only offset, count and size matter. */
#define NUMBER_LAYOUT(title, rows, stride) { (title), (rows), (uint16_t)(sizeof (rows) / sizeof *(rows)), (stride), 0 }

static const bspi_field word_rows[] = { { "word", 0, 0, 1, BSPI_U32, BSPI_MEMORY_NONE } };
static const bspi_layout words = NUMBER_LAYOUT("word", word_rows, 4);
static const bspi_field half_rows[] = { { "half word", 0, 0, 1, BSPI_U16, BSPI_MEMORY_NONE } };
static const bspi_layout halves = NUMBER_LAYOUT("half word", half_rows, 2);

/* The index of a texdata's name, for which bspi_texture has no member. */
static const bspi_field name_rows[] = { { "name", 12, 0, 1, BSPI_I32, BSPI_MEMORY_NONE } };
static const bspi_layout texdata_name = NUMBER_LAYOUT("texdata", name_rows, 32);

static const bspi_field game_entry_rows[] = {
	{ "id", 0, 0, 1, BSPI_U32, BSPI_MEMORY_NONE },
	{ "flags and version", 4, 0, 2, BSPI_U16, BSPI_MEMORY_NONE },
	{ "place", 8, 0, 2, BSPI_I32, BSPI_MEMORY_NONE },
};
static const bspi_layout game_entry = NUMBER_LAYOUT("part of the game lump", game_entry_rows, 16);

static const bspi_field detail_rows[] = {
	{ "origin and angles", 0, 0, 6, BSPI_F32, BSPI_MEMORY_NONE },
	{ "model and leaf", 24, 0, 2, BSPI_U16, BSPI_MEMORY_NONE },
	{ "styles", 32, 0, 1, BSPI_U32, BSPI_MEMORY_NONE },
	{ "scale", 48, 0, 1, BSPI_F32, BSPI_MEMORY_NONE },
};
static const bspi_layout detail = NUMBER_LAYOUT("detail prop", detail_rows, 52);

/* Lumps that are read without a table, or whose table does not cover all numbers. */
static const struct {
	uint32_t slot;
	const bspi_layout *layout;
} more_rows[] = {
	{ VBSP_TEXDATA, &texdata_name }, { VBSP_NAME_OFFSETS, &words }, { VBSP_AMBIENT_INDEX, &halves },
	{ VBSP_AMBIENT_INDEX_HDR, &halves },
};

/* ---- Numbers ----------------------------------------------------------------------------------------------- */

static uint32_t number_size(uint8_t file_type)
{
	switch (file_type) {
	case BSPI_U16: case BSPI_I16: return 2;
	case BSPI_U32: case BSPI_I32: case BSPI_F32: return 4;
	default: return 0;
	}
}

static void swap_field(const bspi_field *field, const uint8_t *from, uint8_t *to)
{
	uint32_t size = number_size(field->file_type);
	for (uint32_t i = 0; i < field->count * size; i++) {
		uint32_t first = i / size * size;
		to[field->file_offset + i] = from[field->file_offset + first + size - 1 - (i - first)];
	}
}

/* Copies records and swaps their numbers. If this is called again with another layout for the same records, it swaps
 * the fields of that layout too. */
static void swap_records(const bspi_layout *layout, bspi_bytes from, uint8_t *to)
{
	for (size_t at = 0; from.size - at >= layout->file_size; at += layout->file_size) {
		for (uint16_t i = 0; i < layout->field_count; i++) {
			swap_field(&layout->fields[i], from.data + at, to + at);
		}
	}
}

static uint8_t *copy_of(bspi_ctx *ctx, bspi_bytes bytes)
{
	uint8_t *copy = bspi_push_unset(ctx, &ctx->scratch, bytes.size, 1);
	if (copy) memcpy(copy, bytes.data, bytes.size);
	return copy;
}

/* Copies a list at *at, and swaps its count and the numbers in its elements. Moves *at to the end of the list. Returns
 * false if the list reaches past the end of `from`. */
static bool swap_list(const bspi_layout *layout, uint32_t size, bspi_bytes from, uint64_t *at, uint8_t *to)
{
	bspi_bytes number, records;
	if (!bspi_slice(from, *at, 4, &number)) return false;
	swap_records(&words, number, to + *at);
	uint64_t total = (uint64_t)bspi_swap_u32(bspi_load_u32(number.data)) * size;
	if (!bspi_slice(from, *at + 4, total, &records)) return false;
	if (layout) swap_records(layout, records, to + *at + 4);
	*at += 4 + total;
	return true;
}

/* ---- Lumps ------------------------------------------------------------------------------------------------- */

/* Swaps the number of clusters, and the two offsets of each cluster. The rows that follow are single bytes. */
static void swap_visibility(bspi_bytes from, uint8_t *to)
{
	if (from.size < 4) return;
	uint64_t numbers = 1 + 2 * (uint64_t)bspi_swap_u32(bspi_load_u32(from.data));
	uint64_t size = numbers * 4 < from.size ? numbers * 4 : from.size;
	swap_records(&words, bspi_bytes_of(from.data, (size_t)size), to);
}

static void swap_tables(const bspi_variant *variant, uint32_t slot, bspi_bytes from, uint8_t *to)
{
	uint32_t table = slot == VBSP_FACES_HDR ? VBSP_FACES : slot;
	for (uint32_t i = 0; i < variant->lump_row_count; i++) {
		if (variant->lumps[i].slot == table) swap_records(variant->lumps[i].layout, from, to);
	}
	for (size_t i = 0; i < sizeof more_rows / sizeof *more_rows; i++) {
		if (more_rows[i].slot == slot) swap_records(more_rows[i].layout, from, to);
	}
}

/* True if the lump in this slot contains numbers that must be swapped. */
static bool has_numbers(uint32_t slot)
{
	switch (slot) {
	case VBSP_ENTITIES: case VBSP_LIGHTING: case VBSP_LIGHTING_HDR: case VBSP_AMBIENT: case VBSP_AMBIENT_HDR:
	case VBSP_NAMES: case VBSP_PAKFILE:
		return false;
	default:
		return true;
	}
}

static bool swap_lump(bspi_ctx *ctx, const bspi_variant *variant, uint32_t slot, bspi_lump *lump)
{
	const bspi_bytes from = lump->bytes;
	uint64_t at = 0;
	uint8_t *to = copy_of(ctx, from);
	BSPI_TRY(to);
	switch (slot) {
	case VBSP_VISIBILITY: swap_visibility(from, to); break;
	case VBSP_GAME_LUMP: swap_list(&game_entry, game_entry.file_size, from, &at, to); break;
	case VBSP_WORLD_LIGHTS: case VBSP_WORLD_LIGHTS_HDR:
		swap_records(bspi_vbsp_world_light_layout(lump), from, to);
		break;
	default: swap_tables(variant, slot, from, to); break;
	}
	if (!lump->packed.size) lump->packed = from;
	lump->bytes = bspi_bytes_of(to, from.size);
	return true;
}

bool bspi_vbsp_swap_lumps(bspi_ctx *ctx, const bspi_variant *variant, bspi_lump *lumps)
{
	for (uint32_t slot = 0; slot < VBSP_LUMPS; slot++) {
		if (!lumps[slot].bytes.size || !has_numbers(slot)) continue;
		BSPI_TRY(swap_lump(ctx, variant, slot, &lumps[slot]));
	}
	return true;
}

/* ---- Parts of the game lump -------------------------------------------------------------------------------- */

/* See vbsp_tables.h. Data that does not fit is not changed. The function that reads it then reports the damage. */
bool bspi_vbsp_swap_static_props(bspi_ctx *ctx, int32_t bsp_version, bspi_game_part *part)
{
	enum { NAME_SIZE = 128, LONG_LEAFS = 12 };
	const bspi_layout *leafs = part->version >= LONG_LEAFS ? &words : &halves;
	const bspi_bytes from = part->bytes;
	uint64_t at = 0;
	bspi_bytes count;
	if (!from.size) return true;
	uint8_t *to = copy_of(ctx, from);
	BSPI_TRY(to);
	part->bytes = bspi_bytes_of(to, from.size);
	if (!swap_list(NULL, NAME_SIZE, from, &at, to) || !swap_list(leafs, leafs->file_size, from, &at, to) ||
	    !bspi_slice(from, at, 4, &count)) {
		return true;
	}
	swap_records(&words, count, to + at);
	bspi_bytes records = bspi_bytes_of(from.data + at + 4, from.size - (size_t)at - 4);
	uint32_t props = bspi_swap_u32(bspi_load_u32(count.data));
	if (!props || records.size / props < bspi_vbsp_prop_4.file_size || records.size / props > UINT16_MAX) return true;
	bspi_layout layout = bspi_vbsp_prop_layout(part->version, bsp_version, records.size, props);
	swap_records(&layout, records, to + at + 4);
	return true;
}

bool bspi_vbsp_swap_detail_props(bspi_ctx *ctx, bspi_game_part *part)
{
	enum { NAME_SIZE = 128, RECT_SIZE = 32 };
	const bspi_bytes from = part->bytes;
	uint64_t at = 0;
	if (!from.size) return true;
	uint8_t *to = copy_of(ctx, from);
	BSPI_TRY(to);
	part->bytes = bspi_bytes_of(to, from.size);
	if (!swap_list(NULL, NAME_SIZE, from, &at, to) || !swap_list(&words, RECT_SIZE, from, &at, to)) return true;
	swap_list(&detail, detail.file_size, from, &at, to);
	return true;
}
