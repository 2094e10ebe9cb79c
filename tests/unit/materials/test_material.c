/* Promise: every texture that a face uses becomes a material that looks as in the game. It does so with or without a
 * script, and with or without images. Missing textures are counted by name, and equal materials are shared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "materials/materials.h"
#include "support/make/made_game.h"

/* ---- What surfaces are for -------------------------------------------------------------------------------- */

static void kinds_follow_bits_names_and_scripts(void **state)
{
	enum { SKY = 0x4, NODRAW = 0x80, HINT = 0x100, SKIP = 0x200, WATER = 0x20, LAVA = 0x8, FOG = 0x40, CLIP = 0x10000,
	       TRIGGER = 0x40000000 };
	static const char script[] =
		"textures/sky { skyparms - 512 - }\n"
		"textures/wall { { map $lightmap } }\n"
		"textures/paper_sky { surfaceparm sky\n { map a } }\n"
		"textures/mirror { portal\n { map a } }\n"
		"textures/fog { surfaceparm fog\n fogparms ( 1 0 0 ) 100 }\n"
		"textures/pond { surfaceparm water\n { map a } }\n"
		"textures/common/invisible { { map a } }\n"
		"textures/mine/wall { surfaceparm nodraw }\n"
		"textures/mine/block { surfaceparm nodraw\n surfaceparm playerclip }\n"
		"textures/mine/pane { surfaceparm nodraw\n { map a } }\n";
	static const struct {
		const char *name;
		uint32_t surface, contents;
		bspscene_surface_kind include;
		bspscene_material_kind kind;
	} cases[] = {
		{ "textures/wall", 0, 1, BSPSCENE_SURFACE_VISIBLE, BSPSCENE_MATERIAL_NORMAL },
		/* A curved patch that q3map2 -patchmeta also stores as triangles is hidden. */
		{ "textures/wall", NODRAW, 1, BSPSCENE_SURFACE_NODRAW, BSPSCENE_MATERIAL_TOOL },
		{ "textures/wall", HINT, 1, BSPSCENE_SURFACE_HINT, BSPSCENE_MATERIAL_TOOL },
		{ "textures/wall", SKIP, 1, BSPSCENE_SURFACE_SKIP, BSPSCENE_MATERIAL_TOOL },
		{ "textures/wall", 0, WATER, BSPSCENE_SURFACE_VISIBLE, BSPSCENE_MATERIAL_LIQUID },
		{ "textures/wall", 0, LAVA, BSPSCENE_SURFACE_VISIBLE, BSPSCENE_MATERIAL_LIQUID },
		{ "textures/pond", 0, 0, BSPSCENE_SURFACE_VISIBLE, BSPSCENE_MATERIAL_LIQUID },
		{ "textures/sky", SKY, 1, BSPSCENE_SURFACE_SKY, BSPSCENE_MATERIAL_SKY },
		{ "textures/sky", 0, 1, BSPSCENE_SURFACE_SKY, BSPSCENE_MATERIAL_SKY },
		{ "textures/none", SKY, 1, BSPSCENE_SURFACE_SKY, BSPSCENE_MATERIAL_SKY },
		/* Without skyparms the engine treats it as a wall. */
		{ "textures/paper_sky", SKY, 1, BSPSCENE_SURFACE_VISIBLE, BSPSCENE_MATERIAL_NORMAL },
		{ "textures/mirror", 0, 1, BSPSCENE_SURFACE_VISIBLE, BSPSCENE_MATERIAL_PORTAL },
		{ "textures/fog", 0, FOG, BSPSCENE_SURFACE_VISIBLE, BSPSCENE_MATERIAL_FOG },
		{ "textures/common/caulk", NODRAW, 1, BSPSCENE_SURFACE_CAULK, BSPSCENE_MATERIAL_TOOL },
		{ "textures/common/caulk", 0, 1, BSPSCENE_SURFACE_CAULK, BSPSCENE_MATERIAL_TOOL },
		{ "textures/common/weapclip", NODRAW, CLIP, BSPSCENE_SURFACE_CLIP, BSPSCENE_MATERIAL_TOOL },
		{ "textures/mine/block", NODRAW, CLIP, BSPSCENE_SURFACE_CLIP, BSPSCENE_MATERIAL_TOOL },
		{ "textures/mine/block", 0, 0, BSPSCENE_SURFACE_CLIP, BSPSCENE_MATERIAL_TOOL },
		{ "textures/mine/wall", 0, 0, BSPSCENE_SURFACE_NODRAW, BSPSCENE_MATERIAL_TOOL },
		{ "textures/mine/pane", 0, 0, BSPSCENE_SURFACE_VISIBLE, BSPSCENE_MATERIAL_NORMAL },
		{ "textures/common/trigger", NODRAW, TRIGGER, BSPSCENE_SURFACE_TRIGGER, BSPSCENE_MATERIAL_TOOL },
		{ "textures/common/hintskip", 0, 0, BSPSCENE_SURFACE_HINT, BSPSCENE_MATERIAL_TOOL },
		{ "textures/common/areaportal", NODRAW, 0x8000, BSPSCENE_SURFACE_TOOL, BSPSCENE_MATERIAL_TOOL },
		{ "noshader", 0, 0, BSPSCENE_SURFACE_TOOL, BSPSCENE_MATERIAL_TOOL },
		/* A shader with stages and without a nodraw flag is drawn. */
		{ "textures/common/invisible", 0, 0, BSPSCENE_SURFACE_VISIBLE, BSPSCENE_MATERIAL_NORMAL },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_game g;
		bspt_game_start(&g);
		bspt_game_script(&g, script);
		bspt_game_picture(&g, "a.tga");
		bspt_game_use(&g, cases[i].name, cases[i].surface, cases[i].contents);
		bspt_game_make(&g);
		assert_int_equal(bspt_game_material(&g, 0)->surface_kind, cases[i].include);
		assert_int_equal(bspt_game_material(&g, 0)->kind, cases[i].kind);
		assert_int_equal(g.ctx.warning_count, 0);
		bspt_game_end(&g);
	}
}

