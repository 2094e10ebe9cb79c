/* Promise: a Quake III shader means what the engine makes of its text (tr_shader.c), whatever else the text contains.
 * Of several definitions the engine's choice is used. Reading continues after errors, which are reported with file and
 * line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "support/scripts.h"

/* ---- Words ------------------------------------------------------------------------------------------------ */

static void words_are_cut_as_the_engine_cuts_them(void **state)
{
	static const struct { const char *text; const char *words; } cases[] = {
		{ "", "" },
		{ " \t\r\n", "" },
		{ "a b\tc\r\nd", "a|b|c|d" },
		{ "a // b c\nd", "a|d" },
		{ "a/* b\n c */d", "a|d" },
		{ "a /* never closed", "a" },
		{ "a//b", "a" },                              /* comments are removed first, as COM_Compress does */
		{ "// carriage returns do not end\ra comment\nb", "b" },
		{ "\"a // b\" c", "a // b|c" },
		{ "\"\" a", "|a" },
		{ "\"never closed { }", "never closed { }" },
		{ "a\\b \\\" c", "a\\b|\\\"|c" },             /* backslashes are no escapes */
		{ "{ } }{", "{|}|}|{" },
		{ "name{ key value}", "name|{|key|value|}" },
		{ "textures/{fence {", "textures/{fence|{" },
		{ "}textures/a", "}|textures/a" },
		{ "\xef\xbb\xbfname \xe9nd", "name|nd" },     /* the engine treats bytes above 127 as white space */
		{ "( 1 2 ) (3)", "(|1|2|)|(3)" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char found[256] = "";
		bspi_script script = bspi_script_open(bspi_bytes_of(cases[i].text, strlen(cases[i].text)));
		for (bool more = bspi_script_next(&script), first = true; more;
		     more = bspi_script_next(&script), first = false) {
			snprintf(found + strlen(found), sizeof found - strlen(found), "%s%.40s", first ? "" : "|", script.word);
		}
		assert_string_equal(found, cases[i].words);
	}
}

static void lines_are_counted_for_every_line_end(void **state)
{
	static const char *const texts[] = { "a\nb\nc\n\nd", "a\r\nb\r\nc\r\n\r\nd", "a\rb\rc\r\rd", "/*\n*/\n/*\n*/\nd" };
	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		bspi_script script = bspi_script_open(bspi_bytes_of(texts[i], strlen(texts[i])));
		while (strcmp(script.word, "d")) assert_true(bspi_script_next(&script));
		assert_int_equal(script.word_line, 5);
	}
}

static void arguments_end_with_the_line_or_the_block(void **state)
{
	static const struct { const char *text; uint32_t arguments; } cases[] = {
		{ "key a b\nc", 2 }, { "key a b\rc", 2 }, { "key a } b", 1 }, { "key { a", 0 }, { "key a /* \n */ b\nc", 2 },
		{ "key a // b\nc", 1 },
		{ "key", 0 }, { "key a b}", 2 }, { "key textures/{fence", 1 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint32_t count = 0;
		bspi_script script = bspi_script_open(bspi_bytes_of(cases[i].text, strlen(cases[i].text)));
		assert_true(bspi_script_next(&script));
		while (bspi_script_argument(&script)) count++;
		assert_int_equal(count, cases[i].arguments);
	}
}

static void vectors_may_have_any_brackets(void **state)
{
	static const char *const texts[] = {
		"( 1 2 3 ) next", "(1 2 3) next", "1 2 3 next", "( 1 2 3) next", "1 2 3\nnext",
	};
	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		float v[3];
		bspi_script script = bspi_script_open(bspi_bytes_of(texts[i], strlen(texts[i])));
		assert_true(bspi_script_vector(&script, v, 3));
		assert_true(v[0] == 1 && v[1] == 2 && v[2] == 3);
		assert_true(bspi_script_next(&script));
		assert_string_equal(script.word, "next");
	}
	float v[3];
	bspi_script script = bspi_script_open(bspi_bytes_of("( 1 2 )\n3", 9));
	assert_false(bspi_script_vector(&script, v, 3));
	assert_true(v[0] == 1 && v[1] == 2 && v[2] == 0);
}

/* ---- Other engines ---------------------------------------------------------------------------------------- */

