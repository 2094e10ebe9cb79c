/* Promise: in pictures that show only lightmaps, a pass that combines texture and lightmap page shows only the page,
 * and later passes are not drawn. Translucent stages fade in fog by their blending. Reflections are sampled along both
 * axes. Among many light styles, the few that have light at a point are found. A pass may add a style's light to a
 * textured surface. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "wall.h"

#define OPAQUE BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ZERO
#define ADDED BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ONE
#define FILTERED BSPSCENE_BLEND_DST_COLOR, BSPSCENE_BLEND_ZERO
#define OTHER_FILTER BSPSCENE_BLEND_ZERO, BSPSCENE_BLEND_SRC_COLOR

/* An image of one color, and one with a color in each quarter: red and green in the upper half, blue and white in the
 * lower. */
static const uint8_t texel[4] = { 200, 100, 50, 255 };
static const uint8_t quarters[4 * 4] = { 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255 };
static const bspscene_image images[] = { BSPT_WALL_IMAGE(1, 1, texel), BSPT_WALL_IMAGE(2, 2, quarters) };
static const uint32_t frames[2] = { 0, 1 };

static void make_wall(bspt_wall *w)
{
	bspt_make_wall(w, images, 2);
	w->scene.frame_images = frames;
	w->scene.frame_image_count = 2;
}

/* ---- Lightmaps alone ---------------------------------------------------------------------------------------- */

typedef struct stage_case {
	bspscene_pass_input source;
	bspscene_blend src, dst;
	float red;                         /* factor of the red channel; 0 if the pass changes no color */
	bspscene_alpha_mode test;
} stage_case;

static void put_stage(bspt_wall *w, const stage_case *from)
{
	w->stages[w->material.pass_count++] = (bspscene_material_pass) {
		.input = from->source,
		.frame_image_count = 1,
		.src_blend = from->src,
		.dst_blend = from->dst,
		.tc_gen = from->source == BSPSCENE_PASS_INPUT_LIGHTMAP ? BSPSCENE_TC_GEN_LIGHTMAP : BSPSCENE_TC_GEN_TEXTURE,
		.color_gen = from->red > 0 ? BSPSCENE_COLOR_GEN_CONST : BSPSCENE_COLOR_GEN_IDENTITY,
		.color = { from->red, 1, 1 },
		.alpha_test = from->test,
		.depth_write = true,
	};
}

#define PAGE BSPSCENE_PASS_INPUT_LIGHTMAP
#define TEXTURE BSPSCENE_PASS_INPUT_IMAGE
#define WHITE BSPSCENE_PASS_INPUT_WHITE

