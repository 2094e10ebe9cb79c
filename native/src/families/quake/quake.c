/* quake.c - Quake 29, BSP2, 2PSB and Hexen II, which differ only in the width of fields and the number of hulls.
 *
 * Neither the version nor a magic identifies Hexen II, but its models have 80 bytes instead of 64. In a list of models,
 * each model's faces begin where the faces of the previous one end, and all faces are covered. A list read with the
 * wrong record size does not have this property. This test recognizes all 525 files of docs/formats/quake.md, "Which
 * game".
 *
 * Gray light is in the map. Color, directions and HDR light are in files next to it (.lit, .lux) or in BSPX. */
#include "families/quake/bspx.h"
#include "families/quake/quake_common.h"

#include <stdio.h>

#include "base/text.h"
#include "io/map_companions.h"
#include "io/io.h"

enum { QUAKE_MODEL = 64, HEXEN2_MODEL = 80, FACES_TAIL = 8 };

static const bspi_camera_rule cameras[] = {
	{ "info_intermission", BSPSCENE_CAMERA_INTERMISSION, true },
	{ "info_player_intermission", BSPSCENE_CAMERA_INTERMISSION, true }, /* maps converted from other games have it */
	{ "info_player_*", BSPSCENE_CAMERA_SPAWN, false },
	{ "testplayerstart", BSPSCENE_CAMERA_SPAWN, false },
	{ NULL, BSPSCENE_CAMERA_OTHER, false },
};
static const char *const hidden[] = { "trigger_*", "func_group", "info_null", NULL };
/* The light rules of id's compiler and of ericw-tools. The key `angle` is the full angle of the cone. */
static const bspi_light_rules lights = {
	.falloff = BSPSCENE_FALLOFF_LINEAR, .delays = true, .reach = 1, .aim = BSPI_AIM_MANGLE, .cone = BSPI_CONE_WHOLE,
	.sun = "_sun",
};
/* The game's code enlarges the boxes of models by one unit on each side. */
static const bspi_mover_rule movers[] = {
	{ .name = "func_train", .kind = BSPI_MOVER_TRAIN_BY_CORNER, .margin = 1 },
	{ .name = "func_door", .kind = BSPI_MOVER_DOOR, .margin = 1, .lip = 8 },
	{ .name = "func_plat", .kind = BSPI_MOVER_PLATFORM, .margin = 1, .lip = 8, .named_stays = true },
	{ .name = NULL },
};
#define COMMON_ENTITIES \
	.lights = &lights, .cameras = cameras, .hidden = hidden, .movers = movers, .first_switchable_style = 32, \
	.starts_off = 1, .class_models = bspi_quake_classes, .items = &bspi_quake_items, .model_pitch_up = true, \
	.angle_is_yaw = true, .alpha_key = true
static const bspi_entity_rules entities = { COMMON_ENTITIES };
/* Classes that HexenC's func.hc makes translucent (flag DRF_TRANSLUCENT of the protocol). */
static const char *const translucent[] = { "func_wall", "func_illusionary", NULL };
static const bspi_entity_rules hexen2_entities = { COMMON_ENTITIES, .translucent = translucent };

/* Fog as QuakeSpasm draws it (gl_fog.c, gl_sky.c). By default half of the color of the sky is fog. The original engine
 * had no fog. */
static const bspi_map_fog_rules map_fog = {
	.keys = { "fog", "_fog", NULL }, .density = 1 / 64.0f, .power = 2, .end = 1048576, .sky = 0.5f,
	.sky_keys = { "skyfog", "_skyfog", NULL }, .gray = 0.3f, .along_view = true, .over_lightmaps = true,
};

/* Sources of the limits: MAX_MAP_ENTSTRING in id's bspfile.h; keyname[256] in ED_ParseEdict of pr_edict.c;
 * com_token[1024] in common.c. */
static const bspi_entity_limits entity_limits = { .engine = "Quake", .text = 65536, .key = 255, .value = 1023 };

/* The sum of all styles is clamped at 255, which shows the texture twice as bright. The steady style, 'm',
 * multiplies light by 264/256 (gl_rlight.c R_AnimateLight, gl_rsurf.c R_BuildLightMap). */
