/* test_stand_ins.c - a map without its game still gives a picture. Missing textures get the mean color that the map
 * stores, or gray, or a checkerboard on request. A missing sky gets a color by its name and the map's light. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "support/bspt.h"
#include "support/make/made_game.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { SKY = 0x4, WARP = 0x8 };        /* surface flags of Source's maps */

static void start_source(bspt_game *g)
{
	bspt_game_start(g);
	g->map.rules.materials = BSPI_MATERIALS_SOURCE;
}

static void use(bspt_game *g, const char *name, uint32_t flags, uint32_t side, float red, float green, float blue)
{
	bspi_texture *texture = &g->textures[g->map.textures_count];
	bspt_game_use(g, name, flags, 0);
	texture->width = texture->height = side;
	texture->has_reflectivity = true;
	texture->reflectivity[0] = red;
	texture->reflectivity[1] = green;
	texture->reflectivity[2] = blue;
}

static void mean_colors_stand_in(void **state)
{
	static const struct {
		const char *name; uint32_t flags, side; float mean[3]; uint8_t want[3];
	} cases[] = {
		{ "dev/orange", 0, 64, { 1, 0.2140f, 0 }, { 255, 127, 0 } },
		{ "dev/lilac", 0, 64, { 0.2140f, 0.2140f, 1 }, { 127, 127, 255 } },
		{ "dev/black", 0, 64, { 0, 0, 0 }, { 0, 0, 0 } },
		{ "dev/unknown", 0, 0, { 0, 0, 0 }, { 150, 150, 150 } },
		{ "dev/beyond", 0, 64, { 7, -1, 0.5f }, { 255, 0, 186 } },
		{ "dev/water", WARP, 0, { 0, 0, 0 }, { 74, 98, 110 } },
		/* The map stores a mean color of the texture that is typical of normal maps. So the default color of water is
		 * used instead. */
		{ "dev/waves", WARP, 64, { 0.2140f, 0.2140f, 0.95f }, { 74, 98, 110 } },
		/* The mean color of blue water is unlike that of normal maps, so it is used. */
		{ "dev/lake", WARP, 64, { 0.45f, 0.45f, 0.6f }, { 177, 177, 202 } },
	};
	(void)state;
	bspt_game g;
	start_source(&g);
	for (size_t i = 0; i < COUNT(cases); i++) {
		use(&g, cases[i].name, cases[i].flags, cases[i].side, cases[i].mean[0], cases[i].mean[1], cases[i].mean[2]);
	}
	bspt_game_make(&g);
	for (uint32_t i = 0; i < COUNT(cases); i++) {
		const bspscene_image *image = g.scene.images[bspt_game_material(&g, i)->base_image];
		bspscene_pixels pixels;
		if (memcmp(image->fallback_color, cases[i].want, 3)) {
			fail_msg("%s: %u %u %u", cases[i].name, image->fallback_color[0], image->fallback_color[1],
			         image->fallback_color[2]);
		}
		assert_true(bspscene_image_decode(image, &pixels, NULL));
		assert_memory_equal(pixels.data, cases[i].want, 3);
		assert_int_equal(pixels.data[3], 255);
		bspscene_pixels_free(&pixels);
	}
	assert_int_equal(g.scene.counts->textures_missing, COUNT(cases));
	assert_int_equal(g.scene.counts->textures_found, 0);
	bspt_game_end(&g);
}

static void squares_on_request(void **state)
{
	(void)state;
	bspt_game g;
	start_source(&g);
	g.ctx.options.missing = BSPSCENE_MISSING_CHECKER;
	use(&g, "dev/orange", 0, 64, 1, 0.2f, 0);
	use(&g, "tools/toolsskybox", SKY, 64, 0, 0, 0);
	bspt_game_make(&g);
	bspscene_pixels pixels;
	assert_true(bspscene_image_decode(g.scene.images[bspt_game_material(&g, 0)->base_image], &pixels, NULL));
	assert_int_equal(pixels.width, 64);
	assert_memory_equal(pixels.data, "\377\0\377\377", 4);
	bspscene_pixels_free(&pixels);
	assert_null(bspt_game_material(&g, 1)->sky);
	bspt_game_end(&g);
}

