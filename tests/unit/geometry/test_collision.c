/* Promise: a brush becomes exactly the closed convex body that its planes enclose. A BSP tree becomes the bodies of its
 * leafs. These do not overlap, and leave no gaps in the model's box. Open, empty or impossible bodies are left out. The
 * nodes of all bodies are hidden, and are children of the world or of their entity. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "stages/collision/convex.h"
#include "support/make/build_map.h"
#include "support/check/check_scene.h"
#include "support/check/scene_find.h"

/* ---- Convex bodies ---------------------------------------------------------------------------------------- */

/* Checks that the body is closed: it satisfies Euler's formula, and each edge is used once in each direction. Sides
 * that are not neighbors may be coplanar. */
static void check_closed(const bspi_body *body, const char *what)
{
	static uint8_t walked[BSPI_BODY_POINTS][BSPI_BODY_POINTS];
	uint32_t edges = 0, used = 0;
	bool is_used[BSPI_BODY_POINTS] = { false };
	memset(walked, 0, sizeof walked);
	for (uint32_t i = 0; i < body->side_count; i++) {
		const uint16_t *corners = body->corners + body->sides[i].first;
		for (uint16_t k = 0; k < body->sides[i].count; k++) {
			uint16_t a = corners[k], b = corners[k + 1 < body->sides[i].count ? k + 1 : 0];
			assert_true(a < body->point_count && b < body->point_count);
			used += !is_used[a];
			is_used[a] = true;
			edges++;
			if (walked[a][b]++) fail_msg("%s: an edge is walked twice in one direction", what);
		}
	}
	for (uint32_t a = 0; a < body->point_count; a++) {
		for (uint32_t b = 0; b < body->point_count; b++) {
			if (walked[a][b] != walked[b][a]) fail_msg("%s: an edge has one side only", what);
		}
	}
	if (used + body->side_count == edges / 2 + 2) return;
	fail_msg("%s: %u points, %u sides, %u edges", what, used, body->side_count, edges / 2);
}

/* Checks that all points lie behind the plane of every side, so that sides face outward. */
static void check_convex(const bspi_body *body, const char *what)
{
	for (uint32_t i = 0; i < body->side_count; i++) {
		const bspi_body_side *side = &body->sides[i];
		const double *on = body->points[body->corners[side->first]];
		for (uint32_t k = 0; k < body->corner_count; k++) {
			double distance = 0;
			const double *point = body->points[body->corners[k]];
			for (int axis = 0; axis < 3; axis++) distance += (point[axis] - on[axis]) * side->normal[axis];
			if (distance > 0.03) fail_msg("%s: a point %g in front of side %u", what, distance, i);
		}
	}
}

#define ROOT_HALF 0.70710678118654752

