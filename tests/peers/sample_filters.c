/* sample_filters.c - applies filters to random inputs, to compare them with a second implementation. Each line is a
 * JSON object with a `kind`, inputs and a `result`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawing/sample.h"
#include "support/make/build_map.h"

static uint32_t state = 53;

static uint32_t below(uint32_t count)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 8) % count;
}

static float between(float low, float high)
{
	return low + (high - low) * (float)below(100000) / 100000;
}

static void put_bytes(const char *name, const uint8_t *bytes, size_t count)
{
	printf(", \"%s\": [", name);
	for (size_t i = 0; i < count; i++) printf("%s%u", i ? ", " : "", bytes[i]);
	printf("]");
}

static void put_floats(const char *name, const float *values, size_t count)
{
	printf(", \"%s\": [", name);
	for (size_t i = 0; i < count; i++) printf("%s%.9g", i ? ", " : "", (double)values[i]);
	printf("]");
}

static void *take(void *user, size_t size)
{
	(void)user;
	return malloc(size);
}

static void give(void *user, void *data)
{
	(void)user;
	free(data);
}

static void sample_textures(void)
{
	static const uint32_t sizes[][2] = { { 8, 4 }, { 1, 1 }, { 5, 3 }, { 16, 16 }, { 2, 7 } };
	const bspscene_allocator memory = { .allocate = take, .release = give };
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		uint32_t width = sizes[s][0], height = sizes[s][1];
		size_t size = (size_t)width * height * 4;
		bspi_mips mips = { .levels = { { width, height, malloc(size) } }, .level_count = 1 };
		for (size_t i = 0; i < size; i++) mips.levels[0].rgba[i] = (uint8_t)below(256);
		if (!bspi_mips_build(&memory, &mips, 1024)) bspt_die("build", "mipmaps");
		for (int i = 0; i < 40; i++) {
			const float uv[2] = { between(-2, 3), between(-2, 3) }, lod = between(-0.5f, 4);
			bool clamp = below(2);
			float out[4];
			bspi_mips_sample(&mips, uv, lod, clamp, out);
			printf("{\"kind\": \"texture\", \"size\": [%u, %u], \"lod\": %.9g, \"clamp\": %u", width, height,
			       (double)lod, clamp);
			put_bytes("texels", mips.levels[0].rgba, size);
			put_floats("uv", uv, 2);
			put_floats("result", out, 4);
			printf("}\n");
		}
		bspi_mips_free(&memory, &mips);
	}
}

static void sample_pages(void)
{
	enum { WIDTH = 6, HEIGHT = 5 };
	uint8_t luxels[WIDTH * HEIGHT * 3];
	for (size_t i = 0; i < sizeof luxels; i++) luxels[i] = (uint8_t)below(256);
	const bspscene_lightmap_page page = { WIDTH, HEIGHT, BSPSCENE_LIGHTMAP_PAGE_RGB8, luxels, NULL };
	for (int i = 0; i < 60; i++) {
		const float uv[2] = { between(-0.2f, 1.2f), between(-0.2f, 1.2f) };
		float out[1][4] = { { 0 } };
		bspi_page_add_row(&page, NULL, &uv, 1, 1, out);
		printf("{\"kind\": \"page\", \"size\": [%u, %u]", WIDTH, HEIGHT);
		put_bytes("texels", luxels, sizeof luxels);
		put_floats("uv", uv, 2);
		put_floats("result", out[0], 3);
		printf("}\n");
	}
}

static void put_sample(const float point[3], const bspscene_light_sample *sample)
{
	put_floats("point", point, 3);
	put_floats("sides", &sample->sides[0][0], 18);
	put_floats("directed", sample->directed, 3);
	put_floats("direction", sample->direction, 3);
}

static bspscene_scene *load_room(const char *variant)
{
	bspscene_error error;
	bspt_bytes room = bspt_build_named_room(variant);
	bspscene_scene *scene = bspscene_load_memory(room.data, room.size, NULL, &error);
	if (!scene) bspt_die("load", error.message);
	free(room.data);
	return scene;
}

static void random_point(const bspscene_scene *scene, float out[3])
{
	for (int i = 0; i < 3; i++) out[i] = between(scene->bounds.min[i] - 30, scene->bounds.max[i] + 30);
}

/* Samples random light grids, some of whose points are in walls. */
static void sample_grids(void)
{
	bspscene_scene *scene = load_room("quake3");
	const bspscene_light_grid *grid = scene->light_grid;
	size_t count = (size_t)grid->counts[0] * grid->counts[1] * grid->counts[2];
	for (size_t i = 0; i < count; i++) {
		bool wall = below(3) == 0;
		for (size_t k = 0; k < 3; k++) {
			((uint8_t *)grid->ambient)[3 * i + k] = (uint8_t)(wall ? 0 : below(256));
			((uint8_t *)grid->directed)[3 * i + k] = (uint8_t)(wall ? 0 : below(256));
		}
		for (size_t k = 0; k < 2; k++) ((uint8_t *)grid->directions)[2 * i + k] = (uint8_t)below(256);
	}
	for (int i = 0; i < 60; i++) {
		float point[3];
		bspscene_light_sample sample;
		random_point(scene, point);
		bool known = bspscene_sample_light(scene, point, &sample);
		printf("{\"kind\": \"grid\", \"known\": %u, \"counts\": [%u, %u, %u]", known, grid->counts[0], grid->counts[1],
		       grid->counts[2]);
		put_floats("origin", grid->origin, 3);
		put_floats("step", grid->step, 3);
		put_bytes("ambient", grid->ambient, 3 * count);
		put_bytes("directed_bytes", grid->directed, 3 * count);
		put_bytes("directions", grid->directions, 2 * count);
		put_sample(point, &sample);
		printf("}\n");
	}
	bspscene_scene_free(scene);
}

static bool has_cube(const bspscene_scene *scene, uint32_t leaf)
{
	for (uint32_t i = 0; i < scene->ambient_count; i++) {
		if (scene->ambients[i].leaf == leaf) return true;
	}
	return false;
}

static void sample_cubes(void)
{
	bspscene_scene *scene = load_room("source20");
	for (int i = 0; i < 200; i++) {
		float point[3], normal[3], on[3], length = 0;
		bspscene_light_sample sample;
		random_point(scene, point);
		bool known = bspscene_sample_light(scene, point, &sample);
		if (!known || !has_cube(scene, bspscene_find_leaf(scene, point))) continue;
		for (int k = 0; k < 3; k++) {
			normal[k] = between(-1, 1);
			sample.directed[k] = between(0, 1);
			length += normal[k] * normal[k];
		}
		for (int k = 0; k < 3; k++) normal[k] /= sqrtf(length);
		bspscene_shade_normal(&sample, normal, on);
		printf("{\"kind\": \"cubes\", \"leaf\": %u, \"cubes\": [", bspscene_find_leaf(scene, point));
		for (uint32_t a = 0; a < scene->ambient_count; a++) {
			printf("%s{\"leaf\": %u", a ? ", " : "", scene->ambients[a].leaf);
			put_floats("origin", scene->ambients[a].origin, 3);
			put_floats("cube", &scene->ambients[a].cube[0][0], 18);
			printf("}");
		}
		printf("]");
		put_sample(point, &sample);
		put_floats("normal", normal, 3);
		put_floats("on", on, 3);
		printf("}\n");
	}
	bspscene_scene_free(scene);
}

int main(void)
{
	sample_textures();
	sample_pages();
	sample_grids();
	sample_cubes();
	return 0;
}
