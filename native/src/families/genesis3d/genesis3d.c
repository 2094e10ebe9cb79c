/* genesis3d.c - Genesis3D (GBSP 15): Amsterdoom, and games made with Reality Factory.
 *
 * Genesis3D is related to Quake II, but has records of its own. The file consists of chunks with headers, in any order.
 * Faces list their vertices. Textures, palettes and lightmaps are in the map. Y is up (docs/formats/genesis3d.md). */
#include "families/genesis3d/genesis3d.h"

#include <inttypes.h>
#include <math.h>

#include "families/quake/quake_common.h"

enum chunk {
	HEADER, MODELS, NODES, CLIP_NODES, LEAFS, CLUSTERS, AREAS, AREA_PORTALS, LEAF_SIDES, PORTALS, PLANES, FACES,
	LEAF_FACES, VERTEX_INDICES, VERTICES, VERTEX_COLORS, ENTITIES, TEXINFO, TEXTURES, TEXELS, LIGHTING, VISIBILITY,
	SKY, PALETTES, MOTIONS, CHUNK_COUNT, END = 0xffff
};
static const char *const chunk_names[CHUNK_COUNT] = {
	"header", "models", "nodes", "clip nodes", "leafs", "clusters", "areas", "area portals", "leaf sides", "portals",
	"planes", "faces", "leaf faces", "vertex indices", "vertices", "vertex colors", "entities", "texinfo", "textures",
	"texels", "lighting", "visibility", "sky", "palettes", "motions",
};
static const uint16_t record_sizes[CHUNK_COUNT] = {
	28, 80, 44, 12, 60, 4, 8, 8, 8, 16, 20, 36, 4, 4, 12, 12, 1, 64, 52, 1, 1, 1, 44, 768, 1,
};

enum { HEAD = 12, TAG_AT = HEAD, VERSION_AT = HEAD + 8, HEADER_END = HEAD + 28 };

/* ---- Records ---------------------------------------------------------------------------------------------- */

#define FIRST_OF(type, member, at, n) { #member, (at), offsetof(type, member), (n), BSPI_F32, BSPI_MEMORY_F32 }

static const bspi_field model_rows[] = {
	FIELD_FIRST(bspi_model, head_nodes,      0, I32, 1),
	SKIP("first clip node",                  4, 4),
	FIELD(bspi_model, mins,                  8, F32),
	FIELD(bspi_model, maxs,                 20, F32),
	SKIP("pivot",                           32, 12),
	FIELD(bspi_model, first_face,           44, I32),
	FIELD(bspi_model, face_count,           48, I32),
	SKIP("leafs, first cluster",            52, 12),
	FIELD(bspi_model, visleafs,             64, I32),
	SKIP("areas, motion",                   68, 12),
};
static const bspi_layout model = LAYOUT("model", bspi_model, model_rows, 80);

static const bspi_field node_rows[] = {
	FIELD(bspi_node, children,               0, I32),
	FIELD(bspi_node, face_count,             8, U32),
	FIELD(bspi_node, first_face,            12, U32),
	FIELD(bspi_node, plane,                 16, I32),
	FIELD(bspi_node, mins,                  20, F32),
	FIELD(bspi_node, maxs,                  32, F32),
};
static const bspi_layout node = LAYOUT("node", bspi_node, node_rows, 44);

static const bspi_field leaf_rows[] = {
	FIELD(bspi_leaf, contents,               0, I32),
	FIELD(bspi_leaf, mins,                   4, F32),
	FIELD(bspi_leaf, maxs,                  16, F32),
	FIELD(bspi_leaf, first_leaf_face,       28, U32),
	FIELD(bspi_leaf, leaf_face_count,       32, U32),
	SKIP("portals",                         36, 8),
	FIELD(bspi_leaf, cluster,               44, I32),
	FIELD(bspi_leaf, area,                  48, I32),
	SKIP("sides",                           52, 8),
};
static const bspi_layout leaf = LAYOUT("leaf", bspi_leaf, leaf_rows, 60);

static const bspi_field area_portal_rows[] = {
	FIELD(bspi_area_portal_record, portal,   0, I32),
	FIELD(bspi_area_portal_record, other_area, 4, I32),
};
static const bspi_layout area_portal = LAYOUT("area portal", bspi_area_portal_record, area_portal_rows, 8);

