/* Promise: a Source map is read correctly in every version. This test covers overlays, the 3D skybox below its node,
 * displacements, the compiler's triangles and normals, and lights without an entity. It also covers ambient light of
 * leafs, cubemaps, props and detail props, but not plain faces. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "families/vbsp/vbsp_tables.h"
#include "support/make/build_map.h"
#include "support/check/scene_find.h"

/* Faces of the room in build_source.c. */
enum { FLOOR, WALL, SKY, WATER, TERRAIN, FINE_TERRAIN, SKYBOX, DOOR };

static bspscene_scene *load(const bspi_variant *variant, uint32_t include)
{
	bspt_bytes file = bspt_build_room(&bspi_family_vbsp, variant);
	bspscene_load_options options;
	bspscene_error error;
	bspscene_load_options_init(&options);
	options.include_mask = include;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, &options, &error);
	if (!scene) fail_msg("%s: %s", variant->title, error.message);
	free(file.data);
	return scene;
}

static void for_each_version(void (*check)(const bspscene_scene *scene))
{
	for (uint32_t i = 0; i < bspi_family_vbsp.variant_count; i++) {
		bspscene_scene *scene = load(&bspi_family_vbsp.variants[i], 0);
		check(scene);
		bspscene_scene_free(scene);
	}
}

static const float *position(const bspscene_mesh *mesh, const bspscene_face *face, uint32_t vertex)
{
	return mesh->positions + 3 * (size_t)(face->first_vertex + vertex);
}

static const float *normal(const bspscene_mesh *mesh, const bspscene_face *face, uint32_t vertex)
{
	return mesh->normals + 3 * (size_t)(face->first_vertex + vertex);
}

/* Returns the area of a face as seen from above. */
static double flat_area(const bspscene_mesh *mesh, const bspscene_face *face)
{
	double area = 0;
	for (uint32_t i = 0; i < face->index_count; i += 3) {
		const float *a = mesh->positions + 3 * (size_t)mesh->indices[face->first_index + i];
		const float *b = mesh->positions + 3 * (size_t)mesh->indices[face->first_index + i + 1];
		const float *c = mesh->positions + 3 * (size_t)mesh->indices[face->first_index + i + 2];
		area += (double)((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
	}
	return area;
}

/* ---- 3D skybox -------------------------------------------------------------------------------------------- */

static void check_skybox(const bspscene_scene *scene)
{
	const bspscene_node *sky = bspt_find_node(scene, "skybox");
	const bspscene_mesh *mesh = bspt_find_mesh(scene, "skybox"), *world = bspt_find_mesh(scene, "worldspawn");
	assert_int_equal(sky->kind, BSPSCENE_NODE_SKY);
	assert_ptr_equal(scene->meshes[sky->mesh], mesh);
	assert_int_equal(mesh->model, BSPSCENE_NO_INDEX);
	assert_non_null(bspt_find_face(scene, mesh, SKYBOX));
	assert_null(bspt_find_face(scene, world, SKYBOX));
	assert_null(bspt_find_face(scene, mesh, FLOOR));
	assert_float_equal(scene->sky_camera_scale, 16, 0);
	/* The node of the skybox moves the position of the sky camera to the origin, and enlarges everything by 16. */
	const float camera[3] = { 1016, 16, 16 };
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 3; column++) {
			assert_float_equal(sky->transform[4 * row + column], (row == column ? 16 : 0), 0);
		}
		assert_float_equal(sky->transform[4 * row + 3], -16 * camera[row], 0);
	}
	/* One of the two props has leafs in the 3D skybox, so its node is below the skybox. So is the node of the sky
	 * camera. */
	assert_int_equal(bspt_find_node(scene, "prop_static:0")->parent, 0);
	assert_ptr_equal(scene->nodes[bspt_find_node(scene, "prop_static:1")->parent], sky);
	assert_ptr_equal(scene->nodes[bspt_find_node(scene, "sky_camera:1")->parent], sky);
	assert_true(scene->bounds.max[0] < 512);
}

static void skybox_is_a_subtree(void **state)
{
	(void)state;
	for_each_version(check_skybox);
}

/* The compiler numbers areas in any order, so every area but 0 may be the skybox. */
static void the_first_area_may_be_the_skybox(void **state)
{
	(void)state;
	const bspi_variant *variant = &bspi_family_vbsp.variants[0];
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
	bspi_leaf leafs[16];
	assert_true(parts.map.leafs_count <= 16);
	memcpy(leafs, parts.map.leafs, parts.map.leafs_count * sizeof *leafs);
	for (uint32_t i = 0; i < parts.map.leafs_count; i++) leafs[i].area = leafs[i].area ? 3 - leafs[i].area : 0;
	parts.map.leafs = leafs;
	bspscene_scene *scene = bspt_load_parts(variant, &parts, NULL);
	check_skybox(scene);
	bspscene_scene_free(scene);
}

