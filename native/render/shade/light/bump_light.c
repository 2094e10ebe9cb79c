/* bump_light.c - combines directional lightmaps by a normal map (bspscene_bump_light). */
#include <math.h>

#include "shade/surface.h"
#include "vector.h"

/* The directions of the three BUMP lightmap sets in tangent space (bumpBasis in common_ps_fxc.h). */
static const float basis[3][3] = {
	{ 0.81649658f, 0, 0.57735027f },
	{ -0.40824829f, 0.70710678f, 0.57735027f },
	{ -0.40824829f, -0.70710678f, 0.57735027f },
};

/* Samples the normal maps and blends the second one over the first. Keeps the alpha of the first. */
static void sample_maps(const bspr_shading *shading, const bspr_surface *s, uint32_t count, float (*out)[4])
{
	const bspscene_bump_light *bumps = s->material->bump_light;
	float second[BSPR_PACKET][4], weights[BSPR_PACKET];
	bspr_base_texels(shading, s, count, bumps->image, out);
	if (bumps->second_image == BSPSCENE_NO_INDEX) return;
	bspr_base_texels(shading, s, count, bumps->second_image, second);
	bspr_second_weights(shading, s, count, weights);
	for (uint32_t i = 0; i < count; i++) {
		for (int k = 0; k < 3; k++) out[i][k] += (second[i][k] - out[i][k]) * weights[i];
	}
}

/* Replaces the texel, which encodes a direction, by the weights of the three basis vectors. Each weight is the squared
 * cosine of the angle between the direction and the basis vector, or 0 beyond 90 degrees. The weights are scaled so
 * that their sum is 1. */
static void weigh(float texel[4])
{
	float vector[3], sum = 0;
	for (int i = 0; i < 3; i++) vector[i] = 2 * texel[i] - 1;
	for (int i = 0; i < 3; i++) {
		float along = fmaxf(bspr_dot(vector, basis[i]), 0);
		texel[i] = along * along;
		sum += texel[i];
	}
	for (int i = 0; i < 3; i++) texel[i] = sum > 0 ? texel[i] / sum : 1 / 3.0f;
}

void bspr_bump_weights(const bspr_shading *shading, const bspr_surface *s, uint32_t count, float (*out)[4])
{
	sample_maps(shading, s, count, out);
	for (uint32_t i = 0; i < count && !s->material->bump_light->self_shadowing; i++) weigh(out[i]);
}

void bspr_bump_texel(const bspr_shading *shading, const bspr_surface *s, float out[4])
{
	float texel[1][4], length = 0;
	sample_maps(shading, s, 1, texel);
	out[3] = texel[0][3];
	if (!s->material->bump_light->self_shadowing) {
		for (int i = 0; i < 3; i++) out[i] = texel[0][i];
		return;
	}
	for (int i = 0; i < 3; i++) {
		out[i] = 0;
		for (int k = 0; k < 3; k++) out[i] += basis[k][i] * texel[0][k];
		length += out[i] * out[i];
	}
	for (int i = 0; i < 3; i++) out[i] = length > 0 ? 0.5f + 0.5f * out[i] / sqrtf(length) : i == 2;
}
