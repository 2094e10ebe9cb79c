/* test_relight.c - relight writes light into maps of every format. Untouched pages give the same bytes, a changed luxel
 * changes only its own bytes, the order of rectangles does not matter, and pages of another map are refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "images/images.h"
#include "relight/relight_parts.h"
#include "support/check/baked.h"
#include "support/make/build_map.h"

/* Calls `check` for a room of every variant, or of the first variant of each family. */
static void for_each_room(bool all, void (*check)(const bspi_variant *variant, bspt_bytes room, void *user), void *user)
{
	for (uint32_t i = 0; i < bspi_family_count; i++) {
		for (uint32_t k = 0; k < (all ? bspi_families[i]->variant_count : 1); k++) {
			bspt_bytes room = bspt_build_room(bspi_families[i], &bspi_families[i]->variants[k]);
			check(&bspi_families[i]->variants[k], room, user);
			free(room.data);
		}
	}
}

/* ---- Untouched pages -------------------------------------------------------------------------------------- */

static void check_round_trip(const bspi_variant *variant, bspt_bytes room, void *user)
{
	static const struct { bspscene_lightmap_encoding encoding; uint32_t gutter, page_size;
	} layouts[] = {
		{ BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, 1, 4096 },
		{ BSPSCENE_LIGHTMAP_ENCODING_RAW, 3, 256 },
		{ BSPSCENE_LIGHTMAP_ENCODING_HDR, 2, 1024 },
	};
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
		bspt_baked b;
		bspscene_load_options options;
		bspscene_load_options_init(&options);
		options.lightmap_encoding = layouts[i].encoding;
		options.keep_map_light = true;
		options.include_mask = BSPSCENE_SURFACE_SKY | BSPSCENE_SURFACE_NODRAW;
		options.lightmap_gutter = layouts[i].gutter;
		options.lightmap_page_size = layouts[i].page_size;
		if (!bspt_bake_as(&b, room, &options)) continue;
		bspt_relit *r = bspt_relight(&b, room);
		if (!r->ok || !r->report.identical) fail_msg("%s: %s", variant->title, r->error.message);
		assert_true(r->report.changed == 0 && r->report.luxels > 0);
		assert_int_equal(r->captured.file_count, 1);
		assert_int_equal(r->captured.files[0].bytes.size, room.size);
		assert_memory_equal(r->captured.files[0].bytes.data, room.data, room.size);
		bspt_relit_free(r);
		bspt_baked_free(&b);
		++*(uint32_t *)user;
	}
}

static void untouched_pages_give_the_map(void **state)
{
	uint32_t count = 0;
	(void)state;
	for_each_room(true, check_round_trip, &count);
	assert_true(count > 60);
}

/* ---- Codes ------------------------------------------------------------------------------------------------ */

/* If stored bytes or normalized floats are decoded to light and encoded again, the bytes do not change. */
static void stored_light_is_its_own_inverse(void **state)
{
	(void)state;
	const bspi_rules rules[] = {
		{ .overbright = 1, .intensity = 2, .light_limit = 2 },
		{ .overbright = 4, .intensity = 1, .light_clamp = BSPI_CLAMP_HUE },
		{ .overbright = 1, .intensity = 1.375f, .light_limit = 4 / 3.0f },
	};
	uint32_t seed = 7;
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		for (int encoding = BSPI_LIGHT_GRAY8; encoding <= BSPI_LIGHT_RGBEXP32; encoding++) {
			bspi_luxel_code code;
			bspi_init_luxel_code(&code, &rules[i], (bspi_light_encoding)encoding, rules[i].overbright);
			for (uint32_t k = 0; k < 4096; k++) {
				uint8_t in[4], out[4] = { 0 };
				double light[3];
				seed = seed * 1664525u + 1013904223u;
				for (int c = 0; c < 4; c++) in[c] = (uint8_t)(seed >> (8 * c) ^ k);
				if (encoding == BSPI_LIGHT_RGBEXP32) in[k % 3] |= 128;
				/* Sets the highest bit of red, so that the float is normalized. */
				if (encoding == BSPI_LIGHT_E5BGR9) in[1] |= 1;
				size_t size = bspi_luxel_size((bspi_light_encoding)encoding);
				bspi_luxel_to_light(&code, in, light);
				assert_true(bspi_light_to_luxel(&code, light, out) == 1);
				if (memcmp(in, out, size)) {
					fail_msg("encoding %d: %u %u %u %u became %u %u %u %u", encoding, in[0], in[1], in[2], in[3],
					         out[0], out[1], out[2], out[3]);
				}
			}
		}
	}
}