static void keywords_of_other_engines_are_no_surprise(void **state)
{
	static const char *const texts[] = {
		/* Keywords of RTCW and Enemy Territory */
		"implicitMap -\n skyfogvars ( .1 .2 .3 ) 0.5\n nocompress\n distancecull 1 2 3\n lightgridmulamb 2\n"
		"fogvars ( 1 1 1 ) 9\n"
		"{ map a\n fog off\n alphaGen normalzfade 1.0 0 90\n tcMod swap\n }",
		/* Keywords of Raven */
		"q3map_material Grass\n hitMaterial foo\n notc\n { map a\n surfaceSprites vertical 24 12 20 600\n"
		"ssFademax 1000\n ssWind .5\n"
		"alphaFunc GE192\n glow\n rgbGen lightingDiffuseEntity\n }",
		/* Keywords of QFusion and DarkPlaces */
		"glossExponent 4\n offsetMappingScale .5\n dpreflectcube cubemaps/a\n"
		"dpoffsetmapping - 1.5\n dp_water 0.1 1 2 3 .3 .5\n"
		"if deluxe\n { map notthis }\n endif\n if ! deluxe\n { map a }\n endif",
		/* Keywords of XreaL */
		"diffuseMap a\n normalMap b\n specularMap c\n",
	};
	bspt_scripts f;
	bspi_shader s;
	(void)state;
	bspt_script_begin(&f);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		bspt_parse(&f, texts[i], &s);
		assert_string_equal(s.unknown, "");
		assert_true(s.stage_count == 1 || s.implicit == BSPI_IMPLICIT_MAP);
		if (s.stage_count) assert_string_equal(s.stages[0].images[0], "a");
	}
	assert_string_equal(s.normal_image, "b");

	bspt_parse(&f, "template tmpl a b c\n glossExponent 4\n", &s);
	assert_string_equal(s.unknown, "template");

	bspt_parse(&f, "implicitBlend textures/a.tga", &s);
	assert_int_equal(s.implicit, BSPI_IMPLICIT_BLEND);
	assert_string_equal(s.implicit_image, "textures/a.tga");
	bspt_parse(&f, "{ material base norm gloss\n }", &s);
	assert_true(s.stage_count == 1 && s.stages[0].lit && s.stages[0].image_count == 1);
	assert_string_equal(s.normal_image, "norm");
	bspt_parse(&f, "{ stage normalMap\n map n.tga }\n { map d.tga }", &s);
	assert_true(s.stage_count == 1 && !strcmp(s.stages[0].images[0], "d.tga") && !strcmp(s.normal_image, "n.tga"));
	bspt_script_end(&f);
}

static void unknown_keywords_cost_their_line_only(void **state)
{
	bspt_scripts f;
	bspi_shader s;
	(void)state;
	bspt_script_begin(&f);
	bspt_parse(&f, "surfaceparm sky\nwobble 1 2 3\n{\nmap a.tga\nwibble { still here }\nblendfunc add\n}\n"
	           "cull none\n}", &s);
	assert_int_equal(s.unknown_count, 2);
	assert_string_equal(s.unknown, "wobble");
	assert_int_equal(s.unknown_line, 2);
	assert_true((s.parms & BSPI_PARM_SKY) && s.material.cull == BSPSCENE_CULL_NONE && s.stage_count == 1);
	assert_int_equal(s.stages[0].stage.dst_blend, BSPSCENE_BLEND_ONE);
	bspt_script_end(&f);
}

/* ---- Many scripts ----------------------------------------------------------------------------------------- */

static void first_definition_wins_in_any_spelling(void **state)
{
	static const char first[] = "textures/a { cull none }\ntextures/a { }\n";
	static const char second[] = "\n\nTextures\\B\n{\n{ map x }\n}\ntextures/A { portal }\n";
	bspt_scripts f;
	(void)state;
	bspt_script_begin(&f);
	bspt_script_add(&f, "scripts/one.shader", first, strlen(first));
	bspt_script_add(&f, "scripts/two.shader", second, strlen(second));
	bspi_sort_definitions(&f.index);
	const bspi_definition *a = bspi_find_definition(&f.index, "TEXTURES/a");
	const bspi_definition *b = bspi_find_definition(&f.index, "textures/b");
	assert_true(a && b);
	assert_int_equal(a->file, 0);
	assert_int_equal(a->line, 1);
	assert_true(a->begin == 0 && a->end == strlen("textures/a { cull none }"));
	assert_int_equal(b->file, 1);
	assert_int_equal(b->line, 3);
	assert_memory_equal(second + b->begin, "Textures\\B", 10);
	assert_int_equal(second[b->end - 1], '}');
	assert_null(bspi_find_definition(&f.index, "textures/c"));
	assert_null(bspi_find_definition(&f.index, ""));
	assert_int_equal(f.ctx.warning_count, 0);
	bspt_script_end(&f);
}

