/* Promise: scenes of the compiled atriums agree with the map text (fixtures/atrium/expected_quake3.json): areas differ
 * by at most 0.01 %, texture coordinates by at most 0.05 texels, origins and lights not at all. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "expected/facts.h"

#define AREA_TOLERANCE 1e-4
#define TEXEL_TOLERANCE 0.05
#define LENGTH_TOLERANCE 0.01

enum { PLANAR = 1, PATCH = 2 };

static bool is_flagged(const json_t *object, const char *key)
{
	return json_is_true(json_object_get(object, key));
}

static bool has_areas(const bspt_atrium *atrium)
{
	return !json_is_false(json_object_get(atrium->map_facts, "areas"));
}

static uint32_t world_mesh(const bspt_atrium *atrium)
{
	for (uint32_t i = 0; i < atrium->scene->node_count; i++) {
		if (atrium->scene->nodes[i]->kind == BSPSCENE_NODE_WORLD) return atrium->scene->nodes[i]->mesh;
	}
	fail_msg("%s has no world", atrium->name);
	return 0;
}

/* ---- Entities --------------------------------------------------------------------------------------------- */

static uint32_t find_entity(const bspt_atrium *atrium, const char *key, const char *value)
{
	for (uint32_t i = 0; i < atrium->scene->entity_count; i++) {
		const char *found = bspscene_entity_value(atrium->scene, i, key);
		if (found && !strcmp(found, value)) return i;
	}
	return BSPSCENE_NO_INDEX;
}

static bool is_at(const float transform[12], const double origin[3])
{
	return (double)transform[3] == origin[0] && (double)transform[7] == origin[1] && (double)transform[11] == origin[2];
}

static void check_entities(const bspt_atrium *atrium)
{
	const char *classname;
	json_t *wanted;
	json_object_foreach((json_t *)(uintptr_t)json_object_get(atrium->facts, "entity_classes_in_map"), classname, wanted)
	{
		uint32_t count = 0;
		for (uint32_t i = 0; i < atrium->scene->entity_count; i++) {
			count += !strcmp(atrium->scene->entities[i]->classname, classname);
		}
		/* The map does not have these entities: the compiler turns groups and models into brushes and triangles. It
		 * keeps lights only if requested. */
		if (!strcmp(classname, "func_group") || !strcmp(classname, "misc_model")) continue;
		if (!strcmp(classname, "light")) wanted = json_object_get(atrium->map_facts, "lights");
		if (!strcmp(classname, "info_null") && !count) continue;
		if (count != json_integer_value(wanted)) fail_msg("%s has %u %s", atrium->name, count, classname);
	}
}

/* Checks the sun, which the shader defines by "q3map_sun 1 0.9 0.7 110 30 60": color, brightness, azimuth and elevation
 * in degrees. */
static void check_sun(const bspscene_scene *scene, const bspscene_light *sun)
{
	static const double color[3] = { 1, 0.9, 0.7 }, shines[3] = { -0.4330127, -0.25, -0.8660254 };
	assert_true(sun->kind == BSPSCENE_LIGHT_SUN && sun->entity == BSPSCENE_NO_INDEX && sun->intensity == 110);
	const float *m = scene->nodes[sun->node]->transform;
	for (int k = 0; k < 3; k++) {
		assert_true(fabs((double)sun->color[k] - color[k]) < 1e-6);
		assert_true(fabs((double)m[4 * k] - shines[k]) < 1e-6);
	}
	/* The brightness is a display value, and the engine multiplies it by four. */
	double wanted = pow(110 * 4 / 255.0, 2.2);
	assert_true(fabs((double)sun->illuminance_at_100_units - wanted) < 1e-5 * wanted);
}

