/* vbsp.c - Source engine maps (VBSP 17 to 22, 25 and 27).
 *
 * Known changes from Quake II: texinfos have a light projection of their own and name their texture through texdata and
 * a string table; faces state the size of their light and may have four sets of it, for bump maps; light is linear,
 * with an exponent, once for ordinary and once for HDR displays; lumps may be compressed. The version says nothing
 * about the game, and Left 4 Dead 2 orders the directory differently under the same number (docs/formats/source.md,
 * "Which version"). */
#include "families/vbsp/vbsp_tables.h"

#include <inttypes.h>
#include <math.h>

#include "io/lzma.h"

enum { DIRECTORY_AT = 8, ENTRY_SIZE = 16, REVISION_AT = 1032, HEADER_SIZE = 1036 };

static const char *const lump_names[VBSP_LUMPS] = {
	"entities", "planes", "texdata", "vertices", "visibility", "nodes", "texinfo", "faces", "lighting", "occlusion",
	"leafs", "face ids", "edges", "surfedges", "models", "world lights", "leaf faces", "leaf brushes", "brushes",
	"brush sides", "areas", "area portals", "lump 22", "lump 23", "lump 24", "lump 25", "dispinfo", "original faces",
	"physics displacements", "physics collision", "vertex normals", "vertex normal indices", "displacement alphas",
	"displacement vertices", "displacement light samples", "game lump", "leaf water", "primitives",
	"primitive vertices", "primitive indices", "pakfile", "clip portal vertices", "cubemaps", "texture names",
	"texture name offsets", "overlays", "leaf distances to water", "macro textures", "displacement triangles",
	"physics surfaces", "water overlays", "leaf ambient index HDR", "leaf ambient index", "lighting HDR",
	"world lights HDR", "leaf ambient light HDR", "leaf ambient light", "xzip pakfile", "faces HDR", "map flags",
	"overlay fades", "overlay levels", "physics levels", "displacement blends",
};

/* ---- Rules ------------------------------------------------------------------------------------------------ */

