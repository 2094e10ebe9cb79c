/* ufoai.c - UFO: Alien Invasion (IBSP 78, 79), derived from Quake II.
 *
 * Differences from Quake II: there are no visibility, leaf faces and light styles. There is one lump of light for night
 * and one for day; each luxel stores its direction too. Vertices have normals. The world is the first 256 models, one
 * for each set of levels at which the game shows them (docs/formats/ufoai.md). */
#include "families/quake/quake_common.h"

#include <inttypes.h>

#include "base/text.h"
#include "materials/indexed/indexed.h"

enum {
	LUMP_ENTITIES, LUMP_PLANES, LUMP_VERTICES, LUMP_ROUTING, LUMP_NODES, LUMP_TEXINFO, LUMP_FACES, LUMP_NIGHT, LUMP_DAY,
	LUMP_LEAFS, LUMP_LEAF_BRUSHES, LUMP_EDGES, LUMP_SURFEDGES, LUMP_MODELS, LUMP_BRUSHES, LUMP_BRUSH_SIDES,
	LUMP_NORMALS, LUMP_COUNT
};
#define DIRECTORY_OFFSET 8

static const char *const lump_names[LUMP_COUNT] = {
	"entities", "planes", "vertices", "routing", "nodes", "texinfo", "faces", "night light", "day light", "leafs",
	"leaf brushes", "edges", "surfedges", "models", "brushes", "brush sides", "vertex normals",
};

static const bspi_field texinfo_rows[] = {
	FIELD(bspi_texinfo, texture_vectors, 0, F32),
	FIELD(bspi_texinfo, flags, 32, U32),
	FIELD(bspi_texinfo, value, 36, I32),
	SKIP("texture", 40, 32),
};
static const bspi_layout texinfo = LAYOUT("texinfo", bspi_texinfo, texinfo_rows, 72);

/* Reads the lump of texinfos a second time, as textures, as in Quake II. */
static const bspi_field texture_rows[] = {
	SKIP("texture vectors", 0, 32),
	FIELD(bspi_texture, surface_flags, 32, U32),
	SKIP("value", 36, 4),
	NAME_FIELD(bspi_texture, name, 40, 32),
};
static const bspi_layout texture = LAYOUT("texinfo", bspi_texture, texture_rows, 72);

static const bspi_field face_rows[] = {
	FIELD(bspi_face, plane, 0, U16),
	FIELD(bspi_face, side, 2, I16),
	FIELD(bspi_face, first_edge, 4, I32),
	FIELD(bspi_face, edge_count, 8, U16),
	FIELD(bspi_face, texinfo, 10, U16),
	SKIP("light offset, night", 12, 4),
	FIELD(bspi_face, light_offset, 16, I32),
};
static const bspi_layout face = LAYOUT("face", bspi_face, face_rows, 20);

static const bspi_field leaf_rows[] = {
	FIELD(bspi_leaf, contents, 0, I32),
	FIELD(bspi_leaf, area, 4, I16),
	FIELD(bspi_leaf, mins, 6, I16),
	FIELD(bspi_leaf, maxs, 12, I16),
	FIELD(bspi_leaf, first_leaf_brush, 18, U16),
	FIELD(bspi_leaf, leaf_brush_count, 20, U16),
	SKIP("padding", 22, 2),
};
static const bspi_layout leaf = LAYOUT("leaf", bspi_leaf, leaf_rows, 24);

static const bspi_field normal_rows[] = { FIELD(bspi_normal, normal, 0, F32) };
static const bspi_layout normal = LAYOUT("vertex normal", bspi_normal, normal_rows, 12);

