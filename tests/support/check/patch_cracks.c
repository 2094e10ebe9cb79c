/* patch_cracks.c - compares border vertices of every patch with the border curves of all others. See patch_cracks.h. */
#include "support/check/patch_cracks.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

/* Largest distance of a vertex from a curve that it is on, in game units. */
#define ON_CURVE 0.02
/* Largest distance between control points that count as one point, in game units. */
#define SAME_POINT 0.1f
/* Vertices of two patches that are closer than this, in game units, are `apart` and not a visible gap. */
#define CLOSE 0.25f
#define STRAIGHT 0.01
enum { PIECES = 64 };                  /* number of lines that approximate a curve */

typedef struct curve {
	float points[3][3];
	bool straight;
} curve;

typedef struct piece {
	float from[3], to[3];
	const curve *of;
} piece;

typedef struct vertex {
	float position[3];
	const curve *of;
} vertex;

typedef struct border {
	uint32_t model;
	bspscene_bounds bounds;
	vertex *vertices; uint32_t vertex_count;
	curve *curves; uint32_t curve_count;
	piece *pieces; uint32_t piece_count;
} border;

static void *allocate(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);
	assert(p);
	return p;
}

static bool is_straight(const curve *c)
{
	double bend[3], chord[3], along = 0, length = 0, squared = 0;
	for (int i = 0; i < 3; i++) {
		bend[i] = ((double)c->points[0][i] - 2 * (double)c->points[1][i] + (double)c->points[2][i]) / 4;
		chord[i] = (double)c->points[2][i] - (double)c->points[0][i];
		along += bend[i] * chord[i];
		length += chord[i] * chord[i];
		squared += bend[i] * bend[i];
	}
	return squared - (length > 0 ? along * along / length : 0) < STRAIGHT * STRAIGHT;
}

static void add_pieces(border *b, const curve *c)
{
	for (int k = 0; k < PIECES; k++) {
		piece *out = &b->pieces[b->piece_count++];
		out->of = c;
		for (int end = 0; end < 2; end++) {
			double t = (double)(k + end) / PIECES;
			for (int i = 0; i < 3; i++) {
				double value = (1 - t) * (1 - t) * (double)c->points[0][i] + 2 * t * (1 - t) * (double)c->points[1][i] +
				               t * t * (double)c->points[2][i];
				(end ? out->to : out->from)[i] = (float)value;
			}
		}
	}
}

/* One border of a patch. It has `count` control points; the steps are the distances between elements in the arrays. */
typedef struct side {
	const bspi_draw_vertex *controls;
	size_t control_step;
	uint32_t count;
	const float *vertices;
	size_t vertex_step;
	const uint8_t *levels;
} side;

static void add_side(border *b, const side *s)
{
	size_t at = 0;
	for (uint32_t band = 0; band < s->count / 2; band++) {
		curve *c = &b->curves[b->curve_count++];
		for (uint32_t i = 0; i < 3; i++) {
			memcpy(c->points[i], s->controls[(2 * band + i) * s->control_step].position, sizeof c->points[i]);
		}
		c->straight = is_straight(c);
		add_pieces(b, c);
		uint32_t strips = 1u << s->levels[band];
		for (uint32_t i = 0; i <= strips; i++) {
			vertex *v = &b->vertices[b->vertex_count++];
			memcpy(v->position, s->vertices + 3 * (at + i) * s->vertex_step, sizeof v->position);
			v->of = c;
			bspi_bounds_add(&b->bounds, v->position);
		}
		at += strips;
	}
}

