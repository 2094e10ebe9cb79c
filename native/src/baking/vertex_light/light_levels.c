/* light_levels.c - see light_levels.h. Games multiply display values: texture, page, intensity and vertex color. */
#include "baking/vertex_light/light_levels.h"

#include <math.h>

#include <bspscene/material.h>

#include "drawing/four.h"
#include "images/display.h"
#include "images/images.h"

#define WHITE 1020.0f                  /* level of the largest byte, 4 * 255 */

enum { BYTE_LEVELS = 1021, HALF_LEVELS = 65536 };

/* ---- Tables ----------------------------------------------------------------------------------------------- */

static bspi_light_step step_of(float display, float error)
{
	bspi_light_step step = { .light = bspi_linear_from_display(display), .low = -1, .display = display };
	/* There is no light below black. So if the level is not above the allowed error, `low` stays -1. */
	if (display > error) {
		step.low = bspi_linear_from_display(display - error);
		step.below = -1 / (step.light - step.low);
	}
	step.high = bspi_linear_from_display(display + error);
	step.above = 1 / (step.high - step.light);
	return step;
}

static const bspi_light_step *make_steps(bspi_ctx *ctx, const bspi_light_tables *tables, float scale, uint32_t count)
{
	bspi_light_step *steps = bspi_push_unset(ctx, &ctx->scratch, count, sizeof *steps);
	for (uint32_t i = 0; steps && i < count; i++) {
		float display = (float)i / WHITE * scale;
		steps[i] = step_of(tables->stop_at_white ? fminf(display, 1) : display, tables->error);
	}
	return steps;
}

bspi_light_source bspi_light_source_of(const bspscene_scene *scene, const bspscene_mesh *mesh,
                                       const bspscene_section *section)
{
	bspi_light_source out = { .black = section->lighting == BSPSCENE_LIGHTING_BLACK, .scale = 1 };
	bool lightmapped = section->lighting == BSPSCENE_LIGHTING_LIGHTMAP;
	out.colors = mesh->colors && !out.black && (section->lighting == BSPSCENE_LIGHTING_VERTEX ||
	                                            (lightmapped && scene->materials[section->material]->vertex_lit));
	bool mapped = lightmapped && scene->lightmap_set_count && mesh->lightmap_uvs &&
	              section->lightmap_page != BSPSCENE_NO_INDEX;
	if (mapped) out.page = &scene->lightmap_sets[0].pages[section->lightmap_page];
	/* A page without data is black. */
	if (mapped && !out.page->data) out.black = true;
	out.even = out.black || (!mapped && !out.colors);
	if (out.even) out.page = NULL;
	if (out.even) out.colors = false;
	if (out.page) out.scale *= scene->lightmap_sets[0].intensity;
	if (out.colors) out.scale *= bspi_color_intensity(scene);
	bool halves = out.page && out.page->format == BSPSCENE_LIGHTMAP_PAGE_RGB16F;
	out.step_count = out.even ? 1 : halves ? HALF_LEVELS : BYTE_LEVELS;
	return out;
}

bool bspi_light_find_steps(bspi_ctx *ctx, bspi_light_tables *tables, bspi_light_source *source)
{
	uint32_t kind = source->black ? 0u : (source->page ? 1u : 0u) + (source->colors ? 2u : 0u) + 1u;
	const bspi_light_step **steps = &tables->steps[kind];
	if (!*steps && !source->even) *steps = make_steps(ctx, tables, source->scale, source->step_count);
	if (!*steps && source->even) {
		bspi_light_step *one = bspi_push(ctx, &ctx->scratch, bspi_light_step, 1);
		if (one) *one = step_of(source->black ? 0 : 1, tables->error);
		*steps = one;
	}
	source->steps = *steps;
	return *steps != NULL;
}

/* ---- Pages ------------------------------------------------------------------------------------------------ */

/* The two luxels around a position on one axis, clamped to the page, and the weight of the second. */
typedef struct beside {
	uint32_t low, high;
	float share;                       /* weight of `high`, 0 to 1 */
} beside;

static beside beside_of(float place, uint32_t size)
{
	float at = place * 0.5f - 0.5f, most = (float)(size - 1);
	at = at > 0 ? at < most ? at : most : 0;
	uint32_t low = (uint32_t)at;
	return (beside){ low, low + 1 < size ? low + 1 : low, at - (float)low };
}

static bspi_four luxel_at(const bspscene_lightmap_page *page, uint32_t x, uint32_t y)
{
	size_t at = ((size_t)y * page->width + x) * 3;
	if (page->format != BSPSCENE_LIGHTMAP_PAGE_RGB16F) {
		const uint8_t *bytes = (const uint8_t *)page->data + at;
		return bspi_four_of(bytes[0], bytes[1], bytes[2]);
	}
	const uint16_t *halves = (const uint16_t *)page->data + at;
	float v[3];
	for (int i = 0; i < 3; i++) v[i] = fmaxf(bspi_half_to_float(halves[i]), 0);
	return bspi_four_of(v[0], v[1], v[2]);
}