static const bspi_field face_rows[] = {
	FIELD(bspi_face, first_edge,             0, I32),
	FIELD(bspi_face, edge_count,             4, I32),
	FIELD(bspi_face, plane,                  8, I32),
	FIELD(bspi_face, side,                  12, I32),
	FIELD(bspi_face, texinfo,               16, I32),
	FIELD(bspi_face, light_offset,          20, I32),
	FIELD(bspi_face, lightmap_width,        24, I32),
	FIELD(bspi_face, lightmap_height,       28, I32),
	FIELD(bspi_face, styles,                32, U8),
};
static const bspi_layout face = LAYOUT("face", bspi_face, face_rows, 36);

/* Reads the vertex indices of faces as edges: each index becomes an edge that begins at that vertex. */
static const bspi_field vertex_index_rows[] = { FIELD_FIRST(bspi_edge, vertices, 0, U32, 1) };
static const bspi_layout vertex_index = LAYOUT("vertex index", bspi_edge, vertex_index_rows, 4);

static const bspi_field texinfo_rows[] = {
	FIRST_OF(bspi_texinfo, texture_vectors[0],     0, 3),
	FIRST_OF(bspi_texinfo, texture_vectors[1],    12, 3),
	FIRST_OF(bspi_texinfo, texture_vectors[0][3], 24, 1),
	FIRST_OF(bspi_texinfo, texture_vectors[1][3], 28, 1),
	SKIP("scale",                           32, 8),
	FIELD(bspi_texinfo, flags,              40, U32),
	SKIP("light, reflection",               44, 8),
	SKIP("opacity, mip bias",               52, 8),
	FIELD(bspi_texinfo, texture,            60, I32),
};
static const bspi_layout texinfo = LAYOUT("texinfo", bspi_texinfo, texinfo_rows, 64);

/* Reads the lump of texinfos a second time, as light projections. Luxels use the texture's vectors without its scale
 * and shift. The fourth numbers hold the scale until turn_projections has used it. */
static const bspi_field projection_rows[] = {
	FIRST_OF(bspi_light_projection, vectors[0],     0, 3),
	FIRST_OF(bspi_light_projection, vectors[1],    12, 3),
	SKIP("shift",                           24, 8),
	FIRST_OF(bspi_light_projection, vectors[0][3], 32, 1),
	FIRST_OF(bspi_light_projection, vectors[1][3], 36, 1),
	SKIP("flags, light, opacity, texture",  40, 24),
};
static const bspi_layout projection = LAYOUT("texinfo (light)", bspi_light_projection, projection_rows, 64);

/* Until find_picture has used them, `render_mode` holds the offset of the texels, and `effect` the index of the
 * palette. */
static const bspi_field texture_rows[] = {
	NAME_FIELD(bspi_texture, name,           0, 32),
	FIELD(bspi_texture, surface_flags,      32, U32),
	FIELD(bspi_texture, width,              36, U32),
	FIELD(bspi_texture, height,             40, U32),
	FIELD(bspi_texture, render_mode,        44, I32),
	FIELD(bspi_texture, effect,             48, I32),
};
static const bspi_layout texture = LAYOUT("texture", bspi_texture, texture_rows, 52);

static const bspi_lump_row lump_rows[] = {
	{ MODELS, BSPI_ARRAY_models, &model },
	{ NODES, BSPI_ARRAY_nodes, &node },
	{ LEAFS, BSPI_ARRAY_leafs, &leaf },
	{ AREAS, BSPI_ARRAY_areas, &bspi_quake2_area },
	{ AREA_PORTALS, BSPI_ARRAY_area_portals, &area_portal },
	{ PLANES, BSPI_ARRAY_planes, &bspi_quake_plane },
	{ FACES, BSPI_ARRAY_faces, &face },
	{ LEAF_FACES, BSPI_ARRAY_leaf_faces, &bspi_quake_long_index },
	{ VERTEX_INDICES, BSPI_ARRAY_edges, &vertex_index },
	{ VERTICES, BSPI_ARRAY_vertices, &bspi_quake_vertex },
	{ TEXINFO, BSPI_ARRAY_texinfos, &texinfo },
	{ TEXINFO, BSPI_ARRAY_light_projections, &projection },
	{ TEXTURES, BSPI_ARRAY_textures, &texture },
};

