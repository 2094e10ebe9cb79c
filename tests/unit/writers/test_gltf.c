/* test_gltf.c - a glTF file has the contents of the scene: geometry, nodes and files. The expected numbers were
 * computed by hand for support/make/sample_scene.c. The validator checks the rules of the specification
 * (tests/gltf). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "support/check/written_sample.h"
#include "writers/gltf/gltf.h"

#define METERS 0.0254
#define PI 3.14159265358979

/* ---- Geometry --------------------------------------------------------------------------------------------- */

static void geometry_is_in_meters_with_y_up(void **state)
{
	bspt_written_sample w;
	(void)state;
	bspt_write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
	for (uint32_t section = 0; section < BSPT_SAMPLE_SECTIONS; section++) {
		uint32_t position = bspt_accessor_of(&w, section, "POSITION"), normal = bspt_accessor_of(&w, section, "NORMAL");
		bool inside = section == BSPT_SAMPLE_INSIDE;
		/* The third corner is at (64 * (section + 1), 64, 8 * section) in the game. */
		bspt_expect_near(bspt_gltf_element(&w.gltf, position, 2, 0), 64 * (section + 1) * METERS);
		bspt_expect_near(bspt_gltf_element(&w.gltf, position, 2, 1), 8 * section * METERS);
		bspt_expect_near(bspt_gltf_element(&w.gltf, position, 2, 2), -64 * METERS);
		bspt_expect_near(bspt_gltf_number(&w.gltf, "accessors/%u/min/2", position), -64 * METERS);
		bspt_expect_near(bspt_gltf_number(&w.gltf, "accessors/%u/max/0", position), 64 * (section + 1) * METERS);
		bspt_expect_near(bspt_gltf_element(&w.gltf, normal, 0, 1), inside ? -1 : 1);
		uint32_t uv = bspt_accessor_of(&w, section, "TEXCOORD_0");
		bspt_expect_near(bspt_gltf_element(&w.gltf, uv, 2, 1), 1);
		uint32_t indices = (uint32_t)bspt_gltf_number(&w.gltf, "meshes/0/primitives/%u/indices", section);
		assert_int_equal(bspt_gltf_number(&w.gltf, "accessors/%u/componentType", indices), 5123);
		const uint32_t up[6] = { 0, 1, 2, 0, 2, 3 }, down[6] = { 2, 1, 0, 3, 2, 0 };
		for (uint32_t i = 0; i < 6; i++) {
			assert_int_equal(bspt_gltf_element(&w.gltf, indices, i, 0), (inside ? down : up)[i]);
		}
	}
	bspt_release_sample(&w);
}

static void triangles_without_area_and_unseen_meshes_are_left_out(void **state)
{
	bspt_written_sample w;
	(void)state;
	bspt_write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
	assert_int_equal(json_array_size(bspt_gltf_at(&w.gltf, "meshes")), 2);
	uint32_t indices = (uint32_t)bspt_gltf_number(&w.gltf, "meshes/1/primitives/0/indices");
	const uint32_t want[6] = { 0, 1, 2, 0, 2, 3 };
	assert_int_equal(bspt_gltf_number(&w.gltf, "accessors/%u/count", indices), 6);
	for (uint32_t i = 0; i < 6; i++) assert_int_equal(bspt_gltf_element(&w.gltf, indices, i, 0), want[i]);
	assert_null(bspt_gltf_at(&w.gltf, "nodes/%u/mesh", BSPT_SAMPLE_NODE_EMPTY));
	bspt_release_sample(&w);
}

