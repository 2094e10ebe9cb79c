/* test_gltf_merge.c - equal parts of meshes are shared in glTF. The map can be one mesh, one mesh for each model, or
 * parts of the world, with or without entities. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "support/check/written_sample.h"

#define METERS 0.0254

/* Two sections whose written data is equal become one primitive. Sections whose written data differs are not merged. */
static void what_is_alike_is_written_once(void **state)
{
	bspt_written_sample w = { .sample = bspt_sample_make() };
	(void)state;
	w.sample->sections[BSPT_SAMPLE_BRICK].fog = BSPSCENE_NO_INDEX;
	w.sample->sections[BSPT_SAMPLE_BRICK_2].lightmap_page = w.sample->sections[BSPT_SAMPLE_BRICK].lightmap_page;
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, NULL);
	assert_int_equal(json_array_size(bspt_gltf_at(&w.gltf, "meshes/0/primitives")), BSPT_SAMPLE_SECTIONS - 1);
	uint32_t position = bspt_accessor_of(&w, BSPT_SAMPLE_BRICK, "POSITION");
	assert_int_equal(bspt_gltf_number(&w.gltf, "accessors/%u/count", position), 8);
	bspt_release_sample(&w);

	/* Makes a second material whose written data is equal to the first. */
	w.sample = bspt_sample_make();
	bspscene_material *materials = w.sample->materials;
	uint32_t brick = w.sample->sections[BSPT_SAMPLE_BRICK].material;
	uint32_t glow = w.sample->sections[BSPT_SAMPLE_GLOW].material;
	materials[glow] = materials[brick];
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_NONE, NULL);
	assert_int_equal(bspt_material_of(&w, BSPT_SAMPLE_BRICK), bspt_material_of(&w, BSPT_SAMPLE_BRICK_2));
	size_t count = json_array_size(bspt_gltf_at(&w.gltf, "materials"));
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < i; j++) {
			assert_false(
				json_equal(bspt_gltf_at(&w.gltf, "materials/%zu", i), bspt_gltf_at(&w.gltf, "materials/%zu", j)));
		}
	}
	bspt_release_sample(&w);
}

static void write_merged(bspt_written_sample *w, bspscene_write_merge merge, bool no_entities)
{
	bspscene_write_options options;
	bspscene_error error;
	bspt_report report = { 0 };
	bspscene_write_options_init(&options);
	options.lighting = BSPSCENE_WRITE_LIGHTING_LIGHTMAP;
	options.lights = BSPSCENE_WRITE_LIGHTS_ALL;
	options.merge = merge;
	options.omit_entities = no_entities;
	bspscene_output output = bspt_capture(&w->captured);
	if (!bspscene_write(&w->sample->scene, "glb", &options, &output, &error)) fail_msg("%s", error.message);
	w->gltf = bspt_gltf_open(&w->captured, &report);
	bspt_assert_clean(&report);
}

/* The door is rotated by 90 degrees to the left, scaled by two in height, and moved to (10, 20, 30). So its third
 * corner (64, 64, 0) is at (10 - 64, 20 + 64, 30) in the merged mesh, too. If the door is mirrored, the winding order
 * of its triangles is reversed, and its normals still point up. */