/* Area 0 means "outside of all areas". A sky camera there has no area that could be enlarged. */
static void a_sky_camera_outside_of_all_areas_enlarges_nothing(void **state)
{
	(void)state;
	const bspi_variant *variant = &bspi_family_vbsp.variants[0];
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
	bspi_leaf leafs[16];
	assert_true(parts.map.leafs_count <= 16);
	memcpy(leafs, parts.map.leafs, parts.map.leafs_count * sizeof *leafs);
	for (uint32_t i = 0; i < parts.map.leafs_count; i++) leafs[i].area = 0;
	parts.map.leafs = leafs;
	bspscene_scene *scene = bspt_load_parts(variant, &parts, NULL);
	assert_true(scene->sky_camera_scale == 0);
	assert_non_null(bspt_find_face(scene, bspt_find_mesh(scene, "worldspawn"), SKYBOX));
	bspscene_scene_free(scene);
}

/* ---- Overlays --------------------------------------------------------------------------------------------- */

/* Checks the overlay's uvs. Its center is at the picture's center, and it is 96 units long and 32 wide. */
static void check_overlay_uvs(const bspscene_mesh *mesh)
{
	for (uint32_t i = 0; i < mesh->vertex_count; i++) {
		const float *at = mesh->positions + 3 * (size_t)i, *up = mesh->normals + 3 * (size_t)i;
		const float *uv = mesh->uvs + 2 * (size_t)i;
		/* The overlay is lifted by 0.2 units along the normal, also on a slope. */
		assert_float_equal(uv[0], (at[0] - 0.2f * up[0] - 64) / 96, 1e-4);
		assert_float_equal(uv[1], (at[1] - 0.2f * up[1] - 48) / 32, 1e-4);
	}
}

static void check_overlays(const bspscene_scene *scene)
{
	assert_int_equal(scene->overlay_count, 3);
	const bspscene_overlay *overlay = scene->overlays[0], *water = scene->overlays[1], *decal = scene->overlays[2];
	const bspscene_mesh *mesh = scene->meshes[overlay->mesh];
	assert_string_equal(mesh->name, "overlay:0");
	assert_string_equal(scene->materials[overlay->material]->name, "test/decal");
	assert_true(overlay->order == 1 && overlay->fade_near == 100 && overlay->fade_far == 200 && !overlay->water);
	const bspscene_face *floor = bspt_find_face(scene, mesh, FLOOR), *terrain = bspt_find_face(scene, mesh, TERRAIN);
	assert_true(floor && terrain && mesh->section_count && mesh->sections[0]->material == overlay->material);
	assert_float_equal(flat_area(mesh, floor), 64 * 32, 0.5);
	assert_float_equal(flat_area(mesh, terrain), 32 * 32, 32);
	assert_float_equal(position(mesh, floor, 0)[2], 0.2f, 1e-5);
	check_overlay_uvs(mesh);
	/* Overlays use the luxels of the surface below them, which are stored once. */
	const bspscene_face *base = bspt_find_face(scene, bspt_find_mesh(scene, "worldspawn"), FLOOR);
	assert_true(floor->lightmap_page == base->lightmap_page && floor->lightmap_x == base->lightmap_x &&
	            floor->lightmap_y == base->lightmap_y && floor->lightmap_width == base->lightmap_width);

	assert_true(water->water && water->record == 0 && water->entity == BSPSCENE_NO_INDEX);
	assert_float_equal(scene->meshes[water->mesh]->positions[2], 16.1f, 1e-4);
	assert_int_equal(decal->record, BSPSCENE_NO_INDEX);
	assert_string_equal(scene->entities[decal->entity]->classname, "infodecal");
	const bspscene_bounds *bounds = &scene->meshes[decal->mesh]->bounds;
	assert_float_equal((bounds->min[0] + bounds->max[0]) / 2, 96, 1e-3);
	assert_float_equal((bounds->min[1] + bounds->max[1]) / 2, 96, 1e-3);
}

static void overlays_lie_on_their_faces(void **state)
{
	(void)state;
	for_each_version(check_overlays);
}

