/* direct_light.c - see direct_light.h. Follows the published SDK: vrad's leaf_ambient_lighting.cpp says which lamps
 * light a model directly and which are in the cubes of leaves. model_lamp.c converts a single lamp. */
#include "stages/light/direct_light.h"

#include <stdlib.h>

#include "base/vec.h"
#include "stages/light/light_ray.h"

#define IN_CUBES 1                     /* the SDK's DWL_FLAGS_INAMBIENTCUBE: the light is in the cubes already */
#define LOOKS_LIKE_SKY 0x6u            /* the SDK's SURF_SKY2D and SURF_SKY */
#define LEAST 0.0002f                  /* weakest lamp that the engine does not ignore (r_worldlightmin) */
#define SKY_FAR 65536.0f
#define OFF_SURFACE 0.03125f           /* the SDK's DIST_EPSILON, in game units */
#define NEARLY_ALL 0.999f
#define BUDGET 200000000u               /* limit for the work on all models of a map together: tree nodes and brush
                                         * sides that rays visit, plus tests of lamps */
enum { MOST_RAYS = 64 };               /* largest number of rays for one position */

typedef struct bspi_world_lamp {
	bspscene_model_lamp shown;
	uint32_t cluster;
} bspi_world_lamp;

typedef struct bspi_lamp_at {
	uint32_t number;
	float strength;
} bspi_lamp_at;

static float style_of(const bspscene_scene *scene, int32_t style)
{
	for (uint32_t i = 0; i < scene->light_style_count; i++) {
		if ((int32_t)scene->light_styles[i]->style == style) return scene->light_styles[i]->start;
	}
	return 1;
}

static uint32_t cluster_at(const bspscene_scene *scene, const float place[3])
{
	uint32_t leaf = bspscene_find_leaf(scene, place);
	return leaf == BSPSCENE_NO_INDEX ? leaf : scene->tree->leafs[leaf].cluster;
}

static float brightest_of(const float color[3]) { return fmaxf(fmaxf(color[0], color[1]), color[2]); }

static void add_lamp(bspi_lamps *out, const bspi_world_light *light)
{
	bool lights = light->kind == BSPI_WORLD_LIGHT_SURFACE || light->kind == BSPI_WORLD_LIGHT_POINT ||
	              light->kind == BSPI_WORLD_LIGHT_SPOT || light->kind == BSPI_WORLD_LIGHT_SKY;
	if (!lights || light->flags & IN_CUBES) return;
	bspi_world_lamp lamp = { .shown = bspi_model_lamp(light, style_of(out->scene, light->style)) };
	lamp.cluster = lamp.shown.sun ? BSPSCENE_NO_INDEX : cluster_at(out->scene, light->origin);
	if (brightest_of(lamp.shown.color) > 0) out->lamps[out->count++] = lamp;
}

bool bspi_collect_lamps(bspi_build *build, bspi_lamps *out)
{
	const bspi_map *map = build->map;
	*out = (bspi_lamps){ .map = map, .scene = build->scene, .budget = BUDGET };
	if (!map->world_lights_count) return true;
	out->lamps = bspi_push(build->ctx, &build->ctx->stage, bspi_world_lamp, map->world_lights_count);
	out->found = bspi_push(build->ctx, &build->ctx->stage, bspi_lamp_at, map->world_lights_count);
	BSPI_TRY(out->lamps && out->found);
	for (uint32_t i = 0; i < map->world_lights_count; i++) add_lamp(out, &map->world_lights[i]);
	return true;
}

/* ---- One lamp ----------------------------------------------------------------------------------------------- */

static bool is_seen(bspi_lamps *lamps, const bspscene_model_lamp *lamp, const float place[3])
{
	float to[3];
	bool sky = lamp->sun;
	for (int i = 0; i < 3; i++) {
		to[i] = sky ? place[i] - lamp->direction[i] * SKY_FAR : lamp->origin[i] + lamp->direction[i] * OFF_SURFACE;
	}
	bspi_light_ray ray = bspi_trace_light(lamps->map, place, to, &lamps->budget);
	return sky ? ray.share < 1 && ray.surface_flags & LOOKS_LIKE_SKY : ray.share >= NEARLY_ALL;
}

