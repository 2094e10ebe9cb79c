/* test_bump_light.c - normal maps of surfaces with lightmaps change the light that comes from the bump pages of the
 * map. Normal maps of other surfaces do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "support/source/source_game.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct bump_case {
	const char *vmt;
	bool asked, displaced, bends, twice, self_shadowing;
} bump_case;

static const bump_case cases[] = {
	{ "LightmappedGeneric { $basetexture a/wall $bumpmap a/bumps }", true, false, true, false, false },
	{ "LightmappedGeneric { $basetexture a/wall $bumpmap a/bumps $ssbump 1 }", true, false, true, false, true },
	{ "WorldVertexTransition { $basetexture a/wall $basetexture2 a/solid $bumpmap a/bumps $bumpmap2 a/wall }", true,
	  true, true, true, false },
	{ "LightmappedGeneric { $basetexture a/wall $bumpmap a/bumps $bumpmap2 a/wall }", true, false, true, false, false },
	{ "LightmappedGeneric { $basetexture a/wall $bumpmap a/bumps }", false, false, false, false, false },
	{ "LightmappedGeneric { $basetexture a/wall $bumpmap a/bumps $nodiffusebumplighting 1 }", true, false, false, false,
	  false },
	{ "LightmappedGeneric { $basetexture a/wall $bumpmap a/gone }", true, false, false, false, false },
	{ "VertexLitGeneric { $basetexture a/wall $bumpmap a/bumps }", true, false, false, false, false },
};

static void lightmapped_surfaces_alone_bend_light(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const bspt_source_file files[] = {
			{ "materials/a/b.vmt", cases[i].vmt }, { "materials/a/wall.vtf", NULL }, { "materials/a/bumps.vtf", NULL },
			{ "materials/a/solid.vtf", NULL },
		};
		bspt_game g;
		bspt_source_start(&g, files, COUNT(files));
		g.ctx.options.reflections = cases[i].asked;
		bspt_game_use(&g, "a/b", 0, 0);
		if (cases[i].displaced) g.faces[0].kind = BSPI_FACE_DISPLACEMENT;
		bspt_game_make(&g);
		const bspscene_bump_light *bumps = bspt_game_material(&g, 0)->bump_light;
		assert_int_equal(bumps != NULL, cases[i].bends);
		if (bumps) {
			assert_string_equal(g.scene.images[bumps->image]->name, "materials/a/bumps");
			assert_int_equal(bumps->second_image != BSPSCENE_NO_INDEX, cases[i].twice);
			assert_int_equal(bumps->self_shadowing, cases[i].self_shadowing);
		}
		bspt_game_end(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(lightmapped_surfaces_alone_bend_light) };
	return cmocka_run_group_tests(tests, bspt_source_make_textures, bspt_source_free_textures);
}
