/* Promise: an eyeball of a studio model is drawn white, with its iris in front, and it looks straight ahead. If the
 * material of the mesh is not an eye material, the mesh is drawn normally. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "base/vec.h"
#include "support/check/scene_find.h"
#include "support/make/build_map.h"
#include "support/make/build_texture.h"
#include "support/models/build_model.h"
#include "support/models/furnished.h"

#define ENTITIES "{ \"classname\" \"worldspawn\" } { \"classname\" \"misc_thing\" \"model\" \"models/test/eye.mdl\" }"

static const char *const model_paths[] = { "models/test/eye.vvd", "models/test/eye.dx90.vtx" };

static uint32_t number_at(const uint8_t *bytes, size_t at)
{
	uint32_t number;
	memcpy(&number, bytes + at, sizeof number);
	return number;
}

/* An eyeball that the test adds to its model of a crate, 16 units wide. In the map, the eye looks along +X. */
typedef struct eyeball_case {
	int32_t count, eye;                /* number of eyeball records; number of the record in the mesh */
	int32_t bone;
	float squint;
} eyeball_case;

static void add_crate(bspt_furnished *g, const eyeball_case *eye)
{
	enum { PARTS = 236, MODELS = 12, MESHES = 76, EYE_COUNT = 100, EYES = 104, KIND = 24, NUMBER = 28, RECORD = 172 };
	bspt_model_file file = { .format = "" };
	for (uint32_t i = 0; i < bspt_model_count && strcmp(file.format, "source_mdl") != 0; i++) {
		file = bspt_build_model(i);
	}
	static bspt_writer out;
	out.size = 0;
	bspt_put(&out, file.bytes.data, file.bytes.size);
	size_t part = number_at(out.data, PARTS), model = part + number_at(out.data, part + MODELS);
	size_t mesh = model + number_at(out.data, model + MESHES), record = out.size;
	bspt_put_u32_at(&out, model + EYE_COUNT, (uint32_t)eye->count);
	bspt_put_u32_at(&out, model + EYES, (uint32_t)(record - model));
	bspt_put_u32_at(&out, mesh + KIND, 1);
	bspt_put_u32_at(&out, mesh + NUMBER, (uint32_t)eye->eye);
	bspt_put_u32(&out, 0);
	bspt_put_u32(&out, (uint32_t)eye->bone);
	bspt_put_floats(&out, 5, 0.0, 0.0, 0.0, (double)eye->squint, 1.0);
	bspt_put_floats(&out, 3, 0.0, 0.0, 1.0);
	bspt_put_floats(&out, 3, 0.0, -1.0, 0.0); /* the model is rotated by 90 degrees in the map */
	bspt_put_u32(&out, 0);
	bspt_put_u32(&out, 0);
	bspt_put_floats(&out, 1, 1 / 16.0);
	bspt_pad_to(&out, record + RECORD);
	bspi_bytes bytes = bspt_written(&out);
	bspt_furnished_add(g, "models/test/eye.mdl", bytes.data, bytes.size);
	for (uint32_t i = 0; i < file.sibling_count; i++) {
		bspt_furnished_add(g, model_paths[i], file.siblings[i].bytes.data, file.siblings[i].bytes.size);
	}
}

/* Loads the model with this material for the eyeball. */
static const bspscene_mesh *load(bspt_furnished *g, const eyeball_case *eye, const char *vmt)
{
	static const uint8_t pixels[8 * 8 * 4] = { 1 };
	const bspt_vtf vtf = { .minor = 2, .width = 8, .height = 8, .picture = pixels, .size = sizeof pixels };
	bspt_bytes texture = bspt_encode_vtf(&vtf);
	bspt_furnished_begin(g);
	add_crate(g, eye);
	bspt_furnished_add(g, "materials/models/test/crate.vmt", vmt, strlen(vmt));
	bspt_furnished_add(g, "materials/models/test/white.vtf", texture.data, texture.size);
	bspt_furnished_add(g, "materials/models/test/pupil.vtf", texture.data, texture.size);
	free(texture.data);
	bspt_furnished_load(g, &bspi_family_vbsp, ENTITIES);
	uint32_t mesh = bspt_furnished_mesh(g, "misc_thing:1");
	return mesh == BSPSCENE_NO_INDEX ? NULL : g->scene->meshes[mesh];
}

