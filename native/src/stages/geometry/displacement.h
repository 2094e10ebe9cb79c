/* displacement.h - the vertices of a displacement, for the files that compute them and that join displacements to their
 * neighbors. */
#ifndef BSPI_DISPLACEMENT_H
#define BSPI_DISPLACEMENT_H

#include "stages/geometry/geometry.h"

/* The vertices of a displacement. The index of a vertex is row * side + column. Rows are counted from corner 0 of the
 * quad to corner 1, and columns from corner 0 to corner 3. */
typedef struct bspi_disp_grid {
	const bspi_dispinfo *info;
	uint32_t side;                     /* number of vertices in a row or column */
	float (*positions)[3], (*normals)[3];
} bspi_disp_grid;

static inline bspi_disp_grid bspi_disp_grid_of(const bspi_build *build, uint32_t dispinfo)
{
	const bspi_dispinfo *info = &build->map->dispinfos[dispinfo];
	return (bspi_disp_grid){ info, (1u << info->power) + 1, build->disp_positions + info->first_vertex,
	               build->disp_normals + info->first_vertex };
}

/* Where a displacement has more vertices on an edge than its neighbor, moves them onto the neighbor's edge. `drawn`
 * tells for each displacement if it is in the scene. displacement_seams.c */
void bspi_close_disp_seams(const bspi_build *build, const bool *drawn);
/* Gives vertices of neighbors that are at the same position the same normal. displacement_seams.c */
bool bspi_smooth_disp_seams(bspi_build *build, const bool *drawn);

#endif