static void all_is_one_mesh_on_request(void **state)
{
	(void)state;
	for (int mirrored = 0; mirrored < 2; mirrored++) {
		bspt_written_sample w = { .sample = bspt_sample_make() };
		float *m = w.sample->nodes[BSPT_SAMPLE_NODE_DOOR].transform;
		for (int r = 0; mirrored && r < 3; r++) m[4 * r] = -m[4 * r];
		write_merged(&w, BSPSCENE_WRITE_MERGE_MATERIAL, false);
		assert_int_equal(json_array_size(bspt_gltf_at(&w.gltf, "meshes")), 1);
		size_t last = json_array_size(bspt_gltf_at(&w.gltf, "meshes/0/primitives")) - 1;
		uint32_t at = (uint32_t)bspt_gltf_number(&w.gltf, "meshes/0/primitives/%zu/attributes/POSITION", last);
		uint32_t normal = (uint32_t)bspt_gltf_number(&w.gltf, "meshes/0/primitives/%zu/attributes/NORMAL", last);
		uint32_t indices = (uint32_t)bspt_gltf_number(&w.gltf, "meshes/0/primitives/%zu/indices", last);
		bspt_expect_near(bspt_gltf_element(&w.gltf, at, 0, 0), 10 * METERS);
		bspt_expect_near(bspt_gltf_element(&w.gltf, at, 0, 1), 30 * METERS);
		bspt_expect_near(bspt_gltf_element(&w.gltf, at, 2, 0), (10 - 64) * METERS);
		bspt_expect_near(bspt_gltf_element(&w.gltf, at, 2, 2), -(20 + (mirrored ? -64 : 64)) * METERS);
		bspt_expect_near(bspt_gltf_element(&w.gltf, normal, 0, 1), 1);
		assert_int_equal(bspt_gltf_element(&w.gltf, indices, 0, 0), mirrored ? 2 : 0);
		/* The mesh has a new node. Merged nodes have no mesh and keep their keys. */
		assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/%d/name", BSPT_SAMPLE_NODES), "map");
		assert_int_equal(bspt_gltf_number(&w.gltf, "nodes/%d/mesh", BSPT_SAMPLE_NODES), 0);
		assert_null(bspt_gltf_at(&w.gltf, "nodes/%d/mesh", BSPT_SAMPLE_NODE_DOOR));
		assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/%d/extras/angle", BSPT_SAMPLE_NODE_DOOR), "90");
		bspt_release_sample(&w);
	}
}

/* Checks that the front of the first triangle and all of its normals point along `way`. The front of a triangle is the
 * side from which it is counterclockwise. */
static void expect_faces(const bspt_gltf *gltf, size_t primitive, const float way[3])
{
	uint32_t at = (uint32_t)bspt_gltf_number(gltf, "meshes/0/primitives/%zu/attributes/POSITION", primitive);
	uint32_t normals = (uint32_t)bspt_gltf_number(gltf, "meshes/0/primitives/%zu/attributes/NORMAL", primitive);
	uint32_t indices = (uint32_t)bspt_gltf_number(gltf, "meshes/0/primitives/%zu/indices", primitive);
	double p[3][3], along = 0;
	for (uint32_t k = 0; k < 3; k++) {
		uint32_t vertex = (uint32_t)bspt_gltf_element(gltf, indices, k, 0);
		for (uint32_t i = 0; i < 3; i++) {
			p[k][i] = bspt_gltf_element(gltf, at, vertex, i);
			bspt_expect_near(bspt_gltf_element(gltf, normals, vertex, i), (double)way[i]);
		}
	}
	for (int i = 0; i < 3; i++) {
		int a = (i + 1) % 3, b = (i + 2) % 3;
		double out = (p[1][a] - p[0][a]) * (p[2][b] - p[0][b]) - (p[1][b] - p[0][b]) * (p[2][a] - p[0][a]);
		along += out * (double)way[i];
	}
	assert_true(along > 0);
}

/* Tests all six permutations of axes, each mirrored or not. */
static void turned_meshes_face_the_same_way(void **state)
{
	static const int axes[6][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 0, 2, 1 }, { 2, 1, 0 }, { 1, 0, 2 } };
	(void)state;
	for (int i = 0; i < 6 * 4; i++) {
		bspt_written_sample w = { .sample = bspt_sample_make() };
		float *m = w.sample->nodes[BSPT_SAMPLE_NODE_DOOR].transform;
		for (int r = 0; r < 3; r++) {
			for (int c = 0; c < 3; c++) m[4 * r + c] = c == axes[i / 4][r] ? i % 4 == r ? -1 : 1 : 0;
			m[4 * r + 3] = (float)(100 + 10 * r);
		}
		write_merged(&w, BSPSCENE_WRITE_MERGE_MATERIAL, false);
		/* The third column of the matrix is the up axis of the door in the game. In the file, y is up. */
		const float up[3] = { m[2], m[10], -m[6] };
		expect_faces(&w.gltf, json_array_size(bspt_gltf_at(&w.gltf, "meshes/0/primitives")) - 1, up);
		bspt_release_sample(&w);
	}
}

