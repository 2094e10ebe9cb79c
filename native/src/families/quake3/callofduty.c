/* callofduty.c - Call of Duty and United Offensive (IBSP 59), their demo (IBSP 58), and Call of Duty 2 (IBSP 4).
 *
 * The formats are derived from Quake III. All surfaces are triangle soups, without patches and planes. Call of Duty 2
 * stores the same records in other lumps, and its vertices have tangents. The planes of its lightmaps are undocumented,
 * so its maps are shown with vertex light. */
#include "families/quake3/callofduty_common.h"

enum slot { MATERIALS, LIGHTMAPS, PLANES, BRUSH_SIDES, BRUSHES, SOUPS = 6, VERTICES, INDICES, NODES = 20, LEAFS,
            LEAF_BRUSHES, LEAF_SURFACES, MODELS = 27, VISIBILITY, ENTITIES, SLOT_COUNT = 33 };

static const char *const lump_names[SLOT_COUNT] = {
	"materials", "lightmaps", "planes", "brush sides", "brushes", "unused", "soups", "draw vertices", "draw indices",
	"cull groups", "cull group indices", "portal vertices", "occluders", "occluder planes", "occluder edges",
	"occluder indices", "boxes", "cells", "portals", "light indices", "nodes", "leafs", "leaf brushes", "leaf surfaces",
	"patch collision", "collision vertices", "collision indices", "models", "visibility", "entities", "lights",
	"unused 2", "light grid",
};

enum slot2 { MATERIALS2, PLANES2 = 4, BRUSH_SIDES2, BRUSHES2, SOUPS2, VERTICES2, INDICES2, NODES2 = 25, LEAFS2,
             LEAF_BRUSHES2, LEAF_SURFACES2, MODELS2 = 35, ENTITIES2 = 37, SLOT_COUNT2 = 39 };

static const char *const lump_names2[SLOT_COUNT2] = {
	"materials", "lightmaps", "grid entries", "grid colors", "planes", "brush sides", "brushes", "soups",
	"draw vertices", "draw indices", "cull groups", "cull group indices", "obsolete 12", "obsolete 13", "obsolete 14",
	"obsolete 15", "obsolete 16", "portal vertices", "occluders", "occluder planes", "occluder edges",
	"occluder indices", "boxes", "cells", "portals", "nodes", "leafs", "leaf brushes", "leaf surfaces",
	"collision vertices", "collision edges", "collision triangles", "collision borders", "collision parts",
	"collision boxes", "models", "visibility", "entities", "paths",
};

/* The differences of a variant in the directory of lumps. */
typedef struct callofduty_quirks {
	uint32_t slot_count, entities;
	const char *const *lump_names;
	bool offset_first, lit;
} callofduty_quirks;

static const callofduty_quirks retail = { SLOT_COUNT, ENTITIES, lump_names, false, true };
static const callofduty_quirks demo = { SLOT_COUNT, ENTITIES, lump_names, true, true };
static const callofduty_quirks second = { SLOT_COUNT2, ENTITIES2, lump_names2, false, false };

enum { DIRECTORY_AT = 8, PAGE_SIDE = 512 };

/* ---- Records ---------------------------------------------------------------------------------------------- */

static const bspi_field soup_rows[] = {
	FIELD(bspi_face, texture,                0, U16),
	FIELD(bspi_face, lightmap[0],            2, U16),
	FIELD(bspi_face, first_vertex,           4, I32),
	FIELD(bspi_face, vertex_count,           8, U16),
	FIELD(bspi_face, index_count,           10, U16),
	FIELD(bspi_face, first_index,           12, I32),
};
static const bspi_layout soup = LAYOUT("soup", bspi_face, soup_rows, 16);

static const bspi_field leaf_rows[] = {
	FIELD(bspi_leaf, cluster,                0, I32),
	FIELD(bspi_leaf, area,                   4, I32),
	FIELD(bspi_leaf, first_leaf_face,        8, U32),
	FIELD(bspi_leaf, leaf_face_count,       12, U32),
	FIELD(bspi_leaf, first_leaf_brush,      16, U32),
	FIELD(bspi_leaf, leaf_brush_count,      20, U32),
	SKIP("cell, lights",                    24, 12),
};
static const bspi_layout leaf = LAYOUT("leaf", bspi_leaf, leaf_rows, 36);

