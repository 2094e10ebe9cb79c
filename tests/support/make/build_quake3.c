/* build_quake3.c - a room of the Quake III family: polygons, a patch, a triangle soup, a flare, a sky, a brush model
 * with an origin, fog, two clusters, two light pages, a light grid. */
#include <string.h>

#include "support/make/build_map.h"

enum { /* slots of lumps in the directory */
	ENTITIES, SHADERS, PLANES, NODES, LEAFS, LEAF_SURFACES, LEAF_BRUSHES, MODELS, BRUSHES, BRUSH_SIDES,
	DRAW_VERTICES, DRAW_INDICES, FOGS, SURFACES, LIGHTMAPS, LIGHT_GRID, VISIBILITY, LUMP_COUNT,
	LIGHT_ARRAY = LUMP_COUNT, ADVERTISEMENTS = LUMP_COUNT, LONG_LUMP_COUNT
};

#define ELEMENTS(array) (uint32_t)(sizeof (array) / sizeof *(array))
#define SET_ARRAY(map, name, array) ((map)->name = (array), (map)->name##_count = ELEMENTS(array))

#define WORLD "{\n\"classname\" \"worldspawn\"\n\"message\" \"A room\"\n\"gridsize\" \"64 64 128\"\n"
#define OTHER_ENTITIES \
	"}\n" \
	"{\n\"classname\" \"light\"\n\"origin\" \"64 64 192\"\n\"light\" \"300\"\n\"_color\" \"1 .5 0\"\n" \
	"\"target\" \"spot\"\n}\n" \
	"{\n\"classname\" \"info_null\"\n\"targetname\" \"spot\"\n\"origin\" \"64 64 0\"\n}\n" \
	"{\n\"classname\" \"info_player_deathmatch\"\n\"origin\" \"128 128 24\"\n\"angle\" \"90\"\n}\n" \
	"{\r\n\"classname\" \"info_player_intermission\"\r\n\"origin\" \"16 16 128\"\r\n\"angles\" \"20 45 0\"\r\n}\r\n" \
	"{\n\"classname\" \"func_door\"\n\"model\" \"*1\"\n\"origin\" \"128 0 0\"\n\"angle\" \"-1\"\n}\n" \
	"{\n\"classname\" \"misc_model\"\n\"model\" \"models/test/crate.md3\"\n\"origin\" \"32 32 0\"\n}\n"

static const char entities[] = WORLD OTHER_ENTITIES;
/* Enemy Territory is recognized by this key, because version 47 has several games. */
static const char et_entities[] = WORLD "\"mapcoordsmins\" \"0 0\"\n" OTHER_ENTITIES;

static bspi_texture textures[] = {
	{ .name = "textures/test/wall", .content_flags = 0x1 },
	{ .name = "textures/test/sky", .surface_flags = 0x4 | 0x80 },
	{ .name = "textures/test/fog", .content_flags = 0x40 },
	{ .name = "flareshader" },
};

static bspi_plane planes[] = {
	{ { -1, 0, 0 }, 0 }, { { 1, 0, 0 }, 256 }, { { 0, -1, 0 }, 0 }, { { 0, 1, 0 }, 256 }, { { 0, 0, -1 }, 0 },
	{ { 0, 0, 1 }, 256 }, { { 1, 0, 0 }, 128 }, { { -1, 0, 0 }, -128 },
};

static bspi_node nodes[] = {
	{ .plane = 6, .children = { 1, -1 }, .maxs = { 256, 256, 256 } },
	{ .plane = 3, .children = { -2, -3 }, .maxs = { 256, 256, 256 } },
};

static bspi_leaf leafs[] = {
	{ .cluster = 0, .area = 0, .maxs = { 128, 256, 256 }, .leaf_face_count = 3, .leaf_brush_count = 1 },
	{ .cluster = -1, .area = -1, .maxs = { 256, 256, 256 } },
	{ .cluster = 1, .area = 0, .mins = { 128, 0, 0 }, .maxs = { 256, 256, 256 }, .first_leaf_face = 2,
	  .leaf_face_count = 2 },
};

static bspi_index leaf_faces[] = { { 0 }, { 1 }, { 2 }, { 4 } };
static bspi_index leaf_brushes[] = { { 0 } };

static bspi_model models[] = {
	{ .maxs = { 256, 256, 256 }, .face_count = 5, .brush_count = 1 },
	{ .mins = { -8, -8, 0 }, .maxs = { 8, 8, 64 }, .first_face = 5, .face_count = 1, .first_brush = 1,
	  .brush_count = 1 },
};

static bspi_brush brushes[] = {
	{ .first_side = 0, .side_count = 6, .texture = 2 },
	{ .first_side = 6, .side_count = 6, .texture = 0 },
};

static bspi_brush_side brush_sides[] = {
	{ 0, 2, 0 }, { 1, 2, 0 }, { 2, 2, 0 }, { 3, 2, 0 }, { 4, 2, 0 }, { 5, 2, 0 },
	{ 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 }, { 3, 0, 0 }, { 4, 0, 0 }, { 5, 0, 0 },
};