static const bspi_rules rules = {
	.light_storage = BSPI_STORAGE_BLOCKS, .light_encoding = BSPI_LIGHT_GRAY8, .light_clamp = BSPI_CLAMP_CHANNELS,
	.overbright = 1, .intensity = 2 * 264 / 256.0f, .light_limit = 2, .lightmaps_alone_white = true, .luxel_size = 16,
	.light_alignment = 4,
	.light_offset_in_luxels = true,
	.unlit_is_black = true, .quake_text = true, .eye_height = 22, .clip_hulls = true, .vis_first_leaf = 1,
	.entities = &entities, .materials = BSPI_MATERIALS_QUAKE, .map_fog = &map_fog,
	.entity_limits = &entity_limits, .entity_file = ".ent", .entity_sum = BSPI_ENTITY_SUM_BUT_LAST,
};

typedef struct quake_format {
	bool wide;                         /* children of nodes have 32 bits */
	bool hexen2;
} quake_format;

static const quake_format narrow_quake = { false, false }, narrow_hexen2 = { false, true };
static const quake_format wide_quake = { true, false }, wide_hexen2 = { true, true };

#define VARIANT(name, title, magic, version, rows, format) \
	{ name, title, magic, version, rows, QUAKE_TABLE_COUNT, &rules, &format }
static const bspi_variant variants[] = {
	VARIANT("quake", "Quake (29)", "", 29, bspi_quake_rows, narrow_quake),
	VARIANT("hexen2", "Hexen II (29)", "", 29, bspi_hexen2_rows, narrow_hexen2),
	VARIANT("bsp2", "Quake (BSP2)", "BSP2", 0, bspi_bsp2_rows, wide_quake),
	VARIANT("bsp2", "Hexen II (BSP2)", "BSP2", 0, bspi_bsp2_hexen2_rows, wide_hexen2),
	VARIANT("2psb", "Quake (2PSB)", "2PSB", 0, bspi_2psb_rows, wide_quake),
	VARIANT("2psb", "Hexen II (2PSB)", "2PSB", 0, bspi_2psb_hexen2_rows, wide_hexen2),
};
enum { VARIANT_COUNT = sizeof variants / sizeof *variants };

/* True if a list of models with `stride` bytes each is plausible: their face ranges follow each other and cover all
 * faces. The last two members of a record are firstface and numfaces. */
static bool models_chain(bspi_bytes models, size_t stride, uint64_t faces)
{
	uint64_t next = 0;
	if (!models.size || models.size % stride) return false;
	for (size_t at = stride - FACES_TAIL; at < models.size; at += stride) {
		if (bspi_load_u32(models.data + at) != next) return false;
		next += bspi_load_u32(models.data + at + 4);
	}
	return next == faces;
}

static int bid(bspi_bytes head, const bspi_variant **variant)
{
	if (head.size < 8) return 0;
	uint32_t first = 0;
	while (first < VARIANT_COUNT && (variants[first].magic[0] ? memcmp(head.data, variants[first].magic, 4) != 0
	                                                          : bspi_load_i32(head.data) != variants[first].version))
		first++;
	if (first == VARIANT_COUNT) return 0;
	/* Variants with the same tag are in pairs: first the one for Quake, then the one for Hexen II. */
	const quake_format *format = variants[first].extra;
	bspi_bytes models = bspi_quake_peek(head, QUAKE_MODELS);
	uint64_t faces = bspi_quake_peek(head, QUAKE_FACES).size / (format->wide ? 28 : 20);
	bool is_quake = models_chain(models, QUAKE_MODEL, faces),
	     is_hexen2 = !is_quake && models_chain(models, HEXEN2_MODEL, faces);
	*variant = &variants[first + is_hexen2];
	return (variants[first].magic[0] ? 80 : 40) + (is_quake || is_hexen2 ? 10 : 0);
}

enum { LIT_HEADER = 8, LIT_RGB = 1, LIT_HDR = 0x10001 };

