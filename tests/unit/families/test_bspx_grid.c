/* Promise: the BSPX octree of light is the scene's light grid, and an invalid one is counted and left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/make/bspx_room.h"
#include "support/make/bytes_writer.h"
#include "support/check/scene_find.h"

#define LEAF 0x80000000u
#define MISSING 0x40000000u
enum { IN_A_WALL = 255 };

typedef struct grid_case {
	/* The number of the root node, and the last child of node 0. The first child of node 0 is leaf 0. */
	uint32_t root, child;
	uint32_t size[3];
	float step, origin;
	size_t cut;                        /* number of bytes cut off the end */
} grid_case;

static const grid_case whole_grid = { 0, LEAF | 1, { 4, 2, 2 }, 32, -16, 0 };

/* Writes a light grid of two leafs with 2 x 2 x 2 samples each. In the left leaf, the color of a sample follows from
 * its number. The right leaf is solid except for one sample, which has two styles. */
static void put_grid(bspt_writer *lump, const grid_case *c)
{
	bspt_put_floats(lump, 3, (double)c->step, (double)c->step, (double)c->step * 2);
	for (int i = 0; i < 3; i++) bspt_put_u32(lump, c->size[i]);
	bspt_put_floats(lump, 3, (double)c->origin, 0.0, 0.0);
	bspt_put_u8(lump, 2);
	bspt_put_u32(lump, c->root);
	bspt_put_u32(lump, 1);
	bspt_put_u32(lump, 2);
	bspt_put_u32(lump, 0);
	bspt_put_u32(lump, 0);
	bspt_put_u32(lump, LEAF | 0);
	for (int i = 0; i < 6; i++) bspt_put_u32(lump, MISSING);
	bspt_put_u32(lump, c->child);
	bspt_put_u32(lump, 2);
	for (uint32_t leaf = 0; leaf < 2; leaf++) {
		bspt_put_u32(lump, leaf * 2);
		for (int i = 0; i < 2; i++) bspt_put_u32(lump, 0);
		for (int i = 0; i < 3; i++) bspt_put_u32(lump, 2);
		for (uint32_t i = 0; i < 8; i++) {
			bool lit = !leaf || i == 7;
			bspt_put_u8(lump, !lit ? IN_A_WALL : leaf ? 2 : 1);
			for (uint32_t k = 0; lit && k < leaf + 1; k++) {
				bspt_put_u8(lump, k * 5);
				for (uint32_t channel = 0; channel < 3; channel++) bspt_put_u8(lump, 10 * i + 1 + channel + 100 * k);
			}
		}
	}
	lump->size -= c->cut;
}

static const uint8_t *sample_at(const bspscene_light_grid *grid, uint32_t x, uint32_t y, uint32_t z, uint32_t set)
{
	size_t sample = ((size_t)z * grid->counts[1] + y) * grid->counts[0] + x;
	return grid->ambient + (sample * grid->style_count + set) * 3;
}

static void the_octree_becomes_a_grid(void **state)
{
	(void)state;
	for (int quake2 = 0; quake2 < 2; quake2++) {
		bspt_writer lump = { .size = 0 };
		put_grid(&lump, &whole_grid);
		const bspi_family *family = quake2 ? &bspi_family_quake2 : &bspi_family_quake;
		bspscene_scene *scene = bspt_load_bspx(family, "LIGHTGRID_OCTREE", &lump);
		const bspscene_light_grid *grid = scene->light_grid;
		for (int i = 0; i < 3; i++) assert_int_equal(grid->counts[i], whole_grid.size[i]);
		assert_float_equal(grid->step[0], 32, 0);
		assert_float_equal(grid->step[2], 64, 0);
		assert_float_equal(grid->origin[0], -16, 0);
		assert_int_equal(grid->style_count, 4);
		/* Samples are stored by x, then y, then z: the fifth sample of the left leaf is the first with z = 1. */
		assert_memory_equal(sample_at(grid, 0, 0, 0, 0), ((uint8_t[]){ 1, 2, 3 }), 3);
		assert_memory_equal(sample_at(grid, 1, 0, 0, 0), ((uint8_t[]){ 11, 12, 13 }), 3);
		assert_memory_equal(sample_at(grid, 0, 1, 0, 0), ((uint8_t[]){ 21, 22, 23 }), 3);
		assert_memory_equal(sample_at(grid, 0, 0, 1, 0), ((uint8_t[]){ 41, 42, 43 }), 3);
		assert_memory_equal(sample_at(grid, 2, 0, 0, 0), ((uint8_t[]){ 0, 0, 0 }), 3);
		assert_memory_equal(sample_at(grid, 3, 1, 1, 0), ((uint8_t[]){ 71, 72, 73 }), 3);
		assert_memory_equal(sample_at(grid, 3, 1, 1, 1), ((uint8_t[]){ 171, 172, 173 }), 3);
		const uint8_t *styles = grid->styles + ((size_t)(1 * 2 + 1) * 4 + 3) * 4;
		assert_memory_equal(styles, ((uint8_t[]){ 0, 5, 255, 255 }), 4);
		assert_memory_equal(grid->styles + 2 * 4, ((uint8_t[]){ 255, 255, 255, 255 }), 4);
		bspscene_scene_free(scene);
	}
}

