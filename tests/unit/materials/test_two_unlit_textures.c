/* test_two_unlit_textures.c - Source's UnlitTwoTexture draws the product of two pictures, each with its own
 * coordinates. It is opaque, whatever its alpha is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "support/source/source_game.h"

static void two_unlit_pictures(void **state)
{
	(void)state;
	static const struct { const char *more; bool second; float scale, moved; bspscene_alpha_mode alpha; } cases[] = {
		{ "", false, 0, 0, BSPSCENE_ALPHA_MODE_OPAQUE },
		{ "$texture2 a/grass $translucent 1", true, 1, 0, BSPSCENE_ALPHA_MODE_OPAQUE },
		{ "$texture2 a/grass $additive 1 $texture2transform \"center 0 0 scale 2 3 rotate 0 translate 0.25 0\"", true,
		  2, 0.25f, BSPSCENE_ALPHA_MODE_ADD },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char vmt[256];
		snprintf(vmt, sizeof vmt, "UnlitTwoTexture { $basetexture a/wall %s }", cases[i].more);
		bspt_source_file files[] = {
			{ "materials/a/b.vmt", vmt }, { "materials/a/wall.vtf", NULL }, { "materials/a/grass.vtf", NULL },
		};
		bspt_game g;
		bspt_source_start(&g, files, sizeof files / sizeof *files);
		bspt_game_use(&g, "a/b", 0, 0);
		bspt_game_make(&g);
		const bspscene_material *m = bspt_game_material(&g, 0);
		assert_true(m->unlit);
		assert_int_equal(m->alpha_mode, cases[i].alpha);
		assert_int_equal(m->detail_texture != NULL, cases[i].second);
		if (m->detail_texture) {
			assert_int_equal(m->detail_texture->mode, BSPSCENE_DETAIL_TEXTURE_MULTIPLY);
			assert_true(m->detail_texture->own_uv && m->detail_texture->keeps_alpha);
			assert_true(m->detail_texture->uv_scale[0] == cases[i].scale &&
			            m->detail_texture->uv_offset[0] == cases[i].moved);
		}
		bspt_game_end(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(two_unlit_pictures) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
