/* build_source.c - a room of Source, for every version: a lit floor with two styles, a wall with bumped light, a sky, a
 * displacement, a brush model, two clusters, brushes, areas, a static prop and a pakfile with a material. */
#include <stdlib.h>
#include <string.h>

#include "families/vbsp_tables.h"
#include "support/build_archive.h"
#include "support/build_map.h"

#define ELEMENTS(array) (uint32_t)(sizeof (array) / sizeof *(array))
#define SET_ARRAY(map, name, array) ((map)->name = (array), (map)->name##_count = ELEMENTS(array))

static const char entities[] =
	"{\n\"world_maxs\" \"128 128 128\"\n\"classname\" \"worldspawn\"\n\"skyname\" \"sky_test\"\n}\n"
	"{\n\"classname\" \"light\"\n\"origin\" \"64 64 96\"\n\"_light\" \"255 128 0 200\"\n\"style\" \"1\"\n}\n"
	"{\n\"classname\" \"light_spot\"\n\"origin\" \"16 16 96\"\n\"_light\" \"255 255 255 300\"\n\"_lightHDR\" \"-1 -1 -1 1\"\n"
	"\"angles\" \"0 90 0\"\n\"pitch\" \"-90\"\n\"_cone\" \"45\"\n\"targetname\" \"lamp\"\n\"style\" \"32\"\n}\n"
	"{\n\"classname\" \"light_environment\"\n\"_light\" \"255 255 200 500\"\n\"pitch\" \"-50\"\n}\n"
	"{\n\"classname\" \"info_player_start\"\n\"origin\" \"64 64 0\"\n\"angles\" \"0 90 0\"\n}\n"
	"{\n\"classname\" \"func_door\"\n\"model\" \"*1\"\n\"origin\" \"64 0 0\"\n\"angles\" \"0 45 0\"\n\"OnOpen\" \"lamp,TurnOn,,0,-1\"\n}\n"
	"{\n\"classname\" \"prop_dynamic\"\n\"model\" \"models/test/lamp.mdl\"\n\"origin\" \"8 8 8\"\n}\n";

static bspi_plane planes[] = {
	{ { 0, 0, 1 }, 0 }, { { 0, 0, -1 }, -128 }, { { 1, 0, 0 }, 0 }, { { -1, 0, 0 }, 8 }, { { 1, 0, 0 }, 64 },
};

/* ---- Textures --------------------------------------------------------------------------------------------- */

#define SURF_SKY 0x4u
#define SURF_BUMPLIGHT 0x800u
enum { WALL, SKY, TEXTURE_COUNT };
enum { FLOOR, BUMPED, ABOVE, TEXINFO_COUNT };

static bspi_texture textures[TEXTURE_COUNT] = { { .width = 64, .height = 32 }, { .width = 8, .height = 8 } };
static bspi_texinfo texinfos[TEXINFO_COUNT] = {
	[FLOOR] = { .texture_vectors = { { 1, 0, 0, 0 }, { 0, -1, 0, 0 } }, .texture = WALL },
	[BUMPED] = { .texture_vectors = { { 0, 1, 0, 0 }, { 0, 0, -1, 0 } }, .texture = WALL, .flags = SURF_BUMPLIGHT },
	[ABOVE] = { .texture_vectors = { { 1, 0, 0, 0 }, { 0, -1, 0, 0 } }, .texture = SKY, .flags = SURF_SKY },
};
#define LUXEL 0.0625f
static bspi_light_projection projections[TEXINFO_COUNT] = {
	[FLOOR] = { { { LUXEL, 0, 0, 0 }, { 0, LUXEL, 0, 0 } } },
	[BUMPED] = { { { 0, LUXEL, 0, 0 }, { 0, 0, LUXEL, 0 } } },
};

/* The second name comes first, and the last one lacks its end. */
static const char names[] = "TOOLS/TOOLSSKYBOX\0test\\wall";
static const uint8_t name_offsets[] = { 18, 0, 0, 0, 0, 0, 0, 0 };
/* What the table skips: reflectivity, and at 12 of 32 bytes the number of the name. */
static const uint8_t texdata[TEXTURE_COUNT * 32] = { [32 + 12] = 1 };

/* ---- Faces ------------------------------------------------------------------------------------------------ */

#define NO_STYLES { 255, 255, 255, 255 }
/* Luxels of four bytes; in front of a face's there is an average for each style. The floor has two styles of 9 x 9, the wall
 * four sets of 9 x 9, the displacement 9 x 9, the door four sets of 3 x 5. */
