/* Promise: with BSPSCENE_WRITE_SKY_SURFACES, each sky face of a map is in the file once, at its place in the map. Each
 * of its points shows the sky in the direction from an eye to the point, within a texel. Nothing else in the file
 * changes. A map without sky faces gets a cube of sky around it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <bspscene/sky.h>

#include "drawing/sky_sides.h"
#include "support/captured.h"
#include "writers/sky/sky_choice.h"

/* Atria have an open roof, whose sky is a box of images, clouds or layers. */
static const struct { const char *game, *map; } maps[] = {
	{ "atrium/quake3", "atrium/quake3/maps/atrium.bsp" },
	{ "atrium/quake", "atrium/quake/maps/atrium.bsp" },
	{ "atrium/quake2_q2map", "atrium/quake2_q2map/maps/atrium.bsp" },
	{ "atrium/goldsrc", "atrium/goldsrc/maps/atrium_wad.bsp" },
};
/* BOX is the last map, whose images are written as they are. */
enum { MAP_COUNT = sizeof maps / sizeof *maps, BOX = MAP_COUNT - 1 };

static bspscene_scene *load(size_t map, uint32_t include)
{
	bspscene_file_system *files = bspt_mount_fixtures(maps[map].game, NULL);
	bspscene_load_options options;
	bspscene_error error;
	bspscene_load_options_init(&options);
	bspt_use_files(&options, files);
	options.include_mask = include;
	options.name = "atrium";
	bspscene_scene *scene = bspscene_load_file(bspt_fixture_path(maps[map].map), &options, &error);
	if (!scene) fail_msg("%s: %s", maps[map].map, error.message);
	bspscene_file_system_free(files);
	return scene;
}

static void write_as(const bspscene_scene *scene, const char *writer, bspscene_write_lighting lighting,
                     bspscene_write_sky sky, bspt_captured *captured)
{
	bspscene_write_options options;
	bspscene_error error;
	bspscene_write_options_init(&options);
	options.lighting = lighting;
	options.sky = sky;
	options.compression = BSPSCENE_COMPRESSION_FAST;
	bspscene_output output = bspt_capture(captured);
	if (!bspscene_write(scene, writer, &options, &output, &error)) fail_msg("%s: %s", writer, error.message);
}

/* ---- Triangles -------------------------------------------------------------------------------------------- */

/* Area and center of mass of a map's sky faces, or of the sky triangles in a file. Units are meters, and Y is up. */
typedef struct mass {
	double area, moment[3];
	uint32_t triangles;
} mass;

static void add_triangle(mass *m, double (*at)[3])
{
	double cross[3], p[3], q[3];
	for (int i = 0; i < 3; i++) {
		p[i] = at[1][i] - at[0][i];
		q[i] = at[2][i] - at[0][i];
	}
	for (int i = 0; i < 3; i++) cross[i] = p[(i + 1) % 3] * q[(i + 2) % 3] - p[(i + 2) % 3] * q[(i + 1) % 3];
	double area = sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]) / 2;
	for (int i = 0; i < 3; i++) m->moment[i] += area * (at[0][i] + at[1][i] + at[2][i]) / 3;
	m->area += area;
	m->triangles++;
}

static mass mass_of_map(const bspscene_scene *scene)
{
	mass m = { .area = 0 };
	for (uint32_t i = 0; i < scene->node_count; i++) {
		const bspscene_node *node = scene->nodes[i];
		float place[12];
		if (node->mesh == BSPSCENE_NO_INDEX) continue;
		const bspscene_mesh *mesh = scene->meshes[node->mesh];
		bspscene_node_world_transform(scene, i, place);
		for (uint32_t s = 0; s < mesh->section_count; s++) {
			const bspscene_section *section = mesh->sections[s];
			for (uint32_t t = 0; section->surface_kind == BSPSCENE_SURFACE_SKY && t < section->index_count; t += 3) {
				double at[3][3];
				for (uint32_t c = 0; c < 3; c++) {
					const float *p = mesh->positions + 3 * (size_t)mesh->indices[section->first_index + t + c];
					double world[3], meters = (double)scene->meters_per_unit;
					for (int k = 0; k < 3; k++) {
						world[k] = (double)(place[4 * k] * p[0] + place[4 * k + 1] * p[1] + place[4 * k + 2] * p[2] +
						                    place[4 * k + 3]);
					}
					at[c][0] = world[0] * meters;
					at[c][1] = world[2] * meters;
					at[c][2] = -world[1] * meters;
				}
				add_triangle(&m, at);
			}
		}
	}
	return m;
}

