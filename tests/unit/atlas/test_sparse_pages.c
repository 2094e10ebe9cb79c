/* test_sparse_pages.c - the load option sparse_lightmaps stores mostly black pages as blocks: the same light in less
 * memory. Whatever reads pages gives the same result as with whole pages. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/page_luxels.h"
#include "drawing/sample.h"
#include "support/check/baked.h"

/* Maps in which most pages of all styles but the first are black. The light of map GRAY is gray. Map DIRECTED also has
 * directions of light. */
static const char *const maps[] = {
	"atrium/quake/maps/atrium.bsp",
	"atrium/quake/maps/atrium_bspx.bsp",
	"atrium/goldsrc/maps/atrium_wad.bsp",
	"atrium/quake2_q2map/maps/atrium.bsp",
};
enum { MAP_COUNT = sizeof maps / sizeof *maps, GRAY = 0, DIRECTED = 1 };

typedef struct pair {
	bspt_bytes map;
	bspscene_scene *whole, *sparse;
} pair;

static bspscene_load_options options_of(bool sparse, bspscene_lightmap_encoding encoding)
{
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.textures = BSPSCENE_TEXTURES_NONE;
	options.lightmap_encoding = encoding;
	options.sparse_lightmaps = sparse;
	return options;
}

static bspscene_scene *load(bspt_bytes map, const bspscene_load_options *options)
{
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(map.data, map.size, options, &error);
	if (!scene) fail_msg("%s", error.message);
	return scene;
}

static pair load_both(const char *name, bspscene_lightmap_encoding encoding, uint32_t gutter, uint32_t threads)
{
	pair p = { .map = bspt_read_fixture(name) };
	bspscene_load_options options = options_of(false, encoding);
	options.lightmap_gutter = gutter;
	p.whole = load(p.map, &options);
	options.sparse_lightmaps = true;
	options.threads = threads;
	p.sparse = load(p.map, &options);
	return p;
}

static void free_both(pair *p)
{
	bspscene_scene_free(p->whole);
	bspscene_scene_free(p->sparse);
	free(p->map.data);
}

/* ---- Luxels ------------------------------------------------------------------------------------------------- */

/* Checks that rectangles read from `page` are the same as from the whole page. The rectangles have odd sizes and
 * positions. */
static void check_rects(const bspscene_lightmap_page *whole, const bspscene_lightmap_page *page)
{
	const size_t size = bspt_page_luxel_size(whole);
	uint8_t *part = test_malloc(bspi_page_bytes(page) + 1);
	for (uint32_t step = 0; step < 40; step++) {
		const uint32_t x = step * 7 % page->width, y = step * 13 % page->height;
		const uint32_t width = (page->width - x) * (step % 3 + 1) / 3, height = (page->height - y) * (step % 5) / 5;
		bspscene_lightmap_page_read(page, x, y, width, height, part);
		for (uint32_t row = 0; row < height; row++) {
			const uint8_t *shown = (const uint8_t *)whole->data + ((size_t)(y + row) * whole->width + x) * size;
			assert_memory_equal(part + row * width * size, shown, width * size);
		}
	}
	test_free(part);
}

static uint32_t check_pages(const pair *p)
{
	uint32_t sparse = 0;
	assert_int_equal(p->whole->lightmap_set_count, p->sparse->lightmap_set_count);
	assert_int_equal(p->whole->lightmap_page_count, p->sparse->lightmap_page_count);
	for (uint32_t i = 0; i < p->whole->lightmap_set_count; i++) {
		for (uint32_t k = 0; k < p->whole->lightmap_page_count; k++) {
			const bspscene_lightmap_page *whole = &p->whole->lightmap_sets[i].pages[k];
			const bspscene_lightmap_page *page = &p->sparse->lightmap_sets[i].pages[k];
			assert_null(whole->blocks);
			assert_true(!page->blocks || (i && !page->data));
			assert_true(bspi_page_has_light(whole) == bspi_page_has_light(page) && whole->format == page->format);
			if (!bspi_page_has_light(whole)) continue;
			check_rects(whole, page);
			uint8_t *all = test_malloc(bspi_page_bytes(page));
			bspscene_lightmap_page_read(page, 0, 0, page->width, page->height, all);
			assert_memory_equal(all, whole->data, bspi_page_bytes(whole));
			test_free(all);
			sparse += page->blocks != NULL;
		}
	}
	return sparse;
}