enum {
	FLOOR_LIGHT = 2, WALL_LIGHT = FLOOR_LIGHT + 2 * 81 + 1, GROUND_LIGHT = WALL_LIGHT + 4 * 81 + 1,
	DOOR_LIGHT = GROUND_LIGHT + 81 + 1, LUXEL_COUNT = DOOR_LIGHT + 4 * 15
};

/* Sizes are one less than there are luxels. */
static bspi_face faces[] = {
	{ .plane = 0, .first_edge = 0, .edge_count = 4, .texinfo = FLOOR, .dispinfo = -1, .styles = { 0, 1, 255, 255 },
	  .light_offset = 4 * FLOOR_LIGHT, .lightmap_width = 8, .lightmap_height = 8 },
	{ .plane = 2, .first_edge = 4, .edge_count = 4, .texinfo = BUMPED, .dispinfo = -1, .styles = { 0, 255, 255, 255 },
	  .light_offset = 4 * WALL_LIGHT, .lightmap_width = 8, .lightmap_height = 8 },
	{ .plane = 1, .first_edge = 8, .edge_count = 4, .texinfo = ABOVE, .dispinfo = -1, .styles = NO_STYLES, .light_offset = -1 },
	{ .plane = 0, .first_edge = 0, .edge_count = 4, .texinfo = FLOOR, .dispinfo = 0, .styles = { 0, 255, 255, 255 },
	  .light_offset = 4 * GROUND_LIGHT, .lightmap_width = 8, .lightmap_height = 8 },
	{ .plane = 3, .first_edge = 12, .edge_count = 4, .texinfo = BUMPED, .dispinfo = -1, .styles = { 32, 255, 255, 255 },
	  .light_offset = 4 * DOOR_LIGHT, .lightmap_x = { -1 }, .lightmap_width = 2, .lightmap_height = 4 },
};

/* Heights of a hill, blended towards its top. */
enum { POWER = 2, GRID = (1 << POWER) + 1 };
static bspi_dispinfo dispinfos[] = { { { 0, 0, 0 }, 0, POWER } };
static bspi_disp_vertex disp_vertices[GRID * GRID];

static uint8_t light[4 * LUXEL_COUNT];

static void make_hill(void)
{
	for (int i = 0; i < GRID * GRID; i++) {
		int row = i / GRID, column = i % GRID, height = row * (GRID - 1 - row) * column * (GRID - 1 - column);
		disp_vertices[i] = (bspi_disp_vertex){ { 0, 0, 1 }, (float)height, (float)(height * 15) };
	}
}

/* Three channels and an exponent that may be negative. */
static void make_light(void)
{
	for (size_t i = 0; i < sizeof light; i++) light[i] = (uint8_t)(i % 4 == 3 ? (i / 4) % 5 - 2 : i * 3 % 251);
}

/* ---- Tree ------------------------------------------------------------------------------------------------- */

static bspi_node nodes[] = {
	{ .plane = 4, .children = { -2, -3 }, .maxs = { 128, 128, 128 }, .face_count = 4 },
	{ .plane = 3, .children = { -1, -1 }, .mins = { -8, -8, 0 }, .maxs = { 8, 8, 64 }, .first_face = 4, .face_count = 1 },
};
static bspi_leaf leafs[] = {
	{ .contents = 1, .cluster = -1 },
	{ .cluster = 0, .area = 1, .maxs = { 64, 128, 128 }, .leaf_face_count = 4 },
	{ .contents = 0x20, .cluster = 1, .area = 1, .mins = { 64, 0, 0 }, .maxs = { 128, 128, 128 }, .first_leaf_face = 1,
	  .leaf_face_count = 2, .leaf_brush_count = 1 },
};
static bspi_index leaf_faces[] = { { 0 }, { 1 }, { 2 }, { 3 } };
static bspi_index leaf_brushes[] = { { 0 } };
static bspi_model models[] = {
	{ .maxs = { 128, 128, 128 }, .face_count = 4 },
	{ .mins = { -8, -8, 0 }, .maxs = { 8, 8, 64 }, .head_nodes = { 1 }, .first_face = 4, .face_count = 1 },
};
static bspi_brush brushes[] = { { .side_count = 5, .contents = 1 } };
static bspi_brush_side brush_sides[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 2, 1, 0 }, { 3, 1, 1 }, { 4, -1, 1 } };
static bspi_area areas[] = { { 0, 0 }, { 0, 1 } };
static bspi_area_portal_record area_portals[] = { { 1, 1 } };

/* ---- Game lump and pakfile -------------------------------------------------------------------------------- */

