/* test_lit.c - the picture of lit surfaces holds texture times light of each face, faces that share luxels apart, and
 * what has no place in it is as bright as its light is on average. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/writer.h>

#include "images/display.h"
#include "support/bspt.h"
#include "base/owner.h"
#include "writers/lit/lit.h"

enum { QUADS = 4, VERTICES = 4 * QUADS, TEXTURE = 32, PAGE = 4 };

/* Faces 0 and 1 share luxels, and of 2 all corners have one luxel; 3 is lit by its vertices. */
typedef struct sample {
	float positions[3 * VERTICES], normals[3 * VERTICES], uvs[2 * VERTICES], lightmap_uvs[2 * VERTICES];
	uint8_t colors[4 * VERTICES], texels[4 * TEXTURE * TEXTURE], luxels[3 * PAGE * PAGE];
	uint32_t indices[6 * QUADS];
	bspscene_face faces[QUADS];
	bspscene_section sections[2];
	bspscene_mesh mesh;
	bspscene_image image;
	bspscene_material materials[2];
	bspscene_page page;
	bspscene_page_set set;
	bspscene_node node;
	const bspscene_section *section_table[2];
	const bspscene_mesh *mesh_table[1];
	const bspscene_image *image_table[1];
	const bspscene_material *material_table[2];
	const bspscene_node *node_table[1];
	bspi_scene_parts parts;
	bspscene_scene scene;
	bspi_writer writer;
	bspi_lit lit;
} sample;

static const uint8_t left_color[3] = { 200, 100, 50 }, right_color[3] = { 50, 100, 200 };

