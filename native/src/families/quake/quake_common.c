/* quake_common.c - tables of the Quake family's records, and readers for lumps without a table. See quake_common.h.
 * docs/formats/quake.md describes them (Quake's bspfile.h, ericw-tools' bspfile_q1.hh). */
#include "families/quake/quake_common.h"

#include <stdio.h>

#include "base/text.h"

const bspi_light_rules bspi_goldsrc_lights = {
	.power = BSPI_POWER_COLOR, .falloff = BSPSCENE_FALLOFF_INVERSE_SQUARE, .aim = BSPI_AIM_PITCH, .cone = BSPI_CONE_TWO,
	.sun = "_sky", .stored_power = 0.55f, .template_key = "_tex",
};

static const bspi_field plane_rows[] = {
	FIELD(bspi_plane, normal, 0, F32),
	FIELD(bspi_plane, distance, 12, F32),
	SKIP("type", 16, 4),
};
const bspi_layout bspi_quake_plane = LAYOUT("plane", bspi_plane, plane_rows, 20);

static const bspi_field vertex_rows[] = { FIELD(bspi_vertex, position, 0, F32) };
const bspi_layout bspi_quake_vertex = LAYOUT("vertex", bspi_vertex, vertex_rows, 12);

static const bspi_field texinfo_rows[] = {
	FIELD(bspi_texinfo, texture_vectors, 0, F32),
	FIELD(bspi_texinfo, texture, 32, I32),
	FIELD(bspi_texinfo, flags, 36, U32),
};
static const bspi_layout texinfo = LAYOUT("texinfo", bspi_texinfo, texinfo_rows, 40);

/* Newer compilers write numbers above 32767, so 16-bit counts and indices are read as unsigned. */
static const bspi_field face_rows[] = {
	FIELD(bspi_face, plane, 0, U16),
	FIELD(bspi_face, side, 2, I16),
	FIELD(bspi_face, first_edge, 4, I32),
	FIELD(bspi_face, edge_count, 8, U16),
	FIELD(bspi_face, texinfo, 10, U16),
	FIELD(bspi_face, styles, 12, U8),
	FIELD(bspi_face, light_offset, 16, I32),
};
const bspi_layout bspi_quake_face = LAYOUT("face", bspi_face, face_rows, 20);

static const bspi_field wide_face_rows[] = {
	FIELD(bspi_face, plane, 0, I32),
	FIELD(bspi_face, side, 4, I32),
	FIELD(bspi_face, first_edge, 8, I32),
	FIELD(bspi_face, edge_count, 12, I32),
	FIELD(bspi_face, texinfo, 16, I32),
	FIELD(bspi_face, styles, 20, U8),
	FIELD(bspi_face, light_offset, 24, I32),
};
const bspi_layout bspi_quake_wide_face = LAYOUT("face", bspi_face, wide_face_rows, 28);

static const bspi_field node_rows[] = {
	FIELD(bspi_node, plane, 0, I32),
	FIELD(bspi_node, children, 4, U16),
	FIELD(bspi_node, mins, 8, I16),
	FIELD(bspi_node, maxs, 14, I16),
	FIELD(bspi_node, first_face, 20, U16),
	FIELD(bspi_node, face_count, 22, U16),
};
static const bspi_layout node = LAYOUT("node", bspi_node, node_rows, 24);

static const bspi_field node_2psb_rows[] = {
	FIELD(bspi_node, plane, 0, I32),
	FIELD(bspi_node, children, 4, I32),
	FIELD(bspi_node, mins, 12, I16),
	FIELD(bspi_node, maxs, 18, I16),
	FIELD(bspi_node, first_face, 24, U32),
	FIELD(bspi_node, face_count, 28, U32),
};
static const bspi_layout node_2psb = LAYOUT("node", bspi_node, node_2psb_rows, 32);

