/* Promise: a material has several stages, and one of their textures is chosen as its base texture. The choice is the
 * one that a person would make. Blending, glow and motion are recognized. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "materials/materials.h"
#include "support/make/made_game.h"

typedef struct reading {
	const char *what, *text, *base, *second, *emissive;
	bspscene_alpha_mode mode;
	float opacity, cutoff;
	bool unlit, vertex_lit;
	float sort;
} reading;

static const reading readings[] = {
	{ "light, then texture",
	  "{ map $lightmap } { map a\nblendfunc filter }",
	  "a", "", "", BSPSCENE_ALPHA_MODE_OPAQUE, 1, 0, false, false, 3 },
	{ "texture, then light",
	  "{ map a } { map $lightmap\nblendfunc gl_dst_color gl_zero }",
	  "a", "", "", BSPSCENE_ALPHA_MODE_OPAQUE, 1, 0, false, false, 3 },
	{ "no light at all",
	  "{ map a }",
	  "a", "", "", BSPSCENE_ALPHA_MODE_OPAQUE, 1, 0, true, false, 3 },
	{ "light at vertices",
	  "{ map a\nrgbgen exactVertex }",
	  "a", "", "", BSPSCENE_ALPHA_MODE_OPAQUE, 1, 0, false, true, 3 },
	{ "environment first",
	  "{ map env\ntcgen environment } { map a\nblendfunc blend } { map $lightmap\nblendfunc filter }",
	  "a", "", "", BSPSCENE_ALPHA_MODE_OPAQUE, 1, 0, false, false, 3 },
	{ "environment behind",
	  "{ map a } { map env\nblendfunc add\ntcgen environment } { map $lightmap\nblendfunc filter }",
	  "a", "", "", BSPSCENE_ALPHA_MODE_OPAQUE, 1, 0, false, false, 3 },
	{ "glow",
	  "{ map $lightmap } { map a\nblendfunc filter } { map glow\nblendfunc add\nrgbgen const ( .5 .5 .5 ) }",
	  "a", "", "glow", BSPSCENE_ALPHA_MODE_OPAQUE, 1, 0, false, false, 3 },
	{ "glow that is lit",
	  "{ map a } { map glow\nblendfunc add } { map $lightmap\nblendfunc filter }",
	  "a", "", "", BSPSCENE_ALPHA_MODE_OPAQUE, 1, 0, false, false, 3 },
	{ "glow first",
	  "{ map glow\ntcmod scroll 1 1 } { map a\nblendfunc blend } { map $lightmap\nblendfunc filter }",
	  "a", "", "", BSPSCENE_ALPHA_MODE_OPAQUE, 1, 0, false, false, 3 },
	{ "terrain",
	  "{ map rock } { map grass\nblendfunc blend\nalphagen vertex } { map $lightmap\nblendfunc filter }",
	  "rock", "grass", "", BSPSCENE_ALPHA_MODE_OPAQUE, 1, 0, false, false, 3 },
	{ "terrain upside down",
	  "{ map rock } { map grass\nblendfunc blend\nalphagen oneMinusVertex } { map $lightmap\nblendfunc filter }",
	  "grass", "rock", "", BSPSCENE_ALPHA_MODE_OPAQUE, 1, 0, false, false, 3 },
	{ "grate",
	  "{ map a\nalphafunc GE128\ndepthwrite } { map $lightmap\nblendfunc filter\ndepthfunc equal }",
	  "a", "", "", BSPSCENE_ALPHA_MODE_MASK, 1, 0.5f, false, false, 3 },
	{ "soft grate",
	  "{ map a\nblendfunc blend\nalphafunc GE128\ndepthwrite } { map $lightmap\nblendfunc filter\ndepthfunc equal }",
	  "a", "", "", BSPSCENE_ALPHA_MODE_MASK, 1, 0.5f, false, false, 5 },
	{ "glass",
	  "cull disable\n{ map a\nblendfunc blend\nrgbgen vertex }",
	  "a", "", "", BSPSCENE_ALPHA_MODE_BLEND, 1, 0, false, true, 9 },
	{ "thin glass",
	  "{ map a\nblendfunc blend\nalphagen const .25 }",
	  "a", "", "", BSPSCENE_ALPHA_MODE_BLEND, 0.25f, 0, true, false, 9 },
	{ "flame",
	  "{ animmap 10 a b c\nblendfunc add }",
	  "a", "", "", BSPSCENE_ALPHA_MODE_ADD, 1, 0, true, false, 9 },
	{ "shadow",
	  "polygonoffset\n{ map a\nblendfunc gl_zero gl_one_minus_src_color }",
	  "a", "", "", BSPSCENE_ALPHA_MODE_MODULATE, 1, 0, true, false, 4 },
	{ "water",
	  "{ map a\nblendfunc gl_one gl_src_color } { map $lightmap\nblendfunc filter }",
	  "a", "", "", BSPSCENE_ALPHA_MODE_BLEND, 0.5f, 0, false, false, 9 },
	{ "missing first",
	  "{ map gone } { map a\nblendfunc add }",
	  "a", "", "", BSPSCENE_ALPHA_MODE_OPAQUE, 1, 0, true, false, 3 },
	{ "nothing but light",
	  "{ map $lightmap }",
	  "", "", "", BSPSCENE_ALPHA_MODE_OPAQUE, 1, 0, false, false, 3 },
	{ "detail",
	  "{ map a } { map grass\nblendfunc gl_dst_color gl_src_color\ndetail } { map $lightmap\nblendfunc filter }",
	  "a", "", "", BSPSCENE_ALPHA_MODE_OPAQUE, 1, 0, false, false, 3 },
	{ "editor image",
	  "qer_editorimage grass.tga\n{ map gone }",
	  "grass", "", "", BSPSCENE_ALPHA_MODE_OPAQUE, 1, 0, true, false, 3 },
	{ "white on purpose",
	  "qer_editorimage grass.tga\n{ map $whiteimage }",
	  "", "", "", BSPSCENE_ALPHA_MODE_OPAQUE, 1, 0, true, false, 3 },
	{ "no stages",
	  "surfaceparm metalsteps\n qer_editorimage a",
	  "textures/test", "", "", BSPSCENE_ALPHA_MODE_OPAQUE, 1, 0, false, false, 3 },
	{ "implicit",
	  "implicitMap a.tga",
	  "a", "", "", BSPSCENE_ALPHA_MODE_OPAQUE, 1, 0, false, false, 3 },
	{ "implicit mask",
	  "implicitMask a.tga",
	  "a", "", "", BSPSCENE_ALPHA_MODE_MASK, 1, 0.5f, false, false, 3 },
	{ "implicit blend",
	  "implicitBlend -",
	  "textures/test", "", "", BSPSCENE_ALPHA_MODE_BLEND, 1, 0, false, false, 5 },
	{ "sort by number",
	  "sort 12\n{ map a }",
	  "a", "", "", BSPSCENE_ALPHA_MODE_OPAQUE, 1, 0, true, false, 12 },
};

static void stages_read_as_one_texture(void **state)
{
	static const char *const images[] = { "a.tga", "b.tga", "c.tga", "env.tga", "glow.tga", "rock.tga", "grass.tga",
	                                      "textures/test.tga" };
	(void)state;
	for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
		const reading *r = &readings[i];
		bspt_game g;
		char text[512];
		bspt_game_start(&g);
		for (size_t k = 0; k < sizeof images / sizeof *images; k++) bspt_game_add(&g, images[k], bspt_tga32,
		                                                                          sizeof bspt_tga32);
		snprintf(text, sizeof text, "textures/test {\n%s\n}", r->text);
		bspt_game_script(&g, text);
		bspt_game_use(&g, "textures/test", 0, 0);
		bspt_game_make(&g);
		const bspscene_material *m = bspt_game_material(&g, 0);
		char found[256], wanted[256];
		const char *format = "%s: %s|%s|%s mode %d opacity %g cutoff %g unlit %d vertex %d sort %g";
		const char *base = bspt_game_image(&g, m->base_image), *second = bspt_game_image(&g, m->second_image);
		snprintf(found, sizeof found, format, r->what, base, second, bspt_game_image(&g, m->emissive_image),
		         (int)m->alpha_mode,
		         (double)m->color[3], (double)m->alpha_cutoff, m->unlit, m->vertex_lit, (double)m->sort);
		snprintf(wanted, sizeof wanted, format, r->what, r->base, r->second, r->emissive, (int)r->mode,
		         (double)r->opacity, (double)r->cutoff, r->unlit, r->vertex_lit, (double)r->sort);
		assert_string_equal(found, wanted);
		bspt_game_end(&g);
	}
}

static void coordinates_are_read_at_time_zero(void **state)
{
	static const struct { const char *text; float scale[2], offset[2], scroll[2]; } cases[] = {
		{ "tcmod scale 2 3\n tcmod scroll 1 -1", { 2, 3 }, { 0, 0 }, { 1, -1 } },
		{ "tcmod scroll 1 -1\n tcmod scale 2 3", { 2, 3 }, { 0, 0 }, { 2, -3 } },
		{ "tcmod transform 2 0 0 4 .5 .25", { 2, 4 }, { 0.5f, 0.25f }, { 0, 0 } },
		{ "tcmod stretch sin 2 0 0 1", { 0.5f, 0.5f }, { 0.25f, 0.25f }, { 0, 0 } },
		{ "tcmod stretch sin 0 0 0 1", { 1, 1 }, { 0, 0 }, { 0, 0 } },       /* ignored, as 1 / 0 is infinite */
		{ "tcmod scale 3e38 1\n tcmod scale 3e38 1", { 1, 1 }, { 0, 0 }, { 0, 0 } },
		{ "tcmod rotate 90\n tcmod turb 0 1 0 1", { 1, 1 }, { 0, 0 }, { 0, 0 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_game g;
		char text[256];
		bspt_game_start(&g);
		bspt_game_picture(&g, "a.tga");
		snprintf(text, sizeof text, "textures/test { { map a\n %s\n } }", cases[i].text);
		bspt_game_script(&g, text);
		bspt_game_use(&g, "textures/test", 0, 0);
		bspt_game_make(&g);
		const bspscene_material *m = bspt_game_material(&g, 0);
		for (int k = 0; k < 2; k++) {
			assert_true(m->uv_scale[k] == cases[i].scale[k] && m->uv_offset[k] == cases[i].offset[k] &&
			            m->scroll[k] == cases[i].scroll[k]);
		}
		bspt_game_end(&g);
	}
}

static void waves_have_the_engines_shapes(void **state)
{
	static const struct { bspscene_wave_func func; float at[4]; } cases[] = {
		{ BSPSCENE_WAVE_SIN, { 0, 1, 0, -1 } }, { BSPSCENE_WAVE_SQUARE, { 1, 1, -1, -1 } },
		{ BSPSCENE_WAVE_TRIANGLE, { 0, 1, 0, -1 } },
		{ BSPSCENE_WAVE_SAWTOOTH, { 0, 0.25f, 0.5f, 0.75f } },
		{ BSPSCENE_WAVE_INVERSE_SAWTOOTH, { 1, 0.75f, 0.5f, 0.25f } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (int k = 0; k < 4; k++) {
			bspscene_wave wave = { cases[i].func, 1, 2, 0.25f * (float)k, 1 };
			assert_float_equal(bspi_wave_value(&wave, 0), 1 + 2 * cases[i].at[k], 1e-5);
			assert_float_equal(bspi_wave_value(&wave, 3), 1 + 2 * cases[i].at[k], 1e-5);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stages_read_as_one_texture),
		cmocka_unit_test(coordinates_are_read_at_time_zero),
		cmocka_unit_test(waves_have_the_engines_shapes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
