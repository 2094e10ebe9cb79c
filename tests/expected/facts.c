/* facts.c - geometry and JSON for the checks of test_quake3.c, independent of the library. See facts.h. */
#include "expected/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <bspscene/material.h>

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void subtract(double out[3], const double a[3], const double b[3])
{
	for (int i = 0; i < 3; i++) out[i] = a[i] - b[i];
}

double bspt_distance(const double a[3], const double b[3])
{
	double d[3];
	subtract(d, a, b);
	return sqrt(dot(d, d));
}

static void finish_triangle(bspt_triangle *t)
{
	double u[3], v[3];
	subtract(u, t->corner[1], t->corner[0]);
	subtract(v, t->corner[2], t->corner[0]);
	for (int i = 0; i < 3; i++) t->normal[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
	double length = sqrt(dot(t->normal, t->normal));
	t->area = length / 2;
	for (int i = 0; i < 3 && length > 0; i++) t->normal[i] /= length;
}

bspt_triangle *bspt_triangles(const bspscene_scene *scene, uint32_t number, size_t *count)
{
	const bspscene_mesh *mesh = scene->meshes[number];
	bspt_triangle *triangles = calloc(mesh->index_count / 3 + 1, sizeof *triangles);
	if (!triangles) bspt_die("allocate", mesh->name);
	*count = 0;
	for (uint32_t s = 0; s < mesh->section_count; s++) {
		const bspscene_section *section = mesh->sections[s];
		for (uint32_t f = section->first_face; f < section->first_face + section->face_count; f++) {
			const bspscene_face *face = &scene->faces[f];
			for (uint32_t i = face->first_index; i < face->first_index + face->index_count; i += 3) {
				bspt_triangle *t = &triangles[(*count)++];
				t->material = scene->materials[section->material]->name;
				t->face = f;
				for (int c = 0; c < 3; c++) {
					uint32_t vertex = mesh->indices[i + (uint32_t)c];
					for (int k = 0; k < 3; k++) {
						t->corner[c][k] = (double)mesh->positions[3 * (size_t)vertex + (size_t)k];
					}
					for (int k = 0; k < 2; k++) t->uv[c][k] = (double)mesh->uvs[2 * (size_t)vertex + (size_t)k];
				}
				finish_triangle(t);
			}
		}
	}
	return triangles;
}

static uint32_t read_u32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

int bspt_surface_type(const bspt_atrium *atrium, uint32_t face)
{
	enum { SURFACES = 13, RECORD = 104, TYPE = 8 };
	size_t offset = read_u32(atrium->file.data + 8 + 8 * SURFACES);
	size_t at = offset + (size_t)atrium->scene->faces[face].record * RECORD + TYPE;
	if (at + 4 > atrium->file.size) bspt_die("find a surface of", atrium->name);
	return (int)read_u32(atrium->file.data + at);
}

double bspt_number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	if (!json_is_number(value)) bspt_die("find the number", key);
	return json_number_value(value);
}

const char *bspt_string(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	if (!text) bspt_die("find the text", key);
	return text;
}

void bspt_vector(const json_t *array, double *out, size_t count)
{
	if (json_array_size(array) < count) bspt_die("read", "a vector");
	for (size_t i = 0; i < count; i++) out[i] = json_number_value(json_array_get(array, i));
}

const char *bspt_base_name(const char *material)
{
	const char *slash = strrchr(material, '/');
	return slash ? slash + 1 : material;
}

/* The triangle's nearest point is inside of it, or on the nearest edge. */
double bspt_triangle_distance(const bspt_triangle *t, const double point[3], double uv[2])
{
	double best = INFINITY;
	double u[3], v[3], w[3];
	subtract(u, t->corner[1], t->corner[0]);
	subtract(v, t->corner[2], t->corner[0]);
	subtract(w, point, t->corner[0]);
	double uu = dot(u, u), uvd = dot(u, v), vv = dot(v, v), wu = dot(w, u), wv = dot(w, v);
	double determinant = uu * vv - uvd * uvd;
	double b = determinant > 0 ? (wu * vv - wv * uvd) / determinant : -1;
	double c = determinant > 0 ? (wv * uu - wu * uvd) / determinant : -1;
	double weights[4][3] = { { 1 - b - c, b, c } };
	bool inside = b >= 0 && c >= 0 && b + c <= 1;
	for (int e = 0; e < 3; e++) {
		double along[3], from[3];
		subtract(along, t->corner[(e + 1) % 3], t->corner[e]);
		subtract(from, point, t->corner[e]);
		double length = dot(along, along);
		double s = length > 0 ? fmin(fmax(dot(from, along) / length, 0), 1) : 0;
		weights[e + 1][e] = 1 - s;
		weights[e + 1][(e + 1) % 3] = s;
		weights[e + 1][(e + 2) % 3] = 0;
	}
	for (int i = inside ? 0 : 1; i < 4; i++) {
		double nearest[3];
		for (int k = 0; k < 3; k++) {
			nearest[k] = weights[i][0] * t->corner[0][k] + weights[i][1] * t->corner[1][k] +
			             weights[i][2] * t->corner[2][k];
		}
		double distance = bspt_distance(nearest, point);
		if (distance >= best) continue;
		best = distance;
		for (int k = 0; k < 2; k++) {
			uv[k] = weights[i][0] * t->uv[0][k] + weights[i][1] * t->uv[1][k] + weights[i][2] * t->uv[2][k];
		}
	}
	return best;
}
