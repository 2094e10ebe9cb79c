/* Promise: the reflection of a wall without passes is added, multiplied by a mask. The mask has the coordinates of the
 * base image or its own (scaled, rotated, moved). If the mask is missing, the whole reflection is added. The scene is
 * one black wall in a white room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "wall.h"

/* A picture with a color in each quarter: red and green above, blue and white below. */
static const uint8_t quarters[4 * 4] = { 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255 };
static const uint8_t black[4] = { 0, 0, 0, 102 }, around[4] = { 255, 255, 255, 255 }, gray[4] = { 128, 128, 128, 255 };
/* A normal map of flat normals whose mask (alpha) is set in the upper left quarter. */
static const uint8_t normals[4 * 4] = {
	128, 128, 255, 102, 128, 128, 255, 255, 128, 128, 255, 255, 128, 128, 255, 255,
};
enum { BLACK, AROUND, GRAY, QUARTERS, NORMAL, IMAGE_COUNT };
#define NONE BSPSCENE_NO_INDEX

static const bspscene_image images[] = {
	BSPT_WALL_IMAGE(1, 1, black), BSPT_WALL_IMAGE(1, 1, around), BSPT_WALL_IMAGE(1, 1, gray),
	BSPT_WALL_IMAGE(2, 2, quarters), BSPT_WALL_IMAGE(2, 2, normals),
};

static void make_mirror(bspt_wall *w, uint32_t cube, float u, float v)
{
	static uint32_t frames[BSPSCENE_CUBE_SIDES];
	bspt_make_wall(w, images, IMAGE_COUNT);
	for (int i = 0; i < BSPSCENE_CUBE_SIDES; i++) frames[i] = cube;
	w->scene.frame_images = frames;
	w->scene.frame_image_count = BSPSCENE_CUBE_SIDES;
	for (int k = 0; k < 4; k++) {
		w->uvs[2 * k] = u;
		w->uvs[2 * k + 1] = v;
	}
	w->material.unlit = true;
	w->material.base_image = BLACK;
}

