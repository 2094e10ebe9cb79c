/* vbsp_versions.c - recognizes Source's formats, and lists how each differs from the others. The version does not
 * identify the game. Left 4 Dead 2 shares its version number with other games, but has another directory layout
 * (docs/formats/source.md, "Which version"). */
#include "families/vbsp/vbsp_tables.h"

/* ---- Rules ------------------------------------------------------------------------------------------------ */

static const bspi_camera_rule cameras[] = {
	{ "info_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "info_player_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "info_player_*", BSPSCENE_CAMERA_SPAWN, false },
	{ "info_survivor_position", BSPSCENE_CAMERA_SPAWN, false },
	{ "point_viewcontrol", BSPSCENE_CAMERA_OTHER, false },
	{ "point_devshot_camera", BSPSCENE_CAMERA_OTHER, false },
	{ NULL, BSPSCENE_CAMERA_OTHER, false },
};
static const char *const hidden[] = {
	"trigger_*", "func_areaportal", "func_clip_vphysics", "func_vehicleclip", "func_ladder", "func_occluder",
	"func_nav_*", "func_buyzone", "func_bomb_target", "func_hostage_rescue", "func_no_defuse", "func_smokevolume",
	"func_dustmotes", "func_dustcloud", "func_precipitation", NULL,
};
/* Sprites that have a targetname are hidden unless their start-on flag is set (SDK 2013 Sprite.cpp CSprite::Spawn). */
static const bspi_hidden_rule hidden_by_flags[] = {
	{ "env_sprite", 1, 0, true }, { "env_glow", 1, 0, true }, { NULL, 0, 0, false },
};
/* There is no rule for doors that start open, because the key for their direction differs between games. */
static const bspi_mover_rule movers[] = {
	{ .name = "func_tracktrain", .kind = BSPI_MOVER_TRACK_TRAIN, .looks_east = true },
	{ .name = NULL },
};
static const bspi_light_rules lights = { .power = BSPI_POWER_ATTENUATED };
static const char *const moving_models[] = {
	"prop_physics*", "prop_ragdoll", "npc_*", "monster_*", "item_*", "weapon_*", NULL,
};
static const bspi_entity_rules entities = {
	.lights = &lights, .cameras = cameras, .hidden = hidden, .hidden_by_flags = hidden_by_flags,
	.movers = movers, .parents = true, .first_switchable_style = 32, .starts_off = 1,
	.brush_angles = true, .prop_keys = true, .sprite_materials = true, .sky_camera = "sky_camera", .decal = "infodecal",
	.no_decal_flags = VBSP_SURF_NODECALS, .moving_models = moving_models,
};

/* Sources of the limits: MAX_MAP_ENTSTRING in bspfile.h and MAPKEY_MAXLENGTH in mapentities_shared.h, both of SDK
 * 2013. */
static const bspi_entity_limits entity_limits = { .engine = "Source", .text = 393216, .key = 2047, .value = 2047 };

/* A value in a page is light ^ (1 / 2.2) / 2, like the engine's own pages (overbright 2 in display space). So
 * they can represent light up to 2 ^ 2.2 = 4.6 times white. `intensity` is 2 to undo the halving. */
static const bspi_rules rules = {
	.light_storage = BSPI_STORAGE_BLOCKS, .light_encoding = BSPI_LIGHT_RGBEXP32, .light_clamp = BSPI_CLAMP_CHANNELS,
	.overbright = 1, .intensity = 2, .luxel_size = 16, .first_value_wins = true, .scanned_numbers = true,
	.needs_lamps = true, .linear_luxels = true, .eye_height = 64, .entities = &entities,
	.materials = BSPI_MATERIALS_SOURCE, .entity_limits = &entity_limits, .entity_file = "_l_0.lmp",
};

/* ---- Recognizing the version ------------------------------------------------------------------------------ */

