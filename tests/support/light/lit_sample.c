/* lit_sample.c - see lit_sample.h. */
#include "support/light/lit_sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/bspt.h"

static const uint8_t right_color[3] = { 50, 100, 200 };
const uint8_t bspt_lit_left_color[3] = { 200, 100, 50 };

static void make_quad(bspt_lit_sample *s, uint32_t quad)
{
	static const float corners[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
	static const uint32_t order[6] = { 0, 1, 2, 0, 2, 3 };
	for (uint32_t c = 0; c < 4; c++) {
		uint32_t v = 4 * quad + c;
		const float at[3] = { corners[c][0] * 64, corners[c][1] * 64, 32.0f * (float)quad };
		memcpy(s->positions + 3 * v, at, sizeof at);
		s->uvs[2 * v] = corners[c][0] + (quad == 1 ? 0.5f : 0); /* shifts to the other half of the texture */
		s->uvs[2 * v + 1] = corners[c][1];
		for (uint32_t i = 0; i < 2; i++) {
			s->lightmap_uvs[2 * v + i] = (quad == 2 ? 1.5f : 1 + 2 * corners[c][i]) / BSPT_LIT_PAGE;
		}
	}
	for (uint32_t i = 0; i < 6; i++) s->indices[6 * quad + i] = 4 * quad + order[i];
	s->faces[quad] = (bspscene_face) {
		.section = quad == 3, .first_index = 6 * quad, .index_count = 6, .first_vertex = 4 * quad, .vertex_count = 4
	};
}

void bspt_lit_sample_scene(bspt_lit_sample *s)
{
	memset(s, 0, sizeof *s);
	for (uint32_t i = 0; i < BSPT_LIT_QUADS; i++) make_quad(s, i);
	memset(s->colors, 128, sizeof s->colors);
	for (uint32_t i = 0; i < BSPT_LIT_TEXTURE * BSPT_LIT_TEXTURE; i++) {
		memcpy(s->texels + 4 * i, i % BSPT_LIT_TEXTURE < BSPT_LIT_TEXTURE / 2 ? bspt_lit_left_color : right_color, 3);
		s->texels[4 * i + 3] = 255;
	}
	for (uint32_t i = 0; i < sizeof s->luxels; i++) {
		s->luxels[i] = i / 3 % BSPT_LIT_PAGE < BSPT_LIT_PAGE / 2 ? 32 : 96;
	}
	s->sections[0] = (bspscene_section) { .lighting = BSPSCENE_LIGHTING_LIGHTMAP, .vertex_count = 12,
	                                      .index_count = 18, .face_count = 3 };
	s->sections[1] = (bspscene_section) {
		.material = 1, .lightmap_page = BSPSCENE_NO_INDEX, .lighting = BSPSCENE_LIGHTING_VERTEX, .first_vertex = 12,
		.vertex_count = 4, .first_index = 18, .index_count = 6, .first_face = 3, .face_count = 1,
	};
	s->mesh = (bspscene_mesh) {
		.name = "worldspawn", .vertex_count = BSPT_LIT_VERTICES, .positions = s->positions, .normals = s->normals,
		.uvs = s->uvs, .lightmap_uvs = s->lightmap_uvs, .colors = s->colors, .index_count = 6 * BSPT_LIT_QUADS,
		.indices = s->indices, .sections = s->section_table, .section_count = 2,
	};
	s->image = (bspscene_image) { .name = "halves", .format = BSPSCENE_IMAGE_RGBA, .width = BSPT_LIT_TEXTURE,
	                              .height = BSPT_LIT_TEXTURE, .data = s->texels, .size = sizeof s->texels };
	for (int i = 0; i < 2; i++) {
		s->materials[i] = (bspscene_material) { .emissive_image = BSPSCENE_NO_INDEX, .uv_scale = { 1, 1 },
		                                        .color = { 1, 1, 1, 1 } };
	}
	s->page = (bspscene_lightmap_page) { BSPT_LIT_PAGE, BSPT_LIT_PAGE, BSPSCENE_LIGHTMAP_PAGE_RGB8, s->luxels, NULL };
	s->set = (bspscene_lightmap_set) { .intensity = 2, .pages = &s->page };
	s->node = (bspscene_node) { .light = BSPSCENE_NO_INDEX };
	s->scene = (bspscene_scene) {
		.meshes = s->mesh_table, .mesh_count = 1, .images = s->image_table, .image_count = 1,
		.materials = s->material_table, .material_count = 2,
		.lightmap_sets = &s->set, .lightmap_set_count = 1, .lightmap_page_count = 1,
		.faces = s->faces, .face_count = BSPT_LIT_QUADS, .nodes = s->node_table, .node_count = 1,
	};
	bspi_set_parts(&s->scene, &s->parts);
	BSPT_POINT(s->section_table, s->sections);
	BSPT_POINT(s->mesh_table, &s->mesh);
	BSPT_POINT(s->image_table, &s->image);
	BSPT_POINT(s->material_table, s->materials);
	BSPT_POINT(s->node_table, &s->node);
}

void bspt_lit_sample_walls(bspt_lit_sample *s)
{
	bspt_lit_sample_scene(s);
	s->scene.name = "walls";
	s->scene.family = "quake3";
	s->sections[1].lighting = BSPSCENE_LIGHTING_LIGHTMAP;
	s->sections[1].lightmap_page = 0;
	for (uint32_t i = 0; i < 3 * BSPT_LIT_VERTICES; i++) s->positions[i] *= 4;
	for (uint32_t i = 0; i < 2 * BSPT_LIT_VERTICES; i++) s->uvs[i] *= 16;
	for (uint32_t i = 0; i < 2 * BSPT_LIT_VERTICES; i++) s->lightmap_uvs[i] = 1.5f / BSPT_LIT_PAGE;
	for (int i = 0; i < 2; i++) {
		s->materials[i].name = "wall";
		s->materials[i].second_image = s->materials[i].normal_image = BSPSCENE_NO_INDEX;
	}
}

bool bspt_lit_sample_make_of_size(bspt_lit_sample *s, uint64_t limit, uint32_t baked_size, uint32_t threads)
{
	static const bool drawn[1] = { true };
	s->writer = (bspi_writer) { .scene = &s->scene, .main_name = "lit", .stem = "lit",
	                            .options = { .baked_size = baked_size, .threads = threads } };
	bspi_budget_begin(&s->writer.budget, limit, NULL);
	bspi_arena_init(&s->writer.arena, &s->writer.budget);
	return bspi_lit_make(&s->writer, drawn, false, &s->lit);
}

bool bspt_lit_sample_make(bspt_lit_sample *s, uint64_t limit)
{
	return bspt_lit_sample_make_of_size(s, limit, BSPI_USUAL_BAKED_SIZE, 0);
}

void bspt_lit_sample_release(bspt_lit_sample *s)
{
	bspi_lit_free(&s->lit);
	bspi_arena_reset(&s->writer.arena);
	assert_int_equal(s->writer.budget.used, 0);
}

/* Checks the texel halfway up a quad, at `across` from its left to its right. */
static void expect_texel(const bspt_lit_sample *s, const bspscene_pixels *pixels, uint32_t quad, float across,
                         const uint8_t color[3], float light)
{
	/* The uvs of two opposite corners of the quad, 0 and 2. */
	const float *low = s->lit.uvs[0] + 2 * (size_t)(4 * quad), *high = low + 4;
	uint32_t x = (uint32_t)((low[0] + (high[0] - low[0]) * across) * (float)pixels->width);
	uint32_t y = (uint32_t)((low[1] + high[1]) / 2 * (float)pixels->height);
	const uint8_t *pixel = pixels->data + 4 * ((size_t)y * pixels->width + x);
	for (int i = 0; i < 3; i++) {
		float wanted = (float)color[i] * light;
		if (fabsf((float)pixel[i] - wanted) <= 6) continue;
		fail_msg("quad %u, %g: %u, not %g", quad, (double)across, pixel[i], (double)wanted);
	}
}

void bspt_lit_sample_expect_quads(const bspt_lit_sample *s)
{
	const float dark = 64 / 255.0f, bright = 192 / 255.0f;
	assert_int_equal(s->lit.chart_count, 3);
	for (uint32_t quad = 0; quad < 3; quad++) {
		const bspi_lit_sheet *sheet = &s->lit.sheets[s->lit.charts[quad].sheet];
		bspscene_image image = { .format = BSPSCENE_IMAGE_JPEG, .data = sheet->picture.data,
		                         .size = sheet->picture.size };
		bspscene_pixels pixels;
		assert_true(bspscene_image_decode(&image, &pixels, NULL));
		assert_int_equal(pixels.width, sheet->width);
		assert_int_equal(pixels.height, sheet->height);
		expect_texel(s, &pixels, quad, 0.125f, quad == 1 ? right_color : bspt_lit_left_color, dark);
		expect_texel(s, &pixels, quad, 0.875f, quad == 1 ? bspt_lit_left_color : right_color,
		             quad == 2 ? dark : bright);
		bspscene_pixels_free(&pixels);
	}
}