static const bspi_camera_rule cameras[] = {
	{ "info_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
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
/* Sprites that are not to start on wait to be (SDK 2013 Sprite.cpp CSprite::Spawn). */
static const bspi_hidden_rule hidden_by_flags[] = {
	{ "env_sprite", 1, 0, true }, { "env_glow", 1, 0, true }, { NULL, 0, 0, false },
};
/* Doors that start open are not among them: which way they open is another key in each of the games. */
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

/* Pages hold half of the light to the power of 1 / 2.2, as the engine's own do (overbright 2 in display space), so that
 * they keep light up to 2 ^ 2.2 = 4.6 times white; intensity gives it back. */
static const bspi_rules rules = {
	.light_storage = BSPI_STORAGE_BLOCKS, .light_encoding = BSPI_LIGHT_RGBEXP32, .light_clamp = BSPI_CLAMP_CHANNELS,
	.overbright = 1, .intensity = 2, .luxel_size = 16, .first_value_wins = true, .scanned_numbers = true,
	.eye_height = 64, .entities = &entities, .materials = BSPI_MATERIALS_SOURCE,
};

/* ---- Which version ---------------------------------------------------------------------------------------- */

typedef struct quirks {
	bool version_first;                /* entries are version, offset, size */
	bool wide;                         /* Strata: indices of 32 bits, and other bit fields */
	bool eight_styles;                 /* of each face */
	bool no_tags;                      /* of displacements' triangles */
	uint32_t directory_moved;          /* bytes that are between the version and the directory */
	uint32_t game_moved;               /* the same before the game lump's directory */
	uint32_t foreign_slot;             /* records of the sizes below in this lump are another game's */
	uint32_t foreign_sizes[2];
	const char *foreign_name;
} quirks;

static const quirks plain_quirks = { .wide = false };
static const quirks quirks17 = { .eight_styles = true };
static const quirks quirks2003 = { .no_tags = true };
static const quirks quirks20 = {
	.foreign_slot = VBSP_FACES, .foreign_sizes = { 72, 76 }, .foreign_name = "Vindictus map (VBSP 20)",
};
static const quirks quirks21 = { .version_first = true };
static const quirks quirks22 = {
	.foreign_slot = VBSP_DISPINFO, .foreign_sizes = { 180 }, .foreign_name = "Dota 2 map (VBSP 22)",
};
static const quirks quirks25 = { .wide = true };
static const quirks quirks27 = { .directory_moved = 4 };
static const quirks messiah_quirks = { .game_moved = 4 };

enum {
	VBSP_17, VBSP_18, VBSP_19, VBSP_19_SHORT, VBSP_20, VBSP_21, LEFT4DEAD2, STRATA, VBSP_2003, INFRA, CONTAGION,
	DARK_MESSIAH, VARIANT_COUNT
};
#define ROWS(version) bspi_vbsp_rows_##version, VBSP_ROW_COUNT, &rules
static const bspi_variant variants[VARIANT_COUNT] = {
	[VBSP_17] = { "vampire", "Vampire: The Masquerade - Bloodlines (VBSP 17)", "VBSP", 17, ROWS(17), &quirks17 },
	[VBSP_18] = { "source18", "Source betas (VBSP 18)", "VBSP", 18, ROWS(18), &plain_quirks },
	[VBSP_19] = { "source19", "Half-Life 2 (VBSP 19)", "VBSP", 19, ROWS(19), &plain_quirks },
	[VBSP_19_SHORT] = { "source19", "Half-Life 2 (VBSP 19, short leafs)", "VBSP", 19, ROWS(20), &plain_quirks },
	[VBSP_20] = { "source20", "Source 2006 to 2013 (VBSP 20)", "VBSP", 20, ROWS(20), &quirks20 },
	[VBSP_21] = { "source21", "Counter-Strike: GO, Portal 2, Alien Swarm (VBSP 21)", "VBSP", 21, ROWS(20),
	              &plain_quirks },
	[LEFT4DEAD2] = { "left4dead2", "Left 4 Dead 2 (VBSP 21)", "VBSP", 21, ROWS(20), &quirks21 },
	[STRATA] = { "strata", "Strata Source (VBSP 25)", "VBSP", 25, ROWS(25), &quirks25 },
	[VBSP_2003] = { "source2003", "Half-Life 2 of the 2003 leak (VBSP 17)", "VBSP", 17, ROWS(2003), &quirks2003 },
	[INFRA] = { "infra", "Infra (VBSP 22)", "VBSP", 22, ROWS(22), &quirks22 },
	[CONTAGION] = { "contagion", "Contagion (VBSP 27)", "VBSP", 27, ROWS(20), &quirks27 },
	[DARK_MESSIAH] = { "darkmessiah", "Dark Messiah of Might and Magic (VBSP 20.4)", "VBSP", 0x40014, ROWS(messiah),
	                   &messiah_quirks },
};

typedef struct entry {
	int32_t offset, size, version;
	uint32_t unpacked_size;
} entry;

static entry read_entry(bspi_bytes head, size_t directory_at, uint32_t slot, bool version_first)
{
	bspi_cursor cursor = bspi_cursor_at(head, directory_at + ENTRY_SIZE * (uint64_t)slot);
	int32_t a = bspi_take_i32(&cursor), b = bspi_take_i32(&cursor), c = bspi_take_i32(&cursor);
	uint32_t unpacked = bspi_take_u32(&cursor);
	return version_first ? (entry){ b, c, a, unpacked } : (entry){ a, b, c, unpacked };
}

/* How many entries make sense when they are read in this order. `head` may be the file's beginning only. */
static uint32_t count_plausible(bspi_bytes head, bool version_first)
{
	uint32_t count = 0;
	for (uint32_t slot = 0; slot < VBSP_LUMPS; slot++) {
		entry at = read_entry(head, DIRECTORY_AT, slot, version_first);
		bool inside = !at.size || (at.offset >= HEADER_SIZE && at.size > 0);
		count += inside && at.version >= 0 && at.version < 256;
	}
	return count;
}

/* Leafs lost the light inside of them while the number stayed 19; their lump's version tells,
 * unless the size disagrees. */
static uint32_t variant_of_19(bspi_bytes head)
{
	enum { LONG = 56, SHORT = 32 };
	entry at = read_entry(head, DIRECTORY_AT, VBSP_LEAFS, false);
	bool is_long = at.version == 0;
	int32_t expected = is_long ? LONG : SHORT, other = is_long ? SHORT : LONG;
	if (!at.unpacked_size && at.size % expected && at.size % other == 0) is_long = !is_long;
	return is_long ? VBSP_19 : VBSP_19_SHORT;
}

static int64_t count_model_faces(bspi_bytes models)
{
	enum { MODEL_SIZE = 48, FACE_COUNT_AT = 44 };
	int64_t count = 0;
	for (size_t at = 0; models.size - at >= MODEL_SIZE; at += MODEL_SIZE) {
		count += bspi_load_i32(models.data + at + FACE_COUNT_AT);
	}
	return count;
}

/* The models share out all faces, so their sum tells how large a face is: 104 bytes in Vampire. */
static bool is_of_2003(bspi_bytes head)
{
	enum { FACE_SIZE = 68 };
	entry faces = read_entry(head, DIRECTORY_AT, VBSP_FACES, false);
	entry at = read_entry(head, DIRECTORY_AT, VBSP_MODELS, false);
	bspi_bytes models;
	bool there = at.offset >= 0 && at.size > 0 && bspi_slice(head, (uint64_t)at.offset, (uint64_t)at.size, &models);
	return there && faces.size > 0 && count_model_faces(models) * FACE_SIZE == faces.size;
}

static int bid(bspi_bytes head, const bspi_variant **variant)
{
	if (head.size < DIRECTORY_AT || memcmp(head.data, "VBSP", 4)) return 0;
	int32_t version = bspi_load_i32(head.data + 4);
	uint32_t i = 0;
	while (i < VARIANT_COUNT && variants[i].version != version) i++;
	if (i == VARIANT_COUNT) return 0;
	if (i == VBSP_17 && is_of_2003(head)) i = VBSP_2003;
	if (i == VBSP_19) i = variant_of_19(head);
	if (i == VBSP_21 && count_plausible(head, true) > count_plausible(head, false)) i = LEFT4DEAD2;
	*variant = &variants[i];
	return 90;
}

/* ---- Lumps ------------------------------------------------------------------------------------------------ */

static bool is_required(uint32_t slot)
{
	switch (slot) {
	case VBSP_PLANES: case VBSP_TEXDATA: case VBSP_VERTICES: case VBSP_TEXINFO: case VBSP_FACES:
	case VBSP_EDGES: case VBSP_SURFEDGES: case VBSP_MODELS:
		return true;
	default:
		return false;
	}
}

/* Repacked maps have compressed lumps; their entry tells the real size, which the lump tells once more. */
static bool unpack_lump(bspi_ctx *ctx, const entry *at, bool required, bspi_lump *lump)
{
	bspi_location location = BSPI_LUMP_AT(lump->name, lump->offset);
	if (bspi_is_valve_lzma(lump->bytes)) {
		lump->packed = lump->bytes;
		return bspi_read_valve_lzma(ctx, lump->packed, location, required, &lump->bytes);
	}
	if (!at->unpacked_size) return true;
	return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, location,
	                 "is not compressed, as the directory says: taken as it is");
}

/* Of a file that was cut off, what is left counts: what refers to the rest is dropped later, as everywhere. Nothing at
 * all of a lump that no map can do without is an error. */
static bool open_lump(bspi_ctx *ctx, bspi_bytes file, uint32_t slot, const entry *at, bspi_lump *lump)
{
	lump->name = lump_names[slot];
	lump->version = at->version;
	if (!at->size) return true;
	bspi_location location = BSPI_LUMP_AT(lump->name, (uint32_t)at->offset);
	bool begins = at->offset >= 0 && at->size > 0 && (size_t)at->offset < file.size;
	if (!begins) {
		BSPI_CHECK(ctx, !is_required(slot), BSPSCENE_ERROR_BAD_LUMP, location,
		           "%" PRId32 " bytes do not lie inside the file of %zu bytes", at->size, file.size);
		return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, location,
		                 "%" PRId32 " bytes do not lie inside the file of %zu bytes: left out", at->size, file.size);
	}
	size_t left = file.size - (size_t)at->offset, size = (size_t)at->size < left ? (size_t)at->size : left;
	lump->offset = (uint64_t)at->offset;
	lump->bytes = bspi_bytes_of(file.data + at->offset, size);
	if (size < (size_t)at->size) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, location, "the file ends %zu bytes before it does",
		                   (size_t)at->size - size));
	}
	return unpack_lump(ctx, at, is_required(slot), lump);
}

