/* Promise: models have the light at their position. It comes from the light grid, or outdoors from the sky and the sun.
 * If a model is rotated, the direction of the light in the world stays the same. The scene is one wall, with colors
 * that can be computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "wall.h"

static const uint8_t gray[4] = { 128, 128, 128, 128 }, white[4] = { 255, 255, 255, 255 };
enum { GRAY, WHITE, IMAGE_COUNT };
static const bspscene_image images[] = { BSPT_WALL_IMAGE(1, 1, gray), BSPT_WALL_IMAGE(1, 1, white) };
static const bspscene_prop prop = { .entity = BSPSCENE_NO_INDEX };

/* Makes a wall in a scene with one model. The wall is the model's if `is_prop`. */
static void make_model(bspt_wall *w, uint32_t image, bool is_prop)
{
	bspt_make_wall(w, images, IMAGE_COUNT);
	w->material.base_image = image;
	w->prop_table[0] = &prop;
	w->scene.props = w->prop_table;
	w->scene.prop_count = 1;
	if (is_prop) w->nodes[1].prop = 0;
}

/* Returns a light grid of one sample. */
static bspscene_light_grid grid_of(const uint8_t ambient[3], const uint8_t directed[3], const uint8_t direction[2])
{
	return (bspscene_light_grid){
		.counts = { 1, 1, 1 }, .step = { 64, 64, 128 }, .style_count = 1,
		.ambient = ambient, .directed = directed, .directions = direction,
	};
}

/* The engine adds 32 to the ambient light of models. The mesh's colors are a mean over all positions. */
static void models_have_the_light_of_their_place(void **state)
{
	static const uint8_t ambient[3] = { 191, 0, 0 }, directed[3] = { 0 }, directions[2] = { 0 };
	static const uint8_t half[3] = { 128, 128, 128 }, lit[3] = { 223, 32, 32 };
	(void)state;
	for (int is_prop = 0; is_prop < 2; is_prop++) {
		bspt_wall w;
		uint8_t got[3];
		make_model(&w, WHITE, is_prop);
		w.light_grid = grid_of(ambient, directed, directions);
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color(is_prop ? "a model" : "a wall", got, is_prop ? lit : half);
	}
}

/* If a model is rotated, each of its sides has the light that reaches this side in the world. */
static void models_turn_in_the_light_of_their_place(void **state)
{
	static const uint8_t no_light[3] = { 0 }, sun[3] = { 255, 255, 255 }, from_east[2] = { 64, 0 };
	static const struct { const char *what; float normal[3]; bool lit; } cases[] = {
		{ "north turns to west", { 0, 1, 0 }, false }, { "south turns to east", { 0, -1, 0 }, true },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		uint8_t got[3];
		make_model(&w, WHITE, true);
		w.light_grid = grid_of(no_light, sun, from_east);
		/* The model's node turns by 90 degrees to the left. Its vertices turn back, so that the wall does not move. */
		memcpy(w.nodes[1].transform, (float[12]){ 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0 }, 12 * sizeof(float));
		for (int k = 0; k < 4; k++) {
			float *at = w.positions + 3 * k, x = at[0], y = at[1];
			at[0] = y;
			at[1] = -x;
			memcpy(w.normals + 3 * k, cases[i].normal, 3 * sizeof(float));
		}
		bspt_draw_wall(&w, NULL, 0, got);
		if (cases[i].lit != (got[0] > 200)) fail_msg("%s: %u", cases[i].what, got[0]);
	}
}

/* Light outdoors shows a model up to twice as bright as its texture, which vertex colors cannot hold. */
static void models_outdoors_may_be_brighter_than_their_textures(void **state)
{
	static const struct { const char *what; float ambient, sun, toward; uint8_t want[3]; } cases[] = {
		{ "in the sun", 0.5f, 1, -1, { 192, 192, 192 } }, { "turned away", 0.5f, 1, 1, { 64, 64, 64 } },
		{ "without a sun", 0.25f, 0, -1, { 32, 32, 32 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_light_sample light = { .direction = { cases[i].toward, 0, 0 } };
		bspt_wall w;
		uint8_t got[3];
		for (int k = 0; k < 18; k++) light.sides[k / 3][k % 3] = cases[i].ambient;
		for (int k = 0; k < 3; k++) light.directed[k] = cases[i].sun;
		make_model(&w, GRAY, true);
		w.scene.outdoor_light = &light;
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(models_have_the_light_of_their_place),
		cmocka_unit_test(models_turn_in_the_light_of_their_place),
		cmocka_unit_test(models_outdoors_may_be_brighter_than_their_textures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
