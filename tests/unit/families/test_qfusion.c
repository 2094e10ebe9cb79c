/* test_qfusion.c - features that only QFusion's shaders have: conditional blocks, skies of six named pictures,
 * cubes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "materials/shader/shader.h"
#include "support/make/made_game.h"
#include "support/scripts.h"

static void conditions(void **state)
{
	static const struct { const char *text; bool holds; } cases[] = {
		{ "GLSL", true }, { "! GLSL", false }, { "! ! GLSL", true }, { "deluxe", false }, { "! deluxeMaps", true },
		{ "textureCubeMap", true }, { "portalmaps == 1", true }, { "maxTextureSize > 2048", true },
		{ "maxTextureUnits < 4", false }, { "maxTextureUnits >= 4 && ! deluxe", true }, { "2 <= 2", true },
		{ "3 <= 2", false }, { "2 != 2", false }, { "deluxe || GLSL", true }, { "GLSL && deluxe || GLSL", true },
		{ "GLSL || GLSL && deluxe", false }, /* operators have no precedence: evaluation is from left to right */
		{ "deluxe == false", true }, { "1 == true", true },
		/* invalid conditions are false */
		{ "", false }, { "!", false }, { "GLSL GLSL", false }, { "GLSL &&", false }, { "GLSL >", false },
		{ "> 2", false }, { "whatever", false }, { "1e30", false }, { "GLSL && && GLSL", false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[64];
		snprintf(text, sizeof text, "%s\nnext", cases[i].text);
		bspi_script script = bspi_script_open(bspi_bytes_of(text, strlen(text)));
		if (bspi_read_condition(&script) != cases[i].holds) fail_msg("'%s'", cases[i].text);
		assert_true(bspi_script_next(&script) && bspi_script_is(&script, "next"));
	}
}

/* Blocks inside of a block that is left out are left out as well. */
static void blocks(void **state)
{
	bspt_scripts f;
	bspi_shader s;
	(void)state;
	bspt_script_begin(&f);
	bspt_parse(&f, "if deluxe\n { map a }\n if GLSL\n { map b }\n endif\n { map c }\n endif\n"
	               "if GLSL\n { map d }\n endif\n { map e }", &s);
	assert_int_equal(s.stage_count, 2);
	assert_string_equal(s.stages[0].images[0], "d");
	assert_string_equal(s.stages[1].images[0], "e");
	bspt_parse(&f, "if deluxe\n { map a }", &s);
	assert_int_equal(s.stage_count, 0);
	bspt_script_end(&f);
}

/* The scene cannot hold the effects of these keywords. A warning names each keyword, so that nobody has to guess why a
 * wall looks dull. */
static void stages_that_are_left_out_are_told(void **state)
{
	static const char *const keywords[] = { "shadecubemap", "distortion", "celshade" };
	(void)state;
	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
		char script[160], want[160];
		bspt_game g;
		snprintf(script, sizeof script, "wall\n{\n{ map wall.tga }\n{ %s env/test\n}\n{ portalmap\n}\n}",
		         keywords[i]);
		snprintf(want, sizeof want, "scripts: scripts/test.shader:4: a stage with '%s' in shader wall is left out",
		         keywords[i]);
		bspt_game_start(&g);
		bspt_game_script(&g, script);
		bspt_game_picture(&g, "wall.tga");
		bspt_game_use(&g, "wall", 0, 0);
		bspt_game_make(&g);
		assert_int_equal(bspt_game_material(&g, 0)->pass_count, 1);
		assert_string_equal(bspt_game_warning(&g, BSPSCENE_WARNING_UNSUPPORTED, NULL), want);
		bspt_game_end(&g);
	}
}

/* Makes an uncompressed TGA of 2 x 2 pixels, top row first: red is 1 2 / 3 4, green is `number`. */
static void make_numbered(uint8_t tga[18 + 12], uint8_t number)
{
	memset(tga, 0, 18 + 12);
	tga[2] = 2;
	tga[12] = tga[14] = 2;
	tga[16] = 24;
	tga[17] = 0x20;
	for (uint8_t i = 0; i < 4; i++) {
		tga[18 + 3 * i + 1] = number;
		tga[18 + 3 * i + 2] = (uint8_t)(i + 1);
	}
}

