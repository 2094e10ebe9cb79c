/* vertex_color.c - see vertex_color.h. */
#include "writers/vertex_color.h"

#include <math.h>

#include "images/images.h"

float bspi_linear_from_display(float value)
{
	return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

float bspi_display_from_linear(float value)
{
	return value <= 0.0031308f ? value * 12.92f : 1.055f * powf(value, 1 / 2.4f) - 0.055f;
}

float bspi_linear_gain(float intensity)
{
	return intensity == 1 ? 1 : powf(intensity, 2.2f);
}

/* Colours are encoded like the pages, but never HDR. */
static float color_intensity(const bspscene_scene *scene)
{
	switch (scene->lightmap_encoding) {
	case BSPSCENE_LIGHTMAP_RAW: return scene->overbright > 0 ? scene->overbright : 1;
	case BSPSCENE_LIGHTMAP_DISPLAY: return scene->page_set_count ? scene->page_sets[0].intensity : 1;
	default: return 1;
	}
}

/* The stage that shows the material's base image decides where the alpha comes from. */
static const bspscene_stage *base_stage(const bspscene_scene *scene, const bspscene_material *material)
{
	for (uint32_t i = 0; i < material->stage_count; i++) {
		const bspscene_stage *stage = &scene->stages[material->first_stage + i];
		for (uint32_t f = 0; stage->source == BSPSCENE_STAGE_IMAGE && f < stage->frame_count; f++) {
			if (scene->frames[stage->first_frame + f] == material->base_image) return stage;
		}
	}
	return NULL;
}

bspi_vertex_color bspi_vertex_color_of(const bspscene_scene *scene, bspscene_write_lighting lighting,
                                       const bspscene_mesh *mesh, const bspscene_section *section)
{
	const bspscene_material *material = &scene->materials[section->material];
	const bspscene_page_set *set = scene->page_set_count ? &scene->page_sets[0] : NULL;
	bool lit = lighting != BSPSCENE_WRITE_NO_LIGHT;
	bool lightmapped = section->lighting == BSPSCENE_LIGHTING_LIGHTMAP;
	bspi_vertex_color rule = { .mesh = mesh, .page_gain = 1, .color_gain = 1 };

	rule.black = lit && section->lighting == BSPSCENE_LIGHTING_BLACK;
	rule.light_colors = lit && mesh->colors &&
	                    (section->lighting == BSPSCENE_LIGHTING_VERTEX || (lightmapped && material->vertex_lit));
	rule.color_gain = bspi_linear_gain(color_intensity(scene));
	if (set && lighting == BSPSCENE_WRITE_VERTEX && lightmapped && section->lightmap_page != BSPSCENE_NO_INDEX) {
		rule.page = &set->pages[section->lightmap_page];
		rule.page_gain = bspi_linear_gain(set->intensity);
	}
	const bspscene_stage *stage = mesh->colors && material->alpha_mode != BSPSCENE_ALPHA_OPAQUE
	                            ? base_stage(scene, material) : NULL;
	if (stage) {
		rule.inverted_alpha = stage->alpha_gen == BSPSCENE_ALPHA_GEN_ONE_MINUS_VERTEX;
		rule.alpha = rule.inverted_alpha || stage->alpha_gen == BSPSCENE_ALPHA_GEN_VERTEX;
	}
	return rule;
}

bool bspi_vertex_color_is_white(const bspi_vertex_color *rule)
{
	return !rule->page && !rule->light_colors && !rule->black && !rule->alpha;
}

static float luxel(const bspscene_page *page, uint32_t x, uint32_t y, int channel)
{
	size_t at = ((size_t)y * page->width + x) * 3 + (size_t)channel;
	if (page->format == BSPSCENE_PAGE_RGB16F) return bspi_half_to_float(((const uint16_t *)page->data)[at]);
	return (float)((const uint8_t *)page->data)[at] / 255;
}

/* Position in luxels between `low` and the next one, held inside the page. */
static float split(float uv, uint32_t size, uint32_t *low, uint32_t *high)
{
	float at = fminf(fmaxf(uv * (float)size - 0.5f, 0), (float)(size - 1));
	*low = (uint32_t)at;
	*high = *low + 1 < size ? *low + 1 : *low;
	return at - (float)*low;
}

/* Bilinear on the stored values, as the games' hardware filters them, and linear light only then. */
static void sample_page(const bspscene_page *page, const float uv[2], float out[3])
{
	if (!page->data || !page->width || !page->height || page->format == BSPSCENE_PAGE_RAW32) {
		out[0] = out[1] = out[2] = 0;
		return;
	}
	uint32_t x0, x1, y0, y1;
	float fx = split(uv[0], page->width, &x0, &x1), fy = split(uv[1], page->height, &y0, &y1);
	for (int i = 0; i < 3; i++) {
		float top = luxel(page, x0, y0, i) * (1 - fx) + luxel(page, x1, y0, i) * fx;
		float bottom = luxel(page, x0, y1, i) * (1 - fx) + luxel(page, x1, y1, i) * fx;
		float value = top * (1 - fy) + bottom * fy;
		out[i] = page->format == BSPSCENE_PAGE_RGB16F ? value : bspi_linear_from_display(value);
	}
}

void bspi_vertex_color_at(const bspi_vertex_color *rule, uint32_t vertex, float out[4])
{
	const uint8_t *color = rule->mesh->colors ? rule->mesh->colors + 4 * (size_t)vertex : NULL;
	float light[3] = { 1, 1, 1 };
	if (rule->page) sample_page(rule->page, rule->mesh->lightmap_uvs + 2 * (size_t)vertex, light);
	for (int i = 0; i < 3; i++) {
		light[i] *= rule->page_gain;
		if (rule->light_colors) light[i] *= bspi_linear_from_display((float)color[i] / 255) * rule->color_gain;
		out[i] = rule->black ? 0 : fminf(light[i], 1);
	}
	out[3] = rule->alpha ? (float)color[3] / 255 : 1;
	if (rule->inverted_alpha) out[3] = 1 - out[3];
}
