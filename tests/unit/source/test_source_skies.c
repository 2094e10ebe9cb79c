/* test_source_skies.c - the sky of a map has the pictures of its six materials. Compressed HDR light is decoded, and
 * missing sides are named. A 3D skybox is only loaded for writers that draw it. Its geometry is many times as large as
 * the map, so files for viewers do not have it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "support/captured.h"
#include "support/make/build_map.h"
#include "support/make/build_texture.h"
#include "support/source/source_game.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const bspscene_pair sky_pairs[] = { { "classname", "worldspawn" }, { "skyname", "Sky_Day" } };
static const bspscene_entity sky_entity = { .classname = "worldspawn", .targetname = "", .pair_count = 2 };

static void use_sky(bspt_game *g)
{
	static const bspscene_entity *const entities[] = { &sky_entity };
	g->scene.entities = entities;
	g->scene.entity_count = 1;
	g->scene.pairs = sky_pairs;
	g->scene.pair_count = 2;
	bspt_game_use(g, "tools/toolsskybox", 0x4, 0);
	bspt_game_make(g);
}

static void skies(void **state)
{
	(void)state;
	static const bspt_source_file files[] = {
		{ "materials/skybox/sky_dayrt.vmt", "sky { $basetexture skybox/other }" },
		{ "materials/skybox/other.vtf", NULL },
		{ "materials/skybox/sky_daybk.vmt", "UnlitGeneric { $hdrbasetexture skybox/bright }" },
		{ "materials/skybox/bright.vtf", NULL },
		{ "materials/skybox/sky_daylf.vtf", NULL },
		{ "materials/skybox/sky_dayup.vmt", "sky { $basetexture skybox/gone }" },
	};
	bspt_game g;
	bspt_source_start(&g, files, COUNT(files));
	use_sky(&g);
	const bspscene_sky *sky = bspt_game_material(&g, 0)->sky;
	assert_string_equal(sky->name, "skybox/Sky_Day");
	static const char *const want[6] = {
		"materials/skybox/other", "materials/skybox/bright", "materials/skybox/Sky_Daylf", "", "", "",
	};
	for (int i = 0; i < 6; i++) assert_string_equal(bspt_game_image(&g, sky->box[i]), want[i]);
	assert_string_equal(bspt_game_warning(&g, BSPSCENE_WARNING_FILE_MISSING, NULL), "");
	bspt_game_end(&g);

	/* The game has only one of the sky's six pictures. The missing five get no replacement. */
	static const bspt_source_file lid[] = { { "materials/skybox/sky_dayup.vtf", NULL } };
	bspt_source_start(&g, lid, COUNT(lid));
	use_sky(&g);
	sky = bspt_game_material(&g, 0)->sky;
	for (int i = 0; i < 6; i++) {
		assert_string_equal(bspt_game_image(&g, sky->box[i]), i == 4 ? "materials/skybox/Sky_Dayup" : "");
	}
	bspt_game_end(&g);

	bspt_source_start(&g, NULL, 0);
	use_sky(&g);
	const char *missing = bspt_game_warning(&g, BSPSCENE_WARNING_FILE_MISSING, NULL);
	assert_non_null(strstr(missing, "materials/skybox/Sky_Day with rt, bk"));
	bspt_game_end(&g);
}

/* The linear light of a pixel is color * alpha * 8. The product 255 * 32 gives a light just above white, and 128 * 16
 * gives a quarter of that. */
static void packed_light_of_skies(void **state)
{
	(void)state;
	static const uint8_t pixels[8] = { 255, 128, 0, 32, 128, 255, 255, 16 };
	static const uint8_t want[8] = { 255, 187, 0, 255, 136, 186, 186, 255 };
	bspt_vtf vtf = { .minor = 2, .width = 2, .height = 1, .picture = pixels, .size = sizeof pixels };
	bspt_bytes packed = bspt_encode_vtf(&vtf);
	static const bspt_source_file files[] = {
		{ "materials/skybox/sky_dayrt.vmt", "sky { $hdrcompressedtexture skybox/packed }" },
		{ "materials/skybox/sky_daybk.vmt", "sky { $basetexture skybox/gone $hdrcompressedtexture skybox/packed }" },
		{ "materials/skybox/sky_daylf.vmt", "sky { $hdrcompressedtexture skybox/packed $basetexture skybox/plain }" },
		{ "materials/skybox/plain.vtf", NULL },
	};
	bspt_game g;
	bspt_source_start(&g, files, COUNT(files));
	bspt_game_add(&g, "materials/skybox/packed.vtf", packed.data, packed.size);
	use_sky(&g);
	const bspscene_sky *sky = bspt_game_material(&g, 0)->sky;
	const bspscene_image *image = g.scene.images[sky->box[0]];
	assert_int_equal(image->format, BSPSCENE_IMAGE_RGBA);
	assert_int_equal(image->size, sizeof want);
	assert_memory_equal(image->data, want, sizeof want);
	assert_int_equal(sky->box[1], sky->box[0]);
	assert_string_equal(bspt_game_image(&g, sky->box[2]), "materials/skybox/plain");
	bspt_game_end(&g);
	free(packed.data);
}

