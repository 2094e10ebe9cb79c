/* build_ufoai.c - a room of UFO: Alien Invasion: a floor that only upper levels show, a smoothed wall, a warped face
 * without light, a door with an origin, nodes without a plane, and light of day and night from many directions. */
#include <string.h>

#include "support/make/build_map.h"

enum {
	ENTITIES = 0, ROUTING = 3, FACES = 6, NIGHT = 7, DAY = 8, LUMP_COUNT = 17, LEVEL_MODELS = 256, BRUSH_MODELS = 258,
	MODEL_COUNT = 260
};

#define ELEMENTS(array) (uint32_t)(sizeof (array) / sizeof *(array))
#define SET_ARRAY(map, name, array) ((map)->name = (array), (map)->name##_count = ELEMENTS(array))

static const char entities[] =
	"{\n\"classname\" \"worldspawn\"\n\"maxlevel\" \"2\"\n\"light_day\" \"200\"\n\"angles_night\" \"-60 45\"\n}\n"
	"{\n\"classname\" \"light\"\n\"origin\" \"64 64 96\"\n\"light\" \"200\"\n\"_color\" \"1 .5 0\"\n"
	"\"spawnflags\" \"1\"\n}\n"
	"{\n\"classname\" \"light\"\n\"origin\" \"16 16 96\"\n\"light\" \"100\"\n}\n"
	"{\n\"classname\" \"info_human_start\"\n\"origin\" \"64 64 24\"\n\"angle\" \"90\"\n}\n"
	"{\n\"classname\" \"misc_model\"\n\"model\" \"models/test/lamp.md2\"\n\"origin\" \"32 32 0\"\n"
	"\"spawnflags\" \"254\"\n}\n"
	"{\n\"classname\" \"func_door\"\n\"model\" \"*1\"\n\"origin\" \"64 0 0\"\n\"spawnflags\" \"1\"\n}\n";

static bspi_plane planes[] = {
	{ { 0, 0, 1 }, 0 }, { { 0, 0, -1 }, 0 }, { { 0, 0, 1 }, 128 }, { { 0, 0, -1 }, -128 },
	{ { 1, 0, 0 }, 0 }, { { -1, 0, 0 }, 0 }, { { 1, 0, 0 }, -8 }, { { -1, 0, 0 }, 8 },
	{ { 1, 0, 0 }, 64 }, { { -1, 0, 0 }, -64 }, { { 0, 1, 0 }, 32 }, { { 0, -1, 0 }, 0 },
};

/* The wall's upper corners have smoothed normals, the lower ones the plane's. */
static bspi_normal normals[] = {
	{ { 0, 0, 0 } }, { { 0, 0, 1 } }, { { 0, 0, 1 } }, { { 0, 0, 0 } },
	{ { 0.8f, 0, 0.6f } }, { { 0, 0, 1 } }, { { 0, 0, 1 } }, { { 0.8f, 0, -0.6f } },
	{ { 0, 0, 0 } }, { { 0, 0, 0 } }, { { 0, 0, 0 } }, { { 0, 0, 0 } },
};

#define FLOOR_VECTORS { { 1, 0, 0, 0 }, { 0, -1, 0, 0 } }
#define WALL_VECTORS { { 0, 1, 0, 0 }, { 0, 0, -1, 0 } }
enum { WARP = 0x8, BLEND33 = 0x10, NODRAW = 0x80, PHONG = 0x400 };
static bspi_texinfo texinfos[] = {
	{ .texture_vectors = FLOOR_VECTORS }, { .texture_vectors = WALL_VECTORS, .flags = PHONG },
	{ .texture_vectors = FLOOR_VECTORS, .flags = WARP }, { .texture_vectors = FLOOR_VECTORS, .flags = NODRAW },
	{ .texture_vectors = WALL_VECTORS, .flags = BLEND33 },
};
static bspi_texture textures[] = {
	{ .name = "tex_terrain/dummy" }, { .name = "test/wall", .surface_flags = PHONG },
	{ .name = "test/water", .surface_flags = WARP }, { .name = "tex_common/nodraw", .surface_flags = NODRAW },
	{ .name = "test/glass", .surface_flags = BLEND33 },
};

/* The number of luxels in the lump before the luxels of each face. Floor, roof and wall have 9 x 9, the door 3 x 5. The
 * light lump begins with one byte, then blocks follow. */
enum { LUXEL = 6, FLOOR_LIGHT = 0, WALL_LIGHT = 81, ROOF_LIGHT = 162, DOOR_LIGHT = 243, LUXEL_COUNT = 258 };
#define LIGHT(luxels) .light_offset = 1 + LUXEL * (luxels)

static bspi_face faces[] = {
	{ .plane = 0, .first_edge = 0, .edge_count = 4, .texinfo = 0, LIGHT(FLOOR_LIGHT) },
	{ .plane = 4, .first_edge = 4, .edge_count = 4, .texinfo = 1, LIGHT(WALL_LIGHT) },
	{ .plane = 0, .first_edge = 0, .edge_count = 4, .texinfo = 2, .light_offset = -1 },
	{ .plane = 2, .side = 1, .first_edge = 8, .edge_count = 4, .texinfo = 0, LIGHT(ROOF_LIGHT) },
	{ .plane = 0, .first_edge = 0, .edge_count = 4, .texinfo = 3, LIGHT(FLOOR_LIGHT) },
	{ .plane = 6, .side = 1, .first_edge = 12, .edge_count = 4, .texinfo = 4, LIGHT(DOOR_LIGHT) },
};