static const bspi_field node_bsp2_rows[] = {
	FIELD(bspi_node, plane, 0, I32),
	FIELD(bspi_node, children, 4, I32),
	FIELD(bspi_node, mins, 12, F32),
	FIELD(bspi_node, maxs, 24, F32),
	FIELD(bspi_node, first_face, 36, U32),
	FIELD(bspi_node, face_count, 40, U32),
};
const bspi_layout bspi_quake_node_bsp2 = LAYOUT("node", bspi_node, node_bsp2_rows, 44);

static const bspi_field leaf_rows[] = {
	FIELD(bspi_leaf, contents, 0, I32),
	FIELD(bspi_leaf, vis_offset, 4, I32),
	FIELD(bspi_leaf, mins, 8, I16),
	FIELD(bspi_leaf, maxs, 14, I16),
	FIELD(bspi_leaf, first_leaf_face, 20, U16),
	FIELD(bspi_leaf, leaf_face_count, 22, U16),
	FIELD(bspi_leaf, ambient, 24, U8),
};
static const bspi_layout leaf = LAYOUT("leaf", bspi_leaf, leaf_rows, 28);

static const bspi_field leaf_2psb_rows[] = {
	FIELD(bspi_leaf, contents, 0, I32),
	FIELD(bspi_leaf, vis_offset, 4, I32),
	FIELD(bspi_leaf, mins, 8, I16),
	FIELD(bspi_leaf, maxs, 14, I16),
	FIELD(bspi_leaf, first_leaf_face, 20, U32),
	FIELD(bspi_leaf, leaf_face_count, 24, U32),
	FIELD(bspi_leaf, ambient, 28, U8),
};
static const bspi_layout leaf_2psb = LAYOUT("leaf", bspi_leaf, leaf_2psb_rows, 32);

static const bspi_field leaf_bsp2_rows[] = {
	FIELD(bspi_leaf, contents, 0, I32),
	FIELD(bspi_leaf, vis_offset, 4, I32),
	FIELD(bspi_leaf, mins, 8, F32),
	FIELD(bspi_leaf, maxs, 20, F32),
	FIELD(bspi_leaf, first_leaf_face, 32, U32),
	FIELD(bspi_leaf, leaf_face_count, 36, U32),
	FIELD(bspi_leaf, ambient, 40, U8),
};
static const bspi_layout leaf_bsp2 = LAYOUT("leaf", bspi_leaf, leaf_bsp2_rows, 44);

static const bspi_field clipnode_rows[] = {
	FIELD(bspi_clipnode, plane, 0, I32),
	FIELD(bspi_clipnode, children, 4, U16),
};
static const bspi_layout clipnode = LAYOUT("clipnode", bspi_clipnode, clipnode_rows, 8);

static const bspi_field wide_clipnode_rows[] = {
	FIELD(bspi_clipnode, plane, 0, I32),
	FIELD(bspi_clipnode, children, 4, I32),
};
static const bspi_layout wide_clipnode = LAYOUT("clipnode", bspi_clipnode, wide_clipnode_rows, 12);

static const bspi_field short_index_rows[] = { FIELD(bspi_index, value, 0, U16) };
const bspi_layout bspi_quake_short_index = LAYOUT("leaf index", bspi_index, short_index_rows, 2);
static const bspi_field long_index_rows[] = { FIELD(bspi_index, value, 0, U32) };
const bspi_layout bspi_quake_long_index = LAYOUT("leaf index", bspi_index, long_index_rows, 4);

static const bspi_field short_edge_rows[] = { FIELD(bspi_edge, vertices, 0, U16) };
const bspi_layout bspi_quake_short_edge = LAYOUT("edge", bspi_edge, short_edge_rows, 4);
static const bspi_field long_edge_rows[] = { FIELD(bspi_edge, vertices, 0, U32) };
const bspi_layout bspi_quake_long_edge = LAYOUT("edge", bspi_edge, long_edge_rows, 8);

static const bspi_field surfedge_rows[] = { FIELD(bspi_surfedge, value, 0, I32) };
const bspi_layout bspi_quake_surfedge = LAYOUT("surfedge", bspi_surfedge, surfedge_rows, 4);

