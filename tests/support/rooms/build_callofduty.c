/* build_callofduty.c - a room of Call of Duty: only triangle soups, brushes whose first six sides are bounds (one has a
 * seventh side), a brush model with an origin, a placed model. It has no light, because a page has 786,432 bytes; tests
 * of light add one. */
#include <string.h>

#include "support/make/build_map.h"

enum { ENTITIES = 29, LUMP_COUNT = 33, ENTITIES2 = 37, LUMP_COUNT2 = 39, DEMO = 58, SECOND = 4 };

#define ELEMENTS(array) (uint32_t)(sizeof (array) / sizeof *(array))
#define SET_ARRAY(map, name, array) ((map)->name = (array), (map)->name##_count = ELEMENTS(array))

static const char entities[] =
	"{\n\"classname\" \"worldspawn\"\n}\n"
	"{\n\"classname\" \"light\"\n\"origin\" \"64 64 192\"\n\"light\" \"300\"\n\"_color\" \"1 .5 0\"\n}\n"
	"{\n\"classname\" \"mp_deathmatch_spawn\"\n\"origin\" \"128 128 24\"\n\"angles\" \"0 90 0\"\n}\n"
	"{\n\"classname\" \"mp_deathmatch_intermission\"\n\"origin\" \"16 16 128\"\n}\n"
	"{\n\"classname\" \"script_brushmodel\"\n\"model\" \"*1\"\n\"origin\" \"128 0 0\"\n}\n"
	"{\n\"classname\" \"misc_model\"\n\"model\" \"xmodel/crate\"\n\"origin\" \"32 32 0\"\n}\n";

static bspi_texture textures[] = {
	{ .name = "textures/test/wall", .content_flags = 0x1 }, { .name = "textures/test/floor", .content_flags = 0x1 },
};
static bspi_plane planes[] = {
	{ { 1, 0, 0 }, 128 }, { { 0.6f, 0, 0.8f }, 48 },
};
static bspi_node nodes[] = {
	{ .plane = 0, .children = { -1, -2 }, .maxs = { 256, 256, 256 } },
};
static bspi_leaf leafs[] = {
	{ .cluster = 0, .area = 0, .leaf_face_count = 1 },
	{ .cluster = 0, .area = 0, .first_leaf_face = 1, .leaf_face_count = 1, .leaf_brush_count = 1 },
};
static bspi_index leaf_faces[] = { { 0 }, { 1 } };
static bspi_index leaf_brushes[] = { { 0 } };
static bspi_model models[] = {
	{ .mins = { 0, 0, -8 }, .maxs = { 256, 256, 128 }, .face_count = 2, .brush_count = 1 },
	{ .mins = { -8, -8, 0 }, .maxs = { 8, 8, 64 }, .first_face = 2, .face_count = 1, .first_brush = 1,
	  .brush_count = 1 },
};
static bspi_brush brushes[] = {
	{ .side_count = 7, .texture = 1 }, { .side_count = 6, .texture = 0 },
};

/* Bounds of the brushes; only the seventh side of the first brush has a plane. */
static const float bounds[2][6] = { { 0, 256, 0, 256, -8, 0 }, { -8, 8, -8, 8, 0, 64 } };
static bspi_brush_side brush_sides[13];

#define VERTEX(x, y, z, s, t, l, m, nx, ny, nz) \
	{ { x, y, z }, { s, t }, { l, m }, { nx, ny, nz }, { 120, 100, 80, 255 } }
static bspi_draw_vertex draw_vertices[] = {
	VERTEX(0, 0, 0, 0, 0, 0, 0, 0, 0, 1), VERTEX(256, 0, 0, 4, 0, 0.25f, 0, 0, 0, 1),
	VERTEX(256, 256, 0, 4, 4, 0.25f, 0.25f, 0, 0, 1), VERTEX(0, 256, 0, 0, 4, 0, 0.25f, 0, 0, 1),
	VERTEX(0, 0, 0, 0, 0, 0, 0, 1, 0, 0), VERTEX(0, 256, 0, 0, 1, 0, 0, 1, 0, 0),
	VERTEX(0, 256, 128, 1, 1, 0, 0, 1, 0, 0),
	VERTEX(-8, -8, 0, 0, 0, 0, 0, -1, 0, 0), VERTEX(-8, -8, 64, 0, 1, 0, 0, -1, 0, 0),
	VERTEX(-8, 8, 64, 1, 1, 0, 0, -1, 0, 0), VERTEX(-8, 8, 0, 1, 0, 0, 0, -1, 0, 0),
};
static bspi_index draw_indices[] = {
	{ 0 }, { 3 }, { 1 }, { 1 }, { 3 }, { 2 }, { 0 }, { 2 }, { 1 }, { 0 }, { 3 }, { 1 }, { 1 }, { 3 }, { 2 },
};

/* The floor is on page 0, the other faces on none. In maps without pages, compilers also store page 0. */
static bspi_face faces[] = {
	{ .texture = 1, .lightmap = { 0 }, .vertex_count = 4, .index_count = 6 },
	{ .texture = 0, .lightmap = { 65535 }, .first_vertex = 4, .vertex_count = 3, .first_index = 6, .index_count = 3 },
	{ .texture = 0, .lightmap = { 65535 }, .first_vertex = 7, .vertex_count = 4, .first_index = 9, .index_count = 6 },
};

static void set_sides(void)
{
	memset(brush_sides, 0, sizeof brush_sides);
	for (uint32_t i = 0; i < 12; i++) {
		bspi_brush_side *side = &brush_sides[i < 6 ? i : i + 1];
		memcpy(&side->plane, &bounds[i / 6][i % 6], sizeof side->plane);
		side->texture = i < 6;
	}
	brush_sides[6] = (bspi_brush_side){ .plane = 1, .texture = 1 };
}

void bspt_room_callofduty(const bspi_variant *variant, bspt_parts *parts)
{
	bspi_map *map = &parts->map;
	set_sides();
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
	SET_ARRAY(map, faces, faces);
	parts->lump_count = variant->version == SECOND ? LUMP_COUNT2 : LUMP_COUNT;
	parts->size_first = variant->version != DEMO;
	parts->raw[variant->version == SECOND ? ENTITIES2 : ENTITIES] = bspi_bytes_of(entities, sizeof entities);
}
