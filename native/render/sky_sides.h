/* sky_sides.h - the box that skies are drawn on: its sides, their 8 x 8 squares, and where on them surfaces of the sky
 * are. */
#ifndef BSPR_SKY_SIDES_H
#define BSPR_SKY_SIDES_H

#include "trace.h"

#define BSPR_SKY_SQUARES 8             /* tr_sky.c SKY_SUBDIVISIONS */

/* Right is +X, left -X, back +Y, front -Y. */
enum { BSPR_RIGHT, BSPR_BACK, BSPR_LEFT, BSPR_FRONT, BSPR_UP, BSPR_DOWN, BSPR_SIDES };

/* The side that a direction meets and where: 0..1, v downward. */
int bspr_box_side(const float direction[3], float uv[2]);
/* The reverse: a point of a side, s and t from -1 to 1, t upward. */
void bspr_side_direction(int side, float s, float t, float out[3]);

/* The whole squares that the surfaces of one fog's skies cover, s and t from -1 to 1; least > most: none. */
typedef struct bspr_sky_cover {
	float least[BSPR_SIDES][2], most[BSPR_SIDES][2];
} bspr_sky_cover;

/* For each fog of the scene, seen from `eye`: the engine draws a sky there with this fog over it, and over what other
 * surfaces of the sky show in these squares. */
void bspr_cover_sky(const bspscene_scene *scene, const bspr_instance *instances, uint32_t instance_count,
                    const float eye[3], bspr_sky_cover *covers);
bool bspr_is_covered(const bspr_sky_cover *cover, const float direction[3]);

#endif
