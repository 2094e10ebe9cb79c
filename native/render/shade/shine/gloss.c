/* gloss.c - computes the light of lamps on models with phong highlights (bspscene_phong). */
#include <math.h>
#include <string.h>

#include "shade/shine/shine.h"
#include "vector.h"

#define GAMMA 2.2f

/* A point on a model, its normal, and values that the light of all lamps at this point needs. */
typedef struct glossy_point {
	const bspr_shading *shading;
	const bspr_surface *surface;
	const bspscene_phong *gloss;
	float normal[3], to_eye[3], mirrored[3];
	float fresnel, away;               /* Fresnel term F, and (1 - n.v)^4 for the rim */
	float exponent, mask, rim_mask;
	float color[3];
} glossy_point;

/* Sums over all lamps, in linear light: diffuse light, highlights, and light at the rim. */
typedef struct thrown {
	float diffuse[3], gloss[3], rim[3];
} thrown;

static float power(float base, float exponent) { return (float)pow(base, exponent); }

static float display(float linear) { return power(fmaxf(linear, 0), 1 / GAMMA); }

float bspr_phong_fresnel(const bspscene_phong *gloss, float facing)
{
	const float *f = gloss->fresnel;
	float away = bspr_clamp01(1 - facing), at = away * away;
	return at < 0.5f ? f[0] + (f[1] - f[0]) * 2 * at : f[1] + (f[2] - f[1]) * (2 * at - 1);
}

static void texel_of(const glossy_point *p, uint32_t image, float out[4])
{
	static const float unscaled[2] = { 1, 1 };
	bspr_placing place = bspr_base_placing(p->shading, p->surface->material, unscaled);
	float texel[1][4];
	bspr_placed_texels(p->shading, p->surface, 1, image, &place, texel);
	memcpy(out, texel[0], sizeof texel[0]);
}

static void ramp_texel(const glossy_point *p, uint32_t image, float u, float v, float out[4])
{
	const float uv[2] = { u, v };
	bspi_mips_sample(&p->shading->renderer->textures[image], uv, 0, true, out);
}

static void find_directions(glossy_point *p)
{
	float *n = p->normal, *v = p->to_eye;
	for (int i = 0; i < 3; i++) v[i] = p->shading->view->origin[i] - p->surface->position[i];
	bspr_normalize(v);
	bspr_normalize(n);
	float facing = bspr_dot(n, v), away = bspr_clamp01(1 - facing);
	for (int i = 0; i < 3; i++) p->mirrored[i] = 2 * facing * n[i] - v[i];
	p->fresnel = bspr_phong_fresnel(p->gloss, facing);
	p->away = away * away * away * away;
}

static void find_point(glossy_point *p, const float base[4])
{
	const bspscene_phong *g = p->gloss;
	float normal[4] = { 0.5f, 0.5f, 1, 1 }, exponent[4] = { 1, 1, 1, 1 };
	if (g->normal_image != BSPSCENE_NO_INDEX) texel_of(p, g->normal_image, normal);
	if (g->exponent_image != BSPSCENE_NO_INDEX) texel_of(p, g->exponent_image, exponent);
	bspr_world_normal(p->surface, p->normal);
	bool bent = g->normal_image != BSPSCENE_NO_INDEX && !g->masked_by_base;
	if (bent) bspr_bend_normal(p->surface, normal, p->normal);
	find_directions(p);
	p->mask = g->masked_by_base ? base[3] : normal[3];
	p->exponent = g->exponent[0] + g->exponent[1] * exponent[0];
	p->rim_mask = g->rim_masked ? exponent[3] : 1;
	for (int i = 0; i < 3; i++) {
		float tinted = 1 + (power(base[i], GAMMA) - 1) * exponent[1];
		p->color[i] = g->base_color ? tinted : g->color[i];
	}
}

static void cube_light(const bspscene_model_light *light, const float normal[3], float out[3])
{
	for (int i = 0; i < 3; i++) {
		out[i] = 0;
		for (int axis = 0; axis < 3; axis++) {
			out[i] += light->cube[2 * axis + (normal[axis] < 0)][i] * normal[axis] * normal[axis];
		}
	}
}

/* Interpolates the attenuation of a lamp between the corners, as graphics hardware does. */
static float find_share(const bspr_surface *s, const bspscene_model_lamp *lamp, float toward[3])
{
	float share = 0;
	for (int k = 0; k < 3; k++) share += bspscene_lamp_attenuation(lamp, s->places[k], toward) * s->weights[k];
	bspscene_lamp_attenuation(lamp, s->position, toward);
	return share;
}

static void add_lamp(const glossy_point *p, const bspscene_model_lamp *lamp, thrown *out)
{
	const bspscene_phong *g = p->gloss;
	float toward[3] = { 0, 0, 1 }, share = find_share(p->surface, lamp, toward);
	float facing = bspr_dot(p->normal, toward), half = bspr_clamp01(facing * 0.5f + 0.5f);
	float along = bspr_clamp01(bspr_dot(p->mirrored, toward)), gloss = power(along, p->exponent);
	float ramp[4] = { half * half, half * half, half * half, 1 }, tint[4] = { 1, 1, 1, 1 };
	float double_ramp = g->light_ramp == BSPSCENE_NO_INDEX ? 1 : 2;
	if (g->light_ramp != BSPSCENE_NO_INDEX) ramp_texel(p, g->light_ramp, half, 0, ramp);
	if (g->gloss_ramp != BSPSCENE_NO_INDEX) ramp_texel(p, g->gloss_ramp, gloss, p->fresnel, tint);
	for (int i = 0; i < 3; i++) {
		float color = lamp->color[i] * share;
		out->diffuse[i] += color * double_ramp * ramp[i];
		out->gloss[i] += color * bspr_clamp01(facing) * gloss * tint[i];
		if (g->rim) out->rim[i] += color * bspr_clamp01(facing) * power(along, g->rim_exponent);
	}
}

bool bspr_phong(const bspr_shading *shading, const bspr_surface *s, const float base[4], float light[3],
                float added[3])
{
	const bspscene_phong *g = s->material->phong;
	const bspscene_scene *scene = shading->renderer->scene;
	uint32_t prop = s->instance->node->prop;
	const bspscene_model_light *lit = g && prop != BSPSCENE_NO_INDEX ? scene->props[prop]->model_light : NULL;
	if (!lit || shading->options->mode != BSPSCENE_RENDER_FULL) return false;
	glossy_point p = { .shading = shading, .surface = s, .gloss = g };
	thrown sum = { { 0 }, { 0 }, { 0 } };
	float ambient[3];
	find_point(&p, base);
	cube_light(lit, p.normal, sum.diffuse);
	cube_light(lit, p.to_eye, ambient);
	for (uint32_t i = 0; i < lit->lamp_count; i++) add_lamp(&p, lit->lamps[i], &sum);
	float strength = p.mask * g->boost * (g->gloss_ramp == BSPSCENE_NO_INDEX ? p.fresnel : 1);
	float rim = p.rim_mask * p.away, upwards = bspr_clamp01(rim * p.normal[2]);
	for (int i = 0; i < 3; i++) {
		float gloss = sum.gloss[i] * strength;
		if (g->rim) gloss = fmaxf(gloss, sum.rim[i] * rim) + ambient[i] * g->rim_boost * upwards;
		light[i] = display(sum.diffuse[i]);
		added[i] = display(gloss * p.color[i]);
	}
	return true;
}
