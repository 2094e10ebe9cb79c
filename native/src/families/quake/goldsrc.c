/* goldsrc.c - maps of Half-Life's engine (version 30), Blue Shift (30) and Afterburner (43).
 *
 * Differences from Quake's version 29: light is RGB, textures have palettes of their own or come from WADs, liquids are
 * lit. Blue Shift swaps the first two lumps. Afterburner has more lumps after the first 15. In place of textures it has
 * names of image files (docs/formats/goldsrc.md). */
#include "families/quake/quake_common.h"

#include "base/text.h"

static const bspi_camera_rule cameras[] = {
	{ "info_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "info_player_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "info_player_*", BSPSCENE_CAMERA_SPAWN, false },
	{ "trigger_camera", BSPSCENE_CAMERA_OTHER, false },
	{ NULL, BSPSCENE_CAMERA_OTHER, false },
};
static const char *const hidden[] = {
	"trigger_*", "func_ladder", "func_buyzone", "func_bomb_target", "func_hostage_rescue", "func_clip", "infodecal",
	"func_monsterclip", "func_tankcontrols", "func_traincontrols", "func_mortar_field", "func_escapezone",
	"func_vip_safetyzone", "func_grencatch", "func_weaponcheck", NULL,
};
/* func_wall_toggle with spawnflag 1 is hidden. Sprites with a targetname are hidden unless their start-on flag (1) is
 * set (Half-Life's effects.cpp CSprite::Spawn). */
static const bspi_hidden_rule hidden_by_flags[] = {
	{ "func_wall_toggle", 1, 1, false }, { "env_sprite", 1, 0, true }, { NULL, 0, 0, false },
};
static const bspi_mover_rule movers[] = {
	{ .name = "func_train", .kind = BSPI_MOVER_TRAIN_BY_CENTER },
	{ .name = "func_tracktrain", .kind = BSPI_MOVER_TRACK_TRAIN },
	{ .name = "func_door", .kind = BSPI_MOVER_DOOR },
	{ .name = "func_water", .kind = BSPI_MOVER_DOOR },
	{ .name = "func_door_rotating", .kind = BSPI_MOVER_ROTATING_DOOR },
	{ .name = "func_plat", .kind = BSPI_MOVER_PLATFORM, .margin = 1, .lip = 8, .named_stays = true },
	{ .name = "func_platrot", .kind = BSPI_MOVER_PLATFORM, .margin = 1, .lip = 8, .named_stays = true },
	{ .name = NULL },
};
static const char *const moving_models[] = { "monster_*", "item_*", "weapon_*", "ammo_*", NULL };
#define COMMON_ENTITIES \
	.lights = &bspi_goldsrc_lights, .cameras = cameras, .hidden = hidden, .hidden_by_flags = hidden_by_flags, \
	.movers = movers, .render_modes = true, .first_switchable_style = 32, .starts_off = 1, \
	.class_models = bspi_goldsrc_classes, .items = &bspi_goldsrc_items, .moving_models = moving_models, \
	.model_pitch_up = true
static const bspi_entity_rules entities = { COMMON_ENTITIES };
static const bspi_entity_rules afterburner_entities = {
	COMMON_ENTITIES, .own_class_models = bspi_afterburner_classes,
};

/* Afterburner's texture lump: a count, a zero, and records with an image name. */
enum { TEXTURE_NAMES_AT = 8 };
static const bspi_field texture_name_rows[] = {
	NAME_FIELD(bspi_texture, name, 0, 64),
	SKIP("zeroes", 64, 16),
};
static const bspi_layout texture_name = LAYOUT("texture name", bspi_texture, texture_name_rows, 80);

/* Sources of the limits: for the text MAX_MAP_ENTSTRING (HLSDK, bspfile.h); for keys and values the buffers of the
 * engine's parser. */
static const bspi_entity_limits entity_limits = { .engine = "GoldSrc", .text = 131072, .key = 255, .value = 1023 };

