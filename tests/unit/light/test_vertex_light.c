/* test_vertex_light.c - bspscene_bake_light with `vertices`: the light between vertices matches the page at every half
 * luxel. Edges that were closed stay closed. Sections, faces and tags stay correct. All this holds with any number of
 * threads. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "baking/vertex_light/light_levels.h"
#include "support/check/check_scene.h"
#include "support/light/dense_light.h"
#include "support/make/sample_scene.h"

static bspscene_scene *load(const char *map, const char *game, bspscene_file_system **files)
{
	bspscene_error error;
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	*files = bspt_mount_fixtures(game, NULL);
	bspt_use_files(&options, *files);
	bspscene_scene *scene = bspscene_load_file(bspt_fixture_path(map), &options, &error);
	if (!scene) fail_msg("%s", error.message);
	return scene;
}

static bspscene_scene *bake(const bspscene_scene *scene, float error_steps, uint32_t limit,
                            bspscene_bake_report *report)
{
	bspscene_error error;
	bspscene_bake_options options;
	bspscene_bake_options_init(&options);
	bspscene_bake_report_init(report);
	options.vertices = true;
	options.light_error = error_steps;
	options.triangle_limit = limit;
	options.report = report;
	bspscene_scene *baked = bspscene_bake_light(scene, &options, &error);
	if (!baked) fail_msg("%s", error.message);
	return baked;
}

/* Sums all styles into one set of pages, because light in vertices is such a sum. */
static bspscene_scene *add_styles(const bspscene_scene *scene)
{
	bspscene_error error;
	bspscene_scene *pages = bspscene_bake_light(scene, NULL, &error);
	if (!pages) fail_msg("%s", error.message);
	return pages;
}

static bspscene_scene *bake_in(const bspscene_scene *scene, uint32_t threads)
{
	bspscene_error error;
	bspscene_bake_options options;
	bspscene_bake_options_init(&options);
	options.vertices = true;
	options.light_error = 5;
	options.threads = threads;
	bspscene_scene *baked = bspscene_bake_light(scene, &options, &error);
	if (!baked) fail_msg("%s", error.message);
	return baked;
}

enum { LIT_MAPS = 3 };
static const struct { const char *map, *game; } maps[] = {
	{ "atrium/quake3/maps/atrium.bsp", "atrium/quake3" }, { "atrium/goldsrc/maps/atrium_wad.bsp", "atrium/goldsrc" },
	{ "atrium/quake/maps/atrium.bsp", "atrium/quake" }, { "source/maps/room.bsp", "source" },
	{ "atrium/jediacademy/maps/atrium.bsp", "atrium/quake3" }, { "mohaa/maps/room.bsp", "mohaa" },
};

/* Compares the light that vertices interpolate with the page, at every half luxel. The test filters the page with its
 * own bilinear filter. */
static void light_between_vertices_is_the_games(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
		static bspt_dense_light light, corner_light;
		bspscene_file_system *files;
		bspscene_scene *scene = load(maps[i].map, maps[i].game, &files), *pages = add_styles(scene);
		bspscene_bake_report report, undivided;
		bspscene_scene *baked = bake(scene, 14, 0, &report), *corners = bake(scene, 255, 1, &undivided);
		memset(&light, 0, sizeof light);
		memset(&corner_light, 0, sizeof corner_light);
		bspt_measure_light(pages, baked, &light);
		bspt_measure_light(pages, corners, &corner_light);
		double usual = bspt_light_quantile(&light, 0.999);
		assert_true(report.light_error == 14 && report.triangles >= undivided.triangles && !light.lost);
		if (usual > 14.5 || light.largest > 30) {
			fail_msg("%s: off by %g, in 999 of 1000 half luxels by %g", maps[i].map, light.largest, usual);
		}
		/* Errors are in steps of 1/255. The report's usual error must be within 1 of the measured one, and its largest
		 * error at most 1 above it. */
		if (fabs((double)report.usual_error - usual) > 1 || (double)report.largest_error > light.largest + 1) {
			fail_msg("%s: tells %g and %g of what is %g and %g", maps[i].map, (double)report.usual_error,
			         (double)report.largest_error, usual, light.largest);
		}
		/* The report's error along edges may be smaller than the measured one, because the library checks fewer points
		 * of edges, and none in narrow strips. */
		double edges = (double)report.edge_error;
		if (light.largest_on_edges > 60 || edges > light.largest_on_edges + 1 || edges < light.largest_on_edges / 2) {
			fail_msg("%s: tells %g of what is %g on edges", maps[i].map, edges, light.largest_on_edges);
		}
		/* If pages were uniform, the test would prove nothing. So without inserted vertices, the errors must be more
		 * than twice as large. */
		assert_true(!light.count || bspt_light_quantile(&corner_light, 0.999) > 2 * usual || i >= LIT_MAPS);
		bspscene_scene_free(baked);
		bspscene_scene_free(corners);
		bspscene_scene_free(pages);
		bspscene_scene_free(scene);
		bspscene_file_system_free(files);
	}
}