static const struct body_case {
	const char *what;
	uint32_t count;
	double planes[10][4];
	bspi_cut last;                     /* expected result of the cut by the last plane */
	double volume;                     /* volume of the body, or before the last cut if that cut fails */
	uint32_t sides;
} body_cases[] = {
	{ "a box", 6, { { 1, 0, 0, 8 }, { -1, 0, 0, 8 }, { 0, 1, 0, 4 }, { 0, -1, 0, 4 }, { 0, 0, 1, 2 }, { 0, 0, -1, 2 } },
	  BSPI_CUT_SOME, 16 * 8 * 4, 6 },
	{ "a box far away", 6,
	  { { 1, 0, 0, 65544 }, { -1, 0, 0, -65536 }, { 0, 1, 0, 4 }, { 0, -1, 0, 4 }, { 0, 0, 1, 2 }, { 0, 0, -1, 2 } },
	  BSPI_CUT_SOME, 8 * 8 * 4, 6 },
	{ "half of it, along a diagonal", 7,
	  { { 1, 0, 0, 8 }, { -1, 0, 0, 8 }, { 0, 1, 0, 8 }, { 0, -1, 0, 8 }, { 0, 0, 1, 2 }, { 0, 0, -1, 2 },
	    { ROOT_HALF, ROOT_HALF, 0, 0 } },
	  BSPI_CUT_SOME, 16 * 16 * 4 / 2, 5 },
	{ "with a corner off", 7,
	  { { 1, 0, 0, 8 }, { -1, 0, 0, 8 }, { 0, 1, 0, 8 }, { 0, -1, 0, 8 }, { 0, 0, 1, 8 }, { 0, 0, -1, 8 },
	    { 0.57735026918962573, 0.57735026918962573, 0.57735026918962573, 9.2376043070340122 } },
	  BSPI_CUT_SOME, 4096 - 8 * 8 * 8 / 6.0, 7 },
	{ "a plane that touches an edge", 7,
	  { { 1, 0, 0, 8 }, { -1, 0, 0, 8 }, { 0, 1, 0, 8 }, { 0, -1, 0, 8 }, { 0, 0, 1, 2 }, { 0, 0, -1, 2 },
	    { ROOT_HALF, ROOT_HALF, 0, 16 * ROOT_HALF } },
	  BSPI_CUT_NOTHING, 16 * 16 * 4, 6 },
	{ "a plane that it has already", 7,
	  { { 1, 0, 0, 8 }, { -1, 0, 0, 8 }, { 0, 1, 0, 4 }, { 0, -1, 0, 4 }, { 0, 0, 1, 2 }, { 0, 0, -1, 2 },
	    { 1, 0, 0, 8.001 } },
	  BSPI_CUT_NOTHING, 16 * 8 * 4, 6 },
	{ "nothing behind", 7,
	  { { 1, 0, 0, 8 }, { -1, 0, 0, 8 }, { 0, 1, 0, 4 }, { 0, -1, 0, 4 }, { 0, 0, 1, 2 }, { 0, 0, -1, 2 },
	    { 1, 0, 0, -8 } },
	  BSPI_CUT_ALL, 16 * 8 * 4, 6 },
	{ "a tip", 6,
	  { { -1, 0, 0, 0 }, { 0, -1, 0, 0 }, { 0, 0, -1, 0 },
	    { 0.57735026918962573, 0.57735026918962573, 0.57735026918962573, 5.7735026918962573 },
	    { 0, 0, 1, 9 }, { 0, 0, 1, 5 } },
	  BSPI_CUT_SOME, (1000 - 125) / 6.0, 5 },
};

static void bodies_are_what_their_planes_enclose(void **state)
{
	(void)state;
	bspi_body *rooms = calloc(2, sizeof *rooms);
	for (size_t i = 0; i < sizeof body_cases / sizeof *body_cases; i++) {
		const struct body_case *c = &body_cases[i];
		bspi_body *body = &rooms[0], *other = &rooms[1];
		const float reach = 1048576;
		bspi_body_box(body, (const float[3]){ -reach, -reach, -reach }, (const float[3]){ reach, reach, reach });
		check_closed(body, "the box around everything");
		for (uint32_t k = 0; k < c->count; k++) {
			bspi_cut cut = bspi_body_cut(body, c->planes[k], c->planes[k][3], other);
			if (k + 1 == c->count && cut != c->last) fail_msg("%s: %d", c->what, (int)cut);
			if (cut != BSPI_CUT_SOME) continue;
			bspi_body *swap = body;
			body = other;
			other = swap;
			check_closed(body, c->what);
			check_convex(body, c->what);
		}
		assert_false(bspi_body_is_open(body));
		assert_int_equal(body->side_count, c->sides);
		double volume = bspi_body_volume(body);
		if (fabs(volume - c->volume) > 1e-6 * c->volume) fail_msg("%s: volume %.9g", c->what, volume);
	}
	free(rooms);
}

/* Returns the normal of plane `i` of `count` planes that touch a ball. The normals are evenly spread over the ball (a
 * Fibonacci sphere). */
static void touch_ball(uint32_t i, uint32_t count, double out[3])
{
	double z = 1 - 2 * (i + 0.5) / count, turn = 2.399963229728653 * i, flat = sqrt(1 - z * z);
	out[0] = cos(turn) * flat;
	out[1] = sin(turn) * flat;
	out[2] = z;
}

