/* test_atlas.c - every luxel of every surface is copied to its page, in every set that it belongs to, with a gutter
 * around it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/make/made_light.h"
#include "support/random.h"

#define SIDE 128u
#define PAGE_SIZE ((size_t)SIDE * SIDE * 3)

/* ---- Luxels ----------------------------------------------------------------------------------------------- */

/* Makes faces on stored pages, whose luxels are copied unchanged. */
static void start_pages(bspt_light *light, uint32_t faces, uint32_t pages, bool styles)
{
	bspt_light_pages(light, faces, pages, styles);
	light->ctx.options.lightmap_encoding = BSPSCENE_LIGHTMAP_ENCODING_RAW;
}

static int32_t clamp_to(int32_t value, uint32_t count)
{
	return value < 0 ? 0 : value >= (int32_t)count ? (int32_t)count - 1 : value;
}

/* Compares the surface's own luxels. The gutter around them is not checked. */
static void check_surface(const bspt_light *light, const bspscene_lightmap_set *set, uint32_t index, int32_t page,
                          int32_t dx, int32_t dy)
{
	const bspi_surface *surface = &light->build.plan.surfaces[index];
	const uint8_t *stored = light->map.lighting.data + (size_t)page * PAGE_SIZE;
	for (int32_t y = 0; y < (int32_t)surface->luxel_height; y++) {
		for (int32_t x = 0; x < (int32_t)surface->luxel_width; x++) {
			size_t at = (size_t)(surface->luxel_y + y + dy) * SIDE + (size_t)(surface->luxel_x + x + dx);
			assert_memory_equal(bspt_light_luxel(light, set, index, x, y), stored + 3 * at, 3);
		}
	}
}

static void test_luxels_of_pages(void **state)
{
	(void)state;
	for (uint32_t gutter = 1; gutter <= 16; gutter += 5) {
		bspt_light light;
		start_pages(&light, 600, 5, false);
		light.ctx.options.lightmap_gutter = gutter;
		light.ctx.options.lightmap_page_size = 160;
		uint64_t seed = gutter;
		for (uint32_t i = 0; i < 600; i++) {
			uint32_t width = bspt_random(&seed) % 20 + 1, height = bspt_random(&seed) % 20 + 1;
			bspt_light_on_page(&light, i, 0, (int32_t)(bspt_random(&seed) % 5), bspt_random(&seed) % (SIDE - width),
			                   bspt_random(&seed) % (SIDE - height), width, height);
		}
		bspt_light_build(&light);
		assert_int_equal(light.scene.lightmap_set_count, 1);
		for (uint32_t i = 0; i < 600; i++) {
			check_surface(&light, &light.scene.lightmap_sets[0], i, light.map.faces[i].lightmap[0], 0, 0);
		}
		bspt_light_free(&light);
	}
}

static void test_gutter(void **state)
{
	(void)state;
	for (int32_t gutter = 1; gutter <= 16; gutter += 3) {
		bspt_light light;
		start_pages(&light, 2, 1, false);
		light.ctx.options.lightmap_gutter = (uint32_t)gutter;
		bspt_light_on_page(&light, 0, 0, 0, 0, 0, 7, 3);
		bspt_light_on_page(&light, 1, 0, 0, 100, 100, 1, 9);
		bspt_light_build(&light);
		for (uint32_t i = 0; i < 2; i++) {
			const bspi_surface *surface = &light.build.plan.surfaces[i];
			for (int32_t y = -gutter; y < (int32_t)surface->luxel_height + gutter; y++) {
				for (int32_t x = -gutter; x < (int32_t)surface->luxel_width + gutter; x++) {
					const bspscene_lightmap_set *set = &light.scene.lightmap_sets[0];
					assert_memory_equal(bspt_light_luxel(&light, set, i, x, y),
					                    bspt_light_luxel(&light, set, i, clamp_to(x, surface->luxel_width),
					                                     clamp_to(y, surface->luxel_height)), 3);
				}
			}
		}
		bspt_light_free(&light);
	}
}

