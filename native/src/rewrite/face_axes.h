/* face_axes.h - computes the texture axes with which the corners of a face get new texture coordinates. */
#ifndef BSPI_FACE_AXES_H
#define BSPI_FACE_AXES_H

#include "map/map.h"

/* A face whose texture coordinates change. */
typedef struct bspi_wanted_face {
	uint32_t face, first;              /* index of the face; index of the caller's first corner that refers to
	                                    * it */
	uint32_t count;                    /* number of the face's corners */
	double (*changes)[2];              /* for each corner, the change of u and v in texels; 0: unchanged */
} bspi_wanted_face;

typedef struct bspi_axes {
	float vectors[2][4];               /* new value for the member texture_vectors of bspi_texinfo */
} bspi_axes;

/* Computes the new axes. Fails if no axes fit the new coordinates, or if the face's light would move too. */
bool bspi_find_axes(bspi_ctx *ctx, const bspi_map *map, const bspi_wanted_face *wanted, bspi_axes *out);
/* True if the face gets its new coordinates with these axes. */
bool bspi_axes_fit(const bspi_map *map, const bspi_wanted_face *wanted, const bspi_axes *axes);

#endif
