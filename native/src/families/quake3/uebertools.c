/* uebertools.c - Quake III's format as written by Ritual's tools: Heavy Metal: F.A.K.K. 2 (FAKK 12), American McGee's
 * Alice (FAKK 42), Elite Force II (EF2! 20, its demo FAKK 19) and Medal of Honor: Allied Assault with its expansions
 * (2015 and EALA, 17 to 21).
 *
 * Differences from Quake III: a checksum in the header, other lump orders, patches with tolerances of their own, a
 * coarser light grid. Elite Force II swaps fields of brushes and their sides. Medal of Honor adds terrain and placed
 * models, and stores its light grid as columns of palette indices (docs/formats/quake3.md, "UberTools"). */
#include "families/quake3/quake3_common.h"

#include <string.h>

#include "families/quake3/terrain.h"

enum { DIRECTORY_AT = 12 };

/* ---- Records ---------------------------------------------------------------------------------------------- */

static const bspi_field shader_rows[] = {
	NAME_FIELD(bspi_texture, name,           0, 64),
	FIELD(bspi_texture, surface_flags,      64, U32),
	FIELD(bspi_texture, content_flags,      68, U32),
	FIELD(bspi_texture, subdivisions,       72, I32),
};
static const bspi_layout shader = LAYOUT("shader", bspi_texture, shader_rows, 76);

static const bspi_field mohaa_shader_rows[] = {
	NAME_FIELD(bspi_texture, name,           0, 64),
	FIELD(bspi_texture, surface_flags,      64, U32),
	FIELD(bspi_texture, content_flags,      68, U32),
	FIELD(bspi_texture, subdivisions,       72, I32),
	SKIP("fence mask",                      76, 64),
};
static const bspi_layout mohaa_shader = LAYOUT("shader", bspi_texture, mohaa_shader_rows, 140);

static const bspi_field surface_rows[] = {
	QUAKE3_SURFACE_FIELDS,
	FIELD(bspi_face, subdivisions,         104, F32),
};
static const bspi_layout surface = LAYOUT("surface", bspi_face, surface_rows, 108);

static const bspi_field ef2_surface_rows[] = {
	QUAKE3_SURFACE_FIELDS,
	FIELD(bspi_face, subdivisions,         104, F32),
	SKIP("base lighting surface, inverted", 108, 8),
	SKIP("terrain faces",                  116, 16),
};
static const bspi_layout ef2_surface = LAYOUT("surface", bspi_face, ef2_surface_rows, 132);

/* In triangle soups, an i32 takes the place of the first lightmap coordinate. It has no effect, because triangle soups
 * are lit by vertex colors. */
static const bspi_field ef2_vertex_rows[] = {
	FIELD(bspi_draw_vertex, position,        0, F32),
	FIELD(bspi_draw_vertex, uv,             12, F32),
	FIELD(bspi_draw_vertex, normal,         20, F32),
	FIELD(bspi_draw_vertex, color,          32, U8),
	SKIP("level of detail",                 36, 4),
	FIELD(bspi_draw_vertex, lightmap,       40, F32),
};
static const bspi_layout ef2_vertex = LAYOUT("draw vertex", bspi_draw_vertex, ef2_vertex_rows, 48);

static const bspi_field ef2_brush_rows[] = {
	FIELD(bspi_brush, side_count,            0, I32),
	FIELD(bspi_brush, first_side,            4, I32),
	FIELD(bspi_brush, texture,               8, I32),
};
static const bspi_layout ef2_brush = LAYOUT("brush", bspi_brush, ef2_brush_rows, 12);

static const bspi_field ef2_brush_side_rows[] = {
	FIELD(bspi_brush_side, texture,          0, I32),
	FIELD(bspi_brush_side, plane,            4, I32),
};
static const bspi_layout ef2_brush_side = LAYOUT("brush side", bspi_brush_side, ef2_brush_side_rows, 8);