/* ---- Rules ------------------------------------------------------------------------------------------------ */

static const bspi_camera_rule cameras[] = {
	{ "PlayerStart", BSPSCENE_CAMERA_SPAWN, false },
	{ "DeathMatchStart", BSPSCENE_CAMERA_SPAWN, false },
	{ NULL, BSPSCENE_CAMERA_OTHER, false },
};
static const char *const hidden[] = { NULL };
/* The compiler's light falls off linearly: intensity minus distance (Light.cpp). */
static const bspi_light_rules lights = { .falloff = BSPSCENE_FALLOFF_LINEAR, .reach = 1 };
static const bspi_entity_rules entity_rules = { .lights = &lights, .cameras = cameras, .hidden = hidden };

/* The engine draws faces without luxels with a black lightmap (Light.cpp), so unlit_is_black is set. */
static const bspi_rules rules = {
	.light_storage = BSPI_STORAGE_BLOCKS, .light_encoding = BSPI_LIGHT_RGB8, .light_clamp = BSPI_CLAMP_CHANNELS,
	.overbright = 1, .intensity = 1, .luxel_size = 16, .unlit_is_black = true, .eye_height = 140,
	.entities = &entity_rules, .materials = BSPI_MATERIALS_GENESIS3D,
};

/* ---- Recognizing the game --------------------------------------------------------------------------------- */

static const bspi_variant variants[] = {
	{ "genesis3d", "Genesis3D (GBSP 15)", "GBSP", 15, lump_rows, sizeof lump_rows / sizeof *lump_rows, &rules, NULL },
};

/* The first chunk of a file is the header. */
static int bid(bspi_bytes head, const bspi_variant **variant)
{
	static const uint8_t first[HEAD] = { 0, 0, 0, 0, HEADER_END - HEAD, 0, 0, 0, 1, 0, 0, 0 };
	if (head.size < HEADER_END || memcmp(head.data, first, HEAD) || memcmp(head.data + TAG_AT, "GBSP", 4)) return 0;
	if (bspi_load_i32(head.data + VERSION_AT) != variants->version) return 0;
	*variant = variants;
	return 90;
}

/* Reads a chunk. Chunks of unknown types are skipped, and so is a second chunk of the same type. */
static bool take_chunk(bspi_ctx *ctx, bspi_bytes file, bspi_cursor *cursor, uint32_t type, bspi_lump *lumps)
{
	int32_t size = bspi_take_i32(cursor), count = bspi_take_i32(cursor);
	bool known = type < CHUNK_COUNT;
	const char *name = known ? chunk_names[type] : "unknown chunk";
	bspi_location location = BSPI_LUMP_AT(name, cursor->at);
	bspi_bytes bytes = BSPI_NO_BYTES;
	BSPI_CHECK(ctx, !cursor->failed, BSPSCENE_ERROR_BAD_HEADER, BSPI_NOWHERE,
	           "the file ends before its last chunk, after %zu bytes", file.size);
	bool inside = size >= 0 && count >= 0 && bspi_slice(file, cursor->at, (uint64_t)size * (uint64_t)count, &bytes);
	BSPI_CHECK(ctx, inside, BSPSCENE_ERROR_BAD_LUMP, location,
	           "%" PRId32 " records of %" PRId32 " bytes do not lie inside the file of %zu bytes", count, size,
	           file.size);
	BSPI_CHECK(ctx, !known || !count || size == record_sizes[type], BSPSCENE_ERROR_BAD_LUMP, location,
	           "its records have %" PRId32 " bytes, not %u", size, known ? record_sizes[type] : 0u);
	BSPI_CHECK(ctx, !known || !count || !lumps[type].bytes.size, BSPSCENE_ERROR_BAD_LUMP, location,
	           "the file has this chunk twice");
	if (known && count) {
		lumps[type].bytes = bytes;
		lumps[type].offset = cursor->at;
	}
	bspi_take(cursor, bytes.size);
	return true;
}

