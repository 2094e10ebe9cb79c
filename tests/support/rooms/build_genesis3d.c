/* build_genesis3d.c - a room of Genesis3D, Y up: a floor, a wall with two light styles, a sky, glass, a ledge with
 * vertex light, a door with transparent texels, and textures with separate palettes. */
#include <string.h>

#include "support/make/build_map.h"
#include "support/store.h"

enum {
	HEADER = 0, CLUSTERS = 5, VERTEX_COLORS = 15, ENTITIES = 16, TEXINFO = 17, TEXELS = 19, LIGHTING = 20,
	VISIBILITY = 21, SKY = 22, PALETTES = 23, MOTIONS = 24, CHUNK_COUNT = 25
};

#define ELEMENTS(array) (uint32_t)(sizeof (array) / sizeof *(array))
#define SET_ARRAY(map, name, array) ((map)->name = (array), (map)->name##_count = ELEMENTS(array))

static const uint8_t header[28] = { 'G', 'B', 'S', 'P', 0, 0, 0, 0, 15 };

/* ---- Geometry --------------------------------------------------------------------------------------------- */

static bspi_plane planes[] = {
	{ { 0, 1, 0 }, 0 }, { { 1, 0, 0 }, 0 }, { { 0, 1, 0 }, 128 }, { { 0, 0, 1 }, 64 }, { { 0, 1, 0 }, 16 },
	{ { 1, 0, 0 }, 120 },
};
static bspi_vertex vertices[] = {
	{ { 0, 0, 0 } }, { { 128, 0, 0 } }, { { 128, 0, 128 } }, { { 0, 0, 128 } },
	{ { 0, 128, 0 } }, { { 128, 128, 0 } }, { { 128, 128, 128 } }, { { 0, 128, 128 } },
	{ { 32, 64, 64 } }, { { 96, 64, 64 } }, { { 96, 0, 64 } }, { { 32, 0, 64 } },
	{ { 0, 16, 0 } }, { { 64, 16, 0 } }, { { 64, 16, 64 } },
	{ { 120, 64, 32 } }, { { 120, 64, 96 } }, { { 120, 0, 96 } }, { { 120, 0, 32 } },
};
/* The vertex indices of floor, wall, sky, glass, ledge and door. */
static bspi_edge edges[] = {
	{ { 0 } }, { { 1 } }, { { 2 } }, { { 3 } }, { { 7 } }, { { 4 } }, { { 0 } }, { { 3 } }, { { 7 } }, { { 6 } },
	{ { 5 } }, { { 4 } }, { { 8 } }, { { 9 } }, { { 10 } }, { { 11 } }, { { 12 } }, { { 13 } }, { { 14 } },
	{ { 15 } }, { { 16 } }, { { 17 } }, { { 18 } },
};
enum { LEDGE_CORNER = 16 };
static const float ledge_colors[3][3] = { { 255, 0, 0 }, { 0, 128.5f, 0 }, { -1, 300, 64 } };
static uint8_t vertex_colors[12 * ELEMENTS(edges)];

/* Offsets of each face's luxels. One byte comes before the luxels of each face. Floor and wall have 9 x 9 luxels, glass
 * and door 5 x 5. */
enum { FLOOR_LIGHT = 0, WALL_LIGHT = 1 + 3 * 81, GLASS_LIGHT = WALL_LIGHT + 1 + 6 * 81,
       DOOR_LIGHT = GLASS_LIGHT + 1 + 3 * 25, LIGHT_SIZE = DOOR_LIGHT + 1 + 3 * 25 };
static uint8_t light[LIGHT_SIZE];

#define LIT(offset, w, h) .light_offset = (offset), .lightmap_width = (w), .lightmap_height = (h)
#define UNLIT .light_offset = -1, .styles = { 255, 255, 255, 255 }
static bspi_face faces[] = {
	{ .plane = 0, .first_edge = 0, .edge_count = 4, .texinfo = 0, LIT(FLOOR_LIGHT, 9, 9),
	  .styles = { 0, 255, 255, 255 } },
	{ .plane = 1, .first_edge = 4, .edge_count = 4, .texinfo = 1, LIT(WALL_LIGHT, 9, 9),
	  .styles = { 0, 11, 255, 255 } },
	{ .plane = 2, .side = 1, .first_edge = 8, .edge_count = 4, .texinfo = 2, UNLIT },
	{ .plane = 3, .first_edge = 12, .edge_count = 4, .texinfo = 3, LIT(GLASS_LIGHT, 5, 5),
	  .styles = { 0, 255, 255, 255 } },
	{ .plane = 4, .first_edge = 16, .edge_count = 3, .texinfo = 4, UNLIT },
	{ .plane = 5, .side = 1, .first_edge = 19, .edge_count = 4, .texinfo = 5, LIT(DOOR_LIGHT, 5, 5),
	  .styles = { 0, 255, 255, 255 } },
};

