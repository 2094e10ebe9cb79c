/* face_axes.h - texture coordinates of corners as axes of a projection, face by face. */
#ifndef BSPI_FACE_AXES_H
#define BSPI_FACE_AXES_H

#include "map/map.h"

/* A face that is to have others. */
typedef struct bspi_wanted_face {
	uint32_t face, first;              /* its number, and of the first of the caller's corners that name it */
	uint32_t count;                    /* of its corners */
	double (*changes)[2];              /* of each, in texels; 0: it stays */
} bspi_wanted_face;

typedef struct bspi_axes {
	float vectors[2][4];               /* as bspi_texinfo has them */
} bspi_axes;

/* False: there are none, or its light would move with them. */
bool bspi_find_axes(bspi_ctx *ctx, const bspi_map *map, const bspi_wanted_face *wanted, bspi_axes *out);
/* Do these give the face what it is to have? */
bool bspi_axes_fit(const bspi_map *map, const bspi_wanted_face *wanted, const bspi_axes *axes);

#endif
