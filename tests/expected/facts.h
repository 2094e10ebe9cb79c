/* facts.h - an atrium's scene and the facts its map text promises, for the checks of test_quake3.c. */
#ifndef BSPT_FACTS_H
#define BSPT_FACTS_H

#include <jansson.h>

#include "support/bspt.h"

/* One triangle of a mesh with the data for the checks. */
typedef struct bspt_triangle {
	double corner[3][3], uv[3][2], normal[3], area;
	const char *material;
	uint32_t face;                     /* into scene->faces */
} bspt_triangle;

typedef struct bspt_atrium {
	const char *name;                  /* "quake3/maps/atrium.bsp" */
	bspscene_scene *scene;
	bspt_bytes file;
	const json_t *facts, *map_facts;
} bspt_atrium;

/* Triangles of a mesh; the caller frees the array. */
bspt_triangle *bspt_triangles(const bspscene_scene *scene, uint32_t mesh, size_t *count);
/* Type of a face's surface in the file, read independently: 1 planar, 2 patch, 3 soup, 4 flare, 5 foliage. */
int bspt_surface_type(const bspt_atrium *atrium, uint32_t face);

double bspt_number(const json_t *object, const char *key);
const char *bspt_string(const json_t *object, const char *key);
void bspt_vector(const json_t *array, double *out, size_t count);
double bspt_distance(const double a[3], const double b[3]);
/* Distance from a point to a triangle, and the uv of the nearest point. */
double bspt_triangle_distance(const bspt_triangle *triangle, const double point[3], double uv[2]);
/* "textures/sample/brick" -> "brick". */
const char *bspt_base_name(const char *material);

#endif
