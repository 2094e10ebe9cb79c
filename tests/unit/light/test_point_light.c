/* Promise: bspscene_sample_light gives the light that the games give to models. If the map has a light grid, the
 * samples that are not in walls are interpolated. Otherwise the ambient cubes of the leaf are used, or the light of the
 * floor below the point. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/owner.h"
#include "support/bspt.h"
#include "support/make/build_map.h"

static void check(const float found[3], float r, float g, float b)
{
	const float wanted[3] = { r, g, b };
	for (int i = 0; i < 3; i++) {
		if (!(fabsf(found[i] - wanted[i]) < 2e-3f)) {
			fail_msg("%g %g %g, not %g %g %g", (double)found[0], (double)found[1], (double)found[2], (double)r,
			         (double)g, (double)b);
		}
	}
}

/* A light grid of three samples along x: lit from above, in a wall, and lit twice as bright. */
static const uint8_t ambient[9] = { 50, 0, 0, 0, 0, 0, 100, 0, 0 };
static const uint8_t directed[9] = { 0, 60, 0, 0, 0, 0, 0, 120, 0 };
static const uint8_t directions[6] = { 0 };

static const bspi_scene_parts with_grid = {
	.light_grid = {
		.counts = { 3, 1, 1 }, .step = { 64, 64, 128 }, .style_count = 1, .ambient = ambient, .directed = directed,
		.directions = directions,
	},
};

/* Every model gets 32 of 255 in addition to the grid's light. */
static void grids_are_sampled(void **state)
{
	static const float up[3] = { 0, 0, 1 }, down[3] = { 0, 0, -1 };
	(void)state;
	bspscene_scene scene = { 0 };
	bspi_set_parts(&scene, &with_grid);
	bspscene_light_sample light;
	float on[3];
	assert_true(bspscene_sample_light(&scene, (float[3]) { 0, 0, 0 }, &light));
	bspscene_shade_normal(&light, up, on);
	check(on, 82 / 255.0f, 92 / 255.0f, 32 / 255.0f);
	bspscene_shade_normal(&light, down, on);
	check(on, 82 / 255.0f, 32 / 255.0f, 32 / 255.0f);
	/* Samples in walls are ignored. Outside of the grid its edge is used. */
	assert_true(bspscene_sample_light(&scene, (float[3]) { 48, 0, 0 }, &light));
	bspscene_shade_normal(&light, down, on);
	check(on, 82 / 255.0f, 32 / 255.0f, 32 / 255.0f);
	assert_true(bspscene_sample_light(&scene, (float[3]) { 1000, 7, -900 }, &light));
	bspscene_shade_normal(&light, up, on);
	check(on, 132 / 255.0f, 152 / 255.0f, 32 / 255.0f);
	assert_false(bspscene_sample_light(&scene, (float[3]) { 64, 0, 0 }, &light));
}

/* The tree consists of leaf 0 only. The leaf's ambient cube has linear light on six sides. */
static void leafs_have_cubes(void **state)
{
	(void)state;
	const bspscene_leaf leaf = { .area = 0 };
	bspscene_ambient cube = { .leaf = 0 };
	for (int side = 0; side < 6; side++) cube.cube[side][0] = side == 4 ? 1 : 0.2140411f;
	const bspi_scene_parts parts = { .tree = { .leaf_count = 1, .leafs = &leaf } };
	bspscene_scene scene = { .ambients = &cube, .ambient_count = 1 };
	bspi_set_parts(&scene, &parts);
	bspscene_light_sample light;
	float on[3];
	assert_true(bspscene_sample_light(&scene, (float[3]) { 1, 2, 3 }, &light));
	bspscene_shade_normal(&light, (float[3]) { 0, 0, 1 }, on);
	check(on, 1, 0, 0);
	bspscene_shade_normal(&light, (float[3]) { 0, -1, 0 }, on);
	check(on, 0.5f, 0, 0);
}

