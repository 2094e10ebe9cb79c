/* test_qfusion.c - what only QFusion's shaders say: blocks behind conditions, skies of six named pictures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "materials/shader.h"
#include "support/made_game.h"
#include "support/scripts.h"

static void conditions(void **state)
{
	static const struct { const char *text; bool holds; } cases[] = {
		{ "GLSL", true }, { "! GLSL", false }, { "! ! GLSL", true }, { "deluxe", false }, { "! deluxeMaps", true },
		{ "textureCubeMap", true }, { "portalmaps == 1", true }, { "maxTextureSize > 2048", true },
		{ "maxTextureUnits < 4", false }, { "maxTextureUnits >= 4 && ! deluxe", true }, { "2 <= 2", true },
		{ "3 <= 2", false }, { "2 != 2", false }, { "deluxe || GLSL", true }, { "GLSL && deluxe || GLSL", true },
		{ "GLSL || GLSL && deluxe", false }, /* from left to right */
		{ "deluxe == false", true }, { "1 == true", true },
		/* nonsense does not hold */
		{ "", false }, { "!", false }, { "GLSL GLSL", false }, { "GLSL &&", false }, { "GLSL >", false },
		{ "> 2", false }, { "whatever", false }, { "1e30", false }, { "GLSL && && GLSL", false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[64];
		snprintf(text, sizeof text, "%s\nnext", cases[i].text);
		bspi_script script = bspi_script_open(bspi_bytes_of(text, strlen(text)));
		if (bspi_read_condition(&script) != cases[i].holds) fail_msg("'%s'", cases[i].text);
		assert_true(bspi_script_next(&script) && bspi_script_is(&script, "next"));
	}
}

/* Blocks inside of what is left out are left out with it. */
static void blocks(void **state)
{
	bspt_scripts f;
	bspi_shader s;
	(void)state;
	bspt_script_begin(&f);
	bspt_parse(&f, "if deluxe\n { map a }\n if GLSL\n { map b }\n endif\n { map c }\n endif\n"
	               "if GLSL\n { map d }\n endif\n { map e }", &s);
	assert_int_equal(s.stage_count, 2);
	assert_string_equal(s.stages[0].images[0], "d");
	assert_string_equal(s.stages[1].images[0], "e");
	bspt_parse(&f, "if deluxe\n { map a }", &s);
	assert_int_equal(s.stage_count, 0);
	bspt_script_end(&f);
}

/* Reflections have no place in a scene, and nobody should have to guess why a wall is dull. */
static void stages_that_are_left_out_are_told(void **state)
{
	static const char *const keywords[] = { "cubemap", "shadecubemap", "surroundmap", "distortion", "celshade" };
	(void)state;
	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
		char script[160], want[160];
		bspt_game g;
		snprintf(script, sizeof script, "wall\n{\n{ map wall.tga }\n{ %s env/test\n}\n{ portalmap\n}\n}",
		         keywords[i]);
		snprintf(want, sizeof want, "scripts: scripts/test.shader:4: a stage with '%s' in wall is left out",
		         keywords[i]);
		bspt_game_start(&g);
		bspt_game_script(&g, script);
		bspt_game_picture(&g, "wall.tga");
		bspt_game_use(&g, "wall", 0, 0);
		bspt_game_make(&g);
		assert_int_equal(bspt_game_material(&g, 0)->stage_count, 1);
		assert_string_equal(bspt_game_warning(&g, BSPSCENE_WARNING_UNSUPPORTED, NULL), want);
		bspt_game_end(&g);
	}
}

static void skies_of_named_pictures(void **state)
{
	static const char *const want[6] = { "env/side", "env/back", "env/side", "env/side", "env/top", "env/back" };
	static const char script[] =
		"sky { skyparmssides env/side env/back rt rt env/top bk 300 -\n { map env/top } }\n"
		"forward { skyparmssides up up up up env/top up 0 - }\n"
		"gap { skyparmssides env/side dn rt rt env/top bk - - }\n"
		"short { skyparmssides env/side rt\n }\n";
	bspt_game g;
	(void)state;
	bspt_game_start(&g);
	bspt_game_script(&g, script);
	bspt_game_picture(&g, "env/side.tga");
	bspt_game_picture(&g, "env/back.tga");
	bspt_game_picture(&g, "env/top.tga");
	bspt_game_use(&g, "sky", 4, 0);
	bspt_game_use(&g, "forward", 4, 0);
	bspt_game_use(&g, "gap", 4, 0);
	bspt_game_use(&g, "short", 4, 0);
	bspt_game_make(&g);
	const bspscene_sky *sky = bspt_game_material(&g, 0)->sky;
	for (int i = 0; i < 6; i++) assert_string_equal(bspt_game_image(&g, sky->box[i]), want[i]);
	assert_true(sky->cloud_height == 300 && !strcmp(sky->name, "env/side"));
	for (int i = 0; i < 6; i++) {
		assert_string_equal(bspt_game_image(&g, bspt_game_material(&g, 1)->sky->box[i]), "env/top");
	}
	for (uint32_t i = 2; i < 4; i++) assert_true(g.scene.images[bspt_game_material(&g, i)->sky->box[0]].made);
	uint32_t count;
	assert_string_equal(bspt_game_warning(&g, BSPSCENE_WARNING_UNSUPPORTED, &count), "");
	bspt_game_end(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions), cmocka_unit_test(blocks), cmocka_unit_test(stages_that_are_left_out_are_told),
		cmocka_unit_test(skies_of_named_pictures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
