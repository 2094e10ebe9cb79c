/* Promise: a Source map of every version reads as it was written: lumps in either order of the directory, compressed or
 * not, with the light that belongs to its faces; and what is damaged or another game's is counted or named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <lzma.h>

#include "families/vbsp_tables.h"
#include "support/build_map.h"

enum { HEADER = 1036, LARGEST_FILE = 1 << 16, WALL = 0, SKY = 1, BUMPED = 2, FACES = 3 };

typedef struct fixture {
	bspi_ctx ctx;
	bspi_map map;
	uint8_t *data;                     /* exactly as large as the file: nothing behind may be looked at */
} fixture;

/* ---- A map in memory -------------------------------------------------------------------------------------- */

static void store_u32(uint8_t *p, uint32_t value)
{
	for (int i = 0; i < 4; i++) p[i] = (uint8_t)(value >> 8 * i);
}

typedef struct model_file {
	const bspi_variant *variant;
	uint8_t data[LARGEST_FILE];
	size_t size;
} model_file;

static bool versions_first(const bspi_variant *variant)
{
	return !strcmp(variant->name, "left4dead2");
}

static void put_entry(model_file *f, uint32_t slot, uint32_t offset, uint32_t size, uint32_t version, uint32_t unpacked)
{
	uint8_t *entry = f->data + bspt_directory_at(f->variant) + 16 * slot;
	bool first = versions_first(f->variant);
	store_u32(entry + (first ? 4 : 0), offset);
	store_u32(entry + (first ? 8 : 4), size);
	store_u32(entry + (first ? 0 : 8), version);
	store_u32(entry + 12, unpacked);
}

static uint8_t *put_lump(model_file *f, uint32_t slot, const void *data, size_t size, uint32_t version)
{
	uint8_t *at = f->data + f->size;
	assert_true(f->size + size + 4 <= LARGEST_FILE);
	if (data) memcpy(at, data, size);
	put_entry(f, slot, (uint32_t)f->size, (uint32_t)size, version, 0);
	f->size += (size + 3) / 4 * 4;
	return at;
}

static const bspi_layout *layout_of(const bspi_variant *variant, bspi_array_id array)
{
	for (uint32_t i = 0; i < variant->lump_row_count; i++) {
		if (variant->lumps[i].array == array) return variant->lumps[i].layout;
	}
	fail_msg("%s has no table for array %d", variant->name, (int)array);
	return NULL;
}

static uint8_t *put_records(model_file *f, uint32_t slot, bspi_array_id array, const void *records, uint32_t count)
{
	const bspi_layout *layout = layout_of(f->variant, array);
	uint8_t *at = put_lump(f, slot, NULL, (size_t)count * layout->file_size, 0);
	bspt_encode(layout, records, count, at);
	return at;
}

static const char entity_text[] = "{\n\"classname\" \"worldspawn\"\n\"skyname\" \"sky_day01_01\"\n}\n";
static const char names[] = "Brick\\WALL01\0TOOLS/TOOLSSKYBOX";

static const bspi_plane planes[] = { { { 0, 0, 1 }, 0 }, { { 0, 0, -1 }, 0 } };
static const bspi_vertex vertices[] = { { { 0, 0, 0 } }, { { 0, 64, 0 } }, { { 64, 64, 0 } }, { { 64, 0, 0 } } };
static const bspi_edge edges[] = { { { 0, 0 } }, { { 0, 1 } }, { { 1, 2 } }, { { 2, 3 } }, { { 0, 3 } } };
static const bspi_surfedge surfedges[] = { { 1 }, { 2 }, { 3 }, { -4 } };
static const bspi_node nodes[] = { { 0, { -1, -2 }, { -1, -1, -1 }, { 64, 64, 64 }, 0, 2 } };
static const bspi_index leaf_faces[] = { { 0 }, { 1 }, { 2 } };
/* Areas of the leafs carry flags above their bits. */
static const bspi_leaf leafs[] = {
	{ .cluster = -1, .area = 0, .contents = 1 },
	{ .cluster = 0, .area = 1, .maxs = { 64, 64, 64 }, .leaf_face_count = FACES },
};

