/* Promise: everything an entity says is kept in file order, whatever shape the text is in, and lights, cameras and
 * models come out as the games mean them (docs/formats/entities.md). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/text.h"
#include "map/family.h"
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
	bspi_scene_parts parts;
	bspi_entity_rules rules;
	bspi_build build;
	bspi_model models[4];
} fixture;

static bool hdr_lights, angle_is_yaw;  /* of the maps that are built */

/* Whose rules of lights are tried. */
typedef enum dialect { QUAKE, QUAKE2, QUAKE3, GOLDSRC, SOURCE } dialect;

static const bspi_light_rules *lights_of(dialect which)
{
	const bspi_family *const families[] = {
		[QUAKE] = &bspi_family_quake, [QUAKE2] = &bspi_family_quake2, [QUAKE3] = &bspi_family_quake3,
		[GOLDSRC] = &bspi_family_goldsrc, [SOURCE] = &bspi_family_vbsp,
	};
	return families[which]->variants[0].rules->entities->lights;
}

static void build(fixture *f, dialect whose, const char *text)
{
	memset(f, 0, sizeof *f);
	f->ctx.file = "test.bsp";
	f->ctx.budget.limit = 64u << 20;
	bspi_begin_memory(&f->ctx);
	f->rules = (bspi_entity_rules){
		.lights = lights_of(whose), .cameras = cameras, .hidden = hidden, .render_modes = true,
		.first_switchable_style = 32, .starts_off = 1, .angle_is_yaw = angle_is_yaw,
	};
	f->map.rules.entities = &f->rules;
	f->map.rules.eye_height = 26;
	f->map.rules.intensity = 1.375f;
	f->map.rules.scanned_numbers = f->map.rules.first_value_wins = whose == SOURCE;
	f->map.hdr_lights = hdr_lights;
	f->map.models = f->models;
	f->map.models_count = 4;
	f->map.entities = bspi_bytes_of(text, strlen(text));
	bspi_set_parts(&f->scene, &f->parts);
	f->build = (bspi_build){ .ctx = &f->ctx, .map = &f->map, .scene = &f->scene, .parts = &f->parts };
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
		/* A lost quote costs the rest of its entity, wherever it is, and no other's. */
		{ "{\n\"a\" \"1\"\n\"\n\"b\" \"2\"\n}\n{\n\"c\" \"3\"\n}\n", 2, 2, 1 },
		{ "{\n\"a\" \"1\"\n\"b\" \"2\n}\n{\n\"c\" \"3\"\n\"d\" \"4\"\n}\n", 2, 3, 1 },
		{ "{\n\"a\" \"1\"\n}\n{\n\"b\" \"2\"\n}\n\"", 2, 2, 0 },
		{ "{ \"text\" \"two\nlines { } of it\" }", 1, 1, 0 },
		{ "{ \"\" \"nobody\" \" \" \"either\" \"a\" \"b\" }", 1, 1, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fixture f;
		build(&f, QUAKE3, cases[i].text);
		assert_int_equal(f.scene.entity_count, cases[i].entities);
		assert_int_equal(f.scene.pair_count, cases[i].pairs);
		assert_int_equal(f.ctx.warning_count, cases[i].warnings);
		release(&f);
	}
}

static void numbers_are_read_as_the_game_does(void **state)
{
	fixture f;
	(void)state;
	static const char text[] = "{ \"classname\" \"info_target\" \"origin\" \"1, 2, 3\" \"angles\" \"0;90;0\" }"
	                           "{ \"classname\" \"prop_dynamic\" \"model\" \"sprites/glow01.vmt\" "
	                           "\"angles\" \"0 90 0\" \"angle\" \"-1\" }"
	                           "{ \"classname\" \"env_sprite\" \"model\" \"a.spr\" \"angle\" \"-2\" }";
	build(&f, QUAKE3, text);
	assert_true(f.scene.entities[0]->origin[1] == 2);
	assert_true(fabsf(f.scene.nodes[f.scene.entities[0]->node]->transform[4] - 1) < 1e-5f);
	release(&f);
	build(&f, SOURCE, text);
	assert_true(f.scene.entities[0]->origin[0] == 1 && f.scene.entities[0]->origin[1] == 0);
	assert_true(f.scene.nodes[f.scene.entities[0]->node]->transform[0] == 1);
	assert_int_equal(f.scene.prop_count, 2);
	assert_string_equal(f.scene.props[0]->model, "sprites/glow01.vmt");
	assert_true(fabsf(f.scene.nodes[f.scene.props[0]->node]->transform[4] - 1) < 1e-5f);
	assert_true(fabsf(f.scene.nodes[f.scene.props[1]->node]->transform[8] + 1) < 1e-5f);
	release(&f);
}

