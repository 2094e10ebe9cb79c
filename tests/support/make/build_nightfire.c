/* build_nightfire.c - a room of Nightfire: a floor with two light styles, a wall with a rotated light projection, an
 * L-shaped surface, a texture with three materials, editor surfaces with and without vertices, a door, a trigger, a
 * blended pane, brushes. */
#include <string.h>

#include "support/make/build_map.h"

enum { ENTITIES = 0, VISIBILITY = 7, LIGHTING = 10, LUMP_COUNT = 18 };

#define ELEMENTS(array) (uint32_t)(sizeof (array) / sizeof *(array))
#define SET_ARRAY(map, name, array) ((map)->name = (array), (map)->name##_count = ELEMENTS(array))

static const char entities[] =
	"{\n\"classname\" \"worldspawn\"\n\"skyname\" \"night_winter_\"\n"
	"\"overbright\" \"192\"\n\"mapversion\" \"510\"\n}\n"
	"{\n\"classname\" \"light\"\n\"origin\" \"64 64 96\"\n"
	"\"_light\" \"255 128 0 200\"\n\"_falloff\" \"2\"\n\"style\" \"1\"\n}\n"
	"{\n\"classname\" \"light\"\n\"origin\" \"16 16 96\"\n"
	"\"_light\" \"0 0 255 99\"\n\"targetname\" \"lamp\"\n\"style\" \"32\"\n}\n"
	"{\n\"classname\" \"info_player_start\"\n\"origin\" \"64 64 36\"\n\"angles\" \"0 90 0\"\n}\n"
	"{\n\"classname\" \"func_door\"\n\"model\" \"*1\"\n\"origin\" \"64 0 0\"\n}\n"
	"{\n\"classname\" \"trigger_once\"\n\"model\" \"*2\"\n}\n"
	"{\n\"classname\" \"func_wall\"\n\"model\" \"*3\"\n\"rendermode\" \"2\"\n\"renderamt\" \"128\"\n}\n";

/* Planes are in pairs of opposite directions, as in all of Nightfire's maps. */
enum { UP, DOWN, CEILING_UP, CEILING, EAST, WEST, MIDDLE_EAST, MIDDLE_WEST, SCREEN_EAST, SCREEN, DOOR_EAST, DOOR };
static bspi_plane planes[] = {
	[UP] = { { 0, 0, 1 }, 0 }, [DOWN] = { { 0, 0, -1 }, 0 },
	[CEILING_UP] = { { 0, 0, 1 }, 128 }, [CEILING] = { { 0, 0, -1 }, -128 },
	[EAST] = { { 1, 0, 0 }, 0 }, [WEST] = { { -1, 0, 0 }, 0 },
	[MIDDLE_EAST] = { { 1, 0, 0 }, 64 }, [MIDDLE_WEST] = { { -1, 0, 0 }, -64 },
	[SCREEN_EAST] = { { 1, 0, 0 }, 96 }, [SCREEN] = { { -1, 0, 0 }, -96 },
	[DOOR_EAST] = { { 1, 0, 0 }, -8 }, [DOOR] = { { -1, 0, 0 }, 8 },
};

/* The last name fills its field without a terminator. */
enum { BRICK, SKY, NODRAW, GRATE, WATER, LONG_NAME };
static bspi_texture textures[] = {
	[BRICK] = { .name = "walls/brick" }, [SKY] = { .name = "special/sky" }, [NODRAW] = { .name = "special/nodraw" },
	[GRATE] = { .name = "metal/{grate" }, [WATER] = { .name = "liquids/water" },
	[LONG_NAME] = { .name = "a/name/of/sixty-four/characters/so/that/the/field/has/no/end/yet" },
};
enum { LIT, FULLBRIGHT, MASKED, GLASS };
static bspi_effect effects[] = {
	[LIT] = { "wld_lightmap" }, [FULLBRIGHT] = { "wld_fullbright" },
	[MASKED] = { "wld_masked" }, [GLASS] = { "wld_glass" },
};