/* The sum of all styles is clamped at 255. A sum of 255 shows the texture at 4/3 of its brightness, because lightmaps
 * are multiplied by 2/3 and blending doubles the product. The steady style, 'm', multiplies light by 264/256
 * (xash3d gl_rsurf.c R_BuildLightMap, R_BlendLightmaps). Without `gl_overbright`, the factor is not 4/3 but
 * 2^(1 / lightgamma) = 1.3195, one percent less, and light is clamped at white. */
#define COMMON_RULES \
	.light_storage = BSPI_STORAGE_BLOCKS, .light_encoding = BSPI_LIGHT_RGB8, .light_clamp = BSPI_CLAMP_CHANNELS, \
	.overbright = 1, .intensity = 4 * 264 / 768.0f, .light_limit = 4 / 3.0f, .luxel_size = 16, \
	.light_alignment = 4, .unlit_is_black = true, \
	.eye_height = 28, .clip_hulls = true, .vis_first_leaf = 1, \
	.entity_limits = &entity_limits, .entity_file = ".ent"
static const bspi_rules goldsrc_rules = {
	COMMON_RULES, .entities = &entities, .materials = BSPI_MATERIALS_GOLDSRC,
};
static const bspi_rules afterburner_rules = {
	COMMON_RULES, .entities = &afterburner_entities, .materials = BSPI_MATERIALS_AFTERBURNER,
};

typedef struct quirks {
	bool swapped;                      /* the entities and the planes are swapped in the directory */
	bool texture_names;                /* the lump of textures has names of images */
} quirks;
static const quirks goldsrc_quirks = { .swapped = false }, blueshift_quirks = { .swapped = true },
                    afterburner_quirks = { .texture_names = true };

#define VARIANT(name, title, version, own_rules, own_quirks) \
	{ name, title, "", version, bspi_quake_rows, QUAKE_TABLE_COUNT, &own_rules, &own_quirks }
static const bspi_variant variants[] = {
	VARIANT("goldsrc", "GoldSrc (30)", 30, goldsrc_rules, goldsrc_quirks),
	VARIANT("blueshift", "Half-Life: Blue Shift (30)", 30, goldsrc_rules, blueshift_quirks),
	VARIANT("afterburner", "Afterburner, Xash3D (43)", 43, afterburner_rules, afterburner_quirks),
};
enum { GOLDSRC, BLUESHIFT, AFTERBURNER, VARIANT_COUNT };

static int bid(bspi_bytes head, const bspi_variant **variant)
{
	if (head.size < 8) return 0;
	int32_t version = bspi_load_i32(head.data);
	if (version != 30 && version != 43) return 0;
	bool entities_first = bspi_quake_has_entities(head, QUAKE_ENTITIES);
	bool swap = !entities_first && bspi_quake_has_entities(head, QUAKE_PLANES);
	*variant = &variants[version == 43 ? AFTERBURNER : swap ? BLUESHIFT : GOLDSRC];
	return 40 + (entities_first || swap ? 10 : 0);
}

/* The directory of the twelve lumps that Xash3D adds (xash3d, bspfile.h, dextrahdr_t). Only the lump FACEINFO is
 * read. */
enum {
	HEADER_AT = QUAKE_DIRECTORY_OFFSET + 8 * QUAKE_LUMP_COUNT, LUMPS_AT = HEADER_AT + 8, COUNT = 12,
	FACEINFO = QUAKE_LUMP_COUNT + 1
};
static void name_xash_lumps(bspi_bytes file, bspi_lump *lumps)
{
	bspi_bytes header;
	bool there = bspi_slice(file, HEADER_AT, 8 + 8 * COUNT, &header) && !memcmp(header.data, "XASH", 4);
	for (uint32_t i = 0; there && i < COUNT; i++) {
		lumps[QUAKE_LUMP_COUNT + i].name = "Xash3D lump";
		lumps[QUAKE_LUMP_COUNT + i].place_at = LUMPS_AT + 8 * (size_t)i;
	}
	if (!there) return;
	const uint8_t *entry = file.data + lumps[FACEINFO].place_at;
	lumps[FACEINFO].name = "face infos";
	lumps[FACEINFO].offset = bspi_load_u32(entry);
	bspi_slice(file, bspi_load_u32(entry), bspi_load_u32(entry + 4), &lumps[FACEINFO].bytes);
}