static void round_bodies_stay_closed_until_they_are_too_complex(void **state)
{
	(void)state;
	enum { RADIUS = 64, PLANES = 300 };
	bspi_body *rooms = calloc(3, sizeof *rooms);
	bspi_body *body = &rooms[0], *other = &rooms[1];
	bspi_body_box(body, (const float[3]){ -999, -999, -999 }, (const float[3]){ 999, 999, 999 });
	for (uint32_t i = 0; i < PLANES; i++) {
		double normal[3];
		touch_ball(i, PLANES, normal);
		assert_int_equal(bspi_body_cut(body, normal, RADIUS, other), BSPI_CUT_SOME);
		bspi_body *swap = body;
		body = other;
		other = swap;
	}
	check_closed(body, "a ball");
	check_convex(body, "a ball");
	assert_int_equal(body->side_count, PLANES);
	double ball = 4.0 / 3 * 3.14159265358979 * RADIUS * RADIUS * RADIUS, volume = bspi_body_volume(body);
	assert_true(volume > ball && volume < ball * 1.03);

	uint8_t *packed = malloc(bspi_body_packed_size(body));
	bspi_body_pack(body, packed);
	assert_int_equal(bspi_body_unpack(&rooms[2], packed), bspi_body_packed_size(body));
	check_closed(&rooms[2], "a packed ball");
	assert_true(bspi_body_volume(&rooms[2]) == volume);
	free(packed);

	/* The ball is cut by twice as many planes as a body can have. */
	bspi_cut cut = BSPI_CUT_SOME;
	for (uint32_t i = 0; i < 2 * PLANES && cut != BSPI_CUT_FAILED; i++) {
		double normal[3];
		touch_ball(i, 2 * PLANES, normal);
		cut = bspi_body_cut(body, normal, RADIUS * 1.001, other);
		if (cut != BSPI_CUT_SOME) continue;
		bspi_body *swap = body;
		body = other;
		other = swap;
	}
	assert_int_equal(cut, BSPI_CUT_FAILED);
	free(rooms);
}

/* ---- Maps ------------------------------------------------------------------------------------------------- */

static bspscene_scene *load_parts(const bspi_variant *variant, const bspt_parts *parts, uint32_t include)
{
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.include_mask = include;
	bspscene_scene *scene = bspt_load_parts(variant, parts, &options);
	bspt_report report = { .failures = 0 };
	bspt_check_scene(scene, &options, &report);
	bspt_assert_clean(&report);
	return scene;
}

static uint32_t warnings_of(const bspscene_scene *scene, bspscene_warning_code code)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->warning_count; i++) {
		if (scene->warnings[i]->code == code) count += scene->warnings[i]->count;
	}
	return count;
}

/* Returns the volume that a face's triangles enclose. */
static double volume_of(const bspscene_scene *scene, const bspscene_face *face)
{
	const bspscene_mesh *mesh = scene->meshes[face->mesh];
	double sum = 0;
	for (uint32_t i = 0; i < face->index_count; i += 3) {
		double p[3][3];
		for (uint32_t k = 0; k < 3; k++) {
			const float *corner = mesh->positions + 3 * (size_t)mesh->indices[face->first_index + i + k];
			for (int axis = 0; axis < 3; axis++) p[k][axis] = (double)corner[axis];
		}
		sum += (p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) + p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
		        p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0])) / 6;
	}
	return sum;
}

/* Returns the collision face that was made of record `source` in the mesh of `node`, or NULL. */
static const bspscene_face *find_face(const bspscene_scene *scene, const bspscene_node *node, uint32_t source)
{
	for (uint32_t i = 0; i < scene->face_count; i++) {
		if (scene->faces[i].mesh == node->mesh && scene->faces[i].record == source) return &scene->faces[i];
	}
	return NULL;
}

static void expect_body(const bspscene_scene *scene, const char *node_name, uint32_t source, uint32_t contents,
                        double volume)
{
	const bspscene_node *node = bspt_find_node(scene, node_name);
	const bspscene_face *face = find_face(scene, node, source);
	if (!face) fail_msg("%s: nothing of record %u", node_name, source);
	assert_int_equal(face->content_flags, contents);
	const bspscene_section *section = scene->meshes[face->mesh]->sections[face->section];
	assert_int_equal(section->surface_kind, BSPSCENE_SURFACE_COLLISION);
	assert_int_equal(scene->materials[section->material]->content_flags, contents);
	assert_int_equal(scene->materials[section->material]->surface_kind, BSPSCENE_SURFACE_COLLISION);
	if (fabs(volume_of(scene, face) - volume) > 1e-4 * volume) {
		fail_msg("%s: record %u has volume %.9g, not %.9g", node_name, source, volume_of(scene, face), volume);
	}
}

/* The map has two boxes and a wedge as BSPX brushes, made by build_bspx.c. The plane 0.6 x + 0.8 z <= 0 of the wedge
 * touches a cube of 16 units only at the edge x = z = 0. So the plane cuts nothing off. */