/* Corners are clockwise from the front. No two surfaces share corners, and the corners of each surface are
 * consecutive. */
#define FLOOR(z, size) { .position = { 0, 0, z } }, { .position = { 0, size, z } }, \
	{ .position = { size, size, z } }, { .position = { size, 0, z } }
#define FACING_WEST(x, y0, y1, z1) { .position = { x, y0, 0 } }, { .position = { x, y1, 0 } }, \
	{ .position = { x, y1, z1 } }, { .position = { x, y0, z1 } }
static bspi_draw_vertex vertices[] = { /* the comments have the number of each surface's first vertex */
	/*  0 floor  */ FLOOR(0, 128),
	/*  4 wall   */ { .position = { 0, 0, 0 } }, { .position = { 0, 0, 128 } }, { .position = { 0, 128, 128 } },
	                { .position = { 0, 128, 0 } },
	/*  8 sky    */ { .position = { 0, 0, 128 } }, { .position = { 128, 0, 128 } }, { .position = { 128, 128, 128 } },
	                { .position = { 0, 128, 128 } },
	/* 12 nodraw */ FACING_WEST(127, 0, 128, 128),
	/* 16 L      */ { .position = { 96, 64, 0 } }, { .position = { 96, 64, 32 } }, { .position = { 96, 32, 32 } },
	                { .position = { 96, 32, 64 } }, { .position = { 96, 0, 64 } }, { .position = { 96, 0, 0 } },
	/* 22 grate  */ FACING_WEST(64, 0, 64, 64),
	/* 26 sign   */ FACING_WEST(64, 64, 128, 64),
	/* 30 water  */ FLOOR(16, 64),
	/* 34 door   */ FACING_WEST(-8, -8, 8, 64),
	/* 38 trigger*/ FACING_WEST(-8, 8, 24, 64),
	/* 42 pane   */ FACING_WEST(-8, 24, 40, 64),
};
/* Normals are zero, as the compiler leaves them, except at two corners of the L. */
static bspi_normal normals[ELEMENTS(vertices)] = {
	[16] = { { -0.8f, 0, 0.6f } }, [17] = { { -0.8f, 0.6f, 0 } },
};
static bspi_index indices[] = {
	{ 0 }, { 1 }, { 2 }, { 0 }, { 2 }, { 3 },
	{ 0 }, { 1 }, { 2 }, { 0 }, { 2 }, { 5 }, { 2 }, { 3 }, { 4 }, { 2 }, { 4 }, { 5 },
};

enum { FLOOR_TEXELS, WALL_TEXELS, FLOOR_LUXELS, WALL_LUXELS, L_LUXELS, SHARED };
static bspi_light_projection projections[] = {
	[FLOOR_TEXELS] = { { { 1, 0, 0, 0 }, { 0, -1, 0, 0 } } },
	[WALL_TEXELS] = { { { 0, 0.5f, 0, 16 }, { 0, 0, -0.5f, -8 } } },
	[FLOOR_LUXELS] = { { { 0.0625f, 0, 0, 0 }, { 0, -0.0625f, 0, 0 } } },
	[WALL_LUXELS] = { { { 0, 0.05f, 0.05f, 3.3f }, { 0, -0.05f, 0.05f, 0 } } },
	[L_LUXELS] = { { { 0, 0.125f, 0, 0 }, { 0, 0, -0.125f, 0 } } },
	[SHARED] = { { { 0, 0.25f, 0, 2 }, { 0, 0, 0.25f, 0 } } },
};

/* The number of luxels in the lump before the luxels of each surface. */
enum {
	FLOOR_LIGHT = 0, WALL_LIGHT = FLOOR_LIGHT + 2 * 9 * 9, L_LIGHT = WALL_LIGHT + 15 * 15,
	GRATE_LIGHT = L_LIGHT + 9 * 9, WATER_LIGHT = GRATE_LIGHT + 17 * 17, DOOR_LIGHT = WATER_LIGHT + 5 * 5,
	LUXEL_COUNT = DOOR_LIGHT + 5 * 17
};
static uint8_t light[3 * LUXEL_COUNT];