#define LEAF_FIELDS \
	FIELD(bspi_leaf, cluster,                0, I32), \
	FIELD(bspi_leaf, area,                   4, I32), \
	FIELD(bspi_leaf, mins,                   8, I32), \
	FIELD(bspi_leaf, maxs,                  20, I32), \
	FIELD(bspi_leaf, first_leaf_face,       32, U32), \
	FIELD(bspi_leaf, leaf_face_count,       36, U32), \
	FIELD(bspi_leaf, first_leaf_brush,      40, U32), \
	FIELD(bspi_leaf, leaf_brush_count,      44, U32)

static const bspi_field mohaa17_leaf_rows[] = { LEAF_FIELDS, SKIP("terrain", 48, 8) };
static const bspi_layout mohaa17_leaf = LAYOUT("leaf", bspi_leaf, mohaa17_leaf_rows, 56);

static const bspi_field mohaa_leaf_rows[] = { LEAF_FIELDS, SKIP("terrain", 48, 8), SKIP("static models", 56, 8) };
static const bspi_layout mohaa_leaf = LAYOUT("leaf", bspi_leaf, mohaa_leaf_rows, 64);

static const bspi_field terrain_rows[] = {
	FIELD(bspi_terrain, flags,               0, U8),
	FIELD(bspi_terrain, luxels,              1, U8),
	FIELD(bspi_terrain, lightmap_x,          2, U8),
	FIELD(bspi_terrain, lightmap_y,          3, U8),
	FIELD(bspi_terrain, uvs,                 4, F32),
	FIELD(bspi_terrain, x,                  36, I8),
	FIELD(bspi_terrain, y,                  37, I8),
	FIELD(bspi_terrain, z,                  38, I16),
	FIELD(bspi_terrain, texture,            40, U16),
	FIELD(bspi_terrain, lightmap,           42, I16),
	SKIP("neighbors",                      44, 8),
	SKIP("variance trees",                  52, 252),
	FIELD(bspi_terrain, heights,           304, U8),
	SKIP("padding",                        385, 3),
};
static const bspi_layout terrain = LAYOUT("terrain", bspi_terrain, terrain_rows, 388);

static const bspi_field static_model_rows[] = {
	NAME_FIELD(bspi_static_prop, model,        0, 128),
	FIELD(bspi_static_prop, origin,          128, F32),
	FIELD(bspi_static_prop, angles,          140, F32),
	FIELD(bspi_static_prop, scale,           152, F32),
	SKIP("vertex colors",                  156, 8),
};
static const bspi_layout static_model = LAYOUT("static model", bspi_static_prop, static_model_rows, 164);

/* ---- Directories ------------------------------------------------------------------------------------------ */

static const char *const fakk_names[] = {
	"shaders", "planes", "lightmaps", "surfaces", "draw vertices", "draw indices", "leaf brushes", "leaf surfaces",
	"leafs", "nodes", "brush sides", "brushes", "fogs", "models", "entities", "visibility", "light grid",
	"entity lights", "entity light visibility", "light definitions",
};
static const bspi_lump_row fakk_lumps[] = {
	{ 0, BSPI_ARRAY_textures, &shader },
	{ 1, BSPI_ARRAY_planes, &bspi_quake3_plane },
	{ 3, BSPI_ARRAY_faces, &surface },
	{ 4, BSPI_ARRAY_draw_vertices, &bspi_quake3_draw_vertex },
	{ 5, BSPI_ARRAY_draw_indices, &bspi_quake3_index },
	{ 6, BSPI_ARRAY_leaf_brushes, &bspi_quake3_index },
	{ 7, BSPI_ARRAY_leaf_faces, &bspi_quake3_index },
	{ 8, BSPI_ARRAY_leafs, &bspi_quake3_leaf },
	{ 9, BSPI_ARRAY_nodes, &bspi_quake3_node },
	{ 10, BSPI_ARRAY_brush_sides, &bspi_quake3_brush_side },
	{ 11, BSPI_ARRAY_brushes, &bspi_quake3_brush },
	{ 12, BSPI_ARRAY_fogs, &bspi_quake3_fog },
	{ 13, BSPI_ARRAY_models, &bspi_quake3_model },
};