static void test_styles(void **state)
{
	static const uint8_t styles[4][4] = { { 0, 5, 32, 255 }, { 0, 255, 255, 255 }, { 5, 0, 5, 255 },
	                                      { 0, 254, 7, 33 } };
	(void)state;
	bspt_light light;
	start_pages(&light, 4, 5, true);
	for (uint32_t i = 0; i < 4; i++) {
		memcpy(light.map.faces[i].styles, styles[i], 4);
		for (uint32_t slot = 0; slot < 4; slot++) {
			if (styles[i][slot] != 255) {
				int32_t page = (int32_t)((i + slot) % 5);
				bspt_light_on_page(&light, i, slot, page, 20 * i + 7 * slot, 90 - 20 * slot, 12, 9);
			}
		}
	}
	/* Adds a second style to a face. Its rectangle is a single luxel. */
	bspt_light_on_page(&light, 3, 3, 4, 64, 65, 1, 1);
	bspt_light_build(&light);
	assert_int_equal(light.scene.lightmap_set_count, 6);
	assert_int_equal(light.scene.lightmap_sets[0].style, 0);
	assert_int_equal(light.scene.lightmap_sets[5].style, 254);
	for (uint32_t i = 0; i < 4; i++) {
		for (uint32_t slot = 0; slot < 4; slot++) {
			if (styles[i][slot] == 255 || (i == 2 && slot == 2) || (i == 3 && slot == 3)) continue;
			const bspscene_lightmap_set *set = bspt_light_set(&light, BSPSCENE_LIGHTMAP_SET_LIGHT, styles[i][slot]);
			assert_non_null(set);
			check_surface(&light, set, i, light.map.faces[i].lightmap[slot], 7 * (int32_t)slot, -20 * (int32_t)slot);
		}
	}
	const bspscene_lightmap_set *solid = bspt_light_set(&light, BSPSCENE_LIGHTMAP_SET_LIGHT, 33);
	for (int32_t y = -1; y <= 9; y++) {
		for (int32_t x = -1; x <= 12; x++) {
			assert_memory_equal(bspt_light_luxel(&light, solid, 3, x, y),
			                    light.map.lighting.data + 4 * PAGE_SIZE + (65 * SIDE + 64) * 3, 3);
		}
	}
	bspt_light_free(&light);
}

/* Luxels that are equal in one style and different in another cannot share a rectangle. */
static void test_styles_keep_surfaces_apart(void **state)
{
	static const struct { int32_t page; uint32_t x, y, width, height; uint8_t style; } second[] = {
		{ 1, 10, 10, 5, 5, 9 }, { 1, 11, 10, 5, 5, 9 }, { 1, 10, 11, 5, 5, 9 }, { 2, 10, 10, 5, 5, 9 },
		{ 1, 10, 10, 5, 5, 8 },
		{ 1, 10, 10, 1, 1, 9 }, { 1, 50, 60, 5, 5, 9 }, { 1, 10, 10, 5, 5, 9 },
	};
	enum { COUNT = sizeof second / sizeof *second };
	(void)state;
	bspt_light light;
	start_pages(&light, COUNT, 3, true);
	for (uint32_t i = 0; i < COUNT; i++) {
		bspt_light_on_page(&light, i, 0, 0, 40, 50, 5, 5);
		bspt_light_on_page(&light, i, 1, second[i].page, second[i].x, second[i].y, second[i].width, second[i].height);
		light.map.faces[i].styles[1] = second[i].style;
	}
	bspt_light_build(&light);
	const bspi_surface *surfaces = light.build.plan.surfaces;
	for (uint32_t i = 0; i < COUNT; i++) {
		const bspscene_lightmap_set *set = bspt_light_set(&light, BSPSCENE_LIGHTMAP_SET_LIGHT, second[i].style);
		check_surface(&light, &light.scene.lightmap_sets[0], i, 0, 0, 0);
		if (second[i].width > 1) {
			check_surface(&light, set, i, second[i].page, (int32_t)second[i].x - 40, (int32_t)second[i].y - 50);
		}
		for (uint32_t k = 0; k < i; k++) {
			bool same = surfaces[k].page_x == surfaces[i].page_x && surfaces[k].page_y == surfaces[i].page_y;
			assert_int_equal(same, k == 0 && i == COUNT - 1);
		}
	}
	bspt_light_free(&light);
}

/* The sets of a style have data only on pages where surfaces have this style. A large amount of steady light does not
 * enlarge the sets of switched lights. */
