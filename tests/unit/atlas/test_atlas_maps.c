/* test_atlas_maps.c - the atlas of real maps: each lit face's luxels, read through the second uv set, are those of the
 * file. Pages of other encodings can be computed from the raw ones. If a picture is missing or invalid, faces have
 * vertex light, and there is a warning. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "images/images.h"
#include "support/bspt.h"
#include "support/check/check_atlas.h"
#include "support/check/check_scene.h"

#define MOST_PICTURES 8

/* A map and its expected values, counted in the file by hand. The last two have more than one style, and directions in
 * pictures. */
static const struct map_case {
	const char *game, *name;
	uint32_t lit_faces, page_sets, pictures;
	bool directions;
} maps[] = {
	{ "quake3", "atrium", 203, 1, 0, false },
	{ "quake3", "atrium_deluxe", 203, 2, 0, true },
	{ "quake3", "atrium_external", 203, 1, 1, false },
	{ "quake3", "atrium_nometa", 284, 1, 0, false },
	{ "quake3", "atrium_patchmeta", 214, 1, 0, false },
	{ "eliteforce", "atrium", 203, 1, 0, false },
	{ "et", "atrium", 201, 1, 0, false },
	{ "rtcw", "atrium", 203, 1, 0, false },
	{ "quakelive", "atrium", 203, 1, 0, false },
	{ "jediacademy", "atrium", 203, 3, 0, false },
	{ "xonotic", "atrium", 201, 2, 4, true },
};
#define MAPS (sizeof maps / sizeof *maps)

typedef struct loaded_map {
	char path[256];
	bspt_bytes file;
	bspscene_file_system *files;
	bspscene_load_options options;
	bspscene_scene *scene;
} loaded_map;

static void load(loaded_map *m, const struct map_case *map, bspscene_lightmap_encoding encoding)
{
	char game[64], name[128];
	snprintf(game, sizeof game, "atrium/%s", map->game);
	snprintf(name, sizeof name, "atrium/%s/maps/%s.bsp", map->game, map->name);
	snprintf(m->path, sizeof m->path, "%s", bspt_fixture_path(name));
	m->file = bspt_read_file(m->path);
	m->files = bspt_mount_fixtures(game, "atrium/quake3", NULL);
	bspscene_load_options_init(&m->options);
	bspt_use_files(&m->options, m->files);
	m->options.lightmap_encoding = encoding;
	m->options.textures = BSPSCENE_TEXTURES_NONE;
	bspscene_error error;
	m->scene = bspscene_load_file(m->path, &m->options, &error);
	if (!m->scene) bspt_die("load", error.message);
}

static void unload(loaded_map *m)
{
	bspscene_scene_free(m->scene);
	bspscene_file_system_free(m->files);
	free(m->file.data);
}

static uint32_t warning_count(const bspscene_scene *scene, bspscene_warning_code code)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->warning_count; i++) {
		count += scene->warnings[i]->code == code ? scene->warnings[i]->count : 0;
	}
	return count;
}

/* Decodes the map's pictures to RGB. */
static void read_pictures(const struct map_case *map, bspt_map_page *pages, uint8_t *memory[MOST_PICTURES])
{
	for (uint32_t i = 0; i < map->pictures; i++) {
		char name[128];
		snprintf(name, sizeof name, "atrium/%s/maps/%s/lm_%04u.tga", map->game, map->name, i);
		bspt_bytes file = bspt_read_fixture(name);
		bspscene_pixels pixels;
		assert_true(bspi_image_decode(&bspi_system_heap,
		                              BSPSCENE_IMAGE_TGA, bspi_bytes_of(file.data, file.size), &pixels, NULL));
		memory[i] = malloc((size_t)pixels.width * pixels.height * 3);
		assert_non_null(memory[i]);
		for (size_t k = 0; k < (size_t)pixels.width * pixels.height; k++) {
			memcpy(memory[i] + 3 * k, pixels.data + 4 * k, 3);
		}
		pages[i] = (bspt_map_page){ memory[i], pixels.width, pixels.height };
		bspscene_pixels_free(&pixels);
		free(file.data);
	}
}

static void test_luxels_are_the_file_s(void **state)
{
	(void)state;
	for (size_t i = 0; i < MAPS; i++) {
		loaded_map m;
		bspt_report report = { 0 };
		bspt_map_page pictures[MOST_PICTURES];
		uint8_t *memory[MOST_PICTURES] = { NULL };
		load(&m, &maps[i], BSPSCENE_LIGHTMAP_ENCODING_RAW);
		read_pictures(&maps[i], pictures, memory);
		bspt_context(&report, "%s", m.path);
		uint64_t compared = bspt_check_atlas(m.scene, m.file.data, m.file.size, pictures, maps[i].pictures, &report);
		bspt_assert_clean(&report);
		assert_true(compared > 10000);
		uint32_t lit = 0;
		bool directions = false;
		for (uint32_t k = 0; k < m.scene->face_count; k++) lit += m.scene->faces[k].lightmap_page != BSPSCENE_NO_INDEX;
		for (uint32_t k = 0; k < m.scene->lightmap_set_count; k++) {
			directions = directions || m.scene->lightmap_sets[k].kind == BSPSCENE_LIGHTMAP_SET_DIRECTION;
		}
		if (lit != maps[i].lit_faces || m.scene->lightmap_set_count != maps[i].page_sets) {
			print_error("%s: %u lit faces, %u sets\n", m.path, lit, m.scene->lightmap_set_count);
		}
		assert_int_equal(lit, maps[i].lit_faces);
		assert_int_equal(m.scene->lightmap_set_count, maps[i].page_sets);
		assert_int_equal(directions, maps[i].directions);
		bspt_check_scene(m.scene, &m.options, &report);
		bspt_assert_clean(&report);
		for (uint32_t k = 0; k < MOST_PICTURES; k++) free(memory[k]);
		unload(&m);
	}
}

