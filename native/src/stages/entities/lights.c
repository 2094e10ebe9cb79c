/* lights.c - makes lights from light entities, by the rules for the map's game (rules.h). An intensity stays in the
 * game's unit; illuminance_at_100_units is in the same unit for all games. */
#include "stages/entities/nodes.h"

#include "base/text.h"
#include "base/vec.h"

static const char *value_of(const bspi_nodes *nodes, uint32_t entity, const char *key)
{
	return bspi_entity_value(nodes->build, entity, key);
}

/* Returns the value of the first key. If it is missing or 0, returns that of the second key, and then `otherwise`. */
static float number_of(const bspi_nodes *nodes, uint32_t entity, const char *key, const char *other, float otherwise)
{
	float value = bspi_entity_number(nodes, entity, key, 0);
	if (value == 0) value = bspi_entity_number(nodes, entity, other, 0);
	return value == 0 ? otherwise : value;
}

static void read_color(const bspi_nodes *nodes, uint32_t entity, float color[3])
{
	const char *text = value_of(nodes, entity, "_color");
	if (!text) text = value_of(nodes, entity, "color");
	if (text && bspi_text_numbers(text, color, 3) == 3) bspi_normalize_color(color);
	else color[0] = color[1] = color[2] = 1;
}

static void direction_of(const bspscene_entity *e, float pitch, float yaw, float direction[3])
{
	float m[12];
	bspi_transform_angles(m, e->origin, pitch, yaw, 0);
	direction[0] = m[0];
	direction[1] = m[4];
	direction[2] = m[8];
}

/* ---- Reading keys by the rules ---------------------------------------------------------------------------- */

static bool is_class(const bspi_nodes *nodes, uint32_t entity, const char *classname)
{
	return bspi_text_equal(nodes->build->scene->entities[entity]->classname, classname);
}

/* Reads the key "_light", which is red, green, blue and brightness. */
static void read_colored_power(const bspi_nodes *nodes, uint32_t entity, bspscene_light *light)
{
	const char *text = value_of(nodes, entity, "_light");
	float rgbi[4] = { 0 };
	uint32_t count = text ? bspi_text_numbers(text, rgbi, 4) : 0;
	if (count < 3) rgbi[1] = rgbi[2] = rgbi[0];
	for (int i = 0; i < 4; i++) rgbi[i] = fminf(fmaxf(rgbi[i], 0), 1e6f);
	bspi_copy3(light->color, rgbi);
	float power = nodes->build->map->rules.entities->lights->stored_power;
	float brightest = bspi_normalize_color(light->color);
	for (int i = 0; i < 3; i++) light->color[i] = (float)pow(light->color[i], power);
	light->intensity = count == 4 ? brightest / 255 * rgbi[3] : brightest;
	if (light->intensity == 0) light->intensity = is_class(nodes, entity, "light_spot") ? 500 : 300;
}

static void read_power(const bspi_nodes *nodes, uint32_t entity, bspscene_light *light)
{
	const bspi_light_rules *rules = nodes->build->map->rules.entities->lights;
	if (rules->power == BSPI_POWER_COLOR) {
		read_colored_power(nodes, entity, light);
		return;
	}
	light->intensity = number_of(nodes, entity, "light", "_light", 300);
	float scale = rules->scaled ? bspi_entity_number(nodes, entity, "scale", 1) : 1;
	if (scale > 0) light->intensity *= scale;
	read_color(nodes, entity, light->color);
}

static void read_falloff(const bspi_nodes *nodes, uint32_t entity, bspscene_light *light)
{
	static const bspscene_falloff delays[6] = {
		BSPSCENE_FALLOFF_LINEAR, BSPSCENE_FALLOFF_INVERSE, BSPSCENE_FALLOFF_INVERSE_SQUARE,
		BSPSCENE_FALLOFF_NONE, BSPSCENE_FALLOFF_NONE, BSPSCENE_FALLOFF_INVERSE_SQUARE,
	};
	const bspi_light_rules *rules = nodes->build->map->rules.entities->lights;
	float wait = 1;
	light->falloff = rules->falloff;
	if (rules->delays) {
		float delay = bspi_entity_number(nodes, entity, "delay", 0);
		if (delay >= 0 && delay < 6) light->falloff = delays[(int)delay];
		wait = fmaxf(bspi_entity_number(nodes, entity, "wait", 1), 0.01f);
	}
	if (rules->linear_flag) {
		uint32_t flags = (uint32_t)fminf(fmaxf(bspi_entity_number(nodes, entity, "spawnflags", 0), 0), 65535);
		if (((flags & rules->linear_flag) != 0) != rules->linear_by_default) light->falloff = BSPSCENE_FALLOFF_LINEAR;
	}
	if (light->falloff == BSPSCENE_FALLOFF_LINEAR) light->radius = fabsf(light->intensity) * rules->reach / wait;
}

