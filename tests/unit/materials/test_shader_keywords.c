/* test_shader_keywords.c - every keyword of surfaces and of stages has the meaning that the engine gives it
 * (tr_shader.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "support/scripts.h"

/* ---- Surface keywords ------------------------------------------------------------------------------------- */

static void surface_keywords(void **state)
{
	bspt_scripts f;
	bspi_shader s;
	(void)state;
	bspt_script_begin(&f);
	bspt_parse(&f, "surfaceparm trans\n surfaceparm NoDraw\nsurfaceParm playerclip\n surfaceparm metalsteps\n"
	          "cull disable\n nopicmip\n polygonOffset\n deformVertexes wave 100 sin 0 2 0 .5\n sort additive\n"
	          "q3map_surfacelight 1500\n qer_editorimage textures/a.tga\n q3map_lightimage textures/b.tga\n"
	          "tessSize 64\n }", &s);
	assert_int_equal(s.parms, BSPI_PARM_TRANS | BSPI_PARM_NODRAW | BSPI_PARM_CLIP);
	assert_int_equal(s.material.cull, BSPSCENE_CULL_NONE);
	assert_true(s.material.no_picmip && !s.material.no_mipmaps && s.material.polygon_offset && s.deform_count == 1);
	assert_true(s.material.sort == 10 && s.material.surface_light == 1500);
	assert_string_equal(s.editor_image, "textures/a.tga");
	assert_string_equal(s.light_image, "textures/b.tga");
	assert_int_equal(s.unknown_count, 0);

	bspt_parse(&f, "nomipmaps\n portal\n skyParms env/space/a 256 -\n q3map_sunExt 1 .5 .25 90 90 30 2 16\n }", &s);
	assert_true(s.material.no_mipmaps && s.material.no_picmip && s.material.portal && s.is_sky);
	assert_string_equal(s.sky_box, "env/space/a_");
	assert_true(s.sky.cloud_height == 256 && s.sky.has_sun);
	assert_true(s.sky.sun_color[0] == 1 && s.sky.sun_color[2] == 0.25f &&
	            s.sky.sun_intensity == 90);
	assert_float_equal(s.sky.sun_direction[0], 0, 1e-6);
	assert_float_equal(s.sky.sun_direction[1], 0.8660254, 1e-6);
	assert_float_equal(s.sky.sun_direction[2], 0.5, 1e-6);

	bspt_parse(&f, "skyparms - - -\n q3map_sun .25 2 .5 90 90 30\n }", &s);
	assert_true(s.sky.sun_color[0] == 0.125f && s.sky.sun_color[1] == 1 && s.sky.sun_color[2] == 0.25f);

	bspt_parse(&f, "skyparms - - -\n fogparms ( .5 2 -1 ) 300 gone\n }", &s);
	assert_true(s.is_sky && !s.sky_box && s.sky.cloud_height == 512);
	assert_true(s.fog.color[0] == 0.5f && s.fog.color[1] == 1 && s.fog.color[2] == 0);
	assert_true(s.fog.depth == 300);
	bspt_script_end(&f);
}

static void cull_names(void **state)
{
	static const struct { const char *text; bspscene_cull cull; } cases[] = {
		{ "cull none", BSPSCENE_CULL_NONE }, { "cull twosided", BSPSCENE_CULL_NONE },
		{ "cull back", BSPSCENE_CULL_FRONT }, { "cull backsided", BSPSCENE_CULL_FRONT },
		{ "cull front", BSPSCENE_CULL_BACK }, { "cull\n}", BSPSCENE_CULL_BACK },
	};
	bspt_scripts f;
	bspi_shader s;
	(void)state;
	bspt_script_begin(&f);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_parse(&f, cases[i].text, &s);
		assert_int_equal(s.material.cull, cases[i].cull);
	}
	bspt_script_end(&f);
}

/* ---- Stages ----------------------------------------------------------------------------------------------- */

static const bspscene_material_pass *parse_stage(bspt_scripts *f, const char *inside, bspi_shader *s)
{
	char text[512];
	snprintf(text, sizeof text, "{ map a.tga\n %s\n }\n}", inside);
	bspt_parse(f, text, s);
	assert_int_equal(s->stage_count, 1);
	assert_int_equal(s->unknown_count, 0);
	return &s->stages[0].stage;
}

