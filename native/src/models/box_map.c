/* box_map.c - reads a small map that is used as a model (Quake's boxes of health and ammunition). Shows the faces of
 * its world, with textures by the rules of the game's maps. Each corner of a face gets the light that the small map's
 * own lightmaps have there. The engine also shows these lightmaps, wherever the box is (gl_rsurf.c
 * R_DrawBrushModel). */
#include "models/model.h"

#include "base/text.h"
#include "base/vec.h"
#include "map/family.h"

/* Largest texture coordinate in texels, because larger floats have no fraction; largest side of a lightmap in
 * luxels. */
#define LARGEST_TEXEL 16777216.0f
#define LARGEST_BLOCK 1024

/* The luxels of a face. */
typedef struct light_block {
	const uint8_t *bytes;              /* the first luxel, RGB or gray; NULL: the face has no luxels */
	uint32_t width, height, channels;
	int32_t first[2];
} light_block;

static bool bid(bspi_bytes file)
{
	const bspi_variant *variant;
	return bspi_find_family(file, &variant) != NULL;
}

/* Reads the small map. If it is damaged, only the model is refused. Other errors (memory, limits) fail the whole
 * load. */
static bool read_inner_map(bspi_model_reader *reader, bspi_map *out)
{
	bspi_ctx *ctx = reader->ctx;
	const char *outer_name = ctx->name, *outer_file = ctx->file;
	ctx->name = bspi_text_copy(ctx, bspi_map_stem(reader->path), NULL);
	BSPI_TRY(ctx->name);
	ctx->file = reader->path;
	bool read = bspi_read_map(ctx, reader->file, out);
	ctx->name = outer_name;
	ctx->file = outer_file;
	bool damaged = ctx->error.status == BSPSCENE_ERROR_BAD_HEADER || ctx->error.status == BSPSCENE_ERROR_BAD_LUMP ||
	               ctx->error.status == BSPSCENE_ERROR_UNSUPPORTED_FORMAT;
	if (read || !damaged) return read;
	bspi_refuse_model(reader, "%s", ctx->error.message);
	ctx->error = (bspscene_error) { .record = BSPSCENE_NO_INDEX, .offset = BSPI_NO_OFFSET };
	return false;
}

static const float *corner_of(const bspi_map *map, const bspi_face *face, int32_t corner)
{
	int32_t surfedge = map->surfedges[face->first_edge + corner].value;
	const bspi_edge *edge = &map->edges[surfedge < 0 ? -surfedge : surfedge];
	return map->vertices[edge->vertices[surfedge < 0]].position;
}

static float project(const float vector[4], const float position[3])
{
	return bspi_dot(vector, position) + vector[3];
}

/* Computes the first and last luxel along an axis. Returns false if there are too many luxels or a position is not
 * finite. */
static bool measure_axis(const bspi_map *map, const bspi_face *face, const float vector[4], int32_t range[2])
{
	float least = INFINITY, most = -INFINITY;
	for (int32_t i = 0; i < face->edge_count; i++) {
		float at = project(vector, corner_of(map, face, i));
		least = fminf(least, at);
		most = fmaxf(most, at);
	}
	if (!(least >= -LARGEST_TEXEL && most <= LARGEST_TEXEL)) return false;
	range[0] = (int32_t)floorf(least / map->rules.luxel_size);
	range[1] = (int32_t)ceilf(most / map->rules.luxel_size);
	return range[1] - range[0] < LARGEST_BLOCK;
}

/* Returns the luxels of the face's first light style. */
static light_block find_light(const bspi_map *map, const bspi_face *face)
{
	light_block out = { .channels = map->rules.light_encoding == BSPI_LIGHT_RGB8 ? 3 : 1 };
	int32_t ranges[2][2];
	bspi_bytes luxels;
	if (face->light_offset < 0 || face->light_projection >= 0 || face->luxel_shift > 0) return out;
	const bspi_texinfo *texinfo = &map->texinfos[face->texinfo];
	for (int axis = 0; axis < 2; axis++) {
		if (!measure_axis(map, face, texinfo->texture_vectors[axis], ranges[axis])) return out;
		out.first[axis] = ranges[axis][0];
	}
	out.width = (uint32_t)(ranges[0][1] - ranges[0][0]) + 1;
	out.height = (uint32_t)(ranges[1][1] - ranges[1][0]) + 1;
	uint64_t at = (uint64_t)face->light_offset * (map->rules.light_offset_in_luxels ? out.channels : 1);
	if (bspi_slice(map->lighting, at, (uint64_t)out.width * out.height * out.channels, &luxels))
		out.bytes = luxels.data;
	return out;
}

static float luxel(const light_block *block, uint32_t x, uint32_t y, uint32_t channel)
{
	if (x >= block->width) x = block->width - 1;
	if (y >= block->height) y = block->height - 1;
	return block->bytes[((size_t)y * block->width + x) * block->channels + channel % block->channels];
}

