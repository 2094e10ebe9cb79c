/* Promise: in UFO: Alien Invasion, the reflection of a blended surface is drawn before the surface, so that it is seen
 * through it. The picture of the reflection follows the line of sight. It is black over an unlit liquid, and is not
 * drawn on an opaque surface. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <bspscene/material.h>

#include "support/make/made_game.h"

#define TEXT \
	"{\nmaterial tex_a/water\n{\nenvmap 0\n}\n}\n{\nmaterial tex_a/glass\n{\nenvmap 0\n}\n}\n" \
	"{\nmaterial tex_a/wall\n{\nenvmap 0\n}\n}\n"

enum { WARP = 8, BLENDED = 0x10 };

static void reflections_lie_below_blended_surfaces(void **state)
{
	bspt_game g;
	(void)state;
	bspt_game_start(&g);
	g.map.rules.materials = BSPI_MATERIALS_UFOAI;
	bspt_game_add(&g, "materials/test.mat", TEXT, sizeof TEXT - 1);
	bspt_game_picture(&g, "textures/tex_a/water.tga");
	bspt_game_picture(&g, "textures/tex_a/glass.tga");
	bspt_game_picture(&g, "textures/tex_a/wall.tga");
	bspt_game_picture(&g, "pics/envmaps/envmap_0.tga");
	bspt_game_use(&g, "tex_a/water", WARP | BLENDED, 0);
	bspt_game_use(&g, "tex_a/glass", BLENDED, 0);
	bspt_game_use(&g, "tex_a/wall", 0, 0);
	bspt_game_make(&g);

	for (uint32_t i = 0; i < 2; i++) {
		const bspscene_material *material = bspt_game_material(&g, i);
		const bspscene_material_pass *below = bspt_game_stage(&g, i, 0), *surface = bspt_game_stage(&g, i, 1);
		assert_int_equal(material->pass_count, 2);
		assert_int_equal(below->tc_gen, BSPSCENE_TC_GEN_SIGHT);
		assert_int_equal(below->src_blend, BSPSCENE_BLEND_SRC_ALPHA);
		assert_string_equal(bspt_game_image(&g, g.scene.frame_images[below->first_frame_image]),
		                    "pics/envmaps/envmap_0");
		assert_int_equal(surface->tc_gen, BSPSCENE_TC_GEN_TEXTURE);
	}
	const bspscene_material_pass *liquid = bspt_game_stage(&g, 0, 0);
	assert_int_equal(liquid->color_gen, BSPSCENE_COLOR_GEN_CONST);
	assert_true(liquid->color[0] == 0 && liquid->color[1] == 0 && liquid->color[2] == 0);
	assert_int_equal(bspt_game_stage(&g, 1, 0)->color_gen, BSPSCENE_COLOR_GEN_LIGHT);
	const bspscene_material *wall = bspt_game_material(&g, 2);
	for (uint32_t i = 0; i < wall->pass_count; i++) {
		assert_int_not_equal(bspt_game_stage(&g, 2, i)->tc_gen, BSPSCENE_TC_GEN_SIGHT);
	}
	bspt_game_end(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(reflections_lie_below_blended_surfaces) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
