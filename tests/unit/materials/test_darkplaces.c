/* Promise: if the game uses DarkPlaces, or the caller chooses this engine, materials look as in DarkPlaces. A shader
 * becomes one pass with one layer and light. Light, fog, skies and glow pictures follow DarkPlaces' rules, too. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include <bspscene/material.h>

#include "support/make/build_map.h"
#include "support/make/made_game.h"

#define SKY_FLAG 0x4u

/* Describes the stages of a material. The first letter of a stage is its image: a, b, c, g (glow), L (light) or W
 * (white). The second one is its blending: = (opaque), + (added), * (multiplied), ~ (by alpha) or ? (other). Flags
 * follow: ! (multiplied by light), t (alpha test), v (alpha of vertices), T (terrain). */
static void describe(const bspt_game *game, uint32_t texture, char *out, size_t size)
{
	const bspscene_material *material = bspt_game_material(game, texture);
	size_t at = 0;
	out[0] = 0;
	for (uint32_t i = 0; i < material->pass_count; i++) {
		const bspscene_material_pass *s = bspt_game_stage(game, texture, i);
		bool opaque = s->src_blend == BSPSCENE_BLEND_ONE && s->dst_blend == BSPSCENE_BLEND_ZERO,
		     adds = s->dst_blend == BSPSCENE_BLEND_ONE, times = s->src_blend == BSPSCENE_BLEND_DST_COLOR,
		     covers = s->src_blend == BSPSCENE_BLEND_SRC_ALPHA && s->dst_blend == BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA;
		const char *image =
			s->frame_image_count ? bspt_game_image(game, game->scene.frame_images[s->first_frame_image]) : "";
		char letter = s->input == BSPSCENE_PASS_INPUT_LIGHT ? 'L' : s->input == BSPSCENE_PASS_INPUT_WHITE ? 'W'
		              : strstr(image, "_glow") ? 'g' : image[0];
		at += (size_t)snprintf(out + at, size - at, "%s%c%c%s%s%s%s", i ? " " : "", letter,
		                       opaque ? '=' : adds ? '+' : times ? '*' : covers ? '~' : '?',
		                       s->color_gen == BSPSCENE_COLOR_GEN_LIGHT ? "!" : "",
		                       s->alpha_test == BSPSCENE_ALPHA_MODE_MASK ? "t" : "",
		                       s->alpha_gen == BSPSCENE_ALPHA_GEN_VERTEX ? "v" : "",
		                       s->alpha_gen == BSPSCENE_ALPHA_GEN_TERRAIN ? "T" : "");
	}
}

#define LIGHT "{ map $lightmap }"
#define FILTERED "{ map $lightmap blendFunc filter }"
#define OVER "blendFunc blend"

