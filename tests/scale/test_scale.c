/* Promise: no map makes a load hang. Eight times as much of anything causes about eight times the work; quadratic work
 * would be sixty-four times, and take hours for a file of a few megabytes. Work is counted, not timed. The argument is
 * the tier: quick (default) loads, the others also write. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "counted.h"
#include "support/make/build_map.h"
#include "support/make/shared_scene.h"
#include "support/models/build_moving.h"

enum { FACTOR = 8, WORST_RATIO = 16, LEAST_WORK = 50000, ENTITIES = 0, DIVISIONS = 4 };

typedef void fill_fn(bspt_parts *parts, uint32_t count);

/* Memory that a case uses until its file is written. */
static void *kept[16];
static size_t kept_count;

static void *keep(size_t size)
{
	assert_true(kept_count < sizeof kept / sizeof *kept);
	void *p = kept[kept_count++] = malloc(size);
	assert_non_null(p);
	return p;
}

static void *repeat(const void *record, size_t size, uint32_t count)
{
	uint8_t *records = keep(size * count);
	for (uint32_t i = 0; i < count; i++) memcpy(records + i * size, record, size);
	return records;
}

#define REPEAT(map, name, record, count) \
	((map)->name = repeat((record), sizeof *(map)->name, (count)), (map)->name##_count = (count))

/* Makes a text that repeats a piece for each entity. In the piece, %u is the entity's number. */
static void repeat_text(bspt_parts *parts, const char *format, uint32_t count)
{
	size_t room = (strlen(format) + 32) * count + 64, at = 0;
	char *text = keep(room);
	at += (size_t)snprintf(text, room, "{ \"classname\" \"worldspawn\" }\n");
	for (uint32_t i = 0; i < count; i++) {
#if defined(__GNUC__)
	#pragma GCC diagnostic push
	#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#endif
		at += (size_t)snprintf(text + at, room - at, format, i, i + 1);
#if defined(__GNUC__)
	#pragma GCC diagnostic pop
#endif
	}
	parts->raw[ENTITIES] = bspi_bytes_of(text, at);
}

static void many_lights(bspt_parts *parts, uint32_t count)
{
	repeat_text(parts, "{ \"classname\" \"light\" \"style\" \"%u\" \"target\" \"t%u\" }\n", count);
}

static void many_targets(bspt_parts *parts, uint32_t count)
{
	repeat_text(parts, "{ \"classname\" \"info_null\" \"targetname\" \"t%u\" \"target\" \"t%u\" }\n", count);
}

static void many_equal_targets(bspt_parts *parts, uint32_t count)
{
	repeat_text(parts, "{ \"classname\" \"misc_portal_surface\" \"targetname\" \"t\" \"target\" \"nothing\" }\n",
	            count);
}

static void many_doors(bspt_parts *parts, uint32_t count)
{
	repeat_text(parts, "{ \"classname\" \"func_door\" \"model\" \"*1\" \"team\" \"%u\" }\n", count);
}

static void many_keys(bspt_parts *parts, uint32_t count)
{
	repeat_text(parts, "\"key%u\" \"value %u\"\n", count);
	/* Removes worldspawn's closing brace, so that all keys that follow belong to worldspawn. */
	((char *)(uintptr_t)parts->raw[ENTITIES].data)[27] = ' ';
}

static void open_braces(bspt_parts *parts, uint32_t count)
{
	repeat_text(parts, "{ { \" } // \n", count);
}

static void many_fogs(bspt_parts *parts, uint32_t count)
{
	REPEAT(&parts->map, fogs, &parts->map.fogs[0], count);
	REPEAT(&parts->map, textures, &parts->map.textures[0], count);
	for (uint32_t i = 0; i < count; i++) {
		snprintf(parts->map.fogs[i].shader, 64, "fogs/%u", i);
		snprintf(parts->map.textures[i].name, 64, "textures/%u", i);
	}
}

static void many_polygons(bspt_parts *parts, uint32_t count)
{
	REPEAT(&parts->map, faces, &parts->map.faces[0], count);
	REPEAT(&parts->map, leaf_faces, &parts->map.leaf_faces[0], count);
	bspi_model world = parts->map.models[0];
	world.face_count = (int32_t)count;
	REPEAT(&parts->map, models, &world, 1);
	parts->map.leafs_count = 0;
	parts->map.nodes_count = 0;
}

static void many_materials(bspt_parts *parts, uint32_t count)
{
	many_polygons(parts, count);
	REPEAT(&parts->map, textures, &parts->map.textures[0], count);
	for (uint32_t i = 0; i < count; i++) {
		snprintf(parts->map.textures[i].name, 64, "textures/%u", i);
		parts->map.faces[i].texture = (int32_t)i;
	}
}

/* Gives the faces lightmap rectangles of many sizes, at many positions on the page. */
static void many_lightmaps(bspt_parts *parts, uint32_t count)
{
	many_polygons(parts, count);
	bspi_draw_vertex *vertices = repeat(parts->map.draw_vertices, sizeof *vertices, 4 * count);
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t k = 0; k < 4; k++) {
			vertices[4 * i + k] = parts->map.draw_vertices[k];
			vertices[4 * i + k].lightmap[0] = (float)(i % 100 + (k % 3 ? i % 23 : 0)) / 128;
			vertices[4 * i + k].lightmap[1] = (float)(i / 100 % 100 + (k > 1 ? i % 19 : 0)) / 128;
		}
		parts->map.faces[i].first_vertex = (int32_t)(4 * i);
	}
	parts->map.draw_vertices = vertices;
	parts->map.draw_vertices_count = 4 * count;
}