/* 65536 vertices are too many for 16-bit indices, unless duplicates leave fewer. */
static void large_sections_get_wide_indices(void **state)
{
	enum { COUNT = 65536 };
	static float positions[3 * COUNT], normals[3 * COUNT], uvs[2 * COUNT];
	static uint32_t indices[3 * COUNT];
	(void)state;
	for (uint32_t i = 0; i < COUNT; i++) {
		for (uint32_t c = 0; c < 3; c++) indices[3 * i + c] = (i + c) % COUNT;
	}
	for (int alike = 0; alike < 2; alike++) {
		bspt_written_sample w = { .sample = bspt_sample_make() };
		for (uint32_t i = 0; i < COUNT; i++) {
			uint32_t at = alike ? i % 6 : i;
			positions[3 * i] = (float)at;
			positions[3 * i + 1] = (float)(at * at % 7);
		}
		bspscene_mesh *mesh = &w.sample->meshes[1];
		mesh->vertex_count = COUNT;
		mesh->index_count = 3 * COUNT;
		mesh->positions = positions;
		mesh->normals = normals;       /* all normals are zero, but glTF requires unit length */
		mesh->uvs = uvs;
		mesh->colors = NULL;
		mesh->indices = indices;
		w.sample->sections[BSPT_SAMPLE_SECTIONS].vertex_count = COUNT;
		w.sample->sections[BSPT_SAMPLE_SECTIONS].index_count = 3 * COUNT;
		bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, NULL);
		uint32_t wide = (uint32_t)bspt_gltf_number(&w.gltf, "meshes/1/primitives/0/indices");
		uint32_t normal = (uint32_t)bspt_gltf_number(&w.gltf, "meshes/1/primitives/0/attributes/NORMAL");
		assert_int_equal(bspt_gltf_number(&w.gltf, "accessors/%u/componentType", wide), alike ? 5123 : 5125);
		uint32_t count = (uint32_t)bspt_gltf_number(&w.gltf, "accessors/%u/count", normal);
		assert_int_equal(count, alike ? 6 : COUNT);
		bspt_expect_near(bspt_gltf_element(&w.gltf, normal, count - 1, 1), 1);
		assert_null(bspt_gltf_at(&w.gltf, "meshes/1/primitives/0/attributes/COLOR_0"));
		bspt_release_sample(&w);
	}
}

/* A triangle without area is left out, even if its vertices have different indices. */
static void triangles_in_one_line_are_left_out(void **state)
{
	bspt_written_sample w = { .sample = bspt_sample_make() };
	(void)state;
	for (uint32_t k = 0; k < 3; k++) {
		float *p = w.sample->positions;
		p[3 * 3 + k] = (p[k] + p[2 * 3 + k]) / 2; /* moves a corner so that the second triangle, 0 2 3, is a line */
	}
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, NULL);
	uint32_t indices = (uint32_t)bspt_gltf_number(&w.gltf, "meshes/0/primitives/0/indices");
	assert_int_equal(bspt_gltf_number(&w.gltf, "accessors/%u/count", indices), 3);
	assert_int_equal(bspt_gltf_number(&w.gltf, "accessors/%u/count", bspt_accessor_of(&w, 0, "POSITION")), 3);
	bspt_release_sample(&w);
}

/* ---- Nodes ------------------------------------------------------------------------------------------------ */

typedef struct vector { double x, y, z; } vector;

static vector rotate(const bspt_written_sample *w, const char *node, vector v)
{
	double q[4] = { 0, 0, 0, 1 };
	json_t *rotation = bspt_gltf_at(&w->gltf, "nodes/%s/rotation", node);
	for (size_t i = 0; rotation && i < 4; i++) q[i] = json_number_value(json_array_get(rotation, i));
	vector c = { q[1] * v.z - q[2] * v.y, q[2] * v.x - q[0] * v.z, q[0] * v.y - q[1] * v.x };
	vector d = { q[1] * c.z - q[2] * c.y, q[2] * c.x - q[0] * c.z, q[0] * c.y - q[1] * c.x };
	return (vector){ v.x + 2 * (q[3] * c.x + d.x), v.y + 2 * (q[3] * c.y + d.y), v.z + 2 * (q[3] * c.z + d.z) };
}

static void expect_direction(vector v, double x, double y, double z)
{
	bspt_expect_near(v.x, x);
	bspt_expect_near(v.y, y);
	bspt_expect_near(v.z, z);
}

static const vector forward = { 0, 0, -1 }, up = { 0, 1, 0 };

static void the_tree_is_kept(void **state)
{
	bspt_written_sample w;
	(void)state;
	bspt_write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
	assert_int_equal(bspt_gltf_number(&w.gltf, "scenes/0/nodes/0"), BSPT_SAMPLE_NODE_ROOT);
	assert_int_equal(json_array_size(bspt_gltf_at(&w.gltf, "nodes/0/children")), BSPT_SAMPLE_NODES - 2);
	assert_int_equal(bspt_gltf_number(&w.gltf, "nodes/%d/children/0", BSPT_SAMPLE_NODE_SPOT), BSPT_SAMPLE_NODE_CHILD);
	for (uint32_t i = 0; i < BSPT_SAMPLE_NODES; i++) {
		assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/%u/name", i), w.sample->nodes[i].name);
	}
	/* The door is rotated by 90 degrees to the left (counterclockwise seen from above), scaled by two in height, and at
	 * (10, 20, 30). */
	bspt_expect_near(bspt_gltf_number(&w.gltf, "nodes/2/translation/0"), 10 * METERS);
	bspt_expect_near(bspt_gltf_number(&w.gltf, "nodes/2/translation/1"), 30 * METERS);
	bspt_expect_near(bspt_gltf_number(&w.gltf, "nodes/2/translation/2"), -20 * METERS);
	bspt_expect_near(bspt_gltf_number(&w.gltf, "nodes/2/scale/1"), 2);
	bspt_expect_near(bspt_gltf_number(&w.gltf, "nodes/2/scale/0"), 1);
	expect_direction(rotate(&w, "2", (vector){ 1, 0, 0 }), 0, 0, -1);
	expect_direction(rotate(&w, "2", up), 0, 1, 0);
	assert_null(bspt_gltf_at(&w.gltf, "nodes/0/translation"));
	assert_null(bspt_gltf_at(&w.gltf, "nodes/0/rotation"));
	assert_null(bspt_gltf_at(&w.gltf, "nodes/0/scale"));
	bspt_release_sample(&w);
}