static const bspi_vbsp_quirks plain_quirks = { .wide = false };
static const bspi_vbsp_quirks quirks17 = { .eight_styles = true };
static const bspi_vbsp_quirks quirks2003 = { .no_tags = true };
static const bspi_vbsp_quirks vindictus_quirks = { .game = { .wide_entries = true }, .scaled_props = true };
static const bspi_vbsp_quirks quirks21 = { .version_first = true };
static const bspi_vbsp_quirks quirks25 = { .wide = true };
static const bspi_vbsp_quirks quirks27 = { .directory_moved = 4 };
static const bspi_vbsp_quirks messiah_quirks = { .game = { .moved = 4 } };
static const bspi_vbsp_quirks console_quirks = { .big_endian = true };
static const bspi_vbsp_quirks console_left4dead2_quirks = { .big_endian = true, .version_first = true };

enum {
	VBSP_17, VBSP_18, VBSP_19, VBSP_19_SHORT, VBSP_20, VBSP_21, LEFT4DEAD2, STRATA, VBSP_2003, INFRA, CONTAGION,
	DARK_MESSIAH, VINDICTUS, VINDICTUS_2, DOTA2_22, DOTA2_23, CONSOLE_20, CONSOLE_21, CONSOLE_LEFT4DEAD2
};
#define ROWS(version) bspi_vbsp_rows_##version, VBSP_ROW_COUNT, &rules
const bspi_variant bspi_vbsp_variants[BSPI_VBSP_VARIANTS] = {
	[VBSP_17] = { "vampire", "Vampire: The Masquerade - Bloodlines (VBSP 17)", "VBSP", 17, ROWS(17), &quirks17 },
	[VBSP_18] = { "source18", "Source betas (VBSP 18)", "VBSP", 18, ROWS(18), &plain_quirks },
	[VBSP_19] = { "source19", "Half-Life 2 (VBSP 19)", "VBSP", 19, ROWS(19), &plain_quirks },
	[VBSP_19_SHORT] = { "source19", "Half-Life 2 (VBSP 19, short leafs)", "VBSP", 19, ROWS(20), &plain_quirks },
	[VBSP_20] = { "source20", "Source 2006 to 2013 (VBSP 20)", "VBSP", 20, ROWS(20), &plain_quirks },
	[VBSP_21] = { "source21", "Counter-Strike: GO, Portal 2, Alien Swarm (VBSP 21)", "VBSP", 21, ROWS(20),
	              &plain_quirks },
	[LEFT4DEAD2] = { "left4dead2", "Left 4 Dead 2 (VBSP 21)", "VBSP", 21, ROWS(20), &quirks21 },
	[STRATA] = { "strata", "Strata Source (VBSP 25)", "VBSP", 25, ROWS(25), &quirks25 },
	[VBSP_2003] = { "source2003", "Half-Life 2 of the 2003 leak (VBSP 17)", "VBSP", 17, ROWS(2003), &quirks2003 },
	[INFRA] = { "infra", "Infra (VBSP 22)", "VBSP", 22, ROWS(22), &plain_quirks },
	[CONTAGION] = { "contagion", "Contagion (VBSP 27)", "VBSP", 27, ROWS(20), &quirks27 },
	[DARK_MESSIAH] = { "darkmessiah", "Dark Messiah of Might and Magic (VBSP 20.4)", "VBSP", 0x40014, ROWS(messiah),
	                   &messiah_quirks },
	[VINDICTUS] = { "vindictus", "Vindictus (VBSP 20)", "VBSP", 20, ROWS(vindictus), &vindictus_quirks },
	[VINDICTUS_2] = { "vindictus", "Vindictus (VBSP 20, faces of 76 bytes)", "VBSP", 20, ROWS(vindictus2),
	                  &vindictus_quirks },
	[DOTA2_22] = { "dota2", "Dota 2 beta (VBSP 22)", "VBSP", 22, ROWS(dota22), &plain_quirks },
	[DOTA2_23] = { "dota2", "Dota 2 (VBSP 23)", "VBSP", 23, ROWS(dota23), &plain_quirks },
	[CONSOLE_20] = { "source20", "Source 2006 to 2013 on consoles (PSBV 20)", "PSBV", 20, ROWS(20), &console_quirks },
	[CONSOLE_21] = { "source21", "Counter-Strike: GO, Portal 2 on consoles (PSBV 21)", "PSBV", 21, ROWS(20),
	                 &console_quirks },
	[CONSOLE_LEFT4DEAD2] = { "left4dead2", "Left 4 Dead 2 on consoles (PSBV 21)", "PSBV", 21, ROWS(20),
	                         &console_left4dead2_quirks },
};

