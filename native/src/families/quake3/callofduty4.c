/* callofduty4.c - Call of Duty 4: IBSP 22. Its directory lists the types and sizes of chunks, which follow each other
 * in the file.
 *
 * The map contains its surfaces twice: once with layered materials, once simplified. Only one of the two is read. */
#include "families/quake3/callofduty_common.h"

enum chunk { MATERIALS, LIGHT, PLANES = 4, BRUSH_SIDES, BRUSHES = 8, LAYERED_SOUPS, LAYERED_VERTICES, LAYERED_INDICES,
             NODES = 27, LEAFS, LEAF_BRUSHES, MODELS = 37, ENTITIES = 39, PRIMARY_LIGHTS = 43, SIMPLE_SOUPS = 47,
             SIMPLE_VERTICES, SIMPLE_INDICES, CHUNK_COUNT = 55 };

static const char *const chunk_names[CHUNK_COUNT] = {
	"materials", "lightmaps", "grid entries", "grid colors", "planes", "brush sides", "side edge counts",
	"brush edges", "brushes", "layered soups", "layered vertices", "layered indices", "cull groups",
	"cull group indices", "obsolete 14", "obsolete 15", "obsolete 16", "obsolete 17", "obsolete 18", "portal vertices",
	"obsolete 20", "obsolete 21", "obsolete 22", "obsolete 23", "boxes", "cells", "portals", "nodes", "leafs",
	"leaf brushes", "leaf surfaces", "collision vertices", "collision triangles", "collision edges",
	"collision borders", "collision parts", "collision boxes", "models", "visibility", "entities", "paths",
	"reflection probes", "layer data", "primary lights", "grid header", "grid rows", "obsolete 46", "simple soups",
	"simple vertices", "simple indices", "simple cull groups", "simple boxes", "light regions", "light region hulls",
	"light region axes",
};

enum { COUNT_AT = 8, DIRECTORY_AT = 12, ENTRY = 8, ALIGNMENT = 4, STORED_PAGE = 3 << 20 };

/* ---- Records ---------------------------------------------------------------------------------------------- */

static const bspi_field soup_rows[] = {
	FIELD(bspi_face, texture,                0, U16),
	FIELD(bspi_face, lightmap[0],            2, U8),
	SKIP("reflection probe",                 3, 1),
	FIELD(bspi_face, game_type,              4, U8),
	SKIP("layers",                           5, 7),
	FIELD(bspi_face, first_vertex,          12, I32),
	FIELD(bspi_face, vertex_count,          16, U16),
	FIELD(bspi_face, index_count,           18, U16),
	FIELD(bspi_face, first_index,           20, I32),
};
static const bspi_layout soup = LAYOUT("soup", bspi_face, soup_rows, 24);

static const bspi_field leaf_rows[] = {
	FIELD(bspi_leaf, cluster,                0, I32),
	SKIP("collision boxes",                  4, 8),
	FIELD(bspi_leaf, first_leaf_brush,      12, U32),
	FIELD(bspi_leaf, leaf_brush_count,      16, U32),
	SKIP("cell",                            20, 4),
};
static const bspi_layout leaf = LAYOUT("leaf", bspi_leaf, leaf_rows, 24);

static const bspi_field model_rows[] = {
	FIELD(bspi_model, mins,                  0, F32),
	FIELD(bspi_model, maxs,                 12, F32),
	FIELD(bspi_model, first_face,           24, U16),
	FIELD(bspi_model, first_added,          26, U16),
	FIELD(bspi_model, face_count,           28, U16),
	FIELD(bspi_model, added_count,          30, U16),
	SKIP("collision surfaces",              32, 8),
	FIELD(bspi_model, first_brush,          40, I32),
	FIELD(bspi_model, brush_count,          44, I32),
};
static const bspi_layout model = LAYOUT("model", bspi_model, model_rows, 48);

static const bspi_lump_row lump_rows[] = {
	{ MATERIALS, BSPI_ARRAY_textures, &bspi_callofduty_material },
	{ PLANES, BSPI_ARRAY_planes, &bspi_quake3_plane },
	{ BRUSH_SIDES, BSPI_ARRAY_brush_sides, &bspi_quake3_brush_side },
	{ BRUSHES, BSPI_ARRAY_brushes, &bspi_callofduty_brush },
	{ LAYERED_SOUPS, BSPI_ARRAY_faces, &soup },
	{ LAYERED_VERTICES, BSPI_ARRAY_draw_vertices, &bspi_callofduty_vertex },
	{ LAYERED_INDICES, BSPI_ARRAY_draw_indices, &bspi_callofduty_index },
	{ NODES, BSPI_ARRAY_nodes, &bspi_quake3_node },
	{ LEAFS, BSPI_ARRAY_leafs, &leaf },
	{ LEAF_BRUSHES, BSPI_ARRAY_leaf_brushes, &bspi_quake3_index },
	{ MODELS, BSPI_ARRAY_models, &model },
};

/* ---- Rules ------------------------------------------------------------------------------------------------ */

