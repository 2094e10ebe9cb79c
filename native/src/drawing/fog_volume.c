/* fog_volume.c - see fog_volume.h. */
#include "drawing/fog_volume.h"

#include <math.h>

#include "base/vec.h"

/* Texels per side of the fog image in Enemy Territory (tr_image.c R_CreateFogImage). */
enum { LINEAR_SIZE = 16 };

static float linear_texel(int x, int y)
{
	if (x == 0) return 0;
	if (x == LINEAR_SIZE - 1) return 1;
	int alpha = 270 * x * y / (LINEAR_SIZE * LINEAR_SIZE);
	return (float)(alpha < 255 ? alpha : 255) / 255;
}

/* Samples the fog image with linear filtering, clamped to its edge. */
static float linear_share(const float at[2])
{
	int first[2], second[2];
	float share[2];
	for (int i = 0; i < 2; i++) {
		float place = fminf(fmaxf(at[i] * LINEAR_SIZE - 0.5f, 0), LINEAR_SIZE - 1);
		first[i] = (int)place;
		second[i] = first[i] + 1 < LINEAR_SIZE ? first[i] + 1 : first[i];
		share[i] = place - (float)first[i];
	}
	float low = linear_texel(first[0], first[1]), high = linear_texel(first[0], second[1]);
	low += (linear_texel(second[0], first[1]) - low) * share[0];
	high += (linear_texel(second[0], second[1]) - high) * share[0];
	return low + (high - low) * share[1];
}

float bspi_fog_share(const bspscene_fog_parms *parms, const float at[2])
{
	if (parms->is_linear) return linear_share(at);
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

	/* Signed distances to the fog's surface, positive inside the fog. */
	bool has_surface = bspi_dot(fog->plane, fog->plane) > 0;
	float below_eye = has_surface ? fog->plane[3] - bspi_dot(fog->plane, eye) : 1;
	float point = has_surface ? fog->plane[3] - bspi_dot(fog->plane, position) : 1;
	if (parms->is_linear) {
		out[0] = depth / parms->depth;
		out[1] = has_surface ? (point + fmaxf(below_eye, 0)) / parms->depth : 1;
		return;
	}
	out[0] = depth / (parms->depth * 8) + 1.0f / 512;
	if (below_eye < 0) out[1] = point < 1 ? 1.0f / 32 : 1.0f / 32 + 30.0f / 32 * point / (point - below_eye);
	else out[1] = point < 0 ? 1.0f / 32 : 31.0f / 32;
}

const bspscene_fog_parms *bspi_fog_parms_of(const bspscene_scene *scene, const bspscene_fog *fog)
{
	return fog->material != BSPSCENE_NO_INDEX ? scene->materials[fog->material]->fog : NULL;
}
