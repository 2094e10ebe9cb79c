/* test_shader_template.c - QFusion's templates: a shader may continue as another definition into which arguments are
 * inserted. Definitions that refer to themselves, or that would grow without limit, are bounded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "materials/shader/script_index.h"
#include "support/scripts.h"

#define HUGE_WORD "$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1"

static const char scripts[] =
	"dirt_Template\n{\n\tpolygonOffset\n\t{\n\t\tmap decals/$1_$2.tga\n\t\tblendFunc $3\n"
	"\t\talphaGen const $9$\n\t}\n}\n"
	"plain { cull none\n { map a/w.tga } }\n"
	"nested { template dirt_Template $2 $1 add\n }\n"
	"circle { cull none\n template circle\n }\n"
	"growing { template growing " HUGE_WORD " " HUGE_WORD " " HUGE_WORD "\n }\n"
	"open { { map a/b.tga\n";

/* `text` is what a shader has after its opening brace. */
static const struct template_case {
	const char *text, *image;          /* image of the first stage, NULL if there is no stage */
	bspscene_blend dst;
	bspscene_cull cull;
	/* `unknown` is the number of unknown keywords, missing templates, and templates that contain themselves. */
	uint32_t stages, unknown;
} cases[] = {
	{ "template dirt_template 01 big blend\n cull none\n { map x.tga } }", "decals/01_big.tga",
	  BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA, BSPSCENE_CULL_BACK, 1, 0 },
	{ "cull none\n template dirt_Template 01\n }", "decals/01_$2.tga", BSPSCENE_BLEND_ZERO, BSPSCENE_CULL_NONE, 1, 0 },
	{ "template plain\n }", "a/w.tga", BSPSCENE_BLEND_ZERO, BSPSCENE_CULL_NONE, 1, 0 },
	{ "template nested a b\n }", "decals/b_a.tga", BSPSCENE_BLEND_ONE, BSPSCENE_CULL_BACK, 1, 0 },
	{ "template gone\n cull none\n }", NULL, BSPSCENE_BLEND_ZERO, BSPSCENE_CULL_NONE, 0, 1 },
	{ "template\n cull none\n }", NULL, BSPSCENE_BLEND_ZERO, BSPSCENE_CULL_NONE, 0, 1 },
	{ "template circle\n }", NULL, BSPSCENE_BLEND_ZERO, BSPSCENE_CULL_NONE, 0, 1 },
	{ "template growing " HUGE_WORD "\n }", NULL, BSPSCENE_BLEND_ZERO, BSPSCENE_CULL_BACK, 0, 0 },
	{ "template open\n }", "a/b.tga", BSPSCENE_BLEND_ZERO, BSPSCENE_CULL_BACK, 1, 0 },
};

static void templates_take_the_place_of_the_rest(void **state)
{
	(void)state;
	bspt_scripts f;
	bspt_script_begin(&f);
	bspt_script_add(&f, "scripts/a.shader", scripts, sizeof scripts - 1);
	bspi_sort_definitions(&f.index);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		static bspi_shader s;
		bspi_script script = bspi_script_open(bspi_bytes_of(cases[i].text, strlen(cases[i].text)));
		memset(&s, 0, sizeof s);
		s.templates = &f.index;
		assert_true(bspi_parse_shader(&f.ctx, &script, &s));
		bool same = s.stage_count == cases[i].stages && s.material.cull == cases[i].cull;
		if (same && cases[i].image) {
			same = !strcmp(s.stages[0].images[0], cases[i].image) && s.stages[0].stage.dst_blend == cases[i].dst;
		}
		assert_int_equal(s.unknown_count, cases[i].unknown);
		if (!same) fail_msg("case %zu: %u stages, %s", i, (unsigned)s.stage_count, s.stages[0].images[0]);
	}
	bspt_script_end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(templates_take_the_place_of_the_rest) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
