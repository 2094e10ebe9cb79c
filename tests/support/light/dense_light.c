/* dense_light.c - see dense_light.h. */
#include "support/light/dense_light.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <bspscene/material.h>

typedef struct place {
	double x, y;                       /* position in luxels of the page */
	const float *light;
} place;

/* A face, in the scene with pages and in the baked one. */
typedef struct sides {
	const bspscene_mesh *mesh, *baked;
	const bspscene_face *face;
	const bspscene_lightmap_page *page;
	double intensity;
	bspt_dense_light *out;
} sides;

static double display_of(double linear)
{
	if (linear <= 0.0031308) return linear > 0 ? linear * 12.92 : 0;
	return 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

static double luxel(const bspscene_lightmap_page *page, int64_t x, int64_t y, int channel)
{
	x = x < 0 ? 0 : x >= page->width ? page->width - 1 : x;
	y = y < 0 ? 0 : y >= page->height ? page->height - 1 : y;
	return ((const uint8_t *)page->data)[3 * ((size_t)y * page->width + (size_t)x) + (size_t)channel] / 255.0;
}

static double page_light(const sides *s, double x, double y, int channel)
{
	double fx = floor(x - 0.5), fy = floor(y - 0.5), tx = x - 0.5 - fx, ty = y - 0.5 - fy;
	int64_t ix = (int64_t)fx, iy = (int64_t)fy;
	double top = luxel(s->page, ix, iy, channel) * (1 - tx) + luxel(s->page, ix + 1, iy, channel) * tx;
	double bottom = luxel(s->page, ix, iy + 1, channel) * (1 - tx) + luxel(s->page, ix + 1, iy + 1, channel) * tx;
	return (top * (1 - ty) + bottom * ty) * s->intensity;
}

static double error_at(const sides *s, const place p[3], const double shares[3])
{
	double x = 0, y = 0, most = 0;
	for (int k = 0; k < 3; k++) {
		x += p[k].x * shares[k];
		y += p[k].y * shares[k];
	}
	for (int c = 0; c < 3; c++) {
		double light = 0;
		for (int k = 0; k < 3; k++) light += (double)p[k].light[c] * shares[k];
		most = fmax(most, fabs(display_of(light) - page_light(s, x, y, c)));
	}
	return 255 * most;
}

/* ---- Where a baked triangle is ---------------------------------------------------------------------------- */

static void position_of(const bspscene_mesh *mesh, uint32_t vertex, double out[3])
{
	for (size_t i = 0; i < 3; i++) out[i] = (double)mesh->positions[3 * (size_t)vertex + i];
}

/* Gets the barycentric coordinates of a point's projection onto a triangle's plane; false if the triangle has no
 * area. */
static bool shares_of(double corners[3][3], const double at[3], double out[3])
{
	double b[3], c[3], p[3], bb = 0, bc = 0, cc = 0, pb = 0, pc = 0;
	for (int i = 0; i < 3; i++) {
		b[i] = corners[1][i] - corners[0][i];
		c[i] = corners[2][i] - corners[0][i];
		p[i] = at[i] - corners[0][i];
		bb += b[i] * b[i];
		bc += b[i] * c[i];
		cc += c[i] * c[i];
		pb += p[i] * b[i];
		pc += p[i] * c[i];
	}
	double size = bb * cc - bc * bc;
	if (!(size > 1e-9 * bb * cc)) return false;
	out[1] = (cc * pb - bc * pc) / size;
	out[2] = (bb * pc - bc * pb) / size;
	out[0] = 1 - out[1] - out[2];
	return true;
}

/* Returns the first index of the face's triangle that contains a point or is nearest to it. Returns NO_INDEX if all
 * triangles have no area. */
static uint32_t find_triangle(const sides *s, const double at[3])
{
	double nearest = 1e30;
	uint32_t found = BSPSCENE_NO_INDEX;
	for (uint32_t i = s->face->first_index; i < s->face->first_index + s->face->index_count; i += 3) {
		double corners[3][3], shares[3], away = 0;
		for (uint32_t k = 0; k < 3; k++) position_of(s->mesh, s->mesh->indices[i + k], corners[k]);
		if (!shares_of(corners, at, shares)) continue;
		double low = fmin(shares[0], fmin(shares[1], shares[2]));
		for (int c = 0; c < 3; c++) {
			double on = corners[0][c] * shares[0] + corners[1][c] * shares[1] + corners[2][c] * shares[2];
			away += (on - at[c]) * (on - at[c]);
		}
		double score = away - 100 * fmin(low, 0);
		if (score >= nearest) continue;
		nearest = score;
		found = i;
	}
	return found;
}

static bool place_triangle(const sides *s, const uint32_t *indices, place out[3])
{
	double middle[3] = { 0, 0, 0 }, corners[3][3], at[3];
	for (int k = 0; k < 3; k++) {
		position_of(s->baked, indices[k], at);
		for (int i = 0; i < 3; i++) middle[i] += at[i] / 3;
	}
	uint32_t triangle = find_triangle(s, middle);
	if (triangle == BSPSCENE_NO_INDEX) return false;
	const uint32_t *from = s->mesh->indices + triangle;
	for (uint32_t k = 0; k < 3; k++) position_of(s->mesh, from[k], corners[k]);
	for (int k = 0; k < 3; k++) {
		double shares[3], uv[2] = { 0, 0 };
		position_of(s->baked, indices[k], at);
		if (!shares_of(corners, at, shares)) return false;
		for (int c = 0; c < 3; c++) {
			for (size_t i = 0; i < 2; i++) uv[i] += (double)s->mesh->lightmap_uvs[2 * (size_t)from[c] + i] * shares[c];
		}
		out[k] = (place){ uv[0] * s->page->width, uv[1] * s->page->height,
		                  s->baked->baked_light + 3 * (size_t)indices[k] };
	}
	return true;
}

/* ---- Points ----------------------------------------------------------------------------------------------- */

static void add_point(sides *s, double error)
{
	int bin = (int)(error * 100);
	s->out->bins[bin < BSPT_DENSE_BINS ? bin : BSPT_DENSE_BINS - 1]++;
	s->out->count++;
	s->out->largest = fmax(s->out->largest, error);
}

static void measure_edges(sides *s, const place p[3])
{
	for (int k = 0; k < 3; k++) {
		int l = (k + 1) % 3;
		double length = sqrt(pow(p[l].x - p[k].x, 2) + pow(p[l].y - p[k].y, 2));
		int count = (int)fmin(fmax(8 * length, 8), 400);
		for (int i = 1; i < count; i++) {
			double shares[3] = { 0, 0, 0 };
			shares[k] = 1 - (double)i / count;
			shares[l] = (double)i / count;
			s->out->largest_on_edges = fmax(s->out->largest_on_edges, error_at(s, p, shares));
		}
	}
}

static void measure_inside(sides *s, const place p[3])
{
	double size = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
	if (fabs(size) < 1e-6) return;
	double x0 = fmin(p[0].x, fmin(p[1].x, p[2].x)), x1 = fmax(p[0].x, fmax(p[1].x, p[2].x));
	double y0 = fmin(p[0].y, fmin(p[1].y, p[2].y)), y1 = fmax(p[0].y, fmax(p[1].y, p[2].y));
	for (double y = ceil(2 * y0) / 2; y <= y1; y += 0.5) {
		for (double x = ceil(2 * x0) / 2; x <= x1; x += 0.5) {
			double b = ((x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (y - p[0].y)) / size;
			double c = ((p[1].x - p[0].x) * (y - p[0].y) - (x - p[0].x) * (p[1].y - p[0].y)) / size;
			const double shares[3] = { 1 - b - c, b, c };
			if (b >= 0 && c >= 0 && b + c <= 1) add_point(s, error_at(s, p, shares));
		}
	}
}

static void measure_face(const bspscene_scene *scene, const bspscene_scene *baked, uint32_t index,
                         bspt_dense_light *out)
{
	const bspscene_face *face = &scene->faces[index], *now = &baked->faces[index];
	sides s = { scene->meshes[face->mesh], baked->meshes[face->mesh], face, NULL, 1, out };
	const bspscene_section *section = s.mesh->sections[face->section];
	bool mapped = section->lighting == BSPSCENE_LIGHTING_LIGHTMAP && section->lightmap_page != BSPSCENE_NO_INDEX;
	if (!mapped || (s.mesh->colors && scene->materials[section->material]->vertex_lit)) return;
	s.page = &scene->lightmap_sets[0].pages[section->lightmap_page];
	s.intensity = (double)scene->lightmap_sets[0].intensity;
	if (!s.page->data || s.page->format != BSPSCENE_LIGHTMAP_PAGE_RGB8) return;
	for (uint32_t i = now->first_index; i < now->first_index + now->index_count; i += 3) {
		place places[3];
		if (!place_triangle(&s, s.baked->indices + i, places)) {
			out->lost++;
			continue;
		}
		measure_edges(&s, places);
		measure_inside(&s, places);
	}
}

void bspt_measure_light(const bspscene_scene *scene, const bspscene_scene *baked, bspt_dense_light *out)
{
	for (uint32_t i = 0; scene->lightmap_set_count && i < scene->face_count; i++) measure_face(scene, baked, i, out);
}

double bspt_light_quantile(const bspt_dense_light *light, double share)
{
	uint64_t sum = 0, wanted = (uint64_t)(share * (double)light->count);
	for (int i = 0; i < BSPT_DENSE_BINS; i++) {
		sum += light->bins[i];
		if (sum > wanted) return (i + 1) / 100.0;
	}
	return light->largest;
}

/* ---- Borders ---------------------------------------------------------------------------------------------- */

/* An edge by the positions of its ends, the smaller one first. */
typedef struct edge {
	float ends[2][3];
	double length;
} edge;

static int compare_edges(const void *left, const void *right)
{
	const edge *a = left, *b = right;
	return memcmp(a->ends, b->ends, sizeof a->ends);
}

static edge edge_of(const bspscene_mesh *mesh, uint32_t from, uint32_t to)
{
	edge e = { .length = 0 };
	double sum = 0;
	for (size_t k = 0; k < 3; k++) {
		e.ends[0][k] = mesh->positions[3 * (size_t)from + k] + 0.0f;
		e.ends[1][k] = mesh->positions[3 * (size_t)to + k] + 0.0f;
		sum += pow((double)e.ends[1][k] - (double)e.ends[0][k], 2);
	}
	e.length = sqrt(sum);
	if (memcmp(e.ends[0], e.ends[1], sizeof e.ends[0]) > 0) {
		float swap[3];
		memcpy(swap, e.ends[0], sizeof swap);
		memcpy(e.ends[0], e.ends[1], sizeof swap);
		memcpy(e.ends[1], swap, sizeof swap);
	}
	return e;
}

double bspt_open_length(const bspscene_mesh *mesh)
{
	edge *edges = calloc(mesh->index_count + 1, sizeof *edges);
	size_t count = 0;
	double open = 0;
	for (uint32_t i = 0; edges && i < mesh->index_count; i++) {
		edges[count] = edge_of(mesh, mesh->indices[i], mesh->indices[i % 3 == 2 ? i - 2 : i + 1]);
		count += edges[count].length > 0;
	}
	if (edges) qsort(edges, count, sizeof *edges, compare_edges);
	for (size_t i = 0, run; i < count; i += run) {
		for (run = 1; i + run < count && !compare_edges(&edges[i], &edges[i + run]); run++) continue;
		if (run == 1) open += edges[i].length;
	}
	free(edges);
	return edges ? open : -1;
}
