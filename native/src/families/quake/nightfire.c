/* nightfire.c - James Bond 007: Nightfire (42), on Gearbox's engine, which is based on Half-Life's.
 *
 * Differences from GoldSrc: a surface refers to vertices, to triangles, to a projection for the texture and one for
 * light, to a texture, and to the material that draws it. Leaves list brushes. Visibility is uncompressed. Planes face
 * outward (docs/formats/nightfire.md). */
#include "families/quake/quake_common.h"

#include <stdlib.h>

enum slot {
	ENTITIES, PLANES, TEXTURES, MATERIALS, VERTICES, NORMALS, DRAW_INDICES, VISIBILITY, NODES, SURFACES, LIGHTING,
	LEAFS, LEAF_SURFACES, LEAF_BRUSHES, MODELS, BRUSHES, BRUSH_SIDES, PROJECTIONS, LUMP_COUNT
};
static const char *const lump_names[LUMP_COUNT] = {
	"entities", "planes", "textures", "materials", "vertices", "vertex normals", "draw indices", "visibility", "nodes",
	"surfaces", "lighting", "leafs", "leaf surfaces", "leaf brushes", "models", "brushes", "brush sides", "projections",
};

enum { DIRECTORY_AT = 4 };

/* ---- Records ---------------------------------------------------------------------------------------------- */

static const bspi_field texture_rows[] = { NAME_FIELD(bspi_texture, name, 0, 64) };
static const bspi_layout texture = LAYOUT("texture", bspi_texture, texture_rows, 64);

static const bspi_field material_rows[] = { NAME_FIELD(bspi_effect, name, 0, 64) };
static const bspi_layout material = LAYOUT("material", bspi_effect, material_rows, 64);

static const bspi_field vertex_rows[] = { FIELD(bspi_draw_vertex, position, 0, F32) };
static const bspi_layout vertex = LAYOUT("vertex", bspi_draw_vertex, vertex_rows, 12);

static const bspi_field normal_rows[] = { FIELD(bspi_normal, normal, 0, F32) };
static const bspi_layout normal = LAYOUT("vertex normal", bspi_normal, normal_rows, 12);

static const bspi_field node_rows[] = {
	FIELD(bspi_node, plane,                  0, I32),
	FIELD(bspi_node, children,               4, I32),
	FIELD(bspi_node, mins,                  12, F32),
	FIELD(bspi_node, maxs,                  24, F32),
};
static const bspi_layout node = LAYOUT("node", bspi_node, node_rows, 36);

/* Until each surface has a texinfo of its own, `texinfo` holds the index of the projection of its texture. */
static const bspi_field surface_rows[] = {
	FIELD(bspi_face, plane,                  0, I32),
	FIELD(bspi_face, first_vertex,           4, I32),
	FIELD(bspi_face, vertex_count,           8, I32),
	FIELD(bspi_face, first_index,           12, I32),
	FIELD(bspi_face, index_count,           16, I32),
	SKIP("flags, texture, material",        20, 12),
	FIELD(bspi_face, texinfo,               32, I32),
	FIELD(bspi_face, light_projection,      36, I32),
	FIELD(bspi_face, styles,                40, U8),
	FIELD(bspi_face, light_offset,          44, I32),
};
static const bspi_layout surface = LAYOUT("surface", bspi_face, surface_rows, 48);

/* Reads the lump of surfaces a second time, as texinfos: texinfo n belongs to surface n. `value` holds the material
 * until textures are made. */
static const bspi_field texinfo_rows[] = {
	SKIP("plane, vertices, indices",         0, 20),
	FIELD(bspi_texinfo, flags,              20, U32),
	FIELD(bspi_texinfo, texture,            24, I32),
	FIELD(bspi_texinfo, value,              28, I32),
	SKIP("projections, light",              32, 16),
};
static const bspi_layout texinfo = LAYOUT("surface (texture)", bspi_texinfo, texinfo_rows, 48);

static const bspi_field leaf_rows[] = {
	FIELD(bspi_leaf, contents,               0, I32),
	FIELD(bspi_leaf, vis_offset,             4, I32),
	FIELD(bspi_leaf, mins,                   8, F32),
	FIELD(bspi_leaf, maxs,                  20, F32),
	FIELD(bspi_leaf, first_leaf_face,       32, U32),
	FIELD(bspi_leaf, leaf_face_count,       36, U32),
	FIELD(bspi_leaf, first_leaf_brush,      40, U32),
	FIELD(bspi_leaf, leaf_brush_count,      44, U32),
};
static const bspi_layout leaf = LAYOUT("leaf", bspi_leaf, leaf_rows, 48);

