/* test_face_at.c - the face, luxel and light at a point agree with a search over all triangles. Also tests nodes of a
 * mesh, images as files, and the caller's allocators, which get all memory back. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/source.h>

#include "images/display.h"
#include "support/make/sample_scene.h"
#include "support/random.h"

static const char *const maps[] = { "atrium/quake3/maps/atrium.bsp", "atrium/quake/maps/atrium.bsp",
	                                "atrium/goldsrc/maps/atrium_wad.bsp" };

static bspscene_scene *open_encoded(const char *name, bspscene_lightmap_encoding encoding)
{
	char path[1024];
	snprintf(path, sizeof path, "%s/%s", BSPT_FIXTURES, name);
	bspscene_error error;
	bspscene_load_options load;
	bspscene_load_options_init(&load);
	load.lightmap_encoding = encoding;
	bspscene_open_options options;
	bspscene_open_options_init(&options);
	options.load = &load;
	bspscene_scene *scene = bspscene_open(path, &options, &error);
	if (!scene) fail_msg("%s: %s", name, error.message);
	return scene;
}

static bspscene_scene *open_map(const char *name)
{
	return open_encoded(name, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
}

/* Sets `point` to the center of the face's first triangle, moved by the transform. */
static void find_middle(const bspscene_mesh *mesh, const bspscene_face *face, const float transform[12],
                        float point[3])
{
	float middle[3] = { 0 };
	for (uint32_t c = 0; c < 3; c++) {
		const float *at = mesh->positions + 3 * (size_t)mesh->indices[face->first_index + c];
		for (int k = 0; k < 3; k++) middle[k] += at[k] / 3;
	}
	for (int k = 0; k < 3; k++) {
		point[k] = transform[4 * k + 3];
		for (int j = 0; j < 3; j++) point[k] += transform[4 * k + j] * middle[j];
	}
}

/* The center of the first triangle of every visible face is on that face, or on a coinciding one. */
static void the_middle_of_a_face_is_found(void **state)
{
	(void)state;
	for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
		bspscene_scene *scene = open_map(maps[m]);
		uint32_t lit = 0, tried = 0;
		for (uint32_t i = 0; i < scene->face_count; i += 1 + scene->face_count / 200) {
			const bspscene_face *face = &scene->faces[i];
			const bspscene_mesh *mesh = scene->meshes[face->mesh];
			uint32_t node = bspscene_next_node_with_mesh(scene, face->mesh, BSPSCENE_NO_INDEX);
			if (node == BSPSCENE_NO_INDEX || scene->nodes[node]->hidden) continue;
			float transform[12], point[3];
			bspscene_node_world_transform(scene, node, transform);
			find_middle(mesh, face, transform, point);
			bspscene_surface_point found;
			bspscene_surface_point_init(&found);
			assert_true(bspscene_face_at(scene, point, 1, &found));
			assert_true(found.distance < 0.05f);
			assert_true(fabsf(found.barycentric[0] + found.barycentric[1] + found.barycentric[2] - 1) < 1e-4f);
			tried++;
			if (found.face != i || found.lightmap_page == BSPSCENE_NO_INDEX) continue;
			lit++;
			assert_int_equal(found.lightmap_page, face->lightmap_page);
			assert_true(found.luxel_x >= face->lightmap_x && found.luxel_x < face->lightmap_x + face->lightmap_width);
			assert_true(found.luxel_y >= face->lightmap_y && found.luxel_y < face->lightmap_y + face->lightmap_height);
			for (int k = 0; k < 3; k++) assert_true(found.light[k] >= 0 && found.light[k] <= 8);
		}
		assert_true(tried > 20 && lit > 10);
		bspscene_surface_point none;
		bspscene_surface_point_init(&none);
		assert_false(bspscene_face_at(scene, (const float[3]) { 1e5f, 1e5f, 1e5f }, 16, &none));
		bspscene_scene_free(scene);
	}
}

static float distance_to_segment(const float p[3], const float a[3], const float b[3])
{
	float along = 0, length = 0, sum = 0;
	for (int i = 0; i < 3; i++) {
		along += (p[i] - a[i]) * (b[i] - a[i]);
		length += (b[i] - a[i]) * (b[i] - a[i]);
	}
	float share = length > 0 ? fminf(fmaxf(along / length, 0), 1) : 0;
	for (int i = 0; i < 3; i++) {
		float d = p[i] - a[i] - share * (b[i] - a[i]);
		sum += d * d;
	}
	return sqrtf(sum);
}