static void swap_lumps(bspi_lump *a, bspi_lump *b)
{
	const bspi_lump kept = *a;
	*a = *b;
	*b = kept;
}

/* Maps for HDR displays only leave styles and offsets empty in the ordinary faces; both lists agree in all else.
 * Whoever wants HDR pages gets the faces that belong to that light; the other light and its faces, when there are any,
 * are then in the slots of HDR. */
static void choose_light(const bspi_ctx *ctx, bspi_lump *lumps)
{
	const bspi_lump *faces = &lumps[VBSP_FACES], *hdr = &lumps[VBSP_FACES_HDR];
	bspscene_light_choice choice = ctx->options.light;
	bool asked = choice == BSPSCENE_LIGHT_HDR ||
	             (choice == BSPSCENE_LIGHT_AUTO && ctx->options.lightmap_encoding == BSPSCENE_LIGHTMAP_HDR);
	bool wanted = asked || !lumps[VBSP_LIGHTING].bytes.size;
	if (wanted && lumps[VBSP_LIGHTING_HDR].bytes.size && (!hdr->bytes.size || hdr->bytes.size == faces->bytes.size)) {
		swap_lumps(&lumps[VBSP_LIGHTING], &lumps[VBSP_LIGHTING_HDR]);
		if (hdr->bytes.size) swap_lumps(&lumps[VBSP_FACES], &lumps[VBSP_FACES_HDR]);
	} else if (!faces->bytes.size) {
		lumps[VBSP_FACES] = *hdr;
	}
}

