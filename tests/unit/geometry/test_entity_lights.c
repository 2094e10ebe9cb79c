/* Promise: lights have the brightness, cone and range that the games give them, and their styles and switches
 * (docs/formats/entities.md). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/text.h"
#include "stages/entities/nodes.h"
#include "support/map/entity_fixture.h"

static void lights_are_read_in_every_dialect(void **state)
{
	static const struct {
		bspt_dialect dialect;
		const char *text;
		bspscene_light_kind kind;
		float intensity, red, green, outer;
	} cases[] = {
		{ BSPT_QUAKE, "{ \"classname\" \"light\" }", BSPSCENE_LIGHT_POINT, 300, 1, 1, 0 },
		{ BSPT_QUAKE, "{ \"classname\" \"light\" \"_color\" \"255 127.5 0\" \"light\" \"200\" }",
		  BSPSCENE_LIGHT_POINT, 200, 1, .5f, 0 },
		{ BSPT_QUAKE, "{ \"classname\" \"light\" \"mangle\" \"0 -90 0\" }", BSPSCENE_LIGHT_SPOT, 300, 1, 1, 20 },
		{ BSPT_QUAKE2, "{ \"classname\" \"light_spot\" \"_cone\" \"25\" \"angle\" \"-2\" }", BSPSCENE_LIGHT_SPOT,
		  300, 1, 1, 25 },
		{ BSPT_QUAKE3, "{ \"classname\" \"light\" \"light\" \"100\" \"scale\" \"2\" \"_color\" \".5 .25 0\" }",
		  BSPSCENE_LIGHT_POINT, 200, 1, .5f, 0 },
		{ BSPT_QUAKE3,
		  "{ \"classname\" \"light\" \"target\" \"t\" \"radius\" \"48\" }"
		  " { \"targetname\" \"t\" \"origin\" \"0 0 -64\" }",
		  BSPSCENE_LIGHT_SPOT, 300, 1, 1, 45 },
		{ BSPT_GOLDSRC, "{ \"classname\" \"light\" \"_light\" \"255 255 128 510\" }", BSPSCENE_LIGHT_POINT, 510,
		  1, 1, 0 },
		{ BSPT_GOLDSRC, "{ \"classname\" \"light\" \"_light\" \"200\" }", BSPSCENE_LIGHT_POINT, 200, 1, 1, 0 },
		{ BSPT_GOLDSRC, "{ \"classname\" \"light_environment\" \"_light\" \"255 128 0 100\" \"pitch\" \"-90\" }",
		  BSPSCENE_LIGHT_SUN, 100, 1, .6846f, 10 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_entity_fixture f;
		bspt_build_entities(&f, cases[i].dialect, cases[i].text);
		assert_int_equal(f.scene.light_count, 1);
		const bspscene_light *light = f.scene.lights[0];
		assert_int_equal(light->kind, cases[i].kind);
		assert_true(fabsf(light->intensity - cases[i].intensity) < .01f);
		assert_true(fabsf(light->color[0] - cases[i].red) < .01f && fabsf(light->color[1] - cases[i].green) < .01f);
		assert_true(fabsf(light->outer_angle_degrees - cases[i].outer) < .01f);
		if (light->kind != BSPSCENE_LIGHT_POINT) {
			/* All spot lights here point straight down. A light points along its node's +X axis. */
			const float *m = f.scene.nodes[light->node]->transform;
			assert_true(fabsf(m[8] + 1) < 1e-5f);
		}
		bspt_release_entities(&f);
	}
}

/* Quake's light compilers have their own keys. The key `delay` selects how light fades, and twice the `wait` halves the
 * reach. Angles are those of the whole cone. If a key is given with and without an underscore, the one without it is
 * used. */
