/* build_respawn.c - a room in Respawn's format: a floor, a wall, glass, a sky and a door, each with another kind of
 * vertices. Most of them share a list of indices. A static prop has the record layout of the variant's game. */
#include <string.h>

#include "families/respawn/respawn.h"
#include "support/make/build_map.h"
#include "support/store.h"

#define ELEMENTS(array) (uint32_t)(sizeof (array) / sizeof *(array))
#define SET_ARRAY(map, name, array) ((map)->name = (array), (map)->name##_count = ELEMENTS(array))

enum { LIT_FLAT, LIT_BUMP = 0x200, UNLIT = 0x400, GLASS = 0x600, SKY = 0x4, TRANSLUCENT = 0x10 };
enum { TITANFALL = 29, CORNERS = 4, NAME = 16, SORT = 12, PROP_NAME = 128 };

static const char entities[] =
	"{\n\"classname\" \"worldspawn\"\n}\n"
	"{\n\"classname\" \"light\"\n\"origin\" \"64 64 96\"\n\"_light\" \"255 200 128 300\"\n}\n"
	"{\n\"classname\" \"info_player_start\"\n\"origin\" \"64 64 24\"\n\"angles\" \"0 90 0\"\n}\n"
	"{\n\"classname\" \"func_brush\"\n\"model\" \"*1\"\n\"origin\" \"128 0 0\"\n}\n";

static bspi_plane planes[] = { { { 0, 0, 1 }, 0 }, { { 1, 0, 0 }, 0 } };
static bspi_vertex vertices[] = {
	{ { 0, 0, 0 } }, { { 128, 0, 0 } }, { { 128, 128, 0 } }, { { 0, 128, 0 } },
	{ { 0, 0, 128 } }, { { 128, 0, 128 } }, { { 128, 128, 128 } }, { { 0, 128, 128 } },
	{ { -8, -16, 0 } }, { { -8, 16, 0 } }, { { -8, 16, 64 } }, { { -8, -16, 64 } },
};
static bspi_normal normals[] = {
	{ { 0, 0, 1 } }, { { 1, 0, 0 } }, { { 0, 1, 0 } }, { { 0, 0, -1 } }, { { -1, 0, 0 } },
};
static bspi_texture textures[] = {
	{ .width = 64, .height = 64 },
	{ .width = 64, .height = 64 },
	{ .width = 32, .height = 32, .surface_flags = TRANSLUCENT | GLASS },
	{ .width = 32, .height = 32, .surface_flags = SKY | UNLIT },
};
static bspi_model models[] = {
	{ .maxs = { 128, 128, 128 }, .face_count = 4 },
	{ .mins = { -8, -16, 0 }, .maxs = { -8, 16, 64 }, .first_face = 4, .face_count = 1 },
};
/* The first six indices are the door's. All other faces use the next six. */
static bspi_index draw_indices[] = {
	{ 5 }, { 7 }, { 6 }, { 5 }, { 8 }, { 7 }, { 1 }, { 3 }, { 2 }, { 1 }, { 4 }, { 3 },
};
static bspi_face faces[] = {
	{ .first_index = 6, .index_count = 2, .texinfo = 0, .game_type = LIT_FLAT },
	{ .first_index = 6, .index_count = 2, .texinfo = 1, .game_type = LIT_BUMP },
	{ .first_index = 6, .index_count = 2, .texinfo = 2, .game_type = GLASS | TRANSLUCENT },
	{ .first_index = 6, .index_count = 2, .texinfo = 3, .game_type = UNLIT | SKY },
	{ .first_index = 0, .index_count = 2, .texinfo = 0, .game_type = LIT_FLAT },
};

/* ---- Vertices: an unused one, then four for each surface ---------------------------------------------------- */

enum { MOST_VERTICES = 1 + 2 * CORNERS, LARGEST_VERTEX = 44 };
static const struct {
	uint8_t kind, normal, positions[CORNERS];
} surfaces[] = {
	{ 0, 0, { 0, 1, 2, 3 } }, { 0, 4, { 8, 11, 10, 9 } }, { 1, 1, { 0, 3, 7, 4 } }, { 2, 3, { 4, 7, 6, 5 } },
	{ 3, 2, { 0, 4, 5, 1 } },
};
static const uint8_t slots[RESPAWN_VERTEX_KINDS] = {
	RESPAWN_LIT_FLAT, RESPAWN_LIT_BUMP, RESPAWN_UNLIT, RESPAWN_UNLIT_TWO_SIDED,
};
static uint8_t raw_vertices[RESPAWN_VERTEX_KINDS][MOST_VERTICES * LARGEST_VERTEX];