/* Faces must share out among the models, other records into their lump. */
static bool refuse_foreign(bspi_ctx *ctx, const bspi_variant *variant, const bspi_lump *lumps)
{
	const quirks *own = variant->extra;
	if (!own->foreign_name) return true;
	uint32_t row = 0;
	while (variant->lumps[row].slot != own->foreign_slot) row++;
	int64_t size = (int64_t)lumps[own->foreign_slot].bytes.size, record = variant->lumps[row].layout->file_size;
	int64_t count = own->foreign_slot == VBSP_FACES ? count_model_faces(lumps[VBSP_MODELS].bytes) : size / record;
	if (!size || count <= 0 || count * record == size) return true;
	for (int i = 0; i < 2 && own->foreign_sizes[i]; i++) {
		int64_t other = own->foreign_sizes[i];
		bool foreign = own->foreign_slot == VBSP_FACES ? count * other == size : size % other == 0;
		BSPI_CHECK(ctx, !foreign, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, BSPI_NOWHERE, "%s: not supported",
		           own->foreign_name);
	}
	return true;
}

static uint32_t directory_moved(const bspi_variant *variant)
{
	return ((const quirks *)variant->extra)->directory_moved;
}

static bool directory(bspi_ctx *ctx, bspi_bytes file, const bspi_variant *variant, bspi_lump *lumps)
{
	const quirks *own = variant->extra;
	size_t moved = directory_moved(variant);
	BSPI_CHECK(ctx, file.size >= HEADER_SIZE + moved, BSPSCENE_ERROR_BAD_HEADER, BSPI_NOWHERE,
	           "the file ends inside its header, after %zu bytes", file.size);
	for (uint32_t slot = 0; slot < VBSP_LUMPS; slot++) {
		entry at = read_entry(file, DIRECTORY_AT + moved, slot, own->version_first);
		BSPI_TRY(open_lump(ctx, file, slot, &at, &lumps[slot]));
		lumps[slot].entry = DIRECTORY_AT + moved + ENTRY_SIZE * (size_t)slot;
	}
	int32_t revision = bspi_load_i32(file.data + REVISION_AT + moved);
	if (ctx->options.lump_patches) BSPI_TRY(bspi_apply_lump_patches(ctx, revision, lumps));
	choose_light(ctx, lumps);
	return refuse_foreign(ctx, variant, lumps);
}