static void many_patches(bspt_parts *parts, uint32_t count)
{
	bspi_face patch = parts->map.faces[1];
	many_polygons(parts, count);
	REPEAT(&parts->map, faces, &patch, count);
}

static void many_flares(bspt_parts *parts, uint32_t count)
{
	bspi_face flare = parts->map.faces[3];
	many_polygons(parts, count);
	REPEAT(&parts->map, faces, &flare, count);
}

static void many_bad_faces(bspt_parts *parts, uint32_t count)
{
	many_polygons(parts, count);
	for (uint32_t i = 0; i < count; i++) parts->map.faces[i].vertex_count = -1;
}

static void many_models(bspt_parts *parts, uint32_t count)
{
	REPEAT(&parts->map, models, &parts->map.models[1], count);
}

static void many_leafs(bspt_parts *parts, uint32_t count)
{
	REPEAT(&parts->map, leafs, &parts->map.leafs[0], count);
}

/* Makes a tree as deep as its number of nodes. */
static void deep_tree(bspt_parts *parts, uint32_t count)
{
	REPEAT(&parts->map, nodes, &parts->map.nodes[0], count);
	for (uint32_t i = 0; i < count; i++) {
		parts->map.nodes[i].children[0] = i + 1 < count ? (int32_t)(i + 1) : -1;
		parts->map.nodes[i].children[1] = -1;
	}
}

static void circular_tree(bspt_parts *parts, uint32_t count)
{
	deep_tree(parts, count);
	parts->map.nodes[count - 1].children[0] = 1;
}

static void many_brushes(bspt_parts *parts, uint32_t count)
{
	REPEAT(&parts->map, brushes, &parts->map.brushes[0], count);
	bspi_brush *brushes = parts->map.brushes;
	for (uint32_t i = 0; i < count; i++) brushes[i].side_count = 4097;
}

static const struct {
	const char *name;
	fill_fn *fill;
	uint32_t count;
} cases[] = {
	{ "lights of many styles", many_lights, 4000 },
	{ "targets", many_targets, 4000 },
	{ "equal targets", many_equal_targets, 4000 },
	{ "doors of one model", many_doors, 4000 },
	{ "keys of one entity", many_keys, 8000 },
	{ "open braces", open_braces, 20000 },
	{ "fogs", many_fogs, 4000 },
	{ "polygons", many_polygons, 2000 },
	{ "materials", many_materials, 1500 },
	{ "lightmap rectangles", many_lightmaps, 4000 },
	{ "patches", many_patches, 2000 },
	{ "flares", many_flares, 4000 },
	{ "bad faces", many_bad_faces, 10000 },
	{ "models", many_models, 10000 },
	{ "leafs", many_leafs, 20000 },
	{ "a deep tree", deep_tree, 20000 },
	{ "a circular tree", circular_tree, 20000 },
	{ "bad brushes", many_brushes, 20000 },
};

static bool with_writers;

/* Numbers of the tasks that are measured: a load, then each writer. */
enum { LOAD, FIRST_WRITER, MOST_TASKS = 16 };

