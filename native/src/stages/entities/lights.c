/* lights.c - light entities to lights, in the five dialects of rules.h. The numbers stay the game's: what a unit of
 * intensity is worth elsewhere is for the writers to say. */
#include "stages/entities/nodes.h"

#include "base/text.h"
#include "base/vec.h"

#define LARGEST_LIGHT 1e12f
#define SPOT_LINEAR 1u                 /* spawnflags of Quake III lights */

static const char *value_of(const bspi_nodes *nodes, uint32_t entity, const char *key)
{
	return bspi_entity_value(nodes->build, entity, key);
}

/* First of two keys that is present and not 0. */
static float number_of(const bspi_nodes *nodes, uint32_t entity, const char *key, const char *other, float otherwise)
{
	float value = bspi_entity_number(nodes, entity, key, 0);
	if (value == 0) value = bspi_entity_number(nodes, entity, other, 0);
	return value == 0 ? otherwise : value;
}

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

static void read_color(const bspi_nodes *nodes, uint32_t entity, float color[3])
{
	const char *text = value_of(nodes, entity, "_color");
	if (!text) text = value_of(nodes, entity, "color");
	color[0] = color[1] = color[2] = 1;
	if (text && bspi_text_numbers(text, color, 3) == 3) bspi_normalize_color(color);
	else color[0] = color[1] = color[2] = 1;
}

void bspi_make_spot(bspi_nodes *nodes, uint32_t entity, bspscene_light *light, const float direction[3],
                    float inner, float outer)
{
	const bspscene_entity *e = &nodes->build->scene->entities[entity];
	light->kind = BSPSCENE_LIGHT_SPOT;
	light->outer_angle_degrees = fminf(fmaxf(outer, 0.1f), 90);
	light->inner_angle_degrees = fminf(fmaxf(inner, 0), light->outer_angle_degrees);
	bspi_look_along(nodes->nodes[e->node].transform, e->origin, direction);
}

/* ericw-tools' and id's `light`: `angle` is the whole cone, mangle is "yaw pitch roll" with pitch -90 down. */
static void read_quake(bspi_nodes *nodes, uint32_t entity, bspscene_light *light)
{
	static const bspscene_falloff falloffs[6] = {
		BSPSCENE_FALLOFF_LINEAR, BSPSCENE_FALLOFF_INVERSE, BSPSCENE_FALLOFF_INVERSE_SQUARE,
		BSPSCENE_FALLOFF_NONE, BSPSCENE_FALLOFF_NONE, BSPSCENE_FALLOFF_INVERSE_SQUARE,
	};
	const bspscene_entity *e = &nodes->build->scene->entities[entity];
	light->intensity = number_of(nodes, entity, "light", "_light", 300);
	read_color(nodes, entity, light->color);
	float delay = bspi_entity_number(nodes, entity, "delay", 0);
	light->falloff = delay >= 0 && delay < 6 ? falloffs[(int)delay] : BSPSCENE_FALLOFF_LINEAR;
	float wait = bspi_entity_number(nodes, entity, "wait", 1);
	if (light->falloff == BSPSCENE_FALLOFF_LINEAR) light->radius = fabsf(light->intensity) / fmaxf(wait, 0.01f);

	float direction[3], mangle[3] = { 0 };
	const char *text = value_of(nodes, entity, "mangle");
	bool aimed = bspi_target_direction(nodes, e, direction);
	if (!aimed && text && bspi_text_numbers(text, mangle, 3)) {
		float m[12];
		bspi_transform_angles(m, e->origin, -mangle[1], mangle[0], 0);
		direction[0] = m[0];
		direction[1] = m[4];
		direction[2] = m[8];
		aimed = true;
	}
	if (!aimed) return;
	float cone = bspi_entity_number(nodes, entity, "angle", 40);
	if (!(cone > 0)) cone = 40;
	float soft = bspi_entity_number(nodes, entity, "_softangle", 0);
	bspi_make_spot(nodes, entity, light, direction, soft > 0 ? soft / 2 : cone / 2, cone / 2);
}

