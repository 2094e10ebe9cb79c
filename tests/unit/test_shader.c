/* Promise: a Quake III shader means what the engine makes of its text (tr_shader.c), whatever else the text holds; of
 * many definitions the engine's wins; no text is too broken to be read on, and what was lost is said with file and
 * line. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "materials/script_index.h"
#include "materials/shader.h"

typedef struct fixture {
	bspi_ctx ctx;
	bspi_script_index index;
} fixture;

static void start(fixture *f)
{
	memset(f, 0, sizeof *f);
	f->ctx.file = "test.bsp";
	f->ctx.budget.limit = 256u << 20;
	bspi_begin_memory(&f->ctx);
}

static void release(fixture *f)
{
	bspi_end_memory(&f->ctx);
	assert_int_equal(f->ctx.budget.used, 0);
}

static void add(fixture *f, const char *path, const char *text, size_t size)
{
	assert_true(bspi_index_text(&f->ctx, &f->index, path, bspi_bytes_of(text, size)));
}

static const char *warning(const fixture *f, bspscene_warning_code code)
{
	for (uint32_t i = 0; i < f->ctx.warning_count; i++) {
		if (f->ctx.warnings[i].code == code) return f->ctx.warnings[i].message;
	}
	return "";
}

static void parse_text(fixture *f, const char *text, size_t size, bspi_shader *out)
{
	bspi_script script = bspi_script_open(bspi_bytes_of(text, size));
	memset(out, 0, sizeof *out);
	assert_true(bspi_parse_shader(&f->ctx, &script, out));
}

/* What follows "name {". */
static void parse(fixture *f, const char *text, bspi_shader *out) { parse_text(f, text, strlen(text), out); }

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
		{ "a//b", "a" },                              /* COM_Compress cuts words at comments */
		{ "// carriage returns do not end\ra comment\nb", "b" },
		{ "\"a // b\" c", "a // b|c" },
		{ "\"\" a", "|a" },
		{ "\"never closed { }", "never closed { }" },
		{ "a\\b \\\" c", "a\\b|\\\"|c" },             /* nothing is escaped */
		{ "{ } }{", "{|}|}|{" },
		{ "name{ key value}", "name|{|key|value|}" },
		{ "textures/{fence {", "textures/{fence|{" },
		{ "}textures/a", "}|textures/a" },
		{ "\xef\xbb\xbfname \xe9nd", "name|nd" },     /* bytes that are negative for the engine are space */
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

/* ---- Surface keywords ------------------------------------------------------------------------------------- */

static void surface_keywords(void **state)
{
	fixture f;
	bspi_shader s;
	(void)state;
	start(&f);
	parse(&f, "surfaceparm trans\n surfaceparm NoDraw\nsurfaceParm playerclip\n surfaceparm metalsteps\n"
	          "cull disable\n nopicmip\n polygonOffset\n deformVertexes wave 100 sin 0 2 0 .5\n sort additive\n"
	          "q3map_surfacelight 1500\n qer_editorimage textures/a.tga\n q3map_lightimage textures/b.tga\n"
	          "tessSize 64\n }", &s);
	assert_int_equal(s.parms, BSPI_PARM_TRANS | BSPI_PARM_NODRAW | BSPI_PARM_CLIP);
	assert_int_equal(s.material.cull, BSPSCENE_CULL_NONE);
	assert_true(s.material.no_picmip && !s.material.no_mipmaps && s.material.polygon_offset && s.material.has_deform);
	assert_true(s.material.sort == 10 && s.material.surface_light == 1500);
	assert_string_equal(s.editor_image, "textures/a.tga");
	assert_string_equal(s.light_image, "textures/b.tga");
	assert_int_equal(s.unknown_count, 0);

	parse(&f, "nomipmaps\n portal\n skyParms env/space/a 256 -\n q3map_sunExt 1 .5 .25 90 90 30 2 16\n }", &s);
	assert_true(s.material.no_mipmaps && s.material.no_picmip && s.material.portal && s.is_sky);
	assert_string_equal(s.sky_box, "env/space/a");
	assert_true(s.material.sky.cloud_height == 256 && s.material.sky.has_sun);
	assert_true(s.material.sky.sun_color[0] == 1 && s.material.sky.sun_color[2] == 0.25f &&
	            s.material.sky.sun_intensity == 90);
	assert_float_equal(s.material.sky.sun_direction[0], 0, 1e-6);
	assert_float_equal(s.material.sky.sun_direction[1], 0.8660254, 1e-6);
	assert_float_equal(s.material.sky.sun_direction[2], 0.5, 1e-6);

	parse(&f, "skyparms - - -\n fogparms ( .5 2 -1 ) 300 gone\n }", &s);
	assert_true(s.is_sky && !s.sky_box && s.material.sky.cloud_height == 512);
	assert_true(s.material.fog_color[0] == 0.5f && s.material.fog_color[1] == 1 && s.material.fog_color[2] == 0);
	assert_true(s.material.fog_depth == 300);
	release(&f);
}

