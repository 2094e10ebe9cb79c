/* Promise: the light at a point of a page is the bilinear mean of the four luxels around the point, for each channel.
 * Light of several sets is added in units of the first set's intensity. Colors of vertices have an intensity of their
 * own. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "baking/light_at.h"
#include "drawing/sample.h"
#include "images/images.h"

enum { WIDTH = 3, HEIGHT = 2, LUXELS = WIDTH * HEIGHT * 3 };

/* Luxels of a page, all different. */
static const uint8_t bytes[LUXELS] = { 10, 200, 31, 90, 60, 7, 140, 20, 255, 55, 111, 3, 222, 170, 77, 1, 99, 44 };

/* Tables that sampling needs: the linear light of each byte, and the display value of each half float. */
static float linears[256], displays[BSPI_HALFS];
static const bspi_adding_tables tables = { linears, displays };

static int fill_tables(void **state)
{
	(void)state;
	bspi_fill_linears(linears);
	bspi_fill_displays(displays);
	return 0;
}

/* Returns the value of luxel (x, y). For numbers outside of the page, returns the nearest luxel of the page. */
static double luxel_at(int x, int y, int channel)
{
	x = x < 0 ? 0 : x < WIDTH ? x : WIDTH - 1;
	y = y < 0 ? 0 : y < HEIGHT ? y : HEIGHT - 1;
	return bytes[3 * (y * WIDTH + x) + channel] / 255.0;
}

/* Computes the mean in another way: as a weighted sum of all luxels. A luxel's weight falls linearly from 1 at its
 * center to 0 at the centers of its neighbors. */
static double wanted_at(double u, double v, int channel)
{
	double sum = 0, across = u * WIDTH - 0.5, down = v * HEIGHT - 0.5;
	for (int y = -1; y <= HEIGHT; y++) {
		for (int x = -1; x <= WIDTH; x++) {
			double weight = fmax(0, 1 - fabs(across - x)) * fmax(0, 1 - fabs(down - y));
			sum += weight * luxel_at(x, y, channel);
		}
	}
	return sum;
}

static void check(const bspscene_scene *scene, double factor)
{
	static const float uvs[][2] = {
		{ 0.5f, 0.5f }, { 0.3f, 0.4f },  { 0.7f, 0.65f }, { 0.4f, 0.6f }, { 0, 0 },
		{ 1, 1 },       { 0.02f, 0.9f }, { 0.55f, 0.3f }, { 0.9f, 0.5f }, { 0.5f / 3, 0.75f },
	};
	static const float colors[3] = { 0.25f, 0.5f, 1 };
	for (int colored = 0; colored < 2; colored++) {
		const bspi_light_rule rule = {
			.scene = scene, .page = 0, .colors = colored, .page_intensity = 2, .color_intensity = 4
		};
		for (size_t i = 0; i < sizeof uvs / sizeof *uvs; i++) {
			float got[3];
			bspi_displayed_light_at(&rule, &tables, uvs[i], colors, got);
			for (int k = 0; k < 3; k++) {
				double want = 2 * factor * wanted_at((double)uvs[i][0], (double)uvs[i][1], k);
				if (colored) want *= 4 * (double)colors[k];
				assert_true(fabs((double)got[k] - want) < 1e-4);
			}
		}
	}
}

static void light_is_the_mean_of_four_luxels(void **state)
{
	static const uint8_t none[LUXELS];
	bspscene_lightmap_page pages[3] = {
		{ WIDTH, HEIGHT, BSPSCENE_LIGHTMAP_PAGE_RGB8, bytes, NULL },
		{ WIDTH, HEIGHT, BSPSCENE_LIGHTMAP_PAGE_RGB8, bytes, NULL },
		{ WIDTH, HEIGHT, BSPSCENE_LIGHTMAP_PAGE_RGB8, none, NULL },
	};
	bspscene_lightmap_set sets[3] = {
		{ .intensity = 2, .pages = &pages[0] },
		{ .intensity = 3, .style = 5, .pages = &pages[1] },
		{ .intensity = 7, .style = 6, .pages = &pages[2] },
	};
	bspscene_scene scene = { .lightmap_sets = sets, .lightmap_set_count = 1, .lightmap_page_count = 1 };
	(void)state;
	check(&scene, 1);
	scene.lightmap_set_count = 3;
	check(&scene, 1 + 3 / 2.0);
	sets[1].kind = BSPSCENE_LIGHTMAP_SET_DIRECTION; /* a set of directions adds no light */
	check(&scene, 1);
}

/* Pages are interpolated as the game adds light: in display values or in linear light. This also holds for pages of
 * half floats. */
static void half_floats_are_filtered_as_the_game_does(void **state)
{
	static const float light[2][3] = { { 0.5f, 2, 0 }, { 4, 0.25f, 1 } };
	uint16_t halves[6];
	bspscene_lightmap_page page = { 2, 1, BSPSCENE_LIGHTMAP_PAGE_RGB16F, halves, NULL };
	bspscene_lightmap_set set = { .intensity = 1, .pages = &page };
	bspscene_scene scene = { .lightmap_sets = &set, .lightmap_set_count = 1, .lightmap_page_count = 1 };
	const bspi_light_rule rule = { .scene = &scene, .page = 0, .page_intensity = 1, .color_intensity = 1 };
	static const float uv[2] = { 0.25f + 0.5f / 4, 0.5f }; /* a quarter of the way from the first luxel to the second */
	(void)state;
	for (int i = 0; i < 6; i++) halves[i] = bspi_half_from_float(light[i / 3][i % 3]);
	for (int linear = 0; linear < 2; linear++) {
		const double power = linear ? 1 : 1 / BSPI_PAGE_GAMMA;
		float got[3];
		scene.linear_luxels = linear;
		bspi_displayed_light_at(&rule, &tables, uv, NULL, got);
		for (int k = 0; k < 3; k++) {
			double mean = 0.75 * pow((double)light[0][k], power) + 0.25 * pow((double)light[1][k], power);
			assert_true(fabs((double)got[k] - pow(mean, linear ? 1 / BSPI_PAGE_GAMMA : 1)) < 3e-3);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(light_is_the_mean_of_four_luxels),
		cmocka_unit_test(half_floats_are_filtered_as_the_game_does),
	};
	return cmocka_run_group_tests(tests, fill_tables, NULL);
}