/* The page is gray (100), the texture (200, 100, 50), and the background blue. */
static void lightmaps_alone(void **state)
{
	static const uint8_t luxel[3] = { 100, 100, 100 };
	static const bspscene_lightmap_page page = { 1, 1, BSPSCENE_LIGHTMAP_PAGE_RGB8, luxel, NULL };
	static const bspscene_lightmap_set set = { .kind = BSPSCENE_LIGHTMAP_SET_LIGHT, .intensity = 1, .pages = &page };
	static const struct {
		const char *what;
		stage_case stages[3];
		uint32_t count;
		uint8_t want[3];
	} cases[] = {
		{ "page, texture", { { PAGE, OPAQUE, 0, 0 }, { TEXTURE, FILTERED, 0, 0 } }, 2, { 100, 100, 100 } },
		{ "texture, page", { { TEXTURE, OPAQUE, 0, 0 }, { PAGE, FILTERED, 0, 0 } }, 2, { 100, 100, 100 } },
		{ "the other filter", { { TEXTURE, OPAQUE, 0, 0 }, { PAGE, OTHER_FILTER, 0, 0 } }, 2, { 100, 100, 100 } },
		{ "page added", { { TEXTURE, OPAQUE, 0, 0 }, { PAGE, ADDED, 0, 0 } }, 2, { 100, 100, 100 } },
		{ "both added", { { TEXTURE, ADDED, 0, 0 }, { PAGE, ADDED, 0, 0 } }, 2, { 100, 100, 255 } },
		{ "both filtered", { { TEXTURE, FILTERED, 0, 0 }, { PAGE, OTHER_FILTER, 0, 0 } }, 2, { 0, 0, 100 } },
		{ "added to a filter", { { TEXTURE, FILTERED, 0, 0 }, { PAGE, ADDED, 0, 0 } }, 2, { 100, 100, 150 } },
		{ "of another color", { { TEXTURE, OPAQUE, 0.5f, 0 }, { PAGE, FILTERED, 0, 0 } }, 2, { 39, 39, 20 } },
		{ "with a test",
		  { { TEXTURE, OPAQUE, 0, BSPSCENE_ALPHA_MODE_MASK }, { PAGE, FILTERED, 0, 0 } },
		  2,
		  { 78, 39, 20 } },
		{ "ends with the page", { { PAGE, OPAQUE, 0, 0 }, { WHITE, OPAQUE, 0, 0 } }, 2, { 100, 100, 100 } },
		{ "ends with the pass",
		  { { PAGE, OPAQUE, 0, 0 }, { TEXTURE, FILTERED, 0, 0 }, { WHITE, OPAQUE, 0, 0 } },
		  3,
		  { 100, 100, 100 } },
		{ "two without a page", { { TEXTURE, OPAQUE, 0, 0 }, { WHITE, ADDED, 0, 0 } }, 2, { 255, 255, 255 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_render_options options;
		bspt_wall w;
		uint8_t got[3];
		bspscene_render_options_init(&options);
		options.mode = BSPSCENE_RENDER_LIGHTMAP;
		make_wall(&w);
		for (uint32_t k = 0; k < cases[i].count; k++) put_stage(&w, &cases[i].stages[k]);
		w.section.lighting = BSPSCENE_LIGHTING_LIGHTMAP;
		w.section.lightmap_page = 0;
		w.mesh.lightmap_uvs = w.lightmap_uvs;
		w.scene.lightmap_sets = &set;
		w.scene.lightmap_set_count = w.scene.lightmap_page_count = 1;
		bspt_draw_wall(&w, &options, 0, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

/* ---- Light styles ------------------------------------------------------------------------------------------- */

enum { PAGE_SIDE = 40, LUXELS = PAGE_SIDE * PAGE_SIDE * 3, MOST_STYLES = 70 };

/* Draws the wall in the light of one point of its page. */
static void draw_lit(const bspscene_lightmap_set *sets, uint32_t count, float u, float v, uint8_t got[3])
{
	bspt_wall w;
	make_wall(&w);
	w.section.lighting = BSPSCENE_LIGHTING_LIGHTMAP;
	w.section.lightmap_page = 0;
	w.mesh.lightmap_uvs = w.lightmap_uvs;
	for (int i = 0; i < 4; i++) memcpy(w.lightmap_uvs + 2 * i, (float[2]){ u, v }, 2 * sizeof u);
	w.scene.lightmap_sets = sets;
	w.scene.lightmap_set_count = count;
	w.scene.lightmap_page_count = 1;
	bspt_draw_wall(&w, NULL, 0, got);
}

/* One of many light styles has one bright luxel, and all others are black. The picture is the same as with this style
 * alone, for luxels at the borders of blocks and at the page's edges, and also for a style after the first 64. */
static void styles_are_seen_where_they_have_light(void **state)
{
	static const int places[] = { 0, 1, 14, 15, 16, 17, 31, 32, 38, 39 };
	static const float beside[] = { -0.4f, 0.1f, 0.5f, 0.9f, 1.4f };
	static uint8_t black[LUXELS], luxels[LUXELS];
	const bspscene_lightmap_page dark = { PAGE_SIDE, PAGE_SIDE, BSPSCENE_LIGHTMAP_PAGE_RGB8, black, NULL };
	const bspscene_lightmap_page lit = { PAGE_SIDE, PAGE_SIDE, BSPSCENE_LIGHTMAP_PAGE_RGB8, luxels, NULL };
	static const uint32_t numbers[] = { 1, MOST_STYLES - 1 };
	(void)state;
	for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
		bspscene_lightmap_set sets[MOST_STYLES];
		for (uint32_t i = 0; i < MOST_STYLES; i++) {
			sets[i] =
				(bspscene_lightmap_set) { BSPSCENE_LIGHTMAP_SET_LIGHT, i, 1, false, i == numbers[n] ? &lit : &dark };
		}
		for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
			uint8_t *luxel = luxels + ((size_t)places[i] * PAGE_SIDE + (size_t)places[i]) * 3;
			memset(luxel, 255, 3);
			for (size_t k = 0; k < sizeof beside / sizeof *beside; k++) {
				uint8_t alone[3], among[3];
				float at = ((float)places[i] + beside[k]) / PAGE_SIDE, middle = ((float)places[i] + 0.5f) / PAGE_SIDE;
				draw_lit(&sets[numbers[n]], 1, at, middle, alone);
				draw_lit(sets, MOST_STYLES, at, middle, among);
				assert_memory_equal(among, alone, 3);
				assert_true(alone[0] > 5);
			}
			memset(luxel, 0, 3);
		}
	}
}

/* The third pass adds the light of a second style to the textured surface, and does not multiply it by the texture. On
 * a surface without a lightmap page, neither style changes the texture. */
static void styles_shine_over_textures(void **state)
{
	static const uint8_t luxels[2][3] = { { 100, 100, 100 }, { 40, 20, 10 } };
	static const uint8_t want[2][3] = { { 118, 59, 30 }, { 200, 100, 50 } };
	static const stage_case stages[] = { { TEXTURE, OPAQUE, 0, 0 }, { PAGE, FILTERED, 0, 0 }, { PAGE, ADDED, 0, 0 } };
	bspscene_lightmap_page pages[2];
	bspscene_lightmap_set sets[2];
	(void)state;
	for (uint32_t i = 0; i < 2; i++) {
		pages[i] = (bspscene_lightmap_page) { 1, 1, BSPSCENE_LIGHTMAP_PAGE_RGB8, luxels[i], NULL };
		sets[i] = (bspscene_lightmap_set) { BSPSCENE_LIGHTMAP_SET_LIGHT, i, 1, false, &pages[i] };
	}
	for (int i = 0; i < 2; i++) {
		bspt_wall w;
		uint8_t got[3];
		make_wall(&w);
		for (int k = 0; k < 3; k++) put_stage(&w, &stages[k]);
		w.stages[2].light_style = 1;
		w.section.lighting = i ? BSPSCENE_LIGHTING_FULLBRIGHT : BSPSCENE_LIGHTING_LIGHTMAP;
		w.section.lightmap_page = i ? BSPSCENE_NO_INDEX : 0;
		w.mesh.lightmap_uvs = w.lightmap_uvs;
		w.scene.lightmap_sets = sets;
		w.scene.lightmap_set_count = 2;
		w.scene.lightmap_page_count = 1;
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color(i ? "without a page" : "two styles", got, want[i]);
	}
}

/* ---- Fog ---------------------------------------------------------------------------------------------------- */

/* A white stage is drawn in front of blue, in red fog that leaves 74 of 255 of its color. Only opaque surfaces get the
 * pass that a fog volume adds. */
static void stages_fade_in_fog(void **state)
{
	static const struct { const char *what; bspscene_blend src, dst; float sort, blue; uint8_t want[3]; } cases[] = {
		{ "added", ADDED, 9, 1, { 74, 74, 255 } },
		{ "darkening", BSPSCENE_BLEND_ZERO, BSPSCENE_BLEND_ONE_MINUS_SRC_COLOR, 9, 1, { 0, 0, 181 } },
		{ "premultiplied", BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA, 9, 1, { 74, 74, 255 } },
		{ "premultiplied yellow", BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA, 9, 0, { 74, 74, 181 } },
		{ "blended", BSPSCENE_BLEND_SRC_ALPHA, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA, 9, 1, { 74, 74, 255 } },
		{ "filtering", FILTERED, 9, 1, { 0, 0, 255 } },
		{ "opaque", OPAQUE, 3, 1, { 255, 74, 74 } },
	};
	static const bspscene_fog_parms parms = { .color = { 1, 0, 0 }, .depth = 128 };
	static const bspscene_fog fog = { .material = 0, .brush = BSPSCENE_NO_INDEX };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		uint8_t got[3];
		make_wall(&w);
		put_stage(&w, &(stage_case){ WHITE, cases[i].src, cases[i].dst, 1, 0 });
		w.stages[0].color[2] = cases[i].blue;
		w.material.sort = cases[i].sort;
		w.material.fog = &parms;
		w.section.fog = 0;
		w.fog_table[0] = &fog;
		w.scene.fogs = w.fog_table;
		w.scene.fog_count = 1;
		bspt_draw_wall(&w, NULL, 8.88f, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

/* ---- Reflections -------------------------------------------------------------------------------------------- */

/* Reflections are mirrored: the left side of the view shows the right of the reflection's picture. A view that hits the
 * wall lower is reflected lower. */
static void reflections(void **state)
{
	static const struct { const char *what; float normal[3], lower, pitch; uint8_t want[3]; } cases[] = {
		{ "left, up", { -0.8f, 0.42f, 0.42f }, 0, 0, { 0, 255, 0 } },
		{ "right, up", { -0.8f, -0.42f, 0.42f }, 0, 0, { 255, 0, 0 } },
		{ "left, down", { -0.8f, 0.42f, -0.42f }, 0, 0, { 255, 255, 255 } },
		{ "right, down", { -0.8f, -0.42f, -0.42f }, 0, 0, { 0, 0, 255 } },
		{ "left, looking down", { -0.9f, 0.42f, 0 }, 60, 40, { 255, 255, 255 } },
		{ "left, looking up", { -0.9f, 0.42f, 0 }, -60, -40, { 0, 255, 0 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		uint8_t got[3];
		make_wall(&w);
		put_stage(&w, &(stage_case){ TEXTURE, OPAQUE, 0, 0 });
		w.stages[0].first_frame_image = 1;
		w.stages[0].tc_gen = BSPSCENE_TC_GEN_ENVIRONMENT;
		w.stages[0].clamp = true;
		for (int k = 0; k < 4; k++) {
			memcpy(w.normals + 3 * k, cases[i].normal, sizeof cases[i].normal);
			w.positions[3 * k + 2] -= cases[i].lower;
		}
		bspt_draw_wall(&w, NULL, cases[i].pitch, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lightmaps_alone), cmocka_unit_test(styles_are_seen_where_they_have_light),
		cmocka_unit_test(styles_shine_over_textures),
		cmocka_unit_test(stages_fade_in_fog), cmocka_unit_test(reflections),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