#define VERTEX(x, y, z, s, t, l, m, nx, ny, nz) \
	{ { x, y, z }, { s, t }, { l, m }, { nx, ny, nz }, { 60, 50, 40, 255 } }
#define PAGE(luxel) ((luxel) / 128.f)

static bspi_draw_vertex draw_vertices[] = {
	/* The floor, which is on luxels 0.5 to 16.5 of page 0. */
	VERTEX(0, 0, 0, 0, 0, PAGE(.5f), PAGE(.5f), 0, 0, 1), VERTEX(256, 0, 0, 4, 0, PAGE(16.5f), PAGE(.5f), 0, 0, 1),
	VERTEX(256, 256, 0, 4, 4, PAGE(16.5f), PAGE(16.5f), 0, 0, 1),
	VERTEX(0, 256, 0, 0, 4, PAGE(.5f), PAGE(16.5f), 0, 0, 1),
	/* An arch of 3 x 3 control points, which is on luxels 32 to 48. */
	VERTEX(0, 0, 64, 0, 0, PAGE(32.5f), PAGE(32.5f), 0, -1, 0),
	VERTEX(32, 0, 128, 1, 0, PAGE(40), PAGE(32.5f), 0, 0, 1),
	VERTEX(64, 0, 64, 2, 0, PAGE(47.5f), PAGE(32.5f), 0, 0, 1),
	VERTEX(0, 64, 64, 0, 1, PAGE(32.5f), PAGE(40), 0, 0, 1),
	VERTEX(32, 64, 128, 1, 1, PAGE(40), PAGE(40), 0, 0, 1),
	VERTEX(64, 64, 64, 2, 1, PAGE(47.5f), PAGE(40), 0, 0, 1),
	VERTEX(0, 128, 64, 0, 2, PAGE(32.5f), PAGE(47.5f), 0, 0, 1),
	VERTEX(32, 128, 128, 1, 2, PAGE(40), PAGE(47.5f), 0, 0, 1),
	VERTEX(64, 128, 64, 2, 2, PAGE(47.5f), PAGE(47.5f), 0, 0, 1),
	/* A triangle soup. */
	VERTEX(128, 128, 64, 0, 0, 0, 0, 0, 0, 1), VERTEX(128, 160, 64, 0, 1, 0, 0, 0, 0, 1),
	VERTEX(160, 128, 64, 1, 0, 0, 0, 0, 0, 1),
	/* The sky. */
	VERTEX(0, 0, 256, 0, 0, 0, 0, 0, 0, -1), VERTEX(256, 0, 256, 1, 0, 0, 0, 0, 0, -1),
	VERTEX(256, 256, 256, 1, 1, 0, 0, 0, 0, -1),
	/* The door, which is on page 1. */
	VERTEX(-8, -8, 0, 0, 0, PAGE(100.5f), PAGE(90.5f), -1, 0, 0),
	VERTEX(-8, -8, 64, 0, 1, PAGE(100.5f), PAGE(94.5f), -1, 0, 0),
	VERTEX(-8, 8, 64, 1, 1, PAGE(104.5f), PAGE(94.5f), -1, 0, 0),
	VERTEX(-8, 8, 0, 1, 0, PAGE(104.5f), PAGE(90.5f), -1, 0, 0),
};

static bspi_index draw_indices[] = {
	{ 0 }, { 3 }, { 1 }, { 1 }, { 3 }, { 2 }, { 0 }, { 1 }, { 2 },
	{ 0 }, { 1 }, { 2 }, { 0 }, { 3 }, { 1 }, { 1 }, { 3 }, { 2 },
};

static bspi_fog fogs[] = { { .shader = "textures/test/fog", .brush = 0, .visible_side = 5 } };

/* The lightmap pages of a face: page `number` for its first style, and none (-3) for the three unused style slots. */
#define LIGHTMAP(number) { number, -3, -3, -3 }

#define ONE_STYLE .styles = { 0, 255, 255, 255 }, .vertex_styles = { 0, 255, 255, 255 }

