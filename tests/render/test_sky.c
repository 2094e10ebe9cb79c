/* Promise: the sky's pictures equal the renderer's view in the same direction, everywhere on each side, for boxes,
 * layers and clouds. A panorama has the documented orientation. Below the clouds, where the game draws nothing, the
 * picture is filled. Wrong sizes and maps without a sky are errors. If an allocation fails, the call fails and frees
 * everything. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "wall.h"

enum { SIDE = 24, TEXELS = 8, SIDES = BSPSCENE_CUBE_SIDES };

typedef struct sky_room {
	bspt_wall wall;
	bspscene_sky sky;
	bspscene_image images[SIDES];
	uint8_t texels[SIDES][TEXELS * TEXELS * 4];
	float positions[(SIDES + 1) * 4 * 3], normals[(SIDES + 1) * 4 * 3], uvs[(SIDES + 1) * 4 * 2];
	uint32_t indices[(SIDES + 1) * 6], frames[2];
	bspscene_section fogged;
	const bspscene_section *sections[2];
	bspscene_fog fog;
	bspscene_fog_parms parms;
} sky_room;

/* Makes a picture for each side, with its own color, brighter to the right and greener downward. */
static void make_pictures(sky_room *r)
{
	for (size_t side = 0; side < SIDES; side++) {
		for (size_t i = 0; i < TEXELS * TEXELS; i++) {
			uint8_t *texel = r->texels[side] + 4 * i;
			texel[0] = (uint8_t)(i % TEXELS * 30);
			texel[1] = (uint8_t)(i / TEXELS * 30);
			texel[2] = (uint8_t)(side * 40 + 20);
			texel[3] = side == 1 && i % 3 ? 0 : 255;
		}
		r->images[side] = (bspscene_image)BSPT_WALL_IMAGE(TEXELS, TEXELS, r->texels[side]);
		r->images[side].size = sizeof r->texels[side];
	}
}

/* Makes a room around the eye whose walls are all sky. */
static void make_room(sky_room *r)
{
	static const float corners[4][2] = { { 0, 0 }, { 0, 1 }, { 1, 1 }, { 1, 0 } };
	static const uint32_t quad[6] = { 0, 1, 2, 0, 2, 3 };
	memset(r, 0, sizeof *r);
	make_pictures(r);
	bspt_make_wall(&r->wall, r->images, SIDES);
	for (uint32_t i = 0; i < SIDES * 4; i++) {
		float *position = r->positions + 3 * (size_t)i;
		bspscene_sky_direction(i / 4, corners[i % 4][0], corners[i % 4][1], position);
		for (int k = 0; k < 3; k++) position[k] *= 100;
		bspscene_sky_direction(i / 4, 0.5f, 0.5f, r->normals + 3 * (size_t)i);
		for (size_t k = 0; k < 3; k++) r->normals[3 * i + k] *= -1;
	}
	for (uint32_t i = 0; i < SIDES * 6; i++) r->indices[i] = i / 6 * 4 + quad[i % 6];
	bspscene_mesh *mesh = &r->wall.mesh;
	*mesh = (bspscene_mesh){ .name = "room", .vertex_count = SIDES * 4, .positions = r->positions,
	                         .normals = r->normals, .uvs = r->uvs, .index_count = SIDES * 6, .indices = r->indices,
	                         .sections = r->wall.section_table, .section_count = 1 };
	r->wall.section.vertex_count = SIDES * 4;
	r->wall.section.index_count = SIDES * 6;
	r->sky = (bspscene_sky){ .name = "", .layers = { BSPSCENE_NO_INDEX, BSPSCENE_NO_INDEX } };
	for (uint32_t i = 0; i < SIDES; i++) r->sky.box[i] = BSPSCENE_NO_INDEX;
	r->wall.material.kind = BSPSCENE_MATERIAL_SKY;
	r->wall.material.sky = &r->sky;
	r->wall.scene.sky_material = 0;
	r->wall.scene.bounds = (bspscene_bounds){ { -100, -100, -100 }, { 100, 100, 100 } };
	r->wall.scene.frame_images = r->frames;
	r->wall.scene.frame_image_count = 2;
	r->frames[1] = 1;
}

static void add_box(sky_room *r)
{
	for (uint32_t i = 0; i < SIDES; i++) r->sky.box[i] = i;
}

