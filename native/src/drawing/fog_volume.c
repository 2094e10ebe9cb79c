/* fog_volume.c - see fog_volume.h. */
#include "drawing/fog_volume.h"

#include <math.h>

#include "base/vec.h"

float bspi_fog_table(const float at[2])
{
	float s = at[0] - 1.0f / 512, t = at[1];
	if (s < 0 || t < 1.0f / 32) return 0;
	if (t < 31.0f / 32) s *= (t - 1.0f / 32) / (30.0f / 32);
	s *= 8;
	return sqrtf(fminf(s, 1));
}

void bspi_fog_coordinates(const bspscene_fog_parms *parms, const bspscene_fog *fog, const float eye[3],
                          const float forward[3], const float position[3], float out[2])
{
	float offset[3];
	bspi_sub(offset, position, eye);
	bool along_view = bspi_dot(forward, forward) > 0;
	float depth = along_view ? bspi_dot(offset, forward) : sqrtf(bspi_dot(offset, offset));
	out[0] = depth / (parms->depth * 8) + 1.0f / 512;

	/* Signed distances to the fog's surface, positive inside the fog. */
	bool has_surface = bspi_dot(fog->plane, fog->plane) > 0;
	float below_eye = has_surface ? fog->plane[3] - bspi_dot(fog->plane, eye) : 1;
	float point = has_surface ? fog->plane[3] - bspi_dot(fog->plane, position) : 1;
	if (below_eye < 0) out[1] = point < 1 ? 1.0f / 32 : 1.0f / 32 + 30.0f / 32 * point / (point - below_eye);
	else out[1] = point < 0 ? 1.0f / 32 : 31.0f / 32;
}

const bspscene_fog_parms *bspi_fog_parms_of(const bspscene_scene *scene, const bspscene_fog *fog)
{
	return fog->material != BSPSCENE_NO_INDEX ? scene->materials[fog->material]->fog : NULL;
}