/* The overlay names 64 faces that do not exist. It is left out, and each face is counted. */
static void faces_that_do_not_exist_are_counted(void **state)
{
	(void)state;
	const bspi_variant *variant = &bspi_family_vbsp.variants[0];
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
	bspi_overlay overlay = parts.map.overlays[0];
	overlay.counts = 64;
	for (int i = 0; i < 64; i++) overlay.faces[i] = i % 2 ? 1000 + i : -1 - i;
	parts.map.overlays = &overlay;
	bspscene_scene *scene = bspt_load_parts(variant, &parts, NULL);
	assert_int_equal(scene->overlay_count, 2);
	assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_REFERENCE), 64);
	bspscene_scene_free(scene);
}

/* ---- Displacements ---------------------------------------------------------------------------------------- */

/* Checks the edge between two displacements, with 5 vertices on one side and 9 on the other. Every second vertex of the
 * fine edge lies on the line between its neighbors. */
static void check_seam(const bspscene_scene *scene)
{
	const bspscene_mesh *mesh = bspt_find_mesh(scene, "worldspawn");
	const bspscene_face *coarse = bspt_find_face(scene, mesh, TERRAIN);
	const bspscene_face *fine = bspt_find_face(scene, mesh, FINE_TERRAIN);
	assert_true(coarse && fine && coarse->vertex_count == 25 && fine->vertex_count == 81);
	for (uint32_t row = 0; row < 9; row++) {
		const float *p = position(mesh, fine, 9 * row), *n = normal(mesh, fine, 9 * row);
		const float *a = position(mesh, coarse, 5 * (row / 2) + 4), *na = normal(mesh, coarse, 5 * (row / 2) + 4);
		const float *b = position(mesh, coarse, 5 * ((row + 1) / 2) + 4);
		for (int k = 0; k < 3; k++) assert_float_equal(p[k], (a[k] + b[k]) / 2, 1e-4);
		if (row % 2 == 0) assert_true(n[0] * na[0] + n[1] * na[1] + n[2] * na[2] > 0.9999f);
	}
	/* The two displacements slope in opposite directions, so the normal that they share points straight up. */
	assert_float_equal(normal(mesh, fine, 9 * 4)[0], 0, 0.05);
}

static void displacements_meet(void **state)
{
	(void)state;
	for_each_version(check_seam);
}

static void removed_triangles_are_hidden(void **state)
{
	(void)state;
	const bspi_variant *variant = &bspi_family_vbsp.variants[0];
	for (int included = 0; included < 2; included++) {
		bspt_parts parts;
		bspscene_load_options options;
		bspscene_load_options_init(&options);
		options.include_mask = included ? BSPSCENE_SURFACE_NODRAW : 0;
		assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
		static bspi_disp_triangle tags[32 + 128];
		tags[3].tags = tags[32 + 7].tags = BSPSCENE_TRIANGLE_TAG_REMOVED | BSPSCENE_TRIANGLE_TAG_WALKABLE;
		parts.map.disp_triangles = tags;
		bspscene_scene *scene = bspt_load_parts(variant, &parts, &options);
		const bspscene_mesh *mesh = bspt_find_mesh(scene, "worldspawn");
		assert_int_equal(bspt_find_face(scene, mesh, TERRAIN)->index_count, included ? 96 : 93);
		assert_int_equal(bspt_find_face(scene, mesh, FINE_TERRAIN)->index_count, included ? 384 : 381);
		bspscene_scene_free(scene);
	}
}

/* ---- Polygons --------------------------------------------------------------------------------------------- */

static void check_polygons(const bspscene_scene *scene)
{
	const bspscene_mesh *mesh = bspt_find_mesh(scene, "worldspawn");
	const bspscene_face *floor = bspt_find_face(scene, mesh, FLOOR), *wall = bspt_find_face(scene, mesh, WALL);
	const bspscene_face *water = bspt_find_face(scene, mesh, WATER);
	assert_true(floor && wall && water);
	bool named = strcmp(scene->variant, "source2003") && strcmp(scene->variant, "vindictus");
	if (!named) return; /* faces of these two variants have no list of triangles that the library reads */
	/* The compiler stored the triangles 1 2 3 and 1 3 0, which a fan would not have. The scene's triangles are
	 * counterclockwise. */
	static const uint32_t indices[] = { 1, 3, 2, 1, 0, 3 };
	assert_int_equal(floor->index_count, 6);
	for (uint32_t i = 0; i < 6; i++) {
		assert_int_equal(mesh->indices[floor->first_index + i] - floor->first_vertex, indices[i]);
	}
	/* The face has eight vertices: its own four corners, which no triangle uses, and the four of the compiler's
	 * triangle strip. */
	assert_int_equal(water->index_count, 6);
	assert_int_equal(water->vertex_count, 8);
	assert_float_equal(flat_area(mesh, water), 128 * 128, 0.1);
	assert_float_equal(normal(mesh, wall, 0)[0], 0.6f, 1e-4);
	assert_float_equal(normal(mesh, wall, 0)[2], 0.8f, 1e-4);
	assert_float_equal(normal(mesh, wall, 1)[0], 1, 1e-5);
}

