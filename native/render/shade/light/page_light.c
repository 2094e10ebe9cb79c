/* page_light.c - light of pages on surfaces. Maps may have dozens of light styles whose pages are mostly black. So the
 * styles with light are found once for each block of luxels. */
#include <string.h>

#include "shade/surface.h"
#include "vector.h"

enum { BLOCK = 16, MOST_SETS = 64 };   /* luxels per side; bits of a mask */
/* How many luxels a sample in a block may read outside of it. */
enum { REACH = 2 };

/* ---- Finding sets with light -------------------------------------------------------------------------------- */

static bool is_black(const bspscene_lightmap_page *page, uint32_t x, uint32_t y, uint32_t count)
{
	const size_t size = page->format == BSPSCENE_LIGHTMAP_PAGE_RGB8 ? 3 : 6;
	const uint8_t *at = (const uint8_t *)page->data + ((size_t)y * page->width + x) * size;
	uint8_t any = 0;
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
	return page->data && page->format != BSPSCENE_LIGHTMAP_PAGE_RAW32;
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
			if (scene->lightmap_sets[set].kind == BSPSCENE_LIGHTMAP_SET_LIGHT && has_light(page))
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

void bspr_page_lights(const bspr_shading *shading, const bspr_surface *s, uint32_t count, int32_t style,
                      float (*out)[4])
{
	const bspscene_scene *scene = shading->renderer->scene;
	const bspr_lit_page *lit = shading->renderer->lit_pages;
	const uint32_t number = s->section->lightmap_page;
	const float limit = shading->options->mode == BSPSCENE_RENDER_LIGHTMAP ? 1 : scene->light_clamp;
	float uvs[BSPR_PACKET][2];
	for (uint32_t i = 0; i < count; i++) {
		bspr_interpolate(s[i].instance->mesh->lightmap_uvs, 2, &s[i], uvs[i]);
		out[i][0] = out[i][1] = out[i][2] = 0;
	}
	const float (*at)[2] = (const float (*)[2])uvs;
	uint64_t sets = UINT64_MAX;
	if (lit) sets = sets_at(&lit[number], &scene->lightmap_sets[0].pages[number], at, count);
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &scene->lightmap_sets[i];
		const bspscene_lightmap_page *page = &set->pages[number];
		if (i < MOST_SETS && !(sets >> i & 1)) continue;
		if (set->kind != BSPSCENE_LIGHTMAP_SET_LIGHT || !page->data || (style >= 0 && set->style != (uint32_t)style))
			continue;
		float intensity = shading->options->intensity > 0 ? shading->options->intensity : set->intensity;
		if (shading->options->mode == BSPSCENE_RENDER_LIGHTMAP) intensity = 1;
		float scale = intensity * shading->light_styles[set->style & 0xff];
		bspi_page_add_row(page, shading->renderer->displays, at, count, scale, out);
	}
	for (uint32_t i = 0; scene->light_clamp > 0 && i < count; i++) {
		for (int k = 0; k < 3; k++) out[i][k] = bspi_smaller(out[i][k], limit);
	}
}
