/* Promise: the 3D skybox is visible through the sky, in each picture that requests it, and does not affect the framing
 * from above. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/render.h>

#include "families/vbsp/vbsp_tables.h"
#include "support/make/build_map.h"

enum { WIDTH = 160, HEIGHT = 120 };

/* Fills the luxels of a face with one color. */
static void paint(uint8_t *light, const bspi_face *face, int channel)
{
	uint8_t *at = light + face->light_offset;
	for (int32_t i = 0; i < (face->lightmap_width + 1) * (face->lightmap_height + 1); i++) {
		for (int k = 0; k < 4; k++) at[4 * i + k] = k == channel ? 200 : 0;
	}
}

/* Loads a room with a red floor and, next to it, a sky surface that also faces up. The green ground of the 3D skybox,
 * enlarged, lies 32 units above both. Without a sky camera, the skybox is an ordinary room 500 units away. */
static bspscene_scene *load_skybox(bool has_camera, uint32_t include_mask)
{
	enum { FLOOR, SKY = 2, WATER, SKYBOX = 6, FACES = 8, UP = 0 };
	static const char world[] = "{\n\"classname\" \"worldspawn\"\n}\n";
	static const char entities[] = "{\n\"classname\" \"worldspawn\"\n}\n"
	                               "{\n\"classname\" \"sky_camera\"\n\"origin\" \"1016 16 -2\"\n\"scale\" \"16\"\n}\n";
	static const float sky[4][3] = { { -128, 0, 0 }, { -128, 128, 0 }, { 0, 128, 0 }, { 0, 0, 0 } };
	static uint8_t light[16384];
	const bspi_variant *variant = &bspi_family_vbsp.variants[4];
	bspt_parts parts;
	bspscene_load_options options;
	assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
	bspi_face faces[FACES];
	bspi_vertex vertices[4 * FACES];
	memcpy(faces, parts.map.faces, sizeof faces);
	memcpy(vertices, parts.map.vertices, sizeof vertices);
	memcpy(vertices + 4 * SKY, sky, sizeof sky);
	faces[SKY].plane = UP;
	faces[WATER].edge_count = 0;       /* removes the liquid */
	paint(light, &faces[FLOOR], 0);
	paint(light, &faces[SKYBOX], 1);
	parts.map.faces = faces;
	parts.map.vertices = vertices;
	parts.map.overlays_count = parts.map.overlay_fades_count = parts.map.water_overlays_count = 0;
	parts.raw[VBSP_LIGHTING] = bspi_bytes_of(light, parts.raw[VBSP_LIGHTING].size);
	const char *text = has_camera ? entities : world;
	parts.raw[VBSP_ENTITIES] = bspi_bytes_of(text, strlen(text) + 1);
	bspscene_load_options_init(&options);
	options.include_mask = include_mask;
	return bspt_load_parts(variant, &parts, &options);
}

/* A scene with the options for pictures straight down. */
typedef struct skybox {
	bspscene_scene *scene;
	bspscene_render_options options;
} skybox;

/* Loads the scene, and sets up pictures of its lightmaps in front of blue. */
static skybox begin(bool has_camera, uint32_t include_mask)
{
	skybox f = { .scene = load_skybox(has_camera, include_mask) };
	bspscene_render_options_init(&f.options);
	f.options.width = WIDTH;
	f.options.height = HEIGHT;
	f.options.mode = BSPSCENE_RENDER_LIGHTMAP;
	f.options.background[2] = 1;
	return f;
}

static void draw(const skybox *f, const bspscene_view *view, uint8_t *rgb)
{
	bspscene_error error;
	bspscene_renderer *renderer = bspscene_renderer_create(f->scene, &f->options, &error);
	assert_non_null(renderer);
	assert_true(bspscene_render(renderer, view, &f->options, rgb, &error));
	bspscene_renderer_free(renderer);
}

static void look_down(const skybox *f, float x, float y, uint8_t rgb[3])
{
	bspscene_view view = { { x, y, 96 }, 90, 0, 0, 10 };
	static uint8_t picture[WIDTH * HEIGHT * 3];
	draw(f, &view, picture);
	memcpy(rgb, picture + 3 * (WIDTH * HEIGHT / 2 + WIDTH / 2), 3);
}

