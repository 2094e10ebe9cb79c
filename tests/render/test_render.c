/* Promise: a picture depends only on scene, view and options. Modes work as documented, and invalid options are errors.
 * Goldens have the mean colors of 16 x 12 cells of the atrium's views; a cell may differ by 3 of 255. BSPT_UPDATE=1 in
 * the environment updates them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <bspscene/render_binding.h>

#include "support/hostile/counted_memory.h"

enum { WIDTH = 160, HEIGHT = 120, CELLS_X = 16, CELLS_Y = 12, TOLERANCE = 3 };

typedef struct fixture {
	bspscene_file_system *files;
	bspscene_scene *scene;
	bspscene_render_options options;
	uint8_t rgb[WIDTH * HEIGHT * 3];
} fixture;

static int load_atrium(void **state)
{
	fixture *f = calloc(1, sizeof *f);
	bspscene_load_options options;
	bspscene_error error;
	assert_non_null(f);
	f->files = bspscene_file_system_create(NULL);
	assert_true(bspscene_file_system_mount_game(f->files, BSPT_FIXTURES "/atrium/quake3", &error));
	bspscene_load_options_init(&options);
	options.open_file = bspscene_file_system_open;
	options.list_files = bspscene_file_system_list;
	options.file_user = f->files;
	options.include_mask = BSPSCENE_SURFACE_SKY;
	f->scene = bspscene_load_file(BSPT_FIXTURES "/atrium/quake3/maps/atrium.bsp", &options, &error);
	if (!f->scene) fail_msg("%s", error.message);
	bspscene_render_options_init(&f->options);
	f->options.width = WIDTH;
	f->options.height = HEIGHT;
	*state = f;
	return 0;
}

static int free_atrium(void **state)
{
	fixture *f = *state;
	bspscene_scene_free(f->scene);
	bspscene_file_system_free(f->files);
	free(f);
	return 0;
}

static const bspscene_view corner = { { 32, -480, 378 }, 20, 135, 0, 90 };

static void draw(fixture *f, const bspscene_view *view, uint8_t *rgb)
{
	bspscene_error error;
	bspscene_renderer *renderer = bspscene_renderer_create(f->scene, &f->options, &error);
	assert_non_null(renderer);
	assert_true(bspscene_render(renderer, view, &f->options, rgb, &error));
	bspscene_renderer_free(renderer);
}

static void the_number_of_threads_changes_nothing(void **state)
{
	fixture *f = *state;
	static uint8_t other[sizeof f->rgb];
	f->options.threads = 1;
	draw(f, &corner, f->rgb);
	f->options.threads = 4;
	draw(f, &corner, other);
	assert_memory_equal(f->rgb, other, sizeof other);
}

static void mean_cell(const uint8_t *rgb, int cell, int out[3])
{
	enum { W = WIDTH / CELLS_X, H = HEIGHT / CELLS_Y };
	long sum[3] = { 0, 0, 0 };
	for (int i = 0; i < W * H; i++) {
		const uint8_t *p = rgb + (((cell / CELLS_X) * H + i / W) * WIDTH + (cell % CELLS_X) * W + i % W) * 3;
		for (int k = 0; k < 3; k++) sum[k] += p[k];
	}
	for (int k = 0; k < 3; k++) out[k] = (int)(sum[k] / (W * H));
}

static void compare_golden(const uint8_t *rgb, const char *name)
{
	char path[1024];
	snprintf(path, sizeof path, "%s/%s.txt", BSPT_GOLDEN, name);
	bool update = getenv("BSPT_UPDATE") != NULL;
	FILE *file = fopen(path, update ? "w" : "r");
	if (!file) fail_msg("%s is missing", path);
	for (int cell = 0; cell < CELLS_X * CELLS_Y; cell++) {
		int is[3], should[3];
		mean_cell(rgb, cell, is);
		if (update) {
			fprintf(file, "%d %d %d\n", is[0], is[1], is[2]);
			continue;
		}
		assert_int_equal(fscanf(file, "%d %d %d", &should[0], &should[1], &should[2]), 3);
		for (int k = 0; k < 3; k++) {
			if (abs(is[k] - should[k]) > TOLERANCE) {
				fail_msg("%s: cell %d,%d is %d %d %d, not %d %d %d", name, cell % CELLS_X, cell / CELLS_X, is[0], is[1],
				         is[2], should[0], should[1], should[2]);
			}
		}
	}
	fclose(file);
}

static void modes_show_what_they_say(void **state)
{
	static const struct { const char *name; bspscene_render_mode mode; } modes[] = {
		{ "full", BSPSCENE_RENDER_FULL }, { "lightmap", BSPSCENE_RENDER_LIGHTMAP },
		{ "texture", BSPSCENE_RENDER_TEXTURE },
	};
	fixture *f = *state;
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		f->options.mode = modes[i].mode;
		draw(f, &corner, f->rgb);
		compare_golden(f->rgb, modes[i].name);
	}
	f->options.mode = BSPSCENE_RENDER_FULL;
}

static void views_come_from_entities(void **state)
{
	fixture *f = *state;
	bspscene_view view;
	assert_true(bspscene_view_of_entity(f->scene, "INFO_PLAYER_START", 0, &view));
	assert_true(view.origin[2] == 32 + 26 && fabsf(fabsf(view.yaw) - 180) < 0.01f);
	assert_true(bspscene_view_of_entity(f->scene, "info_player_deathmatch", 2, &view));
	assert_false(bspscene_view_of_entity(f->scene, "info_player_deathmatch", 3, &view));
	assert_false(bspscene_view_of_entity(f->scene, "no_such_class", 0, &view));
}

/* From above, the map fills the picture but does not touch its edge. */
static void the_overview_shows_the_whole_map(void **state)
{
	fixture *f = *state;
	bspscene_view view = bspscene_view_overview(f->scene, WIDTH, HEIGHT);
	f->options.transparent_sky = true;
	f->options.background[0] = 1;
	f->options.background[2] = 1;
	draw(f, &view, f->rgb);
	f->options.transparent_sky = false;
	f->options.background[0] = f->options.background[2] = 0;
	int drawn = 0;
	for (int i = 0; i < WIDTH * HEIGHT; i++) {
		const uint8_t *p = f->rgb + 3 * i;
		bool empty = p[0] == 255 && p[1] == 0 && p[2] == 255;
		bool edge = i % WIDTH == 0 || i % WIDTH == WIDTH - 1 || i / WIDTH == 0 || i / WIDTH == HEIGHT - 1;
		if (edge) assert_true(empty);
		drawn += !empty;
	}
	assert_in_range(drawn, WIDTH * HEIGHT / 4, WIDTH * HEIGHT);
}