static void blocks_hold_the_light_of_whole_pages(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < MAP_COUNT; i++) {
		for (int k = BSPSCENE_LIGHTMAP_ENCODING_DISPLAY; k <= BSPSCENE_LIGHTMAP_ENCODING_HDR; k++) {
			pair p = load_both(maps[i], (bspscene_lightmap_encoding)k, 1 + 2 * i, 1 + i % 2 * 3);
			assert_true(check_pages(&p) > 0);
			free_both(&p);
		}
	}
}

static void a_page_without_light_reads_as_zeros(void **state)
{
	(void)state;
	const bspscene_lightmap_page black = { 5, 3, BSPSCENE_LIGHTMAP_PAGE_RGB16F, NULL, NULL };
	uint8_t luxels[2 * 2 * 6 + 1], zeros[2 * 2 * 6] = { 0 };
	memset(luxels, 7, sizeof luxels);
	bspscene_lightmap_page_read(&black, 3, 1, 2, 2, luxels);
	assert_memory_equal(luxels, zeros, sizeof zeros);
	assert_int_equal(luxels[sizeof zeros], 7);
	bspscene_lightmap_page_read(&black, 5, 3, 0, 0, NULL);
}

/* ---- Memory ------------------------------------------------------------------------------------------------- */

static size_t stored_bytes(const bspscene_lightmap_blocks *blocks)
{
	return sizeof *blocks + (size_t)blocks->columns * blocks->rows * sizeof *blocks->indices +
	       (size_t)blocks->block_count * BSPSCENE_LIGHTMAP_BLOCK * BSPSCENE_LIGHTMAP_BLOCK * blocks->luxel_size;
}

/* Checks that every stored block is named once, and that the page takes at most half of the bytes of a whole one. */
static void check_blocks(const bspscene_lightmap_page *page, uint32_t luxel_size)
{
	const bspscene_lightmap_blocks *blocks = page->blocks;
	uint32_t named = 0;
	assert_int_equal(blocks->columns, (page->width + BSPSCENE_LIGHTMAP_BLOCK - 1) / BSPSCENE_LIGHTMAP_BLOCK);
	assert_int_equal(blocks->rows, (page->height + BSPSCENE_LIGHTMAP_BLOCK - 1) / BSPSCENE_LIGHTMAP_BLOCK);
	uint8_t *seen = test_calloc(blocks->block_count, 1);
	for (uint32_t i = 0; i < blocks->columns * blocks->rows; i++) {
		if (blocks->indices[i] == BSPSCENE_NO_INDEX) continue;
		assert_true(blocks->indices[i] < blocks->block_count && !seen[blocks->indices[i]]);
		seen[blocks->indices[i]] = 1;
		named++;
	}
	test_free(seen);
	assert_int_equal(named, blocks->block_count);
	assert_int_equal(blocks->luxel_size, luxel_size);
	assert_true(2 * stored_bytes(blocks) <= bspi_page_bytes(page));
}

/* Blocks of gray light have one byte for each luxel, blocks of colored light three. HDR light (half floats) is always
 * stored as color. */
