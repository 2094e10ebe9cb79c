/* vbsp_props.c - the game lump's static props: names, leafs, records. Fourteen layouts share eight version numbers, so the
 * size of a record, which the lump's own size tells, decides what is behind its common part (source.md 9). */
#include "families/vbsp_tables.h"

enum { NAME_SIZE = 128, SMALLEST_RECORD = 56, LARGEST_RECORD = 512 };

static bool leave_out(bspi_ctx *ctx, const char *why)
{
	return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP("static props"), "%s: left out", why);
}

/* What follows the common part. */
static void read_tail(const uint8_t *record, size_t size, int32_t bsp_version, bspi_static_prop *prop)
{
	enum { COLOR_AT = 64, SCALE_AT = 76, STRATA_13 = 88 };
	prop->scale = 1;
	memset(prop->color, 255, sizeof prop->color);
	/* 68: L4D and L4D2's 8; 76 and more: CS:GO, Strata. At 72, Left 4 Dead 2 has a color, others have flags. */
	bool colored = size == 68 || (size == 72 && bsp_version == 21) || (size >= 76 && size <= 88 && bsp_version >= 21);
	if (colored) memcpy(prop->color, record + COLOR_AT, sizeof prop->color);
	bool scaled = size >= 80 && size <= 88 && bsp_version >= 21;
	if (scaled && size == STRATA_13) {
		for (int k = 0; k < 3; k++) prop->stretch[k] = bspi_load_f32(record + SCALE_AT + 4 * k);
	} else if (scaled) {
		prop->scale = bspi_load_f32(record + SCALE_AT);
	}
}

typedef struct prop_lists {
	bspi_bytes names, leafs;
	uint32_t leaf_size;
} prop_lists;

/* The first of the prop's leafs. Ranges of real files may point past the list. */
static int32_t first_leaf(const uint8_t *record, const prop_lists *lists)
{
	uint32_t first = bspi_load_u16(record + 26), count = bspi_load_u16(record + 28);
	bspi_bytes leaf;
	if (!count || !bspi_slice(lists->leafs, (uint64_t)first * lists->leaf_size, lists->leaf_size, &leaf)) return -1;
	return lists->leaf_size == 4 ? bspi_load_i32(leaf.data) : bspi_load_u16(leaf.data);
}

static void read_record(const uint8_t *record, const prop_lists *lists, bspi_static_prop *prop)
{
	for (int k = 0; k < 3; k++) {
		prop->origin[k] = bspi_load_f32(record + 4 * k);
		prop->angles[k] = bspi_load_f32(record + 12 + 4 * k);
	}
	bspi_bytes name;
	uint32_t number = bspi_load_u16(record + 24);
	prop->skin = bspi_load_i32(record + 32);
	prop->leaf = first_leaf(record, lists);
	if (!bspi_slice(lists->names, (uint64_t)number * NAME_SIZE, NAME_SIZE, &name)) return; /* validate counts and drops it */
	memcpy(prop->model, name.data, NAME_SIZE);
	for (char *c = prop->model; *c; c++) *c = (char)(*c == '\\' ? '/' : *c);
}

static bool read_records(bspi_ctx *ctx, bspi_bytes records, uint32_t count, const prop_lists *lists, int32_t version,
                         bspi_map *map)
{
	size_t size = records.size / count;
	if (size < SMALLEST_RECORD || size > LARGEST_RECORD || records.size % count) {
		return leave_out(ctx, "its records have no size");
	}
	map->static_props = bspi_push(ctx, &ctx->scratch, bspi_static_prop, count);
	BSPI_TRY(map->static_props);
	map->static_props_count = count;
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *record = records.data + (size_t)i * size;
		read_record(record, lists, &map->static_props[i]);
		read_tail(record, size, version, &map->static_props[i]);
	}
	return true;
}

bool bspi_read_static_props(bspi_ctx *ctx, const bspi_game_part *part, int32_t version, bspi_map *map)
{
	if (!part->bytes.size) return true;
	bspi_bytes bytes = part->bytes;
	prop_lists lists = { .leaf_size = part->version >= 12 ? 4 : 2 };
	bspi_cursor cursor = bspi_cursor_at(bytes, 0);
	uint64_t names = (uint64_t)bspi_take_u32(&cursor) * NAME_SIZE;
	if (cursor.failed || !bspi_slice(bytes, 4, names, &lists.names)) return leave_out(ctx, "too many names");
	cursor = bspi_cursor_at(bytes, 4 + names);
	uint64_t leafs = (uint64_t)bspi_take_u32(&cursor) * lists.leaf_size;
	if (cursor.failed || !bspi_slice(bytes, 8 + names, leafs, &lists.leafs)) return leave_out(ctx, "too many leafs");
	cursor = bspi_cursor_at(bytes, 8 + names + leafs);
	uint32_t count = bspi_take_u32(&cursor);
	if (cursor.failed) return leave_out(ctx, "it ends before its records");
	if (!count) return true;
	return read_records(ctx, bspi_bytes_of(bytes.data + cursor.at, bytes.size - cursor.at), count, &lists, version, map);
}
