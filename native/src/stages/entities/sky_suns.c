/* sky_suns.c - adds lights for suns that no entity describes. These are the suns of sky shaders (q3map_sun), and in
 * some games a sun that keys of worldspawn describe. */
#include "stages/entities/nodes.h"

#include <bspscene/material.h>

#include "base/text.h"
#include "base/vec.h"

typedef struct suns {
	const bspscene_sky *known[BSPI_MOST_SKY_SUNS];
	uint32_t count;
} suns;

static bool is_same(const bspscene_sky *a, const bspscene_sky *b)
{
	return a->sun_intensity == b->sun_intensity && bspi_equal3(a->sun_color, b->sun_color) &&
	       bspi_equal3(a->sun_direction, b->sun_direction);
}

static bool is_new(const suns *found, const bspscene_sky *sky)
{
	for (uint32_t i = 0; i < found->count; i++) {
		if (is_same(found->known[i], sky)) return false;
	}
	return true;
}

static bool find_suns(const bspi_build *build, suns *found)
{
	found->count = 0;
	for (uint32_t i = 0; i < bspi_texture_total(build); i++) {
		uint32_t material = build->texture_materials[i]; /* NO_INDEX if no face uses the texture */
		if (material == BSPSCENE_NO_INDEX) continue;
		const bspscene_sky *sky = build->scene->materials[material]->sky;
		if (!sky || !sky->has_sun || !(sky->sun_intensity > 0) || !is_new(found, sky)) continue;
		if (found->count == BSPI_MOST_SKY_SUNS) {
			return bspi_warn(build->ctx, BSPSCENE_WARNING_LIMIT, BSPI_RECORD("textures", i),
			                 "its sun and later ones are left out: at most %d suns are shown", BSPI_MOST_SKY_SUNS);
		}
		found->known[found->count++] = sky;
	}
	return true;
}

/* Adds a sun. Its intensity is the light on a surface that faces the sun. It is the same at all distances. */
static bool add_sun(bspi_nodes *nodes, const bspscene_sky *sky, uint32_t number)
{
	static const float nowhere[3];
	bspi_ctx *ctx = nodes->build->ctx;
	char *name = bspi_text_format(ctx, &ctx->result, "sun:%u", number);
	BSPI_TRY(name);
	float from_sun[3];
	for (int i = 0; i < 3; i++) from_sun[i] = -sky->sun_direction[i];
	bspscene_light *light = bspi_add_light(nodes, BSPI_NODE_ROOT, name, nowhere, from_sun);
	light->kind = BSPSCENE_LIGHT_SUN;
	light->falloff = BSPSCENE_FALLOFF_NONE;
	light->intensity = sky->sun_intensity;
	bspi_copy3(light->color, sky->sun_color);
	light->illuminance_at_100_units = bspi_measure_light(nodes->build, light);
	return true;
}

/* The sun that keys of worldspawn describe. */
typedef struct world_sun {
	float color[3], largest;           /* color, scaled so that its largest channel is 1; value of that channel
	                                    * before */
	float strength;                    /* factor by which the color is multiplied; with 255, a white sun shows a
	                                    * texture unchanged */
	float toward[3];                   /* unit vector that points to the sun */
} world_sun;

/* Reads the keys for the sun. A key that is missing has a default. Returns false if the sun has no light. */
static bool read_world_sun(const bspi_nodes *nodes, uint32_t entity, const bspi_world_sun *rule, world_sun *out)
{
	static const float nowhere[3];
	const bspi_build *build = nodes->build;
	float angles[3] = { 0 }, way[12];
	if (bspi_entity_numbers(build, entity, rule->angles_key, angles, 2) != 2) {
		memcpy(angles, rule->angles, sizeof rule->angles);
	}
	if (bspi_entity_numbers(build, entity, rule->color_key, out->color, 3) != 3) bspi_copy3(out->color, rule->color);
	out->strength = bspi_entity_number(nodes, entity, rule->light_key, rule->light);
	if (!bspi_are_finite(angles, 2) || !bspi_are_finite(out->color, 3) || !(out->strength > 0)) return false;
	bspi_transform_angles(way, nowhere, angles[0], angles[1], 0);
	for (int i = 0; i < 3; i++) out->toward[i] = way[4 * i];
	out->largest = bspi_normalize_color(out->color);
	return true;
}

/* Sets the light that is the same on all models. The ambient light has a lower limit. The light of the sun is added
 * without shadows, up to an upper limit (cl_spawn.cpp SP_worldspawn, r_light.cpp R_UpdateLightList, and the
 * shaders). */
static bool add_outdoor_light(const bspi_nodes *nodes, uint32_t entity, const bspi_world_sun *rule,
                              const world_sun *sun)
{
	const float least = 0.1f, least_sum = 0.5f, step = 1.25f, most = 2, unit = 1 / 255.0f;
	float ambient[3];
	bspi_ctx *ctx = nodes->build->ctx;
	bspscene_light_sample *light = bspi_push(ctx, &ctx->result, bspscene_light_sample, 1);
	BSPI_TRY(light);
	uint32_t count = bspi_entity_numbers(nodes->build, entity, rule->ambient_key, ambient, 3);
	bool stated = count == 3 && bspi_are_finite(ambient, 3) && bspi_dot(ambient, ambient) > 0;
	if (!stated) bspi_copy3(ambient, rule->ambient);
	for (int i = 0; i < 3; i++) ambient[i] = fminf(fmaxf(ambient[i], least), most);
	while (ambient[0] + ambient[1] + ambient[2] < least_sum) {
		for (int i = 0; i < 3; i++) ambient[i] *= step;
	}
	for (int side = 0; side < 6; side++) bspi_copy3(light->sides[side], ambient);
	for (int i = 0; i < 3; i++) light->directed[i] = fminf(sun->color[i] * sun->strength * unit, most - ambient[i]);
	bspi_copy3(light->direction, sun->toward);
	nodes->build->scene->outdoor_light = light;
	return true;
}

static bool add_world_sun(bspi_nodes *nodes)
{
	static const float nowhere[3];
	const bspi_build *build = nodes->build;
	const bspi_world_sun *rule = build->map->rules.entities->lights->world_suns;
	uint32_t entity = nodes->nodes[BSPI_NODE_ROOT + 1].entity; /* entity of the world's node */
	float from_sun[3];
	world_sun sun;
	if (!rule || entity == BSPSCENE_NO_INDEX) return true;
	rule += build->map->light_set;
	if (!read_world_sun(nodes, entity, rule, &sun)) return true;
	for (int i = 0; i < 3; i++) from_sun[i] = -sun.toward[i];
	bspscene_light *light = bspi_add_light(nodes, BSPI_NODE_ROOT, "sun", nowhere, from_sun);
	light->kind = BSPSCENE_LIGHT_SUN;
	light->falloff = BSPSCENE_FALLOFF_NONE;
	light->intensity = sun.strength * sun.largest;
	bspi_copy3(light->color, sun.color);
	light->illuminance_at_100_units = bspi_measure_light(build, light);
	return add_outdoor_light(nodes, entity, rule, &sun);
}

bool bspi_add_sky_suns(bspi_nodes *nodes)
{
	suns found;
	BSPI_TRY(add_world_sun(nodes) && find_suns(nodes->build, &found));
	for (uint32_t i = 0; i < found.count; i++) BSPI_TRY(add_sun(nodes, found.known[i], i));
	return true;
}