static void too_bright_light_is_clamped_as_the_game_does(void **state)
{
	(void)state;
	const bspi_rules hue = { .overbright = 4, .intensity = 1, .light_clamp = BSPI_CLAMP_HUE };
	const bspi_rules channels = { .overbright = 1, .intensity = 1 };
	const double light[3] = { pow(8, 2.2), pow(2, 2.2), 0 };
	bspi_luxel_code code;
	uint8_t out[4];
	bspi_init_luxel_code(&code, &hue, BSPI_LIGHT_RGB8, 4);
	assert_true(fabs(bspi_light_to_luxel(&code, light, out) - 2) < 0.01);
	assert_true(out[0] == 255 && out[1] == 64 && out[2] == 0);
	bspi_init_luxel_code(&code, &channels, BSPI_LIGHT_RGB8, 1);
	bspi_light_to_luxel(&code, light, out);
	assert_true(out[0] == 255 && out[1] == 255 && out[2] == 0);
}

/* ---- Changed luxels --------------------------------------------------------------------------------------- */

/* Writes a gray value to a luxel, in the page's format. Gray maps can hold it too. */
static void put_light(const bspscene_lightmap_page *page, uint8_t *luxel, uint32_t value)
{
	uint16_t half = bspi_half_from_float((float)value / 255);
	if (page->format == BSPSCENE_LIGHTMAP_PAGE_RGB8) memset(luxel, (int)value, 3);
	else if (page->format == BSPSCENE_LIGHTMAP_PAGE_RAW32)
		memcpy(luxel, (uint8_t[4]) { 128, (uint8_t)value, 3, 255 }, 4);
	else for (int i = 0; i < 3; i++) memcpy(luxel + 2 * i, &half, sizeof half);
}

static size_t count_differences(bspt_bytes a, bspt_bytes b)
{
	size_t count = 0;
	assert_int_equal(a.size, b.size);
	for (size_t i = 0; i < a.size; i++) count += a.data[i] != b.data[i];
	return count;
}

/* The largest number of bytes that one luxel can change. It may be in four blocks, and for bumped HDR light it also
 * changes an average. */
#define MOST_BYTES_OF_A_LUXEL ((4 + 4) * 4 + 8)

