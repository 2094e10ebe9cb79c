/* writer_costs.h - about how long writers take for parts of a scene, so that their progress goes with the time.
 * base/costs.h has the numbers. */
#ifndef BSPI_WRITER_COSTS_H
#define BSPI_WRITER_COSTS_H

#include <bspscene/material.h>

#include "writers/writers.h"

/* What a writer encodes besides its meshes. */
enum {
	BSPI_WRITES_PICTURES = 1, /* of the materials that are drawn */
	BSPI_WRITES_PAGES = 2,    /* the first set, where light is written in pages */
	BSPI_WRITES_SETS = 4,     /* the pages of all sets */
	BSPI_WRITES_NODES = 8,    /* a mesh again for each node that shows it */
	BSPI_WRITES_LIT = 16,     /* where light is baked: the picture of lit.h */
	BSPI_WRITES_SKY = 32,     /* a panorama of the sky, where it is asked for */
	BSPI_WRITES_PANORAMA = 64,/* the same by default */
	BSPI_WRITES_CUBE = 128,   /* a cube of the sky, by default around a map of baked light */
};

/* Before the writer's own work: adding up light styles, or putting light into vertices. */
double bspi_cost_of_bake(const bspi_writer *writer);
/* Of all of the writer's own work, which gives it in the parts below; `contents`: of the above. When light will be put
 * into vertices, the scene is `divided` already, or not yet. False: memory is out. */
bool bspi_cost_of_writing(bspi_writer *writer, unsigned contents, bool divided, double *out);

/* Of the sky's picture. */
double bspi_cost_of_sky(const bspi_writer *writer);
/* `changed`: not as the game has it, so that it cannot be handed on. */
double bspi_cost_of_picture(const bspi_writer *writer, const bspscene_image *image, bool changed);
double bspi_cost_of_page(const bspi_writer *writer, const bspscene_lightmap_page *page);
double bspi_cost_of_lit_texels(uint64_t count);
double bspi_cost_of_triangles(const bspi_writer *writer, uint64_t count);
/* Of finding the colors of a material with this image, or NO_INDEX, in such light: see gltf_tone.c. */
typedef enum bspi_tone_light { BSPI_TONE_UNKNOWN, BSPI_TONE_PLAIN, BSPI_TONE_BRIGHT } bspi_tone_light;
double bspi_cost_of_tone(const bspi_writer *writer, uint32_t image, bspi_tone_light light);

#endif
