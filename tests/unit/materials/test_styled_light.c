/* Promise: in Raven's games light of further styles is added over the textures that come before the light pass, one
 * pass for each style of the shader's faces, as in OpenJK's FinishShader. Once, this light multiplied the textures,
 * as the steady light does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "support/make/made_game.h"

static const char script[] =
	"m/texture { { map a\n} { map b\nblendfunc add } { map $lightmap\nblendfunc filter\ndepthFunc equal\n}\n"
	"{ map c\nblendfunc add } }\n"
	"m/light { { map $lightmap } { map a\nblendfunc filter } }\n";

static void start(bspt_game *g, bspi_material_format format)
{
	bspt_game_start(g);
	g->map.rules.materials = format;
	bspt_game_add(g, format == BSPI_MATERIALS_RAVEN ? "shaders/a.shader" : "scripts/a.shader", script, strlen(script));
	bspt_game_picture(g, "a.tga");
	bspt_game_picture(g, "b.tga");
	bspt_game_picture(g, "c.tga");
}

/* Adds a face with the texture `name` and three styles: the steady one, `second` and `third`. */
static bspi_face *use(bspt_game *g, const char *name, uint8_t second, uint8_t third)
{
	bspt_game_use(g, name, 0, 0);
	bspi_face *face = &g->faces[g->map.faces_count - 1];
	face->styles[1] = second;
	face->styles[2] = third;
	for (int i = 1; i < 3; i++) face->lightmap[i] = face->styles[i] == 255 ? -1 : 0;
	return face;
}

static void further_styles_are_added(void **state)
{
	static const uint32_t styles[] = { 0, 0, 0, 3, 7, 40, 0 };
	bspt_game g;
	(void)state;
	start(&g, BSPI_MATERIALS_RAVEN);
	use(&g, "m/texture", 7, 40);
	use(&g, "m/texture.tga", 3, 255);
	bspt_game_make(&g);
	const bspscene_material *material = bspt_game_material(&g, 0);
	assert_int_equal(material->pass_count, 7);
	assert_int_equal(bspt_game_material(&g, 1)->pass_count, 7);
	for (uint32_t i = 0; i < 7; i++) {
		const bspscene_material_pass *pass = bspt_game_stage(&g, 0, i);
		bool light = i > 1 && i < 6;
		assert_int_equal(pass->input, light ? BSPSCENE_PASS_INPUT_LIGHTMAP : BSPSCENE_PASS_INPUT_IMAGE);
		assert_int_equal(pass->light_style, styles[i]);
		if (!light) continue;
		assert_int_equal(pass->src_blend, i == 2 ? BSPSCENE_BLEND_DST_COLOR : BSPSCENE_BLEND_ONE);
		assert_int_equal(pass->dst_blend, i == 2 ? BSPSCENE_BLEND_ZERO : BSPSCENE_BLEND_ONE);
		assert_true(pass->depth_equal);
	}
	assert_true(!material->unlit && !strcmp(bspt_game_image(&g, material->base_image), "a"));
	bspt_game_end(&g);
}

/* In all other cases, the light of all styles is one sum that multiplies the texture in one pass. These cases are:
 * light before textures, other games, faces whose first style is not the steady one, and faces without a page. */
static void other_light_stays_a_sum(void **state)
{
	(void)state;
	for (int i = 0; i < 5; i++) {
		bspt_game g;
		start(&g, i ? BSPI_MATERIALS_RAVEN : BSPI_MATERIALS_QUAKE3);
		bspi_face *face = use(&g, i == 1 ? "m/light" : "m/texture", 7, 255);
		if (i == 2) face->styles[0] = 5;
		if (i == 3) use(&g, "m/texture", 8, 255)->lightmap[0] = BSPI_PAGE_BY_VERTEX;
		if (i == 4) face->lightmap[1] = BSPI_PAGE_NONE;
		bspt_game_make(&g);
		assert_int_equal(bspt_game_material(&g, 0)->pass_count, i == 1 ? 2 : 4);
		bspt_game_end(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(further_styles_are_added),
		cmocka_unit_test(other_light_stays_a_sum),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
