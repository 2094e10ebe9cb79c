/* respawn.c - Titanfall, Titanfall 2 and Apex Legends (rBSP 29, 36, 37, 47 to 52), derived from Source.
 *
 * Differences from Source: there are 128 lumps, and any of them may be a separate file. Meshes take the place of faces;
 * their vertices refer to positions and normals. The game adds the light of a sun and of lamps, in an undocumented
 * encoding. That light is not read, so maps are shown unlit (docs/formats/respawn.md). */
#include "families/respawn/respawn.h"

#include <inttypes.h>

#include "base/text.h"
#include "families/vbsp/vbsp_tables.h"

enum { DIRECTORY_AT = 16, ENTRY_SIZE = 16, HEADER_SIZE = DIRECTORY_AT + ENTRY_SIZE * RESPAWN_LUMPS };

static const char *const lump_names[RESPAWN_LUMPS] = {
	[RESPAWN_ENTITIES] = "entities", [RESPAWN_PLANES] = "planes", [RESPAWN_TEXDATA] = "texdata",
	[RESPAWN_POSITIONS] = "positions", [RESPAWN_MODELS] = "models", [RESPAWN_SURFACE_NAMES] = "surface names",
	[RESPAWN_ENTITY_PARTS] = "entity parts", [RESPAWN_NORMALS] = "normals", [RESPAWN_GAME_LUMP] = "game lump",
	[RESPAWN_NAMES] = "texture names", [RESPAWN_NAME_OFFSETS] = "texture name offsets",
	[RESPAWN_UNLIT] = "unlit vertices", [RESPAWN_LIT_FLAT] = "lit vertices", [RESPAWN_LIT_BUMP] = "bumped vertices",
	[RESPAWN_UNLIT_TWO_SIDED] = "glass vertices", [RESPAWN_INDICES] = "mesh indices", [RESPAWN_MESHES] = "meshes",
	[RESPAWN_MATERIAL_SORTS] = "material sorts",
};

/* ---- Records ---------------------------------------------------------------------------------------------- */

static const bspi_field plane_rows[] = {
	FIELD(bspi_plane, normal,                0, F32),
	FIELD(bspi_plane, distance,             12, F32),
};
static const bspi_layout plane = LAYOUT("plane", bspi_plane, plane_rows, 16);

static const bspi_field position_rows[] = { FIELD(bspi_vertex, position, 0, F32) };
static const bspi_layout position = LAYOUT("position", bspi_vertex, position_rows, 12);

static const bspi_field normal_rows[] = { FIELD(bspi_normal, normal, 0, F32) };
static const bspi_layout normal = LAYOUT("normal", bspi_normal, normal_rows, 12);

static const bspi_field index_rows[] = { FIELD(bspi_index, value, 0, U16) };
static const bspi_layout mesh_index = LAYOUT("mesh index", bspi_index, index_rows, 2);

static const bspi_field texdata_rows[] = {
	FIELD(bspi_texture, reflectivity,        0, F32),
	SKIP("name",                            12, 4),
	FIELD(bspi_texture, width,              16, U32),
	FIELD(bspi_texture, height,             20, U32),
	SKIP("part of it that is seen",         24, 8),
	FIELD(bspi_texture, surface_flags,      32, U32),
};
static const bspi_layout texdata = LAYOUT("texdata", bspi_texture, texdata_rows, 36);

static const bspi_field apex_texdata_rows[] = {
	SKIP("name",                             0, 4),
	FIELD(bspi_texture, width,               4, U32),
	FIELD(bspi_texture, height,              8, U32),
	FIELD(bspi_texture, surface_flags,      12, U32),
};
static const bspi_layout apex_texdata = LAYOUT("texdata (16)", bspi_texture, apex_texdata_rows, 16);

/* Until each face has a texinfo, `texinfo` holds the index of the mesh's material. */
#define MESH_BEGIN \
	FIELD(bspi_face, first_index,            0, I32), \
	FIELD(bspi_face, index_count,            4, U16)
#define MESH_END \
	FIELD(bspi_face, texinfo,               22, U16), \
	FIELD(bspi_face, game_type,             24, I32)

static const bspi_field mesh_rows[] = {
	MESH_BEGIN,
	SKIP("vertices, type, styles",           6, 10),
	SKIP("luxels",                          16, 6),
	MESH_END,
};
static const bspi_layout mesh = LAYOUT("mesh", bspi_face, mesh_rows, 28);

