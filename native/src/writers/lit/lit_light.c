/* lit_light.c - computes the light along rows of texels. A chart has the same orientation in the picture as on its
 * page. So a row of texels lies between two rows of luxels. First these two rows are mixed into one. Then each texel is
 * interpolated between two luxels of that row. */
#include <math.h>
#include <string.h>

#include <bspscene/material.h>

#include "base/page_luxels.h"
#include "drawing/four.h"
#include "writers/lit/lit_paint.h"

#define BESIDE 3u                      /* how many luxels outside of a chart's columns interpolation may read */

uint32_t bspi_lit_luxels_across(const bspi_lit_chart *chart)
{
	return chart->planar ? 0 : (uint32_t)ceil((double)chart->width / (double)chart->density) + BESIDE;
}

bool bspi_lit_light_begin(bspi_lit_light *light, bspi_arena *arena, uint32_t width, uint32_t luxels)
{
	light->lows = bspi_arena_alloc_unset(arena, width, sizeof *light->lows);
	light->shares = bspi_arena_alloc_unset(arena, width, sizeof *light->shares);
	light->row = bspi_arena_alloc_unset(arena, width, sizeof *light->row);
	light->luxels = bspi_arena_alloc_unset(arena, luxels, sizeof *light->luxels);
	return light->lows && light->shares && light->row && light->luxels;
}

/* Finds the two luxels of the page, on one axis, between whose centers a texel's center is. Returns the first one,
 * and stores the weight (0..1) of the second one in *share. Texels outside of the page get the luxel at its edge. */
static uint32_t find_luxel(const bspi_lit_chart *chart, int axis, uint32_t texel, uint32_t size, float *share)
{
	double at = (double)chart->low[axis] + ((double)texel + 0.5 - BSPI_LIT_GUTTER) / (double)chart->density - 0.5;
	at = fmin(fmax(at, 0), size - 1);
	uint32_t low = (uint32_t)at;
	*share = (float)(at - low);
	return low;
}

/* Returns the page that lights the section, if display values can be interpolated row by row and nothing else lights
 * it. Otherwise returns NULL. */
static const bspscene_lightmap_page *page_in_rows(const bspi_lit_light *light)
{
	const bspscene_scene *scene = light->rule.scene;
	uint32_t page = light->rule.page;
	if (page == BSPSCENE_NO_INDEX || light->rule.colors || light->rule.black || light->chart->planar) return NULL;
	if (scene->linear_luxels) return NULL;
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		const bspscene_lightmap_page *of_set = &scene->lightmap_sets[i].pages[page];
		if (bspi_page_has_light(of_set) && of_set->format != BSPSCENE_LIGHTMAP_PAGE_RGB8) return NULL;
	}
	return &scene->lightmap_sets[0].pages[page];
}

void bspi_lit_light_start(bspi_lit_light *light, const bspscene_scene *scene, const bspi_adding_tables *tables,
                          const bspi_lit_chart *chart)
{
	const bspscene_mesh *mesh = scene->meshes[chart->mesh];
	const bspscene_section *section = mesh->sections[chart->section];
	light->chart = chart;
	light->tables = tables;
	light->rule = bspi_light_rule_of(scene, mesh, section);
	memcpy(light->factors, scene->materials[section->material]->color, sizeof light->factors);
	light->page = page_in_rows(light);
	for (uint32_t x = 0; light->page && x < chart->width; x++) {
		light->lows[x] = find_luxel(chart, 0, x, light->page->width, &light->shares[x]);
	}
}

/* Adds the light of one lightmap set to light->luxels, like mix_rows below, but from a page that is stored as
 * blocks. */