/* ---- Skies ------------------------------------------------------------------------------------------------- */

typedef struct light_case {
	const char *sky, *key, *value;
	const char *world[4];              /* two more pairs of key and value of worldspawn; NULL ends the list */
} light_case;

/* The colors of a sky that was made because the real one is missing: straight up, at the horizon and straight down. */
typedef struct sky_look {
	uint8_t above[3], horizon[3], below[3];
} sky_look;

static void pixel_of(const bspt_game *g, uint32_t index, uint32_t x, uint32_t y, uint8_t out[3])
{
	const bspscene_image *image = g->scene.images[index];
	assert_true(image->is_generated && image->format == BSPSCENE_IMAGE_RGBA);
	memcpy(out, (const uint8_t *)image->data + 4 * ((size_t)y * image->width + x), 3);
}

static sky_look look_at_sky(const light_case *c)
{
	const bspscene_pair pairs[] = {
		{ "classname", "worldspawn" }, { "skyname", c->sky },
		{ c->world[0] ? c->world[0] : "message", c->world[0] ? c->world[1] : "" },
		{ c->world[2] ? c->world[2] : "message", c->world[2] ? c->world[3] : "" },
		{ "classname", "light_environment" }, { c->key, c->value },
	};
	const bspscene_entity entities[] = {
		{ .classname = "worldspawn", .targetname = "", .first_pair = 0, .pair_count = 4 },
		{ .classname = "light_environment", .targetname = "", .first_pair = 4, .pair_count = 2 },
	};
	bspt_game g;
	sky_look look;
	start_source(&g);
	g.scene.pairs = pairs;
	g.scene.pair_count = COUNT(pairs);
	const bspscene_entity *const table[] = { &entities[0], &entities[1] };
	g.scene.entities = table;
	g.scene.entity_count = COUNT(entities);
	use(&g, "tools/toolsskybox", SKY, 64, 0, 0, 0);
	bspt_game_make(&g);
	const uint32_t *box = bspt_game_material(&g, 0)->sky->box;
	assert_true(box[0] == box[1] && box[1] == box[2] && box[2] == box[3] && box[4] != box[0] && box[5] != box[4]);
	pixel_of(&g, box[4], 8, 8, look.above);
	pixel_of(&g, box[0], 8, 7, look.horizon);
	pixel_of(&g, box[5], 8, 8, look.below);
	uint8_t top[3], bottom[3];
	pixel_of(&g, box[0], 8, 0, top);
	pixel_of(&g, box[0], 8, 15, bottom);
	for (int k = 0; k < 3; k++) {
		/* The sides of the sky box must be upright. So the color in their upper half is between those of the horizon
		 * and the zenith. The color in their lower half is between those of the horizon and straight down. */
		assert_true((top[k] - look.horizon[k]) * (look.above[k] - look.horizon[k]) >= 0);
		assert_true((bottom[k] - look.horizon[k]) * (look.below[k] - look.horizon[k]) >= 0);
	}
	bspt_game_end(&g);
	return look;
}

static sky_look look_in_light(const char *sky, const char *key, const char *value)
{
	return look_at_sky(&(light_case){ sky, key, value, { NULL } });
}

static int brightness(const uint8_t color[3]) { return color[0] + color[1] + color[2]; }

