/* test_join_maps.c - the joined map of an assembly has the trees of its tiles, each moved with its tile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assembly/join_maps.h"

/* Planes and bounds of a tile's tree move with it, on each axis by its own distance. */
static void trees_move_with_their_tiles(void **state)
{
	enum { TILES = 2, LEAFS = 2 };
	static const float shifts[TILES][3] = { { 0, 0, 0 }, { 256, -512, 64 } };
	bspi_plane planes[] = { { .normal = { 0, 1, 0 }, .distance = 4 } };
	bspi_node nodes[] = { { .children = { -1, -2 }, .mins = { -8, -16, -32 }, .maxs = { 8, 20, 40 } } };
	bspi_leaf leafs[LEAFS] = { { .mins = { -8, 4, -32 }, .maxs = { 8, 20, 40 } },
		                       { .mins = { -8, -16, -32 }, .maxs = { 7, 4, 39 } } };
	bspi_model models[] = { { .head_nodes = { 0 } } };
	bspi_map map = { .variant = "", .lighting = BSPI_NO_BYTES, .planes = planes, .planes_count = 1, .nodes = nodes,
		             .nodes_count = 1, .leafs = leafs, .leafs_count = LEAFS, .models = models, .models_count = 1 };
	bspi_map_part parts[TILES] = { { .map = &map }, { .map = &map } };
	bspi_ctx ctx = { .file = "tiles", .name = "tiles" };
	bspi_map joined;
	(void)state;
	memcpy(parts[1].shift, shifts[1], sizeof shifts[1]);
	bspi_budget_begin(&ctx.budget, UINT64_C(1) << 24, NULL);
	bspi_begin_memory(&ctx);
	assert_true(bspi_join_maps(&ctx, parts, TILES, &joined));
	assert_int_equal(joined.nodes_count, 2 * TILES); /* one of each tile's tree, and one above */
	assert_int_equal(joined.leafs_count, TILES * LEAFS);
	for (int tile = 0; tile < TILES; tile++) {
		const float *shift = shifts[tile];
		assert_true(joined.planes[tile].distance == 4 + shift[1]);
		for (int k = 0; k < 3; k++) {
			const bspi_node *node = &joined.nodes[TILES + tile];
			assert_true(node->mins[k] == nodes[0].mins[k] + shift[k] && node->maxs[k] == nodes[0].maxs[k] + shift[k]);
			for (int i = 0; i < LEAFS; i++) {
				const bspi_leaf *leaf = &joined.leafs[tile * LEAFS + i];
				assert_true(leaf->mins[k] == leafs[i].mins[k] + shift[k]);
				assert_true(leaf->maxs[k] == leafs[i].maxs[k] + shift[k]);
			}
		}
	}
	bspi_end_memory(&ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(trees_move_with_their_tiles) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
