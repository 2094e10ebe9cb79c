/* quake3.c - Quake III Arena and games with its format: IBSP 46 (also Elite Force, Tremulous, Xonotic), 47 (Return to
 * Castle Wolfenstein, Enemy Territory, Quake Live), 48 (Iron Grip), Raven's RBSP and QFusion's FBSP.
 *
 * Differences from Quake III:
 *   47      same records; ET adds foliage surfaces, Quake Live an 18th lump of advertisements
 *   48      brush sides of 12 bytes
 *   RBSP 1  four light styles per vertex and surface, brush sides of 12 bytes, light grid with an index lump
 *   FBSP 1  RBSP with lightmaps of 512 x 512 */
#include "families/quake3/quake3_common.h"

#include "io/io.h"

enum slot {
	ENTITIES, SHADERS, PLANES, NODES, LEAFS, LEAF_SURFACES, LEAF_BRUSHES, MODELS, BRUSHES, BRUSH_SIDES,
	DRAW_VERTICES, DRAW_INDICES, FOGS, SURFACES, LIGHTMAPS, LIGHT_GRID, VISIBILITY, LIGHT_ARRAY, SLOT_COUNT
};

static const char *const lump_names[SLOT_COUNT] = {
	"entities", "shaders", "planes", "nodes", "leafs", "leaf surfaces", "leaf brushes", "models", "brushes",
	"brush sides", "draw vertices", "draw indices", "fogs", "surfaces", "lightmaps", "light grid", "visibility",
	"light array",
};

enum { DIRECTORY_AT = 8, IBSP_LUMPS = 17, RAVEN_LUMPS = 18 };

/* ---- Records ---------------------------------------------------------------------------------------------- */

static const bspi_field shader_rows[] = {
	NAME_FIELD(bspi_texture, name,           0, 64),
	FIELD(bspi_texture, surface_flags,      64, U32),
	FIELD(bspi_texture, content_flags,      68, U32),
};
static const bspi_layout shader = LAYOUT("shader", bspi_texture, shader_rows, 72);

static const bspi_field raven_vertex_rows[] = {
	FIELD(bspi_draw_vertex, position,        0, F32),
	FIELD(bspi_draw_vertex, uv,             12, F32),
	FIELD(bspi_draw_vertex, lightmap,       20, F32),
	SKIP("lightmap 1 to 3",                 28, 24),
	FIELD(bspi_draw_vertex, normal,         52, F32),
	FIELD(bspi_draw_vertex, color,          64, U8),
	SKIP("color 1 to 3",                    68, 12),
};
static const bspi_layout raven_vertex = LAYOUT("draw vertex (Raven)", bspi_draw_vertex, raven_vertex_rows, 80);

static const bspi_field raven_styles_rows[] = {
	SKIP("position, uv, lightmap 0",         0, 28),
	FIELD(bspi_draw_vertex_styles, lightmap, 28, F32),
	SKIP("normal, color 0",                 52, 16),
	FIELD(bspi_draw_vertex_styles, color,   68, U8),
};
static const bspi_layout raven_styles =
	LAYOUT("draw vertex styles (Raven)", bspi_draw_vertex_styles, raven_styles_rows, 80);

static const bspi_field surface_rows[] = { QUAKE3_SURFACE_FIELDS };
static const bspi_layout surface = LAYOUT("surface", bspi_face, surface_rows, 104);

static const bspi_field raven_surface_rows[] = {
	FIELD(bspi_face, texture,                0, I32),
	FIELD(bspi_face, fog,                    4, I32),
	FIELD(bspi_face, game_type,              8, I32),
	FIELD(bspi_face, first_vertex,          12, I32),
	FIELD(bspi_face, vertex_count,          16, I32),
	FIELD(bspi_face, first_index,           20, I32),
	FIELD(bspi_face, index_count,           24, I32),
	FIELD(bspi_face, styles,                28, U8),
	FIELD(bspi_face, vertex_styles,         32, U8),
	FIELD(bspi_face, lightmap,              36, I32),
	FIELD(bspi_face, lightmap_x,            52, I32),
	FIELD(bspi_face, lightmap_y,            68, I32),
	FIELD(bspi_face, lightmap_width,        84, I32),
	FIELD(bspi_face, lightmap_height,       88, I32),
	FIELD(bspi_face, origin,                92, F32),
	FIELD(bspi_face, color,                104, F32),
	SKIP("lightmap vector 1",              116, 12),
	FIELD(bspi_face, normal,               128, F32),
	FIELD(bspi_face, patch_width,          140, I32),
	FIELD(bspi_face, patch_height,         144, I32),
};
static const bspi_layout raven_surface = LAYOUT("surface (Raven)", bspi_face, raven_surface_rows, 148);

