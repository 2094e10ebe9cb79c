/* Promise: each generator of texture coordinates, colors and alphas, and each alpha test, works as in the engine. The
 * tests draw a wall with stages; test_stage_numbers.c tests the arithmetic. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "shade/shade.h"
#include "wall.h"

/* An image of one color, a white one, and one that is white above and blue below. */
static const uint8_t texel[4] = { 200, 100, 50, 128 }, white[4] = { 255, 255, 255, 255 };
static const uint8_t bands[4 * 4 * 2] = {
	255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
	0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255,
};
enum { TEXEL, WHITE, BANDS, IMAGE_COUNT };
static const bspscene_image images[] = {
	BSPT_WALL_IMAGE(1, 1, texel), BSPT_WALL_IMAGE(1, 1, white), BSPT_WALL_IMAGE(4, 2, bands),
};
static const uint32_t frames[IMAGE_COUNT] = { TEXEL, WHITE, BANDS };

/* Makes a wall of the color (102, 153, 204) with one more stage on it, which every test changes. */
static void make_staged_wall(bspt_wall *w, uint32_t image, bspscene_blend src, bspscene_blend dst)
{
	bspt_make_wall(w, images, IMAGE_COUNT);
	w->scene.frame_images = frames;
	w->scene.frame_image_count = IMAGE_COUNT;
	w->material.pass_count = 2;
	w->stages[0] = (bspscene_material_pass){
		.input = BSPSCENE_PASS_INPUT_WHITE, .src_blend = BSPSCENE_BLEND_ONE, .color_gen = BSPSCENE_COLOR_GEN_CONST,
		.color = { 0.4f, 0.6f, 0.8f }, .depth_write = true,
	};
	w->stages[1] = (bspscene_material_pass) {
		.input = BSPSCENE_PASS_INPUT_IMAGE,
		.first_frame_image = image,
		.frame_image_count = 1,
		.src_blend = src,
		.dst_blend = dst,
	};
	w->nodes[1].color[0] = 0.5f;
	w->nodes[1].color_alpha = 0.25f;
}

#define OVER BSPSCENE_BLEND_SRC_ALPHA, BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA
#define COVER BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ZERO
#define SQUARE { BSPSCENE_WAVE_SQUARE, 0.25f, 0.25f, 0, 1 }

