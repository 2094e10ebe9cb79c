/* Promise: the entities of a scene have everything that their text has, in file order and whatever notation the text
 * uses. Nodes of entities are placed as in the games (docs/formats/entities.md). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/text.h"
#include "support/map/entity_fixture.h"

static void text_of_any_shape_is_read(void **state)
{
	static const struct {
		const char *text;
		uint32_t entities, pairs, warnings;
	} cases[] = {
		{ "", 0, 0, 0 },
		{ "{\"classname\" \"worldspawn\"}", 1, 1, 0 },
		{ "{ \"a\" \"1\" \"a\" \"2\" }\r\n{ }", 2, 2, 0 },
		{ "// comment { \"x\" \"y\" }\n{ // worldspawn\n\"url\" \"http://x\" }", 1, 1, 0 },
		{ "{ bare words \"quoted\" word }", 1, 2, 0 },
		{ "{ \"back\\\" \"slash\\n\" }", 1, 1, 0 },
		{ "{ \"lonely\" } { \"a\" \"b\" }", 2, 1, 0 },
		{ "{ \"a\" \"b\" ", 1, 1, 1 },
		{ "{ \"a\" \"unterminated", 1, 1, 1 },
		{ "{ \"a\" \"\xe9t\xe9\" }", 1, 1, 1 },
		{ "} { \"a\" \"b\" } }", 1, 1, 0 },
		/* A missing quote loses the rest of its entity only. */
		{ "{\n\"a\" \"1\"\n\"\n\"b\" \"2\"\n}\n{\n\"c\" \"3\"\n}\n", 2, 2, 1 },
		{ "{\n\"a\" \"1\"\n\"b\" \"2\n}\n{\n\"c\" \"3\"\n\"d\" \"4\"\n}\n", 2, 3, 1 },
		{ "{\n\"a\" \"1\"\n}\n{\n\"b\" \"2\"\n}\n\"", 2, 2, 0 },
		{ "{ \"text\" \"two\nlines { } of it\" }", 1, 1, 0 },
		{ "{ \"\" \"nobody\" \" \" \"either\" \"a\" \"b\" }", 1, 1, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_entity_fixture f;
		bspt_build_entities(&f, BSPT_QUAKE3, cases[i].text);
		assert_int_equal(f.scene.entity_count, cases[i].entities);
		assert_int_equal(f.scene.pair_count, cases[i].pairs);
		assert_int_equal(f.ctx.warning_count, cases[i].warnings);
		bspt_release_entities(&f);
	}
}

static void numbers_are_read_as_the_game_does(void **state)
{
	bspt_entity_fixture f;
	(void)state;
	static const char text[] = "{ \"classname\" \"info_target\" \"origin\" \"1, 2, 3\" \"angles\" \"0;90;0\" }"
	                           "{ \"classname\" \"prop_dynamic\" \"model\" \"sprites/glow01.vmt\" "
	                           "\"angles\" \"0 90 0\" \"angle\" \"-1\" }"
	                           "{ \"classname\" \"env_sprite\" \"model\" \"a.spr\" \"angle\" \"-2\" }";
	bspt_build_entities(&f, BSPT_QUAKE3, text);
	assert_true(f.scene.entities[0]->origin[1] == 2);
	assert_true(fabsf(f.scene.nodes[f.scene.entities[0]->node]->transform[4] - 1) < 1e-5f);
	bspt_release_entities(&f);
	bspt_build_entities(&f, BSPT_SOURCE, text);
	assert_true(f.scene.entities[0]->origin[0] == 1 && f.scene.entities[0]->origin[1] == 0);
	assert_true(f.scene.nodes[f.scene.entities[0]->node]->transform[0] == 1);
	assert_int_equal(f.scene.prop_count, 2);
	assert_string_equal(f.scene.props[0]->model, "sprites/glow01.vmt");
	assert_true(fabsf(f.scene.nodes[f.scene.props[0]->node]->transform[4] - 1) < 1e-5f);
	assert_true(fabsf(f.scene.nodes[f.scene.props[1]->node]->transform[8] + 1) < 1e-5f);
	bspt_release_entities(&f);
}

/* A player start may have the angle -1 or -2, for example in e1m1. For player starts, Quake reads these as degrees of
 * yaw, not as "up" and "down". So must the camera. */