static const bspi_field model_rows[] = {
	FIELD(bspi_model, mins,                  0, F32),
	FIELD(bspi_model, maxs,                 12, F32),
	FIELD(bspi_model, first_face,           24, I32),
	FIELD(bspi_model, face_count,           28, I32),
};
static const bspi_layout model = LAYOUT("model", bspi_model, model_rows, 32);

static const bspi_field apex_model_rows[] = {
	FIELD(bspi_model, mins,                  0, F32),
	FIELD(bspi_model, maxs,                 12, F32),
	FIELD(bspi_model, first_face,           24, I32),
	FIELD(bspi_model, face_count,           28, I32),
	SKIP("collision",                       32, 32),
};
static const bspi_layout apex_model = LAYOUT("model (64)", bspi_model, apex_model_rows, 64);

/* ---- Vertices --------------------------------------------------------------------------------------------- */

#define VERTEX_BEGIN \
	SKIP("position, normal",                 0, 8), \
	FIELD(bspi_draw_vertex, uv,              8, F32)

static const bspi_field unlit_rows[] = { VERTEX_BEGIN, FIELD(bspi_draw_vertex, color, 16, U8) };
static const bspi_layout unlit = LAYOUT("unlit vertex", bspi_draw_vertex, unlit_rows, 20);

static const bspi_field lit_flat_rows[] = {
	VERTEX_BEGIN,
	FIELD(bspi_draw_vertex, color,          16, U8),
	FIELD(bspi_draw_vertex, lightmap,       20, F32),
	SKIP("lightmap step",                   28, 8),
};
static const bspi_layout lit_flat = LAYOUT("lit vertex", bspi_draw_vertex, lit_flat_rows, 36);

static const bspi_field lit_bump_rows[] = {
	VERTEX_BEGIN,
	FIELD(bspi_draw_vertex, color,          16, U8),
	FIELD(bspi_draw_vertex, lightmap,       20, F32),
	SKIP("lightmap step, tangents",         28, 16),
};
static const bspi_layout lit_bump = LAYOUT("bumped vertex", bspi_draw_vertex, lit_bump_rows, 44);

static const bspi_field glass_rows[] = {
	VERTEX_BEGIN,
	FIELD(bspi_draw_vertex, color,          16, U8),
	SKIP("tangents",                        20, 8),
};
static const bspi_layout glass = LAYOUT("glass vertex", bspi_draw_vertex, glass_rows, 28);

static const bspi_field apex_flat_rows[] = { VERTEX_BEGIN, SKIP("unknown", 16, 4) };
static const bspi_layout apex_flat = LAYOUT("flat vertex (20)", bspi_draw_vertex, apex_flat_rows, 20);

static const bspi_field apex_bump_rows[] = {
	VERTEX_BEGIN,
	SKIP("unknown",                         16, 4),
	FIELD(bspi_draw_vertex, lightmap,       20, F32),
	FIELD(bspi_draw_vertex, color,          28, U8),
};
static const bspi_layout apex_bump = LAYOUT("bumped vertex (32)", bspi_draw_vertex, apex_bump_rows, 32);

static const bspi_field apex_glass_rows[] = { VERTEX_BEGIN, SKIP("unknown", 16, 8) };
static const bspi_layout apex_glass = LAYOUT("glass vertex (24)", bspi_draw_vertex, apex_glass_rows, 24);

/* ---- Rules ------------------------------------------------------------------------------------------------ */

static const bspi_camera_rule cameras[] = {
	{ "info_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "info_player_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "info_spawnpoint_*", BSPSCENE_CAMERA_SPAWN, false },
	{ "info_player_*", BSPSCENE_CAMERA_SPAWN, false },
	{ NULL, BSPSCENE_CAMERA_OTHER, false },
};
static const char *const hidden[] = { "trigger_*", "func_brush_navmesh_*", "envmap_volume", NULL };
static const bspi_light_rules lights = { .power = BSPI_POWER_ATTENUATED };
static const bspi_entity_rules entities = {
	.lights = &lights, .cameras = cameras, .hidden = hidden, .parents = true, .brush_angles = true, .prop_keys = true,
	.sky_camera = "sky_camera",
};
static const bspi_rules rules = {
	.light_storage = BSPI_STORAGE_NONE, .light_encoding = BSPI_LIGHT_NONE, .light_clamp = BSPI_CLAMP_CHANNELS,
	.overbright = 1, .intensity = 1, .first_value_wins = true, .scanned_numbers = true, .eye_height = 60,
	.entities = &entities, .materials = BSPI_MATERIALS_SOURCE,
};

/* ---- Recognizing the game --------------------------------------------------------------------------------- */