static void make_quad(sample *s, uint32_t quad)
{
	static const float corners[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
	static const uint32_t order[6] = { 0, 1, 2, 0, 2, 3 };
	for (uint32_t c = 0; c < 4; c++) {
		uint32_t v = 4 * quad + c;
		const float at[3] = { corners[c][0] * 64, corners[c][1] * 64, 32.0f * (float)quad };
		memcpy(s->positions + 3 * v, at, sizeof at);
		s->uvs[2 * v] = corners[c][0] + (quad == 1 ? 0.5f : 0); /* the texture's halves change places */
		s->uvs[2 * v + 1] = corners[c][1];
		for (uint32_t i = 0; i < 2; i++) {
			s->lightmap_uvs[2 * v + i] = (quad == 2 ? 1.5f : 1 + 2 * corners[c][i]) / PAGE;
		}
	}
	for (uint32_t i = 0; i < 6; i++) s->indices[6 * quad + i] = 4 * quad + order[i];
	s->faces[quad] = (bspscene_face) {
		.section = quad == 3, .first_index = 6 * quad, .index_count = 6, .first_vertex = 4 * quad, .vertex_count = 4
	};
}

static void make_scene(sample *s)
{
	memset(s, 0, sizeof *s);
	for (uint32_t i = 0; i < QUADS; i++) make_quad(s, i);
	memset(s->colors, 128, sizeof s->colors);
	for (uint32_t i = 0; i < TEXTURE * TEXTURE; i++) {
		memcpy(s->texels + 4 * i, i % TEXTURE < TEXTURE / 2 ? left_color : right_color, 3);
		s->texels[4 * i + 3] = 255;
	}
	for (uint32_t i = 0; i < 3 * PAGE * PAGE; i++) s->luxels[i] = i / 3 % PAGE < PAGE / 2 ? 32 : 96;
	s->sections[0] = (bspscene_section) { .lighting = BSPSCENE_LIGHTING_LIGHTMAP, .vertex_count = 12,
	                                      .index_count = 18, .face_count = 3 };
	s->sections[1] = (bspscene_section) {
		.material = 1, .lightmap_page = BSPSCENE_NO_INDEX, .lighting = BSPSCENE_LIGHTING_VERTEX, .first_vertex = 12,
		.vertex_count = 4, .first_index = 18, .index_count = 6, .first_face = 3, .face_count = 1,
	};
	s->mesh = (bspscene_mesh) {
		.name = "worldspawn", .vertex_count = VERTICES, .positions = s->positions, .normals = s->normals,
		.uvs = s->uvs, .lightmap_uvs = s->lightmap_uvs, .colors = s->colors, .index_count = 6 * QUADS,
		.indices = s->indices, .sections = s->section_table, .section_count = 2,
	};
	s->image = (bspscene_image) { .name = "halves", .format = BSPSCENE_IMAGE_RGBA, .width = TEXTURE,
	                              .height = TEXTURE, .data = s->texels, .size = sizeof s->texels };
	for (int i = 0; i < 2; i++) {
		s->materials[i] = (bspscene_material) { .emissive_image = BSPSCENE_NO_INDEX, .uv_scale = { 1, 1 },
		                                        .color = { 1, 1, 1, 1 } };
	}
	s->page = (bspscene_page) { PAGE, PAGE, BSPSCENE_PAGE_RGB8, s->luxels };
	s->set = (bspscene_page_set) { .intensity = 2, .pages = &s->page };
	s->node = (bspscene_node) { .light = BSPSCENE_NO_INDEX };
	s->scene = (bspscene_scene) {
		.meshes = s->mesh_table, .mesh_count = 1, .images = s->image_table, .image_count = 1,
		.materials = s->material_table, .material_count = 2,
		.page_sets = &s->set, .page_set_count = 1, .page_count = 1,
		.faces = s->faces, .face_count = QUADS, .nodes = s->node_table, .node_count = 1,
	};
	bspi_set_parts(&s->scene, &s->parts);
	BSPT_POINT(s->section_table, s->sections);
	BSPT_POINT(s->mesh_table, &s->mesh);
	BSPT_POINT(s->image_table, &s->image);
	BSPT_POINT(s->material_table, s->materials);
	BSPT_POINT(s->node_table, &s->node);
}

static bool make_lit_of_size(sample *s, uint64_t limit, uint32_t baked_size, uint32_t threads)
{
	static const bool drawn[1] = { true };
	s->writer = (bspi_writer) { .scene = &s->scene, .main_name = "lit", .stem = "lit",
	                            .options = { .baked_size = baked_size, .threads = threads } };
	bspi_budget_begin(&s->writer.budget, limit, NULL);
	bspi_arena_init(&s->writer.arena, &s->writer.budget);
	return bspi_lit_make(&s->writer, drawn, false, &s->lit);
}

static bool make_lit(sample *s, uint64_t limit)
{
	return make_lit_of_size(s, limit, BSPI_USUAL_BAKED_SIZE, 0);
}

static void release(sample *s)
{
	bspi_lit_free(&s->lit);
	bspi_arena_reset(&s->writer.arena);
	assert_int_equal(s->writer.budget.used, 0);
}

/* Halfway up a quad, `across` from its left to its right. */
static void expect_texel(const sample *s, const bspscene_pixels *pixels, uint32_t quad, float across,
                         const uint8_t color[3], float light)
{
	const float *low = s->lit.uvs[0] + 2 * (size_t)(4 * quad), *high = low + 4; /* corners 0 and 2 */
	uint32_t x = (uint32_t)((low[0] + (high[0] - low[0]) * across) * (float)pixels->width);
	uint32_t y = (uint32_t)((low[1] + high[1]) / 2 * (float)pixels->height);
	const uint8_t *pixel = pixels->data + 4 * ((size_t)y * pixels->width + x);
	for (int i = 0; i < 3; i++) {
		float wanted = (float)color[i] * light;
		if (fabsf((float)pixel[i] - wanted) <= 6) continue;
		fail_msg("quad %u, %g: %u, not %g", quad, (double)across, pixel[i], (double)wanted);
	}
}

/* Both halves of the quads that are in the picture. */
static void expect_quads(const sample *s)
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
		expect_texel(s, &pixels, quad, 0.125f, quad == 1 ? right_color : left_color, dark);
		expect_texel(s, &pixels, quad, 0.875f, quad == 1 ? left_color : right_color, quad == 2 ? dark : bright);
		bspscene_pixels_free(&pixels);
	}
}