/* qrad3: point lights lose one unit of light per game unit. */
static void read_quake2(bspi_nodes *nodes, uint32_t entity, bspscene_light *light)
{
	const bspscene_entity *e = &nodes->build->scene->entities[entity];
	light->intensity = number_of(nodes, entity, "light", "_light", 300);
	read_color(nodes, entity, light->color);
	light->falloff = BSPSCENE_FALLOFF_LINEAR;
	light->radius = fabsf(light->intensity);

	float direction[3];
	bool aimed = bspi_target_direction(nodes, e, direction);
	if (!aimed && bspi_text_equal(e->classname, "light_spot")) {
		float angles[3], m[12];
		bspi_entity_angles(nodes, entity, angles);
		bspi_transform_angles(m, e->origin, angles[0], angles[1], 0);
		direction[0] = m[0];
		direction[1] = m[4];
		direction[2] = m[8];
		aimed = true;
	}
	if (!aimed) return;
	float cone = number_of(nodes, entity, "_cone", "cone", 10);
	bspi_make_spot(nodes, entity, light, direction, cone, cone);
	light->falloff = BSPSCENE_FALLOFF_INVERSE_SQUARE;
	light->radius = 0;
}

/* q3map2 light.c: photons = intensity * 7500; linear ones end where photons / 8000 is used up. */
static void read_quake3(bspi_nodes *nodes, uint32_t entity, bspscene_light *light)
{
	const bspscene_entity *e = &nodes->build->scene->entities[entity];
	light->intensity = number_of(nodes, entity, "light", "_light", 300);
	float scale = bspi_entity_number(nodes, entity, "scale", 1);
	if (scale > 0) light->intensity *= scale;
	read_color(nodes, entity, light->color);
	uint32_t flags = (uint32_t)fminf(fmaxf(bspi_entity_number(nodes, entity, "spawnflags", 0), 0), 65535);
	bool linear = ((flags & SPOT_LINEAR) != 0) != nodes->build->map->rules.entities->linear_by_default;
	if (linear) {
		light->falloff = BSPSCENE_FALLOFF_LINEAR;
		light->radius = fabsf(light->intensity) * 7500 / 8000;
	}
	float direction[3];
	if (!bspi_target_direction(nodes, e, direction)) return;
	float distance = sqrtf(bspi_dot(direction, direction));
	float radius = bspi_entity_number(nodes, entity, "radius", 64);
	if (!(radius > 0)) radius = 64;
	const float degrees = 57.29577951308232f;
	bspi_make_spot(nodes, entity, light, direction, atanf(radius / distance) * degrees,
	               atanf((radius + 16) / distance) * degrees);
	if (bspi_entity_number(nodes, entity, "_sun", 0) != 0) light->kind = BSPSCENE_LIGHT_SUN;
}

/* Direction of a Half-Life or Source light: to the target, else by `pitch`, whose sign is that of the sky: negative
 * points down, unlike other entities' (map_utils.cpp). `pitch` and `angle` override `angles`. False: it has no
 * direction. */