/* In Medal of Honor and Call of Duty, "nextbundle" separates a stage's two textures, which are multiplied or added. */
static void two_textures_are_two_stages(void **state)
{
	bspt_scripts f;
	bspi_shader s;
	(void)state;
	bspt_script_begin(&f);
	bspt_parse(&f, "{ map a.tga\n tcMod scale 2 2\n nextbundle\n map $lightmap\n rgbGen vertex\n"
	          "alphaFunc GE128\n }\n}", &s);
	assert_int_equal(s.stage_count, 2);
	assert_int_equal(s.unknown_count, 0);
	assert_string_equal(s.stages[0].images[0], "a.tga");
	assert_true(s.stages[0].stage.tc_mod_count == 1 && s.stages[0].stage.color_gen == BSPSCENE_COLOR_GEN_VERTEX);
	assert_true(s.stages[0].stage.alpha_test && s.stages[0].stage.depth_write);
	const bspscene_material_pass *light = &s.stages[1].stage;
	assert_true(light->input == BSPSCENE_PASS_INPUT_LIGHTMAP && light->tc_gen == BSPSCENE_TC_GEN_LIGHTMAP);
	assert_true(!light->tc_mod_count && light->color_gen == BSPSCENE_COLOR_GEN_IDENTITY && !light->alpha_test);
	assert_true(light->src_blend == BSPSCENE_BLEND_DST_COLOR && light->dst_blend == BSPSCENE_BLEND_ZERO);
	assert_true(light->depth_equal && !light->depth_write);

	bspt_parse(&f, "{ map $lightmap\n nextbundle add\n animmap 2 b.tga c.tga\n tcGen environment\n }\n}", &s);
	assert_int_equal(s.stage_count, 2);
	assert_int_equal(s.stages[0].stage.input, BSPSCENE_PASS_INPUT_LIGHTMAP);
	const bspscene_material_pass *added = &s.stages[1].stage;
	assert_true(s.stages[1].image_count == 2 && added->frames_per_second == 2 && !added->depth_equal);
	assert_true(added->tc_gen == BSPSCENE_TC_GEN_ENVIRONMENT && s.stages[0].stage.tc_gen == BSPSCENE_TC_GEN_LIGHTMAP);
	assert_true(added->src_blend == BSPSCENE_BLEND_ONE && added->dst_blend == BSPSCENE_BLEND_ONE);
	bspt_script_end(&f);
}

/* The product of two textures cannot be split into two stages if it is blended with the background. So only the image
 * is kept, not the lightmap. */
static void two_blended_textures_are_the_picture(void **state)
{
	static const char *const cases[] = {
		"{ map a.tga\n blendFunc blend\n nextbundle\n map $lightmap\n }\n}",
		"{ map $lightmap\n nextbundle\n map a.tga\n blendFunc blend\n }\n}",
		"{ map a.tga\n nextbundle\n map b.tga\n blendFunc add\n }\n}",
		"{ map a.tga\n nextbundle\n blendFunc add\n nextbundle\n map b.tga\n }\n}",
	};
	bspt_scripts f;
	bspi_shader s;
	(void)state;
	bspt_script_begin(&f);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_parse(&f, cases[i], &s);
		assert_int_equal(s.stage_count, 1);
		assert_true(s.stages[0].image_count == 1);
		assert_string_equal(s.stages[0].images[0], "a.tga");
		assert_int_not_equal(s.stages[0].stage.dst_blend, BSPSCENE_BLEND_ZERO);
	}
	bspt_script_end(&f);
}

static void blend_decides_depth_write(void **state)
{
	static const struct { const char *text; bspscene_blend src, dst; bool depth_write; } cases[] = {
		{ "", BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ZERO, true },
		{ "blendFunc add", BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ONE, false },
		{ "blendfunc FILTER", BSPSCENE_BLEND_DST_COLOR, BSPSCENE_BLEND_ZERO, false },
		{ "blendFunc blend", BSPSCENE_BLEND_SRC_ALPHA, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA, false },
		{ "blendFunc GL_ONE GL_ZERO", BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ZERO, true },
		{ "blendFunc gl_zero gl_src_color", BSPSCENE_BLEND_ZERO, BSPSCENE_BLEND_SRC_COLOR, false },
		{ "blendFunc GL_DST_ALPHA GL_ONE_MINUS_DST_ALPHA", BSPSCENE_BLEND_DST_ALPHA, BSPSCENE_BLEND_ONE_MINUS_DST_ALPHA,
		  false },
		{ "blendFunc GL_SRC_ALPHA_SATURATE GL_ONE", BSPSCENE_BLEND_SRC_ALPHA_SATURATE, BSPSCENE_BLEND_ONE, false },
		/* GL_SRC_COLOR is not allowed as a source factor, and GL_DST_COLOR is not allowed as a destination factor. The
		 * engine uses GL_ONE instead. */
		{ "blendFunc GL_SRC_COLOR GL_DST_COLOR", BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ONE, false },
		{ "depthWrite\n blendFunc blend", BSPSCENE_BLEND_SRC_ALPHA, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA, true },
		{ "blendFunc blend\n depthWrite", BSPSCENE_BLEND_SRC_ALPHA, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA, true },
	};
	bspt_scripts f;
	bspi_shader s;
	(void)state;
	bspt_script_begin(&f);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const bspscene_material_pass *stage = parse_stage(&f, cases[i].text, &s);
		assert_int_equal(stage->src_blend, cases[i].src);
		assert_int_equal(stage->dst_blend, cases[i].dst);
		assert_int_equal(stage->depth_write, cases[i].depth_write);
	}
	bspt_script_end(&f);
}