static const char *const ef2_names[] = {
	"shaders", "planes", "lightmaps", "base lightmaps", "continuous lightmaps", "surfaces", "draw vertices",
	"draw indices", "leaf brushes", "leaf surfaces", "leafs", "nodes", "brush sides", "brushes", "fogs", "models",
	"entities", "visibility", "light grid", "entity lights", "entity light visibility", "light definitions",
	"dynamic lights 0", "dynamic lights 1", "dynamic lights 2", "dynamic lights 3", "dynamic lights 4",
	"dynamic lights 5", "static models", "information",
};
static const bspi_lump_row ef2_lumps[] = {
	{ 0, BSPI_ARRAY_textures, &shader },
	{ 1, BSPI_ARRAY_planes, &bspi_quake3_plane },
	{ 5, BSPI_ARRAY_faces, &ef2_surface },
	{ 6, BSPI_ARRAY_draw_vertices, &ef2_vertex },
	{ 7, BSPI_ARRAY_draw_indices, &bspi_quake3_index },
	{ 8, BSPI_ARRAY_leaf_brushes, &bspi_quake3_index },
	{ 9, BSPI_ARRAY_leaf_faces, &bspi_quake3_index },
	{ 10, BSPI_ARRAY_leafs, &bspi_quake3_leaf },
	{ 11, BSPI_ARRAY_nodes, &bspi_quake3_node },
	{ 12, BSPI_ARRAY_brush_sides, &ef2_brush_side },
	{ 13, BSPI_ARRAY_brushes, &ef2_brush },
	{ 14, BSPI_ARRAY_fogs, &bspi_quake3_fog },
	{ 15, BSPI_ARRAY_models, &bspi_quake3_model },
};

#define MOHAA_NAMES_BEFORE_FOGS \
	"shaders", "planes", "lightmaps", "surfaces", "draw vertices", "draw indices", "leaf brushes", "leaf surfaces", \
	"leafs", "nodes", "side equations", "brush sides", "brushes"
#define MOHAA_NAMES_AFTER_FOGS \
	"models", "entities", "visibility", "light grid palette", "light grid offsets", "light grid", "sphere lights", \
	"sphere light visibility", "light definitions", "terrain", "terrain indices", "static model colors", \
	"static models", "static model indices", "unused"
static const char *const mohaa_names[] = { MOHAA_NAMES_BEFORE_FOGS, MOHAA_NAMES_AFTER_FOGS };
/* Versions 17 and 18 have a lump of fogs in addition (openmohaa, qfiles.h). */
static const char *const mohaa17_names[] = { MOHAA_NAMES_BEFORE_FOGS, "fogs", MOHAA_NAMES_AFTER_FOGS };

#define MOHAA_LUMPS(leaf_layout, moved) \
	{ 0, BSPI_ARRAY_textures, &mohaa_shader }, \
	{ 1, BSPI_ARRAY_planes, &bspi_quake3_plane }, \
	{ 3, BSPI_ARRAY_faces, &surface }, \
	{ 4, BSPI_ARRAY_draw_vertices, &bspi_quake3_draw_vertex }, \
	{ 5, BSPI_ARRAY_draw_indices, &bspi_quake3_index }, \
	{ 6, BSPI_ARRAY_leaf_brushes, &bspi_quake3_index }, \
	{ 7, BSPI_ARRAY_leaf_faces, &bspi_quake3_index }, \
	{ 8, BSPI_ARRAY_leafs, &leaf_layout }, \
	{ 9, BSPI_ARRAY_nodes, &bspi_quake3_node }, \
	{ 11, BSPI_ARRAY_brush_sides, &bspi_quake3_long_brush_side }, \
	{ 12, BSPI_ARRAY_brushes, &bspi_quake3_brush }, \
	{ 13 + (moved), BSPI_ARRAY_models, &bspi_quake3_model }, \
	{ 22 + (moved), BSPI_ARRAY_terrain, &terrain }, \
	{ 25 + (moved), BSPI_ARRAY_static_props, &static_model }
static const bspi_lump_row mohaa_lumps[] = { MOHAA_LUMPS(mohaa_leaf, 0) };
static const bspi_lump_row mohaa17_lumps[] = {
	MOHAA_LUMPS(mohaa17_leaf, 1), { 13, BSPI_ARRAY_fogs, &bspi_quake3_fog },
};
static const bspi_lump_row mohaa18_lumps[] = { MOHAA_LUMPS(mohaa_leaf, 1), { 13, BSPI_ARRAY_fogs, &bspi_quake3_fog } };