static void check_lights(const bspt_atrium *atrium)
{
	const json_t *list = json_object_get(json_object_get(atrium->facts, "lights"), "list");
	uint32_t kept = (uint32_t)bspt_number(atrium->map_facts, "lights");
	assert_int_equal(atrium->scene->light_count, kept + 1); /* one light more: the sun that the sky's shader defines */
	check_sun(atrium->scene, atrium->scene->lights[kept]);
	for (size_t i = 0; kept && i < json_array_size(list); i++) {
		const json_t *wanted = json_array_get(list, i);
		uint32_t entity = find_entity(atrium, "_name", bspt_string(wanted, "name"));
		assert_true(entity < atrium->scene->entity_count);
		const bspscene_node *node = atrium->scene->nodes[atrium->scene->entities[entity]->node];
		assert_true(node->light < atrium->scene->light_count);
		const bspscene_light *light = atrium->scene->lights[node->light];
		double origin[3], color[3];
		bspt_vector(json_object_get(wanted, "origin"), origin, 3);
		bspt_vector(json_object_get(wanted, "color"), color, 3);
		if (!is_at(node->transform, origin)) fail_msg("%s: light %s is elsewhere", atrium->name, node->name);
		for (int k = 0; k < 3; k++) assert_true(light->color[k] == (float)color[k]);
		assert_true(light->intensity == (float)bspt_number(wanted, "intensity"));
		assert_int_equal(light->kind == BSPSCENE_LIGHT_SPOT, json_object_get(wanted, "spot_direction") != NULL);
		if (light->kind != BSPSCENE_LIGHT_SPOT) continue;
		double direction[3];
		bspt_vector(json_object_get(wanted, "spot_direction"), direction, 3);
		for (int k = 0; k < 3; k++) assert_true(fabs((double)node->transform[4 * k] - direction[k]) < 1e-4);
	}
}

/* Checks that every spawn has its position and a camera. The camera of a player start is at eye height, that of an
 * intermission at the position itself. */
static void check_spawns(const bspt_atrium *atrium)
{
	const bspscene_scene *scene = atrium->scene;
	const json_t *spawns = json_object_get(atrium->facts, "spawns");
	assert_int_equal(scene->camera_count, json_array_size(spawns));
	for (size_t i = 0; i < json_array_size(spawns); i++) {
		const json_t *wanted = json_array_get(spawns, i);
		const char *classname = bspt_string(wanted, "classname");
		double origin[3];
		bspt_vector(json_object_get(wanted, "origin"), origin, 3);
		bool found = false;
		for (uint32_t c = 0; c < scene->camera_count && !found; c++) {
			const bspscene_camera *camera = scene->cameras[c];
			const bspscene_entity *entity = scene->entities[camera->entity];
			if (strcmp(entity->classname, classname) || !is_at(scene->nodes[entity->node]->transform, origin)) continue;
			float world[12];
			bspscene_node_world_transform(scene, camera->node, world);
			double eye[3] = { origin[0], origin[1], (double)world[11] };
			bool intermission = camera->kind == BSPSCENE_CAMERA_INTERMISSION;
			found = is_at(world, eye) && (intermission ? eye[2] == origin[2] : eye[2] > origin[2]);
		}
		if (!found) {
			fail_msg("%s: no camera of %s at %g %g %g", atrium->name, classname, origin[0], origin[1], origin[2]);
		}
	}
}

/* ---- Geometry --------------------------------------------------------------------------------------------- */

static void check_area(const bspt_atrium *atrium, const char *what, double got, double wanted)
{
	if (fabs(got - wanted) > AREA_TOLERANCE * wanted) {
		fail_msg("%s: %s has an area of %.1f instead of %.1f", atrium->name, what, got, wanted);
	}
}

/* True if the triangle's face is a brush side. Patches and models are checked separately. */
static bool is_brush_face(const bspt_atrium *atrium, const bspt_triangle *t)
{
	const char *base = bspt_base_name(t->material);
	return bspt_surface_type(atrium, t->face) == PLANAR && strncmp(t->material, "models/", 7) && strcmp(base, "fog") &&
	       strcmp(base, "terrain");
}

