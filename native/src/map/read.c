/* read.c - reads a file as a neutral map: recognizes the family, splits the file into lumps, decodes them, lets the
 * family complete the map, and validates the map. */
#include "map/family.h"

#include <inttypes.h>
#include <stdio.h>

const bspi_family *const bspi_families[] = {
#define BSPI_FAMILY(name) &bspi_family_##name,
#include "map/families.def"
#undef BSPI_FAMILY
};
const uint32_t bspi_family_count = sizeof bspi_families / sizeof *bspi_families;

const bspscene_family *const *bspscene_families(void)
{
	static const bspscene_family *const families[] = {
#define BSPI_FAMILY(name) &bspi_family_##name.about,
#include "map/families.def"
#undef BSPI_FAMILY
		NULL,
	};
	return families;
}

static const bspi_variant *variant_at(const bspscene_family *family, uint32_t index)
{
	for (uint32_t i = 0; i < bspi_family_count; i++) {
		const bspi_family *known = bspi_families[i];
		if (&known->about == family) return index < known->variant_count ? &known->variants[index] : NULL;
	}
	return NULL;
}

const char *bspscene_variant_name(const bspscene_family *family, uint32_t index)
{
	const bspi_variant *variant = variant_at(family, index);
	return variant ? variant->name : NULL;
}

const char *bspscene_variant_title(const bspscene_family *family, uint32_t index)
{
	const bspi_variant *variant = variant_at(family, index);
	return variant ? variant->title : NULL;
}

const bspi_family *bspi_find_family(bspi_bytes head, const bspi_variant **variant)
{
	const bspi_family *best = NULL;
	int best_bid = 0;
	for (uint32_t i = 0; i < bspi_family_count; i++) {
		const bspi_variant *candidate = NULL;
		int bid = bspi_families[i]->bid(head, &candidate);
		if (bid <= best_bid) continue;
		best_bid = bid;
		best = bspi_families[i];
		*variant = candidate;
	}
	return best;
}

bool bspi_fail_foreign(bspi_ctx *ctx, bspi_bytes file)
{
	char supported[230] = "";
	size_t at = 0;
	for (uint32_t i = 0; i < bspi_family_count && at < sizeof supported; i++) {
		const char *title = bspi_families[i]->about.title;
		int written = snprintf(supported + at, sizeof supported - at, "%s%s", i ? ", " : "", title);
		at += written > 0 ? (size_t)written : 0;
	}
	bspi_foreign found = bspi_describe_foreign(file);
	return bspi_fail(ctx, found.map ? BSPSCENE_ERROR_UNSUPPORTED_FORMAT : BSPSCENE_ERROR_UNKNOWN_FORMAT, BSPI_NOWHERE,
	                 found.map ? "%s: this version is not supported (supported: %s)"
	                           : "not a map but %s (supported: %s)",
	                 found.text, supported);
}

bool bspi_open_lump(bspi_ctx *ctx, bspi_bytes file, int64_t offset, int64_t size, bspi_lump *lump)
{
	bspi_location location = BSPI_LUMP_AT(lump->name, (uint32_t)offset);
	bool begins = offset >= 0 && size >= 0 && (uint64_t)offset < file.size;
	if (!size) return true;            /* an empty lump may have any offset, as in released maps */
	BSPI_CHECK(ctx, begins, BSPSCENE_ERROR_BAD_LUMP, location,
	           "the directory says %" PRId64 " bytes at offset %" PRId64
	           ", but the file has %zu bytes: it is cut off or damaged",
	           size, offset, file.size);
	uint64_t left = file.size - (uint64_t)offset, kept = (uint64_t)size < left ? (uint64_t)size : left;
	lump->offset = (uint64_t)offset;
	lump->bytes = bspi_bytes_of(file.data + offset, (size_t)kept);
	if (kept == (uint64_t)size) return true;
	return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, location,
	                 "its last %" PRIu64 " bytes are past the end of the file", (uint64_t)size - kept);
}

bool bspi_read_directory(bspi_ctx *ctx, bspi_bytes file, size_t at, uint32_t count, const char *const *names,
                         bspi_lump *lumps)
{
	BSPI_CHECK(ctx, count <= BSPI_MAX_LUMPS && at <= file.size && (file.size - at) / 8 >= count,
	           BSPSCENE_ERROR_BAD_HEADER, BSPI_NOWHERE, "the file ends in its header, after %zu bytes: it is cut off",
	           file.size);
	bspi_cursor cursor = bspi_cursor_at(file, at);
	for (uint32_t i = 0; i < count; i++) {
		int32_t offset = bspi_take_i32(&cursor), size = bspi_take_i32(&cursor);
		lumps[i].name = names[i];
		lumps[i].place_at = at + 8 * (size_t)i;
		BSPI_TRY(bspi_open_lump(ctx, file, offset, size, &lumps[i]));
	}
	return true;
}

/* Notes where the file stores the colors of draw vertices. Only relighting uses this; stages use the decoded colors. */
static void find_colors(const bspi_lump_row *row, const uint8_t *records, uint32_t count, bspi_map *map)
{
	enum { COLOR = 4 };
	bool styles = row->array == BSPI_ARRAY_draw_vertex_styles;
	if (!styles && row->array != BSPI_ARRAY_draw_vertices) return;
	size_t member = styles ? offsetof(bspi_draw_vertex_styles, color) : offsetof(bspi_draw_vertex, color);
	for (uint32_t i = 0; i < row->layout->field_count; i++) {
		const bspi_field *field = &row->layout->fields[i];
		if (field->file_type != BSPI_U8 || field->memory_offset != member) continue;
		for (uint32_t k = 0; k < field->count / COLOR && map->vertex_color_count < BSPI_MOST_COLOR_SETS; k++) {
			map->vertex_colors[map->vertex_color_count++] = (bspi_stored_colors){
				records + field->file_offset + (size_t)k * COLOR, count, row->layout->file_size,
			};
		}
	}
}