bool bspi_aim_by_pitch(const bspi_nodes *nodes, uint32_t entity, bool directed, float direction[3])
{
	const bspscene_entity *e = &nodes->build->scene->entities[entity];
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

/* qrad lightmap.c: "r g b brightness", one number is grey; pitch is positive up, `pitch` and `angle` override
 * `angles`. */
static void read_goldsrc(bspi_nodes *nodes, uint32_t entity, bspscene_light *light)
{
	const bspscene_entity *e = &nodes->build->scene->entities[entity];
	const char *text = value_of(nodes, entity, "_light");
	float rgbi[4] = { 0 };
	uint32_t count = text ? bspi_text_numbers(text, rgbi, 4) : 0;
	if (count < 3) rgbi[1] = rgbi[2] = rgbi[0];
	bool is_spot = bspi_text_equal(e->classname, "light_spot"),
	     is_sun = bspi_text_equal(e->classname, "light_environment");
	for (int i = 0; i < 4; i++) rgbi[i] = fminf(fmaxf(rgbi[i], 0), 1e6f);
	bspi_copy3(light->color, rgbi);
	float brightest = bspi_normalize_color(light->color);
	light->intensity = count == 4 ? brightest / 255 * rgbi[3] : brightest;
	if (light->intensity == 0) light->intensity = is_spot ? 500 : 300;

	float direction[3];
	if (!bspi_aim_by_pitch(nodes, entity, is_spot || is_sun, direction)) return;
	float inner = bspi_entity_number(nodes, entity, "_cone", 0);
	if (!(inner > 0)) inner = 10;
	float outer = bspi_entity_number(nodes, entity, "_cone2", 0);
	bspi_make_spot(nodes, entity, light, direction, inner, fmaxf(inner, outer));
	if (is_sun || bspi_entity_number(nodes, entity, "_sky", 0) != 0) light->kind = BSPSCENE_LIGHT_SUN;
}

/* bspscene.h, light_at_100. The other games' light is display light, of bytes; their compilers' lamps are all as bright
 * as q3map's (pointScale), or nearly. */
static float measure(const bspi_build *build, const bspscene_light *light)
{
	const float point_scale = 7500, reference = 100, inverse_scale = 128, gamma = 2.2f;
	float overbright = build->map->rules.overbright > 0 ? build->map->rules.overbright : 1;
	float bytes = fabsf(light->intensity) * overbright / 255, half_way = fabsf(light->intensity) / 2 / reference, out;
	switch (light->kind == BSPSCENE_LIGHT_SUN ? BSPSCENE_FALLOFF_NONE : light->falloff) {
	case BSPSCENE_FALLOFF_INVERSE_SQUARE: out = bytes * point_scale / (reference * reference); break;
	/* ericw-tools: LF_SCALE */
	case BSPSCENE_FALLOFF_INVERSE: out = powf(bytes * inverse_scale / reference, gamma); break;
	case BSPSCENE_FALLOFF_LINEAR: out = powf(bytes / 2, gamma) * half_way * half_way; break;
	default: out = powf(bytes, gamma); break;
	}
	return copysignf(fminf(out, LARGEST_LIGHT), light->intensity);
}

bool bspi_entity_light(bspi_nodes *nodes, uint32_t entity)
{
	static void (*const readers[])(bspi_nodes *, uint32_t, bspscene_light *) = {
		[BSPI_LIGHTS_QUAKE] = read_quake,
		[BSPI_LIGHTS_QUAKE2] = read_quake2,
		[BSPI_LIGHTS_QUAKE3] = read_quake3,
		[BSPI_LIGHTS_GOLDSRC] = read_goldsrc,
		[BSPI_LIGHTS_SOURCE] = bspi_read_source_light,
	};
	const bspscene_entity *e = &nodes->build->scene->entities[entity];
	bool is_source = nodes->build->map->rules.entities->lights == BSPI_LIGHTS_SOURCE;
	bool is_light = is_source ? bspi_is_source_light(e->classname) : bspi_text_starts(e->classname, "light");
	if (!is_light || e->model != BSPSCENE_NO_INDEX) return false;

	bspscene_node *node = &nodes->nodes[e->node];
	bspscene_light *light = &nodes->lights[nodes->light_count];
	*light = (bspscene_light){ .kind = BSPSCENE_LIGHT_POINT, .node = e->node, .entity = entity,
	                           .falloff = BSPSCENE_FALLOFF_INVERSE_SQUARE };
	readers[nodes->build->map->rules.entities->lights](nodes, entity, light);
	float style = bspi_entity_number(nodes, entity, "style", bspi_entity_number(nodes, entity, "_style", 0));
	light->style = style >= 0 && style < 255 ? (uint32_t)style : 0;
	light->light_at_100 = is_source ? light->intensity / 255 : measure(nodes->build, light);
	node->kind = BSPSCENE_NODE_LIGHT;
	node->light = nodes->light_count++;
	return true;
}
