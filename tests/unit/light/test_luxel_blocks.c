/* test_luxel_blocks.c - faces that each have their own block of luxels. Compilers rounded the sizes of blocks in three
 * ways, and all three are recognized. Also tested: padding, blocks whose size the file states, invalid blocks,
 * and uvs at luxel centers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "map/family.h"
#include "support/make/made_light.h"

/* Makes a map of quads with 4 vertices and light of 3 bytes for each luxel. */
static void start_blocks(bspt_light *light, uint32_t faces)
{
	bspt_light_init(light);
	bspt_light_faces(light, faces);
	bspi_map *map = &light->map;
	map->rules.light_storage = BSPI_STORAGE_BLOCKS;
	map->rules.overbright = 1;
	map->vertices = bspi_push(&light->ctx, &light->ctx.scratch, bspi_vertex, 4 * faces);
	map->edges = bspi_push(&light->ctx, &light->ctx.scratch, bspi_edge, 4 * faces + 1);
	map->surfedges = bspi_push(&light->ctx, &light->ctx.scratch, bspi_surfedge, 4 * faces);
	map->texinfos = bspi_push(&light->ctx, &light->ctx.scratch, bspi_texinfo, faces);
	map->vertices_count = map->surfedges_count = 4 * faces;
	map->edges_count = 4 * faces + 1;
	map->texinfos_count = faces;
	for (uint32_t i = 0; i < 4 * faces; i++) {
		/* Each face's edges form a loop. Every other edge is stored in reverse. */
		uint32_t next = i % 4 == 3 ? i - 3 : i + 1;
		map->edges[i + 1] = i % 2 ? (bspi_edge){ { next, i } } : (bspi_edge){ { i, next } };
		map->surfedges[i].value = i % 2 ? -(int32_t)(i + 1) : (int32_t)(i + 1);
	}
	for (uint32_t i = 0; i < faces; i++) {
		bspi_face *face = &map->faces[i];
		face->kind = BSPI_FACE_POLYGON;
		face->texinfo = (int32_t)i;
		face->first_edge = (int32_t)(4 * i);
		face->edge_count = 4;
		face->light_offset = 0;
		map->texinfos[i].texture_vectors[0][0] = map->texinfos[i].texture_vectors[1][1] = 1;
	}
}

static void set_quad(bspt_light *light, uint32_t face, float x0, float y0, float x1, float y1)
{
	const float corners[4][3] = { { x0, y0, 5 }, { x1, y0, 5 }, { x1, y1, 5 }, { x0, y1, 5 } };
	for (int i = 0; i < 4; i++) {
		memcpy(light->map.vertices[4 * face + (uint32_t)i].position, corners[i], sizeof corners[i]);
	}
}