static void put_texinfos(model_file *f)
{
	uint8_t lump[FACES * 96] = { 0 };
	const bspi_texinfo infos[FACES] = {
		[WALL] = { .texture_vectors = { { 4, 0, 0, 0 }, { 0, -4, 0, 8 } }, .texture = 0 },
		[SKY] = { .flags = 4, .texture = 1 },
		[BUMPED] = { .flags = 0x800, .texture = 0 },
	};
	bspi_light_projection projections[FACES] = { { { { 0.0625f, 0, 0, 2 }, { 0, 0.0625f, 0, 3 } } } };
	bspt_encode(layout_of(f->variant, BSPI_ARRAY_texinfos), infos, FACES, lump);
	bspt_encode(layout_of(f->variant, BSPI_ARRAY_light_projections), projections, FACES, lump);
	put_lump(f, VBSP_TEXINFO, lump, (size_t)FACES * layout_of(f->variant, BSPI_ARRAY_texinfos)->file_size, 0);
}

static void put_textures(model_file *f)
{
	uint8_t lump[2 * 32] = { 0 }, offsets[8] = { 0 };
	const bspi_texture textures[2] = { { .width = 512, .height = 256 }, { .width = 8, .height = 8 } };
	bspt_encode(layout_of(f->variant, BSPI_ARRAY_textures), textures, 2, lump);
	store_u32(lump + 12, 1);
	store_u32(lump + 32 + 12, 0);
	store_u32(offsets, 13);
	put_lump(f, VBSP_TEXDATA, lump, sizeof lump, 0);
	put_lump(f, VBSP_NAME_OFFSETS, offsets, sizeof offsets, 0);
	put_lump(f, VBSP_NAMES, names, sizeof names - 1, 0); /* the last one lacks its end */
}

static const bspi_face faces[FACES] = {
	[WALL] = {
		.edge_count = 4, .texinfo = WALL, .dispinfo = -1, .styles = { 0, 255, 255, 255 }, .light_offset = 4,
		.lightmap_x = { 2 }, .lightmap_y = { 3 }, .lightmap_width = 4, .lightmap_height = 4,
	},
	[SKY] = {
		.plane = 1, .edge_count = 4, .texinfo = SKY, .dispinfo = -1, .styles = { 255, 255, 255, 255 },
		.light_offset = -1,
	},
	[BUMPED] = {
		.edge_count = 4, .texinfo = BUMPED, .dispinfo = -1, .styles = { 0, 255, 255, 255 }, .light_offset = 108,
		.lightmap_width = 1, .lightmap_height = 0,
	},
};

static void build(model_file *f, const bspi_variant *variant)
{
	memset(f, 0, sizeof *f);
	f->variant = variant;
	f->size = bspt_directory_at(variant) + HEADER - 8;
	memcpy(f->data, "VBSP", 4);
	store_u32(f->data + 4, (uint32_t)variant->version);
	const bspi_model world = { .maxs = { 64, 64, 64 }, .face_count = FACES };
	put_lump(f, VBSP_ENTITIES, entity_text, sizeof entity_text, 0);
	put_records(f, VBSP_PLANES, BSPI_ARRAY_planes, planes, 2);
	put_records(f, VBSP_VERTICES, BSPI_ARRAY_vertices, vertices, 4);
	put_records(f, VBSP_EDGES, BSPI_ARRAY_edges, edges, 5);
	put_records(f, VBSP_SURFEDGES, BSPI_ARRAY_surfedges, surfedges, 4);
	put_records(f, VBSP_FACES, BSPI_ARRAY_faces, faces, FACES);
	put_records(f, VBSP_MODELS, BSPI_ARRAY_models, &world, 1);
	put_records(f, VBSP_NODES, BSPI_ARRAY_nodes, nodes, 1);
	bspi_leaf flagged[2] = { leafs[0], leafs[1] };
	flagged[1].area |= variant->version == 25 ? 0x20000 : 0x200;
	put_records(f, VBSP_LEAFS, BSPI_ARRAY_leafs, flagged, 2);
	bool short_leafs = layout_of(variant, BSPI_ARRAY_leafs)->file_size == 32;
	if (short_leafs && variant->version == 19) store_u32(f->data + 8 + 16 * VBSP_LEAFS + 8, 1);
	put_records(f, VBSP_LEAF_FACES, BSPI_ARRAY_leaf_faces, leaf_faces, FACES);
	put_texinfos(f);
	put_textures(f);
	uint8_t light[108 + 2 * 4 * 4];
	for (size_t i = 0; i < sizeof light; i++) light[i] = (uint8_t)(i % 4 == 3 ? 0xff : i);
	put_lump(f, VBSP_LIGHTING, light, sizeof light, 1);
}