static void a_smaller_error_takes_more_triangles(void **state)
{
	(void)state;
	static const float errors[] = { 40, 20, 10, 5 };
	bspscene_file_system *files;
	bspscene_scene *scene = load(maps[0].map, maps[0].game, &files), *pages = add_styles(scene);
	uint32_t before = 0;
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
		static bspt_dense_light light;
		bspscene_bake_report report;
		bspscene_scene *baked = bake(scene, errors[i], 0, &report);
		memset(&light, 0, sizeof light);
		bspt_measure_light(pages, baked, &light);
		assert_true(bspt_light_quantile(&light, 0.999) <= 1.04 * (double)errors[i]);
		assert_true(report.triangles > before && report.triangles_before == scene->counts->triangles);
		before = report.triangles;
		bspscene_scene_free(baked);
	}
	bspscene_scene_free(pages);
	bspscene_scene_free(scene);
	bspscene_file_system_free(files);
}

/* Edges follow the borders of shadows, so fewer triangles are needed than with Delaunay triangulation. The comments
 * give the number that Delaunay triangulation needs. */
static void light_takes_few_triangles(void **state)
{
	static const struct { const char *map, *game; uint32_t most; } cases[] = {
		{ "atrium/quake3/maps/atrium.bsp", "atrium/quake3", 4800 },         /* Delaunay needs 4941 */
		{ "atrium/goldsrc/maps/atrium_wad.bsp", "atrium/goldsrc", 4050 },   /* Delaunay needs 4133 */
		{ "atrium/quake/maps/atrium.bsp", "atrium/quake", 5550 },           /* Delaunay needs 5711 */
		{ "source/maps/room.bsp", "source", 550 },                          /* Delaunay needs 689 */
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_file_system *files;
		bspscene_bake_report report;
		bspscene_scene *scene = load(cases[i].map, cases[i].game, &files);
		bspscene_scene_free(bake(scene, 14, 0, &report));
		if (report.triangles > cases[i].most) fail_msg("%s: %u triangles", cases[i].map, report.triangles);
		bspscene_scene_free(scene);
		bspscene_file_system_free(files);
	}
}

/* If an edge is divided, its parts must have the length of the whole. If an edge between two triangles were divided on
 * one side only, the surface would have a crack. */
static void nothing_opens_that_was_closed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
		bspscene_file_system *files;
		bspscene_scene *scene = load(maps[i].map, maps[i].game, &files);
		bspscene_bake_report report;
		bspscene_scene *baked = bake(scene, 6, 0, &report);
		for (uint32_t m = 0; m < scene->mesh_count; m++) {
			double before = bspt_open_length(scene->meshes[m]), after = bspt_open_length(baked->meshes[m]);
			if (after > before * 1.0001 + 0.01) {
				fail_msg("%s: %s had %g units of open edges, has %g", maps[i].map, scene->meshes[m]->name, before,
				         after);
			}
		}
		bspscene_scene_free(baked);
		bspscene_scene_free(scene);
		bspscene_file_system_free(files);
	}
}