static void dark_pictures_are_lifted_and_bright_ones_left(void **state)
{
	const float background[3] = { 0, 0, 1 };
	uint8_t dark[12] = { 0, 0, 255, 10, 20, 30, 20, 20, 20, 40, 40, 40 };
	uint8_t bright[12] = { 0, 0, 255, 250, 250, 250, 240, 240, 240, 230, 1, 1 };
	uint8_t before[12];
	(void)state;
	memcpy(before, bright, sizeof before);
	float factor = bspscene_auto_expose(dark, 4, 1, background, 0);
	assert_true(bspscene_auto_expose(bright, 4, 1, background, 0) == 1);
	assert_memory_equal(bright, before, sizeof before);
	float wanted = factor * 40 / (1 + (factor - 1) * 40 / 255);
	assert_true(factor > 1 && fabsf(dark[9] - wanted) <= 0.51f);
	assert_true(dark[0] == 0 && dark[2] == 255);
	/* The channels of a gray-blue pixel keep their ratio of 1 to 2 to 3. */
	assert_true(dark[5] > 80 && abs(3 * dark[3] - dark[5]) <= 3 && abs(3 * dark[4] - 2 * dark[5]) <= 3);
	/* A factor of 1 changes nothing. A larger one is used as it is, and white stays white. */
	memcpy(before, dark, sizeof before);
	assert_true(bspscene_auto_expose(dark, 4, 1, background, 1) == 1);
	assert_memory_equal(dark, before, sizeof before);
	assert_true(bspscene_auto_expose(dark, 4, 1, background, 100) == 100);
	assert_true(dark[0] == 0 && dark[2] == 255 && dark[9] > 245 && dark[9] < 255);
	assert_true(bspscene_auto_expose(bright, 4, 1, background, 100) == 100);
	assert_true(bright[3] == 255 && bright[10] <= 2);
}