static void test_rare_styles_apart(void **state)
{
	(void)state;
	bspt_light light;
	start_pages(&light, 601, 601, true);
	for (uint32_t i = 0; i < 600; i++) bspt_light_on_page(&light, i, 0, (int32_t)i, 0, 0, SIDE, SIDE);
	memcpy(light.map.faces[600].styles, (uint8_t[4]){ 0, 32, 255, 255 }, 4);
	bspt_light_on_page(&light, 600, 0, 600, 0, 0, 10, 10);
	bspt_light_on_page(&light, 600, 1, 600, 20, 0, 10, 10);
	bspt_light_build(&light);
	const bspscene_lightmap_set *set = bspt_light_set(&light, BSPSCENE_LIGHTMAP_SET_LIGHT, 32);
	assert_non_null(set);
	uint32_t with_data = 0;
	for (uint32_t i = 0; i < light.scene.lightmap_page_count; i++) {
		if (!set->pages[i].data) continue;
		with_data++;
		assert_int_equal(set->pages[i].width, 12);
	}
	assert_int_equal(with_data, 1);
	check_surface(&light, set, 600, 600, 20, 0);
	check_surface(&light, &light.scene.lightmap_sets[0], 600, 600, 0, 0);
	bspt_light_free(&light);
}

/* ---- Directions ------------------------------------------------------------------------------------------- */

/* Writes directions to every second page (unit vectors if `unit`), and colors to the others. */
static void write_directions(bspt_light *light, uint32_t pages, bool unit)
{
	uint8_t *bytes = (uint8_t *)light->map.lighting.data;
	static const uint8_t directions[4][3] = { { 128, 128, 255 }, { 255, 127, 127 }, { 201, 201, 201 },
	                                          { 38, 128, 218 } };
	for (uint32_t page = 1; page < pages; page += 2) {
		for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
			uint8_t *luxel = bytes + page * PAGE_SIZE + 3 * i;
			if (unit) memcpy(luxel, directions[i % 4], 3);
			else memset(luxel, (int)(32 + i % 14), 3); /* no unit vector, because its channels are nearly equal */
			if (i % 3 == 0) memset(luxel, 0, 3);
		}
	}
}

