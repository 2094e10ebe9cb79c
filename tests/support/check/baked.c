#include "support/check/baked.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

size_t bspt_page_luxel_size(const bspscene_lightmap_page *page)
{
	return page->format == BSPSCENE_LIGHTMAP_PAGE_RGB8 ? 3 : page->format == BSPSCENE_LIGHTMAP_PAGE_RAW32 ? 4 : 6;
}

static void copy_pages(bspt_baked *b)
{
	const bspscene_scene *scene = b->scene;
	b->sets = test_calloc(scene->lightmap_set_count, sizeof *b->sets);
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		bspscene_lightmap_page *pages = test_calloc(scene->lightmap_page_count, sizeof *pages);
		for (uint32_t k = 0; k < scene->lightmap_page_count; k++) {
			pages[k] = scene->lightmap_sets[i].pages[k];
			if (!pages[k].data) continue;
			size_t size = (size_t)pages[k].width * pages[k].height * bspt_page_luxel_size(&pages[k]);
			pages[k].data = memcpy(test_malloc(size), pages[k].data, size);
		}
		b->sets[i] = scene->lightmap_sets[i];
		b->sets[i].pages = pages;
	}
}

static void copy_lists(bspt_baked *b)
{
	const bspscene_map_light *stored = b->scene->map_light;
	b->lists = test_calloc(stored->list_count + 1, sizeof *b->lists);
	for (uint32_t i = 0; i < stored->list_count; i++) {
		b->lists[i] = stored->lists[i];
		const bspscene_lightmap_page *page = &stored->lists[i].luxels;
		size_t size = (size_t)page->width * page->height * bspt_page_luxel_size(page);
		b->lists[i].luxels.data = memcpy(test_malloc(size), page->data, size);
	}
	b->light.lists = b->lists;
	b->light.list_count = stored->list_count;
}

bool bspt_bake_as(bspt_baked *b, bspt_bytes map, const bspscene_load_options *options)
{
	bspscene_error error;
	memset(b, 0, sizeof *b);
	bspscene_edited_light_init(&b->light);
	b->scene = bspscene_load_memory(map.data, map.size, options, &error);
	assert_non_null(b->scene);
	const bspscene_scene *scene = b->scene;
	if (!scene->map_light) {
		bspscene_scene_free(b->scene);
		return false;
	}
	copy_pages(b);
	copy_lists(b);
	b->places = test_calloc(scene->face_count + 1, sizeof *b->places);
	for (uint32_t i = 0; i < scene->face_count; i++) {
		const bspscene_face *f = &scene->faces[i];
		if (f->lightmap_page == BSPSCENE_NO_INDEX) continue;
		const bspscene_lightmap_rect place = { f->record,     f->lightmap_page,  f->lightmap_x,
			                                   f->lightmap_y, f->lightmap_width, f->lightmap_height };
		b->places[b->light.rect_count++] = place;
	}
	b->light.encoding = scene->lightmap_encoding;
	b->light.lightmap_sets = b->sets;
	b->light.lightmap_set_count = scene->lightmap_set_count;
	b->light.lightmap_page_count = scene->lightmap_page_count;
	b->light.rects = b->places;
	memcpy(b->light.light, scene->map_light->name, strlen(scene->map_light->name) + 1);
	memcpy(b->light.light_hash, scene->map_light->light_hash, sizeof b->light.light_hash);
	memcpy(b->light.layout_hash, scene->map_light->layout_hash, sizeof b->light.layout_hash);
	return true;
}

bool bspt_bake(bspt_baked *b, bspt_bytes map, bspscene_lightmap_encoding encoding)
{
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.lightmap_encoding = encoding;
	options.keep_map_light = true;
	return bspt_bake_as(b, map, &options);
}

void bspt_baked_free(bspt_baked *b)
{
	for (uint32_t i = 0; i < b->light.lightmap_set_count; i++) {
		for (uint32_t k = 0; k < b->light.lightmap_page_count; k++) {
			if (b->sets[i].pages[k].data) test_free((void *)(uintptr_t)b->sets[i].pages[k].data);
		}
		test_free((void *)(uintptr_t)b->sets[i].pages);
	}
	for (uint32_t i = 0; i < b->light.list_count; i++) test_free((void *)(uintptr_t)b->lists[i].luxels.data);
	test_free(b->lists);
	test_free(b->sets);
	test_free(b->places);
	bspscene_scene_free(b->scene);
}

uint8_t *bspt_baked_luxel(const bspt_baked *b, uint32_t set, uint32_t place, uint32_t x, uint32_t y)
{
	const bspscene_lightmap_rect *p = &b->places[place];
	const bspscene_lightmap_page *page = &b->sets[set].pages[p->lightmap_page];
	uint8_t *data = (uint8_t *)(uintptr_t)page->data;
	return data ? data + ((p->y + y) * (size_t)page->width + p->x + x) * bspt_page_luxel_size(page) : NULL;
}

bspt_relit *bspt_relight_as(const bspt_baked *b, bspt_bytes map, const bspscene_load_options *load,
                            const bspscene_relight_options *options)
{
	bspt_relit *r = test_calloc(1, sizeof *r);
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	stream.data = map.data;
	stream.size = map.size;
	bspscene_output output = bspt_capture(&r->captured);
	bspscene_relight_report_init(&r->report);
	r->ok = bspscene_relight(&stream, load, &b->light, options, &output, &r->report, &r->error);
	return r;
}

bspt_relit *bspt_relight(const bspt_baked *b, bspt_bytes map)
{
	return bspt_relight_as(b, map, NULL, NULL);
}

void bspt_relit_free(bspt_relit *r)
{
	bspt_captured_free(&r->captured);
	test_free(r);
}

bspt_bytes bspt_relit_map(const bspt_relit *r)
{
	assert_true(r->ok && r->captured.file_count >= 1);
	bspt_bytes out = { test_malloc(r->captured.files[0].bytes.size), r->captured.files[0].bytes.size };
	memcpy(out.data, r->captured.files[0].bytes.data, out.size);
	return out;
}
