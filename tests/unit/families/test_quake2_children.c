/* Promise: variants of Quake II's format with one or two changed records are recognized by where their data begins and
 * by the sizes of records, and show all of their light. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/make/build_map.h"
#include "support/store.h"

enum { LEAFS = 8, LEAF_FACES = 9, FIRST_LEAF_FACE_AT = 20, SECOND_STYLE = 31, SLOW_STYLE = 7, FACES = 5 };

static bspscene_scene *load(bspt_bytes file)
{
	bspscene_error error;
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.lightmap_encoding = BSPSCENE_LIGHTMAP_ENCODING_RAW;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, &options, &error);
	if (!scene) fail_msg("%s", error.message);
	return scene;
}

static const bspi_variant *variant_of(bspt_bytes file)
{
	const bspi_variant *variant = NULL;
	const bspi_family *family = bspi_find_family(bspi_bytes_of(file.data, file.size), &variant);
	assert_ptr_equal(family, &bspi_family_quake2);
	return variant;
}

/* The room of each variant is recognized as that variant, although two variants share a name. */
static void rooms_are_told_apart(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < bspi_family_quake2.variant_count; i++) {
		const bspi_variant *variant = &bspi_family_quake2.variants[i];
		bspt_bytes file = bspt_build_room(&bspi_family_quake2, variant);
		if (variant_of(file) != variant) fail_msg("%s is taken for %s", variant->title, variant_of(file)->title);
		free(file.data);
	}
}

/* The lump has 56 leafs, so its size is a multiple of both possible record sizes. The right record size is then the
 * one with which the face ranges of all leafs are valid. */
static void leafs_of_both_sizes_are_told_by_their_faces(void **state)
{
	(void)state;
	enum { SHORT = 28, LONG = 32, COUNT = 56 };
	static bspi_leaf leafs[COUNT];
	for (uint32_t i = 0; i < bspi_family_quake2.variant_count; i++) {
		const bspi_variant *variant = &bspi_family_quake2.variants[i];
		if (strcmp(variant->name, "daikatana")) continue;
		bspt_parts parts;
		assert_true(bspt_room_parts(&bspi_family_quake2, variant, &parts));
		memset(leafs, 0, sizeof leafs);
		memcpy(leafs, parts.map.leafs, parts.map.leafs_count * sizeof *leafs);
		for (uint32_t k = parts.map.leafs_count; k < COUNT; k++) {
			leafs[k] = (bspi_leaf){ .contents = 1, .cluster = -1, .mins = { -9, -9, -9 }, .maxs = { 900, 900, 900 } };
		}
		parts.map.leafs = leafs;
		parts.map.leafs_count = COUNT;
		bspt_bytes file = bspt_encode_parts(variant, &parts);
		assert_ptr_equal(variant_of(file), variant);
		free(file.data);
	}
	assert_int_equal(COUNT * SHORT % LONG, 0);
	assert_int_equal(COUNT * LONG % SHORT, 0);
}

static const bspscene_lightmap_set *find_set(const bspscene_scene *scene, uint32_t style)
{
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		if (scene->lightmap_sets[i].style == style) return &scene->lightmap_sets[i];
	}
	return NULL;
}

/* If a face has two blocks of the same style, their light is added. Once, the second block of style 0 replaced the
 * first, and maps were too dark. */
static void two_blocks_of_one_style_are_added(void **state)
{
	(void)state;
	const bspi_variant *variant = bspt_find_variant(&bspi_family_quake2, "daikatana");
	bspt_bytes file = bspt_build_room(&bspi_family_quake2, variant);
	bspscene_scene *scene = load(file);
	const bspscene_lightmap_set *first = find_set(scene, 0), *second = find_set(scene, SECOND_STYLE);
	assert_non_null(first);
	assert_non_null(second);
	assert_int_equal(scene->faces[0].styles[0], 0);
	assert_int_equal(scene->faces[0].styles[1], SECOND_STYLE);
	bool on = false;
	for (uint32_t i = 0; i < scene->light_style_count; i++) {
		on = on || (scene->light_styles[i]->style == SECOND_STYLE && scene->light_styles[i]->start == 1);
	}
	assert_true(on);
	bspscene_scene_free(scene);
	free(file.data);
}

/* SiN's faces have sixteen styles, of which the library shows eight. Soldier of Fortune's faces have four styles, at
 * another offset. */
static void further_styles_are_read(void **state)
{
	(void)state;
	static const char *const names[] = { "sin", "sof" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const bspi_variant *variant = bspt_find_variant(&bspi_family_quake2, names[i]);
		bspt_parts parts;
		assert_true(bspt_room_parts(&bspi_family_quake2, variant, &parts));
		bspi_face faces[FACES];
		assert_int_equal(parts.map.faces_count, FACES);
		memcpy(faces, parts.map.faces, sizeof faces);
		memset(faces[0].styles, SLOW_STYLE, sizeof faces[0].styles);
		faces[0].styles[1] = faces[0].styles[2] = faces[0].styles[3] = 255;
		parts.map.faces = faces;
		bspt_bytes file = bspt_encode_parts(variant, &parts);
		bspscene_scene *scene = load(file);
		assert_non_null(find_set(scene, SLOW_STYLE));
		assert_int_equal(scene->faces[0].styles[0], SLOW_STYLE);
		bspscene_scene_free(scene);
		free(file.data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rooms_are_told_apart),
		cmocka_unit_test(leafs_of_both_sizes_are_told_by_their_faces),
		cmocka_unit_test(two_blocks_of_one_style_are_added),
		cmocka_unit_test(further_styles_are_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