static void who_stands_turns_by_any_angle(void **state)
{
	static const struct { const char *angle; bool yaw; float forward[3]; } cases[] = {
		{ "\"angle\" \"-1\"", true, { .9998477f, -.0174524f, 0 } },
		{ "\"angle\" \"-2\"", true, { .9993908f, -.0348995f, 0 } },
		{ "\"angle\" \"-1\"", false, { 0, 0, 1 } },
		{ "\"angle\" \"-1\" \"angles\" \"0 90 0\"", true, { 0, 1, 0 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_entity_fixture f;
		char text[200];
		snprintf(text, sizeof text, "{ \"classname\" \"info_player_start\" %s }"
		         "{ \"classname\" \"env_sprite\" \"model\" \"a.mdl\" %s }", cases[i].angle, cases[i].angle);
		bspt_build_entities_of(&f, BSPT_QUAKE3, cases[i].yaw ? BSPT_ANGLE_IS_YAW : 0, text);
		for (uint32_t entity = 0; entity < 2; entity++) {
			const float *m = f.scene.nodes[f.scene.entities[entity]->node]->transform;
			for (int k = 0; k < 3; k++) assert_true(fabsf(m[4 * k] - cases[i].forward[k]) < 1e-5f);
		}
		bspt_release_entities(&f);
	}
}

static void repeated_keys_are_kept_and_asked_as_the_game_does(void **state)
{
	bspt_entity_fixture f;
	(void)state;
	bspt_build_entities(&f, BSPT_QUAKE3, "{ \"Origin \" \"1, 2, 3\" \"k\" \"first\" \"K\" \"last\" }");
	assert_string_equal(bspscene_entity_value(&f.scene, 0, "k"), "last");
	f.scene.first_key_wins = true;
	assert_string_equal(bspscene_entity_value(&f.scene, 0, "k"), "first");
	assert_null(bspscene_entity_value(&f.scene, 0, "absent"));
	assert_null(bspscene_entity_value(&f.scene, 7, "k"));
	assert_true(f.scene.entities[0]->origin[1] == 2);
	bspt_release_entities(&f);
}

static void nodes_stand_where_their_entities_do(void **state)
{
	bspt_entity_fixture f;
	(void)state;
	bspt_build_entities(&f, BSPT_QUAKE3,
	      "{ \"classname\" \"worldspawn\" }"
	      "{ \"classname\" \"func_door\" \"model\" \"*2\" \"origin\" \"8 0 0\" \"angle\" \"90\""
	      " \"model2\" \"models/x.md3\" }"
	      "{ \"classname\" \"trigger_multiple\" \"model\" \"*9\" }"
	      "{ \"classname\" \"info_player_deathmatch\" \"origin\" \"0 0 10\" \"angle\" \"90\" }"
	      "{ \"classname\" \"far\" \"origin\" \"1e30 0 0\" }");
	const bspscene_node *door = f.scene.nodes[f.scene.entities[1]->node];
	assert_int_equal(door->kind, BSPSCENE_NODE_BRUSH_ENTITY);
	assert_int_equal(f.scene.entities[1]->model, 2);
	assert_true(door->transform[3] == 8 && door->transform[0] == 1);   /* moved, not rotated */
	assert_string_equal(f.scene.props[0]->model, "models/x.md3");
	assert_int_equal(f.scene.nodes[f.scene.props[0]->node]->parent, f.scene.entities[1]->node);

	assert_int_equal(f.scene.entities[2]->model, BSPSCENE_NO_INDEX);    /* there is no model 9 */
	assert_int_equal(f.ctx.warnings[0].code, BSPSCENE_WARNING_REFERENCE);
	assert_true(f.scene.nodes[f.scene.entities[2]->node]->hidden);

	assert_int_equal(f.scene.camera_count, 1);
	float eye[12];
	bspscene_node_world_transform(&f.scene, f.scene.cameras[0]->node, eye);
	/* The eye is 26 units above the entity's origin (10), and looks along +Y. */
	assert_true(eye[11] == 36 && fabsf(eye[4] - 1) < 1e-6f);
	assert_true(f.scene.entities[4]->origin[0] == 0);
	assert_int_equal(f.scene.counts->brush_entities, 1);
	bspt_release_entities(&f);
}

/* The scale keys apply to the model's own axes. A yaw of 90 degrees turns the model's X axis to the map's Y axis, and
 * its Y axis to -X. */
static void models_are_scaled_along_their_own_axes(void **state)
{
	static const struct { const char *keys; float want[3][3]; } cases[] = {
		{ "\"angle\" \"0\" \"modelscale_vec\" \"2 3 5\"", { { 2, 0, 0 }, { 0, 3, 0 }, { 0, 0, 5 } } },
		{ "\"angle\" \"90\" \"modelscale_vec\" \"2 3 5\"", { { 0, -3, 0 }, { 2, 0, 0 }, { 0, 0, 5 } } },
		{ "\"angles\" \"-90 0 0\" \"modelscale_vec\" \"2 3 5\"", { { 0, 0, -5 }, { 0, 3, 0 }, { 2, 0, 0 } } },
		{ "\"angle\" \"90\" \"modelscale\" \"2\"", { { 0, -2, 0 }, { 2, 0, 0 }, { 0, 0, 2 } } },
		{ "\"angle\" \"90\" \"modelscale_vec\" \"2 3\"", { { 0, -1, 0 }, { 1, 0, 0 }, { 0, 0, 1 } } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_entity_fixture f;
		char text[200];
		snprintf(text, sizeof text, "{ \"classname\" \"worldspawn\" } "
		         "{ \"classname\" \"misc_gamemodel\" \"model\" \"models/x.md3\" %s }", cases[i].keys);
		bspt_build_entities(&f, BSPT_QUAKE3, text);
		assert_int_equal(f.scene.prop_count, 1);
		const float *transform = f.scene.nodes[f.scene.props[0]->node]->transform;
		for (size_t k = 0; k < 9; k++) {
			float is = transform[k / 3 * 4 + k % 3], want = cases[i].want[k / 3][k % 3];
			if (fabsf(is - want) > 1e-5f) fail_msg("%s: %g instead of %g", cases[i].keys, (double)is, (double)want);
		}
		bspt_release_entities(&f);
	}
}

/* The cameras of intermissions look level, whatever their angle. The value -1 is a yaw for them; for movers it means
 * "up". */
static void views_look_level(void **state)
{
	static const struct { const char *keys; float ahead[3], fov_degrees; } cases[] = {
		{ "\"angle\" \"-1\"", { 0.99985f, -0.01745f, 0 }, 90 }, { "\"angle\" \"90\"", { 0, 1, 0 }, 90 },
		{ "\"angles\" \"-90 0 0\" \"fov\" \"170\"", { 0, 0, 1 }, 170 }, { "\"fov\" \"1\"", { 1, 0, 0 }, 1 },
		{ "\"fov\" \"170.5\"", { 1, 0, 0 }, 90 }, { "\"fov\" \"0.5\"", { 1, 0, 0 }, 90 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_entity_fixture f;
		char text[160];
		float eye[12];
		snprintf(text, sizeof text, "{ \"classname\" \"worldspawn\" } "
		         "{ \"classname\" \"info_player_intermission\" %s }", cases[i].keys);
		bspt_build_entities_of(&f, BSPT_QUAKE, BSPT_ANGLE_IS_YAW, text);
		assert_int_equal(f.scene.camera_count, 1);
		bspscene_node_world_transform(&f.scene, f.scene.cameras[0]->node, eye);
		for (int k = 0; k < 3; k++) {
			if (fabsf(eye[4 * k] - cases[i].ahead[k]) > 1e-4f) fail_msg("%s: %g", cases[i].keys, (double)eye[4 * k]);
		}
		assert_true(f.scene.cameras[0]->fov_degrees == cases[i].fov_degrees);
		bspt_release_entities(&f);
	}
}

/* A spawn point triggers its target when a player appears there. Only other cameras look at their targets. */
static void spawn_points_do_not_look_at_targets(void **state)
{
	static const struct { const char *name; float ahead[3]; } cases[] = {
		{ "info_player_start", { 0, 1, 0 } }, { "info_player_intermission", { 0, 0, -1 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_entity_fixture f;
		char text[300];
		float eye[12];
		snprintf(text, sizeof text, "{ \"classname\" \"worldspawn\" } "
		         "{ \"classname\" \"%s\" \"origin\" \"8 8 80\" \"angle\" \"90\" \"target\" \"t\" } "
		         "{ \"classname\" \"info_notnull\" \"origin\" \"8 8 16\" \"targetname\" \"t\" }", cases[i].name);
		bspt_build_entities(&f, BSPT_QUAKE3, text);
		assert_int_equal(f.scene.camera_count, 1);
		bspscene_node_world_transform(&f.scene, f.scene.cameras[0]->node, eye);
		for (int k = 0; k < 3; k++) {
			if (fabsf(eye[4 * k] - cases[i].ahead[k]) > 1e-5f) fail_msg("%s: %g", cases[i].name, (double)eye[4 * k]);
		}
		bspt_release_entities(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_of_any_shape_is_read),
		cmocka_unit_test(numbers_are_read_as_the_game_does),
		cmocka_unit_test(who_stands_turns_by_any_angle),
		cmocka_unit_test(repeated_keys_are_kept_and_asked_as_the_game_does),
		cmocka_unit_test(nodes_stand_where_their_entities_do),
		cmocka_unit_test(models_are_scaled_along_their_own_axes),
		cmocka_unit_test(views_look_level),
		cmocka_unit_test(spawn_points_do_not_look_at_targets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
