/* gltf_vertex.c - encodes the attributes of one vertex from the scene's arrays. */
#include "writers/gltf/gltf.h"

#include <math.h>
#include <string.h>

#include <bspscene/material.h>

#include "writers/light/place_uv.h"

#define COMPONENT_U8 5121
#define COMPONENT_I16 5122
#define COMPONENT_U16 5123
#define COMPONENT_U32 5125
#define COMPONENT_F32 5126

/* The elements of the streams. Colors have 16 bits because they are linear. With 8 bits, the first step above black
 * would look as large as 13 of 255 display values. Floats would be no better, because COLOR_0 must not exceed 1. */
static const bspi_gltf_stream_kind kinds[BSPI_GLTF_STREAM_COUNT] = {
	[BSPI_GLTF_POSITION] = { "POSITION", "VEC3", COMPONENT_F32, 12, false, NULL },
	[BSPI_GLTF_NORMAL] = { "NORMAL", "VEC3", COMPONENT_F32, 12, false, NULL },
	[BSPI_GLTF_TANGENT] = { "TANGENT", "VEC4", COMPONENT_F32, 16, false, NULL },
	[BSPI_GLTF_TEXCOORD_0] = { "TEXCOORD_0", "VEC2", COMPONENT_F32, 8, false, NULL },
	[BSPI_GLTF_TEXCOORD_1] = { "TEXCOORD_1", "VEC2", COMPONENT_F32, 8, false, NULL },
	[BSPI_GLTF_COLOR] = { "COLOR_0", "VEC4", COMPONENT_U16, 8, true, NULL },
	[BSPI_GLTF_BLEND] = { "_BLEND", "SCALAR", COMPONENT_F32, 4, false, NULL },
	[BSPI_GLTF_BLEND_WEIGHTS] = { "_BLEND_WEIGHTS", "VEC4", COMPONENT_F32, 16, false, NULL },
	[BSPI_GLTF_JOINTS] = { "JOINTS_0", "VEC4", COMPONENT_U8, 4, false, NULL },
	[BSPI_GLTF_WEIGHTS] = { "WEIGHTS_0", "VEC4", COMPONENT_F32, 16, false, NULL },
	[BSPI_GLTF_INDEX_16] = { NULL, "SCALAR", COMPONENT_U16, 2, false, NULL },
	[BSPI_GLTF_INDEX_32] = { NULL, "SCALAR", COMPONENT_U32, 4, false, NULL },
};

/* The elements of the streams in compressed files, see gltf_compress.c. Their size must be a multiple of four bytes, so
 * normals have two unused bytes. */
static const bspi_gltf_stream_kind compressed_kinds[BSPI_GLTF_STREAM_COUNT] = {
	[BSPI_GLTF_POSITION] = { "POSITION", "VEC3", COMPONENT_F32, 12, false, "EXPONENTIAL" },
	[BSPI_GLTF_NORMAL] = { "NORMAL", "VEC3", COMPONENT_I16, 8, true, NULL },
	[BSPI_GLTF_TANGENT] = { "TANGENT", "VEC4", COMPONENT_I16, 8, true, NULL },
	[BSPI_GLTF_TEXCOORD_0] = { "TEXCOORD_0", "VEC2", COMPONENT_F32, 8, false, "EXPONENTIAL" },
	[BSPI_GLTF_TEXCOORD_1] = { "TEXCOORD_1", "VEC2", COMPONENT_U16, 4, true, NULL },
	[BSPI_GLTF_COLOR] = { "COLOR_0", "VEC4", COMPONENT_F32, 16, false, "EXPONENTIAL" },
	[BSPI_GLTF_BLEND] = { "_BLEND", "SCALAR", COMPONENT_F32, 4, false, NULL },
	[BSPI_GLTF_BLEND_WEIGHTS] = { "_BLEND_WEIGHTS", "VEC4", COMPONENT_F32, 16, false, NULL },
	[BSPI_GLTF_JOINTS] = { "JOINTS_0", "VEC4", COMPONENT_U8, 4, false, NULL },
	[BSPI_GLTF_WEIGHTS] = { "WEIGHTS_0", "VEC4", COMPONENT_F32, 16, false, NULL },
	[BSPI_GLTF_INDEX_16] = { NULL, "SCALAR", COMPONENT_U16, 2, false, NULL },
	[BSPI_GLTF_INDEX_32] = { NULL, "SCALAR", COMPONENT_U32, 4, false, NULL },
};

const bspi_gltf_stream_kind *bspi_gltf_stream_kind_of(const bspi_gltf *gltf, int stream)
{
	return gltf->meshopt ? &compressed_kinds[stream] : &kinds[stream];
}

/* ---- Numbers ---------------------------------------------------------------------------------------------- */

static void store_u16(uint8_t *out, uint32_t value)
{
	out[0] = (uint8_t)value;
	out[1] = (uint8_t)(value >> 8);
}

