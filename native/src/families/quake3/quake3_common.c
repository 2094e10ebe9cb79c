/* quake3_common.c - tables of the Quake III family's records, and functions for faces and visibility. See
 * quake3_common.h. */
#include "families/quake3/quake3_common.h"

const bspi_light_rules bspi_quake3_lights = { BSPI_Q3MAP2_LIGHTS };

static const bspi_field plane_rows[] = {
	FIELD(bspi_plane, normal,                0, F32),
	FIELD(bspi_plane, distance,             12, F32),
};
const bspi_layout bspi_quake3_plane = LAYOUT("plane", bspi_plane, plane_rows, 16);

static const bspi_field node_rows[] = {
	FIELD(bspi_node, plane,                  0, I32),
	FIELD(bspi_node, children,               4, I32),
	FIELD(bspi_node, mins,                  12, I32),
	FIELD(bspi_node, maxs,                  24, I32),
};
const bspi_layout bspi_quake3_node = LAYOUT("node", bspi_node, node_rows, 36);

static const bspi_field leaf_rows[] = {
	FIELD(bspi_leaf, cluster,                0, I32),
	FIELD(bspi_leaf, area,                   4, I32),
	FIELD(bspi_leaf, mins,                   8, I32),
	FIELD(bspi_leaf, maxs,                  20, I32),
	FIELD(bspi_leaf, first_leaf_face,       32, U32),
	FIELD(bspi_leaf, leaf_face_count,       36, U32),
	FIELD(bspi_leaf, first_leaf_brush,      40, U32),
	FIELD(bspi_leaf, leaf_brush_count,      44, U32),
};
const bspi_layout bspi_quake3_leaf = LAYOUT("leaf", bspi_leaf, leaf_rows, 48);

static const bspi_field number_rows[] = {
	FIELD(bspi_index, value,                 0, U32),
};
const bspi_layout bspi_quake3_index = LAYOUT("index", bspi_index, number_rows, 4);

static const bspi_field model_rows[] = {
	FIELD(bspi_model, mins,                  0, F32),
	FIELD(bspi_model, maxs,                 12, F32),
	FIELD(bspi_model, first_face,           24, I32),
	FIELD(bspi_model, face_count,           28, I32),
	FIELD(bspi_model, first_brush,          32, I32),
	FIELD(bspi_model, brush_count,          36, I32),
};
const bspi_layout bspi_quake3_model = LAYOUT("model", bspi_model, model_rows, 40);

static const bspi_field brush_rows[] = {
	FIELD(bspi_brush, first_side,            0, I32),
	FIELD(bspi_brush, side_count,            4, I32),
	FIELD(bspi_brush, texture,               8, I32),
};
const bspi_layout bspi_quake3_brush = LAYOUT("brush", bspi_brush, brush_rows, 12);

static const bspi_field brush_side_rows[] = {
	FIELD(bspi_brush_side, plane,            0, I32),
	FIELD(bspi_brush_side, texture,          4, I32),
};
const bspi_layout bspi_quake3_brush_side = LAYOUT("brush side", bspi_brush_side, brush_side_rows, 8);

/* The last field of the records is uninitialized in two of three released FBSP maps. */
static const bspi_field long_brush_side_rows[] = {
	FIELD(bspi_brush_side, plane,            0, I32),
	FIELD(bspi_brush_side, texture,          4, I32),
	SKIP("draw surface",                     8, 4),
};
const bspi_layout bspi_quake3_long_brush_side = LAYOUT("brush side (12)", bspi_brush_side, long_brush_side_rows, 12);

static const bspi_field draw_vertex_rows[] = {
	FIELD(bspi_draw_vertex, position,        0, F32),
	FIELD(bspi_draw_vertex, uv,             12, F32),
	FIELD(bspi_draw_vertex, lightmap,       20, F32),
	FIELD(bspi_draw_vertex, normal,         28, F32),
	FIELD(bspi_draw_vertex, color,          40, U8),
};
const bspi_layout bspi_quake3_draw_vertex = LAYOUT("draw vertex", bspi_draw_vertex, draw_vertex_rows, 44);

static const bspi_field fog_rows[] = {
	NAME_FIELD(bspi_fog, shader,             0, 64),
	FIELD(bspi_fog, brush,                  64, I32),
	FIELD(bspi_fog, visible_side,           68, I32),
};
const bspi_layout bspi_quake3_fog = LAYOUT("fog", bspi_fog, fog_rows, 72);

static bspi_face_kind kind_of(int32_t type, bspi_face_kind fifth)
{
	switch (type) {
	case QUAKE3_SURFACE_PLANAR: case QUAKE3_SURFACE_SOUP: return BSPI_FACE_TRIANGLES;
	case QUAKE3_SURFACE_PATCH: return BSPI_FACE_PATCH;
	case QUAKE3_SURFACE_FLARE: return BSPI_FACE_FLARE;
	case QUAKE3_SURFACE_FIFTH: return fifth;
	default: return BSPI_FACE_DROPPED;
	}
}

bool bspi_quake3_faces(bspi_ctx *ctx, bspi_face_kind fifth, bspi_map *map)
{
	bool one_style = !map->draw_vertex_styles_count;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		bspi_face *face = &map->faces[i];
		face->kind = kind_of(face->game_type, fifth);
		face->soup = face->game_type == QUAKE3_SURFACE_SOUP;
		face->plane = face->texinfo = face->dispinfo = face->light_offset = face->light_projection = -1;
		for (int slot = 1; slot < BSPI_MAX_STYLES && one_style; slot++) {
			face->lightmap[slot] = BSPI_PAGE_BY_VERTEX;
			face->styles[slot] = face->vertex_styles[slot] = 255;
		}
		if (face->kind == BSPI_FACE_DROPPED) {
			BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_FACE_DROPPED, bspi_record_location(map, BSPI_ARRAY_faces, i),
			                   "left out: its type %d is unknown", (int)face->game_type));
		}
	}
	return true;
}

bool bspi_quake3_vis(bspi_ctx *ctx, const bspi_lump *lump, bspi_map *map)
{
	enum { HEADER_SIZE = 8 };
	if (!lump->bytes.size) return true;
	bspi_cursor cursor = bspi_cursor_at(lump->bytes, 0);
	int32_t clusters = bspi_take_i32(&cursor), row_size = bspi_take_i32(&cursor);
	bool fits = !cursor.failed && clusters >= 0 && row_size >= 0 && (int64_t)row_size * 8 >= clusters &&
	            (uint64_t)clusters * (uint64_t)row_size <= lump->bytes.size - HEADER_SIZE;
	if (!fits) {
		return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP_AT(lump->name, lump->offset),
		                 "visibility left out: %d rows of %d bytes do not fit into its %zu bytes", (int)clusters,
		                 (int)row_size, lump->bytes.size);
	}
	map->cluster_count = (uint32_t)clusters;
	map->vis_row_size = (uint32_t)row_size;
	map->vis_rows = lump->bytes.data + HEADER_SIZE;
	return true;
}
