/* Promise: a partial load gives the same as a load of the whole map, for every variant. Parts are a model with its
 * materials and lightmaps, everything without geometry, and the entities. For entities alone, no file next to the map
 * is opened. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/make/build_map.h"
#include "support/check/check_scene.h"

static bool count_opened(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	(void)stream;
	(void)path;
	if (kind != BSPSCENE_FILE_ENTITIES) ++*(uint32_t *)user;
	return false;
}

static bspscene_scene *load_part(bspt_bytes file, const char *name, bspscene_parts parts, uint32_t model,
                                 uint32_t *opened)
{
	bspscene_error error;
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.include_mask = BSPSCENE_SURFACE_ALL;
	options.parts = parts;
	options.model = model;
	options.open_file = count_opened;
	options.file_user = opened;
	*opened = 0;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, &options, &error);
	if (!scene) fail_msg("%s, part %d: %s", name, (int)parts, error.message);
	bspt_report report = { 0 };
	bspt_context(&report, "%s, part %d", name, (int)parts);
	if (parts == BSPSCENE_PARTS_ENTITIES) options.textures = BSPSCENE_TEXTURES_NONE;
	bspt_check_scene(scene, &options, &report);
	bspt_assert_clean(&report);
	return scene;
}

static void expect_same_entities(const bspscene_scene *whole, const bspscene_scene *part, const char *name)
{
	if (whole->entity_count != part->entity_count || whole->pair_count != part->pair_count) {
		fail_msg("%s: %u entities, %u pairs", name, part->entity_count, part->pair_count);
	}
	for (uint32_t i = 0; i < whole->entity_count; i++) {
		assert_string_equal(whole->entities[i]->classname, part->entities[i]->classname);
		assert_int_equal(whole->entities[i]->model, part->entities[i]->model);
	}
}

/* Counts the triangles of a model's meshes, collision included. */
static uint32_t triangles_of(const bspscene_scene *scene, uint32_t model)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		if (scene->meshes[i]->model == model) count += scene->meshes[i]->index_count / 3;
	}
	return count;
}

static void check_models(bspt_bytes file, const char *name, const bspscene_scene *whole)
{
	uint32_t opened;
	for (uint32_t model = 0; model < whole->counts->models && model < 3; model++) {
		bspscene_scene *part = load_part(file, name, BSPSCENE_PARTS_MODEL, model, &opened);
		expect_same_entities(whole, part, name);
		for (uint32_t other = 0; other < whole->counts->models; other++) {
			uint32_t want = other == model ? triangles_of(whole, model) : 0;
			if (triangles_of(part, other) != want) {
				fail_msg("%s: %u triangles of model %u, not %u", name, triangles_of(part, other), other, want);
			}
		}
		assert_true(part->material_count <= whole->material_count && part->node_count <= whole->node_count);
		bspscene_scene_free(part);
	}
}

static void check_parts(bspt_bytes file, const char *name)
{
	uint32_t opened;
	bspscene_scene *whole = load_part(file, name, BSPSCENE_PARTS_ALL, 0, &opened);
	check_models(file, name, whole);

	bspscene_scene *part = load_part(file, name, BSPSCENE_PARTS_NO_GEOMETRY, 0, &opened);
	expect_same_entities(whole, part, name);
	assert_int_equal(part->mesh_count + part->face_count + part->lightmap_page_count + part->overlay_count, 0);
	assert_int_equal(part->tree->node_count, whole->tree->node_count);
	assert_int_equal(part->prop_count, whole->prop_count);
	bspscene_scene_free(part);

	part = load_part(file, name, BSPSCENE_PARTS_ENTITIES, 0, &opened);
	expect_same_entities(whole, part, name);
	if (opened) fail_msg("%s: %u files opened for entities", name, opened);
	assert_int_equal(part->mesh_count + part->face_count + part->lightmap_page_count + part->material_count, 0);
	assert_int_equal(part->image_count + part->tree->node_count + part->vis->cluster_count, 0);
	assert_int_equal(part->camera_count, whole->camera_count);
	bspscene_scene_free(part);
	bspscene_scene_free(whole);
}

static void rooms_of_every_variant(void **state)
{
	(void)state;
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		const bspi_family *family = bspi_families[f];
		for (uint32_t v = 0; v < family->variant_count; v++) {
			bspt_bytes file = bspt_build_room(family, &family->variants[v]);
			check_parts(file, bspt_variant_name(family, &family->variants[v]));
			free(file.data);
		}
	}
}

static void atria(void **state)
{
	(void)state;
	static const char *const maps[] = {
		"atrium/quake3/maps/atrium.bsp", "atrium/quake/maps/atrium.bsp", "atrium/goldsrc/maps/atrium_wad.bsp",
		"atrium/quake2_q2map/maps/atrium.bsp", "source/maps/room.bsp", "mohaa/maps/room.bsp",
	};
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
		bspt_bytes file = bspt_read_fixture(maps[i]);
		check_parts(file, maps[i]);
		free(file.data);
	}
}

static void models_that_do_not_exist(void **state)
{
	(void)state;
	bspscene_error error;
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.parts = BSPSCENE_PARTS_MODEL;
	options.model = 1000;
	assert_null(bspscene_load_file(bspt_fixture_path("atrium/quake3/maps/atrium.bsp"), &options, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	assert_non_null(strstr(error.message, "model 1000"));
	options.parts = (bspscene_parts)4;
	assert_null(bspscene_load_file(bspt_fixture_path("atrium/quake3/maps/atrium.bsp"), &options, &error));
	assert_non_null(strstr(error.message, "parts"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rooms_of_every_variant),
		cmocka_unit_test(atria),
		cmocka_unit_test(models_that_do_not_exist),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
