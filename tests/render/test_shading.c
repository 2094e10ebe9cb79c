/* Promise: a material without passes is drawn by its properties: two textures or up to four layers blended by weights,
 * light, emission, opacity. Masks, detail and rotated textures work as in the engine, in linear light, where the mean
 * of 255 and 0 is 186 and twice 128 is 175. A side of the sky that is half as high as wide fills the upper half.
 * Animated textures show the current frame. The scene is one wall, with colors that can be computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "shade/shade.h"
#include "wall.h"

/* Images of one color each; the last one is white above and blue below. */
static const uint8_t red[4] = { 255, 0, 0, 255 }, green[4] = { 0, 255, 0, 0 }, gray[4] = { 128, 128, 128, 128 };
static const uint8_t bands[4 * 4 * 2] = {
	255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
	0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255,
};

/* Masks for blending: a border at half the weight (128), with a range of a fifth (51), or without a range. */
static const uint8_t soft[4] = { 51, 128, 0, 255 }, hard[4] = { 0, 128, 0, 255 }, white[4] = { 255, 255, 255, 255 };
enum { RED, GREEN, GRAY, BANDS, SOFT, HARD, WHITE, IMAGE_COUNT };

static const bspscene_image images[] = {
	BSPT_WALL_IMAGE(1, 1, red), BSPT_WALL_IMAGE(1, 1, green), BSPT_WALL_IMAGE(1, 1, gray),
	BSPT_WALL_IMAGE(4, 2, bands), BSPT_WALL_IMAGE(1, 1, soft), BSPT_WALL_IMAGE(1, 1, hard),
	BSPT_WALL_IMAGE(1, 1, white),
};