static void mix_blocks(bspi_lit_light *light, const bspscene_lightmap_page *page, float factor, uint32_t first,
                       uint32_t end, uint32_t y, float share)
{
	float upper_factor = factor * (1 - share), lower_factor = factor * share;
	uint32_t below = y + 1 < page->height ? y + 1 : y;
	for (uint32_t i = 0; i < end - first; i++) {
		uint8_t grays[2][3];
		const uint8_t *upper = bspi_sparse_luxel(page, first + i, y, grays[0]);
		const uint8_t *lower = bspi_sparse_luxel(page, first + i, below, grays[1]);
		for (size_t c = 0; c < 3; c++) {
			light->luxels[i][c] += (float)upper[c] * upper_factor + (float)lower[c] * lower_factor;
		}
	}
}

/* Adds the light of one lightmap set to light->luxels, for the luxels `first` to before `end`. It is interpolated
 * between the rows y and y + 1. */
static void mix_rows(bspi_lit_light *light, const bspscene_lightmap_page *page, float factor, uint32_t first,
                     uint32_t end, uint32_t y, float share)
{
	const uint8_t *upper = (const uint8_t *)page->data + 3 * ((size_t)y * page->width + first);
	const uint8_t *lower = y + 1 < page->height ? upper + 3 * (size_t)page->width : upper;
	float upper_factor = factor * (1 - share), lower_factor = factor * share;
	for (uint32_t i = 0; i < end - first; i++) {
		float *out = light->luxels[i];
		for (size_t c = 0; c < 3; c++) {
			out[c] += (float)upper[3 * i + c] * upper_factor + (float)lower[3 * i + c] * lower_factor;
		}
	}
}

static void fill_from_rows(bspi_lit_light *light, const bspi_lit_run *run)
{
	const bspscene_scene *scene = light->rule.scene;
	uint32_t column = run->x - light->chart->x, page_width = light->page->width;
	const uint32_t *lows = light->lows + column;
	const float *shares = light->shares + column;
	uint32_t first = lows[0], end = lows[run->count - 1] + 2;
	float share;
	uint32_t y = find_luxel(light->chart, 1, run->y - light->chart->y, light->page->height, &share);
	memset(light->luxels, 0, (size_t)(end - first) * sizeof *light->luxels);
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &scene->lightmap_sets[i];
		const bspscene_lightmap_page *page = &set->pages[light->rule.page];
		if (set->kind != BSPSCENE_LIGHTMAP_SET_LIGHT || !bspi_page_has_light(page)) continue;
		float intensity = light->rule.page_intensity > 0 ? set->intensity : light->rule.page_intensity;
		uint32_t last = end < page_width ? end : page_width;
		(page->data ? mix_rows : mix_blocks)(light, page, intensity / 255, first, last, y, share);
	}
	/* Interpolation reads one luxel after the last one too, but with weight 0. */
	const bspi_four factors = bspi_four_of(light->factors[0], light->factors[1], light->factors[2]);
	for (uint32_t i = 0; i < run->count; i++) {
		const float (*low)[4] = (const float (*)[4])light->luxels + (lows[i] - first);
		bspi_four value = bspi_four_between(bspi_four_load(low[0]), bspi_four_load(low[1]), shares[i]);
		bspi_four_store(light->row[i], bspi_four_product(value, factors));
	}
}

void bspi_lit_light_fill(bspi_lit_light *light, const bspi_lit_slopes *slopes, const bspi_lit_run *run)
{
	if (light->page) {
		fill_from_rows(light, run);
		return;
	}
	for (uint32_t i = 0; i < run->count; i++) {
		double x = run->x + i + 0.5, y = run->y + 0.5;
		float uv[2], color[3], value[3];
		for (int k = 0; k < 2; k++) uv[k] = (float)bspi_lit_slope_at(&slopes->light_uv[k], x, y);
		for (int k = 0; k < 3; k++) color[k] = (float)bspi_lit_slope_at(&slopes->color[k], x, y);
		bspi_displayed_light_at(&light->rule, light->tables, uv, color, value);
		for (int k = 0; k < 3; k++) light->row[i][k] = value[k] * light->factors[k];
		light->row[i][3] = 0;
	}
}