typedef struct numbered_files {
	char paths[6][32];
	uint8_t pictures[6][18 + 12];
} numbered_files;

static void add_numbered(bspt_game *g, numbered_files *files, const char *stem, const char *const ends[6])
{
	for (uint8_t i = 0; i < 6; i++) {
		snprintf(files->paths[i], sizeof files->paths[i], "%s%s.tga", stem, ends[i]);
		make_numbered(files->pictures[i], i);
		bspt_game_add(g, files->paths[i], files->pictures[i], sizeof files->pictures[i]);
	}
}

static const char *const box_ends[6] = { "rt", "bk", "lf", "ft", "up", "dn" };
static const char *const cube_ends[6] = { "px", "nx", "py", "ny", "pz", "nz" };

/* For each side of the sky box: the face of the cube map that it must show, and the order of that face's four
 * pixels. */
static const struct { uint8_t face, pixels[4]; } turned[6] = {
	{ 0, { 1, 3, 2, 4 } }, { 2, { 3, 4, 1, 2 } }, { 1, { 4, 2, 3, 1 } },
	{ 3, { 2, 1, 4, 3 } }, { 4, { 1, 3, 2, 4 } }, { 5, { 1, 3, 2, 4 } },
};

static void expect_turned(const bspt_game *g, const uint32_t box[6])
{
	for (int i = 0; i < 6; i++) {
		const bspscene_image *image = g->scene.images[box[i]];
		const uint8_t *pixels = image->data;
		assert_true(image->format == BSPSCENE_IMAGE_RGBA && image->width == 2 && image->height == 2);
		assert_false(image->has_alpha);
		for (int k = 0; k < 4; k++) {
			assert_int_equal(pixels[4 * k], turned[i].pixels[k]);
			assert_int_equal(pixels[4 * k + 1], turned[i].face);
		}
	}
}

/* The faces of a cube map are seen from outside of the cube, so the sides of a sky box show them mirrored and
 * rotated. */
static void skies_of_cube_faces(void **state)
{
	numbered_files files;
	bspt_game g;
	(void)state;
	bspt_game_start(&g);
	bspt_game_script(&g, "first { skyparms env/test 300 - }\nsecond { skyparms env/test - - }");
	add_numbered(&g, &files, "env/test_", cube_ends);
	bspt_game_use(&g, "first", 4, 0);
	bspt_game_use(&g, "second", 4, 0);
	bspt_game_make(&g);
	expect_turned(&g, bspt_game_material(&g, 0)->sky->box);
	assert_memory_equal(bspt_game_material(&g, 0)->sky->box, bspt_game_material(&g, 1)->sky->box, 6 * sizeof(uint32_t));
	assert_string_equal(bspt_game_material(&g, 0)->sky->name, "env/test");
	assert_string_equal(bspt_game_warning(&g, BSPSCENE_WARNING_TEXTURE_MISSING, NULL), "");
	bspt_game_end(&g);
}

