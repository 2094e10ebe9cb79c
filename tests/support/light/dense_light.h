/* dense_light.h - measures how far baked vertex light is from the pages it was made of, at every half luxel and along
 * all edges, using the public scenes and its own bilinear filter only. */
#ifndef BSPT_DENSE_LIGHT_H
#define BSPT_DENSE_LIGHT_H

#include <bspscene/bspscene.h>

enum { BSPT_DENSE_BINS = 25601 };

/* In steps of 255 of display values. */
typedef struct bspt_dense_light {
	uint64_t bins[BSPT_DENSE_BINS], count; /* half luxels, by hundredths of a step */
	double largest, largest_on_edges;
	uint64_t lost;                     /* triangles that are inside none of their face's */
} bspt_dense_light;

/* Adds what faces of lightmapped sections show; `scene` must have pages of one style and of bytes. */
void bspt_measure_light(const bspscene_scene *scene, const bspscene_scene *baked, bspt_dense_light *out);
/* The error that this share of all half luxels does not exceed. */
double bspt_light_quantile(const bspt_dense_light *light, double share);
/* Length of all edges that only one triangle of a mesh has, for all meshes. An edge that was closed and is divided on
 * one side only is open. */
double bspt_open_length(const bspscene_mesh *mesh);

#endif