static void masks_lie_where_they_are_said_to(void **state)
{
	(void)state;
	static const struct {
		const char *what; float u, v; bool with_base; float base_scale[2], scale[2], offset[2]; uint8_t want[3];
		bool turned;                   /* rotated by 90 degrees, so that u goes down the mask */
	} cases[] = {
		{ "as the base image", 0.25f, 0.25f, true, { 1, 1 }, { 1, 1 }, { 0, 0 }, { 255, 0, 0 }, false },
		{ "on its right", 0.75f, 0.25f, true, { 1, 1 }, { 1, 1 }, { 0, 0 }, { 0, 255, 0 }, false },
		{ "below", 0.25f, 0.75f, true, { 1, 1 }, { 1, 1 }, { 0, 0 }, { 0, 0, 255 }, false },
		{ "scaled with it along u", 0.25f, 0.25f, true, { 3, 1 }, { 1, 1 }, { 0, 0 }, { 0, 255, 0 }, false },
		{ "scaled with it along v", 0.25f, 0.25f, true, { 1, 3 }, { 1, 1 }, { 0, 0 }, { 0, 0, 255 }, false },
		{ "with it, not by itself", 0.25f, 0.25f, true, { 1, 1 }, { 3, 3 }, { 0.5f, 0 }, { 255, 0, 0 }, false },
		{ "by itself", 0.25f, 0.25f, false, { 3, 3 }, { 1, 1 }, { 0, 0 }, { 255, 0, 0 }, false },
		{ "scaled by itself along u", 0.25f, 0.25f, false, { 1, 1 }, { 3, 1 }, { 0, 0 }, { 0, 255, 0 }, false },
		{ "scaled by itself along v", 0.25f, 0.25f, false, { 1, 1 }, { 1, 3 }, { 0, 0 }, { 0, 0, 255 }, false },
		{ "moved", 0.25f, 0.25f, false, { 1, 1 }, { 1, 1 }, { 0.5f, 0.5f }, { 255, 255, 255 }, false },
		{ "turned", 0.75f, 0.75f, false, { 1, 1 }, { 1, 1 }, { 0, 0 }, { 0, 0, 255 }, true },
		{ "turned, but with the base image", 0.75f, 0.75f, true, { 1, 1 }, { 1, 1 }, { 0, 0 }, { 255, 255, 255 },
		  true },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		uint8_t got[3];
		bspscene_reflection reflection = {
			.mask = BSPSCENE_REFLECTION_MASK_IMAGE, .mask_image = QUARTERS, .normal_image = BSPSCENE_NO_INDEX,
			.with_base = cases[i].with_base, .color = { 1, 1, 1 }, .saturation = 1, .share = 1,
			.uv_rotation_radians = cases[i].turned ? 1.5707963f : 0,
		};
		make_mirror(&w, AROUND, cases[i].u, cases[i].v);
		memcpy(reflection.uv_scale, cases[i].scale, sizeof reflection.uv_scale);
		memcpy(reflection.uv_offset, cases[i].offset, sizeof reflection.uv_offset);
		memcpy(w.material.uv_scale, cases[i].base_scale, sizeof w.material.uv_scale);
		w.material.reflection = &reflection;
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

/* The expected values: in linear light, 0.4 of display value 128 is 84, and 0.6 of it is 101. */
static void masks_hide_what_is_around(void **state)
{
	(void)state;
	static const struct {
		const char *what; bspscene_reflection_mask mask; uint32_t mask_image, normal_image; bool inverted;
		uint8_t want;
		bool with_base;
	} cases[] = {
		{ "no mask", BSPSCENE_REFLECTION_MASK_NONE, NONE, NONE, false, 128, false },
		{ "no mask, inverted", BSPSCENE_REFLECTION_MASK_NONE, NONE, NONE, true, 0, false },
		{ "an image that is not there", BSPSCENE_REFLECTION_MASK_IMAGE, NONE, NONE, false, 128, false },
		{ "an image", BSPSCENE_REFLECTION_MASK_IMAGE, BLACK, NONE, false, 0, false },
		{ "the base image's alpha", BSPSCENE_REFLECTION_MASK_BASE_ALPHA, NONE, NONE, false, 101, false },
		{ "the base image's alpha, inverted", BSPSCENE_REFLECTION_MASK_BASE_ALPHA, NONE, NONE, true, 84, false },
		{ "the normals' alpha", BSPSCENE_REFLECTION_MASK_NORMAL_ALPHA, NONE, NORMAL, false, 84, false },
		{ "with the base image", BSPSCENE_REFLECTION_MASK_NORMAL_ALPHA, NONE, NORMAL, false, 84, true },
		{ "that of normals that are not there", BSPSCENE_REFLECTION_MASK_NORMAL_ALPHA, NONE, NONE, false, 128, false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const uint8_t want[3] = { cases[i].want, cases[i].want, cases[i].want };
		bspt_wall w;
		uint8_t got[3];
		const bspscene_reflection reflection = {
			.mask = cases[i].mask, .mask_image = cases[i].mask_image, .normal_image = cases[i].normal_image,
			.inverted = cases[i].inverted, .with_base = cases[i].with_base, .color = { 1, 1, 1 }, .saturation = 1,
			.share = 1, .uv_scale = { 1, 1 },
		};
		make_mirror(&w, GRAY, 0.25f, 0.25f);
		w.material.reflection = &reflection;
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color(cases[i].what, got, want);
	}
}

/* A self-shadowing texel has a weight for each of three directions: (0.816, 0, 0.577), (-0.408, 0.707, 0.577) and
 * (-0.408, -0.707, 0.577). These numbers are components along U, along V and out of the wall. The weighted sum is the
 * normal. A part x of it may point out of the wall, and 1 - x to a side. If x is below 0.92, a view straight at the
 * wall is reflected to that side. */
static void weights_of_bumps_are_a_normal(void **state)
{
	enum { SIDES = BSPSCENE_CUBE_SIDES, BUMPS = SIDES };
	static const uint8_t sides[SIDES][4] = {
		{ 250, 0, 0, 255 }, { 0, 250, 0, 255 }, { 0, 0, 250, 255 }, { 250, 250, 0, 255 }, { 0, 250, 250, 255 },
		{ 250, 0, 250, 255 },
	};
	enum { FRONT, BACK, LEFT, RIGHT, UP, DOWN }; /* +X -X +Y -Y +Z -Z */
	/* U goes to the right and V down, as in the wall's picture. */
	static const struct { uint8_t texel[4]; int side; } cases[] = {
		{ { 255, 255, 255, 255 }, BACK }, { { 255, 0, 0, 255 }, RIGHT }, { { 0, 255, 0, 255 }, DOWN },
		{ { 0, 0, 255, 255 }, UP }, { { 0, 255, 255, 255 }, LEFT }, { { 200, 255, 0, 255 }, DOWN },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		static const float corners[4][2] = { { 0, 1 }, { 1, 1 }, { 1, 0 }, { 0, 0 } };
		uint32_t frames[SIDES];
		bspscene_image pictures[SIDES + 1];
		for (uint32_t k = 0; k < SIDES; k++) {
			pictures[k] = (bspscene_image)BSPT_WALL_IMAGE(1, 1, sides[k]);
			frames[k] = k;
		}
		pictures[BUMPS] = (bspscene_image)BSPT_WALL_IMAGE(1, 1, cases[i].texel);
		const bspscene_bump_light bumps = { .image = BUMPS, .second_image = NONE, .self_shadowing = true };
		const bspscene_reflection reflection = {
			.mask_image = NONE, .normal_image = NONE, .color = { 1, 1, 1 }, .saturation = 1, .share = 1,
			.uv_scale = { 1, 1 },
		};
		bspt_wall w;
		bspt_make_wall(&w, pictures, SIDES + 1);
		memcpy(w.uvs, corners, sizeof corners);
		memset(w.colors, 0, sizeof w.colors);
		w.scene.frame_images = frames;
		w.scene.frame_image_count = SIDES;
		w.material.color[0] = w.material.color[1] = w.material.color[2] = 0;
		w.material.bump_light = &bumps;
		w.material.reflection = &reflection;
		uint8_t got[3];
		char what[64];
		bspt_draw_wall(&w, NULL, 0, got);
		snprintf(what, sizeof what, "weights %u %u %u", cases[i].texel[0], cases[i].texel[1], cases[i].texel[2]);
		bspt_expect_color(what, got, sides[cases[i].side]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(masks_lie_where_they_are_said_to),
		cmocka_unit_test(masks_hide_what_is_around),
		cmocka_unit_test(weights_of_bumps_are_a_normal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