/* The darker the picture, the larger the factor, from 1 on and without jumps; black pixels are ignored. */
static void exposure_is_smooth(void **state)
{
	const float background[3] = { 0, 0, 1 };
	float before = 1;
	(void)state;
	for (uint8_t level = 255; level > 2; level--) {
		uint8_t picture[9] = { level, level, level, 0, 0, 0, 0, 0, 255 };
		float factor = bspscene_auto_expose(picture, 3, 1, background, 0);
		assert_true(factor >= before && factor <= 8 && (level < 108 || factor == 1));
		if (level == 106) assert_true(factor > 1 && picture[0] == 107);
		if (level == 20) assert_in_range(picture[0], 98, 108);
		before = factor;
	}
	assert_true(before == 8);
	/* Levels 1 and 2 count as black. */
	uint8_t plain[6] = { 0, 0, 0, 60, 60, 60 }, specks[6] = { 2, 1, 2, 60, 60, 60 };
	assert_true(bspscene_auto_expose(plain, 2, 1, background, 0) == bspscene_auto_expose(specks, 2, 1, background, 0));
}

static bspscene_progress_result cancel(void *user, const char *stage, double fraction)
{
	(void)user;
	(void)stage;
	return fraction > 0.5 ? BSPSCENE_PROGRESS_CANCEL : BSPSCENE_PROGRESS_CONTINUE;
}

typedef struct told {
	double last;
	uint32_t calls, cancel_at;
} told;

static bspscene_progress_result listen(void *user, const char *stage, double fraction)
{
	told *t = user;
	(void)stage;
	assert_true(fraction >= t->last && fraction <= 1 && (t->calls || fraction == 0));
	t->last = fraction;
	return ++t->calls == t->cancel_at ? BSPSCENE_PROGRESS_CANCEL : BSPSCENE_PROGRESS_CONTINUE;
}

/* Creating the renderer and each picture report progress separately, and can be canceled. */
static void progress_is_told_from_0_to_1(void **state)
{
	fixture *f = *state;
	bspscene_error error;
	bspscene_render_options options = f->options;
	told made = { 0 }, drawn = { 0 }, canceled = { .cancel_at = 2 };
	options.progress = listen;
	options.progress_user = &made;
	bspscene_renderer *renderer = bspscene_renderer_create(f->scene, &options, &error);
	assert_true(renderer && made.last == 1 && made.calls > 2);
	options.progress_user = &drawn;
	assert_true(bspscene_render(renderer, &corner, &options, f->rgb, &error) && drawn.last == 1);
	bspscene_renderer_free(renderer);
	options.progress_user = &canceled;
	assert_null(bspscene_renderer_create(f->scene, &options, &error));
	assert_true(error.status == BSPSCENE_ERROR_CANCELED && canceled.calls == 2);
}

/* Draws with the caller's allocator. Returns false if memory is short. */
static bool draw_by(fixture *f, bspt_counted *counted, bspscene_error *error)
{
	bspscene_allocator allocator = bspt_counted_allocator(counted);
	bspscene_render_options options = f->options;
	options.allocator = &allocator;
	bspscene_renderer *renderer = bspscene_renderer_create(f->scene, &options, error);
	memset(&allocator, 0, sizeof allocator); /* the renderer must use its own copy */
	options.allocator = NULL;
	bool drawn = renderer && bspscene_render(renderer, &corner, &options, f->rgb, error);
	bspscene_renderer_free(renderer);
	return drawn;
}

static void memory_is_the_callers(void **state)
{
	static uint8_t usual[WIDTH * HEIGHT * 3];
	fixture *f = *state;
	bspscene_error error;
	bspt_counted counted = { 0 };
	bspscene_renderer *renderer = bspscene_renderer_create(f->scene, &f->options, NULL);
	assert_true(renderer && bspscene_render(renderer, &corner, &f->options, usual, NULL));
	bspscene_renderer_free(renderer);
	assert_true(draw_by(f, &counted, &error));
	assert_memory_equal(f->rgb, usual, sizeof usual);
	assert_true(counted.calls > 10 && counted.most_bytes > 100000 && !counted.pieces && !counted.bytes);
	const uint64_t count = counted.calls, step = count / 100 + 1;
	for (uint64_t n = 1; n <= count; n += n < 4 ? 1 : step) {
		counted = (bspt_counted){ .fail_at = n };
		if (draw_by(f, &counted, &error)) fail_msg("allocation %u fails: a picture", (unsigned)n);
		assert_int_equal(error.status, BSPSCENE_ERROR_OUT_OF_MEMORY);
		if (counted.pieces) fail_msg("allocation %u fails: something leaks", (unsigned)n);
	}
}