static void faces_are_texture_times_light(void **state)
{
	static sample s;
	(void)state;
	make_scene(&s);
	assert_true(make_lit(&s, 0));
	assert_true(s.lit.sections[0][0].in_picture);
	assert_int_equal(s.lit.sheet_count, 1);
	expect_quads(&s);
	release(&s);
}

/* Where one sheet would have less than half of a texture's texels there are more, and sections of one sheet each. */
static void sheets_do_not_blur(void **state)
{
	enum { SIZE = 40 };
	static sample s, again;
	(void)state;
	make_scene(&s);
	assert_true(make_lit_of_size(&s, 0, SIZE, 1));
	assert_in_range(s.lit.sheet_count, 2, 3);
	expect_quads(&s);
	const bspscene_scene *scene = s.writer.scene;
	const bspscene_mesh *mesh = scene->meshes[0];
	assert_int_equal(mesh->section_count, 1 + s.lit.sheet_count);
	uint32_t next_face = 0, next_index = 0, next_vertex = 0;
	for (uint32_t i = 0; i < mesh->section_count; i++) {
		const bspscene_section *part = mesh->sections[i];
		assert_int_equal(part->first_face, next_face);
		assert_int_equal(part->first_index, next_index);
		assert_int_equal(part->first_vertex, next_vertex);
		for (uint32_t f = 0; f < part->face_count; f++) assert_int_equal(scene->faces[next_face + f].section, i);
		next_face += part->face_count;
		next_index += part->index_count;
		next_vertex += part->vertex_count;
		assert_int_equal(s.lit.sections[0][i].in_picture, i + 1 < mesh->section_count);
	}
	assert_int_equal(next_face, QUADS);
	assert_int_equal(next_index, 6 * QUADS);
	assert_int_equal(next_vertex, VERTICES);
	for (uint32_t i = 0; i < s.lit.chart_count; i++) {
		const bspi_lit_chart *chart = &s.lit.charts[i];
		const bspi_lit_sheet *sheet = &s.lit.sheets[chart->sheet];
		assert_true(chart->density >= chart->detail / 2);
		assert_int_equal(s.lit.sections[0][chart->section].sheet, chart->sheet);
		assert_in_range(chart->x + chart->width, 1, sheet->width);
		assert_in_range(chart->y + chart->height, 1, sheet->height);
		assert_in_range(sheet->width > sheet->height ? sheet->width : sheet->height, 1, SIZE);
	}
	make_scene(&again);
	assert_true(make_lit_of_size(&again, 0, SIZE, 3));
	assert_int_equal(again.lit.sheet_count, s.lit.sheet_count);
	for (uint32_t i = 0; i < s.lit.sheet_count; i++) {
		const bspi_picture *one = &s.lit.sheets[i].picture, *other = &again.lit.sheets[i].picture;
		assert_int_equal(one->size, other->size);
		assert_memory_equal(one->data, other->data, one->size);
	}
	release(&again);
	release(&s);
}

/* Faces that share a range of vertices stay on one sheet, however small they become there; and so do all where there
 * is no memory for another. */
static void sheets_are_not_forced(void **state)
{
	enum { SIZE = 40 };
	static sample s;
	(void)state;
	make_scene(&s);
	s.faces[1].first_vertex = 0;
	s.faces[1].vertex_count = 8;
	assert_true(make_lit_of_size(&s, 0, SIZE, 0));
	assert_int_equal(s.lit.sheet_count, 1);
	assert_ptr_equal(s.writer.scene, &s.scene);
	assert_int_equal(s.lit.chart_count, 3);
	release(&s);
	make_scene(&s);
	assert_true(make_lit_of_size(&s, 0, SIZE, 0));
	assert_true(s.lit.sheet_count > 1);
	assert_true(bspi_lit_arrange(&s.writer, &s.lit, SIZE * SIZE + 1));
	assert_int_equal(s.lit.sheet_count, 1);
	assert_true(bspi_lit_arrange(&s.writer, &s.lit, 2 * SIZE * SIZE));
	assert_int_equal(s.lit.sheet_count, 2);
	release(&s);
}