/* ---- Faces ------------------------------------------------------------------------------------------------ */

/* The compilers of displacements stop at 126; beyond this no number means luxels. */
enum { LARGEST_SIZE = 1000 };

static bool finish_face(bspi_ctx *ctx, const quirks *own, bspi_map *map, uint32_t index)
{
	bspi_face *face = &map->faces[index];
	bool known = face->texinfo >= 0 && (uint32_t)face->texinfo < map->texinfos_count;
	const bspi_texinfo *info = known ? &map->texinfos[face->texinfo] : NULL;
	face->kind = face->dispinfo >= 0 ? BSPI_FACE_DISPLACEMENT : BSPI_FACE_POLYGON;
	face->fog = -1;
	face->texture = face->light_projection = face->first_normal = -1;
	if (face->texinfo == -1 || (info && info->texture == -1)) {
		/* Compilers write these for surfaces without a material: nobody is missing something. */
		face->kind = BSPI_FACE_DROPPED;
		return true;
	}
	if (!info) return true;
	face->texture = info->texture;
	face->light_projection = face->texinfo;
	face->light_sets = info->flags & VBSP_SURF_BUMPLIGHT ? 4 : 1;
	face->eight_styles = own->eight_styles;
	face->fullbright = info->flags & (VBSP_SURF_SKY | VBSP_SURF_NOLIGHT);
	bool sane = face->lightmap_width >= 0 && face->lightmap_width <= LARGEST_SIZE && face->lightmap_height >= 0 &&
	            face->lightmap_height <= LARGEST_SIZE;
	if (!sane) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_LIGHTMAP, bspi_record_location(map, BSPI_ARRAY_faces, index),
		                   "light of %" PRId32 " x %" PRId32 " luxels: unlit", face->lightmap_width,
		                   face->lightmap_height));
		face->light_offset = -1;
		face->lightmap_width = face->lightmap_height = 0;
	}
	face->lightmap_width++;
	face->lightmap_height++;
	return true;
}

/* The lowest bit of one kind, the highest of the other, tell about shadows. */
static void finish_primitives(bspi_map *map, bool wide)
{
	for (uint32_t i = 0; i < map->faces_count; i++) {
		uint32_t count = (uint32_t)map->faces[i].primitive_count;
		map->faces[i].primitive_count = (int32_t)(wide ? count >> 1 : count & 0x7fff);
	}
}

/* Faces say nothing about their normals: each takes as many as it has edges, in order. */
static bool share_normals(bspi_ctx *ctx, bspi_map *map)
{
	int64_t sum = 0;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		map->faces[i].first_normal = map->corner_normals_count && sum <= INT32_MAX ? (int32_t)sum : -1;
		sum += map->faces[i].edge_count > 0 ? map->faces[i].edge_count : 0;
	}
	if (!map->corner_normals_count || sum == map->corner_normals_count) return true;
	for (uint32_t i = 0; i < map->faces_count; i++) map->faces[i].first_normal = -1;
	return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP(lump_names[VBSP_NORMAL_INDICES]),
	                 "%" PRIu32 " normals for %" PRId64 " corners: left out", map->corner_normals_count, sum);
}

/* ---- Overlays, displacements, leafs ----------------------------------------------------------------------- */

static void finish_overlays(const bspi_map *map, bspi_overlay *overlays, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		bspi_overlay *overlay = &overlays[i];
		bool known = overlay->texinfo >= 0 && (uint32_t)overlay->texinfo < map->texinfos_count;
		overlay->texture = known ? map->texinfos[overlay->texinfo].texture : -1;
		overlay->face_count = overlay->counts & 0x3fff;
		overlay->order = overlay->counts >> 14 & 3;
		overlay->entity = -1;
	}
}

static float fade_distance(float squared)
{
	return squared > 0 ? sqrtf(squared) : 0;
}

/* The lump may be empty although there are overlays. */
static void fade_overlays(bspi_map *map)
{
	for (uint32_t i = 0; i < map->overlays_count && i < map->overlay_fades_count; i++) {
		map->overlays[i].fade_near = fade_distance(map->overlay_fades[i].near_squared);
		map->overlays[i].fade_far = fade_distance(map->overlay_fades[i].far_squared);
	}
}