static const bspi_field brush_rows[] = {
	FIELD(bspi_brush, first_side, 0, I32),
	FIELD(bspi_brush, side_count, 4, I32),
	FIELD(bspi_brush, contents, 8, I32),
};
const bspi_layout bspi_quake2_brush = LAYOUT("brush", bspi_brush, brush_rows, 12);

static const bspi_field area_rows[] = {
	FIELD(bspi_area, portal_count, 0, I32),
	FIELD(bspi_area, first_portal, 4, I32),
};
const bspi_layout bspi_quake2_area = LAYOUT("area", bspi_area, area_rows, 8);

/* The number n of hulls is 4 in Quake and GoldSrc, 8 in Hexen II. */
#define HEAD_NODES(n) { "head_nodes", 36, offsetof(bspi_model, head_nodes), (n), BSPI_I32, BSPI_MEMORY_I32 }

static const bspi_field model_rows[] = {
	FIELD(bspi_model, mins, 0, F32),
	FIELD(bspi_model, maxs, 12, F32),
	FIELD(bspi_model, origin, 24, F32),
	HEAD_NODES(4),
	FIELD(bspi_model, visleafs, 52, I32),
	FIELD(bspi_model, first_face, 56, I32),
	FIELD(bspi_model, face_count, 60, I32),
};
static const bspi_layout model = LAYOUT("model", bspi_model, model_rows, 64);

static const bspi_field hexen2_model_rows[] = {
	FIELD(bspi_model, mins, 0, F32),
	FIELD(bspi_model, maxs, 12, F32),
	FIELD(bspi_model, origin, 24, F32),
	HEAD_NODES(8),
	FIELD(bspi_model, visleafs, 68, I32),
	FIELD(bspi_model, first_face, 72, I32),
	FIELD(bspi_model, face_count, 76, I32),
};
static const bspi_layout hexen2_model = LAYOUT("model", bspi_model, hexen2_model_rows, 80);

/* There is no row for light projections, because they come from BSPX. */
#define ROWS(face_layout, node_layout, leaf_layout, clip_layout, index_layout, edge_layout, model_layout) { \
	{ QUAKE_PLANES, BSPI_ARRAY_planes, &bspi_quake_plane }, \
	{ QUAKE_VERTICES, BSPI_ARRAY_vertices, &bspi_quake_vertex }, \
	{ QUAKE_NODES, BSPI_ARRAY_nodes, &node_layout }, \
	{ QUAKE_TEXINFO, BSPI_ARRAY_texinfos, &texinfo }, \
	{ QUAKE_FACES, BSPI_ARRAY_faces, &face_layout }, \
	{ QUAKE_CLIPNODES, BSPI_ARRAY_clipnodes, &clip_layout }, \
	{ QUAKE_LEAFS, BSPI_ARRAY_leafs, &leaf_layout }, \
	{ QUAKE_MARKSURFACES, BSPI_ARRAY_leaf_faces, &index_layout }, \
	{ QUAKE_EDGES, BSPI_ARRAY_edges, &edge_layout }, \
	{ QUAKE_SURFEDGES, BSPI_ARRAY_surfedges, &bspi_quake_surfedge }, \
	{ QUAKE_MODELS, BSPI_ARRAY_models, &model_layout }, \
}
const bspi_lump_row bspi_quake_rows[QUAKE_TABLE_COUNT] = ROWS(bspi_quake_face, node, leaf, clipnode,
                                                              bspi_quake_short_index, bspi_quake_short_edge, model);
const bspi_lump_row bspi_hexen2_rows[QUAKE_TABLE_COUNT] = ROWS(bspi_quake_face, node, leaf, clipnode,
                                                               bspi_quake_short_index, bspi_quake_short_edge,
                                                               hexen2_model);
const bspi_lump_row bspi_2psb_rows[QUAKE_TABLE_COUNT] = ROWS(bspi_quake_wide_face, node_2psb, leaf_2psb, wide_clipnode,
                                                             bspi_quake_long_index, bspi_quake_long_edge, model);
