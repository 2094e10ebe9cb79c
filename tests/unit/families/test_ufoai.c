/* Promise: a map of UFO: Alien Invasion has its levels, and the light of day or night, as the caller requests. Relight
 * writes light and directions back into the light lump (day or night) from which the pages were made. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>
#include <bspscene/source.h>

#include "support/check/baked.h"
#include "support/make/build_map.h"

/* Surfaces of the room in tests/support/rooms/build_ufoai.c. */
enum { FLOOR, WALL, WATER, ROOF, CLIP, DOOR };
enum { LUXEL = 6, NIGHT_LUMP = 7, DAY_LUMP = 8, WALL_LIGHT = 81 };

#define ufoai (&bspi_family_ufoai.variants[0])

static bspt_bytes room(void) { return bspt_build_room(&bspi_family_ufoai, ufoai); }

static bspscene_load_options options_of(const char *light_set)
{
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.strict = true;
	options.keep_map_light = true;
	options.lighting_variant = light_set;
	return options;
}

static bspscene_scene *load(const bspscene_load_options *options)
{
	bspt_bytes file = room();
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, options, &error);
	if (!scene) fail_msg("%s", error.message);
	free(file.data);
	return scene;
}

static const bspscene_node *find_node(const bspscene_scene *scene, const char *name)
{
	for (uint32_t i = 0; i < scene->node_count; i++) {
		if (!strcmp(scene->nodes[i]->name, name)) return scene->nodes[i];
	}
	fail_msg("no node %s", name);
	return NULL;
}

static const bspscene_face *face_of(const bspscene_scene *scene, uint32_t source)
{
	for (uint32_t i = 0; i < scene->face_count; i++) {
		if (scene->faces[i].record == source) return &scene->faces[i];
	}
	return NULL;
}

/* ---- Levels ----------------------------------------------------------------------------------------------- */

static void the_world_is_a_node_for_each_set_of_levels(void **state)
{
	const bspscene_load_options options = options_of(NULL);
	bspscene_scene *scene = load(&options);
	(void)state;
	const bspscene_node *world = find_node(scene, "worldspawn"), *all = find_node(scene, "worldspawn:levels_1-8");
	const bspscene_node *upper = find_node(scene, "worldspawn:levels_2-8");
	assert_int_equal(world->mesh, BSPSCENE_NO_INDEX);
	assert_int_equal(world->levels, 0);
	assert_int_equal(all->levels, 0xff);
	assert_int_equal(upper->levels, 0xfe);
	assert_int_equal(all->kind, BSPSCENE_NODE_WORLD);
	assert_ptr_equal(scene->nodes[all->parent], world);
	assert_int_equal(face_of(scene, FLOOR)->mesh, upper->mesh);
	assert_int_equal(face_of(scene, WALL)->mesh, all->mesh);
	assert_int_equal(face_of(scene, ROOF)->mesh, all->mesh);
	assert_null(face_of(scene, CLIP)); /* the engine never draws the model with clip faces */
	const bspscene_node *door = find_node(scene, "func_door:5");
	assert_int_equal(face_of(scene, DOOR)->mesh, door->mesh);
	assert_int_equal(door->levels, 1);
	assert_float_equal(door->transform[3], 64, 0);
	assert_int_equal(find_node(scene, "misc_model:4")->levels, 254);
	assert_int_equal(find_node(scene, "light:1")->levels, 0); /* its spawnflags choose day or night, not levels */
	bspscene_scene_free(scene);
}

static void normals_of_smooth_faces_are_those_of_vertices(void **state)
{
	const bspscene_load_options options = options_of(NULL);
	bspscene_scene *scene = load(&options);
	(void)state;
	const bspscene_face *wall = face_of(scene, WALL), *floor = face_of(scene, FLOOR);
	const bspscene_mesh *mesh = scene->meshes[wall->mesh];
	uint32_t rounded = 0, plain = 0;
	for (uint32_t i = wall->first_vertex; i < wall->first_vertex + wall->vertex_count; i++) {
		const float *normal = mesh->normals + 3 * (size_t)i;
		rounded += fabsf(normal[0] - 0.8f) < 1e-6f;
		plain += normal[0] == 1; /* vertices without a stored normal get the plane's normal */
	}
	assert_int_equal(rounded, 2);
	assert_int_equal(plain, 2);
	mesh = scene->meshes[floor->mesh];
	for (uint32_t i = floor->first_vertex; i < floor->first_vertex + floor->vertex_count; i++) {
		assert_float_equal(mesh->normals[3 * i + 2], 1, 0);
	}
	bspscene_scene_free(scene);
}