static void polygons_are_the_compilers(void **state)
{
	(void)state;
	for_each_version(check_polygons);
}

/* If the number of normals does not equal that of the faces' corners, no normal is used. If the triangles of a face are
 * invalid, the library makes triangles for it. */
static void odd_counts_fall_back(void **state)
{
	(void)state;
	const bspi_variant *variant = &bspi_family_vbsp.variants[0];
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
	parts.map.corner_normals_count--;
	parts.map.primitive_indices_count = 5;
	bspscene_scene *scene = bspt_load_parts(variant, &parts, NULL);
	const bspscene_mesh *mesh = bspt_find_mesh(scene, "worldspawn");
	const bspscene_face *floor = bspt_find_face(scene, mesh, FLOOR), *wall = bspt_find_face(scene, mesh, WALL);
	assert_float_equal(normal(mesh, wall, 0)[0], 1, 1e-5);
	assert_int_equal(floor->index_count, 6);
	assert_int_equal(floor->vertex_count, 4);
	assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_LUMP_BAD), 1);
	assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_REFERENCE), 2);
	bspscene_scene_free(scene);
}

/* ---- Light, placed things --------------------------------------------------------------------------------- */

static void check_lights(const bspscene_scene *scene)
{
	uint32_t own = 0, points = 0;
	for (uint32_t i = 0; i < scene->light_count; i++) {
		const bspscene_light *light = scene->lights[i];
		points += light->kind == BSPSCENE_LIGHT_POINT;
		if (light->entity != BSPSCENE_NO_INDEX) continue;
		own++;
		const bspscene_node *node = scene->nodes[light->node];
		assert_true(node->transform[8] < -0.999f); /* lights without an entity point down */
		/* In this map, a surface patch gives the light 0.5 at a distance of one unit, which fades with the square of
		 * the distance. The spot light gives 1 at 100 units. */
		float at_100 = light->kind == BSPSCENE_LIGHT_SURFACE ? 0.5f / (100 * 100) : 1;
		assert_float_equal(light->illuminance_at_100_units, at_100, 1e-6);
		assert_float_equal(light->intensity, 255 * at_100, 1e-3);
		if (light->kind != BSPSCENE_LIGHT_SPOT) continue;
		assert_float_equal(node->transform[3], 96, 0);
		assert_float_equal(light->intensity, 255, 1e-3);
		assert_float_equal(light->outer_angle_degrees, 45.573, 1e-2);
		assert_float_equal(light->inner_angle_degrees, 25.842, 1e-2);
	}
	/* There are five lights. Three belong to entities, and one of these is also in the compiler's list. The other two
	 * are only in that list: a spot light and the glowing surface. */
	assert_int_equal(scene->light_count, 5);
	assert_int_equal(own, 2);
	assert_int_equal(points, 1);
}

static void lights_without_entity_are_kept(void **state)
{
	(void)state;
	for_each_version(check_lights);
}

static void check_placed(const bspscene_scene *scene)
{
	assert_int_equal(scene->cubemap_count, 2);
	assert_true(scene->cubemaps[0]->size == 32 && scene->cubemaps[1]->size == 0);
	assert_true(scene->cubemaps[1]->origin[0] == 1016);
	/* Formats that store light in the leafs have one ambient cube for each leaf. In other formats, the index states the
	 * number of cubes. */
	bool in_leafs = !strcmp(scene->variant, "source18") || scene->version == 19;
	if (!in_leafs || scene->ambient_count == 4) {
		assert_int_equal(scene->ambient_count, in_leafs ? 4 : 3);
		assert_int_equal(scene->ambients[scene->ambient_count - 1].leaf, 3);
	}
	assert_int_equal(scene->detail_prop_count, scene->version == 17 ? 2 : 3);
	assert_string_equal(scene->detail_props[0].model, "models/test/rock.mdl");
	assert_int_equal(scene->detail_props[0].leaf, 1);
	if (scene->detail_prop_count == 3) {
		const bspscene_detail_prop *tuft = &scene->detail_props[1];
		assert_int_equal(tuft->kind, BSPSCENE_DETAIL_PROP_SPRITE);
		assert_true(tuft->size[1] == 16 && tuft->uv[2] == 0.5f && tuft->orientation == 2 && tuft->origin[0] == 64);
		assert_float_equal(tuft->color[0], 0.5f, 0); /* the stored color is 128 with the exponent -8 */
	}
	assert_int_equal(scene->counts->static_props, 2);
	/* Outputs of an entity repeat their key and keep their order. */
	const bspscene_entity *door = scene->entities[bspt_find_node(scene, "func_door:6")->entity];
	assert_string_equal(scene->pairs[door->first_pair + 4].value, "lamp,TurnOn,,0,-1");
	assert_string_equal(scene->pairs[door->first_pair + 5].value, "lamp,TurnOff,,1,-1");
}