/* The TGAs have 3 x 2 pixels, 1 2 3 / 4 5 6. Sides that are transposed become 2 x 3. */
static void sides_that_are_not_square(void **state)
{
	static const struct { uint32_t width; uint8_t pixels[6]; } want[6] = {
		{ 2, { 1, 4, 2, 5, 3, 6 } }, { 3, { 4, 5, 6, 1, 2, 3 } }, { 2, { 6, 3, 5, 2, 4, 1 } },
		{ 3, { 3, 2, 1, 6, 5, 4 } }, { 2, { 1, 4, 2, 5, 3, 6 } }, { 2, { 1, 4, 2, 5, 3, 6 } },
	};
	uint8_t tga[18 + 18] = { [2] = 2, [12] = 3, [14] = 2, [16] = 24, [17] = 0x20 };
	char paths[6][32];
	bspt_game g;
	(void)state;
	for (uint8_t i = 0; i < 6; i++) tga[18 + 3 * i + 2] = (uint8_t)(i + 1);
	bspt_game_start(&g);
	bspt_game_script(&g, "first { skyparms env/test 300 - }");
	for (int i = 0; i < 6; i++) {
		snprintf(paths[i], sizeof paths[i], "env/test_%s.tga", cube_ends[i]);
		bspt_game_add(&g, paths[i], tga, sizeof tga);
	}
	bspt_game_use(&g, "first", 4, 0);
	bspt_game_make(&g);
	const uint32_t *box = bspt_game_material(&g, 0)->sky->box;
	for (int i = 0; i < 6; i++) {
		const bspscene_image *image = g.scene.images[box[i]];
		const uint8_t *pixels = image->data;
		assert_int_equal(image->width, want[i].width);
		assert_int_equal(image->height, 6 / want[i].width);
		for (int k = 0; k < 6; k++) assert_int_equal(pixels[4 * k], want[i].pixels[k]);
	}
	bspt_game_end(&g);
}

static const uint32_t *box_of(const bspt_game *g, uint32_t texture, bspscene_tc_gen gen)
{
	const bspscene_material_pass *stage = bspt_game_stage(g, texture, 1);
	assert_true(stage->input == BSPSCENE_PASS_INPUT_IMAGE && stage->tc_gen == gen && stage->clamp);
	assert_true(stage->frame_image_count == BSPSCENE_CUBE_SIDES && stage->frames_per_second == 0);
	assert_string_equal(bspt_game_image(g, bspt_game_material(g, texture)->base_image), "wall");
	return g->scene.frame_images + stage->first_frame_image;
}

static void cube_maps(void **state)
{
	static const char script[] =
		"mirror { { map wall.tga } { cubemap env/cube.tga\nblendfunc add\ntcgen base } }\n"
		"glass { { map wall.tga } { surroundmap env/box } }\n"
		"gone { { map wall.tga } { cubemap env/gone } }\n"
		"plain { { cubemap env/cube\nmap wall.tga } }\n";
	numbered_files cube, box;
	bspt_game g;
	uint32_t count;
	(void)state;
	bspt_game_start(&g);
	bspt_game_script(&g, script);
	bspt_game_picture(&g, "wall.tga");
	add_numbered(&g, &cube, "env/cube_", cube_ends);
	add_numbered(&g, &box, "env/box_", box_ends);
	for (int i = 0; i < 4; i++) bspt_game_use(&g, (const char *const[]){ "mirror", "glass", "gone", "plain" }[i], 0, 0);
	bspt_game_make(&g);
	expect_turned(&g, box_of(&g, 0, BSPSCENE_TC_GEN_REFLECTION));
	const uint32_t *sides = box_of(&g, 1, BSPSCENE_TC_GEN_SURROUND);
	for (int i = 0; i < 6; i++) {
		char name[16];
		snprintf(name, sizeof name, "env/box_%s", box_ends[i]);
		assert_string_equal(bspt_game_image(&g, sides[i]), name);
	}
	sides = box_of(&g, 2, BSPSCENE_TC_GEN_REFLECTION);
	for (int i = 0; i < 6; i++) assert_true(g.scene.images[sides[i]]->format == BSPSCENE_IMAGE_MISSING);
	const char *why = bspt_game_warning(&g, BSPSCENE_WARNING_TEXTURE_MISSING, &count);
	assert_true(count == 1 && strstr(why, "env/gone: no cube map was found"));
	const bspscene_material_pass *plain = bspt_game_stage(&g, 3, 0);
	assert_true(plain->tc_gen == BSPSCENE_TC_GEN_TEXTURE && plain->frame_image_count == 1);
	bspt_game_end(&g);
}

/* Makes a KTX file whose header states `faces` faces. It has the pixels of six faces with 2 x 2 pixels, except for the
 * last `missing` bytes. */
