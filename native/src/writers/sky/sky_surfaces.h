/* sky_surfaces.h - makes the map's sky faces show the sky (BSPSCENE_WRITE_SKY_SURFACES), for every writer of meshes.
 *
 *     sky_eyes.c       from where they show it
 *     sky_surfaces.c   their triangles, and the cube that stands behind where the map is open
 *     sky_standing.c   the scene that shows them */
#ifndef BSPI_SKY_SURFACES_H
#define BSPI_SKY_SURFACES_H

#include <bspscene/material.h>

#include "writers/writers.h"

/* Triangles by the side of the sky's box that they show. Vertices are not shared. */
typedef struct bspi_sky_surfaces {
	uint32_t counts[BSPSCENE_CUBE_SIDES]; /* triangles */
	float *positions, *normals, *uvs;  /* by side, then by vertex */
	uint32_t vertex_count;             /* of all */
} bspi_sky_surfaces;

/* Finds the triangles of the writer's scene. False with writer->failure set. */
bool bspi_find_sky_surfaces(bspi_writer *writer, bspi_sky_surfaces *out);

/* If sky surfaces are wanted, replaces the writer's scene by one in which the sky sections of all meshes are empty and,
 * if the sky is known, a node "sky" shows them. */
bool bspi_stand_sky(bspi_writer *writer);

#endif