static void store_u32(uint8_t *out, uint32_t value)
{
	store_u16(out, value & 0xFFFF);
	store_u16(out + 2, value >> 16);
}

static void store_floats(uint8_t *out, const float *values, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t bits;
		memcpy(&bits, &values[i], sizeof bits);
		store_u32(out + 4 * i, bits);
	}
}

/* ---- Positions and normals -------------------------------------------------------------------------------- */

static const bspscene_mesh *mesh_of(const bspi_gltf *gltf, const bspi_gltf_source *source)
{
	return gltf->scene->meshes[source->mesh];
}

static void turn(const float m[12], const float v[3], float out[3])
{
	for (int r = 0; r < 3; r++) out[r] = m[4 * r] * v[0] + m[4 * r + 1] * v[1] + m[4 * r + 2] * v[2];
}

/* Transforms a normal by the cofactor matrix of the transform, which is right even if the axes are scaled differently.
 * If the transform mirrors, the sign is reversed. */
static void turn_normal(const bspi_gltf_source *source, const float n[3], float out[3])
{
	const float *m = source->place;
	for (int r = 0; r < 3; r++) {
		const float *a = m + 4 * ((r + 1) % 3), *b = m + 4 * ((r + 2) % 3);
		out[r] = n[0] * (a[1] * b[2] - a[2] * b[1]) + n[1] * (a[2] * b[0] - a[0] * b[2]) +
		         n[2] * (a[0] * b[1] - a[1] * b[0]);
		if (source->mirrored) out[r] = -out[r];
	}
}

/* Distance in game units of a glow in front of its surface, so that depth tests separate them. */
#define GLOW_DISTANCE 0.0625f

/* Returns the position of a vertex in the space of its mesh. */
static void model_position(const bspscene_mesh *mesh, const bspi_gltf_source *source, uint32_t vertex, float out[3])
{
	float away = !source->glow ? 0 : source->flip ? -GLOW_DISTANCE : GLOW_DISTANCE;
	for (size_t i = 0; i < 3; i++) {
		size_t at = 3 * (size_t)vertex + i;
		out[i] = mesh->positions[at] + away * mesh->normals[at];
	}
}

static void exact_position(const bspi_gltf *gltf, bspi_gltf_vertex vertex, float out[3])
{
	const bspi_gltf_source *source = &gltf->sources[vertex.source];
	float at[3], placed[3];
	model_position(mesh_of(gltf, source), source, vertex.vertex, at);
	if (source->place) {
		turn(source->place, at, placed);
		for (int i = 0; i < 3; i++) at[i] = placed[i] + source->place[4 * i + 3];
	}
	const bspscene_mesh moved = { .positions = at };
	bspi_y_up_position(gltf->scene, &moved, 0, out);
}

void bspi_gltf_position_at(const bspi_gltf *gltf, bspi_gltf_vertex vertex, float out[3])
{
	exact_position(gltf, vertex, out);
	if (!gltf->stepped) return;
	for (int i = 0; i < 3; i++)
		out[i] = ldexpf(roundf(ldexpf(out[i], -gltf->position_exponent)), gltf->position_exponent);
}

static void normal_at(const bspi_gltf *gltf, bspi_gltf_vertex vertex, float out[3])
{
	const bspi_gltf_source *source = &gltf->sources[vertex.source];
	const bspscene_mesh *mesh = mesh_of(gltf, source);
	if (!source->place) {
		bspi_y_up_normal(mesh, vertex.vertex, source->flip, out);
		return;
	}
	float turned[3];
	const bspscene_mesh moved = { .normals = turned };
	turn_normal(source, mesh->normals + 3 * (size_t)vertex.vertex, turned);
	bspi_y_up_normal(&moved, 0, source->flip, out);
}

static void tangent_at(const bspi_gltf *gltf, bspi_gltf_vertex vertex, float out[4])
{
	const bspi_gltf_source *source = &gltf->sources[vertex.source];
	const bspscene_section *section = mesh_of(gltf, source)->sections[source->section];
	const float *tangent = source->tangents + 4 * (size_t)(vertex.vertex - section->first_vertex);
	memcpy(out, tangent, 4 * sizeof *out);
	if (!source->place) return;
	const float game[3] = { tangent[0], -tangent[2], tangent[1] };
	float turned[3];
	const bspscene_mesh moved = { .normals = turned };
	turn(source->place, game, turned);
	bspi_y_up_normal(&moved, 0, false, out);
	if (source->mirrored) out[3] = -out[3];
}

