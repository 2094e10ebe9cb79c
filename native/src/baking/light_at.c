/* light_at.c - see light_at.h. Games multiply display values: texture, page, intensity and vertex color. */
#include "baking/light_at.h"

#include <bspscene/material.h>

#include "base/page_luxels.h"
#include "images/display.h"

/* ---- Pages ------------------------------------------------------------------------------------------------ */

/* Computes the sum of all styles as display values, in units of the first set's intensity. */
static void sample_pages(const bspi_light_rule *rule, const bspi_adding_tables *tables, const float uv[2], float out[3])
{
	const bspscene_scene *scene = rule->scene;
	const bool linear = scene->linear_luxels;
	const float first = scene->lightmap_sets[0].intensity, uvs[1][2] = { { uv[0], uv[1] } };
	float sum[1][4] = { { 0 } };
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &scene->lightmap_sets[i];
		const bspscene_lightmap_page *page = &set->pages[rule->page];
		if (set->kind != BSPSCENE_LIGHTMAP_SET_LIGHT || !bspi_page_has_light(page)) continue;
		float factor = bspi_style_factor(linear, first > 0 ? set->intensity / first : 1, 1);
		bspi_add_light_row(tables, linear, page, uvs, 1, factor, sum);
	}
	bspi_display_row(tables, linear, 1, sum);
	for (int k = 0; k < 3; k++) out[k] = sum[0][k];
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

void bspi_displayed_light_at(const bspi_light_rule *rule, const bspi_adding_tables *tables, const float uv[2],
                             const float color[3], float out[3])
{
	for (int i = 0; i < 3; i++) out[i] = rule->black ? 0 : 1;
	if (rule->black) return;
	if (rule->page != BSPSCENE_NO_INDEX) sample_pages(rule, tables, uv, out);
	for (int i = 0; i < 3; i++) {
		out[i] *= rule->page_intensity;
		if (rule->colors) out[i] *= color[i] * rule->color_intensity;
	}
}