static void keys_of_quakes_compilers_are_read(void **state)
{
	static const struct {
		const char *keys;
		bspscene_falloff falloff;
		float intensity, inner, reach;   /* `reach`: relative to a lamp without `wait` */
		uint32_t style;
	} cases[] = {
		{ "\"light\" \"100\" \"_light\" \"200\"", BSPSCENE_FALLOFF_LINEAR, 100, 0, 1, 0 },
		{ "\"_light\" \"200\"", BSPSCENE_FALLOFF_LINEAR, 200, 0, 1, 0 },
		{ "\"wait\" \"2\"", BSPSCENE_FALLOFF_LINEAR, 300, 0, 0.5f, 0 },
		{ "\"delay\" \"1\"", BSPSCENE_FALLOFF_INVERSE, 300, 0, 0, 0 },
		{ "\"delay\" \"2\"", BSPSCENE_FALLOFF_INVERSE_SQUARE, 300, 0, 0, 0 },
		{ "\"delay\" \"3\"", BSPSCENE_FALLOFF_NONE, 300, 0, 0, 0 },
		{ "\"style\" \"3\" \"_style\" \"4\"", BSPSCENE_FALLOFF_LINEAR, 300, 0, 1, 3 },
		{ "\"_style\" \"4\"", BSPSCENE_FALLOFF_LINEAR, 300, 0, 1, 4 },
		{ "\"mangle\" \"0 -90 0\" \"angle\" \"60\" \"_softangle\" \"20\"", BSPSCENE_FALLOFF_LINEAR, 300, 10, 1, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[160];
		bspt_entity_fixture f;
		snprintf(text, sizeof text, "{ \"classname\" \"light\" %s }", cases[i].keys);
		bspt_build_entities(&f, BSPT_QUAKE, text);
		const bspscene_light *light = f.scene.lights[0];
		assert_int_equal(light->falloff, cases[i].falloff);
		assert_int_equal(light->style, cases[i].style);
		assert_float_equal(light->intensity, cases[i].intensity, 0.01f);
		assert_float_equal(light->inner_angle_degrees, cases[i].inner, 0.01f);
		assert_float_equal(light->radius, cases[i].intensity * cases[i].reach, 0.01f);
		bspt_release_entities(&f);
	}
}

/* Half-Life shows a wall at full white where (1.375 * (2 * light) ^ 0.55) ^ 2.2 is 1. At that distance, the scene's
 * lamp must give the same brightness. It fades with the square of the distance. */
static void half_lifes_light_is_linear(void **state)
{
	static const struct { const char *text; float at_100, distance; } cases[] = {
		{ "{ \"classname\" \"light\" \"_light\" \"255 255 255 300\" }", 3.779f, 194.4f },
		{ "{ \"classname\" \"light\" \"_light\" \"150\" }", .4724f, 68.73f },
		{ "{ \"classname\" \"light_environment\" \"_light\" \"100 100 175 100\" \"angles\" \"60 0 0\" }", .9523f, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_entity_fixture f;
		bspt_build_entities(&f, BSPT_GOLDSRC, cases[i].text);
		const bspscene_light *light = f.scene.lights[0];
		assert_float_equal(light->illuminance_at_100_units, cases[i].at_100, .002f);
		double away = cases[i].distance, part = light->intensity / 255;
		if (away > 0) part *= light->intensity * light->intensity / 10 / (away * away);
		double shown = pow(1.375 * pow(2 * part, .55), 2.2);
		assert_float_equal(shown, away > 0 ? 1 : cases[i].at_100, .005);
		bspt_release_entities(&f);
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
		/* Invalid values are ignored like a missing key. */
		{ LIGHT(""), false, 0, 1 },
		{ LIGHT("\"_light\" \"\""), false, 0, 1 },
		{ LIGHT("\"_light\" \"255 255\""), false, 0, 1 },
		{ LIGHT("\"_light\" \"-1 -1 -1 1 1\""), false, 0, 1 },
		{ LIGHT("\"_light\" \"255 255 255 200 1 1\""), false, 0, 1 },
		{ LIGHT("\"_light\" \"255 255 255 200 1 1 1\""), false, 0, 1 },
		{ LIGHT("\"_light\" \"255 -1 255 200\""), false, 0, 1 },
		/* The engine reads these values by sscanf, which stops at the first character that is no number. */
		{ LIGHT("\"_light\" \"255, 0, 0, 200\""), false, 255, 1 },
		{ LIGHT("\"_light\" \"255 255 x 200\""), false, 0, 1 },
		/* If `_light` is given twice, the first value is used. */
		{ LIGHT(WHITE "\"_light\" \"255 0 0 50\""), false, 200, 1 },
		/* If HDR is requested, `_lightHDR` is used. If its color is negative, `_light` is used. The scale applies to
		 * both keys. */
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
		bspt_entity_fixture f;
		bspt_build_entities_of(&f, BSPT_SOURCE, cases[i].hdr ? BSPT_HDR_LIGHTS : 0, cases[i].text);
			const bspscene_light *light = f.scene.lights[0];
		if (fabsf(light->intensity - cases[i].intensity) > 1e-3f * cases[i].intensity ||
		    fabsf(light->color[1] - cases[i].green) > .01f) {
			fail_msg("case %zu: %g, green %g", i, (double)light->intensity, (double)light->color[1]);
		}
		assert_true(fabsf(light->illuminance_at_100_units - light->intensity / 255) < 1e-4f * light->intensity + 1e-6f);
		bspt_release_entities(&f);
	}
}

/* `intensity` is the light that arrives at 100 units from a lamp of brightness 200. For the distance keys, the factors
 * were computed apart from the library, with the fit that vrad uses. */
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
		/* The distance at which half of the light is left is the same as the one at which no light is left. */
		{ LIGHT(WHITE DISTANCES("100", "100")), BSPSCENE_FALLOFF_INVERSE, 100, 0 },
		{ LIGHT(WHITE "\"_fifty_percent_distance\" \"$50percentfalloff\" \"_quadratic_attn\" \"1\""),
		  BSPSCENE_FALLOFF_INVERSE_SQUARE, 200, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_entity_fixture f;
		bspt_build_entities(&f, BSPT_SOURCE, cases[i].keys);
		const bspscene_light *light = f.scene.lights[0];
		if (light->falloff != cases[i].falloff || fabsf(light->intensity - cases[i].intensity) > .01f ||
		    light->radius != cases[i].radius) {
			fail_msg("case %zu: falloff %d, intensity %g, radius %g", i, light->falloff, (double)light->intensity,
			         (double)light->radius);
		}
		bspt_release_entities(&f);
	}
}

static void sources_lights_shine_where_vrad_lets_them(void **state)
{
	static const struct { const char *text; bspscene_light_kind kind; float direction[3], inner, outer; } cases[] = {
		{ SPOT("\"pitch\" \"-90\""), BSPSCENE_LIGHT_SPOT, { 0, 0, -1 }, 10, 10 },
		/* A positive pitch of a light points up. For other entities, a positive pitch points down. */
		{ SPOT("\"angles\" \"-30 90 0\""), BSPSCENE_LIGHT_SPOT, { 0, .866f, -.5f }, 10, 10 },
		{ SPOT("\"angles\" \"-30 90 0\" \"pitch\" \"30\""), BSPSCENE_LIGHT_SPOT, { 0, .866f, .5f }, 10, 10 },
		{ SPOT("\"angles\" \"0 90 0\" \"angle\" \"180\""), BSPSCENE_LIGHT_SPOT, { -1, 0, 0 }, 10, 10 },
		{ SPOT("\"pitch\" \"-90\" \"target\" \"t\"") "{ \"targetname\" \"t\" \"origin\" \"0 5 0\" }",
		  BSPSCENE_LIGHT_SPOT, { 0, 1, 0 }, 10, 10 },
		{ SPOT("\"target\" \"nobody\" \"angles\" \"0 90 0\""), BSPSCENE_LIGHT_SPOT, { 0, 1, 0 }, 10, 10 },
		{ "{ \"classname\" \"light_environment\" \"pitch\" \"-90\" }", BSPSCENE_LIGHT_SUN, { 0, 0, -1 }, 10, 10 },
		/* No-break spaces do not separate numbers, so the yaw is 0. */
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
		bspt_entity_fixture f;
		bspt_build_entities(&f, BSPT_SOURCE, cases[i].text);
		const bspscene_light *light = f.scene.lights[0];
		const float *m = f.scene.nodes[light->node]->transform;
		bool same = light->kind == cases[i].kind && fabsf(light->inner_angle_degrees - cases[i].inner) < .01f &&
		            fabsf(light->outer_angle_degrees - cases[i].outer) < .01f;
		for (int k = 0; k < 3; k++) same = same && fabsf(m[4 * k] - cases[i].direction[k]) < 1e-3f;
		if (!same) {
			fail_msg("case %zu: kind %d, along %g %g %g, cones %g %g", i, light->kind, (double)m[0], (double)m[4],
			         (double)m[8], (double)light->inner_angle_degrees, (double)light->outer_angle_degrees);
		}
		assert_false(light->is_dynamic);
		bspt_release_entities(&f);
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
		bspt_entity_fixture f;
		bspt_build_entities(&f, BSPT_SOURCE, cases[i].text);
		assert_int_equal(f.scene.light_count, 1);
		const bspscene_light *light = f.scene.lights[0];
		const bspscene_node *node = f.scene.nodes[light->node];
		bool same = light->is_dynamic && light->kind == cases[i].kind && node->hidden == cases[i].hidden &&
		            fabsf(light->intensity - cases[i].intensity) < .01f && light->radius == cases[i].radius &&
		            fabsf(light->outer_angle_degrees - cases[i].outer) < .01f &&
		            fabsf(node->transform[8] + cases[i].down) < 1e-3f;
		if (!same) {
			fail_msg("case %zu: kind %d, intensity %g, outer %g", i, light->kind, (double)light->intensity,
			         (double)light->outer_angle_degrees);
		}
		bspt_release_entities(&f);
	}
}

static void styles_in_use_are_named_and_linked_to_their_switch(void **state)
{
	bspt_entity_fixture f;
	(void)state;
	bspt_build_entities(&f, BSPT_QUAKE,
	      "{ \"classname\" \"light\" \"style\" \"1\" } { \"classname\" \"light\" \"style\" \"32\" \"targetname\" "
	      "\"lamp\" }");
	assert_int_equal(f.scene.light_style_count, 2);
	assert_string_equal(f.scene.light_styles[0]->pattern, "mmnmmommommnonmmonqnmmo");
	assert_true(f.scene.light_styles[1]->switchable);
	assert_int_equal(f.scene.light_styles[1]->entity, 1);
	assert_string_equal(f.scene.light_styles[1]->name, "lamp");
	bspt_release_entities(&f);
}

/* Faces that have no style of their own get the style of their lightmap page. */
static void styles_of_pages_are_named(void **state)
{
	static const bspscene_lightmap_set sets[] = { { .style = 2 }, { .style = 3 } };
	bspt_entity_fixture f;
	(void)state;
	bspt_build_entities(&f, BSPT_QUAKE, "{ \"classname\" \"worldspawn\" }");
	assert_int_equal(f.scene.light_style_count, 0);
	f.scene.lightmap_sets = sets;
	f.scene.lightmap_set_count = 2;
	assert_true(bspi_build_light_styles(&f.build));
	assert_int_equal(f.scene.light_style_count, 2);
	for (uint32_t i = 0; i < 2; i++) assert_int_equal(f.scene.light_styles[i]->style, sets[i].style);
	bspt_release_entities(&f);
}

/* If several lights share a style, the last to spawn decides; lights without a name have no switch. */
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
		bspt_entity_fixture f;
		float styles[256];
		bspt_build_entities(&f, BSPT_QUAKE, cases[i].text);
		bspscene_start_styles(&f.scene, styles);
		assert_int_equal(f.scene.light_style_count, 1);
		uint32_t style = f.scene.light_styles[0]->style;
		if (f.scene.light_styles[0]->start != cases[i].start || styles[style] != cases[i].start) {
			fail_msg("case %zu: style %u starts at %g", i, style, (double)styles[style]);
		}
		assert_true(styles[0] == 1 && styles[255] == 1);
		bspt_release_entities(&f);
	}
}

