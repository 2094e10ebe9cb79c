/* sky_sides.h - the box on which skies are drawn: its six sides, their 8 x 8 squares, and the squares that sky surfaces
 * cover. */
#ifndef BSPI_DRAWING_SKY_SIDES_H
#define BSPI_DRAWING_SKY_SIDES_H

#include <stdbool.h>
#include <stdint.h>

#define BSPI_SKY_SQUARES 8             /* tr_sky.c SKY_SUBDIVISIONS */

/* The sides in the order of bspscene_sky.box. Right is +X, left -X, back +Y, front -Y. */
enum { BSPI_SKY_RIGHT, BSPI_SKY_BACK, BSPI_SKY_LEFT, BSPI_SKY_FRONT, BSPI_SKY_UP, BSPI_SKY_DOWN, BSPI_SKY_SIDES };

/* Return the side of the box that a direction hits. `uv` receives the position on it: 0..1, with v downward. */
int bspi_box_side(const float direction[3], float uv[2]);
void bspi_box_sides(const float (*directions)[3], uint32_t count, uint8_t *sides, float (*uvs)[2]);
/* Returns the direction to a point of a side, with s and t from -1 to 1, t upward. */
void bspi_side_direction(int side, float s, float t, float out[3]);

/* The most corners that a triangle can have after it is clipped by the four planes of a side. */
enum { BSPI_SKY_CUT_CORNERS = 3 + 4 };
/* Clips a triangle, whose points are relative to the eye, to what a side shows. Returns the number of corners. Each
 * corner is s, t and depth, and appears on the side at (s / depth, t / depth). `corners` has room for
 * BSPI_SKY_CUT_CORNERS. */
uint32_t bspi_cut_to_side(int side, float (*points)[3], float (*corners)[3]);
/* Converts s, t and depth to a point relative to the eye. */
void bspi_side_point(int side, const float corner[3], float out[3]);

/* Number of triangles. Each square is two triangles (tr_sky.c FillCloudySkySide). They are numbered by side, then t
 * (downward), then s, then half of the square. */
#define BSPI_SKY_TRIANGLES (BSPI_SKY_SIDES * BSPI_SKY_SQUARES * BSPI_SKY_SQUARES * 2)

/* A point in a triangle. `share` has the barycentric weights of the second and third corners. */
typedef struct bspi_sky_spot {
	uint32_t triangle;
	float share[2];
} bspi_sky_spot;

bspi_sky_spot bspi_sky_spot_of(int side, const float uv[2]);
void bspi_sky_spots_of(const uint8_t *sides, const float (*uvs)[2], uint32_t count, bspi_sky_spot *out);
/* Returns the side on which a triangle lies. `at` receives the grid position of its corner `number` (0, 1 or 2) along s
 * and t, from 0 to BSPI_SKY_SQUARES. */
int bspi_sky_corner(uint32_t triangle, int number, int at[2]);

/* Bounds of the squares that are covered by the sky surfaces in one fog: s and t of each side, from -1 to 1. A side on
 * which least > most is not covered. */
typedef struct bspi_sky_cover {
	float least[BSPI_SKY_SIDES][2], most[BSPI_SKY_SIDES][2];
} bspi_sky_cover;

/* These functions collect the squares that the sky surfaces in a fog touch. The engine draws the sky on these whole
 * squares with the fog over it, even where other sky surfaces are. Begin with bspi_cover_nothing, add triangles with
 * points relative to the eye, and end with bspi_cover_squares. */
void bspi_cover_nothing(bspi_sky_cover *cover);
void bspi_cover_triangle(float (*points)[3], bspi_sky_cover *cover);
void bspi_cover_squares(bspi_sky_cover *cover);
bool bspi_is_covered(const bspi_sky_cover *cover, const float direction[3]);

#endif
