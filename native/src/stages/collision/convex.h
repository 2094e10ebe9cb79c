/* convex.h - convex bodies of brushes and of leaves of trees. They are made by clipping with one plane after the other,
 * in double precision. */
#ifndef BSPI_CONVEX_H
#define BSPI_CONVEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits for a body. Map compilers allow 64 to 300 sides for a brush. A convex body with n sides has at most 2n points
 * and 6n corners. */
enum { BSPI_BODY_SIDES = 320, BSPI_BODY_POINTS = 1024, BSPI_BODY_CORNERS = 4096 };

typedef struct bspi_body_side {
	double normal[3];                  /* points outward */
	uint16_t first, count;             /* range of its corners, which are counter-clockwise seen from outside */
	bool open;                         /* this side is left from the box with which clipping began, so no plane
	                                    * bounds the body here */
} bspi_body_side;

/* A convex body. Its sides share points, so there are no gaps between them. */
typedef struct bspi_body {
	uint32_t point_count, side_count, corner_count;
	double points[BSPI_BODY_POINTS][3];
	bspi_body_side sides[BSPI_BODY_SIDES];
	uint16_t corners[BSPI_BODY_CORNERS]; /* indices in `points` */
} bspi_body;

typedef enum bspi_cut {
	BSPI_CUT_NOTHING,                  /* the plane does not cut the body; `out` is not written */
	BSPI_CUT_SOME,
	BSPI_CUT_ALL,                      /* nothing of the body is left; `out` is not written */
	BSPI_CUT_FAILED                    /* the body has too many sides, points or corners; `out` is not complete */
} bspi_cut;

/* Makes a box. All its sides are marked as open. */
void bspi_body_box(bspi_body *body, const float mins[3], const float maxs[3]);
/* Cuts off everything in front of the plane, and writes the rest to `out`. */
bspi_cut bspi_body_cut(const bspi_body *in, const double normal[3], double distance, bspi_body *out);
double bspi_body_volume(const bspi_body *body);
bool bspi_body_is_open(const bspi_body *body);

/* Bodies can be stored in a compact form. bspi_body_packed_size returns how many bytes it has, and bspi_body_pack
 * writes it. */
size_t bspi_body_packed_size(const bspi_body *body);
void bspi_body_pack(const bspi_body *body, uint8_t *out);
size_t bspi_body_unpack(bspi_body *body, const uint8_t *packed); /* returns how many bytes it read */

#endif
