/* face_axes.h - finds the texture axes that give the corners of a face new texture coordinates. */
#ifndef BSPI_FACE_AXES_H
#define BSPI_FACE_AXES_H

#include "map/map.h"

/* A face whose texture coordinates change. */
typedef struct bspi_wanted_face {
	uint32_t face, first;              /* index of the face, and of the caller's first corner that refers to it */
	uint32_t count;                    /* number of its corners */
	double (*changes)[2];              /* per corner, in texels; 0: unchanged */
} bspi_wanted_face;

typedef struct bspi_axes {
	float vectors[2][4];               /* as in bspi_texinfo */
} bspi_axes;

/* False, with an error, if no axes fit or the face's light would move with them. */
bool bspi_find_axes(bspi_ctx *ctx, const bspi_map *map, const bspi_wanted_face *wanted, bspi_axes *out);
/* True if these axes give the face the coordinates that it is to have. */
bool bspi_axes_fit(const bspi_map *map, const bspi_wanted_face *wanted, const bspi_axes *axes);

#endif