/* Samples a page with bilinear interpolation of stored values, as the games' hardware does. */
static bspi_four page_level(const bspscene_lightmap_page *page, const float place[2])
{
	const beside x = beside_of(place[0], page->width), y = beside_of(place[1], page->height);
	bspi_four above = bspi_four_between(luxel_at(page, x.low, y.low), luxel_at(page, x.high, y.low), x.share);
	bspi_four below = bspi_four_between(luxel_at(page, x.low, y.high), luxel_at(page, x.high, y.high), x.share);
	bspi_four value = bspi_four_between(above, below, y.share);
	if (page->format != BSPSCENE_LIGHTMAP_PAGE_RGB16F) return bspi_four_times(value, 4);
	float v[4];
	bspi_four_store(v, value);
	for (int i = 0; i < 3; i++) v[i] = bspi_display_from_linear(v[i]) * WHITE;
	return bspi_four_of(v[0], v[1], v[2]);
}

uint16_t bspi_light_tinted(const bspi_light_source *source, uint16_t level, float color)
{
	float tinted = (float)level * color, most = (float)(source->step_count - 1);
	return (uint16_t)((tinted > 0 ? tinted < most ? tinted : most : 0) + 0.5f);
}

void bspi_light_levels(const bspi_light_source *source, const float place[2], const float color[3], uint16_t out[3])
{
	memset(out, 0, 3 * sizeof *out);
	if (source->even) return;
	bspi_four level = source->page ? page_level(source->page, place) : bspi_four_same(WHITE);
	if (source->colors) level = bspi_four_product(level, bspi_four_of(color[0], color[1], color[2]));
	int32_t whole[4];
	bspi_four held = bspi_four_within(level, (float)(source->step_count - 1));
	bspi_four_store_whole(whole, bspi_four_sum(held, bspi_four_same(0.5f)));
	for (int i = 0; i < 3; i++) out[i] = (uint16_t)whole[i];
}

/* Returns the rows of luxels on both sides of a place, which counts in steps of half a luxel. If the place is a row's
 * center, both are that row. */
static void luxels_at(int32_t place, uint32_t size, uint32_t out[2])
{
	int32_t most = (int32_t)size - 1, low = place > 0 ? (place - 1) / 2 : 0, high = place > 0 ? place / 2 : 0;
	out[0] = (uint32_t)(low < most ? low : most);
	out[1] = (uint32_t)(high < most ? high : most);
}

/* Sums of the channels of two luxels: those of one column in the two rows. */
typedef struct column {
	uint16_t sums[3];
} column;

static inline column column_of(const uint8_t *const rows[2], int32_t luxel)
{
	const uint8_t *top = rows[0] + (size_t)luxel * 3, *bottom = rows[1] + (size_t)luxel * 3;
	return (column){ { (uint16_t)(top[0] + bottom[0]), (uint16_t)(top[1] + bottom[1]),
		               (uint16_t)(top[2] + bottom[2]) } };
}

static inline uint16_t *put_place(uint16_t *out, column left, column right)
{
	for (size_t c = 0; c < 3; c++) out[c] = (uint16_t)(left.sums[c] + right.sums[c]);
	out[3] = 0;
	return out + BSPI_GRID_WIDTH;
}

/* Fills a row of half luxels from a page of bytes. Odd coordinates are centers of luxels, even ones lie half way
 * between two. The edge of the page is repeated beyond it. */
static void fill_row_of_bytes(const bspscene_lightmap_page *page, const int32_t first[2], uint32_t width, int32_t y,
                              uint16_t *out)
{
	uint32_t lines[2];
	luxels_at(y, page->height, lines);
	const uint8_t *const rows[2] = { (const uint8_t *)page->data + (size_t)lines[0] * page->width * 3,
		                             (const uint8_t *)page->data + (size_t)lines[1] * page->width * 3 };
	int32_t x = first[0], end = x + (int32_t)width, beyond = 2 * (int32_t)page->width;
	int32_t inside = end < beyond ? end : beyond;
	column left = column_of(rows, x > 0 ? x < beyond ? (x - 1) / 2 : (beyond - 1) / 2 : 0);
	for (; x < end && x < 1; x++) out = put_place(out, left, left);
	if (x < inside && x % 2) {
		out = put_place(out, left, left);
		x++;
	}
	for (; x < inside; x += 2) {
		column right = column_of(rows, x / 2);
		out = put_place(out, left, right);
		if (x + 1 < inside) out = put_place(out, right, right);
		left = right;
	}
	for (; x < end; x++) out = put_place(out, left, left);
}

void bspi_light_grid_levels(const bspi_light_source *source, const int32_t first[2], const uint32_t size[2],
                            uint16_t *out)
{
	bspi_light_source plain = *source;
	plain.colors = false;
	for (uint32_t j = 0; j < size[1]; j++, out += (size_t)size[0] * BSPI_GRID_WIDTH) {
		int32_t y = first[1] + (int32_t)j;
		if (source->page->format == BSPSCENE_LIGHTMAP_PAGE_RGB8) {
			fill_row_of_bytes(source->page, first, size[0], y, out);
			continue;
		}
		for (uint32_t i = 0; i < size[0]; i++) {
			const float place[2] = { (float)(first[0] + (int32_t)i), (float)y };
			bspi_light_levels(&plain, place, NULL, out + (size_t)i * BSPI_GRID_WIDTH);
			out[(size_t)i * BSPI_GRID_WIDTH + 3] = 0;
		}
	}
}