static bool read_with(fixture *f, const model_file *file, bspscene_lightmap_encoding encoding, bool strict)
{
	memset(f, 0, sizeof *f);
	f->data = malloc(file->size);
	assert_non_null(f->data);
	memcpy(f->data, file->data, file->size);
	f->ctx.file = "test.bsp";
	f->ctx.options.lightmap_encoding = encoding;
	f->ctx.options.strict = strict;
	f->ctx.budget.limit = 64u << 20;
	bspi_begin_memory(&f->ctx);
	return bspi_read_map(&f->ctx, bspi_bytes_of(f->data, file->size), &f->map);
}

static bool read_file(fixture *f, const model_file *file)
{
	return read_with(f, file, BSPSCENE_LIGHTMAP_DISPLAY, false);
}

static bool read_strictly(fixture *f, const model_file *file, bool strict)
{
	return read_with(f, file, BSPSCENE_LIGHTMAP_DISPLAY, strict);
}

static void end(fixture *f)
{
	bspi_end_memory(&f->ctx);
	assert_int_equal(f->ctx.budget.used, 0);
	free(f->data);
}

static const bspi_variant *variant_named(const char *name)
{
	for (uint32_t i = 0; i < bspi_family_vbsp.variant_count; i++) {
		if (!strcmp(bspi_family_vbsp.variants[i].name, name)) return &bspi_family_vbsp.variants[i];
	}
	fail_msg("no variant %s", name);
	return NULL;
}

static uint32_t warnings(const fixture *f, bspscene_warning_code code)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < f->ctx.warning_count; i++) {
		if (f->ctx.warnings[i].code == code) count += f->ctx.warnings[i].count;
	}
	return count;
}

/* ---- Tests ------------------------------------------------------------------------------------------------ */

static void check_read(const fixture *f, const bspi_variant *variant)
{
	const bspi_map *map = &f->map;
	assert_string_equal(map->variant, variant->name);
	if (f->ctx.warning_count) fail_msg("%s: %s", variant->title, f->ctx.warnings[0].message);
	assert_int_equal(map->faces_count, FACES);
	assert_int_equal(map->planes_count, 2);
	assert_int_equal(map->vertices_count, 4);
	assert_int_equal(map->leafs_count, 2);
	assert_int_equal(map->leafs[1].area, 1);
	assert_int_equal(map->leafs[1].leaf_face_count, FACES);
	const bspi_face *wall = &map->faces[WALL];
	assert_int_equal(wall->kind, BSPI_FACE_POLYGON);
	assert_int_equal(wall->edge_count, 4);
	assert_int_equal(wall->lightmap_x[0], 2);
	assert_int_equal(wall->lightmap_y[0], 3);
	assert_int_equal(wall->lightmap_width, 5);
	assert_int_equal(wall->lightmap_height, 5);
	assert_int_equal(wall->light_offset, 4);
	assert_int_equal(wall->light_projection, WALL);
	assert_int_equal(wall->light_sets, 1);
	assert_int_equal(map->faces[BUMPED].light_sets, 4);
	assert_true(map->faces[SKY].fullbright);
	assert_float_equal(map->light_projections[WALL].vectors[1][3], 3, 0);
	assert_float_equal(map->texinfos[WALL].texture_vectors[1][3], 8, 0);
	assert_string_equal(map->textures[wall->texture].name, "Brick/WALL01");
	assert_string_equal(map->textures[map->faces[SKY].texture].name, "TOOLS/TOOLSSKYBOX");
	assert_int_equal(map->textures[map->faces[SKY].texture].surface_flags, 4);
	assert_int_equal(map->textures[wall->texture].width, 512);
	assert_int_equal(map->textures[wall->texture].height, 256);
}

static void every_version_reads_as_written(void **state)
{
	(void)state;
	static model_file file;
	for (uint32_t i = 0; i < bspi_family_vbsp.variant_count; i++) {
		const bspi_variant *variant = &bspi_family_vbsp.variants[i];
		fixture f;
		build(&file, variant);
		if (!read_file(&f, &file)) fail_msg("%s: %s", variant->title, f.ctx.error.message);
		check_read(&f, variant);
		end(&f);
	}
}

/* Maps for HDR displays only have luxels, styles and offsets in the lumps of their own; so has
 * every map for HDR pages. */