static bool directory(bspi_ctx *ctx, bspi_bytes file, const bspi_variant *variant, bspi_lump *lumps)
{
	BSPI_TRY(bspi_quake_directory(ctx, file, variant, lumps));
	name_xash_lumps(file, lumps);
	if (!((const quirks *)variant->extra)->swapped) return true;
	bspi_lump first = lumps[QUAKE_ENTITIES];
	lumps[QUAKE_ENTITIES] = lumps[QUAKE_PLANES];
	lumps[QUAKE_PLANES] = first;
	const char *name = lumps[QUAKE_ENTITIES].name;
	lumps[QUAKE_ENTITIES].name = first.name;
	lumps[QUAKE_PLANES].name = name;
	return true;
}

/* texinfo flags of Xash3D's compilers. TEX_EXTRA_LIGHTMAP: luxels of 8 texels. TEX_WORLD_LUXELS: luxels are measured
 * in units of the world, not in texels. The upper half of the flags is the index of a FACEINFO record: 16 bytes of
 * name, then texels per luxel. Other compilers write 0 or 1 (xash3d, bspfile.h; mod_bmodel.c,
 * Mod_SampleSizeForFace). */
enum {
	TEX_WORLD_LUXELS = 2, TEX_EXTRA_LIGHTMAP = 8, FACEINFO_BITS = 16, FACEINFO_SIZE = 22, FACEINFO_STEP_AT = 16
};

/* Returns the texels per luxel that the flags select; 0: the default. */
static uint32_t luxel_step(uint32_t flags, bspi_bytes infos)
{
	size_t number = flags >> FACEINFO_BITS;
	if (flags & TEX_EXTRA_LIGHTMAP) return 1 << 3;
	if (number >= infos.size / FACEINFO_SIZE) return 0;
	return bspi_load_u16(infos.data + number * FACEINFO_SIZE + FACEINFO_STEP_AT);
}

/* Returns n if `step` is 2^n, or 0 for other numbers. */
static int32_t shift_of(uint32_t step)
{
	int32_t shift = 0;
	while (step >> shift > 1) shift++;
	return step == 1u << shift ? shift : 0;
}

/* Sets the luxel size of faces: luxel_shift if the size is a power of two, else a light projection. */
static bool settle_luxels(bspi_ctx *ctx, bspi_bytes infos, bspi_map *map)
{
	uint32_t worldly = 0;
	map->light_projections_count = infos.size ? map->texinfos_count : 0;
	map->light_projections = bspi_push(ctx, &ctx->scratch, bspi_light_projection, map->light_projections_count);
	BSPI_TRY(map->light_projections);
	for (uint32_t i = 0; i < map->faces_count; i++) {
		bspi_face *face = &map->faces[i];
		face->light_projection = -1;
		if (face->texinfo < 0 || (uint32_t)face->texinfo >= map->texinfos_count) continue;
		const bspi_texinfo *info = &map->texinfos[face->texinfo];
		uint32_t step = luxel_step(info->flags, infos);
		face->luxel_shift = shift_of(step);
		worldly += infos.size && info->flags & TEX_WORLD_LUXELS;
		if (!step || face->luxel_shift) continue;
		face->light_projection = face->texinfo;
		for (int k = 0; k < 8; k++) {
			float *out = &map->light_projections[face->texinfo].vectors[k / 4][k % 4];
			*out = info->texture_vectors[k / 4][k % 4] / (float)step;
		}
	}
	return !worldly || bspi_warn(ctx, BSPSCENE_WARNING_UNSUPPORTED, BSPI_LUMP("face infos"),
	                             "%u faces measure luxels in units of the world, which is not supported: their light "
	                             "may be misplaced", worldly);
}

