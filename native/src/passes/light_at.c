/* light_at.c - the light of a section at any point of it. Games multiply what is displayed: texture, page, intensity
 * and vertex colour. The product of the last three, which is how a white texture looks, is made linear at the end. */
#include "passes/vertex_light.h"

#include <math.h>

#include "images/display.h"
#include "images/images.h"

/* ---- Curves ----------------------------------------------------------------------------------------------- */

/* The tables reach a bit beyond what two bright styles add up to; further out the functions themselves are asked. The
 * way back is over the square root, where it is nearly straight. */
#define LARGEST_DISPLAY 4.0f
#define LARGEST_ROOT 5.0f

void bspi_make_curves(bspi_curves *curves)
{
	for (int i = 0; i <= BSPI_CURVE_STEPS; i++) {
		float at = (float)i / BSPI_CURVE_STEPS, root = at * LARGEST_ROOT;
		curves->linear[i] = bspi_linear_from_display(at * LARGEST_DISPLAY);
		curves->display[i] = bspi_display_from_linear(root * root);
	}
}

static float look_up(const float *table, float share)
{
	float at = share * BSPI_CURVE_STEPS;
	int low = (int)at;
	return low < BSPI_CURVE_STEPS ? table[low] + (table[low + 1] - table[low]) * (at - (float)low) : table[low];
}

static float curve_linear(const bspi_curves *curves, float display)
{
	if (display >= LARGEST_DISPLAY) return bspi_linear_from_display(display);
	return display > 0 ? look_up(curves->linear, display / LARGEST_DISPLAY) : 0;
}

float bspi_curve_display(const bspi_curves *curves, float linear)
{
	float root = linear > 0 ? sqrtf(linear) : 0;
	return root >= LARGEST_ROOT ? bspi_display_from_linear(linear) : look_up(curves->display, root / LARGEST_ROOT);
}

/* ---- Pages ------------------------------------------------------------------------------------------------ */

static float luxel(const bspscene_page *page, uint32_t x, uint32_t y, uint32_t channel)
{
	size_t at = ((size_t)y * page->width + x) * 3 + channel;
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

/* Bilinear on the stored values, as the games' hardware filters them. */
static void add_sample(const bspscene_page *page, const float uv[2], float share, float sum[3])
{
	uint32_t x0, x1, y0, y1;
	float fx = split(uv[0], page->width, &x0, &x1), fy = split(uv[1], page->height, &y0, &y1);
	for (uint32_t i = 0; i < 3; i++) {
		float top = luxel(page, x0, y0, i) * (1 - fx) + luxel(page, x1, y0, i) * fx;
		float bottom = luxel(page, x0, y1, i) * (1 - fx) + luxel(page, x1, y1, i) * fx;
		float value = top * (1 - fy) + bottom * fy;
		if (page->format == BSPSCENE_PAGE_RGB16F) value = bspi_display_from_linear(fmaxf(value, 0));
		sum[i] += value * share;
	}
}

/* The display value of all styles together, in units of the first set's intensity. */
static void sample_pages(const bspi_light_rule *rule, const float uv[2], float sum[3])
{
	const bspscene_scene *scene = rule->scene;
	float first = scene->page_sets[0].intensity;
	sum[0] = sum[1] = sum[2] = 0;
	for (uint32_t i = 0; i < scene->page_set_count; i++) {
		const bspscene_page_set *set = &scene->page_sets[i];
		const bspscene_page *page = &set->pages[rule->page];
		float share = rule->brightness ? rule->brightness[set->style & 0xff] : 1;
		if (set->kind != BSPSCENE_PAGES_LIGHT || !page->data || share == 0) continue;
		add_sample(page, uv, first > 0 ? share * set->intensity / first : share, sum);
	}
}

/* ---- Sections --------------------------------------------------------------------------------------------- */

bspi_light_rule bspi_light_rule_of(const bspscene_scene *scene, const bspscene_mesh *mesh,
                                   const bspscene_section *section, const float *brightness, const bspi_curves *curves)
{
	bool lightmapped = section->lighting == BSPSCENE_LIGHTING_LIGHTMAP;
	bspi_light_rule rule = { .scene = scene, .brightness = brightness, .curves = curves, .page = BSPSCENE_NO_INDEX,
	                         .page_intensity = 1, .color_intensity = bspi_color_intensity(scene) };
	rule.black = section->lighting == BSPSCENE_LIGHTING_BLACK;
	rule.colors = mesh->colors && (section->lighting == BSPSCENE_LIGHTING_VERTEX ||
	                               (lightmapped && scene->materials[section->material].vertex_lit));
	if (lightmapped && scene->page_set_count && mesh->lightmap_uvs) {
		rule.page = section->lightmap_page;
		rule.page_intensity = scene->page_sets[0].intensity;
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
		if (rule->stop_at_white) out[i] = fminf(out[i], 1);
	}
}

void bspi_light_at(const bspi_light_rule *rule, const float uv[2], const float color[3], float out[3])
{
	bspi_displayed_light_at(rule, uv, color, out);
	for (int i = 0; i < 3; i++) out[i] = curve_linear(rule->curves, out[i]);
}

float bspi_luxels_between(const bspi_light_rule *rule, const float a[2], const float b[2])
{
	if (rule->page == BSPSCENE_NO_INDEX) return 0;
	const bspscene_page *page = &rule->scene->page_sets[0].pages[rule->page];
	float x = (b[0] - a[0]) * (float)page->width, y = (b[1] - a[1]) * (float)page->height;
	return sqrtf(x * x + y * y);
}