static const bspi_field model_rows[] = {
	FIELD(bspi_model, mins,                  0, F32),
	FIELD(bspi_model, maxs,                 12, F32),
	FIELD(bspi_model, first_face,           24, I32),
	FIELD(bspi_model, face_count,           28, I32),
	SKIP("boxes",                           32, 8),
	FIELD(bspi_model, first_brush,          40, I32),
	FIELD(bspi_model, brush_count,          44, I32),
};
static const bspi_layout model = LAYOUT("model", bspi_model, model_rows, 48);

static const bspi_lump_row lump_rows[] = {
	{ MATERIALS, BSPI_ARRAY_textures, &bspi_callofduty_material },
	{ PLANES, BSPI_ARRAY_planes, &bspi_quake3_plane },
	{ BRUSH_SIDES, BSPI_ARRAY_brush_sides, &bspi_quake3_brush_side },
	{ BRUSHES, BSPI_ARRAY_brushes, &bspi_callofduty_brush },
	{ SOUPS, BSPI_ARRAY_faces, &soup },
	{ VERTICES, BSPI_ARRAY_draw_vertices, &bspi_quake3_draw_vertex },
	{ INDICES, BSPI_ARRAY_draw_indices, &bspi_callofduty_index },
	{ NODES, BSPI_ARRAY_nodes, &bspi_quake3_node },
	{ LEAFS, BSPI_ARRAY_leafs, &leaf },
	{ LEAF_BRUSHES, BSPI_ARRAY_leaf_brushes, &bspi_quake3_index },
	{ LEAF_SURFACES, BSPI_ARRAY_leaf_faces, &bspi_quake3_index },
	{ MODELS, BSPI_ARRAY_models, &model },
};

static const bspi_lump_row lump_rows2[] = {
	{ MATERIALS2, BSPI_ARRAY_textures, &bspi_callofduty_material },
	{ PLANES2, BSPI_ARRAY_planes, &bspi_quake3_plane },
	{ BRUSH_SIDES2, BSPI_ARRAY_brush_sides, &bspi_quake3_brush_side },
	{ BRUSHES2, BSPI_ARRAY_brushes, &bspi_callofduty_brush },
	{ SOUPS2, BSPI_ARRAY_faces, &soup },
	{ VERTICES2, BSPI_ARRAY_draw_vertices, &bspi_callofduty_vertex },
	{ INDICES2, BSPI_ARRAY_draw_indices, &bspi_callofduty_index },
	{ NODES2, BSPI_ARRAY_nodes, &bspi_quake3_node },
	{ LEAFS2, BSPI_ARRAY_leafs, &leaf },
	{ LEAF_BRUSHES2, BSPI_ARRAY_leaf_brushes, &bspi_quake3_index },
	{ LEAF_SURFACES2, BSPI_ARRAY_leaf_faces, &bspi_quake3_index },
	{ MODELS2, BSPI_ARRAY_models, &model },
};

/* ---- Rules ------------------------------------------------------------------------------------------------ */