/* Reads a .lit file (QLIT): 3 bytes per luxel, or 4 bytes in E5BGR9. If the file was made for another build
 * of the map, it has the wrong length. (This was so for 26 of 153 files.) */
static bool read_lit(bspi_ctx *ctx, bspi_bytes gray, bspi_map *map)
{
	char path[BSPI_PATH_SIZE];
	bspi_sibling lit;
	snprintf(path, sizeof path, "maps/%.200s.lit", ctx->name);
	if (!bspi_open_sibling(ctx, &ctx->scratch, path, BSPSCENE_FILE_LIGHT, &lit)) return !ctx->error.status;

	bspi_cursor cursor = bspi_cursor_at(lit.bytes, 0);
	const uint8_t *tag = bspi_take(&cursor, 4);
	uint32_t version = bspi_take_u32(&cursor);
	if (cursor.failed || memcmp(tag, "QLIT", 4) || (version != LIT_RGB && version != LIT_HDR)) {
		bspi_reject_companion(ctx, lit.path, "not a light file of a known version");
		return bspi_warn(ctx, BSPSCENE_WARNING_UNSUPPORTED, BSPI_LUMP(".lit"),
		                 "%s is not used: it is not a light file (QLIT) of version 1 or 0x10001", lit.path);
	}
	size_t luxel = version == LIT_HDR ? 4 : 3;
	bspi_bytes data = bspi_bytes_of(lit.bytes.data + LIT_HEADER, lit.bytes.size - LIT_HEADER);
	if (data.size != gray.size * luxel) {
		bspi_reject_companion(ctx, lit.path, "for another version of the map");
		return bspi_warn(
			ctx, BSPSCENE_WARNING_FILE_STALE, BSPI_LUMP(".lit"),
			"%s is not used: it has light for %zu luxels, but the map has %zu; it may be for another version of it",
			lit.path, data.size / luxel, gray.size);
	}
	bspi_add_light_store(map, &(bspi_light_store){
		.name = version == LIT_HDR ? "lit_e5bgr9" : "lit", .luxels = data, .path = lit.path, .file = lit.bytes,
		.encoding = version == LIT_HDR ? BSPI_LIGHT_E5BGR9 : BSPI_LIGHT_RGB8, .hdr = version == LIT_HDR });
	if (version == LIT_HDR) {
		map->lighting_hdr = data;
		map->hdr_encoding = BSPI_LIGHT_E5BGR9;
	} else {
		map->lighting = data;
		map->rules.light_encoding = BSPI_LIGHT_RGB8;
	}
	return true;
}

/* Reads light directions from the .lux file next to the map. They have the same offsets as the colors of a .lit file. A
 * component of a direction is (byte - 128) / 127. */
static bool read_lux(bspi_ctx *ctx, bspi_bytes gray, bspi_map *map)
{
	char path[BSPI_PATH_SIZE];
	bspi_sibling lux;
	snprintf(path, sizeof path, "maps/%.200s.lux", ctx->name);
	if (!bspi_open_sibling(ctx, &ctx->scratch, path, BSPSCENE_FILE_LIGHT, &lux)) return !ctx->error.status;
	if (lux.bytes.size != LIT_HEADER + gray.size * 3 || memcmp(lux.bytes.data, "QLIT", 4)) {
		bspi_reject_companion(ctx, lux.path, "for another version of the map");
		return bspi_warn(ctx, BSPSCENE_WARNING_FILE_STALE, BSPI_LUMP(".lux"),
		                 "%s is not used: its size does not fit the map's light", lux.path);
	}
	map->light_directions = bspi_bytes_of(lux.bytes.data + LIT_HEADER, lux.bytes.size - LIT_HEADER);
	return true;
}

static bool take_bspx(bspi_ctx *ctx, const bspi_lump *lumps, const char *name, size_t size, bspi_map *map,
                      bspi_bytes *out)
{
	bspi_bytes found = bspi_bspx_find(map->file, lumps, name);
	if (!found.size) return true;
	if (found.size != size) {
		return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP(name),
		                 "left out: its size does not fit the map's light");
	}
	*out = found;
	return true;
}