static void check_areas(const bspt_atrium *atrium, const bspt_triangle *triangles, size_t count)
{
	const char *material;
	json_t *wanted;
	json_object_foreach((json_t *)(uintptr_t)json_object_get(atrium->facts, "world_area_by_material"), material, wanted)
	{
		double area = 0;
		for (size_t i = 0; i < count; i++) {
			if (is_brush_face(atrium, &triangles[i]) && !strcmp(bspt_base_name(triangles[i].material),
			                                                    material)) area += triangles[i].area;
		}
		check_area(atrium, material, area, json_number_value(wanted));
	}
	double rooms[3] = { 0 };
	for (size_t i = 0; i < count; i++) {
		const bspt_triangle *t = &triangles[i];
		if (strcmp(bspt_base_name(t->material), "floor")) continue;
		double x = (t->corner[0][0] + t->corner[1][0] + t->corner[2][0]) / 3;
		rooms[x < 64 ? 0 : x < 224 ? 1 : 2] += t->area;
	}
	const json_t *floors = json_object_get(atrium->facts, "floor_area");
	check_area(atrium, "the floor of room A", rooms[0], bspt_number(floors, "room_a_z0"));
	check_area(atrium, "the floor of the corridor", rooms[1], bspt_number(floors, "corridor_z0"));
	check_area(atrium, "the floor of room B", rooms[2], bspt_number(floors, "room_b_z0"));
}

/* Gets the bounds of the triangles that have this material, or of all triangles if `material` is NULL. Returns how many
 * these are. */
static size_t bounds_of(const bspt_triangle *triangles, size_t count, const char *material, double bounds[2][3])
{
	size_t found = 0;
	for (int k = 0; k < 3; k++) {
		bounds[0][k] = INFINITY;
		bounds[1][k] = -INFINITY;
	}
	for (size_t i = 0; i < count; i++) {
		if (material && strcmp(triangles[i].material, material)) continue;
		found++;
		for (int c = 0; c < 9; c++) {
			double x = triangles[i].corner[c / 3][c % 3];
			bounds[0][c % 3] = fmin(bounds[0][c % 3], x);
			bounds[1][c % 3] = fmax(bounds[1][c % 3], x);
		}
	}
	return found;
}

static void check_bounds(const bspt_atrium *atrium, const char *what, double got[2][3], const json_t *wanted)
{
	for (size_t side = 0; side < 2; side++) {
		double corner[3];
		bspt_vector(json_array_get(wanted, side), corner, 3);
		if (bspt_distance(got[side], corner) > LENGTH_TOLERANCE) {
			fail_msg("%s: %s reaches %g %g %g instead of %g %g %g", atrium->name, what, got[side][0], got[side][1],
			         got[side][2], corner[0], corner[1], corner[2]);
		}
	}
}

static void check_world_bounds(const bspt_atrium *atrium, const bspt_triangle *triangles, size_t count)
{
	double bounds[2][3];
	bspt_triangle *walls = calloc(count, sizeof *walls);
	size_t wall_count = 0;
	assert_non_null(walls);
	for (size_t i = 0; i < count; i++) {
		if (is_brush_face(atrium, &triangles[i])) walls[wall_count++] = triangles[i];
	}
	bounds_of(walls, wall_count, NULL, bounds);
	check_bounds(atrium, "the world", bounds, json_object_get(atrium->facts, "visible_world_bounds"));
	free(walls);
}

