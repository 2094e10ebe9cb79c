/* skybox_raster.h - draws triangles on a side of a cube: clips and projects them, tests their depth, and computes
 * colors. The number of samples that are filled is limited. */
#ifndef BSPI_SKYBOX_RASTER_H
#define BSPI_SKYBOX_RASTER_H

#include "drawing/stage.h"
#include "sky/sky_source.h"

typedef struct bspi_raster_corner {
	float position[3];                 /* relative to the eye */
	float uv[2], page_uv[2];           /* coordinates on the base image, after its transform; coordinates on the
	                                    * lightmap page */
	float light[4];                    /* vertex light; the fourth number is alpha */
} bspi_raster_corner;

typedef struct bspi_skybox_raster {
	const bspi_sky_source *source;
	uint32_t size;                     /* width and height of the side in samples */
	float *nearness;                   /* for each sample, 1 / depth of the nearest surface */
	uint8_t *rgb;
	float styles[256];                 /* for each light style, its brightness */
	float linears[256], *displays;     /* tables, see bspi_adding_tables */
	uint64_t filled, most_filled;      /* number of samples that triangles covered, visible or not; limit of that
	                                    * number */
} bspi_skybox_raster;

bool bspi_raster_begin(bspi_skybox_raster *raster, bspi_sky_source *source, uint32_t size);
/* The first copies the picture of a side to the raster. The second stores the picture with the drawn triangles in
 * `rgb`. `size` is the width and height of the picture in pixels. */
void bspi_raster_start(bspi_skybox_raster *raster, const uint8_t *rgb, uint32_t size);
void bspi_raster_finish(const bspi_skybox_raster *raster, uint8_t *rgb, uint32_t size);
/* True if no part of the triangle can be on the side. */
bool bspi_raster_misses(int side, const bspi_raster_corner corners[3]);
/* Draws a triangle. Returns false if the limit of samples is reached. */
bool bspi_raster_triangle(bspi_skybox_raster *raster, int side, const bspscene_section *section,
                          const bspi_raster_corner corners[3]);

#endif