static const bspscene_material *material_of(const bspt_furnished *g, const bspscene_mesh *mesh, uint32_t section)
{
	return g->scene->materials[mesh->sections[section]->material];
}

static const bspscene_image *image_of(const bspt_furnished *g, const bspscene_mesh *mesh, uint32_t section)
{
	const bspscene_material *material = material_of(g, mesh, section);
	assert_true(material->base_image < g->scene->image_count);
	return g->scene->images[material->base_image];
}

#define EYES "Eyes { $basetexture models/test/white $iris models/test/pupil }"
static const eyeball_case plain = { 1, 0, 0, 0 };

static void iris_is_in_front_of_the_white(void **state)
{
	(void)state;
	bspt_furnished g;
	const bspscene_mesh *mesh = load(&g, &plain, EYES);
	assert_int_equal(mesh->section_count, 2);
	assert_int_equal(mesh->sections[0]->index_count, 3 * BSPT_MODEL_TRIANGLES);
	assert_int_equal(mesh->sections[1]->index_count, 3 * BSPT_MODEL_TRIANGLES);
	assert_string_equal(image_of(&g, mesh, 0)->path, "materials/models/test/white.vtf");
	assert_string_equal(image_of(&g, mesh, 1)->path, "materials/models/test/pupil.vtf");
	const bspscene_material *iris = material_of(&g, mesh, 1);
	assert_int_equal(material_of(&g, mesh, 0)->alpha_mode, BSPSCENE_ALPHA_MODE_OPAQUE);
	assert_int_equal(iris->alpha_mode, BSPSCENE_ALPHA_MODE_BLEND);
	assert_true(iris->clamp && !iris->unlit && iris->pass_count == 1);
	assert_true(g.scene->material_passes[iris->first_pass]->clamp);
	assert_int_equal(g.scene->material_passes[iris->first_pass]->color_gen, BSPSCENE_COLOR_GEN_LIGHT);
	bspt_furnished_end(&g);
}

/* The picture of the iris is upright for a viewer who looks into the eye. Its left edge is at +Y and its top edge at
 * +Z. Each normal points away from the center of the eye, with half of its vertical component. */
static void pictures_are_thrown_along_the_look(void **state)
{
	(void)state;
	bspt_furnished g;
	const bspscene_mesh *mesh = load(&g, &plain, EYES);
	uint32_t seen = 0;
	for (uint32_t i = 0; i < mesh->sections[1]->index_count; i++) {
		uint32_t vertex = mesh->indices[mesh->sections[1]->first_index + i];
		const float *lifted = mesh->positions + 3 * vertex, *normal = mesh->normals + 3 * vertex;
		float at[3], expected[3], length;
		for (int k = 0; k < 3; k++) at[k] = lifted[k] - 0.01f * normal[k];
		for (int k = 0; k < 3; k++) expected[k] = k == 2 ? 0.5f * at[k] : at[k];
		length = sqrtf(bspi_dot(expected, expected));
		for (int k = 0; k < 3; k++) assert_true(fabsf(expected[k] / length - normal[k]) < 1e-3f);
		assert_true(fabsf(mesh->uvs[2 * vertex] - (0.5f + at[1] / 16)) < 1e-3f);
		assert_true(fabsf(mesh->uvs[2 * vertex + 1] - (0.5f - at[2] / 16)) < 1e-3f);
		seen++;
	}
	assert_int_equal(seen, 3 * BSPT_MODEL_TRIANGLES);
	bspt_furnished_end(&g);
}

/* The eyes of models point slightly outward. The record has half the tangent of this angle, which is 45 degrees
 * here. */
