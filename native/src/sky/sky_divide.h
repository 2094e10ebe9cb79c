/* sky_divide.h - divides triangles of sky surfaces into parts. Each part shows one side of the sky's box. Its
 * interpolated texture coordinates differ by at most a texel from the exact ones, which follow from the direction from
 * the eye. */
#ifndef BSPI_SKY_DIVIDE_H
#define BSPI_SKY_DIVIDE_H

#include <stdbool.h>
#include <stdint.h>

/* Largest allowed error of texture coordinates along an edge, in texels. Inside of a triangle it can be a little
 * larger. */
#define BSPI_SKY_EDGE_ERROR 0.75f

typedef struct bspi_sky_vertex {
	float position[3];                 /* world space */
	float uv[2];                       /* coordinates on the side, 0 to 1; v points down */
} bspi_sky_vertex;

typedef void bspi_sky_take_fn(void *user, uint32_t side, const bspi_sky_vertex corners[3]);

typedef struct bspi_sky_divider {
	float eye[3];
	uint32_t size;                     /* width and height of a side in texels */
	uint64_t splits_left;              /* how many more splits are allowed; after that, errors may stay larger */
	bspi_sky_take_fn *take;
	void *user;
} bspi_sky_divider;

/* Divides a triangle, and passes the parts to `take` in the same winding. Triangles with a common edge divide it in the
 * same way, unless no splits are left. */
void bspi_divide_sky(bspi_sky_divider *divider, float (*corners)[3]);

#endif