static void raven_has_other_bits_and_another_folder(void **state)
{
	bspt_game g;
	(void)state;
	bspt_game_start(&g);
	g.map.rules.materials = BSPI_MATERIALS_RAVEN;
	bspt_game_script(&g, "textures/a { portal }");
	bspt_game_add(&g, "shaders/a.shader", "textures/a { cull none }", 24);
	bspt_game_picture(&g, "textures/a.tga");
	bspt_game_use(&g, "textures/a", 0x80, 0x20);
	bspt_game_use(&g, "textures/a", 0x200000, 0);
	bspt_game_use(&g, "textures/a", 0x2000, 0);
	bspt_game_use(&g, "textures/a", 0, 0x4);
	bspt_game_make(&g);
	assert_int_equal(bspt_game_material(&g, 0)->kind, BSPSCENE_MATERIAL_NORMAL);
	assert_int_equal(bspt_game_material(&g, 1)->surface_kind, BSPSCENE_SURFACE_NODRAW);
	assert_int_equal(bspt_game_material(&g, 2)->kind, BSPSCENE_MATERIAL_SKY);
	assert_int_equal(bspt_game_material(&g, 3)->kind, BSPSCENE_MATERIAL_LIQUID);
	assert_int_equal(bspt_game_material(&g, 0)->cull, BSPSCENE_CULL_NONE);
	bspt_game_end(&g);
}

static void hidden_surfaces_cost_no_images_unless_asked_for(void **state)
{
	bspt_game g;
	(void)state;
	for (int asked = 0; asked < 2; asked++) {
		bspt_game_start(&g);
		if (asked) g.ctx.options.include_mask = BSPSCENE_SURFACE_CAULK;
		bspt_game_script(&g,
		                 "textures/common/caulk { qer_editorimage textures/editor/caulk.tga\n surfaceparm nodraw }");
		bspt_game_picture(&g, "textures/editor/caulk.tga");
		bspt_game_use(&g, "textures/common/caulk", 0x80, 1);
		bspt_game_make(&g);
		assert_int_equal(g.scene.image_count, asked);
		assert_string_equal(bspt_game_image(&g, bspt_game_material(&g, 0)->base_image),
		                    asked ? "textures/editor/caulk" : "");
		assert_int_equal(g.ctx.warning_count, 0);
		bspt_game_end(&g);
	}
}

static void equal_textures_share_a_material(void **state)
{
	bspt_game g;
	(void)state;
	bspt_game_start(&g);
	bspt_game_script(&g, "textures/a { { map a } { map $lightmap\nblendfunc filter } }");
	bspt_game_picture(&g, "a.tga");
	bspt_game_use(&g, "textures/a", 0, 1);
	bspt_game_use(&g, "textures/b", 0, 1);
	bspt_game_use(&g, "TEXTURES\\A", 0, 1);
	bspt_game_use(&g, "textures/a", 0x20, 1);
	g.faces[1].kind = BSPI_FACE_DROPPED;
	bspt_game_make(&g);
	assert_int_equal(g.scene.material_count, 2);
	assert_int_equal(g.build.texture_materials[0], g.build.texture_materials[2]);
	assert_int_equal(g.build.texture_materials[1], BSPSCENE_NO_INDEX);
	assert_int_not_equal(g.build.texture_materials[0], g.build.texture_materials[3]);
	assert_string_equal(bspt_game_material(&g, 2)->name, "textures/a");
	assert_int_equal(g.scene.material_pass_count, 2);  /* equal materials share their passes */
	assert_int_equal(bspt_game_material(&g, 3)->first_pass, bspt_game_material(&g, 0)->first_pass);
	bspt_game_end(&g);
}