static void one_pass_is_drawn_of_each_shader(void **state)
{
	static const struct { const char *text, *drawn; } cases[] = {
		{ "{ map a.tga }" FILTERED, "a= L*" },
		{ "{ map a.tga }" LIGHT, "a= L*" },                        /* Quake III's engine would show the light alone */
		{ LIGHT "{ map a.tga\nblendFunc filter }", "a= L*" },
		{ LIGHT "{ map a.tga\nblendFunc filter }{ map b.tga\nblendFunc add }", "a= L*" },
		{ "{ map b.tga\ntcGen environment }{ map a.tga\n" OVER "}" FILTERED, "a= L*" },
		{ "{ map a.tga }", "a=" },
		{ "{ map a.tga }{ map b.tga\nblendFunc add }", "a=" },
		{ "{ map b.tga }{ map a.tga\nrgbGen vertex }", "a= L*" },
		{ "{ map a.tga\nrgbGen lightingDiffuse }", "a= L*" },
		{ "{ map a.tga\nblendFunc add }", "a+" },
		{ "{ map a.tga\nblendFunc add }" FILTERED, "a+!" },
		{ "{ map a.tga\n" OVER "}" FILTERED, "a~!" },
		{ "{ map a.tga\n" OVER "\nalphaGen vertex }" FILTERED, "a~!v" },
		{ "{ map a.tga\n" OVER "\nrgbGen vertex }", "a~!" },       /* rgbGen does not set the alpha */
		{ "{ map a.tga\nblendFunc filter }" FILTERED, "a*" },      /* not lit, because it filters the background */
		{ "{ map a.tga\nalphaFunc GT0 }" FILTERED, "a=!t" },
		{ "{ map a.tga }{ map b.tga\n" OVER "\nalphaGen vertex }" FILTERED, "a=! b~!T" },
		{ "{ map a.tga }{ map b.tga\nalphaFunc GE128\nalphaGen vertex }" FILTERED, "a=! b~!T" },
		{ "{ map a.tga\nrgbGen wave sin 0 1 0 1\nalphaGen const 0.5 }" FILTERED, "a= L*" },
		{ "{ map c.tga }" FILTERED, "c= L* g+" },                  /* the file c_glow.tga exists */
		{ "{ map c.tga\nblendFunc add }", "c+ g+" },
		{ "{ map $lightmap }", "W= L*" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		static const char *const pictures[] = { "a.tga", "b.tga", "c.tga", "c_glow.tga" };
		char text[512], drawn[64];
		bspt_game game;
		bspt_game_start(&game);
		game.map.rules.materials = BSPI_MATERIALS_DARKPLACES;
		snprintf(text, sizeof text, "textures/x\n{\n%s\n}\n", cases[i].text);
		bspt_game_script(&game, text);
		for (size_t k = 0; k < sizeof pictures / sizeof *pictures; k++) bspt_game_picture(&game, pictures[k]);
		bspt_game_use(&game, "textures/x", 0, 0);
		bspt_game_make(&game);
		describe(&game, 0, drawn, sizeof drawn);
		if (strcmp(drawn, cases[i].drawn)) fail_msg("%s: %s, not %s", cases[i].text, drawn, cases[i].drawn);
		bspt_game_end(&game);
	}
}

/* Every alphaFunc means "at least one half". A shader without layers is not drawn. */
static void details_of_shaders(void **state)
{
	static const char script[] = "textures/cut\n{\n{ map a.tga\nalphaFunc LT128 }\n}\n"
	                             "textures/none\n{\nqer_editorimage a.tga\n}\n"
	                             "textures/back\n{\ncull back\nsort 12\n{ map a.tga }\n}\n";
	bspt_game game;
	(void)state;
	bspt_game_start(&game);
	game.map.rules.materials = BSPI_MATERIALS_DARKPLACES;
	bspt_game_script(&game, script);
	bspt_game_picture(&game, "a.tga");
	bspt_game_add(&game, "textures/plain.tga", bspt_tga24, sizeof bspt_tga24);
	bspt_game_add(&game, "textures/clear.tga", bspt_tga32, sizeof bspt_tga32);
	bspt_game_use(&game, "textures/cut", 0, 0);
	bspt_game_use(&game, "textures/none", 0, 0);
	bspt_game_use(&game, "textures/back", 0, 0);
	bspt_game_use(&game, "textures/plain", 0, 0);
	bspt_game_use(&game, "textures/clear", 0, 0);
	bspt_game_make(&game);
	assert_true(bspt_game_stage(&game, 0, 0)->alpha_cutoff == 0.5f && !bspt_game_stage(&game, 0, 0)->alpha_test_less);
	assert_int_equal(bspt_game_material(&game, 1)->surface_kind, BSPSCENE_SURFACE_NODRAW);
	assert_int_equal(bspt_game_material(&game, 2)->cull, BSPSCENE_CULL_BACK);
	assert_true(bspt_game_material(&game, 2)->sort == 3);
	assert_int_equal(bspt_game_material(&game, 3)->alpha_mode, BSPSCENE_ALPHA_MODE_OPAQUE);
	assert_int_equal(bspt_game_material(&game, 4)->alpha_mode, BSPSCENE_ALPHA_MODE_BLEND);
	assert_false(bspt_game_material(&game, 4)->unlit);
	bspt_game_end(&game);
}

/* DarkPlaces shows the box of the map's last sky shader on all sky surfaces, without clouds. */
static void the_last_sky_is_everywhere(void **state)
{
	static const char script[] = "textures/sky1\n{\nsurfaceparm sky\nskyparms env/one 512 -\n{ map a.tga }\n}\n"
	                             "textures/sky2\n{\nskyparms env/two 512 -\n}\n"
	                             "textures/sky3\n{\nsurfaceparm sky\n}\n";
	bspt_game game;
	(void)state;
	bspt_game_start(&game);
	game.map.rules.materials = BSPI_MATERIALS_DARKPLACES;
	bspt_game_script(&game, script);
	bspt_game_picture(&game, "a.tga");
	bspt_game_picture(&game, "env/one_rt.tga");
	bspt_game_picture(&game, "env/two_rt.tga");
	bspt_game_use(&game, "textures/sky1", SKY_FLAG, 0);
	bspt_game_use(&game, "textures/sky2", SKY_FLAG, 0);
	bspt_game_use(&game, "textures/sky3", SKY_FLAG, 0);
	bspt_game_use(&game, "textures/unwritten", SKY_FLAG, 0);
	bspt_game_make(&game);
	for (uint32_t i = 0; i < 4; i++) {
		const bspscene_material *material = bspt_game_material(&game, i);
		assert_int_equal(material->kind, BSPSCENE_MATERIAL_SKY);
		assert_int_equal(material->pass_count, 0);
		assert_string_equal(bspt_game_image(&game, material->sky->box[0]), "env/two_rt");
		assert_string_equal(material->sky->name, "env/two");
	}
	bspt_game_end(&game);
}

/* ---- Maps --------------------------------------------------------------------------------------------------- */

static bool open_progs(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	(void)user;
	(void)kind;
	if (strcmp(path, "progs.dat")) return false;
	*stream = (bspscene_stream){ .data = "", .size = 0, .origin = "a game" };
	return true;
}

static bspscene_scene *load_room(const char *entities, bool progs, bspscene_engine engine)
{
	const bspi_variant *variant = bspt_find_variant(&bspi_family_quake3, "quake3");
	bspscene_load_options options;
	bspt_parts parts;
	bspscene_load_options_init(&options);
	if (progs) options.open_file = open_progs;
	options.engine = engine;
	bspt_room_parts(&bspi_family_quake3, variant, &parts);
	if (entities) parts.raw[0] = bspi_bytes_of(entities, strlen(entities) + 1);
	return bspt_load_parts(variant, &parts, &options);
}

static void the_engine_is_known_by_the_game_or_the_caller(void **state)
{
	static const struct {
		bool progs; bspscene_engine engine; const char *variant; float overbright, intensity;
	} cases[] = {
		{ false, BSPSCENE_ENGINE_AUTO, "quake3", 4, 1 },
		{ true, BSPSCENE_ENGINE_AUTO, "darkplaces", 1, 2 },
		{ true, BSPSCENE_ENGINE_ORIGINAL, "quake3", 4, 1 },
		{ false, BSPSCENE_ENGINE_DARKPLACES, "darkplaces", 1, 2 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_scene *scene = load_room(NULL, cases[i].progs, cases[i].engine);
		assert_string_equal(scene->variant, cases[i].variant);
		assert_true(scene->overbright == cases[i].overbright);
		assert_true(scene->lightmap_set_count && scene->lightmap_sets[0].intensity == cases[i].intensity);
		assert_int_equal(scene->fog_count != 0, cases[i].overbright == 4);
		bspscene_scene_free(scene);
	}
}

static void fog_of_the_whole_map(void **state)
{
	static const struct { const char *value; float density, opacity, start, end, red; } cases[] = {
		{ "0.15 0.3 0.4 0.5 0.8", 0.15f * 0.004f, 0.8f, 0, 16384, 0.3f },
		{ "0.2 0.3 1 0 0.5 400 1024", 0.2f * 0.004f, 0.5f, 400, 1024, 0.3f },
		{ "1 2 0 0", 0.004f, 1, 0, 16384, 1 },
		{ "1 1 1", 0, 0, 0, 0, 0 }, { "0 1 1 1", 0, 0, 0, 0, 0 }, { "-1 1 1 1", 0, 0, 0, 0, 0 },
		{ "nan 1 1 1", 0, 0, 0, 0, 0 }, { "", 0, 0, 0, 0, 0 }, { "1e30 1 1 1 9 5 -1", 1, 1, 5, 5, 1 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[160];
		snprintf(text, sizeof text, "{\n\"classname\" \"worldspawn\"\n\"fog\" \"%s\"\n}\n", cases[i].value);
		bspscene_scene *scene = load_room(text, false, BSPSCENE_ENGINE_DARKPLACES);
		const bspscene_map_fog *fog = scene->map_fog;
		if (fabsf(fog->density - cases[i].density) > 1e-6f || fog->opacity != cases[i].opacity ||
		    fog->start != cases[i].start || fog->end != cases[i].end || fog->color[0] != cases[i].red) {
			fail_msg("\"%s\": %g %g %g %g %g", cases[i].value, (double)fog->density, (double)fog->opacity,
			         (double)fog->start, (double)fog->end, (double)fog->color[0]);
		}
		bspscene_scene_free(scene);
	}
	/* The key `fog` is unknown to the engine of Quake III. */
	bspscene_scene *scene = load_room("{\n\"classname\" \"worldspawn\"\n\"fog\" \"1 1 1 1\"\n}\n", false,
	                                  BSPSCENE_ENGINE_ORIGINAL);
	assert_true(scene->map_fog->density == 0);
	bspscene_scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_pass_is_drawn_of_each_shader), cmocka_unit_test(details_of_shaders),
		cmocka_unit_test(the_last_sky_is_everywhere),
		cmocka_unit_test(the_engine_is_known_by_the_game_or_the_caller), cmocka_unit_test(fog_of_the_whole_map),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