const bspi_lump_row bspi_2psb_hexen2_rows[QUAKE_TABLE_COUNT] = ROWS(bspi_quake_wide_face, node_2psb, leaf_2psb,
                                                                    wide_clipnode, bspi_quake_long_index,
                                                                    bspi_quake_long_edge, hexen2_model);
const bspi_lump_row bspi_bsp2_rows[QUAKE_TABLE_COUNT] = ROWS(bspi_quake_wide_face, bspi_quake_node_bsp2, leaf_bsp2,
                                                             wide_clipnode, bspi_quake_long_index, bspi_quake_long_edge,
                                                             model);
const bspi_lump_row bspi_bsp2_hexen2_rows[QUAKE_TABLE_COUNT] = ROWS(bspi_quake_wide_face, bspi_quake_node_bsp2,
                                                                    leaf_bsp2, wide_clipnode, bspi_quake_long_index,
                                                                    bspi_quake_long_edge, hexen2_model);

static const char *const lump_names[QUAKE_LUMP_COUNT] = {
	"entities", "planes", "textures", "vertices", "visibility", "nodes", "texinfo", "faces", "lighting", "clipnodes",
	"leafs", "marksurfaces", "edges", "surfedges", "models",
};

bool bspi_quake_directory(bspi_ctx *ctx, bspi_bytes file, const bspi_variant *variant, bspi_lump *lumps)
{
	(void)variant;
	return bspi_read_directory(ctx, file, QUAKE_DIRECTORY_OFFSET, QUAKE_LUMP_COUNT, lump_names, lumps);
}

bspi_bytes bspi_quake_peek(bspi_bytes file, uint32_t slot)
{
	bspi_cursor cursor = bspi_cursor_at(file, QUAKE_DIRECTORY_OFFSET + 8 * (size_t)slot);
	int32_t offset = bspi_take_i32(&cursor), size = bspi_take_i32(&cursor);
	bspi_bytes lump = BSPI_NO_BYTES;
	if (!cursor.failed && offset >= 0 && size > 0) bspi_slice(file, (uint64_t)offset, (uint64_t)size, &lump);
	return lump;
}

bool bspi_quake_has_entities(bspi_bytes file, uint32_t slot)
{
	bspi_cursor cursor = bspi_cursor_at(file, QUAKE_DIRECTORY_OFFSET + 8 * (size_t)slot);
	uint32_t offset = bspi_take_u32(&cursor), size = bspi_take_u32(&cursor);
	bspi_bytes lump = cursor.failed ? BSPI_NO_BYTES : bspi_peek_lump(file, offset, size);
	size_t at = 0;
	while (at < lump.size && lump.data[at] <= ' ') at++;
	if (at == lump.size || lump.data[at++] != '{') return false;
	while (at < lump.size && lump.data[at] <= ' ') at++;
	return at < lump.size && lump.data[at] == '"';
}

enum { MIPTEX_HEADER = 40, MIPTEX_NAME = 16 };

/* Reads a miptex. The span of its pixels reaches to the end of the file, because pixels may continue after the lump's
 * end (quakespasm gl_model.c names two released maps). */
static bool read_miptex(bspi_ctx *ctx, const bspi_lump *lump, int32_t offset, uint32_t index, const bspi_map *map,
                        bspi_texture *out)
{
	bspi_bytes header;
	snprintf(out->name, sizeof out->name, "unnamed%u", index);
	if (offset == -1) return true;     /* a texture that the compiler did not find */
	if (offset < 0 || !bspi_slice(lump->bytes, (uint64_t)offset, MIPTEX_HEADER, &header)) {
		return bspi_warn(ctx, BSPSCENE_WARNING_REFERENCE, BSPI_RECORD("textures", index),
		                 "the texture is at offset %d, past the end of the lump: it is missing", offset);
	}
	size_t length = 0;
	while (length < MIPTEX_NAME && header.data[length]) length++;
	memcpy(out->name, header.data, length);
	out->name[length] = 0;
	out->width = bspi_load_u32(header.data + 16);
	out->height = bspi_load_u32(header.data + 20);
	if (!out->width || !out->height || out->width > 8192 || out->height > 8192) {
		uint32_t width = out->width, height = out->height;
		out->width = out->height = 0;
		return bspi_warn(ctx, BSPSCENE_WARNING_REFERENCE, BSPI_RECORD("textures", index),
		                 "a size of %u x %u pixels is not possible: the texture is missing", width, height);
	}
	bspi_slice(map->file, lump->offset + (uint64_t)offset, map->file.size - lump->offset - (uint64_t)offset,
	           &out->miptex);
	return true;
}