static void check_one_luxel(const bspi_variant *variant, bspt_bytes room, void *user)
{
	bspscene_lightmap_encoding encoding = *(const bspscene_lightmap_encoding *)user;
	bspt_baked b, again;
	if (!bspt_bake(&b, room, encoding)) return;
	for (uint32_t place = 0; place < b.light.rect_count; place += 1 + b.light.rect_count / 2) {
		uint8_t *luxel = bspt_baked_luxel(&b, 0, place, 0, 0);
		const bspscene_lightmap_page *page = &b.sets[0].pages[b.places[place].lightmap_page];
		uint8_t before[8];
		memcpy(before, luxel, bspt_page_luxel_size(page));
		put_light(page, luxel, 201);
		bspt_relit *r = bspt_relight(&b, room);
		if (!r->ok) fail_msg("%s: %s", variant->title, r->error.message);
		assert_true(r->report.changed == 1 && !r->report.identical);
		bspt_bytes map = bspt_relit_map(r);
		size_t differences = count_differences(room, map);
		assert_in_range(differences, 1, MOST_BYTES_OF_A_LUXEL);
		bspt_relit_free(r);

		/* Baking again gives the requested value, as exactly as the encoding can. */
		assert_true(bspt_bake(&again, map, encoding));
		const uint8_t *now = bspt_baked_luxel(&again, 0, place, 0, 0);
		int most = encoding == BSPSCENE_LIGHTMAP_ENCODING_DISPLAY ? 4
		           : encoding == BSPSCENE_LIGHTMAP_ENCODING_RAW   ? 0
		                                                          : 255;
		for (size_t i = 0; i < bspt_page_luxel_size(page); i++) assert_true(abs(now[i] - luxel[i]) <= most);

		/* Writing the same light again changes nothing. */
		bspscene_relight_options any;
		bspscene_relight_options_init(&any);
		any.accept_other_light = true;
		r = bspt_relight_as(&b, map, NULL, &any);
		bspt_bytes twice = bspt_relit_map(r);
		assert_int_equal(count_differences(map, twice), 0);
		bspt_relit_free(r);
		memcpy(luxel, before, bspt_page_luxel_size(page));
		bspt_baked_free(&again);
		test_free(map.data);
		test_free(twice.data);
	}
	bspt_baked_free(&b);
}

static void a_luxel_changes_its_own_bytes(void **state)
{
	(void)state;
	for (int i = BSPSCENE_LIGHTMAP_ENCODING_DISPLAY; i <= BSPSCENE_LIGHTMAP_ENCODING_HDR; i++) {
		bspscene_lightmap_encoding encoding = (bspscene_lightmap_encoding)i;
		for_each_room(encoding == BSPSCENE_LIGHTMAP_ENCODING_RAW, check_one_luxel, &encoding);
	}
}

/* ---- Orders ----------------------------------------------------------------------------------------------- */

/* Fills a rectangle with light that differs by one or two between neighboring luxels. */
static void fill_place(const bspt_baked *b, uint32_t place, uint32_t value)
{
	const bspscene_lightmap_rect *p = &b->places[place];
	for (uint32_t y = 0; y < p->height; y++) {
		for (uint32_t x = 0; x < p->width; x++) {
			put_light(&b->sets[0].pages[p->lightmap_page], bspt_baked_luxel(b, 0, place, x, y), value + (x + y) % 3);
		}
	}
}

static void check_orders(const bspi_variant *variant, bspt_bytes room, void *user)
{
	(void)variant;
	(void)user;
	bspt_baked b;
	bspscene_relight_options any;
	bspscene_relight_options_init(&any);
	any.accept_other_light = true;
	if (!bspt_bake(&b, room, BSPSCENE_LIGHTMAP_ENCODING_RAW)) return;
	uint32_t last = b.light.rect_count - 1;
	if (last < 1) {
		bspt_baked_free(&b);
		return;
	}
	fill_place(&b, 0, 90);
	fill_place(&b, last, 160);
	bspt_relit *r = bspt_relight(&b, room);
	bspt_bytes both = bspt_relit_map(r);
	bspt_relit_free(r);

	/* Rectangles in another order give the same map. */
	const bspscene_lightmap_rect kept = b.places[0];
	b.places[0] = b.places[last];
	b.places[last] = kept;
	r = bspt_relight(&b, room);
	bspt_bytes turned = bspt_relit_map(r);
	assert_int_equal(count_differences(both, turned), 0);
	bspt_relit_free(r);

	/* Raw pages are lossless. So writing the old pages into the new map restores the old map. */
	bspt_baked old;
	assert_true(bspt_bake(&old, room, BSPSCENE_LIGHTMAP_ENCODING_RAW));
	r = bspt_relight_as(&old, both, NULL, &any);
	bspt_bytes back = bspt_relit_map(r);
	bool averages = !strncmp(variant->magic, "VBSP", 4); /* VBSP rooms store wrong averages, which relight corrects */
	if (!averages) assert_int_equal(count_differences(room, back), 0);
	bspt_relit_free(r);
	bspt_baked_free(&old);
	bspt_baked_free(&b);
	test_free(both.data);
	test_free(turned.data);
	test_free(back.data);
}