/* Returns the distance to the nearest edge, or to the plane if the point projects into the triangle. */
static float distance_to_triangle(const float p[3], float c[3][3])
{
	float normal[3], least = INFINITY, length = 0, height = 0;
	bool above = true;
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		normal[i] = (c[1][j] - c[0][j]) * (c[2][k] - c[0][k]) - (c[1][k] - c[0][k]) * (c[2][j] - c[0][j]);
		length += normal[i] * normal[i];
	}
	if (!(length > 0)) above = false;
	for (int e = 0; e < 3; e++) {
		const float *a = c[e], *b = c[(e + 1) % 3];
		float side = 0;
		for (int i = 0; i < 3; i++) {
			int j = (i + 1) % 3, k = (i + 2) % 3;
			side += normal[i] * ((b[j] - a[j]) * (p[k] - a[k]) - (b[k] - a[k]) * (p[j] - a[j]));
		}
		above = above && side >= 0;
		least = fminf(least, distance_to_segment(p, a, b));
	}
	for (int i = 0; i < 3; i++) height += (p[i] - c[0][i]) * normal[i];
	return above ? fminf(least, fabsf(height) / sqrtf(length)) : least;
}

/* Returns the least distance to any triangle of the world, whose node has no transformation. */
static float distance_to_world(const bspscene_scene *scene, const float p[3])
{
	float least = INFINITY;
	for (uint32_t f = 0; f < scene->face_count; f++) {
		const bspscene_face *face = &scene->faces[f];
		const bspscene_mesh *mesh = scene->meshes[face->mesh];
		if (mesh->model != 0 || mesh->sections[face->section]->surface_kind != BSPSCENE_SURFACE_VISIBLE) continue;
		for (uint32_t i = 0; i < face->index_count; i += 3) {
			float corners[3][3];
			for (uint32_t k = 0; k < 3; k++) {
				const float *at = mesh->positions + 3 * (size_t)mesh->indices[face->first_index + i + k];
				memcpy(corners[k], at, sizeof corners[k]);
			}
			least = fminf(least, distance_to_triangle(p, corners));
		}
	}
	return least;
}

/* Compares points all around, beyond corners, edges and faces, with a search over all triangles. Returns how many
 * points are nearest to the world. */
static uint32_t compare_with_brute_force(const bspscene_scene *scene)
{
	uint64_t seed = 53;
	uint32_t compared = 0;
	for (int i = 0; i < 100; i++) {
		float point[3];
		for (int k = 0; k < 3; k++) {
			float size = scene->bounds.max[k] - scene->bounds.min[k];
			point[k] = scene->bounds.min[k] + size * ((float)(bspt_random(&seed) >> 8) / (1 << 24) * 1.6f - 0.3f);
		}
		bspscene_surface_point found;
		bspscene_surface_point_init(&found);
		assert_true(bspscene_face_at(scene, point, 1e4f, &found));
		float wanted = distance_to_world(scene, point);
		bool of_world = scene->meshes[scene->faces[found.face].mesh]->model == 0;
		bool same = fabsf(found.distance - wanted) <= 0.01f + 1e-4f * wanted;
		if (of_world ? !same : found.distance > wanted + 0.01f) {
			fail_msg("%g from %g %g %g, not %g", (double)found.distance, (double)point[0], (double)point[1],
			         (double)point[2], (double)wanted);
		}
		compared += of_world;
	}
	return compared;
}

/* In a map, corners belong to several triangles; in the sample's separate squares, they do not. */
static void the_nearest_point_is_found_by_brute_force(void **state)
{
	(void)state;
	bspscene_scene *scene = open_map(maps[1]);
	assert_true(compare_with_brute_force(scene) > 50);
	bspscene_scene_free(scene);
	for (int turned = 0; turned < 3; turned++) {
		bspt_sample *sample = bspt_sample_make();
		uint32_t *indices = (uint32_t *)sample->scene.meshes[0]->indices;
		for (uint32_t i = 0; i + 2 < sample->scene.meshes[0]->index_count; i += 3) {
			for (int k = 0; k < turned; k++) {
				uint32_t first = indices[i];
				indices[i] = indices[i + 1];
				indices[i + 1] = indices[i + 2];
				indices[i + 2] = first;
			}
		}
		assert_true(compare_with_brute_force(&sample->scene) > 10);
		bspt_sample_free(sample);
	}
}

/* The node of the world may scale its mesh by three, rotate it and move it. A search in the world then finds the same
 * face, and the same weights for the center of a triangle. */