/* The primitives of the mesh "sky", each with the side that its material names. */
typedef struct sky_mesh {
	uint32_t mesh, primitive_count;
} sky_mesh;

static bool find_sky(const bspt_gltf *gltf, sky_mesh *out)
{
	uint32_t count = (uint32_t)json_array_size(bspt_gltf_at(gltf, "nodes")), found = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (strcmp(bspt_gltf_text(gltf, "nodes/%u/name", i), "sky")) continue;
		assert_string_equal(bspt_gltf_text(gltf, "nodes/%u/extras/bspscene/kind", i), "sky");
		out->mesh = (uint32_t)bspt_gltf_number(gltf, "nodes/%u/mesh", i);
		out->primitive_count = (uint32_t)json_array_size(bspt_gltf_at(gltf, "meshes/%u/primitives", out->mesh));
		found++;
	}
	assert_true(found <= 1);
	return found;
}

static uint32_t side_of(const bspt_gltf *gltf, uint32_t material)
{
	static const char *const names[] = { "sky.right", "sky.back", "sky.left", "sky.front", "sky.up", "sky.down" };
	const char *name = bspt_gltf_text(gltf, "materials/%u/name", material);
	uint32_t side = 0;
	while (side < BSPSCENE_CUBE_SIDES && strcmp(names[side], name)) side++;
	assert_true(side < BSPSCENE_CUBE_SIDES);
	return side;
}

static mass mass_of_sky(const bspt_gltf *gltf, const sky_mesh *sky)
{
	mass m = { .area = 0 };
	for (uint32_t p = 0; p < sky->primitive_count; p++) {
		uint32_t indices = (uint32_t)bspt_gltf_number(gltf, "meshes/%u/primitives/%u/indices", sky->mesh, p);
		uint32_t positions =
			(uint32_t)bspt_gltf_number(gltf, "meshes/%u/primitives/%u/attributes/POSITION", sky->mesh, p);
		uint32_t count = (uint32_t)bspt_gltf_number(gltf, "accessors/%u/count", indices);
		for (uint32_t i = 0; i < count; i += 3) {
			double at[3][3];
			for (uint32_t c = 0; c < 9; c++) {
				uint32_t vertex = (uint32_t)bspt_gltf_element(gltf, indices, i + c / 3, 0);
				at[c / 3][c % 3] = bspt_gltf_element(gltf, positions, vertex, c % 3);
			}
			add_triangle(&m, at);
		}
	}
	return m;
}

/* ---- Each face once --------------------------------------------------------------------------------------- */

static void expect_faces(const bspscene_scene *scene, const bspt_gltf *gltf, const sky_mesh *sky)
{
	mass wanted = mass_of_map(scene), found = mass_of_sky(gltf, sky);
	assert_true(wanted.triangles > 0);
	assert_true(fabs(found.area - wanted.area) <= 1e-4 * wanted.area);
	for (int k = 0; k < 3; k++) assert_true(fabs(found.moment[k] - wanted.moment[k]) <= 1e-3 * wanted.area);
}

/* With every kind of lighting, the file must have each sky face of the map once. */
static void every_lighting_has_each_sky_face_once(void **state)
{
	static bspt_captured captured;
	bspscene_scene *scene = load(BOX, BSPSCENE_SURFACE_SKY);
	(void)state;
	for (int lighting = BSPSCENE_WRITE_LIGHTING_LIGHTMAP; lighting <= BSPSCENE_WRITE_LIGHTING_VERTEX; lighting++) {
		bspt_report report = { 0 };
		sky_mesh sky;
		write_as(scene, "glb", (bspscene_write_lighting)lighting, BSPSCENE_WRITE_SKY_SURFACES, &captured);
		bspt_gltf gltf = bspt_gltf_open(&captured, &report);
		bspt_assert_clean(&report);
		assert_true(find_sky(&gltf, &sky));
		expect_faces(scene, &gltf, &sky);
		bspt_gltf_close(&gltf);
		bspt_captured_free(&captured);
	}
	bspscene_scene_free(scene);
}

/* ---- Coordinates ------------------------------------------------------------------------------------------ */