/* Recognizes liquids by name. "water" counts only in lower case (xash3d mod_bmodel.c, Mod_LoadSurfaces). */
static bool is_liquid(const char *name)
{
	return name[0] == '!' || name[0] == '*' || !strncmp(name, "water", 5) || bspi_text_starts(name, "laser");
}

static void mark_liquids(bspi_map *map)
{
	for (uint32_t i = 0; i < map->textures_count; i++) {
		map->textures[i].is_liquid = is_liquid(map->textures[i].name);
	}
}

/* Marks sky faces as unlit, whether they have a light offset or not. (In the maps that were measured, 1,235 sky faces
 * have one.) */
static void settle_unlit_faces(bspi_map *map)
{
	for (uint32_t i = 0; i < map->faces_count; i++) {
		bspi_face *face = &map->faces[i];
		bool named = face->texture >= 0 && (uint32_t)face->texture < map->textures_count;
		if (named && bspi_text_starts(map->textures[face->texture].name, "sky")) face->fullbright = true;
	}
}

/* Reads the names of Afterburner's images. The textures get their sizes later, when the images are found. */
static bool read_texture_names(bspi_ctx *ctx, const bspi_lump *lump, bspi_map *map)
{
	bspi_cursor cursor = bspi_cursor_at(lump->bytes, 0);
	uint32_t count = lump->bytes.size ? bspi_take_u32(&cursor) : 0;
	size_t size = lump->bytes.size > TEXTURE_NAMES_AT ? lump->bytes.size - TEXTURE_NAMES_AT : 0,
	       room = size / texture_name.file_size;
	if (count > room) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_LUMP_TAIL, BSPI_LUMP("textures"),
		                   "the lump claims %u textures, but has room for %zu: the others are missing", (unsigned)count,
		                   room));
		count = (uint32_t)room;
	}
	map->textures = bspi_push(ctx, &ctx->scratch, bspi_texture, count);
	BSPI_TRY(map->textures);
	map->textures_count = count;
	if (count) bspi_layout_decode(&texture_name, lump->bytes.data + TEXTURE_NAMES_AT, count, map->textures);
	for (uint32_t i = 0; i < count; i++) map->textures[i].miptex = BSPI_NO_BYTES;
	return true;
}

static bool finish(bspi_ctx *ctx, const bspi_variant *variant, const bspi_lump *lumps, bspi_map *map)
{
	bool names = ((const quirks *)variant->extra)->texture_names;
	const bspi_lump *textures = &lumps[QUAKE_TEXTURES];
	map->entities = lumps[QUAKE_ENTITIES].bytes;
	map->lighting = lumps[QUAKE_LIGHTING].bytes;
	bspi_add_light_store(map, &(bspi_light_store){
		.name = "rgb", .luxels = map->lighting, .encoding = BSPI_LIGHT_RGB8 });
	bspi_quake_narrow_children(map);
	BSPI_TRY(names ? read_texture_names(ctx, textures, map) : bspi_quake_textures(ctx, textures, map));
	bspi_quake_faces(map);
	mark_liquids(map);
	settle_unlit_faces(map);
	BSPI_TRY(settle_luxels(ctx, lumps[FACEINFO].bytes, map));
	return bspi_quake_vis(ctx, lumps[QUAKE_VISIBILITY].bytes, map);
}

const bspi_family bspi_family_goldsrc = {
	.about = { .name = "goldsrc", .title = "GoldSrc", .reads_wads = true },
	.bid = bid, .directory = directory, .finish = finish,
	.variants = variants, .variant_count = VARIANT_COUNT, .directory_at = QUAKE_DIRECTORY_OFFSET,
};