/* Computes the light at a position on the lightmap, by bilinear interpolation. */
static void sample_light(const light_block *block, const float luxel_at[2], uint8_t out[4])
{
	uint32_t whole[2];
	float part[2];
	for (int axis = 0; axis < 2; axis++) {
		float most = (float)(axis ? block->height : block->width) - 1;
		float at = fminf(fmaxf(luxel_at[axis] - (float)block->first[axis], 0), most);
		whole[axis] = (uint32_t)at;
		part[axis] = at - (float)whole[axis];
	}
	for (uint32_t k = 0; k < 3; k++) {
		float top = luxel(block, whole[0], whole[1], k), below = luxel(block, whole[0], whole[1] + 1, k);
		top += (luxel(block, whole[0] + 1, whole[1], k) - top) * part[0];
		below += (luxel(block, whole[0] + 1, whole[1] + 1, k) - below) * part[0];
		out[k] = (uint8_t)(top + (below - top) * part[1] + 0.5f);
	}
}

static bool add_face(bspi_model_reader *reader, const bspi_map *map, const bspi_face *face)
{
	const bspi_texinfo *texinfo = &map->texinfos[face->texinfo];
	const bspi_texture *texture = &map->textures[face->texture];
	const bspi_plane *plane = &map->planes[face->plane];
	const float sizes[2] = { texture->width ? (float)texture->width : 1, texture->height ? (float)texture->height : 1 };
	light_block light = find_light(map, face);
	uint32_t first = reader->sections[reader->section_count - 1].vertex_count;
	for (int32_t i = 0; i < face->edge_count; i++) {
		bspi_model_vertex vertex = { .light = { 0, 0, 0, 255 } };
		float luxel_at[2];
		bspi_copy3(vertex.position, corner_of(map, face, i));
		for (int axis = 0; axis < 2; axis++) {
			float texel = project(texinfo->texture_vectors[axis], vertex.position);
			vertex.uv[axis] = texel / sizes[axis];
			luxel_at[axis] = texel / map->rules.luxel_size;
		}
		for (int axis = 0; axis < 3; axis++)
			vertex.normal[axis] = face->side ? -plane->normal[axis] : plane->normal[axis];
		if (light.bytes) sample_light(&light, luxel_at, vertex.light);
		BSPI_TRY(bspi_add_vertex(reader, &vertex));
	}
	for (uint32_t i = 2; i < (uint32_t)face->edge_count; i++) {
		BSPI_TRY(bspi_add_triangle(reader, first, first + i - 1, first + i));
	}
	return true;
}

static bool is_drawn(const bspi_map *map, const bspi_face *face)
{
	bool textured = face->texinfo >= 0 && (uint32_t)face->texinfo < map->texinfos_count;
	return face->kind == BSPI_FACE_POLYGON && textured;
}

/* Adds the faces, grouped by texture, because each texture is a material. */
static bool add_faces(bspi_model_reader *reader, const bspi_map *map)
{
	const bspi_model *world = &map->models[0];
	uint32_t *ends = bspi_push(reader->ctx, &reader->ctx->scratch, uint32_t, (size_t)map->textures_count + 1);
	uint32_t *order = bspi_push(reader->ctx, &reader->ctx->scratch, uint32_t, (size_t)world->face_count);
	BSPI_TRY(ends && order);
	const bspi_face *faces = map->faces + world->first_face;
	for (int32_t i = 0; i < world->face_count; i++) {
		if (is_drawn(map, &faces[i])) ends[faces[i].texture + 1]++;
	}
	for (uint32_t i = 0; i < map->textures_count; i++) ends[i + 1] += ends[i];
	for (int32_t i = 0; i < world->face_count; i++) {
		if (is_drawn(map, &faces[i])) order[ends[faces[i].texture]++] = (uint32_t)i;
	}
	for (uint32_t texture = 0, at = 0; texture < map->textures_count; texture++) {
		if (at == ends[texture]) continue;
		BSPI_TRY(bspi_begin_section(reader, texture));
		while (at < ends[texture]) BSPI_TRY(add_face(reader, map, &faces[order[at++]]));
	}
	return true;
}

static bool read(bspi_model_reader *reader)
{
	bspi_map map;
	BSPI_TRY(read_inner_map(reader, &map));
	if (!map.models_count) return bspi_refuse_model(reader, "it has no model");
	if (map.textures_count > BSPI_MODEL_MAX_MATERIALS) {
		return bspi_refuse_model(reader, "it has %u textures, and at most %u are supported", map.textures_count,
		                         BSPI_MODEL_MAX_MATERIALS);
	}
	bspi_model_material *materials =
		bspi_push(reader->ctx, &reader->ctx->scratch, bspi_model_material, map.textures_count);
	BSPI_TRY(materials);
	for (uint32_t i = 0; i < map.textures_count; i++) {
		materials[i] = (bspi_model_material) {
			.name = map.textures[i].name, .pixels = BSPI_NO_BYTES, .palette = BSPI_NO_BYTES, .texture = &map.textures[i]
		};
	}
	bool bytes = map.rules.light_encoding == BSPI_LIGHT_GRAY8 || map.rules.light_encoding == BSPI_LIGHT_RGB8;
	reader->model.lit = bytes && map.lighting.size;
	return bspi_set_materials(reader, materials, map.textures_count) && add_faces(reader, &map);
}

static const bspi_layout *const layouts[] = { NULL }; /* none, because the families of maps list the layouts */

const bspi_model_format bspi_model_format_box_map = {
	"box_map", "map that stands for a model (Quake's b_*.bsp)", bid, read, { layouts }, ".bsp",
};
