/* page_images.c - makes images of whole stored pages. Shader stages need them if they do not sample a page at the
 * luxels of their surface (tcGen environment, tcMod). */
#include "stages/light/light.h"

#include <bspscene/image.h>
#include <bspscene/material.h>

#include "base/text.h"

/* Returns the index of a page's image. Pages of the map come first, whether they are in its file or next to it. Then
 * come the pictures that shaders name. */
static uint32_t slot_of(const bspi_light *light, int32_t page)
{
	uint32_t number = (uint32_t)page;
	return page >= BSPI_FIRST_PICTURE_PAGE ? light->page_count + (number - BSPI_FIRST_PICTURE_PAGE) : number;
}

static bool looks_elsewhere(const bspscene_material_pass *stage)
{
	return stage->input == BSPSCENE_PASS_INPUT_LIGHTMAP &&
	       (stage->tc_gen != BSPSCENE_TC_GEN_LIGHTMAP || stage->tc_mod_count);
}

static bool needs_page(const bspscene_scene *scene, uint32_t material)
{
	const bspscene_material *m = scene->materials[material];
	for (uint32_t i = 0; i < m->pass_count; i++) {
		if (looks_elsewhere(scene->material_passes[m->first_pass + i])) return true;
	}
	return false;
}

bool bspi_moves_page(const bspscene_scene *scene, uint32_t material)
{
	const bspscene_material *m = scene->materials[material];
	for (uint32_t i = 0; i < m->pass_count; i++) {
		const bspscene_material_pass *stage = scene->material_passes[m->first_pass + i];
		if (looks_elsewhere(stage) && stage->tc_gen == BSPSCENE_TC_GEN_LIGHTMAP) return true;
	}
	return false;
}

/* Stores the index of the page's image in each surface that needs it. Marks these indices in `used`, and returns
 * their number. */
static uint32_t mark_pages(bspi_build *build, bool *used)
{
	bspi_plan *plan = &build->plan;
	uint32_t count = 0;
	for (uint32_t i = 0; i < plan->surface_count; i++) {
		bspi_surface *surface = &plan->surfaces[i];
		const bspi_face *face = &build->map->faces[surface->face];
		int32_t number = build->light->faces[surface->face].pages[0];
		bool lit = bspi_may_have_page(face) && bspi_find_page(build->light, number);
		if (!lit || !needs_page(build->scene, surface->material)) continue;
		surface->page_image = slot_of(build->light, number);
		count += !used[surface->page_image];
		used[surface->page_image] = true;
	}
	return count;
}

/* Makes the image of a page in the form in which the engine uses it as a texture: with overbright applied. It does
 * not depend on the encoding of the scene's own pages. */
static bool make_image(bspi_build *build, uint32_t slot, bspscene_image *out)
{
	bspi_ctx *ctx = build->ctx;
	const bspi_light *light = build->light;
	const bspi_map_page *page =
		slot < light->page_count ? &light->pages[slot] : &light->pictures[slot - light->page_count];
	size_t count = (size_t)page->width * page->height;
	uint8_t *texels = bspi_push(ctx, &ctx->result, uint8_t, count * 4);
	uint8_t *row = bspi_push(ctx, &ctx->stage, uint8_t, (size_t)page->width * 3);
	bspi_light_encoder *encoder = bspi_push(ctx, &ctx->stage, bspi_light_encoder, 1);
	const char *name = bspi_text_format(ctx, &ctx->result, "lightmap page %u", (unsigned)slot);
	BSPI_TRY(texels && row && encoder && name);
	bspi_init_encoder(encoder, &build->map->rules, BSPI_LIGHT_RGB8, page->overbright,
	                  BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
	for (size_t i = 0; i < count; i++) {
		if (i % page->width == 0) encoder->row(encoder, page->rgb + 3 * i, page->width, row);
		memcpy(texels + 4 * i, row + 3 * (i % page->width), 3);
		texels[4 * i + 3] = 255;
	}
	out->name = name;
	out->path = out->archive = "";
	out->format = BSPSCENE_IMAGE_RGBA;
	out->width = page->width;
	out->height = page->height;
	out->data = texels;
	out->size = count * 4;
	out->is_generated = true;
	return true;
}

bool bspi_make_page_images(bspi_build *build)
{
	bspi_ctx *ctx = build->ctx;
	bspscene_scene *scene = build->scene;
	const bspi_light *light = build->light;
	uint32_t slots = light->page_count + light->picture_count, made = scene->image_count;
	bool wanted = ctx->options.lightmap_encoding != BSPSCENE_LIGHTMAP_ENCODING_NONE &&
	              ctx->options.textures == BSPSCENE_TEXTURES_LOAD;
	if (!slots || !wanted) return true;
	bool *used = bspi_push(ctx, &ctx->stage, bool, slots);
	uint32_t *image_of_slot = bspi_push(ctx, &ctx->stage, uint32_t, slots);
	BSPI_TRY(used && image_of_slot);
	uint32_t count = mark_pages(build, used);
	if (!count) return true;
	bspscene_image *images = bspi_push(ctx, &ctx->result, bspscene_image, (size_t)made + count);
	BSPI_TRY(images);
	for (uint32_t i = 0; i < made; i++) images[i] = *scene->images[i];
	for (uint32_t slot = 0; slot < slots; slot++) {
		if (!used[slot]) continue;
		image_of_slot[slot] = made;
		BSPI_TRY(make_image(build, slot, &images[made++]));
	}
	scene->images = bspi_table(ctx, bspscene_image, images, made);
	BSPI_TRY(scene->images);
	scene->image_count = made;
	for (uint32_t i = 0; i < build->plan.surface_count; i++) {
		bspi_surface *surface = &build->plan.surfaces[i];
		if (surface->page_image != BSPSCENE_NO_INDEX) surface->page_image = image_of_slot[surface->page_image];
	}
	return true;
}