/* Reads a directory entry: offset, size, version and uncompressed size. In some formats the version comes first. */

bspi_vbsp_entry bspi_vbsp_read_entry(bspi_bytes head, size_t directory_at, uint32_t slot, const bspi_vbsp_quirks *own)
{
	bspi_cursor cursor = bspi_cursor_at(head, directory_at + VBSP_ENTRY_SIZE * (uint64_t)slot);
	uint32_t n[4];
	for (int i = 0; i < 4; i++) {
		n[i] = bspi_take_u32(&cursor);
		if (own->big_endian) n[i] = bspi_swap_u32(n[i]);
	}
	const int32_t a = (int32_t)n[0], b = (int32_t)n[1], c = (int32_t)n[2];
	return own->version_first ? (bspi_vbsp_entry){ b, c, a, n[3] } : (bspi_vbsp_entry){ a, b, c, n[3] };
}

/* Returns how many directory entries are plausible if their fields have this order. `head` may be only the beginning of
 * the file. */
static uint32_t count_plausible(bspi_bytes head, const bspi_vbsp_quirks *own)
{
	uint32_t count = 0;
	for (uint32_t slot = 0; slot < VBSP_LUMPS; slot++) {
		bspi_vbsp_entry at = bspi_vbsp_read_entry(head, VBSP_DIRECTORY_AT, slot, own);
		bool inside = !at.size || (at.offset >= VBSP_HEADER_SIZE && at.size > 0);
		count += inside && at.version >= 0 && at.version < 256;
	}
	return count;
}

static bool has_version_first(bspi_bytes head, const bspi_vbsp_quirks *last, const bspi_vbsp_quirks *first)
{
	return count_plausible(head, first) > count_plausible(head, last);
}

/* Chooses the variant of version 19. Older maps of this version store ambient light in the records of leaves; the
 * version of their leaf lump is 0. Newer ones store it in lumps of its own. If the size of the leaf lump contradicts
 * its version, the size decides. */
static uint32_t variant_of_19(bspi_bytes head)
{
	enum { LONG = 56, SHORT = 32 };
	bspi_vbsp_entry at = bspi_vbsp_read_entry(head, VBSP_DIRECTORY_AT, VBSP_LEAFS, &plain_quirks);
	bool is_long = at.version == 0;
	int32_t expected = is_long ? LONG : SHORT, other = is_long ? SHORT : LONG;
	if (!at.unpacked_size && at.size % expected && at.size % other == 0) is_long = !is_long;
	return is_long ? VBSP_19 : VBSP_19_SHORT;
}

static bspi_bytes bytes_of(bspi_bytes head, uint32_t slot)
{
	bspi_vbsp_entry at = bspi_vbsp_read_entry(head, VBSP_DIRECTORY_AT, slot, &plain_quirks);
	bspi_bytes bytes;
	bool there = at.offset >= 0 && at.size > 0 && bspi_slice(head, (uint64_t)at.offset, (uint64_t)at.size, &bytes);
	return there ? bytes : BSPI_NO_BYTES;
}