static void cull_names(void **state)
{
	static const struct { const char *text; bspscene_cull cull; } cases[] = {
		{ "cull none", BSPSCENE_CULL_NONE }, { "cull twosided", BSPSCENE_CULL_NONE },
		{ "cull back", BSPSCENE_CULL_FRONT }, { "cull backsided", BSPSCENE_CULL_FRONT },
		{ "cull front", BSPSCENE_CULL_BACK }, { "cull\n}", BSPSCENE_CULL_BACK },
	};
	fixture f;
	bspi_shader s;
	(void)state;
	start(&f);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		parse(&f, cases[i].text, &s);
		assert_int_equal(s.material.cull, cases[i].cull);
	}
	release(&f);
}

/* ---- Stages ----------------------------------------------------------------------------------------------- */

static const bspscene_stage *parse_stage(fixture *f, const char *inside, bspi_shader *s)
{
	char text[512];
	snprintf(text, sizeof text, "{ map a.tga\n %s\n }\n}", inside);
	parse(f, text, s);
	assert_int_equal(s->stage_count, 1);
	assert_int_equal(s->unknown_count, 0);
	return &s->stages[0].stage;
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
		/* Not allowed on this side: the engine puts GL_ONE there. */
		{ "blendFunc GL_SRC_COLOR GL_DST_COLOR", BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ONE, false },
		{ "depthWrite\n blendFunc blend", BSPSCENE_BLEND_SRC_ALPHA, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA, true },
		{ "blendFunc blend\n depthWrite", BSPSCENE_BLEND_SRC_ALPHA, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA, true },
	};
	fixture f;
	bspi_shader s;
	(void)state;
	start(&f);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const bspscene_stage *stage = parse_stage(&f, cases[i].text, &s);
		assert_int_equal(stage->src_blend, cases[i].src);
		assert_int_equal(stage->dst_blend, cases[i].dst);
		assert_int_equal(stage->depth_write, cases[i].depth_write);
	}
	release(&f);
}

static void alpha_tests(void **state)
{
	static const struct { const char *text; bspscene_alpha_mode mode; bool less; float above, below; } cases[] = {
		{ "", BSPSCENE_ALPHA_OPAQUE, false, 1, 0 },
		{ "alphaFunc GT0", BSPSCENE_ALPHA_MASK, false, 1 / 255.0f, 0 },
		{ "alphaFunc GE128", BSPSCENE_ALPHA_MASK, false, 128 / 255.0f, 127 / 255.0f },
		{ "alphaFunc LT128", BSPSCENE_ALPHA_MASK, true, 128 / 255.0f, 127 / 255.0f },
		{ "alphaFunc GE192", BSPSCENE_ALPHA_MASK, false, 192 / 255.0f, 191 / 255.0f },
		{ "alphaFunc never", BSPSCENE_ALPHA_OPAQUE, false, 1, 0 },
	};
	fixture f;
	bspi_shader s;
	(void)state;
	start(&f);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const bspscene_stage *stage = parse_stage(&f, cases[i].text, &s);
		assert_int_equal(stage->alpha_test, cases[i].mode);
		assert_int_equal(stage->alpha_test_less, cases[i].less);
		bool tests = stage->alpha_test == BSPSCENE_ALPHA_MASK;
		assert_true(!tests || (cases[i].above >= stage->alpha_cutoff && cases[i].below < stage->alpha_cutoff));
	}
	release(&f);
}