static void orders_do_not_matter(void **state)
{
	(void)state;
	for_each_room(false, check_orders, NULL);
}

/* ---- Faces that disagree ---------------------------------------------------------------------------------- */

/* A face is in the atlas twice. If both of its rectangles changed to different light, the map gets the mean. If only
 * one of them changed, the other is ignored. */
static void disputed_luxels_have_the_mean(void **state)
{
	(void)state;
	bspt_bytes room = bspt_build_named_room("goldsrc");
	bspt_baked b;
	assert_true(bspt_bake(&b, room, BSPSCENE_LIGHTMAP_ENCODING_RAW));
	bspscene_lightmap_rect places[2] = { b.places[0], b.places[0] };
	bspscene_lightmap_page page = b.sets[0].pages[places[0].lightmap_page];
	size_t size = (size_t)page.width * page.height * 3;
	uint8_t *wide = test_calloc(2, size); /* a page with the original and a copy below it */
	memcpy(wide, page.data, size);
	memcpy(wide + size, page.data, size);
	bspscene_lightmap_set set = b.sets[0];
	bspscene_lightmap_page tall = { page.width, page.height * 2, page.format, wide, NULL };
	set.pages = &tall;
	places[0].lightmap_page = places[1].lightmap_page = 0;
	places[1].y += page.height;
	bspscene_edited_light light = b.light;
	light.lightmap_sets = &set;
	light.lightmap_set_count = light.lightmap_page_count = 1;
	light.rects = places;
	light.rect_count = 2;
	uint8_t *first = wide + (places[0].y * (size_t)page.width + places[0].x) * 3, *second = first + size;
	for (int turn = 0; turn < 3; turn++) {
		uint8_t kept[3];
		memcpy(kept, first, 3);
		memset(turn == 1 ? second : first, 100, 3);
		if (turn != 2) memset(turn == 1 ? first : second, 200, 3);
		bspt_baked changed = b;
		changed.light = light;
		bspt_relit *r = bspt_relight(&changed, room);
		assert_true(r->ok && r->report.changed == 1);
		assert_int_equal(r->report.conflicts, turn != 2);
		bspt_bytes map = bspt_relit_map(r);
		bspt_baked again;
		assert_true(bspt_bake(&again, map, BSPSCENE_LIGHTMAP_ENCODING_RAW));
		double mean = 255 * pow((pow(100 / 255.0, 2.2) + pow(200 / 255.0, 2.2)) / 2, 1 / 2.2);
		assert_int_equal(*bspt_baked_luxel(&again, 0, 0, 0, 0), turn == 2 ? 100 : (int)round(mean));
		bspt_baked_free(&again);
		bspt_relit_free(r);
		test_free(map.data);
		memcpy(first, kept, 3);
		memcpy(second, page.data ? first : kept, 3);
	}
	test_free(wide);
	bspt_baked_free(&b);
	free(room.data);
}

/* ---- Color for gray maps --------------------------------------------------------------------------------- */

