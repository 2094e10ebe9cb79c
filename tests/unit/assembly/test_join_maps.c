/* test_join_maps.c - the joined map of an assembly has the trees, textures and entities of its tiles, each moved with
 * its tile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assembly/join_maps.h"

/* The planes and bounds of a tile's tree are moved with the tile. The distance is different on each axis. */
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
	/* The tree of each tile has one node. The joined tree has one more node above each of them. */
	assert_int_equal(joined.nodes_count, 2 * TILES);
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

typedef struct tile_map {
	bspi_plane planes[1];
	bspi_node nodes[1];
	bspi_leaf leafs[2];
	bspi_texture textures[3];
	bspi_texinfo texinfos[2];
	bspi_brush brushes[2];
	bspi_index leaf_brushes[2];
	bspi_model models[3];
	bspi_map map;
} tile_map;

/* Makes a tile with one node, two leaves and two models. The first leaf lists two brushes. The second texinfo is the
 * next frame of the first one's animation. */
static void make_tile(tile_map *tile, const char *entities)
{
	*tile = (tile_map) { .planes = { { .normal = { 0, 1, 0 } } },
		                 .nodes = { { .children = { -1, -2 } } },
		                 .texinfos = { { .texture = 2, .next = 1 }, { .texture = 1 } },
		                 .leafs = { { .leaf_brush_count = 2 } },
		                 .leaf_brushes = { { 1 }, { 0 } } };
	tile->map = (bspi_map) {
		.variant = "",
		.lighting = BSPI_NO_BYTES,
		.planes = tile->planes,
		.planes_count = 1,
		.nodes = tile->nodes,
		.nodes_count = 1,
		.leafs = tile->leafs,
		.leafs_count = 2,
		.textures = tile->textures,
		.textures_count = 3,
		.texinfos = tile->texinfos,
		.texinfos_count = 2,
		.brushes = tile->brushes,
		.brushes_count = 2,
		.leaf_brushes = tile->leaf_brushes,
		.leaf_brushes_count = 2,
		.models = tile->models,
		.models_count = 3,
		.entities = bspi_bytes_of(entities, strlen(entities)),
	};
}

/* Marks all leaves that are reached from a child of a node. */
static void reach(const bspi_map *map, int32_t child, uint32_t depth, bool *reached)
{
	assert_true(depth < 32);
	if (child < 0) {
		if (-1 - child < (int32_t)map->leafs_count) reached[-1 - child] = true;
		return;
	}
	for (int k = 0; k < 2; k++) reach(map, map->nodes[child].children[k], depth + 1, reached);
}

static void all_trees_and_textures_are_found(void **state)
{
	enum { TILES = 3 };
	tile_map tiles[TILES];
	bspi_map_part parts[TILES] = { { .map = NULL } };
	bspi_ctx ctx = { .file = "tiles", .name = "tiles" };
	bspi_map joined;
	bool reached[8 * TILES] = { false };
	(void)state;
	for (int i = 0; i < TILES; i++) {
		make_tile(&tiles[i], "");
		tiles[i].textures[2].width = 100u + (uint32_t)i;
		tiles[i].map.models_count = 1;
		parts[i].map = &tiles[i].map;
	}
	bspi_budget_begin(&ctx.budget, UINT64_C(1) << 24, NULL);
	bspi_begin_memory(&ctx);
	assert_true(bspi_join_maps(&ctx, parts, TILES, &joined));
	reach(&joined, joined.models[0].head_nodes[0], 0, reached);
	for (uint32_t i = 0; i < 2 * TILES; i++) assert_true(reached[i]);
	assert_int_equal(joined.texinfos_count, 2 * TILES);
	for (int32_t i = 0; i < TILES; i++) {
		assert_int_equal(joined.texinfos[2 * i].next, 2 * i + 1);
		assert_int_equal(joined.textures[joined.texinfos[2 * i].texture].width, 100 + i);
		const bspi_leaf *leaf = &joined.leafs[2 * i];
		for (uint32_t k = 0; k < 2; k++) {
			assert_int_equal(joined.leaf_brushes[leaf->first_leaf_brush + k].value, 2 * i + (k ? 0 : 1));
		}
	}
	bspi_end_memory(&ctx);
}

/* A joined map has one luxel size, so tiles with another size are refused. */
static void tiles_of_other_luxels_do_not_fit(void **state)
{
	tile_map tile, other;
	(void)state;
	make_tile(&tile, "");
	make_tile(&other, "");
	tile.map.rules.light_storage = other.map.rules.light_storage = BSPI_STORAGE_BLOCKS;
	tile.map.rules.luxel_size = 16;
	other.map.rules.luxel_size = 16;
	assert_null(bspi_why_not_joined(&other.map, &tile.map));
	for (int i = 0; i < 2; i++) {
		other.map.rules.luxel_size = i ? 32 : 8;
		assert_non_null(bspi_why_not_joined(&other.map, &tile.map));
	}
}

static void entities_move_with_their_tiles(void **state)
{
	static const char of_tile[] =
		"{ \"classname\" \"worldspawn\" }\n{ \"classname\" \"light\" \"origin\" \"-300 7.25 5\" }\n"
		"{ \"classname\" \"door\" \"model\" \"*2\" }\n";
	static const char wanted[] = "{\n\"classname\" \"worldspawn\"\n}\n"
								 "{\n\"classname\" \"light\"\n\"origin\" \"-300 7.25 5\"\n}\n"
								 "{\n\"classname\" \"door\"\n\"model\" \"*2\"\n\"origin\" \"0 0 0\"\n}\n"
								 "{\n\"classname\" \"light\"\n\"origin\" \"-44 -504.75 69\"\n}\n"
								 "{\n\"classname\" \"door\"\n\"model\" \"*4\"\n\"origin\" \"256 -512 64\"\n}\n";
	tile_map tile;
	bspi_map_part parts[2] = { { .map = &tile.map }, { .map = &tile.map, .shift = { 256, -512, 64 } } };
	bspi_ctx ctx = { .file = "tiles", .name = "tiles" };
	bspi_map joined;
	bspi_bytes text;
	(void)state;
	make_tile(&tile, of_tile);
	bspi_budget_begin(&ctx.budget, UINT64_C(1) << 24, NULL);
	bspi_begin_memory(&ctx);
	assert_true(bspi_join_maps(&ctx, parts, 2, &joined) && bspi_join_entities(&ctx, parts, 2, &text));
	assert_int_equal(joined.models_count, 5);
	assert_int_equal(text.size, strlen(wanted));
	assert_memory_equal(text.data, wanted, text.size);
	bspi_end_memory(&ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trees_move_with_their_tiles),
		cmocka_unit_test(all_trees_and_textures_are_found),
		cmocka_unit_test(tiles_of_other_luxels_do_not_fit),
		cmocka_unit_test(entities_move_with_their_tiles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