static void colors(void **state)
{
	static const struct { const char *text; bspscene_color_gen color; bspscene_alpha_gen alpha; } cases[] = {
		{ "", BSPSCENE_COLOR_IDENTITY_LIGHTING, BSPSCENE_ALPHA_GEN_IDENTITY },
		{ "blendFunc filter", BSPSCENE_COLOR_IDENTITY, BSPSCENE_ALPHA_GEN_IDENTITY },
		{ "blendFunc add", BSPSCENE_COLOR_IDENTITY_LIGHTING, BSPSCENE_ALPHA_GEN_IDENTITY },
		{ "rgbGen identityLighting", BSPSCENE_COLOR_IDENTITY_LIGHTING, BSPSCENE_ALPHA_GEN_IDENTITY },
		{ "rgbGen vertex", BSPSCENE_COLOR_VERTEX, BSPSCENE_ALPHA_GEN_VERTEX },
		{ "rgbGen exactVertex", BSPSCENE_COLOR_VERTEX, BSPSCENE_ALPHA_GEN_IDENTITY },
		{ "alphaGen const .5\n rgbGen vertex", BSPSCENE_COLOR_VERTEX, BSPSCENE_ALPHA_GEN_CONST },
		{ "rgbGen oneMinusVertex", BSPSCENE_COLOR_ONE_MINUS_VERTEX, BSPSCENE_ALPHA_GEN_IDENTITY },
		{ "rgbGen entity\n alphaGen oneMinusEntity", BSPSCENE_COLOR_ENTITY, BSPSCENE_ALPHA_GEN_ONE_MINUS_ENTITY },
		{ "rgbGen lightingDiffuse\n alphaGen lightingSpecular", BSPSCENE_COLOR_DIFFUSE, BSPSCENE_ALPHA_GEN_SPECULAR },
		{ "rgbGen const ( .5 .25 2 )", BSPSCENE_COLOR_CONST, BSPSCENE_ALPHA_GEN_IDENTITY },
		{ "rgbGen wave sin .5 .25 0 1", BSPSCENE_COLOR_WAVE, BSPSCENE_ALPHA_GEN_IDENTITY },
		{ "alphaGen portal", BSPSCENE_COLOR_IDENTITY_LIGHTING, BSPSCENE_ALPHA_GEN_PORTAL },
		{ "alphaGen normalzfade 1 2 3", BSPSCENE_COLOR_IDENTITY_LIGHTING, BSPSCENE_ALPHA_GEN_IDENTITY },
		{ "rgbGen identity alphaGen vertex tcMod scale 2 2", BSPSCENE_COLOR_IDENTITY, BSPSCENE_ALPHA_GEN_VERTEX },
	};
	fixture f;
	bspi_shader s;
	(void)state;
	start(&f);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const bspscene_stage *stage = parse_stage(&f, cases[i].text, &s);
		assert_int_equal(stage->color_gen, cases[i].color);
		assert_int_equal(stage->alpha_gen, cases[i].alpha);
	}
	const bspscene_stage *stage = parse_stage(&f, "rgbGen const ( .5 .25 2 )\nalphaGen wave triangle 1 2 3 4", &s);
	assert_true(stage->color[0] == 0.5f && stage->color[1] == 0.25f && stage->color[2] == 1);
	assert_int_equal(stage->alpha_wave.func, BSPSCENE_WAVE_TRIANGLE);
	assert_true(stage->alpha_wave.base == 1 && stage->alpha_wave.amplitude == 2 && stage->alpha_wave.phase == 3 &&
	            stage->alpha_wave.frequency == 4);
	assert_true(parse_stage(&f, "alphaGen portal 64", &s)->alpha_range == 64);
	assert_true(parse_stage(&f, "alphaGen portal", &s)->alpha_range == 256);
	release(&f);
}

static void coordinates(void **state)
{
	fixture f;
	bspi_shader s;
	(void)state;
	start(&f);
	const bspscene_stage *stage = parse_stage(&f, "tcMod scroll 1 -2\n tcMod rotate 30\n tcMod turb 1 2 3 4\n"
	                                              "tcMod transform 1 2 3 4 5 6\n tcMod scale 9 9", &s);
	assert_int_equal(stage->tc_mod_count, BSPSCENE_STAGE_MAX_TC_MODS);
	assert_true(stage->tc_mods[0].kind == BSPSCENE_TC_MOD_SCROLL && stage->tc_mods[0].values[1] == -2);
	assert_true(stage->tc_mods[1].kind == BSPSCENE_TC_MOD_ROTATE && stage->tc_mods[1].values[0] == 30);
	const bspscene_tc_mod *turbulence = &stage->tc_mods[2];
	assert_true(turbulence->kind == BSPSCENE_TC_MOD_TURBULENCE && turbulence->wave.func == BSPSCENE_WAVE_SIN);
	assert_true(turbulence->wave.amplitude == 2 && turbulence->wave.phase == 3 && turbulence->wave.frequency == 4);
	assert_true(stage->tc_mods[3].kind == BSPSCENE_TC_MOD_TRANSFORM && stage->tc_mods[3].values[5] == 6);

	stage = parse_stage(&f, "tcMod stretch inversesawtooth 1 .5 0 2\n tcGen vector ( 1 0 0 ) ( 0 2 0 )", &s);
	assert_true(stage->tc_mods[0].kind == BSPSCENE_TC_MOD_STRETCH &&
	            stage->tc_mods[0].wave.func == BSPSCENE_WAVE_INVERSE_SAWTOOTH);
	assert_true(stage->tc_gen == BSPSCENE_TC_VECTOR && stage->tc_vectors[0][0] == 1 && stage->tc_vectors[1][1] == 2);
	assert_int_equal(parse_stage(&f, "tcGen environment", &s)->tc_gen, BSPSCENE_TC_ENVIRONMENT);
	assert_int_equal(parse_stage(&f, "texGen lightmap", &s)->tc_gen, BSPSCENE_TC_LIGHTMAP);
	assert_int_equal(parse_stage(&f, "tcGen base", &s)->tc_gen, BSPSCENE_TC_TEXTURE);
	assert_true(parse_stage(&f, "tcMod nonsense 1", &s)->tc_mod_count == 0);
	assert_true(parse_stage(&f, "depthFunc equal\n detail", &s)->depth_equal && s.stages[0].stage.detail);
	release(&f);
}

