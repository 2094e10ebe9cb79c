/* build_quake.c - a room for the families with edges: Quake, GoldSrc and Quake II. It has a lit floor with two styles,
 * a wall, a sky, a liquid, a brush model with an origin, two clusters, and textures if the file has them. */
#include <string.h>

#include "families/quake/quake_common.h"
#include "support/make/build_map.h"

#define ELEMENTS(array) (uint32_t)(sizeof (array) / sizeof *(array))
#define SET_ARRAY(map, name, array) ((map)->name = (array), (map)->name##_count = ELEMENTS(array))

#define ENTITIES(light) \
	"{\n\"classname\" \"worldspawn\"\n\"message\" \"A room\"\n\"wad\" \"C:\\\\games\\\\test.wad\"\n}\n" \
	"{\n\"classname\" \"light\"\n\"origin\" \"64 64 96\"\n" light "\"style\" \"1\"\n}\n" \
	"{\n\"classname\" \"light\"\n\"origin\" \"16 16 96\"\n" light "\"targetname\" \"lamp\"\n\"style\" \"32\"\n}\n" \
	"{\n\"classname\" \"info_player_start\"\n\"origin\" \"64 64 24\"\n\"angle\" \"90\"\n}\n" \
	"{\r\n\"classname\" \"func_door\"\r\n\"model\" \"*1\"\r\n\"origin\" \"64 0 0\"\r\n\"angle\" \"-1\"\r\n}\r\n"

static const char entities[] = ENTITIES("\"light\" \"200\"\n\"_color\" \"1 .5 0\"\n");
static const char goldsrc_entities[] = ENTITIES("\"_light\" \"255 128 0 200\"\n");

static bspi_plane planes[] = {
	{ { 0, 0, 1 }, 0 }, { { 0, 0, 1 }, 128 }, { { 1, 0, 0 }, 0 }, { { 1, 0, 0 }, -8 }, { { 1, 0, 0 }, 64 },
	/* The sides of the brush are these four planes and planes 1 and 4. */
	{ { -1, 0, 0 }, 0 }, { { 0, 1, 0 }, 32 }, { { 0, -1, 0 }, 0 }, { { 0, 0, -1 }, 0 },
};

static bspi_vertex vertices[] = {
	{ { 0, 0, 0 } }, { { 128, 0, 0 } }, { { 128, 128, 0 } }, { { 0, 128, 0 } },
	{ { 0, 0, 128 } }, { { 128, 0, 128 } }, { { 128, 128, 128 } }, { { 0, 128, 128 } },
	{ { -8, -8, 0 } }, { { -8, -8, 64 } }, { { -8, 8, 64 } }, { { -8, 8, 0 } },
};

/* Edge 0 belongs to no face. The wall uses one of the floor's edges in reverse. */
static bspi_edge edges[] = {
	{ { 0, 0 } },
	{ { 0, 3 } }, { { 3, 2 } }, { { 2, 1 } }, { { 1, 0 } },
	{ { 0, 4 } }, { { 4, 7 } }, { { 7, 3 } },
	{ { 4, 5 } }, { { 5, 6 } }, { { 6, 7 } }, { { 7, 4 } },
	{ { 8, 11 } }, { { 11, 10 } }, { { 10, 9 } }, { { 9, 8 } },
};
static bspi_surfedge surfedges[] = {
	{ 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 }, { 7 }, { -1 }, { 8 }, { 9 }, { 10 }, { 11 }, { 12 }, { 13 }, { 14 },
	{ 15 },
};

#define FLOOR_VECTORS { { 1, 0, 0, 0 }, { 0, -1, 0, 0 } }
#define WALL_VECTORS { { 0, 1, 0, 0 }, { 0, 0, -1, 0 } }
enum { WALL, SKY, WATER, TEXTURE_COUNT };

static bspi_texinfo texinfos[] = {
	{ .texture_vectors = FLOOR_VECTORS, .texture = WALL },
	{ .texture_vectors = WALL_VECTORS, .texture = WALL },
	{ .texture_vectors = FLOOR_VECTORS, .texture = SKY, .flags = QUAKE_SPECIAL },
	{ .texture_vectors = FLOOR_VECTORS, .texture = WATER, .flags = QUAKE_SPECIAL },
};

