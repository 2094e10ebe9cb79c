/* written_sky.h - the sky in files: as six sides of a cube or as a panorama, and where to place the cube. */
#ifndef BSPI_WRITTEN_SKY_H
#define BSPI_WRITTEN_SKY_H

#include "writers/sky/sky_choice.h"
#include "writers/web_picture.h"

/* A cube just outside of everything that is written, in meters and with Y up. */
typedef struct bspi_sky_cube {
	float center[3], half;
} bspi_sky_cube;

bspi_sky_cube bspi_sky_cube_of(const bspi_writer *writer);
/* Makes the pictures of the six sides. The caller frees each, even on failure. */
bool bspi_sky_sides(bspi_writer *writer, bspi_picture sides[BSPSCENE_CUBE_SIDES]);
/* True if a side shows an image of the game unchanged, and if that image is at most BSPI_LARGEST_SKY_SIDE pixels wide.
 * *image is the index of the image. */
bool bspi_sky_side_passes(const bspi_writer *writer, uint32_t side, uint32_t *image);
/* bspi_sky_side_name makes the name of a side, such as "sky.right". The material and the image of the side have this
 * name. */
#define BSPI_SKY_NAME_SIZE 16
void bspi_sky_side_name(uint32_t side, char out[BSPI_SKY_NAME_SIZE]);
/* Draws the six sides, one after the other, as RGBA. */
bool bspi_draw_sky_pixels(bspi_writer *writer, uint32_t size, uint8_t *rgba);
/* Makes the panorama. If none was requested or the scene has no sky, `out` has no data. */
bool bspi_panorama(bspi_writer *writer, bspi_picture *out);
/* Writes the panorama to a file of its own. */
bool bspi_put_panorama(bspi_writer *writer);

#endif