#define COMMON_LUMPS \
	{ SHADERS, BSPI_ARRAY_textures, &shader }, \
	{ PLANES, BSPI_ARRAY_planes, &bspi_quake3_plane }, \
	{ NODES, BSPI_ARRAY_nodes, &bspi_quake3_node }, \
	{ LEAFS, BSPI_ARRAY_leafs, &bspi_quake3_leaf }, \
	{ LEAF_SURFACES, BSPI_ARRAY_leaf_faces, &bspi_quake3_index }, \
	{ LEAF_BRUSHES, BSPI_ARRAY_leaf_brushes, &bspi_quake3_index }, \
	{ MODELS, BSPI_ARRAY_models, &bspi_quake3_model }, \
	{ BRUSHES, BSPI_ARRAY_brushes, &bspi_quake3_brush }, \
	{ DRAW_INDICES, BSPI_ARRAY_draw_indices, &bspi_quake3_index }, \
	{ FOGS, BSPI_ARRAY_fogs, &bspi_quake3_fog }

static const bspi_lump_row quake3_lumps[] = {
	COMMON_LUMPS,
	{ BRUSH_SIDES, BSPI_ARRAY_brush_sides, &bspi_quake3_brush_side },
	{ DRAW_VERTICES, BSPI_ARRAY_draw_vertices, &bspi_quake3_draw_vertex },
	{ SURFACES, BSPI_ARRAY_faces, &surface },
};
static const bspi_lump_row irongrip_lumps[] = {
	COMMON_LUMPS,
	{ BRUSH_SIDES, BSPI_ARRAY_brush_sides, &bspi_quake3_long_brush_side },
	{ DRAW_VERTICES, BSPI_ARRAY_draw_vertices, &bspi_quake3_draw_vertex },
	{ SURFACES, BSPI_ARRAY_faces, &surface },
};
static const bspi_lump_row raven_lumps[] = {
	COMMON_LUMPS,
	{ BRUSH_SIDES, BSPI_ARRAY_brush_sides, &bspi_quake3_long_brush_side },
	{ DRAW_VERTICES, BSPI_ARRAY_draw_vertices, &raven_vertex },
	{ DRAW_VERTICES, BSPI_ARRAY_draw_vertex_styles, &raven_styles },
	{ SURFACES, BSPI_ARRAY_faces, &raven_surface },
};
#define LUMPS(rows) (rows), sizeof (rows) / sizeof *(rows)

/* ---- Rules ------------------------------------------------------------------------------------------------ */