static void flares_are_told_apart(void **state)
{
	bspt_game g;
	(void)state;
	bspt_game_start(&g);
	bspt_game_picture(&g, "a.tga");
	bspt_game_use(&g, "a", 0, 0);
	bspt_game_use(&g, "a", 1, 0);
	g.faces[0].kind = BSPI_FACE_FLARE;
	bspt_game_make(&g);
	assert_int_equal(bspt_game_material(&g, 0)->kind, BSPSCENE_MATERIAL_FLARE);
	assert_int_equal(bspt_game_material(&g, 1)->kind, BSPSCENE_MATERIAL_NORMAL);
	bspt_game_end(&g);
}

/* ---- Sky and fog ------------------------------------------------------------------------------------------ */

static void skies(void **state)
{
	static const char *const sides[6] = {
		"env/a_rt.tga", "env/a_bk.tga", "env/a_lf.tga", "env/a_ft.tga", "env/a_up.tga", "env/a_dn.tga",
	};
	static const char script[] =
		"box { skyparms env/a 256 -\n q3map_sun 1 .5 .5 100 0 90 }\n"
		"clouds { skyparms full 300 -\n { map cloud\n tcmod scroll .1 0 } }\n"
		"gone { skyparms env/gone 512 - }\n"
		"plain { skyparms2 env/b 512 - }\n"; /* QFusion finds env/brt.tga */
	bspt_game g;
	(void)state;
	bspt_game_start(&g);
	bspt_game_script(&g, script);
	for (int i = 0; i < 6; i++) bspt_game_picture(&g, sides[i]);
	bspt_game_picture(&g, "env/brt.tga");
	bspt_game_picture(&g, "cloud.tga");
	bspt_game_use(&g, "box", 4, 0);
	bspt_game_use(&g, "clouds", 4, 0);
	bspt_game_use(&g, "gone", 4, 0);
	bspt_game_use(&g, "cloud", 4, 0);
	bspt_game_use(&g, "plain", 4, 0);
	bspt_game_make(&g);
	assert_string_equal(bspt_game_image(&g, bspt_game_material(&g, 3)->base_image), "cloud");
	assert_string_equal(bspt_game_image(&g, bspt_game_material(&g, 4)->sky->box[0]), "env/brt");
	assert_string_equal(bspt_game_material(&g, 4)->sky->name, "env/b");
	const bspscene_material *box = bspt_game_material(&g, 0), *clouds = bspt_game_material(&g, 1),
		*gone = bspt_game_material(&g, 2);
	for (int i = 0; i < 6; i++) assert_string_equal(g.scene.images[box->sky->box[i]]->path, sides[i]);
	assert_string_equal(box->sky->name, "env/a");
	assert_true(box->sky->cloud_height == 0 && box->pass_count == 0 && box->sort == 2 && box->unlit);
	assert_true(box->sky->has_sun && box->sky->sun_direction[2] > 0.999f && box->sky->sun_intensity == 100);
	assert_true(clouds->sky->box[0] == BSPSCENE_NO_INDEX && clouds->sky->cloud_height == 300);
	assert_int_equal(clouds->pass_count, 1);
	assert_string_equal(bspt_game_image(&g, clouds->base_image), "cloud");
	assert_true(g.scene.images[gone->sky->box[0]]->is_generated && !strcmp(gone->sky->name, ""));
	uint32_t count;
	assert_string_equal(bspt_game_warning(&g, BSPSCENE_WARNING_TEXTURE_MISSING, &count),
	                    "textures: env/gone_rt: this side of the sky was not found "
	                    "(tried tga, jpg, jpeg, png, pcx, bmp, dds, ktx, webp)");
	/* There is one warning for this sky, and there are five for the missing sides of env/b. In old scripts, the name
	 * "full" stands for no box, so it gives no warning. */
	assert_int_equal(count, 1 + 5);
	bspt_game_end(&g);
}