/* Vertices have 96 in all channels; the wall is 64 units away. */
static void generators(void **state)
{
	static const struct {
		const char *what; uint32_t image; bspscene_blend src, dst; bspscene_color_gen color; bspscene_alpha_gen alpha;
		float time; uint8_t want[3];
	} cases[] = {
		{ "identity", TEXEL, COVER, BSPSCENE_COLOR_GEN_IDENTITY, 0, 0, { 200, 100, 50 } },
		{ "constant", TEXEL, COVER, BSPSCENE_COLOR_GEN_CONST, 0, 0, { 100, 100, 0 } },
		{ "vertex", TEXEL, COVER, BSPSCENE_COLOR_GEN_VERTEX, 0, 0, { 75, 38, 19 } },
		{ "one minus vertex", WHITE, COVER, BSPSCENE_COLOR_GEN_ONE_MINUS_VERTEX, 0, 0, { 159, 159, 159 } },
		{ "wave", TEXEL, COVER, BSPSCENE_COLOR_GEN_WAVE, 0, 0.25f, { 100, 50, 25 } },
		{ "wave at its other end", TEXEL, COVER, BSPSCENE_COLOR_GEN_WAVE, 0, 0.75f, { 0, 0, 0 } },
		{ "entity", TEXEL, COVER, BSPSCENE_COLOR_GEN_ENTITY, 0, 0, { 100, 100, 50 } },
		{ "one minus entity", TEXEL, COVER, BSPSCENE_COLOR_GEN_ONE_MINUS_ENTITY, 0, 0, { 100, 0, 0 } },
		{ "light", TEXEL, COVER, BSPSCENE_COLOR_GEN_LIGHT, 0, 0, { 75, 38, 19 } },
		{ "identity lighting", TEXEL, COVER, BSPSCENE_COLOR_GEN_IDENTITY_LIGHTING, 0, 0, { 200, 100, 50 } },
		{ "its own alpha", TEXEL, OVER, 0, BSPSCENE_ALPHA_GEN_IDENTITY, 0, { 151, 126, 127 } },
		{ "constant alpha", WHITE, OVER, 0, BSPSCENE_ALPHA_GEN_CONST, 0, { 148, 184, 219 } },
		{ "vertex alpha", WHITE, OVER, 0, BSPSCENE_ALPHA_GEN_VERTEX, 0, { 160, 191, 223 } },
		{ "one minus vertex alpha", TEXEL, OVER, 0, BSPSCENE_ALPHA_GEN_ONE_MINUS_VERTEX, 0, { 133, 136, 156 } },
		{ "wave of alpha", WHITE, OVER, 0, BSPSCENE_ALPHA_GEN_WAVE, 0.25f, { 179, 204, 230 } },
		{ "entity's alpha", WHITE, OVER, 0, BSPSCENE_ALPHA_GEN_ENTITY, 0, { 140, 179, 217 } },
		{ "one minus entity's", WHITE, OVER, 0, BSPSCENE_ALPHA_GEN_ONE_MINUS_ENTITY, 0, { 217, 230, 242 } },
		{ "specular", TEXEL, OVER, 0, BSPSCENE_ALPHA_GEN_SPECULAR, 0, { 108, 150, 195 } },
		{ "a glow near by", WHITE, OVER, 0, BSPSCENE_ALPHA_GEN_GLOW, 0, { 140, 179, 217 } },
		{ "portal", WHITE, OVER, 0, BSPSCENE_ALPHA_GEN_PORTAL, 0, { 179, 204, 230 } },
		{ "terrain", WHITE, OVER, 0, BSPSCENE_ALPHA_GEN_TERRAIN, 0, { 141, 179, 217 } },
		{ "thin terrain", TEXEL, OVER, 0, BSPSCENE_ALPHA_GEN_TERRAIN, 0, { 102, 153, 204 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_render_options options;
		bspt_wall w;
		uint8_t got[3];
		bspscene_render_options_init(&options);
		options.time = cases[i].time;
		make_staged_wall(&w, cases[i].image, cases[i].src, cases[i].dst);
		bspscene_material_pass *stage = &w.stages[1];
		memset(w.colors, 96, sizeof w.colors);
		stage->color_gen = cases[i].color;
		stage->alpha_gen = cases[i].alpha;
		memcpy(stage->color, (float[3]){ 0.5f, 1, 0 }, sizeof stage->color);
		stage->alpha = 0.3f;
		stage->alpha_range = 128;
		stage->color_wave = stage->alpha_wave = (bspscene_wave)SQUARE;
		bspt_draw_wall(&w, &options, 0, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

/* The tested pixel is 2 units above the origin. */
static void heights(void **state)
{
	static const struct { const char *what; float floor, range; uint8_t want[3]; } cases[] = {
		{ "below", 1, 64, { 102, 153, 204 } }, { "above", -65, 64, { 255, 255, 255 } },
		{ "at a quarter", -14, 64, { 140, 179, 217 } }, { "no range", 1, 0, { 255, 255, 255 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		uint8_t got[3];
		make_staged_wall(&w, WHITE, OVER);
		w.stages[1].alpha_gen = BSPSCENE_ALPHA_GEN_HEIGHT;
		w.stages[1].alpha = cases[i].floor;
		w.stages[1].alpha_range = cases[i].range;
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

static void alpha_tests(void **state)
{
	static const struct { const char *what; uint32_t image; float cutoff; bool less, drawn; } cases[] = {
		{ "GT0", TEXEL, 0.002f, false, true }, { "GE128", TEXEL, 0.5f, false, true },
		{ "GE128 is no more than 128", WHITE, 0.5f, false, true }, { "GE192", TEXEL, 0.75f, false, false },
		{ "LT128", TEXEL, 0.5f, true, false }, { "less", TEXEL, 0.75f, true, true },
		{ "equal is not less", WHITE, 1, true, false }, { "equal is enough", WHITE, 1, false, true },
	};
	static const uint8_t below[3] = { 102, 153, 204 };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		uint8_t got[3];
		make_staged_wall(&w, cases[i].image, COVER);
		w.stages[1].alpha_test = BSPSCENE_ALPHA_MODE_MASK;
		w.stages[1].alpha_cutoff = cases[i].cutoff;
		w.stages[1].alpha_test_less = cases[i].less;
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color(cases[i].what, got, !cases[i].drawn ? below : cases[i].image == WHITE ? white : texel);
	}
}

/* depthFunc equal draws only where an earlier stage wrote depth. */
static void equal_depth(void **state)
{
	static const uint8_t below[3] = { 102, 153, 204 };
	(void)state;
	for (int wrote = 0; wrote < 2; wrote++) {
		bspt_wall w;
		uint8_t got[3];
		make_staged_wall(&w, TEXEL, COVER);
		w.stages[0].depth_write = wrote;
		w.stages[1].depth_equal = true;
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color("depth", got, wrote ? texel : below);
	}
}

/* The upper half of the picture is white, the lower one blue. */
static void coordinate_generators(void **state)
{
	static const struct {
		const char *what; bspscene_tc_gen gen; float uv, lightmap_uv, vector[4], normal_z; bool lower;
	} cases[] = {
		{ "texture", BSPSCENE_TC_GEN_TEXTURE, 0.25f, 0.75f, { 0, 0, 0, 0.75f }, 0, false },
		{ "texture below", BSPSCENE_TC_GEN_TEXTURE, 0.75f, 0.25f, { 0, 0, 0, 0.25f }, 0, true },
		{ "lightmap", BSPSCENE_TC_GEN_LIGHTMAP, 0.75f, 0.25f, { 0, 0, 0, 0.75f }, 0, false },
		{ "lightmap below", BSPSCENE_TC_GEN_LIGHTMAP, 0.25f, 0.75f, { 0, 0, 0, 0.25f }, 0, true },
		{ "vector", BSPSCENE_TC_GEN_VECTOR, 0.75f, 0.75f, { 0, 0, 0, 0.25f }, 0, false },
		{ "vector of the place", BSPSCENE_TC_GEN_VECTOR, 0.25f, 0.25f, { 0.75f / 64, 0, 0, 0 }, 0, true },
		{ "along the sight, level", BSPSCENE_TC_GEN_SIGHT, 0.75f, 0.75f, { 0, 0, 0, 0.75f }, 0, false },
		{ "environment above", BSPSCENE_TC_GEN_ENVIRONMENT, 0.75f, 0.75f, { 0, 0, 0, 0.75f }, 0.6f, false },
		{ "environment below", BSPSCENE_TC_GEN_ENVIRONMENT, 0.25f, 0.25f, { 0, 0, 0, 0.25f }, -0.6f, true },
	};
	static const uint8_t blue[3] = { 0, 0, 255 };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		uint8_t got[3];
		make_staged_wall(&w, BANDS, COVER);
		for (int k = 0; k < 4; k++) {
			w.uvs[2 * k + 1] = cases[i].uv;
			w.lightmap_uvs[2 * k + 1] = cases[i].lightmap_uv;
			w.normals[3 * k] = cases[i].normal_z != 0 ? -0.8f : -1;
			w.normals[3 * k + 2] = cases[i].normal_z;
		}
		w.mesh.lightmap_uvs = w.lightmap_uvs;
		w.stages[1].tc_gen = cases[i].gen;
		w.stages[1].clamp = true;
		memcpy(w.stages[1].tc_vectors[1], cases[i].vector, sizeof cases[i].vector);
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color(cases[i].what, got, cases[i].lower ? blue : white);
	}
}

/* The reflected box has a color on each side: red +X, green +Y, blue -X, yellow -Y, cyan above, magenta below. */
static void boxes(void **state)
{
	static const uint8_t colors[6][4] = {
		{ 255, 0, 0, 255 }, { 0, 255, 0, 255 }, { 0, 0, 255, 255 }, { 255, 255, 0, 255 }, { 0, 255, 255, 255 },
		{ 255, 0, 255, 255 },
	};
	static const bspscene_image sides[6] = {
		BSPT_WALL_IMAGE(1, 1, colors[0]), BSPT_WALL_IMAGE(1, 1, colors[1]), BSPT_WALL_IMAGE(1, 1, colors[2]),
		BSPT_WALL_IMAGE(1, 1, colors[3]), BSPT_WALL_IMAGE(1, 1, colors[4]), BSPT_WALL_IMAGE(1, 1, colors[5]),
	};
	static const uint32_t box[6] = { 0, 1, 2, 3, 4, 5 }, holed[6] = { 0, 1, BSPSCENE_NO_INDEX, 3, 4, 5 };
	static const struct {
		const char *what; const uint32_t *frames; bspscene_tc_gen gen; float normal[3]; uint8_t want[3]; bool turned;
	} cases[] = {
		{ "back to where it comes from", box, BSPSCENE_TC_GEN_REFLECTION, { -1, 0, 0 }, { 0, 0, 255 }, false },
		{ "up", box, BSPSCENE_TC_GEN_REFLECTION, { -0.6f, 0, 0.8f }, { 0, 255, 255 }, false },
		{ "down", box, BSPSCENE_TC_GEN_REFLECTION, { -0.6f, 0, -0.8f }, { 255, 0, 255 }, false },
		{ "left", box, BSPSCENE_TC_GEN_REFLECTION, { -0.6f, 0.8f, 0 }, { 0, 255, 0 }, false },
		{ "right, by a long normal", box, BSPSCENE_TC_GEN_REFLECTION, { -6, -8, 0 }, { 255, 255, 0 }, false },
		{ "left, by a long normal", box, BSPSCENE_TC_GEN_REFLECTION, { -8, 6, 0 }, { 0, 255, 0 }, false },
		{ "up, by a short normal", box, BSPSCENE_TC_GEN_REFLECTION, { -0.3f, 0, 0.4f }, { 0, 255, 255 }, false },
		{ "no normal", box, BSPSCENE_TC_GEN_REFLECTION, { 0, 0, 0 }, { 255, 0, 0 }, false },
		{ "straight on", box, BSPSCENE_TC_GEN_SURROUND, { -0.6f, 0, 0.8f }, { 255, 0, 0 }, false },
		{ "a side without a picture", holed, BSPSCENE_TC_GEN_REFLECTION, { -1, 0, 0 }, { 255, 255, 255 }, false },
		{ "a turned mesh's up", box, BSPSCENE_TC_GEN_REFLECTION, { -0.6f, 0, 0.8f }, { 255, 255, 0 }, true },
		{ "straight on, of a turned mesh", box, BSPSCENE_TC_GEN_SURROUND, { -0.6f, 0, 0.8f }, { 255, 0, 0 }, true },
	};
	static const float quarter[12] = { 2, 0, 0, -64, 0, 0, -2, 0, 0, 2, 0, 0 };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		uint8_t got[3];
		bspt_make_wall(&w, sides, 6);
		w.scene.frame_images = cases[i].frames;
		w.scene.frame_image_count = 6;
		w.material.pass_count = 1;
		w.stages[0] = (bspscene_material_pass) {
			.input = BSPSCENE_PASS_INPUT_IMAGE,
			.frame_image_count = BSPSCENE_CUBE_SIDES,
			.clamp = true,
			.tc_gen = cases[i].gen,
			.src_blend = BSPSCENE_BLEND_ONE,
			.depth_write = true,
		};
		for (int k = 0; k < 4; k++) memcpy(w.normals + 3 * k, cases[i].normal, sizeof cases[i].normal);
		if (cases[i].turned) memcpy(w.nodes[1].transform, quarter, sizeof quarter);
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

/* Stages may sample another part of a lightmap page. The page's picture (white above, blue below) is clamped at its
 * upper and lower edges. The surface's own luxel is gray. */
static void pages_looked_up_elsewhere(void **state)
{
	static const uint8_t luxel[3] = { 100, 100, 100 };
	static const bspscene_lightmap_page page = { 1, 1, BSPSCENE_LIGHTMAP_PAGE_RGB8, luxel, NULL };
	static const bspscene_lightmap_set set = { .kind = BSPSCENE_LIGHTMAP_SET_LIGHT, .intensity = 1, .pages = &page };
	static const struct {
		const char *what;
		bspscene_tc_gen gen;
		float uv, page_uv, normal_z, moved;
		uint32_t image;
		bspscene_render_mode mode;
		uint8_t want[3];
	} cases[] = {
		{ "its own luxels",
		  BSPSCENE_TC_GEN_LIGHTMAP,
		  0.25f,
		  0.25f,
		  0,
		  0,
		  BANDS,
		  BSPSCENE_RENDER_FULL,
		  { 100, 100, 100 } },
		{ "environment above",
		  BSPSCENE_TC_GEN_ENVIRONMENT,
		  0.75f,
		  0.75f,
		  0.6f,
		  0,
		  BANDS,
		  BSPSCENE_RENDER_FULL,
		  { 255, 255, 255 } },
		{ "environment below",
		  BSPSCENE_TC_GEN_ENVIRONMENT,
		  0.25f,
		  0.25f,
		  -0.6f,
		  0,
		  BANDS,
		  BSPSCENE_RENDER_FULL,
		  { 0, 0, 255 } },
		{ "moved down", BSPSCENE_TC_GEN_LIGHTMAP, 0.25f, 0.25f, 0, 0.5f, BANDS, BSPSCENE_RENDER_FULL, { 0, 0, 255 } },
		{ "moved up",
		  BSPSCENE_TC_GEN_LIGHTMAP,
		  0.75f,
		  0.75f,
		  0,
		  -0.5f,
		  BANDS,
		  BSPSCENE_RENDER_FULL,
		  { 255, 255, 255 } },
		{ "moved out of the page",
		  BSPSCENE_TC_GEN_LIGHTMAP,
		  0.25f,
		  0.25f,
		  0,
		  1,
		  BANDS,
		  BSPSCENE_RENDER_FULL,
		  { 0, 0, 255 } },
		{ "by the texture",
		  BSPSCENE_TC_GEN_TEXTURE,
		  0.25f,
		  0.75f,
		  0,
		  0,
		  BANDS,
		  BSPSCENE_RENDER_FULL,
		  { 255, 255, 255 } },
		{ "no image of it",
		  BSPSCENE_TC_GEN_ENVIRONMENT,
		  0.25f,
		  0.25f,
		  -0.6f,
		  0,
		  BSPSCENE_NO_INDEX,
		  BSPSCENE_RENDER_FULL,
		  { 255, 255, 255 } },
		{ "no light at all",
		  BSPSCENE_TC_GEN_ENVIRONMENT,
		  0.25f,
		  0.25f,
		  -0.6f,
		  0,
		  BANDS,
		  BSPSCENE_RENDER_TEXTURE,
		  { 255, 255, 255 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_render_options options;
		bspt_wall w;
		uint8_t got[3];
		bspscene_render_options_init(&options);
		options.mode = cases[i].mode;
		make_staged_wall(&w, WHITE, COVER);
		for (int k = 0; k < 4; k++) {
			w.uvs[2 * k + 1] = cases[i].uv;
			w.page_uvs[2 * k + 1] = cases[i].page_uv;
			w.normals[3 * k] = cases[i].normal_z != 0 ? -0.8f : -1;
			w.normals[3 * k + 2] = cases[i].normal_z;
		}
		w.stages[1].input = BSPSCENE_PASS_INPUT_LIGHTMAP;
		w.stages[1].tc_gen = cases[i].gen;
		w.stages[1].tc_mod_count = cases[i].moved != 0;
		w.stages[1].tc_mods[0] = (bspscene_tc_mod){ .kind = BSPSCENE_TC_MOD_OFFSET, .values = { 0, cases[i].moved } };
		w.section.lighting = BSPSCENE_LIGHTING_LIGHTMAP;
		w.section.lightmap_page = 0;
		w.section.map_page_image = cases[i].image;
		w.mesh.lightmap_uvs = w.lightmap_uvs;
		w.mesh.map_page_uvs = w.page_uvs;
		w.scene.lightmap_sets = &set;
		w.scene.lightmap_set_count = w.scene.lightmap_page_count = 1;
		bspt_draw_wall(&w, &options, 0, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

/* The same light is stored with half, full and one and a half times the brightness. */
static void light_in_one_pass(void **state)
{
	static const uint8_t luxel[3] = { 64, 128, 192 };
	static const bspscene_lightmap_page page = { 1, 1, BSPSCENE_LIGHTMAP_PAGE_RGB8, luxel, NULL };
	static const bspscene_lightmap_set set = { .kind = BSPSCENE_LIGHTMAP_SET_LIGHT, .intensity = 2, .pages = &page };
	static const struct {
		const char *what; uint32_t image; bspscene_blend src, dst; bspscene_render_mode mode; uint8_t want[3];
	} cases[] = {
		{ "lit", TEXEL, COVER, BSPSCENE_RENDER_FULL, { 100, 100, 75 } },
		{ "cut to white before it is blended", WHITE, BSPSCENE_BLEND_DST_COLOR, BSPSCENE_BLEND_ZERO,
		  BSPSCENE_RENDER_FULL, { 51, 153, 204 } },
		{ "the page alone", TEXEL, COVER, BSPSCENE_RENDER_LIGHTMAP, { 64, 128, 192 } },
		{ "no light", TEXEL, COVER, BSPSCENE_RENDER_TEXTURE, { 200, 100, 50 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_render_options options;
		bspt_wall w;
		uint8_t got[3];
		bspscene_render_options_init(&options);
		options.mode = cases[i].mode;
		make_staged_wall(&w, cases[i].image, cases[i].src, cases[i].dst);
		w.stages[1].color_gen = BSPSCENE_COLOR_GEN_LIGHT;
		w.section.lighting = BSPSCENE_LIGHTING_LIGHTMAP;
		w.section.lightmap_page = 0;
		w.mesh.lightmap_uvs = w.lightmap_uvs;
		w.scene.lightmap_sets = &set;
		w.scene.lightmap_set_count = w.scene.lightmap_page_count = 1;
		bspt_draw_wall(&w, &options, 0, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

/* The factor of the pages also multiplies vertex colors. */
static void vertex_light_is_as_bright_as_pages(void **state)
{
	static const bspscene_lightmap_page page = { 1, 1, BSPSCENE_LIGHTMAP_PAGE_RGB8, NULL, NULL };
	static const bspscene_lightmap_set set = { .kind = BSPSCENE_LIGHTMAP_SET_LIGHT, .intensity = 1.5f, .pages = &page };
	bspt_wall w;
	uint8_t got[3];
	(void)state;
	make_staged_wall(&w, TEXEL, COVER);
	w.stages[1].color_gen = BSPSCENE_COLOR_GEN_LIGHT;
	w.scene.lightmap_sets = &set;
	w.scene.lightmap_set_count = w.scene.lightmap_page_count = 1;
	bspt_draw_wall(&w, NULL, 0, got);
	bspt_expect_color("vertex light", got, (const uint8_t[3]){ 151, 75, 38 });
}

/* The wall is 64 units away. In most cases, half of its color comes from fog. Fog that begins or ends at 32 units is
 * twice as dense, which gives the same color. */
static void fog_of_the_map(void **state)
{
	static const struct {
		const char *what; bspscene_map_fog fog; bspscene_blend src, dst; uint8_t want[3];
	} cases[] = {
		{ "over all", { 0.6931472f / 64, 1, { 1, 0, 0 }, 1, 0, 1000, 0, true, false }, COVER, { 228, 50, 25 } },
		{ "half as opaque", { 0.6931472f / 64, 1, { 1, 0, 0 }, 0.5f, 0, 1000, 0, true, false }, COVER,
		  { 214, 75, 38 } },
		{ "squared", { 1.0f / 64, 2, { 1, 0, 0 }, 1, 0, 1000, 0, true, false }, COVER, { 235, 37, 18 } },
		{ "from 32 on", { 0.6931472f / 32, 1, { 1, 0, 0 }, 1, 32, 1000, 0, true, false }, COVER, { 228, 50, 25 } },
		{ "not behind its end", { 0.6931472f / 32, 1, { 1, 0, 0 }, 1, 0, 32, 0, true, false }, COVER, { 228, 50, 25 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		uint8_t got[3];
		make_staged_wall(&w, TEXEL, cases[i].src, cases[i].dst);
		w.map_fog = cases[i].fog;
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
		bspscene_render_options options;
		bspscene_render_options_init(&options);
		options.omit_map_fog = true;
		bspt_draw_wall(&w, &options, 0, got);
		bspt_expect_color("left out", got, texel);
	}
}

/* Clouds are on all four sides of the sky box, also below the horizon, but not at its bottom. */
static void clouds_below_the_horizon(void **state)
{
	static const struct { const char *what; float pitch; bool clouds; } cases[] = {
		{ "above", -20, true }, { "just below", 10, true }, { "further below", 20, true }, { "lowest", 40, true },
		{ "the floor", 50, false },
	};
	static const uint8_t nothing[3] = { 0, 0, 0 };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_sky sky = { .name = "", .cloud_height = 512 };
		bspt_wall w;
		uint8_t got[3];
		make_staged_wall(&w, TEXEL, COVER);
		for (int k = 0; k < 6; k++) sky.box[k] = BSPSCENE_NO_INDEX;
		sky.layers[0] = sky.layers[1] = BSPSCENE_NO_INDEX;
		for (int k = 0; k < 4; k++) {
			w.positions[3 * k + 1] *= 4;
			w.positions[3 * k + 2] *= 4;
		}
		w.material.kind = BSPSCENE_MATERIAL_SKY;
		w.material.sky = &sky;
		bspt_draw_wall(&w, NULL, cases[i].pitch, got);
		bspt_expect_color(cases[i].what, got, cases[i].clouds ? texel : nothing);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(generators), cmocka_unit_test(heights), cmocka_unit_test(alpha_tests),
		cmocka_unit_test(equal_depth), cmocka_unit_test(coordinate_generators),
		cmocka_unit_test(boxes), cmocka_unit_test(pages_looked_up_elsewhere), cmocka_unit_test(light_in_one_pass),
		cmocka_unit_test(vertex_light_is_as_bright_as_pages), cmocka_unit_test(fog_of_the_map),
		cmocka_unit_test(clouds_below_the_horizon),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