static void nodes_may_be_scaled(void **state)
{
	static const float placed[12] = { 0, -3, 0, 100, 3, 0, 0, -50, 0, 0, 3, 20 };
	(void)state;
	bspscene_scene *scene = open_map(maps[1]);
	uint32_t own = 0;
	memcpy((float *)(uintptr_t)scene->nodes[0]->transform, placed, sizeof placed);
	for (uint32_t i = 0; i < scene->face_count; i++) {
		const bspscene_face *face = &scene->faces[i];
		const bspscene_mesh *mesh = scene->meshes[face->mesh];
		float point[3];
		if (face->mesh || mesh->sections[face->section]->surface_kind != BSPSCENE_SURFACE_VISIBLE) continue;
		find_middle(mesh, face, placed, point);
		bspscene_surface_point found;
		bspscene_surface_point_init(&found);
		assert_true(bspscene_face_at(scene, point, 1, &found) && found.distance < 0.05f);
		if (found.face != i || 3 * found.triangle != face->first_index) continue;
		own++;
		for (int k = 0; k < 3; k++) assert_true(fabsf(found.barycentric[k] - 1.0f / 3) < 0.01f);
	}
	assert_true(own > 20);
	bspscene_scene_free(scene);
}

/* The light of a page with one style is the luxel times the intensity. */
static void light_is_the_luxel_times_the_intensity(void **state)
{
	(void)state;
	bspscene_scene *scene = open_map(maps[0]);
	const bspscene_lightmap_set *set = &scene->lightmap_sets[0];
	uint32_t compared = 0;
	for (uint32_t i = 0; i < scene->face_count && compared < 20; i++) {
		const bspscene_face *face = &scene->faces[i];
		const bspscene_mesh *mesh = scene->meshes[face->mesh];
		bool is_plain = !face->mesh && !face->styles[0] && face->styles[1] == 255;
		if (!is_plain || face->lightmap_page == BSPSCENE_NO_INDEX) continue;
		bspscene_surface_point found;
		bspscene_surface_point_init(&found);
		const float *corner = mesh->positions + 3 * (size_t)mesh->indices[face->first_index];
		if (!bspscene_face_at(scene, corner, 1, &found) || found.lightmap_page == BSPSCENE_NO_INDEX) continue;
		if (scene->meshes[0]->sections[face->section]->lighting != BSPSCENE_LIGHTING_LIGHTMAP) continue;
		const bspscene_lightmap_page *page = &set->pages[found.lightmap_page];
		const uint8_t *luxel = (const uint8_t *)page->data + 3 * ((size_t)found.luxel_y * page->width + found.luxel_x);
		for (int k = 0; k < 3; k++) {
			float want = (float)luxel[k] / 255 * set->intensity;
			if (scene->light_clamp > 0) want = fminf(want, scene->light_clamp);
			assert_true(fabsf(found.light[k] - want) < 1e-4f);
		}
		compared++;
	}
	assert_true(compared > 5);
	bspscene_scene_free(scene);
}

/* Vertex light is the color times the scene's factor. Surfaces without light are black or fullbright. */
static void light_of_vertices_has_the_scenes_factor(void **state)
{
	(void)state;
	static const char *const lit_by_vertices[] = { "atrium/qfusion/maps/atrium_unlit.bsp",
		                                           "atrium/quake3/maps/atrium.bsp" };
	uint32_t compared[4] = { 0 };
	for (size_t m = 0; m < sizeof lit_by_vertices / sizeof *lit_by_vertices; m++) {
		bspscene_scene *scene = open_encoded(lit_by_vertices[m], BSPSCENE_LIGHTMAP_ENCODING_RAW);
		float factor = bspi_color_intensity(scene);
		assert_true(factor > 1);
		for (uint32_t i = 0; i < scene->face_count; i++) {
			const bspscene_face *face = &scene->faces[i];
			const bspscene_mesh *mesh = scene->meshes[face->mesh];
			bspscene_lighting lighting = mesh->sections[face->section]->lighting;
			const uint32_t corner = mesh->indices[face->first_index];
			bspscene_surface_point found;
			bspscene_surface_point_init(&found);
			if (face->mesh || lighting == BSPSCENE_LIGHTING_LIGHTMAP || compared[lighting] > 20) continue;
			if (!bspscene_face_at(scene, mesh->positions + 3 * (size_t)corner, 1, &found) || found.face != i) continue;
			bool is_first = found.triangle * 3 == face->first_index;
			if (!is_first || found.barycentric[0] < 0.999f) continue;
			for (uint32_t k = 0; k < 3; k++) {
				float want = lighting == BSPSCENE_LIGHTING_BLACK ? 0 : 1;
				if (lighting == BSPSCENE_LIGHTING_VERTEX && mesh->colors) {
					want = (float)mesh->colors[4 * (size_t)corner + k] / 255 * factor;
				}
				assert_true(fabsf(found.light[k] - want) < 0.01f);
			}
			compared[lighting]++;
		}
		bspscene_scene_free(scene);
	}
	assert_true(compared[BSPSCENE_LIGHTING_VERTEX] > 10);
}