static void check_brush_models(const bspt_atrium *atrium)
{
	const json_t *models = json_object_get(atrium->facts, "brush_models");
	assert_int_equal(atrium->scene->counts->brush_entities, json_array_size(models));
	for (size_t i = 0; i < json_array_size(models); i++) {
		const json_t *wanted = json_array_get(models, i);
		uint32_t entity = find_entity(atrium, "model", bspt_string(wanted, "model"));
		assert_true(entity < atrium->scene->entity_count);
		assert_string_equal(atrium->scene->entities[entity]->classname, bspt_string(wanted, "classname"));
		const char *key;
		json_t *value;
		json_object_foreach(json_object_get(wanted, "keys"), key, value) {
			assert_string_equal(bspscene_entity_value(atrium->scene, entity, key), json_string_value(value));
		}
		const bspscene_node *node = atrium->scene->nodes[atrium->scene->entities[entity]->node];
		double origin[3], bounds[2][3];
		bspt_vector(json_object_get(wanted, "origin"), origin, 3);
		assert_true(is_at(node->transform, origin));
		/* The map has no surfaces for triggers, because q3map2 does not store them. */
		if (node->mesh == BSPSCENE_NO_INDEX) {
			assert_string_equal(bspt_string(wanted, "classname"), "trigger_multiple");
			continue;
		}
		size_t count;
		bspt_triangle *triangles = bspt_triangles(atrium->scene, node->mesh, &count);
		bounds_of(triangles, count, NULL, bounds);
		check_bounds(atrium, bspt_string(wanted, "classname"), bounds, json_object_get(wanted, "bounds_local"));
		json_object_foreach(json_object_get(wanted, "area_by_material"), key, value) {
			double area = 0;
			for (size_t k = 0; k < count; k++) area += strcmp(bspt_base_name(triangles[k].material),
			                                                  key) ? 0 : triangles[k].area;
			if (has_areas(atrium)) check_area(atrium, key, area, json_number_value(value));
		}
		free(triangles);
	}
}

/* ---- Texture coordinates ---------------------------------------------------------------------------------- */

/* Returns the distance in texels between `uv` and `texel`. `size` is the texture's size in texels. Multiples of `size`
 * do not count, because the compiler shifts coordinates by them. */
static double texel_error(double uv, double texel, double size)
{
	double difference = uv * size - texel;
	return fabs(difference - size * round(difference / size));
}

static bool find_uv(const bspt_atrium *atrium, uint32_t mesh, const double point[3], const double normal[3],
                    double uv[2])
{
	size_t count;
	bspt_triangle *triangles = bspt_triangles(atrium->scene, mesh, &count);
	bool found = false;
	for (size_t i = 0; i < count && !found; i++) {
		if (!is_brush_face(atrium, &triangles[i]) || bspt_distance(triangles[i].normal, normal) > 0.01) continue;
		found = bspt_triangle_distance(&triangles[i], point, uv) < LENGTH_TOLERANCE;
	}
	free(triangles);
	return found;
}

static void check_uv_points(const bspt_atrium *atrium)
{
	const json_t *points = json_object_get(atrium->facts, "uv_points");
	for (size_t i = 0; i < json_array_size(points); i++) {
		const json_t *wanted = json_array_get(points, i);
		const char *name = bspt_string(wanted, "name");
		double point[3], normal[3], size[2], texel[2], uv[2];
		bspt_vector(json_object_get(wanted, "point"), point, 3);
		bspt_vector(json_object_get(wanted, "face_normal"), normal, 3);
		bspt_vector(json_object_get(wanted, "texture_size"), size, 2);
		bspt_vector(json_object_get(wanted, "texel_st"), texel, 2);
		bool found = find_uv(atrium, world_mesh(atrium), point, normal, uv);
		for (uint32_t e = 0; e < atrium->scene->entity_count && !found; e++) {
			/* The facts have points of brush models in world space, but the meshes of brush models are relative to
			 * their origins. */
			const bspscene_node *node = atrium->scene->nodes[atrium->scene->entities[e]->node];
			if (node->kind != BSPSCENE_NODE_BRUSH_ENTITY || node->mesh == BSPSCENE_NO_INDEX) continue;
			double local[3] = { point[0] - (double)node->transform[3], point[1] - (double)node->transform[7],
			                    point[2] - (double)node->transform[11] };
			found = find_uv(atrium, node->mesh, local, normal, uv);
		}
		if (!found) fail_msg("%s: no face at the point %s", atrium->name, name);
		for (int k = 0; k < 2; k++) {
			double error = texel_error(uv[k], texel[k], size[k]);
			if (error > TEXEL_TOLERANCE) fail_msg("%s: %s is %.3f texels off", atrium->name, name, error);
		}
	}
}