static void add_half_box(sky_room *r)
{
	add_box(r);
	for (uint32_t i = 0; i < SIDES; i++) {
		r->images[i].height = TEXELS / 2;
		r->images[i].size = sizeof r->texels[i] / 2;
	}
}

static void add_layers(sky_room *r)
{
	r->sky.layers[0] = 0;
	r->sky.layers[1] = 1;
}

static void add_clouds(sky_room *r)
{
	r->sky.cloud_height = 128;
	r->wall.stages[0] = (bspscene_material_pass){ .frame_image_count = 1, .src_blend = BSPSCENE_BLEND_ONE,
	                                      .tc_mods = { { .kind = BSPSCENE_TC_MOD_SCALE, .values = { 2, 3 } } },
	                                      .tc_mod_count = 1 };
	r->wall.material.pass_count = 1;
}

/* Adds two layers of clouds with different pictures. */
static void add_two_clouds(sky_room *r)
{
	add_clouds(r);
	r->wall.stages[1] = r->wall.stages[0];
	r->wall.stages[1].first_frame_image = 1;
	r->wall.stages[1].dst_blend = BSPSCENE_BLEND_ONE;
	r->wall.stages[1].tc_mods[0] = (bspscene_tc_mod){ .kind = BSPSCENE_TC_MOD_SCALE, .values = { 1, 5 } };
	r->wall.material.pass_count = 2;
}

/* Adds one more sky surface, in front of a wall. Its fog is so thick that only the fog's color is visible in any
 * direction. */
static void add_clouds_in_fog(sky_room *r)
{
	static const float corners[4][2] = { { 0, 0 }, { 0, 1 }, { 1, 1 }, { 1, 0 } };
	add_clouds(r);
	r->parms = (bspscene_fog_parms){ .color = { 1, 0, 0 }, .depth = 1 };
	r->fog = (bspscene_fog){ .material = 0, .brush = BSPSCENE_NO_INDEX };
	r->wall.material.fog = &r->parms;
	r->wall.fog_table[0] = &r->fog;
	r->wall.scene.fogs = r->wall.fog_table;
	r->wall.scene.fog_count = 1;
	for (size_t i = 0; i < 4; i++) {
		float *position = r->positions + 3 * (SIDES * 4 + i);
		bspscene_sky_direction(0, corners[i][0], corners[i][1], position);
		for (int k = 0; k < 3; k++) position[k] *= k ? 40 : 90;
		memcpy(r->normals + 3 * (SIDES * 4 + i), (float[3]){ -1, 0, 0 }, 3 * sizeof(float));
	}
	for (uint32_t i = 0; i < 6; i++) r->indices[SIDES * 6 + i] = SIDES * 4 + r->indices[i];
	r->wall.mesh.vertex_count += 4;
	r->wall.mesh.index_count += 6;
	r->fogged = r->wall.section;
	r->fogged.fog = 0;
	r->fogged.first_vertex = SIDES * 4;
	r->fogged.first_index = SIDES * 6;
	r->fogged.vertex_count = 4;
	r->fogged.index_count = 6;
	r->sections[0] = &r->wall.section;
	r->sections[1] = &r->fogged;
	r->wall.mesh.sections = r->sections;
	r->wall.mesh.section_count = 2;
}

static void add_low_clouds(sky_room *r)
{
	add_clouds(r);
	r->sky.cloud_height = 0.5f;
}

static void add_fog(sky_room *r)
{
	add_box(r);
	r->wall.map_fog = (bspscene_map_fog){ .density = 0.001f, .power = 1, .color = { 0.2f, 0.9f, 0.4f },
	                                      .opacity = 1, .end = 1e6f, .sky = 0.5f };
}

static const struct {
	const char *what;
	void (*add)(sky_room *room);
	uint32_t sides;                    /* number of sides to compare; the last one is below the clouds */
} kinds[] = {
	{ "box", add_box, 6 }, { "layers", add_layers, 6 }, { "clouds", add_clouds, 5 },
	{ "low clouds", add_low_clouds, 5 }, { "fog", add_fog, 6 }, { "two clouds", add_two_clouds, 5 },
	{ "clouds in fog", add_clouds_in_fog, 5 }, { "sides of half the height", add_half_box, 6 },
};

/* ---- Against the renderer --------------------------------------------------------------------------------- */