/* Names of all lumps, and indices of the lumps that no table reads. */
typedef struct directory_order {
	const char *const *names;
	uint8_t lump_count;
	uint8_t lightmaps, entities, visibility;
	/* the lump with the samples of the light grid; 0: the grid is in three lumps instead, which begin at
	 * grid_palette: the palette, the offsets and the columns */
	uint8_t light_grid;
	uint8_t grid_palette;
} directory_order;

#define NAMES(names) (names), sizeof (names) / sizeof *(names)
static const directory_order fakk_order = {
	NAMES(fakk_names), .lightmaps = 2, .entities = 14, .visibility = 15, .light_grid = 16,
};
static const directory_order ef2_order = {
	NAMES(ef2_names), .lightmaps = 2, .entities = 16, .visibility = 17, .light_grid = 18,
};
static const directory_order mohaa_order = {
	NAMES(mohaa_names), .lightmaps = 2, .entities = 14, .visibility = 15, .grid_palette = 16,
};
static const directory_order mohaa17_order = {
	NAMES(mohaa17_names), .lightmaps = 2, .entities = 15, .visibility = 16, .grid_palette = 17,
};

/* ---- Rules ------------------------------------------------------------------------------------------------ */

static const bspi_camera_rule cameras[] = {
	{ "info_player_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "info_player_*", BSPSCENE_CAMERA_SPAWN, false },
	{ "func_camera", BSPSCENE_CAMERA_OTHER, false },
	{ NULL, BSPSCENE_CAMERA_OTHER, false },
};
static const char *const hidden[] = { "trigger_*", NULL };
static const bspi_entity_rules entities = {
	.lights = &bspi_quake3_lights, .cameras = cameras, .hidden = hidden, .model_folder = "models/",
};

#define COMMON_RULES \
	.light_storage = BSPI_STORAGE_PAGES, .light_encoding = BSPI_LIGHT_RGB8, .light_clamp = BSPI_CLAMP_HUE, \
	.intensity = 1, \
	.first_value_wins = true, .lightmap_page_size = 128, .soups_by_vertex = true, .entities = &entities, \
	.materials = BSPI_MATERIALS_QUAKE3
/* The overbright factor is assumed to be Quake III's, on whose engine these games are based. (Medal of Honor, which is
 * based on FAKK, has the factor 2.) There was neither source code nor a screenshot to check it. */
static const bspi_rules fakk_rules = {
	COMMON_RULES, .overbright = 4, .grid_step = { 192, 192, 320 }, .eye_height = 26,
};
/* r_mapOverBrightBits is 1 and r_overBrightBits is 0 (openmohaa, tr_init.c). A player's origin is at the feet. */
#define MOHAA_RULES COMMON_RULES, .overbright = 2, .eye_height = 82
static const bspi_rules mohaa_rules = { MOHAA_RULES, .grid_step = { 32, 32, 32 } };
static const bspi_rules spearhead_rules = { MOHAA_RULES, .grid_step = { 48, 48, 64 } };
static const bspi_rules breakthrough_rules = { MOHAA_RULES, .grid_step = { 80, 80, 80 } };

#define LUMPS(rows) (rows), sizeof (rows) / sizeof *(rows)
#define MOHAA(name, title, magic, version, rules) \
	{ name, title, magic, version, LUMPS(mohaa_lumps), &rules, &mohaa_order }
static const bspi_variant variants[] = {
	{ "fakk2", "Heavy Metal: F.A.K.K. 2 (FAKK 12)", "FAKK", 12, LUMPS(fakk_lumps), &fakk_rules, &fakk_order },
	{ "alice", "American McGee's Alice (FAKK 42)", "FAKK", 42, LUMPS(fakk_lumps), &fakk_rules, &fakk_order },
	{ "eliteforce2-demo", "Elite Force II demo (FAKK 19)", "FAKK", 19, LUMPS(ef2_lumps), &fakk_rules, &ef2_order },
	{ "eliteforce2", "Elite Force II (EF2! 20)", "EF2!", 20, LUMPS(ef2_lumps), &fakk_rules, &ef2_order },
	{ "mohaa-beta", "Medal of Honor beta (2015 17)", "2015", 17, LUMPS(mohaa17_lumps), &mohaa_rules, &mohaa17_order },
	{ "mohaa-demo", "Medal of Honor demo (2015 18)", "2015", 18, LUMPS(mohaa18_lumps), &mohaa_rules, &mohaa17_order },
	MOHAA("mohaa", "Medal of Honor: Allied Assault (2015 19)", "2015", 19, mohaa_rules),
	MOHAA("spearhead", "Medal of Honor: Spearhead (EALA 20)", "EALA", 20, spearhead_rules),
	MOHAA("breakthrough", "Medal of Honor: Breakthrough (EALA 21)", "EALA", 21, breakthrough_rules),
};
enum { VARIANT_COUNT = sizeof variants / sizeof *variants };

static bool is_mohaa(const void *magic) { return !memcmp(magic, "2015", 4) || !memcmp(magic, "EALA", 4); }

/* Medal of Honor's engine accepts both magics for all its versions (openmohaa, tr_bsp.c). */
static int bid(bspi_bytes head, const bspi_variant **variant)
{
	if (head.size < DIRECTORY_AT) return 0;
	for (uint32_t i = 0; i < VARIANT_COUNT; i++) {
		bool same = !memcmp(head.data, variants[i].magic, 4);
		if (!same && !(is_mohaa(head.data) && is_mohaa(variants[i].magic))) continue;
		if (bspi_load_i32(head.data + 4) != variants[i].version) continue;
		*variant = &variants[i];
		return same ? 90 : 80;
	}
	return 0;
}

static bool directory(bspi_ctx *ctx, bspi_bytes file, const bspi_variant *variant, bspi_lump *lumps)
{
	const directory_order *order = variant->extra;
	return bspi_read_directory(ctx, file, DIRECTORY_AT, order->lump_count, order->names, lumps);
}

/* Clears the bit by which Elite Force II marks pages whose light moves. */
static void unmark_pages(bspi_map *map)
{
	const int32_t dynamic = 1 << 30;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		if (map->faces[i].lightmap[0] >= 0) map->faces[i].lightmap[0] &= ~dynamic;
	}
}

