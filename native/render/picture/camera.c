/* camera.c - see camera.h. */
#include "picture/camera.h"

#include <math.h>

#include "take_options.h"

#define DEGREES (6.283185307179586f / 360)

bool bspr_aim(const bspscene_view *view, uint32_t width, uint32_t height, bspr_camera *out, bspscene_error *error)
{
	if (!(view->fov_degrees >= 1 && view->fov_degrees <= 170)) {
		return bspr_fail(error, BSPSCENE_ERROR_BAD_OPTIONS, "the field of view must be 1 to 170 degrees");
	}
	float sp = (float)sin(view->pitch * DEGREES), cp = (float)cos(view->pitch * DEGREES);
	float sy = (float)sin(view->yaw * DEGREES), cy = (float)cos(view->yaw * DEGREES);
	float sr = (float)sin(view->roll * DEGREES), cr = (float)cos(view->roll * DEGREES);
	float forward[3] = { cp * cy, cp * sy, -sp };
	float left[3] = { sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, sr * cp };
	float up[3] = { cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp };
	float wide = (float)tan(view->fov_degrees * DEGREES / 2), high = wide * (float)height / (float)width;
	for (int i = 0; i < 3; i++) {
		out->forward[i] = out->axes.forward[i] = forward[i];
		out->axes.left[i] = left[i];
		out->axes.upright[i] = i == 2;
		out->axes.eye[i] = view->origin[i];
		out->axes.up[i] = up[i];
		out->right[i] = -left[i] * wide;
		out->up[i] = up[i] * high;
	}
	return true;
}
