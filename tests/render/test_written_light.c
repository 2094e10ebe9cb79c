/* test_written_light.c - the light in glTF is that of `render`: a scene with the pages of its own GLB looks the same.
 * Uses fixtures of three engines, all with light in styles other than 0. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/render.h>

#include "support/captured.h"

enum { WIDTH = 96, HEIGHT = 72, SIZE = WIDTH * HEIGHT * 3, MOST_PAGES = 8 };

static void draw(const bspscene_scene *scene, uint8_t *rgb)
{
	bspscene_error error;
	bspscene_render_options options;
	bspscene_render_options_init(&options);
	options.width = WIDTH;
	options.height = HEIGHT;
	options.transparent_sky = true;
	bspscene_view view = bspscene_view_overview(scene, WIDTH, HEIGHT);
	bspscene_renderer *renderer = bspscene_renderer_create(scene, &options, &error);
	assert_non_null(renderer);
	assert_true(bspscene_render(renderer, &view, &options, rgb, &error));
	bspscene_renderer_free(renderer);
}

/* Returns the luxels of page `number` in the GLB, or NULL if no material uses it. */
static uint8_t *written_page(const bspt_gltf *gltf, uint32_t number, const bspscene_lightmap_page *page)
{
	for (uint32_t m = 0; bspt_gltf_at(gltf, "materials/%u", m); m++) {
		json_t *lightmap = bspt_gltf_at(gltf, "materials/%u/extras/lightmapPage", m);
		if (!lightmap || json_integer_value(lightmap) != number) continue;
		uint32_t texture = (uint32_t)bspt_gltf_number(gltf, "materials/%u/extensions/MOZ_lightmap/index", m);
		bspt_bytes png = bspt_gltf_image(gltf, (uint32_t)bspt_gltf_number(gltf, "textures/%u/source", texture));
		bspscene_image image = { .format = BSPSCENE_IMAGE_PNG, .data = png.data, .size = png.size };
		bspscene_pixels pixels;
		assert_true(bspscene_image_decode(&image, &pixels, NULL));
		assert_true(pixels.width == page->width && pixels.height == page->height);
		size_t count = (size_t)pixels.width * pixels.height;
		uint8_t *luxels = test_malloc(3 * count);
		for (size_t i = 0; i < count; i++) memcpy(luxels + 3 * i, pixels.data + 4 * i, 3);
		bspscene_pixels_free(&pixels);
		return luxels;
	}
	return NULL;
}

/* Draws the scene with these pages as its only light. */
static void draw_with(const bspscene_scene *scene, const bspscene_lightmap_page *pages, uint8_t *rgb)
{
	bspscene_scene other = *scene;
	bspscene_lightmap_set set = scene->lightmap_sets[0];
	set.pages = pages;
	other.lightmap_sets = &set;
	other.lightmap_set_count = 1;
	draw(&other, rgb);
}

/* Returns the share of bytes that differ by more than 2. */
static double difference(const uint8_t *a, const uint8_t *b)
{
	size_t count = 0;
	for (size_t i = 0; i < SIZE; i++) count += abs(a[i] - b[i]) > 2;
	return (double)count / SIZE;
}

static void compare(const bspscene_scene *scene, const char *name)
{
	static bspt_captured captured;
	static uint8_t game[SIZE], written[SIZE], first_style[SIZE];
	bspscene_error error;
	bspscene_write_options options;
	bspscene_lightmap_page pages[MOST_PAGES];
	bspt_report report = { 0 };
	bspscene_write_options_init(&options);
	options.lighting = BSPSCENE_WRITE_LIGHTING_LIGHTMAP;
	bspscene_output output = bspt_capture(&captured);
	if (!bspscene_write(scene, "glb", &options, &output, &error)) fail_msg("%s", error.message);
	bspt_gltf gltf = bspt_gltf_open(&captured, &report);
	assert_true(scene->lightmap_page_count && scene->lightmap_page_count <= MOST_PAGES);
	for (uint32_t i = 0; i < scene->lightmap_page_count; i++) {
		pages[i] = scene->lightmap_sets[0].pages[i];
		pages[i].data = written_page(&gltf, i, &pages[i]);
	}
	draw(scene, game);
	draw_with(scene, pages, written);
	draw_with(scene, scene->lightmap_sets[0].pages, first_style);
	/* In the written page, the sum of styles is clamped at white. */
	double differs = difference(game, written), without = difference(game, first_style);
	if (differs > 0.005 || without < 2 * differs + 0.002) {
		fail_msg("%s: %.4f of the picture differ, without other styles %.4f", name, differs, without);
	}
	for (uint32_t i = 0; i < scene->lightmap_page_count; i++) {
		if (pages[i].data) test_free((void *)pages[i].data);
	}
	bspt_gltf_close(&gltf);
	bspt_captured_free(&captured);
}

static void gltf_has_the_light_of_all_styles(void **state)
{
	static const struct { const char *map, *game; } cases[] = {
		{ "atrium/goldsrc/maps/atrium_wad.bsp", "atrium/goldsrc" },
		{ "atrium/quake/maps/atrium.bsp", "atrium/quake" },
		{ "source/maps/room.bsp", "source" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_error error;
		bspscene_load_options options;
		bspscene_load_options_init(&options);
		bspscene_file_system *files = bspt_mount_fixtures(cases[i].game, NULL);
		bspt_use_files(&options, files);
		bspscene_scene *scene = bspscene_load_file(bspt_fixture_path(cases[i].map), &options, &error);
		if (!scene) fail_msg("%s", error.message);
		compare(scene, cases[i].map);
		bspscene_scene_free(scene);
		bspscene_file_system_free(files);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(gltf_has_the_light_of_all_styles) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
