/* test_atlas_packing.c - surfaces that share luxels share tiles of limited size. Tiles never overlap, and there are few
 * pages, which are filled densely and are the same in every run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/make/made_light.h"

#define SIDE 128u

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* ---- Packing ---------------------------------------------------------------------------------------------- */

typedef struct packing {
	bspt_light light;
	bspi_tile *tiles, **order;
	uint32_t count;
	bspi_atlas atlas;
} packing;

static void start_packing(packing *p, uint32_t count, uint32_t page_size, uint32_t gutter)
{
	memset(p, 0, sizeof *p);
	bspt_light_init(&p->light);
	p->light.ctx.options.lightmap_page_size = page_size;
	p->light.ctx.options.lightmap_gutter = gutter;
	p->count = count;
	p->tiles = bspi_push(&p->light.ctx, &p->light.ctx.scratch, bspi_tile, count);
	p->order = bspi_push(&p->light.ctx, &p->light.ctx.scratch, bspi_tile *, count);
	for (uint32_t i = 0; i < count; i++) p->order[i] = &p->tiles[i];
}

static void fill_with_random_tiles(packing *p, uint32_t largest, uint32_t seed)
{
	for (uint32_t i = 0; i < p->count; i++) {
		p->tiles[i].box.width = next_random(&seed) % largest + 1;
		p->tiles[i].box.height = next_random(&seed) % largest + 1;
	}
}

static uint64_t page_area(const packing *p)
{
	uint64_t area = 0;
	for (uint32_t i = 0; i < p->atlas.page_count; i++) {
		area += (uint64_t)p->atlas.pages[i].width * p->atlas.pages[i].height;
	}
	return area;
}

static uint64_t tile_area(const packing *p)
{
	uint64_t area = 0, padding = 2 * p->light.ctx.options.lightmap_gutter;
	for (uint32_t i = 0; i < p->count; i++) {
		area += (p->tiles[i].box.width + padding) * (p->tiles[i].box.height + padding);
	}
	return area;
}

/* Marks the area of each tile with its gutters, and checks that it was free. */
static void check_places(const packing *p)
{
	uint32_t gutter = p->light.ctx.options.lightmap_gutter;
	for (uint32_t page = 0; page < p->atlas.page_count; page++) {
		bspi_page_size size = p->atlas.pages[page];
		assert_int_equal(size.width % 4, 0);
		assert_int_equal(size.height % 4, 0);
		uint8_t *taken = calloc(size.width, size.height);
		assert_non_null(taken);
		for (uint32_t i = 0; i < p->count; i++) {
			const bspi_tile *tile = &p->tiles[i];
			if (tile->page != page) continue;
			assert_true(tile->x >= gutter && tile->y >= gutter);
			assert_true(tile->x + tile->box.width + gutter <= size.width &&
			            tile->y + tile->box.height + gutter <= size.height);
			for (uint32_t y = tile->y - gutter; y < tile->y + tile->box.height + gutter; y++) {
				uint8_t *row = taken + (size_t)y * size.width + tile->x - gutter;
				for (uint32_t x = 0; x < tile->box.width + 2 * gutter; x++) assert_int_equal(row[x]++, 0);
			}
		}
		free(taken);
	}
	for (uint32_t i = 0; i < p->count; i++) assert_true(p->tiles[i].page < p->atlas.page_count);
}

