/* vbsp_details.c - reads detail props of the game lump: model names, rectangles on the sprite sheet, records
 * (docs/formats/source.md, "Detail props"). Vampire's version 2 has no sprites and shorter records. */
#include "families/vbsp/vbsp_tables.h"

enum { NAME_SIZE = 128, RECT_SIZE = 32, RECORD_SIZE = 52, SHORT_RECORD_SIZE = 40, VAMPIRE = 2 };

/* Reads a list: a count, then as many elements of `size` bytes. */
static bool take_list(bspi_bytes bytes, uint64_t *at, uint32_t size, uint32_t *count, bspi_bytes *out)
{
	bspi_cursor cursor = bspi_cursor_at(bytes, *at);
	*count = bspi_take_u32(&cursor);
	uint64_t total = (uint64_t)*count * size;
	if (cursor.failed || !bspi_slice(bytes, *at + 4, total, out)) return false;
	*at += 4 + total;
	return true;
}

typedef struct detail_lists {
	bspi_bytes names, rects;
} detail_lists;

static void read_name(bspi_bytes names, uint32_t number, bspi_detail_prop *prop)
{
	bspi_bytes name;
	/* the prop then has no model, and validation counts and drops it */
	if (!bspi_slice(names, (uint64_t)number * NAME_SIZE, NAME_SIZE, &name)) return;
	memcpy(prop->model, name.data, NAME_SIZE);
	for (char *c = prop->model; *c; c++) *c = (char)(*c == '\\' ? '/' : *c);
}

static void read_rect(bspi_bytes rects, uint32_t number, bspi_detail_prop *prop)
{
	bspi_bytes rect;
	if (!bspi_slice(rects, (uint64_t)number * RECT_SIZE, RECT_SIZE, &rect)) {
		prop->scale = 0;           /* validation counts and drops a prop with this scale */
		return;
	}
	for (int k = 0; k < 4; k++) {
		prop->size[k] = bspi_load_f32(rect.data + 4 * k);
		prop->uv[k] = bspi_load_f32(rect.data + 16 + 4 * k);
	}
}

static void read_record(const uint8_t *record, bool is_short, const detail_lists *lists, bspi_detail_prop *prop)
{
	enum { KIND_AT = 44, SCALE_AT = 48, ORIENTATION_AT = 40, LIGHT_AT = 28 };
	for (int k = 0; k < 3; k++) {
		prop->origin[k] = bspi_load_f32(record + 4 * k);
		prop->angles[k] = bspi_load_f32(record + 12 + 4 * k);
	}
	uint32_t number = bspi_load_u16(record + 24);
	prop->leaf = bspi_load_u16(record + 26);
	bspi_rgbexp32(record + LIGHT_AT, prop->light);
	prop->kind = is_short ? BSPSCENE_DETAIL_PROP_MODEL : (bspscene_detail_prop_kind)record[KIND_AT];
	prop->orientation = is_short ? 0 : record[ORIENTATION_AT];
	prop->scale = is_short || prop->kind == BSPSCENE_DETAIL_PROP_MODEL ? 1 : bspi_load_f32(record + SCALE_AT);
	if (prop->kind == BSPSCENE_DETAIL_PROP_MODEL) read_name(lists->names, number, prop);
	else read_rect(lists->rects, number, prop);
}

bool bspi_read_detail_props(bspi_ctx *ctx, const bspi_game_part *part, bspi_map *map)
{
	bspi_location location = BSPI_LUMP("detail props");
	if (!part->bytes.size) return true;
	bool is_short = part->version == VAMPIRE;
	detail_lists lists = { BSPI_NO_BYTES, BSPI_NO_BYTES };
	bspi_bytes records;
	uint64_t at = 0;
	uint32_t count, ignored, size = is_short ? SHORT_RECORD_SIZE : RECORD_SIZE;
	bool fits = take_list(part->bytes, &at, NAME_SIZE, &ignored, &lists.names) &&
	            (is_short || take_list(part->bytes, &at, RECT_SIZE, &ignored, &lists.rects)) &&
	            take_list(part->bytes, &at, size, &count, &records);
	if (!fits) {
		return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, location,
		                 "one of its lists is longer than the part: left out");
	}
	map->detail_props = bspi_push(ctx, &ctx->scratch, bspi_detail_prop, count);
	BSPI_TRY(map->detail_props);
	map->detail_props_count = count;
	for (uint32_t i = 0; i < count; i++) {
		read_record(records.data + (size_t)i * size, is_short, &lists, &map->detail_props[i]);
	}
	return true;
}