static void placed_things_are_data(void **state)
{
	(void)state;
	for_each_version(check_placed);
}

/* ---- Beside the map, and odd ones ------------------------------------------------------------------------- */

/* Vampire's faces have room for eight light styles. Each gets a page set, for bumped light too. */
static void eight_styles_have_pages(void **state)
{
	(void)state;
	const bspi_variant *variant = &bspi_family_vbsp.variants[0];
	static uint8_t light[65536];
	static bspi_face faces[8];
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
	assert_int_equal(variant->version, 17);
	memcpy(faces, parts.map.faces, sizeof faces);
	for (uint8_t k = 0; k < 4; k++) {
		faces[WALL].styles[k] = k;
		faces[WALL].more_styles[k] = k < 2 ? (uint8_t)(40 + k) : 255;
	}
	for (size_t i = 0; i < sizeof light; i++) light[i] = (uint8_t)(i % 4 == 3 ? 0 : 255);
	parts.map.faces = faces;
	parts.raw[VBSP_LIGHTING] = bspi_bytes_of(light, sizeof light);
	bspscene_scene *scene = bspt_load_parts(variant, &parts, NULL);
	uint32_t found = 0;
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		found += scene->lightmap_sets[i].style >= 40 && scene->lightmap_sets[i].style < 42;
	}
	assert_int_equal(found, 2 * 4);
	bspscene_scene_free(scene);
}

static void models_have_size_and_color(void **state)
{
	(void)state;
	static const char text[] =
		"{\n\"classname\" \"worldspawn\"\n}\n"
		"{\n\"classname\" \"prop_dynamic\"\n\"model\" \"models/a.mdl\"\n\"modelscale\" \"2.5\"\n"
		"\"rendercolor\" \"255 51 0\"\n\"renderamt\" \"51\"\n\"rendermode\" \"1\"\n\"skin\" \"3\"\n}\n"
		"{\n\"classname\" \"prop_physics\"\n\"model\" \"models/b.mdl\"\n"
		"\"modelscale\" \"-1\"\n\"renderamt\" \"51\"\n}\n";
	const bspi_variant *variant = &bspi_family_vbsp.variants[0];
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
	parts.raw[VBSP_ENTITIES] = bspi_bytes_of(text, sizeof text);
	bspscene_scene *scene = bspt_load_parts(variant, &parts, NULL);
	const bspscene_prop *big = scene->props[scene->nodes[scene->entities[1]->node]->prop];
	const bspscene_prop *plain = scene->props[scene->nodes[scene->entities[2]->node]->prop];
	assert_float_equal(scene->nodes[big->node]->transform[0], 2.5, 1e-6);
	assert_true(big->skin == 3 && big->color[0] == 1);
	assert_true(fabsf(big->color[1] - 0.2f) < 1e-6f && fabsf(big->color[3] - 0.2f) < 1e-6f);
	assert_float_equal(scene->nodes[plain->node]->transform[0], 1, 1e-6);
	assert_true(plain->color[0] == 1 && plain->color[3] == 1);
	/* Without a sky camera there is no skybox, and its area belongs to the world. */
	assert_true(scene->sky_camera_scale == 0);
	assert_non_null(bspt_find_face(scene, bspt_find_mesh(scene, "worldspawn"), SKYBOX));
	bspscene_scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(skybox_is_a_subtree),
		cmocka_unit_test(the_first_area_may_be_the_skybox),
		cmocka_unit_test(a_sky_camera_outside_of_all_areas_enlarges_nothing),
		cmocka_unit_test(overlays_lie_on_their_faces),
		cmocka_unit_test(faces_that_do_not_exist_are_counted),
		cmocka_unit_test(displacements_meet),
		cmocka_unit_test(removed_triangles_are_hidden),
		cmocka_unit_test(polygons_are_the_compilers),
		cmocka_unit_test(odd_counts_fall_back),
		cmocka_unit_test(lights_without_entity_are_kept),
		cmocka_unit_test(placed_things_are_data),
		cmocka_unit_test(eight_styles_have_pages),
		cmocka_unit_test(models_have_size_and_color),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
