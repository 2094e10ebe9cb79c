/* facts.h - a scene of the atrium and the facts that its map text gives, for the checks of test_quake3.c. */
#ifndef BSPT_FACTS_H
#define BSPT_FACTS_H

#include <jansson.h>

#include "support/bspt.h"

/* One triangle of a mesh with its data. */
typedef struct bspt_triangle {
	double corner[3][3], uv[3][2], normal[3], area;
	const char *material;
	uint32_t face;                     /* index into scene->faces */
} bspt_triangle;

typedef struct bspt_atrium {
	const char *name;                  /* path below fixtures/atrium, such as "quake3/maps/atrium.bsp" */
	bspscene_scene *scene;
	bspt_bytes file;
	const json_t *facts, *map_facts;
} bspt_atrium;

/* Returns the triangles of a mesh and sets `*count`. The caller frees the array. */
bspt_triangle *bspt_triangles(const bspscene_scene *scene, uint32_t mesh, size_t *count);
/* Returns the type of a face, read from the file without the library: 1 planar, 2 patch, 3 triangle soup, 4 flare, 5
 * foliage. */
int bspt_surface_type(const bspt_atrium *atrium, uint32_t face);

double bspt_number(const json_t *object, const char *key);
const char *bspt_string(const json_t *object, const char *key);
void bspt_vector(const json_t *array, double *out, size_t count);
double bspt_distance(const double a[3], const double b[3]);
/* Returns the distance from a point to a triangle. Also gets the texture coordinates of the triangle's nearest
 * point. */
double bspt_triangle_distance(const bspt_triangle *triangle, const double point[3], double uv[2]);
/* Returns the last part of a material's name, such as "brick" for "textures/sample/brick". */
const char *bspt_base_name(const char *material);

#endif
