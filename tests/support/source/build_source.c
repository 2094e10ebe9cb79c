/* build_source.c - a room of Source maps of every version: a floor with the compiler's own triangles, two styles and
 * overlays, a bumped wall with smoothed normals, a sky, subdivided water, two adjacent displacements of different power
 * (one with weights of four textures), a door, a 3D skybox, lights, props and detail props of the game lump, ambient
 * light of leafs, a pakfile with a material and a texture. */
#include <string.h>

#include "families/vbsp/vbsp_tables.h"
#include "support/source/build_source.h"
#include "support/store.h"

#define ELEMENTS(array) (uint32_t)(sizeof (array) / sizeof *(array))
#define SET_ARRAY(map, name, array) ((map)->name = (array), (map)->name##_count = ELEMENTS(array))
#define SET_RAW(parts, slot, array) ((parts)->raw[slot] = bspi_bytes_of(array, sizeof (array)))

static const char entities[] =
	"{\n\"classname\" \"worldspawn\"\n\"skyname\" \"sky_test\"\n}\n"
	"{\n\"classname\" \"sky_camera\"\n\"origin\" \"1016 16 16\"\n\"scale\" \"16\"\n}\n"
	"{\n\"classname\" \"light\"\n\"origin\" \"64 64 96\"\n"
	"\"_light\" \"255 128 0 200\"\n\"_quadratic_attn\" \"1\"\n\"style\" \"1\"\n}\n"
	"{\n\"classname\" \"light_spot\"\n\"origin\" \"16 16 96\"\n\"_light\" \"255 255 255 300\"\n\"pitch\" \"-90\"\n"
	"\"_inner_cone\" \"30\"\n\"_cone\" \"45\"\n}\n"
	"{\n\"classname\" \"light_environment\"\n"
	"\"_light\" \"255 255 200 100\"\n\"pitch\" \"-45\"\n\"angles\" \"0 30 0\"\n}\n"
	"{\n\"classname\" \"info_player_start\"\n\"origin\" \"64 64 24\"\n\"angles\" \"0 90 0\"\n}\n"
	"{\n\"classname\" \"func_door\"\n\"model\" \"*1\"\n\"origin\" \"64 0 0\"\n\"angles\" \"0 45 0\"\n"
	"\"OnOpen\" \"lamp,TurnOn,,0,-1\"\n\"OnOpen\" \"lamp,TurnOff,,1,-1\"\n}\n"
	"{\n\"classname\" \"prop_dynamic\"\n\"model\" \"models/test/crate.mdl\"\n"
	"\"origin\" \"32 96 0\"\n\"skin\" \"1\"\n}\n"
	"{\n\"classname\" \"infodecal\"\n\"texture\" \"test/decal\"\n\"origin\" \"96 96 0\"\n}\n";

/* ---- Planes, quads ---------------------------------------------------------------------------------------- */

enum { UP, DOWN, EAST, WEST, AT_64, AT_512, WATER_LEVEL, NORTH, SOUTH, BELOW, PLANE_COUNT };
static bspi_plane planes[PLANE_COUNT] = {
	[UP] = { { 0, 0, 1 }, 0 }, [DOWN] = { { 0, 0, -1 }, -128 },
	[EAST] = { { 1, 0, 0 }, 0 }, [WEST] = { { -1, 0, 0 }, 8 },
	[AT_64] = { { 1, 0, 0 }, 64 }, [AT_512] = { { 1, 0, 0 }, 512 }, [WATER_LEVEL] = { { 0, 0, 1 }, 16 },
	/* The sides of the brush are these three planes, UP, WEST and AT_64. */
	[NORTH] = { { 0, 1, 0 }, 64 }, [SOUTH] = { { 0, -1, 0 }, 0 }, [BELOW] = { { 0, 0, -1 }, 16 },
};

enum { FLOOR, WALL, SKY, WATER, TERRAIN, FINE_TERRAIN, SKYBOX, DOOR, FACE_COUNT };
enum { STONE, BUMPED, SKY_INFO, WATER_INFO, DECAL, GRASS, INFO_COUNT };
enum { SURF_SKY = 4, SURF_WARP = 8, SURF_NOLIGHT = 0x400, SURF_BUMPLIGHT = 0x800 };

