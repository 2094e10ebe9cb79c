/* check_light.c - the promises about pages, light styles, lights and the light grid. See check_scene.h. */
#include <math.h>
#include <string.h>

#include "support/check/check_scene.h"

static bool knows_style(const bspscene_scene *scene, uint32_t style)
{
	for (uint32_t i = 0; i < scene->light_style_count; i++) {
		if (scene->light_styles[i]->style == style) return true;
	}
	return false;
}

static size_t luxel_size(bspscene_lightmap_page_format format)
{
	return format == BSPSCENE_LIGHTMAP_PAGE_RGB16F ? 6 : format == BSPSCENE_LIGHTMAP_PAGE_RAW32 ? 4 : 3;
}

static bool is_format_of(bspscene_lightmap_page_format format, bspscene_lightmap_set_kind kind,
                         bspscene_lightmap_encoding encoding)
{
	if (kind == BSPSCENE_LIGHTMAP_SET_DIRECTION) return format == BSPSCENE_LIGHTMAP_PAGE_RGB8;
	if (encoding == BSPSCENE_LIGHTMAP_ENCODING_HDR) return format == BSPSCENE_LIGHTMAP_PAGE_RGB16F;
	return format == BSPSCENE_LIGHTMAP_PAGE_RGB8 ||
	       (encoding == BSPSCENE_LIGHTMAP_ENCODING_RAW && format == BSPSCENE_LIGHTMAP_PAGE_RAW32);
}

static bool has_warning(const bspscene_scene *scene, bspscene_warning_code code)
{
	for (uint32_t i = 0; i < scene->warning_count; i++) {
		if (scene->warnings[i]->code == code) return true;
	}
	return false;
}

/* Reads a whole page, so that sanitizers check where it ends. HDR values must be finite. A page may be larger than
 * requested, with a warning, if a single rectangle is larger. */
static void check_page(const bspscene_scene *scene, const bspscene_lightmap_set *set,
                       const bspscene_lightmap_page *page, const bspscene_load_options *options, bspt_report *report)
{
	uint32_t largest = has_warning(scene, BSPSCENE_WARNING_LIMIT) ? 16384
	                   : options->lightmap_page_size                       ? options->lightmap_page_size
	                                                              : 4096;
	BSPT_EXPECT(report, page->width && page->height && page->width <= largest && page->height <= largest,
	            "a page of %ux%u", page->width, page->height);
	BSPT_EXPECT(report, page->width % 4 == 0 && page->height % 4 == 0, "a page of %ux%u", page->width, page->height);
	BSPT_EXPECT(report, is_format_of(page->format, set->kind, options->lightmap_encoding), "a page has format %d",
	            (int)page->format);
	if (!page->data || report->failures) return;
	size_t luxels = (size_t)page->width * page->height;
	if (page->format == BSPSCENE_LIGHTMAP_PAGE_RGB16F) {
		const uint16_t *half = page->data;
		bool finite = true;
		for (size_t i = 0; i < luxels * 3; i++) finite = finite && (half[i] & 0x7c00) != 0x7c00;
		BSPT_EXPECT(report, finite, "a page has luxels that are not finite");
	} else {
		volatile uint8_t last = ((const uint8_t *)page->data)[luxels * luxel_size(page->format) - 1];
		(void)last;
	}
}

static void check_page_sets(const bspscene_scene *scene, const bspscene_load_options *options, bspt_report *report)
{
	BSPT_EXPECT(report, !scene->lightmap_page_count == !scene->lightmap_set_count, "%u pages in %u sets",
	            scene->lightmap_page_count, scene->lightmap_set_count);
	BSPT_EXPECT(report, scene->lightmap_encoding == options->lightmap_encoding,
	            "the encoding is not the one asked for");
	BSPT_EXPECT(report, options->lightmap_encoding != BSPSCENE_LIGHTMAP_ENCODING_NONE || !scene->lightmap_page_count,
	            "pages that nobody asked for");
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &scene->lightmap_sets[i];
		BSPT_EXPECT(report, (unsigned)set->kind <= BSPSCENE_LIGHTMAP_SET_BUMP_2, "page set %u has kind %d", i,
		            (int)set->kind);
		BSPT_EXPECT(report, i || (set->kind == BSPSCENE_LIGHTMAP_SET_LIGHT && set->style == 0),
		            "the first page set is not light of style 0");
		BSPT_EXPECT(report, isfinite(set->intensity) && set->intensity > 0, "page set %u has intensity %g", i,
		            set->intensity);
		BSPT_EXPECT(report, !set->tangent_space || set->kind == BSPSCENE_LIGHTMAP_SET_DIRECTION,
		            "page set %u has a space", i);
		BSPT_EXPECT(report, knows_style(scene, set->style), "page set %u has style %u, which nobody knows", i,
		            set->style);
		BSPT_EXPECT(report, set->pages != NULL, "page set %u lacks its pages", i);
		for (uint32_t k = 0; set->pages && k < scene->lightmap_page_count; k++) {
			const bspscene_lightmap_page *page = &set->pages[k], *first = &scene->lightmap_sets[0].pages[k];
			BSPT_EXPECT(report, page->width == first->width && page->height == first->height, "page %u has two sizes",
			            k);
			check_page(scene, set, page, options, report);
		}
	}
}