static void wrong_options_and_canceling_end_the_picture(void **state)
{
	fixture *f = *state;
	bspscene_error error;
	bspscene_renderer *renderer = bspscene_renderer_create(f->scene, &f->options, &error);
	bspscene_render_options options = f->options;
	bspscene_view view = corner;
	view.fov_degrees = NAN;
	assert_false(bspscene_render(renderer, &view, &options, f->rgb, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	options.progress = cancel;
	assert_false(bspscene_render(renderer, &corner, &options, f->rgb, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_CANCELED);
	options.struct_size = 1;
	assert_false(bspscene_render(renderer, &corner, &options, f->rgb, NULL));
	assert_null(bspscene_renderer_create(f->scene, &options, &error));
	bspscene_renderer_free(renderer);
	bspscene_renderer_free(NULL);
}

/* Views from outside, in a corner, inside a wall and along an axis are drawn like any other. */
static void any_view_is_drawn(void **state)
{
	static const bspscene_view views[] = {
		{ { 0, 0, 1e6f }, 90, 0, 0, 90 }, { { -512, -512, 0 }, -90, 0, 0, 170 }, { { 64, 0, -500 }, 0, 90, 180, 1 },
		{ { 0, 0, 100 }, 0, 0, 0, 90 }, { { 0, 0, 0 }, 1e6f, -1e6f, 45, 60 },
	};
	fixture *f = *state;
	for (size_t i = 0; i < sizeof views / sizeof *views; i++) draw(f, &views[i], f->rgb);
}

/* ---- 3D skybox -------------------------------------------------------------------------------------------- */

/* As render.h promises, pictures show the sky without any load option. */
static void a_picture_has_its_sky_by_default(void **state)
{
	enum { DEFAULT_SIZE = 640 * 480 * 3 };
	static uint8_t by_default[DEFAULT_SIZE], with[DEFAULT_SIZE], without[DEFAULT_SIZE];
	const bspscene_view up = { { 0, 0, 100 }, -89, 0, 0, 90 };
	bspscene_render_options options;
	bspscene_error error;
	fixture *f = *state;
	bspscene_scene *scene = bspscene_open(BSPT_FIXTURES "/atrium/quake3/maps/atrium.bsp", NULL, &error);
	assert_non_null(scene);
	bspscene_renderer *plain = bspscene_renderer_create(scene, NULL, &error);
	bspscene_renderer *asked = bspscene_renderer_create(f->scene, NULL, &error);
	assert_true(plain && asked);
	bspscene_render_options_init(&options);
	options.transparent_sky = true;
	assert_true(bspscene_render(plain, &up, NULL, by_default, &error));
	assert_true(bspscene_render(asked, &up, NULL, with, &error));
	assert_true(bspscene_render(plain, &up, &options, without, &error));
	assert_memory_equal(by_default, with, DEFAULT_SIZE);
	size_t sky = 0;
	for (size_t i = 0; i < DEFAULT_SIZE; i += 3) sky += memcmp(with + i, without + i, 3) != 0;
	assert_true(sky > 10000);
	bspscene_renderer_free(plain);
	bspscene_renderer_free(asked);
	bspscene_scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_number_of_threads_changes_nothing),
		cmocka_unit_test(modes_show_what_they_say),
		cmocka_unit_test(views_come_from_entities),
		cmocka_unit_test(the_overview_shows_the_whole_map),
		cmocka_unit_test(dark_pictures_are_lifted_and_bright_ones_left), cmocka_unit_test(exposure_is_smooth),
		cmocka_unit_test(progress_is_told_from_0_to_1),
		cmocka_unit_test(memory_is_the_callers),
		cmocka_unit_test(wrong_options_and_canceling_end_the_picture),
		cmocka_unit_test(any_view_is_drawn),
		cmocka_unit_test(a_picture_has_its_sky_by_default),
	};
	return cmocka_run_group_tests(tests, load_atrium, free_atrium);
}