static const bspi_lump_row rows[] = {
	{ LUMP_PLANES, BSPI_ARRAY_planes, &bspi_quake_plane },
	{ LUMP_VERTICES, BSPI_ARRAY_vertices, &bspi_quake_vertex },
	{ LUMP_NODES, BSPI_ARRAY_nodes, &bspi_quake2_node },
	{ LUMP_TEXINFO, BSPI_ARRAY_texinfos, &texinfo },
	{ LUMP_TEXINFO, BSPI_ARRAY_textures, &texture },
	{ LUMP_FACES, BSPI_ARRAY_faces, &face },
	{ LUMP_LEAFS, BSPI_ARRAY_leafs, &leaf },
	{ LUMP_LEAF_BRUSHES, BSPI_ARRAY_leaf_brushes, &bspi_quake_short_index },
	{ LUMP_EDGES, BSPI_ARRAY_edges, &bspi_quake_short_edge },
	{ LUMP_SURFEDGES, BSPI_ARRAY_surfedges, &bspi_quake_surfedge },
	{ LUMP_MODELS, BSPI_ARRAY_models, &bspi_quake2_model },
	{ LUMP_BRUSHES, BSPI_ARRAY_brushes, &bspi_quake2_brush },
	{ LUMP_BRUSH_SIDES, BSPI_ARRAY_brush_sides, &bspi_quake2_side },
	{ LUMP_NORMALS, BSPI_ARRAY_vertex_normals, &normal },
};

/* ---- Rules ------------------------------------------------------------------------------------------------ */

enum { DAY, NIGHT };
static const char *const light_sets[] = { [DAY] = "day", [NIGHT] = "night", NULL };

static const bspi_camera_rule cameras[] = {
	{ "misc_camera", BSPSCENE_CAMERA_OTHER, false },
	{ "info_human_start", BSPSCENE_CAMERA_SPAWN, false },
	{ "info_player_start", BSPSCENE_CAMERA_SPAWN, false },
	{ "info_2x2_start", BSPSCENE_CAMERA_SPAWN, false },
	{ "info_civilian_start", BSPSCENE_CAMERA_SPAWN, false },
	{ "info_alien_start", BSPSCENE_CAMERA_SPAWN, false },
	{ NULL, BSPSCENE_CAMERA_OTHER, false },
};
/* The camera of the battlescape, the game's view of a mission, at its default zoom (cl_camera.cpp). */
static const bspi_view_above view_above = { .pitch = 60, .distance = 600, .height = 96, .fov_degrees = 75 };
static const char *const hidden[] = { "trigger_*", "func_group", NULL };
static const bspi_world_sun suns[] = {
	[DAY] = { "angles_day", "light_day", "color_day", { -75, 100 }, 280, { 0.90f, 0.75f, 0.65f },
	          "ambient_day", { 0.26f, 0.26f, 0.26f } },
	[NIGHT] = { "angles_night", "light_night", "color_night", { -80, 220 }, 15, { 0.25f, 0.25f, 0.35f },
	            "ambient_night", { 0.16f, 0.16f, 0.17f } },
};
static const bspi_light_rules lights = {
	.falloff = BSPSCENE_FALLOFF_LINEAR, .reach = 1, .spots_square = true, .aim = BSPI_AIM_ANGLES,
	.cone = BSPI_CONE_HALF, .world_suns = suns, .first_set_flag = 1,
};
static const bspi_entity_rules entities = {
	.lights = &lights, .cameras = cameras, .view_above = &view_above, .hidden = hidden, .angle_is_yaw = true,
	.level_flags = 0xff,
};
static const bspi_rules rules = {
	.light_storage = BSPI_STORAGE_BLOCKS, .light_encoding = BSPI_LIGHT_RGB8_FROM,
	.light_clamp = BSPI_CLAMP_CHANNELS, .overbright = 1, .intensity = 1, .luxel_size = 16, .float_extents = true,
	.eye_height = 24, .entities = &entities, .materials = BSPI_MATERIALS_UFOAI, .light_sets = light_sets,
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

enum { RELEASED, LATER, VARIANT_COUNT };
static const bspi_variant variants[VARIANT_COUNT] = {
	[RELEASED] = { "ufoai", "UFO: Alien Invasion (IBSP 78)", "IBSP", 78, rows, ROW_COUNT, &rules, NULL },
	[LATER] = { "ufoai79", "UFO: Alien Invasion (IBSP 79)", "IBSP", 79, rows, ROW_COUNT, &rules, NULL },
};

static int bid(bspi_bytes head, const bspi_variant **variant)
{
	if (head.size < 8 || memcmp(head.data, "IBSP", 4)) return 0;
	for (int i = 0; i < VARIANT_COUNT; i++) {
		if (bspi_load_i32(head.data + 4) != variants[i].version) continue;
		*variant = &variants[i];
		return 90;
	}
	return 0;
}

static bool directory(bspi_ctx *ctx, bspi_bytes file, const bspi_variant *variant, bspi_lump *lumps)
{
	(void)variant;
	return bspi_read_directory(ctx, file, DIRECTORY_OFFSET, LUMP_COUNT, lump_names, lumps);
}

/* ---- After reading tables --------------------------------------------------------------------------------- */

#define SURF_PHONG 0x400u

/* The file's models: 256 for sets of levels, then 3 that are never drawn, then those of brush entities. */
enum { LEVEL_MODELS = 256, BRUSH_MODELS = 258 };

/* Makes the world model from the faces of all level models. These faces are consecutive. */
static bool find_world(bspi_ctx *ctx, bspi_map *map, bspi_model *out)
{
	uint32_t end = 0, count = map->models_count < LEVEL_MODELS ? map->models_count : LEVEL_MODELS;
	for (uint32_t i = 0; i < count; i++) {
		const bspi_model *model = &map->models[i];
		if (!model->face_count) continue;
		bool follows = model->first_face >= 0 && (uint32_t)model->first_face == end && model->face_count > 0 &&
		               (uint32_t)model->face_count <= map->faces_count - end;
		if (!follows) {
			bspi_location location = bspi_record_location(map, BSPI_ARRAY_models, i);
			BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_REFERENCE, location,
			                   "its %" PRId32 " faces from face %" PRId32
			                   " on do not follow the faces of the model before, or are "
			                   "past the last of %" PRIu32 " faces: they are left out",
			                   model->face_count, model->first_face, map->faces_count));
			continue;
		}
		for (int32_t k = 0; k < model->face_count; k++) map->faces[end++].levels = (uint8_t)i;
	}
	*out = (bspi_model){ .face_count = (int32_t)end };
	return true;
}