/* Names and flags of Quake II's four texinfos. */
#define SURF_SKY 0x4
#define SURF_WARP 0x8
static bspi_texinfo quake2_texinfos[] = {
	{ .texture_vectors = FLOOR_VECTORS }, { .texture_vectors = WALL_VECTORS },
	{ .texture_vectors = FLOOR_VECTORS, .flags = SURF_SKY }, { .texture_vectors = FLOOR_VECTORS, .flags = SURF_WARP },
};
static bspi_texture textures[] = {
	{ .name = "test/wall" }, { .name = "test/wall" },
	{ .name = "test/sky", .surface_flags = SURF_SKY }, { .name = "test/water", .surface_flags = SURF_WARP },
};

#define NO_STYLES { 255, 255, 255, 255 }
/* The number of luxels in the lump before the luxels of each face. The floor has 9 x 9 in two styles, the wall 9 x 9,
 * the door 3 x 5. */
enum { FLOOR_LIGHT = 0, WALL_LIGHT = 162, DOOR_LIGHT = 243, LUXEL_COUNT = 258 };

static const bspi_face face_records[] = {
	{ .plane = 0, .first_edge = 0, .edge_count = 4, .texinfo = 0, .styles = { 0, 1, 255, 255 },
	  .light_offset = FLOOR_LIGHT },
	{ .plane = 2, .first_edge = 4, .edge_count = 4, .texinfo = 1, .styles = { 0, 255, 255, 255 },
	  .light_offset = WALL_LIGHT },
	{ .plane = 1, .side = 1, .first_edge = 8, .edge_count = 4, .texinfo = 2, .styles = NO_STYLES, .light_offset = -1 },
	{ .plane = 0, .first_edge = 0, .edge_count = 4, .texinfo = 3, .styles = NO_STYLES, .light_offset = -1 },
	{ .plane = 3, .side = 1, .first_edge = 12, .edge_count = 4, .texinfo = 1, .styles = { 0, 255, 255, 255 },
	  .light_offset = DOOR_LIGHT },
};
static bspi_face faces[ELEMENTS(face_records)];

static bspi_node nodes[] = {
	{ .plane = 4, .children = { -2, -3 }, .maxs = { 128, 128, 128 }, .face_count = 4 },
	{ .plane = 3, .children = { -1, -1 }, .mins = { -8, -8, 0 }, .maxs = { 8, 8, 64 }, .first_face = 4,
	  .face_count = 1 },
};

/* The leafs of all these games. `contents` has Quake's values, which bspt_room_quake2 replaces by Quake II's.
 * `cluster` and `area` are only stored in files of Quake II. */
static bspi_leaf leafs[] = {
	{ .contents = -2, .vis_offset = -1, .cluster = -1 },
	{ .contents = -1, .vis_offset = 0, .cluster = 0, .area = 1, .maxs = { 64, 128, 128 }, .leaf_face_count = 4 },
	{ .contents = -3, .vis_offset = 1, .cluster = 1, .area = 1, .mins = { 64, 0, 0 }, .maxs = { 128, 128, 128 },
	  .first_leaf_face = 1, .leaf_face_count = 2, .leaf_brush_count = 1 },
};
static bspi_leaf quake2_leafs[ELEMENTS(leafs)];

static bspi_index leaf_faces[] = { { 0 }, { 1 }, { 2 }, { 3 } };
static bspi_clipnode clipnodes[] = { { 4, { -1, -2 } } };
static bspi_model models[] = {
	{ .maxs = { 128, 128, 128 }, .visleafs = 2, .face_count = 4 },
	{ .mins = { -8, -8, 0 }, .maxs = { 8, 8, 64 }, .head_nodes = { 1, 0, 0, 0 }, .first_face = 4, .face_count = 1 },
};

static bspi_index leaf_brushes[] = { { 0 } };
static bspi_brush brushes[] = { { .side_count = 6, .contents = 1 } };
static bspi_brush_side brush_sides[] = {
	{ 4, 0, 0 }, { 5, 0, 0 }, { 6, 1, 0 }, { 7, 1, 0 }, { 8, -1, 0 }, { 1, -1, 0 },
};
static bspi_area areas[] = { { 0, 0 }, { 0, 1 } };
static bspi_area_portal_record area_portals[] = { { 1, 1 } };

