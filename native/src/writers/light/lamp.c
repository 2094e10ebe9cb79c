/* lamp.c - see lamp.h. */
#include "writers/light/lamp.h"

#include <math.h>
#include <stdlib.h>

#include "images/display.h"

#define PI 3.14159265f
#define RADIANS (PI / 180)
#define REFERENCE 100.0f               /* distance in game units that illuminance_at_100_units refers to */
#define DEFAULT_LIMIT 8u

/* ---- Choosing lamps --------------------------------------------------------------------------------------- */

typedef struct candidate {
	float brightness;
	uint32_t light;
} candidate;

static int compare_candidates(const void *left, const void *right)
{
	const candidate *a = left, *b = right;
	if (a->brightness != b->brightness) return a->brightness < b->brightness ? 1 : -1;
	return (a->light > b->light) - (a->light < b->light);
}

/* Returns the brightness by which lights are ranked, or 0 for lights that are not written as lamps. These are glowing
 * surfaces, negative lights and lights that are off; only the facts list them. */
static float brightness_of(const bspscene_scene *scene, const float *styles, const bspscene_light *light)
{
	if (light->kind == BSPSCENE_LIGHT_SURFACE || scene->nodes[light->node]->hidden) return 0;
	float luminance = 0.2126f * bspi_linear_from_display(light->color[0]) +
	                  0.7152f * bspi_linear_from_display(light->color[1]) +
	                  0.0722f * bspi_linear_from_display(light->color[2]);
	return fmaxf(light->illuminance_at_100_units * styles[light->style & 0xff], 0) *
	       (luminance > 0 ? luminance : 1e-6f);
}

static uint32_t limit_of(const bspi_writer *writer)
{
	const bspscene_write_options *options = &writer->options;
	switch (options->lights) {
	case BSPSCENE_WRITE_LIGHTS_NONE: return 0;
	case BSPSCENE_WRITE_LIGHTS_BRIGHTEST: return options->max_lights;
	case BSPSCENE_WRITE_LIGHTS_ALL: return UINT32_MAX;
	default: return options->lighting == BSPSCENE_WRITE_LIGHTING_NONE ? DEFAULT_LIMIT : 0;
	}
}

bool bspi_choose_lamps(bspi_writer *writer, bool **out)
{
	const bspscene_scene *scene = writer->scene;
	uint32_t count = 0, limit = limit_of(writer);
	float styles[256];
	candidate *candidates = bspi_writer_push(writer, candidate, scene->light_count);
	*out = bspi_writer_push(writer, bool, scene->light_count);
	BSPI_TRY(candidates && *out);
	bspscene_start_styles(scene, styles);
	for (uint32_t i = 0; i < scene->light_count; i++) {
		float brightness = brightness_of(scene, styles, scene->lights[i]);
		if (brightness > 0) candidates[count++] = (candidate){ brightness, i };
	}
	qsort(candidates, count, sizeof *candidates, compare_candidates);
	for (uint32_t i = 0; i < count && i < limit; i++) (*out)[candidates[i].light] = true;
	return true;
}

/* ---- Converting lamps ------------------------------------------------------------------------------------- */

/* Returns the scale of a node, which is not 1 in the 3D skybox. Lights are scaled by it here, because formats do not
 * apply the scale of a node to its light. */
static float enlargement(const bspscene_scene *scene, uint32_t node)
{
	float m[12];
	bspscene_node_world_transform(scene, node, m);
	return sqrtf(m[0] * m[0] + m[4] * m[4] + m[8] * m[8]);
}

static float light_intensity(const bspscene_scene *scene, const bspscene_light *light, float scale)
{
	float away = light->kind == BSPSCENE_LIGHT_SUN ? 1 : REFERENCE * scene->meters_per_unit * scale;
	return PI * light->illuminance_at_100_units * away * away;
}

bspi_lamp bspi_lamp_of(const bspscene_scene *scene, const bspscene_light *light)
{
	float scale = enlargement(scene, light->node);
	bspi_lamp lamp = { .is_spot = light->kind == BSPSCENE_LIGHT_SPOT, .is_sun = light->kind == BSPSCENE_LIGHT_SUN };
	for (int i = 0; i < 3; i++) lamp.color[i] = bspi_linear_from_display(fminf(fmaxf(light->color[i], 0), 1));
	lamp.intensity = light_intensity(scene, light, scale);
	if (light->radius > 0 && !lamp.is_sun) lamp.range = light->radius * scene->meters_per_unit * scale;
	lamp.outer_angle = fminf(fminf(fmaxf(light->outer_angle_degrees, 0.1f), 90) * RADIANS, 1.5707963f);
	lamp.inner_angle = fminf(fmaxf(light->inner_angle_degrees, 0) * RADIANS, lamp.outer_angle * 0.999f);
	return lamp;
}

float bspi_lamp_watts(const bspi_lamp *lamp)
{
	return lamp->is_sun ? lamp->intensity : lamp->intensity * 4 * PI;
}