static void test_directions(void **state)
{
	static const struct {
		uint32_t pages; bool unit; int32_t second_page; bool black; const char *key; bool want, tangent;
	} cases[] = {
		{ 4, true, 2, false, NULL, true, false },
		{ 4, false, 2, false, NULL, false, false },
		{ 4, true, 3, false, NULL, false, false },      /* the number of used pages is odd */
		{ 3, true, 2, false, NULL, false, false },      /* as q3map writes it: the second page is blank */
		{ 2, true, 0, true, NULL, false, false },       /* from q3map, whose second page is blank */
		{ 4, false, 2, false, "1", true, false },
		{ 4, false, 2, false, "2", true, true },
		{ 4, false, 2, false, "0", false, false },
		{ 4, true, 3, false, "1", false, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_light light;
		start_pages(&light, 2, cases[i].pages, false);
		write_directions(&light, cases[i].pages, cases[i].unit);
		if (cases[i].black) memset((uint8_t *)light.map.lighting.data + PAGE_SIZE, 0, PAGE_SIZE);
		bspscene_pair pairs[2] = { { "classname", "worldspawn" }, { "deluxeMaps", cases[i].key } };
		bspscene_entity entity = { .classname = "worldspawn", .targetname = "", .pair_count = cases[i].key ? 2 : 1 };
		light.scene.pairs = pairs;
		light.scene.pair_count = 2;
		const bspscene_entity *const entities[] = { &entity };
		light.scene.entities = entities;
		light.scene.entity_count = 1;
		bspt_light_on_page(&light, 0, 0, 0, 3, 4, 5, 6);
		bspt_light_on_page(&light, 1, 0, cases[i].second_page, 30, 40, 5, 6);
		bspt_light_build(&light);
		const bspscene_lightmap_set *set = bspt_light_set(&light, BSPSCENE_LIGHTMAP_SET_DIRECTION, 0);
		if ((set != NULL) != cases[i].want) print_error("case %zu\n", i);
		assert_int_equal(set != NULL, cases[i].want);
		if (set) {
			assert_int_equal(set->tangent_space, cases[i].tangent);
			check_surface(&light, set, 0, 1, 0, 0);
			check_surface(&light, set, 1, 3, 0, 0);
		}
		bspt_light_free(&light);
	}
}

/* ---- Blocks ----------------------------------------------------------------------------------------------- */

/* The blocks of styles follow each other, each with the flat set and three bumped ones. Directions follow in the same
 * order. */
static void test_blocks(void **state)
{
	enum { WIDTH = 6, HEIGHT = 4, AREA = WIDTH * HEIGHT, SETS = 4 };
	static const bspi_light_encoding encodings[] = { BSPI_LIGHT_GRAY8, BSPI_LIGHT_RGB8, BSPI_LIGHT_E5BGR9,
	                                                 BSPI_LIGHT_RGBEXP32 };
	static const size_t sizes[] = { 1, 3, 4, 4 };
	static const uint8_t styles[4] = { 0, 9, 255, 255 };
	(void)state;
	for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++) {
		bspt_light light;
		bspt_light_init(&light);
		light.ctx.options.lightmap_encoding = BSPSCENE_LIGHTMAP_ENCODING_RAW;
		light.map.rules.light_storage = BSPI_STORAGE_BLOCKS;
		light.map.rules.light_encoding = encodings[i];
		bspt_light_faces(&light, 2);
		bspt_light_noise(&light, 8 + 2 * SETS * AREA * sizes[i] + AREA * sizes[i]);
		uint8_t directions[(8 + 3 * SETS * AREA) * 3];
		for (size_t k = 0; k < sizeof directions; k++) directions[k] = (uint8_t)(k * 37 % 251);
		if (sizes[i] != 4) light.map.light_directions = bspi_bytes_of(directions, sizeof directions);
		size_t offsets[2] = { 2 * sizes[i], (2 + 2 * SETS * AREA) * sizes[i] };
		for (uint32_t k = 0; k < 2; k++) {
			bspi_face *face = &light.map.faces[k];
			face->kind = BSPI_FACE_POLYGON;
			face->lightmap_width = WIDTH;
			face->lightmap_height = HEIGHT;
			face->light_offset = (int32_t)offsets[k];
		}
		light.map.faces[0].light_sets = SETS;
		memcpy(light.map.faces[0].styles, styles, sizeof styles);
		bspt_light_build(&light);

		bool directed = sizes[i] != 4;
		assert_int_equal(light.scene.lightmap_set_count, 2 * SETS + (directed ? 2 : 0));
		for (uint32_t block = 0; block < 2 * SETS + 1; block++) {
			uint32_t face = block / (2 * SETS), basis = face ? 0 : block % SETS;
			uint32_t style = face ? 0 : styles[block / SETS];
			bspscene_lightmap_set_kind kind =
				basis ? BSPSCENE_LIGHTMAP_SET_BUMP_0 + (basis - 1) : BSPSCENE_LIGHTMAP_SET_LIGHT;
			const bspscene_lightmap_set *set = bspt_light_set(&light, kind, style);
			const bspscene_lightmap_set *direction = bspt_light_set(&light, BSPSCENE_LIGHTMAP_SET_DIRECTION, style);
			assert_non_null(set);
			assert_int_equal(direction != NULL, directed);
			for (int32_t at = 0; at < AREA; at++) {
				size_t luxel = 2 + (size_t)block * AREA + (size_t)at;
				const uint8_t *stored = light.map.lighting.data + luxel * sizes[i];
				const uint8_t *page = bspt_light_luxel(&light, set, face, at % WIDTH, at / WIDTH);
				for (size_t k = 0; k < (sizes[i] == 1 ? 3 : sizes[i]); k++) {
					assert_int_equal(page[k], stored[sizes[i] == 1 ? 0 : k]);
				}
				if (!directed || basis) continue;
				assert_memory_equal(bspt_light_luxel(&light, direction, face, at % WIDTH, at / WIDTH),
				                    directions + 3 * luxel, 3);
			}
		}
		bspt_light_free(&light);
	}
}

/* HDR data is used if it is requested, or if the map has no other light. Even if it is not used, `has_hdr_light` of
 * the scene says that the map has it. */