static const uint8_t visibility[] = { 3, 2 };
static const uint8_t quake2_visibility[] = { 2, 0, 0, 0, 20, 0, 0, 0, 20, 0, 0, 0, 21, 0, 0, 0, 21, 0, 0, 0, 3, 2 };

static uint8_t light[LUXEL_COUNT * 3];

static void set_light(bspt_parts *parts, uint32_t slot, uint32_t luxel_size)
{
	for (size_t i = 0; i < sizeof light; i++) light[i] = (uint8_t)(i * 3 % 251);
	memcpy(faces, face_records, sizeof faces);
	for (uint32_t i = 0; i < ELEMENTS(faces); i++) {
		if (faces[i].light_offset > 0) faces[i].light_offset *= (int32_t)luxel_size;
	}
	parts->raw[slot] = bspi_bytes_of(light, (size_t)LUXEL_COUNT * luxel_size);
	SET_ARRAY(&parts->map, faces, faces);
}

void bspt_room_edges(bspi_map *map)
{
	SET_ARRAY(map, vertices, vertices);
	SET_ARRAY(map, edges, edges);
	SET_ARRAY(map, surfedges, surfedges);
}

bspi_bytes bspt_room_clusters(void)
{
	return bspi_bytes_of(quake2_visibility, sizeof quake2_visibility);
}

/* Sets lumps that all three families have. */
static void set_common(bspi_map *map)
{
	bspt_room_edges(map);
	SET_ARRAY(map, planes, planes);
	SET_ARRAY(map, nodes, nodes);
	SET_ARRAY(map, leaf_faces, leaf_faces);
	SET_ARRAY(map, models, models);
}

/* ---- Quake and GoldSrc ------------------------------------------------------------------------------------ */

enum { SIDE = 16, MIPS = 4, MIPTEX_HEADER = 40, PALETTE = 2 + 768 + 2 };
enum { PIXELS = SIDE * SIDE * 85 / 64, MIPTEX = MIPTEX_HEADER + PIXELS, LARGEST_MIPTEX = MIPTEX + PALETTE };

static void store(uint8_t *p, size_t value)
{
	for (int i = 0; i < 4; i++) p[i] = (uint8_t)(value >> 8 * i);
}

/* Makes the lump of textures. It has a count and offsets, and for each texture a name, sizes, offsets of four mip
 * levels, and pixels. GoldSrc appends a palette. */
static bspi_bytes make_miptexes(const char *const names[TEXTURE_COUNT], bool palettes)
{
	static uint8_t lump[4 + 4 * TEXTURE_COUNT + TEXTURE_COUNT * LARGEST_MIPTEX];
	size_t at = 4 + 4 * TEXTURE_COUNT;
	memset(lump, 0, sizeof lump);
	store(lump, TEXTURE_COUNT);
	for (size_t i = 0; i < TEXTURE_COUNT; i++) {
		uint8_t *texture = lump + at;
		store(lump + 4 + 4 * i, at);
		memcpy(texture, names[i], strlen(names[i]));
		store(texture + 16, SIDE);
		store(texture + 20, SIDE);
		size_t pixels = MIPTEX_HEADER;
		for (size_t mip = 0; mip < MIPS; mip++) {
			store(texture + 24 + 4 * mip, pixels);
			pixels += (size_t)(SIDE >> mip) * (size_t)(SIDE >> mip);
		}
		for (size_t k = MIPTEX_HEADER; k < MIPTEX; k++) texture[k] = (uint8_t)(k * 13 + i);
		at += MIPTEX;
		if (!palettes) continue;
		lump[at + 1] = 1;                  /* high byte of the count of 256 colors */
		for (size_t k = 0; k < 768; k++) lump[at + 2 + k] = (uint8_t)k;
		at += PALETTE;
	}
	return bspi_bytes_of(lump, at);
}

/* Makes Afterburner's lump: a count and a zero, then for each texture a name of 64 bytes and 16 zeros. */
static bspi_bytes make_texture_names(const char *const names[TEXTURE_COUNT])
{
	enum { HEADER = 8, RECORD = 80 };
	static uint8_t lump[HEADER + TEXTURE_COUNT * RECORD];
	memset(lump, 0, sizeof lump);
	store(lump, TEXTURE_COUNT);
	for (size_t i = 0; i < TEXTURE_COUNT; i++) memcpy(lump + HEADER + i * RECORD, names[i], strlen(names[i]));
	return bspi_bytes_of(lump, sizeof lump);
}