static void eyes_squint(void **state)
{
	(void)state;
	const eyeball_case squinting = { 1, 0, 0, 0.5f };
	const float half = 0.70710678f;
	bspt_furnished g;
	const bspscene_mesh *mesh = load(&g, &squinting, EYES);
	for (uint32_t i = 0; i < mesh->sections[1]->index_count; i++) {
		uint32_t vertex = mesh->indices[mesh->sections[1]->first_index + i];
		const float *lifted = mesh->positions + 3 * vertex, *normal = mesh->normals + 3 * vertex;
		float x = lifted[0] - 0.01f * normal[0], y = lifted[1] - 0.01f * normal[1];
		assert_true(fabsf(mesh->uvs[2 * vertex] - (0.5f + half * (x + y) / 16)) < 1e-3f);
	}
	bspt_furnished_end(&g);
}

/* EyeRefract has one picture for the whole eye. */
static void refracting_eyes_have_one_picture(void **state)
{
	(void)state;
	bspt_furnished g;
	/* A mod may have a shader with a similar name. */
	const bspscene_mesh *mesh = load(&g, &plain, "SDK_EyeRefract { $iris models/test/pupil }");
	assert_int_equal(mesh->section_count, 2);
	assert_string_equal(image_of(&g, mesh, 0)->path, "materials/models/test/pupil.vtf");
	assert_string_equal(image_of(&g, mesh, 1)->path, "materials/models/test/pupil.vtf");
	assert_int_equal(material_of(&g, mesh, 1)->alpha_mode, BSPSCENE_ALPHA_MODE_OPAQUE);
	bspt_furnished_end(&g);
}

static void other_balls_are_meshes(void **state)
{
	enum { OF_THE_ROOM = 2 }; /* textures of the room itself that are missing in any case */
	(void)state;
	static const struct { const char *vmt; eyeball_case eye; uint32_t missing; bool refused; } cases[] = {
		{ "VertexLitGeneric { $basetexture models/test/white }", { 1, 0, 0, 0 }, 0, false },
		{ "VertexLitGeneric { $basetexture models/test/white $iris models/test/pupil }", { 1, 0, 0, 0 }, 0, false },
		{ "Eyes { $basetexture models/test/white }", { 1, 0, 0, 0 }, 0, false },
		{ "Eyes { $basetexture models/test/white $iris models/test/none }", { 1, 0, 0, 0 }, 1, false },
		{ EYES, { 0, 0, 0, 0 }, 0, false }, /* the mesh has no eyeball record */
		{ EYES, { 1, 1, 0, 0 }, 0, false }, /* the record belongs to another mesh */
		{ EYES, { 1, -1, 0, 0 }, 0, false },
		{ EYES, { 1, 0, 1, 0 }, 0, false }, /* the bone does not exist */
		{ EYES, { 1, 0, -1, 0 }, 0, false },
		{ EYES, { 1, 0, 0, NAN }, 0, false }, /* the squint is not a number */
		{ EYES, { 65, 64, 0, 0 }, 0, true },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_furnished g;
		const bspscene_mesh *mesh = load(&g, &cases[i].eye, cases[i].vmt);
		assert_int_equal(mesh == NULL, cases[i].refused);
		if (mesh) assert_int_equal(mesh->section_count, 1);
		assert_int_equal(bspt_count_warnings(g.scene, BSPSCENE_WARNING_FILE_MISSING),
		                 OF_THE_ROOM + cases[i].missing);
		assert_int_equal(bspt_count_warnings(g.scene, BSPSCENE_WARNING_MODEL_BAD), cases[i].refused);
		bspt_furnished_end(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(iris_is_in_front_of_the_white),
		cmocka_unit_test(pictures_are_thrown_along_the_look),
		cmocka_unit_test(eyes_squint),
		cmocka_unit_test(refracting_eyes_have_one_picture),
		cmocka_unit_test(other_balls_are_meshes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
