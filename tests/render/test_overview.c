/* Promise: pictures from above frame the rooms of the map: all of them, without the 3D skybox, skies, hidden surfaces
 * and the little that stands far outside. */
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
	bspscene_node nodes[3];
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

/* Rooms of 2000 x 1000 x 500, two strays far away, and a second section of what nobody is to see. */
static void make_map(map *m, bspscene_include others, bspscene_material_kind kind, bool skybox)
{
	static const float least[3] = { -1000, 0, 100 }, most[3] = { 1000, 1000, 600 };
	static const float far_least[3] = { 20000, 20000, -9000 }, far_most[3] = { 30000, 40000, 9000 };
	memset(m, 0, sizeof *m);
	spread(m->positions, ROOMS, least, most);
	spread(m->positions + ROOMS * 3, STRAYS, far_least, far_most);
	spread(m->positions + (ROOMS + STRAYS) * 3, OTHERS, far_least, far_most);
	spread(m->skybox, ROOMS, far_least, far_most);
	m->materials[1].kind = kind;
	m->sections[0] = (bspscene_section){ .vertex_count = ROOMS + STRAYS };
	m->sections[1] = (bspscene_section){
		.material = 1, .kind = others, .first_vertex = ROOMS + STRAYS, .vertex_count = OTHERS,
	};
	m->skybox_section = (bspscene_section){ .vertex_count = ROOMS };
	m->meshes[0] = (bspscene_mesh){
		.vertex_count = VERTICES, .positions = m->positions, .sections = m->sections, .section_count = 2,
	};
	m->meshes[1] = (bspscene_mesh){
		.vertex_count = ROOMS, .positions = m->skybox, .sections = &m->skybox_section, .section_count = 1,
	};
	for (uint32_t i = 0; i < 3; i++) m->nodes[i].parent = i ? 0 : BSPSCENE_NO_INDEX;
	m->nodes[0].mesh = BSPSCENE_NO_INDEX;
	m->nodes[2].kind = BSPSCENE_NODE_SKY;
	m->nodes[2].mesh = 1;
	m->scene = (bspscene_scene){
		.bounds = { { -1000, 0, 100 }, { 1000, 1000, 600 } }, .meshes = m->meshes, .mesh_count = skybox ? 2 : 1,
		.materials = m->materials, .material_count = 2, .nodes = m->nodes, .node_count = skybox ? 3 : 2,
	};
}

/* Where a point is in the picture, -1 to 1. */
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

static void rooms_are_framed(void **state)
{
	static const struct {
		const char *what; bspscene_include others; bspscene_material_kind kind; bool skybox;
	} cases[] = {
		{ "a 3D skybox", BSPSCENE_INCLUDE_NODRAW, BSPSCENE_MATERIAL_NORMAL, true },
		{ "hidden surfaces", BSPSCENE_INCLUDE_NODRAW, BSPSCENE_MATERIAL_NORMAL, false },
		{ "a sky", BSPSCENE_VISIBLE, BSPSCENE_MATERIAL_SKY, false },
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
		/* Nothing is cut off, and one direction is used up to its margin. */
		if (most[0] > 1 || most[1] > 1) fail_msg("%s: %g x %g", cases[i].what, (double)most[0], (double)most[1]);
		if (fmaxf(most[0], most[1]) < 0.9f) {
			fail_msg("%s: small: %g x %g", cases[i].what, (double)most[0], (double)most[1]);
		}
	}
}

/* A room that is not told apart from the map is in the picture: the framing leaves out nothing that counts. */
static void other_rooms_count(void **state)
{
	static map m;
	float at[2];
	(void)state;
	make_map(&m, BSPSCENE_VISIBLE, BSPSCENE_MATERIAL_NORMAL, false);
	bspscene_view view = bspscene_view_overview(&m.scene, WIDTH, HEIGHT);
	for (int v = ROOMS + STRAYS; v < VERTICES; v++) {
		project(&view, m.positions + 3 * v, at);
		assert_true(fabsf(at[0]) <= 1 && fabsf(at[1]) <= 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(rooms_are_framed), cmocka_unit_test(other_rooms_count) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
