/* build_callofduty4.c - a room of Call of Duty 4: chunks without offsets, surfaces that are stored twice (the simple
 * ones have another wall), the sun as a primary light, a trigger without surfaces. It has no light, because a page has
 * 3 MiB; tests of light add one. */
#include <string.h>

#include "support/make/build_map.h"
#include "support/store.h"

enum { ENTITIES = 39, PRIMARY_LIGHTS = 43, CHUNK_COUNT = 55, LIGHT_SIZE = 128, SUN_AT = LIGHT_SIZE };

#define ELEMENTS(array) (uint32_t)(sizeof (array) / sizeof *(array))
#define SET_ARRAY(map, name, array) ((map)->name = (array), (map)->name##_count = ELEMENTS(array))

static const char entities[] =
	"{\n\"classname\" \"worldspawn\"\n\"sunlight\" \"1\"\n}\n"
	"{\n\"classname\" \"light\"\n\"origin\" \"64 64 192\"\n\"light\" \"300\"\n\"_color\" \"1 .5 0\"\n}\n"
	"{\n\"classname\" \"mp_tdm_spawn_allies_start\"\n\"origin\" \"128 128 24\"\n\"angles\" \"0 90 0\"\n}\n"
	"{\n\"classname\" \"mp_global_intermission\"\n\"origin\" \"16 16 128\"\n}\n"
	"{\n\"classname\" \"trigger_multiple\"\n\"model\" \"*1\"\n\"origin\" \"64 64 0\"\n}\n"
	"{\n\"classname\" \"misc_model\"\n\"model\" \"com_barrel_blue\"\n\"origin\" \"32 32 0\"\n}\n";

static bspi_texture textures[] = {
	{ .name = "wall", .content_flags = 0x1 }, { .name = "floor", .content_flags = 0x1 },
	{ .name = "trigger", .surface_flags = 0x80, .content_flags = 0x20000001 },
};
static bspi_plane planes[] = { { { 1, 0, 0 }, 128 }, { { 0.6f, 0, 0.8f }, 48 } };
static bspi_node nodes[] = { { .plane = 0, .children = { -1, -2 }, .maxs = { 256, 256, 256 } } };
static bspi_leaf leafs[] = { { .cluster = -1 }, { .cluster = -1, .leaf_brush_count = 1 } };
static bspi_index leaf_brushes[] = { { 0 } };
static bspi_model models[] = {
	{ .mins = { 0, 0, -8 }, .maxs = { 256, 256, 128 }, .face_count = 2, .added_count = 2, .brush_count = 1 },
	{ .mins = { -8, -8, 0 }, .maxs = { 8, 8, 64 }, .first_face = 2, .first_added = 2, .first_brush = 1,
	  .brush_count = 1 },
};
static bspi_brush brushes[] = { { .side_count = 7, .texture = 1 }, { .side_count = 6, .texture = 2 } };
static const float bounds[2][6] = { { 0, 256, 0, 256, -8, 0 }, { -8, 8, -8, 8, 0, 64 } };
static bspi_brush_side brush_sides[13];

#define VERTEX(x, y, z, s, t, l, m, nx, ny, nz) \
	{ { x, y, z }, { s, t }, { l, m }, { nx, ny, nz }, { 255, 255, 255, 255 } }
static bspi_draw_vertex draw_vertices[] = {
	VERTEX(0, 0, 0, 0, 0, 0.25f, 0.25f, 0, 0, 1), VERTEX(256, 0, 0, 4, 0, 0.5f, 0.25f, 0, 0, 1),
	VERTEX(256, 256, 0, 4, 4, 0.5f, 0.5f, 0, 0, 1), VERTEX(0, 256, 0, 0, 4, 0.25f, 0.5f, 0, 0, 1),
	VERTEX(0, 0, 0, 0, 0, 0.75f, 0.25f, 1, 0, 0), VERTEX(0, 256, 0, 0, 1, 0.875f, 0.25f, 1, 0, 0),
	VERTEX(0, 256, 128, 1, 1, 0.875f, 0.375f, 1, 0, 0),
};
static bspi_index draw_indices[] = { { 0 }, { 3 }, { 1 }, { 1 }, { 3 }, { 2 }, { 0 }, { 2 }, { 1 } };

