/* build_vbsp.c - see build_vbsp.h. */
#include "support/source/build_vbsp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/make/build_map.h"

static bool versions_first(const bspi_variant *variant)
{
	return !strcmp(variant->name, "left4dead2");
}

void bspt_vbsp_entry(bspt_vbsp *f, uint32_t slot, uint32_t offset, uint32_t size, uint32_t version, uint32_t unpacked)
{
	uint8_t *entry = f->data + bspt_directory_at(f->variant) + 16 * slot;
	bool first = versions_first(f->variant);
	bspt_store_u32(entry + (first ? 4 : 0), offset);
	bspt_store_u32(entry + (first ? 8 : 4), size);
	bspt_store_u32(entry + (first ? 0 : 8), version);
	bspt_store_u32(entry + 12, unpacked);
}

uint8_t *bspt_vbsp_lump(bspt_vbsp *f, uint32_t slot, const void *data, size_t size, uint32_t version)
{
	uint8_t *at = f->data + f->size;
	assert_true(f->size + size + 4 <= BSPT_VBSP_LARGEST);
	if (data) memcpy(at, data, size);
	bspt_vbsp_entry(f, slot, (uint32_t)f->size, (uint32_t)size, version, 0);
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

uint8_t *bspt_vbsp_records(bspt_vbsp *f, uint32_t slot, bspi_array_id array, const void *records, uint32_t count)
{
	const bspi_layout *layout = layout_of(f->variant, array);
	uint8_t *at = bspt_vbsp_lump(f, slot, NULL, (size_t)count * layout->file_size, 0);
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
/* The areas of leafs have flags in their upper bits. */
static const bspi_leaf leafs[] = {
	{ .cluster = -1, .area = 0, .contents = 1 },
	{ .cluster = 0, .area = 1, .maxs = { 64, 64, 64 }, .leaf_face_count = BSPT_VBSP_FACES },
};

static void put_texinfos(bspt_vbsp *f)
{
	uint8_t lump[BSPT_VBSP_FACES * 96] = { 0 };
	const bspi_texinfo infos[BSPT_VBSP_FACES] = {
		[BSPT_WALL] = { .texture_vectors = { { 4, 0, 0, 0 }, { 0, -4, 0, 8 } }, .texture = 0 },
		[BSPT_SKY] = { .flags = 4, .texture = 1 },
		[BSPT_BUMPED] = { .flags = 0x800, .texture = 0 },
	};
	const bspi_layout *texinfo = layout_of(f->variant, BSPI_ARRAY_texinfos);
	bspi_light_projection projections[BSPT_VBSP_FACES] = { { { { 0.0625f, 0, 0, 2 }, { 0, 0.0625f, 0, 3 } } } };
	bspt_encode(texinfo, infos, BSPT_VBSP_FACES, lump);
	bspt_encode(layout_of(f->variant, BSPI_ARRAY_light_projections), projections, BSPT_VBSP_FACES, lump);
	bspt_vbsp_lump(f, VBSP_TEXINFO, lump, (size_t)BSPT_VBSP_FACES * texinfo->file_size, 0);
}

static void put_textures(bspt_vbsp *f)
{
	uint8_t lump[2 * 32] = { 0 }, offsets[8] = { 0 };
	const bspi_texture textures[2] = { { .width = 512, .height = 256 }, { .width = 8, .height = 8 } };
	bspt_encode(layout_of(f->variant, BSPI_ARRAY_textures), textures, 2, lump);
	bspt_store_u32(lump + 12, 1);
	bspt_store_u32(lump + 32 + 12, 0);
	bspt_store_u32(offsets, 13);
	bspt_vbsp_lump(f, VBSP_TEXDATA, lump, sizeof lump, 0);
	bspt_vbsp_lump(f, VBSP_NAME_OFFSETS, offsets, sizeof offsets, 0);
	bspt_vbsp_lump(f, VBSP_NAMES, names, sizeof names - 1, 0); /* sizeof - 1 cuts off the last name's terminator */
}

const bspi_face bspt_vbsp_faces[BSPT_VBSP_FACES] = {
	[BSPT_WALL] = {
		.edge_count = 4, .texinfo = BSPT_WALL, .dispinfo = -1, .styles = { 0, 255, 255, 255 }, .light_offset = 4,
		.lightmap_x = { 2 }, .lightmap_y = { 3 }, .lightmap_width = 4, .lightmap_height = 4,
	},
	[BSPT_SKY] = {
		.plane = 1, .edge_count = 4, .texinfo = BSPT_SKY, .dispinfo = -1, .styles = { 255, 255, 255, 255 },
		.light_offset = -1,
	},
	[BSPT_BUMPED] = {
		.edge_count = 4, .texinfo = BSPT_BUMPED, .dispinfo = -1, .styles = { 0, 255, 255, 255 }, .light_offset = 108,
		.lightmap_width = 1, .lightmap_height = 0,
	},
};

void bspt_vbsp_build(bspt_vbsp *f, const bspi_variant *variant)
{
	memset(f, 0, sizeof *f);
	f->variant = variant;
	f->size = bspt_directory_at(variant) + BSPT_VBSP_HEADER - 8;
	memcpy(f->data, "VBSP", 4);
	bspt_store_u32(f->data + 4, (uint32_t)variant->version);
	const bspi_model world = { .maxs = { 64, 64, 64 }, .face_count = BSPT_VBSP_FACES };
	bspt_vbsp_lump(f, VBSP_ENTITIES, entity_text, sizeof entity_text, 0);
	bspt_vbsp_records(f, VBSP_PLANES, BSPI_ARRAY_planes, planes, 2);
	bspt_vbsp_records(f, VBSP_VERTICES, BSPI_ARRAY_vertices, vertices, 4);
	bspt_vbsp_records(f, VBSP_EDGES, BSPI_ARRAY_edges, edges, 5);
	bspt_vbsp_records(f, VBSP_SURFEDGES, BSPI_ARRAY_surfedges, surfedges, 4);
	bspt_vbsp_records(f, VBSP_FACES, BSPI_ARRAY_faces, bspt_vbsp_faces, BSPT_VBSP_FACES);
	bspt_vbsp_records(f, VBSP_MODELS, BSPI_ARRAY_models, &world, 1);
	bspt_vbsp_records(f, VBSP_NODES, BSPI_ARRAY_nodes, nodes, 1);
	bspi_leaf flagged[2] = { leafs[0], leafs[1] };
	flagged[1].area |= variant->version == 25 ? 0x20000 : 0x200;
	bspt_vbsp_records(f, VBSP_LEAFS, BSPI_ARRAY_leafs, flagged, 2);
	bool short_leafs = layout_of(variant, BSPI_ARRAY_leafs)->file_size == 32;
	if (short_leafs && variant->version == 19) bspt_store_u32(f->data + 8 + 16 * VBSP_LEAFS + 8, 1);
	bspt_vbsp_records(f, VBSP_LEAF_FACES, BSPI_ARRAY_leaf_faces, leaf_faces, BSPT_VBSP_FACES);
	put_texinfos(f);
	put_textures(f);
	uint8_t light[108 + 2 * 4 * 4];
	for (size_t i = 0; i < sizeof light; i++) light[i] = (uint8_t)(i % 4 == 3 ? 0xff : i);
	bspt_vbsp_lump(f, VBSP_LIGHTING, light, sizeof light, 1);
}

bool bspt_vbsp_read_with(bspt_vbsp_load *f, const bspt_vbsp *file, bspscene_lightmap_encoding encoding, bool strict)
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

bool bspt_vbsp_read(bspt_vbsp_load *f, const bspt_vbsp *file)
{
	return bspt_vbsp_read_with(f, file, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, false);
}

void bspt_vbsp_end(bspt_vbsp_load *f)
{
	bspi_end_memory(&f->ctx);
	assert_int_equal(f->ctx.budget.used, 0);
	free(f->data);
}

uint32_t bspt_vbsp_warnings(const bspt_vbsp_load *f, bspscene_warning_code code)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < f->ctx.warning_count; i++) {
		if (f->ctx.warnings[i].code == code) count += f->ctx.warnings[i].count;
	}
	return count;
}