/* An eye of Quake's that looks into the sky at the start of e1m1. */
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
		fixture f;
		char text[200];
		snprintf(text, sizeof text, "{ \"classname\" \"info_player_start\" %s }"
		         "{ \"classname\" \"env_sprite\" \"model\" \"a.mdl\" %s }", cases[i].angle, cases[i].angle);
		angle_is_yaw = cases[i].yaw;
		build(&f, QUAKE3, text);
		for (uint32_t entity = 0; entity < 2; entity++) {
			const float *m = f.scene.nodes[f.scene.entities[entity]->node]->transform;
			for (int k = 0; k < 3; k++) assert_true(fabsf(m[4 * k] - cases[i].forward[k]) < 1e-5f);
		}
		release(&f);
	}
	angle_is_yaw = false;
}

static void repeated_keys_are_kept_and_asked_as_the_game_does(void **state)
{
	fixture f;
	(void)state;
	build(&f, QUAKE3, "{ \"Origin \" \"1, 2, 3\" \"k\" \"first\" \"K\" \"last\" }");
	assert_string_equal(bspscene_entity_value(&f.scene, 0, "k"), "last");
	f.scene.first_value_wins = true;
	assert_string_equal(bspscene_entity_value(&f.scene, 0, "k"), "first");
	assert_null(bspscene_entity_value(&f.scene, 0, "absent"));
	assert_null(bspscene_entity_value(&f.scene, 7, "k"));
	assert_true(f.scene.entities[0]->origin[1] == 2);
	release(&f);
}

static void nodes_stand_where_their_entities_do(void **state)
{
	fixture f;
	(void)state;
	build(&f, QUAKE3,
	      "{ \"classname\" \"worldspawn\" }"
	      "{ \"classname\" \"func_door\" \"model\" \"*2\" \"origin\" \"8 0 0\" \"angle\" \"90\""
	      " \"model2\" \"models/x.md3\" }"
	      "{ \"classname\" \"trigger_multiple\" \"model\" \"*9\" }"
	      "{ \"classname\" \"info_player_deathmatch\" \"origin\" \"0 0 10\" \"angle\" \"90\" }"
	      "{ \"classname\" \"far\" \"origin\" \"1e30 0 0\" }");
	const bspscene_node *door = f.scene.nodes[f.scene.entities[1]->node];
	assert_int_equal(door->kind, BSPSCENE_NODE_BRUSH_ENTITY);
	assert_int_equal(f.scene.entities[1]->model, 2);
	assert_true(door->transform[3] == 8 && door->transform[0] == 1);   /* moved, never turned */
	assert_string_equal(f.scene.props[0]->model, "models/x.md3");
	assert_int_equal(f.scene.nodes[f.scene.props[0]->node]->parent, f.scene.entities[1]->node);

	assert_int_equal(f.scene.entities[2]->model, BSPSCENE_NO_INDEX);    /* there is no model 9 */
	assert_int_equal(f.ctx.warnings[0].code, BSPSCENE_WARNING_REFERENCE);
	assert_true(f.scene.nodes[f.scene.entities[2]->node]->hidden);

	assert_int_equal(f.scene.camera_count, 1);
	float eye[12];
	bspscene_node_world_transform(&f.scene, f.scene.cameras[0]->node, eye);
	assert_true(eye[11] == 36 && fabsf(eye[4] - 1) < 1e-6f);           /* 26 above, looking along +Y */
	assert_true(f.scene.entities[4]->origin[0] == 0);
	assert_int_equal(f.scene.counts->brush_entities, 1);
	release(&f);
}