static void sources(void **state)
{
	static const struct {
		const char *text;
		uint32_t stages;
		bspscene_stage_source source;
		uint32_t images;
		bool clamp;
	} cases[] = {
		{ "{ map a.tga }", 1, BSPSCENE_STAGE_IMAGE, 1, false },
		{ "{ clampMap a.tga }", 1, BSPSCENE_STAGE_IMAGE, 1, true },
		{ "{ map $lightmap }", 1, BSPSCENE_STAGE_LIGHTMAP, 0, false },
		{ "{ map *white }", 1, BSPSCENE_STAGE_WHITE, 0, false },
		{ "{ map $whiteImage }", 1, BSPSCENE_STAGE_WHITE, 0, false },
		{ "{ animMap 10 a b c\n }", 1, BSPSCENE_STAGE_IMAGE, 3, false },
		{ "{ animMap 10 a b c }", 1, BSPSCENE_STAGE_IMAGE, 3, false },
		{ "{ clampanimMap 10 a b\n }", 1, BSPSCENE_STAGE_IMAGE, 2, true },
		{ "{ videoMap intro.roq }", 1, BSPSCENE_STAGE_VIDEO, 0, false },
		{ "{ map a.tga\n map b.tga }", 1, BSPSCENE_STAGE_IMAGE, 1, false },
		{ "{ map $lightmap\n map b.tga }", 1, BSPSCENE_STAGE_IMAGE, 1, false },
		{ "{ rgbGen identity }", 0, BSPSCENE_STAGE_IMAGE, 0, false },  /* nothing to show */
		{ "{ map\n }", 0, BSPSCENE_STAGE_IMAGE, 0, false },
		{ "{ map $deluxemap }", 0, BSPSCENE_STAGE_IMAGE, 0, false },
		{ "{ cubemap env/a }", 0, BSPSCENE_STAGE_IMAGE, 0, false },
	};
	fixture f;
	bspi_shader s;
	(void)state;
	start(&f);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		parse(&f, cases[i].text, &s);
		assert_int_equal(s.stage_count, cases[i].stages);
		if (!s.stage_count) continue;
		assert_int_equal(s.stages[0].stage.source, cases[i].source);
		assert_int_equal(s.stages[0].image_count, cases[i].images);
		assert_int_equal(s.stages[0].stage.clamp, cases[i].clamp);
		bool light = cases[i].source == BSPSCENE_STAGE_LIGHTMAP;
		assert_int_equal(s.stages[0].stage.tc_gen, light ? BSPSCENE_TC_LIGHTMAP : BSPSCENE_TC_TEXTURE);
	}
	parse(&f, "{ animMap 7.5 a b\n}", &s);
	assert_true(s.stages[0].stage.frames_per_second == 7.5f);
	release(&f);
}

/* q3map2 writes the number of a light style only as a comment. */
static void light_styles_are_in_comments(void **state)
{
	static const struct { const char *text; uint32_t style; } cases[] = {
		{ "rgbGen wave noise 0.5 1 0 5.37 // style 1", 1 }, { "rgbGen identity // style 33", 33 },
		{ "rgbGen identity", 0 }, { "rgbGen identity // style 255", 0 }, { "rgbGen identity // style -4", 0 },
		{ "rgbGen identity\n // style 5", 0 },
	};
	fixture f;
	bspi_shader s;
	(void)state;
	start(&f);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(parse_stage(&f, cases[i].text, &s)->light_style, cases[i].style);
	}
	release(&f);
}