static border make_border(const bspi_build *build, const bspscene_face *face, const bspi_surface *surface)
{
	const bspi_face *record = &build->map->faces[face->record];
	const bspi_draw_vertex *controls = &build->map->draw_vertices[record->first_vertex];
	const float *vertices = build->scene->meshes[face->mesh]->positions + 3 * (size_t)face->first_vertex;
	const uint8_t *levels = build->plan.band_levels + surface->first_band;
	size_t columns = surface->patch_columns, rows = surface->patch_rows;
	uint32_t width = (uint32_t)record->patch_width, height = (uint32_t)record->patch_height;
	border b = { .model = surface->part, .bounds = BSPI_EMPTY_BOUNDS };
	b.vertices = allocate(4 * (columns + rows), sizeof *b.vertices);
	b.curves = allocate(width + height, sizeof *b.curves);
	b.pieces = allocate((size_t)(width + height) * PIECES, sizeof *b.pieces);
	for (uint32_t end = 0; end < 2; end++) {
		const bspi_draw_vertex *row = controls + (end ? (size_t)(height - 1) * width : 0),
		                       *column = controls + (end ? width - 1 : 0);
		add_side(&b, &(side){ row, 1, width, vertices + (end ? 3 * (rows - 1) * columns : 0), 1, levels });
		add_side(&b, &(side){ column, width, height, vertices + (end ? 3 * (columns - 1) : 0), columns,
		                      levels + (width - 1) / 2 });
	}
	return b;
}

static double distance_from_piece(const float p[3], const piece *of)
{
	double along = 0, length = 0, distance = 0;
	for (int i = 0; i < 3; i++) {
		double step = (double)of->to[i] - (double)of->from[i];
		along += ((double)p[i] - (double)of->from[i]) * step;
		length += step * step;
	}
	double t = length > 0 ? fmin(fmax(along / length, 0), 1) : 0;
	for (int i = 0; i < 3; i++) {
		double nearest = (double)of->from[i] + t * ((double)of->to[i] - (double)of->from[i]);
		distance += ((double)p[i] - nearest) * ((double)p[i] - nearest);
	}
	return sqrt(distance);
}

static bool is_close(const float a[3], const float b[3], float distance)
{
	return fabsf(a[0] - b[0]) <= distance && fabsf(a[1] - b[1]) <= distance && fabsf(a[2] - b[2]) <= distance;
}

static bool same_curve(const curve *a, const curve *b)
{
	if (!is_close(a->points[1], b->points[1], SAME_POINT)) return false;
	return (is_close(a->points[0], b->points[0], SAME_POINT) && is_close(a->points[2], b->points[2], SAME_POINT)) ||
	       (is_close(a->points[0], b->points[2], SAME_POINT) && is_close(a->points[2], b->points[0], SAME_POINT));
}

/* Returns the border curve that a vertex is on, preferably of its own patch, or NULL. */
static const curve *find_curve(const border *b, const vertex *v)
{
	const curve *best = NULL;
	double nearest = ON_CURVE;
	for (uint32_t i = 0; i < b->piece_count; i++) {
		double distance = distance_from_piece(v->position, &b->pieces[i]);
		if (distance <= ON_CURVE && same_curve(v->of, b->pieces[i].of)) return b->pieces[i].of;
		if (distance > nearest) continue;
		nearest = distance;
		best = b->pieces[i].of;
	}
	return best;
}

static void judge_vertex(const vertex *v, const border *other, bspt_cracks *cracks)
{
	bool close = false;
	for (uint32_t i = 0; i < other->vertex_count; i++) {
		if (is_close(v->position, other->vertices[i].position, 0)) {
			cracks->touching++;
			return;
		}
		close = close || is_close(v->position, other->vertices[i].position, CLOSE);
	}
	const curve *under = find_curve(other, v);
	if (!under && !close) return;
	cracks->touching++;
	if (under && same_curve(v->of, under)) cracks->torn++;
	else if (close) cracks->apart++;
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
	for (uint32_t i = 0; i < build->plan.surface_count; i++) {
		surfaces[build->plan.surfaces[i].face] = &build->plan.surfaces[i];
	}
	for (uint32_t i = 0; i < build->scene->face_count; i++) {
		const bspscene_face *face = &build->scene->faces[i];
		if (build->map->faces[face->record].kind == BSPI_FACE_PATCH) {
			borders[count++] = make_border(build, face, surfaces[face->record]);
		}
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
			bool apart = borders[a].model != borders[b].model || !bounds_meet(&borders[a].bounds, &borders[b].bounds);
			if (a == b || apart) continue;
			for (uint32_t i = 0; i < borders[a].vertex_count; i++) {
				judge_vertex(&borders[a].vertices[i], &borders[b], &cracks);
			}
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		free(borders[i].vertices);
		free(borders[i].curves);
		free(borders[i].pieces);
	}
	free(borders);
	return cracks;
}