static const bspi_field model_rows[] = {
	FIELD(bspi_model, mins,                  0, F32),
	FIELD(bspi_model, maxs,                 12, F32),
	{ "head_nodes", 24, offsetof(bspi_model, head_nodes), 4, BSPI_I32, BSPI_MEMORY_I32 },
	SKIP("leafs",                           40, 8),
	FIELD(bspi_model, first_face,           48, I32),
	FIELD(bspi_model, face_count,           52, I32),
};
static const bspi_layout model = LAYOUT("model", bspi_model, model_rows, 56);

static const bspi_field brush_rows[] = {
	FIELD(bspi_brush, contents,              0, I32),
	FIELD(bspi_brush, first_side,            4, I32),
	FIELD(bspi_brush, side_count,            8, I32),
};
static const bspi_layout brush = LAYOUT("brush", bspi_brush, brush_rows, 12);

/* The field `texture` is the index of a surface, which is also the index of its texinfo. */
static const bspi_field brush_side_rows[] = {
	FIELD(bspi_brush_side, texture,          0, I32),
	FIELD(bspi_brush_side, plane,            4, I32),
};
static const bspi_layout brush_side = LAYOUT("brush side", bspi_brush_side, brush_side_rows, 8);

static const bspi_field projection_rows[] = { FIELD(bspi_light_projection, vectors, 0, F32) };
static const bspi_layout projection = LAYOUT("projection", bspi_light_projection, projection_rows, 32);

static const bspi_lump_row lumps_42[] = {
	{ PLANES, BSPI_ARRAY_planes, &bspi_quake_plane },
	{ TEXTURES, BSPI_ARRAY_textures, &texture },
	{ MATERIALS, BSPI_ARRAY_effects, &material },
	{ VERTICES, BSPI_ARRAY_draw_vertices, &vertex },
	{ NORMALS, BSPI_ARRAY_vertex_normals, &normal },
	{ DRAW_INDICES, BSPI_ARRAY_draw_indices, &bspi_quake_long_index },
	{ NODES, BSPI_ARRAY_nodes, &node },
	{ SURFACES, BSPI_ARRAY_faces, &surface },
	{ SURFACES, BSPI_ARRAY_texinfos, &texinfo },
	{ LEAFS, BSPI_ARRAY_leafs, &leaf },
	{ LEAF_SURFACES, BSPI_ARRAY_leaf_faces, &bspi_quake_long_index },
	{ LEAF_BRUSHES, BSPI_ARRAY_leaf_brushes, &bspi_quake_long_index },
	{ MODELS, BSPI_ARRAY_models, &model },
	{ BRUSHES, BSPI_ARRAY_brushes, &brush },
	{ BRUSH_SIDES, BSPI_ARRAY_brush_sides, &brush_side },
	{ PROJECTIONS, BSPI_ARRAY_light_projections, &projection },
};

/* ---- Rules ------------------------------------------------------------------------------------------------ */

static const bspi_camera_rule cameras[] = {
	{ "info_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "info_player_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "info_player_*", BSPSCENE_CAMERA_SPAWN, false },
	{ "trigger_camera", BSPSCENE_CAMERA_OTHER, false },
	{ NULL, BSPSCENE_CAMERA_OTHER, false },
};
static const char *const hidden[] = { "trigger_*", "func_ladder", NULL };
static const bspi_entity_rules entities = {
	.lights = &bspi_goldsrc_lights, .cameras = cameras, .hidden = hidden,
	.render_modes = true, .first_switchable_style = 32, .starts_off = 1, .model_pitch_up = true,
};

static const bspi_entity_limits entity_limits = { .engine = "Nightfire", .key = 255, .value = 1023 };

/* `intensity` is assumed: luxels of 255 show the texture unchanged. How bright the game really draws light has not been
 * measured. */
static const bspi_rules rules = {
	.light_storage = BSPI_STORAGE_BLOCKS, .light_encoding = BSPI_LIGHT_RGB8, .light_clamp = BSPI_CLAMP_CHANNELS,
	.overbright = 1, .intensity = 1, .eye_height = 28, .vis_first_leaf = 1, .entities = &entities,
	.materials = BSPI_MATERIALS_NIGHTFIRE, .entity_limits = &entity_limits,
};

