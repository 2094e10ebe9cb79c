/* Promise: everything an entity says is kept in file order, whatever shape the text is in, and lights, cameras and
 * models come out as the games mean them (id-tech.md 12). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "stages/stages.h"

static const bspi_camera_rule cameras[] = {
	{ "info_player_intermission", BSPSCENE_CAMERA_INTERMISSION, false },
	{ "info_player_*", BSPSCENE_CAMERA_SPAWN, false },
	{ NULL, BSPSCENE_CAMERA_OTHER, false },
};
static const char *const hidden[] = { "trigger_*", NULL };

typedef struct fixture {
	bspi_ctx ctx;
	bspi_map map;
	bspscene_scene scene;
	bspi_entity_rules rules;
	bspi_build build;
	bspi_model models[4];
} fixture;

static void build(fixture *f, bspi_light_dialect dialect, const char *text)
{
	memset(f, 0, sizeof *f);
	f->ctx.file = "test.bsp";
	f->ctx.budget.limit = 64u << 20;
	bspi_begin_memory(&f->ctx);
	f->rules = (bspi_entity_rules){
		.lights = dialect, .cameras = cameras, .hidden = hidden, .render_modes = true, .first_switchable_style = 32,
	};
	f->map.rules.entities = &f->rules;
	f->map.rules.eye_height = 26;
	f->map.models = f->models;
	f->map.models_count = 4;
	f->map.entities = bspi_bytes_of(text, strlen(text));
	f->build = (bspi_build){ .ctx = &f->ctx, .map = &f->map, .scene = &f->scene };
	f->scene.name = "test";
	static const uint32_t mesh_of_part[] = {
		BSPSCENE_NO_INDEX, BSPSCENE_NO_INDEX, BSPSCENE_NO_INDEX, BSPSCENE_NO_INDEX,
	};
	f->build.mesh_of_part = mesh_of_part;
	assert_true(bspi_build_entities(&f->build));
	assert_true(bspi_build_nodes(&f->build));
}

static void release(fixture *f)
{
	bspi_end_memory(&f->ctx);
	assert_int_equal(f->ctx.budget.used, 0);
}

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
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fixture f;
		build(&f, BSPI_LIGHTS_QUAKE3, cases[i].text);
		assert_int_equal(f.scene.entity_count, cases[i].entities);
		assert_int_equal(f.scene.pair_count, cases[i].pairs);
		assert_int_equal(f.ctx.warning_count, cases[i].warnings);
		release(&f);
	}
}

static void repeated_keys_are_kept_and_asked_as_the_game_does(void **state)
{
	fixture f;
	(void)state;
	build(&f, BSPI_LIGHTS_QUAKE3, "{ \"Origin \" \"1, 2, 3\" \"k\" \"first\" \"K\" \"last\" }");
	assert_string_equal(bspscene_entity_value(&f.scene, 0, "k"), "last");
	f.scene.first_value_wins = true;
	assert_string_equal(bspscene_entity_value(&f.scene, 0, "k"), "first");
	assert_null(bspscene_entity_value(&f.scene, 0, "absent"));
	assert_null(bspscene_entity_value(&f.scene, 7, "k"));
	assert_true(f.scene.entities[0].origin[1] == 2);
	release(&f);
}

static void nodes_stand_where_their_entities_do(void **state)
{
	fixture f;
	(void)state;
	build(&f, BSPI_LIGHTS_QUAKE3,
	      "{ \"classname\" \"worldspawn\" }"
	      "{ \"classname\" \"func_door\" \"model\" \"*2\" \"origin\" \"8 0 0\" \"angle\" \"90\""
	      " \"model2\" \"models/x.md3\" }"
	      "{ \"classname\" \"trigger_multiple\" \"model\" \"*9\" }"
	      "{ \"classname\" \"info_player_deathmatch\" \"origin\" \"0 0 10\" \"angle\" \"90\" }"
	      "{ \"classname\" \"far\" \"origin\" \"1e30 0 0\" }");
	const bspscene_node *door = &f.scene.nodes[f.scene.entities[1].node];
	assert_int_equal(door->kind, BSPSCENE_NODE_BRUSH_ENTITY);
	assert_int_equal(f.scene.entities[1].model, 2);
	assert_true(door->transform[3] == 8 && door->transform[0] == 1);   /* moved, never turned */
	assert_string_equal(f.scene.props[0].model, "models/x.md3");
	assert_int_equal(f.scene.nodes[f.scene.props[0].node].parent, f.scene.entities[1].node);

	assert_int_equal(f.scene.entities[2].model, BSPSCENE_NO_INDEX);    /* there is no model 9 */
	assert_true(f.scene.nodes[f.scene.entities[2].node].hidden);

	assert_int_equal(f.scene.camera_count, 1);
	float eye[12];
	bspscene_node_world_transform(&f.scene, f.scene.cameras[0].node, eye);
	assert_true(eye[11] == 36 && fabsf(eye[4] - 1) < 1e-6f);           /* 26 above, looking along +Y */
	assert_true(f.scene.entities[4].origin[0] == 0);
	assert_int_equal(f.scene.counts.brush_entities, 1);
	release(&f);
}