static void color_of_a_gray_map_is_a_lit(void **state)
{
	(void)state;
	bspt_bytes room = bspt_build_named_room("quake");
	bspt_baked b;
	assert_true(bspt_bake(&b, room, BSPSCENE_LIGHTMAP_ENCODING_RAW));
	if (strcmp(b.light.light, "gray")) skip();
	memcpy(bspt_baked_luxel(&b, 0, 0, 0, 0), (uint8_t[3]){ 10, 200, 30 }, 3);
	bspt_relit *r = bspt_relight(&b, room);
	assert_true(r->ok);
	assert_int_equal(r->captured.file_count, 2);
	assert_string_equal(r->captured.files[1].name, "map.lit");
	bspt_bytes lit = r->captured.files[1].bytes, map = bspt_relit_map(r);
	assert_memory_equal(lit.data, "QLIT\1\0\0\0", 8);
	assert_int_equal(count_differences(room, map), 1); /* gray is the maximum of the channels */
	size_t at = 8;
	while (at + 3 <= lit.size && lit.data[at] == lit.data[at + 1]) at += 3;
	assert_memory_equal(lit.data + at, ((uint8_t[3]){ 10, 200, 30 }), 3);
	bspt_relit_free(r);
	test_free(map.data);

	bspscene_relight_options options;
	bspscene_relight_options_init(&options);
	/* The last dot begins the extension. */
	static const char *const names[][2] = {
		{ "first.try.bsp", "first.try.lit" }, { "atrium", "atrium.lit" }, { "a.bsp.bsp", "a.bsp.lit" },
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		options.file_name = names[i][0];
		r = bspt_relight_as(&b, room, NULL, &options);
		assert_true(r->ok);
		assert_string_equal(r->captured.files[0].name, names[i][0]);
		assert_string_equal(r->captured.files[1].name, names[i][1]);
		bspt_relit_free(r);
	}
	options.file_name = NULL;
	options.convert_to_gray = true;
	r = bspt_relight_as(&b, room, NULL, &options);
	assert_true(r->ok);
	assert_int_equal(r->captured.file_count, 1);
	bspt_relit_free(r);
	bspt_baked_free(&b);
	free(room.data);
}

/* ---- Refusals --------------------------------------------------------------------------------------------- */

static void pages_of_something_else_are_refused(void **state)
{
	static const struct { const char *what; bspscene_status status; } cases[] = {
		{ "face number", BSPSCENE_ERROR_OTHER_MAP }, { "size", BSPSCENE_ERROR_OTHER_MAP },
		{ "outside", BSPSCENE_ERROR_BAD_DATA }, { "far outside", BSPSCENE_ERROR_BAD_DATA },
		{ "page", BSPSCENE_ERROR_BAD_DATA }, { "layout", BSPSCENE_ERROR_OTHER_MAP },
		{ "light", BSPSCENE_ERROR_OTHER_MAP }, { "name", BSPSCENE_ERROR_OTHER_MAP },
		{ "format", BSPSCENE_ERROR_BAD_DATA }, { "encoding", BSPSCENE_ERROR_BAD_OPTIONS },
	};
	(void)state;
	bspt_bytes room = bspt_build_named_room("goldsrc");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_baked b;
		assert_true(bspt_bake(&b, room, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY));
		bspscene_lightmap_rect *place = &b.places[0];
		switch (i) {
		case 0: place->face_record = 1 << 20; break;
		case 1: place->width++; break;
		case 2: place->x = b.sets[0].pages[place->lightmap_page].width - place->width + 1; break;
		case 3: place->y = UINT32_MAX; break;
		case 4: place->lightmap_page = b.light.lightmap_page_count; break;
		case 5: b.light.layout_hash[3] ^= 1; break;
		case 6: b.light.light_hash[12] ^= 1; break;
		case 7: memcpy(b.light.light, "ldr", 4); break;
		case 8: ((bspscene_lightmap_page *)(uintptr_t)b.sets[0].pages)->format = BSPSCENE_LIGHTMAP_PAGE_RGB16F; break;
		default: b.light.encoding = BSPSCENE_LIGHTMAP_ENCODING_NONE; break;
		}
		bspt_relit *r = bspt_relight(&b, room);
		assert_false(r->ok);
		if (r->error.status != cases[i].status) fail_msg("%s: %s", cases[i].what, r->error.message);
		assert_true(r->error.message[0]);
		assert_int_equal(r->captured.file_count, 0); /* no file was written */
		bspt_relit_free(r);
		bspt_baked_free(&b);
	}
	free(room.data);
}

