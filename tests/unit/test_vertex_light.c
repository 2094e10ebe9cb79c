/* test_vertex_light.c - bspscene_bake_light with `vertices`: light between the vertices is the page's, nothing opens
 * that was closed, and sections, faces and tags stay true. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "images/display.h"
#include "support/check_scene.h"
#include "support/sample_scene.h"

static bspscene_scene *load(const char *map, const char *game, bspscene_files **files)
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

/* ---- Borders ---------------------------------------------------------------------------------------------- */

/* An edge by the positions of its ends, the lesser first. */
typedef struct edge {
	float ends[2][3];
	double length;
} edge;

static int compare_edges(const void *left, const void *right)
{
	const edge *a = left, *b = right;
	return memcmp(a->ends, b->ends, sizeof a->ends);
}

/* Length of all edges of a mesh that only one triangle has. What was one edge and is two halves is as long as before;
 * were only one side divided, both would be open that were closed. */
static double open_length(const bspscene_mesh *mesh)
{
	edge *edges = test_calloc(mesh->index_count, sizeof *edges);
	size_t count = 0;
	for (uint32_t i = 0; i < mesh->index_count; i++) {
		uint32_t next = i % 3 == 2 ? i - 2 : i + 1;
		edge *e = &edges[count];
		for (int k = 0; k < 3; k++) {
			e->ends[0][k] = mesh->positions[3 * (size_t)mesh->indices[i] + (size_t)k] + 0.0f;
			e->ends[1][k] = mesh->positions[3 * (size_t)mesh->indices[next] + (size_t)k] + 0.0f;
		}
		double sum = 0;
		for (int k = 0; k < 3; k++) sum += pow((double)e->ends[1][k] - (double)e->ends[0][k], 2);
		e->length = sqrt(sum);
		if (memcmp(e->ends[0], e->ends[1], sizeof e->ends[0]) > 0) {
			float swap[3];
			memcpy(swap, e->ends[0], sizeof swap);
			memcpy(e->ends[0], e->ends[1], sizeof swap);
			memcpy(e->ends[1], swap, sizeof swap);
		}
		count += e->length > 0;
	}
	qsort(edges, count, sizeof *edges, compare_edges);
	double open = 0;
	for (size_t i = 0, run; i < count; i += run) {
		for (run = 1; i + run < count && !compare_edges(&edges[i], &edges[i + run]); run++) continue;
		if (run == 1) open += edges[i].length;
	}
	test_free(edges);
	return open;
}

/* ---- Light ------------------------------------------------------------------------------------------------ */

/* Mean green light of a section, as a display value of 255, and its area. */
static double section_light(const bspscene_mesh *mesh, const bspscene_section *section, double *area)
{
	double light = 0;
	*area = 0;
	for (uint32_t i = section->first_index; i < section->first_index + section->index_count; i += 3) {
		const uint32_t *c = mesh->indices + i;
		double u[3], v[3], cross[3], here = 0;
		for (uint32_t k = 0; k < 3; k++) {
			u[k] = (double)(mesh->positions[3 * c[1] + k] - mesh->positions[3 * c[0] + k]);
			v[k] = (double)(mesh->positions[3 * c[2] + k] - mesh->positions[3 * c[0] + k]);
			here += (double)mesh->light[3 * c[k] + 1] / 3;
		}
		for (int k = 0; k < 3; k++) cross[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
		double size = sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]) / 2;
		*area += size;
		light += size * here;
	}
	return *area > 0 ? 255 * (double)bspi_display_from_linear((float)(light / *area)) : 0;
}

/* How far the light of whole sections is from that of a bake with an error of one step. */
static double section_error(const bspscene_scene *scene, const bspscene_scene *baked, double *largest)
{
	bspscene_bake_report report;
	bspscene_scene *exact = bake(scene, 1, 20000000, &report);
	double sum = 0;
	size_t count = 0;
	*largest = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		for (uint32_t s = 0; s < scene->meshes[m].section_count; s++) {
			if (scene->meshes[m].sections[s].lighting != BSPSCENE_LIGHTING_LIGHTMAP) continue;
			double area, exact_area;
			double error = section_light(&baked->meshes[m], &baked->meshes[m].sections[s], &area) -
			               section_light(&exact->meshes[m], &exact->meshes[m].sections[s], &exact_area);
			assert_true(fabs(area - exact_area) < 1e-3 * area + 1);
			*largest = fmax(*largest, fabs(error));
			sum += fabs(error);
			count++;
		}
	}
	bspscene_scene_free(exact);
	return count ? sum / (double)count : 0;
}