static void lights_are_read_in_every_dialect(void **state)
{
	static const struct {
		dialect dialect;
		const char *text;
		bspscene_light_kind kind;
		float intensity, red, green, outer;
	} cases[] = {
		{ QUAKE, "{ \"classname\" \"light\" }", BSPSCENE_LIGHT_POINT, 300, 1, 1, 0 },
		{ QUAKE, "{ \"classname\" \"light\" \"_color\" \"255 127.5 0\" \"light\" \"200\" }",
		  BSPSCENE_LIGHT_POINT, 200, 1, .5f, 0 },
		{ QUAKE, "{ \"classname\" \"light\" \"mangle\" \"0 -90 0\" }", BSPSCENE_LIGHT_SPOT, 300, 1, 1, 20 },
		{ QUAKE2, "{ \"classname\" \"light_spot\" \"_cone\" \"25\" \"angle\" \"-2\" }", BSPSCENE_LIGHT_SPOT,
		  300, 1, 1, 25 },
		{ QUAKE3, "{ \"classname\" \"light\" \"light\" \"100\" \"scale\" \"2\" \"_color\" \".5 .25 0\" }",
		  BSPSCENE_LIGHT_POINT, 200, 1, .5f, 0 },
		{ QUAKE3,
		  "{ \"classname\" \"light\" \"target\" \"t\" \"radius\" \"48\" }"
		  " { \"targetname\" \"t\" \"origin\" \"0 0 -64\" }",
		  BSPSCENE_LIGHT_SPOT, 300, 1, 1, 45 },
		{ GOLDSRC, "{ \"classname\" \"light\" \"_light\" \"255 255 128 510\" }", BSPSCENE_LIGHT_POINT, 510,
		  1, 1, 0 },
		{ GOLDSRC, "{ \"classname\" \"light\" \"_light\" \"200\" }", BSPSCENE_LIGHT_POINT, 200, 1, 1, 0 },
		{ GOLDSRC, "{ \"classname\" \"light_environment\" \"_light\" \"255 128 0 100\" \"pitch\" \"-90\" }",
		  BSPSCENE_LIGHT_SUN, 100, 1, .6846f, 10 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fixture f;
		build(&f, cases[i].dialect, cases[i].text);
		assert_int_equal(f.scene.light_count, 1);
		const bspscene_light *light = f.scene.lights[0];
		assert_int_equal(light->kind, cases[i].kind);
		assert_true(fabsf(light->intensity - cases[i].intensity) < .01f);
		assert_true(fabsf(light->color[0] - cases[i].red) < .01f && fabsf(light->color[1] - cases[i].green) < .01f);
		assert_true(fabsf(light->outer_angle_degrees - cases[i].outer) < .01f);
		if (light->kind != BSPSCENE_LIGHT_POINT) {
			/* All of these point straight down: the node's +X axis. */
			const float *m = f.scene.nodes[light->node]->transform;
			assert_true(fabsf(m[8] + 1) < 1e-5f);
		}
		release(&f);
	}
}

/* Twice the linear light of a wall to the power of 0.55, shown 1.375 times, to that of 2.2: where a lamp's is white it
 * is that of lamps that fade with the square of the distance. */
static void half_lifes_light_is_linear(void **state)
{
	static const struct { const char *text; float at_100, distance; } cases[] = {
		{ "{ \"classname\" \"light\" \"_light\" \"255 255 255 300\" }", 3.779f, 194.4f },
		{ "{ \"classname\" \"light\" \"_light\" \"150\" }", .4724f, 68.73f },
		{ "{ \"classname\" \"light_environment\" \"_light\" \"100 100 175 100\" \"angles\" \"60 0 0\" }", .9523f, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fixture f;
		build(&f, GOLDSRC, cases[i].text);
		const bspscene_light *light = f.scene.lights[0];
		assert_float_equal(light->light_at_100, cases[i].at_100, .002f);
		double away = cases[i].distance, part = light->intensity / 255;
		if (away > 0) part *= light->intensity * light->intensity / 10 / (away * away);
		double shown = pow(1.375 * pow(2 * part, .55), 2.2);
		assert_float_equal(shown, away > 0 ? 1 : cases[i].at_100, .005);
		release(&f);
	}
}

/* ---- Source ----------------------------------------------------------------------------------------------- */

#define LIGHT(keys) "{ \"classname\" \"light\" " keys " }"
#define SPOT(keys) "{ \"classname\" \"light_spot\" " keys " }"
#define RUNTIME(class) "{ \"classname\" \"" class "\" "
#define DISTANCES(half, zero) \
	"\"_fifty_percent_distance\" \"" half "\" \"_zero_percent_distance\" \"" zero "\" "
#define WHITE "\"_light\" \"255 255 255 200\" "

static void sources_brightness_is_vrads(void **state)
{
	static const struct { const char *text; bool hdr; float intensity, green; } cases[] = {
		{ LIGHT("\"_light\" \"255 128 0 200\""), false, 200, .502f },
		{ LIGHT("\"_light\" \"64 64 64 100\""), false, 4.7776f, 1 },
		{ LIGHT("\"_light\" \"255 255 255\""), false, 255, 1 },
		{ LIGHT("\"_light\" \"128\""), false, 55.978f, 1 },
		{ LIGHT("\"_light\" \"255 255 255 2000000\""), false, 2e6f, 1 },
		{ LIGHT("\"_light\" \"255 255 255 100 255 0 0 400\""), false, 100, 1 },
		{ LIGHT("\"_light\" \"255 255 255 100 255 0 0 400\""), true, 400, 0 },
		/* As good as no key. */
		{ LIGHT(""), false, 0, 1 },
		{ LIGHT("\"_light\" \"\""), false, 0, 1 },
		{ LIGHT("\"_light\" \"255 255\""), false, 0, 1 },
		{ LIGHT("\"_light\" \"-1 -1 -1 1 1\""), false, 0, 1 },
		{ LIGHT("\"_light\" \"255 255 255 200 1 1\""), false, 0, 1 },
		{ LIGHT("\"_light\" \"255 255 255 200 1 1 1\""), false, 0, 1 },
		{ LIGHT("\"_light\" \"255 -1 255 200\""), false, 0, 1 },
		/* sscanf stops where there is no number. */
		{ LIGHT("\"_light\" \"255, 0, 0, 200\""), false, 255, 1 },
		{ LIGHT("\"_light\" \"255 255 x 200\""), false, 0, 1 },
		/* The first of two counts. */
		{ LIGHT(WHITE "\"_light\" \"255 0 0 50\""), false, 200, 1 },
		/* HDR: a negative colour means the other key's; the scale is that of both. */
		{ LIGHT(WHITE "\"_lightHDR\" \"255 0 0 300\""), false, 200, 1 },
		{ LIGHT(WHITE "\"_lightHDR\" \"255 0 0 300\""), true, 300, 0 },
		{ LIGHT(WHITE "\"_lightHDR\" \"-1 -1 -1 1\""), true, 200, 1 },
		{ LIGHT(WHITE "\"_lightHDR\" \"255 0 0 300\" \"_lightscaleHDR\" \".5\""), true, 150, 0 },
		{ LIGHT(WHITE "\"_lightHDR\" \"-1 -1 -1 1\" \"_lightscaleHDR\" \".5\""), true, 100, 1 },
		{ LIGHT(WHITE "\"_lightscaleHDR\" \".5\""), false, 200, 1 },
		{ LIGHT("\"_lightHDR\" \"255 0 0 300\""), false, 300, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fixture f;
		hdr_lights = cases[i].hdr;
		build(&f, SOURCE, cases[i].text);
		hdr_lights = false;
		const bspscene_light *light = f.scene.lights[0];
		if (fabsf(light->intensity - cases[i].intensity) > 1e-3f * cases[i].intensity ||
		    fabsf(light->color[1] - cases[i].green) > .01f) {
			fail_msg("case %zu: %g, green %g", i, (double)light->intensity, (double)light->color[1]);
		}
		assert_true(fabsf(light->light_at_100 - light->intensity / 255) < 1e-4f * light->intensity + 1e-6f);
		release(&f);
	}
}

/* Intensity is what is left of 200 a hundred units away; the numbers for distances are vrad's fit, computed apart. */
static void sources_lights_fade_as_vrad_lets_them(void **state)
{
	static const struct { const char *keys; bspscene_falloff falloff; float intensity, radius; } cases[] = {
		{ LIGHT(WHITE), BSPSCENE_FALLOFF_NONE, 200, 0 },
		{ LIGHT(WHITE "\"_quadratic_attn\" \"1\""), BSPSCENE_FALLOFF_INVERSE_SQUARE, 200, 0 },
		{ LIGHT(WHITE "\"_linear_attn\" \"1\" \"_distance\" \"300\""), BSPSCENE_FALLOFF_INVERSE, 200, 300 },
		{ LIGHT(WHITE "\"_constant_attn\" \"1\" \"_linear_attn\" \"-4\""), BSPSCENE_FALLOFF_NONE, 200, 0 },
		{ LIGHT(WHITE "\"_constant_attn\" \"50\" \"_quadratic_attn\" \"1\""), BSPSCENE_FALLOFF_INVERSE_SQUARE, 200, 0 },
		{ LIGHT(WHITE DISTANCES("100", "200") "\"_linear_attn\" \"1\""),
		  BSPSCENE_FALLOFF_INVERSE_SQUARE, 100, 0 },
		{ LIGHT(WHITE DISTANCES("50", "100")), BSPSCENE_FALLOFF_INVERSE_SQUARE,
		  200 * .127441f, 0 },
		{ LIGHT(WHITE DISTANCES("200", "1000")), BSPSCENE_FALLOFF_INVERSE_SQUARE, 300, 0 },
		{ LIGHT(WHITE "\"_fifty_percent_distance\" \"64\""), BSPSCENE_FALLOFF_INVERSE_SQUARE, 200 * .207827f, 0 },
		{ LIGHT(WHITE DISTANCES("300", "4000")), BSPSCENE_FALLOFF_INVERSE_SQUARE,
		  200 * 1.096558f, 0 },
		/* Half and nothing at one place. */
		{ LIGHT(WHITE DISTANCES("100", "100")), BSPSCENE_FALLOFF_INVERSE, 100, 0 },
		{ LIGHT(WHITE "\"_fifty_percent_distance\" \"$50percentfalloff\" \"_quadratic_attn\" \"1\""),
		  BSPSCENE_FALLOFF_INVERSE_SQUARE, 200, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fixture f;
		build(&f, SOURCE, cases[i].keys);
		const bspscene_light *light = f.scene.lights[0];
		if (light->falloff != cases[i].falloff || fabsf(light->intensity - cases[i].intensity) > .01f ||
		    light->radius != cases[i].radius) {
			fail_msg("case %zu: falloff %d, intensity %g, radius %g", i, light->falloff, (double)light->intensity,
			         (double)light->radius);
		}
		release(&f);
	}
}

static void sources_lights_shine_where_vrad_lets_them(void **state)
{
	static const struct { const char *text; bspscene_light_kind kind; float direction[3], inner, outer; } cases[] = {
		{ SPOT("\"pitch\" \"-90\""), BSPSCENE_LIGHT_SPOT, { 0, 0, -1 }, 10, 10 },
		/* Unlike that of other entities, their pitch goes up. */
		{ SPOT("\"angles\" \"-30 90 0\""), BSPSCENE_LIGHT_SPOT, { 0, .866f, -.5f }, 10, 10 },
		{ SPOT("\"angles\" \"-30 90 0\" \"pitch\" \"30\""), BSPSCENE_LIGHT_SPOT, { 0, .866f, .5f }, 10, 10 },
		{ SPOT("\"angles\" \"0 90 0\" \"angle\" \"180\""), BSPSCENE_LIGHT_SPOT, { -1, 0, 0 }, 10, 10 },
		{ SPOT("\"pitch\" \"-90\" \"target\" \"t\"") "{ \"targetname\" \"t\" \"origin\" \"0 5 0\" }",
		  BSPSCENE_LIGHT_SPOT, { 0, 1, 0 }, 10, 10 },
		{ SPOT("\"target\" \"nobody\" \"angles\" \"0 90 0\""), BSPSCENE_LIGHT_SPOT, { 0, 1, 0 }, 10, 10 },
		{ "{ \"classname\" \"light_environment\" \"pitch\" \"-90\" }", BSPSCENE_LIGHT_SUN, { 0, 0, -1 }, 10, 10 },
		/* Spaces that do not break are no blanks: the yaw is 0. */
		{ "{ \"classname\" \"light_environment\" \"angles\" \"0\xA0" "225\xA0" "0\" }",
		  BSPSCENE_LIGHT_SUN, { 1, 0, 0 }, 10, 10 },
		{ SPOT("\"_inner_cone\" \"30\" \"_cone\" \"45\""), BSPSCENE_LIGHT_SPOT, { 1, 0, 0 }, 30, 45 },
		{ SPOT("\"_inner_cone\" \"30\" \"_cone\" \"20\""), BSPSCENE_LIGHT_SPOT, { 1, 0, 0 }, 30, 30 },
		{ SPOT("\"_cone\" \"120\""), BSPSCENE_LIGHT_SPOT, { 1, 0, 0 }, 10, 90 },
		{ SPOT("\"_inner_cone\" \"180\" \"_cone\" \"180\""), BSPSCENE_LIGHT_POINT, { 1, 0, 0 }, 0, 0 },
		{ LIGHT("\"target\" \"t\"") "{ \"targetname\" \"t\" \"origin\" \"0 0 5\" }",
		  BSPSCENE_LIGHT_POINT, { 1, 0, 0 }, 0, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fixture f;
		build(&f, SOURCE, cases[i].text);
		const bspscene_light *light = f.scene.lights[0];
		const float *m = f.scene.nodes[light->node]->transform;
		bool same = light->kind == cases[i].kind && fabsf(light->inner_angle_degrees - cases[i].inner) < .01f &&
		            fabsf(light->outer_angle_degrees - cases[i].outer) < .01f;
		for (int k = 0; k < 3; k++) same = same && fabsf(m[4 * k] - cases[i].direction[k]) < 1e-3f;
		if (!same) {
			fail_msg("case %zu: kind %d, along %g %g %g, cones %g %g", i, light->kind, (double)m[0], (double)m[4],
			         (double)m[8], (double)light->inner_angle_degrees, (double)light->outer_angle_degrees);
		}
		assert_false(light->runtime);
		release(&f);
	}
}

static void lights_of_the_running_game_say_so(void **state)
{
	static const struct {
		const char *text;
		bspscene_light_kind kind;
		bool hidden;
		float intensity, radius, outer, down;
	} cases[] = {
		{ RUNTIME("light_dynamic") "\"_light\" \"255 255 255 200\" \"brightness\" \"2\" \"distance\" \"300\" }",
		  BSPSCENE_LIGHT_POINT, false, 255 * 4, 300, 0, 0 },
		{ RUNTIME("light_dynamic") "\"_light\" \"255 255 255\" \"_inner_cone\" \"60\" \"_cone\" \"40\" "
		  "\"pitch\" \"-90\" }",
		  BSPSCENE_LIGHT_SPOT, false, 255, 0, 40, 1 },
		{ RUNTIME("env_projectedtexture") "\"lightcolor\" \"255 255 255 100\" \"lightfov\" \"60\" "
		  "\"angles\" \"90 0 0\" }",
		  BSPSCENE_LIGHT_SPOT, false, 100, 750, 30, 1 },
		{ RUNTIME("env_projectedtexture") "\"spawnflags\" \"0\" \"farz\" \"90\" }",
		  BSPSCENE_LIGHT_SPOT, true, 200, 90, 45, 0 },
		{ RUNTIME("point_spotlight") "\"spawnflags\" \"3\" \"spotlightlength\" \"100\" \"spotlightwidth\" \"200\" }",
		  BSPSCENE_LIGHT_SPOT, false, 255, 100, 45, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fixture f;
		build(&f, SOURCE, cases[i].text);
		assert_int_equal(f.scene.light_count, 1);
		const bspscene_light *light = f.scene.lights[0];
		const bspscene_node *node = f.scene.nodes[light->node];
		bool same = light->runtime && light->kind == cases[i].kind && node->hidden == cases[i].hidden &&
		            fabsf(light->intensity - cases[i].intensity) < .01f && light->radius == cases[i].radius &&
		            fabsf(light->outer_angle_degrees - cases[i].outer) < .01f &&
		            fabsf(node->transform[8] + cases[i].down) < 1e-3f;
		if (!same) {
			fail_msg("case %zu: kind %d, intensity %g, outer %g", i, light->kind, (double)light->intensity,
			         (double)light->outer_angle_degrees);
		}
		release(&f);
	}
}

static void styles_in_use_are_named_and_linked_to_their_switch(void **state)
{
	fixture f;
	(void)state;
	build(&f, QUAKE,
	      "{ \"classname\" \"light\" \"style\" \"1\" } { \"classname\" \"light\" \"style\" \"32\" \"targetname\" "
	      "\"lamp\" }");
	assert_int_equal(f.scene.light_style_count, 2);
	assert_string_equal(f.scene.light_styles[0]->pattern, "mmnmmommommnonmmonqnmmo");
	assert_true(f.scene.light_styles[1]->switchable);
	assert_int_equal(f.scene.light_styles[1]->entity, 1);
	assert_string_equal(f.scene.light_styles[1]->name, "lamp");
	release(&f);
}

/* Of several lights with one style the last to spawn decides; lights without a name have no switch. */
static void switches_say_what_is_on_when_the_map_starts(void **state)
{
#define LAMP(keys) "{ \"classname\" \"light\" \"style\" \"32\" " keys "}"
#define NAMED LAMP("\"targetname\" \"t\" ")
#define OFF LAMP("\"targetname\" \"t\" \"spawnflags\" \"1\" ")
	static const struct { const char *text; float start; } cases[] = {
		{ NAMED, 1 }, { OFF, 0 }, { NAMED OFF, 0 }, { OFF NAMED, 1 }, { LAMP("\"spawnflags\" \"1\" "), 1 },
		{ LAMP("\"targetname\" \"t\" \"spawnflags\" \"3\" "), 0 },
		{ LAMP("\"targetname\" \"t\" \"spawnflags\" \"x\" "), 1 },
		{ LAMP("\"targetname\" \"t\" \"spawnflags\" \"-1e30\" "), 1 },
		{ "{ \"classname\" \"light\" \"style\" \"3\" \"targetname\" \"t\" \"spawnflags\" \"1\" }", 1 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fixture f;
		float styles[256];
		build(&f, QUAKE, cases[i].text);
		bspscene_start_styles(&f.scene, styles);
		assert_int_equal(f.scene.light_style_count, 1);
		uint32_t style = f.scene.light_styles[0]->style;
		if (f.scene.light_styles[0]->start != cases[i].start || styles[style] != cases[i].start) {
			fail_msg("case %zu: style %u starts at %g", i, style, (double)styles[style]);
		}
		assert_true(styles[0] == 1 && styles[255] == 1);
		release(&f);
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
		cmocka_unit_test(lights_are_read_in_every_dialect),
		cmocka_unit_test(half_lifes_light_is_linear),
		cmocka_unit_test(sources_brightness_is_vrads),
		cmocka_unit_test(sources_lights_fade_as_vrad_lets_them),
		cmocka_unit_test(sources_lights_shine_where_vrad_lets_them),
		cmocka_unit_test(lights_of_the_running_game_say_so),
		cmocka_unit_test(styles_in_use_are_named_and_linked_to_their_switch),
		cmocka_unit_test(switches_say_what_is_on_when_the_map_starts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