/* q3map2 stores the second style of this map in pictures that shaders name. There is still one set of pages for each
 * style. */
static void test_styles_from_shaders(void **state)
{
	static const struct map_case styles = { "quake3", "atrium_styles", 0, 0, 0, false };
	(void)state;
	loaded_map m;
	bspt_report report = { 0 };
	load(&m, &styles, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
	m.options.textures = BSPSCENE_TEXTURES_NAMES;
	bspscene_scene *scene = bspscene_load_file(m.path, &m.options, NULL);
	assert_non_null(scene);
	assert_int_equal(scene->lightmap_set_count, 2);
	assert_int_equal(scene->lightmap_sets[1].kind, BSPSCENE_LIGHTMAP_SET_LIGHT);
	assert_int_equal(scene->lightmap_sets[1].style, 1);
	for (uint32_t i = 0; i < scene->lightmap_page_count; i++) assert_non_null(scene->lightmap_sets[1].pages[i].data);
	uint32_t styled = 0;
	for (uint32_t i = 0; i < scene->face_count; i++) styled += scene->faces[i].styles[1] == 1;
	assert_true(styled > 50);
	assert_int_equal(warning_count(scene, BSPSCENE_WARNING_LIGHTMAP), 0);
	bspt_check_scene(scene, &m.options, &report);
	bspt_assert_clean(&report);
	bspscene_scene_free(scene);
	unload(&m);
}

/* Pages of other encodings can be computed from raw pages: by R_ColorShiftLightingBytes with a shift of 2, and for HDR
 * by the documented power. */
static void test_encodings_follow_from_raw(void **state)
{
	(void)state;
	loaded_map raw, display, hdr;
	load(&raw, &maps[0], BSPSCENE_LIGHTMAP_ENCODING_RAW);
	load(&display, &maps[0], BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
	load(&hdr, &maps[0], BSPSCENE_LIGHTMAP_ENCODING_HDR);
	assert_true(raw.scene->lightmap_sets[0].intensity == 4);
	assert_true(display.scene->lightmap_sets[0].intensity == 1);
	assert_true(hdr.scene->lightmap_sets[0].intensity == 1);
	for (uint32_t i = 0; i < raw.scene->lightmap_page_count; i++) {
		const bspscene_lightmap_page *page = &raw.scene->lightmap_sets[0].pages[i];
		const uint8_t *in = page->data, *out = display.scene->lightmap_sets[0].pages[i].data;
		const uint16_t *halves = hdr.scene->lightmap_sets[0].pages[i].data;
		for (size_t k = 0; k < (size_t)page->width * page->height; k++, in += 3, out += 3, halves += 3) {
			int largest = in[0] > in[1] ? in[0] : in[1];
			largest = in[2] > largest ? in[2] : largest;
			for (int c = 0; c < 3; c++) {
				assert_int_equal(out[c], largest * 4 > 255 ? in[c] * 4 * 255 / (largest * 4) : in[c] * 4);
				double want = pow(in[c] / 255.0 * 4, 2.2);
				assert_true(fabs((double)bspi_half_to_float(halves[c]) - want) <= want / 2048 + 1e-7);
			}
		}
	}
	unload(&raw);
	unload(&display);
	unload(&hdr);
}

static void test_no_pages_when_none_are_wanted(void **state)
{
	(void)state;
	loaded_map m;
	bspt_report report = { 0 };
	load(&m, &maps[0], BSPSCENE_LIGHTMAP_ENCODING_NONE);
	assert_int_equal(m.scene->lightmap_set_count, 0);
	assert_int_equal(m.scene->counts->lightmap_faces, 203);
	for (uint32_t i = 0; i < m.scene->mesh_count; i++) assert_null(m.scene->meshes[i]->lightmap_uvs);
	bspt_check_scene(m.scene, &m.options, &report);
	bspt_assert_clean(&report);
	unload(&m);
}

/* Pages of any size and gutter width hold the same luxels. */
static void test_page_sizes_and_gutters(void **state)
{
	static const struct { uint32_t page_size, gutter; } cases[] = { { 0, 0 }, { 512, 2 }, { 160, 16 }, { 100, 1 },
	                                                                { 16, 1 }, { 16384, 3 } };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		loaded_map m;
		bspt_report report = { 0 };
		load(&m, &maps[0], BSPSCENE_LIGHTMAP_ENCODING_RAW);
		m.options.lightmap_page_size = cases[i].page_size;
		m.options.lightmap_gutter = cases[i].gutter;
		bspscene_scene *scene = bspscene_load_file(m.path, &m.options, NULL);
		assert_non_null(scene);
		bspt_context(&report, "pages of %u, gutter %u", cases[i].page_size, cases[i].gutter);
		assert_true(bspt_check_atlas(scene, m.file.data, m.file.size, NULL, 0, &report) > 10000);
		bspt_check_scene(scene, &m.options, &report);
		bspt_assert_clean(&report);
		bspscene_scene_free(scene);
		unload(&m);
	}
}

typedef struct faulty_files {
	bspscene_file_system *files;
	const void *data;                  /* color of all pixels; NULL if the picture is missing */
	size_t size;
} faulty_files;

static bool open_faulty(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const faulty_files *faulty = user;
	(void)path;
	if (kind != BSPSCENE_FILE_LIGHTMAP || !faulty->data) return false;
	*stream = (bspscene_stream){ .data = faulty->data, .size = faulty->size };
	return true;
}

static void test_pictures_missing_or_broken(void **state)
{
	static const char garbage[] = "this is no picture";
	static const struct { const void *data; size_t size; bspscene_warning_code warning; } cases[] = {
		{ NULL, 0, BSPSCENE_WARNING_FILE_MISSING }, { garbage, sizeof garbage, BSPSCENE_WARNING_IMAGE_BAD },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (int strict = 0; strict < 2; strict++) {
			loaded_map m;
			bspt_report report = { 0 };
			load(&m, &maps[2], BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
			faulty_files faulty = { m.files, cases[i].data, cases[i].size };
			m.options.open_file = open_faulty;
			m.options.list_files = NULL;
			m.options.file_user = &faulty;
			m.options.strict = strict;
			bspscene_error error;
			bspscene_scene *scene = bspscene_load_file(m.path, &m.options, &error);
			if (!scene) bspt_die("load", error.message);
			assert_true(warning_count(scene, cases[i].warning) >= 1);
			assert_int_equal(scene->lightmap_page_count, 0);
			uint32_t by_vertex = 0;
			for (uint32_t k = 0; k < scene->meshes[0]->section_count; k++) {
				assert_int_not_equal(scene->meshes[0]->sections[k]->lighting, BSPSCENE_LIGHTING_LIGHTMAP);
				by_vertex += scene->meshes[0]->sections[k]->lighting == BSPSCENE_LIGHTING_VERTEX;
			}
			assert_true(by_vertex > 0);
			bspt_check_scene(scene, &m.options, &report);
			bspt_assert_clean(&report);
			bspscene_scene_free(scene);
			unload(&m);
		}
	}
}

/* Opens another map's picture, of another size, in place of lm_0002.tga. */
static bool open_other_size(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	bool other = kind == BSPSCENE_FILE_LIGHTMAP && strstr(path, "lm_0002.tga");
	return bspscene_file_system_open(user, stream, other ? "maps/atrium_external/lm_0000.tga" : path, kind);
}

/* All pictures of a map should have one size; one of another size is still used. */
static void test_pictures_of_two_sizes(void **state)
{
	(void)state;
	loaded_map m;
	bspt_report report = { 0 };
	load(&m, &maps[MAPS - 1], BSPSCENE_LIGHTMAP_ENCODING_RAW);
	m.options.open_file = open_other_size;
	bspscene_scene *scene = bspscene_load_file(m.path, &m.options, NULL);
	assert_non_null(scene);
	assert_int_equal(warning_count(scene, BSPSCENE_WARNING_LIGHTMAP), 1);
	assert_int_equal(scene->counts->lightmap_faces, m.scene->counts->lightmap_faces);
	bspt_check_scene(scene, &m.options, &report);
	bspt_assert_clean(&report);
	bspscene_scene_free(scene);
	unload(&m);
}

/* Two loads give the same pages and uvs. */
static void test_loads_are_repeatable(void **state)
{
	(void)state;
	for (size_t i = 0; i < MAPS; i++) {
		loaded_map a, b;
		load(&a, &maps[i], BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
		load(&b, &maps[i], BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
		assert_true(bspt_scene_hash(a.scene) == bspt_scene_hash(b.scene));
		unload(&a);
		unload(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_luxels_are_the_file_s),
		cmocka_unit_test(test_styles_from_shaders),
		cmocka_unit_test(test_encodings_follow_from_raw),
		cmocka_unit_test(test_no_pages_when_none_are_wanted),
		cmocka_unit_test(test_page_sizes_and_gutters),
		cmocka_unit_test(test_pictures_missing_or_broken),
		cmocka_unit_test(test_pictures_of_two_sizes),
		cmocka_unit_test(test_loads_are_repeatable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
