/* Promise: the same light gives the same colors in every form of a Quake map: a .lit of bytes or of floats, the BSPX
 * lumps RGBLIGHTING or LIGHTING_E5BGR9. Data that does not fit the map is counted and changes nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "families/quake/quake_common.h"
#include "support/make/build_map.h"
#include "support/check/check_scene.h"

enum { LUXELS = 258 };                 /* number of luxels of the room */

typedef enum form { GRAY, LIT, LIT_FLOATS, LUMP, LUMP_FLOATS, FORMS } form;

static void store_u32(uint8_t *p, size_t value)
{
	for (int i = 0; i < 4; i++) p[i] = (uint8_t)(value >> 8 * i);
}

static void make_colors(uint8_t out[3 * LUXELS])
{
	for (size_t i = 0; i < 3 * LUXELS; i++) out[i] = (uint8_t)(i * 7 % 256);
}

/* Encodes each color as three mantissas of nine bits and a common exponent of five bits. A channel of 255 becomes the
 * value 2.0. */
static void make_floats(uint8_t out[4 * LUXELS])
{
	uint8_t colors[3 * LUXELS];
	make_colors(colors);
	for (size_t i = 0; i < LUXELS; i++) {
		double value[3], largest = 1e-6;
		for (int c = 0; c < 3; c++) {
			value[c] = 2 * colors[3 * i + (size_t)c] / 255.0;
			if (value[c] > largest) largest = value[c];
		}
		uint32_t exponent = 0, word = 0;
		double unit = 1.0 / (1 << 24);
		while (largest / unit > 511) {
			unit *= 2;
			exponent++;
		}
		for (int c = 0; c < 3; c++) word |= (uint32_t)(value[c] / unit + 0.5) << 9 * c;
		store_u32(out + 4 * i, word | exponent << 27);
	}
}

/* Makes a light file with its header, or the values alone. Returns the size. */
static size_t make_light(form kind, bool header, uint8_t *out)
{
	bool floats = kind == LIT_FLOATS || kind == LUMP_FLOATS;
	if (header) {
		memcpy(out, "QLIT", 4);
		store_u32(out + 4, floats ? 0x10001 : 1);
		out += 8;
	}
	if (floats) make_floats(out);
	else make_colors(out);
	return (header ? 8u : 0u) + (floats ? 4u : 3u) * LUXELS;
}

static bspt_bytes make_map(form kind)
{
	bspt_bytes room = bspt_build_room(&bspi_family_quake, &bspi_family_quake.variants[0]);
	if (kind != LUMP && kind != LUMP_FLOATS) return room;
	enum { HEADER = 8, ENTRY = 32 };
	size_t at = (room.size + 3) / 4 * 4;
	bspt_bytes file = { calloc(at + HEADER + ENTRY + 4 * LUXELS, 1), 0 };
	assert_non_null(file.data);
	memcpy(file.data, room.data, room.size);
	free(room.data);
	uint8_t *p = file.data + at;
	memcpy(p, "BSPX", 4);
	store_u32(p + 4, 1);
	strcpy((char *)p + HEADER, kind == LUMP ? "RGBLIGHTING" : "LIGHTING_E5BGR9");
	size_t size = make_light(kind, false, p + HEADER + ENTRY);
	store_u32(p + HEADER + 24, at + HEADER + ENTRY);
	store_u32(p + HEADER + 28, size);
	file.size = at + HEADER + ENTRY + size;
	return file;
}

typedef struct light_file {
	uint8_t data[8 + 4 * LUXELS];
	size_t size;                       /* size of the light file, 0 for no file */
} light_file;

static bool open_light(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const light_file *file = user;
	size_t length = strlen(path);
	if (kind != BSPSCENE_FILE_LIGHT || length < 4 || strcmp(path + length - 4, ".lit") || !file->size) return false;
	*stream = (bspscene_stream){ .data = file->data, .size = file->size };
	return true;
}

static bspscene_scene *load(form kind, light_file *lit, bspscene_lightmap_encoding encoding)
{
	bspt_bytes file = make_map(kind);
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.lightmap_encoding = encoding;
	options.open_file = open_light;
	options.file_user = lit;
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, &options, &error);
	free(file.data);
	if (!scene) fail_msg("%s", error.message);
	bspt_report report = { 0 };
	bspt_check_scene(scene, &options, &report);
	bspt_assert_clean(&report);
	return scene;
}

static bspscene_scene *load_form(form kind, bspscene_lightmap_encoding encoding)
{
	light_file lit = { .size = 0 };
	if (kind == LIT || kind == LIT_FLOATS) lit.size = make_light(kind, true, lit.data);
	return load(kind, &lit, encoding);
}

static uint32_t warning_count(const bspscene_scene *scene, bspscene_warning_code code)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->warning_count; i++) {
		count += scene->warnings[i]->code == code ? scene->warnings[i]->count : 0;
	}
	return count;
}

/* Returns the largest difference between the pages of two scenes. The unit is 1/255 for bytes, and the last binary
 * place for half floats. Sets `colored` if the pages have any color that is not gray. */
