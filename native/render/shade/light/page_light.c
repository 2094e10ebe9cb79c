/* page_light.c - samples lightmap pages. Maps may have dozens of light styles whose pages are mostly black. So for each
 * block of luxels, a table tells which lightmap sets are not black there. */
#include <string.h>

#include "drawing/add_light.h"
#include "shade/surface.h"
#include "vector.h"

enum { BLOCK = 16, MOST_SETS = 64 };   /* luxels per side of a block; bits of a mask */
/* A sample inside a block may read luxels that are at most this far outside of it. */
enum { REACH = 2 };
enum { LARGEST_LUXEL = 6 };            /* bytes per luxel */

/* ---- Finding sets with light -------------------------------------------------------------------------------- */

static bool is_black(const bspscene_lightmap_page *page, uint32_t x, uint32_t y, uint32_t count)
{
	const size_t size = page->format == BSPSCENE_LIGHTMAP_PAGE_RGB8 ? 3 : LARGEST_LUXEL;
	uint8_t row[(BLOCK + 2 * REACH) * LARGEST_LUXEL], any = 0;
	const uint8_t *at = row;
	if (page->data) at = (const uint8_t *)page->data + ((size_t)y * page->width + x) * size;
	else bspscene_lightmap_page_read(page, x, y, count, 1, row);
	for (size_t i = 0; i < count * size; i++) any |= at[i];
	return !any;
}

static uint32_t end_of(uint32_t block, uint32_t size)
{
	uint32_t end = (block + 1) * BLOCK + REACH;
	return end < size ? end : size;
}

static void mark_set(const bspscene_lightmap_page *page, uint32_t set, bspr_lit_page *out)
{
	for (uint32_t y = 0; y < page->height; y++) {
		const uint32_t first_row = y < REACH ? 0 : (y - REACH) / BLOCK, last_row = (y + REACH) / BLOCK;
		for (uint32_t x = 0; x < out->width; x++) {
			const uint32_t first = x ? x * BLOCK - REACH : 0;
			if (is_black(page, first, y, end_of(x, page->width) - first)) continue;
			for (uint32_t row = first_row; row <= last_row && row < out->height; row++) {
				out->sets[(size_t)row * out->width + x] |= UINT64_C(1) << set;
			}
		}
	}
}

static bool has_light(const bspscene_lightmap_page *page)
{
	return (page->data || page->blocks) && page->format != BSPSCENE_LIGHTMAP_PAGE_RAW32;
}

bool bspr_find_lit_pages(bspscene_renderer *r)
{
	const bspscene_scene *scene = r->scene;
	if (scene->lightmap_set_count < 2) return true;
	r->lit_pages = bspr_allocate(&r->memory, scene->lightmap_page_count, sizeof *r->lit_pages);
	for (uint32_t i = 0; r->lit_pages && i < scene->lightmap_page_count; i++) {
		bspr_lit_page *out = &r->lit_pages[i];
		const bspscene_lightmap_page *size = &scene->lightmap_sets[0].pages[i];
		out->width = (size->width + BLOCK - 1) / BLOCK;
		out->height = (size->height + BLOCK - 1) / BLOCK;
		out->sets = bspr_allocate(&r->memory, (size_t)out->width * out->height, sizeof *out->sets);
		if (!out->sets) return false;
		for (uint32_t set = 0; set < scene->lightmap_set_count && set < MOST_SETS; set++) {
			const bspscene_lightmap_page *page = &scene->lightmap_sets[set].pages[i];
			if (scene->lightmap_sets[set].kind != BSPSCENE_LIGHTMAP_SET_DIRECTION && has_light(page))
				mark_set(page, set, out);
		}
	}
	return r->lit_pages != NULL;
}

void bspr_free_lit_pages(bspscene_renderer *r)
{
	const bspscene_allocator *allocator = &r->memory.allocator;
	for (uint32_t i = 0; r->lit_pages && i < r->scene->lightmap_page_count; i++) {
		bspr_release(allocator, r->lit_pages[i].sets);
	}
	bspr_release(allocator, r->lit_pages);
}

static uint32_t block_at(float at, uint32_t luxels, uint32_t blocks)
{
	float luxel = bspr_clamp01(at) * (float)luxels;
	uint32_t block = (uint32_t)luxel / BLOCK;
	return block < blocks ? block : blocks - 1;
}

/* Returns the sets that have light at any of these positions. */
static uint64_t sets_at(const bspr_lit_page *lit, const bspscene_lightmap_page *size, const float (*uvs)[2],
                        uint32_t count)
{
	uint64_t out = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t x = block_at(uvs[i][0], size->width, lit->width), y = block_at(uvs[i][1], size->height, lit->height);
		out |= lit->sets[(size_t)y * lit->width + x];
	}
	return out;
}

/* ---- Sampling ------------------------------------------------------------------------------------------------ */