static void hdr_light_comes_with_its_faces(void **state)
{
	(void)state;
	static model_file file;
	static const struct { bool plain_light; bspscene_lightmap_encoding encoding; bool hdr; } cases[] = {
		{ false, BSPSCENE_LIGHTMAP_DISPLAY, true },
		{ true, BSPSCENE_LIGHTMAP_DISPLAY, false },
		{ true, BSPSCENE_LIGHTMAP_HDR, true },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fixture f;
		build(&file, variant_named("source20"));
		bspi_face lit[FACES];
		memcpy(lit, faces, sizeof lit);
		lit[WALL].light_offset = 12;
		put_records(&file, VBSP_FACES_HDR, BSPI_ARRAY_faces, lit, FACES);
		uint8_t light[256] = { 77 };
		put_lump(&file, VBSP_LIGHTING_HDR, light, sizeof light, 1);
		if (!cases[i].plain_light) put_entry(&file, VBSP_LIGHTING, 0, 0, 1, 0);
		assert_true(read_with(&f, &file, cases[i].encoding, false));
		assert_int_equal(f.map.faces[WALL].light_offset, cases[i].hdr ? 12 : 4);
		assert_int_equal(f.map.lighting.data[0], cases[i].hdr ? 77 : 0);
		assert_int_equal(f.ctx.warning_count, 0);
		end(&f);
	}
}

/* Valve's framing around what liblzma makes of a lump. The alone encoder writes an end mark; Valve's does not. */
static size_t compress(const uint8_t *data, size_t size, bool end_mark, uint8_t *out, size_t room)
{
	uint8_t alone[4096];
	lzma_options_lzma options;
	assert_false(lzma_lzma_preset(&options, 6));
	lzma_filter filters[] = { { LZMA_FILTER_LZMA1, &options }, { LZMA_VLI_UNKNOWN, NULL } };
	lzma_stream encoder = LZMA_STREAM_INIT;
	lzma_ret status = end_mark ? lzma_alone_encoder(&encoder, &options) : lzma_raw_encoder(&encoder, filters);
	assert_int_equal(status, LZMA_OK);
	encoder.next_in = data;
	encoder.avail_in = size;
	encoder.next_out = alone;
	encoder.avail_out = sizeof alone;
	assert_int_equal(lzma_code(&encoder, LZMA_FINISH), LZMA_STREAM_END);
	size_t skipped = end_mark ? 13 : 0, stream = (size_t)encoder.total_out - skipped;
	lzma_end(&encoder);
	assert_true(17 + stream <= room);
	memcpy(out, "LZMA", 4);
	store_u32(out + 4, (uint32_t)size);
	store_u32(out + 8, (uint32_t)stream);
	out[12] = (uint8_t)((options.pb * 5 + options.lp) * 9 + options.lc);
	store_u32(out + 13, options.dict_size);
	memcpy(out + 17, alone + skipped, stream);
	return 17 + stream;
}

typedef enum lie {
	HONEST, END_MARK, NO_SIZE_OUTSIDE, TRUNCATED, STREAM_TOO_LONG, SIZE_TOO_LARGE, BAD_PROPERTIES, LIES
} lie;

static void compressed_lumps_are_what_they_were(void **state)
{
	(void)state;
	static model_file file;
	for (lie kind = HONEST; kind < LIES; kind++) {
		uint8_t packed[4096];
		fixture f;
		build(&file, variant_named("source20"));
		const uint8_t *entry = file.data + 8 + 16 * VBSP_VERTICES;
		uint32_t offset = bspi_load_u32(entry), size = bspi_load_u32(entry + 4);
		size_t stored = compress(file.data + offset, size, kind == END_MARK, packed, sizeof packed);
		if (kind == TRUNCATED) store_u32(packed + 8, (uint32_t)(stored - 17 - 8));
		if (kind == STREAM_TOO_LONG) store_u32(packed + 8, (uint32_t)stored);
		if (kind == SIZE_TOO_LARGE) store_u32(packed + 4, 60u << 20);
		if (kind == BAD_PROPERTIES) packed[12] = 225;
		put_lump(&file, VBSP_VERTICES, packed, stored, 0);
		uint32_t packed_at = (uint32_t)(file.size - (stored + 3) / 4 * 4);
		uint32_t size_outside = kind == NO_SIZE_OUTSIDE ? 0 : size;
		put_entry(&file, VBSP_VERTICES, packed_at, (uint32_t)stored, 0, size_outside);
		bool read = read_file(&f, &file);
		if (read != (kind < TRUNCATED)) fail_msg("case %d: %s", (int)kind, f.ctx.error.message);
		if (read) check_read(&f, file.variant);
		else assert_int_equal(f.ctx.error.status, BSPSCENE_ERROR_BAD_LUMP);
		end(&f);
	}
}

