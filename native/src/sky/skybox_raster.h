/* skybox_raster.h - triangles on a side of a cube: cut, projected, filled by depth, shaded. What all of them together
 * fill is bounded. */
#ifndef BSPI_SKYBOX_RASTER_H
#define BSPI_SKYBOX_RASTER_H

#include "drawing/stage.h"
#include "sky/sky_source.h"

typedef struct bspi_raster_corner {
	float position[3];                 /* from the eye */
	float uv[2], page_uv[2];           /* of the base image, as it is placed; into the page of light */
	float light[4];                    /* of the vertex, and its alpha */
} bspi_raster_corner;

typedef struct bspi_skybox_raster {
	const bspi_sky_source *source;
	uint32_t size;                     /* samples a side */
	float *nearness;                   /* 1 / depth, of each sample */
	uint8_t *rgb;
	float styles[256], *displays;      /* see bspi_fill_displays; NULL: no page has half floats */
	uint64_t filled, most_filled;      /* samples that triangles covered, seen or not */
} bspi_skybox_raster;

bool bspi_raster_begin(bspi_skybox_raster *raster, bspi_sky_source *source, uint32_t size);
/* Begins with a side's picture; ends with it. */
void bspi_raster_start(bspi_skybox_raster *raster, const uint8_t *rgb, uint32_t size);
void bspi_raster_finish(const bspi_skybox_raster *raster, uint8_t *rgb, uint32_t size);
/* Is nothing of it on the side? */
bool bspi_raster_misses(int side, const bspi_raster_corner corners[3]);
/* False when no more is to be filled. */
bool bspi_raster_triangle(bspi_skybox_raster *raster, int side, const bspscene_section *section,
                          const bspi_raster_corner corners[3]);

#endif