static void check_styles(const bspscene_scene *scene, bspt_report *report)
{
	for (uint32_t i = 0; i < scene->light_style_count; i++) {
		const bspscene_light_style *style = scene->light_styles[i];
		BSPT_EXPECT_TEXT(report, style->name, "light_style.name");
		BSPT_EXPECT_TEXT(report, style->pattern, "light_style.pattern");
		BSPT_EXPECT(report, style->pattern && style->pattern[0] &&
		            strspn(style->pattern, "abcdefghijklmnopqrstuvwxyz") == strlen(style->pattern),
		            "style %u has no pattern", style->style);
		const float raven = 12 / 25.0f;    /* the brightness of 'm' where 'z' is full brightness */
		bool starts = style->start == 1 || style->start == raven || (style->start == 0 && style->switchable);
		BSPT_EXPECT(report, starts, "style %u starts at %g", style->style, (double)style->start);
		BSPT_EXPECT_INDEX(report, style->entity, scene->entity_count, "light_style.entity");
		for (uint32_t k = 0; k < i; k++) {
			bool twice = scene->light_styles[k]->style == style->style;
			BSPT_EXPECT(report, !twice, "style %u is listed twice", style->style);
		}
	}
}

static void check_lights(const bspscene_scene *scene, bspt_report *report)
{
	for (uint32_t i = 0; i < scene->light_count; i++) {
		const bspscene_light *light = scene->lights[i];
		BSPT_EXPECT(report, (unsigned)light->kind <= BSPSCENE_LIGHT_SURFACE &&
		            (unsigned)light->falloff <= BSPSCENE_FALLOFF_NONE,
		            "light %u has an unknown kind", i);
		BSPT_EXPECT(report, light->node < scene->node_count && scene->nodes[light->node]->light == i,
		            "light %u and its node disagree", i);
		BSPT_EXPECT_INDEX(report, light->entity, scene->entity_count, "light.entity");
		float largest = fmaxf(light->color[0], fmaxf(light->color[1], light->color[2]));
		bool colored = fabsf(largest - 1) < 1e-5f || largest == 0;
		for (int k = 0; k < 3; k++) colored = colored && light->color[k] >= 0 && light->color[k] <= 1;
		BSPT_EXPECT(report, colored, "light %u has color %g %g %g", i, light->color[0], light->color[1],
		            light->color[2]);
		BSPT_EXPECT(report, isfinite(light->intensity), "light %u has intensity %g", i, light->intensity);
		BSPT_EXPECT(report,
		            isfinite(light->illuminance_at_100_units) &&
		                (light->illuminance_at_100_units > 0) <= (light->intensity > 0),
		            "light %u of intensity %g is %g at 100", i, light->intensity, light->illuminance_at_100_units);
		BSPT_EXPECT(report, isfinite(light->radius) && light->radius >= 0, "light %u has radius %g", i, light->radius);
		BSPT_EXPECT(report,
		            light->inner_angle_degrees >= 0 && light->inner_angle_degrees <= light->outer_angle_degrees &&
		                light->outer_angle_degrees <= 180,
		            "light %u has cones of %g and %g degrees", i, light->inner_angle_degrees,
		            light->outer_angle_degrees);
		BSPT_EXPECT(report, knows_style(scene, light->style), "light %u has style %u, which nobody knows", i,
		            light->style);
	}
}

static void check_grid(const bspscene_light_grid *grid, bspt_report *report)
{
	uint64_t samples = (uint64_t)grid->counts[0] * grid->counts[1] * grid->counts[2];
	if (!grid->counts[0]) {
		BSPT_EXPECT(report, !grid->counts[1] && !grid->counts[2], "half a light grid");
		return;
	}
	BSPT_EXPECT_FINITE(report, grid->origin, 3, "light_grid.origin");
	for (int i = 0; i < 3; i++) {
		BSPT_EXPECT(report, grid->counts[i] > 0 && isfinite(grid->step[i]) && grid->step[i] > 0,
		            "a light grid with %u steps of %g",
		            grid->counts[i], grid->step[i]);
	}
	BSPT_EXPECT(report, grid->style_count == 1 || grid->style_count == 4, "a light grid with %u sets",
	            grid->style_count);
	BSPT_EXPECT(report,
	            grid->ambient && grid->directed && grid->directions && !grid->styles == (grid->style_count == 1),
	            "a light grid lacks an array");
	if (report->failures) return;
	size_t colors = (size_t)(samples * grid->style_count * 3);
	volatile uint8_t last = grid->ambient[colors - 1];
	last = grid->directed[colors - 1];
	last = grid->directions[samples * 2 - 1];
	if (grid->styles) last = grid->styles[samples * grid->style_count - 1];
	(void)last;
}

void bspt_check_light(const bspscene_scene *scene, const bspscene_load_options *options, bspt_report *report)
{
	check_page_sets(scene, options, report);
	check_styles(scene, report);
	check_lights(scene, report);
	check_grid(scene->light_grid, report);
	for (uint32_t i = 0; i < scene->ambient_count; i++) {
		const bspscene_ambient *ambient = &scene->ambients[i];
		BSPT_EXPECT(report, ambient->leaf < scene->tree->leaf_count, "ambient %u has leaf %u", i, ambient->leaf);
		BSPT_EXPECT_FINITE(report, ambient->origin, 3, "ambient.origin");
		BSPT_EXPECT_FINITE(report, &ambient->cube[0][0], 18, "ambient.cube");
	}
	for (uint32_t i = 0; i < scene->cubemap_count; i++) BSPT_EXPECT_FINITE(report, scene->cubemaps[i]->origin, 3,
	                                                                       "cubemap.origin");
}
