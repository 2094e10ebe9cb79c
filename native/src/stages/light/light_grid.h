/* light_grid.h - reads stored light for moving objects: a grid of samples, or an octree of boxes of samples. */
#ifndef BSPI_LIGHT_GRID_H
#define BSPI_LIGHT_GRID_H

#include "stages/stages.h"

enum { BSPI_PLAIN_SAMPLE = 8, BSPI_STYLED_SAMPLE = 30, BSPI_GRID_SETS = 4 };

/* The light grid as a map stores it. Quake III stores one sample for each cell. Raven's games store equal samples
 * only once, and for each cell the index of its sample. A sample has a direction, and for each light style one
 * ambient and one directed color. If there can be several styles, it also has their numbers. */
typedef struct bspi_grid {
	bspi_bytes samples, index;
	size_t sample_size, sample_count;
} bspi_grid;

/* Finds the grid of a map. Fills in the size, position and style_count of `grid`. Returns false if the map has no grid,
 * or if the grid does not fit the bounds of the map. */
bool bspi_measure_grid(const bspi_build *build, bspi_grid *out, bspscene_light_grid *grid);
/* Returns the sample of a cell, or NULL if the index that the map stores for the cell is invalid. */
const uint8_t *bspi_grid_sample(const bspi_grid *stored, size_t cell);

/* Receives a sample that is not inside a wall. `colors` has `count` records of four bytes: a style and RGB. */
typedef void bspi_octree_sample_fn(void *user, const uint32_t at[3], const uint8_t *colors, uint32_t count);

bool bspi_measure_octree(bspi_bytes lump, bspscene_light_grid *grid);
/* Visits the samples of all leaves that the tree reaches. If several leaves have the same sample, it is visited once
 * for each. Returns false on an error, or if the lump is not an octree. */
bool bspi_visit_octree(bspi_ctx *ctx, bspi_bytes lump, bspi_octree_sample_fn *sample, void *user);

#endif