static bool decode_lump(bspi_ctx *ctx, const bspi_lump_row *row, const bspi_lump *lump, bool first_reading,
                        bspi_map *map)
{
	const bspi_layout *layout = row->layout;
	const bspi_array_info *array = &bspi_array_infos[row->array];
	size_t count = lump->bytes.size / layout->file_size, tail = lump->bytes.size % layout->file_size;
	bspi_location location = BSPI_LUMP_AT(lump->name, lump->offset);
	/* Files store counts and indices as int32_t. */
	BSPI_CHECK(ctx, count <= INT32_MAX, BSPSCENE_ERROR_BAD_LUMP, location, "%zu records are more than any map has",
	           count);
	if (tail && first_reading) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_LUMP_TAIL, location,
		                   "%zu bytes after the last whole record of %u bytes are left out", tail,
		                   (unsigned)layout->file_size));
	}
	void *records = bspi_push_unset(ctx, &ctx->scratch, count, layout->memory_size);
	BSPI_TRY(records);
	bspi_layout_decode_fresh(layout, lump->bytes.data, (uint32_t)count, records);
	if (count) find_colors(row, lump->bytes.data, (uint32_t)count, map);
	if (count && row->array == BSPI_ARRAY_draw_vertices) {
		map->draw_vertex_layout = layout;
		map->draw_vertex_records = bspi_bytes_of(lump->bytes.data, count * layout->file_size);
	}

	uint32_t record_count = (uint32_t)count;
	memcpy((uint8_t *)map + array->data_offset, &records, sizeof records);
	memcpy((uint8_t *)map + array->count_offset, &record_count, sizeof record_count);
	map->sources[row->array] = (bspi_source){ lump->name, lump->offset, layout->file_size };
	return true;
}

int32_t bspi_public_version(const bspi_variant *variant)
{
	/* In Dark Messiah, the upper 16 bits hold another number. */
	return variant->version > 0 ? variant->version & 0xffff : variant->version;
}

static bool keep_spans(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map)
{
	bspi_lump_span spans[BSPI_MAX_LUMPS];
	bspi_lump_place places[BSPI_MAX_LUMPS];
	for (uint32_t i = 0; i < BSPI_MAX_LUMPS; i++) {
		size_t size_at = lumps[i].size_at ? lumps[i].size_at : lumps[i].place_at + 4;
		places[i] = (bspi_lump_place){ lumps[i].name, lumps[i].place_at, size_at, lumps[i].unpacked_at, false };
		spans[i] = (bspi_lump_span){ lumps[i].name, lumps[i].packed.size ? lumps[i].packed : lumps[i].bytes };
	}
	return bspi_add_lump_spans(ctx, map, spans, BSPI_MAX_LUMPS) &&
	       bspi_add_lump_places(ctx, map, places, BSPI_MAX_LUMPS);
}

/* Chooses the lighting variant that the caller requested, if the map has several. */
static bool choose_light_set(bspi_ctx *ctx, bspi_map *map)
{
	const char *const *sets = map->rules.light_sets, *wanted = ctx->options.lighting_variant;
	if (!wanted) return true;
	while (sets && sets[map->light_set] && strcmp(sets[map->light_set], wanted)) map->light_set++;
	BSPI_CHECK(ctx, sets, BSPSCENE_ERROR_BAD_OPTIONS, BSPI_NOWHERE,
	           "options: no light set \"%.40s\": the map has only one", wanted);
	BSPI_CHECK(ctx, sets[map->light_set], BSPSCENE_ERROR_BAD_OPTIONS, BSPI_NOWHERE,
	           "options: no light set \"%.40s\": the map has \"%s\" and \"%s\"", wanted, sets[0], sets[1]);
	return true;
}

bool bspi_read_map(bspi_ctx *ctx, bspi_bytes file, bspi_map *map)
{
	const bspi_variant *variant = NULL;
	const bspi_family *family = bspi_find_family(file, &variant);
	if (!family) return bspi_fail_foreign(ctx, file);

	*map = (bspi_map){
		.family = family->about.name, .variant = variant->name, .title = variant->title,
		.version = bspi_public_version(variant), .rules = *variant->rules, .file = file,
	};
	map->entities = map->lighting = map->light_grid = map->light_grid_index = map->light_grid_palette = BSPI_NO_BYTES;
	map->light_octree = map->pakfile = map->packed_entities = map->draw_vertex_records = BSPI_NO_BYTES;
	bspi_lump lumps[BSPI_MAX_LUMPS];
	for (uint32_t i = 0; i < BSPI_MAX_LUMPS; i++) {
		lumps[i] = (bspi_lump){ .name = "", .bytes = BSPI_NO_BYTES, .packed = BSPI_NO_BYTES };
	}

	BSPI_TRY(choose_light_set(ctx, map) && family->directory(ctx, file, variant, lumps) && keep_spans(ctx, lumps, map));
	for (uint32_t i = 0; i < variant->lump_row_count; i++) {
		const bspi_lump_row *row = &variant->lumps[i];
		bool first_reading = !i || variant->lumps[i - 1].slot != row->slot;
		BSPI_TRY(decode_lump(ctx, row, &lumps[row->slot], first_reading, map));
	}
	if (family->finish) BSPI_TRY(family->finish(ctx, variant, lumps, map));
	BSPI_TRY(bspi_use_entity_file(ctx, map));
	return bspi_validate(ctx, map);
}