static const bspi_variant variants[] = {
	{ "nightfire", "James Bond 007: Nightfire (42)", "", 42,
	  lumps_42, sizeof lumps_42 / sizeof *lumps_42, &rules, NULL },
};

/* ---- Recognizing the game --------------------------------------------------------------------------------- */

static int bid(bspi_bytes head, const bspi_variant **variant)
{
	if (head.size < 8 || bspi_load_i32(head.data) != variants[0].version) return 0;
	*variant = &variants[0];
	return 40 + (bspi_quake_has_entities(head, ENTITIES) ? 10 : 0);
}

static bool directory(bspi_ctx *ctx, bspi_bytes file, const bspi_variant *variant, bspi_lump *lumps)
{
	(void)variant;
	return bspi_read_directory(ctx, file, DIRECTORY_AT, LUMP_COUNT, lump_names, lumps);
}

/* ---- After reading tables --------------------------------------------------------------------------------- */

/* Copies normals to draw vertices. If the last pass of the game's compiler left a normal zero, the normal of the
 * surface is used instead. */
static void join_normals(bspi_map *map)
{
	for (uint32_t i = 0; i < map->draw_vertices_count && i < map->vertex_normals_count; i++) {
		memcpy(map->draw_vertices[i].normal, map->vertex_normals[i].normal, sizeof map->draw_vertices[i].normal);
	}
	map->vertex_normals_count = 0;     /* from here on, vertex_normals would mean normals of map->vertices, so the list
	                                    * is emptied */
}

/* Flags of surfaces that are never lit: empty, solid, sky, portal, nodraw, 0x40, bsp (brad, lightmap.cpp). */
#define NEVER_LIT (0x1u | 0x2u | 0x4u | 0x10u | 0x20u | 0x40u | 0x100u)

/* Completes a face with data of its plane and projection. Surfaces that only brush sides refer to have textures of
 * the editor and no triangles. Their faces are dropped. */
static bool settle_face(bspi_ctx *ctx, bspi_map *map, uint32_t i)
{
	bspi_face *face = &map->faces[i];
	bspi_texinfo *info = &map->texinfos[i];
	uint32_t at = (uint32_t)face->texinfo;
	bspi_location location = bspi_record_location(map, BSPI_ARRAY_faces, i);
	face->kind = face->index_count ? BSPI_FACE_PROJECTED : BSPI_FACE_DROPPED;
	face->texinfo = (int32_t)i;
	face->fog = face->dispinfo = -1;
	face->fullbright = info->flags & NEVER_LIT;
	if (face->kind == BSPI_FACE_DROPPED) {
		face->light_offset = face->light_projection = -1;
		return true;
	}
	if ((uint32_t)face->plane < map->planes_count) {
		memcpy(face->normal, map->planes[face->plane].normal, sizeof face->normal);
	} else {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_REFERENCE, location,
		                   "it uses plane %u, but there are %u: its normal is computed from its triangles",
		                   (unsigned)face->plane, (unsigned)map->planes_count));
	}
	if (at < map->light_projections_count) {
		memcpy(info->texture_vectors, map->light_projections[at].vectors, sizeof info->texture_vectors);
		return true;
	}
	return bspi_warn(ctx, BSPSCENE_WARNING_REFERENCE, location,
	                 "it uses projection %u, but there are %u: its texture has no coordinates", (unsigned)at,
	                 (unsigned)map->light_projections_count);
}

/* The values that determine a surface's texture. Surfaces with the same texture, material and flags share one. */
typedef struct surface_key {
	uint32_t texture, material, flags;
	uint32_t face;
} surface_key;

static bool is_same_surface(const surface_key *a, const surface_key *b)
{
	return a->texture == b->texture && a->material == b->material && a->flags == b->flags;
}

static int compare_surfaces(const void *a, const void *b)
{
	const surface_key *x = a, *y = b;
	if (x->texture != y->texture) return x->texture < y->texture ? -1 : 1;
	if (x->material != y->material) return x->material < y->material ? -1 : 1;
	if (x->flags != y->flags) return x->flags < y->flags ? -1 : 1;
	return x->face < y->face ? -1 : x->face > y->face;
}

static surface_key *sort_surfaces(bspi_ctx *ctx, const bspi_map *map)
{
	surface_key *surfaces = bspi_push(ctx, &ctx->scratch, surface_key, map->faces_count);
	for (uint32_t i = 0; surfaces && i < map->faces_count; i++) {
		const bspi_texinfo *info = &map->texinfos[i];
		surfaces[i] = (surface_key){ (uint32_t)info->texture, (uint32_t)info->value, info->flags, i };
	}
	if (surfaces && map->faces_count) qsort(surfaces, map->faces_count, sizeof *surfaces, compare_surfaces);
	return surfaces;
}