/* ---- Patches, models, flare, fog -------------------------------------------------------------------------- */

static double nearest_patch(const bspt_atrium *atrium, const bspt_triangle *triangles, size_t count,
                            const double point[3],
                            double uv[2])
{
	double best = INFINITY;
	for (size_t i = 0; i < count; i++) {
		double found[2];
		if (bspt_surface_type(atrium, triangles[i].face) != PATCH) continue;
		double distance = bspt_triangle_distance(&triangles[i], point, found);
		if (distance >= best) continue;
		best = distance;
		memcpy(uv, found, sizeof found);
	}
	return best;
}

/* Corners of patches must be exact. Points on a curve may be off by the requested error. */
static void check_patches(const bspt_atrium *atrium, const bspt_triangle *triangles, size_t count, double patch_error)
{
	const json_t *patches = json_object_get(atrium->facts, "patches");
	assert_int_equal(atrium->scene->counts->patches, json_array_size(patches));
	for (size_t i = 0; i < json_array_size(patches); i++) {
		static const char *const kinds[] = { "corner_points_xyzst", "surface_points_xyzst_at_middle_of_each_3x3" };
		for (int kind = 0; kind < 2; kind++) {
			const json_t *points = json_object_get(json_array_get(patches, i), kinds[kind]);
			for (size_t k = 0; k < json_array_size(points); k++) {
				double wanted[5], uv[2];
				bspt_vector(json_array_get(points, k), wanted, 5);
				double distance = nearest_patch(atrium, triangles, count, wanted, uv);
				if (distance > (kind ? patch_error : 0) + LENGTH_TOLERANCE) {
					fail_msg("%s: patch %zu is %.3f from its point %g %g %g", atrium->name, i, distance, wanted[0],
					         wanted[1], wanted[2]);
				}
				for (int c = 0; c < 2 && !kind; c++) {
					if (texel_error(uv[c], wanted[3 + c], 1) > 1e-3) {
						fail_msg("%s: patch %zu has uv %g", atrium->name, i, uv[c]);
					}
				}
			}
		}
	}
}

static void check_baked_models(const bspt_atrium *atrium, const bspt_triangle *triangles, size_t count)
{
	const json_t *models = json_object_get(atrium->facts, "misc_models");
	for (size_t i = 0; i < json_array_size(models); i++) {
		const json_t *wanted = json_array_get(models, i);
		double bounds[2][3];
		size_t found = bounds_of(triangles, count, bspt_string(wanted, "material"), bounds);
		assert_int_equal(found, (size_t)bspt_number(wanted, "triangles"));
		check_bounds(atrium, bspt_string(wanted, "model"), bounds, json_object_get(wanted, "bounds_world"));
	}
}

static void check_flare(const bspt_atrium *atrium)
{
	const json_t *wanted = json_array_get(json_object_get(atrium->facts, "flare"), 0);
	double origin[3], color[3];
	bspt_vector(json_object_get(wanted, "origin"), origin, 3);
	bspt_vector(json_object_get(wanted, "color"), color, 3);
	bool found = false;
	for (uint32_t i = 0; i < atrium->scene->node_count; i++) {
		const bspscene_node *node = atrium->scene->nodes[i];
		if (node->kind != BSPSCENE_NODE_FLARE || !is_at(node->transform, origin)) continue;
		found = true;
		for (int k = 0; k < 3; k++) assert_true(fabs((double)node->color[k] - color[k]) < 1e-3);
		if (!is_flagged(atrium->map_facts, "renamed")) {
			assert_true(node->material < atrium->scene->material_count);
			assert_string_equal(atrium->scene->materials[node->material]->name, bspt_string(wanted, "material"));
		}
	}
	assert_true(found);
}