static void lights_are_read_in_every_dialect(void **state)
{
	static const struct {
		bspi_light_dialect dialect;
		const char *text;
		bspscene_light_kind kind;
		float intensity, red, green, outer;
	} cases[] = {
		{ BSPI_LIGHTS_QUAKE, "{ \"classname\" \"light\" }", BSPSCENE_LIGHT_POINT, 300, 1, 1, 0 },
		{ BSPI_LIGHTS_QUAKE, "{ \"classname\" \"light\" \"_color\" \"255 127.5 0\" \"light\" \"200\" }",
		  BSPSCENE_LIGHT_POINT, 200, 1, .5f, 0 },
		{ BSPI_LIGHTS_QUAKE, "{ \"classname\" \"light\" \"mangle\" \"0 -90 0\" }", BSPSCENE_LIGHT_SPOT, 300, 1, 1, 20 },
		{ BSPI_LIGHTS_QUAKE2, "{ \"classname\" \"light_spot\" \"_cone\" \"25\" \"angle\" \"-2\" }", BSPSCENE_LIGHT_SPOT,
		  300, 1, 1, 25 },
		{ BSPI_LIGHTS_QUAKE3, "{ \"classname\" \"light\" \"light\" \"100\" \"scale\" \"2\" \"_color\" \".5 .25 0\" }",
		  BSPSCENE_LIGHT_POINT, 200, 1, .5f, 0 },
		{ BSPI_LIGHTS_QUAKE3,
		  "{ \"classname\" \"light\" \"target\" \"t\" \"radius\" \"48\" }"
		  " { \"targetname\" \"t\" \"origin\" \"0 0 -64\" }",
		  BSPSCENE_LIGHT_SPOT, 300, 1, 1, 45 },
		{ BSPI_LIGHTS_GOLDSRC, "{ \"classname\" \"light\" \"_light\" \"255 255 128 510\" }", BSPSCENE_LIGHT_POINT, 510,
		  1, 1, 0 },
		{ BSPI_LIGHTS_GOLDSRC, "{ \"classname\" \"light\" \"_light\" \"200\" }", BSPSCENE_LIGHT_POINT, 200, 1, 1, 0 },
		{ BSPI_LIGHTS_GOLDSRC, "{ \"classname\" \"light_environment\" \"_light\" \"255 128 0 100\" \"pitch\" \"-90\" }",
		  BSPSCENE_LIGHT_SUN, 100, 1, .502f, 10 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fixture f;
		build(&f, cases[i].dialect, cases[i].text);
		assert_int_equal(f.scene.light_count, 1);
		const bspscene_light *light = &f.scene.lights[0];
		assert_int_equal(light->kind, cases[i].kind);
		assert_true(fabsf(light->intensity - cases[i].intensity) < .01f);
		assert_true(fabsf(light->color[0] - cases[i].red) < .01f && fabsf(light->color[1] - cases[i].green) < .01f);
		assert_true(fabsf(light->outer_angle_degrees - cases[i].outer) < .01f);
		if (light->kind != BSPSCENE_LIGHT_POINT) {
			/* All of these point straight down: the node's +X axis. */
			const float *m = f.scene.nodes[light->node].transform;
			assert_true(fabsf(m[8] + 1) < 1e-5f);
		}
		release(&f);
	}
}

static void styles_in_use_are_named_and_linked_to_their_switch(void **state)
{
	fixture f;
	(void)state;
	build(&f, BSPI_LIGHTS_QUAKE,
	      "{ \"classname\" \"light\" \"style\" \"1\" } { \"classname\" \"light\" \"style\" \"32\" \"targetname\" "
	      "\"lamp\" }");
	assert_int_equal(f.scene.light_style_count, 2);
	assert_string_equal(f.scene.light_styles[0].pattern, "mmnmmommommnonmmonqnmmo");
	assert_true(f.scene.light_styles[1].switchable);
	assert_int_equal(f.scene.light_styles[1].entity, 1);
	assert_string_equal(f.scene.light_styles[1].name, "lamp");
	release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_of_any_shape_is_read),
		cmocka_unit_test(repeated_keys_are_kept_and_asked_as_the_game_does),
		cmocka_unit_test(nodes_stand_where_their_entities_do),
		cmocka_unit_test(lights_are_read_in_every_dialect),
		cmocka_unit_test(styles_in_use_are_named_and_linked_to_their_switch),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