/* Four walls whose texture has more texels than a sheet of 256 has room for. */
static void make_walls(sample *s)
{
	make_scene(s);
	s->scene.name = "walls";
	s->scene.family = "quake3";
	s->sections[1].lighting = BSPSCENE_LIGHTING_LIGHTMAP;
	s->sections[1].lightmap_page = 0;
	for (uint32_t i = 0; i < 3 * VERTICES; i++) s->positions[i] *= 4;
	for (uint32_t i = 0; i < 2 * VERTICES; i++) s->uvs[i] *= 16;
	for (uint32_t i = 0; i < 2 * VERTICES; i++) s->lightmap_uvs[i] = 1.5f / PAGE;
	for (int i = 0; i < 2; i++) {
		s->materials[i].name = "wall";
		s->materials[i].second_image = s->materials[i].normal_image = BSPSCENE_NO_INDEX;
	}
}

static bspscene_scene *bake_pictures(const sample *s, uint32_t baked_size, bspscene_error *error)
{
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	options.baked_size = baked_size;
	return bspscene_bake_pictures(&s->scene, &options, error);
}

/* What hosts get that build their own scenes is what writers write. */
static void scenes_show_their_pictures(void **state)
{
	enum { SIZE = 256 };
	static sample s;
	bspscene_error error;
	(void)state;
	make_walls(&s);
	assert_true(make_lit_of_size(&s, 0, SIZE, 0));
	assert_in_range(s.lit.sheet_count, 2, QUADS);
	bspscene_scene *scene = bake_pictures(&s, SIZE, &error);
	assert_non_null(scene);
	assert_int_equal(scene->image_count, 1 + s.lit.sheet_count);
	for (uint32_t i = 0; i < s.lit.sheet_count; i++) {
		static const char *const names[QUADS] = { "lit", "lit-2", "lit-3", "lit-4" };
		const bspscene_image *image = scene->images[1 + i];
		assert_string_equal(image->name, names[i]);
		assert_int_equal(image->size, s.lit.sheets[i].picture.size);
		assert_memory_equal(image->data, s.lit.sheets[i].picture.data, image->size);
	}
	const bspscene_mesh *mesh = scene->meshes[0];
	assert_memory_equal(mesh->uvs, s.lit.uvs[0], sizeof s.uvs);
	assert_int_equal(mesh->section_count, s.writer.scene->meshes[0]->section_count);
	for (uint32_t i = 0; i < mesh->section_count; i++) {
		const bspscene_section *section = mesh->sections[i];
		const bspscene_material *material = scene->materials[section->material];
		assert_int_equal(section->lighting, BSPSCENE_LIGHTING_FULLBRIGHT);
		assert_int_equal(section->lightmap_page, BSPSCENE_NO_INDEX);
		assert_true(material->unlit && material->clamp);
		assert_int_equal(material->base_image, 1 + s.lit.sections[0][i].sheet);
		assert_int_equal(material->stage_count, 0);
		for (uint32_t f = 0; f < section->face_count; f++) {
			assert_int_equal(scene->faces[section->first_face + f].section, i);
		}
	}
	assert_int_equal(s.faces[3].section, 1);
	assert_ptr_equal(s.scene.meshes[0], &s.mesh);
	bspscene_scene_free(scene);
	release(&s);
}

