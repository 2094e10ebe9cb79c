/* goldsrc_texlights.c - finds how brightly textures glow. Two kinds of entities tell this, if they remain in the map.
 * An info_texlights has a key for each texture (VHLT: qrad.cpp, ReadInfoTexlights). A light with a texture
 * (light_surface) is a template for all surfaces with this texture. */
#include "materials/indexed/indexed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <bspscene/scene.h>

#include "base/text.h"

/* Reads a value that is "r g b brightness" or a single number. Returns the brightness of its largest channel. */
static float read_brightness(const char *value)
{
	float numbers[4] = { 0 };
	uint32_t count = bspi_text_numbers(value, numbers, 4);
	float most = fmaxf(numbers[0], count < 3 ? 0 : fmaxf(numbers[1], numbers[2]));
	if (!(most > 0)) return 0;
	return count == 4 ? fmaxf(most / 255 * numbers[3], 0) : most;
}

static void add_light(bspi_texture_lights *lights, const char *name, size_t size, const char *value)
{
	float brightness = read_brightness(value);
	if (!(brightness > 0)) return;
	lights->items[lights->count] = (bspi_texture_light){ name, size, brightness, lights->count };
	lights->count++;
}

static bool is_list(const bspscene_entity *entity)
{
	return bspi_text_equal(entity->classname, "info_texlights");
}

static int compare_names(const bspi_texture_light *a, const bspi_texture_light *b)
{
	return bspi_text_compare_parts(a->name, a->size, b->name, b->size);
}

static int compare_lights(const void *a, const void *b)
{
	const bspi_texture_light *x = a, *y = b;
	int order = compare_names(x, y);
	return order ? order : (x->number > y->number) - (x->number < y->number);
}

bool bspi_list_texture_lights(bspi_materials *m, bspi_texture_lights *out)
{
	const bspscene_scene *scene = m->scene;
	size_t most = scene->entity_count;
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		if (is_list(scene->entities[i])) most += scene->entities[i]->pair_count;
	}
	*out = (bspi_texture_lights){ bspi_push(m->ctx, &m->ctx->scratch, bspi_texture_light, most), 0 };
	BSPI_TRY(out->items);
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		const bspscene_entity *entity = scene->entities[i];
		bool is_light = bspi_text_starts(entity->classname, "light");
		const char *texture = is_light ? bspscene_entity_value(scene, i, "_tex") : NULL;
		const char *light = texture ? bspscene_entity_value(scene, i, "_light") : NULL;
		if (light) add_light(out, texture, strlen(texture), light);
		for (uint32_t k = 0; is_list(entity) && k < entity->pair_count; k++) {
			const bspscene_pair *pair = &scene->pairs[entity->first_pair + k];
			/* If an editor does not allow the same key twice, it writes "name#1" for the second one. */
			add_light(out, pair->key, strcspn(pair->key, "#"), pair->value);
		}
	}
	if (out->count) qsort(out->items, out->count, sizeof *out->items, compare_lights);
	return true;
}

float bspi_texture_light_of(const bspi_texture_lights *lights, const char *name)
{
	const bspi_texture_light wanted = { .name = name, .size = strlen(name) };
	uint32_t low = 0, high = lights->count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (compare_names(&lights->items[middle], &wanted) < 0) low = middle + 1;
		else high = middle;
	}
	bool found = low < lights->count && compare_names(&lights->items[low], &wanted) == 0;
	return found ? lights->items[low].brightness : 0;
}