static double area_of(const bspscene_mesh *mesh, const bspscene_face *face)
{
	double sum = 0;
	for (uint32_t i = face->first_index; i < face->first_index + face->index_count; i += 3) {
		const uint32_t *c = mesh->indices + i;
		double u[3], v[3], squared = 0;
		for (uint32_t k = 0; k < 3; k++) {
			u[k] = (double)mesh->positions[3 * c[1] + k] - (double)mesh->positions[3 * c[0] + k];
			v[k] = (double)mesh->positions[3 * c[2] + k] - (double)mesh->positions[3 * c[0] + k];
		}
		for (int k = 0; k < 3; k++) {
			double cross = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
			squared += cross * cross;
		}
		sum += sqrt(squared) / 2;
	}
	return sum;
}

/* No triangle is duplicated or lost. */
static void faces_stay_as_large_as_they_were(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
		bspscene_file_system *files;
		bspscene_scene *scene = load(maps[i].map, maps[i].game, &files);
		bspscene_bake_report report;
		bspscene_scene *baked = bake(scene, 6, 0, &report);
		for (uint32_t f = 0; f < scene->face_count; f++) {
			const bspscene_face *face = &scene->faces[f];
			double before = area_of(scene->meshes[face->mesh], face);
			double after = area_of(baked->meshes[face->mesh], &baked->faces[f]);
			if (fabs(after - before) > 1e-3 * before + 0.01) {
				fail_msg("%s: face %u: %g, %g", maps[i].map, f, before, after);
			}
		}
		bspscene_scene_free(baked);
		bspscene_scene_free(scene);
		bspscene_file_system_free(files);
	}
}

static void any_number_of_threads_gives_the_same(void **state)
{
	(void)state;
	static const uint32_t counts[] = { 2, 3, 8 };
	for (size_t i = 0; i < 2; i++) {
		bspscene_file_system *files;
		bspscene_scene *scene = load(maps[i].map, maps[i].game, &files);
		bspscene_scene *one = bake_in(scene, 1);
		for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
			bspscene_scene *many = bake_in(scene, counts[k]);
			for (uint32_t m = 0; m < scene->mesh_count; m++) {
				const bspscene_mesh *a = one->meshes[m], *b = many->meshes[m];
				assert_int_equal(a->vertex_count, b->vertex_count);
				assert_int_equal(a->index_count, b->index_count);
				assert_memory_equal(a->positions, b->positions, 12 * (size_t)a->vertex_count);
				assert_memory_equal(a->baked_light, b->baked_light, 12 * (size_t)a->vertex_count);
				assert_memory_equal(a->uvs, b->uvs, 8 * (size_t)a->vertex_count);
				assert_memory_equal(a->indices, b->indices, 4 * (size_t)a->index_count);
			}
			bspscene_scene_free(many);
		}
		bspscene_scene_free(one);
		bspscene_scene_free(scene);
		bspscene_file_system_free(files);
	}
}

static void baked_scenes_keep_every_promise(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
		bspscene_file_system *files;
		bspscene_scene *scene = load(maps[i].map, maps[i].game, &files);
		bspscene_bake_report baked_report;
		bspscene_scene *baked = bake(scene, 10, 0, &baked_report);
		bspt_report report = { 0 };
		bspscene_load_options options;
		bspscene_load_options_init(&options);
		bspt_context(&report, "%s: ", maps[i].map);
		bspt_check_meshes(baked, &options, &report);
		assert_int_equal(report.failures, 0);
		assert_true(baked->lightmap_set_count == 0 && baked->lightmap_page_count == 0);
		uint32_t vertices = 0, triangles = 0;
		for (uint32_t m = 0; m < baked->mesh_count; m++) {
			vertices += baked->meshes[m]->vertex_count;
			triangles += baked->meshes[m]->index_count / 3;
		}
		assert_int_equal(baked->counts->vertices, vertices);
		assert_int_equal(baked->counts->triangles, triangles);
		assert_int_equal(baked_report.triangles, triangles);
		for (uint32_t f = 0; f < scene->face_count; f++) {
			assert_int_equal(baked->faces[f].record, scene->faces[f].record);
			assert_true(baked->faces[f].vertex_count >= scene->faces[f].vertex_count);
		}
		bspscene_scene_free(baked);
		bspscene_scene_free(scene);
		bspscene_file_system_free(files);
	}
}