static void blocks_are_few_and_gray_ones_take_a_byte(void **state)
{
	(void)state;
	static const struct { uint32_t map; bspscene_lightmap_encoding encoding; uint32_t luxel_size; } cases[] = {
		{ GRAY, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, 1 }, { GRAY, BSPSCENE_LIGHTMAP_ENCODING_RAW, 1 },
		{ GRAY, BSPSCENE_LIGHTMAP_ENCODING_HDR, 6 },     { DIRECTED, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, 3 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		pair p = load_both(maps[cases[i].map], cases[i].encoding, 1, 1);
		uint32_t sparse = 0;
		for (uint32_t k = 1; k < p.sparse->lightmap_set_count; k++) {
			const bspscene_lightmap_page *page = &p.sparse->lightmap_sets[k].pages[0];
			if (!page->blocks) continue;
			check_blocks(page, cases[i].luxel_size);
			sparse++;
		}
		assert_true(sparse >= 2);
		free_both(&p);
	}
}

/* ---- Readers ------------------------------------------------------------------------------------------------ */

static uint64_t hash_of(const bspscene_scene *scene, const char *writer, const bspscene_write_options *options)
{
	bspt_sink sink;
	bspscene_error error;
	bspscene_output output = bspt_sink_output(&sink);
	if (!bspscene_write(scene, writer, options, &output, &error)) fail_msg("%s: %s", writer, error.message);
	assert_true(sink.size > 0);
	return sink.hash;
}

static void writers_write_the_same_bytes(void **state)
{
	static const struct { uint32_t map; bspscene_lightmap_encoding encoding; const char *writer;
		bspscene_write_lighting lighting; bool separate_styles;
	} cases[] = {
		{ GRAY, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, "glb", BSPSCENE_WRITE_LIGHTING_VERTEX, false },
		{ GRAY, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, "glb", BSPSCENE_WRITE_LIGHTING_BAKED, false },
		{ GRAY, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, "atlas", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, true },
		{ DIRECTED, BSPSCENE_LIGHTMAP_ENCODING_HDR, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, false },
		{ DIRECTED, BSPSCENE_LIGHTMAP_ENCODING_HDR, "atlas", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, true },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		pair p = load_both(maps[cases[i].map], cases[i].encoding, 1, 1);
		bspscene_write_options options;
		bspscene_write_options_init(&options);
		options.lighting = cases[i].lighting;
		options.separate_styles = cases[i].separate_styles;
		if (hash_of(p.whole, cases[i].writer, &options) != hash_of(p.sparse, cases[i].writer, &options)) {
			fail_msg("%s: %s with lighting %d differs", maps[cases[i].map], cases[i].writer, (int)cases[i].lighting);
		}
		free_both(&p);
	}
}

/* With sparse pages, the light on models above the floor is the same as with whole pages. So is the light on the
 * surfaces below and around them. */
static void light_on_models_and_surfaces_is_the_same(void **state)
{
	(void)state;
	pair p = load_both(maps[GRAY], BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, 1, 1);
	const bspscene_mesh *mesh = p.whole->meshes[0];
	uint32_t samples = 0, surfaces = 0;
	for (uint32_t i = 0; i < mesh->vertex_count; i += 2) {
		const float *at = mesh->positions + 3 * (size_t)i;
		const float from[3] = { at[0] * 0.9f, at[1] * 0.9f, at[2] + 16 };
		bspscene_light_sample a = { 0 }, b = { 0 };
		bool lit = bspscene_sample_light(p.whole, from, &a);
		assert_true(lit == bspscene_sample_light(p.sparse, from, &b));
		assert_memory_equal(&a, &b, sizeof a);
		samples += lit && a.sides[0][0] > 0;
		bspscene_surface_point c, d;
		bspscene_surface_point_init(&c);
		bspscene_surface_point_init(&d);
		bool hit = bspscene_face_at(p.whole, from, 64, &c);
		assert_true(hit == bspscene_face_at(p.sparse, from, 64, &d));
		assert_memory_equal(c.light, d.light, sizeof c.light);
		surfaces += hit && c.light[0] > 0;
	}
	assert_true(samples > 10 && surfaces > 10);
	free_both(&p);
}

/* The renderer gets the same samples from sparse pages as from whole ones, also at the page's corners and edges. */
static void samples_are_the_same(void **state)
{
	enum { COUNT = 64 };
	float (*displays) = test_malloc(BSPI_HALFS * sizeof *displays), linears[256];
	(void)state;
	bspi_fill_displays(displays);
	for (int i = 0; i < 256; i++) linears[i] = (float)pow(i / 255.0, 2.2);
	for (int encoding = BSPSCENE_LIGHTMAP_ENCODING_DISPLAY; encoding <= BSPSCENE_LIGHTMAP_ENCODING_HDR; encoding += 2) {
		for (uint32_t map = GRAY; map <= DIRECTED; map++) {
			pair p = load_both(maps[map], (bspscene_lightmap_encoding)encoding, 1, 1);
			for (uint32_t k = 0; k < 2 * COUNT; k++) {
				const uint32_t set = k % p.whole->lightmap_set_count;
				const bspscene_lightmap_page *pages[] = { &p.whole->lightmap_sets[set].pages[0],
					                                      &p.sparse->lightmap_sets[set].pages[0] };
				float uvs[COUNT][2], sums[2][COUNT][4] = { 0 };
				for (uint32_t i = 0; i < COUNT; i++) {
					uvs[i][0] = (float)i / (COUNT - 1);
					uvs[i][1] = (float)k / (2 * COUNT - 1);
				}
				for (int i = 0; i < 2; i++) {
					bspi_page_add_row(pages[i], displays, (const float (*)[2])uvs, COUNT, 0.5f, sums[i]);
					bspi_page_add_linear_row(pages[i], linears, (const float (*)[2])uvs, COUNT, 0.25f, sums[i]);
				}
				assert_memory_equal(sums[0], sums[1], sizeof sums[0]);
			}
			free_both(&p);
		}
	}
	test_free(displays);
}

/* ---- Relight ------------------------------------------------------------------------------------------------ */

static void relight_takes_sparse_pages(void **state)
{
	(void)state;
	bspt_bytes map = bspt_read_fixture(maps[GRAY]);
	bspscene_load_options options = options_of(true, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
	bspt_baked b;
	options.keep_map_light = true;
	assert_true(bspt_bake_as(&b, map, &options));
	const bspscene_lightmap_page *page = &b.sets[1].pages[0];
	assert_non_null(page->blocks);
	bspt_relit *r = bspt_relight(&b, map);
	assert_true(r->ok && r->report.identical && r->report.luxels > 0 && !r->report.outside);
	bspt_relit_free(r);

	/* Darkens a luxel of the style, which must change a byte of the map. */
	bspscene_lightmap_blocks blocks = *page->blocks;
	size_t size = (size_t)blocks.block_count * BSPSCENE_LIGHTMAP_BLOCK * BSPSCENE_LIGHTMAP_BLOCK;
	uint8_t *luxels = test_malloc(size);
	for (size_t i = 0; i < size; i++) luxels[i] = blocks.luxels[i] / 2;
	blocks.luxels = luxels;
	((bspscene_lightmap_page *)(uintptr_t)page)->blocks = &blocks;
	r = bspt_relight(&b, map);
	assert_true(r->ok && !r->report.identical && r->report.changed > 0);
	bspt_relit_free(r);

	blocks.columns++;
	r = bspt_relight(&b, map);
	assert_true(!r->ok && r->error.status == BSPSCENE_ERROR_BAD_DATA);
	assert_non_null(strstr(r->error.message, "blocks"));
	bspt_relit_free(r);
	test_free(luxels);
	bspt_baked_free(&b);
	free(map.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_hold_the_light_of_whole_pages),
		cmocka_unit_test(a_page_without_light_reads_as_zeros),
		cmocka_unit_test(blocks_are_few_and_gray_ones_take_a_byte),
		cmocka_unit_test(writers_write_the_same_bytes),
		cmocka_unit_test(light_on_models_and_surfaces_is_the_same),
		cmocka_unit_test(samples_are_the_same),
		cmocka_unit_test(relight_takes_sparse_pages),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
