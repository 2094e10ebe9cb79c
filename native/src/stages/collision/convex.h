/* convex.h - convex bodies (of brushes and leaves of trees), clipped plane by plane in double precision. */
#ifndef BSPI_CONVEX_H
#define BSPI_CONVEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits of a body. Compilers stop at 64 to 300 sides of a brush. A convex body with n sides has at most 2n points and
 * 6n corners. */
enum { BSPI_BODY_SIDES = 320, BSPI_BODY_POINTS = 1024, BSPI_BODY_CORNERS = 4096 };

typedef struct bspi_body_side {
	double normal[3];                  /* outward */
	uint16_t first, count;             /* corners, counter-clockwise seen from outside */
	bool open;                         /* part of the box that clipping started with, so the body has no plane there */
} bspi_body_side;

/* A convex body. Sides share their points, so it has no gaps. */
typedef struct bspi_body {
	uint32_t point_count, side_count, corner_count;
	double points[BSPI_BODY_POINTS][3];
	bspi_body_side sides[BSPI_BODY_SIDES];
	uint16_t corners[BSPI_BODY_CORNERS]; /* into points */
} bspi_body;

typedef enum bspi_cut {
	BSPI_CUT_NOTHING,                  /* the plane misses the body, or only touches it: `out` is not written */
	BSPI_CUT_SOME,
	BSPI_CUT_ALL,                      /* nothing is left: `out` is not written */
	BSPI_CUT_FAILED                    /* the body became too complex: `out` is incomplete */
} bspi_cut;

/* Makes a box whose sides are all open. */
void bspi_body_box(bspi_body *body, const float mins[3], const float maxs[3]);
/* Cuts away the part in front of the plane; `out` is the rest. */
bspi_cut bspi_body_cut(const bspi_body *in, const double normal[3], double distance, bspi_body *out);
double bspi_body_volume(const bspi_body *body);
bool bspi_body_is_open(const bspi_body *body);

/* Stores bodies compactly, in as many bytes as bspi_body_packed_size returns, to keep many of them. */
size_t bspi_body_packed_size(const bspi_body *body);
void bspi_body_pack(const bspi_body *body, uint8_t *out);
size_t bspi_body_unpack(bspi_body *body, const uint8_t *packed); /* returns the number of bytes that were read */

#endif