/* Sums from which the eye of an atrium is computed. All sky faces there are one group, so there is one eye. Each vertex
 * gives a line along its sky direction, and the eye is the point nearest to all lines (least squares). */
typedef struct lines {
	double matrix[3][3], right[3];
} lines;

static void add_line(lines *l, const double at[3], const float way[3])
{
	double length = 0;
	for (int i = 0; i < 3; i++) length += (double)way[i] * (double)way[i];
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++) {
			double part = (i == k) - (double)way[i] * (double)way[k] / length;
			l->matrix[i][k] += part;
			l->right[i] += part * at[k];
		}
	}
}

static double determinant(double (*m)[3])
{
	return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
	       m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static void solve(const lines *l, double out[3])
{
	for (int i = 0; i < 3; i++) {
		double changed[3][3], whole[3][3];
		memcpy(changed, l->matrix, sizeof changed);
		memcpy(whole, l->matrix, sizeof whole);
		for (int k = 0; k < 3; k++) changed[k][i] = l->right[k];
		out[i] = determinant(changed) / determinant(whole);
	}
}

typedef void visit_fn(void *user, uint32_t side, const double at[3], const float uv[2]);

/* Visits the vertices of the sky, in meters with the game's axes. */
static void visit_vertices(const bspt_gltf *gltf, const sky_mesh *sky, visit_fn *visit, void *user)
{
	for (uint32_t p = 0; p < sky->primitive_count; p++) {
		uint32_t accessors[2], material;
		material = (uint32_t)bspt_gltf_number(gltf, "meshes/%u/primitives/%u/material", sky->mesh, p);
		accessors[0] = (uint32_t)bspt_gltf_number(gltf, "meshes/%u/primitives/%u/attributes/POSITION", sky->mesh, p);
		accessors[1] = (uint32_t)bspt_gltf_number(gltf, "meshes/%u/primitives/%u/attributes/TEXCOORD_0", sky->mesh, p);
		uint32_t count = (uint32_t)bspt_gltf_number(gltf, "accessors/%u/count", accessors[0]);
		for (uint32_t v = 0; v < count; v++) {
			double y_up[3];
			float uv[2];
			for (uint32_t k = 0; k < 3; k++) y_up[k] = bspt_gltf_element(gltf, accessors[0], v, k);
			for (uint32_t k = 0; k < 2; k++) uv[k] = (float)bspt_gltf_element(gltf, accessors[1], v, k);
			const double at[3] = { y_up[0], -y_up[2], y_up[1] };
			visit(user, side_of(gltf, material), at, uv);
		}
	}
}

static void look_for_eye(void *user, uint32_t side, const double at[3], const float uv[2])
{
	float way[3];
	bspscene_sky_direction(side, uv[0], uv[1], way);
	add_line(user, at, way);
}

typedef struct judged {
	double eye[3];
	float size;
} judged;

static void expect_direction(void *user, uint32_t side, const double at[3], const float uv[2])
{
	const judged *j = user;
	float direction[3], wanted[2], way[3];
	for (int i = 0; i < 3; i++) direction[i] = (float)(at[i] - j->eye[i]);
	if ((uint32_t)bspi_box_side(direction, wanted) == side) {
		for (int k = 0; k < 2; k++) assert_true(fabsf(uv[k] - wanted[k]) * j->size <= 0.5f);
		return;
	}
	/* The direction belongs to another side of the sky's cube. So it must be at the edge of this side. */
	bspscene_sky_direction(side, uv[0], uv[1], way);
	assert_true(uv[0] < 0.01f || uv[0] > 0.99f || uv[1] < 0.01f || uv[1] > 0.99f);
}

static void each_sky_face_once_shows_the_sky_by_direction(void **state)
{
	static bspt_captured captured;
	(void)state;
	for (size_t i = 0; i < MAP_COUNT; i++) {
		bspt_report report = { 0 };
		bspscene_scene *scene = load(i, BSPSCENE_SURFACE_SKY);
		uint32_t size = bspscene_sky_size(scene);
		judged j = { .size = (float)(size < BSPI_LARGEST_SKY_SIDE ? size : BSPI_LARGEST_SKY_SIDE) };
		lines l = { .right = { 0 } };
		sky_mesh sky;
		write_as(scene, "glb", BSPSCENE_WRITE_LIGHTING_NONE, BSPSCENE_WRITE_SKY_SURFACES, &captured);
		bspt_gltf gltf = bspt_gltf_open(&captured, &report);
		assert_true(find_sky(&gltf, &sky));
		expect_faces(scene, &gltf, &sky);
		visit_vertices(&gltf, &sky, look_for_eye, &l);
		solve(&l, j.eye);
		visit_vertices(&gltf, &sky, expect_direction, &j);
		/* The eye must be in the room. */
		for (int k = 0; k < 3; k++) {
			double at = j.eye[k] / (double)scene->meters_per_unit;
			assert_true(at > (double)scene->bounds.min[k] && at < (double)scene->bounds.max[k]);
		}
		bspt_gltf_close(&gltf);
		bspt_captured_free(&captured);
		bspscene_scene_free(scene);
	}
}

/* ---- Other formats, and maps without sky faces ------------------------------------------------------------ */

static bool contains(const bspt_bytes *file, const char *words)
{
	size_t length = strlen(words);
	for (size_t i = 0; file && i + length <= file->size; i++) {
		if (!memcmp(file->data + i, words, length)) return true;
	}
	return false;
}

static void every_format_has_the_surfaces(void **state)
{
	static const struct { const char *writer, *words; } rows[] = {
		{ "obj", "\no sky\n" }, { "fbx", "sky.up" }, { "usda", "\"sky\"" }, { "usdz", "\"sky\"" },
	};
	static bspt_captured captured;
	bspscene_scene *scene = load(BOX, BSPSCENE_SURFACE_SKY);
	char name[32];
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		write_as(scene, rows[i].writer, BSPSCENE_WRITE_LIGHTING_NONE, BSPSCENE_WRITE_SKY_SURFACES, &captured);
		snprintf(name, sizeof name, "atrium.%s", rows[i].writer);
		assert_true(contains(bspt_captured_file(&captured, name), rows[i].words));
		/* The panorama, which is the default of some formats, is not written as well. */
		assert_null(bspt_captured_file(&captured, "atrium.sky.jpg"));
		bspt_captured_free(&captured);
	}
	bspscene_scene_free(scene);
}