static const bspi_camera_rule cameras[] = {
	{ "mp_deathmatch_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "mp_teamdeathmatch_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "mp_searchanddestroy_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "mp_retrieval_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "mp_deathmatch_spawn", BSPSCENE_CAMERA_SPAWN, false },
	{ "mp_teamdeathmatch_spawn", BSPSCENE_CAMERA_SPAWN, false },
	{ "mp_searchanddestroy_spawn_*", BSPSCENE_CAMERA_SPAWN, false },
	{ "mp_retrieval_spawn_*", BSPSCENE_CAMERA_SPAWN, false },
	{ "mp_global_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "mp_dm_spawn*", BSPSCENE_CAMERA_SPAWN, false },
	{ "mp_tdm_spawn*", BSPSCENE_CAMERA_SPAWN, false },
	{ "mp_ctf_spawn*", BSPSCENE_CAMERA_SPAWN, false },
	{ "mp_sd_spawn*", BSPSCENE_CAMERA_SPAWN, false },
	{ "info_player_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "info_player_*", BSPSCENE_CAMERA_SPAWN, false },
	{ NULL, BSPSCENE_CAMERA_OTHER, false },
};
static const bspi_entity_rules entity_rules = {
	.lights = &bspi_quake3_lights, .cameras = cameras, .hidden = bspi_callofduty_hidden, .angle_is_yaw = true,
	.model_folder = "xmodel/", .models_by_name = true,
};

/* The engine's r_overBrightBits is 1. The engine does not double the lightmaps; the display's gamma ramp doubles the
 * finished picture. So light is doubled after it is multiplied by the texture. */
#define RULES(format) { \
	.light_storage = BSPI_STORAGE_PAGES, .light_encoding = BSPI_LIGHT_RGB8, .light_clamp = BSPI_CLAMP_CHANNELS, \
	.overbright = 1, .intensity = 2, .lightmap_page_size = PAGE_SIDE, .first_value_wins = true, \
	.grid_step = { 64, 64, 128 }, .eye_height = 60, .entities = &entity_rules, .materials = (format) }
static const bspi_rules rules = RULES(BSPI_MATERIALS_QUAKE3), rules2 = RULES(BSPI_MATERIALS_CALLOFDUTY2);

/* ---- Recognizing the game --------------------------------------------------------------------------------- */

enum { RETAIL, DEMO, SECOND, VARIANT_COUNT };

#define ROWS(rows) rows, sizeof (rows) / sizeof *(rows)
static const bspi_variant variants[VARIANT_COUNT] = {
	[RETAIL] = { "callofduty", "Call of Duty, United Offensive (IBSP 59)", "IBSP", 59, ROWS(lump_rows), &rules,
	             &retail },
	[DEMO] = { "callofduty-demo", "Call of Duty demo (IBSP 58)", "IBSP", 58, ROWS(lump_rows), &rules, &demo },
	[SECOND] = { "callofduty2", "Call of Duty 2 (IBSP 4)", "IBSP", 4, ROWS(lump_rows2), &rules2, &second },
};

static int bid(bspi_bytes head, const bspi_variant **variant)
{
	if (head.size < DIRECTORY_AT || memcmp(head.data, "IBSP", 4)) return 0;
	for (uint32_t i = 0; i < VARIANT_COUNT; i++) {
		if (bspi_load_i32(head.data + 4) != variants[i].version) continue;
		*variant = &variants[i];
		return 90;
	}
	return 0;
}

/* In the directory, a lump's size comes before its offset, except in the demo. */
static bool directory(bspi_ctx *ctx, bspi_bytes file, const bspi_variant *variant, bspi_lump *lumps)
{
	const callofduty_quirks *own = variant->extra;
	if (own->offset_first) {
		return bspi_read_directory(ctx, file, DIRECTORY_AT, own->slot_count, own->lump_names, lumps);
	}
	BSPI_CHECK(ctx, file.size >= DIRECTORY_AT + 8 * (size_t)own->slot_count, BSPSCENE_ERROR_BAD_HEADER, BSPI_NOWHERE,
	           "the file ends in its header, after %zu bytes: it is cut off", file.size);
	bspi_cursor cursor = bspi_cursor_at(file, DIRECTORY_AT);
	for (uint32_t i = 0; i < own->slot_count; i++) {
		int32_t size = bspi_take_i32(&cursor), offset = bspi_take_i32(&cursor);
		lumps[i].name = own->lump_names[i];
		lumps[i].size_at = cursor.at - 8;
		lumps[i].place_at = cursor.at - 4;
		BSPI_TRY(bspi_open_lump(ctx, file, offset, size, &lumps[i]));
	}
	return true;
}

/* ---- After reading tables --------------------------------------------------------------------------------- */

static bool finish(bspi_ctx *ctx, const bspi_variant *variant, const bspi_lump *lumps, bspi_map *map)
{
	const callofduty_quirks *own = variant->extra;
	map->entities = lumps[own->entities].bytes;
	if (own->lit) map->lighting = lumps[LIGHTMAPS].bytes;
	bspi_callofduty_soups(map, (uint32_t)(map->lighting.size / ((size_t)PAGE_SIDE * PAGE_SIDE * 3)));
	return bspi_callofduty_brushes(ctx, map);
}

const bspi_family bspi_family_callofduty = {
	.about = { .name = "callofduty", .title = "Call of Duty" },
	.bid = bid, .directory = directory, .finish = finish,
	.variants = variants, .variant_count = VARIANT_COUNT, .directory_at = DIRECTORY_AT,
};