static void mirrored_nodes_stay_mirrored(void **state)
{
	static const float mirror[12] = { -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 };
	static const double axes[3][3] = { { -1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	bspt_written_sample w;
	(void)state;
	w.sample = bspt_sample_make();
	memcpy(w.sample->nodes[BSPT_SAMPLE_NODE_DOOR].transform, mirror, sizeof mirror);
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, NULL);
	for (int i = 0; i < 3; i++) {
		double scale = bspt_gltf_number(&w.gltf, "nodes/2/scale/%d", i);
		vector axis = { i == 0 ? scale : 0, i == 1 ? scale : 0, i == 2 ? scale : 0 };
		expect_direction(rotate(&w, "2", axis), axes[i][0], axes[i][1], axes[i][2]);
	}
	bspt_release_sample(&w);
}

static void lights_and_cameras_look_where_the_game_does(void **state)
{
	bspt_written_sample w;
	(void)state;
	bspt_write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTING_NONE);
	/* The sun shines down. So does the spot light. Its node has a child already, so the light is on a second child. */
	expect_direction(rotate(&w, "5", forward), 0, -1, 0);
	expect_direction(rotate(&w, "4", (vector){ 1, 0, 0 }), 0, -1, 0);
	assert_null(bspt_gltf_at(&w.gltf, "nodes/4/extensions"));
	char child[16];
	snprintf(child, sizeof child, "%d", (int)bspt_gltf_number(&w.gltf, "nodes/4/children/1"));
	assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/%s/name", child), "light_spot.light");
	assert_non_null(bspt_gltf_at(&w.gltf, "nodes/%s/extensions/KHR_lights_punctual", child));
	expect_direction(rotate(&w, child, forward), 1, 0, 0);
	/* The camera is upright. It looks along the game's +Y axis, which is -Z in the file. */
	expect_direction(rotate(&w, "7", forward), 0, 0, -1);
	expect_direction(rotate(&w, "7", up), 0, 1, 0);
	bspt_expect_near(bspt_gltf_number(&w.gltf, "cameras/0/perspective/yfov"), 2 * atan(0.75));
	bspt_release_sample(&w);
}

static void lights_have_units(void **state)
{
	bspt_written_sample w;
	(void)state;
	bspt_write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTING_NONE);
	const char *lights = "extensions/KHR_lights_punctual/lights";
	assert_int_equal(json_array_size(bspt_gltf_at(&w.gltf, "%s", lights)), 3);
	assert_string_equal(bspt_gltf_text(&w.gltf, "%s/0/type", lights), "point");
	/* The light at 100 units, times pi, is the illuminance in lux. */
	bspt_expect_near(bspt_gltf_number(&w.gltf, "%s/0/intensity", lights), PI * 3.5 * 100 * METERS * 100 * METERS);
	bspt_expect_near(bspt_gltf_number(&w.gltf, "%s/0/color/1", lights), bspt_linear(0.5));
	assert_string_equal(bspt_gltf_text(&w.gltf, "%s/1/type", lights), "spot");
	bspt_expect_near(bspt_gltf_number(&w.gltf, "%s/1/spot/outerConeAngle", lights), PI / 6);
	assert_true(bspt_gltf_number(&w.gltf, "%s/1/spot/innerConeAngle", lights) < PI / 6);
	bspt_expect_near(bspt_gltf_number(&w.gltf, "%s/1/range", lights), 400 * METERS);
	assert_string_equal(bspt_gltf_text(&w.gltf, "%s/2/type", lights), "directional");
	bspt_expect_near(bspt_gltf_number(&w.gltf, "%s/2/intensity", lights), PI * 21);
	assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/6/extras/bspscene/light/kind"), "surface");
	assert_null(bspt_gltf_at(&w.gltf, "nodes/6/extensions"));
	bspt_release_sample(&w);
}