static const bspi_camera_rule cameras[] = {
	{ "info_player_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "info_player_*", BSPSCENE_CAMERA_SPAWN, false },
	{ "team_CTF_redplayer", BSPSCENE_CAMERA_SPAWN, false },
	{ "team_CTF_blueplayer", BSPSCENE_CAMERA_SPAWN, false },
	{ "team_CTF_redspawn", BSPSCENE_CAMERA_SPAWN, false },
	{ "team_CTF_bluespawn", BSPSCENE_CAMERA_SPAWN, false },
	{ "misc_portal_camera", BSPSCENE_CAMERA_PORTAL, false },
	{ "misc_cameraman", BSPSCENE_CAMERA_OTHER, false },
	{ NULL, BSPSCENE_CAMERA_OTHER, false },
};
static const char *const hidden[] = { "trigger_*", NULL };

/* The game's code enlarges the boxes of models by one unit on each side. */
static const bspi_mover_rule movers[] = {
	{ .name = "func_train", .kind = BSPI_MOVER_TRAIN_BY_ORIGIN },
	{ .name = "func_door", .kind = BSPI_MOVER_DOOR, .margin = 1, .lip = 8 },
	{ .name = "func_plat", .kind = BSPI_MOVER_PLATFORM, .margin = 1, .lip = 8 },
	{ .name = NULL },
};
/* q3map2 merges models of these classes into the map. The game does not draw entities of these classes that remain. */
static const char *const merged_models[] = { "misc_model", NULL };
static const bspi_entity_rules quake3_entities = {
	.lights = &bspi_quake3_lights, .cameras = cameras, .hidden = hidden, .movers = movers,
	.class_models = bspi_quake3_classes, .items = &bspi_quake3_items, .merged_models = merged_models,
	.angle_is_yaw = true,
};
/* In RTCW and ET, spawnflag 1 turns linear falloff off. */
static const bspi_light_rules wolf_lights = { BSPI_Q3MAP2_LIGHTS, .linear_by_default = true };
static const bspi_entity_rules wolf_entities = {
	.lights = &wolf_lights, .cameras = cameras, .hidden = hidden, .movers = movers, .merged_models = merged_models,
	.angle_is_yaw = true,
};
static const bspi_entity_rules raven_entities = {
	.lights = &bspi_quake3_lights, .cameras = cameras, .hidden = hidden, .movers = movers, .first_switchable_style = 32,
	.starts_off = 4, .styles_to_z = true, .merged_models = merged_models, .angle_is_yaw = true,
};
static const bspi_entity_rules qfusion_entities = {
	.lights = &bspi_quake3_lights, .cameras = cameras, .hidden = hidden, .movers = movers, .first_switchable_style = 32,
	.starts_off = 4, .class_models = bspi_qfusion_classes, .items = &bspi_qfusion_items,
	.merged_models = merged_models, .angle_is_yaw = true,
};

/* Sources of the limits: MAX_TOKEN_CHARS in q_shared.h; MAX_SPAWN_VARS and MAX_SPAWN_VARS_CHARS in g_local.h. The
 * length of the whole text is not limited. */
static const bspi_entity_limits entity_limits = {
	.engine = "Quake III", .key = 1023, .value = 1023, .pairs = 64, .pair_text = 4096,
};

/* Stored light is a quarter of display light. The engine multiplies it by 4. If a channel then exceeds 255, it
 * scales all channels so that the largest one is 255 (tr_bsp.c R_ColorShiftLightingBytes). */
#define COMMON_RULES \
	.light_storage = BSPI_STORAGE_PAGES, .light_encoding = BSPI_LIGHT_RGB8, .light_clamp = BSPI_CLAMP_HUE, \
	.intensity = 1, .first_value_wins = true, .grid_step = { 64, 64, 128 }, .entity_limits = &entity_limits, \
	.entity_file = ".ent"

static const bspi_rules quake3_rules = {
	COMMON_RULES, .overbright = 4, .lightmap_page_size = 128, .soups_by_vertex = true, .eye_height = 26,
	.entities = &quake3_entities, .materials = BSPI_MATERIALS_QUAKE3,
};
/* The fog that DarkPlaces draws for worldspawn's key `fog` (gl_rmain.c R_BuildFogTexture). */
static const bspi_map_fog_rules darkplaces_fog = {
	.keys = { "fog" }, .density = 0.004f, .power = 1, .end = 16384, .sky = 1,
};
/* DarkPlaces doubles the stored byte, and clamps only after the multiplication with the texture. It uses the lightmap
 * pages of triangle soups too. Its lightmap view shows every material opaque and gray (gl_rmain.c
 * R_UpdateCurrentTexture). */
static const bspi_rules darkplaces_rules = {
	.light_storage = BSPI_STORAGE_PAGES, .light_encoding = BSPI_LIGHT_RGB8, .light_clamp = BSPI_CLAMP_CHANNELS,
	.overbright = 1, .intensity = 2, .lightmap_page_size = 128, .first_value_wins = true, .grid_step = { 64, 64, 128 },
	.eye_height = 26, .entities = &quake3_entities, .map_fog = &darkplaces_fog,
	.materials = BSPI_MATERIALS_DARKPLACES, .entity_limits = &entity_limits, .entity_file = ".ent",
	.lightmaps_alone_opaque = true,
};
static const bspi_rules wolf_rules = {
	COMMON_RULES, .overbright = 4, .lightmap_page_size = 128, .soups_by_vertex = true, .eye_height = 40,
	.entities = &wolf_entities, .materials = BSPI_MATERIALS_QUAKE3,
};
/* Enemy Territory uses the lightmap page that a triangle soup stores (etlegacy tr_bsp.c ParseTriSurf). */
static const bspi_rules et_rules = {
	COMMON_RULES, .overbright = 4, .lightmap_page_size = 128, .eye_height = 40, .linear_fog = true,
	.entities = &wolf_entities, .materials = BSPI_MATERIALS_QUAKE3,
};
/* In Raven's engines, both cvars for overbright light are 0 by default (OpenJK tr_init.cpp). */
static const bspi_rules raven_rules = {
	COMMON_RULES, .overbright = 1, .lightmap_page_size = 128, .soups_by_vertex = true, .eye_height = 36,
	.entities = &raven_entities, .materials = BSPI_MATERIALS_RAVEN,
};
/* r_mapoverbrightbits is 2: light is four times the byte, and clamping keeps its hue (qfusion r_q3bsp.c
 * Mod_LoadLighting). The newest Warfork reaches the same factor in two steps: twice the byte, clamped, then times a
 * lightingIntensity of 2, not clamped. Worldspawn's `_lightingIntensity` would replace both, but no known map has
 * it. */
static const bspi_rules qfusion_rules = {
	COMMON_RULES, .overbright = 4, .lightmap_page_size = 512, .eye_height = 30,
	.entities = &qfusion_entities, .materials = BSPI_MATERIALS_QUAKE3,
};

/* ---- Recognizing the game --------------------------------------------------------------------------------- */

typedef struct quirks {
	uint32_t lump_count;
	/* the offset at which the first lump begins in another game's files with this tag and version; 0: there is no such
	 * game */
	uint32_t foreign_header;
	bool foliage;                      /* surface type 5 is foliage */
} quirks;

/* Other games with the same tag and version have other numbers of lumps: Soldier of Fortune 22, SiN 20. Their first
 * lump begins at `foreign_header`, right after their directory. */
static const quirks quake3_quirks = { .lump_count = IBSP_LUMPS, .foreign_header = 184 };
static const quirks clone_quirks = { .lump_count = IBSP_LUMPS };
static const quirks et_quirks = { .lump_count = IBSP_LUMPS, .foliage = true };
static const quirks raven_quirks = { .lump_count = RAVEN_LUMPS, .foreign_header = 168 };
static const quirks qfusion_quirks = { .lump_count = RAVEN_LUMPS };

enum {
	QUAKE3, DARK_SALVATION, SPACE_QUAKE3, WOLF, ENEMY_TERRITORY, QUAKE_LIVE, IRON_GRIP, RAVEN, QFUSION, VARIANT_COUNT
};

/* Several rows have the same tag and version. `bid` finds the first of them, and then distinguishes them by the file's
 * content. */
static const bspi_variant variants[VARIANT_COUNT] = {
	[QUAKE3] = {
		"quake3", "Quake III Arena (IBSP 46)", "IBSP", 46, LUMPS(quake3_lumps), &quake3_rules, &quake3_quirks,
	},
	[DARK_SALVATION] = {
		"quake3", "Dark Salvation (IBSP 666)", "IBSP", 666, LUMPS(quake3_lumps), &quake3_rules, &clone_quirks,
	},
	[SPACE_QUAKE3] = {
		"quake3", "S3Quake3 (IBSP -46)", "IBSP", -46, LUMPS(quake3_lumps), &quake3_rules, &clone_quirks,
	},
	[WOLF] = {
		"rtcw", "RTCW / Enemy Territory / Quake Live (IBSP 47)", "IBSP", 47, LUMPS(quake3_lumps), &wolf_rules,
		&clone_quirks,
	},
	[ENEMY_TERRITORY] = {
		"et", "Enemy Territory (IBSP 47)", "IBSP", 47, LUMPS(quake3_lumps), &et_rules, &et_quirks,
	},
	[QUAKE_LIVE] = {
		"quakelive", "Quake Live (IBSP 47)", "IBSP", 47, LUMPS(quake3_lumps), &quake3_rules, &clone_quirks,
	},
	[IRON_GRIP] = {
		"irongrip", "Iron Grip: Warlord (IBSP 48)", "IBSP", 48, LUMPS(irongrip_lumps), &quake3_rules, &clone_quirks,
	},
	[RAVEN] = {
		"raven", "Jedi Knight II, Jedi Academy, SoF II (RBSP 1)", "RBSP", 1, LUMPS(raven_lumps), &raven_rules,
		&raven_quirks,
	},
	[QFUSION] = {
		"qfusion", "Warsow, Warfork (FBSP 1)", "FBSP", 1, LUMPS(raven_lumps), &qfusion_rules, &qfusion_quirks,
	},
};

typedef struct entry {
	uint32_t offset, size;
} entry;

/* Returns an entry of the directory. If the entry is outside of `head`, it is all zeros. */
static entry peek_entry(bspi_bytes head, uint32_t slot)
{
	bspi_cursor cursor = bspi_cursor_at(head, DIRECTORY_AT + 8 * (uint64_t)slot);
	uint32_t offset = bspi_take_u32(&cursor), size = bspi_take_u32(&cursor);
	return cursor.failed ? (entry){ 0, 0 } : (entry){ offset, size };
}

static bspi_bytes peek_lump(bspi_bytes head, uint32_t slot)
{
	entry at = peek_entry(head, slot);
	bspi_bytes lump;
	return at.size && bspi_slice(head, at.offset, at.size, &lump) ? lump : BSPI_NO_BYTES;
}

static uint32_t first_data(bspi_bytes head, uint32_t lump_count)
{
	uint32_t first = UINT32_MAX;
	for (uint32_t slot = 0; slot < lump_count; slot++) {
		entry at = peek_entry(head, slot);
		if (at.size && at.offset < first) first = at.offset;
	}
	return first;
}

/* True if the file is another game's. Its first lump must begin where that game's files have it. This is not
 * sufficient, because q3map2 leaves a gap after its directory. So some lump must also have a size that this variant's
 * records do not fit. */
static bool is_other_game(bspi_bytes head, const bspi_variant *variant)
{
	const quirks *own = variant->extra;
	if (!own->foreign_header || first_data(head, (own->foreign_header - DIRECTORY_AT) / 8) != own->foreign_header) {
		return false;
	}
	for (uint32_t i = 0; i < variant->lump_row_count; i++) {
		if (peek_entry(head, variant->lumps[i].slot).size % variant->lumps[i].layout->file_size) return true;
	}
	return false;
}

static bool contains(bspi_bytes text, const char *word)
{
	size_t size = strlen(word);
	for (size_t i = 0; size <= text.size && i <= text.size - size; i++) {
		if (text.data[i] == (uint8_t)word[0] && !memcmp(text.data + i, word, size)) return true;
	}
	return false;
}

/* True if the map is Enemy Territory's. Any of these shows it: foliage, a class that only this game has, or
 * worldspawn's key for the corner of the command map. */
static bool is_enemy_territory(bspi_bytes head)
{
	enum { TYPE_AT = 8 };
	const entry text = peek_entry(head, ENTITIES);
	bspi_bytes surfaces = peek_lump(head, SURFACES), entities = bspi_peek_lump(head, text.offset, text.size);
	for (size_t i = 0; i < surfaces.size / surface.file_size; i++) {
		if (bspi_load_i32(surfaces.data + i * surface.file_size + TYPE_AT) == QUAKE3_SURFACE_FIFTH) return true;
	}
	return contains(entities, "\"mapcoordsmins\"") || contains(entities, "\"func_constructible\"") ||
	       contains(entities, "\"misc_cabinet_health\"");
}

/* True if the map has Quake Live's 18th lump, which holds advertisements. */
static bool is_quake_live(bspi_bytes head)
{
	enum { ADVERTISEMENTS = 17, ADVERTISEMENT_SIZE = 128, HEADER_SIZE = DIRECTORY_AT + 8 * (ADVERTISEMENTS + 1) };
	bspi_bytes lump = peek_lump(head, ADVERTISEMENTS);
	return lump.size && lump.size % ADVERTISEMENT_SIZE == 0 && first_data(head, ADVERTISEMENTS + 1) >= HEADER_SIZE;
}

static int bid(bspi_bytes head, const bspi_variant **variant)
{
	if (head.size < DIRECTORY_AT) return 0;
	uint32_t i = 0;
	while (i < VARIANT_COUNT &&
	       (memcmp(head.data, variants[i].magic, 4) || bspi_load_i32(head.data + 4) != variants[i].version)) {
		i++;
	}
	if (i == VARIANT_COUNT || is_other_game(head, &variants[i])) return 0;
	if (i == WOLF) i = is_enemy_territory(head) ? ENEMY_TERRITORY : is_quake_live(head) ? QUAKE_LIVE : WOLF;
	*variant = &variants[i];
	return 90;
}

static bool directory(bspi_ctx *ctx, bspi_bytes file, const bspi_variant *variant, bspi_lump *lumps)
{
	/* q3map2 reserves 18 directory entries in all formats; the last one is read only in formats that have the lump. */
	return bspi_read_directory(ctx, file, DIRECTORY_AT, ((const quirks *)variant->extra)->lump_count, lump_names,
	                           lumps);
}

/* ---- After reading tables --------------------------------------------------------------------------------- */

/* True if the map is for DarkPlaces. That engine's games have compiled QuakeC (progs.dat), which no engine derived from
 * Quake III reads. */
static bool is_for_darkplaces(bspi_ctx *ctx, const bspi_variant *variant, bool *out)
{
	bspi_sibling progs;
	*out = false;
	if (variant != &variants[QUAKE3] || ctx->options.engine == BSPSCENE_ENGINE_ORIGINAL) return true;
	*out = ctx->options.engine == BSPSCENE_ENGINE_DARKPLACES ||
	       (ctx->options.open_file && bspi_find_sibling(ctx, "progs.dat", BSPSCENE_FILE_OTHER, &progs));
	return !ctx->error.status;
}

/* DarkPlaces draws worldspawn's fog instead of fog volumes. */
static void settle_for_darkplaces(bspi_map *map)
{
	map->variant = "darkplaces";
	map->title = "DarkPlaces: Nexuiz, Xonotic (IBSP 46)";
	map->rules = darkplaces_rules;
	map->fogs_count = 0;
	for (uint32_t i = 0; i < map->faces_count; i++) map->faces[i].fog = -1;
}

static bool finish(bspi_ctx *ctx, const bspi_variant *variant, const bspi_lump *lumps, bspi_map *map)
{
	bool darkplaces;
	BSPI_TRY(is_for_darkplaces(ctx, variant, &darkplaces));
	if (darkplaces) settle_for_darkplaces(map);
	map->entities = lumps[ENTITIES].bytes;
	map->lighting = lumps[LIGHTMAPS].bytes;
	map->light_grid = lumps[LIGHT_GRID].bytes;
	map->light_grid_index = lumps[LIGHT_ARRAY].bytes;
	bspi_face_kind fifth = ((const quirks *)variant->extra)->foliage ? BSPI_FACE_FOLIAGE : BSPI_FACE_DROPPED;
	return bspi_quake3_faces(ctx, fifth, map) && bspi_quake3_vis(ctx, &lumps[VISIBILITY], map);
}

const bspi_family bspi_family_quake3 = {
	.about = { .name = "quake3", .title = "Quake III Arena and its relatives" },
	.bid = bid, .directory = directory, .finish = finish,
	.variants = variants, .variant_count = VARIANT_COUNT, .directory_at = DIRECTORY_AT,
};