/* The area of a cube's six squares is 24 times the square of half a side. */
static void a_map_without_sky_faces_has_a_cube(void **state)
{
	static bspt_captured captured;
	bspt_report report = { 0 };
	bspscene_scene *scene = load(BOX, 0);
	float center[3], half;
	sky_mesh sky;
	(void)state;
	bspscene_sky_cube_bounds(scene, center, &half);
	double side = (double)(half * scene->meters_per_unit);
	write_as(scene, "glb", BSPSCENE_WRITE_LIGHTING_NONE, BSPSCENE_WRITE_SKY_SURFACES, &captured);
	bspt_gltf gltf = bspt_gltf_open(&captured, &report);
	assert_true(find_sky(&gltf, &sky));
	mass found = mass_of_sky(&gltf, &sky);
	assert_true(fabs(found.area - 24 * side * side) <= 1e-4 * found.area);
	bspt_gltf_close(&gltf);
	bspt_captured_free(&captured);
	bspscene_scene_free(scene);
}

/* The cube is 2 % larger than a box around the scene, its cameras, and its 3D skybox if that is enlarged. */
static void the_cube_is_around_all_that_is_shown(void **state)
{
	static const struct { float scale; uint32_t mesh, camera; float center, half; } cases[] = {
		{ 16, BSPSCENE_NO_INDEX, BSPSCENE_NO_INDEX, 0, 102 }, { 16, 0, BSPSCENE_NO_INDEX, 450, 561 },
		{ 0, 0, BSPSCENE_NO_INDEX, 0, 102 },                  { 0, BSPSCENE_NO_INDEX, 0, 50, 153 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		/* The node is at x = 200, and enlarges a mesh that reaches 50 units to the right by 16. */
		const bspscene_mesh mesh = { .bounds = { { -1, -1, -1 }, { 50, 1, 1 } } }, *meshes[1] = { &mesh };
		const bspscene_node node = { .parent = BSPSCENE_NO_INDEX, .mesh = cases[i].mesh, .camera = cases[i].camera,
			                         .transform = { 16, 0, 0, 200, 0, 16, 0, 0, 0, 0, 16, 0 } }, *nodes[1] = { &node };
		const bspscene_scene scene = { .bounds = { { -100, -50, -50 }, { 100, 50, 50 } }, .meshes = meshes,
			                           .mesh_count = 1, .nodes = nodes, .node_count = 1,
			                           .sky_camera_scale = cases[i].scale };
		float center[3], half;
		bspscene_sky_cube_bounds(&scene, center, &half);
		assert_float_equal(center[0], cases[i].center, 1e-3);
		assert_float_equal(center[1], 0, 1e-3);
		assert_float_equal(half, cases[i].half, 1e-3);
	}
}

/* A map that leaks has no wall around it, and gets the cube too. */
static void an_open_map_has_the_cube_too(void **state)
{
	static bspt_captured captured;
	static const bspscene_tree none;
	bspt_report report = { 0 };
	bspscene_scene *scene = load(BOX, BSPSCENE_SURFACE_SKY), open = *scene;
	float center[3], half;
	sky_mesh sky;
	(void)state;
	open.tree = &none;
	bspscene_sky_cube_bounds(scene, center, &half);
	double side = (double)(half * scene->meters_per_unit), wanted = mass_of_map(scene).area + 24 * side * side;
	write_as(&open, "glb", BSPSCENE_WRITE_LIGHTING_NONE, BSPSCENE_WRITE_SKY_SURFACES, &captured);
	bspt_gltf gltf = bspt_gltf_open(&captured, &report);
	assert_true(find_sky(&gltf, &sky));
	assert_true(fabs(mass_of_sky(&gltf, &sky).area - wanted) <= 1e-4 * wanted);
	bspt_gltf_close(&gltf);
	bspt_captured_free(&captured);
	bspscene_scene_free(scene);
}

/* Sky faces without a picture would be white. */
static void an_unknown_sky_is_left_out(void **state)
{
	static bspt_captured captured;
	bspt_report report = { 0 };
	bspscene_scene *scene = load(BOX, BSPSCENE_SURFACE_SKY), unknown = *scene;
	sky_mesh sky;
	(void)state;
	unknown.sky_material = BSPSCENE_NO_INDEX;
	write_as(&unknown, "glb", BSPSCENE_WRITE_LIGHTING_NONE, BSPSCENE_WRITE_SKY_SURFACES, &captured);
	bspt_gltf gltf = bspt_gltf_open(&captured, &report);
	assert_false(find_sky(&gltf, &sky));
	uint32_t count = (uint32_t)json_array_size(bspt_gltf_at(&gltf, "materials"));
	assert_true(count > 0);
	for (uint32_t i = 0; i < count; i++) {
		const char *kind = json_string_value(bspt_gltf_at(&gltf, "materials/%u/extras/kind", i));
		assert_false(kind && !strcmp(kind, "sky"));
	}
	bspt_gltf_close(&gltf);
	bspt_captured_free(&captured);
	bspscene_scene_free(scene);
}

/* ---- Limits ----------------------------------------------------------------------------------------------- */

static void little_memory_is_an_error(void **state)
{
	static bspt_captured captured;
	bspscene_scene *scene = load(BOX, BSPSCENE_SURFACE_SKY);
	uint64_t limit = scene->memory_size;
	bool written = false;
	(void)state;
	for (int i = 0; !written && i < 64; i++, limit += 65536) {
		bspscene_write_options options;
		bspscene_error error;
		bspscene_write_options_init(&options);
		options.lighting = BSPSCENE_WRITE_LIGHTING_NONE;
		options.sky = BSPSCENE_WRITE_SKY_SURFACES;
		options.memory_limit = limit;
		bspscene_output output = bspt_capture(&captured);
		written = bspscene_write(scene, "obj", &options, &output, &error);
		if (!written) assert_int_equal(error.status, BSPSCENE_ERROR_MEMORY_LIMIT);
		bspt_captured_free(&captured);
	}
	assert_true(limit > scene->memory_size);
	bspscene_scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_lighting_has_each_sky_face_once),
		cmocka_unit_test(each_sky_face_once_shows_the_sky_by_direction),
		cmocka_unit_test(every_format_has_the_surfaces),
		cmocka_unit_test(a_map_without_sky_faces_has_a_cube),
		cmocka_unit_test(the_cube_is_around_all_that_is_shown),
		cmocka_unit_test(an_open_map_has_the_cube_too),
		cmocka_unit_test(an_unknown_sky_is_left_out),
		cmocka_unit_test(little_memory_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
