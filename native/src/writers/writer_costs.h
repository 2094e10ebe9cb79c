/* writer_costs.h - estimates how long writers take for the parts of a scene, so that progress is proportional to time.
 * The numbers are in base/costs.h. */
#ifndef BSPI_WRITER_COSTS_H
#define BSPI_WRITER_COSTS_H

#include <bspscene/scene.h>

#include "writers/writers.h"

/* Bits for what a writer encodes in addition to meshes. */
enum {
	BSPI_WRITES_PICTURES = 1, /* pictures of the materials that are drawn */
	BSPI_WRITES_PAGES = 2,    /* pages of the first lightmap set, if light is written in pages */
	BSPI_WRITES_SETS = 4,     /* pages of all lightmap sets */
	BSPI_WRITES_NODES = 8,    /* a mesh is written again for each node that shows it */
	BSPI_WRITES_LIT = 16,     /* the baked picture of lit.h, if light is baked */
	BSPI_WRITES_SKY = 32,     /* the sky, if the options request it */
	BSPI_WRITES_PANORAMA = 64,/* a panorama of the sky, unless the options request something else */
	BSPI_WRITES_CUBE = 128,   /* a cube of the sky; if light is baked, unless the options request
	                           * something else; otherwise only if they request it */
};

/* Returns the cost of the bake before writing: adding up light styles, or moving light into vertices. */
double bspi_cost_of_bake(const bspi_writer *writer);
/* Computes the cost of all work of the writer itself. `contents` are the bits above. `divided`: the meshes have been
 * subdivided already, if light is in vertices. Returns false if memory is out. */
bool bspi_cost_of_writing(bspi_writer *writer, unsigned contents, bool divided, double *out);

/* Returns the cost of the sky's picture. */
double bspi_cost_of_sky(const bspi_writer *writer);
/* These return the cost of one part. `changed`: the image must be encoded, because its file cannot be used
 * unchanged. */
double bspi_cost_of_picture(const bspi_writer *writer, const bspscene_image *image, bool changed);
double bspi_cost_of_page(const bspi_writer *writer, const bspscene_lightmap_page *page);
double bspi_cost_of_lit_texels(uint64_t count);
double bspi_cost_of_triangles(const bspi_writer *writer, uint64_t count);
/* bspi_cost_of_tone returns the cost of computing vertex colors for the light on a material (gltf_tone.c). `image` is
 * the material's base image, or NO_INDEX. `light` says whether some light on the material is brighter than white
 * (BRIGHT), none is (PLAIN), or this is not known yet. */
typedef enum bspi_tone_light { BSPI_TONE_UNKNOWN, BSPI_TONE_PLAIN, BSPI_TONE_BRIGHT } bspi_tone_light;
double bspi_cost_of_tone(const bspi_writer *writer, uint32_t image, bspi_tone_light light);

#endif
