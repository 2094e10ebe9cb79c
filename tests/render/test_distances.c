/* Promise: distances are those from the eye to what is first solid at the middle of each pixel; skies, blended surfaces
 * and what faces away are seen through; wrong options are errors. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "wall.h"

enum { WIDTH = 37, HEIGHT = 5 };

static const uint8_t red[4] = { 255, 0, 0, 64 };
static const bspscene_image image = BSPT_WALL_IMAGE(1, 1, red);

static bool measure(const bspt_wall *w, const bspscene_view *view, float *distances, bspscene_error *error)
{
	bspscene_render_options options;
	bspscene_render_options_init(&options);
	options.width = WIDTH;
	options.height = HEIGHT;
	bspscene_renderer *renderer = bspscene_renderer_create(&w->scene, &options, error);
	if (!renderer) fail_msg("%s", error->message);
	bool ok = bspscene_render_distances(renderer, view, &options, distances, error);
	bspscene_renderer_free(renderer);
	return ok;
}

/* The wall is 64 away and reaches 32 to all sides; the picture is 128 wide there. */
static void each_pixel_has_its_own(void **state)
{
	(void)state;
	static const bspscene_view ahead = { { 0, 0, 0 }, 0, 0, 0, 90 };
	float distances[WIDTH * HEIGHT];
	bspscene_error error;
	bspt_wall w;
	bspt_make_wall(&w, &image, 1);
	assert_true(measure(&w, &ahead, distances, &error));
	for (int y = 0; y < HEIGHT; y++) {
		for (int x = 0; x < WIDTH; x++) {
			double side = 128 * ((x + 0.5) / WIDTH - 0.5), up = 128 * (HEIGHT / 2.0 - (y + 0.5)) / WIDTH;
			double want = fabs(side) < 32 ? sqrt(64 * 64 + side * side + up * up) : (double)INFINITY;
			double got = (double)distances[y * WIDTH + x];
			if (got != want && !(fabs(got - want) < 1e-3)) fail_msg("%d, %d: %g instead of %g", x, y, got, want);
		}
	}
}

static void some_surfaces_are_seen_through(void **state)
{
	(void)state;
	static const struct {
		const char *what;
		bspscene_material_kind kind;
		bspscene_alpha_mode alpha;
		float yaw, x, want;
	} cases[] = {
		{ "a wall", BSPSCENE_MATERIAL_NORMAL, BSPSCENE_ALPHA_OPAQUE, 0, 0, 64 },
		{ "the sky", BSPSCENE_MATERIAL_SKY, BSPSCENE_ALPHA_OPAQUE, 0, 0, INFINITY },
		{ "glass", BSPSCENE_MATERIAL_NORMAL, BSPSCENE_ALPHA_BLEND, 0, 0, INFINITY },
		{ "a wall from behind", BSPSCENE_MATERIAL_NORMAL, BSPSCENE_ALPHA_OPAQUE, 180, 96, INFINITY },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		float distances[WIDTH * HEIGHT];
		bspscene_error error;
		bspt_wall w;
		bspt_make_wall(&w, &image, 1);
		w.material.kind = cases[i].kind;
		w.material.alpha_mode = cases[i].alpha;
		bspscene_view view = { { cases[i].x, 0, 0 }, 0, cases[i].yaw, 0, 90 };
		assert_true(measure(&w, &view, distances, &error));
		float got = distances[WIDTH * (HEIGHT / 2) + WIDTH / 2];
		if (got != cases[i].want) fail_msg("%s: %g", cases[i].what, (double)got);
	}
}

static void a_view_without_a_field_is_an_error(void **state)
{
	(void)state;
	float distances[WIDTH * HEIGHT];
	bspscene_error error;
	bspt_wall w;
	bspt_make_wall(&w, &image, 1);
	bspscene_view view = { .fov_degrees = 0 };
	assert_false(measure(&w, &view, distances, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_pixel_has_its_own),
		cmocka_unit_test(some_surfaces_are_seen_through),
		cmocka_unit_test(a_view_without_a_field_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