/* Corners are clockwise seen from the front. */
static const float quads[FACE_COUNT][4][3] = {
	[FLOOR] = { { 0, 0, 0 }, { 0, 128, 0 }, { 128, 128, 0 }, { 128, 0, 0 } },
	[WALL] = { { 0, 0, 0 }, { 0, 0, 128 }, { 0, 128, 128 }, { 0, 128, 0 } },
	[SKY] = { { 0, 0, 128 }, { 128, 0, 128 }, { 128, 128, 128 }, { 0, 128, 128 } },
	[WATER] = { { 0, 0, 16 }, { 0, 128, 16 }, { 128, 128, 16 }, { 128, 0, 16 } },
	[TERRAIN] = { { 128, 0, 0 }, { 128, 128, 0 }, { 256, 128, 0 }, { 256, 0, 0 } },
	[FINE_TERRAIN] = { { 256, 0, 0 }, { 256, 128, 0 }, { 384, 128, 0 }, { 384, 0, 0 } },
	[SKYBOX] = { { 1000, 0, 0 }, { 1000, 32, 0 }, { 1032, 32, 0 }, { 1032, 0, 0 } },
	[DOOR] = { { -8, -8, 0 }, { -8, 8, 0 }, { -8, 8, 64 }, { -8, -8, 64 } },
};

static bspi_vertex vertices[4 * FACE_COUNT];
static bspi_edge edges[1 + 4 * FACE_COUNT];
static bspi_surfedge surfedges[4 * FACE_COUNT];
static bspi_normal normals[] = {
	{ { 0, 0, 1 } }, { { 0, 0, -1 } }, { { 1, 0, 0 } }, { { -1, 0, 0 } }, { { 0.6f, 0, 0.8f } },
};
static bspi_index corner_normals[4 * FACE_COUNT];

/* Makes the edges. Edge 0 belongs to no face, and every second edge is used in reverse. */
static void make_quads(void)
{
	static const uint8_t facing[FACE_COUNT] = { [WALL] = 2, [SKY] = 1, [DOOR] = 3 };
	for (uint32_t i = 0; i < 4 * FACE_COUNT; i++) {
		uint32_t next = i % 4 == 3 ? i - 3 : i + 1;
		bool backwards = i % 2;
		memcpy(vertices[i].position, quads[i / 4][i % 4], sizeof vertices[i].position);
		edges[1 + i].vertices[backwards] = i;
		edges[1 + i].vertices[!backwards] = next;
		surfedges[i].value = backwards ? -(int32_t)(1 + i) : (int32_t)(1 + i);
		corner_normals[i].value = facing[i / 4];
	}
	corner_normals[4 * WALL].value = corner_normals[4 * WALL + 3].value = 4;
}

/* ---- Faces and light -------------------------------------------------------------------------------------- */

enum { LUXEL = 16 };
#define FLOOR_VECTORS { { 1, 0, 0, 0 }, { 0, -1, 0, 0 } }
#define WALL_VECTORS { { 0, 1, 0, 0 }, { 0, 0, -1, 0 } }

static bspi_texinfo texinfos[INFO_COUNT] = {
	[STONE] = { .texture_vectors = FLOOR_VECTORS, .texture = 0 },
	[BUMPED] = { .texture_vectors = WALL_VECTORS, .texture = 0, .flags = SURF_BUMPLIGHT },
	[SKY_INFO] = { .texture_vectors = FLOOR_VECTORS, .texture = 1, .flags = SURF_SKY | SURF_NOLIGHT },
	[WATER_INFO] = { .texture_vectors = FLOOR_VECTORS, .texture = 2, .flags = SURF_WARP },
	[DECAL] = { .texture = 3 },
	[GRASS] = { .texture_vectors = FLOOR_VECTORS, .texture = 4 },
};
static bspi_light_projection light_projections[INFO_COUNT];

enum { TEXTURES = 5, TEXDATA_SIZE = 32, TEXDATA_NAME_AT = 12, TEXDATA_VIEW_AT = 24 };
static bspi_texture textures[TEXTURES] = {
	{ .width = 64, .height = 64, .reflectivity = { 0.3f, 0.2f, 0.1f } }, { .width = 8, .height = 8 },
	{ .width = 64, .height = 64, .reflectivity = { 0.05f, 0.1f, 0.2f } },
	{ .width = 32, .height = 32, .reflectivity = { 0.5f, 0.5f, 0.5f } }, { .width = 64, .height = 64 },
};
static const char names[] = "TEST\\wall\0tools/toolsskybox\0test/water\0test/decal\0test/grass";
static const uint32_t name_offsets[TEXTURES] = { 0, 10, 28, 39, 50 };
static uint8_t texdata[TEXTURES * TEXDATA_SIZE], offsets[4 * TEXTURES];

