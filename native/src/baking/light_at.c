/* light_at.c - see light_at.h. Games multiply display values: texture, page, intensity and vertex color. */
#include "baking/light_at.h"

#include <math.h>

#include "base/page_luxels.h"
#include "images/display.h"
#include "images/images.h"

/* ---- Pages ------------------------------------------------------------------------------------------------ */

float bspi_luxel(const bspscene_lightmap_page *page, uint32_t x, uint32_t y, uint32_t channel)
{
	uint8_t gray[3];
	const void *luxel = bspi_luxel_at(page, x, y, gray);
	if (page->format == BSPSCENE_LIGHTMAP_PAGE_RGB16F) return bspi_half_to_float(((const uint16_t *)luxel)[channel]);
	return (float)((const uint8_t *)luxel)[channel] / 255;
}

/* Clamps a position to the page and splits it into the luxel `low` and the fraction to the next one. */
static float split(float uv, uint32_t size, uint32_t *low, uint32_t *high)
{
	float at = fminf(fmaxf(uv * (float)size - 0.5f, 0), (float)(size - 1));
	*low = (uint32_t)at;
	*high = *low + 1 < size ? *low + 1 : *low;
	return at - (float)*low;
}

/* Adds a bilinear sample of the stored values, as the games' hardware interpolates them. */
static void add_sample(const bspscene_lightmap_page *page, const float uv[2], float share, float sum[3])
{
	uint32_t x0, x1, y0, y1;
	float fx = split(uv[0], page->width, &x0, &x1), fy = split(uv[1], page->height, &y0, &y1);
	for (uint32_t i = 0; i < 3; i++) {
		float top = bspi_luxel(page, x0, y0, i) * (1 - fx) + bspi_luxel(page, x1, y0, i) * fx;
		float bottom = bspi_luxel(page, x0, y1, i) * (1 - fx) + bspi_luxel(page, x1, y1, i) * fx;
		float value = top * (1 - fy) + bottom * fy;
		if (page->format == BSPSCENE_LIGHTMAP_PAGE_RGB16F) value = bspi_display_from_linear(fmaxf(value, 0));
		sum[i] += value * share;
	}
}

/* Computes the sum of all styles as display values, in units of the first set's intensity. */
static void sample_pages(const bspi_light_rule *rule, const float uv[2], float sum[3])
{
	const bspscene_scene *scene = rule->scene;
	float first = scene->lightmap_sets[0].intensity;
	sum[0] = sum[1] = sum[2] = 0;
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &scene->lightmap_sets[i];
		const bspscene_lightmap_page *page = &set->pages[rule->page];
		if (set->kind != BSPSCENE_LIGHTMAP_SET_LIGHT || !bspi_page_has_light(page)) continue;
		add_sample(page, uv, first > 0 ? set->intensity / first : 1, sum);
	}
}

/* ---- Sections --------------------------------------------------------------------------------------------- */

bspi_light_rule bspi_light_rule_of(const bspscene_scene *scene, const bspscene_mesh *mesh,
                                   const bspscene_section *section)
{
	bool lightmapped = section->lighting == BSPSCENE_LIGHTING_LIGHTMAP;
	bspi_light_rule rule = { .scene = scene, .page = BSPSCENE_NO_INDEX, .page_intensity = 1,
	                         .color_intensity = bspi_color_intensity(scene) };
	rule.black = section->lighting == BSPSCENE_LIGHTING_BLACK;
	rule.colors = mesh->colors && (section->lighting == BSPSCENE_LIGHTING_VERTEX ||
	                               (lightmapped && scene->materials[section->material]->vertex_lit));
	if (lightmapped && scene->lightmap_set_count && mesh->lightmap_uvs) {
		rule.page = section->lightmap_page;
		rule.page_intensity = scene->lightmap_sets[0].intensity;
	}
	return rule;
}

bool bspi_light_is_even(const bspi_light_rule *rule)
{
	return rule->black || (!rule->colors && rule->page == BSPSCENE_NO_INDEX);
}

void bspi_displayed_light_at(const bspi_light_rule *rule, const float uv[2], const float color[3], float out[3])
{
	for (int i = 0; i < 3; i++) out[i] = rule->black ? 0 : 1;
	if (rule->black) return;
	if (rule->page != BSPSCENE_NO_INDEX) sample_pages(rule, uv, out);
	for (int i = 0; i < 3; i++) {
		out[i] *= rule->page_intensity;
		if (rule->colors) out[i] *= color[i] * rule->color_intensity;
	}
}