static void lumps_outside_count_or_refuse(void **state)
{
	(void)state;
	static model_file file;
	fixture f;
	build(&file, variant_named("source20"));
	put_entry(&file, VBSP_PAKFILE, (uint32_t)file.size, 4, 0, 0);
	assert_true(read_file(&f, &file));
	assert_int_equal(warnings(&f, BSPSCENE_WARNING_LUMP_BAD), 1);
	assert_int_equal(f.map.pakfile.size, 0);
	end(&f);
	put_entry(&file, VBSP_EDGES, (uint32_t)file.size, 4, 0, 0);
	assert_false(read_file(&f, &file));
	assert_int_equal(f.ctx.error.status, BSPSCENE_ERROR_BAD_LUMP);
	end(&f);
	file.size = HEADER - 1;
	assert_false(read_file(&f, &file));
	assert_int_equal(f.ctx.error.status, BSPSCENE_ERROR_BAD_HEADER);
	end(&f);
}

/* Overlaid with a key, of which nothing but the place is known. */
static void encrypted_maps_are_named(void **state)
{
	(void)state;
	static model_file file;
	fixture f;
	build(&file, variant_named("source20"));
	for (size_t i = 0; i < file.size; i++) file.data[i] ^= (uint8_t)(i % 32 * 7 + 1);
	assert_false(read_file(&f, &file));
	assert_int_equal(f.ctx.error.status, BSPSCENE_ERROR_UNSUPPORTED_FORMAT);
	assert_non_null(strstr(f.ctx.error.message, "Tactical Intervention"));
	end(&f);
}

/* Infra's number is that of Dota 2's beta, whose displacements are larger. */
static void dota_is_told_from_infra(void **state)
{
	(void)state;
	static model_file file;
	fixture f;
	build(&file, variant_named("infra"));
	put_lump(&file, VBSP_DISPINFO, NULL, 3 * 180, 0);
	assert_false(read_file(&f, &file));
	assert_int_equal(f.ctx.error.status, BSPSCENE_ERROR_UNSUPPORTED_FORMAT);
	assert_non_null(strstr(f.ctx.error.message, "Dota 2"));
	end(&f);
}

/* A damaged lump costs no more than itself where a map can do without it. */
static void damaged_optional_lumps_are_left_out(void **state)
{
	(void)state;
	static model_file file;
	static const size_t places[] = { 8, 12 }; /* the stream's size, its properties */
	for (size_t i = 0; i < 2; i++) {
		uint8_t packed[4096];
		fixture f;
		build(&file, variant_named("source20"));
		const uint8_t *entry = file.data + 8 + 16 * VBSP_LEAF_FACES;
		uint32_t size = bspi_load_u32(entry + 4);
		size_t stored = compress(file.data + bspi_load_u32(entry), size, false, packed, sizeof packed);
		packed[places[i]] = 225;
		put_lump(&file, VBSP_LEAF_FACES, packed, stored, 0);
		if (!read_file(&f, &file)) fail_msg("byte %zu: %s", places[i], f.ctx.error.message);
		assert_int_equal(f.map.leaf_faces_count, 0);
		assert_int_equal(warnings(&f, BSPSCENE_WARNING_LUMP_BAD), 1);
		end(&f);
	}
}