static const uint8_t info_of_face[FACE_COUNT] = { STONE, BUMPED, SKY_INFO, WATER_INFO, GRASS, GRASS, STONE, BUMPED };
static bspi_face faces[FACE_COUNT];
static uint8_t light[16384];

/* Writes the light of a face. The stored size is the number of luxels minus one, as there is a luxel at each corner.
 * The floor's second style is 1. The average of each style comes before the luxels. */
static size_t light_face(uint32_t index, size_t at)
{
	bspi_face *face = &faces[index];
	uint32_t styles = index == FLOOR ? 2 : 1, sets = index == WALL || index == DOOR ? 4 : 1;
	const bspi_light_projection *projection = &light_projections[info_of_face[index]];
	float min[2] = { 1e6f, 1e6f }, max[2] = { -1e6f, -1e6f };
	for (int i = 0; i < 8; i++) {
		const float *v = projection->vectors[i % 2], *p = quads[index][i / 2];
		float luxel = p[0] * v[0] + p[1] * v[1] + p[2] * v[2] + v[3];
		min[i % 2] = luxel < min[i % 2] ? luxel : min[i % 2];
		max[i % 2] = luxel > max[i % 2] ? luxel : max[i % 2];
	}
	face->lightmap_x[0] = (int32_t)min[0];
	face->lightmap_y[0] = (int32_t)min[1];
	face->lightmap_width = (int32_t)(max[0] - min[0]);
	face->lightmap_height = (int32_t)(max[1] - min[1]);
	for (uint32_t i = 0; i < styles; i++) face->styles[i] = (uint8_t)i;
	at += 4 * (size_t)styles;
	face->light_offset = (int32_t)at;
	return at + 4 * (size_t)styles * sets * (size_t)(face->lightmap_width + 1) * (size_t)(face->lightmap_height + 1);
}

static size_t make_faces(bool wide)
{
	static const uint8_t plane_of_face[FACE_COUNT] = { UP, EAST, DOWN, WATER_LEVEL, UP, UP, UP, WEST };
	size_t size = 0;
	for (uint32_t i = 0; i < FACE_COUNT; i++) {
		faces[i] = (bspi_face){
			.plane = plane_of_face[i], .first_edge = (int32_t)(4 * i), .edge_count = 4, .texinfo = info_of_face[i],
			.dispinfo = i == TERRAIN ? 0 : i == FINE_TERRAIN ? 1 : -1,
			.styles = { 255, 255, 255, 255 }, .light_offset = -1,
			.primitive_count = i == FLOOR || i == WATER ? wide ? 2 : 1 : 0, .first_primitive = i == WATER,
		};
		if (i != SKY) size = light_face(i, size);
	}
	for (size_t i = 0; i < sizeof light; i++) light[i] = (uint8_t)(i % 4 == 3 ? 1 : i * 7 % 251);
	return size;
}

static void make_projections(void)
{
	for (uint32_t i = 0; i < INFO_COUNT; i++) {
		for (int k = 0; k < 8; k++) {
			light_projections[i].vectors[k / 4][k % 4] = texinfos[i].texture_vectors[k / 4][k % 4] / (float)LUXEL;
		}
	}
}

static void make_texdata(void)
{
	for (uint32_t i = 0; i < TEXTURES; i++) {
		uint8_t *record = texdata + (size_t)i * TEXDATA_SIZE;
		bspt_store_u32(record + TEXDATA_NAME_AT, i);
		bspt_store_u32(record + TEXDATA_VIEW_AT, (uint32_t)textures[i].width);
		bspt_store_u32(record + TEXDATA_VIEW_AT + 4, (uint32_t)textures[i].height);
		bspt_store_u32(offsets + 4 * (size_t)i, name_offsets[i]);
	}
}