/* Returns the new index of a child after `count` nodes were inserted in front of all others. An invalid child stays
 * invalid, so that validation reports it. */
static int32_t moved(int32_t child, uint32_t count)
{
	return child >= 0 && child <= INT32_MAX - (int32_t)count ? child + (int32_t)count : child;
}

/* Joins the trees of all models, except those of brush entities. New nodes in front of the file's nodes form a chain
 * that leads to all trees. A search that begins at the first node then finds all brushes of the world. */
static bool join_trees(bspi_ctx *ctx, bspi_map *map, bspi_model *world)
{
	enum { LEAF = -1 };
	uint32_t heads = map->models_count <= BRUSH_MODELS ? map->models_count : BRUSH_MODELS + 1, count = 0;
	bspi_source *source = &map->sources[BSPI_ARRAY_nodes];
	bspi_node *nodes = bspi_push(ctx, &ctx->scratch, bspi_node, (size_t)map->nodes_count + heads);
	BSPI_TRY(nodes);
	for (uint32_t i = 0; i < heads; i++) count += map->models[i].head_nodes[0] >= 0;
	if (map->nodes_count) memcpy(nodes + count, map->nodes, map->nodes_count * sizeof *nodes);
	for (uint32_t i = 0; i < map->nodes_count; i++) {
		int32_t *children = nodes[count + i].children;
		for (int side = 0; side < 2; side++) children[side] = moved(children[side], count);
	}
	for (uint32_t i = 0, at = 0; i < heads; i++) {
		if (map->models[i].head_nodes[0] < 0) continue;
		nodes[at].children[0] = moved(map->models[i].head_nodes[0], count);
		nodes[at].children[1] = at + 1 < count ? (int32_t)at + 1 : LEAF;
		at++;
	}
	for (uint32_t i = heads; i < map->models_count; i++) {
		map->models[i].head_nodes[0] = moved(map->models[i].head_nodes[0], count);
	}
	world->head_nodes[0] = count ? 0 : LEAF;
	source->offset -= (uint64_t)count * source->stride;
	map->nodes = nodes;
	map->nodes_count += count;
	map->forest = true;
	return true;
}