/* glTF ignores the scale of nodes for lights. So the intensity and range of lights in the 3D skybox are enlarged in the
 * file. */
static void enlarged_lights_reach_as_far(void **state)
{
	bspt_written_sample w = { .sample = bspt_sample_make() };
	(void)state;
	float *m = w.sample->nodes[BSPT_SAMPLE_NODE_SPOT].transform;
	for (int i = 0; i < 12; i++) m[i] *= i % 4 == 3 ? 1 : 16;
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_NONE, NULL);
	const char *lights = "extensions/KHR_lights_punctual/lights";
	bspt_expect_near(bspt_gltf_number(&w.gltf, "%s/1/intensity", lights), PI * 0.5 * 1600 * METERS * 1600 * METERS);
	bspt_expect_near(bspt_gltf_number(&w.gltf, "%s/1/range", lights), 400 * METERS * 16);
	bspt_release_sample(&w);
}

/* Lamps that are off when the map starts are not lights of the file, only metadata. */
static void hidden_lights_are_facts(void **state)
{
	bspt_written_sample w = { .sample = bspt_sample_make() };
	(void)state;
	w.sample->nodes[BSPT_SAMPLE_NODE_LAMP].hidden = true;
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_NONE, NULL);
	assert_int_equal(json_array_size(bspt_gltf_at(&w.gltf, "extensions/KHR_lights_punctual/lights")), 2);
	const char *facts = "nodes/%d/extras/bspscene/light/%s";
	assert_string_equal(bspt_gltf_text(&w.gltf, facts, BSPT_SAMPLE_NODE_LAMP, "kind"), "point");
	bspt_expect_near(bspt_gltf_number(&w.gltf, facts, BSPT_SAMPLE_NODE_LAMP, "illuminanceAt100Units"), 3.5);
	bspt_release_sample(&w);
}

static void entities_are_kept_in_extras(void **state)
{
	bspt_written_sample w;
	(void)state;
	bspt_write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
	assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/1/extras/classname"), "worldspawn");
	assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/1/extras/message/0"), "first \"line\"\nand second");
	assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/1/extras/message/2"), "and again");
	assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/1/extras/_gr\xc3\xb6\xc3\x9f" "e"), "12");
	assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/2/extras/angle"), "90");
	assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/2/extras/bspscene/target"), "light:2");
	assert_int_equal(bspt_gltf_number(&w.gltf, "nodes/2/extras/bspscene/model"), 1);
	static const char prop[] =
		"{\"model\": \"models/barrel.md3\", \"static\": true, \"color\": [1.0, 0.5, 1.0, 1.0], \"solid\": 6, "
		"\"flags\": 3, \"fade\": [100.0, 200.0], \"fadeScale\": 0.5, \"lightingOrigin\": [1.0, 2.0, 3.0], "
		"\"dxLevels\": [0, 90]}";
	json_t *wanted = json_loads(prop, 0, NULL);
	assert_true(wanted && json_equal(bspt_gltf_at(&w.gltf, "nodes/8/extras/bspscene/prop"), wanted));
	json_decref(wanted);
	assert_true(json_is_true(bspt_gltf_at(&w.gltf, "nodes/9/extras/bspscene/hidden")));
	assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/9/extras/bspscene/material"), "textures/sample/glow");
	/* Keys are in the order of the entity's text. */
	const char *want[] = { "classname", "message", w.sample->pairs[4].key, "bspscene" }, *key;
	json_t *value;
	size_t i = 0;
	json_object_foreach(bspt_gltf_at(&w.gltf, "nodes/1/extras"), key, value) assert_string_equal(key, want[i++]);
	assert_string_equal(bspt_gltf_text(&w.gltf, "asset/generator"), "bspscene " BSPSCENE_VERSION_STRING);
	assert_string_equal(bspt_gltf_text(&w.gltf, "asset/extras/family"), "quake3");
	assert_string_equal(bspt_gltf_text(&w.gltf, "asset/extras/map"), "sample");
	bspt_expect_near(bspt_gltf_number(&w.gltf, "asset/extras/metersPerUnit"), METERS);
	bspt_release_sample(&w);
}

/* ---- Containers ------------------------------------------------------------------------------------------- */