/* Finds the direction of a light. Returns false if it shines in all directions. */
static bool read_direction(bspi_nodes *nodes, uint32_t entity, float direction[3])
{
	const bspscene_entity *e = nodes->build->scene->entities[entity];
	bspi_light_aim aim = nodes->build->map->rules.entities->lights->aim;
	float angles[3] = { 0 };
	if (aim == BSPI_AIM_PITCH) {
		bool directed = is_class(nodes, entity, "light_spot") || is_class(nodes, entity, "light_environment");
		return bspi_aim_by_pitch(nodes, entity, directed, direction);
	}
	if (bspi_target_direction(nodes, e, direction)) return true;
	if (aim == BSPI_AIM_MANGLE) {
		const char *mangle = value_of(nodes, entity, "mangle");
		if (!mangle || !bspi_text_numbers(mangle, angles, 3)) return false;
		direction_of(e, -angles[1], angles[0], direction);
		return true;
	}
	if (aim != BSPI_AIM_ANGLES || !is_class(nodes, entity, "light_spot")) return false;
	bspi_entity_angles(nodes, entity, angles);
	direction_of(e, angles[0], angles[1], direction);
	return true;
}

static float positive_number(const bspi_nodes *nodes, uint32_t entity, const char *key, float otherwise)
{
	float value = bspi_entity_number(nodes, entity, key, otherwise);
	return value > 0 ? value : otherwise;
}

/* Reads the half angles of the inner and the outer cone, in degrees from the cone's axis. */
static void read_cone(const bspi_nodes *nodes, uint32_t entity, const float direction[3], float *inner, float *outer)
{
	const float degrees = 57.29577951308232f, penumbra = 16;
	float distance, radius, soft;
	switch (nodes->build->map->rules.entities->lights->cone) {
	case BSPI_CONE_WHOLE:
		*outer = positive_number(nodes, entity, "angle", 40) / 2;
		soft = bspi_entity_number(nodes, entity, "_softangle", 0);
		*inner = soft > 0 ? soft / 2 : *outer;
		return;
	case BSPI_CONE_HALF:
		*inner = *outer = number_of(nodes, entity, "_cone", "cone", 10);
		return;
	case BSPI_CONE_RADIUS:
		distance = sqrtf(bspi_dot(direction, direction));
		radius = positive_number(nodes, entity, "radius", 64);
		*inner = (float)atan(radius / distance) * degrees;
		*outer = (float)atan((radius + penumbra) / distance) * degrees;
		return;
	case BSPI_CONE_TWO: break;
	}
	*inner = positive_number(nodes, entity, "_cone", 10);
	*outer = fmaxf(*inner, bspi_entity_number(nodes, entity, "_cone2", 0));
}

static void read_light(bspi_nodes *nodes, uint32_t entity, bspscene_light *light)
{
	const bspi_light_rules *rules = nodes->build->map->rules.entities->lights;
	float direction[3], inner, outer;
	read_power(nodes, entity, light);
	read_falloff(nodes, entity, light);
	if (!read_direction(nodes, entity, direction)) return;
	read_cone(nodes, entity, direction, &inner, &outer);
	bspi_make_spot(nodes, entity, light, direction, inner, outer);
	if (rules->spots_square) {
		light->falloff = BSPSCENE_FALLOFF_INVERSE_SQUARE;
		light->radius = 0;
	}
	bool is_sun = rules->aim == BSPI_AIM_PITCH && is_class(nodes, entity, "light_environment");
	is_sun = is_sun || (rules->sun && bspi_entity_number(nodes, entity, rules->sun, 0) != 0);
	if (is_sun) light->kind = BSPSCENE_LIGHT_SUN;
}

static bool is_template(const bspi_nodes *nodes, uint32_t entity)
{
	const char *key = nodes->build->map->rules.entities->lights->template_key;
	return key && value_of(nodes, entity, key);
}

bool bspi_entity_light(bspi_nodes *nodes, uint32_t entity)
{
	const bspscene_entity *e = nodes->build->scene->entities[entity];
	bool attenuated = nodes->build->map->rules.entities->lights->power == BSPI_POWER_ATTENUATED;
	bool is_light = attenuated ? bspi_is_attenuated_light(e->classname) : bspi_text_starts(e->classname, "light");
	if (!is_light || e->model != BSPSCENE_NO_INDEX || is_template(nodes, entity)) return false;
	uint32_t flag = nodes->build->map->rules.entities->lights->first_set_flag;
	if (flag && !nodes->build->map->light_set && !(bspi_spawnflags(nodes->build, entity) & flag)) return false;

	bspscene_node *node = &nodes->nodes[e->node];
	bspscene_light *light = &nodes->lights[nodes->light_count];
	*light = (bspscene_light){ .kind = BSPSCENE_LIGHT_POINT, .node = e->node, .entity = entity,
	                           .falloff = BSPSCENE_FALLOFF_INVERSE_SQUARE };
	if (attenuated) bspi_read_attenuated_light(nodes, entity, light);
	else read_light(nodes, entity, light);
	float style = bspi_entity_number(nodes, entity, "style", bspi_entity_number(nodes, entity, "_style", 0));
	light->style = style >= 0 && style < 255 ? (uint32_t)style : 0;
	light->illuminance_at_100_units = attenuated ? light->intensity / 255 : bspi_measure_light(nodes->build, light);
	node->kind = BSPSCENE_NODE_LIGHT;
	node->light = nodes->light_count++;
	return true;
}