/* As a part of the game lump is stored: where it counts from, and how. */
static void parts_are_found_however_stored(void **state)
{
	(void)state;
	enum { DIRECTORY = 4 + 2 * 16, PART = 4 + 128 + 4 + 4 + 56 };
	static model_file file;
	for (int form = 0; form < 4; form++) {
		bool relative = form & 1, packed = form & 2;
		uint8_t part[PART] = { 1, 0, 0, 0, 'a', '.', 'm', 'd', 'l' }, lump[1024] = { 0 };
		fixture f;
		build(&file, variant_named("source20"));
		part[PART - 56 - 4] = 1;
		size_t size = PART;
		if (packed) size = compress(part, PART, false, lump + DIRECTORY, sizeof lump - DIRECTORY);
		else memcpy(lump + DIRECTORY, part, PART);
		uint32_t start = (relative ? 0 : (uint32_t)file.size) + DIRECTORY;
		store_u32(lump, 2);
		store_u32(lump + 4, VBSP_STATIC_PROPS);
		store_u32(lump + 8, 4 << 16 | packed);
		store_u32(lump + 12, start);
		store_u32(lump + 16, PART);
		/* Says where the one before ends. */
		store_u32(lump + 20 + 8, start + (uint32_t)size);
		put_lump(&file, VBSP_GAME_LUMP, lump, sizeof lump, 0);
		if (!read_file(&f, &file)) fail_msg("form %d: %s", form, f.ctx.error.message);
		assert_int_equal(f.map.static_props_count, 1);
		assert_string_equal(f.map.static_props[0].model, "a.mdl");
		assert_int_equal(f.ctx.warning_count, 0);
		end(&f);
	}
}

