/* patch_cracks.c - border vertices of every patch against the border curves of all others. See patch_cracks.h. */
#include "support/patch_cracks.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

/* This close, a vertex lies on a curve. */
#define ON_CURVE 0.02
/* This close, two vertices are meant to be one. */
#define ONE_POINT 0.11f
#define STRAIGHT 0.01
enum { PIECES = 64 };                  /* of a curve, to measure distances from it */

typedef struct piece {
	float from[3], to[3];
	bool straight;                     /* its whole curve is */
} piece;

typedef struct border {
	uint32_t model;
	bspscene_bounds bounds;
	float (*vertices)[3]; uint32_t vertex_count;
	piece *pieces; uint32_t piece_count;
} border;

static void *allocate(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);
	assert(p);
	return p;
}

static void add_curve(border *b, const float *c0, const float *c1, const float *c2)
{
	double bend[3], chord[3], along = 0, length = 0, squared = 0;
	for (int i = 0; i < 3; i++) {
		bend[i] = ((double)c0[i] - 2 * (double)c1[i] + (double)c2[i]) / 4;
		chord[i] = (double)c2[i] - (double)c0[i];
		along += bend[i] * chord[i];
		length += chord[i] * chord[i];
		squared += bend[i] * bend[i];
	}
	bool straight = squared - (length > 0 ? along * along / length : 0) < STRAIGHT * STRAIGHT;
	for (int k = 0; k < PIECES; k++) {
		piece *out = &b->pieces[b->piece_count++];
		out->straight = straight;
		for (int end = 0; end < 2; end++) {
			double t = (double)(k + end) / PIECES;
			for (int i = 0; i < 3; i++) {
				double value = (1 - t) * (1 - t) * (double)c0[i] + 2 * t * (1 - t) * (double)c1[i] + t * t * (double)c2[i];
				(end ? out->to : out->from)[i] = (float)value;
			}
		}
	}
}

static void add_vertex(border *b, const bspscene_mesh *mesh, uint32_t vertex)
{
	memcpy(b->vertices[b->vertex_count++], mesh->positions + 3 * (size_t)vertex, sizeof *b->vertices);
	bspi_bounds_add(&b->bounds, mesh->positions + 3 * (size_t)vertex);
}

static border make_border(const bspi_build *build, const bspscene_face *face, const bspi_surface *surface)
{
	const bspi_face *record = &build->map->faces[face->source];
	const bspi_draw_vertex *controls = &build->map->draw_vertices[record->first_vertex];
	const bspscene_mesh *mesh = &build->scene->meshes[face->mesh];
	uint32_t columns = surface->patch_columns, rows = surface->patch_rows;
	uint32_t width = (uint32_t)record->patch_width, height = (uint32_t)record->patch_height;
	border b = { .model = surface->model, .bounds = BSPI_EMPTY_BOUNDS };
	b.vertices = allocate(2 * (size_t)(columns + rows), sizeof *b.vertices);
	b.pieces = allocate((size_t)(width + height) * PIECES, sizeof *b.pieces);
	for (uint32_t c = 0; c < columns; c++) {
		add_vertex(&b, mesh, face->first_vertex + c);
		add_vertex(&b, mesh, face->first_vertex + (rows - 1) * columns + c);
	}
	for (uint32_t r = 0; r < rows; r++) {
		add_vertex(&b, mesh, face->first_vertex + r * columns);
		add_vertex(&b, mesh, face->first_vertex + r * columns + columns - 1);
	}
	for (uint32_t y = 0; y < height; y += height - 1) {
		for (uint32_t x = 0; x + 2 < width; x += 2) {
			const bspi_draw_vertex *c = &controls[y * width + x];
			add_curve(&b, c[0].position, c[1].position, c[2].position);
		}
	}
	for (uint32_t x = 0; x < width; x += width - 1) {
		for (uint32_t y = 0; y + 2 < height; y += 2) {
			const bspi_draw_vertex *c = &controls[y * width + x];
			add_curve(&b, c[0].position, c[width].position, c[2 * width].position);
		}
	}
	return b;
}

static double distance_from_piece(const float p[3], const piece *of)
{
	double along = 0, length = 0, distance = 0;
	for (int i = 0; i < 3; i++) {
		double side = (double)of->to[i] - (double)of->from[i];
		along += ((double)p[i] - (double)of->from[i]) * side;
		length += side * side;
	}
	double t = length > 0 ? fmin(fmax(along / length, 0), 1) : 0;
	for (int i = 0; i < 3; i++) {
		double nearest = (double)of->from[i] + t * ((double)of->to[i] - (double)of->from[i]);
		distance += ((double)p[i] - nearest) * ((double)p[i] - nearest);
	}
	return sqrt(distance);
}

static const piece *find_piece(const border *b, const float p[3])
{
	const piece *best = NULL;
	double nearest = ON_CURVE;
	for (uint32_t i = 0; i < b->piece_count; i++) {
		double distance = distance_from_piece(p, &b->pieces[i]);
		if (distance > nearest) continue;
		nearest = distance;
		best = &b->pieces[i];
	}
	return best;
}

static void judge_vertex(const float p[3], const border *other, bspt_cracks *cracks)
{
	bool near = false;
	for (uint32_t i = 0; i < other->vertex_count; i++) {
		const float *q = other->vertices[i];
		if (p[0] == q[0] && p[1] == q[1] && p[2] == q[2]) {
			cracks->touching++;
			return;
		}
		near = near || (fabsf(p[0] - q[0]) <= ONE_POINT && fabsf(p[1] - q[1]) <= ONE_POINT && fabsf(p[2] - q[2]) <= ONE_POINT);
	}
	const piece *under = find_piece(other, p);
	if (!near && !under) return;
	cracks->touching++;
	if (near) cracks->apart++;
	else if (under->straight) cracks->on_straight++;
	else cracks->open++;
}

static bool bounds_meet(const bspscene_bounds *a, const bspscene_bounds *b)
{
	for (int i = 0; i < 3; i++) {
		if (a->min[i] > b->max[i] + 1 || b->min[i] > a->max[i] + 1) return false;
	}
	return true;
}

static uint32_t make_borders(const bspi_build *build, border *borders)
{
	const bspi_surface **surfaces = allocate(build->map->faces_count, sizeof *surfaces);
	uint32_t count = 0;
	for (uint32_t i = 0; i < build->plan.surface_count; i++) surfaces[build->plan.surfaces[i].face] = &build->plan.surfaces[i];
	for (uint32_t i = 0; i < build->scene->face_count; i++) {
		const bspscene_face *face = &build->scene->faces[i];
		if (build->map->faces[face->source].kind == BSPI_FACE_PATCH) borders[count++] = make_border(build, face, surfaces[face->source]);
	}
	free(surfaces);
	return count;
}

bspt_cracks bspt_find_cracks(const bspi_build *build)
{
	bspt_cracks cracks = { 0 };
	border *borders = allocate(build->scene->face_count, sizeof *borders);
	uint32_t count = make_borders(build, borders);
	for (uint32_t a = 0; a < count; a++) {
		for (uint32_t b = 0; b < count; b++) {
			if (a == b || borders[a].model != borders[b].model || !bounds_meet(&borders[a].bounds, &borders[b].bounds)) continue;
			for (uint32_t i = 0; i < borders[a].vertex_count; i++) judge_vertex(borders[a].vertices[i], &borders[b], &cracks);
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		free(borders[i].vertices);
		free(borders[i].pieces);
	}
	free(borders);
	return cracks;
}