static bool write_room(const bspscene_scene *scene, const char *writer, bspscene_write_lighting lighting,
                       bspscene_write_sky sky, bool *has_sky)
{
	bspt_captured captured;
	bspscene_error error;
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	options.lighting = lighting;
	options.sky = sky;
	bspscene_output output = bspt_capture(&captured);
	bool written = bspscene_write(scene, writer, &options, &output, &error);
	if (!written && error.status != BSPSCENE_ERROR_BAD_OPTIONS) {
		fail_msg("%s, lighting %d, sky %d: %s", writer, lighting, sky, error.message);
	}
	*has_sky = written && bspt_captured_file(&captured, "room.sky.jpg");
	bspt_captured_free(&captured);
	return written;
}

/* True if the node of the 3D skybox has a mesh in the glTF. */
static bool shows_skybox(const bspt_gltf *gltf)
{
	uint32_t count = (uint32_t)json_array_size(bspt_gltf_at(gltf, "nodes"));
	for (uint32_t i = 0; i < count; i++) {
		const char *name = json_string_value(bspt_gltf_at(gltf, "nodes/%u/name", i));
		if (name && !strcmp(name, "skybox")) return bspt_gltf_at(gltf, "nodes/%u/mesh", i) != NULL;
	}
	fail_msg("no node is called skybox");
	return false;
}

/* Returns the largest coordinate of any vertex of a mesh, in meters. */
static double reach_of(const bspt_gltf *gltf)
{
	double most = 0;
	uint32_t count = (uint32_t)json_array_size(bspt_gltf_at(gltf, "accessors"));
	for (uint32_t i = 0; i < 6 * count; i++) {
		const json_t *value = bspt_gltf_at(gltf, "accessors/%u/%s/%u", i / 6, i % 2 ? "min" : "max", i / 2 % 3);
		most = fmax(most, fabs(json_number_value(value)));
	}
	return most;
}

/* A viewer moves back until the whole file is in the picture. So no part of the file may be wider than the room. Files
 * for engines are an exception. */
static void a_skybox_breaks_no_framing(void **state)
{
	(void)state;
	for (uint32_t v = 0; v < bspi_family_vbsp.variant_count; v++) {
		bspt_bytes file = bspt_build_room(&bspi_family_vbsp, &bspi_family_vbsp.variants[v]);
		bspscene_scene *scene = bspscene_load_memory(file.data, file.size, NULL, NULL);
		assert_true(scene && scene->sky_camera_scale > 0);
		for (int lighting = BSPSCENE_WRITE_LIGHTING_DEFAULT; lighting <= BSPSCENE_WRITE_LIGHTING_BAKED; lighting++) {
			static bspt_captured captured;
			bspt_report report = { 0 };
			bspscene_write_options options;
			bspscene_write_options_init(&options);
			options.lighting = (bspscene_write_lighting)lighting;
			options.sky = BSPSCENE_WRITE_SKY_NONE;
			bspscene_output output = bspt_capture(&captured);
			assert_true(bspscene_write(scene, "glb", &options, &output, NULL));
			bspt_gltf gltf = bspt_gltf_open(&captured, &report);
			bspt_assert_clean(&report);
			assert_int_equal(shows_skybox(&gltf), lighting == BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
			double most = 0;
			for (int i = 0; i < 3; i++) {
				most = fmax(most, fmax(fabs((double)scene->bounds.min[i]), fabs((double)scene->bounds.max[i])));
			}
			assert_int_equal(reach_of(&gltf) > most * (double)scene->meters_per_unit + 1e-3,
			                 lighting == BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
			bspt_gltf_close(&gltf);
			bspt_captured_free(&captured);
		}
		bspscene_scene_free(scene);
		free(file.data);
	}
}

/* A damaged map may have a 3D skybox but no sky. Files for engines must then be written without a sky. */
static void a_skybox_without_a_sky(void **state)
{
	(void)state;
	bspt_bytes file = bspt_build_room(&bspi_family_vbsp, &bspi_family_vbsp.variants[0]);
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.name = "room";
	bspscene_scene *loaded = bspscene_load_memory(file.data, file.size, &options, NULL);
	assert_true(loaded && loaded->sky_camera_scale > 0);
	bspscene_scene scene = *loaded;
	bool has_sky;
	scene.sky_material = BSPSCENE_NO_INDEX;
	for (uint32_t i = 0; bspscene_writers()[i]; i++) {
		for (int sky = 0; sky <= BSPSCENE_WRITE_SKY_SURFACES; sky++) {
			write_room(&scene, bspscene_writers()[i]->name, BSPSCENE_WRITE_LIGHTING_LIGHTMAP, (bspscene_write_sky)sky,
			           &has_sky);
			assert_false(has_sky);
		}
	}
	assert_true(write_room(&scene, "obj", BSPSCENE_WRITE_LIGHTING_NONE, BSPSCENE_WRITE_SKY_PANORAMA, &has_sky));
	assert_true(has_sky);
	bspscene_scene_free(loaded);
	free(file.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(skies),
		cmocka_unit_test(packed_light_of_skies),
		cmocka_unit_test(a_skybox_breaks_no_framing),
		cmocka_unit_test(a_skybox_without_a_sky),
	};
	return cmocka_run_group_tests(tests, bspt_source_make_textures, bspt_source_free_textures);
}