static void octrees_that_are_none_are_left_out(void **state)
{
	(void)state;
	static const struct {
		const char *what;
		grid_case grid;
		bool left_out;
	} cases[] = {
		{ "whole", { 0, LEAF | 1, { 4, 2, 2 }, 32, -16, 0 }, false },
		{ "a leaf as the root", { LEAF | 0, 0, { 4, 2, 2 }, 32, -16, 0 }, false },
		{ "a node that is its own child", { 0, 0, { 4, 2, 2 }, 32, -16, 0 }, false },
		{ "a child that does not exist", { 0, 9, { 4, 2, 2 }, 32, -16, 0 }, false },
		{ "a leaf that does not exist", { 0, LEAF | 9, { 4, 2, 2 }, 32, -16, 0 }, false },
		{ "nothing at the root", { MISSING, 0, { 4, 2, 2 }, 32, -16, 0 }, false },
		{ "leafs outside of the grid", { 0, LEAF | 1, { 1, 1, 1 }, 32, -16, 0 }, false },
		{ "no size", { 0, LEAF | 1, { 4, 0, 2 }, 32, -16, 0 }, true },
		{ "a size that multiplies past everything", { 0, LEAF | 1, { 4096, 4096, 4096 }, 32, -16, 0 }, true },
		{ "a size below 0", { 0, LEAF | 1, { UINT32_MAX, 2, 2 }, 32, -16, 0 }, true },
		{ "a grid that is nearly all hole", { 0, LEAF | 1, { 64, 64, 64 }, 32, -16, 0 }, true },
		{ "no step", { 0, LEAF | 1, { 4, 2, 2 }, 0, -16, 0 }, true },
		{ "a step back", { 0, LEAF | 1, { 4, 2, 2 }, -32, -16, 0 }, true },
		{ "an origin that is nowhere", { 0, LEAF | 1, { 4, 2, 2 }, 32, 1e30f, 0 }, true },
		{ "a missing last byte", { 0, LEAF | 1, { 4, 2, 2 }, 32, -16, 1 }, true },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_writer lump = { .size = 0 };
		put_grid(&lump, &cases[i].grid);
		bspscene_scene *scene = bspt_load_bspx(&bspi_family_quake, "LIGHTGRID_OCTREE", &lump);
		bool left_out = bspt_count_warnings(scene, BSPSCENE_WARNING_LUMP_BAD) == 1 && !scene->light_grid->counts[0];
		if (left_out != cases[i].left_out) fail_msg("%s", cases[i].what);
		bspscene_scene_free(scene);
	}
	for (size_t cut = 1;; cut++) {
		bspt_writer lump = { .size = 0 };
		put_grid(&lump, &whole_grid);
		if (cut == lump.size) break;
		lump.size -= cut;
		bspscene_scene *scene = bspt_load_bspx(&bspi_family_quake, "LIGHTGRID_OCTREE", &lump);
		assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_LUMP_BAD), 1);
		bspscene_scene_free(scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_octree_becomes_a_grid),
		cmocka_unit_test(octrees_that_are_none_are_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
