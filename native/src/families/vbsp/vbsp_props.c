/* vbsp_props.c - reads static props from the game lump: model names, leaves, and records in one of many layouts
 * (docs/formats/source.md, "Static props"). */
#include "families/vbsp/vbsp_tables.h"

#include <inttypes.h>

enum { NAME_SIZE = 128, LARGEST_RECORD = 512, SCALE_SIZE = 16, FIRST_SCALED = 6 };

bool bspi_leave_out_props(bspi_ctx *ctx, const char *why)
{
	return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP("static props"), "%s: left out", why);
}

/* ---- Lists ------------------------------------------------------------------------------------------------- */

typedef struct prop_lists {
	bspi_bytes models, leafs, scales, records;
	uint32_t leaf_size, count;
} prop_lists;

bool bspi_take_prop_list(bspi_bytes bytes, uint64_t *at, uint32_t size, bspi_bytes *list)
{
	bspi_cursor cursor = bspi_cursor_at(bytes, *at);
	uint64_t total = (uint64_t)bspi_take_u32(&cursor) * size;
	if (cursor.failed || !bspi_slice(bytes, *at + 4, total, list)) return false;
	*at += 4 + total;
	return true;
}

/* Splits the part into its lists. Returns NULL, or the reason for a failure. `two_lists`: there is a second list of
 * names, which is unused (Zeno Clash). `scaled`: there are scales before the records (Vindictus). */
static const char *open_lists(const bspi_game_part *part, bool two_lists, bool scaled, prop_lists *lists)
{
	uint64_t at = 0;
	bspi_bytes unused;
	*lists = (prop_lists){ .scales = BSPI_NO_BYTES, .leaf_size = part->version >= 12 ? 4 : 2 };
	if (!bspi_take_prop_list(part->bytes, &at, NAME_SIZE, &lists->models)) return "too many names";
	if (two_lists && !bspi_take_prop_list(part->bytes, &at, NAME_SIZE, &unused)) return "too many names";
	if (!bspi_take_prop_list(part->bytes, &at, lists->leaf_size, &lists->leafs)) return "too many leafs";
	bool has_scales = scaled && part->version >= FIRST_SCALED;
	if (has_scales && !bspi_take_prop_list(part->bytes, &at, SCALE_SIZE, &lists->scales)) return "too many scales";
	bspi_cursor cursor = bspi_cursor_at(part->bytes, at);
	lists->count = bspi_take_u32(&cursor);
	if (cursor.failed) return "the lump ends before its records";
	lists->records = bspi_bytes_of(part->bytes.data + cursor.at, part->bytes.size - cursor.at);
	return NULL;
}

static bool read_leafs(bspi_ctx *ctx, const prop_lists *lists, bspi_map *map)
{
	uint32_t count = (uint32_t)(lists->leafs.size / lists->leaf_size);
	map->prop_leafs = bspi_push(ctx, &ctx->scratch, bspi_index, count);
	BSPI_TRY(map->prop_leafs);
	map->prop_leafs_count = count;
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *leaf = lists->leafs.data + (size_t)i * lists->leaf_size;
		map->prop_leafs[i].value = lists->leaf_size == 4 ? bspi_load_u32(leaf) : bspi_load_u16(leaf);
	}
	return true;
}

/* ---- Layouts ----------------------------------------------------------------------------------------------- */

/* Among the layouts of this version that are not larger than `size`, returns the largest one; NULL if there is none. */
static const bspi_layout *find_layout(uint32_t version, int32_t bsp_version, bool two_lists, size_t size)
{
	const bspi_layout *best = NULL;
	for (uint32_t i = 0; i < BSPI_VBSP_PROP_FORMATS; i++) {
		const bspi_vbsp_prop_format *format = &bspi_vbsp_prop_formats[i];
		bool mine = format->version == version && format->two_lists == two_lists &&
		            (!format->bsp_version || format->bsp_version == bsp_version);
		if (!mine || format->layout->file_size > size) continue;
		if (!best || format->layout->file_size > best->file_size) best = format->layout;
	}
	return best;
}

static bool is_exact(const prop_lists *lists, const bspi_layout *layout)
{
	return layout && lists->records.size == (uint64_t)lists->count * layout->file_size;
}

/* Records of an unknown size are read with the fields that all layouts share. If `size` is not a multiple of `count`,
 * the version's own layout is used and the remaining bytes are ignored. */
bspi_layout bspi_vbsp_prop_layout(uint32_t version, int32_t bsp_version, size_t size, uint32_t count)
{
	const bspi_layout *known = find_layout(version, bsp_version, false, size / count);
	bspi_layout layout = known ? *known : bspi_vbsp_prop_4;
	if (size % count == 0 && layout.file_size != size / count) {
		layout = bspi_vbsp_prop_4;
		layout.file_size = (uint16_t)(size / count);
	}
	return layout;
}

static bool check_layout(bspi_ctx *ctx, uint32_t version, const bspi_layout *known, const prop_lists *lists,
                         const bspi_layout *layout)
{
	bspi_location location = BSPI_LUMP("static props");
	if (is_exact(lists, known)) return true;
	if (lists->records.size % lists->count) {
		return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, location, "%zu bytes cannot be divided among %" PRIu32
		                 " props: %" PRIu16 " bytes are read for each, and the last bytes are left out",
		                 lists->records.size, lists->count, layout->file_size);
	}
	size_t size = lists->records.size / lists->count;
	return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, location,
	                 "props of version %" PRIu32
	                 " with %zu bytes each are not known: only what all versions have is read", version, size);
}