/* The compiler adds the first node, which has no plane. The nodes of the walls follow, then the door's node. */
static bspi_node nodes[] = {
	{ .plane = -1, .children = { 1, -3 }, .maxs = { 128, 128, 128 }, .face_count = 3 },
	{ .plane = 8, .children = { -2, -3 }, .maxs = { 128, 128, 128 } },
	{ .plane = 2, .children = { -1, -3 }, .maxs = { 128, 128, 128 }, .first_face = 3, .face_count = 1 },
	{ .plane = 6, .children = { -1, -4 }, .mins = { -8, -8, 0 }, .maxs = { 8, 8, 64 }, .first_face = 5,
	  .face_count = 1 },
};
static bspi_leaf leafs[] = {
	{ .contents = 1 }, { .contents = 0x100, .maxs = { 64, 128, 128 } },
	{ .contents = 0x20, .mins = { 64, 0, 0 }, .maxs = { 128, 128, 128 }, .leaf_brush_count = 1 },
	{ .contents = 1, .mins = { -8, -8, 0 }, .maxs = { 8, 8, 64 }, .first_leaf_brush = 1, .leaf_brush_count = 1 },
};
static bspi_index leaf_brushes[] = { { 0 }, { 1 } };
static bspi_brush brushes[] = {
	{ .side_count = 6, .contents = 0xff01 }, { .first_side = 6, .side_count = 6, .contents = 1 },
};
static bspi_brush_side brush_sides[] = {
	{ 8, 0, 0 }, { 5, 0, 0 }, { 10, 1, 0 }, { 11, 1, 0 }, { 1, -1, 0 }, { 2, -1, 0 },
	{ 4, 0, 0 }, { 7, 0, 0 }, { 10, 1, 0 }, { 11, 1, 0 }, { 1, -1, 0 }, { 2, -1, 0 },
};

/* Levels 2 and higher show the floor. All levels show the wall, the water and the roof. The clip model has an invisible
 * face. */
static bspi_model models[MODEL_COUNT];
static const struct { uint32_t model; bspi_model record; } own_models[] = {
	{ 254, { .head_nodes = { 2 }, .first_face = 0, .face_count = 1 } },
	{ 255, { .head_nodes = { 0 }, .first_face = 1, .face_count = 3 } },
	{ 256, { .head_nodes = { -1 }, .first_face = 4, .face_count = 1 } },
	{ 259, { .mins = { -8, -8, 0 }, .maxs = { 8, 8, 64 }, .head_nodes = { 3 }, .first_face = 5, .face_count = 1 } },
};

/* The night light has the same offsets as the light of the day. No layout table describes these fields. */
enum { FACE_SIZE = 20, NIGHT_AT = 12 };
static uint8_t night_offsets[FACE_SIZE * ELEMENTS(faces)];

static uint8_t night[1 + LUXEL * LUXEL_COUNT], day[1 + LUXEL * LUXEL_COUNT];
static uint8_t routing[7];

/* Fills the light. In each row, light directions tilt more and more, and the last one is parallel to the surface. */
static void set_light(uint8_t *light, uint32_t brightness)
{
	light[0] = 4;
	for (uint32_t i = 0; i < LUXEL_COUNT; i++) {
		uint8_t *luxel = light + 1 + (size_t)i * LUXEL;
		for (uint32_t k = 0; k < 3; k++) luxel[k] = (uint8_t)((i * 3 + k) * 7 % brightness);
		luxel[3] = (uint8_t)(128 + i % 9 * 12);
		luxel[4] = 128;
		luxel[5] = (uint8_t)(255 - i % 9 * 15);
	}
}

void bspt_room_ufoai(const bspi_variant *variant, bspt_parts *parts)
{
	bspi_map *map = &parts->map;
	(void)variant;
	memset(models, 0, sizeof models);
	for (uint32_t i = 0; i < MODEL_COUNT; i++) models[i].head_nodes[0] = -1;
	for (size_t i = 0; i < ELEMENTS(own_models); i++) models[own_models[i].model] = own_models[i].record;
	bspt_room_edges(map);
	SET_ARRAY(map, planes, planes);
	SET_ARRAY(map, vertex_normals, normals);
	SET_ARRAY(map, texinfos, texinfos);
	SET_ARRAY(map, textures, textures);
	SET_ARRAY(map, faces, faces);
	SET_ARRAY(map, nodes, nodes);
	SET_ARRAY(map, leafs, leafs);
	SET_ARRAY(map, leaf_brushes, leaf_brushes);
	SET_ARRAY(map, brushes, brushes);
	SET_ARRAY(map, brush_sides, brush_sides);
	SET_ARRAY(map, models, models);
	for (uint32_t i = 0; i < ELEMENTS(faces); i++) {
		for (uint32_t k = 0; k < 4; k++) {
			night_offsets[i * FACE_SIZE + NIGHT_AT + k] = (uint8_t)((uint32_t)faces[i].light_offset >> 8 * k);
		}
	}
	parts->raw[FACES] = bspi_bytes_of(night_offsets, sizeof night_offsets);
	set_light(night, 90);
	set_light(day, 251);
	parts->lump_count = LUMP_COUNT;
	parts->raw[ENTITIES] = bspi_bytes_of(entities, sizeof entities - 1);
	parts->raw[ROUTING] = bspi_bytes_of(routing, sizeof routing);
	parts->raw[NIGHT] = bspi_bytes_of(night, sizeof night);
	parts->raw[DAY] = bspi_bytes_of(day, sizeof day);
}
