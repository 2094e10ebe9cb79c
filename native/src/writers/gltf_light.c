/* gltf_light.c - lights -> KHR_lights_punctual: the brightest, because every lamp costs viewers time with every pixel,
 * and Babylon.js shows nothing of a file with more than about twelve. All values are in the nodes' extras.
 *
 * Units: a host without exposure shows white where a white surface gets pi lux, so a lamp gets
 * pi * light_at_100 * (100 * metres_per_unit)^2 candela and a directional light pi * light_at_100 lux (lighting.h);
 * hosts with an exposure scale all lights alike. */
#include "writers/gltf.h"

#include <math.h>
#include <stdlib.h>

#include "images/display.h"

#define PI 3.14159265f
#define RADIANS (PI / 180)
#define REFERENCE 100.0f               /* game units: light_at_100 */
#define DEFAULT_LIMIT 8u

/* ---- Which ------------------------------------------------------------------------------------------------ */

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

/* glTF's lights have no area and no negative light; those stay facts, as do those that are off. 0: no lamp. */
static float brightness_of(const bspscene_scene *scene, const float *styles, const bspscene_light *light)
{
	if (light->kind == BSPSCENE_LIGHT_SURFACE || scene->nodes[light->node].hidden) return 0;
	float luminance = 0.2126f * bspi_linear_from_display(light->color[0]) +
	                  0.7152f * bspi_linear_from_display(light->color[1]) +
	                  0.0722f * bspi_linear_from_display(light->color[2]);
	return fmaxf(light->light_at_100 * styles[light->style & 0xff], 0) * (luminance > 0 ? luminance : 1e-6f);
}

static uint32_t limit_of(const bspi_gltf *gltf)
{
	const bspscene_write_options *options = &gltf->writer->options;
	if (options->no_lights) return 0;
	if (options->light_limit) return options->light_limit;
	return options->lighting == BSPSCENE_WRITE_VERTEX ? 0 : DEFAULT_LIMIT;
}

bool bspi_gltf_choose_lamps(bspi_gltf *gltf)
{
	const bspscene_scene *scene = gltf->scene;
	uint32_t count = 0, limit = limit_of(gltf);
	float styles[256];
	candidate *candidates = bspi_writer_push(gltf->writer, candidate, scene->light_count);
	gltf->lamps = bspi_writer_push(gltf->writer, bool, scene->light_count);
	BSPI_TRY(candidates && gltf->lamps);
	bspscene_start_styles(scene, styles);
	for (uint32_t i = 0; i < scene->light_count; i++) {
		float brightness = brightness_of(scene, styles, &scene->lights[i]);
		if (brightness > 0) candidates[count++] = (candidate){ brightness, i };
	}
	qsort(candidates, count, sizeof *candidates, compare_candidates);
	for (uint32_t i = 0; i < count && i < limit; i++) gltf->lamps[candidates[i].light] = true;
	return true;
}

/* ---- What they are ---------------------------------------------------------------------------------------- */

/* How much larger things are than the map says, in the 3D skybox: a node's scale moves what it lights, but is nothing
 * to glTF's lights. */
static float enlargement(const bspscene_scene *scene, uint32_t node)
{
	float m[12];
	bspscene_node_world_transform(scene, node, m);
	return sqrtf(m[0] * m[0] + m[4] * m[4] + m[8] * m[8]);
}

static float light_intensity(const bspscene_scene *scene, const bspscene_light *light, float scale)
{
	float away = light->kind == BSPSCENE_LIGHT_SUN ? 1 : REFERENCE * scene->metres_per_unit * scale;
	return PI * light->light_at_100 * away * away;
}

static json_t *lamp_object(bspi_gltf *gltf, const bspscene_light *light, const char *name)
{
	const bspscene_scene *scene = gltf->scene;
	json_t *object = json_object();
	float color[3], scale = enlargement(scene, light->node);
	for (int i = 0; i < 3; i++) color[i] = bspi_linear_from_display(fminf(fmaxf(light->color[i], 0), 1));
	bool is_spot = light->kind == BSPSCENE_LIGHT_SPOT, is_sun = light->kind == BSPSCENE_LIGHT_SUN;
	bspi_gltf_set(gltf, object, "name", json_string(name));
	bspi_gltf_set(gltf, object, "type", json_string(is_sun ? "directional" : is_spot ? "spot" : "point"));
	bspi_gltf_set(gltf, object, "color", bspi_json_floats(color, 3));
	bspi_gltf_set(gltf, object, "intensity", bspi_json_float(light_intensity(scene, light, scale)));
	if (light->radius > 0 && !is_sun) {
		bspi_gltf_set(gltf, object, "range", bspi_json_float(light->radius * scene->metres_per_unit * scale));
	}
	if (is_spot) {
		float outer = fminf(fmaxf(light->outer_angle_degrees, 0.1f), 90) * RADIANS;
		outer = fminf(outer, 1.5707963f);
		float inner = fminf(fmaxf(light->inner_angle_degrees, 0) * RADIANS, outer * 0.999f);
		json_t *spot = json_object();
		bspi_gltf_set(gltf, spot, "innerConeAngle", bspi_json_float(inner));
		bspi_gltf_set(gltf, spot, "outerConeAngle", bspi_json_float(outer));
		bspi_gltf_set(gltf, object, "spot", spot);
	}
	return object;
}

uint32_t bspi_gltf_add_lamp(bspi_gltf *gltf, const bspscene_node *node)
{
	bspi_gltf_append(gltf, gltf->lights, lamp_object(gltf, &gltf->scene->lights[node->light], node->name));
	gltf->extensions |= BSPI_GLTF_LIGHTS;
	return (uint32_t)json_array_size(gltf->lights) - 1;
}