static void measure(const char *name, bspt_bytes file, uint32_t count, uint64_t work[MOST_TASKS])
{
	/* Limits are raised, so that only work is measured. Vertex light subdivides until it is exact or meets a limit,
	 * whose default does not grow with the map. The default memory limit expects more than one corner for each
	 * material. */
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	options.triangle_limit = DIVISIONS * count;
	options.memory_limit = UINT64_MAX;
	options.threads = 1;
	bspscene_load_options load_options;
	bspscene_load_options_init(&load_options);
	load_options.threads = 1;
	load_options.rigs = true;
	bspscene_error error;
	uint64_t before = bspt_counted_work();
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, &load_options, &error);
	work[LOAD] = bspt_counted_work() - before;
	if (!scene) fail_msg("%s: %s", name, error.message);
	for (uint32_t i = 0; with_writers && bspscene_writers()[i]; i++) {
		bspt_sink sink;
		bspscene_output output = bspt_sink_output(&sink);
		before = bspt_counted_work();
		bool written = bspscene_write(scene, bspscene_writers()[i]->name, &options, &output, &error);
		work[FIRST_WRITER + i] = bspt_counted_work() - before;
		if (!written) fail_msg("%s: %s", name, error.message);
	}
	bspscene_scene_free(scene);
}

static void measure_case(size_t index, uint32_t count, uint64_t work[MOST_TASKS])
{
	bspt_parts parts;
	const bspi_variant *variant = &bspi_family_quake3.variants[0];
	bspt_room_parts(&bspi_family_quake3, variant, &parts);
	cases[index].fill(&parts, count);
	bspt_bytes file = bspt_encode_parts(variant, &parts);
	while (kept_count) free(kept[--kept_count]);
	measure(cases[index].name, file, count, work);
	free(file.data);
}

static bool is_measured(uint32_t task)
{
	return task == LOAD || (with_writers && bspscene_writers()[task - FIRST_WRITER]);
}

static const char *task_name(uint32_t task)
{
	return task == LOAD ? "load" : bspscene_writers()[task - FIRST_WRITER]->name;
}

/* Returns the ratio of `many` to `one`. The work that every map causes is subtracted from both. */
static double ratio_of(uint64_t every, uint64_t one, uint64_t many)
{
	uint64_t least = every + LEAST_WORK;
	return (double)(many > least ? many - every : LEAST_WORK) / (double)(one > least ? one - every : LEAST_WORK);
}

/* Measures the work for 1, `count` and FACTOR * `count` things. Fails if FACTOR times as many things cause more than
 * WORST_RATIO times the work. */
static void scale(const char *name, size_t index, uint32_t count,
                  void (*measure_one)(size_t index, uint32_t count, uint64_t work[MOST_TASKS]))
{
	uint64_t every[MOST_TASKS], one[MOST_TASKS], many[MOST_TASKS];
	measure_one(index, 1, every);
	measure_one(index, count, one);
	measure_one(index, count * FACTOR, many);
	for (uint32_t task = LOAD; is_measured(task); task++) {
		double ratio = ratio_of(every[task], one[task], many[task]);
		print_message("%-24s %-6s %8.3f M, %6u: %8.3f M, %6u: %8.3f M, %4.1f times\n", name, task_name(task),
		              (double)every[task] / 1e6, count, (double)one[task] / 1e6, count * FACTOR,
		              (double)many[task] / 1e6, ratio);
		if (ratio > WORST_RATIO) {
			fail_msg("%s: %s does %.1f times the work for %d times as many", name, task_name(task), ratio, FACTOR);
		}
	}
}

static void test_scale(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		/* With writers, a map of an eighth of the size is large enough. */
		scale(cases[i].name, i, with_writers ? cases[i].count / 8 : cases[i].count, measure_case);
	}
}

static void put_u32(uint8_t *at, uint32_t value)
{
	for (int i = 0; i < 4; i++) at[i] = (uint8_t)(value >> 8 * i);
}

/* Measures a small IQM with many sequences. All of them show the same frames, so each sequence takes only 20 bytes. */
static void measure_sequences(size_t index, uint32_t count, uint64_t work[MOST_TASKS])
{
	enum { ANIMATIONS = 84, ANIMATIONS_AT = 88, FILE_SIZE = 20, RECORD = 20 };
	(void)index;
	bspt_moving_model model = bspt_find_moving("models/moving.iqm");
	size_t head = (model.bytes.size + 3) & ~(size_t)3, size = head + (size_t)count * RECORD;
	uint8_t *file = calloc(1, size);
	assert_non_null(file);
	memcpy(file, model.bytes.data, model.bytes.size);
	const uint8_t *at = model.bytes.data + ANIMATIONS_AT;
	size_t first = at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16;
	for (uint32_t i = 0; i < count; i++) memcpy(file + head + i * RECORD, model.bytes.data + first, RECORD);
	put_u32(file + FILE_SIZE, (uint32_t)size);
	put_u32(file + ANIMATIONS, count);
	put_u32(file + ANIMATIONS_AT, (uint32_t)head);
	measure("sequences", (bspt_bytes) { file, size }, count, work);
	free(file);
}