static void draw_view(const sky_room *r, uint32_t side, uint8_t *rgb)
{
	static const float angles[SIDES][2] = { { 0, 0 }, { 0, 90 }, { 0, 180 }, { 0, 270 }, { -90, 0 }, { 90, 0 } };
	bspscene_error error;
	bspscene_render_options options;
	bspscene_render_options_init(&options);
	options.width = options.height = SIDE;
	options.samples = options.threads = 1;
	options.time = 3;
	const bspscene_view view = { .pitch = angles[side][0], .yaw = angles[side][1], .fov_degrees = 90 };
	bspscene_renderer *renderer = bspscene_renderer_create(&r->wall.scene, &options, &error);
	assert_non_null(renderer);
	assert_true(bspscene_render(renderer, &view, &options, rgb, &error));
	bspscene_renderer_free(renderer);
}

static void shows_what_a_renderer_sees(void **state)
{
	static uint8_t cube[SIDES][SIDE * SIDE * 3], seen[SIDE * SIDE * 3];
	(void)state;
	for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
		sky_room r;
		bspscene_error error;
		bspscene_sky_options options;
		bspscene_sky_options_init(&options);
		options.time = 3;
		make_room(&r);
		kinds[kind].add(&r);
		assert_true(bspscene_sky_cube(&r.wall.scene, &options, SIDE, cube[0], &error));
		for (uint32_t side = 0; side < kinds[kind].sides; side++) {
			draw_view(&r, side, seen);
			for (size_t i = 0; i < sizeof seen; i++) {
				if (abs(cube[side][i] - seen[i]) <= 2) continue;
				fail_msg("%s, side %u, pixel %zu: %d instead of %d", kinds[kind].what, side, i / 3, cube[side][i],
				         seen[i]);
			}
		}
	}
}

/* A load leaves out surfaces of the sky by default. The sky is drawn the same without them. */
static void is_drawn_without_surfaces(void **state)
{
	static uint8_t with[SIDE * SIDE * 3], without[SIDE * SIDE * 3];
	(void)state;
	for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
		sky_room r;
		/* Only surfaces tell where fog covers the sky. */
		if (kinds[kind].add == add_clouds_in_fog) continue;
		make_room(&r);
		kinds[kind].add(&r);
		for (uint32_t side = 0; side < SIDES; side++) {
			draw_view(&r, side, with);
			r.wall.mesh.section_count = 0;
			draw_view(&r, side, without);
			r.wall.mesh.section_count = 1;
			if (memcmp(with, without, sizeof with)) fail_msg("%s, side %u differs", kinds[kind].what, side);
		}
	}
}

/* ---- Without the renderer --------------------------------------------------------------------------------- */

