/* goldsrc_texlights.c - textures that shine -> their brightness, from entities that stay in the map: info_texlights has
 * a key for each texture, and a light with a texture is a template for its surfaces (VHLT: qrad.cpp,
 * ReadInfoTexlights; light_surface). */
#include "materials/indexed/indexed.h"

#include <math.h>

#include "base/text.h"

/* "r g b brightness" or one number: of the brightest channel. */
static float read_brightness(const char *value)
{
	float numbers[4] = { 0 };
	uint32_t count = bspi_text_numbers(value, numbers, 4);
	float most = fmaxf(numbers[0], count < 3 ? 0 : fmaxf(numbers[1], numbers[2]));
	if (!(most > 0)) return 0;
	return count == 4 ? fmaxf(most / 255 * numbers[3], 0) : most;
}

/* Editors that know no key twice write "name#1". */
static bool is_named(const char *key, const char *name)
{
	size_t length = strcspn(key, "#");
	return length == strlen(name) && bspi_text_starts(key, name);
}

float bspi_goldsrc_texture_light(const bspi_materials *m, const char *name)
{
	const bspscene_scene *scene = m->scene;
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		const bspscene_entity *entity = scene->entities[i];
		bool is_list = bspi_text_equal(entity->classname, "info_texlights");
		bool is_light = bspi_text_starts(entity->classname, "light");
		const char *template = is_light ? bspscene_entity_value(scene, i, "_tex") : NULL;
		if (template && bspi_text_equal(template, name)) {
			const char *light = bspscene_entity_value(scene, i, "_light");
			if (light && read_brightness(light) > 0) return read_brightness(light);
		}
		for (uint32_t k = 0; is_list && k < entity->pair_count; k++) {
			const bspscene_pair *pair = &scene->pairs[entity->first_pair + k];
			if (is_named(pair->key, name) && read_brightness(pair->value) > 0) return read_brightness(pair->value);
		}
	}
	return 0;
}