/* Clears the fog indices of faces. Medal of Honor's release has no lump of fogs, so these indices mean nothing. */
static void forget_fogs(bspi_map *map)
{
	for (uint32_t i = 0; i < map->faces_count; i++) map->faces[i].fog = -1;
}

static void finish_props(bspi_map *map)
{
	for (uint32_t i = 0; i < map->static_props_count; i++) {
		map->static_props[i].fade_scale = 1;
		memset(map->static_props[i].color, 255, 4);
	}
}

static bool finish(bspi_ctx *ctx, const bspi_variant *variant, const bspi_lump *lumps, bspi_map *map)
{
	const directory_order *order = variant->extra;
	map->entities = lumps[order->entities].bytes;
	map->lighting = lumps[order->lightmaps].bytes;
	if (order->light_grid) {
		map->light_grid = lumps[order->light_grid].bytes;
	} else {
		map->light_grid_palette = lumps[order->grid_palette].bytes;
		map->light_grid_index = lumps[order->grid_palette + 1].bytes;
		map->light_grid = lumps[order->grid_palette + 2].bytes;
	}
	if (order == &ef2_order) unmark_pages(map);
	if (order == &mohaa_order) forget_fogs(map);
	finish_props(map);
	return bspi_quake3_faces(ctx, BSPI_FACE_TRIANGLES, map) && bspi_quake3_vis(ctx, &lumps[order->visibility], map) &&
	       bspi_add_terrain(ctx, map);
}

const bspi_family bspi_family_uebertools = {
	.about = { .name = "uebertools", .title = "FAKK 2 to Medal of Honor" },
	.bid = bid, .directory = directory, .finish = finish,
	.variants = variants, .variant_count = VARIANT_COUNT, .directory_at = DIRECTORY_AT,
};
