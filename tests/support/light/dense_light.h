/* dense_light.h - measures the error of baked vertex light against the pages, at every half luxel and along all edges.
 * It uses only the public scenes and its own bilinear filter. */
#ifndef BSPT_DENSE_LIGHT_H
#define BSPT_DENSE_LIGHT_H

#include <bspscene/scene.h>

enum { BSPT_DENSE_BINS = 25601 };

/* Errors of light in display space, in steps of 1/255. Light is compared at points half a luxel apart. */
typedef struct bspt_dense_light {
	/* The number of points by error, in hundredths of a step, and the number of all points. */
	uint64_t bins[BSPT_DENSE_BINS], count;
	double largest, largest_on_edges;
	uint64_t lost;                     /* number of baked triangles outside of all triangles of their face */
} bspt_dense_light;

/* Adds the errors of faces in lightmapped sections. `scene` must have pages of one style, stored as bytes. */
void bspt_measure_light(const bspscene_scene *scene, const bspscene_scene *baked, bspt_dense_light *out);
/* Returns the error that is not exceeded at the share `share` (0..1) of all points. */
double bspt_light_quantile(const bspt_dense_light *light, double share);
/* Returns the total length of the edges that only one triangle of the mesh has. If two triangles share an edge, and it
 * is divided in only one of them, it becomes open. */
double bspt_open_length(const bspscene_mesh *mesh);

#endif