/* ---- One place ---------------------------------------------------------------------------------------------- */

static int compare_strengths(const void *a, const void *b)
{
	const bspi_lamp_at *x = a, *y = b;
	if (x->strength != y->strength) return x->strength < y->strength ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

static uint32_t find_candidates(bspi_lamps *lamps, const float place[3])
{
	uint32_t cluster = cluster_at(lamps->scene, place), count = 0;
	lamps->budget -= lamps->budget < lamps->count ? lamps->budget : lamps->count;
	for (uint32_t i = 0; i < lamps->count; i++) {
		const bspi_world_lamp *lamp = &lamps->lamps[i];
		float toward[3], strength = bspscene_lamp_attenuation(&lamp->shown, place, toward);
		strength *= brightest_of(lamp->shown.color);
		bool known = cluster != BSPSCENE_NO_INDEX && lamp->cluster != BSPSCENE_NO_INDEX;
		if (!(strength >= LEAST)) continue;
		if (known && !bspscene_cluster_visible(lamps->scene, cluster, lamp->cluster)) continue;
		lamps->found[count++] = (bspi_lamp_at){ i, strength };
	}
	if (count) qsort(lamps->found, count, sizeof *lamps->found, compare_strengths);
	return count;
}

/* Adds to the cube the light of a lamp that is not one of the strongest lamps. Each side of the cube gets the light
 * times the cosine of the angle between the side's normal and the direction to the lamp. */
static void add_to_cube(const bspi_world_lamp *lamp, const float place[3], float cube[6][3])
{
	float toward[3], share = bspscene_lamp_attenuation(&lamp->shown, place, toward);
	for (int side = 0; side < 6; side++) {
		float toward_side = toward[side / 2] * (side % 2 ? -1.0f : 1.0f);
		for (int i = 0; toward_side > 0 && i < 3; i++) cube[side][i] += lamp->shown.color[i] * share * toward_side;
	}
}

bool bspi_find_direct_light(bspi_lamps *lamps, const float place[3], bspi_direct_light *out)
{
	*out = (bspi_direct_light){ .count = 0 };
	uint32_t count = lamps->budget ? find_candidates(lamps, place) : 0;
	for (uint32_t i = 0; i < count && i < MOST_RAYS && lamps->budget; i++) {
		const bspi_world_lamp *lamp = &lamps->lamps[lamps->found[i].number];
		if (!is_seen(lamps, &lamp->shown, place)) continue;
		if (out->count < BSPI_MOST_DIRECT) out->lamps[out->count++] = &lamp->shown;
		else add_to_cube(lamp, place, out->cube);
	}
	return out->count > 0 && lamps->budget > 0;
}

void bspi_direct_light_on(const bspi_direct_light *direct, const float ambient[6][3], const float position[3],
                          const float normal[3], bool softly, float out[3])
{
	for (int i = 0; i < 3; i++) {
		out[i] = 0;
		for (int axis = 0; axis < 3; axis++) {
			int side = 2 * axis + (normal[axis] < 0);
			out[i] += (ambient[side][i] + direct->cube[side][i]) * normal[axis] * normal[axis];
		}
	}
	for (uint32_t k = 0; k < direct->count; k++) {
		float toward[3], share = bspscene_lamp_attenuation(direct->lamps[k], position, toward);
		float cosine = bspi_dot(toward, normal), half = fmaxf(cosine / 2 + 0.5f, 0);
		share *= softly ? half * half : fmaxf(cosine, 0);
		for (int i = 0; i < 3; i++) out[i] += direct->lamps[k]->color[i] * share;
	}
}