static const struct { const char *map, *game; } maps[] = {
	{ "atrium/quake3/maps/atrium.bsp", "atrium/quake3" }, { "atrium/goldsrc/maps/atrium_wad.bsp", "atrium/goldsrc" },
	{ "atrium/quake/maps/atrium.bsp", "atrium/quake" }, { "source/maps/room.bsp", "source" },
	{ "atrium/jediacademy/maps/atrium.bsp", "atrium/quake3" }, { "mohaa/maps/room.bsp", "mohaa" },
};

static void light_between_vertices_is_the_games(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		bspscene_files *files;
		bspscene_scene *scene = load(maps[i].map, maps[i].game, &files);
		bspscene_bake_report report, undivided;
		bspscene_scene *baked = bake(scene, 14, 0, &report), *corners = bake(scene, 255, 1, &undivided);
		assert_true(report.light_error == 14 && report.triangles > undivided.triangles);
		double largest, undivided_largest, mean = section_error(scene, baked, &largest);
		double undivided_mean = section_error(scene, corners, &undivided_largest);
		/* Of whole sections: the error of single points goes either way. */
		if (largest > 14 || mean > undivided_mean / 2) {
			fail_msg("%s: off by %g, on average by %g, without new vertices by %g", maps[i].map, largest, mean,
			         undivided_mean);
		}
		bspscene_scene_free(baked);
		bspscene_scene_free(corners);
		bspscene_scene_free(scene);
		bspscene_files_free(files);
	}
}

static void nothing_opens_that_was_closed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
		bspscene_files *files;
		bspscene_scene *scene = load(maps[i].map, maps[i].game, &files);
		bspscene_bake_report report;
		bspscene_scene *baked = bake(scene, 6, 0, &report);
		for (uint32_t m = 0; m < scene->mesh_count; m++) {
			double before = open_length(&scene->meshes[m]), after = open_length(&baked->meshes[m]);
			if (after > before * 1.0001 + 0.01) {
				fail_msg("%s: %s had %g units of open edges, has %g", maps[i].map, scene->meshes[m].name, before,
				         after);
			}
		}
		bspscene_scene_free(baked);
		bspscene_scene_free(scene);
		bspscene_files_free(files);
	}
}

static void baked_scenes_keep_every_promise(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
		bspscene_files *files;
		bspscene_scene *scene = load(maps[i].map, maps[i].game, &files);
		bspscene_bake_report baked_report;
		bspscene_scene *baked = bake(scene, 10, 0, &baked_report);
		bspt_report report = { 0 };
		bspscene_load_options options;
		bspscene_load_options_init(&options);
		bspt_context(&report, "%s: ", maps[i].map);
		bspt_check_meshes(baked, &options, &report);
		assert_int_equal(report.failures, 0);
		assert_true(baked->page_set_count == 0 && baked->page_count == 0);
		assert_int_equal(baked->counts.triangles, baked_report.triangles);
		for (uint32_t f = 0; f < scene->face_count; f++) {
			assert_int_equal(baked->faces[f].source, scene->faces[f].source);
			assert_true(baked->faces[f].vertex_count >= scene->faces[f].vertex_count);
		}
		bspscene_scene_free(baked);
		bspscene_scene_free(scene);
		bspscene_files_free(files);
	}
}

static void the_error_grows_until_the_triangles_fit(void **state)
{
	(void)state;
	bspscene_files *files;
	bspscene_scene *scene = load(maps[0].map, maps[0].game, &files);
	bspscene_bake_report free_report, report;
	bspscene_scene_free(bake(scene, 4, 0, &free_report));
	uint32_t limits[] = { free_report.triangles, free_report.triangles / 2, scene->counts.triangles + 100, 1 };
	float before = 0;
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		bspscene_scene *baked = bake(scene, 4, limits[i], &report);
		uint32_t least = baked->counts.triangles;
		assert_true(report.triangles <= limits[i] || i == 3);
		assert_true(i ? report.light_error > before : report.light_error == 4);
		assert_int_equal(report.triangles, least);
		before = report.light_error;
		bspscene_scene_free(baked);
	}
	bspscene_scene_free(scene);
	bspscene_files_free(files);
}

static bspscene_progress_result stop_at(void *user, const char *stage, double fraction)
{
	int *left = user;
	assert_string_equal(stage, "light");
	assert_true(fraction >= 0 && fraction <= 1);
	return (*left)-- > 0 ? BSPSCENE_CONTINUE : BSPSCENE_CANCEL;
}

static void cancelling_limits_and_bad_values_are_errors(void **state)
{
	(void)state;
	bspscene_files *files;
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
		assert_int_equal(error.status, BSPSCENE_ERROR_CANCELLED);
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
	bspscene_files_free(files);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(light_between_vertices_is_the_games),
		cmocka_unit_test(nothing_opens_that_was_closed),
		cmocka_unit_test(baked_scenes_keep_every_promise),
		cmocka_unit_test(the_error_grows_until_the_triangles_fit),
		cmocka_unit_test(cancelling_limits_and_bad_values_are_errors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
