/* quake2.c - Quake II (IBSP 38), games with the same records, and Qbism's 32-bit QBSP 38. Related formats have a few
 * records and lumps of their own: Daikatana (IBSP 41), SiN (IBSP 41, RBSP 1), Soldier of Fortune (IBSP 46).
 *
 * Differences from Quake: textures are names in the texinfo, leaves have a cluster, visibility is stored per cluster,
 * collision uses brushes, light is RGB at byte offsets. Kingpin, Heretic II and the re-release have the same records as
 * Quake II; surface flags tell them apart (docs/formats/quake2.md). */
#include "families/quake/bspx.h"
#include "families/quake/quake_common.h"

#include <string.h>

#include "base/text.h"
#include "materials/indexed/indexed.h"

enum {
	LUMP_ENTITIES, LUMP_PLANES, LUMP_VERTICES, LUMP_VISIBILITY, LUMP_NODES, LUMP_TEXINFO, LUMP_FACES, LUMP_LIGHTING,
	LUMP_LEAFS, LUMP_LEAF_FACES, LUMP_LEAF_BRUSHES, LUMP_EDGES, LUMP_SURFEDGES, LUMP_MODELS, LUMP_BRUSHES,
	LUMP_BRUSH_SIDES, LUMP_POP, LUMP_AREAS, LUMP_AREA_PORTALS, QUAKE2_LUMPS, SIN_LUMPS, DAIKATANA_LUMPS, FORTUNE_LUMPS,
	LUMP_COUNT = FORTUNE_LUMPS
};
#define DIRECTORY_OFFSET 8

static const char *const lump_names[LUMP_COUNT] = {
	"entities", "planes", "vertices", "visibility", "nodes", "texinfo", "faces", "lighting", "leafs", "leaf faces",
	"leaf brushes", "edges", "surfedges", "models", "brushes", "brush sides", "pop", "areas", "area portals",
	"lump 19", "lump 20", "lump 21",
};

static const bspi_field texinfo_rows[] = {
	FIELD(bspi_texinfo, texture_vectors, 0, F32),
	FIELD(bspi_texinfo, flags, 32, U32),
	FIELD(bspi_texinfo, value, 36, I32),
	SKIP("texture", 40, 32),
	FIELD(bspi_texinfo, next, 72, I32),
};
static const bspi_layout texinfo = LAYOUT("texinfo", bspi_texinfo, texinfo_rows, 76);

/* Reads the lump of texinfos a second time, as textures: texture n is the one of texinfo n. */
static const bspi_field texture_rows[] = {
	SKIP("texture vectors", 0, 32),
	FIELD(bspi_texture, surface_flags, 32, U32),
	SKIP("value", 36, 4),
	NAME_FIELD(bspi_texture, name, 40, 32),
	SKIP("next", 72, 4),
};
static const bspi_layout texture = LAYOUT("texinfo", bspi_texture, texture_rows, 76);

static const bspi_field sin_texinfo_rows[] = {
	FIELD(bspi_texinfo, texture_vectors, 0, F32),
	FIELD(bspi_texinfo, flags, 32, U32),
	SKIP("texture", 36, 64),
	FIELD(bspi_texinfo, next, 100, I32),
	SKIP("effects", 104, 76),
};
static const bspi_layout sin_texinfo = LAYOUT("texinfo (SiN)", bspi_texinfo, sin_texinfo_rows, 180);

static const bspi_field sin_texture_rows[] = {
	SKIP("texture vectors", 0, 32),
	FIELD(bspi_texture, surface_flags, 32, U32),
	NAME_FIELD(bspi_texture, name, 36, 64),
	SKIP("next and effects", 100, 80),
};
static const bspi_layout sin_texture = LAYOUT("texinfo (SiN)", bspi_texture, sin_texture_rows, 180);