static void nodes_of_a_mesh_are_all_that_show_it(void **state)
{
	(void)state;
	bspscene_scene *scene = open_map(maps[0]);
	for (uint32_t mesh = 0; mesh < scene->mesh_count; mesh++) {
		uint32_t count = 0, listed = 0;
		for (uint32_t i = 0; i < scene->node_count; i++) count += scene->nodes[i]->mesh == mesh;
		uint32_t node = bspscene_next_node_with_mesh(scene, mesh, BSPSCENE_NO_INDEX);
		for (; node != BSPSCENE_NO_INDEX; node = bspscene_next_node_with_mesh(scene, mesh, node)) {
			assert_int_equal(scene->nodes[node]->mesh, mesh);
			listed++;
		}
		assert_int_equal(listed, count);
	}
	bspscene_scene_free(scene);
}

static void an_image_is_written_as_its_pixels(void **state)
{
	(void)state;
	bspscene_scene *scene = open_map(maps[0]);
	bspscene_error error;
	const char *path = "test_face_at.png";
	assert_true(scene->image_count > 0);
	assert_true(bspscene_write_image_file(scene->images[0], path, &error));
	bspt_bytes file = bspt_read_file(path);
	bspscene_image written = {
		.name = path, .path = path, .format = BSPSCENE_IMAGE_PNG, .data = file.data, .size = file.size
	};
	bspscene_pixels want, got;
	assert_true(bspscene_image_decode(scene->images[0], &want, &error));
	assert_true(bspscene_image_decode(&written, &got, &error));
	assert_int_equal(got.width, want.width);
	assert_int_equal(got.height, want.height);
	assert_memory_equal(got.data, want.data, 4 * (size_t)want.width * want.height);
	assert_false(bspscene_write_png_file(want.width, want.height, 4, want.data, "no/such/folder/a.png", &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_IO);
	bspscene_pixels_free(&want);
	bspscene_pixels_free(&got);
	free(file.data);
	remove(path);
	bspscene_scene_free(scene);
}

/* ---- Allocators ------------------------------------------------------------------------------------------- */

typedef struct counter {
	uint32_t taken, given, most; /* `most` is the number of allocations that succeed, 0 for all */
} counter;

static void *count_allocate(void *user, size_t size)
{
	counter *c = user;
	if (c->most && c->taken >= c->most) return NULL;
	c->taken++;
	return malloc(size);
}

static void count_release(void *user, void *data)
{
	((counter *)user)->given++;
	free(data);
}

static void sources_return_what_they_took(void **state)
{
	(void)state;
	char path[1024];
	snprintf(path, sizeof path, "%s/%s", BSPT_FIXTURES, maps[0]);
	uint32_t all = 0;
	for (uint32_t most = 0; most <= all; most++) {
		counter c = { .most = most };
		const bspscene_allocator allocator = { count_allocate, count_release, &c };
		bspscene_source_options options;
		bspscene_source_options_init(&options);
		options.allocator = &allocator;
		bspscene_error error;
		bspscene_source *source = bspscene_source_open(path, &options, &error);
		if (!most) {
			assert_non_null(source);
			all = c.taken;
			assert_true(all > 2);
		} else if (!source) {
			assert_int_equal(error.status, BSPSCENE_ERROR_OUT_OF_MEMORY);
		}
		bspscene_source_free(source);
		assert_int_equal(c.taken, c.given);
	}
}

static void pixels_return_what_they_took(void **state)
{
	(void)state;
	bspscene_scene *scene = open_map(maps[0]);
	counter c = { 0 };
	const bspscene_allocator allocator = { count_allocate, count_release, &c };
	bspscene_decode_options options;
	bspscene_decode_options_init(&options);
	options.allocator = &allocator;
	bspscene_pixels pixels;
	assert_true(bspscene_image_decode_with(scene->images[0], &options, &pixels, NULL));
	assert_true(c.taken > c.given);
	bspscene_pixels_free(&pixels);
	assert_int_equal(c.taken, c.given);
	bspscene_scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_middle_of_a_face_is_found),
		cmocka_unit_test(the_nearest_point_is_found_by_brute_force),
		cmocka_unit_test(nodes_may_be_scaled),
		cmocka_unit_test(light_is_the_luxel_times_the_intensity),
		cmocka_unit_test(light_of_vertices_has_the_scenes_factor),
		cmocka_unit_test(nodes_of_a_mesh_are_all_that_show_it),
		cmocka_unit_test(an_image_is_written_as_its_pixels),
		cmocka_unit_test(sources_return_what_they_took),
		cmocka_unit_test(pixels_return_what_they_took),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
