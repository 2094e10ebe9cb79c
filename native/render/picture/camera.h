/* camera.h - computes the directions of rays for a view. */
#ifndef BSPR_CAMERA_H
#define BSPR_CAMERA_H

#include <bspscene/render.h>

#include "shade/deform.h"

/* A point of the picture, -1 to 1 in x and y, lies in the direction forward + right * x + up * y. */
typedef struct bspr_camera {
	float forward[3], right[3], up[3]; /* `right` and `up` lead from the picture's center to its edges */
	bspr_axes axes;                    /* axes of the view, for sprites that turn to face the viewer */
} bspr_camera;

/* Computes the camera of a view for a picture of that size. False with the error set if the field of view is
 * invalid. */
bool bspr_aim(const bspscene_view *view, uint32_t width, uint32_t height, bspr_camera *out, bspscene_error *error);

/* Computes the direction to a position in the picture. `across` is -1 at the left and 1 at the right. `down` is 1 at
 * the top and -1 at the bottom. */
static inline void bspr_look(const bspr_camera *camera, float across, float down, float direction[3])
{
	for (int i = 0; i < 3; i++) direction[i] = camera->forward[i] + camera->right[i] * across + camera->up[i] * down;
}

#endif
