/* Promise: a material without stages is drawn as its reading says: two textures blended by weights, light, what shines on top,
 * opacity; and a sky's side that is half as high as wide fills the upper half. One wall in front of the eye, colours that
 * can be computed in the head. */
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

#define IMAGE(w, h, bytes) { .name = "", .path = "", .archive = "", .format = BSPSCENE_IMAGE_RGBA, .width = (w), .height = (h), .data = (bytes), .size = sizeof(bytes) }
static const bspscene_image images[] = { IMAGE(1, 1, red), IMAGE(1, 1, green), IMAGE(1, 1, grey), IMAGE(4, 2, bands) };

typedef struct wall {
	bspscene_scene scene;
	bspscene_node nodes[2];
	bspscene_mesh mesh;
	bspscene_section section;
	bspscene_material material;
	bspscene_face face;
	float positions[12], normals[12], uvs[8], blend_alphas[4];
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
		w->nodes[i] = (bspscene_node){ .name = "", .parent = i ? 0 : BSPSCENE_NO_INDEX, .mesh = i ? 0 : BSPSCENE_NO_INDEX, .color = { 1, 1, 1 }, .color_alpha = 1 };
		w->nodes[i].light = w->nodes[i].camera = w->nodes[i].prop = w->nodes[i].entity = w->nodes[i].material = BSPSCENE_NO_INDEX;
		memcpy(w->nodes[i].transform, none, sizeof none);
	}
	w->section = (bspscene_section){ .lightmap_page = BSPSCENE_NO_INDEX, .lighting = BSPSCENE_LIGHTING_VERTEX, .fog = BSPSCENE_NO_INDEX, .vertex_count = 4, .index_count = 6, .face_count = 1 };
	w->mesh = (bspscene_mesh){ .name = "", .vertex_count = 4, .index_count = 6, .section_count = 1, .positions = w->positions, .normals = w->normals,
	                           .uvs = w->uvs, .colors = w->colors, .indices = w->indices, .sections = &w->section };
	w->material = (bspscene_material){ .name = "", .base_image = 0, .second_image = BSPSCENE_NO_INDEX, .emissive_image = BSPSCENE_NO_INDEX,
	                                   .normal_image = BSPSCENE_NO_INDEX, .color = { 1, 1, 1, 1 }, .uv_scale = { 1, 1 }, .sort = 3 };
	w->material.sky = (bspscene_sky){ .name = "", .layers = { BSPSCENE_NO_INDEX, BSPSCENE_NO_INDEX } };
	for (int i = 0; i < 6; i++) w->material.sky.box[i] = BSPSCENE_NO_INDEX;
	w->scene = (bspscene_scene){ .name = "", .nodes = w->nodes, .node_count = 2, .meshes = &w->mesh, .mesh_count = 1, .materials = &w->material,
	                             .material_count = 1, .images = images, .image_count = 4, .faces = &w->face, .face_count = 1 };
}

static void look(const wall *w, float pitch, uint8_t out[3])
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
		if (abs(got[i] - want[i]) > 2) fail_msg("%s: %u %u %u instead of %u %u %u", what, got[0], got[1], got[2], want[0], want[1], want[2]);
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
		{ "a quarter of the second", 0.25f, true, false, true, BSPSCENE_ALPHA_OPAQUE, 1, { 191, 64, 0 } },
		{ "by the vertices' alpha", -1, true, false, true, BSPSCENE_ALPHA_OPAQUE, 1, { 127, 128, 0 } },
		{ "both lit", 0.5f, true, false, false, BSPSCENE_ALPHA_OPAQUE, 1, { 64, 64, 0 } },
		{ "what shines is not lit", -1, false, true, false, BSPSCENE_ALPHA_OPAQUE, 1, { 255, 64, 0 } },
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
		look(&w, 0, got);
		expect_near(cases[i].what, got, cases[i].want);
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
		w.material.sky.box[0] = 3;
		/* The wall is large enough for every pitch here. */
		for (int k = 0; k < 4; k++) {
			w.positions[3 * k + 1] *= 8;
			w.positions[3 * k + 2] *= 8;
		}
		look(&w, cases[i].pitch, got);
		expect_near("sky", got, cases[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(materials_without_stages),
		cmocka_unit_test(half_a_sky_is_the_upper_half),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