/* Computes texture coordinates, rotated as the material says (see set_transform in gltf_material.c). */
void bspi_gltf_uv_at(const bspi_gltf *gltf, bspi_gltf_vertex vertex, float out[2])
{
	const bspi_gltf_source *source = &gltf->sources[vertex.source];
	const bspscene_mesh *mesh = mesh_of(gltf, source);
	const bspscene_material *material = gltf->scene->materials[mesh->sections[source->section]->material];
	const float *lit = bspi_gltf_lit_uvs(gltf, source);
	if (lit) {
		memcpy(out, lit + 2 * (size_t)vertex.vertex, 2 * sizeof *out);
		return;
	}
	bspi_base_uv(gltf->scene, mesh, material, vertex.vertex, out);
	if (material->uv_rotation_radians == 0) return;
	float uv[2] = { out[0], out[1] };
	bspi_place_uv(material, uv, out);
}

/* ---- Elements --------------------------------------------------------------------------------------------- */

/* Stores floats as multiples of 2^exponent: the factor in 24 bits, and the exponent in the highest byte. */
static void store_multiples(uint8_t *out, const float *values, uint32_t count, int exponent)
{
	for (uint32_t i = 0; i < count; i++) {
		int32_t multiple = (int32_t)roundf(ldexpf(values[i], -exponent));
		store_u32(out + 4 * i, ((uint32_t)multiple & 0xFFFFFF) | (uint32_t)exponent << 24);
	}
}

static void store_signed(uint8_t *out, const float *values, uint32_t count)
{
	memset(out, 0, 8);
	for (uint32_t i = 0; i < count; i++) {
		float held = fminf(fmaxf(values[i], -1), 1);
		store_u16(out + 2 * i, (uint32_t)(int32_t)roundf(held * 32767) & 0xFFFF);
	}
}

static float unit_of(float value)
{
	return value > 0 ? value < 1 ? value : 1 : 0;
}

static uint32_t unit_u16(float value)
{
	return (uint32_t)(unit_of(value) * 65535 + 0.5f);
}

/* Computes the numbers that a stream has for a vertex. Returns how many there are. */
static uint32_t values_of(const bspi_gltf *gltf, const bspi_gltf_primitive *primitive, int stream,
                          bspi_gltf_vertex vertex, float out[4])
{
	const bspi_gltf_source *source = &gltf->sources[vertex.source];
	const bspscene_mesh *mesh = mesh_of(gltf, source);
	switch (stream) {
	case BSPI_GLTF_POSITION: bspi_gltf_position_at(gltf, vertex, out); return 3;
	case BSPI_GLTF_NORMAL: normal_at(gltf, vertex, out); return 3;
	case BSPI_GLTF_TANGENT: tangent_at(gltf, vertex, out); return 4;
	case BSPI_GLTF_TEXCOORD_0: bspi_gltf_uv_at(gltf, vertex, out); return 2;
	case BSPI_GLTF_TEXCOORD_1: memcpy(out, mesh->lightmap_uvs + 2 * (size_t)vertex.vertex, 2 * sizeof *out); return 2;
	case BSPI_GLTF_BLEND: out[0] = mesh->blend_alphas[vertex.vertex]; return 1;
	case BSPI_GLTF_BLEND_WEIGHTS:
		memcpy(out, mesh->blend_weights + 4 * (size_t)vertex.vertex, 4 * sizeof *out);
		return 4;
	case BSPI_GLTF_WEIGHTS: memcpy(out, mesh->weights + 4 * (size_t)vertex.vertex, 4 * sizeof *out); return 4;
	default:
		bspi_vertex_color_at(&source->color, vertex.vertex, out);
		if (source->color.baked) {
			bspi_gltf_tone_color(gltf, mesh->sections[source->section]->material, primitive->level, out);
		}
		for (int i = 0; i < 4; i++) out[i] = unit_of(out[i]);
		return 4;
	}
}

static int exponent_of(const bspi_gltf *gltf, int stream, bspi_gltf_vertex vertex)
{
	switch (stream) {
	case BSPI_GLTF_POSITION: return gltf->position_exponent;
	case BSPI_GLTF_COLOR: return BSPI_GLTF_COLOR_EXPONENT;
	default: return gltf->sources[vertex.source].uv_exponent;
	}
}

void bspi_gltf_store_vertex(const bspi_gltf *gltf, const bspi_gltf_primitive *primitive, int stream,
                            bspi_gltf_vertex vertex, uint8_t *out)
{
	const bspi_gltf_stream_kind *kind = bspi_gltf_stream_kind_of(gltf, stream);
	float values[4];
	if (kind->component == COMPONENT_U8) {
		memcpy(out, mesh_of(gltf, &gltf->sources[vertex.source])->joints + 4 * (size_t)vertex.vertex, kind->size);
		return;
	}
	uint32_t count = values_of(gltf, primitive, stream, vertex, values);
	if (kind->filter) store_multiples(out, values, count, exponent_of(gltf, stream, vertex));
	else if (kind->component == COMPONENT_I16) store_signed(out, values, count);
	else if (kind->component == COMPONENT_F32) store_floats(out, values, count);
	else
		for (uint32_t i = 0; i < count; i++) store_u16(out + 2 * i, unit_u16(values[i]));
}
