/* Promise: each point of the light grid that is outside of walls, by the map's BSP tree, has a light probe. Probes are
 * in the order of the points. A dark point inside a wall has none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/make/build_map.h"

enum { LIGHT_GRID = 15, RECORD = 8, MOST_POINTS = 1000, PLANES = 64, LARGE = 128 };

/* Loads a room of 256 units a side. A wall fills the quarter where x and y are large. */
static bspscene_scene *load_room_with_wall(uint8_t light)
{
	static uint8_t samples[MOST_POINTS * RECORD];
	const bspi_variant *variant = bspt_find_variant(&bspi_family_quake3, "quake3");
	bspt_parts parts;
	bspi_plane planes[PLANES];
	assert_true(bspt_room_parts(&bspi_family_quake3, variant, &parts));
	uint32_t count = parts.map.planes_count;
	assert_true(count + 2 <= PLANES && parts.raw[LIGHT_GRID].size <= sizeof samples);
	memcpy(planes, parts.map.planes, count * sizeof *planes);
	planes[count] = (bspi_plane){ { 1, 0, 0 }, LARGE };
	planes[count + 1] = (bspi_plane){ { 0, 1, 0 }, LARGE };
	bspi_node nodes[2] = {
		{ .plane = (int32_t)count, .children = { 1, -1 }, .maxs = { 256, 256, 256 } },
		{ .plane = (int32_t)count + 1, .children = { -2, -3 }, .maxs = { 256, 256, 256 } },
	};
	assert_int_equal(parts.map.nodes_count, 2);
	assert_true(parts.map.leafs[0].cluster >= 0 && parts.map.leafs[1].cluster < 0 && parts.map.leafs[2].cluster >= 0);
	parts.map.planes = planes;
	parts.map.planes_count += 2;
	parts.map.nodes = nodes;
	memset(samples, light, sizeof samples);
	parts.raw[LIGHT_GRID].data = samples;
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.keep_map_light = options.light_probes = true;
	return bspt_load_parts(variant, &parts, &options);
}

static void probes_are_where_the_map_is_open(void **state)
{
	(void)state;
	bspscene_scene *scene = load_room_with_wall(0);
	const bspscene_light_grid *grid = scene->light_grid;
	const bspscene_map_light *stored = scene->map_light;
	uint32_t open = 0, number = 0;
	for (uint32_t z = 0; z < grid->counts[2]; z++) {
		for (uint32_t y = 0; y < grid->counts[1]; y++) {
			for (uint32_t x = 0; x < grid->counts[0]; x++) {
				float at_x = grid->origin[0] + (float)x * grid->step[0];
				float at_y = grid->origin[1] + (float)y * grid->step[1];
				open += !(at_x >= LARGE && at_y >= LARGE);
			}
		}
	}
	assert_in_range(open, 1, grid->counts[0] * grid->counts[1] * grid->counts[2] - 1);
	assert_int_equal(stored->probe_count, open);
	for (; number < stored->probe_count; number++) {
		const float *at = stored->probes[number].origin;
		assert_false(at[0] >= LARGE && at[1] >= LARGE);
	}
	bspscene_scene_free(scene);
}

/* If a grid point with light lies in a wall, its probe is moved out of the wall, by less than half a step of the
 * grid. A move along one axis is preferred, and always suffices here. */
static void probes_are_moved_along_one_axis(void **state)
{
	(void)state;
	bspscene_scene *scene = load_room_with_wall(100);
	const bspscene_light_grid *grid = scene->light_grid;
	uint32_t moved = 0;
	for (uint32_t number = 0; number < scene->map_light->probe_count; number++) {
		const float *at = scene->map_light->probes[number].origin;
		uint32_t axes = 0;
		for (int i = 0; i < 3; i++) {
			float steps = (at[i] - grid->origin[i]) / grid->step[i], off = fabsf(steps - roundf(steps));
			axes += off > 1e-3f;
			assert_true(off < 0.5f);
		}
		assert_in_range(axes, 0, 1);
		moved += axes;
	}
	assert_true(moved > 0);
	bspscene_scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(probes_are_where_the_map_is_open),
		cmocka_unit_test(probes_are_moved_along_one_axis),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