static bspi_node nodes[] = {
	{ .plane = 3, .children = { -2, -3 }, .maxs = { 128, 128, 128 }, .face_count = 5 },
	{ .plane = 5, .children = { -1, -4 }, .mins = { 120, 0, 32 }, .maxs = { 128, 64, 96 }, .first_face = 5,
	  .face_count = 1 },
};
static bspi_leaf leafs[] = {
	{ .contents = 1, .cluster = -1 },
	{ .mins = { 0, 0, 64 }, .maxs = { 128, 128, 128 }, .area = 1, .leaf_face_count = 3 },
	{ .maxs = { 128, 128, 64 }, .cluster = 1, .area = 2, .first_leaf_face = 3, .leaf_face_count = 2 },
	{ .contents = 1, .cluster = -1, .mins = { 120, 0, 32 }, .maxs = { 128, 64, 96 } },
};
static bspi_index leaf_faces[] = { { 0 }, { 1 }, { 3 }, { 2 }, { 4 } };
static bspi_area areas[] = { { 0, 0 }, { 0, 1 }, { 1, 1 } };
static bspi_area_portal_record area_portals[] = { { 1, 2 }, { 1, 1 } };
static bspi_model models[] = {
	{ .maxs = { 128, 128, 128 }, .face_count = 5, .visleafs = 2 },
	{ .mins = { 120, 0, 32 }, .maxs = { 128, 64, 96 }, .head_nodes = { 1 }, .first_face = 5, .face_count = 1 },
};
static const uint8_t clusters[8] = { 0, 0, 0, 0, 1 }, rows[2] = { 3, 2 };

/* ---- Textures --------------------------------------------------------------------------------------------- */

#define FLOOR_VECTORS(s, t) { { 1, 0, 0, s }, { 0, 0, 1, t } }
#define WALL_VECTORS(s, t) { { 0, 0, -1, s }, { 0, -1, 0, t } }
#define GLASS_VECTORS(s, t) { { 1, 0, 0, s }, { 0, -1, 0, t } }
#define DOOR_VECTORS(s, t) { { 0, 0, 1, s }, { 0, -1, 0, t } }
enum { SKY_FLAG = 0x4, TRANSPARENT = 0x10, GOURAUD = 0x20, NO_LIGHTMAP = 0x8000 };
static bspi_texinfo texinfos[] = {
	{ .texture_vectors = FLOOR_VECTORS(4, 8), .texture = 0 },
	{ .texture_vectors = WALL_VECTORS(0, 0), .texture = 0 },
	{ .texture_vectors = FLOOR_VECTORS(0, 0), .texture = 2, .flags = SKY_FLAG | NO_LIGHTMAP },
	{ .texture_vectors = GLASS_VECTORS(0, 0), .texture = 1, .flags = TRANSPARENT },
	{ .texture_vectors = FLOOR_VECTORS(0, 0), .texture = 0, .flags = GOURAUD | NO_LIGHTMAP },
	{ .texture_vectors = DOOR_VECTORS(0, 0), .texture = 1, .flags = TRANSPARENT },
};
/* The fourth number of each vector is the texture's scale. In the texinfos above, it is the shift in texels. */
static bspi_light_projection light_projections[] = {
	{ FLOOR_VECTORS(0.5f, 2) }, { WALL_VECTORS(1, 1) }, { FLOOR_VECTORS(1, 1) }, { GLASS_VECTORS(1, 1) },
	{ FLOOR_VECTORS(1, 1) }, { DOOR_VECTORS(1, 1) },
};
static uint8_t raw_texinfos[64 * ELEMENTS(texinfos)];

/* Textures have four levels each. */
enum { FLOOR_TEXELS = 16 * 16 * 85 / 64, GLASS_TEXELS = 85, SKY_TEXELS = 32 + 8 + 2 + 1 };
static bspi_texture textures[] = {
	{ .name = "floor", .width = 16, .height = 16, .render_mode = 0, .effect = 0 },
	{ .name = "glass", .width = 8, .height = 8, .render_mode = FLOOR_TEXELS, .effect = 1 },
	{ .name = "sky", .surface_flags = 1, .width = 8, .height = 4, .render_mode = FLOOR_TEXELS + GLASS_TEXELS,
	  .effect = 2 },
};
static uint8_t texels[FLOOR_TEXELS + GLASS_TEXELS + SKY_TEXELS], palettes[3 * 768];
static uint8_t sky[44], motions[5];

/* Fills the textures. The first row of the glass is transparent. */
static void set_textures(void)
{
	for (uint32_t i = 0; i < sizeof texels; i++) texels[i] = (uint8_t)(i % 32);
	memset(texels + FLOOR_TEXELS, 255, 8);
	for (uint32_t p = 0; p < 3; p++) {
		for (uint32_t i = 0; i < 256; i++) {
			uint8_t *color = palettes + (p * 256 + i) * 3;
			color[p] = (uint8_t)(i * 7);
			color[(p + 1) % 3] = (uint8_t)(255 - i);
		}
	}
	for (uint32_t i = 0; i < ELEMENTS(texinfos); i++) bspt_store_f32(raw_texinfos + 64 * (size_t)i + 52, 255);
	bspt_store_f32(raw_texinfos + 64 * 3 + 52, 102);
	for (size_t i = 0; i < 6; i++) bspt_store_u32(sky + 16 + 4 * i, 2);
	bspt_store_f32(sky + 40, 1);
}

