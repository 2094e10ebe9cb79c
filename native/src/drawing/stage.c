/* stage.c - see stage.h. Follows the engine's tr_shade_calc.c. */
#include "drawing/stage.h"

#include <math.h>
#include <string.h>

#include "drawing/four.h"

#define TURN 6.283185307179586f

float bspi_wave_at(const bspscene_wave *wave, float time)
{
	float at = wave->phase + time * wave->frequency;
	at -= floorf(at);
	float value = 0;
	switch (wave->func) {
	case BSPSCENE_WAVE_SIN: value = (float)sin(at * TURN); break;
	case BSPSCENE_WAVE_SQUARE: value = at < 0.5f ? 1 : -1; break;
	case BSPSCENE_WAVE_TRIANGLE: value = at < 0.25f ? 4 * at : at < 0.75f ? 2 - 4 * at : 4 * at - 4; break;
	case BSPSCENE_WAVE_SAWTOOTH: value = at; break;
	case BSPSCENE_WAVE_INVERSE_SAWTOOTH: value = 1 - at; break;
	default: break;                    /* the mean of noise is 0, so noise adds nothing */
	}
	return wave->base + value * wave->amplitude;
}

static void stretch(const bspscene_tc_mod *mod, float time, float uv[2])
{
	float wave = bspi_wave_at(&mod->wave, time);
	float scale = fabsf(wave) > 1e-6f ? 1 / wave : 1;
	for (int i = 0; i < 2; i++) uv[i] = uv[i] * scale + 0.5f - 0.5f * scale;
}

static void rotate(float degrees, float uv[2])
{
	float s = (float)sin(degrees * TURN / 360), c = (float)cos(degrees * TURN / 360), u = uv[0], v = uv[1];
	uv[0] = c * u - s * v + 0.5f - 0.5f * c + 0.5f * s;
	uv[1] = s * u + c * v + 0.5f - 0.5f * s - 0.5f * c;
}

static void turbulence(const bspscene_wave *wave, float time, const float position[3], float uv[2])
{
	float now = wave->phase + time * wave->frequency;
	uv[0] += (float)sin(((position[0] + position[2]) / 128 * 0.125f + now) * TURN) * wave->amplitude;
	uv[1] += (float)sin((position[1] / 128 * 0.125f + now) * TURN) * wave->amplitude;
}

/* Warps like Quake's liquids. The engines look sines up in tables of 256 entries; here they are exact. */
static void warp(const float values[3], float time, float uv[2])
{
	float u = uv[0], v = uv[1], now = values[2] * time;
	uv[0] = u + values[0] * (float)sin(values[1] * v + now);
	uv[1] = v + values[0] * (float)sin(values[1] * u + now);
}

void bspi_modify_uv(const bspscene_material_pass *stage, float time, const float position[3], float uv[2])
{
	for (uint32_t i = 0; i < stage->tc_mod_count; i++) {
		const bspscene_tc_mod *mod = &stage->tc_mods[i];
		const float *v = mod->values;
		float u = uv[0];
		switch (mod->kind) {
		case BSPSCENE_TC_MOD_SCALE:
			uv[0] *= v[0];
			uv[1] *= v[1];
			break;
		case BSPSCENE_TC_MOD_SCROLL:
			/* As in the engine, the whole part of the distance is dropped, so that numbers stay small. */
			uv[0] += v[0] * time - floorf(v[0] * time);
			uv[1] += v[1] * time - floorf(v[1] * time);
			break;
		case BSPSCENE_TC_MOD_OFFSET:
			uv[0] += v[0];
			uv[1] += v[1];
			break;
		case BSPSCENE_TC_MOD_TRANSFORM:
			uv[0] = u * v[0] + uv[1] * v[2] + v[4];
			uv[1] = u * v[1] + uv[1] * v[3] + v[5];
			break;
		case BSPSCENE_TC_MOD_ROTATE: rotate(-v[0] * time, uv); break;
		case BSPSCENE_TC_MOD_STRETCH: stretch(mod, time, uv); break;
		case BSPSCENE_TC_MOD_TURBULENCE: turbulence(&mod->wave, time, position, uv); break;
		case BSPSCENE_TC_MOD_WARP: warp(v, time, uv); break;
		default: break;                /* entity translation moves nothing, because entities of the scene do not move */
		}
	}
}

/* Returns a weight from a hash of the position, as the engine does (UFO: Alien Invasion, r_material.cpp R_StageColor).
 * If the hash is negative, the engine reads memory in front of its table. In Debian's build, the values nearest to the
 * table are 0, and those farther away are undefined. Here all of them are 0. */
