/* Promise: fog volumes have the engine's density, which is computed only at the corners of triangles. A side of the sky
 * box is divided into squares. Fog covers each square in which a sky surface inside the fog is seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "moment.h"
#include "wall.h"

static const uint8_t white[4] = { 255, 255, 255, 255 };
static const bspscene_image images[] = { BSPT_WALL_IMAGE(1, 1, white) };
static const uint32_t frames[1] = { 0 };

/* A red fog that fills 128 units below z = 0, or everything. */
typedef struct fog_scene {
	bspt_wall wall;
	bspscene_fog fog;
	bspscene_fog_parms parms;
	bspscene_sky sky;
} fog_scene;

static void make_foggy_wall(fog_scene *f, bool has_surface, bool is_linear)
{
	bspt_make_wall(&f->wall, images, 1);
	f->parms = (bspscene_fog_parms){ .color = { 1, 0, 0 }, .depth = 128, .is_linear = is_linear };
	f->fog = (bspscene_fog){ .material = 0, .brush = BSPSCENE_NO_INDEX, .plane = { 0, 0, has_surface, 0 } };
	f->wall.material.unlit = true;
	f->wall.material.fog = &f->parms;
	f->wall.section.fog = 0;
	f->wall.fog_table[0] = &f->fog;
	f->wall.scene.fogs = f->wall.fog_table;
	f->wall.scene.fog_count = 1;
}

/* The eye is 2 units above the fog's surface. The wall's corners are 32 units above and below the origin, and fog
 * increases linearly between them. If fog were computed for each pixel, it would be a fifth more. */
