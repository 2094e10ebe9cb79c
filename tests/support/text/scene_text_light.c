/* scene_text_light.c - lightmap pages, lights and their styles in a scene's text. */
#include "support/text/scene_text.h"

#include <inttypes.h>

#include "base/text.h"
#include "writers/words.h"

/* Bytes are hashed exactly. Half floats depend on powf, so their lowest bits are left out. */
static uint64_t hash_page(const bspscene_lightmap_page *page)
{
	size_t count = (size_t)page->width * page->height;
	if (page->format != BSPSCENE_LIGHTMAP_PAGE_RGB16F) {
		return bspi_hash(page->data, count * (page->format == BSPSCENE_LIGHTMAP_PAGE_RAW32 ? 4 : 3));
	}
	const uint16_t *halfs = page->data;
	uint64_t hash = BSPT_HASH_START;
	for (size_t i = 0; i < 3 * count; i++) hash = bspt_hash_integer(hash, (halfs[i] + 8) >> 4);
	return hash;
}

bool bspt_say_page_sets(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	BSPI_TRY(bspi_put_format(writer, "page_sets %" PRIu32 " pages %" PRIu32 "\n", scene->lightmap_set_count,
	                         scene->lightmap_page_count));
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &scene->lightmap_sets[i];
		BSPI_TRY(bspi_put_format(writer, "\t%s style %" PRIu32, bspi_page_kind_word(set->kind), set->style));
		BSPI_TRY(bspt_say_floats(writer, " intensity", &set->intensity, 1) && bspi_put_text(writer, "\n"));
		for (uint32_t p = 0; p < scene->lightmap_page_count; p++) {
			const bspscene_lightmap_page *page = &set->pages[p];
			BSPI_TRY(bspi_put_format(writer, "\t\t%s %" PRIu32 " %" PRIu32, bspi_page_word(page->format), page->width,
			                         page->height));
			if (page->data) BSPI_TRY(bspt_say_hash(writer, "hash", page->data, hash_page(page)));
			BSPI_TRY(bspi_put_text(writer, "\n"));
		}
	}
	return true;
}

bool bspt_say_lights(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	BSPI_TRY(bspi_put_format(writer, "lights %" PRIu32 "\n", scene->light_count));
	for (uint32_t i = 0; i < scene->light_count; i++) {
		const bspscene_light *light = scene->lights[i];
		BSPI_TRY(bspi_put_format(writer, "\t%s %s", bspi_light_word(light->kind), bspi_falloff_word(light->falloff)));
		BSPI_TRY(bspt_say_index(writer, "node", light->node) && bspt_say_floats(writer, " color", light->color, 3));
		BSPI_TRY(bspt_say_floats(writer, " intensity", &light->intensity, 1) &&
		         bspt_say_floats(writer, " radius", &light->radius, 1));
		if (light->kind == BSPSCENE_LIGHT_SPOT) {
			BSPI_TRY(bspt_say_floats(writer, " angles", &light->inner_angle_degrees, 1) &&
			         bspt_say_floats(writer, "", &light->outer_angle_degrees, 1));
		}
		BSPI_TRY(bspi_put_format(writer, " style %" PRIu32 "\n", light->style));
	}
	return true;
}

bool bspt_say_light_styles(bspi_writer *writer)
{
	const bspscene_scene *scene = writer->scene;
	for (uint32_t i = 0; i < scene->light_style_count; i++) {
		const bspscene_light_style *style = scene->light_styles[i];
		BSPI_TRY(bspi_put_format(writer, "style %" PRIu32 " ", style->style) &&
		         bspt_say_quoted(writer, style->pattern));
		BSPI_TRY(bspi_put_text(writer, " ") && bspt_say_quoted(writer, style->name) &&
		         bspt_say_word(writer, "switchable", style->switchable) &&
		         bspt_say_word(writer, "off", style->start == 0));
		BSPI_TRY(bspt_say_index(writer, "entity", style->entity) && bspi_put_text(writer, "\n"));
	}
	return true;
}
