/* sky_divide.h - divides triangles of sky surfaces until each part shows one side of the sky's box, and its
 * interpolated texture coordinates are within a texel of those in the direction from the eye. */
#ifndef BSPI_SKY_DIVIDE_H
#define BSPI_SKY_DIVIDE_H

#include <stdbool.h>
#include <stdint.h>

/* Largest error of coordinates along an edge, in texels. Within a triangle it can be a little larger. */
#define BSPI_SKY_EDGE_ERROR 0.75f

typedef struct bspi_sky_vertex {
	float position[3];                 /* world space */
	float uv[2];                       /* on the side, 0..1, v down */
} bspi_sky_vertex;

typedef void bspi_sky_take_fn(void *user, uint32_t side, const bspi_sky_vertex corners[3]);

typedef struct bspi_sky_divider {
	float eye[3];
	uint32_t size;                     /* texels of a side */
	uint64_t splits_left;              /* bounds the triangles that dividing adds; afterwards errors stay */
	bspi_sky_take_fn *take;
	void *user;
} bspi_sky_divider;

/* Passes the parts of a triangle to `take`, in its winding. Triangles that share an edge divide it alike, except after
 * the last split. */
void bspi_divide_sky(bspi_sky_divider *divider, float (*corners)[3]);

#endif
