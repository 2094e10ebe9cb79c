/* light_levels.c - see light_levels.h. Games multiply what is displayed: texture, page, intensity and vertex colour. */
#include "passes/vertex_light/light_levels.h"

#include <math.h>

#include "images/display.h"
#include "images/images.h"

#define WHITE 1020.0f                  /* level of a page's white */

enum { BYTE_LEVELS = 1021, HALF_LEVELS = 65536 };

/* ---- Tables ----------------------------------------------------------------------------------------------- */

static bspi_light_step step_of(float display, float error)
{
	bspi_light_step step = { .light = bspi_linear_from_display(display), .low = -1, .display = display };
	/* Nothing is darker than black. */
	if (display > error) {
		step.low = bspi_linear_from_display(display - error);
		step.below = 1 / (step.light - step.low);
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

bool bspi_light_source_of(bspi_ctx *ctx, bspi_light_tables *tables, const bspscene_mesh *mesh,
                          const bspscene_section *section, bspi_light_source *out)
{
	const bspscene_scene *scene = tables->scene;
	bool lightmapped = section->lighting == BSPSCENE_LIGHTING_LIGHTMAP;
	bool black = section->lighting == BSPSCENE_LIGHTING_BLACK;
	*out = (bspi_light_source){ .step_count = BYTE_LEVELS, .scale = 1 };
	out->colors = mesh->colors && !black && (section->lighting == BSPSCENE_LIGHTING_VERTEX ||
	                                         (lightmapped && scene->materials[section->material]->vertex_lit));
	bool mapped = lightmapped && scene->page_set_count && mesh->lightmap_uvs &&
	              section->lightmap_page != BSPSCENE_NO_INDEX;
	if (mapped) out->page = &scene->page_sets[0].pages[section->lightmap_page];
	/* A page without data is black. */
	if (mapped && !out->page->data) black = true;
	out->even = black || (!mapped && !out->colors);
	if (out->even) out->page = NULL;
	if (out->even) out->colors = false;
	if (out->page) out->scale *= scene->page_sets[0].intensity;
	if (out->colors) out->scale *= bspi_color_intensity(scene);
	if (out->page && out->page->format == BSPSCENE_PAGE_RGB16F) out->step_count = HALF_LEVELS;
	const bspi_light_step **steps = &tables->steps[black ? 0 : (out->page ? 1 : 0) + (out->colors ? 2 : 0) + 1];
	if (out->even) out->step_count = 1;
	if (!*steps && !out->even) *steps = make_steps(ctx, tables, out->scale, out->step_count);
	if (!*steps && out->even) {
		bspi_light_step *one = bspi_push(ctx, &ctx->scratch, bspi_light_step, 1);
		if (one) *one = step_of(black ? 0 : 1, tables->error);
		*steps = one;
	}
	out->steps = *steps;
	return *steps != NULL;
}

/* ---- Pages ------------------------------------------------------------------------------------------------ */

/* Luxels beside a place on one axis, held inside the page, and where it is between them. */
typedef struct beside {
	uint32_t low, high;
	float share;                       /* of `high` */
} beside;

static beside beside_of(float place, uint32_t size)
{
	float at = fminf(fmaxf(place * 0.5f - 0.5f, 0), (float)(size - 1));
	uint32_t low = (uint32_t)at;
	return (beside){ low, low + 1 < size ? low + 1 : low, at - (float)low };
}

static uint16_t hold(const bspi_light_source *source, float level)
{
	float most = (float)(source->step_count - 1);
	return (uint16_t)(fminf(fmaxf(level, 0), most) + 0.5f);
}

/* Bilinear on the stored values, as the games' hardware filters them. */
static float page_level(const bspscene_page *page, const beside *x, const beside *y, uint32_t channel)
{
	size_t top = (size_t)y->low * page->width, bottom = (size_t)y->high * page->width;
	const size_t at[4] = { (top + x->low) * 3 + channel, (top + x->high) * 3 + channel,
	                       (bottom + x->low) * 3 + channel, (bottom + x->high) * 3 + channel };
	bool halves = page->format == BSPSCENE_PAGE_RGB16F;
	const uint8_t *bytes = page->data;
	const uint16_t *numbers = page->data;
	float v[4];
	for (int i = 0; i < 4; i++) v[i] = halves ? fmaxf(bspi_half_to_float(numbers[at[i]]), 0) : (float)bytes[at[i]];
	float above = v[0] + (v[1] - v[0]) * x->share, below = v[2] + (v[3] - v[2]) * x->share;
	float value = above + (below - above) * y->share;
	return halves ? bspi_display_from_linear(value) * WHITE : value * 4;
}

uint16_t bspi_light_tinted(const bspi_light_source *source, uint16_t level, float color)
{
	return hold(source, (float)level * color);
}

void bspi_light_levels(const bspi_light_source *source, const float place[2], const float color[3], uint16_t out[3])
{
	beside x = { 0, 0, 0 }, y = { 0, 0, 0 };
	memset(out, 0, 3 * sizeof *out);
	if (source->even) return;
	if (source->page) {
		x = beside_of(place[0], source->page->width);
		y = beside_of(place[1], source->page->height);
	}
	for (uint32_t i = 0; i < 3; i++) {
		float level = source->page ? page_level(source->page, &x, &y, i) : WHITE;
		out[i] = hold(source, source->colors ? level * color[i] : level);
	}
}

/* The luxels on both sides of a place of the grid; the same one twice at a luxel's middle. */
static void luxels_at(int32_t place, uint32_t size, uint32_t out[2])
{
	int32_t most = (int32_t)size - 1, low = place > 0 ? (place - 1) / 2 : 0, high = place > 0 ? place / 2 : 0;
	out[0] = (uint32_t)(low < most ? low : most);
	out[1] = (uint32_t)(high < most ? high : most);
}

static void fill_row_of_bytes(const bspscene_page *page, const int32_t first[2], uint32_t width, int32_t y,
                              uint16_t *out)
{
	uint32_t rows[2], columns[2];
	luxels_at(y, page->height, rows);
	const uint8_t *top = (const uint8_t *)page->data + (size_t)rows[0] * page->width * 3;
	const uint8_t *bottom = (const uint8_t *)page->data + (size_t)rows[1] * page->width * 3;
	for (uint32_t i = 0; i < width; i++, out += BSPI_GRID_WIDTH) {
		luxels_at(first[0] + (int32_t)i, page->width, columns);
		size_t left = (size_t)columns[0] * 3, right = (size_t)columns[1] * 3;
		for (size_t c = 0; c < 3; c++) {
			out[c] = (uint16_t)(top[left + c] + top[right + c] + bottom[left + c] + bottom[right + c]);
		}
		out[3] = 0;
	}
}

void bspi_light_grid_levels(const bspi_light_source *source, const int32_t first[2], const uint32_t size[2],
                            uint16_t *out)
{
	bspi_light_source plain = *source;
	plain.colors = false;
	for (uint32_t j = 0; j < size[1]; j++, out += (size_t)size[0] * BSPI_GRID_WIDTH) {
		int32_t y = first[1] + (int32_t)j;
		if (source->page->format == BSPSCENE_PAGE_RGB8) {
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
