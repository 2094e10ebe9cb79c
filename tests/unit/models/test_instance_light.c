/* test_instance_light.c - model_light_error of bspscene_bake_light: an instance of a model may have light that differs
 * from the mean light of its mesh. Then it gets another mesh, up to a limit, which instances with equal light share.
 * Without this, a model in a dark corner would be as bright as those in the sun. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "images/display.h"
#include "support/check/scene_find.h"
#include "support/models/furnished.h"

enum { MOST_CRATES = 6, ASKED = 14 };

/* Crates in a room. The light around each crate is uniform. */
typedef struct crates {
	bspt_furnished game;
	bspscene_scene *scene;
	bspscene_light_sample lights[MOST_CRATES];
	uint32_t count, mesh;
	float gain;
} crates;

static uint32_t node_of(const bspscene_scene *scene, uint32_t crate)
{
	char name[32];
	snprintf(name, sizeof name, "crate:%u", crate + 1);
	const bspscene_node *node = bspt_find_node(scene, name);
	uint32_t i = 0;
	while (scene->nodes[i] != node) i++;
	return i;
}

static const bspscene_mesh *mesh_of(const bspscene_scene *scene, uint32_t crate)
{
	return scene->meshes[scene->nodes[node_of(scene, crate)]->mesh];
}

static int byte_of(const crates *c, float light)
{
	return (int)(fminf(light / c->gain, 1) * 255 + 0.5f);
}

static void set_mean(const crates *c, float mean)
{
	const bspscene_mesh *mesh = c->scene->meshes[c->mesh];
	for (uint32_t i = 0; i < 4 * mesh->vertex_count; i++) {
		((uint8_t *)mesh->colors)[i] = (uint8_t)(i % 4 == 3 ? 255 : byte_of(c, mean));
	}
}

/* Loads the crates with one light for each. `mean` is the light of their common mesh. */
static void begin(crates *c, const float *lights, uint32_t count, float mean)
{
	char text[1024] = "{ \"classname\" \"worldspawn\" }";
	memset(c, 0, sizeof *c);
	c->count = count;
	bspt_furnished_begin(&c->game);
	bspt_furnished_add_model(&c->game, "md3", "crate.md3");
	for (uint32_t i = 0; i < count; i++) {
		size_t at = strlen(text);
		snprintf(text + at, sizeof text - at,
		         "{ \"classname\" \"crate\" \"model\" \"crate.md3\" \"origin\" \"%u 64 32\" }", 16 * i + 16);
	}
	bspt_furnished_load(&c->game, &bspi_family_quake3, text);
	c->scene = c->game.scene;
	c->gain = bspi_color_intensity(c->scene);
	c->mesh = bspt_furnished_mesh(&c->game, "crate:1");
	set_mean(c, mean);
	for (uint32_t i = 0; i < count; i++) {
		bspscene_prop *prop = (bspscene_prop *)c->scene->props[c->scene->nodes[node_of(c->scene, i)]->prop];
		assert_non_null(prop->light_sample);
		for (int k = 0; k < 18; k++) c->lights[i].sides[k / 3][k % 3] = lights[i];
		prop->light_sample = &c->lights[i];
	}
}

static bspscene_scene *bake(const crates *c, uint32_t triangle_limit, bspscene_bake_report *report)
{
	bspscene_error error;
	bspscene_bake_options options;
	bspscene_bake_options_init(&options);
	bspscene_bake_report_init(report);
	options.model_light_error = ASKED;
	options.triangle_limit = triangle_limit;
	options.report = report;
	bspscene_scene *baked = bspscene_bake_light(c->scene, &options, &error);
	if (!baked) fail_msg("%s", error.message);
	return baked;
}

static void end(crates *c, bspscene_scene *baked)
{
	bspscene_scene_free(baked);
	bspt_furnished_end(&c->game);
}

static void assert_light(const crates *c, const bspscene_mesh *mesh, float light)
{
	for (uint32_t v = 0; v < mesh->vertex_count; v++) {
		assert_true(abs(mesh->colors[4 * v] - byte_of(c, light)) <= 1);
		assert_int_equal(mesh->colors[4 * v + 3], 255);
	}
}

static void crates_in_other_light_have_meshes_of_their_own(void **state)
{
	static const float lights[] = { 0.9f, 0.5f, 0.1f, 0.91f, 0.12f, 0.52f };
	crates c;
	bspscene_bake_report report;
	(void)state;
	begin(&c, lights, 6, 0.5f);
	bspscene_scene *baked = bake(&c, 0, &report);
	assert_int_equal(baked->mesh_count, c.scene->mesh_count + 2);
	assert_int_equal(report.meshes_for_light, 2);
	assert_true(report.model_light_error == ASKED);
	const bspscene_mesh *bright = mesh_of(baked, 0), *middle = mesh_of(baked, 1), *dark = mesh_of(baked, 2);
	assert_ptr_equal(mesh_of(baked, 3), bright);
	assert_ptr_equal(mesh_of(baked, 4), dark);
	assert_ptr_equal(mesh_of(baked, 5), middle);
	assert_string_equal(bright->name, "crate.md3:light1");
	assert_string_equal(dark->name, "crate.md3:light2");
	assert_string_equal(middle->name, "crate.md3");
	assert_light(&c, bright, 0.9f);
	assert_light(&c, middle, 0.5f);
	assert_light(&c, dark, 0.1f);
	assert_ptr_equal(bright->positions, middle->positions);
	assert_int_equal(baked->counts->triangles, c.scene->counts->triangles + 2 * (middle->index_count / 3));
	assert_int_equal(c.scene->nodes[node_of(c.scene, 0)]->mesh, c.mesh); /* The scene itself does not change. */
	end(&c, baked);
}

