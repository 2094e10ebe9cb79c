/* Promise: in DarkPlaces' pictures of lightmaps only, every surface is opaque, and gray if it has no light. In Source,
 * an unlit surface whose texture is missing has a fallback color. It is lit by the light that the compiler measured in
 * the leaf in front of it, not behind it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "wall.h"

static const uint8_t red[4] = { 255, 0, 0, 64 };

static void all_is_opaque_in_lightmaps_alone(void **state)
{
	(void)state;
	static const bspscene_image image = BSPT_WALL_IMAGE(1, 1, red);
	static const struct {
		const char *what;
		bool opaque;
		bspscene_render_mode mode;
		bspscene_lighting lighting;
		bspscene_material_kind kind;
		uint8_t want[3];
	} cases[] = {
		{ "glass in its light", true, BSPSCENE_RENDER_LIGHTMAP, BSPSCENE_LIGHTING_VERTEX, BSPSCENE_MATERIAL_NORMAL,
		  { 60, 60, 60 } },
		{ "glass without light", true, BSPSCENE_RENDER_LIGHTMAP, BSPSCENE_LIGHTING_FULLBRIGHT,
		  BSPSCENE_MATERIAL_NORMAL, { 128, 128, 128 } },
		{ "the sky", true, BSPSCENE_RENDER_LIGHTMAP, BSPSCENE_LIGHTING_FULLBRIGHT, BSPSCENE_MATERIAL_SKY,
		  { 128, 128, 128 } },
		{ "elsewhere", false, BSPSCENE_RENDER_LIGHTMAP, BSPSCENE_LIGHTING_FULLBRIGHT, BSPSCENE_MATERIAL_NORMAL,
		  { 64, 0, 191 } },
		{ "the whole picture", true, BSPSCENE_RENDER_FULL, BSPSCENE_LIGHTING_FULLBRIGHT, BSPSCENE_MATERIAL_NORMAL,
		  { 64, 0, 191 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		bspscene_render_options options;
		uint8_t got[3];
		bspt_make_wall(&w, &image, 1);
		bspscene_render_options_init(&options);
		options.mode = cases[i].mode;
		w.scene.lightmap_mode_opaque = cases[i].opaque;
		w.section.lighting = cases[i].lighting;
		w.material.kind = cases[i].kind;
		w.material.alpha_mode = BSPSCENE_ALPHA_MODE_BLEND;
		memset(w.colors, 60, sizeof w.colors);
		bspt_draw_wall(&w, &options, 0, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

/* The wall is on the border of two leafs: light is 0.2 (linear) in front, and 1 behind. */
static void stand_ins_have_the_light_before_them(void **state)
{
	(void)state;
	static const float plane[4] = { -1, 0, 0, -64 };
	static const int32_t children[2] = { -1, -2 };
	static const bspscene_leaf leafs[2];
	static const bspscene_image images[] = {
		{ .name = "", .path = "", .archive = "", .fallback_color = { 200, 100, 50 } },
		BSPT_WALL_IMAGE(1, 1, red),
	};
	static const struct {
		const char *what;
		uint32_t image, first_leaf;
		bool unlit, turned;
		bspscene_lighting lighting;
		uint8_t want[3];
	} cases[] = {
		{ "an unlit material", 0, 0, true, false, BSPSCENE_LIGHTING_VERTEX, { 97, 48, 24 } },
		{ "an unlit face", 0, 0, false, false, BSPSCENE_LIGHTING_FULLBRIGHT, { 97, 48, 24 } },
		{ "seen from behind its normal", 0, 0, false, true, BSPSCENE_LIGHTING_FULLBRIGHT, { 97, 48, 24 } },
		{ "no light is known there", 0, 1, true, false, BSPSCENE_LIGHTING_VERTEX, { 200, 100, 50 } },
		{ "a lit face", 0, 0, false, false, BSPSCENE_LIGHTING_VERTEX, { 100, 50, 25 } },
		{ "a picture that is there", 1, 0, true, false, BSPSCENE_LIGHTING_VERTEX, { 255, 0, 0 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		uint8_t got[3];
		bspscene_ambient ambients[2] = { { .leaf = cases[i].first_leaf }, { .leaf = 1 } };
		for (int k = 0; k < 36; k++) ambients[k / 18].cube[k % 18 / 3][k % 3] = k < 18 ? 0.2f : 1;
		bspt_make_wall(&w, images, sizeof images / sizeof *images);
		w.tree = (bspscene_tree){ 1, 2, plane, children, leafs };
		w.scene.ambients = ambients + cases[i].first_leaf;
		w.scene.ambient_count = 2 - cases[i].first_leaf;
		w.section.lighting = cases[i].lighting;
		w.material.unlit = cases[i].unlit;
		w.material.base_image = cases[i].image;
		w.material.cull = BSPSCENE_CULL_NONE;
		for (int k = 0; k < 4 && cases[i].turned; k++) w.normals[3 * k] = 1;
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_is_opaque_in_lightmaps_alone),
		cmocka_unit_test(stand_ins_have_the_light_before_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
