/* Promise: every visible face is in exactly one section. A section has all faces that are drawn in the same way, in
 * file order. Hidden faces are left out unless they are requested. No file makes a mesh that breaks the rules of
 * bspscene.h (bspt_build_faces checks them after each build). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "support/check/faces.h"

typedef float point[3];

/* Two triangles that share a side, clockwise seen from above. */
static const point quad[4] = { { 0, 0, 0 }, { 0, 64, 0 }, { 64, 64, 0 }, { 64, 0, 0 } };
static const uint32_t quad_indices[6] = { 0, 1, 2, 0, 2, 3 };

static bspi_face *add_quad(bspt_faces *f, int32_t texture)
{
	bspi_face *face = bspt_add_triangles(f, quad, 4, quad_indices, 6);
	face->texture = texture;
	return face;
}

/* ---- Sections ---------------------------------------------------------------------------------------------- */

static void test_sections(void **state)
{
	(void)state;
	static const int32_t textures[] = { 2, 0, 2, 1, 0, 2 };
	static const uint32_t order[] = { 1, 4, 3, 0, 2, 5 };
	static const uint32_t faces_per_section[] = { 2, 1, 3 };
	bspt_faces f;
	bspt_begin_faces(&f);
	for (size_t i = 0; i < 6; i++) add_quad(&f, textures[i]);
	bspt_build_faces(&f);
	assert_int_equal(f.scene.mesh_count, 1);
	assert_int_equal(f.scene.face_count, 6);
	for (uint32_t i = 0; i < 6; i++) assert_int_equal(f.scene.faces[i].record, order[i]);
	const bspscene_mesh *mesh = f.scene.meshes[0];
	assert_int_equal(mesh->section_count, 3);
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(mesh->sections[i]->material, i);
		assert_int_equal(mesh->sections[i]->face_count, faces_per_section[i]);
	}
	assert_string_equal(mesh->name, "worldspawn");
	assert_int_equal(f.scene.counts->vertices, 24);
	assert_int_equal(f.scene.counts->triangles, 12);
	bspt_end_faces(&f);
}

/* Faces with the same material but different fog are in different sections. */
static void test_fog_sections(void **state)
{
	(void)state;
	static const bspi_fog fogs[2];
	bspt_faces f;
	bspt_begin_faces(&f);
	f.map.fogs = (bspi_fog *)fogs;
	f.map.fogs_count = 2;
	add_quad(&f, 0)->fog = 1;
	add_quad(&f, 0);
	add_quad(&f, 0)->fog = 0;
	add_quad(&f, 0)->fog = 1;
	bspt_build_faces(&f);
	const bspscene_mesh *mesh = f.scene.meshes[0];
	static const uint32_t want[] = { BSPSCENE_NO_INDEX, 0, 1 };
	assert_int_equal(mesh->section_count, 3);
	for (uint32_t i = 0; i < 3; i++) assert_int_equal(mesh->sections[i]->fog, want[i]);
	bspt_end_faces(&f);
}

static void test_models(void **state)
{
	(void)state;
	bspt_faces f;
	bspt_begin_faces(&f);
	add_quad(&f, 0);
	bspt_add_model(&f);                /* a trigger without faces */
	bspt_add_model(&f);
	add_quad(&f, 0);
	f.map.draw_vertices[4].position[2] = -9;
	bspt_build_faces(&f);
	assert_int_equal(f.scene.mesh_count, 2);
	assert_int_equal(f.scene.meshes[0]->model, 0);
	assert_int_equal(f.scene.meshes[1]->model, 2);
	assert_string_equal(f.scene.meshes[1]->name, "*2");
	assert_true(f.scene.meshes[0]->bounds.min[2] == 0 && f.scene.meshes[1]->bounds.min[2] == -9);
	bspt_end_faces(&f);
}