static void the_error_grows_until_the_triangles_fit(void **state)
{
	(void)state;
	bspscene_file_system *files;
	bspscene_scene *scene = load(maps[0].map, maps[0].game, &files);
	bspscene_bake_report free_report, report;
	bspscene_scene_free(bake(scene, 4, 0, &free_report));
	/* Under the first three limits, baking chooses an allowed error for each chart, so that it uses more than 90 % of
	 * the allowed triangles. */
	uint32_t limits[] = { free_report.triangles, free_report.triangles / 2, free_report.triangles / 4,
		                  scene->counts->triangles + 100, 1 };
	float before = 0;
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		bspscene_scene *baked = bake(scene, 4, limits[i], &report);
		uint32_t least = baked->counts->triangles;
		assert_true(report.triangles <= limits[i] || i == 4);
		assert_true(i > 2 || 10 * (uint64_t)report.triangles > 9 * (uint64_t)limits[i]);
		assert_true(i ? report.light_error > before : report.light_error == 4);
		assert_int_equal(report.triangles, least);
		before = report.light_error;
		bspscene_scene_free(baked);
	}
	bspscene_scene_free(scene);
	bspscene_file_system_free(files);
}

/* The uvs of some faces are changed, so that each face covers the whole page. A file needs only a few bytes for that.
 * So the number of half luxels that baking checks must be limited by the size of the file. */