static void brushes_behind_the_map_collide(void **state)
{
	(void)state;
	const bspi_variant *variant = &bspi_family_quake.variants[2];
	bspt_parts parts;
	assert_string_equal(variant->name, "bsp2");
	bspt_room_parts(&bspi_family_quake, variant, &parts);
	bspscene_scene *scene = load_parts(variant, &parts, BSPSCENE_SURFACE_COLLISION);
	expect_body(scene, "worldspawn:collision", 0, (uint32_t)-2, 4096);
	expect_body(scene, "worldspawn:collision", 1, (uint32_t)-8, 4096);
	expect_body(scene, "func_door:4:collision", 2, (uint32_t)-2, 4096);
	const bspscene_node *door = bspt_find_node(scene, "func_door:4:collision");
	assert_int_equal(door->kind, BSPSCENE_NODE_COLLISION);
	assert_true(door->hidden);
	assert_string_equal(scene->nodes[door->parent]->name, "func_door:4");
	const bspscene_node *of_world = bspt_find_node(scene, "worldspawn:collision");
	assert_ptr_equal(scene->nodes[of_world->parent], bspt_find_node(scene, "worldspawn"));
	assert_true(bspt_find_node(scene, "func_door:4")->mesh != door->mesh);
	bspscene_bounds with = scene->bounds;
	bspscene_scene_free(scene);

	/* Without the request for collision, no node has it, and the scene has the same bounds, because drawn surfaces
	 * alone determine them. */
	scene = load_parts(variant, &parts, 0);
	assert_memory_equal(&scene->bounds, &with, sizeof with);
	for (uint32_t i = 0; i < scene->node_count; i++) {
		assert_int_not_equal(scene->nodes[i]->kind, BSPSCENE_NODE_COLLISION);
	}
	bspscene_scene_free(scene);
}

#define OUTWARD_BOX \
	{ { -1, 0, 0 }, 0 }, { { 1, 0, 0 }, 64 }, { { 0, -1, 0 }, 0 }, { { 0, 1, 0 }, 32 }, { { 0, 0, -1 }, 0 }, \
	{ { 0, 0, 1 }, 16 }
/* Planes of a brush that replaces the brushes of Quake II's room. */
static const struct brush_case {
	const char *what;
	bspi_plane planes[8];
	int32_t count, contents, bevels;   /* number of planes; the last `bevels` are bevels */
	double volume;                     /* 0 if the brush is left out */
	bool counted;
} brush_cases[] = {
	{ "a box", { OUTWARD_BOX }, 6, 1, 0, 64 * 32 * 16, false },
	{ "a box with a plane too many", { OUTWARD_BOX, { { 1, 0, 0 }, 80 } }, 7, 1, 0, 64 * 32 * 16, false },
	{ "cut in half", { OUTWARD_BOX, { { 0.44721359549f, 0.894427191f, 0 }, 28.62167011f } }, 7, 0x18000002, 0,
	  64 * 32 * 16 / 2.0, false },
	{ "without contents", { OUTWARD_BOX }, 6, 0, 0, 0, false },
	{ "open above", { OUTWARD_BOX }, 5, 1, 0, 0, true },
	{ "no side at all", { OUTWARD_BOX }, 0, 1, 0, 0, true },
	{ "nothing inside", { OUTWARD_BOX, { { 1, 0, 0 }, -1 } }, 7, 1, 0, 0, false },
	{ "flat", { OUTWARD_BOX, { { 1, 0, 0 }, 0 } }, 7, 1, 0, 0, false },
};