/* The floor of Quake's room is lit. A surface that faces up gets all of its light, one that faces down less. */
static void floors_light_what_is_above(void **state)
{
	(void)state;
	bspscene_load_options options;
	bspscene_error error;
	bspscene_load_options_init(&options);
	bspt_bytes room = bspt_build_room(&bspi_family_quake, &bspi_family_quake.variants[0]);
	bspscene_scene *scene = bspscene_load_memory(room.data, room.size, &options, &error);
	assert_non_null(scene);
	bspscene_light_sample light;
	float above[3], below[3];
	assert_true(bspscene_sample_light(scene, (float[3]) { 64, 64, 32 }, &light));
	bspscene_shade_normal(&light, (float[3]) { 0, 0, 1 }, above);
	bspscene_shade_normal(&light, (float[3]) { 0, 0, -1 }, below);
	assert_true(above[0] > 0.01f && above[0] <= 1);
	check(below, above[0] * 0.3f, above[1] * 0.3f, above[2] * 0.3f);
	assert_false(bspscene_sample_light(scene, (float[3]) { 5000, 64, 32 }, &light));
	bspscene_scene_free(scene);
	free(room.data);
}

/* The light of a point is that of the luxel below it. The test takes the mapping of the whole floor from the floor's
 * first triangle. */
static void floors_shine_where_one_stands(void **state)
{
	(void)state;
	bspscene_error error;
	bspt_bytes room = bspt_build_room(&bspi_family_quake, &bspi_family_quake.variants[0]);
	bspscene_scene *scene = bspscene_load_memory(room.data, room.size, NULL, &error);
	assert_non_null(scene);
	const bspscene_mesh *mesh = scene->meshes[0];
	uint32_t at = 0;
	while (mesh->normals[3 * (size_t)mesh->indices[at] + 2] < 1) at += 3;
	const float *places[3], *uvs[3];
	for (uint32_t i = 0; i < 3; i++) {
		places[i] = mesh->positions + 3 * (size_t)mesh->indices[at + i];
		uvs[i] = mesh->lightmap_uvs + 2 * (size_t)mesh->indices[at + i];
	}
	const bspscene_lightmap_page *page = &scene->lightmap_sets[0].pages[0];
	size_t size = (size_t)page->width * page->height * 3;
	uint8_t *luxels = (uint8_t *)page->data;
	for (size_t i = 0; i < size; i++) luxels[i] = (uint8_t)(i * 37 % 201);
	for (uint32_t i = 1; i < scene->lightmap_set_count; i++)
		memset((void *)scene->lightmap_sets[i].pages[0].data, 0, size);
	/* These edge vectors convert x and y on the floor to barycentric coordinates of the second and third corner. */
	double b[2], c[2];
	int lit = 0;
	for (int k = 0; k < 2; k++) b[k] = (double)places[1][k] - places[0][k], c[k] = (double)places[2][k] - places[0][k];
	for (float x = 5; x < 256; x += 23) {
		for (float y = 9; y < 256; y += 31) {
			double px = (double)x - places[0][0], py = (double)y - places[0][1], area = b[0] * c[1] - c[0] * b[1];
			double second = (px * c[1] - c[0] * py) / area, third = (b[0] * py - px * b[1]) / area, uv[2];
			for (int k = 0; k < 2; k++) {
				uv[k] = uvs[0][k] + second * ((double)uvs[1][k] - uvs[0][k]) + third * ((double)uvs[2][k] - uvs[0][k]);
			}
			const uint8_t *luxel =
				luxels + 3 * ((size_t)(uv[1] * page->height) * page->width + (size_t)(uv[0] * page->width));
			bspscene_light_sample light;
			float on[3], gain = scene->lightmap_sets[0].intensity / 255;
			if (!bspscene_sample_light(scene, (float[3]) { x, y, 32 }, &light)) continue;
			lit++;
			bspscene_shade_normal(&light, (float[3]) { 0, 0, 1 }, on);
			check(on, fminf(luxel[0] * gain, 1), fminf(luxel[1] * gain, 1), fminf(luxel[2] * gain, 1));
		}
	}
	assert_true(lit > 20);
	bspscene_scene_free(scene);
	free(room.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grids_are_sampled),
		cmocka_unit_test(leafs_have_cubes),
		cmocka_unit_test(floors_light_what_is_above),
		cmocka_unit_test(floors_shine_where_one_stands),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