float bspi_dirt_at(const float position[3])
{
	static const float weights[16] = { 0.6f, 0.5f, 0.3f, 0.4f, 0.7f, 0.3f, 0, 0.4f,
		                               0.5f, 0.2f, 0.8f, 0.5f, 0.3f, 0.2f, 0.5f, 0.3f };
	float hash = position[0] * 1.3f + position[1] * 3.1f + position[2] * 7.3f;
	return hash >= 0 && hash < 1e9f ? weights[(uint32_t)hash % 16] : 0;
}

static inline bspi_four factor(bspscene_blend blend, bspi_four source, bspi_four destination)
{
	switch (blend) {
	case BSPSCENE_BLEND_ONE: return bspi_four_same(1);
	case BSPSCENE_BLEND_SRC_COLOR: return source;
	case BSPSCENE_BLEND_ONE_MINUS_SRC_COLOR: return bspi_four_complement(source);
	case BSPSCENE_BLEND_DST_COLOR: return destination;
	case BSPSCENE_BLEND_ONE_MINUS_DST_COLOR: return bspi_four_complement(destination);
	case BSPSCENE_BLEND_SRC_ALPHA: return bspi_four_last(source);
	case BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA: return bspi_four_complement(bspi_four_last(source));
	case BSPSCENE_BLEND_DST_ALPHA: return bspi_four_same(1);
	case BSPSCENE_BLEND_SRC_ALPHA_SATURATE: return bspi_four_same(0); /* destination alpha is 1 */
	default: return bspi_four_same(0); /* ZERO, or ONE_MINUS_DST_ALPHA with a destination alpha of 1 */
	}
}

/* Blends a color, with shortcuts for the most common functions. */
static inline bspi_four blended(bspscene_blend src, bspscene_blend dst, bspi_four in, bspi_four color, float limit)
{
	if (src == BSPSCENE_BLEND_ONE && dst == BSPSCENE_BLEND_ZERO) return bspi_four_within(in, limit);
	bool multiplies = (src == BSPSCENE_BLEND_DST_COLOR && dst == BSPSCENE_BLEND_ZERO) ||
	                  (src == BSPSCENE_BLEND_ZERO && dst == BSPSCENE_BLEND_SRC_COLOR);
	if (multiplies) return bspi_four_within(bspi_four_product(in, color), limit);
	bspi_four of_in = bspi_four_product(in, factor(src, in, color));
	return bspi_four_within(bspi_four_sum(of_in, bspi_four_product(color, factor(dst, in, color))), limit);
}

void bspi_blend_pass(bspscene_blend src, bspscene_blend dst, const float in[4], float color[3], float limit)
{
	float out[4];
	bspi_four value = bspi_four_of(color[0], color[1], color[2]);
	bspi_four_store(out, blended(src, dst, bspi_four_load(in), value, limit));
	memcpy(color, out, 3 * sizeof *color);
}

void bspi_blend_row(bspscene_blend src, bspscene_blend dst, const float factors[4], uint32_t count,
                    const float (*in)[4], float (*colors)[4], float limit)
{
	bspi_four times = bspi_four_load(factors);
	for (uint32_t i = 0; i < count; i++) {
		bspi_four value = bspi_four_product(bspi_four_load(in[i]), times);
		bspi_four_store(colors[i], blended(src, dst, value, bspi_four_load(colors[i]), limit));
	}
}

/* Returns the frame of an animation at a time. Negative and huge times show the first frame. With `once` the last frame
 * stays. */
static uint32_t frame_at(float time, float frames_per_second, uint32_t count, bool once)
{
	float frame = floorf(time * frames_per_second);
	if (once && frame >= (float)count) return count - 1;
	return frame > 0 && frame < 1e9f ? (uint32_t)frame % count : 0;
}

uint32_t bspi_pass_image(const bspscene_scene *scene, const bspscene_material_pass *stage, float time)
{
	if (!stage->frame_image_count) return BSPSCENE_NO_INDEX;
	return scene->frame_images[stage->first_frame_image +
	                           frame_at(time, stage->frames_per_second, stage->frame_image_count, false)];
}

static uint32_t animation_frame(const bspscene_animation *animation, float time)
{
	return frame_at(time, animation->frames_per_second, animation->frame_image_count, animation->once);
}

uint32_t bspi_base_image(const bspscene_scene *scene, const bspscene_material *material, float time)
{
	const bspscene_animation *animation = material->animation;
	return animation ? scene->frame_images[animation->first_frame_image + animation_frame(animation, time)]
	                 : material->base_image;
}

uint32_t bspi_glow_image(const bspscene_scene *scene, const bspscene_material *material, float time)
{
	const bspscene_animation *animation = material->animation;
	if (!animation || animation->first_emissive_image == BSPSCENE_NO_INDEX) return material->emissive_image;
	return scene->frame_images[animation->first_emissive_image + animation_frame(animation, time)];
}
