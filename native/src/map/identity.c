/* identity.c - computes three hashes that identify a checked map: one of its bytes, one of its faces and one of its
 * entities. bspscene_identity documents what each hash ignores. */
#include <math.h>
#include <stdlib.h>

#include <bspscene/scene.h>

#include "base/sha256.h"
#include "base/vec.h"
#include "map/map.h"

/* Coordinates are rounded to 1/8 of a game unit. Compilers cut faces at the same places, but the last bits of the
 * floats may differ. */
#define STEPS_PER_UNIT 8.0

/* Mixes all bits of a number. This is the finalizer of MurmurHash3, which is in the public domain. */
static uint64_t mix(uint64_t n)
{
	n = (n ^ (n >> 33)) * UINT64_C(0xff51afd7ed558ccd);
	n = (n ^ (n >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
	return n ^ (n >> 33);
}

static uint64_t hash_point(const float position[3])
{
	uint64_t hash = 0;
	for (int i = 0; i < 3; i++) {
		double steps = fmin(fmax((double)position[i], -1e9), 1e9) * STEPS_PER_UNIT;
		hash = mix(hash + (uint64_t)llround(steps));
	}
	return hash;
}

/* Hashes a directed edge of an outline. The sum over all edges is the same for any first corner. */
static uint64_t hash_edge(uint64_t from, uint64_t to)
{
	return mix(from + 3 * to);
}

static const float *edge_point(const bspi_map *map, const bspi_face *face, int32_t corner)
{
	int32_t edge = map->surfedges[face->first_edge + corner].value;
	const uint32_t *ends = map->edges[edge < 0 ? -edge : edge].vertices;
	return map->vertices[ends[edge < 0]].position;
}

static uint64_t hash_polygon(const bspi_map *map, const bspi_face *face)
{
	uint64_t sum = 0, last = hash_point(edge_point(map, face, face->edge_count - 1));
	for (int32_t i = 0; i < face->edge_count; i++) {
		uint64_t point = hash_point(edge_point(map, face, i));
		sum += hash_edge(last, point);
		last = point;
	}
	return sum;
}

static uint64_t hash_triangles(const bspi_map *map, const bspi_face *face)
{
	uint64_t sum = 0;
	const bspi_draw_vertex *vertices = map->draw_vertices + face->first_vertex;
	for (int32_t i = 0; i + 2 < face->index_count; i += 3) {
		uint64_t corners[3];
		for (int k = 0; k < 3; k++) {
			corners[k] = hash_point(vertices[map->draw_indices[face->first_index + i + k].value].position);
		}
		sum += mix(hash_edge(corners[0], corners[1]) + hash_edge(corners[1], corners[2]) +
		           hash_edge(corners[2], corners[0]));
	}
	return sum;
}

/* Hashes the control points of a patch in order. */
static uint64_t hash_points(const bspi_map *map, const bspi_face *face)
{
	uint64_t hash = 0;
	for (int32_t i = 0; i < face->vertex_count; i++) {
		hash = hash_edge(hash, hash_point(map->draw_vertices[face->first_vertex + i].position));
	}
	return hash;
}

static uint64_t hash_displacement(const bspi_map *map, const bspi_face *face)
{
	uint64_t hash = hash_polygon(map, face);
	if (face->dispinfo < 0) return hash;
	const bspi_dispinfo *info = &map->dispinfos[face->dispinfo];
	int32_t side = (1 << info->power) + 1;
	for (int32_t i = 0; i < side * side; i++) {
		const bspi_disp_vertex *vertex = &map->disp_vertices[info->first_vertex + i];
		float moved[3];
		for (int k = 0; k < 3; k++) moved[k] = vertex->direction[k] * vertex->distance;
		hash = hash_edge(hash, hash_point(moved));
	}
	return hash;
}

/* Hashes a face's outline; 0 if it has none. */
static uint64_t hash_face(const bspi_map *map, const bspi_face *face)
{
	switch (face->kind) {
	case BSPI_FACE_POLYGON: return hash_polygon(map, face);
	case BSPI_FACE_DISPLACEMENT: return hash_displacement(map, face);
	case BSPI_FACE_TRIANGLES:
	case BSPI_FACE_PROJECTED:
	case BSPI_FACE_TERRAIN: return hash_triangles(map, face);
	case BSPI_FACE_PATCH: return hash_points(map, face);
	case BSPI_FACE_DROPPED:
	case BSPI_FACE_FLARE:
	case BSPI_FACE_FOLIAGE: break;
	}
	return 0;
}

static int compare_hashes(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
	return (one > other) - (one < other);
}

static bool hash_geometry(bspi_ctx *ctx, const bspi_map *map, char out[BSPI_SHA256_TEXT_SIZE])
{
	uint64_t *faces = bspi_push(ctx, &ctx->stage, uint64_t, map->faces_count);
	BSPI_TRY(faces);
	uint32_t count = 0;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		faces[count] = hash_face(map, &map->faces[i]);
		count += faces[count] != 0;
	}
	if (count) qsort(faces, count, sizeof *faces, compare_hashes);
	bspi_sha256 hash;
	bspi_sha256_begin(&hash);
	for (uint32_t i = 0; i < count; i++) {
		uint8_t bytes[8];
		for (int k = 0; k < 8; k++) bytes[k] = (uint8_t)(faces[i] >> (8 * k));
		bspi_sha256_add(&hash, bytes, sizeof bytes);
	}
	bspi_sha256_end_text(&hash, out);
	return true;
}

/* Hashes the text of entities. White space between tokens is ignored. */
static void hash_entities(bspi_bytes text, char out[BSPI_SHA256_TEXT_SIZE])
{
	bspi_sha256 hash;
	bspi_sha256_begin(&hash);
	bool quoted = false;
	size_t from = 0;
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] == '"') quoted = !quoted;
		if (quoted || text.data[i] > ' ') continue;
		bspi_sha256_add(&hash, text.data + from, i - from);
		from = i + 1;
	}
	bspi_sha256_add(&hash, text.data + from, text.size - from);
	bspi_sha256_end_text(&hash, out);
}

bool bspi_identify(bspi_ctx *ctx, bspi_bytes file, const bspi_map *map, bspscene_scene *scene)
{
	if (!ctx->options.identify) return true;
	bspscene_identity *identity = bspi_push(ctx, &ctx->result, bspscene_identity, 1);
	BSPI_TRY(identity && hash_geometry(ctx, map, identity->geometry));
	bspi_sha256 hash;
	bspi_sha256_begin(&hash);
	bspi_sha256_add(&hash, file.data, file.size);
	bspi_sha256_end_text(&hash, identity->bytes);
	hash_entities(ctx->entity_file ? ctx->own_entities : map->entities, identity->entities);
	identity->size = file.size;
	scene->identity = identity;
	return true;
}
