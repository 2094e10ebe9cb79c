/* Promise: a view that shows more of the map is rated higher: a near wall, black or one color rates lower than a room.
 * Useless views are found by the rule of docs/archive.md. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "archive/pictures/tile_view.h"

enum { SIDE = 16 };

static const cli_picture_look room = { .entropy = 0.7f, .detail = 0.5f, .alike = 0.1f, .brightness = 0.4f };

static void what_is_in_the_way_is_worth_less(void **state)
{
	(void)state;
	static const struct { const char *what; cli_picture_look look; } cases[] = {
		/* The values are typical of real maps: a wall seen from 20 units has much contrast. */
		{ "a wall from near", { .entropy = 0.9f, .detail = 0.9f, .alike = 0.1f, .brightness = 0.5f, .nearness = 1 } },
		{ "half of it is a pillar",
		  { .entropy = 0.75f, .detail = 0.5f, .alike = 0.1f, .brightness = 0.5f, .nearness = 0.5f } },
		{ "half of it is black",
		  { .entropy = 0.8f, .detail = 0.5f, .alike = 0.5f, .black = 0.5f, .brightness = 0.3f } },
		{ "most of it is one color", { .entropy = 0.8f, .detail = 0.5f, .alike = 0.6f, .brightness = 0.3f } },
		{ "all is alike", { .entropy = 0.2f, .detail = 0.1f, .alike = 0.2f, .brightness = 0.3f } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (cli_rate_picture(&cases[i].look) < cli_rate_picture(&room)) continue;
		fail_msg("%s is worth %g, a room %g", cases[i].what, (double)cli_rate_picture(&cases[i].look),
		         (double)cli_rate_picture(&room));
	}
}

static void a_little_that_is_near_does_no_harm(void **state)
{
	(void)state;
	cli_picture_look look = room;
	look.nearness = 0.2f; /* like a view with some floor nearby */
	assert_true(cli_rate_picture(&look) == cli_rate_picture(&room));
}

static void nearness_is_a_share(void **state)
{
	(void)state;
	static const float distances[] = { 10, 95.9f, 96, 4000, INFINITY };
	assert_true(fabsf(cli_measure_nearness(distances, 5) - 0.4f) < 1e-6f);
	assert_true(cli_measure_nearness(distances, 0) == 0);
}

static void the_rule_is_the_one_that_is_written(void **state)
{
	(void)state;
	static const struct { const char *what; cli_picture_look look; bool useless; } cases[] = {
		{ "a room", { .entropy = 0.7f, .brightness = 0.4f }, false },
		{ "just bright enough", { .entropy = 0.31f, .alike = 0.69f, .black = 0.79f, .brightness = 0.061f }, false },
		{ "black", { .entropy = 0.7f, .black = 0.81f, .brightness = 0.4f }, true },
		{ "of one color", { .entropy = 0.7f, .alike = 0.71f, .brightness = 0.4f }, true },
		{ "nothing to see", { .entropy = 0.29f, .brightness = 0.4f }, true },
		{ "dark", { .entropy = 0.7f, .brightness = 0.059f }, true },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (cli_is_useless(&cases[i].look) != cases[i].useless) fail_msg("%s", cases[i].what);
	}
}

/* Measures a picture whose left half is white and whose right half is black. */
static void pictures_are_measured(void **state)
{
	(void)state;
	uint8_t rgb[SIDE * SIDE * 3] = { 0 };
	for (int y = 0; y < SIDE; y++) memset(rgb + y * SIDE * 3, 255, SIDE / 2 * 3);
	cli_picture_look look = cli_measure_picture(rgb, SIDE, SIDE, NULL);
	assert_true(fabsf(look.black - 0.5f) < 1e-6f && fabsf(look.alike - 0.5f) < 1e-6f);
	assert_true(fabsf(look.entropy - 0.2f) < 1e-6f); /* one bit of entropy, of at most five */
	assert_true(fabsf(look.brightness - 0.5f) < 0.01f);
	assert_true(look.nearness == 0);
	look = cli_measure_picture(rgb, SIDE, SIDE, (const uint8_t[3]){ 0, 0, 0 });
	assert_true(look.black == 0 && look.alike == 1 && look.brightness > 0.99f);
	look = cli_measure_picture(rgb, 1, 1, (const uint8_t[3]){ 255, 255, 255 });
	assert_true(cli_is_useless(&look)); /* the picture shows only the background */
}

/* The first view from a player start looks ahead. The other views look around in equal steps. */
static void one_looks_around_from_a_start(void **state)
{
	cli_tile_view views[CLI_MOST_TILE_VIEWS];
	bspscene_view starts[CLI_MOST_TILE_VIEWS];
	uint32_t start_count = 0, first = 0;
	(void)state;
	bspscene_scene *scene = bspscene_load_file(BSPT_FIXTURES "/atrium/quake3/maps/atrium.bsp", NULL, NULL);
	assert_non_null(scene);
	for (uint32_t i = 0; i < scene->camera_count && start_count < CLI_MOST_TILE_VIEWS; i++) {
		if (scene->cameras[i]->kind == BSPSCENE_CAMERA_SPAWN) starts[start_count++] = bspscene_view_of_camera(scene, i);
	}
	uint32_t count = cli_list_tile_views(scene, SIDE, SIDE, views);
	while (first < count && strncmp(views[first].text, "from where a player starts", 26) != 0) first++;
	uint32_t directions = (count - 1 - first) / start_count;
	assert_in_range(directions, 2, 8);
	assert_int_equal(first + directions * start_count + 1, count);
	assert_true(views[count - 1].above);
	for (uint32_t i = 0; i < directions * start_count; i++) {
		const cli_tile_view *view = &views[first + i];
		float turned = 360.0f / (float)directions * (float)(i % directions);
		float off = fmodf(view->view.yaw - starts[i / directions].yaw - turned + 3600.5f, 360) - 0.5f;
		assert_true(fabsf(off) < 0.01f && view->view.yaw < 180);
		assert_memory_equal(view->view.origin, starts[i / directions].origin, sizeof view->view.origin);
		assert_true((view->bonus > 0) == (i % directions == 0));
	}
	bspscene_scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_in_the_way_is_worth_less),
		cmocka_unit_test(a_little_that_is_near_does_no_harm),
		cmocka_unit_test(nearness_is_a_share),
		cmocka_unit_test(the_rule_is_the_one_that_is_written),
		cmocka_unit_test(pictures_are_measured),
		cmocka_unit_test(one_looks_around_from_a_start),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
