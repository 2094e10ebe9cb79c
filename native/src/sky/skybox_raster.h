/* skybox_raster.h - rasterizes triangles on a side of a cube: clips, projects, tests depth, shades. The number of
 * filled samples is bounded. */
#ifndef BSPI_SKYBOX_RASTER_H
#define BSPI_SKYBOX_RASTER_H

#include "drawing/stage.h"
#include "sky/sky_source.h"

typedef struct bspi_raster_corner {
	float position[3];                 /* relative to the eye */
	float uv[2], page_uv[2];           /* of the base image, after its transform; on the lightmap page */
	float light[4];                    /* of the vertex; the fourth is alpha */
} bspi_raster_corner;

typedef struct bspi_skybox_raster {
	const bspi_sky_source *source;
	uint32_t size;                     /* samples per side */
	float *nearness;                   /* 1 / depth, per sample */
	uint8_t *rgb;
	float styles[256];                 /* brightness by style */
	float linears[256], *displays;     /* see bspi_adding_tables */
	uint64_t filled, most_filled;      /* samples that triangles covered, visible or not; the bound */
} bspi_skybox_raster;

bool bspi_raster_begin(bspi_skybox_raster *raster, bspi_sky_source *source, uint32_t size);
/* start takes the side's picture, finish stores the result in it. */
void bspi_raster_start(bspi_skybox_raster *raster, const uint8_t *rgb, uint32_t size);
void bspi_raster_finish(const bspi_skybox_raster *raster, uint8_t *rgb, uint32_t size);
/* True if the triangle is entirely outside of the side. */
bool bspi_raster_misses(int side, const bspi_raster_corner corners[3]);
/* False once the bound is reached. */
bool bspi_raster_triangle(bspi_skybox_raster *raster, int side, const bspscene_section *section,
                          const bspi_raster_corner corners[3]);

#endif