/* The member game_type is 1 for a polygon, 2 for a patch, 3 for a soup, 4 for a flare. */
static bspi_face faces[] = {
	{ ONE_STYLE, .game_type = 1, .texture = 0, .fog = 0, .first_vertex = 0, .vertex_count = 4,
	  .first_index = 0, .index_count = 6,
	  .lightmap = LIGHTMAP(0), .lightmap_width = 17, .lightmap_height = 17, .normal = { 0, 0, 1 } },
	{ ONE_STYLE, .game_type = 2, .texture = 0, .fog = -1, .first_vertex = 4, .vertex_count = 9,
	  .patch_width = 3, .patch_height = 3,
	  .lightmap = LIGHTMAP(0), .lightmap_x = { 32 }, .lightmap_y = { 32 }, .lightmap_width = 16,
	  .lightmap_height = 16 },
	{ ONE_STYLE, .game_type = 3, .texture = 0, .fog = -1, .first_vertex = 13, .vertex_count = 3,
	  .first_index = 6, .index_count = 3,
	  .lightmap = LIGHTMAP(-3) },
	{ ONE_STYLE, .game_type = 4, .texture = 3, .fog = -1, .lightmap = LIGHTMAP(-1), .origin = { 64, 64, 200 },
	  .color = { 1, .5f, 0 }, .normal = { 0, 0, -1 } },
	{ ONE_STYLE, .game_type = 1, .texture = 1, .fog = -1, .first_vertex = 16, .vertex_count = 3, .first_index = 9,
	  .index_count = 3, .lightmap = LIGHTMAP(-1), .normal = { 0, 0, -1 } },
	{ ONE_STYLE, .game_type = 1, .texture = 0, .fog = -1, .first_vertex = 19, .vertex_count = 4,
	  .first_index = 12, .index_count = 6,
	  .lightmap = LIGHTMAP(1), .lightmap_x = { 100 }, .lightmap_y = { 90 }, .lightmap_width = 5, .lightmap_height = 5,
	  .normal = { -1, 0, 0 } },
};

/* The light grid of this room has 5 x 5 x 3 points, each with a sample. Raven's maps store each distinct sample only
 * once, and an index of a sample for each point. */
#define SAMPLES (5 * 5 * 3)
static uint8_t pages[2 * 512 * 512 * 3], grid[SAMPLES * 8], long_grid[2 * 30], grid_numbers[SAMPLES * 2];
static const uint8_t visibility[8 + 2 * 8] = { 2, 0, 0, 0, 8, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 2 };
static const uint8_t advertisements[128];
static bspi_draw_vertex_styles draw_vertex_styles[ELEMENTS(draw_vertices)];

static void fill_light(bspt_parts *parts, uint32_t page_size)
{
	for (size_t i = 0; i < sizeof pages; i++) pages[i] = (uint8_t)(i * 7 % 61);
	for (size_t i = 0; i < sizeof grid; i++) grid[i] = (uint8_t)(i * 5);
	parts->raw[LIGHTMAPS] = bspi_bytes_of(pages, 2 * (size_t)page_size * page_size * 3);
	parts->raw[LIGHT_GRID] = bspi_bytes_of(grid, sizeof grid);
}

/* Fills the light of RBSP and FBSP: samples of four styles in 30 bytes, and the index of the sample at each point. */
static void fill_long_light(bspt_parts *parts)
{
	for (size_t i = 0; i < sizeof long_grid; i++) {
		size_t at = i % 30;
		bool unused_style = at > 24 && at < 28;
		long_grid[i] = (uint8_t)(unused_style ? 255 : at == 24 ? 0 : i);
	}
	for (size_t i = 0; i < SAMPLES; i++) grid_numbers[2 * i] = (uint8_t)(i % 2);
	parts->raw[LIGHT_GRID] = bspi_bytes_of(long_grid, sizeof long_grid);
	parts->raw[LIGHT_ARRAY] = bspi_bytes_of(grid_numbers, sizeof grid_numbers);
	parts->lump_count = LONG_LUMP_COUNT;
	SET_ARRAY(&parts->map, draw_vertex_styles, draw_vertex_styles);
}

void bspt_room_quake3(const bspi_variant *variant, bspt_parts *parts)
{
	bspi_map *map = &parts->map;
	SET_ARRAY(map, textures, textures);
	SET_ARRAY(map, planes, planes);
	SET_ARRAY(map, nodes, nodes);
	SET_ARRAY(map, leafs, leafs);
	SET_ARRAY(map, leaf_faces, leaf_faces);
	SET_ARRAY(map, leaf_brushes, leaf_brushes);
	SET_ARRAY(map, models, models);
	SET_ARRAY(map, brushes, brushes);
	SET_ARRAY(map, brush_sides, brush_sides);
	SET_ARRAY(map, draw_vertices, draw_vertices);
	SET_ARRAY(map, draw_indices, draw_indices);
	SET_ARRAY(map, fogs, fogs);
	SET_ARRAY(map, faces, faces);
	parts->lump_count = LUMP_COUNT;
	parts->raw[ENTITIES] = bspi_bytes_of(entities, sizeof entities);
	parts->raw[VISIBILITY] = bspi_bytes_of(visibility, sizeof visibility);
	fill_light(parts, variant->rules->lightmap_page_size);
	if (!strcmp(variant->name, "et")) parts->raw[ENTITIES] = bspi_bytes_of(et_entities, sizeof et_entities);
	if (!strcmp(variant->name, "quakelive")) {
		parts->raw[ADVERTISEMENTS] = bspi_bytes_of(advertisements, sizeof advertisements);
		parts->lump_count = LONG_LUMP_COUNT;
	}
	if (!strcmp(variant->magic, "RBSP") || !strcmp(variant->magic, "FBSP")) fill_long_light(parts);
}
