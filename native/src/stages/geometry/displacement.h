/* displacement.h - the grid of a displacement, for the files that compute its vertices and join it to its neighbors. */
#ifndef BSPI_DISPLACEMENT_H
#define BSPI_DISPLACEMENT_H

#include "stages/geometry/geometry.h"

/* The vertices of a displacement. Index row * side + column; rows go from corner 0 to corner 1 of the quad, columns
 * from corner 0 to corner 3. */
typedef struct bspi_disp_grid {
	const bspi_dispinfo *info;
	uint32_t side;                     /* vertices per side */
	float (*positions)[3], (*normals)[3];
} bspi_disp_grid;

static inline bspi_disp_grid bspi_disp_grid_of(const bspi_build *build, uint32_t dispinfo)
{
	const bspi_dispinfo *info = &build->map->dispinfos[dispinfo];
	return (bspi_disp_grid){ info, (1u << info->power) + 1, build->disp_positions + info->first_vertex,
	               build->disp_normals + info->first_vertex };
}

/* Moves vertices of finer edges onto adjacent coarser edges. `drawn` marks the displacements of the scene.
 * displacement_seams.c */
void bspi_close_disp_seams(const bspi_build *build, const bool *drawn);
/* Gives vertices of neighbors at the same position one normal. displacement_seams.c */
bool bspi_smooth_disp_seams(bspi_build *build, const bool *drawn);

#endif