static void check_fog(const bspt_atrium *atrium)
{
	const json_t *wanted = json_array_get(json_object_get(atrium->facts, "fog"), 0);
	assert_int_equal(atrium->scene->fog_count, 1);
	const bspscene_fog *fog = atrium->scene->fogs[0];
	const bspscene_material *material = atrium->scene->materials[fog->material];
	assert_string_equal(bspt_base_name(material->name), bspt_base_name(bspt_string(wanted, "material")));
	double bounds[2][3], color[3];
	for (int k = 0; k < 3; k++) {
		bounds[0][k] = (double)fog->bounds.min[k];
		bounds[1][k] = (double)fog->bounds.max[k];
	}
	check_bounds(atrium, "fog", bounds, json_object_get(wanted, "bounds"));
	bspt_vector(json_object_get(wanted, "color"), color, 3);
	for (int k = 0; k < 3; k++) assert_true(fabs((double)material->fog->color[k] - color[k]) < 1e-5);
	assert_true(material->fog->depth == (float)bspt_number(wanted, "depth_for_opaque"));
}

static void check_materials(const bspt_atrium *atrium)
{
	const json_t *names = json_object_get(atrium->facts, "materials_visible");
	for (size_t i = 0; i < json_array_size(names); i++) {
		const char *name = json_string_value(json_array_get(names, i));
		bool found = false;
		for (uint32_t k = 0; k < atrium->scene->material_count; k++) {
			found = found || !strcmp(bspt_base_name(atrium->scene->materials[k]->name), bspt_base_name(name));
		}
		if (!found) fail_msg("%s has no material %s", atrium->name, name);
	}
	assert_int_equal(atrium->scene->counts->textures_missing, 0);
}

/* ---- All of it -------------------------------------------------------------------------------------------- */

static void check_atrium(const bspt_atrium *atrium, double patch_error)
{
	size_t count;
	bspt_triangle *triangles = bspt_triangles(atrium->scene, world_mesh(atrium), &count);
	bool renamed = is_flagged(atrium->map_facts, "renamed");
	check_entities(atrium);
	check_lights(atrium);
	check_spawns(atrium);
	check_world_bounds(atrium, triangles, count);
	check_brush_models(atrium);
	check_uv_points(atrium);
	if (has_areas(atrium)) check_areas(atrium, triangles, count);
	check_patches(atrium, triangles, count, patch_error);
	check_fog(atrium);
	if (atrium->scene->counts->billboards) check_flare(atrium);
	if (!renamed) check_baked_models(atrium, triangles, count);
	if (!renamed) check_materials(atrium);
	free(triangles);
}

static void test_facts(void **state)
{
	(void)state;
	json_error_t error;
	json_t *facts = json_load_file(bspt_fixture_path("atrium/expected_quake3.json"), 0, &error);
	if (!facts) fail_msg("%s", error.text);
	bspscene_file_system *files = bspt_mount_fixtures("atrium/quake3", NULL);
	const char *name;
	json_t *map_facts;
	json_object_foreach(json_object_get(facts, "maps"), name, map_facts) {
		char path[256];
		snprintf(path, sizeof path, "atrium/%s", name);
		bspscene_load_options options;
		bspscene_load_options_init(&options);
		options.include_mask = BSPSCENE_SURFACE_ALL & ~(uint32_t)BSPSCENE_SURFACE_COLLISION;
		options.patch_error = 1;
		bspt_use_files(&options, files);
		bspscene_error load_error;
		bspt_atrium atrium = { .name = name, .file = bspt_read_file(bspt_fixture_path(path)), .facts = facts,
			.map_facts = map_facts };
		atrium.scene = bspscene_load_file(bspt_fixture_path(path), &options, &load_error);
		if (!atrium.scene) fail_msg("%s", load_error.message);
		check_atrium(&atrium, (double)options.patch_error);
		bspscene_scene_free(atrium.scene);
		free(atrium.file.data);
	}
	bspscene_file_system_free(files);
	json_decref(facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_facts) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
