/* model_lamp.c - converts a light of Source's compiled list to a lamp for models, after ComputeLightAtPoints in the
 * published SDK's mathlib/lightdesc.cpp. */
#include <assert.h>

#include "base/vec.h"
#include "stages/light/direct_light.h"

#define NEAREST 1.0f
#define EVERYWHERE (-2.0f)             /* a cosine below all others: the cone contains every direction */

/* Sets how the light falls off. Light of a glowing surface falls off with the squared distance, and with the cosine
 * of the angle to the surface's normal. */
static void shape(const bspi_world_light *light, bspscene_model_lamp *out)
{
	out->exponent = 1;
	if (light->kind == BSPI_WORLD_LIGHT_SURFACE) {
		out->fade[2] = 1;
		out->cone[0] = 1;
		return;
	}
	const float fade[3] = { light->constant, light->linear, light->quadratic };
	bspi_copy3(out->fade, fade);
	out->cone[0] = out->cone[1] = EVERYWHERE;
	if (light->kind != BSPI_WORLD_LIGHT_SPOT) return;
	out->cone[0] = light->inner_cosine;
	out->cone[1] = light->outer_cosine;
	if (light->exponent != 0) out->exponent = light->exponent;
}

bspscene_model_lamp bspi_model_lamp(const bspi_world_light *light, float style)
{
	const float brightest = 1e12f;
	bspscene_model_lamp out = { .sun = light->kind == BSPI_WORLD_LIGHT_SKY, .radius = light->radius };
	bspi_copy3(out.origin, light->origin);
	bspi_copy3(out.direction, light->normal);
	for (int i = 0; i < 3; i++) out.color[i] = fminf(fmaxf(light->intensity[i], 0), brightest) * style;
	shape(light, &out);
	return out;
}

static float cone_share(const bspscene_model_lamp *lamp, float cosine)
{
	const float least = 1e-10f;
	float spread = lamp->cone[0] - lamp->cone[1];
	if (lamp->cone[1] < -1) return 1;
	if (cosine <= lamp->cone[1]) return 0;
	float share = fminf((cosine - lamp->cone[1]) * (spread > least ? 1 / spread : 1), 1);
	return lamp->exponent == 1 ? share : (float)pow(share, lamp->exponent);
}

float bspscene_lamp_attenuation(const bspscene_model_lamp *lamp, const float place[3], float toward[3])
{
	assert(lamp && place && toward);
	const float least = 1e-9f;
	float back[3];
	for (int i = 0; i < 3; i++) back[i] = -lamp->direction[i];
	if (lamp->sun) {
		bspi_copy3(toward, back);
		return bspi_normalize(toward) ? 1 : 0;
	}
	bspi_sub(toward, lamp->origin, place);
	float squared = fmaxf(bspi_dot(toward, toward), NEAREST);
	if (lamp->radius > 0 && squared >= lamp->radius * lamp->radius) return 0;
	if (!bspi_normalize(toward)) bspi_copy3(toward, (const float[3]){ 0, 0, 1 });
	float fading = lamp->fade[0] + lamp->fade[1] * sqrtf(squared) + lamp->fade[2] * squared;
	float share = cone_share(lamp, bspi_dot(toward, back));
	return fading > least ? share / fading : share;
}