static void alpha_tests(void **state)
{
	static const struct { const char *text; bspscene_alpha_mode mode; bool less; float above, below; } cases[] = {
		{ "", BSPSCENE_ALPHA_MODE_OPAQUE, false, 1, 0 },
		{ "alphaFunc GT0", BSPSCENE_ALPHA_MODE_MASK, false, 1 / 255.0f, 0 },
		{ "alphaFunc GE128", BSPSCENE_ALPHA_MODE_MASK, false, 128 / 255.0f, 127 / 255.0f },
		{ "alphaFunc LT128", BSPSCENE_ALPHA_MODE_MASK, true, 128 / 255.0f, 127 / 255.0f },
		{ "alphaFunc GE192", BSPSCENE_ALPHA_MODE_MASK, false, 192 / 255.0f, 191 / 255.0f },
		{ "alphaFunc never", BSPSCENE_ALPHA_MODE_OPAQUE, false, 1, 0 },
	};
	bspt_scripts f;
	bspi_shader s;
	(void)state;
	bspt_script_begin(&f);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const bspscene_material_pass *stage = parse_stage(&f, cases[i].text, &s);
		assert_int_equal(stage->alpha_test, cases[i].mode);
		assert_int_equal(stage->alpha_test_less, cases[i].less);
		bool tests = stage->alpha_test == BSPSCENE_ALPHA_MODE_MASK;
		assert_true(!tests || (cases[i].above >= stage->alpha_cutoff && cases[i].below < stage->alpha_cutoff));
	}
	bspt_script_end(&f);
}