/* In Raven's games, the highest letter of a pattern is full brightness. So the letter "m" is a little less than half of
 * it. */
static void ravens_patterns_are_darker(void **state)
{
	static const struct { const char *style, *pattern; float start; } cases[] = {
		{ "0", "z", 1 }, { "1", "mmnmmommommnonmmonqnmmo", 0.48f }, { "9", "aaaaaaaazzzzzzzz", 0.48f },
		{ "12", "z", 1 }, { "32", "z", 1 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[128];
		bspt_entity_fixture f;
		snprintf(text, sizeof text, "{ \"classname\" \"light\" \"style\" \"%s\" }", cases[i].style);
		bspt_build_entities(&f, BSPT_QUAKE3, text);
		f.rules.styles_to_z = true;
		assert_true(bspi_build_light_styles(&f.build));
		assert_int_equal(f.scene.light_style_count, 1);
		assert_string_equal(f.scene.light_styles[0]->pattern, cases[i].pattern);
		assert_float_equal(f.scene.light_styles[0]->start, cases[i].start, 1e-6f);
		bspt_release_entities(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lights_are_read_in_every_dialect),
		cmocka_unit_test(keys_of_quakes_compilers_are_read),
		cmocka_unit_test(half_lifes_light_is_linear),
		cmocka_unit_test(sources_brightness_is_vrads),
		cmocka_unit_test(sources_lights_fade_as_vrad_lets_them),
		cmocka_unit_test(sources_lights_shine_where_vrad_lets_them),
		cmocka_unit_test(lights_of_the_running_game_say_so),
		cmocka_unit_test(styles_in_use_are_named_and_linked_to_their_switch),
		cmocka_unit_test(styles_of_pages_are_named),
		cmocka_unit_test(switches_say_what_is_on_when_the_map_starts),
		cmocka_unit_test(ravens_patterns_are_darker),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
