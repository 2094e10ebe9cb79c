/* layers.c - blends the texture layers of a material by weight and luminance, as bspscene_layer describes. */
#include "shade/shade.h"

#include <math.h>

#define GAMMA 2.2f

static float smooth_step(const float range[2], float x)
{
	if (!(range[1] > range[0])) return x >= range[1];
	float t = fminf(fmaxf((x - range[0]) / (range[1] - range[0]), 0), 1);
	return t * t * (3 - 2 * t);
}

static float luminance(const float color[3])
{
	return 0.2126f * color[0] + 0.7152f * color[1] + 0.0722f * color[2];
}

static void cover(const bspscene_layer *layer, float weight, const float color[3], float below[3], float *bright)
{
	float own = smooth_step(layer->luminance, luminance(color)), share = layer->luminance_share;
	float amount = smooth_step(layer->blend, weight * (1 + (1 - *bright) * (1 - share) + own * share));
	for (int i = 0; i < 3; i++) {
		float covered = layer->doubled ? 2 * below[i] * color[i] : color[i];
		below[i] += (covered - below[i]) * amount;
	}
	*bright += (own - *bright) * amount;
}

void bspr_blend_layers(const bspscene_material *material, const bspr_layers *layers, float out[3])
{
	float bright = 0, sum[3] = { 0, 0, 0 };
	for (uint32_t n = 0; n < material->layer_count; n++) {
		float color[3];
		for (int i = 0; i < 3; i++) color[i] = (float)pow(layers->colors[n][i], GAMMA);
		if (n) {
			cover(material->layers[n], layers->weights[n], color, sum, &bright);
			continue;
		}
		for (int i = 0; i < 3; i++) sum[i] = color[i];
		bright = smooth_step(material->layers[0]->luminance, luminance(color));
	}
	for (int i = 0; i < 3; i++) out[i] = fminf((float)pow(sum[i], 1 / GAMMA), 1);
}