static bspi_primitive primitives[] = { { 0, 0, 6, 0, 0 }, { 1, 6, 4, 0, 4 } };
static bspi_vertex primitive_vertices[] = {
	{ { 0, 0, 16 } }, { { 0, 128, 16 } }, { { 128, 0, 16 } }, { { 128, 128, 16 } },
};
static bspi_index primitive_indices[] = { { 1 }, { 2 }, { 3 }, { 1 }, { 3 }, { 0 }, { 0 }, { 1 }, { 2 }, { 3 } };

/* ---- Displacements: 5 x 5 vertices next to 9 x 9, with one hill over both ----------------------------------- */

enum { COARSE = 25, FINE = 81, COARSE_TRIANGLES = 32, FINE_TRIANGLES = 128, NONE = 0xffff };
#define NOTHING { NONE, 0, 0, 0 }
#define NO_CORNER { { NONE, NONE, NONE, NONE }, 0 }

static bspi_dispinfo dispinfos[] = {
	{ .start = { 128, 0, 0 }, .power = 2, .flags = 0x80000000u | BSPI_DISP_BLENDED,
	  .neighbors = { NOTHING, NOTHING, NOTHING, NOTHING, { 1, 0, 0, 0 }, NOTHING, NOTHING, NOTHING },
	  .corners = { NO_CORNER, NO_CORNER, NO_CORNER, NO_CORNER } },
	{ .start = { 256, 0, 0 }, .power = 3, .first_vertex = COARSE, .first_triangle = COARSE_TRIANGLES,
	  .neighbors = { { 0, 0, 0, 0 }, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING },
	  .corners = { NO_CORNER, NO_CORNER, NO_CORNER, NO_CORNER } },
};
static bspi_disp_vertex disp_vertices[COARSE + FINE];
static bspi_disp_triangle disp_triangles[COARSE_TRIANGLES + FINE_TRIANGLES];
static bspi_disp_blend disp_blends[COARSE];

/* Makes the heights of a displacement, whose rows are along y and columns along x. The heights form a bowl over both
 * displacements and are equal on their common edge. */
static void make_terrain(bspi_disp_vertex *out, uint32_t side, float first_x)
{
	for (uint32_t i = 0; i < side * side; i++) {
		float x = first_x + 128.0f * (float)(i % side) / (float)(side - 1) - 256;
		float y = 128.0f * (float)(i / side) / (float)(side - 1) - 64;
		out[i] = (bspi_disp_vertex){ { 0, 0, 1 }, (x * x + y * y) / 512, (float)(i % 256) };
	}
}

/* Makes the weights of four textures for the coarse displacement. Each weight is 1 at one corner (weight 0 at vertex 0)
 * and changes linearly to 0 at the others. All triangles are walkable, and every third one is buildable. */
static void make_blends(void)
{
	for (uint32_t i = 0; i < COARSE_TRIANGLES; i++) {
		disp_triangles[i].tags = BSPSCENE_TRIANGLE_TAG_WALKABLE | (i % 3 ? 0 : BSPSCENE_TRIANGLE_TAG_BUILDABLE);
	}
	for (uint32_t i = 0; i < COARSE; i++) {
		float along = (float)(i % 5) / 4, up = (float)(i / 5) / 4;
		float near = 1 - along, low = 1 - up;
		disp_blends[i] = (bspi_disp_blend){ { near * low, along * low, near * up, along * up } };
	}
}

/* ---- The tree --------------------------------------------------------------------------------------------- */

