/* Promise: a material without stages is drawn as its reading says: two textures or up to four layers blended by
 * weights, light, what shines on top, opacity; masks, detail and turned textures change it as the engine does in linear
 * light, where 255 and 0 mix to 186 and twice 128 is 175; and a sky's side that is half as high as wide fills the upper
 * half. One wall in front of the eye, colours that can be computed in the head. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <bspscene/render.h>

enum { SIDE = 9 };

/* One colour each; the last is white above and blue below. */
static const uint8_t red[4] = { 255, 0, 0, 255 }, green[4] = { 0, 255, 0, 0 }, grey[4] = { 128, 128, 128, 128 };
static const uint8_t bands[4 * 4 * 2] = {
	255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
	0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255,
};

/* Blend masks: a border at half the weight (128), soft by a fifth (51) and hard. */
static const uint8_t soft[4] = { 51, 128, 0, 255 }, hard[4] = { 0, 128, 0, 255 }, white[4] = { 255, 255, 255, 255 };
enum { RED, GREEN, GREY, BANDS, SOFT, HARD, WHITE, IMAGE_COUNT };

#define IMAGE(w, h, bytes) \
	{ .name = "", .path = "", .archive = "", .format = BSPSCENE_IMAGE_RGBA, .width = (w), .height = (h), \
	  .data = (bytes), .size = sizeof(bytes) }
static const bspscene_image images[] = { IMAGE(1, 1, red), IMAGE(1, 1, green), IMAGE(1, 1, grey), IMAGE(4, 2, bands),
                                         IMAGE(1, 1, soft), IMAGE(1, 1, hard), IMAGE(1, 1, white) };

typedef struct wall {
	bspscene_scene scene;
	bspscene_node nodes[2];
	bspscene_mesh mesh;
	bspscene_section section;
	bspscene_material material;
	bspscene_face face;
	float positions[12], normals[12], uvs[8], blend_alphas[4], blend_weights[16];
	uint8_t colors[16];
	uint32_t indices[6];
} wall;

/* Across the eye's way at x = 64, seen from the origin; grey by vertex colours (half light). */
static void make_wall(wall *w)
{
	static const float corners[4][2] = { { 32, -32 }, { -32, -32 }, { -32, 32 }, { 32, 32 } };
	static const float none[12] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 };
	memset(w, 0, sizeof *w);
	for (int i = 0; i < 4; i++) {
		memcpy(w->positions + 3 * i, (float[3]){ 64, corners[i][0], corners[i][1] }, 3 * sizeof(float));
		memcpy(w->normals + 3 * i, (float[3]){ -1, 0, 0 }, 3 * sizeof(float));
		memset(w->colors + 4 * i, 128, 4);
	}
	memcpy(w->indices, (uint32_t[6]){ 0, 1, 2, 0, 2, 3 }, sizeof w->indices);
	for (int i = 0; i < 2; i++) {
		w->nodes[i] = (bspscene_node){
			.name = "", .parent = i ? 0 : BSPSCENE_NO_INDEX, .mesh = i ? 0 : BSPSCENE_NO_INDEX,
			.color = { 1, 1, 1 }, .color_alpha = 1, .light = BSPSCENE_NO_INDEX, .camera = BSPSCENE_NO_INDEX,
			.prop = BSPSCENE_NO_INDEX, .entity = BSPSCENE_NO_INDEX, .material = BSPSCENE_NO_INDEX,
		};
		memcpy(w->nodes[i].transform, none, sizeof none);
	}
	w->section = (bspscene_section){
		.lightmap_page = BSPSCENE_NO_INDEX, .lighting = BSPSCENE_LIGHTING_VERTEX, .fog = BSPSCENE_NO_INDEX,
		.vertex_count = 4, .index_count = 6, .face_count = 1,
	};
	w->mesh = (bspscene_mesh){
		.name = "", .vertex_count = 4, .index_count = 6, .section_count = 1,
		.positions = w->positions, .normals = w->normals, .uvs = w->uvs, .colors = w->colors,
		.indices = w->indices, .sections = &w->section,
	};
	w->material = (bspscene_material){
		.name = "", .base_image = 0, .second_image = BSPSCENE_NO_INDEX, .emissive_image = BSPSCENE_NO_INDEX,
		.normal_image = BSPSCENE_NO_INDEX, .color = { 1, 1, 1, 1 }, .uv_scale = { 1, 1 }, .sort = 3,
	};
	w->scene = (bspscene_scene){
		.name = "", .nodes = w->nodes, .node_count = 2, .meshes = &w->mesh, .mesh_count = 1,
		.materials = &w->material, .material_count = 1, .images = images, .image_count = IMAGE_COUNT,
		.faces = &w->face, .face_count = 1,
	};
}