static void what_several_nodes_show_stays_by_itself(void **state)
{
	bspt_written_sample w = { .sample = bspt_sample_make() };
	(void)state;
	w.sample->nodes[BSPT_SAMPLE_NODE_LAMP].mesh = 1;
	write_merged(&w, BSPSCENE_WRITE_MERGE_MATERIAL, false);
	assert_int_equal(json_array_size(bspt_gltf_at(&w.gltf, "meshes")), 2);
	assert_int_equal(bspt_gltf_number(&w.gltf, "nodes/%d/mesh", BSPT_SAMPLE_NODE_LAMP),
	                 bspt_gltf_number(&w.gltf, "nodes/%d/mesh", BSPT_SAMPLE_NODE_DOOR));
	bspt_release_sample(&w);
}

/* The world is split by clusters, or by areas if the map has at least two. */
static void the_world_is_split_on_request(void **state)
{
	static const char *const names[2][3] = {
		{ "world.cluster4", "world.cluster0", "world.elsewhere" },
		{ "world.area2", "world.area1", "world.elsewhere" },
	};
	(void)state;
	for (int by_area = 0; by_area < 2; by_area++) {
		bspt_written_sample w = { .sample = bspt_sample_make() };
		for (uint32_t i = 0; i < 4; i++) {
			w.sample->faces[i].cluster = i == 0 ? 4 : 0;
			if (by_area) w.sample->faces[i].area = i == 0 ? 2 : 1;
		}
		write_merged(&w, BSPSCENE_WRITE_MERGE_NONE, false);
		/* Three parts of the world, and the door. */
		assert_int_equal(json_array_size(bspt_gltf_at(&w.gltf, "meshes")), 4);
		for (uint32_t i = 0; i < 3; i++) {
			assert_string_equal(bspt_gltf_text(&w.gltf, "meshes/%u/name", i), names[by_area][i]);
		}
		assert_int_equal(json_array_size(bspt_gltf_at(&w.gltf, "meshes/1/primitives")), 3);
		assert_null(bspt_gltf_at(&w.gltf, "nodes/1/mesh"));
		assert_int_equal(json_array_size(bspt_gltf_at(&w.gltf, "nodes/1/children")), 3);
		bspt_release_sample(&w);
	}
}

/* Nodes without a mesh are left out, unless one of their descendants has a mesh. */
static void entities_are_left_out_on_request(void **state)
{
	bspt_written_sample w = { .sample = bspt_sample_make() };
	(void)state;
	write_merged(&w, BSPSCENE_WRITE_MERGE_MODEL, true);
	size_t count = json_array_size(bspt_gltf_at(&w.gltf, "nodes"));
	bool found = false;
	assert_true(count > 4 && count < BSPT_SAMPLE_NODES);
	for (size_t i = 0; i < count; i++) {
		assert_null(bspt_gltf_at(&w.gltf, "nodes/%zu/extras", i));
		const char *name = bspt_gltf_text(&w.gltf, "nodes/%zu/name", i);
		assert_string_not_equal(name, w.sample->nodes[BSPT_SAMPLE_NODE_EMPTY].name);
		if (strcmp(name, w.sample->nodes[BSPT_SAMPLE_NODE_DOOR].name) != 0) continue;
		found = true;
		assert_int_equal(bspt_gltf_number(&w.gltf, "nodes/%zu/mesh", i), 1);
	}
	assert_true(found);
	bspt_release_sample(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_alike_is_written_once),           cmocka_unit_test(all_is_one_mesh_on_request),
		cmocka_unit_test(what_several_nodes_show_stays_by_itself), cmocka_unit_test(the_world_is_split_on_request),
		cmocka_unit_test(entities_are_left_out_on_request),        cmocka_unit_test(turned_meshes_face_the_same_way),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