static bspi_node nodes[] = {
	{ .plane = AT_512, .children = { -4, 1 }, .maxs = { 1032, 128, 128 }, .face_count = 7 },
	{ .plane = AT_64, .children = { -2, -3 }, .maxs = { 384, 128, 128 }, .face_count = 6 },
	{ .plane = WEST, .children = { -1, -1 }, .mins = { -8, -8, 0 }, .maxs = { 8, 8, 64 },
	  .first_face = DOOR, .face_count = 1 },
};
static bspi_leaf leafs[] = {
	{ .contents = 1, .cluster = -1 },
	{ .cluster = 0, .area = 1, .mins = { 64, 0, 0 }, .maxs = { 384, 128, 128 },
	  .leaf_face_count = 4, .leaf_brush_count = 1 },
	{ .cluster = 1, .area = 1, .maxs = { 64, 128, 128 }, .leaf_face_count = 4 },
	{ .cluster = 2, .area = 2, .mins = { 1000, 0, 0 }, .maxs = { 1032, 128, 128 },
	  .first_leaf_face = 4, .leaf_face_count = 1 },
};
/* Only srctools needs this lump. */
enum { WATER_DISTANCES = 46 };
static const uint8_t water_distances[2 * ELEMENTS(leafs)] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
static bspi_index leaf_faces[] = { { FLOOR }, { WALL }, { SKY }, { WATER }, { SKYBOX } };
static bspi_index leaf_brushes[] = { { 0 } };
static bspi_brush brushes[] = { { .side_count = 7, .contents = 1 } };
static bspi_brush_side brush_sides[] = {
	{ UP, STONE, 0 }, { BELOW, -1, 0 }, { AT_64, -1, 0 }, { WEST, -1, 0 }, { NORTH, -1, 0 }, { SOUTH, -1, 0 },
	{ DOWN, -1, 1 },
};
static bspi_area areas[] = { { 0, 0 }, { 0, 1 }, { 0, 0 } };
static bspi_area_portal_record area_portals[] = { { 1, 2 } };
static bspi_model models[] = {
	{ .maxs = { 1032, 128, 128 }, .face_count = DOOR },
	{ .mins = { -8, -8, 0 }, .maxs = { 8, 8, 64 }, .head_nodes = { 2 }, .first_face = DOOR, .face_count = 1 },
};
static const uint8_t visibility[] = {
	3, 0, 0, 0, 28, 0, 0, 0, 28, 0, 0, 0, 28, 0, 0, 0, 28, 0, 0, 0, 29, 0, 0, 0, 29, 0, 0, 0, 3, 4,
};

/* ---- Overlays, cubemaps and lights ------------------------------------------------------------------------ */

#define OVERLAY_PLACE(z) \
	.u_range = { 0, 1 }, .v_range = { 0, 1 }, .normal = { 0, 0, 1 }, \
	.points = { { -48, -16, 1 }, { -48, 16, 0 }, { 48, 16, 0 }, { 48, -16, 0 } }, .origin = { 112, 64, (z) }

/* One half of each overlay lies on the floor, the other on the terrain. */
static bspi_overlay overlays[] = {
	{ .texinfo = DECAL, .counts = 2 | 1 << 14, .faces = { FLOOR, TERRAIN }, OVERLAY_PLACE(0) },
};
static bspi_overlay water_overlays[] = { { .texinfo = DECAL, .counts = 1, .faces = { WATER }, OVERLAY_PLACE(16) } };
static bspi_overlay_fade overlay_fades[] = { { 10000, 40000 } };
static bspi_cubemap cubemaps[] = { { { 64, 64, 64 }, 6 }, { { 1016, 16, 16 }, 0 } };

static const bspi_world_light world_lights[] = {
	{ .origin = { 64, 64, 96 }, .intensity = { 7843, 1700, 0 }, .normal = { 0, 0, 0 },
	  .kind = BSPI_WORLD_LIGHT_POINT, .quadratic = 1 },
	{ .origin = { 96, 16, 96 }, .intensity = { 1, 1, 1 }, .normal = { 0, 0, -1 }, .kind = BSPI_WORLD_LIGHT_SPOT,
	  .inner_cosine = 0.9f, .outer_cosine = 0.7f, .constant = 1 },
	{ .origin = { 64, 64, 127 }, .intensity = { 0.5f, 0.5f, 0.5f }, .normal = { 0, 0, -1 },
	  .kind = BSPI_WORLD_LIGHT_SURFACE, .quadratic = 1 },
};
static uint8_t world_light_bytes[ELEMENTS(world_lights) * 100];

/* Leaf 1 has two samples of ambient light, and leaf 3 has one. Leaf 2 has none and refers to another leaf. */
static const uint8_t ambient_index[] = { 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1, 0, 1, 0, 2, 0 };
static const uint8_t wide_ambient_index[] = {
	0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0,
};
static uint8_t ambient_samples[3 * 28];