#define FACE_ROWS \
	FIELD(bspi_face, plane, 0, U16), \
	FIELD(bspi_face, side, 2, I16), \
	FIELD(bspi_face, first_edge, 4, I32), \
	FIELD(bspi_face, edge_count, 8, U16), \
	FIELD(bspi_face, texinfo, 10, U16)
/* A face has 16 bytes of styles; only the first 8 styles are read. */
static const bspi_field sin_face_rows[] = {
	FACE_ROWS,
	FIELD(bspi_face, styles, 12, U8),
	FIELD(bspi_face, more_styles, 16, U8),
	SKIP("more styles", 20, 8),
	FIELD(bspi_face, light_offset, 28, I32),
	SKIP("light info", 32, 4),
};
static const bspi_layout sin_face = LAYOUT("face (SiN)", bspi_face, sin_face_rows, 36);

static const bspi_field fortune_face_rows[] = {
	FACE_ROWS,
	SKIP("unknown", 12, 10),
	FIELD(bspi_face, styles, 22, U8),
	SKIP("unknown", 26, 2),
	FIELD(bspi_face, light_offset, 28, I32),
	SKIP("unknown", 32, 8),
};
static const bspi_layout fortune_face = LAYOUT("face (Soldier of Fortune)", bspi_face, fortune_face_rows, 40);

static const bspi_field node_rows[] = {
	FIELD(bspi_node, plane, 0, I32),
	FIELD(bspi_node, children, 4, I32),
	FIELD(bspi_node, mins, 12, I16),
	FIELD(bspi_node, maxs, 18, I16),
	FIELD(bspi_node, first_face, 24, U16),
	FIELD(bspi_node, face_count, 26, U16),
};
const bspi_layout bspi_quake2_node = LAYOUT("node", bspi_node, node_rows, 28);

#define LEAF_ROWS(at) \
	FIELD(bspi_leaf, mins, (at) + 0, I16), \
	FIELD(bspi_leaf, maxs, (at) + 6, I16), \
	FIELD(bspi_leaf, first_leaf_face, (at) + 12, U16), \
	FIELD(bspi_leaf, leaf_face_count, (at) + 14, U16), \
	FIELD(bspi_leaf, first_leaf_brush, (at) + 16, U16), \
	FIELD(bspi_leaf, leaf_brush_count, (at) + 18, U16)
#define LEAF_HEAD_ROWS \
	FIELD(bspi_leaf, contents, 0, I32), \
	FIELD(bspi_leaf, cluster, 4, I16), \
	FIELD(bspi_leaf, area, 6, I16)
static const bspi_field leaf_rows[] = { LEAF_HEAD_ROWS, LEAF_ROWS(8) };
static const bspi_layout leaf = LAYOUT("leaf", bspi_leaf, leaf_rows, 28);

static const bspi_field daikatana_leaf_rows[] = { LEAF_HEAD_ROWS, LEAF_ROWS(8), SKIP("brush", 28, 4) };
static const bspi_layout daikatana_leaf = LAYOUT("leaf (Daikatana)", bspi_leaf, daikatana_leaf_rows, 32);
static const bspi_field fortune_leaf_rows[] = {
	LEAF_HEAD_ROWS, SKIP("region", 8, 2), LEAF_ROWS(10), SKIP("unknown", 30, 2),
};
static const bspi_layout fortune_leaf = LAYOUT("leaf (Soldier of Fortune)", bspi_leaf, fortune_leaf_rows, 32);

static const bspi_field wide_leaf_rows[] = {
	FIELD(bspi_leaf, contents, 0, I32),
	FIELD(bspi_leaf, cluster, 4, I32),
	FIELD(bspi_leaf, area, 8, I32),
	FIELD(bspi_leaf, mins, 12, F32),
	FIELD(bspi_leaf, maxs, 24, F32),
	FIELD(bspi_leaf, first_leaf_face, 36, U32),
	FIELD(bspi_leaf, leaf_face_count, 40, U32),
	FIELD(bspi_leaf, first_leaf_brush, 44, U32),
	FIELD(bspi_leaf, leaf_brush_count, 48, U32),
};
static const bspi_layout wide_leaf = LAYOUT("leaf", bspi_leaf, wide_leaf_rows, 52);