/* Makes a texture for each combination of texture, material and flags. In the file, surfaces share texture names, but
 * each has its own material and flags. An invalid texture index stays invalid. */
static bool make_textures(bspi_ctx *ctx, bspi_map *map)
{
	const surface_key *surfaces = sort_surfaces(ctx, map);
	uint32_t most = 0, count = 0;
	BSPI_TRY(surfaces);
	for (uint32_t i = 0; i < map->faces_count; i++) most += !i || !is_same_surface(&surfaces[i], &surfaces[i - 1]);
	bspi_texture *textures = bspi_push(ctx, &ctx->scratch, bspi_texture, most);
	BSPI_TRY(textures);
	for (uint32_t i = 0; i < map->faces_count; i++) {
		const surface_key *own = &surfaces[i];
		bspi_texinfo *info = &map->texinfos[own->face];
		bool known = own->texture < map->textures_count;
		if (known && (!i || !is_same_surface(own, &surfaces[i - 1]))) {
			textures[count] = map->textures[own->texture];
			textures[count].surface_flags = own->flags;
			textures[count++].effect = (int32_t)own->material;
		}
		info->value = 0;
		info->texture = map->faces[own->face].texture = known ? (int32_t)count - 1 : -1;
	}
	map->textures = textures;
	map->textures_count = count;
	map->sources[BSPI_ARRAY_textures] = (bspi_source){ NULL, 0, 0 };
	return true;
}

/* Reads the uncompressed visibility rows of leaf 1 and later leaves. Bit n of a row is leaf n + 1. Leaves of models
 * have no row. The length of a row is not stored, and rows may be longer than necessary. Row 0 is at offset 0, so the
 * smallest other offset is the length of a row. */
static bool read_vis(bspi_ctx *ctx, const bspi_lump *lump, bspi_map *map)
{
	uint32_t clusters = 0;
	size_t row_size = lump->bytes.size;
	for (uint32_t i = 0; i < map->leafs_count; i++) {
		bspi_leaf *leaf_record = &map->leafs[i];
		bool seen = i && leaf_record->vis_offset >= 0;
		leaf_record->area = -1;
		leaf_record->cluster = seen ? (int32_t)i - 1 : -1;
		if (!seen) continue;
		clusters = i;
		int32_t vis_offset = leaf_record->vis_offset;
		if (vis_offset > 0 && (size_t)vis_offset < row_size) row_size = (size_t)vis_offset;
	}
	if (!clusters || !lump->bytes.size) return true;
	if (row_size < ((size_t)clusters + 7) / 8) {
		return bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP_AT(lump->name, lump->offset),
		                 "visibility left out: rows of %zu bytes are too short for %u leafs", row_size,
		                 (unsigned)clusters);
	}
	uint32_t *offsets = bspi_push(ctx, &ctx->scratch, uint32_t, clusters);
	BSPI_TRY(offsets);
	/* An offset of -1 means that the leaf sees everything, in the file and for bspi_copy_vis. */
	for (uint32_t i = 0; i < clusters; i++) offsets[i] = (uint32_t)map->leafs[i + 1].vis_offset;
	return bspi_copy_vis(ctx, lump->bytes, offsets, clusters, row_size, map);
}

static bool finish(bspi_ctx *ctx, const bspi_variant *variant, const bspi_lump *lumps, bspi_map *map)
{
	(void)variant;
	map->entities = lumps[ENTITIES].bytes;
	map->lighting = lumps[LIGHTING].bytes;
	bspi_add_light_store(map, &(bspi_light_store){
		.name = "rgb", .luxels = map->lighting, .encoding = BSPI_LIGHT_RGB8 });
	join_normals(map);
	for (uint32_t i = 0; i < map->faces_count; i++) BSPI_TRY(settle_face(ctx, map, i));
	for (uint32_t i = 0; i < map->brushes_count; i++) map->brushes[i].texture = -1;
	return make_textures(ctx, map) && read_vis(ctx, &lumps[VISIBILITY], map);
}

const bspi_family bspi_family_nightfire = {
	.about = { .name = "nightfire", .title = "Nightfire" }, .bid = bid, .directory = directory, .finish = finish,
	.variants = variants, .variant_count = 1, .directory_at = DIRECTORY_AT,
};