/* ---- Other engines ---------------------------------------------------------------------------------------- */

static void keywords_of_other_engines_are_no_surprise(void **state)
{
	static const char *const texts[] = {
		/* RTCW, Enemy Territory */
		"implicitMap -\n skyfogvars ( .1 .2 .3 ) 0.5\n nocompress\n distancecull 1 2 3\n lightgridmulamb 2\n"
		"fogvars ( 1 1 1 ) 9\n"
		"{ map a\n fog off\n alphaGen normalzfade 1.0 0 90\n tcMod swap\n }",
		/* Raven */
		"q3map_material Grass\n hitMaterial foo\n notc\n { map a\n surfaceSprites vertical 24 12 20 600\n"
		"ssFademax 1000\n ssWind .5\n"
		"alphaFunc GE192\n glow\n rgbGen lightingDiffuseEntity\n }",
		/* QFusion, DarkPlaces */
		"template tmpl a b c\n glossExponent 4\n offsetMappingScale .5\n dpreflectcube cubemaps/a\n"
		"dpoffsetmapping - 1.5\n dp_water 0.1 1 2 3 .3 .5\n"
		"if deluxe\n { map notthis }\n endif\n if ! deluxe\n { map a }\n endif",
		/* XreaL */
		"diffuseMap a\n normalMap b\n specularMap c\n",
	};
	fixture f;
	bspi_shader s;
	(void)state;
	start(&f);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		parse(&f, texts[i], &s);
		assert_string_equal(s.unknown, "");
		assert_true(s.stage_count == 1 || s.implicit == BSPI_IMPLICIT_MAP);
		if (s.stage_count) assert_string_equal(s.stages[0].images[0], "a");
	}
	assert_string_equal(s.normal_image, "b");

	parse(&f, "implicitBlend textures/a.tga", &s);
	assert_int_equal(s.implicit, BSPI_IMPLICIT_BLEND);
	assert_string_equal(s.implicit_image, "textures/a.tga");
	parse(&f, "{ material base norm gloss\n }", &s);
	assert_true(s.stage_count == 1 && s.stages[0].lit && s.stages[0].image_count == 1);
	assert_string_equal(s.normal_image, "norm");
	parse(&f, "{ stage normalMap\n map n.tga }\n { map d.tga }", &s);
	assert_true(s.stage_count == 1 && !strcmp(s.stages[0].images[0], "d.tga") && !strcmp(s.normal_image, "n.tga"));
	release(&f);
}

static void unknown_keywords_cost_their_line_only(void **state)
{
	fixture f;
	bspi_shader s;
	(void)state;
	start(&f);
	parse(&f, "surfaceparm sky\nwobble 1 2 3\n{\nmap a.tga\nwibble { still here }\nblendfunc add\n}\ncull none\n}", &s);
	assert_int_equal(s.unknown_count, 2);
	assert_string_equal(s.unknown, "wobble");
	assert_int_equal(s.unknown_line, 2);
	assert_true((s.parms & BSPI_PARM_SKY) && s.material.cull == BSPSCENE_CULL_NONE && s.stage_count == 1);
	assert_int_equal(s.stages[0].stage.dst_blend, BSPSCENE_BLEND_ONE);
	release(&f);
}

/* ---- Many scripts ----------------------------------------------------------------------------------------- */

static void first_definition_wins_in_any_spelling(void **state)
{
	static const char first[] = "textures/a { cull none }\ntextures/a { }\n";
	static const char second[] = "\n\nTextures\\B\n{\n{ map x }\n}\ntextures/A { portal }\n";
	fixture f;
	(void)state;
	start(&f);
	add(&f, "scripts/one.shader", first, strlen(first));
	add(&f, "scripts/two.shader", second, strlen(second));
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
	release(&f);
}