/* Each requested hidden kind of surface gets its own section. */
static void test_hidden_kinds(void **state)
{
	(void)state;
	static const struct { uint32_t include, sections; } cases[] = {
		{ 0, 1 }, { BSPSCENE_SURFACE_SKY, 2 }, { BSPSCENE_SURFACE_NODRAW, 1 },
		{ BSPSCENE_SURFACE_SKY | BSPSCENE_SURFACE_CAULK, 3 }, { BSPSCENE_SURFACE_ALL, 3 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_faces f;
		bspt_begin_faces(&f);
		f.ctx.options.include_mask = cases[i].include;
		f.materials[1].surface_kind = BSPSCENE_SURFACE_SKY;
		f.materials[2].surface_kind = BSPSCENE_SURFACE_CAULK;
		for (int32_t texture = 0; texture < 3; texture++) add_quad(&f, texture);
		bspt_build_faces(&f);
		const bspscene_mesh *mesh = f.scene.meshes[0];
		assert_int_equal(mesh->section_count, cases[i].sections);
		for (uint32_t k = 0; k < mesh->section_count; k++) {
			assert_int_equal(mesh->sections[k]->surface_kind, f.materials[mesh->sections[k]->material].surface_kind);
		}
		assert_int_equal(f.scene.counts->polygons, 3);
		bspt_end_faces(&f);
	}
}

/* The counts cover all faces of the file, including hidden faces and those without triangles. They do not cover faces
 * that were dropped earlier. */
static void test_counts(void **state)
{
	(void)state;
	static const point patch[9];
	bspt_faces f;
	bspt_begin_faces(&f);
	f.materials[1].surface_kind = BSPSCENE_SURFACE_NODRAW;
	add_quad(&f, 0);
	add_quad(&f, 1);
	add_quad(&f, 0)->soup = true;
	bspt_add_patch(&f, patch, 3, 3)->texture = 1;
	bspt_add_patch(&f, patch, 3, 3);
	bspt_add_face(&f, BSPI_FACE_FLARE);
	bspt_add_face(&f, BSPI_FACE_DROPPED);
	bspt_add_polygon(&f, quad, 4);
	bspt_build_faces(&f);
	assert_int_equal(f.scene.counts->polygons, 3);
	assert_int_equal(f.scene.counts->meshes, 1);
	assert_int_equal(f.scene.counts->patches, 2);
	assert_int_equal(f.scene.counts->billboards, 1);
	assert_int_equal(f.scene.counts->displacements, 0);
	assert_int_equal(f.scene.counts->vertices, 12);
	assert_int_equal(f.scene.counts->triangles, 6);
	bspt_end_faces(&f);
}

static void test_nothing_drawn(void **state)
{
	(void)state;
	bspt_faces f;
	bspt_begin_faces(&f);
	bspt_add_face(&f, BSPI_FACE_FLARE);
	bspt_build_faces(&f);
	assert_int_equal(f.scene.mesh_count, 0);
	assert_int_equal(f.scene.face_count, 0);
	bspt_end_faces(&f);
}

/* ---- Triangles and vertices -------------------------------------------------------------------------------- */

/* Clockwise front faces become counterclockwise. Triangles with a repeated vertex are dropped, and so are faces without
 * another triangle. */
static void test_triangles(void **state)
{
	(void)state;
	static const uint32_t indices[] = { 0, 1, 2, 1, 1, 2, 0, 2, 3, 3, 2, 3 }, nothing[] = { 0, 0, 0, 1, 2, 1 };
	static const uint32_t want[] = { 0, 2, 1, 0, 3, 2 };
	bspt_faces f;
	bspt_begin_faces(&f);
	bspt_add_triangles(&f, quad, 4, nothing, 6);
	bspt_add_triangles(&f, quad, 4, indices, 12);
	bspt_add_triangles(&f, quad, 4, nothing, 6)->texture = 1;
	bspt_build_faces(&f);
	const bspscene_mesh *mesh = f.scene.meshes[0];
	assert_int_equal(f.scene.face_count, 1);
	assert_int_equal(mesh->section_count, 1);
	assert_int_equal(mesh->vertex_count, 4);
	assert_int_equal(mesh->index_count, 6);
	assert_memory_equal(mesh->indices, want, sizeof want);
	bspt_end_faces(&f);
}

/* Valid stored normals stay exactly as they are; normals without a direction are computed from the triangles. */
static void test_normals(void **state)
{
	(void)state;
	static const struct {
		float stored[3], want[3];
	} cases[] = {
		{ { 1, 0, 0 }, { 1, 0, 0 } },
		{ { 0, 0, 0.9997f }, { 0, 0, 1 } },
		{ { 3, 0, 4 }, { 0.6f, 0, 0.8f } },
		{ { 0, 0, 0 }, { 0, 0, 1 } },
		{ { NAN, 0, 1 }, { 0, 0, 1 } },
		{ { INFINITY, 0, 0 }, { 0, 0, 1 } },
		{ { 1e-30f, 0, 0 }, { 0, 0, 1 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_faces f;
		bspt_begin_faces(&f);
		add_quad(&f, 0);
		for (uint32_t k = 0; k < 4; k++) bspi_copy3(f.map.draw_vertices[k].normal, cases[i].stored);
		bspt_build_faces(&f);
		for (uint32_t k = 0; k < 12; k++) {
			assert_true(fabsf(f.scene.meshes[0]->normals[k] - cases[i].want[k % 3]) < 1e-6f);
		}
		bspt_end_faces(&f);
	}
}

/* One bad normal among good ones is replaced by the area-weighted sum of its own triangles; vertices without a triangle
 * get any normal. */
static void test_mended_normals(void **state)
{
	(void)state;
	static const point roof[5] = { { 0, 0, 0 }, { 0, 64, 0 }, { 64, 64, 64 }, { 128, 0, 0 }, { 9, 9, 9 } };
	static const uint32_t indices[] = { 0, 1, 2, 0, 2, 3 };
	bspt_faces f;
	bspt_begin_faces(&f);
	bspt_add_triangles(&f, roof, 5, indices, 6);
	for (uint32_t i = 1; i < 4; i++) f.map.draw_vertices[i].normal[0] = 1;
	bspt_build_faces(&f);
	const float *n = f.scene.meshes[0]->normals;
	float u[3], v[3], sum[3] = { 0, 0, 0 };
	for (uint32_t i = 1; i < 3; i++) {
		float cross[3];
		bspi_sub(u, roof[i], roof[0]);
		bspi_sub(v, roof[i + 1], roof[0]);
		bspi_cross(cross, v, u);
		for (int k = 0; k < 3; k++) sum[k] += cross[k];
	}
	assert_true(bspi_normalize(sum));
	for (int k = 0; k < 3; k++) assert_true(fabsf(n[k] - sum[k]) < 1e-6f);
	for (uint32_t i = 1; i < 4; i++) assert_true(n[3 * i] == 1);
	assert_true(n[12] == 0 && n[13] == 0 && n[14] == 1);
	bspt_end_faces(&f);
}

static void test_face_facts(void **state)
{
	(void)state;
	static const bspi_leaf leafs[2] = { { .cluster = 3, .area = 1 }, { .cluster = -1, .area = -1 } };
	bspt_faces f;
	bspt_begin_faces(&f);
	f.map.leafs = (bspi_leaf *)leafs;
	f.map.leafs_count = 2;
	f.scene.area_count = 2;
	f.map.textures[1].surface_flags = 0x401;
	f.map.textures[1].content_flags = 0x20;
	f.map.texinfos[0].flags = 0x8;
	add_quad(&f, 1)->leaf = 0;
	add_quad(&f, 1);
	bspt_add_polygon(&f, quad, 4);
	f.parts.tree.leaf_count = 2;
	static const bspscene_leaf tree_leafs[2] = {
		{ .cluster = 3, .area = 1 }, { .cluster = BSPSCENE_NO_INDEX, .area = BSPSCENE_NO_INDEX },
	};
	f.parts.tree.leafs = tree_leafs;
	bspt_build_faces(&f);
	const bspscene_face *first = bspt_face_of(&f, 0), *second = bspt_face_of(&f, 1), *polygon = bspt_face_of(&f, 2);
	assert_int_equal(first->leaf, 0);
	assert_int_equal(first->cluster, 3);
	assert_int_equal(first->area, 1);
	assert_int_equal(first->surface_flags, 0x401);
	assert_int_equal(first->content_flags, 0x20);
	assert_int_equal(first->vertex_count, 4);
	assert_int_equal(first->index_count, 6);
	assert_int_equal(second->leaf, BSPSCENE_NO_INDEX);
	assert_int_equal(second->cluster, BSPSCENE_NO_INDEX);
	assert_int_equal(polygon->surface_flags, 0x8);
	bspt_end_faces(&f);
}

/* In Enemy Territory, a foliage mesh is followed by a list of positions. It is copied to each position, with the color
 * of that position. */
static void test_foliage(void **state)
{
	(void)state;
	static const point positions[] = {
		{ 0, 0, 0 }, { 0, 8, 0 }, { 8, 8, 0 }, { 8, 0, 0 }, { 100, 0, 0 }, { 200, 50, 16 },
	};
	bspt_faces f;
	bspt_begin_faces(&f);
	bspi_face *face = bspt_add_triangles(&f, positions, 6, quad_indices, 6);
	face->kind = BSPI_FACE_FOLIAGE;
	face->patch_height = 4;
	face->patch_width = 2;
	f.map.draw_vertices[5].color[1] = 77;
	bspt_build_faces(&f);
	const bspscene_mesh *mesh = f.scene.meshes[0];
	assert_int_equal(mesh->vertex_count, 8);
	assert_int_equal(mesh->index_count, 12);
	for (uint32_t i = 0; i < 8; i++) {
		for (uint32_t k = 0; k < 3; k++) {
			assert_true(mesh->positions[3 * i + k] == positions[i % 4][k] + positions[4 + i / 4][k]);
		}
		assert_int_equal(mesh->colors[4 * i + 1], i < 4 ? 255 : 77);
	}
	assert_int_equal(mesh->indices[6], 4);
	assert_int_equal(f.scene.counts->meshes, 1);
	bspt_end_faces(&f);
}

/* ---- Light ------------------------------------------------------------------------------------------------- */

static void test_lighting(void **state)
{
	(void)state;
	static const struct {
		const char *what;
		int32_t page;
		bool soup, unlit, has_page;
		bspscene_lighting lighting;
	} cases[] = {
		{ "lightmap", 1, false, false, true, BSPSCENE_LIGHTING_LIGHTMAP },
		{ "soups are lit by vertex", 1, true, false, false, BSPSCENE_LIGHTING_VERTEX },
		{ "none", BSPI_PAGE_NONE, false, false, false, BSPSCENE_LIGHTING_FULLBRIGHT },
		{ "white", BSPI_PAGE_WHITE, false, false, false, BSPSCENE_LIGHTING_FULLBRIGHT },
		{ "by vertex", BSPI_PAGE_BY_VERTEX, false, false, false, BSPSCENE_LIGHTING_VERTEX },
		{ "past the last page", 2, false, false, false, BSPSCENE_LIGHTING_VERTEX },
		{ "unlit material, by vertex", BSPI_PAGE_BY_VERTEX, false, true, false, BSPSCENE_LIGHTING_FULLBRIGHT },
		{ "unlit material keeps its page for its stages", 1, false, true, true, BSPSCENE_LIGHTING_FULLBRIGHT },
	};
	static const uint8_t pages[2][128 * 128 * 3];
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_faces f;
		bspt_begin_faces(&f);
		f.map.rules.light_storage = BSPI_STORAGE_PAGES;
		f.map.rules.light_encoding = BSPI_LIGHT_RGB8;
		f.map.rules.soups_by_vertex = true;
		f.map.lighting = bspi_bytes_of(pages, sizeof pages);
		f.materials[0].unlit = cases[i].unlit;
		bspi_face *face = add_quad(&f, 0);
		face->lightmap[0] = cases[i].page;
		face->soup = cases[i].soup;
		for (uint32_t k = 0; k < 4; k++) {
			f.map.draw_vertices[k].lightmap[0] = k < 2 ? 0.25f : 0.5f;
			f.map.draw_vertices[k].lightmap[1] = k % 3 ? 0.5f : 0.25f;
		}
		bspt_build_faces(&f);
		const bspscene_section *section = f.scene.meshes[0]->sections[0];
		const bspscene_face *built = bspt_face_of(&f, 0);
		bool lit = section->lighting == BSPSCENE_LIGHTING_LIGHTMAP || section->lighting == BSPSCENE_LIGHTING_VERTEX;
		if (section->lighting != cases[i].lighting || (section->lightmap_page == 0) != cases[i].has_page ||
		    (built->lightmap_width > 0) != cases[i].has_page || (built->styles[0] == 0) != lit ||
		    built->styles[1] != 255) {
			fail_msg("%s: lighting %d, page %u", cases[i].what, (int)section->lighting, section->lightmap_page);
		}
		bspt_end_faces(&f);
	}
}

/* In Raven's games, vertices may have light of several styles. Each further style becomes a color set of the mesh, in
 * which vertices without light of this style are black. */
static void test_color_sets(void **state)
{
	(void)state;
	bspi_draw_vertex_styles styles[12];
	for (uint8_t i = 0; i < 12; i++) {
		for (uint8_t k = 0; k < 12; k++) styles[i].color[k / 4][k % 4] = (uint8_t)(10 * i + k / 4 + 1);
		memset(styles[i].lightmap, 0, sizeof styles[i].lightmap);
	}
	bspt_faces f;
	bspt_begin_faces(&f);
	memcpy(add_quad(&f, 0)->vertex_styles, (uint8_t[4]){ 0, 11, 255, 5 }, 4);
	add_quad(&f, 0);
	memcpy(add_quad(&f, 0)->vertex_styles, (uint8_t[4]){ 0, 5, 255, 255 }, 4);
	f.map.draw_vertex_styles = styles;
	f.map.draw_vertex_styles_count = 12;
	bspt_build_faces(&f);
	const bspscene_mesh *mesh = f.scene.meshes[0];
	assert_int_equal(mesh->vertex_color_set_count, 2);
	assert_int_equal(mesh->vertex_color_sets[0].style, 5);
	assert_int_equal(mesh->vertex_color_sets[1].style, 11);
	for (uint32_t i = 0; i < 12; i++) {
		assert_int_equal(mesh->vertex_color_sets[0].colors[4 * i], i < 4 ? 10 * i + 3 : i < 8 ? 0 : 10 * i + 1);
		assert_int_equal(mesh->vertex_color_sets[1].colors[4 * i], i < 4 ? 10 * i + 1 : 0);
		assert_int_equal(mesh->colors[4 * i], 255);
	}
	static const uint8_t want[4] = { 0, 11, 5, 255 };
	assert_memory_equal(bspt_face_of(&f, 0)->styles, want, 4);
	bspt_end_faces(&f);
}

/* ---- Bounds ------------------------------------------------------------------------------------------------ */

/* A few bytes of a patch become many vertices. If these exceed the limit, the load ends before the memory is
 * allocated. */
static void test_memory_limit(void **state)
{
	(void)state;
	point controls[9];
	for (uint32_t i = 0; i < 9; i++) {
		controls[i][0] = 1000 * (float)(i % 3);
		controls[i][1] = 1000 * (float)(i / 3);
		controls[i][2] = i == 4 ? 1e6f : 0;
	}
	bspt_faces f;
	bspt_begin_faces(&f);
	for (uint32_t i = 0; i < BSPT_MOST_FACES; i++) {
		bspi_face *face = bspt_add_face(&f, BSPI_FACE_PATCH);
		face->patch_width = face->patch_height = 3;
		face->vertex_count = 9;
	}
	bspt_add_vertices(&f, (const point *)controls, 9);
	f.ctx.budget.limit = f.ctx.budget.used + (16u << 20);
	assert_false(bspt_run_faces(&f));
	assert_int_equal(f.ctx.error.status, BSPSCENE_ERROR_MEMORY_LIMIT);
	assert_non_null(strstr(f.ctx.error.message, "vertices"));
	assert_true(f.ctx.budget.peak < f.ctx.budget.limit);
	bspt_end_faces(&f);
}

static bspscene_progress_result cancel_geometry(void *user, const char *stage, double fraction)
{
	(void)user;
	assert_true(fraction >= 0 && fraction <= 1);
	return strcmp(stage, "geometry") ? BSPSCENE_PROGRESS_CONTINUE : BSPSCENE_PROGRESS_CANCEL;
}

static void test_cancel(void **state)
{
	(void)state;
	bspt_faces f;
	bspt_begin_faces(&f);
	f.ctx.options.progress = cancel_geometry;
	add_quad(&f, 0);
	assert_false(bspt_run_faces(&f));
	assert_int_equal(f.ctx.error.status, BSPSCENE_ERROR_CANCELED);
	bspt_end_faces(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sections), cmocka_unit_test(test_fog_sections), cmocka_unit_test(test_models),
		cmocka_unit_test(test_hidden_kinds), cmocka_unit_test(test_counts), cmocka_unit_test(test_nothing_drawn),
		cmocka_unit_test(test_triangles), cmocka_unit_test(test_normals), cmocka_unit_test(test_mended_normals),
		cmocka_unit_test(test_face_facts), cmocka_unit_test(test_foliage), cmocka_unit_test(test_lighting),
		cmocka_unit_test(test_color_sets), cmocka_unit_test(test_memory_limit), cmocka_unit_test(test_cancel),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