/* Of a file that was cut off, what is left counts; strict loads refuse it. */
static void cut_lumps_keep_what_is_left(void **state)
{
	(void)state;
	static model_file file;
	static const struct { uint32_t slot; size_t kept; bool required; } cases[] = {
		{ VBSP_PAKFILE, 5, false }, { VBSP_LIGHTING, 8, false }, { VBSP_VERTICES, 3 * 12, true },
		{ VBSP_LEAF_FACES, 4, false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (int strict = 0; strict < 2; strict++) {
			uint8_t lump[256] = { 0 };
			fixture f;
			build(&file, variant_named("source20"));
			const uint8_t *entry = file.data + 8 + 16 * cases[i].slot;
			memcpy(lump, file.data + bspi_load_u32(entry), bspi_load_u32(entry + 4));
			size_t at = file.size;
			put_lump(&file, cases[i].slot, lump, sizeof lump, 0);
			file.size = at + cases[i].kept;
			bool read = read_strictly(&f, &file, strict);
			if (read == strict) fail_msg("case %zu, strict %d: %s", i, strict, f.ctx.error.message);
			if (!strict) {
				assert_int_equal(warnings(&f, BSPSCENE_WARNING_LUMP_BAD), 1);
				assert_non_null(strstr(f.ctx.warnings[0].message, "the file ends"));
			}
			if (!strict && cases[i].slot == VBSP_PAKFILE) assert_int_equal(f.map.pakfile.size, 5);
			if (!strict && cases[i].slot == VBSP_VERTICES) assert_int_equal(f.map.vertices_count, 3);
			end(&f);
		}
	}
}

/* Parts of the game lump that lie elsewhere in the file are read, and counted. */
static void parts_outside_of_the_game_lump_count(void **state)
{
	(void)state;
	static model_file file;
	uint8_t part[12] = { 0 }, lump[20] = { 1 };
	fixture f;
	build(&file, variant_named("source20"));
	store_u32(lump + 4, VBSP_STATIC_PROPS);
	store_u32(lump + 8, 6 << 16);
	store_u32(lump + 12, (uint32_t)file.size + sizeof lump);
	store_u32(lump + 16, sizeof part);
	put_lump(&file, VBSP_GAME_LUMP, lump, sizeof lump, 0);
	put_lump(&file, 63, part, sizeof part, 0);
	put_entry(&file, 63, 0, 0, 0, 0);
	assert_true(read_file(&f, &file));
	assert_int_equal(warnings(&f, BSPSCENE_WARNING_LUMP_BAD), 1);
	assert_non_null(strstr(f.ctx.warnings[0].message, "outside"));
	end(&f);
}

/* One texdata, drawn by one texinfo and hidden by another, is two textures. */
static void flags_part_textures(void **state)
{
	(void)state;
	static model_file file;
	fixture f;
	build(&file, variant_named("source20"));
	uint32_t texinfos = bspi_load_u32(file.data + 8 + 16 * VBSP_TEXINFO);
	store_u32(file.data + texinfos + 72 * BUMPED + 64, 0x880);
	assert_true(read_file(&f, &file));
	const bspi_texture *wall = &f.map.textures[f.map.faces[WALL].texture];
	const bspi_texture *other = &f.map.textures[f.map.faces[BUMPED].texture];
	assert_int_equal(f.map.textures_count, 3);
	assert_string_equal(wall->name, other->name);
	assert_int_equal(wall->surface_flags, 0);
	assert_int_equal(other->surface_flags, 0x880);
	end(&f);
}

static void bad_faces_are_counted(void **state)
{
	(void)state;
	static model_file file;
	fixture f;
	build(&file, variant_named("source20"));
	bspi_face bad[FACES];
	memcpy(bad, faces, sizeof bad);
	bad[WALL].lightmap_width = -1;
	bad[BUMPED].lightmap_height = INT32_MAX;
	bad[SKY].texinfo = -1;
	put_records(&file, VBSP_FACES, BSPI_ARRAY_faces, bad, FACES);
	assert_true(read_file(&f, &file));
	assert_int_equal(warnings(&f, BSPSCENE_WARNING_LIGHTMAP), 2);
	assert_int_equal(f.map.faces[WALL].light_offset, -1);
	assert_int_equal(f.map.faces[BUMPED].light_offset, -1);
	assert_int_equal(f.map.faces[SKY].kind, BSPI_FACE_DROPPED);
	assert_int_equal(warnings(&f, BSPSCENE_WARNING_FACE_DROPPED), 0);
	end(&f);
}

static void other_games_are_named(void **state)
{
	(void)state;
	static model_file file;
	static const struct { const char *variant; uint32_t version, face_size; const char *says; } cases[] = {
		{ "source20", 20, 72, "Vindictus" }, { "source20", 20, 76, "Vindictus" }, { "source20", 23, 56, "Dota 2" },
		{ "source20", 29, 56, "Titanfall" }, { "source20", 42, 56, "Desolation" }, { "source20", 43, 56, "Desolation" },
		{ "source20", 99, 56, "unknown version" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fixture f;
		build(&file, variant_named(cases[i].variant));
		store_u32(file.data + 4, cases[i].version);
		put_lump(&file, VBSP_FACES, NULL, (size_t)FACES * cases[i].face_size, 1);
		assert_false(read_file(&f, &file));
		assert_int_equal(f.ctx.error.status, BSPSCENE_ERROR_UNSUPPORTED_FORMAT);
		if (!strstr(f.ctx.error.message, cases[i].says)) fail_msg("%s: %s", cases[i].says, f.ctx.error.message);
		end(&f);
	}
}

/* ---- Displacements ---------------------------------------------------------------------------------------- */

enum { GRID = 5, GRID_VERTICES = GRID * GRID };

/* The wall as a displacement that begins at its third corner; heights and blends tell the vertices apart. */
static void build_displacement(model_file *file, const char *variant, int32_t power, float distance, float alpha)
{
	bspi_dispinfo info = { .start = { 64, 64, 0 }, .power = power };
	bspi_disp_vertex moves[GRID_VERTICES];
	for (int i = 0; i < GRID_VERTICES; i++) {
		moves[i] = (bspi_disp_vertex){ { 0, 0, 2 }, distance * (float)i, alpha * (float)i };
	}
	bspi_face bent[FACES];
	memcpy(bent, faces, sizeof bent);
	bent[WALL].dispinfo = 0;
	build(file, variant_named(variant));
	put_records(file, VBSP_FACES, BSPI_ARRAY_faces, bent, FACES);
	put_records(file, VBSP_DISPINFO, BSPI_ARRAY_dispinfos, &info, 1);
	put_records(file, VBSP_DISP_VERTICES, BSPI_ARRAY_disp_vertices, moves, GRID_VERTICES);
}

static const bspscene_face *find_face(const bspscene_scene *scene, uint32_t source)
{
	for (uint32_t i = 0; i < scene->face_count; i++) {
		if (scene->faces[i].source == source) return &scene->faces[i];
	}
	fail_msg("face %u is not drawn", (unsigned)source);
	return NULL;
}

static void check_displaced(const bspscene_scene *scene, const bspscene_face *face)
{
	const bspscene_mesh *mesh = &scene->meshes[face->mesh];
	assert_int_equal(face->vertex_count, GRID_VERTICES);
	assert_int_equal(face->index_count, 6 * 16);
	for (uint32_t i = 0; i < GRID_VERTICES; i++) {
		const float *at = mesh->positions + 3 * (face->first_vertex + i);
		const float *normal = mesh->normals + 3 * (face->first_vertex + i);
		float row = (float)(i / GRID), column = (float)(i % GRID), blend = 0.1f * (float)i;
		assert_float_equal(at[0], 64 - 16 * column, 1e-4);
		assert_float_equal(at[1], 64 - 16 * row, 1e-4);
		assert_float_equal(at[2], 0.5f * (float)i, 1e-4);
		assert_float_equal(mesh->blend_alphas[face->first_vertex + i], blend < 1 ? blend : 1, 1e-5);
		/* A plane that falls by 0.5 along x and by 2.5 along y, for 16. */
		assert_float_equal(normal[0] / normal[2], 0.5f / 16, 1e-4);
		assert_float_equal(normal[1] / normal[2], 2.5f / 16, 1e-4);
		assert_true(normal[2] > 0.9f);
		/* Texels of the flat face: 4 x and -4 y + 8, of 512 and 256. */
		const float *uv = mesh->uvs + 2 * (face->first_vertex + i);
		assert_float_equal(uv[0], 4 * at[0] / 512, 1e-5);
		assert_float_equal(uv[1], (8 - 4 * at[1]) / 256, 1e-5);
	}
	/* Luxels run with the grid: 5 of them for 5 vertices, from centre to centre. */
	const bspscene_page *page = &scene->page_sets[0].pages[face->page];
	for (uint32_t i = 0; i < GRID_VERTICES; i++) {
		const float *uv = mesh->lightmap_uvs + 2 * (face->first_vertex + i);
		assert_float_equal(uv[0] * (float)page->width, (float)face->x + (float)(i % GRID) + 0.5f, 1e-3);
		assert_float_equal(uv[1] * (float)page->height, (float)face->y + (float)(i / GRID) + 0.5f, 1e-3);
	}
	/* An even and an odd cell. */
	static const uint32_t triangles[] = { 0, 6, 5, 0, 1, 6, 1, 2, 6, 2, 7, 6 };
	for (size_t i = 0; i < sizeof triangles / sizeof *triangles; i++) {
		assert_int_equal(mesh->indices[face->first_index + i] - face->first_vertex, triangles[i]);
	}
}

static void displacements_are_cut_and_moved(void **state)
{
	(void)state;
	static model_file file;
	static const char *const variants[] = { "vampire", "source19", "source20", "left4dead2", "strata" };
	for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
		build_displacement(&file, variants[i], 2, 0.25f, 25.5f);
		bspscene_error error;
		bspscene_scene *scene = bspscene_load_memory(file.data, file.size, NULL, &error);
		if (!scene) fail_msg("%s: %s", variants[i], error.message);
		assert_int_equal(scene->counts.displacements, 1);
		const bspscene_face *face = find_face(scene, WALL);
		check_displaced(scene, face);
		bspscene_scene_free(scene);
	}
}

static void bad_displacements_are_dropped(void **state)
{
	(void)state;
	static model_file file;
	static const struct { int32_t power; float distance; } cases[] = {
		{ 1, 0 }, { 5, 0 }, { -1, 0 }, { 3, 0 }, { 2, 1e30f }, { 2, 3e38f },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fixture f;
		build_displacement(&file, "source20", cases[i].power, cases[i].distance, 0);
		assert_true(read_file(&f, &file));
		if (f.map.faces[WALL].kind != BSPI_FACE_DROPPED) fail_msg("case %zu is kept", i);
		assert_int_equal(warnings(&f, BSPSCENE_WARNING_FACE_DROPPED), 1);
		end(&f);
	}
	fixture f;
	build_displacement(&file, "source20", 2, 0, 0);
	put_entry(&file, VBSP_DISPINFO, 0, 0, 0, 0);
	assert_true(read_file(&f, &file));
	assert_int_equal(f.map.faces[WALL].kind, BSPI_FACE_DROPPED);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_version_reads_as_written),
		cmocka_unit_test(hdr_light_comes_with_its_faces),
		cmocka_unit_test(compressed_lumps_are_what_they_were),
		cmocka_unit_test(lumps_outside_count_or_refuse),
		cmocka_unit_test(encrypted_maps_are_named),
		cmocka_unit_test(dota_is_told_from_infra),
		cmocka_unit_test(damaged_optional_lumps_are_left_out),
		cmocka_unit_test(parts_are_found_however_stored),
		cmocka_unit_test(cut_lumps_keep_what_is_left),
		cmocka_unit_test(parts_outside_of_the_game_lump_count),
		cmocka_unit_test(flags_part_textures),
		cmocka_unit_test(bad_faces_are_counted),
		cmocka_unit_test(other_games_are_named),
		cmocka_unit_test(displacements_are_cut_and_moved),
		cmocka_unit_test(bad_displacements_are_dropped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