void bspt_vbsp_check(const bspt_vbsp_load *f, const bspi_variant *variant)
{
	const bspi_map *map = &f->map;
	assert_string_equal(map->variant, variant->name);
	if (f->ctx.warning_count) fail_msg("%s: %s", variant->title, f->ctx.warnings[0].message);
	assert_int_equal(map->faces_count, BSPT_VBSP_FACES);
	assert_int_equal(map->planes_count, 2);
	assert_int_equal(map->vertices_count, 4);
	assert_int_equal(map->leafs_count, 2);
	assert_int_equal(map->leafs[1].area, 1);
	assert_int_equal(map->leafs[1].leaf_face_count, BSPT_VBSP_FACES);
	const bspi_face *wall = &map->faces[BSPT_WALL];
	assert_int_equal(wall->kind, BSPI_FACE_POLYGON);
	assert_int_equal(wall->edge_count, 4);
	assert_int_equal(wall->lightmap_x[0], 2);
	assert_int_equal(wall->lightmap_y[0], 3);
	assert_int_equal(wall->lightmap_width, 5);
	assert_int_equal(wall->lightmap_height, 5);
	assert_int_equal(wall->light_offset, 4);
	assert_int_equal(wall->light_projection, BSPT_WALL);
	assert_int_equal(wall->light_sets, 1);
	assert_int_equal(map->faces[BSPT_BUMPED].light_sets, 4);
	assert_true(map->faces[BSPT_SKY].fullbright);
	assert_float_equal(map->light_projections[BSPT_WALL].vectors[1][3], 3, 0);
	assert_float_equal(map->texinfos[BSPT_WALL].texture_vectors[1][3], 8, 0);
	assert_string_equal(map->textures[wall->texture].name, "Brick/WALL01");
	assert_string_equal(map->textures[map->faces[BSPT_SKY].texture].name, "TOOLS/TOOLSSKYBOX");
	assert_int_equal(map->textures[map->faces[BSPT_SKY].texture].surface_flags, 4);
	assert_int_equal(map->textures[wall->texture].width, 512);
	assert_int_equal(map->textures[wall->texture].height, 256);
}