/* Two crates with different light need two meshes. No crate would keep the original mesh, so one of the crates takes it
 * over. */
static void a_mesh_that_none_is_left_with_is_taken_over(void **state)
{
	static const float lights[] = { 0.9f, 0.1f };
	(void)state;
	for (uint32_t count = 1; count <= 2; count++) {
		crates c;
		bspscene_bake_report report;
		begin(&c, lights, count, 0.5f);
		bspscene_scene *baked = bake(&c, 0, &report);
		assert_int_equal(baked->mesh_count, c.scene->mesh_count + count - 1);
		assert_int_equal(baked->nodes[node_of(baked, 0)]->mesh, c.mesh);
		assert_string_equal(mesh_of(baked, 0)->name, "crate.md3");
		for (uint32_t i = 0; i < count; i++) assert_light(&c, mesh_of(baked, i), lights[i]);
		end(&c, baked);
	}
}

/* A difference in one channel, brighter or darker, is enough to give two crates different meshes. */
static void one_channel_is_enough(void **state)
{
	static const float lights[] = { 0.5f, 0.5f }, others[] = { 0.8f, 0.2f };
	(void)state;
	for (int i = 0; i < 6; i++) {
		int channel = i % 3;
		float other = others[i / 3];
		crates c;
		bspscene_bake_report report;
		begin(&c, lights, 2, 0.5f);
		for (int side = 0; side < 6; side++) c.lights[1].sides[side][channel] = other;
		bspscene_scene *baked = bake(&c, 0, &report);
		assert_int_equal(report.meshes_for_light, 1);
		const bspscene_mesh *mesh = mesh_of(baked, 1);
		for (uint32_t v = 0; v < mesh->vertex_count; v++) {
			for (int k = 0; k < 3; k++) {
				assert_true(abs(mesh->colors[4 * v + (uint32_t)k] - byte_of(&c, k == channel ? other : 0.5f)) <= 1);
			}
		}
		assert_light(&c, mesh_of(baked, 0), 0.5f);
		end(&c, baked);
	}
}

/* A crate whose top is rotated to -y shows the light from -y there; an upright crate shows the light from above. */
static void light_comes_from_its_side_whichever_way_a_crate_is_turned(void **state)
{
	static const float lights[] = { 0, 0 };
	enum { BELOW_Y = 3, ABOVE = 4 };
	crates c;
	bspscene_bake_report report;
	(void)state;
	begin(&c, lights, 2, 0.5f);
	bspscene_node *node = (bspscene_node *)c.scene->nodes[node_of(c.scene, 1)];
	const float turn[12] = { 1, 0, 0, node->transform[3], 0, 0, -1, node->transform[7], 0, 1, 0, node->transform[11] };
	memcpy(node->transform, turn, sizeof turn);
	c.lights[0].sides[ABOVE][1] = 0.8f;
	c.lights[1].sides[BELOW_Y][1] = 0.4f;
	bspscene_scene *baked = bake(&c, 0, &report);
	for (uint32_t i = 0; i < 2; i++) {
		const bspscene_mesh *mesh = mesh_of(baked, i);
		uint32_t tops = 0;
		for (uint32_t v = 0; v < mesh->vertex_count; v++) {
			bool top = mesh->normals[3 * v + 2] > 0.99f;
			assert_true(abs(mesh->colors[4 * v + 1] - (top ? byte_of(&c, i ? 0.4f : 0.8f) : 0)) <= 1);
			assert_int_equal(mesh->colors[4 * v] | mesh->colors[4 * v + 2], 0);
			tops += top;
		}
		assert_true(tops && tops < mesh->vertex_count);
	}
	end(&c, baked);
}

static void what_is_near_enough_stays_as_it_is(void **state)
{
	static const float lights[] = { 0.52f, 0.48f };
	crates c;
	bspscene_bake_report report;
	(void)state;
	begin(&c, lights, 2, 0.5f);
	bspscene_scene *baked = bake(&c, 0, &report);
	assert_ptr_equal(baked->nodes, c.scene->nodes);
	assert_int_equal(baked->mesh_count, c.scene->mesh_count);
	assert_int_equal(report.meshes_for_light, 0);
	end(&c, baked);
}

/* Errors are differences of the light that is seen, in steps of 1/255. They do not depend on the factor by which the
 * game brightens vertex colors. */
