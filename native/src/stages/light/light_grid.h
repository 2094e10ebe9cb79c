/* light_grid.h - how light for what moves is stored: a grid of samples, or an octree of boxes of them. */
#ifndef BSPI_LIGHT_GRID_H
#define BSPI_LIGHT_GRID_H

#include "stages/stages.h"

enum { BSPI_PLAIN_SAMPLE = 8, BSPI_STYLED_SAMPLE = 30, BSPI_GRID_SETS = 4 };

/* Quake III stores every sample; Raven's games an index for each, into a list without duplicates. A sample is the
 * ambient light of all sets, the directed light of all, styles where there are several sets, and a direction. */
typedef struct bspi_grid {
	bspi_bytes samples, index;
	size_t sample_size, sample_count;
} bspi_grid;

/* A map's, and in `grid` its size and sets. False: it is none, or does not fit the map's bounds. */
bool bspi_measure_grid(const bspi_build *build, bspi_grid *out, bspscene_light_grid *grid);
/* NULL: the index leads nowhere. */
const uint8_t *bspi_grid_sample(const bspi_grid *stored, size_t cell);

/* A sample of an octree that is not in a wall: `count` times a style and RGB. */
typedef void bspi_octree_sample_fn(void *user, const uint32_t at[3], const uint8_t *colors, uint32_t count);

bool bspi_measure_octree(bspi_bytes lump, bspscene_light_grid *grid);
/* Every sample that its tree reaches, once for each leaf that has it. False: an error, or it is no octree. */
bool bspi_visit_octree(bspi_ctx *ctx, bspi_bytes lump, bspi_octree_sample_fn *sample, void *user);

#endif