static void test_block_sizes(void **state)
{
	static const struct {
		float x0, x1; int32_t shift; int32_t first; uint32_t count;
	} cases[] = {
		{ 0, 16, 0, 0, 2 }, { 0, 16.5f, 0, 0, 3 }, { -1, 1, 0, -1, 3 }, { 5, 6, 0, 0, 2 }, { 32, 64, 0, 2, 3 },
		{ -256, 0, 0, -16, 17 },
		{ 0, 16, 3, 0, 3 }, { 0, 16, 1, 0, 9 }, { 3, 5, 2, 0, 3 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_light light;
		start_blocks(&light, 1);
		bspt_light_noise(&light, 100000);
		set_quad(&light, 0, cases[i].x0, cases[i].x0, cases[i].x1, cases[i].x1);
		light.map.faces[0].luxel_shift = cases[i].shift;
		bspt_light_build(&light);
		const bspi_surface *surface = &light.build.plan.surfaces[0];
		assert_int_equal(surface->lighting, BSPSCENE_LIGHTING_LIGHTMAP);
		assert_int_equal(surface->luxel_x, cases[i].first);
		assert_int_equal(surface->luxel_y, cases[i].first);
		assert_int_equal(surface->luxel_width, cases[i].count);
		assert_int_equal(surface->luxel_height, cases[i].count);
		/* Samples are luxel centers, which lie at multiples of the luxel's size in texels. */
		float texels = cases[i].shift ? (float)(1 << cases[i].shift) : 16;
		float position[3] = { ((float)cases[i].first + 1) * texels, (float)cases[i].first * texels, 5 }, uv[2];
		static const float unused[2];
		const bspi_page_place place = bspi_find_page_place(&light.build, surface);
		bspi_page_uv(&place, position, unused, uv);
		const bspscene_lightmap_page *page = &light.scene.lightmap_sets[0].pages[surface->page];
		assert_true(fabsf(uv[0] * (float)page->width - ((float)surface->page_x + 1.5f)) < 1e-3f);
		assert_true(fabsf(uv[1] * (float)page->height - ((float)surface->page_y + 0.5f)) < 1e-3f);
		bspt_light_free(&light);
	}
}

/* Computes the size of a face's block by one of the three ways of rounding, with code of this test alone. */
static void size_by(int method, const bspt_light *light, uint32_t face, uint32_t out[2])
{
	for (int axis = 0; axis < 2; axis++) {
		const float *v = light->map.texinfos[face].texture_vectors[axis];
		double min = INFINITY, max = -INFINITY;
		for (uint32_t i = 0; i < 4; i++) {
			const float *p = light->map.vertices[4 * face + i].position;
			volatile float f = p[0] * v[0];
			volatile float g = p[1] * v[1];
			f = f + g;
			g = p[2] * v[2];
			f = f + g;
			f = f + v[3];
			double d = (double)p[0] * v[0] + (double)p[1] * v[1] + (double)p[2] * v[2] + v[3];
			double value = method == 1 ? (double)f : method == 2 ? d : (double)(float)d;
			min = fmin(min, value);
			max = fmax(max, value);
		}
		out[axis] = (uint32_t)(ceil(max / 16) - floor(min / 16)) + 1;
	}
}

/* If the projected corners of a quad are near multiples of 16 texels, the size of its block depends on rounding. The
 * offset of the next block then shows which size is right. */
static void test_sizes_by_the_next_block(void **state)
{
	(void)state;
	uint32_t seed = 1, tried[3] = { 0 };
	for (int round = 0; round < 20000; round++) {
		bspt_light light;
		start_blocks(&light, 2);
		float *v = light.map.texinfos[0].texture_vectors[0];
		for (int k = 0; k < 3; k++) {
			seed = seed * 1664525u + 1013904223u;
			v[k] = (float)((int)(seed >> 16) % 200 - 100) / 71;
		}
		v[3] = (float)(seed >> 24) / 3;
		set_quad(&light, 0, 24 + (float)(seed >> 28), 48, 136, 200);
		/* The projection moves one corner to a multiple of 16, except for rounding. */
		const float *corner = light.map.vertices[0].position;
		double at = (double)corner[0] * v[0] + (double)corner[1] * v[1] + (double)corner[2] * v[2];
		v[3] = (float)(16 * round % 100 - at);
		uint32_t sizes[3][2];
		for (int method = 0; method < 3; method++) size_by(method, &light, 0, sizes[method]);
		for (int method = 0; method < 3 && (sizes[1][0] != sizes[0][0] || sizes[2][0] != sizes[0][0]); method++) {
			light.map.faces[1].light_offset = (int32_t)(sizes[method][0] * sizes[method][1] * 3);
			light.map.faces[0].lightmap_width = light.map.faces[1].lightmap_width = 0;
			set_quad(&light, 1, 0, 0, 16, 16);
			bspt_light_noise(&light, 100000);
			assert_true(bspi_prepare_lighting(&light.build));
			assert_int_equal(light.build.light->faces[0].width, sizes[method][0]);
			assert_int_equal(light.build.light->faces[0].height, sizes[method][1]);
			tried[method]++;
		}
		bspt_light_free(&light);
	}
	for (int method = 0; method < 3; method++) assert_true(tried[method] > 10);
}

/* Quake pads blocks to four luxels and counts offsets in luxels; several faces may share a block. */
static void test_padded_blocks(void **state)
{
	(void)state;
	bspt_light light;
	start_blocks(&light, 3);
	bspt_light_noise(&light, 4000);
	light.map.rules.light_encoding = BSPI_LIGHT_GRAY8;
	light.map.rules.light_alignment = 4;
	light.map.rules.light_offset_in_luxels = true;
	for (uint32_t i = 0; i < 3; i++) set_quad(&light, i, 0, 0, 64, 32);
	light.map.faces[2].light_offset = 16;
	bspt_light_build(&light);
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(light.build.plan.surfaces[i].luxel_width, 5);
		assert_int_equal(light.build.plan.surfaces[i].luxel_height, 3);
	}
	assert_int_equal(light.build.plan.surfaces[0].page_x, light.build.plan.surfaces[1].page_x);
	assert_int_equal(light.build.plan.surfaces[0].page_y, light.build.plan.surfaces[1].page_y);
	assert_memory_not_equal(bspt_light_luxel(&light, &light.scene.lightmap_sets[0], 0, 1, 1),
	                        bspt_light_luxel(&light, &light.scene.lightmap_sets[0], 2, 1, 1), 3);
	bspt_light_free(&light);
}