static void fog_between_corners(void **state)
{
	static const struct {
		const char *what; bool has_surface, is_linear; bspscene_render_mode mode; uint8_t want[3];
	} cases[] = {
		{ "below the surface", true, false, BSPSCENE_RENDER_FULL, { 255, 116, 116 } },
		{ "everywhere", false, false, BSPSCENE_RENDER_FULL, { 255, 74, 74 } },
		{ "light alone", true, false, BSPSCENE_RENDER_LIGHTMAP, { 255, 116, 116 } },
		{ "textures alone", true, false, BSPSCENE_RENDER_TEXTURE, { 255, 255, 255 } },
		{ "Enemy Territory, below the surface", true, true, BSPSCENE_RENDER_FULL, { 255, 253, 253 } },
		{ "Enemy Territory, everywhere", false, true, BSPSCENE_RENDER_FULL, { 255, 136, 136 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_render_options options;
		fog_scene f;
		uint8_t got[3];
		bspscene_render_options_init(&options);
		options.mode = cases[i].mode;
		make_foggy_wall(&f, cases[i].has_surface, cases[i].is_linear);
		bspt_draw_wall(&f.wall, &options, 8.88f, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

/* Draws a picture of 9 x 9 pixels, filled by a white wall in red fog. Sets `*middle` and `*corner` to the green
 * channel of the pixels there. */
static void draw_wide_fog(bool along_view, float start, float end, uint8_t *middle, uint8_t *corner)
{
	enum { SIDE = 9 };
	bspt_wall w;
	uint8_t rgb[SIDE * SIDE * 3];
	bspscene_render_options options;
	bspscene_error error;
	bspt_make_wall(&w, images, 1);
	w.material.unlit = true;
	w.map_fog = (bspscene_map_fog){ .density = 0.6931472f / 64, .power = 1, .color = { 1, 0, 0 }, .opacity = 1,
		                            .start = start, .end = end, .along_view = along_view };
	for (int k = 0; k < 4; k++) {
		w.positions[3 * k + 1] *= 8;
		w.positions[3 * k + 2] *= 8;
	}
	bspscene_render_options_init(&options);
	options.width = options.height = SIDE;
	options.threads = 1;
	options.samples = 1;
	bspscene_renderer *renderer = bspscene_renderer_create(&w.scene, &options, &error);
	if (!renderer) fail_msg("%s", error.message);
	const bspscene_view view = { { 0, 5, 2 }, 0, 0, 0, 90 };
	assert_true(bspscene_render(renderer, &view, &options, rgb, &error));
	bspscene_renderer_free(renderer);
	*middle = rgb[3 * (SIDE * (SIDE / 2) + SIDE / 2) + 1];
	*corner = rgb[1];
}

/* The wall is perpendicular to the view. Depth along the view is the same everywhere on it. Distance to the eye is
 * larger at the picture's corners: 64 * sqrt(1 + 2 * (8 / 9)^2). */
static void map_fog_along_the_view(void **state)
{
	uint8_t middle, corner;
	(void)state;
	draw_wide_fog(true, 0, 1000, &middle, &corner);
	assert_in_range(middle, 126, 130);
	assert_in_range(corner, 126, 130);
	draw_wide_fog(false, 0, 1000, &middle, &corner);
	assert_in_range(middle, 126, 130);
	assert_in_range(corner, 80, 88);
}

/* The wall is 64 units away. Fog halves its color in 64 units, counted from the start to the wall or to the end. */
static void map_fog_from_its_start_to_its_end(void **state)
{
	static const struct { float start, end; uint8_t want; } cases[] = {
		{ 16, 1000, 152 }, { 16, 48, 180 }, { 0, 32, 180 }, { 100, 200, 255 }, { 64, 1000, 255 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t middle, corner;
		draw_wide_fog(true, cases[i].start, cases[i].end, &middle, &corner);
		if (abs(middle - cases[i].want) > 2) fail_msg("case %zu: %u", i, middle);
		assert_in_range(corner, middle - 1, middle + 1);
	}
}

/* Clouds are fogged; a sky without clouds is not. */
static void skies_in_fog(void **state)
{
	static const struct { const char *what; uint32_t fog, stages; uint8_t want[3]; } cases[] = {
		{ "clouds in fog", 0, 1, { 255, 0, 0 } }, { "clouds", BSPSCENE_NO_INDEX, 1, { 255, 255, 255 } },
		{ "box in fog", 0, 0, { 255, 255, 255 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fog_scene f;
		uint8_t got[3];
		make_foggy_wall(&f, false, false);
		f.sky = (bspscene_sky){ .name = "", .cloud_height = 512, .layers = { BSPSCENE_NO_INDEX, BSPSCENE_NO_INDEX } };
		f.wall.material.kind = BSPSCENE_MATERIAL_SKY;
		f.wall.material.sky = &f.sky;
		f.wall.material.pass_count = cases[i].stages;
		f.wall.section.fog = cases[i].fog;
		f.wall.scene.bounds = (bspscene_bounds){ { -1000, -1000, -1000 }, { 1000, 1000, 1000 } };
		f.wall.scene.frame_images = frames;
		f.wall.scene.frame_image_count = 1;
		f.wall.stages[0] = (bspscene_material_pass){ .frame_image_count = 1, .src_blend = BSPSCENE_BLEND_ONE };
		bspt_draw_wall(&f.wall, NULL, 0, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

/* The sky surface is projected to the side of the box that is 64 units away. There it covers y = -37 to 27 and z = -34
 * to 30. The side is divided into 4 x 4 squares, and fog covers whole squares. */
static void squares_of_the_sky(void **state)
{
	static const struct { float direction[3]; bool covered; } cases[] = {
		{ { 1, 0, 0 }, true }, { { 1, 0.74f, 0 }, true }, { { 1, 0.76f, 0 }, false }, { { 1, -0.49f, 0 }, false },
		{ { 1, 0, 0.49f }, true }, { { 1, 0, 0.51f }, false }, { { 1, 0, -0.74f }, true }, { { 1, 0, -0.76f }, false },
		{ { -1, 0, 0 }, false }, { { 0, 1, 0 }, false }, { { 0, 0, 1 }, false }, { { 0, 0, -1 }, false },
	};
	static const float eye[3] = { 0, -5, 2 };
	fog_scene f;
	bspi_sky_cover cover;
	uint32_t sections[2] = { 0, 0 };
	(void)state;
	make_foggy_wall(&f, false, false);
	f.wall.material.kind = BSPSCENE_MATERIAL_SKY;
	for (int k = 0; k < 4; k++) f.wall.positions[3 * k + 1] = k == 1 || k == 2 ? -31 + 10 : 37 + 4;
	bspr_instance instance = { .mesh = &f.wall.mesh, .positions = f.wall.positions, .sections = sections };
	bspr_cover_sky(&f.wall.scene, &instance, 1, eye, &cover);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (bspi_is_covered(&cover, cases[i].direction) != cases[i].covered) fail_msg("direction %zu", i);
	}
}

/* A sky surface passes close to the eye, so it covers parts of several sides of the box. Each side has its own axes. */
static void sides_of_the_sky(void **state)
{
	static const float eye[3] = { 60, 0, 0 };
	static const float onto_it[3] = { 1, 7.9f, 0 }, beside_it[3] = { -1, 7.9f, 0 };
	fog_scene f;
	bspi_sky_cover cover;
	uint32_t sections[2] = { 0, 0 };
	(void)state;
	for (int side = 0; side < BSPI_SKY_SIDES; side++) {
		float direction[3], uv[2];
		bspi_side_direction(side, 0.5f, -0.25f, direction);
		assert_int_equal(bspi_box_side(direction, uv), side);
		assert_true(uv[0] == 0.75f && uv[1] == 0.625f);
	}
	make_foggy_wall(&f, false, false);
	f.wall.material.kind = BSPSCENE_MATERIAL_SKY;
	bspr_instance instance = { .mesh = &f.wall.mesh, .positions = f.wall.positions, .sections = sections };
	bspr_cover_sky(&f.wall.scene, &instance, 1, eye, &cover);
	assert_true(bspi_is_covered(&cover, onto_it));
	assert_false(bspi_is_covered(&cover, beside_it));
}

/* Corners exactly on the edges of a side belong to it. */
static void covers_reach_the_edges(void **state)
{
	(void)state;
	static const float corners[4][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
	for (int side = 0; side < BSPI_SKY_SIDES; side++) {
		for (int left_out = 0; left_out < 4; left_out++) {
			float points[3][3];
			bspi_sky_cover cover;
			for (int k = 0; k < 3; k++) {
				const float *corner = corners[(left_out + 1 + k) % 4];
				bspi_side_direction(side, corner[0], corner[1], points[k]);
				for (int i = 0; i < 3; i++) points[k][i] *= (float)(k + 1);
			}
			bspi_cover_nothing(&cover);
			bspi_cover_triangle(points, &cover);
			for (int k = 0; k < 2; k++) {
				if (cover.least[side][k] == -1 && cover.most[side][k] == 1) continue;
				fail_msg("side %d without corner %d: %g to %g", side, left_out, (double)cover.least[side][k],
				         (double)cover.most[side][k]);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fog_between_corners), cmocka_unit_test(map_fog_along_the_view),
		cmocka_unit_test(map_fog_from_its_start_to_its_end), cmocka_unit_test(skies_in_fog),
		cmocka_unit_test(squares_of_the_sky), cmocka_unit_test(sides_of_the_sky),
		cmocka_unit_test(covers_reach_the_edges),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
