/* Promise: luxels and the samples of a light grid are the same, however many threads write them. This holds for any
 * number of styles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "stages/stages.h"
#include "support/make/made_light.h"

enum { TILES = 3000, SIDE = 3, ACROSS = 42, PAGE = ACROSS * ACROSS, STYLES = 80 };

static const uint32_t thread_counts[] = { 1, 2, 3, 8 };

/* Makes faces with separate rectangles on the map's pages. Each face has steady light, and light of its own style on
 * another page. */
static void make_tiles(bspt_light *light, uint32_t threads)
{
	enum { PAGES = (TILES + PAGE - 1) / PAGE };
	bspt_light_pages(light, TILES, 2 * PAGES, true);
	light->ctx.options.lightmap_encoding = BSPSCENE_LIGHTMAP_ENCODING_RAW;
	light->ctx.options.threads = threads;
	for (uint32_t i = 0; i < TILES; i++) {
		uint32_t x = i % ACROSS * SIDE, y = i % PAGE / ACROSS * SIDE;
		int32_t page = (int32_t)(i / PAGE);
		bspt_light_on_page(light, i, 0, page, x, y, SIDE - 1, SIDE - 1);
		bspt_light_on_page(light, i, 1, PAGES + page, x, y, SIDE - 1, SIDE - 1);
		light->map.faces[i].styles[1] = (uint8_t)(1 + i % STYLES);
	}
	bspt_light_build(light);
}

static void check_tile(const bspt_light *light, uint32_t surface)
{
	const bspi_surface *s = &light->build.plan.surfaces[surface];
	const bspi_face *face = &light->map.faces[s->face];
	for (uint32_t slot = 0; slot < 2; slot++) {
		const bspscene_lightmap_set *set = bspt_light_set(light, BSPSCENE_LIGHTMAP_SET_LIGHT, face->styles[slot]);
		const uint8_t *page = light->map.lighting.data + (size_t)face->lightmap[slot] * 128 * 128 * 3;
		assert_non_null(set);
		for (int32_t y = 0; y < SIDE - 1; y++) {
			for (int32_t x = 0; x < SIDE - 1; x++) {
				const uint8_t *stored = page + ((size_t)(s->luxel_y + y) * 128 + (size_t)(s->luxel_x + x)) * 3;
				assert_memory_equal(bspt_light_luxel(light, set, surface, x, y), stored, 3);
			}
		}
	}
}

static void test_tiles(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof thread_counts / sizeof *thread_counts; i++) {
		bspt_light light;
		make_tiles(&light, thread_counts[i]);
		assert_int_equal(light.scene.lightmap_set_count, 1 + STYLES);
		for (uint32_t k = 0; k < TILES; k++) check_tile(&light, k);
		bspt_light_free(&light);
	}
}

/* ---- Light grid -------------------------------------------------------------------------------------------- */

enum { GRID_SIDE = 41, CELLS = GRID_SIDE * GRID_SIDE * GRID_SIDE, SAMPLE = 8 };

static void test_grid(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof thread_counts / sizeof *thread_counts; i++) {
		bspt_light light;
		bspi_map *map = &light.map;
		bspt_light_pages(&light, 1, 1, false);
		light.ctx.options.lightmap_encoding = BSPSCENE_LIGHTMAP_ENCODING_RAW;
		light.ctx.options.threads = thread_counts[i];
		bspt_light_build(&light);
		bspi_model world = { .mins = { 0, 0, 0 }, .maxs = { GRID_SIDE - 1, GRID_SIDE - 1, GRID_SIDE - 1 } };
		map->models = &world;
		map->models_count = 1;
		for (int axis = 0; axis < 3; axis++) map->rules.grid_step[axis] = 1;
		uint8_t *samples = bspi_push(&light.ctx, &light.ctx.scratch, uint8_t, (size_t)CELLS * SAMPLE);
		assert_non_null(samples);
		for (size_t k = 0; k < (size_t)CELLS * SAMPLE; k++) samples[k] = (uint8_t)(k * 2654435761u >> 13);
		map->light_grid = bspi_bytes_of(samples, (size_t)CELLS * SAMPLE);
		assert_true(bspi_build_light_grid(&light.build));
		const bspscene_light_grid *grid = &light.parts.light_grid;
		for (size_t cell = 0; cell < CELLS; cell++) {
			assert_memory_equal(grid->ambient + 3 * cell, samples + SAMPLE * cell, 3);
			assert_memory_equal(grid->directed + 3 * cell, samples + SAMPLE * cell + 3, 3);
			assert_memory_equal(grid->directions + 2 * cell, samples + SAMPLE * cell + 6, 2);
		}
		bspt_light_free(&light);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tiles),
		cmocka_unit_test(test_grid),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
