/* Promise: pictures from above frame all rooms of the map, without the 3D skybox, skies, hidden surfaces, small parts
 * far outside, and surroundings that players cannot enter. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <bspscene/render.h>

enum { WIDTH = 640, HEIGHT = 480, ROOMS = 2000, STRAYS = 2, OTHERS = 400, VERTICES = ROOMS + STRAYS + OTHERS };

typedef struct map {
	bspscene_scene scene;
	bspscene_mesh meshes[2];
	bspscene_section sections[2], skybox_section;
	bspscene_material materials[2];
	bspscene_node nodes[5];
	bspscene_camera starts[2];
	const bspscene_mesh *mesh_table[2];
	const bspscene_section *section_table[2], *skybox_section_table[1];
	const bspscene_material *material_table[2];
	const bspscene_node *node_table[5];
	const bspscene_camera *start_table[2];
	bspscene_tree tree;
	bspscene_vis vis;
	uint32_t indices[VERTICES];
	float positions[VERTICES * 3], skybox[ROOMS * 3];
} map;

static void spread(float *positions, int count, const float least[3], const float most[3])
{
	for (int i = 0; i < count; i++) {
		for (int k = 0; k < 3; k++) {
			float share = (float)(i * (k + 1) * 37 % count) / (float)(count - 1);
			positions[3 * i + k] = least[k] + (most[k] - least[k]) * share;
		}
	}
}

/* Makes rooms of 2000 x 1000 x 500 units. Two small parts far away, and a second section, must be left out. */
static void make_map(map *m, bspscene_surface_kind others, bspscene_material_kind kind, bool skybox)
{
	static const float least[3] = { -1000, 0, 100 }, most[3] = { 1000, 1000, 600 };
	static const float far_least[3] = { 20000, 20000, -9000 }, far_most[3] = { 30000, 40000, 9000 };
	memset(m, 0, sizeof *m);
	for (int i = 0; i < 2; i++) {
		m->mesh_table[i] = &m->meshes[i];
		m->section_table[i] = &m->sections[i];
		m->material_table[i] = &m->materials[i];
		m->start_table[i] = &m->starts[i];
	}
	m->skybox_section_table[0] = &m->skybox_section;
	for (int i = 0; i < 5; i++) m->node_table[i] = &m->nodes[i];
	spread(m->positions, ROOMS, least, most);
	spread(m->positions + ROOMS * 3, STRAYS, far_least, far_most);
	spread(m->positions + (ROOMS + STRAYS) * 3, OTHERS, far_least, far_most);
	spread(m->skybox, ROOMS, far_least, far_most);
	m->materials[1].kind = kind;
	m->sections[0] = (bspscene_section){ .vertex_count = ROOMS + STRAYS };
	m->sections[1] = (bspscene_section){
		.material = 1, .surface_kind = others, .first_vertex = ROOMS + STRAYS, .vertex_count = OTHERS,
	};
	m->skybox_section = (bspscene_section){ .vertex_count = ROOMS };
	m->meshes[0] = (bspscene_mesh){
		.vertex_count = VERTICES, .positions = m->positions, .sections = m->section_table, .section_count = 2,
		.indices = m->indices, .index_count = VERTICES,
	};
	m->meshes[1] = (bspscene_mesh){
		.vertex_count = ROOMS, .positions = m->skybox, .sections = m->skybox_section_table, .section_count = 1,
	};
	for (uint32_t i = 0; i < 3; i++) m->nodes[i].parent = i ? 0 : BSPSCENE_NO_INDEX;
	m->nodes[0].mesh = BSPSCENE_NO_INDEX;
	m->nodes[1].kind = BSPSCENE_NODE_WORLD;
	for (int i = 0; i < 3; i++) m->nodes[0].transform[5 * i] = m->nodes[1].transform[5 * i] = 1;
	m->nodes[2].kind = BSPSCENE_NODE_SKY;
	m->nodes[2].mesh = 1;
	m->scene = (bspscene_scene){
		.bounds = { { -1000, 0, 100 }, { 1000, 1000, 600 } }, .meshes = m->mesh_table, .mesh_count = skybox ? 2 : 1,
		.materials = m->material_table, .material_count = 2, .nodes = m->node_table, .node_count = skybox ? 3 : 2,
		.tree = &m->tree, .vis = &m->vis,
	};
}

