/* made_light.c - see made_light.h. */
#include "support/make/made_light.h"

#include <stdlib.h>
#include <string.h>

#include "support/bspt.h"

static void *need(void *p)
{
	if (!p) bspt_die("make", "a map");
	return p;
}

void bspt_light_init(bspt_light *light)
{
	memset(light, 0, sizeof *light);
	bspi_ctx *ctx = &light->ctx;
	bspscene_load_options_init(&ctx->options);
	ctx->options.lightmap_page_size = 4096;
	ctx->options.lightmap_gutter = 1;
	ctx->file = ctx->name = "test";
	ctx->budget.limit = (uint64_t)1 << 32;
	bspi_begin_memory(ctx);
	light->map.rules = (bspi_rules){
		.light_storage = BSPI_STORAGE_PAGES, .light_encoding = BSPI_LIGHT_RGB8, .light_clamp = BSPI_CLAMP_HUE,
		.overbright = 4, .intensity = 1, .lightmap_page_size = 128, .luxel_size = 16,
	};
	light->map.lighting = light->map.lighting_hdr = light->map.light_directions = BSPI_NO_BYTES;
	bspi_set_parts(&light->scene, &light->parts);
	light->build = (bspi_build){ .ctx = ctx, .map = &light->map, .scene = &light->scene, .parts = &light->parts };
}

void bspt_light_free(bspt_light *light)
{
	bspi_end_memory(&light->ctx);
}

void bspt_light_faces(bspt_light *light, uint32_t count)
{
	light->map.faces = need(bspi_push(&light->ctx, &light->ctx.scratch, bspi_face, count));
	light->map.faces_count = count;
	for (uint32_t i = 0; i < count; i++) {
		bspi_face *face = &light->map.faces[i];
		face->kind = BSPI_FACE_TRIANGLES;
		face->light_offset = face->light_projection = -1;
		for (int slot = 0; slot < BSPI_MAX_STYLES; slot++) {
			face->lightmap[slot] = BSPI_PAGE_BY_VERTEX;
			face->styles[slot] = BSPI_NO_STYLE;
		}
		face->styles[0] = 0;
	}
}

void bspt_light_vertices(bspt_light *light, uint32_t count, bool styles)
{
	light->map.draw_vertices = need(bspi_push(&light->ctx, &light->ctx.scratch, bspi_draw_vertex, count));
	light->map.draw_vertices_count = count;
	if (!styles) return;
	light->map.draw_vertex_styles = need(bspi_push(&light->ctx, &light->ctx.scratch, bspi_draw_vertex_styles, count));
	light->map.draw_vertex_styles_count = count;
}

void bspt_light_noise(bspt_light *light, size_t size)
{
	uint8_t *bytes = need(bspi_push(&light->ctx, &light->ctx.scratch, uint8_t, size));
	uint32_t seed = 12345;
	for (size_t i = 0; i < size; i++) {
		seed = seed * 1664525u + 1013904223u;
		bytes[i] = (uint8_t)(seed >> 24);
	}
	light->map.lighting = bspi_bytes_of(bytes, size);
}

void bspt_light_pages(bspt_light *light, uint32_t faces, uint32_t pages, bool styles)
{
	bspt_light_init(light);
	bspt_light_faces(light, faces);
	bspt_light_vertices(light, 3 * faces, styles);
	bspt_light_noise(light, (size_t)pages * 128 * 128 * 3);
}

void bspt_light_on_page(bspt_light *light, uint32_t face, uint32_t slot, int32_t page, uint32_t x, uint32_t y,
                        uint32_t width, uint32_t height)
{
	bspi_map *map = &light->map;
	float side = (float)map->rules.lightmap_page_size;
	map->faces[face].lightmap[slot] = page;
	map->faces[face].first_vertex = (int32_t)(3 * face);
	map->faces[face].vertex_count = 3;
	for (uint32_t i = 0; i < 3; i++) {
		float *uv = slot ? map->draw_vertex_styles[3 * face + i].lightmap[slot - 1]
		                 : map->draw_vertices[3 * face + i].lightmap;
		uv[0] = ((float)(i == 1 ? x + width - 1 : x) + 0.5f) / side;
		uv[1] = ((float)(i == 2 ? y + height - 1 : y) + 0.5f) / side;
	}
}

bool bspt_light_plan(bspt_light *light)
{
	bspi_plan *plan = &light->build.plan;
	plan->surface_count = light->map.faces_count;
	plan->surfaces = need(bspi_push(&light->ctx, &light->ctx.scratch, bspi_surface, plan->surface_count));
	for (uint32_t i = 0; i < plan->surface_count; i++) {
		plan->surfaces[i].face = i;
		if (!bspi_measure_luxels(&light->build, &plan->surfaces[i])) return false;
	}
	return true;
}

void bspt_light_build(bspt_light *light)
{
	bspi_build *build = &light->build;
	if (!bspi_prepare_lighting(build) || !bspt_light_plan(light) || !bspi_build_lightmaps(build)) {
		bspt_die("light", light->ctx.error.message);
	}
}

const bspscene_lightmap_set *bspt_light_set(const bspt_light *light, bspscene_lightmap_set_kind kind, uint32_t style)
{
	for (uint32_t i = 0; i < light->scene.lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &light->scene.lightmap_sets[i];
		if (set->kind == kind && set->style == style) return set;
	}
	return NULL;
}

const uint8_t *bspt_light_luxel(const bspt_light *light, const bspscene_lightmap_set *set, uint32_t surface, int32_t x,
                                int32_t y)
{
	const bspi_surface *at = &light->build.plan.surfaces[surface];
	const bspscene_lightmap_page *page = &set->pages[at->page];
	size_t size = page->format == BSPSCENE_LIGHTMAP_PAGE_RGB16F  ? 6
	              : page->format == BSPSCENE_LIGHTMAP_PAGE_RAW32 ? 4
	                                                             : 3;
	int64_t column = (int64_t)at->page_x + x, row = (int64_t)at->page_y + y;
	if (column < 0 || row < 0 || column >= page->width || row >= page->height) {
		bspt_die("read", "a luxel outside of its page");
	}
	return (const uint8_t *)page->data + ((size_t)row * page->width + (size_t)column) * size;
}

uint32_t bspt_light_warnings(const bspt_light *light, bspscene_warning_code code)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < light->ctx.warning_count; i++) {
		if (light->ctx.warnings[i].code == code) count += light->ctx.warnings[i].count;
	}
	return count;
}