static const bspi_camera_rule cameras[] = {
	{ "mp_global_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "mp_dm_spawn*", BSPSCENE_CAMERA_SPAWN, false },
	{ "mp_tdm_spawn*", BSPSCENE_CAMERA_SPAWN, false },
	{ "mp_dom_spawn*", BSPSCENE_CAMERA_SPAWN, false },
	{ "mp_sab_spawn*", BSPSCENE_CAMERA_SPAWN, false },
	{ "mp_sd_spawn*", BSPSCENE_CAMERA_SPAWN, false },
	{ "mp_ctf_spawn*", BSPSCENE_CAMERA_SPAWN, false },
	{ "info_player_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "info_player_*", BSPSCENE_CAMERA_SPAWN, false },
	{ NULL, BSPSCENE_CAMERA_OTHER, false },
};
static const bspi_entity_rules entity_rules = {
	.lights = &bspi_quake3_lights, .cameras = cameras, .hidden = bspi_callofduty_hidden, .angle_is_yaw = true,
	.model_folder = "xmodel/", .models_by_name = true,
};

/* The stored pages are converted to pages that hold half of the light. The sun is added to them, and the sum would
 * exceed a byte. */
static const bspi_rules rules = {
	.light_storage = BSPI_STORAGE_PAGES, .light_encoding = BSPI_LIGHT_RGB8, .light_clamp = BSPI_CLAMP_CHANNELS,
	.overbright = 1, .intensity = 2, .lightmap_page_size = CALLOFDUTY4_PAGE_SIDE, .made_pages = true,
	.first_value_wins = true, .grid_step = { 32, 32, 64 }, .eye_height = 60, .entities = &entity_rules,
	.materials = BSPI_MATERIALS_CALLOFDUTY4,
};

/* ---- Recognizing the game --------------------------------------------------------------------------------- */

static const bspi_variant variants[] = {
	{ "callofduty4", "Call of Duty 4 (IBSP 22)", "IBSP", 22, lump_rows, sizeof lump_rows / sizeof *lump_rows, &rules,
	  NULL },
};

static int bid(bspi_bytes head, const bspi_variant **variant)
{
	if (head.size < COUNT_AT || memcmp(head.data, "IBSP", 4) || bspi_load_i32(head.data + 4) != variants->version) {
		return 0;
	}
	*variant = variants;
	return 90;
}

/* Chooses the layered surfaces, or the simplified ones if the map has only these. */
static void choose_surfaces(bspi_lump *lumps)
{
	if (lumps[LAYERED_SOUPS].bytes.size) return;
	lumps[LAYERED_SOUPS] = lumps[SIMPLE_SOUPS];
	lumps[LAYERED_VERTICES] = lumps[SIMPLE_VERTICES];
	lumps[LAYERED_INDICES] = lumps[SIMPLE_INDICES];
}

/* Reads the directory. Chunks of unknown types are skipped, and so is a second chunk of the same type. */
static bool directory(bspi_ctx *ctx, bspi_bytes file, const bspi_variant *variant, bspi_lump *lumps)
{
	(void)variant;
	uint32_t count = file.size < DIRECTORY_AT ? 0 : bspi_load_u32(file.data + COUNT_AT);
	BSPI_CHECK(ctx, file.size >= DIRECTORY_AT && count <= (file.size - DIRECTORY_AT) / ENTRY, BSPSCENE_ERROR_BAD_HEADER,
	           BSPI_NOWHERE, "the file ends in its header, after %zu bytes: it is cut off", file.size);
	bspi_cursor cursor = bspi_cursor_at(file, DIRECTORY_AT);
	uint64_t at = DIRECTORY_AT + ENTRY * (uint64_t)count;
	for (uint32_t i = 0; i < CHUNK_COUNT; i++) lumps[i].name = chunk_names[i];
	for (uint32_t i = 0; i < count; i++) {
		uint32_t type = bspi_take_u32(&cursor), size = bspi_take_u32(&cursor);
		const char *name = type < CHUNK_COUNT ? chunk_names[type] : "unknown chunk";
		bspi_bytes bytes;
		BSPI_CHECK(ctx, bspi_slice(file, at, size, &bytes), BSPSCENE_ERROR_BAD_LUMP, BSPI_LUMP_AT(name, at),
		           "%u bytes here reach past the end of the file, which has %zu bytes: it is cut off or damaged",
		           (unsigned)size, file.size);
		bool known = type < CHUNK_COUNT && size;
		BSPI_CHECK(ctx, !known || !lumps[type].bytes.size, BSPSCENE_ERROR_BAD_LUMP, BSPI_LUMP_AT(name, at),
		           "the file has this chunk twice");
		if (known) {
			lumps[type].bytes = bytes;
			lumps[type].offset = at;
		}
		at += ((uint64_t)size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	}
	choose_surfaces(lumps);
	return true;
}

/* ---- After reading tables --------------------------------------------------------------------------------- */

static void settle_models(bool simple, bspi_map *map)
{
	for (uint32_t i = 0; i < map->models_count; i++) {
		bspi_model *one = &map->models[i];
		if (simple) {
			one->first_face = one->first_added;
			one->face_count = one->added_count;
		}
		one->first_added = one->added_count = 0;
	}
}

static bool finish(bspi_ctx *ctx, const bspi_variant *variant, const bspi_lump *lumps, bspi_map *map)
{
	(void)variant;
	bspi_bytes pages = lumps[LIGHT].bytes;
	map->entities = lumps[ENTITIES].bytes;
	settle_models(lumps[LAYERED_SOUPS].bytes.data == lumps[SIMPLE_SOUPS].bytes.data, map);
	bspi_callofduty_soups(map, (uint32_t)(pages.size / STORED_PAGE));
	return bspi_callofduty_brushes(ctx, map) && bspi_callofduty4_light(ctx, pages, lumps[PRIMARY_LIGHTS].bytes, map);
}

const bspi_family bspi_family_callofduty4 = {
	.about = { .name = "callofduty4", .title = "Call of Duty 4" },
	.bid = bid, .directory = directory, .finish = finish,
	.variants = variants, .variant_count = 1, .directory_at = DIRECTORY_AT,
};
