/* world_lights.c - adds lights for which the map has no entity, from the list that its compiler stored. These
 * lights are the glowing textures. If light entities were removed from the map, their lights are added too
 * (docs/formats/source.md, "World lights"). */
#include "stages/entities/nodes.h"

#include <math.h>

#include "base/text.h"
#include "base/vec.h"

/* Largest distance, in game units, between a light of the list and its entity. They nearly agree, because both were
 * read from the same text. */
#define SAME_PLACE 0.5f
/* Factor from light in the compiler's list to light in the keys of light entities: full light is 1 in the list, but
 * 255 in the keys. */
#define FULL 255.0f
#define MOST_INTENSITY 1e9f

static bool has_entity(const bspi_nodes *nodes, uint32_t entity_lights, const bspi_world_light *light)
{
	for (uint32_t i = 0; i < entity_lights; i++) {
		const bspscene_light *known = &nodes->lights[i];
		if (light->kind == BSPI_WORLD_LIGHT_SKY) {
			if (known->kind == BSPSCENE_LIGHT_SUN) return true;
			continue;
		}
		const float *m = nodes->nodes[known->node].transform, at[3] = { m[3], m[7], m[11] };
		float d[3];
		bspi_sub(d, at, light->origin);
		if (bspi_dot(d, d) <= SAME_PLACE * SAME_PLACE) return true;
	}
	return false;
}

static bspscene_light_kind kind_of(const bspi_world_light *light)
{
	switch (light->kind) {
	case BSPI_WORLD_LIGHT_SURFACE: return BSPSCENE_LIGHT_SURFACE;
	case BSPI_WORLD_LIGHT_SPOT: return BSPSCENE_LIGHT_SPOT;
	case BSPI_WORLD_LIGHT_SKY: return BSPSCENE_LIGHT_SUN;
	default: return BSPSCENE_LIGHT_POINT;
	}
}

/* Converts the value of a light to a color in display values and an intensity in the unit of light entities. The light
 * of glowing textures fades with the squared distance. The coefficients in the list are not used for it (vrad,
 * emit_surface). */
static void read_color(const bspi_world_light *from, bspscene_light *light)
{
	bspi_copy3(light->color, from->intensity);
	light->intensity = fminf(fmaxf(bspi_normalize_color(light->color) * FULL, 0), MOST_INTENSITY);
	for (int k = 0; k < 3; k++) light->color[k] = (float)pow(light->color[k], 1 / 2.2f);
	light->falloff = BSPSCENE_FALLOFF_NONE;
	if (from->kind == BSPI_WORLD_LIGHT_SURFACE) bspi_fade_light(light, 0, 0, 1);
	else if (from->kind != BSPI_WORLD_LIGHT_SKY) bspi_fade_light(light, from->constant, from->linear, from->quadratic);
	light->illuminance_at_100_units = light->intensity / FULL;
}

static float angle_of(float cosine)
{
	return (float)acos(fminf(fmaxf(cosine, -1), 1)) * 57.29577951308232f;
}

static bool add_light(bspi_nodes *nodes, const bspi_world_light *from, uint32_t index)
{
	bspi_ctx *ctx = nodes->build->ctx;
	char *name = bspi_text_format(ctx, &ctx->result, "world_light:%u", index);
	BSPI_TRY(name);
	float direction[3];
	bspi_copy3(direction, from->normal);
	bool directed = bspi_normalize(direction);
	bspscene_light *light = bspi_add_light(nodes, bspi_parent_at(nodes, from->origin), name, from->origin,
	                                       directed ? direction : NULL);
	light->kind = kind_of(from);
	light->radius = from->radius > 0 ? from->radius : 0;
	light->style = from->style >= 0 && from->style < 255 ? (uint32_t)from->style : 0;
	if (light->kind == BSPSCENE_LIGHT_SPOT) {
		light->outer_angle_degrees = fminf(fmaxf(angle_of(from->outer_cosine), 0.1f), 90);
		light->inner_angle_degrees = fminf(angle_of(from->inner_cosine), light->outer_angle_degrees);
	}
	read_color(from, light);
	return true;
}

bool bspi_add_world_lights(bspi_nodes *nodes)
{
	const bspi_map *map = nodes->build->map;
	uint32_t entity_lights = nodes->light_count;
	for (uint32_t i = 0; i < map->world_lights_count; i++) {
		const bspi_world_light *light = &map->world_lights[i];
		/* No light is made for the ambient light of the sky, which has no position, nor for the kind QUAKE. */
		if (light->kind == BSPI_WORLD_LIGHT_SKY_AMBIENT || light->kind == BSPI_WORLD_LIGHT_QUAKE) continue;
		bool surface = light->kind == BSPI_WORLD_LIGHT_SURFACE;
		if (surface || !has_entity(nodes, entity_lights, light)) BSPI_TRY(add_light(nodes, light, i));
	}
	return true;
}