static void sides_are_where_they_say(void **state)
{
	static const struct { uint32_t side; float u, v, want[3]; } cases[] = {
		{ 0, 0.5f, 0.5f, { 1, 0, 0 } }, { 1, 0.5f, 0.5f, { 0, 1, 0 } }, { 2, 0.5f, 0.5f, { -1, 0, 0 } },
		{ 3, 0.5f, 0.5f, { 0, -1, 0 } }, { 4, 0.5f, 0.5f, { 0, 0, 1 } }, { 5, 0.5f, 0.5f, { 0, 0, -1 } },
		{ 0, 0, 0, { 1, 1, 1 } }, { 0, 1, 1, { 1, -1, -1 } }, { 1, 0, 0, { -1, 1, 1 } }, { 2, 0, 0, { -1, -1, 1 } },
		{ 3, 0, 0, { 1, -1, 1 } }, { 4, 0.5f, 0, { -1, 0, 1 } }, { 5, 0.5f, 0, { 1, 0, -1 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		float got[3];
		bspscene_sky_direction(cases[i].side, cases[i].u, cases[i].v, got);
		for (int k = 0; k < 3; k++) {
			if (got[k] != cases[i].want[k]) fail_msg("case %zu: number %d is %g", i, k, (double)got[k]);
		}
	}
}

/* The 3D skybox has two panes, red in front of blue. Each of them hides half of what is behind it. The result is the
 * same for either order of the panes in the mesh. */
static void near_panes_of_the_skybox_cover_far_ones(void **state)
{
	static const uint8_t white[4] = { 255, 255, 255, 255 };
	static const float corners[4][2] = { { 0.3f, 0.3f }, { 0.3f, 0.7f }, { 0.7f, 0.7f }, { 0.7f, 0.3f } };
	static const bspscene_image pane = BSPT_WALL_IMAGE(1, 1, white);
	static uint8_t cube[SIDES][SIDE * SIDE * 3], behind[SIDES][SIDE * SIDE * 3];
	(void)state;
	for (size_t first = 0; first < 2; first++) {
		sky_room r;
		bspscene_error error;
		bspscene_sky_options options;
		make_room(&r);
		add_box(&r);
		bspscene_material glass = r.wall.material;
		glass.kind = BSPSCENE_MATERIAL_NORMAL;
		glass.sky = NULL;
		glass.base_image = SIDES;
		glass.color[3] = 0.5f;
		glass.alpha_mode = BSPSCENE_ALPHA_MODE_BLEND;
		glass.cull = BSPSCENE_CULL_NONE;
		const bspscene_material *const materials[2] = { &r.wall.material, &glass };
		r.wall.scene.materials = materials;
		r.wall.scene.material_count = 2;
		r.wall.image_table[SIDES] = &pane;
		r.wall.scene.image_count = SIDES + 1;
		for (size_t i = 0; i < 8; i++) {
			bool is_near = i / 4 == first;
			float *at = r.positions + 3 * i;
			bspscene_sky_direction(0, corners[i % 4][0], corners[i % 4][1], at);
			for (int k = 0; k < 3; k++) at[k] *= is_near ? 50 : 80;
			memcpy(r.normals + 3 * i, (float[3]){ -1, 0, 0 }, 3 * sizeof(float));
		}
		uint8_t colors[8 * 4];
		for (size_t i = 0; i < 8; i++) memcpy(colors + 4 * i, i / 4 == first ? "\xff\0\0\xff" : "\0\0\xff\xff", 4);
		r.wall.mesh.colors = colors;
		r.wall.mesh.vertex_count = r.wall.section.vertex_count = 8;
		r.wall.mesh.index_count = r.wall.section.index_count = 12;
		r.wall.section.material = 1;
		r.wall.nodes[1].kind = BSPSCENE_NODE_SKY;
		r.wall.scene.sky_camera_scale = 1;
		bspscene_sky_options_init(&options);
		assert_true(bspscene_sky_cube(&r.wall.scene, &options, SIDE, cube[0], &error));
		options.omit_skybox = true;
		assert_true(bspscene_sky_cube(&r.wall.scene, &options, SIDE, behind[0], &error));
		/* This pixel is next to the line between the two triangles of a pane. */
		const size_t middle = 3 * (SIDE * 10 + 14);
		static const uint8_t front[3] = { 255, 0, 0 }, back[3] = { 0, 0, 255 };
		for (size_t k = 0; k < 3; k++) {
			double want = 0.5 * front[k] + 0.25 * back[k] + 0.25 * behind[0][middle + k];
			if (fabs(want - cube[0][middle + k]) <= 2) continue;
			fail_msg("pane %zu first, channel %zu: %u instead of %g", first, k, cube[0][middle + k], want);
		}
	}
}

static void panorama_looks_along_x(void **state)
{
	enum { WIDTH = 64 };
	static const struct { uint32_t x, y, side; } cases[] = {
		{ 32, 16, 0 }, { 16, 16, 1 }, { 0, 16, 2 }, { 63, 16, 2 }, { 48, 16, 3 }, { 5, 0, 4 }, { 40, 31, 5 },
	};
	sky_room r;
	uint8_t rgb[WIDTH * WIDTH / 2 * 3];
	bspscene_error error;
	(void)state;
	make_room(&r);
	add_box(&r);
	assert_int_equal(bspscene_sky_size(&r.wall.scene), TEXELS);
	assert_true(bspscene_sky_panorama(&r.wall.scene, NULL, WIDTH, rgb, &error));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int blue = rgb[(cases[i].y * WIDTH + cases[i].x) * 3 + 2];
		if (blue != (int)cases[i].side * 40 + 20) fail_msg("case %zu: blue is %d", i, blue);
	}
}

static void horizon_goes_on_below_clouds(void **state)
{
	static uint8_t cube[SIDES][SIDE * SIDE * 3];
	static void (*const clouds[])(sky_room *room) = { add_clouds, add_low_clouds };
	(void)state;
	for (size_t kind = 0; kind < sizeof clouds / sizeof *clouds; kind++) {
		sky_room r;
		bspscene_error error;
		make_room(&r);
		clouds[kind](&r);
		memset(r.texels[0], 200, sizeof r.texels[0]);
		assert_int_equal(bspscene_sky_size(&r.wall.scene), 512);
		assert_true(bspscene_sky_cube(&r.wall.scene, NULL, SIDE, cube[0], &error));
		for (size_t i = 0; i < sizeof cube[5]; i++) assert_in_range(cube[5][i], 198, 202);
	}
}

/* Below the clouds, all texels on a diagonal of the lower side use the color of one point on the clouds' rim. It is
 * blended in by the square of the texel's distance from the middle, so that the picture has no edges there. */
static void rims_of_clouds_fade_smoothly_downward(void **state)
{
	static uint8_t cube[SIDES][SIDE * SIDE * 3];
	(void)state;
	sky_room r;
	bspscene_error error;
	make_room(&r);
	add_clouds(&r);
	/* The clouds are so large that the filter, whose width grows downward, does not blur them. */
	for (int k = 0; k < 2; k++) r.wall.stages[0].tc_mods[0].values[k] = 0.3f;
	assert_true(bspscene_sky_cube(&r.wall.scene, NULL, SIDE, cube[0], &error));
	double widest = 0;
	for (uint32_t corner = 0; corner < 4; corner++) {
		for (size_t k = 0; k < 3; k++) {
			double color[SIDE / 2], share[SIDE / 2];
			for (size_t i = 0; i < SIDE / 2; i++) {
				size_t x = corner % 2 ? SIDE - 1 - i : i, y = corner / 2 ? SIDE - 1 - i : i;
				color[i] = cube[5][3 * (y * SIDE + x) + k];
				share[i] = pow(1 - (2 * (double)i + 1) / SIDE, 2);
			}
			const size_t last = SIDE / 2 - 1;
			double slope = (color[0] - color[last]) / (share[0] - share[last]);
			widest = fmax(widest, fabs(slope));
			for (size_t i = 0; i < SIDE / 2; i++) {
				double want = color[last] + slope * (share[i] - share[last]);
				if (fabs(color[i] - want) <= 2) continue;
				fail_msg("corner %u, texel %zu: %g instead of %g", corner, i, color[i], want);
			}
		}
	}
	assert_true(widest > 40);
}

static void wrong_sizes_are_errors(void **state)
{
	sky_room r;
	uint8_t rgb[16];
	bspscene_error error;
	(void)state;
	make_room(&r);
	add_box(&r);
	assert_false(bspscene_sky_cube(&r.wall.scene, NULL, 0, rgb, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	assert_false(bspscene_sky_cube(&r.wall.scene, NULL, BSPSCENE_SKY_MAX_SIZE + 1, rgb, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	assert_false(bspscene_sky_panorama(&r.wall.scene, NULL, 3, rgb, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	r.wall.material.sky = NULL;
	assert_int_equal(bspscene_sky_size(&r.wall.scene), 0);
	assert_false(bspscene_sky_panorama(&r.wall.scene, NULL, 2, rgb, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_NOT_FOUND);
}

/* ---- Memory ----------------------------------------------------------------------------------------------- */

typedef struct purse {
	int left, held;
} purse;

static void *take(void *user, size_t size)
{
	purse *p = user;
	if (!p->left) return NULL;
	p->left--;
	p->held++;
	return malloc(size);
}

static void give(void *user, void *data)
{
	((purse *)user)->held--;
	free(data);
}

static void every_allocation_may_fail(void **state)
{
	static uint8_t cube[SIDES][SIDE * SIDE * 3];
	(void)state;
	for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
		bool drawn = false;
		sky_room r;
		make_room(&r);
		kinds[kind].add(&r);
		for (int count = 0; !drawn; count++) {
			purse p = { .left = count };
			const bspscene_allocator allocator = { take, give, &p };
			bspscene_error error;
			bspscene_sky_options options;
			bspscene_sky_options_init(&options);
			options.allocator = &allocator;
			drawn = bspscene_sky_cube(&r.wall.scene, &options, SIDE, cube[0], &error);
			assert_int_equal(p.held, 0);
			if (!drawn) assert_int_equal(error.status, BSPSCENE_ERROR_OUT_OF_MEMORY);
			assert_in_range(count, 0, 1000);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shows_what_a_renderer_sees), cmocka_unit_test(is_drawn_without_surfaces),
		cmocka_unit_test(sides_are_where_they_say), cmocka_unit_test(near_panes_of_the_skybox_cover_far_ones),
		cmocka_unit_test(panorama_looks_along_x), cmocka_unit_test(horizon_goes_on_below_clouds),
		cmocka_unit_test(rims_of_clouds_fade_smoothly_downward),
		cmocka_unit_test(wrong_sizes_are_errors), cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