static int32_t neighbor_or_none(int32_t index)
{
	enum { NARROW_NONE = 0xffff };
	return index == NARROW_NONE ? -1 : index;
}

static void finish_dispinfo(const quirks *own, bspi_dispinfo *info)
{
	if (own->no_tags) info->first_triangle = -1;
	for (int i = 0; i < 8; i++) info->neighbors[i].dispinfo = neighbor_or_none(info->neighbors[i].dispinfo);
	for (int i = 0; i < 4; i++) {
		for (int k = 0; k < 4; k++) info->corners[i].dispinfos[k] = neighbor_or_none(info->corners[i].dispinfos[k]);
	}
}

/* Above the number of its area, a leaf has flags. */
static void finish_leafs(bspi_map *map, bool wide)
{
	enum { NARROW_AREA = 0x1ff, WIDE_AREA = 0x1ffff };
	for (uint32_t i = 0; i < map->leafs_count; i++) map->leafs[i].area &= wide ? WIDE_AREA : NARROW_AREA;
}

static bool read_game_lump(bspi_ctx *ctx, const quirks *own, const bspi_lump *lump, bspi_map *map)
{
	bspi_game_part props, details;
	BSPI_TRY(bspi_open_game_part(ctx, lump, own->game_moved, map->file, VBSP_STATIC_PROPS, &props));
	BSPI_TRY(bspi_read_static_props(ctx, &props, map->version, map));
	BSPI_TRY(bspi_open_game_part(ctx, lump, own->game_moved, map->file, VBSP_DETAIL_PROPS, &details));
	return bspi_read_detail_props(ctx, &details, map);
}

static bool is_hdr_light(const bspi_lump *lump)
{
	return lump->bytes.size && lump->name == lump_names[VBSP_LIGHTING_HDR];
}

static const bspi_layout *layout_of_faces(const bspi_variant *variant)
{
	uint32_t row = 0;
	while (variant->lumps[row].slot != VBSP_FACES) row++;
	return variant->lumps[row].layout;
}

static bool finish(bspi_ctx *ctx, const bspi_variant *variant, const bspi_lump *lumps, bspi_map *map)
{
	const quirks *own = variant->extra;
	bool hdr = is_hdr_light(&lumps[VBSP_LIGHTING]);
	map->entities = lumps[VBSP_ENTITIES].bytes;
	map->lighting = lumps[VBSP_LIGHTING].bytes;
	BSPI_TRY(bspi_add_source_light(ctx, lumps, hdr, own->version_first, layout_of_faces(variant), map));
	map->pakfile = lumps[VBSP_PAKFILE].bytes;
	BSPI_TRY(bspi_vbsp_textures(ctx, lumps, map));
	BSPI_TRY(read_game_lump(ctx, own, &lumps[VBSP_GAME_LUMP], map));
	for (uint32_t i = 0; i < map->faces_count; i++) BSPI_TRY(finish_face(ctx, own, map, i));
	finish_primitives(map, own->wide);
	BSPI_TRY(share_normals(ctx, map));
	for (uint32_t i = 0; i < map->dispinfos_count; i++) finish_dispinfo(own, &map->dispinfos[i]);
	BSPI_TRY(bspi_share_disp_blends(ctx, lumps, map));
	finish_overlays(map, map->overlays, map->overlays_count);
	finish_overlays(map, map->water_overlays, map->water_overlays_count);
	fade_overlays(map);
	finish_leafs(map, own->wide);
	BSPI_TRY(bspi_read_world_lights(ctx, lumps, hdr, map));
	BSPI_TRY(bspi_read_ambient_light(ctx, lumps, hdr, map));
	for (uint32_t i = 0; i < map->brushes_count; i++) map->brushes[i].texture = -1;
	return bspi_decode_cluster_vis(ctx, lumps[VBSP_VISIBILITY].bytes, map);
}

const bspi_family bspi_family_vbsp = {
	.about = { "source", "Source" }, .bid = bid, .directory = directory, .finish = finish,
	.variants = variants, .variant_count = VARIANT_COUNT, .directory_at = DIRECTORY_AT,
	.directory_moved = directory_moved,
};
