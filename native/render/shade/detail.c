/* detail.c - applies three things of a material: its second texture with a blend mask, its detail texture, and its
 * emission. Like the engine, it adds and interpolates in linear light. */
#include "shade/shade.h"

#include <math.h>

#define GAMMA 2.2f

static float linear(float value) { return (float)pow(fmaxf(value, 0), GAMMA); }

static float display(float value) { return (float)pow(fmaxf(value, 0), 1 / GAMMA); }

static float between(float from, float to, float amount) { return from + (to - from) * amount; }

float bspr_blend_amount(const bspscene_blend_mask *border, const float mask[4], float weight)
{
	float start = mask[1] - mask[0], end = mask[1] + mask[0];
	if (border->masked) {
		weight = 0.5f;
	} else {
		start = fmaxf(start, 0);
		end = fminf(end, 1);
	}
	if (!(end > start)) return weight >= end;
	float t = fminf(fmaxf((weight - start) / (end - start), 0), 1);
	return t * t * (3 - 2 * t);
}

void bspr_cover(const float second[4], float amount, float color[4])
{
	for (int i = 0; i < 3; i++) color[i] = display(between(linear(color[i]), linear(second[i]), amount));
}

void bspr_add_light(const float light[3], float color[3])
{
	for (int i = 0; i < 3; i++) {
		if (light[i] > 0) color[i] = display(linear(color[i]) + linear(light[i]));
	}
}

/* Applies the detail texture to one channel, in linear light. */
static float with_detail(bspscene_detail_texture_mode mode, float factor, float color, float alpha,
                         const float detail[4], int channel)
{
	float d = detail[channel];
	switch (mode) {
	case BSPSCENE_DETAIL_TEXTURE_DOUBLED: return color * between(1, 2 * d, factor);
	case BSPSCENE_DETAIL_TEXTURE_ADD: return color + factor * d;
	case BSPSCENE_DETAIL_TEXTURE_OVER: return between(color, d, factor * detail[3]);
	case BSPSCENE_DETAIL_TEXTURE_FADE: return between(color, d, factor);
	case BSPSCENE_DETAIL_TEXTURE_UNDER: return between(color, d, factor * (1 - alpha));
	case BSPSCENE_DETAIL_TEXTURE_PATTERNS: return color * between(1, 2 * between(detail[0], detail[3], alpha), factor);
	case BSPSCENE_DETAIL_TEXTURE_MULTIPLY: return color * between(1, d, factor);
	case BSPSCENE_DETAIL_TEXTURE_SELF_SHADOWED: return color * (detail[0] + detail[1] + detail[2]) * (2 / 3.0f);
	default: return color;
	}
}

static float alpha_with_detail(bspscene_detail_texture_mode mode, float factor, float alpha, float of_detail)
{
	switch (mode) {
	case BSPSCENE_DETAIL_TEXTURE_FADE: return between(alpha, of_detail, factor);
	case BSPSCENE_DETAIL_TEXTURE_UNDER: return of_detail;
	case BSPSCENE_DETAIL_TEXTURE_MULTIPLY:
	case BSPSCENE_DETAIL_TEXTURE_MASK: return alpha * between(1, of_detail, factor);
	default: return alpha;
	}
}

static void detail_color(const bspscene_detail_texture *texture, const float texel[4], float out[4])
{
	bool display_values = texture->display || texture->mode == BSPSCENE_DETAIL_TEXTURE_ADD;
	for (int i = 0; i < 3; i++) out[i] = (display_values ? linear(texel[i]) : texel[i]) * texture->color[i];
	out[3] = texel[3];
}

void bspr_apply_detail(const bspscene_detail_texture *texture, const float texel[4], float color[4])
{
	bspscene_detail_texture_mode mode = texture->mode;
	float factor = texture->factor, detail[4];
	if (mode == BSPSCENE_DETAIL_TEXTURE_GLOW || mode == BSPSCENE_DETAIL_TEXTURE_GLOW_BAND) return;
	detail_color(texture, texel, detail);
	for (int i = 0; i < 3; i++) color[i] = display(with_detail(mode, factor, linear(color[i]), color[3], detail, i));
	if (!texture->keeps_alpha) color[3] = alpha_with_detail(mode, factor, color[3], detail[3]);
}

void bspr_add_detail_glow(const bspscene_detail_texture *texture, const float texel[4], float color[3])
{
	float f = texture->factor, detail[4];
	bool band = texture->mode == BSPSCENE_DETAIL_TEXTURE_GLOW_BAND;
	if (!band && texture->mode != BSPSCENE_DETAIL_TEXTURE_GLOW) return;
	detail_color(texture, texel, detail);
	for (int i = 0; i < 3; i++) {
		float part = f >= 0.5f ? (detail[i] + f - 1) / f : 4 * f * (detail[i] - 0.5f);
		float added = band ? fminf(fmaxf(part, 0), 1) : f * detail[i];
		color[i] = display(linear(color[i]) + added);
	}
}

void bspr_shine(const bspscene_emission_mask *own, const float texture[3], const float part[3], float color[3])
{
	for (int i = 0; i < 3; i++) {
		if (part[i] <= 0) continue;
		color[i] = display(between(linear(color[i]), own->color[i] * linear(texture[i]), part[i]));
	}
}