static size_t set_vertices(const bspi_layout *layout, uint8_t kind, uint8_t *out)
{
	size_t at = layout->file_size;
	memset(out, 0, sizeof *raw_vertices);
	for (uint32_t i = 0; i < ELEMENTS(surfaces); i++) {
		if (surfaces[i].kind != kind) continue;
		for (uint32_t k = 0; k < CORNERS; k++) {
			float s = k == 1 || k == 2, t = k > 1;
			bspi_draw_vertex vertex = {
				.uv = { 2 * s, 2 * t }, .lightmap = { s / 2, t / 2 }, .color = { 255, 254, 253, 255 },
			};
			bspt_encode(layout, &vertex, 1, out + at);
			bspt_store_u32(out + at, surfaces[i].positions[k]);
			bspt_store_u32(out + at + 4, surfaces[i].normal);
			at += layout->file_size;
		}
	}
	return at;
}

/* ---- Lumps without layout tables -------------------------------------------------------------------------- */

static const char names[] = "DEV\\WALL_01\0\0\0\0\0dev/floor_01\0\0\0\0glass/pane\0\0\0\0\0\0tools/toolsskybox";
static uint8_t name_offsets[4 * ELEMENTS(textures)], raw_texdata[36 * ELEMENTS(textures)];
static uint8_t material_sorts[SORT * ELEMENTS(textures)];

static void set_materials(const bspi_respawn_quirks *own, size_t record_size)
{
	memset(raw_texdata, 0, sizeof raw_texdata);
	memset(material_sorts, 0, sizeof material_sorts);
	for (uint32_t i = 0; i < ELEMENTS(textures); i++) {
		uint32_t name = i < 2 ? 1 - i : i;
		bspt_store_u32(name_offsets + 4 * (size_t)i, NAME * i);
		bspt_store_u32(raw_texdata + record_size * i + own->name_at, own->surface_names ? NAME * name : name);
		material_sorts[SORT * (size_t)i] = (uint8_t)i;
	}
}

/* The lump has names, leafs (in Titanfall), counts, and one prop. */
static uint8_t game_lump[20 + 4 + PROP_NAME + 8 + 12 + 84];

static size_t set_props(bool leafs, size_t record_size)
{
	uint8_t *part = game_lump + 20, *at = part + 4 + PROP_NAME;
	memset(game_lump, 0, sizeof game_lump);
	game_lump[0] = 1;
	memcpy(game_lump + 4, "prps", 4);
	game_lump[10] = leafs ? 12 : 13;
	bspt_store_u32(game_lump + 12, 20);
	part[0] = 1;
	memcpy(part + 4, "models\\props\\crate.mdl", 22);
	if (leafs) {
		at[0] = 1;
		at += 4 + 2;
	}
	at[0] = 1;
	at += 12;
	bspt_store_f32(at, 32);
	bspt_store_f32(at + 4, 48);
	bspt_store_f32(at + 16, 90);
	bspt_store_f32(at + (leafs ? 72 : 24), 1.5f);
	at[32] = 2;
	at[30] = 6;
	memset(at + (leafs ? 64 : 56), 255, 4);
	at += record_size;
	bspt_store_u32(game_lump + 16, (uint32_t)(at - part));
	return (size_t)(at - game_lump);
}

void bspt_room_respawn(const bspi_variant *variant, bspt_parts *parts)
{
	const bspi_respawn_quirks *own = variant->extra;
	bspi_map *map = &parts->map;
	bool old = variant->version == TITANFALL;
	SET_ARRAY(map, planes, planes);
	SET_ARRAY(map, vertices, vertices);
	SET_ARRAY(map, normals, normals);
	SET_ARRAY(map, textures, textures);
	SET_ARRAY(map, models, models);
	SET_ARRAY(map, draw_indices, draw_indices);
	SET_ARRAY(map, faces, faces);
	size_t record_size = own->surface_names ? 16 : 36;
	set_materials(own, record_size);
	parts->lump_count = RESPAWN_LUMPS;
	parts->versions = true;
	parts->raw[RESPAWN_ENTITIES] = bspi_bytes_of(entities, sizeof entities);
	parts->raw[RESPAWN_ENTITY_PARTS] = bspi_bytes_of("01* spawn", 10);
	parts->raw[RESPAWN_TEXDATA] = bspi_bytes_of(raw_texdata, record_size * ELEMENTS(textures));
	parts->raw[own->surface_names ? RESPAWN_SURFACE_NAMES : RESPAWN_NAMES] = bspi_bytes_of(names, sizeof names);
	if (!own->surface_names) parts->raw[RESPAWN_NAME_OFFSETS] = bspi_bytes_of(name_offsets, sizeof name_offsets);
	parts->raw[RESPAWN_MATERIAL_SORTS] = bspi_bytes_of(material_sorts, sizeof material_sorts);
	parts->raw[RESPAWN_GAME_LUMP] = bspi_bytes_of(game_lump, set_props(old, old ? 84 : 64));
	parts->moved[0] = (bspt_moved){ RESPAWN_GAME_LUMP, 12 };
	parts->moved_count = 1;
	for (uint8_t i = 0; i < RESPAWN_VERTEX_KINDS; i++) {
		parts->raw[slots[i]] = bspi_bytes_of(raw_vertices[i], set_vertices(own->vertices[i], i, raw_vertices[i]));
	}
}
