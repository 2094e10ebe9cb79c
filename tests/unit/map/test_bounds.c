/* Promise: a small file cannot become a huge scene because many of its records refer to the same other records. Cyclic
 * nodes become trees. The tests use the room of build_quake3.c, whose first face is the floor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/map/map_reading.h"

/* Counts `root` and the nodes below it. If they form a cycle, returns more than the number of all nodes. */
static uint32_t count_below(const bspi_map *map, uint32_t root)
{
	uint32_t open[64], open_count = 0, seen = 0;
	open[open_count++] = root;
	while (open_count) {
		const bspi_node *node = &map->nodes[open[--open_count]];
		if (++seen > map->nodes_count) return seen;
		for (int side = 0; side < 2; side++) {
			if (node->children[side] >= 0) open[open_count++] = (uint32_t)node->children[side];
		}
	}
	return seen;
}

static void nodes_become_trees(void **state)
{
	(void)state;
	enum { NODES = 5 };
	static const int32_t shapes[][NODES][2] = {
		{ { 1, 2 }, { 3, -1 }, { 4, -2 }, { -1, -2 }, { -3, -1 } },    /* a valid tree */
		{ { 1, -1 }, { 2, -1 }, { 3, -1 }, { 4, -1 }, { 0, -1 } },     /* a cycle through the root */
		{ { -1, -1 }, { 2, -1 }, { 3, -1 }, { 4, -1 }, { 1, -1 } },    /* a cycle that the root does not reach */
		{ { 1, 2 }, { 3, 3 }, { 3, 4 }, { -1, 4 }, { -1, -1 } },       /* subtrees with several parents */
		{ { 0, 0 }, { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 } },          /* each node is its own child */
	};
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		bspt_reading f;
		bspt_read_room(&f, false);
		bspi_node nodes[NODES] = { 0 };
		for (int n = 0; n < NODES; n++) memcpy(nodes[n].children, shapes[i][n], sizeof nodes[n].children);
		f.map.nodes = nodes;
		f.map.nodes_count = NODES;
		assert_true(bspi_validate(&f.ctx, &f.map));
		assert_int_equal(f.ctx.warning_count, i > 0);
		if (!i) assert_memory_equal(nodes[2].children, shapes[0][2], sizeof nodes[2].children);
		uint32_t parents[NODES] = { 0 };
		for (uint32_t n = 0; n < NODES; n++) {
			assert_true(count_below(&f.map, n) <= NODES);
			for (int side = 0; side < 2; side++) {
				if (nodes[n].children[side] >= 0) parents[nodes[n].children[side]]++;
			}
		}
		for (int n = 0; n < NODES; n++) assert_true(parents[n] <= 1);
		bspt_end_reading(&f);
	}
}

/* Several faces or leafs may refer to the same entries of a list, as q3map2 shares indices. This must not turn a small
 * file into a huge scene. */
static void overlapping_ranges_are_bounded(void **state)
{
	(void)state;
	enum { FACES = 3000, VERTICES = 8192 };
	bspt_reading f;
	bspt_read_room(&f, false);
	bspi_face *faces = calloc(FACES, sizeof *faces);
	bspi_draw_vertex *vertices = calloc(VERTICES, sizeof *vertices);
	assert_true(faces && vertices);
	for (int i = 0; i < FACES; i++) faces[i] = f.map.faces[0], faces[i].vertex_count = VERTICES;
	f.map.faces = faces;
	f.map.faces_count = FACES;
	f.map.draw_vertices = vertices;
	f.map.draw_vertices_count = VERTICES;
	assert_true(bspi_validate(&f.ctx, &f.map));
	uint32_t kept = bspt_kept_faces(&f.map);
	assert_int_equal(kept, (1u << 24) / VERTICES);
	assert_int_equal(f.ctx.warnings[0].code, BSPSCENE_WARNING_FACE_DROPPED);
	assert_int_equal(f.ctx.warnings[0].count, FACES - kept);
	bspt_end_reading(&f);
	free(faces);
	free(vertices);
}

/* Several brushes may share sides, too, and every fog reads all sides of its brush. So a brush with too many sides
 * loses all of them. */
static void brushes_have_few_sides(void **state)
{
	(void)state;
	enum { SIDES = 5000, MOST = 4096 };
	for (int32_t count = MOST; count <= MOST + 1; count++) {
		bspt_reading f;
		bspt_read_room(&f, false);
		static bspi_brush_side sides[SIDES];
		f.map.brush_sides = sides;
		f.map.brush_sides_count = SIDES;
		f.map.brushes[1].first_side = 0;
		f.map.brushes[1].side_count = count;
		assert_true(bspi_validate(&f.ctx, &f.map));
		assert_int_equal(f.map.brushes[1].side_count, count > MOST ? 0 : count);
		assert_int_equal(f.ctx.warning_count, count > MOST);
		bspt_end_reading(&f);
	}
}

/* In Enemy Territory's foliage, the first vertices are those of one plant, and the last ones are its instances. Indices
 * may only refer to the plant, because every instance repeats it. */
static void foliage_is_bounded(void **state)
{
	(void)state;
	static const struct {
		int32_t instances, mesh, vertex_count, index_count;
		bool kept;
	} shapes[] = {
		{ 1, 3, 4, 3, true },  { 0, 4, 4, 6, true },  { 2, 2, 4, 3, false },
		{ 1, 2, 4, 0, false }, { 1, 4, 4, 6, false }, { -1, 5, 4, 3, false },
		{ 4, 0, 4, 0, true },  { 4, 0, 4, 3, false }, { INT32_MAX, 5, 4, 3, false },
	};
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		bspt_reading f;
		bspt_read_room(&f, false);
		bspi_face *face = &f.map.faces[0];
		face->kind = BSPI_FACE_FOLIAGE;
		face->patch_width = shapes[i].instances;
		face->patch_height = shapes[i].mesh;
		face->vertex_count = shapes[i].vertex_count;
		/* The indices are those of the triangle soup (0 1 2) or of the floor (0 to 3). */
		face->first_index = shapes[i].index_count == 3 ? 6 : 0;
		face->index_count = shapes[i].index_count;
		assert_true(bspi_validate(&f.ctx, &f.map));
		if ((face->kind == BSPI_FACE_FOLIAGE) != shapes[i].kept) fail_msg("shape %zu", i);
		bspt_end_reading(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_become_trees),
		cmocka_unit_test(overlapping_ranges_are_bounded),
		cmocka_unit_test(brushes_have_few_sides),
		cmocka_unit_test(foliage_is_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
