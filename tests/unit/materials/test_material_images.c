/* Promise: an image is searched under the names that the engine tries, in the engine's order. Materials that use the
 * same image share it. Missing, invalid and truncated images are counted by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/text.h"
#include "materials/materials.h"
#include "support/make/build_picture.h"
#include "support/make/made_game.h"

static void an_image_without_script_is_lit(void **state)
{
	bspt_game g;
	(void)state;
	bspt_game_start(&g);
	bspt_game_picture(&g, "textures/Brick.TGA");
	bspt_game_use(&g, "textures/brick", 0, 1);
	bspt_game_make(&g);
	const bspscene_material *m = bspt_game_material(&g, 0);
	assert_string_equal(m->name, "textures/brick");
	assert_int_equal(m->pass_count, 2);
	assert_int_equal(bspt_game_stage(&g, 0, 0)->input, BSPSCENE_PASS_INPUT_LIGHT);
	assert_int_equal(bspt_game_stage(&g, 0, 1)->input, BSPSCENE_PASS_INPUT_IMAGE);
	assert_int_equal(bspt_game_stage(&g, 0, 1)->src_blend, BSPSCENE_BLEND_DST_COLOR);
	assert_true(m->sort == 3 && m->alpha_mode == BSPSCENE_ALPHA_MODE_OPAQUE && !m->unlit && !m->vertex_lit);
	const bspscene_image *image = g.scene.images[m->base_image];
	assert_string_equal(image->name, "textures/brick");
	assert_string_equal(image->archive, "memory.pk3");
	assert_true(image->format == BSPSCENE_IMAGE_TGA && image->width == 2 && image->height == 2 && !image->has_alpha);
	assert_true(image->size == sizeof bspt_tga24 && !memcmp(image->data, bspt_tga24, sizeof bspt_tga24));
	assert_true(g.scene.counts->textures_found == 1 && g.scene.counts->textures_missing == 0);
	assert_string_equal(m->script_text, "");
	bspt_game_end(&g);
}

/* Extensions are tried in the order of R_LoadImage in tr_image.c: first the one in the name, then tga, jpg, jpeg, png,
 * pcx, bmp. The contents decide the format. */
static void endings_are_tried_in_the_engines_order(void **state)
{
	static const struct { const char *files[3]; const char *asked, *found; } cases[] = {
		{ { "textures/a.jpg", "textures/a.tga" }, "textures/a", "textures/a.tga" },
		{ { "textures/a.jpg", "textures/a.tga" }, "textures/a.jpg", "textures/a.jpg" },
		{ { "textures/a.png", "textures/a.jpg" }, "textures/a.tga", "textures/a.jpg" },
		{ { "textures/a.bmp", "textures/a.png" }, "textures/a.tga", "textures/a.png" },
		{ { "textures/a.dds" }, "textures/a.jpeg", "textures/a.dds" },
		{ { "textures/a.v2.tga", "textures/a.tga" }, "textures/a.v2", "textures/a.v2.tga" },
		{ { "textures/a.tga" }, "\\Textures\\\\A.TGA", "Textures/A.TGA" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_game g;
		uint32_t index;
		bspt_game_start(&g);
		bspi_materials m = { .ctx = &g.ctx, .map = &g.map };
		for (size_t k = 0; k < 3 && cases[i].files[k]; k++) bspt_game_picture(&g, cases[i].files[k]);
		assert_true(bspi_find_image(&m, cases[i].asked, "missing", &index));
		assert_int_equal(m.images[index].format, BSPSCENE_IMAGE_TGA);
		assert_true(bspi_text_equal(m.images[index].path, cases[i].found));
		bspt_game_end(&g);
	}
}

static void one_file_is_one_image(void **state)
{
	static const char *const names[] = { "textures/a", "textures/a.tga", "TEXTURES/A.jpg", "textures\\a",
	                                     "./textures//a.tga" };
	bspt_game g;
	(void)state;
	bspt_game_start(&g);
	bspi_materials m = { .ctx = &g.ctx, .map = &g.map };
	bspt_game_picture(&g, "textures/a.tga");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		uint32_t index;
		assert_true(bspi_find_image(&m, names[i], "missing", &index));
		assert_int_equal(index, 0);
	}
	assert_int_equal(m.image_count, 1);
	bspt_game_end(&g);
}

static void missing_images_are_counted_by_name(void **state)
{
	static const uint8_t huge[18 + 12] = { [2] = 2, [12] = 255, [13] = 255, [14] = 255, [15] = 255, [16] = 24 };
	bspt_game g;
	uint32_t count;
	(void)state;
	bspt_game_start(&g);
	bspt_game_add(&g, "textures/broken.tga", "not a picture at all, whatever its name says", 44);
	bspt_game_add(&g, "textures/huge.tga", huge, sizeof huge);
	bspt_game_script(&g, "textures/b { { map textures/gone.tga } { map textures/GONE.jpg\nblendfunc add } }");
	bspt_game_use(&g, "textures/a", 0, 0);
	bspt_game_use(&g, "textures/b", 0, 0);
	bspt_game_use(&g, "textures/broken", 0, 0);
	bspt_game_use(&g, "textures/../../secret", 0, 0);
	bspt_game_use(&g, "textures/huge", 0, 0);
	bspt_game_make(&g);
	for (uint32_t i = 0; i < 5; i++) {
		assert_int_equal(g.scene.images[bspt_game_material(&g, i)->base_image]->format, BSPSCENE_IMAGE_MISSING);
		assert_null(g.scene.images[bspt_game_material(&g, i)->base_image]->data);
	}
	assert_string_equal(bspt_game_warning(&g, BSPSCENE_WARNING_TEXTURE_MISSING, &count),
	                    "textures: textures/a: there is no shader and no image of this name "
	                    "(tried tga, jpg, jpeg, png, pcx, bmp, dds, ktx, webp)");
	assert_int_equal(count, 6);            /* gone.tga and gone.jpg count as two names */
	assert_string_equal(bspt_game_warning(&g, BSPSCENE_WARNING_IMAGE_BAD, NULL),
	                    "textures: textures/broken.tga (memory.pk3): it is not a picture of a known format");
	assert_string_equal(bspt_game_warning(&g, BSPSCENE_WARNING_NAME_UNSAFE, NULL),
	                    "textures: \"textures/../../secret\" is not a path inside the game: the texture is left out");
	assert_int_equal(g.scene.counts->textures_missing, 6);
	bspt_game_end(&g);
}