static void a_plain_sky(void **state)
{
	(void)state;
	const sky_look plain = look_in_light("unheard_of", "targetname", "sun");
	assert_true(brightness(plain.horizon) > brightness(plain.above));
	assert_true(brightness(plain.above) > brightness(plain.below));
	/* The sky's name distinguishes day and night. */
	const sky_look day = look_in_light("sky_day01", "targetname", "sun");
	const sky_look night = look_in_light("sky_borealis_Night", "targetname", "sun");
	assert_true(day.above[2] > day.above[0] && brightness(day.above) > 5 * brightness(night.above));
	const char *const dark[] = { "deep_space", "stars", "black", "moonlit" };
	for (size_t i = 0; i < COUNT(dark); i++) {
		const sky_look look = look_in_light(dark[i], "targetname", "sun");
		if (brightness(look.above) * 5 > brightness(day.above)) fail_msg("%s is bright", dark[i]);
	}
	/* If a name has two known words, the more specific one counts. */
	const sky_look space = look_in_light("daylight_space", "targetname", "sun");
	assert_true(brightness(space.above) < brightness(night.above));
	/* For all other names, the light of the map decides how bright the sky is. It also tints the sky. */
	const sky_look dim = look_in_light("unheard_of", "_ambient", "255 255 255 10");
	const sky_look red = look_in_light("unheard_of", "_light", "255 40 40 300");
	assert_true(brightness(dim.horizon) * 3 < brightness(plain.horizon));
	assert_true(red.horizon[0] > red.horizon[2] && plain.horizon[0] < plain.horizon[2]);
	/* Quake's compilers take light from keys of worldspawn, with colors up to 1 or up to 255. */
	static const char *const suns[][4] = {
		{ "_sunlight", "20", "_sunlight_color", "255 40 40" }, { "_sunlight2", "20", "_sunlight2_color", "1 .16 .16" },
		{ "_sun_light", "20", "_sun_color", "1 .16 .16" },
	};
	const sky_look evening = look_in_light("unheard_of", "_light", "255 40 40 20");
	for (size_t i = 0; i < COUNT(suns); i++) {
		const sky_look sun = look_at_sky(&(light_case){ "unheard_of", "targetname", "sun",
		                                                { suns[i][0], suns[i][1], suns[i][2], suns[i][3] } });
		for (int k = 0; k < 3; k++) assert_in_range(sun.horizon[k] + 1, evening.horizon[k], evening.horizon[k] + 2);
	}
	const sky_look white = look_at_sky(&(light_case){ "unheard_of", "targetname", "sun", { "_sunlight", "20" } });
	const sky_look gray = look_in_light("unheard_of", "_light", "255 255 255 20");
	assert_memory_equal(&white, &gray, sizeof gray);
	/* Invalid values count as no light at all. */
	const sky_look none = look_at_sky(&(light_case){ "unheard_of", "targetname", "sun", { "_sunlight", "-3" } });
	assert_memory_equal(&none, &plain, sizeof plain);
	const sky_look nonsense = look_in_light("unheard_of", "_light", "-1 x");
	assert_memory_equal(&nonsense, &plain, sizeof plain);
}

static void skies_that_are_there_stay(void **state)
{
	(void)state;
	bspt_game g;
	bspt_game_start(&g);
	bspt_game_script(&g, "box { skyparms env/a 256 - }\nclouds { skyparms - 300 -\n { map cloud } }\n");
	bspt_game_picture(&g, "env/a_rt.tga");
	bspt_game_picture(&g, "cloud.tga");
	bspt_game_use(&g, "box", SKY, 0);
	bspt_game_use(&g, "clouds", SKY, 0);
	bspt_game_make(&g);
	for (uint32_t i = 0; i < g.scene.image_count; i++) assert_false(g.scene.images[i]->is_generated);
	bspt_game_end(&g);
}

/* ---- Written ----------------------------------------------------------------------------------------------- */

/* If textures are not requested, fallback colors are not made either. */
static void nothing_stands_in_for_what_nobody_wants(void **state)
{
	(void)state;
	bspt_game g;
	start_source(&g);
	g.ctx.options.textures = BSPSCENE_TEXTURES_NONE;
	use(&g, "tools/toolsskybox", SKY, 64, 0, 0, 0);
	bspt_game_make(&g);
	assert_int_equal(g.scene.image_count, 0);
	bspt_game_end(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mean_colors_stand_in),
		cmocka_unit_test(squares_on_request),
		cmocka_unit_test(a_plain_sky),
		cmocka_unit_test(skies_that_are_there_stay),
		cmocka_unit_test(nothing_stands_in_for_what_nobody_wants),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