static void the_error_is_of_what_is_seen(void **state)
{
	static const struct {
		float other;
		uint32_t meshes;
	} cases[] = {
		{ 0.3f + 10 / 255.0f, 0 },
		{ 0.3f + 20 / 255.0f, 1 },
		{ 0.3f - 20 / 255.0f, 1 },
		{ 0.3f - 10 / 255.0f, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const float lights[] = { 0.3f, cases[i].other };
		crates c;
		bspscene_bake_report report;
		begin(&c, lights, 2, 0.3f);
		assert_true(c.scene->lightmap_set_count > 0);
		((bspscene_lightmap_set *)c.scene->lightmap_sets)[0].intensity = c.gain = 2;
		set_mean(&c, 0.3f);
		bspscene_scene *baked = bake(&c, 0, &report);
		assert_int_equal(report.meshes_for_light, cases[i].meshes);
		end(&c, baked);
	}
}

/* Stored light, as for Source's props, takes precedence over the light of the position. */
static void stored_light_is_taken_as_it_is(void **state)
{
	static const float lights[] = { 0.5f, 0.5f };
	static uint8_t stored[4 * 4096];
	crates c;
	bspscene_bake_report report;
	(void)state;
	begin(&c, lights, 2, 0.5f);
	bspscene_prop *prop = (bspscene_prop *)c.scene->props[c.scene->nodes[node_of(c.scene, 1)]->prop];
	assert_true(c.scene->meshes[c.mesh]->vertex_count <= 4096);
	for (size_t i = 0; i < sizeof stored; i++) stored[i] = (uint8_t)(i % 4 == 3 ? 255 : 3);
	prop->colors = stored;
	bspscene_scene *baked = bake(&c, 0, &report);
	assert_int_equal(report.meshes_for_light, 1);
	assert_int_equal(mesh_of(baked, 1)->colors[0], 3);
	assert_int_equal(baked->nodes[node_of(baked, 0)]->mesh, c.mesh);
	end(&c, baked);
}

/* Three further meshes would be needed. If the limit of triangles does not allow them, the allowed error grows until
 * fewer meshes suffice. */
static void the_error_grows_until_the_limit_holds(void **state)
{
	static const float lights[] = { 0.9f, 0.5f, 0.1f, 0.75f };
	crates c;
	bspscene_bake_report report;
	(void)state;
	begin(&c, lights, 4, 0.5f);
	uint32_t each = c.scene->meshes[c.mesh]->index_count / 3, before = c.scene->counts->triangles;
	bspscene_scene *baked = bake(&c, before + 6 * each, &report);
	assert_int_equal(report.meshes_for_light, 3);
	bspscene_scene_free(baked);
	baked = bake(&c, before + 4 * each, &report);
	assert_true(report.meshes_for_light <= 2 && report.model_light_error > ASKED);
	assert_true(baked->counts->triangles <= before + 2 * each);
	bspscene_scene_free(baked);
	/* Models may only use half of the triangles that the limit leaves. The other half is for the world. */
	baked = bake(&c, before + each, &report);
	assert_int_equal(report.meshes_for_light, 0);
	bspscene_scene_free(baked);
	baked = bake(&c, before, &report);
	assert_int_equal(report.meshes_for_light, 0);
	assert_ptr_equal(baked->nodes, c.scene->nodes);
	end(&c, baked);
}

static void options_are_checked(void **state)
{
	static const struct {
		float error;
		bool keep, vertices, fine;
	} cases[] = {
		{ 0, true, false, true },    { 255, false, true, true },   { 14, true, true, false },
		{ -1, false, false, false }, { 256, false, false, false }, { NAN, false, false, false },
	};
	static const float lights[] = { 0.9f, 0.1f };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		crates c;
		bspscene_error error;
		bspscene_bake_options options;
		begin(&c, lights, 2, 0.5f);
		bspscene_bake_options_init(&options);
		options.model_light_error = cases[i].error;
		options.keep_styles = cases[i].keep;
		options.vertices = cases[i].vertices;
		bspscene_scene *baked = bspscene_bake_light(c.scene, &options, &error);
		assert_int_equal(error.status, cases[i].fine ? BSPSCENE_OK : BSPSCENE_ERROR_BAD_OPTIONS);
		if (baked && cases[i].keep) assert_ptr_equal(baked->lightmap_sets, c.scene->lightmap_sets);
		end(&c, baked);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(crates_in_other_light_have_meshes_of_their_own),
		cmocka_unit_test(a_mesh_that_none_is_left_with_is_taken_over),
		cmocka_unit_test(one_channel_is_enough),
		cmocka_unit_test(light_comes_from_its_side_whichever_way_a_crate_is_turned),
		cmocka_unit_test(what_is_near_enough_stays_as_it_is),
		cmocka_unit_test(the_error_is_of_what_is_seen),
		cmocka_unit_test(stored_light_is_taken_as_it_is),
		cmocka_unit_test(the_error_grows_until_the_limit_holds),
		cmocka_unit_test(options_are_checked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