/* The sun is the primary light of the floor; the wall has none. */
static bspi_face faces[] = {
	{ .texture = 1, .game_type = 1, .vertex_count = 4, .index_count = 6 },
	{ .texture = 0, .first_vertex = 4, .vertex_count = 3, .first_index = 6, .index_count = 3 },
};

/* The same surfaces in their simple form, which has no layers. Only the wall differs: it has the first brush's
 * material. */
enum { SIMPLE_SOUPS = 47, SIMPLE_VERTICES, SIMPLE_INDICES, SOUP = 24, VERTEX_SIZE = 68, INDEX = 2 };
static uint8_t simple_soups[2 * SOUP], simple_vertices[7 * VERTEX_SIZE], simple_indices[9 * INDEX];
static uint8_t lights[2 * LIGHT_SIZE];

static const bspi_layout *layout_of(const bspi_variant *variant, uint16_t array)
{
	for (uint32_t i = 0; i < variant->lump_row_count; i++) {
		if (variant->lumps[i].array == array) return variant->lumps[i].layout;
	}
	bspt_die("find a layout of", variant->name);
}

static void set_simple(const bspi_variant *variant, bspt_parts *parts)
{
	bspi_face simple[2] = { faces[0], faces[1] };
	simple[1].texture = 1;
	bspt_encode(layout_of(variant, BSPI_ARRAY_faces), simple, 2, simple_soups);
	bspt_encode(layout_of(variant, BSPI_ARRAY_draw_vertices), draw_vertices, ELEMENTS(draw_vertices), simple_vertices);
	bspt_encode(layout_of(variant, BSPI_ARRAY_draw_indices), draw_indices, ELEMENTS(draw_indices), simple_indices);
	parts->raw[SIMPLE_SOUPS] = bspi_bytes_of(simple_soups, sizeof simple_soups);
	parts->raw[SIMPLE_VERTICES] = bspi_bytes_of(simple_vertices, sizeof simple_vertices);
	parts->raw[SIMPLE_INDICES] = bspi_bytes_of(simple_indices, sizeof simple_indices);
}

static void set_sides(void)
{
	memset(brush_sides, 0, sizeof brush_sides);
	for (uint32_t i = 0; i < 12; i++) {
		bspi_brush_side *side = &brush_sides[i < 6 ? i : i + 1];
		memcpy(&side->plane, &bounds[i / 6][i % 6], sizeof side->plane);
		side->texture = i < 6 ? 1 : 2;
	}
	brush_sides[6] = (bspi_brush_side){ .plane = 1, .texture = 1 };
}

void bspt_room_callofduty4(const bspi_variant *variant, bspt_parts *parts)
{
	bspi_map *map = &parts->map;
	set_sides();
	set_simple(variant, parts);
	SET_ARRAY(map, textures, textures);
	SET_ARRAY(map, planes, planes);
	SET_ARRAY(map, nodes, nodes);
	SET_ARRAY(map, leafs, leafs);
	SET_ARRAY(map, leaf_brushes, leaf_brushes);
	SET_ARRAY(map, models, models);
	SET_ARRAY(map, brushes, brushes);
	SET_ARRAY(map, brush_sides, brush_sides);
	SET_ARRAY(map, draw_vertices, draw_vertices);
	SET_ARRAY(map, draw_indices, draw_indices);
	SET_ARRAY(map, faces, faces);
	lights[SUN_AT] = 1;
	for (size_t k = 0; k < 3; k++) bspt_store_f32(lights + SUN_AT + 4 + 4 * k, k ? 0.25f : 0.5f);
	bspt_store_f32(lights + SUN_AT + 24, 1);
	parts->chunks = true;
	parts->lump_count = CHUNK_COUNT;
	parts->raw[PRIMARY_LIGHTS] = bspi_bytes_of(lights, sizeof lights);
	parts->raw[ENTITIES] = bspi_bytes_of(entities, sizeof entities);
}