/* Gets the position of a point in the picture, -1 to 1. */
static void project(const bspscene_view *view, const float point[3], float out[2])
{
	const float degree = 0.017453292f;
	float sp = sinf(view->pitch * degree), cp = cosf(view->pitch * degree), sy = sinf(view->yaw * degree),
	      cy = cosf(view->yaw * degree), wide = tanf(view->fov_degrees * degree / 2);
	const float forward[3] = { cp * cy, cp * sy, -sp }, right[3] = { sy, -cy, 0 }, up[3] = { sp * cy, sp * sy, cp };
	float depth = 0, r = 0, u = 0;
	for (int i = 0; i < 3; i++) {
		float p = point[i] - view->origin[i];
		depth += p * forward[i];
		r += p * right[i];
		u += p * up[i];
	}
	assert_true(depth > 0);
	out[0] = r / (depth * wide);
	out[1] = u / (depth * wide * HEIGHT / WIDTH);
}

/* Views have the angles by which a camera was turned, also where it looks straight up or down. */
static void cameras_keep_their_angles(void **state)
{
	static const float angles[][2] = { { 0, 30 }, { 90, 30 }, { -90, 30 }, { 90, -120 }, { 45, 200 } };
	(void)state;
	for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
		static map m;
		make_map(&m, BSPSCENE_SURFACE_NODRAW, BSPSCENE_MATERIAL_NORMAL, false);
		float pitch = angles[i][0] * 0.017453293f, yaw = angles[i][1] * 0.017453293f;
		const float forward[3] = { cosf(pitch) * cosf(yaw), cosf(pitch) * sinf(yaw), -sinf(pitch) };
		const float left[3] = { -sinf(yaw), cosf(yaw), 0 };
		m.scene.cameras = m.start_table;
		m.scene.camera_count = 1;
		float *to = m.nodes[m.starts[0].node].transform;
		for (int k = 0; k < 3; k++) {
			to[4 * k] = forward[k];
			to[4 * k + 1] = left[k];
			to[4 * k + 2] = forward[(k + 1) % 3] * left[(k + 2) % 3] - forward[(k + 2) % 3] * left[(k + 1) % 3];
		}
		bspscene_view view = bspscene_view_of_camera(&m.scene, 0);
		float turned = fabsf(remainderf(view.yaw - angles[i][1], 360));
		if (turned > 0.01f || fabsf(view.pitch - angles[i][0]) > 0.01f) {
			fail_msg("%g, %g: %g, %g", (double)angles[i][0], (double)angles[i][1], (double)view.pitch,
			         (double)view.yaw);
		}
	}
}