/* The distance to the next block fits two sizes: 3 x 3 luxels padded to 12, or 4 x 3 by another way of rounding. The
 * first is used, because padding is more likely. */
static void test_padding_before_other_roundings(void **state)
{
	(void)state;
	const bspi_family *const families[] = { &bspi_family_quake, &bspi_family_goldsrc, &bspi_family_quake2 };
	for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
		bspt_light light;
		start_blocks(&light, 2);
		bspt_light_noise(&light, 4000);
		light.map.rules.light_encoding = BSPI_LIGHT_GRAY8;
		light.map.rules.light_alignment = families[i]->variants[0].rules->light_alignment;
		light.map.texinfos[0].texture_vectors[0][3] = 1e-6f;
		for (uint32_t k = 0; k < 2; k++) set_quad(&light, k, 0, 0, 32, 32);
		light.map.faces[1].light_offset = 12;
		bspt_light_build(&light);
		bool padded = light.build.light->faces[0].width == 3;
		if (!padded) fail_msg("%s does not know that blocks are padded", families[i]->about.name);
		bspt_light_free(&light);
	}
}

static void test_block_faults(void **state)
{
	static const struct {
		int32_t offset; uint8_t style; float size; size_t bytes; bool black; bspscene_lighting want; uint32_t warnings;
	} cases[] = {
		{ 0, 0, 32, 27, true, BSPSCENE_LIGHTING_LIGHTMAP, 0 },
		{ 0, 0, 32, 26, true, BSPSCENE_LIGHTING_BLACK, 1 },
		{ 0, 0, 32, 26, false, BSPSCENE_LIGHTING_FULLBRIGHT, 1 },
		{ 1, 0, 32, 27, false, BSPSCENE_LIGHTING_FULLBRIGHT, 1 },
		{ INT32_MAX, 0, 32, 1000, true, BSPSCENE_LIGHTING_BLACK, 1 },
		{ -1, 0, 32, 1000, true, BSPSCENE_LIGHTING_BLACK, 0 },
		{ INT32_MIN, 0, 32, 1000, false, BSPSCENE_LIGHTING_FULLBRIGHT, 0 },
		{ 0, 255, 32, 1000, true, BSPSCENE_LIGHTING_BLACK, 0 },
		{ 0, 0, 32, 0, true, BSPSCENE_LIGHTING_FULLBRIGHT, 0 },
		{ 0, 0, 16 * 1024, 100000, true, BSPSCENE_LIGHTING_BLACK, 1 },
		{ 0, 0, 1e9f, 100000, true, BSPSCENE_LIGHTING_BLACK, 1 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_light light;
		start_blocks(&light, 1);
		light.map.rules.unlit_is_black = cases[i].black;
		set_quad(&light, 0, 0, 0, cases[i].size, cases[i].size);
		light.map.faces[0].light_offset = cases[i].offset;
		light.map.faces[0].styles[0] = cases[i].style;
		bspt_light_noise(&light, cases[i].bytes);
		bspt_light_build(&light);
		assert_int_equal(light.build.plan.surfaces[0].lighting, cases[i].want);
		assert_int_equal(bspt_light_warnings(&light, BSPSCENE_WARNING_LIGHTMAP), cases[i].warnings);
		bspt_light_free(&light);
	}
}

/* Source maps and the lump DECOUPLED_LM state the size, offset and projection of each block. A displacement's luxels
 * are placed by its grid, not by the projection. */
static void test_stated_blocks(void **state)
{
	(void)state;
	bspt_light light;
	start_blocks(&light, 2);
	bspt_light_noise(&light, 5000);
	bspi_light_projection projection = { { { 0.25f, 0, 0, 3 }, { 0, 0.5f, 0, -2 } } };
	light.map.light_projections = &projection;
	light.map.light_projections_count = 1;
	for (uint32_t i = 0; i < 2; i++) {
		bspi_face *face = &light.map.faces[i];
		face->light_projection = 0;
		face->lightmap_x[0] = -7;
		face->lightmap_y[0] = 11;
		face->lightmap_width = 9;
		face->lightmap_height = 4;
		face->light_offset = (int32_t)i * 200;
	}
	light.map.faces[1].kind = BSPI_FACE_DISPLACEMENT;
	bspt_light_build(&light);
	const bspscene_lightmap_page *page = &light.scene.lightmap_sets[0].pages[0];
	float position[3] = { (-7 + 2 - 3) / 0.25f, (11 + 1 + 2) / 0.5f, 0 }, luxel[2] = { 8, 2.5f }, uv[2];
	const bspi_page_place flat = bspi_find_page_place(&light.build, &light.build.plan.surfaces[0]);
	const bspi_page_place displaced = bspi_find_page_place(&light.build, &light.build.plan.surfaces[1]);
	bspi_page_uv(&flat, position, luxel, uv);
	assert_true(fabsf(uv[0] * (float)page->width - ((float)light.build.plan.surfaces[0].page_x + 2.5f)) < 1e-3f);
	assert_true(fabsf(uv[1] * (float)page->height - ((float)light.build.plan.surfaces[0].page_y + 1.5f)) < 1e-3f);
	bspi_page_uv(&displaced, position, luxel, uv);
	assert_true(fabsf(uv[0] * (float)page->width - ((float)light.build.plan.surfaces[1].page_x + 8.5f)) < 1e-3f);
	assert_true(fabsf(uv[1] * (float)page->height - ((float)light.build.plan.surfaces[1].page_y + 3)) < 1e-3f);
	/* Vertices that project outside are clamped to the rectangle. */
	position[0] = 1e9f;
	bspi_page_uv(&flat, position, luxel, uv);
	assert_true(uv[0] * (float)page->width <= (float)light.build.plan.surfaces[0].page_x + 9.5f + 1e-3f);
	bspt_light_free(&light);
}

/* Nightfire has projections without a stated size, and faces that store their triangles. */
static void test_projected_triangles(void **state)
{
	(void)state;
	bspt_light light;
	start_blocks(&light, 1);
	bspt_light_noise(&light, 5000);
	bspt_light_vertices(&light, 4, false);
	bspi_light_projection projection = { { { 0.25f, 0, 0, 0 }, { 0, 0.25f, 0, 0 } } };
	light.map.light_projections = &projection;
	light.map.light_projections_count = 1;
	bspi_face *face = &light.map.faces[0];
	face->kind = BSPI_FACE_PROJECTED;
	face->vertex_count = 4;
	face->light_projection = 0;
	static const float corners[4][2] = { { 4, -6 }, { 42, -6 }, { 42, 21 }, { 4, 21 } };
	for (int i = 0; i < 4; i++) memcpy(light.map.draw_vertices[i].position, corners[i], sizeof corners[i]);
	bspt_light_build(&light);
	const bspi_surface *surface = &light.build.plan.surfaces[0];
	assert_int_equal(surface->luxel_x, 1);
	assert_int_equal(surface->luxel_y, -2);
	assert_int_equal(surface->luxel_width, 11);
	assert_int_equal(surface->luxel_height, 9);
	bspt_light_free(&light);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_block_sizes),
		cmocka_unit_test(test_sizes_by_the_next_block),
		cmocka_unit_test(test_padded_blocks),
		cmocka_unit_test(test_padding_before_other_roundings),
		cmocka_unit_test(test_block_faults),
		cmocka_unit_test(test_stated_blocks),
		cmocka_unit_test(test_projected_triangles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