/* Values that are not light become 0 or the largest value, and are counted. */
static void what_is_no_light_is_repaired(void **state)
{
	static const uint16_t halves[] = { 0x7e00, 0x7c00, 0xbc00 }; /* half floats: NaN, infinity, -1 */
	static const uint8_t want[] = { 0, 255, 0 };
	(void)state;
	bspt_bytes room = bspt_build_named_room("goldsrc");
	for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
		bspt_baked b, again;
		assert_true(bspt_bake(&b, room, BSPSCENE_LIGHTMAP_ENCODING_HDR));
		uint8_t *luxel = bspt_baked_luxel(&b, 0, 0, 0, 0);
		for (int k = 0; k < 3; k++) memcpy(luxel + 2 * k, &halves[i], 2);
		bspt_relit *r = bspt_relight(&b, room);
		assert_true(r->ok && r->report.repaired == 1);
		bspt_bytes map = bspt_relit_map(r);
		assert_true(bspt_bake(&again, map, BSPSCENE_LIGHTMAP_ENCODING_RAW));
		assert_int_equal(*bspt_baked_luxel(&again, 0, 0, 0, 0), want[i]);
		bspt_baked_free(&again);
		bspt_relit_free(r);
		bspt_baked_free(&b);
		test_free(map.data);
	}
	free(room.data);
}

/* Builds the room; the faces from `first` up to but not including `end` have no light. */
static bspt_bytes room_without_light(uint32_t first, uint32_t end)
{
	const bspi_variant *variant = bspt_find_variant(&bspi_family_goldsrc, "goldsrc");
	bspt_parts parts;
	bspi_face faces[64];
	assert_true(bspt_room_parts(&bspi_family_goldsrc, variant, &parts) && parts.map.faces_count <= 64);
	memcpy(faces, parts.map.faces, parts.map.faces_count * sizeof *faces);
	for (uint32_t i = first; i < end && i < parts.map.faces_count; i++) faces[i].light_offset = -1;
	parts.map.faces = faces;
	return bspt_encode_parts(variant, &parts);
}

/* The number of faces without luxels is reported. A map in which no face has luxels is refused. */
static void faces_without_light_are_counted(void **state)
{
	(void)state;
	bspt_bytes room = room_without_light(0, 0), none = room_without_light(0, UINT32_MAX);
	bspt_baked b;
	assert_true(bspt_bake(&b, room, BSPSCENE_LIGHTMAP_ENCODING_RAW));
	bspt_relit *r = bspt_relight(&b, room);
	assert_true(r->ok);
	uint32_t unlit = r->report.faces_unlit, first = b.places[0].face_record;
	bspt_relit_free(r);
	r = bspt_relight(&b, none);
	assert_false(r->ok);
	assert_int_equal(r->error.status, BSPSCENE_ERROR_UNSUPPORTED_FORMAT);
	assert_non_null(strstr(r->error.message, "never lit"));
	bspt_relit_free(r);
	bspt_baked_free(&b);
	assert_int_equal(first, 0);
	bspt_bytes some = room_without_light(0, 1);
	assert_true(bspt_bake(&b, some, BSPSCENE_LIGHTMAP_ENCODING_RAW));
	r = bspt_relight(&b, some);
	assert_true(r->ok);
	assert_int_equal(r->report.faces_unlit, unlit + 1);
	bspt_relit_free(r);
	bspt_baked_free(&b);
	free(some.data);
	free(none.data);
	free(room.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(untouched_pages_give_the_map),
		cmocka_unit_test(stored_light_is_its_own_inverse),
		cmocka_unit_test(too_bright_light_is_clamped_as_the_game_does),
		cmocka_unit_test(a_luxel_changes_its_own_bytes),
		cmocka_unit_test(orders_do_not_matter),
		cmocka_unit_test(disputed_luxels_have_the_mean),
		cmocka_unit_test(color_of_a_gray_map_is_a_lit),
		cmocka_unit_test(pages_of_something_else_are_refused),
		cmocka_unit_test(what_is_no_light_is_repaired),
		cmocka_unit_test(faces_without_light_are_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