/* ---- Props ------------------------------------------------------------------------------------------------- */

/* True if the layout has a lighting origin. Dear Esther's layout has none, even for props whose flags say that they
 * have one. */
static bool has_lighting_origin(const bspi_layout *layout)
{
	for (uint16_t i = 0; i < layout->field_count; i++) {
		const bspi_field *field = &layout->fields[i];
		bool is_origin = field->memory_offset == offsetof(bspi_static_prop, lighting_origin);
		if (field->file_type == BSPI_F32 && is_origin) return true;
	}
	return false;
}

void bspi_settle_prop(bspi_bytes models, bspi_static_prop *prop)
{
	bspi_bytes model;
	if (prop->fade_near < 0 || prop->fade_far <= 0) prop->fade_near = prop->fade_far = 0;
	if (prop->fade_near > prop->fade_far) prop->fade_near = prop->fade_far;
	/* If the name does not exist, it stays empty, and validation counts and drops the prop. */
	if (!bspi_slice(models, (uint64_t)prop->model_index * NAME_SIZE, NAME_SIZE, &model)) return;
	memcpy(prop->model, model.data, NAME_SIZE);
	for (char *c = prop->model; *c; c++) *c = (char)(*c == '\\' ? '/' : *c);
}

static void finish_prop(const prop_lists *lists, bool lit_elsewhere, bspi_static_prop *prop)
{
	if (!lit_elsewhere) prop->flags &= ~(uint32_t)BSPSCENE_PROP_LIGHTING_ORIGIN;
	bspi_settle_prop(lists->models, prop);
}

static bool read_props(bspi_ctx *ctx, const prop_lists *lists, const bspi_layout *layout, bspi_map *map)
{
	map->static_props = bspi_push(ctx, &ctx->scratch, bspi_static_prop, lists->count);
	BSPI_TRY(map->static_props);
	map->static_props_count = lists->count;
	for (uint32_t i = 0; i < lists->count; i++) {
		map->static_props[i].scale = map->static_props[i].fade_scale = 1;
		memset(map->static_props[i].color, 255, sizeof map->static_props[i].color);
	}
	bspi_layout_decode(layout, lists->records.data, lists->count, map->static_props);
	bool lit_elsewhere = has_lighting_origin(layout);
	for (uint32_t i = 0; i < lists->count; i++) finish_prop(lists, lit_elsewhere, &map->static_props[i]);
	return true;
}

/* Applies a list of scales. Each element has the index of a prop and three numbers. */
static bool scale_props(bspi_ctx *ctx, bspi_bytes scales, bspi_map *map)
{
	uint32_t unknown = 0;
	bspi_cursor cursor = bspi_cursor_at(scales, 0);
	while (cursor.at < scales.size) {
		uint32_t index = bspi_take_u32(&cursor);
		float scale[3];
		for (int axis = 0; axis < 3; axis++) scale[axis] = bspi_take_f32(&cursor);
		bool known = index < map->static_props_count;
		unknown += !known;
		if (known) memcpy(map->static_props[index].stretch, scale, sizeof scale);
	}
	if (!unknown) return true;
	return bspi_warn(ctx, BSPSCENE_WARNING_REFERENCE, BSPI_LUMP("static props"),
	                 "%" PRIu32 " scales left out: their props do not exist", unknown);
}

bool bspi_read_static_props(bspi_ctx *ctx, const bspi_game_part *part, bool scaled, int32_t bsp_version, bspi_map *map)
{
	if (!part->bytes.size) return true;
	prop_lists lists, others;
	const char *trouble = open_lists(part, false, scaled, &lists);
	size_t size = trouble || !lists.count ? 0 : lists.records.size / lists.count;
	const bspi_layout *known = find_layout(part->version, bsp_version, false, size);
	const bspi_layout *zeno_clash = find_layout(part->version, bsp_version, true, SIZE_MAX);
	if (zeno_clash && (trouble || (lists.count && !is_exact(&lists, known)))) {
		bool fits = !open_lists(part, true, scaled, &others) && is_exact(&others, zeno_clash);
		if (fits) return read_leafs(ctx, &others, map) && read_props(ctx, &others, zeno_clash, map);
	}
	if (trouble) return bspi_leave_out_props(ctx, trouble);
	bool sized = size >= bspi_vbsp_prop_4.file_size && size <= LARGEST_RECORD;
	if (lists.count && (!sized || (!known && lists.records.size % lists.count))) {
		return bspi_leave_out_props(ctx, "its records have no size");
	}
	BSPI_TRY(read_leafs(ctx, &lists, map));
	if (!lists.count) return true;
	bspi_layout layout = bspi_vbsp_prop_layout(part->version, bsp_version, lists.records.size, lists.count);
	return check_layout(ctx, part->version, known, &lists, &layout) && read_props(ctx, &lists, &layout, map) &&
	       scale_props(ctx, lists.scales, map);
}