static void broken_scripts_keep_what_can_be_told_apart(void **state)
{
	static const struct { const char *text; const char *names; const char *message;
	} cases[] = {
		{ "textures/a { { map x }\ntextures/b { { map y } }", "textures/a textures/b",
		  "scripts: scripts/x.shader:1: no closing brace ends shader 'textures/a'" },
		{ "textures/a {\n{ map x\ntextures/b\n{\n}", "textures/a textures/b",
		  "scripts: scripts/x.shader:1: no closing brace ends shader 'textures/a'" },
		{ "textures/a { { map x", "textures/a",
		  "scripts: scripts/x.shader:1: no closing brace ends shader 'textures/a'" },
		{ "textures/a { } }\ntextures/b { }", "textures/a textures/b",
		  "scripts: scripts/x.shader:1: there is no shader name before '}'" },
		{ "garbage\nmore garbage\ntextures/a { }", "textures/a",
		  "scripts: scripts/x.shader:1: no opening brace follows 'garbage'" },
		{ "{ cull none }\ntextures/a { }", "textures/a",
		  "scripts: scripts/x.shader:1: there is no shader name before '{'" },
		{ "textures/a{\ncull none\n}\ntextures/b {}", "textures/a textures/b", "" },
		{ "textures/a", "", "scripts: scripts/x.shader:1: no opening brace follows 'textures/a'" },
		{ "textures/a { qer_editorimage textures/b\n}", "textures/a", "" },
		{ "textures/a { \"textures/b\" { } }", "textures/a", "" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_scripts f;
		char names[64] = "";
		bspt_script_begin(&f);
		bspt_script_add(&f, "scripts/x.shader", cases[i].text, strlen(cases[i].text));
		bspi_sort_definitions(&f.index);
		for (uint32_t k = 0; k < f.index.definition_count; k++) {
			snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", k ? " " : "",
			         f.index.definitions[k].name);
		}
		assert_string_equal(names, cases[i].names);
		assert_string_equal(bspt_script_warning(&f, BSPSCENE_WARNING_SHADER_BAD), cases[i].message);
		bspt_script_end(&f);
	}
}

static void binary_files_end_where_text_ends(void **state)
{
	static const char text[] = "textures/a { }\n\0\x89PNG textures/b { }";
	bspt_scripts f;
	(void)state;
	bspt_script_begin(&f);
	bspt_script_add(&f, "scripts/x.shader", text, sizeof text - 1);
	assert_int_equal(f.index.definition_count, 1);
	const char *warning = bspt_script_warning(&f, BSPSCENE_WARNING_SHADER_BAD);
	assert_string_equal(warning, "scripts: scripts/x.shader is text only up to byte 15: the rest is left out");
	bspt_script_end(&f);
}

/* For megabytes of invalid text, the time must be proportional to the length, and memory a small multiple of it. */
static void megabytes_of_nonsense_are_bounded(void **state)
{
	static const struct { const char *pattern; size_t megabytes; } cases[] = {
		{ "{ map x\n", 10 }, { "a {\n", 10 }, { "{", 1 }, { "}", 1 }, { "a{} ", 1 }, { "textures/a\n{\n", 1 },
		{ "/*", 1 }, { "\"", 1 }, { "// \r", 1 }, { "a/b c ", 1 },
	};
	char *text = malloc(10u << 20);
	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_scripts f;
		size_t length = strlen(cases[i].pattern), size = cases[i].megabytes << 20;
		static bspi_shader s;
		for (size_t k = 0; k < size; k++) text[k] = cases[i].pattern[k % length];
		bspt_script_begin(&f);
		bspt_script_add(&f, "scripts/x.shader", text, size);
		bspi_sort_definitions(&f.index);
		bspt_parse_text(&f, text, size, &s);
		assert_true(f.index.definition_count <= BSPI_MAX_DEFINITIONS);
		assert_true(s.stage_count <= BSPI_MAX_STAGES);
		assert_true(f.ctx.budget.peak < 4 * size + (40u << 20));
		bspt_script_end(&f);
	}
	free(text);
}

static void a_small_budget_is_an_error_not_a_crash(void **state)
{
	static const char text[] =
		"textures/a { qer_editorimage b\n { animMap 1 a b c d\n }\n { videoMap x }\n implicitMap y\n }";
	(void)state;
	for (uint64_t limit = 1; ; limit++) {
		bspt_scripts f;
		static bspi_shader s;
		bspi_script script = bspi_script_open(bspi_bytes_of(text + 12, sizeof text - 13));
		memset(&s, 0, sizeof s);
		bspt_script_begin(&f);
		f.ctx.budget.allocation_limit = limit;
		bool indexed = bspi_index_text(&f.ctx, &f.index, "scripts/x.shader", bspi_bytes_of(text, sizeof text - 1));
		bool parsed = bspi_parse_shader(&f.ctx, &script, &s);
		assert_true((indexed && parsed) == !f.ctx.error.status);
		bspt_script_end(&f);
		if (indexed && parsed) return;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_cut_as_the_engine_cuts_them),
		cmocka_unit_test(lines_are_counted_for_every_line_end),
		cmocka_unit_test(arguments_end_with_the_line_or_the_block),
		cmocka_unit_test(vectors_may_have_any_brackets),
		cmocka_unit_test(keywords_of_other_engines_are_no_surprise),
		cmocka_unit_test(unknown_keywords_cost_their_line_only),
		cmocka_unit_test(first_definition_wins_in_any_spelling),
		cmocka_unit_test(broken_scripts_keep_what_can_be_told_apart),
		cmocka_unit_test(binary_files_end_where_text_ends),
		cmocka_unit_test(megabytes_of_nonsense_are_bounded),
		cmocka_unit_test(a_small_budget_is_an_error_not_a_crash),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