static const bspi_field model_rows[] = {
	FIELD(bspi_model, mins, 0, F32),
	FIELD(bspi_model, maxs, 12, F32),
	FIELD(bspi_model, origin, 24, F32),
	{ "head_node", 36, offsetof(bspi_model, head_nodes), 1, BSPI_I32, BSPI_MEMORY_I32 },
	FIELD(bspi_model, first_face, 40, I32),
	FIELD(bspi_model, face_count, 44, I32),
};
const bspi_layout bspi_quake2_model = LAYOUT("model", bspi_model, model_rows, 48);

static const bspi_field side_rows[] = {
	FIELD(bspi_brush_side, plane, 0, U16),
	FIELD(bspi_brush_side, texture, 2, I16),
};
const bspi_layout bspi_quake2_side = LAYOUT("brush side", bspi_brush_side, side_rows, 4);

static const bspi_field wide_side_rows[] = {
	FIELD(bspi_brush_side, plane, 0, I32),
	FIELD(bspi_brush_side, texture, 4, I32),
};
static const bspi_layout wide_side = LAYOUT("brush side", bspi_brush_side, wide_side_rows, 8);

static const bspi_field sin_side_rows[] = {
	FIELD(bspi_brush_side, plane, 0, U16),
	FIELD(bspi_brush_side, texture, 2, I16),
	SKIP("light info", 4, 4),
};
static const bspi_layout sin_side = LAYOUT("brush side (SiN)", bspi_brush_side, sin_side_rows, 8);

static const bspi_field area_portal_rows[] = {
	FIELD(bspi_area_portal_record, portal, 0, I32),
	FIELD(bspi_area_portal_record, other_area, 4, I32),
};
static const bspi_layout area_portal = LAYOUT("area portal", bspi_area_portal_record, area_portal_rows, 8);

#define ROWS(texinfo_layout, texture_layout, face_layout, node_layout, leaf_layout, index_layout, edge_layout, \
             side_layout) { \
	{ LUMP_PLANES, BSPI_ARRAY_planes, &bspi_quake_plane }, \
	{ LUMP_VERTICES, BSPI_ARRAY_vertices, &bspi_quake_vertex }, \
	{ LUMP_NODES, BSPI_ARRAY_nodes, &node_layout }, \
	{ LUMP_TEXINFO, BSPI_ARRAY_texinfos, &texinfo_layout }, \
	{ LUMP_TEXINFO, BSPI_ARRAY_textures, &texture_layout }, \
	{ LUMP_FACES, BSPI_ARRAY_faces, &face_layout }, \
	{ LUMP_LEAFS, BSPI_ARRAY_leafs, &leaf_layout }, \
	{ LUMP_LEAF_FACES, BSPI_ARRAY_leaf_faces, &index_layout }, \
	{ LUMP_LEAF_BRUSHES, BSPI_ARRAY_leaf_brushes, &index_layout }, \
	{ LUMP_EDGES, BSPI_ARRAY_edges, &edge_layout }, \
	{ LUMP_SURFEDGES, BSPI_ARRAY_surfedges, &bspi_quake_surfedge }, \
	{ LUMP_MODELS, BSPI_ARRAY_models, &bspi_quake2_model }, \
	{ LUMP_BRUSHES, BSPI_ARRAY_brushes, &bspi_quake2_brush }, \
	{ LUMP_BRUSH_SIDES, BSPI_ARRAY_brush_sides, &side_layout }, \
	{ LUMP_AREAS, BSPI_ARRAY_areas, &bspi_quake2_area }, \
	{ LUMP_AREA_PORTALS, BSPI_ARRAY_area_portals, &area_portal }, \
}
#define NARROW_ROWS(face_layout, leaf_layout) \
	ROWS(texinfo, texture, face_layout, bspi_quake2_node, leaf_layout, bspi_quake_short_index, bspi_quake_short_edge, \
	     bspi_quake2_side)
