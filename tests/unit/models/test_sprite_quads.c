/* Promise: the picture of a sprite is upright, and its position is that which the frame states. For a viewer who looks
 * along +X, the picture is not mirrored. If the first frame is a group of pictures, its first picture is shown. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/bspt.h"
#include "support/store.h"

enum { ORIENTED = 3, LEFT = -10, TOP = 20, WIDTH = 4, HEIGHT = 8, HEADER = 36, FRAME_HEADER = 20 };
/* A group has its number of pictures, and an interval for each of them. Then come the pictures, without their kinds. */
enum { PICTURES = 2, PICTURE = FRAME_HEADER - 4 + WIDTH * HEIGHT, GROUP = 4 + 4 + 4 * PICTURES };

/* Writes a picture at `at`, displaced by `away`. */
static void put_picture(uint8_t *at, uint32_t away)
{
	bspt_store_u32(at, (uint32_t)LEFT + away);
	bspt_store_u32(at + 4, TOP + away);
	bspt_store_u32(at + 8, WIDTH);
	bspt_store_u32(at + 12, HEIGHT);
}

static bspscene_scene *load_sprite(bool grouped)
{
	uint8_t file[HEADER + GROUP + PICTURES * PICTURE] = "IDSP";
	bspscene_load_options options;
	bspscene_error error;
	bspt_store_u32(file + 4, 1);
	bspt_store_u32(file + 8, ORIENTED);
	bspt_store_u32(file + 24, 1);
	bspt_store_u32(file + HEADER, grouped);
	if (grouped) bspt_store_u32(file + HEADER + 4, PICTURES);
	for (uint32_t i = 0; i < (grouped ? PICTURES : 1); i++) {
		put_picture(file + HEADER + (grouped ? GROUP : 4) + i * PICTURE, 100 * i);
	}
	bspscene_load_options_init(&options);
	options.name = "sprites/glow.spr";
	bspscene_scene *scene = bspscene_load_memory(file, grouped ? sizeof file : HEADER + 4 + PICTURE, &options, &error);
	if (!scene) fail_msg("%s", error.message);
	return scene;
}

static void expect_corners(bool grouped)
{
	bspscene_scene *scene = load_sprite(grouped);
	const bspscene_mesh *mesh = NULL;
	uint32_t corners = 0;
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		if (scene->meshes[i]->vertex_count >= 4) mesh = scene->meshes[i];
	}
	assert_non_null(mesh);
	for (uint32_t v = 0; v < mesh->vertex_count; v++) {
		const float *at = mesh->positions + 3 * (size_t)v, *uv = mesh->uvs + 2 * (size_t)v;
		/* For a viewer who looks along +X, +Y is on the left. */
		float y = uv[0] < 0.5f ? -LEFT : -LEFT - WIDTH, z = uv[1] < 0.5f ? TOP : TOP - HEIGHT;
		assert_float_equal(at[1], y, 1e-4);
		assert_float_equal(at[2], z, 1e-4);
		corners |= 1u << (2 * (uv[0] > 0.5f) + (uv[1] > 0.5f));
	}
	assert_int_equal(corners, 15);
	bspscene_scene_free(scene);
}

static void the_upper_left_corner_is_on_the_left(void **state)
{
	(void)state;
	expect_corners(false);
	expect_corners(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(the_upper_left_corner_is_on_the_left) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