static uint32_t unpacked_size(bspi_bytes head, uint32_t slot)
{
	bspi_vbsp_entry at = bspi_vbsp_read_entry(head, VBSP_DIRECTORY_AT, slot, &plain_quirks);
	return at.unpacked_size ? at.unpacked_size : at.size > 0 ? (uint32_t)at.size : 0;
}

/* Returns the record size of faces, or 0 if it is unknown. Every face belongs to one model, so the number of faces is
 * the sum over all models. */
static int64_t size_of_faces(bspi_bytes head)
{
	enum { MODEL_SIZE = 48, FACE_COUNT_AT = 44 };
	bspi_bytes models = bytes_of(head, VBSP_MODELS);
	int64_t count = 0, size = unpacked_size(head, VBSP_FACES);
	for (size_t at = 0; models.size - at >= MODEL_SIZE; at += MODEL_SIZE) {
		count += bspi_load_i32(models.data + at + FACE_COUNT_AT);
	}
	return count > 0 && size % count == 0 ? size / count : 0;
}

/* Chooses the variant of version 17. Faces have 104 bytes in Vampire, and 68 bytes in the beta that was leaked in
 * 2003. */
static uint32_t variant_of_17(bspi_bytes head)
{
	return size_of_faces(head) == 68 ? VBSP_2003 : VBSP_17;
}

/* Chooses the variant of version 20 by the record size of faces. This size is unknown if the lump of models is
 * compressed. Then the directory of the game lump identifies Vindictus, and the version of the face lump tells which of
 * its two variants it is. */
static uint32_t variant_of_20(bspi_bytes head)
{
	int64_t face = size_of_faces(head);
	if (face == 72 || face == 76) return face == 72 ? VINDICTUS : VINDICTUS_2;
	if (face || !bspi_has_wide_game_entries(bytes_of(head, VBSP_GAME_LUMP))) return VBSP_20;
	bspi_vbsp_entry faces = bspi_vbsp_read_entry(head, VBSP_DIRECTORY_AT, VBSP_FACES, &plain_quirks);
	return faces.version == 2 ? VINDICTUS_2 : VINDICTUS;
}

/* Chooses the variant of version 22 by its displacements. Infra's have the layout of most games, and Dota 2's do
 * not. */
static uint32_t variant_of_22(bspi_bytes head)
{
	uint32_t size = unpacked_size(head, VBSP_DISPINFO);
	bool plain = size % bspi_vbsp_dispinfo.file_size == 0;
	return !plain && size % bspi_vbsp_dispinfo_dota22.file_size == 0 ? DOTA2_22 : INFRA;
}

static bool is_of(const bspi_variant *variant, bspi_bytes head, int32_t version)
{
	return variant->version == version && !memcmp(variant->magic, head.data, 4);
}

int bspi_vbsp_bid(bspi_bytes head, const bspi_variant **variant)
{
	if (head.size < VBSP_DIRECTORY_AT) return 0;
	bool big_endian = !memcmp(head.data, "PSBV", 4);
	if (!big_endian && memcmp(head.data, "VBSP", 4)) return 0;
	int32_t version = big_endian ? (int32_t)bspi_swap_u32(bspi_load_u32(head.data + 4)) : bspi_load_i32(head.data + 4);
	uint32_t i = 0;
	while (i < BSPI_VBSP_VARIANTS && !is_of(&bspi_vbsp_variants[i], head, version)) i++;
	if (i == BSPI_VBSP_VARIANTS) return 0;
	if (i == VBSP_17) i = variant_of_17(head);
	if (i == VBSP_19) i = variant_of_19(head);
	if (i == VBSP_20) i = variant_of_20(head);
	if (i == INFRA) i = variant_of_22(head);
	if (i == VBSP_21 && has_version_first(head, &plain_quirks, &quirks21)) i = LEFT4DEAD2;
	if (i == CONSOLE_21 && has_version_first(head, &console_quirks, &console_left4dead2_quirks)) i = CONSOLE_LEFT4DEAD2;
	*variant = &bspi_vbsp_variants[i];
	return 90;
}
