/* respawn_props.c - reads static props: model names, leaves (only in Titanfall), and records. The names look like
 * Source's, but the model files have another format, which is not supported. */
#include "families/respawn/respawn.h"

#include <inttypes.h>

#include "families/vbsp/vbsp_tables.h"

enum { NAME_SIZE = 128, ENTRY_SIZE = 16, WITH_LEAFS = 12, WITHOUT_LEAFS = 13, COUNTS = 12 };
#define STATIC_PROPS 0x73707270u       /* 'sprp' */

static const bspi_field prop12_rows[] = {
	FIELD(bspi_static_prop, origin,          0, F32),
	FIELD(bspi_static_prop, angles,         12, F32),
	FIELD(bspi_static_prop, model_index,    24, U16),
	FIELD(bspi_static_prop, first_leaf,     26, U16),
	FIELD(bspi_static_prop, leaf_count,     28, U16),
	FIELD(bspi_static_prop, solid,          30, U8),
	FIELD(bspi_static_prop, flags,          31, U8),
	FIELD(bspi_static_prop, skin,           32, I16),
	SKIP("cubemap",                         34, 2),
	FIELD(bspi_static_prop, fade_near,      36, F32),
	FIELD(bspi_static_prop, fade_far,       40, F32),
	FIELD(bspi_static_prop, lighting_origin, 44, F32),
	FIELD(bspi_static_prop, fade_scale,     56, F32),
	FIELD(bspi_static_prop, cpu_levels,     60, I8),
	FIELD(bspi_static_prop, gpu_levels,     62, I8),
	FIELD(bspi_static_prop, color,          64, U8),
	SKIP("not on Xbox 360",                 68, 4),
	FIELD(bspi_static_prop, scale,          72, F32),
	SKIP("collision",                       76, 8),
};
static const bspi_layout prop12 = LAYOUT("static prop 12 (84)", bspi_static_prop, prop12_rows, 84);

static const bspi_field prop13_rows[] = {
	FIELD(bspi_static_prop, origin,          0, F32),
	FIELD(bspi_static_prop, angles,         12, F32),
	FIELD(bspi_static_prop, scale,          24, F32),
	FIELD(bspi_static_prop, model_index,    28, U16),
	FIELD(bspi_static_prop, solid,          30, U8),
	FIELD(bspi_static_prop, flags,          31, U8),
	FIELD(bspi_static_prop, skin,           32, U16),
	SKIP("cubemap",                         34, 2),
	FIELD(bspi_static_prop, fade_scale,     36, F32),
	FIELD(bspi_static_prop, lighting_origin, 40, F32),
	FIELD(bspi_static_prop, cpu_levels,     52, I8),
	FIELD(bspi_static_prop, gpu_levels,     54, I8),
	FIELD(bspi_static_prop, color,          56, U8),
	SKIP("collision",                       60, 4),
};
static const bspi_layout prop13 = LAYOUT("static prop 13 (64)", bspi_static_prop, prop13_rows, 64);

/* Finds the static props in the game lump. The stored offset is relative to the map file, even if the lump is a
 * separate file. */
static bool find_part(const bspi_lump *lump, bspi_bytes *part, uint32_t *version)
{
	bspi_cursor cursor = bspi_cursor_at(lump->bytes, 0);
	uint32_t count = bspi_take_u32(&cursor);
	for (uint32_t i = 0; i < count && !cursor.failed; i++) {
		uint32_t id = bspi_take_u32(&cursor), kind = bspi_take_u32(&cursor);
		uint64_t offset = bspi_take_u32(&cursor), size = bspi_take_u32(&cursor);
		if (cursor.failed || id != STATIC_PROPS) continue;
		*version = kind >> 16;
		if (offset >= lump->offset) offset -= lump->offset;
		*part = BSPI_NO_BYTES;
		return !size || bspi_slice(lump->bytes, offset, size, part);
	}
	*part = BSPI_NO_BYTES;
	return !cursor.failed;
}

/* Splits the part into lists: model names, leaves (version 12), a count and two unknown numbers, and records. */
static const char *open_lists(bspi_bytes part, uint32_t version, bspi_bytes *names, bspi_bytes *records)
{
	bspi_bytes leafs;
	uint64_t at = 0, size = version == WITH_LEAFS ? prop12.file_size : prop13.file_size;
	if (!bspi_take_prop_list(part, &at, NAME_SIZE, names)) return "too many names";
	if (version == WITH_LEAFS && !bspi_take_prop_list(part, &at, 2, &leafs)) return "too many leafs";
	bspi_cursor cursor = bspi_cursor_at(part, at);
	size *= bspi_take_u32(&cursor);
	if (!bspi_take(&cursor, COUNTS - 4)) return "the lump ends before its records";
	return bspi_slice(part, cursor.at, size, records) ? NULL : "too many records";
}

bool bspi_respawn_props(bspi_ctx *ctx, const bspi_lump *lump, bspi_map *map)
{
	bspi_bytes part, names, records;
	uint32_t version = 0;
	if (!lump->bytes.size) return true;
	if (!find_part(lump, &part, &version)) return bspi_leave_out_props(ctx, "they do not lie inside of the game lump");
	if (!part.size) return true;
	if (version != WITH_LEAFS && version != WITHOUT_LEAFS) {
		return bspi_warn(ctx, BSPSCENE_WARNING_UNSUPPORTED, BSPI_LUMP("static props"),
		                 "static props left out: their version %" PRIu32 " is not supported", version);
	}
	const char *trouble = open_lists(part, version, &names, &records);
	if (trouble) return bspi_leave_out_props(ctx, trouble);
	const bspi_layout *layout = version == WITH_LEAFS ? &prop12 : &prop13;
	uint32_t count = (uint32_t)(records.size / layout->file_size);
	map->static_props = bspi_push(ctx, &ctx->scratch, bspi_static_prop, count);
	BSPI_TRY(map->static_props);
	map->static_props_count = count;
	bspi_layout_decode(layout, records.data, count, map->static_props);
	for (uint32_t i = 0; i < count; i++) {
		bspi_static_prop *prop = &map->static_props[i];
		prop->flags &= ~(uint32_t)BSPSCENE_PROP_LIGHTING_ORIGIN;
		prop->first_leaf = prop->leaf_count = 0;
		prop->flags_ex = 0;
		bspi_settle_prop(names, prop);
	}
	return true;
}