static void gltf_and_glb_hold_the_same_scene(void **state)
{
	bspt_written_sample glb, gltf;
	(void)state;
	bspt_write_sample(&glb, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
	bspt_write_sample(&gltf, "gltf", BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
	const char *const same[] = {
		"nodes", "meshes", "materials", "accessors", "textures", "samplers", "cameras", "scenes",
	};
	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		assert_true(json_equal(bspt_gltf_at(&glb.gltf, "%s", same[i]), bspt_gltf_at(&gltf.gltf, "%s", same[i])));
	}
	assert_memory_equal(glb.gltf.binary, gltf.gltf.binary, gltf.gltf.binary_size);
	bspt_release_sample(&glb);
	bspt_release_sample(&gltf);
}

static void siblings_have_safe_names_of_their_own(void **state)
{
	bspt_written_sample w;
	(void)state;
	w.sample = bspt_sample_make();
	bspt_write_sample_as(&w, "gltf", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, "my m\xc3\xa4p.x.gltf");
	assert_string_equal(w.captured.files[0].name, "my m\xc3\xa4p.x.gltf");
	assert_string_equal(w.captured.files[1].name, "my m\xc3\xa4p.x.bin");
	assert_int_equal(w.captured.file_count, 2 + json_array_size(bspt_gltf_at(&w.gltf, "images")));
	assert_string_equal(bspt_gltf_text(&w.gltf, "buffers/0/uri"), "my%20m%C3%A4p.x.bin");
	for (uint32_t i = 0; i < w.captured.file_count; i++) {
		assert_null(strpbrk(w.captured.files[i].name, "/\\:*?\"<>|"));
		assert_null(strstr(w.captured.files[i].name, ".."));
		assert_true(w.captured.files[i].closed);
		/* File names may not differ only in letter case, because they are the same file on some systems. */
		for (uint32_t j = 0; j < i; j++) {
			assert_false(bspi_text_equal(w.captured.files[i].name, w.captured.files[j].name));
		}
	}
	bspt_release_sample(&w);
}

static void an_empty_scene_is_a_file(void **state)
{
	bspscene_scene empty = {
		.name = "", .family = "quake3", .variant = "quake3", .meters_per_unit = 0.0254f,
		.sky_material = BSPSCENE_NO_INDEX,
	};
	static const char *const writers[] = { "glb", "gltf", "fbx", "usda", "usdz", "obj" };
	(void)state;
	bspt_empty_parts(&empty);
	for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
		bspt_captured captured;
		bspscene_error error;
		bspscene_output output = bspt_capture(&captured);
		assert_true(bspscene_write(&empty, writers[i], NULL, &output, &error));
		assert_int_equal(error.status, BSPSCENE_OK);
		assert_int_equal(captured.file_count, !strcmp(writers[i], "obj") ? 2 : 1);
		if (i < 2) {
			bspt_report report = { 0 };
			bspt_gltf gltf = bspt_gltf_open(&captured, &report);
			bspt_assert_clean(&report);
			assert_null(bspt_gltf_at(&gltf, "buffers"));
			assert_null(bspt_gltf_at(&gltf, "meshes"));
			bspt_gltf_close(&gltf);
		}
		bspt_captured_free(&captured);
	}
}

static void a_glb_beyond_4_gib_is_refused(void **state)
{
	static bspi_writer writer = { .main_name = "huge.glb" };
	bspi_gltf glb = { .writer = &writer, .binary = true }, gltf = { .writer = &writer };
	(void)state;
	assert_true(bspi_gltf_check_size(&glb, UINT32_MAX));
	assert_true(bspi_gltf_check_size(&gltf, (uint64_t)UINT32_MAX + 1));
	assert_int_equal(writer.failure.status, BSPSCENE_OK);
	assert_false(bspi_gltf_check_size(&glb, (uint64_t)UINT32_MAX + 1));
	assert_int_equal(writer.failure.status, BSPSCENE_ERROR_LIMIT);
	assert_non_null(strstr(writer.failure.message, "write .gltf instead"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(geometry_is_in_meters_with_y_up),
		cmocka_unit_test(triangles_without_area_and_unseen_meshes_are_left_out),
		cmocka_unit_test(large_sections_get_wide_indices),
		cmocka_unit_test(triangles_in_one_line_are_left_out),
		cmocka_unit_test(the_tree_is_kept),
		cmocka_unit_test(mirrored_nodes_stay_mirrored),
		cmocka_unit_test(lights_and_cameras_look_where_the_game_does),
		cmocka_unit_test(lights_have_units),
		cmocka_unit_test(enlarged_lights_reach_as_far),
		cmocka_unit_test(hidden_lights_are_facts),
		cmocka_unit_test(entities_are_kept_in_extras),
		cmocka_unit_test(gltf_and_glb_hold_the_same_scene),
		cmocka_unit_test(siblings_have_safe_names_of_their_own),
		cmocka_unit_test(an_empty_scene_is_a_file),
		cmocka_unit_test(a_glb_beyond_4_gib_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