/* Points on a lightmap page, and a mask of the sets that may have light there. */
typedef struct page_points {
	const bspr_shading *shading;
	uint32_t page, count;
	int32_t style;                     /* the light style to use; -1: all */
	float uvs[BSPR_PACKET][2];
	uint64_t sets;
} page_points;

static void find_points(const bspr_shading *shading, const bspr_surface *s, uint32_t count, int32_t style,
                        page_points *out)
{
	const bspscene_scene *scene = shading->renderer->scene;
	const bspr_lit_page *lit = shading->renderer->lit_pages;
	*out = (page_points){ .shading = shading, .page = s->section->lightmap_page, .count = count, .style = style,
	                      .sets = UINT64_MAX };
	for (uint32_t i = 0; i < count; i++) {
		bspr_interpolate(s[i].instance->mesh->lightmap_uvs, 2, &s[i], out->uvs[i]);
	}
	if (!lit) return;
	const bspscene_lightmap_page *size = &scene->lightmap_sets[0].pages[out->page];
	out->sets = sets_at(&lit[out->page], size, (const float (*)[2])out->uvs, count);
}

/* Adds up the light of all sets of one kind. The light is display values or, if `linear`, linear light. */
static void add_sets(const page_points *at, bspscene_lightmap_set_kind kind, bool linear, float (*out)[4])
{
	const bspr_shading *shading = at->shading;
	const bspscene_renderer *r = shading->renderer;
	const bspi_adding_tables tables = { r->linears, r->displays };
	for (uint32_t i = 0; i < at->count; i++) out[i][0] = out[i][1] = out[i][2] = 0;
	for (uint32_t i = 0; i < r->scene->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &r->scene->lightmap_sets[i];
		const bspscene_lightmap_page *page = &set->pages[at->page];
		if (i < MOST_SETS && !(at->sets >> i & 1)) continue;
		if (set->kind != kind || !has_light(page)) continue;
		if (at->style >= 0 && set->style != (uint32_t)at->style) continue;
		float intensity = shading->options->intensity > 0 ? shading->options->intensity : set->intensity;
		if (shading->options->mode == BSPSCENE_RENDER_LIGHTMAP) intensity = 1;
		float factor = bspi_style_factor(linear, intensity, shading->light_styles[set->style & 0xff]);
		bspi_add_light_row(&tables, linear, page, (const float (*)[2])at->uvs, at->count, factor, out);
	}
}

static bool is_lit(const float light[4]) { return light[0] > 0 || light[1] > 0 || light[2] > 0; }

/* Replaces linear light by the sum of the lights of the three BUMP sets, each times its weight from the normal map.
 * Like the engine, scales the three lights so that their mean is the flat light (colorspace.h, LinearToBumpedLightmap).
 * A face without BUMP sets has the flat light in all three. */
static void bend_lights(const page_points *at, const bspr_surface *s, float (*out)[4])
{
	float bumps[3][BSPR_PACKET][4], weights[BSPR_PACKET][4];
	bspr_bump_weights(at->shading, s, at->count, weights);
	for (uint32_t k = 0; k < 3; k++) {
		add_sets(at, (bspscene_lightmap_set_kind)(BSPSCENE_LIGHTMAP_SET_BUMP_0 + k), true, bumps[k]);
	}
	for (uint32_t i = 0; i < at->count; i++) {
		bool bumped = is_lit(bumps[0][i]) || is_lit(bumps[1][i]) || is_lit(bumps[2][i]);
		for (int c = 0; c < 3; c++) {
			float flat = out[i][c], all = bumps[0][i][c] + bumps[1][i][c] + bumps[2][i][c], sum = 0;
			float scale = all > 0 ? 3 * flat / all : 0;
			for (int k = 0; k < 3; k++) sum += (bumped ? bumps[k][i][c] * scale : flat) * weights[i][k];
			out[i][c] = sum;
		}
	}
}

/* True if light is added in linear space. Pictures that show only light use the pages' display values. */
static bool is_linear(const bspr_shading *shading)
{
	return shading->renderer->scene->linear_luxels && shading->options->mode == BSPSCENE_RENDER_FULL;
}

void bspr_page_lights(const bspr_shading *shading, const bspr_surface *s, uint32_t count, int32_t style,
                      float (*out)[4])
{
	const bspscene_renderer *r = shading->renderer;
	const float clamp = r->scene->light_clamp, limit = shading->options->mode == BSPSCENE_RENDER_LIGHTMAP ? 1 : clamp;
	const bool linear = is_linear(shading);
	page_points at;
	find_points(shading, s, count, style, &at);
	add_sets(&at, BSPSCENE_LIGHTMAP_SET_LIGHT, linear, out);
	if (linear && s->material->bump_light) bend_lights(&at, s, out);
	bspi_display_row(&(bspi_adding_tables){ r->linears, r->displays }, linear, count, out);
	for (uint32_t i = 0; clamp > 0 && i < count; i++) {
		for (int k = 0; k < 3; k++) out[i][k] = bspi_smaller(out[i][k], limit);
	}
}