static void colors(void **state)
{
	static const struct { const char *text; bspscene_color_gen color; bspscene_alpha_gen alpha;
	} cases[] = {
		{ "", BSPSCENE_COLOR_GEN_IDENTITY_LIGHTING, BSPSCENE_ALPHA_GEN_IDENTITY },
		{ "blendFunc filter", BSPSCENE_COLOR_GEN_IDENTITY, BSPSCENE_ALPHA_GEN_IDENTITY },
		{ "blendFunc add", BSPSCENE_COLOR_GEN_IDENTITY_LIGHTING, BSPSCENE_ALPHA_GEN_IDENTITY },
		{ "rgbGen identityLighting", BSPSCENE_COLOR_GEN_IDENTITY_LIGHTING, BSPSCENE_ALPHA_GEN_IDENTITY },
		{ "rgbGen vertex", BSPSCENE_COLOR_GEN_VERTEX, BSPSCENE_ALPHA_GEN_VERTEX },
		{ "rgbGen exactVertex", BSPSCENE_COLOR_GEN_VERTEX, BSPSCENE_ALPHA_GEN_IDENTITY },
		{ "alphaGen const .5\n rgbGen vertex", BSPSCENE_COLOR_GEN_VERTEX, BSPSCENE_ALPHA_GEN_CONST },
		{ "rgbGen oneMinusVertex", BSPSCENE_COLOR_GEN_ONE_MINUS_VERTEX, BSPSCENE_ALPHA_GEN_IDENTITY },
		{ "rgbGen entity\n alphaGen oneMinusEntity", BSPSCENE_COLOR_GEN_ENTITY, BSPSCENE_ALPHA_GEN_ONE_MINUS_ENTITY },
		{ "rgbGen lightingDiffuse\n alphaGen lightingSpecular", BSPSCENE_COLOR_GEN_DIFFUSE,
		  BSPSCENE_ALPHA_GEN_SPECULAR },
		{ "rgbGen const ( .5 .25 2 )", BSPSCENE_COLOR_GEN_CONST, BSPSCENE_ALPHA_GEN_IDENTITY },
		{ "rgbGen wave sin .5 .25 0 1", BSPSCENE_COLOR_GEN_WAVE, BSPSCENE_ALPHA_GEN_IDENTITY },
		{ "alphaGen portal", BSPSCENE_COLOR_GEN_IDENTITY_LIGHTING, BSPSCENE_ALPHA_GEN_PORTAL },
		{ "alphaGen normalzfade 1 2 3", BSPSCENE_COLOR_GEN_IDENTITY_LIGHTING, BSPSCENE_ALPHA_GEN_IDENTITY },
		{ "rgbGen identity alphaGen vertex tcMod scale 2 2", BSPSCENE_COLOR_GEN_IDENTITY, BSPSCENE_ALPHA_GEN_VERTEX },
	};
	bspt_scripts f;
	bspi_shader s;
	(void)state;
	bspt_script_begin(&f);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const bspscene_material_pass *stage = parse_stage(&f, cases[i].text, &s);
		assert_int_equal(stage->color_gen, cases[i].color);
		assert_int_equal(stage->alpha_gen, cases[i].alpha);
	}
	const bspscene_material_pass *stage =
		parse_stage(&f, "rgbGen const ( .5 .25 2 )\nalphaGen wave triangle 1 2 3 4", &s);
	assert_true(stage->color[0] == 0.5f && stage->color[1] == 0.25f && stage->color[2] == 1);
	assert_int_equal(stage->alpha_wave.func, BSPSCENE_WAVE_TRIANGLE);
	assert_true(stage->alpha_wave.base == 1 && stage->alpha_wave.amplitude == 2 && stage->alpha_wave.phase == 3 &&
	            stage->alpha_wave.frequency == 4);
	assert_true(parse_stage(&f, "alphaGen portal 64", &s)->alpha_range == 64);
	assert_true(parse_stage(&f, "alphaGen portal", &s)->alpha_range == 256);
	bspt_script_end(&f);
}

static void coordinates(void **state)
{
	bspt_scripts f;
	bspi_shader s;
	(void)state;
	bspt_script_begin(&f);
	const bspscene_material_pass *stage = parse_stage(&f, "tcMod scroll 1 -2\n tcMod rotate 30\n tcMod turb 1 2 3 4\n"
	                                              "tcMod transform 1 2 3 4 5 6\n tcMod scale 9 9", &s);
	assert_int_equal(stage->tc_mod_count, BSPSCENE_MATERIAL_PASS_MAX_TC_MODS);
	assert_true(stage->tc_mods[0].kind == BSPSCENE_TC_MOD_SCROLL && stage->tc_mods[0].values[1] == -2);
	assert_true(stage->tc_mods[1].kind == BSPSCENE_TC_MOD_ROTATE && stage->tc_mods[1].values[0] == 30);
	const bspscene_tc_mod *turbulence = &stage->tc_mods[2];
	assert_true(turbulence->kind == BSPSCENE_TC_MOD_TURBULENCE && turbulence->wave.func == BSPSCENE_WAVE_SIN);
	assert_true(turbulence->wave.amplitude == 2 && turbulence->wave.phase == 3 && turbulence->wave.frequency == 4);
	assert_true(stage->tc_mods[3].kind == BSPSCENE_TC_MOD_TRANSFORM && stage->tc_mods[3].values[5] == 6);

	stage = parse_stage(&f, "tcMod stretch inversesawtooth 1 .5 0 2\n tcGen vector ( 1 0 0 ) ( 0 2 0 )", &s);
	assert_true(stage->tc_mods[0].kind == BSPSCENE_TC_MOD_STRETCH &&
	            stage->tc_mods[0].wave.func == BSPSCENE_WAVE_INVERSE_SAWTOOTH);
	assert_true(stage->tc_gen == BSPSCENE_TC_GEN_VECTOR && stage->tc_vectors[0][0] == 1 &&
	            stage->tc_vectors[1][1] == 2);
	assert_int_equal(parse_stage(&f, "tcGen environment", &s)->tc_gen, BSPSCENE_TC_GEN_ENVIRONMENT);
	assert_int_equal(parse_stage(&f, "texGen lightmap", &s)->tc_gen, BSPSCENE_TC_GEN_LIGHTMAP);
	assert_int_equal(parse_stage(&f, "tcGen base", &s)->tc_gen, BSPSCENE_TC_GEN_TEXTURE);
	assert_true(parse_stage(&f, "tcMod nonsense 1", &s)->tc_mod_count == 0);
	assert_true(parse_stage(&f, "depthFunc equal\n detail", &s)->depth_equal && s.stages[0].stage.is_detail);
	bspt_script_end(&f);
}