static void the_3d_skybox_is_behind_the_world(void **state)
{
	(void)state;
	skybox f = begin(true, BSPSCENE_SURFACE_SKY);
	uint8_t rgb[3];
	look_down(&f, 64, 64, rgb);
	assert_true(rgb[0] > 2 * rgb[1]);
	/* The skybox is visible through the sky. Next to the sky there is nothing. */
	look_down(&f, -64, 64, rgb);
	assert_true(rgb[1] > 2 * rgb[0] && rgb[1] > rgb[2]);
	look_down(&f, -64, -64, rgb);
	assert_true(rgb[0] == 0 && rgb[1] == 0 && rgb[2] == 255);
	/* If skies are transparent, the skybox is not drawn. */
	f.options.transparent_sky = true;
	look_down(&f, -64, 64, rgb);
	assert_true(rgb[0] == 0 && rgb[1] == 0 && rgb[2] == 255);
	bspscene_scene_free(f.scene);
}

/* A scene that was loaded without its sky's surfaces shows the skybox wherever a ray leaves the map. */
static void the_3d_skybox_needs_no_surfaces(void **state)
{
	(void)state;
	skybox f = begin(true, 0);
	uint8_t rgb[3];
	look_down(&f, 64, 64, rgb);
	assert_true(rgb[0] > 2 * rgb[1]);
	look_down(&f, -64, 64, rgb);
	assert_true(rgb[1] > 2 * rgb[0] && rgb[1] > rgb[2]);
	f.options.transparent_sky = true;
	look_down(&f, -64, 64, rgb);
	assert_true(rgb[0] == 0 && rgb[1] == 0 && rgb[2] == 255);
	bspscene_scene_free(f.scene);
}

/* One renderer draws pictures with and without the sky, whichever comes first. */
static void skies_are_asked_for_by_each_picture(void **state)
{
	const bspscene_view down = { { -64, 64, 64 }, 90, 0, 0, 60 };
	static uint8_t rgb[WIDTH * HEIGHT * 3], first[2][WIDTH * HEIGHT * 3];
	skybox f = begin(true, BSPSCENE_SURFACE_SKY);
	bspscene_error error;
	(void)state;
	for (int made = 0; made < 2; made++) {
		f.options.transparent_sky = made != 0;
		bspscene_renderer *renderer = bspscene_renderer_create(f.scene, &f.options, &error);
		assert_non_null(renderer);
		for (int k = 0; k < 2; k++) {
			f.options.transparent_sky = k != 0;
			assert_true(bspscene_render(renderer, &down, &f.options, rgb, &error));
			if (!made) memcpy(first[k], rgb, sizeof rgb);
			assert_memory_equal(rgb, first[k], sizeof rgb);
		}
		bspscene_renderer_free(renderer);
	}
	assert_memory_not_equal(first[0], first[1], sizeof rgb);
	bspscene_scene_free(f.scene);
}

/* Returns the share of a picture from above that the map covers. */
static float share_shown_from_above(bool has_camera)
{
	static uint8_t picture[WIDTH * HEIGHT * 3];
	skybox f = begin(has_camera, BSPSCENE_SURFACE_SKY);
	float shown = 0;
	f.options.mode = BSPSCENE_RENDER_TEXTURE;
	f.options.background[0] = 1;
	bspscene_view view = bspscene_view_overview(f.scene, WIDTH, HEIGHT);
	draw(&f, &view, picture);
	for (int i = 0; i < WIDTH * HEIGHT; i++) {
		const uint8_t *rgb = picture + 3 * i;
		shown += rgb[0] != 255 || rgb[1] || rgb[2] != 255;
	}
	bspscene_scene_free(f.scene);
	return shown / (WIDTH * HEIGHT);
}

/* In views from above, only the map itself fills the picture. The 3D skybox does not make the view wider, neither
 * enlarged nor, without a sky camera, as a small room far away. */
static void the_overview_leaves_the_3d_skybox_out(void **state)
{
	(void)state;
	assert_true(share_shown_from_above(true) > 0.3f);
	assert_true(share_shown_from_above(false) > 0.3f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_3d_skybox_is_behind_the_world),
		cmocka_unit_test(the_3d_skybox_needs_no_surfaces),
		cmocka_unit_test(skies_are_asked_for_by_each_picture),
		cmocka_unit_test(the_overview_leaves_the_3d_skybox_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