static uint8_t *put_u32(uint8_t *p, uint32_t value)
{
	for (int i = 0; i < 4; i++) p[i] = (uint8_t)(value >> 8 * i);
	return p + 4;
}

/* One part, `sprp` in the layout of Source 2007, whose place counts from the lump: one name, one leaf, one prop. */
static bspi_bytes make_game_lump(void)
{
	enum { DIRECTORY = 4 + 16, NAME = 128, RECORD = 60, PART = 4 + NAME + 4 + 2 + 4 + RECORD, VERSION = 5 };
	static uint8_t lump[DIRECTORY + PART];
	static const char model[] = "models\\test\\crate.mdl";
	uint8_t *p = put_u32(lump, 1);
	p = put_u32(p, 0x73707270);
	p = put_u32(p, (uint32_t)VERSION << 16);
	p = put_u32(p, DIRECTORY);
	p = put_u32(p, PART);
	p = put_u32(p, 1);
	memcpy(p, model, sizeof model);
	p = put_u32(p + NAME, 1);
	p = put_u32(p + 2, 1);
	put_u32(p, 0x42000000);            /* 32 units along x */
	put_u32(p + 16, 0x42b40000);       /* 90 degrees of yaw */
	put_u32(p + 32, 1);                /* skin */
	return bspi_bytes_of(lump, sizeof lump);
}

static bspi_bytes make_pakfile(void)
{
	static const bspt_member member = { .name = "materials/test/wall.vmt", .text = "LightmappedGeneric { $basetexture test/wall }" };
	static uint8_t kept[512];
	bspt_bytes zip = bspt_zip(&member, 1);
	if (zip.size > sizeof kept) bspt_die("keep", "a pakfile");
	memcpy(kept, zip.data, zip.size);
	bspi_bytes view = bspi_bytes_of(kept, zip.size);
	free(zip.data);
	return view;
}

/* ---- The room --------------------------------------------------------------------------------------------- */

/* Leafs of 19 without light inside say so, and so do all later ones (source.md 3.4). */
static bool has_short_leafs(const bspi_variant *variant)
{
	for (uint32_t i = 0; i < variant->lump_row_count; i++) {
		if (variant->lumps[i].slot == VBSP_LEAFS) return variant->lumps[i].layout->file_size == 32;
	}
	return false;
}

static void set_raw(const bspi_variant *variant, bspt_parts *parts)
{
	parts->lump_count = VBSP_LUMPS;
	parts->versions = true;
	parts->version_first = !strcmp(variant->name, "left4dead2");
	parts->version[VBSP_LEAFS] = has_short_leafs(variant);
	parts->version[VBSP_FACES] = parts->version[VBSP_LIGHTING] = 1;
	parts->raw[VBSP_ENTITIES] = bspi_bytes_of(entities, sizeof entities);
	parts->raw[VBSP_TEXDATA] = bspi_bytes_of(texdata, sizeof texdata);
	parts->raw[VBSP_NAMES] = bspi_bytes_of(names, sizeof names - 1);
	parts->raw[VBSP_NAME_OFFSETS] = bspi_bytes_of(name_offsets, sizeof name_offsets);
	parts->raw[VBSP_VISIBILITY] = bspt_room_clusters();
	parts->raw[VBSP_LIGHTING] = bspi_bytes_of(light, sizeof light);
	parts->raw[VBSP_GAME_LUMP] = make_game_lump();
	parts->raw[VBSP_PAKFILE] = make_pakfile();
}

void bspt_room_source(const bspi_variant *variant, bspt_parts *parts)
{
	bspi_map *map = &parts->map;
	make_light();
	make_hill();
	bspt_room_edges(map);
	SET_ARRAY(map, planes, planes);
	SET_ARRAY(map, textures, textures);
	SET_ARRAY(map, texinfos, texinfos);
	SET_ARRAY(map, light_projections, projections);
	SET_ARRAY(map, faces, faces);
	SET_ARRAY(map, dispinfos, dispinfos);
	SET_ARRAY(map, disp_vertices, disp_vertices);
	SET_ARRAY(map, nodes, nodes);
	SET_ARRAY(map, leafs, leafs);
	SET_ARRAY(map, leaf_faces, leaf_faces);
	SET_ARRAY(map, leaf_brushes, leaf_brushes);
	SET_ARRAY(map, models, models);
	SET_ARRAY(map, brushes, brushes);
	SET_ARRAY(map, brush_sides, brush_sides);
	SET_ARRAY(map, areas, areas);
	SET_ARRAY(map, area_portals, area_portals);
	set_raw(variant, parts);
}
