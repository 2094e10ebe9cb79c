/* goldsrc.c - Half-Life's engine (30), Blue Shift and Afterburner (43).
 *
 * Known changes from Quake 29: light is RGB, textures bring palettes or come from WADs, liquids are lit; Blue Shift
 * swaps the first two lumps; Afterburner only says 43 and has more lumps behind the 15 (id-tech.md 1.2, 5). */
#include "families/quake_common.h"

#include "base/text.h"

static const bspi_camera_rule cameras[] = {
	{ "info_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "info_player_*", BSPSCENE_CAMERA_SPAWN, false },
	{ "trigger_camera", BSPSCENE_CAMERA_OTHER, false },
	{ NULL, BSPSCENE_CAMERA_OTHER, false },
};
static const char *const hidden[] = {
	"trigger_*", "func_ladder", "func_buyzone", "func_bomb_target", "func_hostage_rescue", "func_clip", "infodecal",
	NULL,
};
static const bspi_entity_rules entities = {
	.lights = BSPI_LIGHTS_GOLDSRC, .cameras = cameras, .hidden = hidden, .render_modes = true,
	.first_switchable_style = 32,
};

/* Intensity 2^(1/2.5): what the engine multiplies light with before its gamma table when overbright is off. */
static const bspi_rules rules = {
	.light_storage = BSPI_STORAGE_BLOCKS, .light_encoding = BSPI_LIGHT_RGB8, .light_clamp = BSPI_CLAMP_CHANNELS,
	.overbright = 1, .intensity = 1.3195079f, .luxel_size = 16, .light_alignment = 4, .unlit_is_black = true,
	.eye_height = 28, .clip_hulls = true, .vis_first_leaf = 1,
	.entities = &entities, .materials = &bspi_material_rules_goldsrc,
};

static const bool not_swapped = false, swapped = true;

#define VARIANT(name, title, version, swap) \
	{ name, title, "", version, bspi_quake_rows, QUAKE_TABLE_COUNT, &rules, &swap }
static const bspi_variant variants[] = {
	VARIANT("goldsrc", "GoldSrc (30)", 30, not_swapped),
	VARIANT("blueshift", "Half-Life: Blue Shift (30)", 30, swapped),
	VARIANT("afterburner", "Afterburner, Xash3D (43)", 43, not_swapped),
};
enum { GOLDSRC, BLUESHIFT, AFTERBURNER, VARIANT_COUNT };

static int bid(bspi_bytes head, const bspi_variant **variant)
{
	if (head.size < 8) return 0;
	int32_t version = bspi_load_i32(head.data);
	if (version != 30 && version != 43) return 0;
	bool entities_first = bspi_looks_like_entities(bspi_quake_peek(head, QUAKE_ENTITIES));
	bool swap = !entities_first && bspi_looks_like_entities(bspi_quake_peek(head, QUAKE_PLANES));
	*variant = &variants[version == 43 ? AFTERBURNER : swap ? BLUESHIFT : GOLDSRC];
	return 40 + (entities_first || swap ? 10 : 0);
}

static bool directory(bspi_ctx *ctx, bspi_bytes file, const bspi_variant *variant, bspi_lump *lumps)
{
	BSPI_TRY(bspi_quake_directory(ctx, file, variant, lumps));
	if (!*(const bool *)variant->extra) return true;
	bspi_lump first = lumps[QUAKE_ENTITIES];
	lumps[QUAKE_ENTITIES] = lumps[QUAKE_PLANES];
	lumps[QUAKE_PLANES] = first;
	const char *name = lumps[QUAKE_ENTITIES].name;
	lumps[QUAKE_ENTITIES].name = first.name;
	lumps[QUAKE_PLANES].name = name;
	return true;
}

/* texinfo flag of Xash3D's compilers: 8 units per luxel. Others write 0 or 1 (xash3d, bspfile.h, mod_bmodel.c). */
#define TEX_EXTRA_LIGHTMAP 8u

static void settle_luxels(bspi_map *map)
{
	for (uint32_t i = 0; i < map->faces_count; i++) {
		bspi_face *face = &map->faces[i];
		bool known = face->texinfo >= 0 && (uint32_t)face->texinfo < map->texinfos_count;
		if (known && map->texinfos[face->texinfo].flags & TEX_EXTRA_LIGHTMAP) face->luxel_shift = 3;
	}
}

/* Liquids are lit here; only the sky is not, whatever its light offset says (1,235 sky faces have one). */
static void settle_unlit_faces(bspi_map *map)
{
	for (uint32_t i = 0; i < map->faces_count; i++) {
		bspi_face *face = &map->faces[i];
		bool named = face->texture >= 0 && (uint32_t)face->texture < map->textures_count;
		if (named && bspi_text_starts(map->textures[face->texture].name, "sky")) face->fullbright = true;
	}
}

static bool finish(bspi_ctx *ctx, const bspi_variant *variant, const bspi_lump *lumps, bspi_map *map)
{
	(void)variant;
	map->entities = lumps[QUAKE_ENTITIES].bytes;
	map->lighting = lumps[QUAKE_LIGHTING].bytes;
	bspi_quake_narrow_children(map);
	BSPI_TRY(bspi_quake_textures(ctx, &lumps[QUAKE_TEXTURES], map));
	bspi_quake_faces(map);
	settle_unlit_faces(map);
	settle_luxels(map);
	return bspi_quake_vis(ctx, lumps[QUAKE_VISIBILITY].bytes, map);
}

const bspi_family bspi_family_goldsrc = {
	.id = "goldsrc", .title = "GoldSrc", .bid = bid, .directory = directory, .finish = finish,
	.variants = variants, .variant_count = VARIANT_COUNT,
};
