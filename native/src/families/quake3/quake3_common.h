/* quake3_common.h - shared by Quake III's family and the UberTools games: records, kinds of surfaces, visibility. */
#ifndef BSPI_QUAKE3_COMMON_H
#define BSPI_QUAKE3_COMMON_H

#include "map/family.h"

extern const bspi_layout bspi_quake3_plane, bspi_quake3_node, bspi_quake3_leaf, bspi_quake3_index, bspi_quake3_model;
extern const bspi_layout bspi_quake3_brush, bspi_quake3_brush_side, bspi_quake3_long_brush_side,
	bspi_quake3_draw_vertex;
extern const bspi_layout bspi_quake3_fog;

/* Light rules of q3map2 (light.c): 7500 photons per unit of brightness. Linear light ends at a distance of photons /
 * 8000 game units. */
#define BSPI_Q3MAP2_LIGHTS \
	.scaled = true, .falloff = BSPSCENE_FALLOFF_INVERSE_SQUARE, .linear_flag = 1, .reach = 7500.0f / 8000, \
	.aim = BSPI_AIM_TARGET, .cone = BSPI_CONE_RADIUS, .sun = "_sun"
extern const bspi_light_rules bspi_quake3_lights;

/* The first 104 bytes of surfaces with one light style. Flares store their position in the lightmap's origin and their
 * color in its first vector. */
#define QUAKE3_SURFACE_FIELDS \
	FIELD(bspi_face, texture,                0, I32), \
	FIELD(bspi_face, fog,                    4, I32), \
	FIELD(bspi_face, game_type,              8, I32), \
	FIELD(bspi_face, first_vertex,          12, I32), \
	FIELD(bspi_face, vertex_count,          16, I32), \
	FIELD(bspi_face, first_index,           20, I32), \
	FIELD(bspi_face, index_count,           24, I32), \
	FIELD(bspi_face, lightmap[0],           28, I32), \
	FIELD(bspi_face, lightmap_x[0],         32, I32), \
	FIELD(bspi_face, lightmap_y[0],         36, I32), \
	FIELD(bspi_face, lightmap_width,        40, I32), \
	FIELD(bspi_face, lightmap_height,       44, I32), \
	FIELD(bspi_face, origin,                48, F32), \
	FIELD(bspi_face, color,                 60, F32), \
	SKIP("lightmap vector 1",               72, 12), \
	FIELD(bspi_face, normal,                84, F32), \
	FIELD(bspi_face, patch_width,           96, I32), \
	FIELD(bspi_face, patch_height,         100, I32)

enum {
	QUAKE3_SURFACE_PLANAR = 1, QUAKE3_SURFACE_PATCH, QUAKE3_SURFACE_SOUP, QUAKE3_SURFACE_FLARE, QUAKE3_SURFACE_FIFTH
};

/* Converts surface types to kinds of faces. `fifth` is what type 5 means in this game. Light slots that the file does
 * not have are marked as unused. */
bool bspi_quake3_faces(bspi_ctx *ctx, bspi_face_kind fifth, bspi_map *map);
/* Copies visibility. There is a row for each cluster that a viewer can be in. Bit n of the row is 1 if cluster n may
 * be visible from there (tr_world.c R_MarkLeaves). */
bool bspi_quake3_vis(bspi_ctx *ctx, const bspi_lump *lump, bspi_map *map);

#endif