/* ---- Light ------------------------------------------------------------------------------------------------ */

/* Writes the stored bytes of luxel `i`: three of color, which are below `brightness`, and three of direction. */
static void stored(uint32_t i, uint32_t brightness, uint8_t out[LUXEL])
{
	for (uint32_t k = 0; k < 3; k++) out[k] = (uint8_t)((i * 3 + k) * 7 % brightness);
	out[3] = (uint8_t)(128 + i % 9 * 12);
	out[4] = 128;
	out[5] = (uint8_t)(255 - i % 9 * 15);
}

static double share_of(const uint8_t *luxel)
{
	double x = luxel[3] * 2 / 255.0 - 1, y = luxel[4] * 2 / 255.0 - 1, z = luxel[5] * 2 / 255.0 - 1;
	return z / sqrt(x * x + y * y + z * z);
}

static const bspscene_lightmap_set *find_set(const bspscene_scene *scene, bspscene_lightmap_set_kind kind)
{
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		if (scene->lightmap_sets[i].kind == kind) return &scene->lightmap_sets[i];
	}
	fail_msg("no pages of kind %d", (int)kind);
	return NULL;
}

static void check_pages(const char *light_set, uint32_t brightness, bool raw)
{
	bspscene_load_options options = options_of(light_set);
	options.lightmap_encoding = raw ? BSPSCENE_LIGHTMAP_ENCODING_RAW : BSPSCENE_LIGHTMAP_ENCODING_DISPLAY;
	bspscene_scene *scene = load(&options);
	const bspscene_face *wall = face_of(scene, WALL);
	const bspscene_lightmap_set *light = find_set(scene, BSPSCENE_LIGHTMAP_SET_LIGHT);
	const bspscene_lightmap_set *from = find_set(scene, BSPSCENE_LIGHTMAP_SET_DIRECTION);
	assert_true(from->tangent_space);
	assert_int_equal(wall->lightmap_width, 9);
	assert_int_equal(wall->lightmap_height, 9);
	for (uint32_t i = 0; i < 81; i++) {
		uint8_t luxel[LUXEL];
		stored(WALL_LIGHT + i, brightness, luxel);
		size_t at = 3 * ((size_t)(wall->lightmap_y + i / 9) * light->pages[wall->lightmap_page].width +
		                 wall->lightmap_x + i % 9);
		const uint8_t *shown = (const uint8_t *)light->pages[wall->lightmap_page].data + at;
		assert_memory_equal((const uint8_t *)from->pages[wall->lightmap_page].data + at, luxel + 3, 3);
		for (int k = 0; k < 3; k++) {
			double wanted = raw ? luxel[k] : luxel[k] * share_of(luxel);
			if (fabs(shown[k] - wanted) > 0.501) fail_msg("luxel %u: %u, not %g", i, shown[k], wanted);
		}
	}
	bspscene_scene_free(scene);
}

static void pages_show_what_falls_on_the_surface(void **state)
{
	(void)state;
	check_pages(NULL, 251, false);
	check_pages("day", 251, false);
	check_pages("night", 90, false);
	check_pages("night", 90, true);
}

static void floats_of_pages_are_the_same_light(void **state)
{
	bspscene_load_options options = options_of("day");
	options.lightmap_encoding = BSPSCENE_LIGHTMAP_ENCODING_HDR;
	bspscene_scene *scene = load(&options);
	(void)state;
	const bspscene_face *wall = face_of(scene, WALL);
	const bspscene_lightmap_page *page = &find_set(scene, BSPSCENE_LIGHTMAP_SET_LIGHT)->pages[wall->lightmap_page];
	assert_int_equal(page->format, BSPSCENE_LIGHTMAP_PAGE_RGB16F);
	for (uint32_t i = 0; i < 9; i++) {
		uint8_t luxel[LUXEL];
		uint16_t half;
		stored(WALL_LIGHT + i, 251, luxel);
		memcpy(&half, (const uint8_t *)page->data + 6 * ((size_t)wall->lightmap_y * page->width + wall->lightmap_x + i),
		       sizeof half);
		double wanted = pow(luxel[0] / 255.0 * share_of(luxel), 2.2);
		double shown = ldexp(half & 0x3ff ? 1 + (half & 0x3ff) / 1024.0 : 1, (half >> 10) - 15);
		if (wanted > 1e-3) assert_true(fabs(shown - wanted) <= wanted * 1e-3);
	}
	bspscene_scene_free(scene);
}