static void test_hdr_blocks(void **state)
{
	static const struct {
		bspscene_lightmap_encoding wanted; bool bytes, hdr; bspscene_lightmap_page_format format; bool from_hdr;
	} cases[] = {
		{ BSPSCENE_LIGHTMAP_ENCODING_HDR, true, true, BSPSCENE_LIGHTMAP_PAGE_RGB16F, true },
		{ BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, true, true, BSPSCENE_LIGHTMAP_PAGE_RGB8, false },
		{ BSPSCENE_LIGHTMAP_ENCODING_RAW, true, true, BSPSCENE_LIGHTMAP_PAGE_RGB8, false },
		{ BSPSCENE_LIGHTMAP_ENCODING_RAW, false, true, BSPSCENE_LIGHTMAP_PAGE_RAW32, true },
		{ BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, false, true, BSPSCENE_LIGHTMAP_PAGE_RGB8, true },
		{ BSPSCENE_LIGHTMAP_ENCODING_HDR, true, false, BSPSCENE_LIGHTMAP_PAGE_RGB16F, false },
		{ BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, true, false, BSPSCENE_LIGHTMAP_PAGE_RGB8, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_light light;
		bspt_light_init(&light);
		light.ctx.options.lightmap_encoding = cases[i].wanted;
		light.map.rules.light_storage = BSPI_STORAGE_BLOCKS;
		light.map.rules.overbright = 1;
		light.map.rules.light_offset_in_luxels = true;
		bspt_light_faces(&light, 1);
		static const uint8_t hdr[8] = { 255, 255, 255, 1, 0, 0, 0, 0 };
		if (cases[i].bytes) bspt_light_noise(&light, 6);
		if (cases[i].hdr) light.map.lighting_hdr = bspi_bytes_of(hdr, sizeof hdr);
		light.map.hdr_encoding = BSPI_LIGHT_RGBEXP32;
		bspi_face *face = &light.map.faces[0];
		face->kind = BSPI_FACE_POLYGON;
		face->lightmap_width = 2;
		face->lightmap_height = 1;
		face->light_offset = 0;
		bspt_light_build(&light);
		assert_int_equal(light.build.plan.surfaces[0].lighting, BSPSCENE_LIGHTING_LIGHTMAP);
		assert_int_equal(light.scene.lightmap_sets[0].pages[0].format, cases[i].format);
		assert_int_equal(light.build.light->encoding == BSPI_LIGHT_RGBEXP32, cases[i].from_hdr);
		assert_int_equal(light.scene.has_hdr_light, cases[i].hdr);
		static const uint16_t two = 0x4000;            /* the half float 2, linear */
		if (cases[i].from_hdr && cases[i].format == BSPSCENE_LIGHTMAP_PAGE_RGB16F) {
			assert_memory_equal(bspt_light_luxel(&light, &light.scene.lightmap_sets[0], 0, 0, 0), &two, 2);
		}
		bspt_light_free(&light);
	}
}

/* ---- Pictures from shaders -------------------------------------------------------------------------------- */

/* Pages that shaders name have separate sizes and brightness. */
static void test_picture_pages(void **state)
{
	(void)state;
	bspt_light light;
	start_pages(&light, 1, 1, true);
	light.ctx.options.lightmap_encoding = BSPSCENE_LIGHTMAP_ENCODING_DISPLAY;
	static uint8_t pixels[64 * 32 * 3];
	for (size_t i = 0; i < sizeof pixels; i++) pixels[i] = (uint8_t)(i % 253);
	bspi_picture_page picture = { .width = 64, .height = 32, .rgb = pixels, .overbright = 1 };
	bspi_shader_light shaders = { .pictures = &picture, .picture_count = 1 };
	light.build.shader_light = &shaders;
	memcpy(light.map.faces[0].styles, (uint8_t[4]){ 0, 3, 255, 255 }, 4);
	bspt_light_on_page(&light, 0, 0, 0, 10, 20, 6, 5);
	light.map.faces[0].lightmap[1] = BSPI_FIRST_PICTURE_PAGE;
	for (int i = 0; i < 3; i++) {
		const float *lead = light.map.draw_vertices[i].lightmap;
		light.map.draw_vertex_styles[i].lightmap[0][0] = (lead[0] * 128 + 30) / 64;
		light.map.draw_vertex_styles[i].lightmap[0][1] = (lead[1] * 128 - 4) / 32;
	}
	bspt_light_build(&light);
	const bspscene_lightmap_set *set = bspt_light_set(&light, BSPSCENE_LIGHTMAP_SET_LIGHT, 3);
	assert_non_null(set);
	for (int32_t y = 0; y < 5; y++) {
		for (int32_t x = 0; x < 6; x++) {
			assert_memory_equal(bspt_light_luxel(&light, set, 0, x, y),
			                    pixels + ((size_t)(16 + y) * 64 + (size_t)(40 + x)) * 3, 3);
		}
	}
	bspt_light_free(&light);
}

/* ---- Trouble ---------------------------------------------------------------------------------------------- */

static bspscene_progress_result cancel_at(void *user, const char *stage, double fraction)
{
	int *calls_left = user;
	assert_string_equal(stage, "lightmaps");
	assert_true(fraction >= 0 && fraction <= 1);
	return (*calls_left)-- > 0 ? BSPSCENE_PROGRESS_CONTINUE : BSPSCENE_PROGRESS_CANCEL;
}

static void test_cancel_and_starve(void **state)
{
	(void)state;
	for (uint64_t allowed = 0; allowed < 60; allowed++) {
		for (int cancel = 0; cancel < 2; cancel++) {
			bspt_light light;
			start_pages(&light, 300, 20, false);
			for (uint32_t i = 0; i < 300; i++) bspt_light_on_page(&light, i, 0, (int32_t)(i % 20), i % 100, 3, 5, 5);
			int calls_left = (int)allowed;
			if (cancel) {
				light.ctx.options.progress = cancel_at;
				light.ctx.options.progress_user = &calls_left;
			} else {
				light.ctx.budget.allocation_limit = light.ctx.budget.allocations + allowed + 1;
			}
			bool built = bspi_prepare_lighting(&light.build);
			/* Raises the limit, because planning the surfaces needs one more allocation. */
			light.ctx.budget.allocation_limit += built && !cancel ? 1 : 0;
			built = built && bspt_light_plan(&light) && bspi_build_lightmaps(&light.build);
			if (built) assert_true(light.scene.lightmap_page_count > 0);
			else assert_int_equal(light.ctx.error.status, cancel ? BSPSCENE_ERROR_CANCELED : BSPSCENE_ERROR_LIMIT);
			if (allowed == 0) assert_false(built);
			if (allowed == 59) assert_true(built);
			bspt_light_free(&light);
		}
	}
}

static bool open_picture(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	static const uint8_t tga[] = { 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 32, 10, 20, 30 };
	(void)user;
	(void)kind;
	if (!strstr(path, "lm_9999.tga")) return false;
	*stream = (bspscene_stream){ .data = tga, .size = sizeof tga };
	return true;
}

/* The number of pictures next to a map is the largest picture number in its faces plus 1. The list of pictures may need
 * more memory than allowed, although one picture would fit. */
static void test_starve_pictures(void **state)
{
	enum { LAST_PICTURE = 9999, STEP = 4096, MOST = 1000 };
	(void)state;
	bool prepared = false;
	for (uint64_t more = 0; !prepared; more++) {
		bspt_light light;
		assert_true(more < MOST);
		start_pages(&light, 1, 1, false);
		bspt_light_on_page(&light, 0, 0, LAST_PICTURE, 0, 0, 1, 1);
		light.map.lighting.size = 0;
		light.ctx.options.open_file = open_picture;
		light.ctx.budget.limit = light.ctx.budget.used + more * STEP;
		prepared = bspi_prepare_lighting(&light.build);
		if (!prepared) assert_int_equal(light.ctx.error.status, BSPSCENE_ERROR_MEMORY_LIMIT);
		else assert_int_equal(light.build.light->pages[LAST_PICTURE].width, 1);
		bspt_light_free(&light);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_luxels_of_pages),
		cmocka_unit_test(test_gutter),
		cmocka_unit_test(test_styles),
		cmocka_unit_test(test_styles_keep_surfaces_apart),
		cmocka_unit_test(test_rare_styles_apart),
		cmocka_unit_test(test_directions),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_hdr_blocks),
		cmocka_unit_test(test_picture_pages),
		cmocka_unit_test(test_cancel_and_starve),
		cmocka_unit_test(test_starve_pictures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