#define COMMON_ROWS \
	{ RESPAWN_PLANES, BSPI_ARRAY_planes, &plane }, \
	{ RESPAWN_POSITIONS, BSPI_ARRAY_vertices, &position }, \
	{ RESPAWN_NORMALS, BSPI_ARRAY_normals, &normal }, \
	{ RESPAWN_INDICES, BSPI_ARRAY_draw_indices, &mesh_index }, \
	{ RESPAWN_MESHES, BSPI_ARRAY_faces, &mesh }

static const bspi_lump_row titanfall_lumps[] = {
	COMMON_ROWS,
	{ RESPAWN_TEXDATA, BSPI_ARRAY_textures, &texdata },
	{ RESPAWN_MODELS, BSPI_ARRAY_models, &model },
};
static const bspi_lump_row apex_lumps[] = {
	COMMON_ROWS,
	{ RESPAWN_TEXDATA, BSPI_ARRAY_textures, &apex_texdata },
	{ RESPAWN_MODELS, BSPI_ARRAY_models, &apex_model },
};
enum { LUMP_ROWS = sizeof apex_lumps / sizeof *apex_lumps };

static const bspi_respawn_quirks titanfall = {
	.vertices = { &lit_flat, &lit_bump, &unlit, &glass }, .name_at = 12,
};
static const bspi_respawn_quirks apex = {
	.vertices = { &apex_flat, &apex_bump, &apex_flat, &apex_glass }, .surface_names = true,
};

#define TITANFALL(name, title, version) \
	{ name, title, "rBSP", version, titanfall_lumps, LUMP_ROWS, &rules, &titanfall }
#define APEX(version, title) { "apex", title, "rBSP", version, apex_lumps, LUMP_ROWS, &rules, &apex }

static const bspi_variant variants[] = {
	TITANFALL("titanfall", "Titanfall (rBSP 29)", 29),
	TITANFALL("titanfall2", "Titanfall 2 (rBSP 36)", 36),
	TITANFALL("titanfall2", "Titanfall 2 (rBSP 37)", 37),
	APEX(47, "Apex Legends (rBSP 47)"), APEX(48, "Apex Legends (rBSP 48)"), APEX(49, "Apex Legends (rBSP 49)"),
	APEX(50, "Apex Legends (rBSP 50)"), APEX(51, "Apex Legends (rBSP 51)"), APEX(52, "Apex Legends (rBSP 52)"),
};
enum { VARIANT_COUNT = sizeof variants / sizeof *variants };

/* Recognizes the formats. In Apex Legends, the upper bits of the version hold a second version number. If this number
 * is not 0, all lumps are in files next to the map. */
static int bid(bspi_bytes head, const bspi_variant **variant)
{
	if (head.size < 8 || memcmp(head.data, "rBSP", 4)) return 0;
	for (uint32_t i = 0; i < VARIANT_COUNT; i++) {
		if (bspi_load_u16(head.data + 4) != variants[i].version) continue;
		*variant = &variants[i];
		return 90;
	}
	return 0;
}

static bool open_lump(bspi_ctx *ctx, bspi_bytes file, uint32_t slot, bspi_lump *lump)
{
	bspi_cursor cursor = bspi_cursor_at(file, DIRECTORY_AT + ENTRY_SIZE * (size_t)slot);
	lump->name = lump_names[slot] ? lump_names[slot] : "a lump that is not read";
	lump->place_at = cursor.at;
	int32_t offset = bspi_take_i32(&cursor), size = bspi_take_i32(&cursor);
	lump->version = bspi_take_i32(&cursor);
	lump->offset = offset < 0 ? 0 : (uint64_t)offset;
	if (!size || lump->bytes.size) return true;
	if (offset >= 0 && size > 0 && (size_t)offset < file.size) return bspi_open_lump(ctx, file, offset, size, lump);
	BSPI_CHECK(
		ctx, !lump_names[slot], BSPSCENE_ERROR_BAD_LUMP, BSPI_LUMP_AT(lump->name, (uint32_t)offset),
		"the directory says %" PRId32 " bytes at offset %" PRId32
		", but the file has %zu bytes, and no .bsp_lump file next to it has them",
		size, offset, file.size);
	return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP_AT(lump->name, (uint32_t)offset),
	                 "the directory says %" PRId32 " bytes at offset %" PRId32 ", but the file has %zu bytes: left out",
	                 size, offset, file.size);
}