static void set_light(void)
{
	static const size_t blocks[] = { FLOOR_LIGHT, WALL_LIGHT, GLASS_LIGHT, DOOR_LIGHT };
	for (size_t i = 0; i < LIGHT_SIZE; i++) light[i] = (uint8_t)(i * 11 % 251);
	for (size_t i = 0; i < ELEMENTS(blocks); i++) light[blocks[i]] = 1;
	memset(vertex_colors, 0, sizeof vertex_colors);
	for (size_t i = 0; i < 9; i++) {
		bspt_store_f32(vertex_colors + 12 * (LEDGE_CORNER + i / 3) + 4 * (i % 3), ledge_colors[i / 3][i % 3]);
	}
}

/* ---- Entities --------------------------------------------------------------------------------------------- */

static const char *const pairs[][2] = {
	{ "SkyLeft", "sky" }, { "SkyRight", "sky" }, { "SkyTop", "sky" }, { "SkyBottom", "sky" }, { "SkyFront", "sky" },
	{ "SkyBack", "sky" }, { NULL, NULL },
	{ "classname", "%Model%" }, { "Model", "1" }, { "%name%", "door1" }, { "origin", "124 32 64" }, { NULL, NULL },
	{ "classname", "Door" }, { "Model", "door1" }, { "Origin", "124 32 64.5" }, { NULL, NULL },
	{ "classname", "light" }, { "origin", "64 96 -32" }, { "light", "300" }, { "color", "255 128 0" },
	{ "style", "0" }, { NULL, NULL },
	{ "classname", "DeathMatchStart" }, { "Origin", "64 0 0.000" }, { "%name%", "a \"start\"" }, { NULL, NULL },
	{ "classname", "%typedef%" }, { "origin", "point" }, { "%defaultvalue%", "" }, { "%defaultvalue%", "" },
	{ NULL, NULL },
};
static uint8_t entities[1024];

static size_t put_text(size_t at, const char *text)
{
	size_t size = strlen(text) + 1;
	bspt_store_u32(entities + at, (uint32_t)size);
	memcpy(entities + at + 4, text, size);
	return at + 4 + size;
}

static size_t set_entities(void)
{
	size_t head = 4, at = 8;
	uint32_t count = 0, own = 0;
	for (size_t i = 0; i < ELEMENTS(pairs); i++) {
		if (pairs[i][0]) {
			at = put_text(put_text(at, pairs[i][0]), pairs[i][1]);
			own++;
			continue;
		}
		bspt_store_u32(entities + head, own);
		head = at;
		at += 4;
		own = 0;
		count++;
	}
	bspt_store_u32(entities, count);
	return head;
}

void bspt_room_genesis3d(const bspi_variant *variant, bspt_parts *parts)
{
	bspi_map *map = &parts->map;
	(void)variant;
	set_textures();
	set_light();
	SET_ARRAY(map, planes, planes);
	SET_ARRAY(map, vertices, vertices);
	SET_ARRAY(map, edges, edges);
	SET_ARRAY(map, faces, faces);
	SET_ARRAY(map, nodes, nodes);
	SET_ARRAY(map, leafs, leafs);
	SET_ARRAY(map, leaf_faces, leaf_faces);
	SET_ARRAY(map, areas, areas);
	SET_ARRAY(map, area_portals, area_portals);
	SET_ARRAY(map, models, models);
	SET_ARRAY(map, texinfos, texinfos);
	SET_ARRAY(map, light_projections, light_projections);
	SET_ARRAY(map, textures, textures);
	parts->heads = true;
	parts->lump_count = CHUNK_COUNT;
	parts->record_size[HEADER] = sizeof header;
	parts->record_size[CLUSTERS] = 4;
	parts->record_size[VERTEX_COLORS] = 12;
	parts->record_size[SKY] = sizeof sky;
	parts->record_size[PALETTES] = 768;
	parts->raw[HEADER] = bspi_bytes_of(header, sizeof header);
	parts->raw[CLUSTERS] = bspi_bytes_of(clusters, sizeof clusters);
	parts->raw[VERTEX_COLORS] = bspi_bytes_of(vertex_colors, sizeof vertex_colors);
	parts->raw[ENTITIES] = bspi_bytes_of(entities, set_entities());
	parts->raw[TEXINFO] = bspi_bytes_of(raw_texinfos, sizeof raw_texinfos);
	parts->raw[TEXELS] = bspi_bytes_of(texels, sizeof texels);
	parts->raw[LIGHTING] = bspi_bytes_of(light, sizeof light);
	parts->raw[VISIBILITY] = bspi_bytes_of(rows, sizeof rows);
	parts->raw[SKY] = bspi_bytes_of(sky, sizeof sky);
	parts->raw[PALETTES] = bspi_bytes_of(palettes, sizeof palettes);
	parts->raw[MOTIONS] = bspi_bytes_of(motions, sizeof motions);
}