static void test_packing(void **state)
{
	/* `share` is the least percentage of the pages' area that tiles and their gutters must cover. */
	static const struct { uint32_t count, largest, page_size, gutter, pages, share; } cases[] = {
		{ 1, 1, 4096, 1, 1, 50 }, { 1, 61, 4096, 2, 1, 50 }, { 3000, 17, 4096, 1, 1, 97 }, { 3000, 35, 4096, 4, 1, 97 },
		{ 20, 300, 4096, 1, 1, 75 }, { 300, 128, 4096, 1, 1, 93 }, { 3000, 17, 256, 1, 6, 92 },
		{ 500, 100, 600, 16, 11, 85 },
		{ 50, 60, 64, 1, 40, 30 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		packing p;
		start_packing(&p, cases[i].count, cases[i].page_size, cases[i].gutter);
		fill_with_random_tiles(&p, cases[i].largest, (uint32_t)i);
		assert_true(bspi_pack_tiles(&p.light.ctx, p.order, p.count, &p.atlas));
		check_places(&p);
		for (uint32_t page = 0; page < p.atlas.page_count; page++) {
			assert_true(p.atlas.pages[page].width <= cases[i].page_size &&
			            p.atlas.pages[page].height <= cases[i].page_size);
		}
		if (p.atlas.page_count > cases[i].pages) print_error("case %zu: %u pages\n", i, p.atlas.page_count);
		assert_true(p.atlas.page_count <= cases[i].pages);
		uint64_t percent = tile_area(&p) * 100 / page_area(&p);
		if (percent < cases[i].share) print_error("case %zu: %u percent\n", i, (unsigned)percent);
		assert_true(percent >= cases[i].share);
		assert_int_equal(p.light.ctx.warning_count, 0);
		bspt_light_free(&p.light);
	}
}

/* Tiles of faces with more than one style (`rare`) are in separate rows of a page. Further styles need only these
 * rows, and all other rows of their pages stay black. */
static void test_rare_tiles_lie_together(void **state)
{
	(void)state;
	packing p;
	start_packing(&p, 3000, 4096, 1);
	fill_with_random_tiles(&p, 17, 5);
	for (uint32_t i = 0; i < p.count; i++) p.tiles[i].rare = i % 3 == 0;
	assert_true(bspi_pack_tiles(&p.light.ctx, p.order, p.count, &p.atlas));
	check_places(&p);
	assert_int_equal(p.atlas.page_count, 1);
	assert_true(tile_area(&p) * 100 / page_area(&p) >= 96);
	uint32_t last_rare = 0, first_common = UINT32_MAX;
	for (uint32_t i = 0; i < p.count; i++) {
		const bspi_tile *tile = &p.tiles[i];
		if (tile->rare && tile->y + tile->box.height > last_rare) last_rare = tile->y + tile->box.height;
		if (!tile->rare && tile->y < first_common) first_common = tile->y;
	}
	bool above = first_common > last_rare;
	uint32_t last_common = 0, first_rare = UINT32_MAX;
	for (uint32_t i = 0; i < p.count; i++) {
		const bspi_tile *tile = &p.tiles[i];
		if (!tile->rare && tile->y + tile->box.height > last_common) last_common = tile->y + tile->box.height;
		if (tile->rare && tile->y < first_rare) first_rare = tile->y;
	}
	assert_true(above || first_rare > last_common);
	bspt_light_free(&p.light);
}

static void test_tiles_larger_than_pages(void **state)
{
	(void)state;
	packing p;
	start_packing(&p, 4, 64, 1);
	static const uint32_t sizes[4][2] = { { 63, 10 }, { 10, 10 }, { 5000, 3 }, { 62, 62 } };
	for (uint32_t i = 0; i < 4; i++) p.tiles[i].box = (bspi_luxel_box){ 0, 0, sizes[i][0], sizes[i][1] };
	assert_true(bspi_pack_tiles(&p.light.ctx, p.order, 4, &p.atlas));
	check_places(&p);
	assert_int_equal(p.atlas.page_count, 4);
	assert_int_equal(bspt_light_warnings(&p.light, BSPSCENE_WARNING_LIMIT), 2);
	uint32_t large = p.tiles[2].page;
	assert_int_equal(p.atlas.pages[large].width, 5004);
	assert_int_equal(p.atlas.pages[large].height, 8);
	bspt_light_free(&p.light);
}

/* Equal tiles keep their order, whatever algorithm sorts them. */
static void test_packing_is_repeatable(void **state)
{
	(void)state;
	packing a, b;
	start_packing(&a, 2000, 512, 1);
	start_packing(&b, 2000, 512, 1);
	fill_with_random_tiles(&a, 4, 3);
	fill_with_random_tiles(&b, 4, 3);
	assert_true(bspi_pack_tiles(&a.light.ctx, a.order, a.count, &a.atlas));
	assert_true(bspi_pack_tiles(&b.light.ctx, b.order, b.count, &b.atlas));
	for (uint32_t i = 0; i < a.count; i++) {
		assert_true(a.tiles[i].page == b.tiles[i].page && a.tiles[i].x == b.tiles[i].x && a.tiles[i].y == b.tiles[i].y);
		for (uint32_t k = 0; k < i; k++) {
			const bspi_tile *x = &a.tiles[k], *y = &a.tiles[i];
			if (x->box.width != y->box.width || x->box.height != y->box.height || x->page != y->page) continue;
			assert_true(x->y < y->y || (x->y == y->y && x->x < y->x));
		}
	}
	bspt_light_free(&a.light);
	bspt_light_free(&b.light);
}

/* ---- Tiles ------------------------------------------------------------------------------------------------ */

typedef struct rectangle {
	int32_t page;
	uint32_t x, y, width, height;
} rectangle;

static void test_joining(void **state)
{
	static const struct { uint32_t count, tiles; rectangle rectangles[4]; } cases[] = {
		{ 2, 1, { { 0, 10, 10, 20, 20 }, { 0, 10, 10, 20, 20 } } },
		{ 2, 1, { { 0, 10, 10, 20, 20 }, { 0, 12, 15, 5, 5 } } },
		{ 2, 1, { { 0, 10, 10, 20, 20 }, { 0, 20, 10, 20, 20 } } },
		{ 2, 1, { { 0, 10, 10, 20, 20 }, { 0, 30, 10, 20, 20 } } },  /* next to each other, so they share a gutter */
		{ 2, 2, { { 0, 10, 10, 20, 20 }, { 0, 60, 60, 20, 20 } } },
		{ 2, 2, { { 0, 10, 40, 90, 4 }, { 0, 50, 10, 4, 90 } } },    /* rectangles that cross each other */
		{ 2, 2, { { 0, 10, 10, 20, 20 }, { 1, 10, 10, 20, 20 } } },  /* rectangles on two pages */
		{ 4, 1, { { 0, 0, 0, 64, 64 }, { 0, 64, 64, 64, 64 }, { 0, 64, 0, 64, 64 }, { 0, 0, 64, 64, 64 } } },
		{ 4, 2, { { 0, 0, 0, 8, 8 }, { 0, 100, 100, 8, 8 }, { 0, 4, 0, 8, 8 }, { 0, 100, 104, 8, 8 } } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_light light;
		bspt_light_pages(&light, cases[i].count, 2, false);
		for (uint32_t k = 0; k < cases[i].count; k++) {
			const rectangle *r = &cases[i].rectangles[k];
			bspt_light_on_page(&light, k, 0, r->page, r->x, r->y, r->width, r->height);
		}
		bspi_tiles tiles;
		assert_true(bspi_prepare_lighting(&light.build) && bspt_light_plan(&light) &&
		            bspi_make_tiles(&light.build, &tiles));
		if (tiles.count != cases[i].tiles) print_error("case %zu: %u tiles\n", i, tiles.count);
		assert_int_equal(tiles.count, cases[i].tiles);
		for (uint32_t k = 0; k < cases[i].count; k++) {
			const bspi_surface *surface = &light.build.plan.surfaces[k];
			const bspi_luxel_box *box = &tiles.tiles[tiles.of_surface[k]].box;
			assert_true(surface->luxel_x >= box->x && surface->luxel_y >= box->y);
			assert_true(surface->luxel_x + (int32_t)surface->luxel_width <= box->x + (int32_t)box->width);
			assert_true(surface->luxel_y + (int32_t)surface->luxel_height <= box->y + (int32_t)box->height);
		}
		bspt_light_free(&light);
	}
}

/* Wherever rectangles are, the tiles together never have more luxels than the used parts of all stored pages. */
static void test_tiles_are_bounded(void **state)
{
	(void)state;
	bspt_light light;
	bspt_light_pages(&light, 5000, 1, false);
	uint32_t seed = 7;
	for (uint32_t i = 0; i < 5000; i++) {
		uint32_t width = next_random(&seed) % 60 + 1, height = next_random(&seed) % 60 + 1;
		bspt_light_on_page(&light, i, 0, 0, next_random(&seed) % (SIDE - width), next_random(&seed) % (SIDE - height),
		                   width, height);
	}
	bspt_light_build(&light);
	assert_int_equal(light.scene.lightmap_page_count, 1);
	assert_true(light.scene.lightmap_sets[0].pages[0].width <= SIDE + 4 &&
	            light.scene.lightmap_sets[0].pages[0].height <= SIDE + 4);
	bspt_light_free(&light);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_packing),
		cmocka_unit_test(test_rare_tiles_lie_together), cmocka_unit_test(test_tiles_larger_than_pages),
		cmocka_unit_test(test_packing_is_repeatable),
		cmocka_unit_test(test_joining),
		cmocka_unit_test(test_tiles_are_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