static bool directory(bspi_ctx *ctx, bspi_bytes file, const bspi_variant *variant, bspi_lump *lumps)
{
	(void)variant;
	BSPI_CHECK(ctx, file.size >= HEADER_SIZE, BSPSCENE_ERROR_BAD_HEADER, BSPI_NOWHERE,
	           "the file ends in its header, after %zu bytes: it is cut off", file.size);
	BSPI_TRY(bspi_respawn_lump_files(ctx, lumps));
	for (uint32_t slot = 0; slot < RESPAWN_LUMPS; slot++) BSPI_TRY(open_lump(ctx, file, slot, &lumps[slot]));
	return true;
}

/* ---- After reading tables --------------------------------------------------------------------------------- */

/* Converts the game's flags of textures to Source's. */
static uint32_t source_flags(uint32_t flags)
{
	enum { SAME = 0x1e, SKIP_BIT = 0x20000, TRIGGER_BIT = 0x40000 };
	return (flags & SAME) | (flags & SKIP_BIT ? VBSP_SURF_SKIP : 0) | (flags & TRIGGER_BIT ? VBSP_SURF_TRIGGER : 0);
}

/* Returns flags for textures of maps that fan-made compilers built, because these compilers store no flags. The names
 * are those of the editor, Radiant (docs/formats/respawn.md). */
static uint32_t flags_of_name(const char *name)
{
	static const struct { const char *start; uint32_t flags; } known[] = {
		{ "skybox/sky_", VBSP_SURF_SKY }, { "common/caulk", VBSP_SURF_NODRAW },
		{ "tools/toolswindowhint", VBSP_SURF_HINT }, { "tools/toolslightprobevolume", VBSP_SURF_NODRAW },
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (bspi_text_starts(name, known[i].start)) return known[i].flags;
	}
	return 0;
}

static bool read_name(bspi_ctx *ctx, const bspi_respawn_quirks *own, const bspi_lump *lumps, uint32_t index,
                      size_t record_size, bspi_texture *texture)
{
	bspi_bytes names = lumps[own->surface_names ? RESPAWN_SURFACE_NAMES : RESPAWN_NAMES].bytes, slot;
	size_t record = (size_t)index * record_size + own->name_at, size = 0;
	uint32_t at = bspi_load_u32(lumps[RESPAWN_TEXDATA].bytes.data + record);
	if (!own->surface_names) {
		bool known = bspi_slice(lumps[RESPAWN_NAME_OFFSETS].bytes, (uint64_t)at * 4, 4, &slot);
		at = known ? bspi_load_u32(slot.data) : UINT32_MAX;
	}
	if (at >= names.size) {
		memcpy(texture->name, "missing", sizeof "missing");
		return bspi_warn(ctx, BSPSCENE_WARNING_REFERENCE, BSPI_RECORD("texdata", index),
		                 "the offset of its name is past the end of all names");
	}
	for (; size + 1 < sizeof texture->name && at + size < names.size && names.data[at + size]; size++) {
		char c = (char)names.data[at + size];
		texture->name[size] = (char)(c == '\\' ? '/' : c);
	}
	texture->name[size] = 0;
	return true;
}

static bool finish(bspi_ctx *ctx, const bspi_variant *variant, const bspi_lump *lumps, bspi_map *map)
{
	const bspi_respawn_quirks *own = variant->extra;
	size_t record_size = own->surface_names ? apex_texdata.file_size : texdata.file_size;
	for (uint32_t i = 0; i < map->textures_count; i++) {
		bspi_texture *texture = &map->textures[i];
		texture->surface_flags = source_flags(texture->surface_flags);
		BSPI_TRY(read_name(ctx, own, lumps, i, record_size, texture));
		texture->surface_flags |= flags_of_name(texture->name);
	}
	BSPI_TRY(bspi_respawn_entities(ctx, lumps, map));
	bool inside = lumps[RESPAWN_GAME_LUMP].bytes.data == map->file.data + lumps[RESPAWN_GAME_LUMP].offset;
	if (inside) BSPI_TRY(bspi_add_game_places(ctx, &lumps[RESPAWN_GAME_LUMP], (bspi_game_form){ 0 }, map));
	return bspi_respawn_props(ctx, &lumps[RESPAWN_GAME_LUMP], map) && bspi_respawn_meshes(ctx, own, lumps, map);
}

const bspi_family bspi_family_respawn = {
	.about = { .name = "respawn", .title = "Titanfall and Apex Legends" },
	.bid = bid, .directory = directory, .finish = finish,
	.variants = variants, .variant_count = VARIANT_COUNT, .directory_at = DIRECTORY_AT,
};