static bool directory(bspi_ctx *ctx, bspi_bytes file, const bspi_variant *variant, bspi_lump *lumps)
{
	(void)variant;
	bspi_cursor cursor = bspi_cursor_at(file, 0);
	for (uint32_t i = 0; i < CHUNK_COUNT; i++) lumps[i].name = chunk_names[i];
	for (;;) {
		uint32_t type = bspi_take_u32(&cursor);
		if (!cursor.failed && type == END) return true;
		BSPI_TRY(take_chunk(ctx, file, &cursor, type, lumps));
	}
}

/* ---- Textures --------------------------------------------------------------------------------------------- */

/* Finds the largest mipmap and the palette of a texture. */
static bool find_picture(bspi_ctx *ctx, const bspi_lump *lumps, const bspi_map *map, uint32_t index)
{
	enum { LARGEST = 8192, PALETTE = 768 };
	bspi_texture *t = &map->textures[index];
	bool sized = t->width && t->height && t->width <= LARGEST && t->height <= LARGEST;
	size_t area = sized ? (size_t)t->width * t->height : 0;
	bool whole = sized && t->render_mode >= 0 && t->effect >= 0 &&
	             bspi_slice(lumps[TEXELS].bytes, (uint32_t)t->render_mode, area, &t->miptex) &&
	             bspi_slice(lumps[PALETTES].bytes, (uint64_t)t->effect * PALETTE, PALETTE, &t->palette);
	if (!whole) {
		BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_REFERENCE, bspi_record_location(map, BSPI_ARRAY_textures, index),
		                   "its %" PRIu32 " x %" PRIu32 " texels at offset %" PRId32 " or its palette %" PRId32
		                   " are not in the file: it gets no picture", t->width, t->height, t->render_mode, t->effect));
		t->miptex = t->palette = BSPI_NO_BYTES;
		if (!sized) t->width = t->height = 0;
	}
	t->surface_flags = 0;
	t->render_mode = 0;
	t->effect = -1;
	return true;
}

/* Marks textures that have holes. If any face with the texture is transparent, the texture's texels of index 255 are
 * holes (WBitmap.cpp). */
static void find_holes(bspi_map *map)
{
	for (uint32_t i = 0; i < map->faces_count; i++) {
		const bspi_face *f = &map->faces[i];
		if (!(bspi_genesis3d_flags(map, f) & GENESIS3D_TRANSPARENT)) continue;
		int32_t number = map->texinfos[f->texinfo].texture;
		if ((uint32_t)number < map->textures_count) map->textures[number].holes = true;
	}
}

static float opacity_of(const uint8_t *record, uint32_t flags)
{
	enum { OPACITY_AT = 52 };
	float opacity = bspi_load_f32(record + OPACITY_AT) / 255;
	bool clear = flags & GENESIS3D_TRANSPARENT && !(flags & GENESIS3D_MIRROR) && opacity < 1;
	return clear ? fmaxf(opacity, 0) : 1;
}

/* Makes a texture for each texinfo, with the same index. The flags of a texinfo tell how its texture is drawn. The
 * file's own textures follow at the end of the list, because the sky refers to them. */
static bool settle_textures(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map)
{
	uint32_t count = map->texinfos_count, own = map->textures_count;
	bspi_texture *all = bspi_push(ctx, &ctx->scratch, bspi_texture, (size_t)count + own);
	BSPI_TRY(all);
	for (uint32_t i = 0; i < own; i++) BSPI_TRY(find_picture(ctx, lumps, map, i));
	find_holes(map);
	for (uint32_t i = 0; i < count; i++) {
		bspi_texinfo *info = &map->texinfos[i];
		bool known = (uint32_t)info->texture < own;
		if (known) all[i] = map->textures[info->texture];
		else all[i].miptex = all[i].palette = BSPI_NO_BYTES;
		all[i].surface_flags = info->flags;
		all[i].render_amount = opacity_of(lumps[TEXINFO].bytes.data + (size_t)i * texinfo.file_size, info->flags);
		if (!known) {
			BSPI_TRY(bspi_warn(ctx, BSPSCENE_WARNING_REFERENCE, bspi_record_location(map, BSPI_ARRAY_texinfos, i),
			                   "it uses texture %" PRId32 ", but there are %" PRIu32 ": its texture is missing",
			                   info->texture, own));
			memcpy(all[i].name, "missing", sizeof "missing");
		}
		info->texture = (int32_t)i;
	}
	if (own) memcpy(all + count, map->textures, own * sizeof *all);
	map->textures = all;
	map->textures_count = count + own;
	map->sources[BSPI_ARRAY_textures] = (bspi_source){ NULL, 0, 0 };
	return true;
}

