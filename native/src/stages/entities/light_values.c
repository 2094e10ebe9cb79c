/* light_values.c - functions that several files need to make lights: colors, spots, directions, and intensities in the
 * same unit. */
#include "stages/entities/nodes.h"

#include "base/vec.h"

#define LARGEST_LIGHT 1e12f

float bspi_normalize_color(float color[3])
{
	float largest = fmaxf(color[0], fmaxf(color[1], color[2]));
	if (!(largest > 0)) {
		color[0] = color[1] = color[2] = 1;
		return 0;
	}
	for (int i = 0; i < 3; i++) color[i] = fmaxf(color[i], 0) / largest;
	return largest;
}

void bspi_make_spot(bspi_nodes *nodes, uint32_t entity, bspscene_light *light, const float direction[3],
                    float inner, float outer)
{
	const bspscene_entity *e = nodes->build->scene->entities[entity];
	light->kind = BSPSCENE_LIGHT_SPOT;
	light->outer_angle_degrees = fminf(fmaxf(outer, 0.1f), 90);
	light->inner_angle_degrees = fminf(fmaxf(inner, 0), light->outer_angle_degrees);
	bspi_look_along(nodes->nodes[e->node].transform, e->origin, direction);
}

bspscene_light *bspi_add_light(bspi_nodes *nodes, uint32_t parent, const char *name, const float origin[3],
                               const float direction[3])
{
	bspscene_node *node = bspi_add_node(nodes, BSPSCENE_NODE_LIGHT, parent, name, origin);
	if (direction) bspi_look_along(node->transform, origin, direction);
	node->light = nodes->light_count++;
	bspscene_light *light = &nodes->lights[node->light];
	*light = (bspscene_light){ .node = nodes->node_count - 1, .entity = BSPSCENE_NO_INDEX };
	return light;
}

/* Finds the direction of a light by the rule BSPI_AIM_PITCH. It points to the light's target. Without a target, it
 * follows from the keys `pitch` and `angle`, or otherwise `angles`. A negative `pitch` points down, but in other
 * entities it points up (map_utils.cpp). Returns false if the light has no direction. */
bool bspi_aim_by_pitch(const bspi_nodes *nodes, uint32_t entity, bool directed, float direction[3])
{
	const bspscene_entity *e = nodes->build->scene->entities[entity];
	float angles[3], m[12];
	if (bspi_target_direction(nodes, e, direction)) return true;
	if (!directed) return false;
	bspi_entity_angles(nodes, entity, angles);
	float pitch = bspi_entity_number(nodes, entity, "pitch", 0), yaw = bspi_entity_number(nodes, entity, "angle", 0);
	bspi_transform_angles(m, e->origin, -(pitch != 0 ? pitch : angles[0]), yaw != 0 ? yaw : angles[1], 0);
	if (yaw == -1 || yaw == -2) bspi_transform_angles(m, e->origin, yaw == -1 ? -90.0f : 90.0f, 0, 0);
	direction[0] = m[0];
	direction[1] = m[4];
	direction[2] = m[8];
	return true;
}

/* Measures a light for map compilers that add linear light (those of Half-Life). A lamp adds intensity^2 / 10 /
 * distance^2 to a luxel. A sun adds its intensity. The sum is doubled, divided by 255, raised to a power, and stored.
 * The engine multiplies the stored value by `intensity`. The power is 0.55 in hlrad and 0.5 in qrad. With 0.55, single
 * lamps and the sun of three maps of hlrad differ from their luxels by at most a fifth. As display light, the stored
 * value is nearly linear (0.55 * 2.2 = 1.21). So lamps are treated as linear, which is exact for white. */
static float measure_linear(const bspi_rules *rules, const bspscene_light *light)
{
	const float gamma = 2.2f, reference = 100, given = fabsf(light->intensity) / 255;
	float power = rules->entities->lights->stored_power;
	float white = (float)pow(rules->intensity > 0 ? rules->intensity : 1, -1 / power) / 2;
	if (light->kind == BSPSCENE_LIGHT_SUN) return (float)pow(given / white, power * gamma);
	return given * light->intensity * light->intensity / 10 / (reference * reference) / white;
}

/* See nodes.h. The compilers of all other games add light as display values of bytes. Their lamps are as bright as
 * those of q3map (pointScale), or nearly so. */
float bspi_measure_light(const bspi_build *build, const bspscene_light *light)
{
	if (build->map->rules.entities->lights->stored_power > 0) {
		return copysignf(fminf(measure_linear(&build->map->rules, light), LARGEST_LIGHT), light->intensity);
	}
	const float point_scale = 7500, reference = 100, inverse_scale = 128, gamma = 2.2f;
	float overbright = build->map->rules.overbright > 0 ? build->map->rules.overbright : 1;
	float bytes = fabsf(light->intensity) * overbright / 255, half_way = fabsf(light->intensity) / 2 / reference, out;
	switch (light->kind == BSPSCENE_LIGHT_SUN ? BSPSCENE_FALLOFF_NONE : light->falloff) {
	case BSPSCENE_FALLOFF_INVERSE_SQUARE: out = bytes * point_scale / (reference * reference); break;
	/* the factor is LF_SCALE of ericw-tools */
	case BSPSCENE_FALLOFF_INVERSE: out = (float)pow(bytes * inverse_scale / reference, gamma); break;
	case BSPSCENE_FALLOFF_LINEAR: out = (float)pow(bytes / 2, gamma) * half_way * half_way; break;
	default: out = (float)pow(bytes, gamma); break;
	}
	return copysignf(fminf(out, LARGEST_LIGHT), light->intensity);
}