/* Returns the number of luxels in the gray lump. If a compiler left that lump empty (ericw-tools' -novanilla), returns
 * the number of colors in BSPX. Faces whose light offset is beyond this number are unlit. */
static size_t count_luxels(const bspi_lump *lumps, const bspi_map *map)
{
	size_t gray = lumps[QUAKE_LIGHTING].bytes.size;
	size_t rgb = bspi_bspx_find(map->file, lumps, "RGBLIGHTING").size;
	if (gray) return gray;
	return rgb ? rgb / 3 : bspi_bspx_find(map->file, lumps, "LIGHTING_E5BGR9").size / 4;
}

/* Reads the map's gray light, and colors from BSPX or a .lit file. Offsets of faces count luxels in all of them. */
static bool read_light(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map)
{
	bspi_bytes gray = lumps[QUAKE_LIGHTING].bytes, rgb = BSPI_NO_BYTES;
	size_t luxels = count_luxels(lumps, map);
	map->lighting = gray;
	BSPI_TRY(bspi_bspx_read(ctx, lumps, map) && bspi_bspx_read_styles(ctx, lumps, map));
	BSPI_TRY(take_bspx(ctx, lumps, "RGBLIGHTING", luxels * 3, map, &rgb));
	BSPI_TRY(take_bspx(ctx, lumps, "LIGHTINGDIR", luxels * 3, map, &map->light_directions));
	BSPI_TRY(take_bspx(ctx, lumps, "LIGHTING_E5BGR9", luxels * 4, map, &map->lighting_hdr));
	if (map->lighting_hdr.size) map->hdr_encoding = BSPI_LIGHT_E5BGR9;
	const bspi_light_store stores[] = {
		{ .name = "gray", .luxels = gray, .encoding = BSPI_LIGHT_GRAY8 },
		{ .name = "rgblighting", .luxels = rgb, .encoding = BSPI_LIGHT_RGB8 },
		{ .name = "e5bgr9", .luxels = map->lighting_hdr, .encoding = BSPI_LIGHT_E5BGR9, .hdr = true },
	};
	for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) bspi_add_light_store(map, &stores[i]);
	if (rgb.size) {
		map->lighting = rgb;
		map->rules.light_encoding = BSPI_LIGHT_RGB8;
	}
	if (!gray.size) return true;
	BSPI_TRY(read_lit(ctx, gray, map));
	return map->light_directions.size ? true : read_lux(ctx, gray, map);
}

/* Marks skies as unlit, and liquids without a light offset. Quake's engine draws all liquids without light, but newer
 * compilers light some: 3,371 faces in 530 maps. BSPX is read first, because it may replace light offsets. */
static void settle_unlit_faces(bspi_map *map)
{
	for (uint32_t i = 0; i < map->faces_count; i++) {
		bspi_face *face = &map->faces[i];
		bool named = face->texture >= 0 && (uint32_t)face->texture < map->textures_count;
		const char *name = named ? map->textures[face->texture].name : "";
		if (bspi_text_starts(name, "sky") || (name[0] == '*' && face->light_offset < 0)) face->fullbright = true;
	}
}

static bool finish(bspi_ctx *ctx, const bspi_variant *variant, const bspi_lump *lumps, bspi_map *map)
{
	const quake_format *format = variant->extra;
	map->entities = lumps[QUAKE_ENTITIES].bytes;
	if (format->hexen2) map->rules.entities = &hexen2_entities;
	if (!format->wide) bspi_quake_narrow_children(map);
	BSPI_TRY(bspi_quake_textures(ctx, &lumps[QUAKE_TEXTURES], map));
	bspi_quake_faces(map);
	BSPI_TRY(bspi_quake_vis(ctx, lumps[QUAKE_VISIBILITY].bytes, map) && read_light(ctx, lumps, map));
	settle_unlit_faces(map);
	return true;
}

const bspi_family bspi_family_quake = {
	.about = { .name = "quake", .title = "Quake" }, .bid = bid, .directory = bspi_quake_directory, .finish = finish,
	.variants = variants, .variant_count = VARIANT_COUNT, .directory_at = QUAKE_DIRECTORY_OFFSET,
};
