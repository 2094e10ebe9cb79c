/* Promise: a material file of UFO: Alien Invasion describes textures by their names. A texture that the file does not
 * name gets no material, and neither does one whose name is too long. Unknown blend factors are GL_ZERO. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "materials/ufoai/mat.h"

#define FIFTEEN "abcdefghijklmno"
#define LONGEST FIFTEEN FIFTEEN FIFTEEN FIFTEEN "xyz"

static void names_are_read_or_left_out(void **state)
{
	static const struct { const char *said, *want; } cases[] = {
		{ "wall", "wall" }, { "tex_a/b.c", "tex_a/b.c" }, { "", "" }, { LONGEST, LONGEST }, { LONGEST "!", "" },
	};
	(void)state;
	assert_int_equal(sizeof LONGEST, BSPI_MAT_NAME);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *said = cases[i].said, *want = cases[i].want;
		char text[1024];
		bspi_ctx ctx = { .file = "test", .name = "test", .budget.limit = 1u << 20 };
		bspi_mats mats = { NULL, 0, 0 };
		snprintf(text, sizeof text,
		         "{\nmaterial a\nnormalmap %s\nglowmap %s\n{\ntexture %s\n}\n{\nenvmap %s\n}\n}\n{\nmaterial %s\n}\n",
		         said, said, said, said, said);
		bspi_begin_memory(&ctx);
		assert_true(bspi_read_mats(&ctx, bspi_bytes_of(text, strlen(text)), &mats));
		/* A material without a name is ignored. */
		assert_int_equal(mats.count, *want ? 2 : 1);
		assert_string_equal(mats.mats[0].name, "a");
		assert_string_equal(mats.mats[0].normal_map, want);
		assert_string_equal(mats.mats[0].glow_map, want);
		assert_int_equal(mats.mats[0].stage_count, 2);
		for (int stage = 0; stage < 2; stage++) {
			assert_string_equal(mats.mats[0].stages[stage].texture, want);
			assert_int_equal(mats.mats[0].stages[stage].environment, stage);
		}
		bspi_end_memory(&ctx);
	}
}

/* The engine reports an unknown name of a blend factor, and uses GL_ZERO (R_ConstByName in r_material.cpp). */
static void unknown_blend_factors_are_zero(void **state)
{
	static const struct { const char *said; bspscene_blend src, dst; } cases[] = {
		{ "blend GL_ONE GL_DST_ALPHA", BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ZERO },
		{ "blend GL_SRC_ALPHA_SATURATE GL_SRC_COLOR", BSPSCENE_BLEND_ZERO, BSPSCENE_BLEND_SRC_COLOR },
		{ "blend GL_ONE", BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ZERO },
		{ "", BSPSCENE_BLEND_SRC_ALPHA, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[256];
		bspi_ctx ctx = { .file = "test", .name = "test", .budget.limit = 1u << 20 };
		bspi_mats mats = { NULL, 0, 0 };
		snprintf(text, sizeof text, "{\nmaterial a\n{\ntexture b\n%s\n}\n}\n", cases[i].said);
		bspi_begin_memory(&ctx);
		assert_true(bspi_read_mats(&ctx, bspi_bytes_of(text, strlen(text)), &mats));
		assert_int_equal(mats.mats[0].stage_count, 1);
		assert_int_equal(mats.mats[0].stages[0].src_blend, cases[i].src);
		assert_int_equal(mats.mats[0].stages[0].dst_blend, cases[i].dst);
		bspi_end_memory(&ctx);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_read_or_left_out), cmocka_unit_test(unknown_blend_factors_are_zero),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