static void room_with_textures(bspt_parts *parts, const char *text, size_t text_size, bspi_bytes miptexes)
{
	bspi_map *map = &parts->map;
	set_common(map);
	SET_ARRAY(map, texinfos, texinfos);
	SET_ARRAY(map, leafs, leafs);
	SET_ARRAY(map, clipnodes, clipnodes);
	parts->lump_count = QUAKE_LUMP_COUNT;
	parts->raw[QUAKE_ENTITIES] = bspi_bytes_of(text, text_size);
	parts->raw[QUAKE_VISIBILITY] = bspi_bytes_of(visibility, sizeof visibility);
	parts->raw[QUAKE_TEXTURES] = miptexes;
}

void bspt_room_quake(const bspi_variant *variant, bspt_parts *parts)
{
	static const char *const names[TEXTURE_COUNT] = { "wall", "sky1", "*water" };
	room_with_textures(parts, entities, sizeof entities, make_miptexes(names, false));
	set_light(parts, QUAKE_LIGHTING, 1);
	if (!strcmp(variant->name, "bsp2")) bspt_room_bspx(parts);
}

void bspt_room_goldsrc(const bspi_variant *variant, bspt_parts *parts)
{
	static const char *const names[TEXTURE_COUNT] = { "wall", "sky", "!water" };
	bool by_name = !strcmp(variant->name, "afterburner");
	room_with_textures(parts, goldsrc_entities, sizeof goldsrc_entities,
	                   by_name ? make_texture_names(names) : make_miptexes(names, true));
	set_light(parts, QUAKE_LIGHTING, 3);
	parts->swap_first = !strcmp(variant->name, "blueshift");
}

/* ---- Quake II --------------------------------------------------------------------------------------------- */

enum { Q2_ENTITIES = 0, Q2_VISIBILITY = 3, Q2_LIGHTING = 7, Q2_LUMP_COUNT = 19 };

/* Returns the number of lumps that a game has in addition to Quake II's. The number tells which game a map is from;
 * these lumps are not read. */
static uint32_t more_lumps(const char *variant)
{
	return !strcmp(variant, "sin") ? 1 : !strcmp(variant, "daikatana") ? 2 : !strcmp(variant, "sof") ? 3 : 0;
}

void bspt_room_quake2(const bspi_variant *variant, bspt_parts *parts)
{
	bspi_map *map = &parts->map;
	memcpy(quake2_leafs, leafs, sizeof leafs);
	quake2_leafs[0].contents = 1;
	quake2_leafs[1].contents = 0;
	quake2_leafs[2].contents = 0x20;
	/* Flags that only the compilers of Heretic II and Kingpin set. */
	uint32_t mark = !strcmp(variant->name, "heretic2") ? 0x3000000u : !strcmp(variant->name, "kingpin") ? 0x800000u : 0;
	quake2_texinfos[0].flags = textures[0].surface_flags = mark;
	set_common(map);
	SET_ARRAY(map, texinfos, quake2_texinfos);
	SET_ARRAY(map, textures, textures);
	SET_ARRAY(map, leafs, quake2_leafs);
	SET_ARRAY(map, leaf_brushes, leaf_brushes);
	SET_ARRAY(map, brushes, brushes);
	SET_ARRAY(map, brush_sides, brush_sides);
	SET_ARRAY(map, areas, areas);
	SET_ARRAY(map, area_portals, area_portals);
	parts->lump_count = Q2_LUMP_COUNT + more_lumps(variant->name);
	parts->raw[Q2_ENTITIES] = bspi_bytes_of(entities, sizeof entities);
	if (!strcmp(variant->name, "qbism")) bspt_room_bspx(parts);
	parts->raw[Q2_VISIBILITY] = bspt_room_clusters();
	set_light(parts, Q2_LIGHTING, 3);
	/* In Daikatana, both blocks of the floor have style 0. */
	if (!strcmp(variant->name, "daikatana")) faces[0].styles[1] = 0;
	/* Unused styles are 255. */
	for (uint32_t i = 0; i < ELEMENTS(faces); i++) memset(faces[i].more_styles, 255, sizeof faces[i].more_styles);
}