static void materials_without_stages(void **state)
{
	(void)state;
	static const struct {
		const char *what;
		/* Weight of the second image. If it is negative, the mesh has no weights, and the vertex alpha is 128. */
		float weight;
		bool second, glows, unlit;
		bspscene_alpha_mode mode;
		float opacity;
		uint8_t want[3];
	} cases[] = {
		{ "light", -1, false, false, false, BSPSCENE_ALPHA_MODE_OPAQUE, 1, { 128, 0, 0 } },
		{ "no light", -1, false, false, true, BSPSCENE_ALPHA_MODE_OPAQUE, 1, { 255, 0, 0 } },
		{ "the first texture alone", 0, true, false, true, BSPSCENE_ALPHA_MODE_OPAQUE, 1, { 255, 0, 0 } },
		{ "the second alone, whatever its alpha", 1, true, false, true, BSPSCENE_ALPHA_MODE_OPAQUE, 1, { 0, 255, 0 } },
		{ "a quarter of the second", 0.25f, true, false, true, BSPSCENE_ALPHA_MODE_OPAQUE, 1, { 224, 136, 0 } },
		{ "by the vertices' alpha", -1, true, false, true, BSPSCENE_ALPHA_MODE_OPAQUE, 1, { 186, 186, 0 } },
		{ "both lit", 0.5f, true, false, false, BSPSCENE_ALPHA_MODE_OPAQUE, 1, { 93, 93, 0 } },
		{ "what shines is not lit", -1, false, true, false, BSPSCENE_ALPHA_MODE_OPAQUE, 1, { 175, 64, 0 } },
		{ "blended with what is behind", -1, false, false, true, BSPSCENE_ALPHA_MODE_BLEND, 0.25f, { 64, 0, 191 } },
		{ "added to what is behind", -1, false, false, true, BSPSCENE_ALPHA_MODE_ADD, 1, { 255, 0, 255 } },
		{ "added by its alpha", -1, false, false, true, BSPSCENE_ALPHA_MODE_ADD, 0.25f, { 64, 0, 255 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		uint8_t got[3];
		bspt_make_wall(&w, images, IMAGE_COUNT);
		for (int k = 0; k < 4; k++) w.blend_alphas[k] = cases[i].weight;
		if (cases[i].weight >= 0) w.mesh.blend_alphas = w.blend_alphas;
		if (cases[i].second) w.material.second_image = 1;
		if (cases[i].glows) {
			w.material.emissive_image = 2;
			w.material.emissive[0] = 1;
			w.material.emissive[1] = 0.5f;
		}
		w.material.unlit = cases[i].unlit;
		w.material.alpha_mode = cases[i].mode;
		w.material.color[3] = cases[i].opacity;
		w.material.added_by_alpha = cases[i].opacity < 1;
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

/* A surface that has neither light nor a texture is shaded by its direction. Other surfaces are not. */
static void bare_maps_are_shaded_by_normals(void **state)
{
	(void)state;
	static const struct {
		const char *what; uint32_t image; bool lit; float up; uint8_t want[3];
	} cases[] = {
		{ "toward -X", BSPSCENE_NO_INDEX, false, 0, { 158, 158, 158 } },
		{ "up", BSPSCENE_NO_INDEX, false, 1, { 255, 255, 255 } },
		{ "lit", BSPSCENE_NO_INDEX, true, 1, { 128, 128, 128 } },
		{ "textured", RED, false, 1, { 255, 0, 0 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		uint8_t got[3];
		bspt_make_wall(&w, images, IMAGE_COUNT);
		w.material.base_image = cases[i].image;
		for (int k = 0; k < 4; k++) {
			if (!cases[i].lit) memset(w.colors + 4 * k, 255, 4);
			w.normals[3 * k] = cases[i].up - 1;
			w.normals[3 * k + 2] = cases[i].up;
		}
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

/* A liquid's reflection covers it and the background, in linear light. Without a cube map it shows the sky. */
static void liquids_mirror_what_is_around(void **state)
{
	(void)state;
	static const uint32_t frames[6] = { WHITE, WHITE, WHITE, WHITE, WHITE, WHITE };
	static const bspscene_sky sky = { .name = "", .box = { WHITE, WHITE, WHITE, WHITE, WHITE, WHITE },
	                                  .layers = { BSPSCENE_NO_INDEX, BSPSCENE_NO_INDEX } };
	static const struct { const char *what; bool cube, sky; float share, opacity; uint8_t want[3]; } cases[] = {
		{ "from above", true, false, 0, 1, { 255, 0, 0 } },
		{ "all of it", true, false, 1, 0.25f, { 255, 255, 255 } },
		{ "half of it", true, false, 0.5f, 1, { 255, 186, 186 } },
		{ "half of it, over what is seen through it", true, false, 0.5f, 0.25f, { 159, 144, 240 } },
		{ "the sky", false, true, 0.5f, 1, { 255, 186, 186 } },
		{ "nothing", false, false, 0.5f, 1, { 255, 0, 0 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		uint8_t got[3];
		const bspscene_reflection reflection = {
			.first_frame_image = cases[i].cube ? 0 : BSPSCENE_NO_INDEX, .mask_image = BSPSCENE_NO_INDEX,
			.normal_image = BSPSCENE_NO_INDEX, .color = { 1, 1, 1 }, .saturation = 1, .share = cases[i].share,
		};
		bspt_make_wall(&w, images, IMAGE_COUNT);
		w.scene.frame_images = frames;
		w.scene.frame_image_count = 6;
		w.material.kind = BSPSCENE_MATERIAL_LIQUID;
		w.material.unlit = true;
		w.material.sky = cases[i].sky ? &sky : NULL;
		w.material.reflection = &reflection;
		w.material.color[3] = cases[i].opacity;
		w.material.alpha_mode = cases[i].opacity < 1 ? BSPSCENE_ALPHA_MODE_BLEND : BSPSCENE_ALPHA_MODE_OPAQUE;
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

static void masks_shape_the_border_of_two_textures(void **state)
{
	(void)state;
	static const struct { uint32_t mask; float weight; bool alone; uint8_t want[3]; } cases[] = {
		{ SOFT, 0.3f, false, { 255, 0, 0 } }, { SOFT, 0.502f, false, { 186, 186, 0 } },
		{ SOFT, 0.71f, false, { 0, 255, 0 } },
		{ HARD, 0.49f, false, { 255, 0, 0 } }, { HARD, 0.51f, false, { 0, 255, 0 } },
		/* At 3 / 4 of the range, smoothstep gives 27 / 32 of the second texture. */
		{ SOFT, 0.602f, false, { 110, 236, 0 } },
		{ SOFT, 1, true, { 187, 185, 0 } }, { HARD, 1, true, { 255, 0, 0 } },
		/* The mask is clamped at 1, so that full weight shows only the second texture. */
		{ WHITE, 1, false, { 0, 255, 0 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		uint8_t got[3];
		bspt_make_wall(&w, images, IMAGE_COUNT);
		for (int k = 0; k < 4; k++) w.blend_alphas[k] = cases[i].weight;
		w.mesh.blend_alphas = w.blend_alphas;
		w.material.unlit = true;
		w.material.second_image = GREEN;
		const bspscene_blend_mask mask = { .image = cases[i].mask, .masked = cases[i].alone };
		w.material.blend_mask = &mask;
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color("mask", got, cases[i].want);
	}
}

static void details_change_the_texture(void **state)
{
	(void)state;
	static const struct {
		const char *what;
		bspscene_detail_texture_mode mode;
		uint32_t detail;
		float factor;
		uint8_t want[3];
	} cases[] = {
		{ "gray changes nothing", BSPSCENE_DETAIL_TEXTURE_DOUBLED, GRAY, 1, { 128, 128, 128 } },
		{ "white doubles", BSPSCENE_DETAIL_TEXTURE_DOUBLED, WHITE, 1, { 175, 175, 175 } },
		{ "by half, 1.5 times", BSPSCENE_DETAIL_TEXTURE_DOUBLED, WHITE, 0.5f, { 154, 154, 154 } },
		{ "red keeps red", BSPSCENE_DETAIL_TEXTURE_DOUBLED, RED, 1, { 175, 0, 0 } },
		{ "gray is added as it is seen", BSPSCENE_DETAIL_TEXTURE_ADD, GRAY, 1, { 175, 175, 175 } },
		{ "half over it", BSPSCENE_DETAIL_TEXTURE_OVER, RED, 0.5f, { 204, 93, 93 } },
		{ "what is clear is not seen", BSPSCENE_DETAIL_TEXTURE_OVER, GREEN, 1, { 128, 128, 128 } },
		{ "faded", BSPSCENE_DETAIL_TEXTURE_FADE, GREEN, 1, { 0, 255, 0 } },
		{ "under half of it", BSPSCENE_DETAIL_TEXTURE_UNDER, GREEN, 1, { 94, 204, 94 } },
		{ "a pattern of red and alpha", BSPSCENE_DETAIL_TEXTURE_PATTERNS, RED, 1, { 175, 175, 175 } },
		{ "multiplied", BSPSCENE_DETAIL_TEXTURE_MULTIPLY, GRAY, 1, { 94, 94, 94 } },
		{ "alpha alone", BSPSCENE_DETAIL_TEXTURE_MASK, GRAY, 1, { 128, 128, 128 } },
		{ "light along three directions", BSPSCENE_DETAIL_TEXTURE_SELF_SHADOWED, RED, 1, { 106, 106, 106 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		uint8_t got[3];
		bspt_make_wall(&w, images, IMAGE_COUNT);
		w.material.unlit = true;
		w.material.base_image = GRAY;
		const bspscene_detail_texture detail = {
			.image = cases[i].detail, .mode = cases[i].mode, .color = { 1, 1, 1 }, .factor = cases[i].factor,
		};
		w.material.detail_texture = &detail;
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

/* Texture coordinates are rotated clockwise by 90 degrees, so the texture right of a corner appears below it. */
static void textures_turn(void **state)
{
	(void)state;
	static const float right_angle = 1.5707963f;
	static const struct { float u, v, rotation, scale; bool blue; } cases[] = {
		{ 0.75f, 0.25f, 0, 1, false }, { 0.25f, 0.75f, 0, 1, true },
		{ 0.75f, 0.25f, 1, 1, true }, { 0.25f, 0.75f, 1, 1, false },
		{ 0.25f, 0.25f, -1, 1, true }, { 0.75f, 0.25f, -1, 1, false },
		/* Coordinates are scaled before they are rotated. */
		{ 0.25f, 0, 1, 3, true }, { 0.75f, 0, 1, 3, false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		uint8_t got[3], want[3] = { 255, 255, 255 };
		bspt_make_wall(&w, images, IMAGE_COUNT);
		for (int k = 0; k < 4; k++) {
			w.uvs[2 * k] = cases[i].u;
			w.uvs[2 * k + 1] = cases[i].v;
		}
		w.material.unlit = true;
		w.material.base_image = BANDS;
		w.material.uv_rotation_radians = cases[i].rotation * right_angle;
		w.material.uv_scale[0] = cases[i].scale;
		if (cases[i].blue) want[0] = want[1] = 0;
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color("turned", got, want);
	}
}

/* The lowest layer is the first one. In linear light, the luminance of red is 0.2126, of green 0.7152, of gray
 * 0.2195. */
static void layers_lie_on_each_other(void **state)
{
	(void)state;
	static const bspscene_layer plain = {
		.uv_scale = { 1, 1 }, .luminance = { 0, 1 }, .luminance_share = 1, .blend = { 0, 1 },
	};
	static const struct {
		const char *what;
		uint32_t count, images[4];
		float weights[4], share, luminance[2], blend[2];
		bool doubled;
		uint8_t want[3];
	} cases[] = {
		{ "the lowest alone", 3, { RED, GREEN, GRAY }, { 0, 0, 0 }, 1, { 0, 1 }, { 0, 1 }, false, { 255, 0, 0 } },
		{ "the second covers it", 2, { RED, GREEN }, { 0, 1 }, 1, { 0, 1 }, { 0, 1 }, false, { 0, 255, 0 } },
		{ "the last covers all", 4, { RED, GREEN, GRAY, RED }, { 0, 1, 1, 1 }, 1, { 0, 1 }, { 0, 1 }, false,
		  { 255, 0, 0 } },
		/* The luminances of both colors are outside the range (0.3 to 0.7), so they become 0 and 1. Then a weight is
		 * doubled or unchanged: 0.25 becomes 0.5. */
		{ "a bright one comes sooner", 2, { RED, GREEN }, { 0, 0.25f }, 1, { 0.3f, 0.7f }, { 0, 1 }, false,
		  { 186, 186, 0 } },
		{ "a dark one as it is", 2, { GREEN, RED }, { 0, 0.5f }, 1, { 0.3f, 0.7f }, { 0, 1 }, false, { 186, 186, 0 } },
		{ "over what is dark", 2, { RED, GREEN }, { 0, 0.25f }, 0, { 0.3f, 0.7f }, { 0, 1 }, false, { 186, 186, 0 } },
		{ "over what is bright", 2, { GREEN, RED }, { 0, 0.5f }, 0, { 0.3f, 0.7f }, { 0, 1 }, false, { 186, 186, 0 } },
		{ "not before its range", 2, { RED, GREEN }, { 0, 0.25f }, 1, { 0.3f, 0.7f }, { 0.5f, 0.6f }, false,
		  { 255, 0, 0 } },
		{ "no range is an edge", 2, { RED, GREEN }, { 0, 0.25f }, 1, { 0.3f, 0.7f }, { 0.5f, 0.5f }, false,
		  { 0, 255, 0 } },
		{ "multiplied", 2, { RED, GRAY }, { 0, 1 }, 1, { 0, 1 }, { 0, 1 }, true, { 175, 0, 0 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		uint8_t got[3];
		bspt_make_wall(&w, images, IMAGE_COUNT);
		for (int k = 0; k < 4; k++) memcpy(w.blend_weights + 4 * k, cases[i].weights, sizeof cases[i].weights);
		w.mesh.blend_weights = w.blend_weights;
		w.mesh.blend_alphas = w.blend_alphas;
		w.material.unlit = true;
		bspscene_layer layers[BSPSCENE_MATERIAL_MAX_LAYERS];
		const bspscene_layer *const table[] = { &layers[0], &layers[1], &layers[2], &layers[3] };
		w.material.layers = table;
		w.material.layer_count = cases[i].count;
		w.material.base_image = cases[i].images[0];
		w.material.second_image = cases[i].images[1];
		for (uint32_t k = 0; k < cases[i].count; k++) {
			bspscene_layer *layer = &layers[k];
			*layer = plain;
			layer->image = cases[i].images[k];
			layer->luminance_share = cases[i].share;
			memcpy(layer->luminance, cases[i].luminance, sizeof layer->luminance);
			memcpy(layer->blend, cases[i].blend, sizeof layer->blend);
			layer->doubled = k && cases[i].doubled;
		}
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
		/* Without weights the layers are blended as two textures by vertex alphas, which are 0 here. */
		w.mesh.blend_weights = NULL;
		static const uint8_t lowest[3][3] = { { 255, 0, 0 }, { 0, 255, 0 }, { 128, 128, 128 } };
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color("without weights", got, lowest[cases[i].images[0]]);
	}
}

/* The bands are white above and blue below, so v = 0.25 is white and v = 0.75 blue. */
static void layers_have_scales_of_their_own(void **state)
{
	(void)state;
	static const struct { float v, scale; uint8_t want[3]; } cases[] = {
		{ 0.25f, 1, { 255, 255, 255 } }, { 0.25f, 3, { 0, 0, 255 } },
		{ 0.75f, 1, { 0, 0, 255 } }, { 0.75f, 3, { 255, 255, 255 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		uint8_t got[3];
		bspt_make_wall(&w, images, IMAGE_COUNT);
		for (int k = 0; k < 4; k++) {
			w.uvs[2 * k + 1] = cases[i].v;
			w.blend_weights[4 * k + 1] = 1;
		}
		w.mesh.blend_weights = w.blend_weights;
		w.material.unlit = true;
		bspscene_layer layers[2];
		const bspscene_layer *const table[] = { &layers[0], &layers[1] };
		w.material.layers = table;
		w.material.layer_count = 2;
		w.material.second_image = BANDS;
		for (uint32_t k = 0; k < 2; k++) {
			layers[k] = (bspscene_layer){
				.image = k ? BANDS : RED, .uv_scale = { 1, k ? cases[i].scale : 1 },
				.luminance = { 0, 1 }, .luminance_share = 1, .blend = { 0, 1 },
			};
		}
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color("scaled", got, cases[i].want);
	}
}

static void half_a_sky_is_the_upper_half(void **state)
{
	(void)state;
	static const struct { float pitch; uint8_t want[3]; } cases[] = {
		{ -40, { 255, 255, 255 } }, { -2, { 0, 0, 255 } }, { 20, { 0, 0, 255 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		uint8_t got[3];
		bspt_make_wall(&w, images, IMAGE_COUNT);
		w.material.kind = BSPSCENE_MATERIAL_SKY;
		w.material.base_image = BSPSCENE_NO_INDEX;
		const uint32_t none = BSPSCENE_NO_INDEX;
		const bspscene_sky sky = { .name = "", .box = { 3, none, none, none, none, none }, .layers = { none, none } };
		w.material.sky = &sky;
		/* The wall is enlarged, so that every pitch hits it. */
		for (int k = 0; k < 4; k++) {
			w.positions[3 * k + 1] *= 8;
			w.positions[3 * k + 2] *= 8;
		}
		bspt_draw_wall(&w, NULL, cases[i].pitch, got);
		bspt_expect_color("sky", got, cases[i].want);
	}
}

/* At negative times and at times that are too large to count frames, the first frame is shown. An animation that plays
 * only once shows its last frame from then on. */
static void frames_go_by_the_time(void **state)
{
	static const uint32_t frames[] = { 9, 5, 6, 7, 15, 16, 17 };
	static const struct { float time; uint32_t shown, shown_once; } cases[] = {
		{ -1, 5, 5 }, { 0, 5, 5 }, { 0.51f, 6, 6 }, { 1.49f, 7, 7 }, { 1.6f, 5, 7 }, { 2.1f, 6, 7 }, { 1e30f, 5, 7 },
	};
	bspscene_scene scene = { .frame_images = frames, .frame_image_count = sizeof frames / sizeof *frames };
	bspscene_animation animation = {
		.first_frame_image = 1, .frame_image_count = 3, .first_emissive_image = 4, .frames_per_second = 2
	};
	bspscene_material material = { .base_image = 1, .emissive_image = 2 };
	(void)state;
	assert_int_equal(bspi_base_image(&scene, &material, 1), 1);
	assert_int_equal(bspi_glow_image(&scene, &material, 1), 2);
	material.animation = &animation;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		animation.once = false;
		assert_int_equal(bspi_base_image(&scene, &material, cases[i].time), cases[i].shown);
		assert_int_equal(bspi_glow_image(&scene, &material, cases[i].time), 10 + cases[i].shown);
		animation.once = true;
		assert_int_equal(bspi_base_image(&scene, &material, cases[i].time), cases[i].shown_once);
	}
	animation.first_emissive_image = BSPSCENE_NO_INDEX;
	assert_int_equal(bspi_glow_image(&scene, &material, 1), 2);
}

/* Texture and emission show the frame at the picture's time. */
static void animations_play(void **state)
{
	(void)state;
	static const uint32_t frames[] = { RED, GREEN, GRAY, SOFT, HARD, WHITE };
	static const struct { const char *what; float time; uint32_t first_glow; uint8_t want[3]; } cases[] = {
		{ "at the start", 0, BSPSCENE_NO_INDEX, { 255, 0, 0 } },
		{ "the second frame", 0.3f, BSPSCENE_NO_INDEX, { 0, 255, 0 } },
		{ "the third", 0.6f, BSPSCENE_NO_INDEX, { 128, 128, 128 } },
		{ "again", 0.8f, BSPSCENE_NO_INDEX, { 255, 0, 0 } },
		{ "what shines goes with it", 0.6f, 3, { 255, 255, 255 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const bspscene_animation animation = {
			.first_frame_image = 0,
			.frame_image_count = 3,
			.first_emissive_image = cases[i].first_glow,
			.frames_per_second = 4,
		};
		bspt_wall w;
		uint8_t got[3];
		bspscene_render_options options;
		bspscene_render_options_init(&options);
		options.time = cases[i].time;
		bspt_make_wall(&w, images, IMAGE_COUNT);
		w.scene.frame_images = frames;
		w.scene.frame_image_count = sizeof frames / sizeof *frames;
		w.material.unlit = true;
		w.material.animation = &animation;
		if (cases[i].first_glow != BSPSCENE_NO_INDEX) w.material.emissive_image = SOFT;
		for (int k = 0; k < 3; k++) w.material.emissive[k] = 1;
		bspt_draw_wall(&w, &options, 0, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(materials_without_stages), cmocka_unit_test(bare_maps_are_shaded_by_normals),
		cmocka_unit_test(liquids_mirror_what_is_around),
		cmocka_unit_test(layers_lie_on_each_other),
		cmocka_unit_test(layers_have_scales_of_their_own),
		cmocka_unit_test(masks_shape_the_border_of_two_textures),
		cmocka_unit_test(details_change_the_texture),
		cmocka_unit_test(textures_turn),
		cmocka_unit_test(half_a_sky_is_the_upper_half),
		cmocka_unit_test(frames_go_by_the_time),
		cmocka_unit_test(animations_play),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