/* The file exists, but as CRN, which the library does not read. So a message must not say that it is missing. */
static void pictures_as_crn_are_told(void **state)
{
	bspt_game g;
	uint32_t count;
	(void)state;
	bspt_game_start(&g);
	bspt_game_add(&g, "textures/crunched.crn", "Hx", 2);
	bspt_game_use(&g, "textures/crunched", 0, 0);
	bspt_game_make(&g);
	assert_string_equal(bspt_game_warning(&g, BSPSCENE_WARNING_TEXTURE_MISSING, &count),
	                    "textures: textures/crunched: there is no shader and no image of this name "
	                    "(it exists only as crn, which is not supported)");
	assert_int_equal(count, 1);
	bspt_game_end(&g);
}

/* A TGA without all of its pixels is no picture, as in the engine; a JPEG shows the part that exists. */
static void pictures_that_end_early_are_told_at_load(void **state)
{
	static const uint8_t cut[18 + 5] = { [2] = 2, [12] = 2, [14] = 1, [16] = 24 }, rgb[8 * 8 * 3];
	bspt_bytes jpeg = bspt_encode_jpeg(8, 8, BSPT_JPEG_COLOR, rgb);
	bspt_game g;
	uint32_t count;
	(void)state;
	bspt_game_start(&g);
	bspt_game_add(&g, "textures/cut.tga", cut, sizeof cut);
	bspt_game_add(&g, "textures/part.jpg", jpeg.data, jpeg.size - 2);
	bspt_game_use(&g, "textures/cut", 0, 0);
	bspt_game_use(&g, "textures/part", 0, 0);
	bspt_game_make(&g);
	assert_int_equal(g.scene.images[bspt_game_material(&g, 0)->base_image]->format, BSPSCENE_IMAGE_MISSING);
	assert_int_equal(g.scene.images[bspt_game_material(&g, 1)->base_image]->format, BSPSCENE_IMAGE_JPEG);
	assert_string_equal(bspt_game_warning(&g, BSPSCENE_WARNING_IMAGE_BAD, &count),
	                    "textures: textures/cut.tga (memory.pk3): "
	                    "TGA: 2 x 1 pixels, but the file ends after 1 of them");
	assert_int_equal(count, 2);
	bspt_game_end(&g);
	free(jpeg.data);
}

/* Two missing names that differ only in a punctuation mark are different images. */
static void missing_names_do_not_collide(void **state)
{
	static const char *const names[] = { "a", "?a", "??a", "a", "?a" };
	bspt_game g;
	(void)state;
	bspt_game_start(&g);
	bspi_materials m = { .ctx = &g.ctx, .map = &g.map };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		uint32_t index;
		assert_true(bspi_find_image(&m, names[i], "missing", &index));
		assert_int_equal(index, i % 3);
		assert_string_equal(m.images[index].name, names[i]);
	}
	bspt_game_end(&g);
}

static void names_can_be_asked_for_without_bytes(void **state)
{
	bspt_game g;
	(void)state;
	bspt_game_start(&g);
	g.ctx.options.textures = BSPSCENE_TEXTURES_NAMES;
	bspt_game_picture(&g, "textures/a.jpg");
	bspt_game_use(&g, "textures/a", 0, 0);
	bspt_game_make(&g);
	const bspscene_image *image = g.scene.images[bspt_game_material(&g, 0)->base_image];
	assert_true(image->format == BSPSCENE_IMAGE_JPEG && !image->data && !image->size);
	bspt_game_end(&g);

	bspt_game_start(&g);
	g.ctx.options.textures = BSPSCENE_TEXTURES_NONE;
	bspt_game_script(&g, "textures/a { surfaceparm nodraw\n { map x } }");
	bspt_game_use(&g, "textures/a", 0x4, 0);
	bspt_game_use(&g, "textures/b", 0, 0);
	bspt_game_make(&g);
	assert_true(g.opened == 0 && g.scene.image_count == 0 && g.ctx.warning_count == 0);
	assert_int_equal(bspt_game_material(&g, 0)->kind, BSPSCENE_MATERIAL_SKY);
	assert_int_equal(bspt_game_material(&g, 1)->base_image, BSPSCENE_NO_INDEX);
	assert_int_equal(bspt_game_stage(&g, 1, 0)->input, BSPSCENE_PASS_INPUT_LIGHT);
	bspt_game_end(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_image_without_script_is_lit),
		cmocka_unit_test(endings_are_tried_in_the_engines_order),
		cmocka_unit_test(one_file_is_one_image),
		cmocka_unit_test(missing_images_are_counted_by_name),
		cmocka_unit_test(pictures_as_crn_are_told),
		cmocka_unit_test(pictures_that_end_early_are_told_at_load),
		cmocka_unit_test(missing_names_do_not_collide),
		cmocka_unit_test(names_can_be_asked_for_without_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