static void a_light_set_is_one_that_the_map_has(void **state)
{
	bspscene_error error;
	bspscene_load_options options = options_of("dusk");
	bspt_bytes file = room();
	(void)state;
	assert_null(bspscene_load_memory(file.data, file.size, &options, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	free(file.data);
	file = bspt_build_room(&bspi_family_quake2, &bspi_family_quake2.variants[0]);
	assert_null(bspscene_load_memory(file.data, file.size, &options, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	free(file.data);
	options.lighting_variant = "night";
	bspscene_scene *scene = load(&options);
	assert_int_equal(scene->lighting_variant_count, 2);
	assert_string_equal(scene->lighting_variants[0], "day");
	assert_int_equal(scene->lighting_variant, 1);
	assert_string_equal(scene->map_light->name, "night");
	bspscene_scene_free(scene);
}

/* Checks the lamps and the sun, which shines along its node's +X axis. */
static void check_lights(const char *light_set, uint32_t lamps, double pitch, double yaw, float intensity)
{
	const bspscene_load_options options = options_of(light_set);
	const double degree = 3.14159265358979 / 180;
	bspscene_scene *scene = load(&options);
	assert_int_equal(scene->light_count, lamps + 1);
	const bspscene_light *sun = scene->lights[lamps];
	const float *transform = scene->nodes[sun->node]->transform;
	assert_int_equal(sun->kind, BSPSCENE_LIGHT_SUN);
	assert_float_equal(sun->intensity, intensity, 1e-3f);
	assert_true(fabs(transform[8] - sin(pitch * degree)) < 1e-5);
	assert_true(fabs(transform[0] + cos(pitch * degree) * cos(yaw * degree)) < 1e-5);
	bspscene_scene_free(scene);
}

static void lamps_and_suns_are_those_of_the_light_set(void **state)
{
	(void)state;
	check_lights("day", 1, -75, 100, 200 * 0.9f);
	check_lights("night", 2, -60, 45, 15 * 0.35f);
}

/* Checks the light of models. The floor's lightmap has the model's own shadow, so models do not use it. */
static void check_model_light(const char *light_set, const float ambient[3], const float sun[3], float height)
{
	const bspscene_load_options options = options_of(light_set);
	static const float places[2][3] = { { 0, 0, 8 }, { 4000, 4000, 4000 } };
	bspscene_scene *scene = load(&options);
	for (int place = 0; place < 2; place++) {
		bspscene_light_sample light;
		assert_true(bspscene_sample_light(scene, places[place], &light));
		for (int i = 0; i < 3; i++) {
			for (int side = 0; side < 6; side++) assert_float_equal(light.sides[side][i], ambient[i], 1e-5f);
			assert_float_equal(light.directed[i], sun[i], 1e-5f);
		}
		assert_float_equal(light.direction[2], height, 1e-5f);
	}
	bspscene_scene_free(scene);
}

static void models_have_the_light_of_the_sky(void **state)
{
	const float day = 200 / 255.0f, night = 15 / 255.0f;
	const float sun[3] = { day, day * 0.75f / 0.9f, day * 0.65f / 0.9f };
	const float moon[3] = { night * 0.25f / 0.35f, night * 0.25f / 0.35f, night };
	(void)state;
	check_model_light("day", (const float[3]){ 0.26f, 0.26f, 0.26f }, sun, 0.9659258f);
	/* The map's ambient light of 0.16 0.16 0.17 is below the engine's minimum for models. So it is multiplied by 1.25,
	 * and only once. */
	check_model_light("night", (const float[3]){ 0.2f, 0.2f, 0.2125f }, moon, 0.8660254f);
}

/* The start camera looks down from above, because players see this game from above. The soldier at the start is in a
 * dark craft. */
static void starts_are_seen_from_above(void **state)
{
	const bspscene_load_options options = options_of(NULL);
	bspscene_scene *scene = load(&options);
	(void)state;
	assert_int_equal(scene->camera_count, 1);
	float world[12];
	bspscene_node_world_transform(scene, scene->cameras[0]->node, world);
	assert_float_equal(world[3], 64, 1e-2f);
	assert_float_equal(world[7], 64 - 300, 1e-2f); /* the soldier looks along +y */
	assert_float_equal(world[11], 24 + 96 + 600 * 0.8660254f, 1e-2f);
	assert_float_equal(world[4], 0.5f, 1e-5f);
	assert_float_equal(world[8], -0.8660254f, 1e-5f);
	assert_float_equal(scene->cameras[0]->fov_degrees, 75, 0);
	bspscene_scene_free(scene);
}

/* ---- Light goes back -------------------------------------------------------------------------------------- */

static bspi_bytes lump(bspt_bytes file, uint32_t slot)
{
	size_t entry = bspt_directory_at(ufoai) + 8 * (size_t)slot;
	return bspi_bytes_of(file.data + bspi_load_u32(file.data + entry), bspi_load_u32(file.data + entry + 4));
}

static void check_relit(const char *light_set, bspscene_lightmap_encoding encoding)
{
	bspscene_load_options options = options_of(light_set);
	options.lightmap_encoding = encoding;
	bspt_bytes file = room();
	bool night = !strcmp(light_set, "night");
	bspt_baked b;
	assert_true(bspt_bake_as(&b, file, &options));
	bspt_relit *r = bspt_relight(&b, file);
	assert_true(r->ok && r->report.identical);
	bspt_relit_free(r);

	uint32_t place = 0;
	while (b.places[place].face_record != WALL) assert_true(++place < b.light.rect_count);
	static const uint8_t wanted[3] = { 10, 100, 30 };
	memcpy(bspt_baked_luxel(&b, 0, place, 3, 0), wanted, sizeof wanted);
	r = bspt_relight(&b, file);
	if (!r->ok) fail_msg("%s", r->error.message);
	assert_int_equal(r->report.changed, 1);
	bspt_bytes map = bspt_relit_map(r);
	bspi_bytes other = lump(file, night ? DAY_LUMP : NIGHT_LUMP), own = lump(file, night ? NIGHT_LUMP : DAY_LUMP);
	bspi_bytes other_now = lump(map, night ? DAY_LUMP : NIGHT_LUMP), now = lump(map, night ? NIGHT_LUMP : DAY_LUMP);
	assert_memory_equal(other_now.data, other.data, other.size);
	size_t at = 1 + LUXEL * (size_t)(WALL_LIGHT + 3);
	assert_memory_equal(now.data, own.data, at);
	/* The direction of this luxel, and all bytes after it, do not change. */
	assert_memory_equal(now.data + at + 3, own.data + at + 3, own.size - at - 3);
	double share = encoding == BSPSCENE_LIGHTMAP_ENCODING_RAW ? 1 : share_of(own.data + at);
	for (int k = 0; k < 3; k++) assert_true(fabs(now.data[at + (size_t)k] - wanted[k] / share) <= 0.501);
	bspt_relit_free(r);
	bspt_baked_free(&b);
	test_free(map.data);
	free(file.data);
}

static void light_goes_back_into_its_set(void **state)
{
	(void)state;
	check_relit("day", BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
	check_relit("night", BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
	check_relit("night", BSPSCENE_LIGHTMAP_ENCODING_RAW);
}

/* A luxel of the page of directions is written as the direction of that luxel. The color of the luxel does not
 * change. */
static void directions_go_back_too(void **state)
{
	bspscene_load_options options = options_of("day");
	bspt_bytes file = room();
	bspt_baked b;
	(void)state;
	assert_true(bspt_bake_as(&b, file, &options));
	uint32_t place = 0;
	while (b.places[place].face_record != WALL) assert_true(++place < b.light.rect_count);
	assert_int_equal(b.sets[1].kind, BSPSCENE_LIGHTMAP_SET_DIRECTION);
	memset(bspt_baked_luxel(&b, 1, place, 2, 0), 140, 3);
	bspt_relit *r = bspt_relight(&b, file);
	assert_true(r->ok && r->report.changed == 1);
	bspt_bytes map = bspt_relit_map(r);
	bspi_bytes own = lump(file, DAY_LUMP), now = lump(map, DAY_LUMP);
	size_t at = 1 + LUXEL * (size_t)(WALL_LIGHT + 2);
	assert_memory_equal(now.data, own.data, at + 3);
	for (size_t k = 3; k < LUXEL; k++) assert_int_equal(now.data[at + k], 140);
	assert_memory_equal(now.data + at + LUXEL, own.data + at + LUXEL, own.size - at - LUXEL);
	bspt_relit_free(r);
	bspt_baked_free(&b);
	test_free(map.data);
	free(file.data);
}

/* ---- Records ---------------------------------------------------------------------------------------------- */

static bspscene_scene *load_parts(const bspt_parts *parts)
{
	const bspscene_load_options options = options_of(NULL);
	bspt_bytes file = bspt_encode_parts(ufoai, parts);
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, &options, &error);
	if (!scene) print_message("%s\n", error.message);
	free(file.data);
	return scene;
}

/* If the first byte says that luxels have eight texels instead of sixteen, the light needs four times as many bytes.
 * This file ends before them. */
static void the_first_byte_says_how_large_luxels_are(void **state)
{
	static uint8_t light[1 + LUXEL * 17 * 17];
	bspt_parts parts;
	(void)state;
	bspt_room_parts(&bspi_family_ufoai, ufoai, &parts);
	light[0] = 3;
	parts.raw[DAY_LUMP] = bspi_bytes_of(light, sizeof light);
	bspi_face faces[6];
	memcpy(faces, parts.map.faces, sizeof faces);
	for (int i = 0; i < 6; i++) faces[i].light_offset = i == FLOOR ? 1 : -1;
	parts.map.faces = faces;
	bspscene_scene *scene = load_parts(&parts);
	assert_non_null(scene);
	assert_int_equal(face_of(scene, FLOOR)->lightmap_width, 17);
	assert_int_equal(face_of(scene, WALL)->lightmap_page, BSPSCENE_NO_INDEX);
	bspscene_scene_free(scene);
	light[0] = 9;
	assert_null(load_parts(&parts));
}

/* ---- Passes ----------------------------------------------------------------------------------------------- */

static const bspscene_material_pass *last_pass(const bspscene_scene *scene, const char *name)
{
	for (uint32_t i = 0; i < scene->material_count; i++) {
		const bspscene_material *m = scene->materials[i];
		if (!strcmp(m->name, name)) return scene->material_passes[m->first_pass + m->pass_count - 1];
	}
	fail_msg("no material %s", name);
	return NULL;
}

/* Blended surfaces do not write depth, so passes on them cannot test for equal depth. */
static void passes_are_drawn_over_what_is_blended(void **state)
{
	bspscene_error error;
	(void)state;
	bspscene_scene *scene = bspscene_open(bspt_fixture_path("ufoai/maps/room.bsp"), NULL, &error);
	if (!scene) fail_msg("%s", error.message);
	const bspscene_material_pass *wall = last_pass(scene, "test/wall"), *glass = last_pass(scene, "test/glass");
	assert_true(wall->depth_equal && wall->alpha_gen == BSPSCENE_ALPHA_GEN_HEIGHT);
	/* These values come from the second block that the material file has for the face. */
	assert_float_equal(wall->alpha, 0, 0);
	assert_float_equal(wall->alpha_range, 8, 0);
	assert_float_equal(wall[-1].alpha, 32, 0);
	assert_float_equal(wall[-1].alpha_range, 64, 0);
	assert_true(wall[-3].alpha_gen == BSPSCENE_ALPHA_GEN_DIRT && wall[-3].alpha == 0.5f);
	assert_true(!glass->depth_equal && glass->tc_mods[0].kind == BSPSCENE_TC_MOD_SCROLL);
	bspscene_scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_world_is_a_node_for_each_set_of_levels),
		cmocka_unit_test(normals_of_smooth_faces_are_those_of_vertices),
		cmocka_unit_test(pages_show_what_falls_on_the_surface),
		cmocka_unit_test(floats_of_pages_are_the_same_light),
		cmocka_unit_test(a_light_set_is_one_that_the_map_has),
		cmocka_unit_test(lamps_and_suns_are_those_of_the_light_set),
		cmocka_unit_test(models_have_the_light_of_the_sky),
		cmocka_unit_test(starts_are_seen_from_above),
		cmocka_unit_test(light_goes_back_into_its_set),
		cmocka_unit_test(directions_go_back_too),
		cmocka_unit_test(the_first_byte_says_how_large_luxels_are),
		cmocka_unit_test(passes_are_drawn_over_what_is_blended),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