static void fogs_share_the_material_of_their_surfaces(void **state)
{
	static const char script[] =
		"textures/haze { surfaceparm fog\n fogparms ( .25 .5 1 ) 400 }\n"
		"textures/smoke { surfaceparm fog\n fogparms ( 1 0 0 ) 0 }\n";
	bspt_game g;
	(void)state;
	bspt_game_start(&g);
	bspt_game_script(&g, script);
	bspt_game_use(&g, "textures/haze", 0, 0x40);
	g.map.fogs_count = 3;
	snprintf(g.fogs[0].shader, sizeof g.fogs[0].shader, "textures/smoke");
	snprintf(g.fogs[1].shader, sizeof g.fogs[1].shader, "TEXTURES/haze");
	snprintf(g.fogs[2].shader, sizeof g.fogs[2].shader, "textures/smoke");
	bspt_game_make(&g);
	assert_int_equal(g.scene.material_count, 2);
	assert_int_equal(g.build.fog_materials[1], g.build.texture_materials[0]);
	assert_int_equal(g.build.fog_materials[0], g.build.fog_materials[2]);
	const bspscene_material *haze = bspt_game_material(&g, 0), *smoke = g.scene.materials[g.build.fog_materials[0]];
	assert_true(haze->fog->depth == 400 && haze->fog->color[2] == 1 && haze->kind == BSPSCENE_MATERIAL_FOG &&
	            haze->pass_count == 0);
	assert_true(haze->alpha_mode == BSPSCENE_ALPHA_MODE_BLEND && haze->color[0] == 0.25f && haze->unlit &&
	            haze->sort == 7);
	assert_true(smoke->fog->depth == 1 && smoke->kind == BSPSCENE_MATERIAL_FOG);
	assert_int_equal(g.ctx.warning_count, 0);
	bspt_game_end(&g);
}

/* ---- Where it came from ----------------------------------------------------------------------------------- */

static void the_text_is_kept_with_its_place(void **state)
{
	static const char script[] = "// \xe9 comment\n\ntextures/a\n{\n\tcull none // \xe9\n\twobble 3\n}\ntextures/b { }";
	bspt_game g;
	(void)state;
	bspt_game_start(&g);
	bspt_game_script(&g, script);
	bspt_game_picture(&g, "textures/a.tga");
	bspt_game_use(&g, "textures/a.tga", 0, 0);
	bspt_game_make(&g);
	const bspscene_material *m = bspt_game_material(&g, 0);
	assert_string_equal(m->script_file, "scripts/test.shader");
	assert_int_equal(m->script_line, 3);
	assert_string_equal(m->script_text, "textures/a\n{\n\tcull none // \xc3\xa9\n\twobble 3\n}");
	assert_int_equal(m->cull, BSPSCENE_CULL_NONE);
	assert_string_equal(
		bspt_game_warning(&g, BSPSCENE_WARNING_UNSUPPORTED, NULL),
		"scripts: scripts/test.shader:6: shader textures/a has the unknown keyword 'wobble', which is ignored");
	bspt_game_end(&g);
}

static void stages_are_bounded(void **state)
{
	bspt_game g;
	char text[2048] = "textures/a {";
	(void)state;
	bspt_game_start(&g);
	for (int i = 0; i < 40; i++) strcat(text, " { map a\n blendfunc add }");
	bspt_game_script(&g, strcat(text, "}"));
	bspt_game_picture(&g, "a.tga");
	bspt_game_use(&g, "textures/a", 0, 0);
	bspt_game_make(&g);
	assert_int_equal(bspt_game_material(&g, 0)->pass_count, BSPI_MAX_STAGES);
	assert_string_equal(bspt_game_warning(&g, BSPSCENE_WARNING_LIMIT, NULL),
	                    "scripts: scripts/test.shader:1: shader textures/a"
	                    " has more than 16 stages: the others are left out");
	bspt_game_end(&g);
}

static void every_allocation_may_fail(void **state)
{
	static const char script[] =
		"box { skyparms env/a 256 - }\n"
		"textures/a { { map a } { map maps/m/lm_0000.tga\ntcgen lightmap } { videomap x } implicitmap - }\n"
		"b { wobble }";
	(void)state;
	for (uint64_t limit = 1; ; limit++) {
		bspt_game g;
		bspt_game_start(&g);
		bspt_game_script(&g, script);
		bspt_game_picture(&g, "a.tga");
		bspt_game_picture(&g, "maps/m/lm_0000.tga");
		bspt_game_use(&g, "box", 4, 0);
		bspt_game_use(&g, "textures/a", 0, 0);
		bspt_game_use(&g, "b", 0, 0);
		g.ctx.budget.allocation_limit = limit;
		bool made = bspi_build_materials(&g.build);
		assert_true(made == !g.ctx.error.status);
		bspt_game_end(&g);
		if (made) return;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_follow_bits_names_and_scripts),
		cmocka_unit_test(raven_has_other_bits_and_another_folder),
		cmocka_unit_test(hidden_surfaces_cost_no_images_unless_asked_for),
		cmocka_unit_test(equal_textures_share_a_material),
		cmocka_unit_test(flares_are_told_apart),
		cmocka_unit_test(skies),
		cmocka_unit_test(fogs_share_the_material_of_their_surfaces),
		cmocka_unit_test(the_text_is_kept_with_its_place),
		cmocka_unit_test(stages_are_bounded),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