static void test_scale_of_animation(void **state)
{
	(void)state;
	scale("sequences", 0, 400, measure_sequences);
}

/* Makes surfaces that each show a whole page of noise. Vertex light subdivides them as far as the size of the file
 * allows. */
static void noisy_walls(bspt_parts *parts, uint32_t count)
{
	enum { SIDE = 128, CORNERS = 4 };
	static const float corners[CORNERS][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
	many_polygons(parts, count);
	bspi_draw_vertex *vertices = repeat(parts->map.draw_vertices, sizeof *vertices, CORNERS * count);
	for (uint32_t i = 0; i < count * CORNERS; i++) {
		const float *corner = corners[i % CORNERS];
		vertices[i].position[0] = 64 * corner[0] + 70 * (float)(i / CORNERS);
		vertices[i].position[1] = 64 * corner[1];
		vertices[i].position[2] = 0;
		memcpy(vertices[i].lightmap, corner, sizeof vertices[i].lightmap);
		parts->map.faces[i / CORNERS].first_vertex = (int32_t)(i / CORNERS * CORNERS);
	}
	parts->map.draw_vertices = vertices;
	parts->map.draw_vertices_count = CORNERS * count;
	uint8_t *page = keep(SIDE * SIDE * 3);
	uint64_t seed = 1;
	for (size_t i = 0; i < SIDE * SIDE * 3; i++) page[i] = (uint8_t)bspt_random(&seed);
	parts->map.lighting = bspi_bytes_of(page, SIDE * SIDE * 3);
}

/* Measures vertex light with default options, and gets the number of triangles. */
static uint64_t divide_noise(uint32_t count, uint32_t *triangles, size_t *size)
{
	bspt_parts parts;
	const bspi_variant *variant = &bspi_family_quake3.variants[0];
	bspt_room_parts(&bspi_family_quake3, variant, &parts);
	noisy_walls(&parts, count);
	bspt_bytes file = bspt_encode_parts(variant, &parts);
	while (kept_count) free(kept[--kept_count]);
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, NULL, &error);
	if (!scene) fail_msg("%s", error.message);
	bspscene_bake_options options;
	bspscene_bake_report report;
	bspscene_bake_options_init(&options);
	bspscene_bake_report_init(&report);
	options.threads = 1;
	options.vertices = options.clamp_to_white = true; /* clamps as the glTF writer does */
	options.report = &report;
	uint64_t before = bspt_counted_work();
	bspscene_scene *baked = bspscene_bake_light(scene, &options, &error);
	uint64_t work = bspt_counted_work() - before;
	if (!baked) fail_msg("%s", error.message);
	*triangles = report.triangles;
	*size = file.size;
	bspscene_scene_free(baked);
	bspscene_scene_free(scene);
	free(file.data);
	return work;
}

/* 70 walls once took 8 seconds, and each further wall doubled the time. A later limit was too strict: only an eighth of
 * the allowed triangles was used, or none. */
static void noise_is_bounded_by_the_file(void **state)
{
	enum { WALLS = 70, MOST_WORK = 2000 };
	(void)state;
	for (uint32_t count = WALLS; count <= WALLS * FACTOR; count *= FACTOR) {
		uint32_t triangles;
		size_t size;
		uint64_t work = divide_noise(count, &triangles, &size);
		print_message("%u walls of noise, %zu bytes: %u triangles, %.0f M\n", count, size, triangles,
		              (double)work / 1e6);
		uint64_t most = 131072 + 2 * count + size / 4;
		assert_true(triangles <= most && 20 * (uint64_t)triangles > 19 * most);
		assert_true(work < MOST_WORK * UINT64_C(1000000));
	}
}

int main(int argc, char **argv)
{
	with_writers = argc > 1 && strcmp(argv[1], "quick");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scale_of_animation), cmocka_unit_test(noise_is_bounded_by_the_file),
		cmocka_unit_test(test_scale),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