/* ---- Y up to Z up ------------------------------------------------------------------------------------------ */

static void turn_box(float mins[3], float maxs[3])
{
	bspi_genesis3d_turn(mins);
	bspi_genesis3d_turn(maxs);
	float least = maxs[1];
	maxs[1] = mins[1];
	mins[1] = least;
}

/* Converts projections to Z up and applies their scale. A texel is position . (vector / scale) + shift. A luxel is 16
 * units along the unscaled vector. */
static void turn_projections(bspi_map *map)
{
	for (uint32_t i = 0; i < map->texinfos_count; i++) {
		for (int axis = 0; axis < 2; axis++) {
			float *texels = map->texinfos[i].texture_vectors[axis], *luxels = map->light_projections[i].vectors[axis];
			for (int k = 0; k < 3; k++) texels[k] /= luxels[3];
			for (int k = 0; k < 3; k++) luxels[k] /= 16;
			luxels[3] = 0;
			bspi_genesis3d_turn(texels);
			bspi_genesis3d_turn(luxels);
		}
	}
}

static void turn(bspi_map *map)
{
	for (uint32_t i = 0; i < map->vertices_count; i++) bspi_genesis3d_turn(map->vertices[i].position);
	for (uint32_t i = 0; i < map->planes_count; i++) bspi_genesis3d_turn(map->planes[i].normal);
	for (uint32_t i = 0; i < map->models_count; i++) turn_box(map->models[i].mins, map->models[i].maxs);
	for (uint32_t i = 0; i < map->nodes_count; i++) turn_box(map->nodes[i].mins, map->nodes[i].maxs);
	for (uint32_t i = 0; i < map->leafs_count; i++) turn_box(map->leafs[i].mins, map->leafs[i].maxs);
	turn_projections(map);
}

/* ---- Other lumps ------------------------------------------------------------------------------------------ */

/* Reads visibility. Rows are not compressed. Each cluster stores the offset of its row, or -1 if the cluster sees
 * everything. */
static bool read_vis(bspi_ctx *ctx, const bspi_lump *lumps, bspi_map *map)
{
	uint32_t clusters = (uint32_t)(lumps[CLUSTERS].bytes.size / record_sizes[CLUSTERS]);
	bspi_bytes rows = lumps[VISIBILITY].bytes;
	if (!clusters || !rows.size) return true;
	bspi_cursor cursor = bspi_cursor_at(lumps[CLUSTERS].bytes, 0);
	uint32_t *offsets = bspi_push(ctx, &ctx->scratch, uint32_t, clusters);
	BSPI_TRY(offsets);
	for (uint32_t i = 0; i < clusters; i++) offsets[i] = bspi_take_u32(&cursor);
	return bspi_copy_vis(ctx, rows, offsets, clusters, ((size_t)clusters + 7) / 8, map);
}

static bool finish(bspi_ctx *ctx, const bspi_variant *variant, const bspi_lump *lumps, bspi_map *map)
{
	(void)variant;
	map->lighting = lumps[LIGHTING].bytes;
	bspi_add_light_store(map, &(bspi_light_store){
		.name = "rgb", .luxels = map->lighting, .encoding = BSPI_LIGHT_RGB8 });
	BSPI_TRY(bspi_genesis3d_faces(ctx, map) && settle_textures(ctx, lumps, map));
	turn(map);
	BSPI_TRY(bspi_genesis3d_vertex_light(ctx, lumps[VERTEX_COLORS].bytes, map));
	return read_vis(ctx, lumps, map) && bspi_genesis3d_entities(ctx, &lumps[ENTITIES], &map->entities);
}

const bspi_family bspi_family_genesis3d = {
	.about = { .name = "genesis3d", .title = "Genesis3D" }, .bid = bid, .directory = directory, .finish = finish,
	.variants = variants, .variant_count = 1, .directory_at = HEADER_END,
};