static size_t make_cube_ktx(uint8_t out[256], uint32_t faces, size_t missing)
{
	const uint32_t numbers[13] = { 0x04030201, 0x1401, 1, 0x1908, 0x1908, 0x1908, 2, 2, 0, 0, faces, 1, 0 };
	memset(out, 0, 256);
	memcpy(out, "\253KTX 11\273\r\n\032\n", 12);
	for (int i = 0; i < 13; i++) memcpy(out + 12 + 4 * i, &numbers[i], 4);
	for (uint8_t i = 0; i < 24; i++) {
		const uint8_t pixel[4] = { (uint8_t)(i % 4 + 1), i / 4, 0, 255 };
		memcpy(out + 68 + 4 * i, pixel, 4);
	}
	return 68 + 6 * 16 - missing;
}

static void cube_maps_of_one_file(void **state)
{
	static const struct { uint32_t faces; size_t missing; bool whole; } cases[] = {
		{ 6, 0, true }, { 6, 1, false }, { 1, 0, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t ktx[256];
		bspt_game g;
		bspt_game_start(&g);
		bspt_game_script(&g, "mirror { { map wall.tga } { cubemap env/cube } }");
		bspt_game_picture(&g, "wall.tga");
		bspt_game_add(&g, "env/cube.ktx", ktx, make_cube_ktx(ktx, cases[i].faces, cases[i].missing));
		bspt_game_use(&g, "mirror", 0, 0);
		bspt_game_make(&g);
		const uint32_t *sides = box_of(&g, 0, BSPSCENE_TC_GEN_REFLECTION);
		if (cases[i].whole) expect_turned(&g, sides);
		else assert_true(g.scene.images[sides[0]]->format == BSPSCENE_IMAGE_KTX);
		const char *warning = bspt_game_warning(&g, BSPSCENE_WARNING_IMAGE_BAD, NULL);
		assert_true(!*warning == cases[i].whole);
		bspt_game_end(&g);
	}
}

static void skies_of_named_pictures(void **state)
{
	static const char *const want[6] = { "env/side", "env/back", "env/side", "env/side", "env/top", "env/back" };
	static const char script[] =
		"sky { skyparmssides env/side env/back rt rt env/top bk 300 -\n { map env/top } }\n"
		"forward { skyparmssides up up up up env/top up 0 - }\n"
		"gap { skyparmssides env/side dn rt rt env/top bk - - }\n"
		"short { skyparmssides env/side rt\n }\n";
	bspt_game g;
	(void)state;
	bspt_game_start(&g);
	bspt_game_script(&g, script);
	bspt_game_picture(&g, "env/side.tga");
	bspt_game_picture(&g, "env/back.tga");
	bspt_game_picture(&g, "env/top.tga");
	bspt_game_use(&g, "sky", 4, 0);
	bspt_game_use(&g, "forward", 4, 0);
	bspt_game_use(&g, "gap", 4, 0);
	bspt_game_use(&g, "short", 4, 0);
	bspt_game_make(&g);
	const bspscene_sky *sky = bspt_game_material(&g, 0)->sky;
	for (int i = 0; i < 6; i++) assert_string_equal(bspt_game_image(&g, sky->box[i]), want[i]);
	assert_true(sky->cloud_height == 300 && !strcmp(sky->name, "env/side"));
	for (int i = 0; i < 6; i++) {
		assert_string_equal(bspt_game_image(&g, bspt_game_material(&g, 1)->sky->box[i]), "env/top");
	}
	for (uint32_t i = 2; i < 4; i++) assert_true(g.scene.images[bspt_game_material(&g, i)->sky->box[0]]->is_generated);
	uint32_t count;
	assert_string_equal(bspt_game_warning(&g, BSPSCENE_WARNING_UNSUPPORTED, &count), "");
	bspt_game_end(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions), cmocka_unit_test(blocks), cmocka_unit_test(stages_that_are_left_out_are_told),
		cmocka_unit_test(skies_of_named_pictures), cmocka_unit_test(sides_that_are_not_square),
		cmocka_unit_test(skies_of_cube_faces), cmocka_unit_test(cube_maps),
		cmocka_unit_test(cube_maps_of_one_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