static void rooms_are_framed(void **state)
{
	static const struct {
		const char *what; bspscene_surface_kind others; bspscene_material_kind kind; bool skybox;
	} cases[] = {
		{ "a 3D skybox", BSPSCENE_SURFACE_NODRAW, BSPSCENE_MATERIAL_NORMAL, true },
		{ "hidden surfaces", BSPSCENE_SURFACE_NODRAW, BSPSCENE_MATERIAL_NORMAL, false },
		{ "a sky", BSPSCENE_SURFACE_VISIBLE, BSPSCENE_MATERIAL_SKY, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		static map m;
		float most[2] = { 0, 0 };
		make_map(&m, cases[i].others, cases[i].kind, cases[i].skybox);
		bspscene_view view = bspscene_view_overview(&m.scene, WIDTH, HEIGHT);
		for (int v = 0; v < ROOMS; v++) {
			float at[2];
			project(&view, m.positions + 3 * v, at);
			for (int k = 0; k < 2; k++) most[k] = fmaxf(most[k], fabsf(at[k]));
		}
		/* Nothing is cut off, and in one direction the map fills the picture up to its margin. */
		if (most[0] > 1 || most[1] > 1) fail_msg("%s: %g x %g", cases[i].what, (double)most[0], (double)most[1]);
		if (fmaxf(most[0], most[1]) < 0.9f) {
			fail_msg("%s: small: %g x %g", cases[i].what, (double)most[0], (double)most[1]);
		}
	}
}

/* A room that may be a part of the map stays in the picture. */
static void other_rooms_count(void **state)
{
	static map m;
	float at[2];
	(void)state;
	make_map(&m, BSPSCENE_SURFACE_VISIBLE, BSPSCENE_MATERIAL_NORMAL, false);
	bspscene_view view = bspscene_view_overview(&m.scene, WIDTH, HEIGHT);
	for (int v = ROOMS + STRAYS; v < VERTICES; v++) {
		project(&view, m.positions + 3 * v, at);
		assert_true(fabsf(at[0]) <= 1 && fabsf(at[1]) <= 1);
	}
}

/* Returns the share of the picture's width or height that the rooms cover, whichever is larger, or 2 if the rooms are
 * cut off. */
static float size_of_rooms(const map *m, const bspscene_view *view)
{
	float least[2] = { 1, 1 }, most[2] = { -1, -1 };
	for (int v = 0; v < ROOMS; v++) {
		float at[2];
		project(view, m->positions + 3 * v, at);
		for (int k = 0; k < 2; k++) {
			least[k] = fminf(least[k], at[k]);
			most[k] = fmaxf(most[k], at[k]);
			if (fabsf(at[k]) > 1) return 2;
		}
	}
	return fmaxf(most[0] - least[0], most[1] - least[1]) / 2;
}

/* Returns the largest distance of the rooms from the center of the picture; 1 is its edge. */
static float extent_of_rooms(const map *m, const bspscene_view *view)
{
	float most = 0, at[2];
	for (int v = 0; v < ROOMS; v++) {
		project(view, m->positions + 3 * v, at);
		most = fmaxf(most, fmaxf(fabsf(at[0]), fabsf(at[1])));
	}
	return most;
}

/* Makes rooms of triangles, and `count` corners of other parts. If `joined`, these share triangles with the rooms. */
static void make_divided_map(map *m, int count, const float least[3], const float most[3], bool joined)
{
	make_map(m, BSPSCENE_SURFACE_VISIBLE, BSPSCENE_MATERIAL_NORMAL, false);
	for (uint32_t i = 0; i < VERTICES; i++) m->indices[i] = i;
	spread(m->positions + (ROOMS + STRAYS) * 3, count, least, most);
	if (joined) m->indices[VERTICES - OTHERS] = 0;
	m->sections[0].index_count = ROOMS / 3 * 3;
	m->sections[1].vertex_count = (uint32_t)count;
	m->sections[1].first_index = ROOMS + STRAYS;
	m->sections[1].index_count = (uint32_t)count / 3 * 3;
}

/* Adds player starts at both ends of the rooms. */
static void add_starts(map *m)
{
	for (uint32_t i = 0; i < 2; i++) {
		float x = i ? 700 : -700;
		m->starts[i] = (bspscene_camera){ .kind = BSPSCENE_CAMERA_SPAWN, .node = 3 + i };
		m->nodes[3 + i] = (bspscene_node){
			.kind = BSPSCENE_NODE_CAMERA, .transform = { 1, 0, 0, x, 0, 1, 0, 500, 0, 0, 1, 300 },
		};
	}
	m->scene.cameras = m->start_table;
	m->scene.camera_count = 2;
	m->scene.node_count = 5;
}

/* Small parts far away are left out, unless something connects them. Surroundings are left out if player starts tell
 * where players walk. A large part of the map is never left out. */
static void little_that_is_far_is_left_out(void **state)
{
	static const float island[2][3] = { { 6000, 0, 100 }, { 6500, 500, 600 } };
	static const float around[2][3] = { { -9000, -9000, 0 }, { 9000, 9000, 100 } };
	static const struct {
		const char *what; const float (*box)[3]; int count; bool joined, starts, left_out;
	} cases[] = {
		{ "an island", island, 150, false, false, true },
		{ "an island at the end of a bridge", island, 150, true, false, false },
		{ "a large island", island, OTHERS, false, false, false },
		{ "surroundings of starts", around, 150, false, true, true },
		{ "surroundings of nothing", around, 150, false, false, false },
		{ "large surroundings", around, OTHERS, false, true, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		static map m;
		make_divided_map(&m, cases[i].count, cases[i].box[0], cases[i].box[1], cases[i].joined);
		if (cases[i].starts) add_starts(&m);
		bspscene_view view = bspscene_view_overview(&m.scene, WIDTH, HEIGHT);
		float size = size_of_rooms(&m, &view);
		bool large = size > 0.9f && size <= 1;
		if (large != cases[i].left_out) fail_msg("%s: the rooms take %g", cases[i].what, (double)size);
	}
}

/* Players see a tower from below, so it is framed although its top is farther above them than they can get. */
static void towers_above_players_are_framed(void **state)
{
	static const float tower[2][3] = { { -50, 450, 500 }, { 50, 550, 4000 } };
	static map m;
	(void)state;
	make_divided_map(&m, 150, tower[0], tower[1], true);
	add_starts(&m);
	bspscene_view view = bspscene_view_overview(&m.scene, WIDTH, HEIGHT);
	for (int i = 0; i < 150; i++) {
		float at[2];
		project(&view, m.positions + 3 * (ROOMS + STRAYS + i), at);
		if (fabsf(at[0]) > 1 || fabsf(at[1]) > 1) fail_msg("corner %d: %g %g", i, (double)at[0], (double)at[1]);
	}
}

/* A model has thousands of instances. They have so many corners that the overview sorts only a sample of them
 * (MOST_SORTED). The last instances are framed too. */
static void many_places_are_framed(void **state)
{
	enum { PLACES = 2600 };
	static const bspscene_node *places[PLACES];
	static map m;
	(void)state;
	make_map(&m, BSPSCENE_SURFACE_NODRAW, BSPSCENE_MATERIAL_NORMAL, false);
	m.nodes[1].parent = BSPSCENE_NO_INDEX;
	m.nodes[2] = m.nodes[1];
	m.nodes[2].transform[3] = 1800;
	for (int i = 0; i < PLACES; i++) places[i] = &m.nodes[i < PLACES / 2 ? 1 : 2];
	m.scene.nodes = places;
	m.scene.node_count = PLACES;
	bspscene_view view = bspscene_view_overview(&m.scene, WIDTH, HEIGHT);
	float near_end = extent_of_rooms(&m, &view);
	for (int v = 0; v < ROOMS; v++) m.positions[3 * v] += 1800;
	float far_end = extent_of_rooms(&m, &view), largest = fmaxf(near_end, far_end);
	if (!(largest > 0.9f && largest <= 1)) fail_msg("%g and %g", (double)near_end, (double)far_end);
}

/* In some maps, the rooms are a model and not the world. The first mesh is then the 3D skybox, an empty box or a beam
 * below the model, or there is none. The rooms are framed where their node places them. */
static void maps_of_models_are_framed(void **state)
{
	enum { SKYBOX, FAR_BOX, BEAM, NO_WORLD, CASES };
	static const float beam[2][3] = { { -700, 500, 290 }, { -691, 501, 292 } };
	(void)state;
	for (int i = 0; i < CASES; i++) {
		static map m;
		make_map(&m, BSPSCENE_SURFACE_NODRAW, BSPSCENE_MATERIAL_NORMAL, true);
		add_starts(&m);
		/* The far room is mesh 0, the rooms are mesh 1. */
		m.mesh_table[0] = &m.meshes[1];
		m.mesh_table[1] = &m.meshes[0];
		m.nodes[1].mesh = i == FAR_BOX || i == BEAM ? 0 : BSPSCENE_NO_INDEX;
		if (i == BEAM) spread(m.skybox, ROOMS, beam[0], beam[1]);
		m.nodes[2] = m.nodes[1];
		m.nodes[2].kind = BSPSCENE_NODE_PROP;
		m.nodes[2].mesh = 1;
		m.sections[0].vertex_count = ROOMS;
		/* The model's space is 500 units lower. */
		for (int v = 0; v < ROOMS; v++) m.positions[3 * v + 2] -= 500;
		m.nodes[2].transform[11] = 500;
		if (i == SKYBOX) {
			m.nodes[1].kind = BSPSCENE_NODE_SKY;
			m.nodes[1].mesh = 0;
		}
		bspscene_view view = bspscene_view_overview(&m.scene, WIDTH, HEIGHT);
		for (int v = 0; v < ROOMS; v++) m.positions[3 * v + 2] += 500;
		float size = size_of_rooms(&m, &view);
		if (!(size > 0.9f && size <= 1)) fail_msg("case %d: the rooms take %g", i, (double)size);
	}
}

/* A second world far away, like the scenery of a sky, is left out if starts and visibility show that nobody can see
 * it. */
static void what_no_way_leads_to_is_left_out(void **state)
{
	static const uint8_t apart[2] = { 1, 2 }, together[2] = { 3, 3 };
	static const float least[3] = { 20000, 20000, -900 }, most[3] = { 30000, 30000, 900 };
	/* One plane at x = 10000 separates two leafs. */
	static const float plane[4] = { 1, 0, 0, 10000 };
	static const int32_t children[2] = { -2, -1 };
	static const bspscene_leaf leafs[2] = { { .cluster = 0 }, { .cluster = 1 } };
	static const bspscene_face faces[2] = {
		{ .vertex_count = ROOMS, .cluster = 0 },
		{ .first_vertex = ROOMS + STRAYS, .vertex_count = OTHERS, .cluster = 1 },
	};
	(void)state;
	for (int i = 0; i < 2; i++) {
		static map m;
		make_map(&m, BSPSCENE_SURFACE_VISIBLE, BSPSCENE_MATERIAL_NORMAL, false);
		add_starts(&m);
		spread(m.positions + (ROOMS + STRAYS) * 3, OTHERS, least, most);
		m.tree = (bspscene_tree){ .node_count = 1, .leaf_count = 2, .planes = plane, .children = children,
			                      .leafs = leafs };
		m.vis = (bspscene_vis){ .cluster_count = 2, .row_size = 1, .rows = i ? together : apart };
		m.scene.faces = faces;
		m.scene.face_count = 2;
		m.sections[0].face_count = m.sections[1].face_count = 1;
		m.sections[1].first_face = 1;
		bspscene_view view = bspscene_view_overview(&m.scene, WIDTH, HEIGHT);
		float size = size_of_rooms(&m, &view);
		if ((size > 0.9f) != !i) fail_msg("case %d: the rooms take %g", i, (double)size);
	}
}

/* A long map is seen from its longer side. */
static void long_maps_lie_across(void **state)
{
	static const struct { float most[3]; float yaw; } cases[] = {
		{ { 3000, 400, 100 }, 60 }, { { 400, 3000, 100 }, 30 }, { { 1000, 1000, 100 }, 60 },
	};
	static const float least[3] = { 0, 0, 0 };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		static map m;
		make_map(&m, BSPSCENE_SURFACE_NODRAW, BSPSCENE_MATERIAL_NORMAL, false);
		spread(m.positions, ROOMS, least, cases[i].most);
		bspscene_view view = bspscene_view_overview(&m.scene, WIDTH, HEIGHT);
		assert_float_equal(view.yaw, cases[i].yaw, 0);
		assert_true(size_of_rooms(&m, &view) <= 1);
	}
}

/* The plan shows the same rooms, centered with a margin, in the scale that it states. */
static void plans_are_to_scale(void **state)
{
	static map m;
	float scale, at[2];
	(void)state;
	make_map(&m, BSPSCENE_SURFACE_NODRAW, BSPSCENE_MATERIAL_NORMAL, false);
	bspscene_view view = bspscene_view_plan(&m.scene, WIDTH, HEIGHT, &scale);
	assert_float_equal(view.origin[0], 0, 2);
	assert_float_equal(view.origin[1], 500, 2);
	assert_float_equal(scale, 2000.0f / WIDTH * 1.05f, 0.01f);
	project(&view, (const float[3]){ 640, 500, 600 }, at);
	assert_float_equal(at[0], 640 / scale / (WIDTH / 2), 0.005f);
	project(&view, (const float[3]){ 0, 600, 600 }, at);
	assert_float_equal(at[1], 100 / scale / (HEIGHT / 2), 0.005f);
}

/* Rotating views show all rooms from every side, as large as possible, around one axis, in equal steps. */
static void turning_keeps_the_map_in_place(void **state)
{
	enum { COUNT = 72 };
	static const float sizes[][3] = { { 3000, 400, 100 }, { 1000, 1000, 100 }, { 300, 200, 4000 } };
	static const float least[3] = { 0, 0, 0 };
	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		static map m;
		bspscene_view views[COUNT];
		float largest = 0, first = 0;
		make_map(&m, BSPSCENE_SURFACE_NODRAW, BSPSCENE_MATERIAL_NORMAL, false);
		spread(m.positions, ROOMS, least, sizes[i]);
		bspscene_view_turn(&m.scene, WIDTH, HEIGHT, COUNT, views);
		for (uint32_t k = 0; k < COUNT; k++) {
			float x = views[k].origin[0] - sizes[i][0] / 2, y = views[k].origin[1] - sizes[i][1] / 2, axis[2];
			float distance = hypotf(x, y), middle[3] = { sizes[i][0] / 2, sizes[i][1] / 2, sizes[i][2] / 2 };
			if (!k) first = distance;
			assert_float_equal(distance, first, first * 1e-3f);
			assert_float_equal(views[k].origin[2], views[0].origin[2], first * 1e-4f);
			assert_float_equal(views[k].yaw, fmodf(60 + 360.0f / COUNT * (float)k, 360), 0.01f);
			project(&views[k], middle, axis);
			assert_float_equal(axis[0], 0, 0.01f);
			largest = fmaxf(largest, extent_of_rooms(&m, &views[k]));
		}
		if (!(largest > 0.9f && largest <= 1)) fail_msg("case %zu: reaches to %g of the edge", i, (double)largest);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cameras_keep_their_angles), cmocka_unit_test(rooms_are_framed),
		cmocka_unit_test(other_rooms_count),
		cmocka_unit_test(little_that_is_far_is_left_out), cmocka_unit_test(long_maps_lie_across),
		cmocka_unit_test(many_places_are_framed), cmocka_unit_test(towers_above_players_are_framed),
		cmocka_unit_test(maps_of_models_are_framed), cmocka_unit_test(what_no_way_leads_to_is_left_out),
		cmocka_unit_test(plans_are_to_scale), cmocka_unit_test(turning_keeps_the_map_in_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