static void make_lights(const bspi_variant *variant, bspt_parts *parts)
{
	bool newer = (variant->version & 0xffff) >= 21;
	const bspi_layout *layout = newer ? &bspi_vbsp_world_light1 : &bspi_vbsp_world_light;
	memset(world_light_bytes, 0, sizeof world_light_bytes);
	bspt_encode(layout, world_lights, ELEMENTS(world_lights), world_light_bytes);
	size_t lights_size = ELEMENTS(world_lights) * (size_t)layout->file_size;
	parts->raw[VBSP_WORLD_LIGHTS] = bspi_bytes_of(world_light_bytes, lights_size);
	parts->version[VBSP_WORLD_LIGHTS] = newer;
	for (size_t i = 0; i < sizeof ambient_samples; i++) ambient_samples[i] = (uint8_t)(i % 4 == 3 ? 0xf8 : i);
	/* Maps of other versions have ambient light in the leafs, or have none. */
	if (variant->version < 20 && variant->version != 17) return;
	SET_RAW(parts, VBSP_AMBIENT, ambient_samples);
	if (variant->version == 25) SET_RAW(parts, VBSP_AMBIENT_INDEX, wide_ambient_index);
	else SET_RAW(parts, VBSP_AMBIENT_INDEX, ambient_index);
}

/* ---- The parts of the map --------------------------------------------------------------------------------- */

static void set_geometry(bspi_map *map)
{
	SET_ARRAY(map, planes, planes);
	SET_ARRAY(map, textures, textures);
	SET_ARRAY(map, vertices, vertices);
	SET_ARRAY(map, nodes, nodes);
	SET_ARRAY(map, texinfos, texinfos);
	SET_ARRAY(map, light_projections, light_projections);
	SET_ARRAY(map, faces, faces);
	SET_ARRAY(map, leafs, leafs);
	SET_ARRAY(map, edges, edges);
	SET_ARRAY(map, surfedges, surfedges);
	SET_ARRAY(map, models, models);
	SET_ARRAY(map, leaf_faces, leaf_faces);
	SET_ARRAY(map, leaf_brushes, leaf_brushes);
	SET_ARRAY(map, brushes, brushes);
	SET_ARRAY(map, brush_sides, brush_sides);
	SET_ARRAY(map, areas, areas);
	SET_ARRAY(map, area_portals, area_portals);
	SET_ARRAY(map, dispinfos, dispinfos);
	SET_ARRAY(map, disp_vertices, disp_vertices);
	SET_ARRAY(map, disp_triangles, disp_triangles);
	SET_ARRAY(map, disp_blends, disp_blends);
	SET_ARRAY(map, normals, normals);
	SET_ARRAY(map, corner_normals, corner_normals);
	SET_ARRAY(map, primitives, primitives);
	SET_ARRAY(map, primitive_vertices, primitive_vertices);
	SET_ARRAY(map, primitive_indices, primitive_indices);
	SET_ARRAY(map, overlays, overlays);
	SET_ARRAY(map, water_overlays, water_overlays);
	SET_ARRAY(map, overlay_fades, overlay_fades);
	SET_ARRAY(map, cubemaps, cubemaps);
}

void bspt_room_source(const bspi_variant *variant, bspt_parts *parts)
{
	make_quads();
	make_projections();
	make_texdata();
	make_terrain(disp_vertices, 5, 128);
	make_terrain(disp_vertices + COARSE, 9, 256);
	make_blends();
	set_geometry(&parts->map);
	/* It is unknown which displacements of Vindictus have weights. */
	if (!strcmp(variant->name, "vindictus")) parts->map.disp_blends_count = 0;
	parts->lump_count = VBSP_LUMPS;
	parts->versions = true;
	parts->version_first = !strcmp(variant->name, "left4dead2");
	/* In version 19, the version of the lump tells that leafs are short. */
	parts->version[VBSP_LEAFS] = variant->lumps == bspi_vbsp_rows_20;
	parts->raw[VBSP_LIGHTING] = bspi_bytes_of(light, make_faces(variant->version == 25));
	SET_RAW(parts, VBSP_ENTITIES, entities);
	SET_RAW(parts, VBSP_VISIBILITY, visibility);
	SET_RAW(parts, VBSP_TEXDATA, texdata);
	SET_RAW(parts, WATER_DISTANCES, water_distances);
	SET_RAW(parts, VBSP_NAMES, names);
	SET_RAW(parts, VBSP_NAME_OFFSETS, offsets);
	parts->raw[VBSP_PAKFILE] = bspt_source_pakfile();
	make_lights(variant, parts);
	bspt_source_game_lump(variant, parts);
}
