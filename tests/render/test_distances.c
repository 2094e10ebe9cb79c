/* Promise: distances are those from the eye to the first solid surface at the center of each pixel, through skies,
 * blended surfaces and back faces. Invalid options are errors. */
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

/* The wall is 64 units away and extends 32 units to each side, so it is 128 pixels wide. */
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

/* The view is turned left and down, so that the picture has no symmetry. */
static void what_is_on_the_right_is_on_the_right(void **state)
{
	(void)state;
	const double yaw = 0.35, pitch = 0.1, degrees = 57.29577951308232;
	const bspscene_view turned = { { 0, 0, 0 }, (float)(pitch * degrees), (float)(yaw * degrees), 0, 90 };
	float distances[WIDTH * HEIGHT];
	bspscene_error error;
	bspt_wall w;
	uint32_t met = 0;
	bspt_make_wall(&w, &image, 1);
	assert_true(measure(&w, &turned, distances, &error));
	for (int y = 0; y < HEIGHT; y++) {
		for (int x = 0; x < WIDTH; x++) {
			double right = 2 * (x + 0.5) / WIDTH - 1, up = (1 - 2 * (y + 0.5) / HEIGHT) * HEIGHT / WIDTH;
			double level = cos(pitch) + up * sin(pitch), height = up * cos(pitch) - sin(pitch);
			double dx = level * cos(yaw) + right * sin(yaw), dy = level * sin(yaw) - right * cos(yaw);
			double at = 64 / dx, got = (double)distances[y * WIDTH + x];
			double edge = fmax(fabs(at * dy), fabs(at * height));
			if (dx > 0 && fabs(edge - 32) < 1) continue;
			double want = dx > 0 && edge < 32 ? at * sqrt(dx * dx + dy * dy + height * height) : (double)INFINITY;
			met += want < 1000;
			if (got != want && !(fabs(got - want) < 1e-2)) fail_msg("%d, %d: %g instead of %g", x, y, got, want);
		}
	}
	assert_true(met > 20);
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
		{ "a wall", BSPSCENE_MATERIAL_NORMAL, BSPSCENE_ALPHA_MODE_OPAQUE, 0, 0, 64 },
		{ "the sky", BSPSCENE_MATERIAL_SKY, BSPSCENE_ALPHA_MODE_OPAQUE, 0, 0, INFINITY },
		{ "glass", BSPSCENE_MATERIAL_NORMAL, BSPSCENE_ALPHA_MODE_BLEND, 0, 0, INFINITY },
		{ "a wall from behind", BSPSCENE_MATERIAL_NORMAL, BSPSCENE_ALPHA_MODE_OPAQUE, 180, 96, INFINITY },
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

/* There are more panes than a ray can store. */
static void a_wall_is_seen_through_any_number_of_panes(void **state)
{
	(void)state;
	enum { PANES = 60, WALLS = PANES + 1, DISTANCE = 130 };
	static float positions[12 * WALLS], rest[12 * WALLS];
	static uint8_t colors[16 * WALLS];
	static uint32_t indices[6 * WALLS];
	float distances[WIDTH * HEIGHT];
	bspscene_error error;
	bspt_wall w;
	bspt_make_wall(&w, &image, 1);
	for (uint32_t i = 0; i < WALLS; i++) {
		memcpy(positions + 12 * i, w.positions, sizeof w.positions);
		for (uint32_t k = 0; k < 12; k += 3) positions[12 * i + k] = i < PANES ? 64 + (float)i : DISTANCE;
		for (uint32_t k = 0; k < 6; k++) indices[6 * i + k] = 4 * i + w.indices[k];
	}
	bspscene_material pane = w.material;
	pane.alpha_mode = BSPSCENE_ALPHA_MODE_BLEND;
	bspscene_section panes = w.section, wall = w.section;
	panes.vertex_count = 4 * PANES;
	panes.index_count = 6 * PANES;
	wall.first_vertex = 4 * PANES;
	wall.first_index = 6 * PANES;
	wall.material = 1;
	panes.face_count = wall.face_count = 0;
	const bspscene_section *const sections[] = { &panes, &wall };
	const bspscene_material *const materials[] = { &pane, &w.material };
	w.mesh = (bspscene_mesh){ .name = "", .vertex_count = 4 * WALLS, .index_count = 6 * WALLS, .positions = positions,
	                          .normals = rest, .uvs = rest, .colors = colors, .indices = indices,
	                          .sections = sections, .section_count = 2 };
	w.scene.materials = materials;
	w.scene.material_count = 2;
	bspscene_view ahead = { { 0, 5, 2 }, 0, 0, 0, 90 };
	assert_true(measure(&w, &ahead, distances, &error));
	float got = distances[WIDTH * (HEIGHT / 2) + WIDTH / 2];
	if (got != DISTANCE) fail_msg("%g", (double)got);
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
		cmocka_unit_test(what_is_on_the_right_is_on_the_right),
		cmocka_unit_test(some_surfaces_are_seen_through),
		cmocka_unit_test(a_wall_is_seen_through_any_number_of_panes),
		cmocka_unit_test(a_view_without_a_field_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
