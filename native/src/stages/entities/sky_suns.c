/* sky_suns.c - adds lights for suns that no entity describes: those of sky shaders (q3map_sun), once each, and the one
 * that worldspawn describes in some games. */
#include "stages/entities/nodes.h"

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
		uint32_t material = build->texture_materials[i]; /* NO_INDEX: unused */
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

/* Adds a sun. Its brightness is that of a surface that faces it, at any distance. */
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

/* Adds the sun described by worldspawn's keys. Missing keys have the game's defaults. */
static bool add_world_sun(bspi_nodes *nodes)
{
	static const float nowhere[3];
	const bspi_build *build = nodes->build;
	const bspi_world_sun *rule = build->map->rules.entities->lights->world_suns;
	const bspscene_node *world = &nodes->nodes[BSPI_NODE_ROOT + 1];
	float angles[3] = { 0 }, color[3], strength, way[12], from_sun[3];
	if (!rule || world->entity == BSPSCENE_NO_INDEX) return true;
	rule += build->map->light_set;
	if (bspi_entity_numbers(build, world->entity, rule->angles_key, angles, 2) != 2) {
		memcpy(angles, rule->angles, sizeof rule->angles);
	}
	if (bspi_entity_numbers(build, world->entity, rule->color_key, color, 3) != 3) bspi_copy3(color, rule->color);
	strength = bspi_entity_number(nodes, world->entity, rule->light_key, rule->light);
	if (!bspi_are_finite(angles, 2) || !bspi_are_finite(color, 3) || !(strength > 0)) return true;
	bspi_transform_angles(way, nowhere, angles[0], angles[1], 0);
	for (int i = 0; i < 3; i++) from_sun[i] = -way[4 * i];
	bspscene_light *light = bspi_add_light(nodes, BSPI_NODE_ROOT, "sun", nowhere, from_sun);
	light->kind = BSPSCENE_LIGHT_SUN;
	light->falloff = BSPSCENE_FALLOFF_NONE;
	light->intensity = strength * bspi_normalize_color(color);
	bspi_copy3(light->color, color);
	light->illuminance_at_100_units = bspi_measure_light(build, light);
	return true;
}

bool bspi_add_sky_suns(bspi_nodes *nodes)
{
	suns found;
	BSPI_TRY(add_world_sun(nodes) && find_suns(nodes->build, &found));
	for (uint32_t i = 0; i < found.count; i++) BSPI_TRY(add_sun(nodes, found.known[i], i));
	return true;
}