/* What has alpha keeps its texture, in the mean of its light, and what is lit by vertices stays as it is. */
static void scenes_keep_what_is_in_no_picture(void **state)
{
	static sample s;
	bspscene_error error;
	(void)state;
	make_walls(&s);
	s.materials[0].alpha_mode = BSPSCENE_ALPHA_MASK;
	s.sections[1].lighting = BSPSCENE_LIGHTING_VERTEX;
	s.sections[1].lightmap_page = BSPSCENE_NO_INDEX;
	bspscene_scene *scene = bake_pictures(&s, 0, &error);
	assert_non_null(scene);
	const bspscene_section *const *sections = scene->meshes[0]->sections;
	const bspscene_material *grate = scene->materials[sections[0]->material];
	assert_int_equal(scene->image_count, 1);
	assert_int_equal(sections[0]->lighting, BSPSCENE_LIGHTING_FULLBRIGHT);
	assert_int_equal(grate->base_image, 0);
	assert_int_equal(grate->alpha_mode, BSPSCENE_ALPHA_MASK);
	for (int i = 0; i < 3; i++) assert_true(fabsf(grate->color[i] - 64 / 255.0f) <= 1 / 32.0f);
	assert_memory_equal(scene->meshes[0]->uvs, s.uvs, sizeof s.uvs);
	assert_int_equal(sections[1]->lighting, BSPSCENE_LIGHTING_VERTEX);
	assert_int_equal(sections[1]->material, 1);
	bspscene_scene_free(scene);
	assert_null(bake_pictures(&s, 1, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	s.page.format = BSPSCENE_PAGE_RAW32;
	assert_null(bake_pictures(&s, 0, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_UNSUPPORTED_FORMAT);
}

/* Far away, a viewer shows means of many texels: of surfaces that all have one colour they have it too, whatever lies
 * between them. Face 0 is a triangle, so that half of its rectangle is beside it. */
static void nothing_dark_is_between_faces(void **state)
{
	static sample s;
	bspscene_pixels pixels;
	(void)state;
	make_scene(&s);
	for (uint32_t i = 0; i < TEXTURE * TEXTURE; i++) memcpy(s.texels + 4 * i, left_color, 3);
	memset(s.luxels, 128, sizeof s.luxels);
	s.faces[0].index_count = 3;
	s.faces[1].first_index = 3;
	memmove(s.indices + 3, s.indices + 6, 12 * sizeof *s.indices);
	s.faces[2].first_index = 9;
	s.sections[0].index_count = 15;
	for (uint32_t i = 4; i < 8; i++) s.positions[3 * i] *= 0.5f;
	assert_true(make_lit(&s, 0));
	assert_int_equal(s.lit.chart_count, 3);
	const bspi_lit_sheet *sheet = &s.lit.sheets[0];
	bspscene_image image = { .format = BSPSCENE_IMAGE_JPEG, .data = sheet->picture.data, .size = sheet->picture.size };
	assert_true(bspscene_image_decode(&image, &pixels, NULL));
	uint64_t covered = 0;
	for (uint32_t i = 0; i < s.lit.chart_count; i++) {
		covered += (uint64_t)s.lit.charts[i].width * s.lit.charts[i].height;
	}
	assert_true(covered < (uint64_t)pixels.width * pixels.height);
	for (size_t i = 0; i < (size_t)pixels.width * pixels.height; i++) {
		for (size_t c = 0; c < 3; c++) {
			float wanted = (float)left_color[c] * 256 / 255;
			if (fabsf((float)pixels.data[4 * i + c] - wanted) <= 6) continue;
			fail_msg("texel %zu, channel %zu: %u, not %g", i, c, pixels.data[4 * i + c], (double)wanted);
		}
	}
	bspscene_pixels_free(&pixels);
	release(&s);
}

static void light_of_vertices_is_the_mean(void **state)
{
	static sample s;
	(void)state;
	make_scene(&s);
	assert_true(make_lit(&s, 0));
	assert_false(s.lit.sections[0][1].in_picture);
	float mean = 128 / 255.0f * bspi_color_intensity(&s.scene);
	for (int i = 0; i < 3; i++) assert_true(fabsf(s.lit.sections[0][1].light[i] - mean) <= 1 / 64.0f);
	release(&s);
}

/* Vertices of two faces have two places, and triangles of no face have none. */
static void what_has_no_place_is_left_out(void **state)
{
	static sample s;
	(void)state;
	make_scene(&s);
	s.indices[6] = 0;
	assert_true(make_lit(&s, 0));
	assert_false(s.lit.sections[0][0].in_picture);
	assert_int_equal(s.lit.sheet_count, 0);
	for (int i = 0; i < 3; i++) assert_true(s.lit.sections[0][0].light[i] > 0.25f);
	release(&s);
	make_scene(&s);
	s.sections[0].face_count = 2;
	assert_true(make_lit(&s, 0));
	assert_false(s.lit.sections[0][0].in_picture);
	release(&s);
	make_scene(&s);
	s.materials[0].alpha_mode = BSPSCENE_ALPHA_ADD;
	assert_true(make_lit(&s, 0));
	assert_false(s.lit.sections[0][0].in_picture);
	release(&s);
}

/* Hosts that have one set of coordinates look through the texture, not through the picture. */
static void alpha_may_keep_its_texture(void **state)
{
	static const bool drawn[1] = { true };
	(void)state;
	for (int alone = 0; alone < 2; alone++) {
		static sample s;
		make_scene(&s);
		s.materials[0].alpha_mode = BSPSCENE_ALPHA_MASK;
		assert_true(make_lit(&s, UINT64_MAX));
		assert_true(s.lit.sections[0][0].in_picture);
		release(&s);
		if (!alone) continue;
		bspi_budget_begin(&s.writer.budget, UINT64_MAX, NULL);
		bspi_arena_init(&s.writer.arena, &s.writer.budget);
		assert_true(bspi_lit_make(&s.writer, drawn, true, &s.lit));
		assert_false(s.lit.sections[0][0].in_picture);
		assert_true(s.lit.sections[0][0].light[0] > 0);
		release(&s);
	}
}

static void places_that_are_no_numbers_are_left_out(void **state)
{
	static sample s;
	(void)state;
	make_scene(&s);
	for (uint32_t i = 0; i < 2 * VERTICES; i++) s.lightmap_uvs[i] *= 1e37f;
	assert_true(make_lit(&s, 0));
	release(&s);
	make_scene(&s);
	for (uint32_t i = 0; i < 2 * VERTICES; i++) s.uvs[i] *= 1e30f;
	assert_true(make_lit(&s, 0));
	assert_int_equal(s.lit.sheet_count, 1);
	release(&s);
}

/* All charts stay, with fewer texels to a luxel. */
static void pictures_keep_to_their_size(void **state)
{
	static sample s;
	(void)state;
	make_scene(&s);
	assert_true(make_lit(&s, 0));
	float density = s.lit.density;
	assert_true((uint64_t)s.lit.sheets[0].width * s.lit.sheets[0].height > 1500);
	assert_true(bspi_lit_arrange(&s.writer, &s.lit, 1500));
	assert_in_range((uint64_t)s.lit.sheets[0].width * s.lit.sheets[0].height, 1, 1500);
	assert_int_equal(s.lit.chart_count, 3);
	assert_true(s.lit.density < density);
	assert_true(bspi_lit_arrange(&s.writer, &s.lit, 40));
	assert_int_equal(s.lit.sheet_count, 0);
	release(&s);
}

static void raw_light_is_no_picture(void **state)
{
	static sample s;
	(void)state;
	make_scene(&s);
	s.page.format = BSPSCENE_PAGE_RAW32;
	assert_false(make_lit(&s, 0));
	assert_int_equal(s.writer.failure.status, BSPSCENE_ERROR_UNSUPPORTED_FORMAT);
	release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faces_are_texture_times_light),
		cmocka_unit_test(sheets_do_not_blur),
		cmocka_unit_test(sheets_are_not_forced),
		cmocka_unit_test(scenes_show_their_pictures),
		cmocka_unit_test(scenes_keep_what_is_in_no_picture),
		cmocka_unit_test(nothing_dark_is_between_faces),
		cmocka_unit_test(light_of_vertices_is_the_mean),
		cmocka_unit_test(what_has_no_place_is_left_out),
		cmocka_unit_test(alpha_may_keep_its_texture),
		cmocka_unit_test(places_that_are_no_numbers_are_left_out),
		cmocka_unit_test(pictures_keep_to_their_size),
		cmocka_unit_test(raw_light_is_no_picture),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