bool bspi_quake_textures(bspi_ctx *ctx, const bspi_lump *lump, bspi_map *map)
{
	bspi_cursor cursor = bspi_cursor_at(lump->bytes, 0);
	uint32_t count = lump->bytes.size ? bspi_take_u32(&cursor) : 0;
	uint32_t most = lump->bytes.size >= 4 ? (uint32_t)((lump->bytes.size - 4) / 4) : 0;
	if (count > most) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_LUMP_TAIL, BSPI_LUMP("textures"),
		                   "the lump claims %u textures, but has room for %u: the others are missing", count, most));
		count = most;
	}
	map->textures = bspi_push(ctx, &ctx->scratch, bspi_texture, count);
	BSPI_TRY(map->textures);
	map->textures_count = count;
	for (uint32_t i = 0; i < count; i++) {
		map->textures[i].miptex = BSPI_NO_BYTES;
		BSPI_TRY(read_miptex(ctx, lump, bspi_take_i32(&cursor), i, map, &map->textures[i]));
	}
	return true;
}

bool bspi_quake_vis(bspi_ctx *ctx, bspi_bytes rows, bspi_map *map)
{
	int32_t visleafs = map->models_count ? map->models[0].visleafs : 0;
	for (uint32_t i = 0; i < map->leafs_count; i++) map->leafs[i].cluster = -1;
	if (visleafs <= 0 || (uint32_t)visleafs >= map->leafs_count) return true;
	uint32_t clusters = (uint32_t)visleafs;
	uint32_t *offsets = bspi_push(ctx, &ctx->scratch, uint32_t, clusters);
	BSPI_TRY(offsets);
	for (uint32_t i = 0; i < clusters; i++) {
		map->leafs[i + 1].cluster = (int32_t)i;
		offsets[i] = (uint32_t)map->leafs[i + 1].vis_offset; /* -1: the leaf sees everything */
	}
	/* If the lump is empty, everything is visible, and the offsets are 0 (134 maps). */
	return rows.size ? bspi_decode_vis(ctx, rows, offsets, clusters, map) : true;
}

/* Converts a child that was read as an unsigned 16-bit number. If it is below the number of nodes, it is the index
 * of a node. Otherwise it stands for a negative number, so 65536 is subtracted (quakespasm gl_model.c). */
static int32_t narrow_child(int32_t child, uint32_t nodes)
{
	return (uint32_t)child < nodes ? child : child - 65536;
}

void bspi_quake_narrow_children(bspi_map *map)
{
	for (uint32_t i = 0; i < map->nodes_count; i++) {
		for (int k = 0; k < 2; k++) {
			map->nodes[i].children[k] = narrow_child(map->nodes[i].children[k], map->nodes_count);
		}
	}
	for (uint32_t i = 0; i < map->clipnodes_count; i++) {
		for (int k = 0; k < 2; k++) {
			map->clipnodes[i].children[k] = narrow_child(map->clipnodes[i].children[k], map->clipnodes_count);
		}
	}
}

void bspi_quake_faces(bspi_map *map)
{
	for (uint32_t i = 0; i < map->faces_count; i++) {
		bspi_face *f = &map->faces[i];
		bool known = f->texinfo >= 0 && (uint32_t)f->texinfo < map->texinfos_count;
		f->kind = BSPI_FACE_POLYGON;
		f->texture = known ? map->texinfos[f->texinfo].texture : -1;
		f->fog = f->dispinfo = f->light_projection = f->first_normal = -1;
		f->fullbright = known && map->texinfos[f->texinfo].flags & QUAKE_SPECIAL;
	}
}