static uint32_t difference(const bspscene_scene *a, const bspscene_scene *b, bool *colored)
{
	uint32_t worst = 0;
	*colored = false;
	assert_int_equal(a->lightmap_set_count, b->lightmap_set_count);
	assert_int_equal(a->lightmap_page_count, b->lightmap_page_count);
	for (uint32_t s = 0; s < a->lightmap_set_count; s++) {
		for (uint32_t i = 0; i < a->lightmap_page_count; i++) {
			const bspscene_lightmap_page *x = &a->lightmap_sets[s].pages[i], *y = &b->lightmap_sets[s].pages[i];
			assert_true(x->width == y->width && x->height == y->height && x->format == y->format);
			const uint8_t *xb = x->data, *yb = y->data;
			const uint16_t *xh = x->data, *yh = y->data;
			bool bytes = x->format == BSPSCENE_LIGHTMAP_PAGE_RGB8;
			for (size_t k = 0; x->data && k < (size_t)3 * x->width * x->height; k++) {
				int from = bytes ? xb[k] : xh[k], to = bytes ? yb[k] : yh[k];
				uint32_t d = (uint32_t)abs(from - to);
				if (d > worst) worst = d;
				if (k % 3 && from != (bytes ? xb[k - 1] : xh[k - 1])) *colored = true;
			}
		}
	}
	return worst;
}

static void test_all_forms_give_the_same_colors(void **state)
{
	(void)state;
	bspscene_scene *bytes = load_form(LIT, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
	for (form kind = LIT; kind < FORMS; kind++) {
		bspscene_scene *scene = load_form(kind, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
		bool colored;
		uint32_t worst = difference(scene, bytes, &colored);
		/* The largest channel of a float color has nine bits, so its error is at most half of 1/255. Rounding to bytes
		 * can increase the error to 1/255. */
		if (worst > 1 || !colored) {
			fail_msg("form %d differs by %u of 255%s", (int)kind, (unsigned)worst, colored ? "" : " and is gray");
		}
		assert_int_equal(warning_count(scene, BSPSCENE_WARNING_LUMP_BAD), 0);
		bspscene_scene_free(scene);
	}
	bspscene_scene *gray = load_form(GRAY, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
	bool colored;
	assert_true(difference(gray, gray, &colored) == 0 && !colored);
	bspscene_scene_free(gray);
	bspscene_scene_free(bytes);
}

/* Float colors of a .lit file and of a BSPX lump give exactly the same pages of half floats. */
static void test_hdr_pages(void **state)
{
	(void)state;
	bool colored;
	bspscene_scene *lit = load_form(LIT_FLOATS, BSPSCENE_LIGHTMAP_ENCODING_HDR),
	               *lump = load_form(LUMP_FLOATS, BSPSCENE_LIGHTMAP_ENCODING_HDR);
	assert_int_equal(difference(lit, lump, &colored), 0);
	assert_true(colored);
	bspscene_scene_free(lump);
	bspscene_scene_free(lit);
}

/* If the map's colors are stored as floats, raw pages have the map's gray bytes instead. */
static void test_raw_pages_stay_gray(void **state)
{
	(void)state;
	bool colored;
	bspscene_scene *floats = load_form(LUMP_FLOATS, BSPSCENE_LIGHTMAP_ENCODING_RAW),
	               *gray = load_form(GRAY, BSPSCENE_LIGHTMAP_ENCODING_RAW);
	assert_int_equal(difference(floats, gray, &colored), 0);
	bspscene_scene_free(floats);
	bspscene_scene_free(gray);
}

static void test_light_of_another_map(void **state)
{
	(void)state;
	static const struct { form kind; int change; uint32_t version; bspscene_warning_code warning; } cases[] = {
		{ LIT, -3, 1, BSPSCENE_WARNING_FILE_STALE }, { LIT, 3, 1, BSPSCENE_WARNING_FILE_STALE },
		{ LIT_FLOATS, -4, 0x10001, BSPSCENE_WARNING_FILE_STALE }, { LIT_FLOATS, 0, 1, BSPSCENE_WARNING_FILE_STALE },
		{ LIT, 0, 0x10001, BSPSCENE_WARNING_FILE_STALE }, { LIT, 0, 2, BSPSCENE_WARNING_UNSUPPORTED },
		{ LIT, -3 * LUXELS, 1, BSPSCENE_WARNING_FILE_STALE }, { LIT, -3 * LUXELS - 1, 1, BSPSCENE_WARNING_UNSUPPORTED },
	};
	bspscene_scene *gray = load_form(GRAY, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		light_file lit;
		memset(&lit, 0, sizeof lit);
		lit.size = (size_t)((int)make_light(cases[i].kind, true, lit.data) + cases[i].change);
		store_u32(lit.data + 4, cases[i].version);
		bspscene_scene *scene = load(cases[i].kind, &lit, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
		bool colored;
		if (difference(scene, gray, &colored)) fail_msg("case %zu changes the light", i);
		if (warning_count(scene, cases[i].warning) != 1) fail_msg("case %zu is not counted", i);
		bspscene_scene_free(scene);
	}
	bspscene_scene_free(gray);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_forms_give_the_same_colors),
		cmocka_unit_test(test_hdr_pages),
		cmocka_unit_test(test_raw_pages_stay_gray),
		cmocka_unit_test(test_light_of_another_map),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