static const bspi_lump_row narrow_rows[] = NARROW_ROWS(bspi_quake_face, leaf);
static const bspi_lump_row wide_rows[] = ROWS(texinfo, texture, bspi_quake_wide_face, bspi_quake_node_bsp2, wide_leaf,
                                              bspi_quake_long_index, bspi_quake_long_edge, wide_side);
static const bspi_lump_row daikatana_rows[] = NARROW_ROWS(bspi_quake_face, daikatana_leaf);
static const bspi_lump_row fortune_rows[] = NARROW_ROWS(fortune_face, fortune_leaf);
static const bspi_lump_row sin_rows[] = ROWS(sin_texinfo, sin_texture, sin_face, bspi_quake2_node, leaf,
                                             bspi_quake_short_index, bspi_quake_short_edge, sin_side);

static const bspi_camera_rule cameras[] = {
	{ "info_player_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "info_player_*", BSPSCENE_CAMERA_SPAWN, false },
	{ NULL, BSPSCENE_CAMERA_OTHER, false },
};
static const char *const hidden[] = { "trigger_*", "func_areaportal", "func_clock", "func_group", NULL };
/* qrad3's point lights lose one unit of light per game unit of distance. */
static const bspi_light_rules lights = {
	.falloff = BSPSCENE_FALLOFF_LINEAR, .reach = 1, .spots_square = true, .aim = BSPI_AIM_ANGLES,
	.cone = BSPI_CONE_HALF,
};
/* Entities that are hidden until they are triggered: those with the spawnflag TRIGGER_SPAWN, and walls that can be
 * toggled and lack the start-on flag (g_misc.c). */
static const bspi_hidden_rule hidden_by_flags[] = {
	{ "func_wall", 5, 1, false }, { "func_wall", 6, 2, false }, { "func_object", 1, 1, false },
	{ "func_explosive", 1, 1, false }, { NULL, 0, 0, false },
};
/* The game's code enlarges the boxes of models by one unit on each side. */
static const bspi_mover_rule movers[] = {
	{ .name = "func_train", .kind = BSPI_MOVER_TRAIN_BY_CORNER, .margin = 1 },
	{ .name = "func_door", .kind = BSPI_MOVER_DOOR, .margin = 1, .lip = 8 },
	{ .name = "func_water", .kind = BSPI_MOVER_DOOR, .margin = 1 },
	{ .name = "func_door_rotating", .kind = BSPI_MOVER_ROTATING_DOOR, .lip = 90 },
	{ .name = "func_plat", .kind = BSPI_MOVER_PLATFORM, .margin = 1, .lip = 8, .named_stays = true },
	{ .name = NULL },
};
static const bspi_entity_rules entities = {
	.lights = &lights, .cameras = cameras, .hidden = hidden, .hidden_by_flags = hidden_by_flags,
	.movers = movers, .first_switchable_style = 32, .starts_off = 1, .class_models = bspi_quake2_classes,
	.items = &bspi_quake2_items, .angle_is_yaw = true,
};

/* Sources of the limits: MAX_MAP_ENTSTRING in qfiles.h, MAX_TOKEN_CHARS in q_shared.h. The engine makes longer tokens
 * empty. */
static const bspi_entity_limits entity_limits = { .engine = "Quake II", .text = 262144, .key = 127, .value = 127 };

/* The engine doubles texels when it uploads them (gl_image.c, `intensity` 2), so `intensity` is 2. It draws a face
 * without light full bright. */
static const bspi_rules rules = {
	.light_storage = BSPI_STORAGE_BLOCKS, .light_encoding = BSPI_LIGHT_RGB8, .light_clamp = BSPI_CLAMP_HUE,
	.overbright = 1, .intensity = 2, .luxel_size = 16, .light_alignment = 4, .eye_height = 22, .entities = &entities,
	.materials = BSPI_MATERIALS_QUAKE2, .entity_limits = &entity_limits,
	.entity_file = ".ent", .entity_sum = BSPI_ENTITY_SUM_TEXT,
};

#define SURF_FULLBRIGHT 0x2u           /* in Daikatana; in other games this bit means slick */

/* The differences of a variant that are not in its tables of records. */
typedef struct quake2_quirks {
	uint32_t lump_count;
	uint32_t fullbright;               /* surface flags of unlit faces */
	uint32_t no_flags; /* surface flags whose meaning differs from Quake II's, so textures do not get them */
	bool eight_styles;
	bool second_block;                 /* lit faces have a second block of style 0, which the engine adds to the
	                                    * first */
} quake2_quirks;

#define NEVER_LIT (BSPI_SURF_SKY | BSPI_SURF_WARP | BSPI_SURF_TRANS33 | BSPI_SURF_TRANS66)
static const quake2_quirks plain = { QUAKE2_LUMPS, NEVER_LIT, 0, false, false };
static const quake2_quirks daikatana = {
	DAIKATANA_LUMPS, NEVER_LIT | SURF_FULLBRIGHT | BSPI_SURF_NODRAW, SURF_FULLBRIGHT, false, true,
};
/* In SiN, the two bits of translucence mean other things: 0x10 means not lit, 0x20 means not filtered. */
static const quake2_quirks sin_quirks = {
	SIN_LUMPS, BSPI_SURF_SKY | BSPI_SURF_WARP | BSPI_SURF_TRANS33, BSPI_SURF_TRANS33 | BSPI_SURF_TRANS66,
	true, false,
};
static const quake2_quirks fortune = { FORTUNE_LUMPS, NEVER_LIT, 0, false, false };

enum { QUAKE2, KINGPIN, HERETIC2, QBISM, DAIKATANA, DAIKATANA_RETAIL, SIN_EARLY, SIN, FORTUNE, VARIANT_COUNT };
#define TABLE(rows) rows, sizeof (rows) / sizeof *(rows), &rules
static const bspi_variant variants[VARIANT_COUNT] = {
	[QUAKE2] = { "quake2", "Quake II (IBSP 38)", "IBSP", 38, TABLE(narrow_rows), &plain },
	[KINGPIN] = { "kingpin", "Kingpin (IBSP 38)", "IBSP", 38, TABLE(narrow_rows), &plain },
	[HERETIC2] = { "heretic2", "Heretic II (IBSP 38)", "IBSP", 38, TABLE(narrow_rows), &plain },
	[QBISM] = { "qbism", "Qbism (QBSP 38)", "QBSP", 38, TABLE(wide_rows), &plain },
	[DAIKATANA] = { "daikatana", "Daikatana (IBSP 41, short leafs)", "IBSP", 41, TABLE(narrow_rows), &daikatana },
	[DAIKATANA_RETAIL] = { "daikatana", "Daikatana (IBSP 41)", "IBSP", 41, TABLE(daikatana_rows), &daikatana },
	[SIN_EARLY] = { "sin", "SiN (IBSP 41)", "IBSP", 41, TABLE(sin_rows), &sin_quirks },
	[SIN] = { "sin", "SiN (RBSP 1 with 20 lumps)", "RBSP", 1, TABLE(sin_rows), &sin_quirks },
	[FORTUNE] = { "sof", "Soldier of Fortune (IBSP 46 with 22 lumps)", "IBSP", 46, TABLE(fortune_rows), &fortune },
};

enum { TEXINFO_SIZE = 76, TEXINFO_FLAGS = 32 };

/* Returns the part of a lump that is inside of `head`. */
static bspi_bytes peek_lump(bspi_bytes head, uint32_t slot)
{
	bspi_cursor cursor = bspi_cursor_at(head, DIRECTORY_OFFSET + 8 * (size_t)slot);
	uint32_t offset = bspi_take_u32(&cursor), size = bspi_take_u32(&cursor);
	bspi_bytes lump;
	return !cursor.failed && bspi_slice(head, offset, size, &lump) ? lump : BSPI_NO_BYTES;
}

/* Recognizes the game by the bits that are set in any texinfo's flags, like yquake2remaster does. The tools of each
 * game set bits that the tools of other games do not set. */
static uint32_t flavour(bspi_bytes head)
{
	bspi_bytes lump = peek_lump(head, LUMP_TEXINFO);
	uint32_t flags = 0;
	for (size_t at = 0; at + TEXINFO_SIZE <= lump.size; at += TEXINFO_SIZE) {
		flags |= bspi_load_u32(lump.data + at + TEXINFO_FLAGS);
	}
	if ((flags & ~0x30037ffu) == 0 && (flags & 0x3000000u) == 0x3000000u) return HERETIC2;
	if ((flags & ~0xcffcdfffu) == 0 && flags & 0x800000u) return KINGPIN;
	return QUAKE2;
}

/* ---- Related formats --------------------------------------------------------------------------------------- */

/* Returns the smallest offset of a lump that is not empty. This is the end of the header, which differs between formats
 * with the same version number. */
static uint32_t first_data(bspi_bytes head, uint32_t lump_count)
{
	uint32_t first = UINT32_MAX;
	bspi_cursor cursor = bspi_cursor_at(head, DIRECTORY_OFFSET);
	for (uint32_t slot = 0; slot < lump_count; slot++) {
		uint32_t offset = bspi_take_u32(&cursor), size = bspi_take_u32(&cursor);
		if (!cursor.failed && size && offset < first) first = offset;
	}
	return first;
}

static uint32_t size_in_directory(bspi_bytes head, uint32_t slot)
{
	bspi_cursor cursor = bspi_cursor_at(head, DIRECTORY_OFFSET + 8 * (size_t)slot + 4);
	return bspi_take_u32(&cursor);
}

/* True if every leaf has a valid face range when the lump is read as records of this size. */
static bool leafs_fit(bspi_bytes head, uint32_t leaf_size)
{
	enum { FIRST_FACE_AT = 20 };
	bspi_bytes leafs = peek_lump(head, LUMP_LEAFS);
	uint32_t faces = size_in_directory(head, LUMP_LEAF_FACES) / 2;
	for (size_t at = 0; leafs.size - at >= leaf_size; at += leaf_size) {
		const uint8_t *span = leafs.data + at + FIRST_FACE_AT;
		if ((uint32_t)bspi_load_u16(span) + bspi_load_u16(span + 2) > faces) return false;
	}
	return true;
}

/* True if the sizes of the header and of all lumps fit this variant. */
static bool fits(bspi_bytes head, uint32_t index)
{
	const bspi_variant *variant = &variants[index];
	uint32_t lump_count = ((const quake2_quirks *)variant->extra)->lump_count;
	if (first_data(head, lump_count) != DIRECTORY_OFFSET + 8 * lump_count) return false;
	for (uint32_t i = 0; i < variant->lump_row_count; i++) {
		if (size_in_directory(head, variant->lumps[i].slot) % variant->lumps[i].layout->file_size) return false;
	}
	return index != DAIKATANA || leafs_fit(head, leaf.file_size);
}

/* Chooses among the related formats, of which several have the same magic and version. Returns VARIANT_COUNT if none
 * fits. */
static uint32_t find_child(bspi_bytes head)
{
	for (uint32_t i = DAIKATANA; i < VARIANT_COUNT; i++) {
		bool named = !memcmp(head.data, variants[i].magic, 4) && bspi_load_i32(head.data + 4) == variants[i].version;
		if (named && fits(head, i)) return i;
	}
	return VARIANT_COUNT;
}

static int bid(bspi_bytes head, const bspi_variant **variant)
{
	if (head.size < 8) return 0;
	uint32_t child = find_child(head);
	if (child < VARIANT_COUNT) {
		*variant = &variants[child];
		/* less than 90, so that other families that look into files with the same tag win: Quake III's IBSP 46, Raven's
		 * RBSP 1 */
		return 85;
	}
	if (bspi_load_i32(head.data + 4) != 38) return 0;
	if (!memcmp(head.data, "QBSP", 4)) *variant = &variants[QBISM];
	else if (!memcmp(head.data, "IBSP", 4)) *variant = &variants[flavour(head)];
	else return 0;
	return 90;
}

static bool directory(bspi_ctx *ctx, bspi_bytes file, const bspi_variant *variant, bspi_lump *lumps)
{
	const quake2_quirks *own = variant->extra;
	return bspi_read_directory(ctx, file, DIRECTORY_OFFSET, own->lump_count, lump_names, lumps);
}

/* Marks unlit faces by their surface flags. light_offset does not tell: on sky and warp faces, id's compiler leaves the
 * offset 0 and the styles 0,0,0,0 (3,107 faces in 19 maps). Translucent faces have light, but the engine draws them
 * unlit. */
void bspi_quake2_faces(bspi_map *map, uint32_t fullbright_flags)
{
	for (uint32_t i = 0; i < map->faces_count; i++) {
		bspi_face *f = &map->faces[i];
		bool known = f->texinfo >= 0 && (uint32_t)f->texinfo < map->texinfos_count;
		f->kind = BSPI_FACE_POLYGON;
		f->texture = known ? f->texinfo : -1;
		f->fog = f->dispinfo = f->light_projection = f->first_normal = -1;
		f->fullbright = known && map->texinfos[f->texinfo].flags & fullbright_flags;
	}
	for (uint32_t i = 0; i < map->texinfos_count; i++) map->texinfos[i].texture = (int32_t)i;
	for (uint32_t i = 0; i < map->brushes_count; i++) map->brushes[i].texture = -1;
}

/* Settles the styles of faces. Daikatana's compiler writes two blocks of style 0, which the engine adds. The second
 * block gets an unused style that is always on, so that pages, hosts and relighting add it too. */
static void settle_styles(bspi_map *map, const quake2_quirks *own)
{
	enum { SECOND_STYLE = 31 };
	for (uint32_t i = 0; i < map->faces_count; i++) {
		bspi_face *face = &map->faces[i];
		face->style_slots = own->eight_styles ? 8 : 0;
		if (own->second_block && !face->styles[0] && !face->styles[1]) face->styles[1] = SECOND_STYLE;
	}
	for (uint32_t i = 0; i < map->textures_count; i++) map->textures[i].surface_flags &= ~own->no_flags;
}

static bool finish(bspi_ctx *ctx, const bspi_variant *variant, const bspi_lump *lumps, bspi_map *map)
{
	const quake2_quirks *own = variant->extra;
	map->entities = lumps[LUMP_ENTITIES].bytes;
	map->lighting = lumps[LUMP_LIGHTING].bytes;
	bspi_add_light_store(map, &(bspi_light_store){
		.name = "rgb", .luxels = map->lighting, .encoding = BSPI_LIGHT_RGB8 });
	bspi_quake2_faces(map, own->fullbright);
	settle_styles(map, own);
	return bspi_decode_cluster_vis(ctx, lumps[LUMP_VISIBILITY].bytes, map) && bspi_bspx_read(ctx, lumps, map) &&
	       bspi_bspx_read_styles(ctx, lumps, map);
}

const bspi_family bspi_family_quake2 = {
	.about = { .name = "quake2", .title = "Quake II" }, .bid = bid, .directory = directory, .finish = finish,
	.variants = variants, .variant_count = VARIANT_COUNT, .directory_at = DIRECTORY_OFFSET,
};