static void draw_wall(const wall *w, float pitch, uint8_t out[3])
{
	bspscene_render_options options;
	bspscene_error error;
	uint8_t rgb[SIDE * SIDE * 3];
	bspscene_render_options_init(&options);
	options.width = options.height = SIDE;
	options.background[2] = 1;
	options.threads = 1;
	bspscene_renderer *renderer = bspscene_renderer_create(&w->scene, &options, &error);
	if (!renderer) fail_msg("%s", error.message);
	bspscene_view view = { { 0, 5, 2 }, pitch, 0, 0, 30 }; /* not on the edge between both triangles */
	assert_true(bspscene_render(renderer, &view, &options, rgb, &error));
	bspscene_renderer_free(renderer);
	memcpy(out, rgb + 3 * (SIDE * (SIDE / 2) + SIDE / 2), 3);
}

static void expect_near(const char *what, const uint8_t got[3], const uint8_t want[3])
{
	for (int i = 0; i < 3; i++) {
		if (abs(got[i] - want[i]) <= 2) continue;
		fail_msg("%s: %u %u %u instead of %u %u %u", what, got[0], got[1], got[2], want[0], want[1], want[2]);
	}
}

static void materials_without_stages(void **state)
{
	(void)state;
	static const struct {
		const char *what;
		float weight;                  /* of the second image; < 0: the mesh has none, vertex alpha is 128 */
		bool second, glows, unlit;
		bspscene_alpha_mode mode;
		float opacity;
		uint8_t want[3];
	} cases[] = {
		{ "light", -1, false, false, false, BSPSCENE_ALPHA_OPAQUE, 1, { 128, 0, 0 } },
		{ "no light", -1, false, false, true, BSPSCENE_ALPHA_OPAQUE, 1, { 255, 0, 0 } },
		{ "the first texture alone", 0, true, false, true, BSPSCENE_ALPHA_OPAQUE, 1, { 255, 0, 0 } },
		{ "the second alone, whatever its alpha", 1, true, false, true, BSPSCENE_ALPHA_OPAQUE, 1, { 0, 255, 0 } },
		{ "a quarter of the second", 0.25f, true, false, true, BSPSCENE_ALPHA_OPAQUE, 1, { 224, 136, 0 } },
		{ "by the vertices' alpha", -1, true, false, true, BSPSCENE_ALPHA_OPAQUE, 1, { 186, 186, 0 } },
		{ "both lit", 0.5f, true, false, false, BSPSCENE_ALPHA_OPAQUE, 1, { 93, 93, 0 } },
		{ "what shines is not lit", -1, false, true, false, BSPSCENE_ALPHA_OPAQUE, 1, { 175, 64, 0 } },
		{ "blended with what is behind", -1, false, false, true, BSPSCENE_ALPHA_BLEND, 0.25f, { 64, 0, 191 } },
		{ "added to what is behind", -1, false, false, true, BSPSCENE_ALPHA_ADD, 1, { 255, 0, 255 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		wall w;
		uint8_t got[3];
		make_wall(&w);
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
		draw_wall(&w, 0, got);
		expect_near(cases[i].what, got, cases[i].want);
	}
}

static void masks_shape_the_border_of_two_textures(void **state)
{
	(void)state;
	static const struct { uint32_t mask; float weight; bool alone; uint8_t want[3]; } cases[] = {
		{ SOFT, 0.3f, false, { 255, 0, 0 } }, { SOFT, 0.502f, false, { 186, 186, 0 } },
		{ SOFT, 0.71f, false, { 0, 255, 0 } },
		{ HARD, 0.49f, false, { 255, 0, 0 } }, { HARD, 0.51f, false, { 0, 255, 0 } },
		/* 3 / 4 of the way: 27 / 32 of the second. */
		{ SOFT, 0.602f, false, { 110, 236, 0 } },
		{ SOFT, 1, true, { 187, 185, 0 } }, { HARD, 1, true, { 255, 0, 0 } },
		/* What the mask has beyond 1 is cut off, so that all weight is all of the second. */
		{ WHITE, 1, false, { 0, 255, 0 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		wall w;
		uint8_t got[3];
		make_wall(&w);
		for (int k = 0; k < 4; k++) w.blend_alphas[k] = cases[i].weight;
		w.mesh.blend_alphas = w.blend_alphas;
		w.material.unlit = true;
		w.material.second_image = GREEN;
		const bspscene_blend_mask mask = { .image = cases[i].mask, .masked = cases[i].alone };
		w.material.blend_mask = &mask;
		draw_wall(&w, 0, got);
		expect_near("mask", got, cases[i].want);
	}
}

static void details_change_the_texture(void **state)
{
	(void)state;
	static const struct {
		const char *what;
		bspscene_detail_mode mode;
		uint32_t detail;
		float factor;
		uint8_t want[3];
	} cases[] = {
		{ "grey changes nothing", BSPSCENE_DETAIL_MODE_DOUBLED, GREY, 1, { 128, 128, 128 } },
		{ "white doubles", BSPSCENE_DETAIL_MODE_DOUBLED, WHITE, 1, { 175, 175, 175 } },
		{ "by half, 1.5 times", BSPSCENE_DETAIL_MODE_DOUBLED, WHITE, 0.5f, { 154, 154, 154 } },
		{ "red keeps red", BSPSCENE_DETAIL_MODE_DOUBLED, RED, 1, { 175, 0, 0 } },
		{ "grey is added as it is seen", BSPSCENE_DETAIL_MODE_ADD, GREY, 1, { 175, 175, 175 } },
		{ "half over it", BSPSCENE_DETAIL_MODE_OVER, RED, 0.5f, { 204, 93, 93 } },
		{ "what is clear is not seen", BSPSCENE_DETAIL_MODE_OVER, GREEN, 1, { 128, 128, 128 } },
		{ "faded", BSPSCENE_DETAIL_MODE_FADE, GREEN, 1, { 0, 255, 0 } },
		{ "under half of it", BSPSCENE_DETAIL_MODE_UNDER, GREEN, 1, { 94, 204, 94 } },
		{ "a pattern of red and alpha", BSPSCENE_DETAIL_MODE_PATTERNS, RED, 1, { 175, 175, 175 } },
		{ "multiplied", BSPSCENE_DETAIL_MODE_MULTIPLY, GREY, 1, { 94, 94, 94 } },
		{ "alpha alone", BSPSCENE_DETAIL_MODE_MASK, GREY, 1, { 128, 128, 128 } },
		{ "light along three directions", BSPSCENE_DETAIL_MODE_SELF_SHADOWED, RED, 1, { 106, 106, 106 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		wall w;
		uint8_t got[3];
		make_wall(&w);
		w.material.unlit = true;
		w.material.base_image = GREY;
		const bspscene_detail_texture detail = {
			.image = cases[i].detail, .mode = cases[i].mode, .color = { 1, 1, 1 }, .factor = cases[i].factor,
		};
		w.material.detail = &detail;
		draw_wall(&w, 0, got);
		expect_near(cases[i].what, got, cases[i].want);
	}
}

/* By a right angle clockwise in the picture: what was right of the corner is below it. */
static void textures_turn(void **state)
{
	(void)state;
	static const float right_angle = 1.5707963f;
	static const struct { float u, v, rotation, scale; bool blue; } cases[] = {
		{ 0.75f, 0.25f, 0, 1, false }, { 0.25f, 0.75f, 0, 1, true },
		{ 0.75f, 0.25f, 1, 1, true }, { 0.25f, 0.75f, 1, 1, false },
		{ 0.25f, 0.25f, -1, 1, true }, { 0.75f, 0.25f, -1, 1, false },
		/* Scaled before that. */
		{ 0.25f, 0, 1, 3, true }, { 0.75f, 0, 1, 3, false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		wall w;
		uint8_t got[3], want[3] = { 255, 255, 255 };
		make_wall(&w);
		for (int k = 0; k < 4; k++) {
			w.uvs[2 * k] = cases[i].u;
			w.uvs[2 * k + 1] = cases[i].v;
		}
		w.material.unlit = true;
		w.material.base_image = BANDS;
		w.material.uv_rotation = cases[i].rotation * right_angle;
		w.material.uv_scale[0] = cases[i].scale;
		if (cases[i].blue) want[0] = want[1] = 0;
		draw_wall(&w, 0, got);
		expect_near("turned", got, want);
	}
}

/* Lowest first. Luminance of linear light: red 0.2126, green 0.7152, grey 0.2195. */
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
		{ "the lowest alone", 3, { RED, GREEN, GREY }, { 0, 0, 0 }, 1, { 0, 1 }, { 0, 1 }, false, { 255, 0, 0 } },
		{ "the second covers it", 2, { RED, GREEN }, { 0, 1 }, 1, { 0, 1 }, { 0, 1 }, false, { 0, 255, 0 } },
		{ "the last covers all", 4, { RED, GREEN, GREY, RED }, { 0, 1, 1, 1 }, 1, { 0, 1 }, { 0, 1 }, false,
		  { 255, 0, 0 } },
		/* Luminances of 0 and 1 are out of this range, so weights are doubled or as they are: 0.25
		 * becomes a step of 0.5. */
		{ "a bright one comes sooner", 2, { RED, GREEN }, { 0, 0.25f }, 1, { 0.3f, 0.7f }, { 0, 1 }, false,
		  { 186, 186, 0 } },
		{ "a dark one as it is", 2, { GREEN, RED }, { 0, 0.5f }, 1, { 0.3f, 0.7f }, { 0, 1 }, false, { 186, 186, 0 } },
		{ "over what is dark", 2, { RED, GREEN }, { 0, 0.25f }, 0, { 0.3f, 0.7f }, { 0, 1 }, false, { 186, 186, 0 } },
		{ "over what is bright", 2, { GREEN, RED }, { 0, 0.5f }, 0, { 0.3f, 0.7f }, { 0, 1 }, false, { 186, 186, 0 } },
		{ "not before its range", 2, { RED, GREEN }, { 0, 0.25f }, 1, { 0.3f, 0.7f }, { 0.5f, 0.6f }, false,
		  { 255, 0, 0 } },
		{ "no range is an edge", 2, { RED, GREEN }, { 0, 0.25f }, 1, { 0.3f, 0.7f }, { 0.5f, 0.5f }, false,
		  { 0, 255, 0 } },
		{ "multiplied", 2, { RED, GREY }, { 0, 1 }, 1, { 0, 1 }, { 0, 1 }, true, { 175, 0, 0 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		wall w;
		uint8_t got[3];
		make_wall(&w);
		for (int k = 0; k < 4; k++) memcpy(w.blend_weights + 4 * k, cases[i].weights, sizeof cases[i].weights);
		w.mesh.blend_weights = w.blend_weights;
		w.mesh.blend_alphas = w.blend_alphas;
		w.material.unlit = true;
		bspscene_layer layers[BSPSCENE_MATERIAL_MAX_LAYERS];
		w.material.layers = layers;
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
		draw_wall(&w, 0, got);
		expect_near(cases[i].what, got, cases[i].want);
		/* Without weights it is two textures by the alphas, which are 0 here. */
		w.mesh.blend_weights = NULL;
		static const uint8_t lowest[3][3] = { { 255, 0, 0 }, { 0, 255, 0 }, { 128, 128, 128 } };
		draw_wall(&w, 0, got);
		expect_near("without weights", got, lowest[cases[i].images[0]]);
	}
}

/* The bands are white above, blue below: at a quarter, and at three times that. */
static void layers_have_scales_of_their_own(void **state)
{
	(void)state;
	static const struct { float v, scale; uint8_t want[3]; } cases[] = {
		{ 0.25f, 1, { 255, 255, 255 } }, { 0.25f, 3, { 0, 0, 255 } },
		{ 0.75f, 1, { 0, 0, 255 } }, { 0.75f, 3, { 255, 255, 255 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		wall w;
		uint8_t got[3];
		make_wall(&w);
		for (int k = 0; k < 4; k++) {
			w.uvs[2 * k + 1] = cases[i].v;
			w.blend_weights[4 * k + 1] = 1;
		}
		w.mesh.blend_weights = w.blend_weights;
		w.material.unlit = true;
		bspscene_layer layers[2];
		w.material.layers = layers;
		w.material.layer_count = 2;
		w.material.second_image = BANDS;
		for (uint32_t k = 0; k < 2; k++) {
			layers[k] = (bspscene_layer){
				.image = k ? BANDS : RED, .uv_scale = { 1, k ? cases[i].scale : 1 },
				.luminance = { 0, 1 }, .luminance_share = 1, .blend = { 0, 1 },
			};
		}
		draw_wall(&w, 0, got);
		expect_near("scaled", got, cases[i].want);
	}
}

static void half_a_sky_is_the_upper_half(void **state)
{
	(void)state;
	static const struct { float pitch; uint8_t want[3]; } cases[] = {
		{ -40, { 255, 255, 255 } }, { -2, { 0, 0, 255 } }, { 20, { 0, 0, 255 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		wall w;
		uint8_t got[3];
		make_wall(&w);
		w.material.kind = BSPSCENE_MATERIAL_SKY;
		w.material.base_image = BSPSCENE_NO_INDEX;
		const uint32_t none = BSPSCENE_NO_INDEX;
		const bspscene_sky sky = { .name = "", .box = { 3, none, none, none, none, none }, .layers = { none, none } };
		w.material.sky = &sky;
		/* The wall is large enough for every pitch here. */
		for (int k = 0; k < 4; k++) {
			w.positions[3 * k + 1] *= 8;
			w.positions[3 * k + 2] *= 8;
		}
		draw_wall(&w, cases[i].pitch, got);
		expect_near("sky", got, cases[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(materials_without_stages),
		cmocka_unit_test(layers_lie_on_each_other),
		cmocka_unit_test(layers_have_scales_of_their_own),
		cmocka_unit_test(masks_shape_the_border_of_two_textures),
		cmocka_unit_test(details_change_the_texture),
		cmocka_unit_test(textures_turn),
		cmocka_unit_test(half_a_sky_is_the_upper_half),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
