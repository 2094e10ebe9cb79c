/* sky_surfaces.h - makes the map's sky faces show the sky (BSPSCENE_WRITE_SKY_SURFACES), for every writer of meshes.
 *
 *     sky_eyes.c      chooses the viewpoints
 *     sky_surfaces.c  makes the triangles, and the cube around an open map
 *     sky_standing.c  makes the scene with them */
#ifndef BSPI_SKY_SURFACES_H
#define BSPI_SKY_SURFACES_H

#include <bspscene/scene.h>

#include "writers/writers.h"

/* Triangles that show the sky, grouped by the side of the sky box that they show. They do not share vertices. */
typedef struct bspi_sky_surfaces {
	uint32_t counts[BSPSCENE_CUBE_SIDES]; /* for each side of the sky box, its number of triangles */
	float *positions, *normals, *uvs;  /* arrays with 3, 3 and 2 floats for each vertex; the vertices of side 0 come
	                                    * first, then those of side 1, and so on */
	uint32_t vertex_count;             /* number of vertices of all sides */
} bspi_sky_surfaces;

/* Finds the sky triangles of the writer's scene. Returns false with writer->failure set if that fails. */
bool bspi_find_sky_surfaces(bspi_writer *writer, bspi_sky_surfaces *out);

/* With BSPSCENE_WRITE_SKY_SURFACES, gives the writer a new scene. In that scene the sky sections of all meshes are
 * empty. If the sky is known, a node "sky" shows it in their place. */
bool bspi_stand_sky(bspi_writer *writer);

#endif
