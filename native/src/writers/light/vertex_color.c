/* vertex_color.c - see vertex_color.h. */
#include "writers/light/vertex_color.h"

#include <bspscene/material.h>

#include "images/display.h"

/* Returns the material's first pass that draws the base image, or NULL. This pass decides where alpha comes from. */
static const bspscene_material_pass *base_stage(const bspscene_scene *scene, const bspscene_material *material)
{
	for (uint32_t i = 0; i < material->pass_count; i++) {
		const bspscene_material_pass *stage = scene->material_passes[material->first_pass + i];
		for (uint32_t f = 0; stage->input == BSPSCENE_PASS_INPUT_IMAGE && f < stage->frame_image_count; f++) {
			if (scene->frame_images[stage->first_frame_image + f] == material->base_image) return stage;
		}
	}
	return NULL;
}

bspi_vertex_color bspi_vertex_color_of(const bspscene_scene *scene, bspscene_write_lighting lighting,
                                       const bspscene_mesh *mesh, const bspscene_section *section)
{
	const bspscene_material *material = scene->materials[section->material];
	bool lit = lighting != BSPSCENE_WRITE_LIGHTING_NONE && lighting != BSPSCENE_WRITE_LIGHTING_BAKED;
	bool lightmapped = section->lighting == BSPSCENE_LIGHTING_LIGHTMAP;
	bspi_vertex_color rule = { .mesh = mesh };

	rule.black = lit && section->lighting == BSPSCENE_LIGHTING_BLACK;
	rule.light_colors = lit && mesh->colors &&
	                    (section->lighting == BSPSCENE_LIGHTING_VERTEX || (lightmapped && material->vertex_lit));
	rule.color_gain = bspi_linear_gain(bspi_color_intensity(scene));
	bool fullbright = section->lighting == BSPSCENE_LIGHTING_FULLBRIGHT;
	rule.baked = lighting == BSPSCENE_WRITE_LIGHTING_VERTEX && mesh->baked_light && !fullbright;
	const bspscene_material_pass *stage = mesh->colors && material->alpha_mode != BSPSCENE_ALPHA_MODE_OPAQUE
	                            ? base_stage(scene, material) : NULL;
	if (stage) {
		rule.inverted_alpha = stage->alpha_gen == BSPSCENE_ALPHA_GEN_ONE_MINUS_VERTEX;
		rule.alpha = rule.inverted_alpha || stage->alpha_gen == BSPSCENE_ALPHA_GEN_VERTEX;
	}
	return rule;
}

bool bspi_vertex_color_is_white(const bspi_vertex_color *rule)
{
	return !rule->baked && !rule->light_colors && !rule->black && !rule->alpha;
}

void bspi_vertex_color_at(const bspi_vertex_color *rule, uint32_t vertex, float out[4])
{
	const uint8_t *color = rule->mesh->colors ? rule->mesh->colors + 4 * (size_t)vertex : NULL;
	for (size_t i = 0; i < 3; i++) {
		out[i] = rule->black ? 0 : 1;
		if (rule->light_colors) out[i] = bspi_linear_from_display((float)color[i] / 255) * rule->color_gain;
		if (rule->baked) out[i] = rule->mesh->baked_light[3 * (size_t)vertex + i];
	}
	out[3] = rule->alpha ? (float)color[3] / 255 : 1;
	if (rule->inverted_alpha) out[3] = 1 - out[3];
}