static void broken_scripts_keep_what_can_be_told_apart(void **state)
{
	static const struct { const char *text; const char *names; const char *message; } cases[] = {
		{ "textures/a { { map x }\ntextures/b { { map y } }", "textures/a textures/b",
		  "scripts: scripts/x.shader:1: no closing brace for 'textures/a'" },
		{ "textures/a {\n{ map x\ntextures/b\n{\n}", "textures/a textures/b",
		  "scripts: scripts/x.shader:1: no closing brace for 'textures/a'" },
		{ "textures/a { { map x", "textures/a", "scripts: scripts/x.shader:1: no closing brace for 'textures/a'" },
		{ "textures/a { } }\ntextures/b { }", "textures/a textures/b", "scripts: scripts/x.shader:1: no name before '}'" },
		{ "garbage\nmore garbage\ntextures/a { }", "textures/a",
		  "scripts: scripts/x.shader:1: no opening brace after 'garbage'" },
		{ "{ cull none }\ntextures/a { }", "textures/a", "scripts: scripts/x.shader:1: no name before '{'" },
		{ "textures/a{\ncull none\n}\ntextures/b {}", "textures/a textures/b", "" },
		{ "textures/a", "", "scripts: scripts/x.shader:1: no opening brace after 'textures/a'" },
		{ "textures/a { qer_editorimage textures/b\n}", "textures/a", "" },
		{ "textures/a { \"textures/b\" { } }", "textures/a", "" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fixture f;
		char names[64] = "";
		start(&f);
		add(&f, "scripts/x.shader", cases[i].text, strlen(cases[i].text));
		bspi_sort_definitions(&f.index);
		for (uint32_t k = 0; k < f.index.definition_count; k++) {
			snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", k ? " " : "",
			         f.index.definitions[k].name);
		}
		assert_string_equal(names, cases[i].names);
		assert_string_equal(warning(&f, BSPSCENE_WARNING_SHADER_BAD), cases[i].message);
		release(&f);
	}
}

static void binary_files_end_where_text_ends(void **state)
{
	static const char text[] = "textures/a { }\n\0\x89PNG textures/b { }";
	fixture f;
	(void)state;
	start(&f);
	add(&f, "scripts/x.shader", text, sizeof text - 1);
	assert_int_equal(f.index.definition_count, 1);
	assert_string_equal(warning(&f, BSPSCENE_WARNING_SHADER_BAD), "scripts: scripts/x.shader: not text after byte 15");
	release(&f);
}

/* Megabytes of each kind of nonsense: the time is the text's length, the memory a small multiple of it. */
static void megabytes_of_nonsense_are_bounded(void **state)
{
	static const struct { const char *pattern; size_t megabytes; } cases[] = {
		{ "{ map x\n", 10 }, { "a {\n", 10 }, { "{", 1 }, { "}", 1 }, { "a{} ", 1 }, { "textures/a\n{\n", 1 }, { "/*", 1 },
		{ "\"", 1 },
		{ "// \r", 1 }, { "a/b c ", 1 },
	};
	char *text = malloc(10u << 20);
	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fixture f;
		size_t length = strlen(cases[i].pattern), size = cases[i].megabytes << 20;
		static bspi_shader s;
		for (size_t k = 0; k < size; k++) text[k] = cases[i].pattern[k % length];
		start(&f);
		add(&f, "scripts/x.shader", text, size);
		bspi_sort_definitions(&f.index);
		parse_text(&f, text, size, &s);
		assert_true(f.index.definition_count <= BSPI_MAX_DEFINITIONS);
		assert_true(s.stage_count <= BSPI_MAX_STAGES);
		assert_true(f.ctx.budget.peak < 4 * size + (40u << 20));
		release(&f);
	}
	free(text);
}

static void a_small_budget_is_an_error_not_a_crash(void **state)
{
	static const char text[] =
		"textures/a { qer_editorimage b\n { animMap 1 a b c d\n }\n { videoMap x }\n implicitMap y\n }";
	(void)state;
	for (uint64_t limit = 1; ; limit++) {
		fixture f;
		static bspi_shader s;
		bspi_script script = bspi_script_open(bspi_bytes_of(text + 12, sizeof text - 13));
		memset(&s, 0, sizeof s);
		start(&f);
		f.ctx.budget.allocation_limit = limit;
		bool indexed = bspi_index_text(&f.ctx, &f.index, "scripts/x.shader", bspi_bytes_of(text, sizeof text - 1));
		bool parsed = bspi_parse_shader(&f.ctx, &script, &s);
		assert_true((indexed && parsed) == !f.ctx.error.status);
		release(&f);
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
		cmocka_unit_test(surface_keywords),
		cmocka_unit_test(cull_names),
		cmocka_unit_test(blend_decides_depth_write),
		cmocka_unit_test(alpha_tests),
		cmocka_unit_test(colors),
		cmocka_unit_test(coordinates),
		cmocka_unit_test(sources),
		cmocka_unit_test(light_styles_are_in_comments),
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