static void sources(void **state)
{
	static const struct {
		const char *text;
		uint32_t stages;
		bspscene_pass_input source;
		uint32_t images;
		bool clamp;
	} cases[] = {
		{ "{ map a.tga }", 1, BSPSCENE_PASS_INPUT_IMAGE, 1, false },
		{ "{ clampMap a.tga }", 1, BSPSCENE_PASS_INPUT_IMAGE, 1, true },
		{ "{ map $lightmap }", 1, BSPSCENE_PASS_INPUT_LIGHTMAP, 0, false },
		{ "{ map *white }", 1, BSPSCENE_PASS_INPUT_WHITE, 0, false },
		{ "{ map $whiteImage }", 1, BSPSCENE_PASS_INPUT_WHITE, 0, false },
		{ "{ animMap 10 a b c\n }", 1, BSPSCENE_PASS_INPUT_IMAGE, 3, false },
		{ "{ animMap 10 a b c }", 1, BSPSCENE_PASS_INPUT_IMAGE, 3, false },
		{ "{ clampanimMap 10 a b\n }", 1, BSPSCENE_PASS_INPUT_IMAGE, 2, true },
		{ "{ videoMap intro.roq }", 1, BSPSCENE_PASS_INPUT_VIDEO, 0, false },
		{ "{ map a.tga\n map b.tga }", 1, BSPSCENE_PASS_INPUT_IMAGE, 1, false },
		{ "{ map $lightmap\n map b.tga }", 1, BSPSCENE_PASS_INPUT_IMAGE, 1, false },
		{ "{ rgbGen identity }", 0, BSPSCENE_PASS_INPUT_IMAGE, 0, false },  /* a stage without an image */
		{ "{ map\n }", 0, BSPSCENE_PASS_INPUT_IMAGE, 0, false },
		{ "{ map $deluxemap }", 0, BSPSCENE_PASS_INPUT_IMAGE, 0, false },
		{ "{ shadecubemap env/a }", 0, BSPSCENE_PASS_INPUT_IMAGE, 0, false },
	};
	bspt_scripts f;
	bspi_shader s;
	(void)state;
	bspt_script_begin(&f);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_parse(&f, cases[i].text, &s);
		assert_int_equal(s.stage_count, cases[i].stages);
		if (!s.stage_count) continue;
		assert_int_equal(s.stages[0].stage.input, cases[i].source);
		assert_int_equal(s.stages[0].image_count, cases[i].images);
		assert_int_equal(s.stages[0].stage.clamp, cases[i].clamp);
		bool light = cases[i].source == BSPSCENE_PASS_INPUT_LIGHTMAP;
		assert_int_equal(s.stages[0].stage.tc_gen, light ? BSPSCENE_TC_GEN_LIGHTMAP : BSPSCENE_TC_GEN_TEXTURE);
	}
	bspt_parse(&f, "{ animMap 7.5 a b\n}", &s);
	assert_true(s.stages[0].stage.frames_per_second == 7.5f);
	bspt_script_end(&f);
}

/* q3map2 writes the number of a light style only as a comment. */
static void light_styles_are_in_comments(void **state)
{
	static const struct { const char *text; uint32_t style; } cases[] = {
		{ "rgbGen wave noise 0.5 1 0 5.37 // style 1", 1 }, { "rgbGen identity // style 33", 33 },
		{ "rgbGen identity", 0 }, { "rgbGen identity // style 255", 0 }, { "rgbGen identity // style -4", 0 },
		{ "rgbGen identity\n // style 5", 0 },
	};
	bspt_scripts f;
	bspi_shader s;
	(void)state;
	bspt_script_begin(&f);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(parse_stage(&f, cases[i].text, &s)->light_style, cases[i].style);
	}
	bspt_script_end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(surface_keywords),
		cmocka_unit_test(cull_names),
		cmocka_unit_test(two_textures_are_two_stages),
		cmocka_unit_test(two_blended_textures_are_the_picture),
		cmocka_unit_test(blend_decides_depth_write),
		cmocka_unit_test(alpha_tests),
		cmocka_unit_test(colors),
		cmocka_unit_test(coordinates),
		cmocka_unit_test(sources),
		cmocka_unit_test(light_styles_are_in_comments),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