static void brushes_of_a_tree_collide(void **state)
{
	(void)state;
	const bspi_variant *variant = &bspi_family_quake2.variants[0];
	for (size_t i = 0; i < sizeof brush_cases / sizeof *brush_cases; i++) {
		const struct brush_case *c = &brush_cases[i];
		bspt_parts parts;
		bspt_room_parts(&bspi_family_quake2, variant, &parts);
		bspi_plane planes[32];
		bspi_brush_side sides[8];
		uint32_t base = parts.map.planes_count;
		memcpy(planes, parts.map.planes, base * sizeof *planes);
		for (int32_t k = 0; k < 8; k++) {
			planes[base + (uint32_t)k] = k < c->count ? c->planes[k] : c->planes[0];
			sides[k] = (bspi_brush_side){ (int32_t)base + k, -1, 0 };
		}
		bspi_brush brush = { 0, c->count, c->contents, -1 };
		parts.map.planes = planes;
		parts.map.planes_count = base + 8;
		parts.map.brushes = &brush;
		parts.map.brush_sides = sides;
		parts.map.brush_sides_count = 8;
		bspscene_scene *scene = load_parts(variant, &parts, BSPSCENE_SURFACE_COLLISION);
		if ((warnings_of(scene, BSPSCENE_WARNING_REFERENCE) == 1) != c->counted) fail_msg("%s: not counted", c->what);
		if (c->volume > 0) expect_body(scene, "worldspawn:collision", 0, (uint32_t)c->contents, c->volume);
		for (uint32_t k = 0; k < scene->node_count && c->volume <= 0; k++) {
			if (scene->nodes[k]->kind == BSPSCENE_NODE_COLLISION) fail_msg("%s: it collides", c->what);
		}
		bspscene_scene_free(scene);
	}
}

/* Contents of Quake III's brushes come from a shader, and models name their own brushes. */
static void brushes_of_models_collide(void **state)
{
	(void)state;
	const bspi_variant *variant = &bspi_family_quake3.variants[0];
	bspt_parts parts;
	bspt_room_parts(&bspi_family_quake3, variant, &parts);
	bspscene_scene *scene = load_parts(variant, &parts, BSPSCENE_SURFACE_COLLISION);
	expect_body(scene, "worldspawn:collision", 0, 0x40, 256.0 * 256 * 256);
	expect_body(scene, "func_door:5:collision", 1, 0x1, 256.0 * 256 * 256);
	bspscene_scene_free(scene);
}

/* In Quake's room, node 0 divides the room at x = 64. In front of it is leaf 1 (empty, child -2), and behind it is leaf
 * 2 (water, child -3). The clip node has the same plane, and is solid behind it. The model's box is 128 units wide in
 * each direction, and bodies extend 64 units around the box. */
static void trees_collide_where_there_are_no_brushes(void **state)
{
	(void)state;
	static const bspi_family *const families[] = { &bspi_family_quake, &bspi_family_goldsrc };
	for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
		bspt_parts parts;
		bspt_room_parts(families[i], &families[i]->variants[0], &parts);
		bspscene_scene *scene = load_parts(&families[i]->variants[0], &parts, BSPSCENE_SURFACE_COLLISION);
		/* Leaf 2 is water, on the back side of the plane. */
		expect_body(scene, "worldspawn:hull0", 2, (uint32_t)-3, 128.0 * 256 * 256);
		const bspscene_face *water = find_face(scene, bspt_find_node(scene, "worldspawn:hull0"), 2);
		assert_int_equal(water->leaf, 2);
		assert_int_equal(water->cluster, scene->tree->leafs[2].cluster);
		assert_null(find_face(scene, bspt_find_node(scene, "worldspawn:hull0"), 1));
		expect_body(scene, "worldspawn:hull1", 0, (uint32_t)-2, 128.0 * 256 * 256);
		assert_int_equal(bspt_find_node(scene, "func_door:4:hull0")->kind, BSPSCENE_NODE_COLLISION);
		bspscene_scene_free(scene);
	}
}

/* A hostile file may share clip nodes or close them into a cycle. Then the work is bounded, and the rest is left
 * out. */
static void circles_of_clip_nodes_end(void **state)
{
	(void)state;
	bspt_parts parts;
	bspt_room_parts(&bspi_family_quake, &bspi_family_quake.variants[0], &parts);
	static bspi_clipnode circle[] = { { 4, { 0, 1 } }, { 0, { 0, 1 } } };
	parts.map.clipnodes = circle;
	parts.map.clipnodes_count = 2;
	bspscene_scene *scene = load_parts(&bspi_family_quake.variants[0], &parts, BSPSCENE_SURFACE_COLLISION);
	assert_int_equal(warnings_of(scene, BSPSCENE_WARNING_LIMIT), 1);
	bspscene_scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bodies_are_what_their_planes_enclose),
		cmocka_unit_test(round_bodies_stay_closed_until_they_are_too_complex),
		cmocka_unit_test(brushes_behind_the_map_collide),
		cmocka_unit_test(brushes_of_a_tree_collide),
		cmocka_unit_test(brushes_of_models_collide),
		cmocka_unit_test(trees_collide_where_there_are_no_brushes),
		cmocka_unit_test(circles_of_clip_nodes_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