/* Renumbers models: model 0 is the world, and model n is the one that entities call "*n". */
static bool settle_models(bspi_ctx *ctx, bspi_map *map)
{
	bspi_model world;
	if (!map->models_count) return true;
	BSPI_TRY(find_world(ctx, map, &world) && join_trees(ctx, map, &world));
	if (map->models_count > BRUSH_MODELS) {
		bspi_source *source = &map->sources[BSPI_ARRAY_models];
		map->models += BRUSH_MODELS;
		map->models_count -= BRUSH_MODELS;
		source->offset += (uint64_t)BRUSH_MODELS * source->stride;
	} else {
		map->models = bspi_push(ctx, &ctx->scratch, bspi_model, 1);
		BSPI_TRY(map->models);
		map->models_count = 1;
	}
	map->models[0] = world;
	return true;
}

/* Gives nodes without a plane some valid plane. The compiler makes such nodes to divide a tree. The engine searches
 * both of their sides. */
static bool settle_nodes(bspi_map *map)
{
	for (uint32_t i = 0; i < map->nodes_count; i++) {
		if (map->nodes[i].plane == -1) map->nodes[i].plane = 0;
	}
	return true;
}

/* Reads the lump of light. Its first byte n gives the luxel size: 1 << n texels. Light offsets of faces count from that
 * byte. */
static bool settle_light(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map)
{
	/* NIGHT_OFFSET: where a face's record has the offset of its light for night */
	enum { LARGEST_QUANT = 8, NIGHT_OFFSET = 12 };
	const bspi_lump *lump = &lumps[map->light_set == NIGHT ? LUMP_NIGHT : LUMP_DAY];
	const uint8_t *records = lumps[LUMP_FACES].bytes.data;
	uint8_t quant = lump->bytes.size ? lump->bytes.data[0] : 0;
	BSPI_CHECK(ctx, quant <= LARGEST_QUANT, BSPSCENE_ERROR_BAD_LUMP, BSPI_LUMP_AT(lump->name, lump->offset),
	           "the lump claims that luxels are 2^%u texels wide, but 2^%d is the most: it is damaged", quant,
	           LARGEST_QUANT);
	map->rules.luxel_size = (float)(1u << quant);
	if (lump->bytes.size > 1) map->lighting = bspi_bytes_of(lump->bytes.data + 1, lump->bytes.size - 1);
	bspi_add_light_store(map, &(bspi_light_store){
		.name = light_sets[map->light_set], .luxels = map->lighting, .encoding = BSPI_LIGHT_RGB8_FROM });
	for (uint32_t i = 0; i < map->faces_count; i++) {
		bspi_face *f = &map->faces[i];
		const uint8_t *record = records + (size_t)i * face.file_size;
		if (map->light_set == NIGHT) f->light_offset = bspi_load_i32(record + NIGHT_OFFSET);
		f->light_offset = f->light_offset > 0 ? f->light_offset - 1 : -1;
		memset(f->styles + 1, 255, sizeof f->styles - 1);
		f->smooth = map->texinfos_count > (uint32_t)f->texinfo && map->texinfos[f->texinfo].flags & SURF_PHONG;
	}
	return true;
}

static bool finish(bspi_ctx *ctx, const bspi_variant *variant, const bspi_lump *lumps, bspi_map *map)
{
	(void)variant;
	map->entities = lumps[LUMP_ENTITIES].bytes;
	for (uint32_t i = 0; i < map->leafs_count; i++) map->leafs[i].cluster = -1;
	bspi_quake2_faces(map, BSPI_SURF_WARP);
	return settle_models(ctx, map) && settle_nodes(map) && settle_light(ctx, lumps, map);
}

const bspi_family bspi_family_ufoai = {
	.about = { .name = "ufoai", .title = "UFO: Alien Invasion" }, .bid = bid, .directory = directory, .finish = finish,
	.variants = variants, .variant_count = VARIANT_COUNT, .directory_at = DIRECTORY_OFFSET,
};