#define QUAD .vertex_count = 4, .first_index = 0, .index_count = 6
#define STYLE(n) .styles = { (n), 255, 255, 255 }
#define UNLIT .styles = { 255, 255, 255, 255 }, .light_offset = -1
static bspi_face surfaces[] = {
	{ .plane = UP, .first_vertex = 0, QUAD, .texinfo = FLOOR_TEXELS, .light_projection = FLOOR_LUXELS,
	  .styles = { 0, 1, 255, 255 }, .light_offset = 3 * FLOOR_LIGHT },
	{ .plane = EAST, .first_vertex = 4, QUAD, .texinfo = WALL_TEXELS, .light_projection = WALL_LUXELS, STYLE(0),
	  .light_offset = 3 * WALL_LIGHT },
	{ .plane = CEILING, .first_vertex = 8, QUAD, .texinfo = FLOOR_TEXELS, .light_projection = FLOOR_LUXELS, UNLIT },
	{ .plane = WEST, .first_vertex = 12, QUAD, .texinfo = WALL_TEXELS, .light_projection = L_LUXELS, UNLIT },
	{ .plane = DOWN, .texinfo = FLOOR_TEXELS, .light_projection = FLOOR_LUXELS, UNLIT },
	{ .plane = SCREEN, .first_vertex = 16, .vertex_count = 6, .first_index = 6, .index_count = 12,
	  .texinfo = WALL_TEXELS, .light_projection = L_LUXELS, STYLE(0), .light_offset = 3 * L_LIGHT },
	{ .plane = MIDDLE_WEST, .first_vertex = 22, QUAD, .texinfo = SHARED, .light_projection = SHARED, STYLE(32),
	  .light_offset = 3 * GRATE_LIGHT },
	{ .plane = MIDDLE_WEST, .first_vertex = 26, QUAD, .texinfo = WALL_TEXELS, .light_projection = L_LUXELS, UNLIT },
	{ .plane = UP, .first_vertex = 30, QUAD, .texinfo = FLOOR_TEXELS, .light_projection = FLOOR_LUXELS, STYLE(0),
	  .light_offset = 3 * WATER_LIGHT },
	{ .plane = DOOR, .first_vertex = 34, QUAD, .texinfo = SHARED, .light_projection = SHARED, STYLE(0),
	  .light_offset = 3 * DOOR_LIGHT },
	{ .plane = DOOR, .first_vertex = 38, QUAD, .texinfo = SHARED, .light_projection = SHARED, UNLIT },
	{ .plane = DOOR, .first_vertex = 42, QUAD, .texinfo = SHARED, .light_projection = SHARED, UNLIT },
};
/* The second half of each surface's record, with flags, texture and material. */
static bspi_texinfo looks[ELEMENTS(surfaces)] = {
	{ .texture = BRICK, .value = LIT }, { .texture = LONG_NAME, .value = LIT },
	{ .flags = 0x4, .texture = SKY, .value = LIT },
	{ .flags = 0x20, .texture = NODRAW, .value = LIT }, { .flags = 0x100, .texture = NODRAW, .value = LIT },
	{ .texture = BRICK, .value = GLASS }, { .texture = GRATE, .value = MASKED },
	{ .texture = BRICK, .value = FULLBRIGHT },
	{ .flags = 0x100000, .texture = WATER, .value = LIT }, { .texture = BRICK, .value = LIT },
	{ .flags = 0x200000 | 0x20, .texture = NODRAW, .value = LIT }, { .texture = BRICK, .value = LIT },
};

