/* Promise: sky faces that touch form a group, and each group shows the sky from one eye point. This point is the mean
 * of all positions that can see the faces. A position has more weight if the faces appear larger from there. Positions
 * behind the faces do not count, nor do those from which the faces are hidden by the map's vis. If no position sees a
 * face, the eye is the mean of the player starts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <bspscene/material.h>

#include "support/bspt.h"
#include "writers/sky/sky_eyes.h"

enum { FACES = 3, PLACES = 4, CORNERS = 4, INDICES = 6 };

/* A map with squares of sky at a height of 200 that look down, 128 wide. Two touch at x = 0, one is at x = 4096. There
 * is no tree until add_vis. */
typedef struct sky_map {
	float positions[FACES * CORNERS * 3];
	uint32_t indices[FACES * INDICES];
	bspscene_face faces[FACES];
	bspscene_section section; const bspscene_section *sections[1];
	bspscene_mesh mesh; const bspscene_mesh *meshes[1];
	bspscene_material material; const bspscene_material *materials[1];
	bspscene_node nodes[PLACES + 1]; const bspscene_node *node_table[PLACES + 1];
	bspscene_leaf leafs[2];
	float plane[4];
	int32_t children[2];
	bspscene_tree tree;
	uint8_t rows[2];
	bspscene_vis vis;
	bspscene_scene scene;
} sky_map;

static void add_square(sky_map *m, uint32_t number, float left)
{
	static const float corners[CORNERS][2] = { { 0, 0 }, { 0, 128 }, { 128, 128 }, { 128, 0 } };
	static const uint32_t order[INDICES] = { 0, 1, 2, 0, 2, 3 };
	for (uint32_t i = 0; i < CORNERS; i++) {
		const float at[3] = { left + corners[i][0], corners[i][1], 200 };
		memcpy(m->positions + 3 * (CORNERS * number + i), at, sizeof at);
	}
	for (uint32_t i = 0; i < INDICES; i++) m->indices[INDICES * number + i] = CORNERS * number + order[i];
	m->faces[number] = (bspscene_face){ .first_index = INDICES * number, .index_count = INDICES,
	                                    .first_vertex = CORNERS * number, .vertex_count = CORNERS,
	                                    .cluster = BSPSCENE_NO_INDEX };
}

static void add_place(sky_map *m, uint32_t number, float x, float z)
{
	bspscene_node *node = &m->nodes[number];
	*node = (bspscene_node){ .kind = BSPSCENE_NODE_POINT_ENTITY, .parent = 0, .entity = number };
	for (int i = 0; i < 3; i++) node->transform[5 * i] = 1;
	node->transform[3] = x;
	node->transform[7] = 64;
	node->transform[11] = z;
}

static void begin(sky_map *m)
{
	memset(m, 0, sizeof *m);
	add_square(m, 0, -128);
	add_square(m, 1, 0);
	add_square(m, 2, 4096);
	m->section = (bspscene_section){ .face_count = FACES, .index_count = FACES * INDICES };
	m->material.kind = BSPSCENE_MATERIAL_SKY;
	m->mesh = (bspscene_mesh){ .positions = m->positions, .indices = m->indices, .sections = m->sections,
	                           .section_count = 1 };
	m->nodes[0] = (bspscene_node){ .parent = BSPSCENE_NO_INDEX, .entity = BSPSCENE_NO_INDEX };
	for (int i = 0; i < 3; i++) m->nodes[0].transform[5 * i] = 1;
	for (uint32_t i = 0; i <= PLACES; i++) m->node_table[i] = &m->nodes[i];
	m->sections[0] = &m->section;
	m->meshes[0] = &m->mesh;
	m->materials[0] = &m->material;
	m->scene = (bspscene_scene){
		.meshes = m->meshes, .mesh_count = 1, .materials = m->materials, .material_count = 1, .faces = m->faces,
		.face_count = FACES, .nodes = m->node_table, .node_count = PLACES + 1,
		.bounds = { { -7, -7, -7 }, { 7, 7, 7 } }, .tree = &m->tree, .vis = &m->vis,
	};
	add_place(m, 1, -300, 0);
	add_place(m, 2, 300, 0);
	add_place(m, 3, 4160, 0);
	add_place(m, 4, 4160, 300); /* above the sky, where its back is */
}

/* Adds two clusters, on both sides of x = 2000, that do not see each other. */
static void add_vis(sky_map *m)
{
	m->plane[0] = 1;
	m->plane[3] = 2000;
	m->children[0] = -1;
	m->children[1] = -2;
	m->leafs[1].cluster = 1;
	m->rows[0] = 1;
	m->rows[1] = 2;
	m->tree = (bspscene_tree){ .node_count = 1, .leaf_count = 2, .planes = m->plane, .children = m->children,
	                           .leafs = m->leafs };
	m->vis = (bspscene_vis){ .cluster_count = 2, .row_size = 1, .rows = m->rows };
	m->faces[0].cluster = m->faces[1].cluster = 1;
	m->faces[2].cluster = 0;
}

static void find_eyes(const sky_map *m, float out[FACES][3])
{
	bspi_writer *writer = calloc(1, sizeof *writer);
	bspi_sky_eyes eyes;
	assert_non_null(writer);
	writer->scene = writer->loaded = &m->scene;
	writer->main_name = "eyes";
	bspi_budget_begin(&writer->budget, UINT64_MAX, NULL);
	bspi_arena_init(&writer->arena, &writer->budget);
	assert_true(bspi_find_sky_eyes(writer, &eyes));
	for (int i = 0; i < FACES; i++) memcpy(out[i], bspi_sky_eye_of(&eyes, &m->faces[i]), 3 * sizeof(float));
	bspi_arena_reset(&writer->arena);
	free(writer);
}

static void faces_that_touch_share_an_eye(void **state)
{
	static sky_map m;
	float eyes[FACES][3];
	(void)state;
	begin(&m);
	find_eyes(&m, eyes);
	assert_memory_equal(eyes[0], eyes[1], sizeof eyes[0]);
	/* Positions on the left and on the right have the same weight, and the one far away has little. */
	assert_true(fabsf(eyes[0][0]) < 16 && eyes[0][1] == 64 && eyes[0][2] == 0);
	/* The place above the sky sees only its back, so it does not count. */
	assert_true(fabsf(eyes[2][0] - 4160) < 64 && eyes[2][2] == 0);
}

static void vis_keeps_places_from_counting(void **state)
{
	static sky_map m;
	float eyes[FACES][3];
	(void)state;
	begin(&m);
	add_vis(&m);
	find_eyes(&m, eyes);
	assert_true(fabsf(eyes[0][0]) < 1e-3f);
	assert_true(fabsf(eyes[2][0] - 4160) < 1e-3f);
	m.rows[0] = 2; /* now not even its own cluster can see face 2 */
	m.rows[1] = 2;
	find_eyes(&m, eyes);
	for (int k = 0; k < 3; k++) assert_true(eyes[2][k] == 0); /* the eye is the center of the scene */
}

static void faces_of_a_cluster_share_an_eye(void **state)
{
	static sky_map m;
	float eyes[FACES][3];
	(void)state;
	begin(&m);
	add_vis(&m);
	m.rows[0] = m.rows[1] = 3;
	m.faces[2].cluster = 1;
	find_eyes(&m, eyes);
	assert_memory_equal(eyes[0], eyes[2], sizeof eyes[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faces_that_touch_share_an_eye),
		cmocka_unit_test(vis_keeps_places_from_counting),
		cmocka_unit_test(faces_of_a_cluster_share_an_eye),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
