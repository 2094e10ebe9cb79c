/* bspx_styles.c - reads light styles of faces from the BSPX lumps LMSTYLE and LMSTYLE16. The lump's size determines the
 * number of slots per face. ericw-tools (light.cc) stores a style in one byte, or in two bytes if the map has a style
 * above 254. The highest number marks an empty slot. */
#include "families/quake/bspx.h"

enum { STYLES = 256, NO_STYLE = 255, NO_WIDE_STYLE = 65535, FIRST_FREE = 32 };

/* Maps 16-bit style numbers to unused 8-bit ones. */
typedef struct renumbering {
	bool used[STYLES];
	uint16_t from[STYLES];
	uint8_t to[STYLES];
	uint32_t count;
	bool full;                         /* true: a number could not be mapped, because no 8-bit number was unused */
} renumbering;

typedef struct style_table {
	bspi_bytes bytes;
	uint32_t slots, size;              /* slots per face; bytes per style number */
} style_table;

static uint32_t number_at(const style_table *table, size_t index)
{
	const uint8_t *at = table->bytes.data + index * table->size;
	if (table->size == 1) return *at == NO_STYLE ? NO_WIDE_STYLE : *at;
	return bspi_load_u16(at);
}

static uint8_t renumber(renumbering *r, uint32_t number)
{
	uint32_t i = 0, free = NO_STYLE - 1;
	if (number < NO_STYLE) return (uint8_t)number;
	if (number == NO_WIDE_STYLE) return NO_STYLE;
	while (i < r->count && r->from[i] != number) i++;
	if (i < r->count) return r->to[i];
	while (free >= FIRST_FREE && r->used[free]) free--;
	r->full = r->full || free < FIRST_FREE;
	if (free < FIRST_FREE) return NO_STYLE - 1;
	r->used[free] = true;
	r->from[r->count] = (uint16_t)number;
	r->to[r->count++] = (uint8_t)free;
	return (uint8_t)free;
}

static void set_style(bspi_face *face, uint32_t slot, uint8_t style)
{
	if (slot < BSPI_MAX_STYLES) face->styles[slot] = style;
	else if (slot < 2 * BSPI_MAX_STYLES) face->more_styles[slot - BSPI_MAX_STYLES] = style;
	else face->far_styles[slot - 2 * BSPI_MAX_STYLES] = style;
}

/* Opens a table. It is empty if there is no such lump. If its size is wrong, it is empty and a warning is counted. */
static bool open_table(bspi_ctx *ctx, const bspi_lump *lumps, const bspi_map *map, const char *name, uint32_t size,
                       style_table *out)
{
	bspi_bytes bytes = bspi_bspx_find(map->file, lumps, name);
	*out = (style_table){ .bytes = BSPI_NO_BYTES };
	if (!bytes.size) return true;
	size_t row = (size_t)size * map->faces_count;
	if (!row || bytes.size % row) {
		return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP(name), "its size does not fit %u faces: left out",
		                 map->faces_count);
	}
	*out = (style_table){ bytes, (uint32_t)(bytes.size / row), size };
	if (out->slots <= BSPI_MAX_BLOCK_STYLES) return true;
	return bspi_warn(ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP(name),
	                 "each face has %u light styles: those after the first %u are left out", out->slots,
	                 BSPI_MAX_BLOCK_STYLES);
}

bool bspi_bspx_read_styles(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map)
{
	renumbering renumbered = { .count = 0 };
	style_table table;
	BSPI_TRY(open_table(ctx, lumps, map, "LMSTYLE16", 2, &table));
	if (!table.slots) BSPI_TRY(open_table(ctx, lumps, map, "LMSTYLE", 1, &table));
	if (!table.slots) return true;
	size_t count = (size_t)table.slots * map->faces_count;
	uint32_t kept = table.slots < BSPI_MAX_BLOCK_STYLES ? table.slots : BSPI_MAX_BLOCK_STYLES;
	for (size_t i = 0; i < count; i++) {
		uint32_t number = number_at(&table, i);
		if (number < NO_STYLE) renumbered.used[number] = true;
	}
	for (uint32_t i = 0; i < map->faces_count; i++) {
		bspi_face *face = &map->faces[i];
		face->style_slots = (uint8_t)(kept > BSPI_MAX_STYLES ? kept : BSPI_MAX_STYLES);
		for (uint32_t slot = 0; slot < face->style_slots; slot++) {
			uint32_t number = slot < kept ? number_at(&table, (size_t)i * table.slots + slot) : NO_WIDE_STYLE;
			set_style(face, slot, renumber(&renumbered, number));
		}
	}
	if (!renumbered.full) return true;
	return bspi_warn(ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("LMSTYLE16"),
	                 "the map has more than %u light styles: the others are taken as style %u", NO_STYLE - 1,
	                 NO_STYLE - 1);
}