static bspi_node nodes[] = { { .plane = MIDDLE_EAST, .children = { -2, -3 }, .maxs = { 128, 128, 128 } } };
/* The third leaf is solid; the last two belong to the models. */
static bspi_leaf leafs[] = {
	{ .contents = 2 },
	{ .contents = 1, .vis_offset = 0, .mins = { 64, 0, 0 }, .maxs = { 128, 128, 128 }, .first_leaf_face = 0,
	  .leaf_face_count = 3, .leaf_brush_count = 1 },
	{ .contents = 1, .vis_offset = 4, .maxs = { 64, 128, 128 }, .first_leaf_face = 2, .leaf_face_count = 7 },
	{ .contents = 2, .vis_offset = -1, .first_leaf_brush = 0, .leaf_brush_count = 1 },
	{ .contents = 1, .vis_offset = -1, .mins = { -8, -8, 0 }, .maxs = { -8, 8, 64 }, .first_leaf_face = 9,
	  .leaf_face_count = 1, .first_leaf_brush = 1, .leaf_brush_count = 1 },
	{ .contents = 1, .vis_offset = -1, .first_leaf_face = 10, .leaf_face_count = 2 },
};
static bspi_index leaf_surfaces[] = {
	{ 5 }, { 8 }, { 0 }, { 1 }, { 2 }, { 3 }, { 4 }, { 6 }, { 7 }, { 9 }, { 10 }, { 11 },
};
/* Leaf 1 sees both leaves, leaf 2 only itself. Rows are padded to four bytes. */
static const uint8_t visibility[] = { 3, 0, 0, 0, 2, 0, 0, 0 };

static bspi_index leaf_brushes[] = { { 0 }, { 1 } };
static bspi_brush brushes[] = {
	{ .contents = 2, .side_count = 3 }, { .contents = 0x202, .first_side = 3, .side_count = 2 },
};
static bspi_brush_side brush_sides[] = {
	{ UP, 0, 0 }, { EAST, 1, 0 }, { DOWN, 4, 0 }, { DOOR, 9, 0 }, { DOOR_EAST, 4, 0 },
};
static bspi_model models[] = {
	{ .maxs = { 128, 128, 128 }, .face_count = 9 },
	{ .mins = { -8, -8, 0 }, .maxs = { -8, 8, 64 }, .first_face = 9, .face_count = 1 },
	{ .mins = { -8, 8, 0 }, .maxs = { -8, 24, 64 }, .first_face = 10, .face_count = 1 },
	{ .mins = { -8, 24, 0 }, .maxs = { -8, 40, 64 }, .first_face = 11, .face_count = 1 },
};

void bspt_room_nightfire(const bspi_variant *variant, bspt_parts *parts)
{
	bspi_map *map = &parts->map;
	(void)variant;
	SET_ARRAY(map, planes, planes);
	SET_ARRAY(map, textures, textures);
	SET_ARRAY(map, effects, effects);
	SET_ARRAY(map, draw_vertices, vertices);
	SET_ARRAY(map, vertex_normals, normals);
	SET_ARRAY(map, draw_indices, indices);
	SET_ARRAY(map, nodes, nodes);
	SET_ARRAY(map, faces, surfaces);
	SET_ARRAY(map, texinfos, looks);
	SET_ARRAY(map, leafs, leafs);
	SET_ARRAY(map, leaf_faces, leaf_surfaces);
	SET_ARRAY(map, leaf_brushes, leaf_brushes);
	SET_ARRAY(map, models, models);
	SET_ARRAY(map, brushes, brushes);
	SET_ARRAY(map, brush_sides, brush_sides);
	SET_ARRAY(map, light_projections, projections);
	for (size_t i = 0; i < sizeof light; i++) light[i] = (uint8_t)(i * 7 % 251);
	parts->lump_count = LUMP_COUNT;
	parts->raw[ENTITIES] = bspi_bytes_of(entities, sizeof entities);
	parts->raw[VISIBILITY] = bspi_bytes_of(visibility, sizeof visibility);
	parts->raw[LIGHTING] = bspi_bytes_of(light, sizeof light);
}