static void small_files_may_ask_for_little_work(void **state)
{
	enum { GREEDY_FACES = 4, ASKED = 200 };
	static const float corners[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
	(void)state;
	bspscene_file_system *files;
	bspscene_scene *scene = load(maps[LIT_MAPS - 1].map, maps[LIT_MAPS - 1].game, &files);
	bspscene_scene greedy = *scene;
	bspscene_mesh world = *scene->meshes[0];
	const bspscene_mesh **meshes = malloc(scene->mesh_count * sizeof *meshes);
	size_t uvs_size = (size_t)world.vertex_count * 2 * sizeof(float);
	float *uvs = malloc(uvs_size);
	assert_true(meshes && uvs);
	memcpy(uvs, world.lightmap_uvs, uvs_size);
	for (uint32_t i = 0, some = 0; i < scene->face_count && some < GREEDY_FACES; i++) {
		const bspscene_face *face = &scene->faces[i];
		if (face->mesh || face->lightmap_page == BSPSCENE_NO_INDEX || face->vertex_count != 4) continue;
		memcpy(uvs + 2 * (size_t)face->first_vertex, corners, sizeof corners);
		some++;
	}
	memcpy(meshes, scene->meshes, scene->mesh_count * sizeof *meshes);
	meshes[0] = &world;
	world.lightmap_uvs = uvs;
	greedy.meshes = meshes;
	static const struct { uint64_t size; bool fits; } cases[] = { { 0, true }, { 64 << 20, true }, { 1, false } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_bake_report report;
		greedy.input_size = cases[i].size;
		bspscene_scene *baked = bake(&greedy, ASKED, 0, &report);
		assert_true(cases[i].fits ? report.light_error == ASKED : report.light_error > 255);
		bspscene_scene_free(baked);
	}
	/* The file size limits the work of baking. The loop increases it until it suffices for one allowed error. With a
	 * limit of triangles, baking must try a second error, for which the same file size must suffice. */
	bspscene_bake_report whole = { .light_error = 256 }, report;
	for (greedy.input_size = 1 << 17; whole.light_error > 255; greedy.input_size += greedy.input_size / 4) {
		bspscene_scene_free(bake(&greedy, 30, 0, &whole));
	}
	greedy.input_size = greedy.input_size / 5 * 4;
	bspscene_scene_free(bake(&greedy, 30, (whole.triangles_before + whole.triangles) / 2, &report));
	assert_true(report.light_error > 30 && report.light_error <= 255 && report.triangles < whole.triangles);
	free(uvs);
	free((void *)meshes);
	bspscene_scene_free(scene);
	bspscene_file_system_free(files);
}

static bspscene_progress_result stop_at(void *user, const char *stage, double fraction)
{
	int *left = user;
	assert_string_equal(stage, "light");
	assert_true(fraction >= 0 && fraction <= 1);
	return (*left)-- > 0 ? BSPSCENE_PROGRESS_CONTINUE : BSPSCENE_PROGRESS_CANCEL;
}

static void canceling_limits_and_bad_values_are_errors(void **state)
{
	(void)state;
	bspscene_file_system *files;
	bspscene_scene *scene = load(maps[0].map, maps[0].game, &files);
	bspscene_error error;
	bspscene_bake_options options;
	bspscene_bake_options_init(&options);
	options.vertices = true;
	for (int calls = 0; calls < 5; calls++) {
		int left = calls;
		options.progress = stop_at;
		options.progress_user = &left;
		assert_null(bspscene_bake_light(scene, &options, &error));
		assert_int_equal(error.status, BSPSCENE_ERROR_CANCELED);
	}
	options.progress = NULL;
	for (uint64_t limit = 1 << 10; limit < 1 << 21; limit *= 2) {
		options.memory_limit = limit;
		bspscene_scene *baked = bspscene_bake_light(scene, &options, &error);
		if (!baked) assert_int_equal(error.status, BSPSCENE_ERROR_MEMORY_LIMIT);
		bspscene_scene_free(baked);
	}
	options.memory_limit = 0;
	options.light_error = 0.5f;
	assert_null(bspscene_bake_light(scene, &options, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	options.light_error = NAN;
	assert_null(bspscene_bake_light(scene, &options, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	bspscene_scene_free(scene);
	bspscene_file_system_free(files);
}

/* Fetching a rectangle of half luxels gives the same three levels as fetching each of its points, also outside of the
 * page. The fourth number of each point is 0. */
static void rows_of_light_are_its_places(void **state)
{
	enum { MOST = 3, LUXELS = MOST * MOST * 3, BESIDE = 2, MOST_PLACES = 2 * MOST + 2 * BESIDE };
	static const float white[3] = { 1, 1, 1 };
	uint8_t luxels[LUXELS];
	(void)state;
	for (size_t i = 0; i < LUXELS; i++) luxels[i] = (uint8_t)(i * 89 + 7);
	for (uint32_t pick = 0; pick < MOST * MOST * MOST_PLACES * MOST_PLACES; pick++) {
		const bspscene_lightmap_page page = {
			.format = BSPSCENE_LIGHTMAP_PAGE_RGB8,
			.width = pick % MOST + 1,
			.height = pick / MOST % MOST + 1,
			.data = luxels,
		};
		const bspi_light_source source = { .page = &page, .step_count = 1021 };
		const int32_t first[2] = { (int32_t)(pick / (MOST * MOST) % MOST_PLACES) - BESIDE, -BESIDE };
		const uint32_t size[2] = { pick / (MOST * MOST * MOST_PLACES) + 1, MOST_PLACES };
		uint16_t *out = malloc(sizeof *out * BSPI_GRID_WIDTH * size[0] * size[1]), one[3];
		assert_non_null(out);
		bspi_light_grid_levels(&source, first, size, out);
		for (uint32_t i = 0; i < size[0] * size[1]; i++) {
			const float place[2] = { (float)(first[0] + (int32_t)(i % size[0])),
				                     (float)(first[1] + (int32_t)(i / size[0])) };
			bspi_light_levels(&source, place, white, one);
			assert_memory_equal(out + (size_t)i * BSPI_GRID_WIDTH, one, sizeof one);
			assert_int_equal(out[(size_t)i * BSPI_GRID_WIDTH + 3], 0);
		}
		free(out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_light_are_its_places),
		cmocka_unit_test(light_between_vertices_is_the_games),
		cmocka_unit_test(a_smaller_error_takes_more_triangles),
		cmocka_unit_test(light_takes_few_triangles),
		cmocka_unit_test(nothing_opens_that_was_closed),
		cmocka_unit_test(faces_stay_as_large_as_they_were),
		cmocka_unit_test(any_number_of_threads_gives_the_same),
		cmocka_unit_test(baked_scenes_keep_every_promise),
		cmocka_unit_test(the_error_grows_until_the_triangles_fit),
		cmocka_unit_test(small_files_may_ask_for_little_work),
		cmocka_unit_test(canceling_limits_and_bad_values_are_errors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
