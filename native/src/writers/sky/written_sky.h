/* written_sky.h - the sky in files: its picture as a cube's sides or as a panorama, and where the cube stands. */
#ifndef BSPI_WRITTEN_SKY_H
#define BSPI_WRITTEN_SKY_H

#include "writers/sky/sky_choice.h"
#include "writers/web_picture.h"

/* A cube just outside of all that is written, with Y up and in meters. */
typedef struct bspi_sky_cube {
	float center[3], half;
} bspi_sky_cube;

bspi_sky_cube bspi_sky_cube_of(const bspi_writer *writer);
/* The six pictures of a cube, each to be freed, also when this fails. */
bool bspi_sky_sides(bspi_writer *writer, bspi_picture sides[BSPSCENE_CUBE_SIDES]);
/* The panorama, where it is asked for and something is known of the sky; else `out` has no data. */
bool bspi_panorama(bspi_writer *writer, bspi_picture *out);
/* The same into a file of its own. */
bool bspi_put_panorama(bspi_writer *writer);

#endif
