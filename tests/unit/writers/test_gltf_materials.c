/* test_gltf_materials.c - the glTF of a scene has its materials and their pictures, and extras for properties that glTF
 * lacks. Expected numbers were computed by hand for support/make/sample_scene.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "support/check/written_sample.h"

/* ---- Materials -------------------------------------------------------------------------------------------- */

static void materials_keep_what_gltf_can_say(void **state)
{
	bspt_written_sample w;
	(void)state;
	bspt_write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
	assert_null(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "alphaMode"));
	assert_string_equal(json_string_value(bspt_material_at(&w, BSPT_SAMPLE_GRATE, "alphaMode")), "MASK");
	bspt_expect_near(bspt_material_number(&w, BSPT_SAMPLE_GRATE, "alphaCutoff"), 0.25);
	assert_true(json_is_true(bspt_material_at(&w, BSPT_SAMPLE_GRATE, "doubleSided")));
	assert_string_equal(json_string_value(bspt_material_at(&w, BSPT_SAMPLE_GLOW, "alphaMode")), "BLEND");
	assert_string_equal(json_string_value(bspt_material_at(&w, BSPT_SAMPLE_INSIDE, "alphaMode")), "BLEND");
	const char *red = "pbrMetallicRoughness/baseColorFactor/0", *alpha = "pbrMetallicRoughness/baseColorFactor/3";
	bspt_expect_near(bspt_material_number(&w, BSPT_SAMPLE_INSIDE, red), bspt_linear(0.5));
	bspt_expect_near(bspt_material_number(&w, BSPT_SAMPLE_INSIDE, alpha), 0.5);
	const char *transform = "pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform";
	assert_null(bspt_material_at(&w, BSPT_SAMPLE_BRICK, transform));
	json_t *moved = bspt_material_at(&w, BSPT_SAMPLE_INSIDE, transform);
	bspt_expect_near(json_number_value(json_array_get(json_object_get(moved, "scale"), 0)), 2);
	bspt_expect_near(json_number_value(json_array_get(json_object_get(moved, "offset"), 1)), 0.25);
	bspt_expect_near(bspt_material_number(&w, BSPT_SAMPLE_LAMP, "emissiveFactor/0"), 1);
	const char *strength = "extensions/KHR_materials_emissive_strength/emissiveStrength";
	bspt_expect_near(bspt_material_number(&w, BSPT_SAMPLE_LAMP, strength), bspt_linear(2));
	assert_non_null(bspt_material_at(&w, BSPT_SAMPLE_LAMP, "emissiveTexture"));
	assert_int_equal(bspt_material_number(&w, BSPT_SAMPLE_BRICK, "pbrMetallicRoughness/metallicFactor"), 0);

	uint32_t repeat = (uint32_t)bspt_gltf_number(&w.gltf, "textures/%u/sampler",
		(uint32_t)bspt_material_number(&w, BSPT_SAMPLE_BRICK, "pbrMetallicRoughness/baseColorTexture/index"));
	uint32_t clamp = (uint32_t)bspt_gltf_number(&w.gltf, "textures/%u/sampler",
		(uint32_t)bspt_material_number(&w, BSPT_SAMPLE_INSIDE, "pbrMetallicRoughness/baseColorTexture/index"));
	assert_int_equal(bspt_gltf_number(&w.gltf, "samplers/%u/wrapT", repeat), 10497);
	assert_int_equal(bspt_gltf_number(&w.gltf, "samplers/%u/wrapT", clamp), 33071);
	bspt_release_sample(&w);
}

/* A material may have an emissive color without a picture, in any channel, however dim. */
static void what_shines_alone_is_emissive(void **state)
{
	(void)state;
	for (int channel = 0; channel < 4; channel++) {
		bspt_written_sample w;
		w.sample = bspt_sample_make();
		bspscene_material *material = &w.sample->materials[BSPT_SAMPLE_BRICK];
		material->emissive_image = BSPSCENE_NO_INDEX;
		for (int i = 0; i < 3; i++) material->emissive[i] = i == channel ? 0.5f : 0;
		bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, NULL);
		for (int i = 0; channel < 3 && i < 3; i++) {
			char path[32];
			snprintf(path, sizeof path, "emissiveFactor/%d", i);
			bspt_expect_near(bspt_material_number(&w, BSPT_SAMPLE_BRICK, path), i == channel ? bspt_linear(0.5) : 0);
		}
		if (channel == 3) assert_null(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "emissiveFactor"));
		bspt_release_sample(&w);
	}
}

/* An emission brighter than white keeps its hue. The linear value of the brightest channel becomes the strength. The
 * emissive factors are the linear channels divided by this strength. */
static void what_is_brighter_than_white_has_a_strength(void **state)
{
	(void)state;
	for (int brightest = 0; brightest < 3; brightest++) {
		static const float shine[3] = { 3, 0.5f, 1 };
		bspt_written_sample w;
		w.sample = bspt_sample_make();
		bspscene_material *material = &w.sample->materials[BSPT_SAMPLE_BRICK];
		for (int i = 0; i < 3; i++) material->emissive[(i + brightest) % 3] = shine[i];
		bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, NULL);
		const char *strength = "extensions/KHR_materials_emissive_strength/emissiveStrength";
		bspt_expect_near(bspt_material_number(&w, BSPT_SAMPLE_BRICK, strength), bspt_linear(3));
		for (int i = 0; i < 3; i++) {
			char path[32];
			snprintf(path, sizeof path, "emissiveFactor/%d", (i + brightest) % 3);
			bspt_expect_near(bspt_material_number(&w, BSPT_SAMPLE_BRICK, path),
			                 bspt_linear((double)shine[i]) / bspt_linear(3));
		}
		bspt_release_sample(&w);
	}
}

static void material_facts_are_kept_in_extras(void **state)
{
	bspt_written_sample w;
	(void)state;
	bspt_write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
	const char *name = json_string_value(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "name"));
	assert_string_equal(name, "textures/sample/brick");
	/* Values of standard members are not repeated in extras, and defaults are left out. */
	assert_null(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "extras/name"));
	assert_null(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "extras/kind"));
	assert_int_equal(bspt_material_number(&w, BSPT_SAMPLE_BRICK, "extras/surfaceFlags"), 0x1000);
	assert_int_equal(bspt_material_number(&w, BSPT_SAMPLE_BRICK, "extras/contentFlags"), 1);
	assert_string_equal(json_string_value(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "extras/sourceFile")),
	                    "scripts/sample.shader");
	assert_int_equal(bspt_material_number(&w, BSPT_SAMPLE_BRICK, "extras/sourceLine"), 12);
	assert_int_equal(bspt_material_number(&w, BSPT_SAMPLE_BRICK_2, "extras/lightmapPage"), 1);
	assert_string_equal(json_string_value(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "extras/image")),
	                    "textures/sample/floor.png");
	assert_true(json_is_true(bspt_material_at(&w, BSPT_SAMPLE_SKY, "extras/missing")));
	assert_string_equal(json_string_value(bspt_material_at(&w, BSPT_SAMPLE_SKY, "extras/kind")), "sky");
	assert_string_equal(json_string_value(bspt_material_at(&w, BSPT_SAMPLE_SHADOW, "extras/lighting")), "black");
	assert_string_equal(json_string_value(bspt_material_at(&w, BSPT_SAMPLE_GLOW, "extras/blend")), "add");
	assert_string_equal(json_string_value(bspt_material_at(&w, BSPT_SAMPLE_FILTER, "extras/blend")), "modulate");
	bspt_expect_near(bspt_material_number(&w, BSPT_SAMPLE_GLOW, "extras/scroll/0"), 0.5);
	bspt_expect_near(bspt_material_number(&w, BSPT_SAMPLE_LAMP, "extras/surfaceLight"), 1500);
	bspt_expect_near(bspt_material_number(&w, BSPT_SAMPLE_TERRAIN, "extras/animation/framesPerSecond"), 4);
	assert_int_equal(json_array_size(bspt_material_at(&w, BSPT_SAMPLE_TERRAIN, "extras/animation/frames")), 2);
	assert_string_equal(bspt_gltf_text(&w.gltf, "meshes/0/primitives/%d/extras/include", BSPT_SAMPLE_SKY), "sky");
	assert_int_equal(bspt_gltf_number(&w.gltf, "meshes/0/primitives/0/extras/fog"), 0);
	assert_null(bspt_gltf_at(&w.gltf, "meshes/0/primitives/1/extras"));
	bspt_release_sample(&w);
}

/* ---- Layers ----------------------------------------------------------------------------------------------- */

/* glTF cannot express two textures that are blended by weights, so both are in extras. */
static void a_second_texture_and_its_weights_are_kept(void **state)
{
	static float weights[BSPT_SAMPLE_VERTICES];
	bspt_written_sample w;
	(void)state;
	for (uint32_t i = 0; i < BSPT_SAMPLE_VERTICES; i++) weights[i] = (float)i / BSPT_SAMPLE_VERTICES;
	w.sample = bspt_sample_make();
	w.sample->meshes[0].blend_alphas = weights;
	w.sample->materials[w.sample->sections[BSPT_SAMPLE_BRICK].material].second_image = BSPT_SAMPLE_IMAGE_JPEG;
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, NULL);
	uint32_t blend = bspt_accessor_of(&w, BSPT_SAMPLE_BRICK, "_BLEND");
	for (uint32_t i = 0; i < 4; i++) bspt_expect_near(bspt_gltf_element(&w.gltf, blend, i, 0), weights[i]);
	assert_false(bspt_has_attribute(&w, BSPT_SAMPLE_LAMP, "_BLEND"));
	uint32_t second = bspt_image_of(&w, BSPT_SAMPLE_BRICK, "extras/secondTexture");
	assert_true(second != bspt_image_of(&w, BSPT_SAMPLE_BRICK, "pbrMetallicRoughness/baseColorTexture/index"));
	assert_null(bspt_material_at(&w, BSPT_SAMPLE_LAMP, "extras/secondTexture"));
	bspt_release_sample(&w);
}

/* Masks and details are in extras, too. A rotation is applied to the texture coordinates themselves, without the
 * extension for texture transforms. */
static void layers_upon_the_base_texture_are_named(void **state)
{
	bspt_written_sample w;
	(void)state;
	w.sample = bspt_sample_make();
	bspscene_material *brick = &w.sample->materials[w.sample->sections[BSPT_SAMPLE_BRICK].material];
	const bspscene_blend_mask mask = {
		.image = BSPT_SAMPLE_IMAGE_RGBA, .uv_scale = { 2, 0 }, .uv_offset = { 0.25f, 0.75f }, .masked = true
	};
	const bspscene_detail_texture detail = {
		.image = BSPT_SAMPLE_IMAGE_JPEG, .mode = BSPSCENE_DETAIL_TEXTURE_SELF_SHADOWED, .uv_scale = { 0, 7.5f },
		.color = { 0, 0, 0.5f }, .factor = 0.25f,
	};
	brick->blend_mask = &mask;
	brick->detail_texture = &detail;
	brick->uv_rotation_radians = 1.5707963f;
	brick->uv_scale[0] = 3;
	brick->uv_offset[0] = 0.25f;
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, NULL);
	assert_non_null(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "extras/blendMask/texture"));
	assert_true(json_is_true(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "extras/blendMask/masked")));
	bspt_expect_near(bspt_material_number(&w, BSPT_SAMPLE_BRICK, "extras/blendMask/uvScale/0"), 2);
	bspt_expect_near(bspt_material_number(&w, BSPT_SAMPLE_BRICK, "extras/blendMask/uvOffset/0"), 0.25);
	bspt_expect_near(bspt_material_number(&w, BSPT_SAMPLE_BRICK, "extras/blendMask/uvOffset/1"), 0.75);
	assert_non_null(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "extras/detail/texture"));
	const char *mode = json_string_value(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "extras/detail/mode"));
	assert_string_equal(mode, "self-shadowed");
	bspt_expect_near(bspt_material_number(&w, BSPT_SAMPLE_BRICK, "extras/detail/uvScale/1"), 7.5);
	bspt_expect_near(bspt_material_number(&w, BSPT_SAMPLE_BRICK, "extras/detail/factor"), 0.25);
	bspt_expect_near(bspt_material_number(&w, BSPT_SAMPLE_BRICK, "extras/detail/color/2"), 0.5);
	assert_null(bspt_material_at(&w, BSPT_SAMPLE_LAMP, "extras/detail"));
	assert_null(bspt_material_at(&w, BSPT_SAMPLE_LAMP, "extras/blendMask"));
	assert_non_null(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "pbrMetallicRoughness/baseColorTexture"));
	assert_null(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "pbrMetallicRoughness/baseColorTexture/extensions"));
	/* The uv (1, 1) is scaled to (3, 1), rotated to (-1, 3), and moved by 0.25 along u. */
	uint32_t uv = bspt_accessor_of(&w, BSPT_SAMPLE_BRICK, "TEXCOORD_0");
	bspt_expect_near(bspt_gltf_element(&w.gltf, uv, 2, 0), -0.75);
	bspt_expect_near(bspt_gltf_element(&w.gltf, uv, 2, 1), 3);
	bspt_release_sample(&w);
}

/* If a material has more than two layers, the extras have the weights of all layers. For each layer, they also have
 * its texture and its other properties. */
static void layers_and_their_weights_are_kept(void **state)
{
	static float weights[4 * BSPT_SAMPLE_VERTICES];
	bspt_written_sample w;
	(void)state;
	for (uint32_t i = 0; i < 4 * BSPT_SAMPLE_VERTICES; i++) weights[i] = (float)i / (4 * BSPT_SAMPLE_VERTICES);
	w.sample = bspt_sample_make();
	w.sample->meshes[0].blend_weights = weights;
	bspscene_material *material = &w.sample->materials[w.sample->sections[BSPT_SAMPLE_BRICK].material];
	const uint32_t images[3] = { material->base_image, BSPT_SAMPLE_IMAGE_JPEG, BSPT_SAMPLE_IMAGE_RGBA };
	material->second_image = images[1];
	bspscene_layer layers[3];
	const bspscene_layer *const layer_table[3] = { &layers[0], &layers[1], &layers[2] };
	material->layers = layer_table;
	for (material->layer_count = 0; material->layer_count < 3; material->layer_count++) {
		layers[material->layer_count] = (bspscene_layer){
			.image = images[material->layer_count], .uv_scale = { 2, 3 },
			.luminance = { 0.1f, 0.9f }, .luminance_share = 0.5f,
			.blend = { 0.25f, 0.75f }, .doubled = material->layer_count == 2,
		};
	}
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, NULL);
	uint32_t accessor = bspt_accessor_of(&w, BSPT_SAMPLE_BRICK, "_BLEND_WEIGHTS");
	uint32_t first = w.sample->sections[BSPT_SAMPLE_BRICK].first_vertex;
	for (uint32_t i = 0; i < 4; i++) {
		for (uint32_t k = 0; k < 4; k++) {
			bspt_expect_near(bspt_gltf_element(&w.gltf, accessor, i, k), weights[4 * (first + i) + k]);
		}
	}
	assert_false(bspt_has_attribute(&w, BSPT_SAMPLE_LAMP, "_BLEND_WEIGHTS"));
	assert_null(bspt_material_at(&w, BSPT_SAMPLE_LAMP, "extras/layers"));
	uint32_t of_layers[3];
	for (uint32_t i = 0; i < 3; i++) {
		char path[32];
		snprintf(path, sizeof path, "extras/layers/%u/texture", i);
		of_layers[i] = bspt_image_of(&w, BSPT_SAMPLE_BRICK, path);
	}
	uint32_t base = bspt_image_of(&w, BSPT_SAMPLE_BRICK, "pbrMetallicRoughness/baseColorTexture/index");
	assert_int_equal(of_layers[0], base);
	assert_int_equal(of_layers[1], bspt_image_of(&w, BSPT_SAMPLE_BRICK, "extras/secondTexture"));
	assert_true(of_layers[2] != of_layers[1]);
	bspt_expect_near(json_number_value(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "extras/layers/1/uvScale/1")), 3);
	bspt_expect_near(json_number_value(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "extras/layers/1/luminance/1")), 0.9);
	bspt_expect_near(json_number_value(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "extras/layers/1/luminanceShare")), 0.5);
	bspt_expect_near(json_number_value(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "extras/layers/1/blend/0")), 0.25);
	assert_null(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "extras/layers/1/doubled"));
	assert_true(json_is_true(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "extras/layers/2/doubled")));
	bspt_release_sample(&w);
}

/* ---- Pictures --------------------------------------------------------------------------------------------- */

static void pictures_pass_untouched_where_viewers_can_read_them(void **state)
{
	bspt_written_sample w;
	(void)state;
	bspt_write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
	const char *base = "pbrMetallicRoughness/baseColorTexture/index";
	uint32_t brick = bspt_image_of(&w, BSPT_SAMPLE_BRICK, base), lamp = bspt_image_of(&w, BSPT_SAMPLE_LAMP, base);
	uint32_t inside = bspt_image_of(&w, BSPT_SAMPLE_INSIDE, base), grate = bspt_image_of(&w, BSPT_SAMPLE_GRATE, base);
	bspt_bytes png = bspt_gltf_image(&w.gltf, brick), jpeg = bspt_gltf_image(&w.gltf, lamp);
	assert_int_equal(png.size, w.sample->png.size);
	assert_memory_equal(png.data, w.sample->png.data, png.size);
	assert_string_equal(bspt_gltf_text(&w.gltf, "images/%u/mimeType", brick), "image/png");
	const bspscene_image *source = &w.sample->images[BSPT_SAMPLE_IMAGE_JPEG];
	assert_int_equal(jpeg.size, source->size);
	assert_memory_equal(jpeg.data, source->data, jpeg.size);
	assert_string_equal(bspt_gltf_text(&w.gltf, "images/%u/mimeType", lamp), "image/jpeg");
	/* JPEG with four channels and raw pixels are written as PNG. */
	assert_string_equal(bspt_gltf_text(&w.gltf, "images/%u/mimeType", inside), "image/png");
	assert_string_equal(bspt_gltf_text(&w.gltf, "images/%u/mimeType", grate), "image/png");
	/* Missing images share one checkerboard, and images that are not used are not written. The emission of the lamp is
	 * the picture of the grate without its alpha. */
	assert_int_equal(bspt_image_of(&w, BSPT_SAMPLE_SKY, base), bspt_image_of(&w, BSPT_SAMPLE_TERRAIN, base));
	assert_int_equal(json_array_size(bspt_gltf_at(&w.gltf, "images")), 10);
	bspt_release_sample(&w);
}

static void check_pixel_of(const bspt_written_sample *w, uint32_t section, const char *texture, uint32_t pixel,
                           const uint8_t want[4])
{
	bspscene_pixels pixels;
	bspt_bytes png = bspt_gltf_image(&w->gltf, bspt_image_of(w, section, texture));
	bspscene_image image = { .format = BSPSCENE_IMAGE_PNG, .data = png.data, .size = png.size };
	assert_true(bspscene_image_decode(&image, &pixels, NULL));
	assert_memory_equal(pixels.data + 4 * pixel, want, 4);
	bspscene_pixels_free(&pixels);
}

static void check_pixel(const bspt_written_sample *w, uint32_t section, uint32_t pixel, const uint8_t want[4])
{
	check_pixel_of(w, section, "pbrMetallicRoughness/baseColorTexture/index", pixel, want);
}

/* Blender's importer shows texels with alpha 0 black even in opaque materials, so these pictures get no alpha. */
static void what_is_opaque_has_no_alpha(void **state)
{
	static const uint8_t opaque[4] = { 0, 128, 0, 255 }, cut_out[4] = { 0, 128, 0, 128 };
	const char *base = "pbrMetallicRoughness/baseColorTexture/index", *second = "extras/secondTexture";
	bspt_written_sample w;
	(void)state;
	w.sample = bspt_sample_make();
	bspscene_material *brick = &w.sample->materials[w.sample->sections[BSPT_SAMPLE_BRICK].material];
	brick->base_image = brick->second_image = brick->normal_image = BSPT_SAMPLE_IMAGE_RGBA;
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, NULL);
	check_pixel_of(&w, BSPT_SAMPLE_BRICK, base, 1, opaque);
	check_pixel_of(&w, BSPT_SAMPLE_BRICK, "normalTexture/index", 1, opaque);
	check_pixel_of(&w, BSPT_SAMPLE_LAMP, "emissiveTexture/index", 1, opaque);
	check_pixel_of(&w, BSPT_SAMPLE_GRATE, base, 1, cut_out);
	assert_int_equal(bspt_image_of(&w, BSPT_SAMPLE_BRICK, second), bspt_image_of(&w, BSPT_SAMPLE_BRICK, base));
	bspt_release_sample(&w);
}

/* In normal maps of glTF, green points up. If the game's normal map has the same direction, its picture is written
 * unchanged, but without its alpha, which masks reflections. */
static void normals_point_up_the_picture(void **state)
{
	static const uint8_t turned[2][4] = { { 255, 255, 0, 255 }, { 0, 127, 0, 255 } };
	bspt_written_sample w;
	(void)state;
	w.sample = bspt_sample_make();
	bspscene_material *materials = w.sample->materials;
	bspscene_material *brick = &materials[w.sample->sections[BSPT_SAMPLE_BRICK].material];
	bspscene_material *lamp = &materials[w.sample->sections[BSPT_SAMPLE_LAMP].material];
	brick->normal_image = BSPT_SAMPLE_IMAGE_RGBA;
	brick->normal_green_down = true;
	lamp->normal_image = BSPT_SAMPLE_IMAGE_PNG;
	materials[w.sample->sections[BSPT_SAMPLE_GRATE].material].normal_image = BSPT_SAMPLE_IMAGE_PNG;
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, NULL);
	for (uint32_t i = 0; i < 2; i++) check_pixel_of(&w, BSPT_SAMPLE_BRICK, "normalTexture/index", i, turned[i]);
	bspt_bytes png = bspt_gltf_image(&w.gltf, bspt_image_of(&w, BSPT_SAMPLE_LAMP, "normalTexture/index"));
	assert_int_equal(png.size, w.sample->png.size);
	assert_null(bspt_material_at(&w, BSPT_SAMPLE_GRATE, "normalTexture")); /* it is unlit, so it has no normal map */
	assert_false(bspt_has_attribute(&w, BSPT_SAMPLE_GRATE, "TANGENT"));
	bspt_release_sample(&w);
}

/* u grows along the tangent, and v grows against cross(normal, tangent) * w. This also holds if coordinates are scaled,
 * rotated or mirrored. The u of the square grows along x in the game and in the file. Its v grows along y in the game,
 * which is -z in the file. Its normal is y in the file. */
static void tangents_follow_the_texture(void **state)
{
	static const struct { float scale[2], rotation, want[4]; } cases[] = {
		{ { 1, 1 }, 0, { 1, 0, 0, -1 } },
		{ { -2, 1 }, 0, { -1, 0, 0, 1 } },
		{ { 1, -3 }, 0, { 1, 0, 0, 1 } },
		/* If the texture is rotated by 90 degrees, u' is -v. */
		{ { 1, 1 }, 1.5707963f, { 0, 0, 1, -1 } },
		/* Constant coordinates have no direction; any tangent in the surface will do. */
		{ { 0, 0 }, 0, { 1, 0, 0, 1 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_written_sample w;
		w.sample = bspt_sample_make();
		bspscene_material *brick = &w.sample->materials[w.sample->sections[BSPT_SAMPLE_BRICK].material];
		brick->normal_image = BSPT_SAMPLE_IMAGE_RGBA;
		brick->uv_rotation_radians = cases[i].rotation;
		memcpy(brick->uv_scale, cases[i].scale, sizeof cases[i].scale);
		bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, NULL);
		uint32_t tangent = bspt_accessor_of(&w, BSPT_SAMPLE_BRICK, "TANGENT");
		for (uint32_t v = 0; v < 4; v++) {
			for (uint32_t k = 0; k < 4; k++) {
				bspt_expect_near(bspt_gltf_element(&w.gltf, tangent, v, k), (double)cases[i].want[k]);
			}
		}
		bspt_release_sample(&w);
	}
}

/* The tangent is perpendicular to a tilted normal, and follows the texture as far as possible. */
static void tangents_lean_with_the_normal(void **state)
{
	static const float normals[][3] = { { 0.6f, 0, 0.8f }, { 0, -0.6f, 0.8f }, { 0.48f, 0.6f, 0.64f }, { 1, 0, 0 } };
	static const double want[][3] = { { 0.8, -0.6, 0 }, { 1, 0, 0 }, { 0.877268, -0.350203, 0.328315 }, { 0, 0, -1 } };
	bspt_written_sample w;
	(void)state;
	w.sample = bspt_sample_make();
	bspscene_section *section = &w.sample->sections[BSPT_SAMPLE_BRICK];
	w.sample->materials[section->material].normal_image = BSPT_SAMPLE_IMAGE_RGBA;
	for (uint32_t v = 0; v < 4; v++) {
		memcpy(w.sample->normals + 3 * (section->first_vertex + v), normals[v], sizeof normals[v]);
	}
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, NULL);
	uint32_t tangent = bspt_accessor_of(&w, BSPT_SAMPLE_BRICK, "TANGENT");
	for (uint32_t v = 0; v < 4; v++) {
		for (uint32_t k = 0; k < 3; k++) bspt_expect_near(bspt_gltf_element(&w.gltf, tangent, v, k), want[v][k]);
	}
	bspt_release_sample(&w);
}

/* A normal map that cannot be decoded is replaced by a flat one, not by the checkerboard. */
static void broken_normals_are_level(void **state)
{
	static const uint8_t level[4] = { 128, 128, 255, 255 };
	bspt_written_sample w;
	(void)state;
	w.sample = bspt_sample_make();
	w.sample->images[BSPT_SAMPLE_IMAGE_UNUSED].size = 20;
	bspscene_material *brick = &w.sample->materials[w.sample->sections[BSPT_SAMPLE_BRICK].material];
	brick->normal_image = BSPT_SAMPLE_IMAGE_UNUSED;
	brick->normal_green_down = true;
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, NULL);
	for (uint32_t i = 0; i < 16; i += 5) check_pixel_of(&w, BSPT_SAMPLE_BRICK, "normalTexture/index", i, level);
	bspt_release_sample(&w);
}

static void other_blendings_become_alpha(void **state)
{
	/* Pixel 1 of the texture is 0, 128, 0. An added picture must show the texture over black: color * alpha. A
	 * modulated picture must show it over white: color * alpha + 1 - alpha. */
	static const uint8_t added[4] = { 0, 255, 0, 128 }, modulated[4] = { 0, 128, 0, 255 };
	static const uint8_t plain[4] = { 0, 128, 0, 128 };
	static const uint8_t added_3[4] = { 64, 64, 255, 255 }, modulated_3[4] = { 0, 0, 255, 191 };
	bspt_written_sample w;
	(void)state;
	bspt_write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
	check_pixel(&w, BSPT_SAMPLE_GRATE, 1, plain);
	check_pixel(&w, BSPT_SAMPLE_GLOW, 1, added);
	check_pixel(&w, BSPT_SAMPLE_GLOW, 3, added_3);
	check_pixel(&w, BSPT_SAMPLE_FILTER, 1, modulated);
	check_pixel(&w, BSPT_SAMPLE_FILTER, 3, modulated_3);
	bspt_release_sample(&w);
}

static void names_without_bytes_leave_materials_without_textures(void **state)
{
	bspt_written_sample w;
	(void)state;
	w.sample = bspt_sample_make();
	for (uint32_t i = 0; i < BSPT_SAMPLE_IMAGES; i++) {
		w.sample->images[i].data = NULL;
		w.sample->images[i].size = 0;
	}
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, NULL);
	assert_null(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "pbrMetallicRoughness/baseColorTexture"));
	assert_string_equal(json_string_value(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "extras/image")),
	                    "textures/sample/floor.png");
	assert_non_null(bspt_material_at(&w, BSPT_SAMPLE_SKY, "pbrMetallicRoughness/baseColorTexture"));
	bspt_release_sample(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_second_texture_and_its_weights_are_kept),
		cmocka_unit_test(layers_and_their_weights_are_kept),
		cmocka_unit_test(layers_upon_the_base_texture_are_named),
		cmocka_unit_test(materials_keep_what_gltf_can_say),
		cmocka_unit_test(what_shines_alone_is_emissive),
		cmocka_unit_test(what_is_brighter_than_white_has_a_strength),
		cmocka_unit_test(material_facts_are_kept_in_extras),
		cmocka_unit_test(pictures_pass_untouched_where_viewers_can_read_them),
		cmocka_unit_test(other_blendings_become_alpha),
		cmocka_unit_test(what_is_opaque_has_no_alpha),
		cmocka_unit_test(normals_point_up_the_picture),
		cmocka_unit_test(tangents_follow_the_texture),
		cmocka_unit_test(tangents_lean_with_the_normal),
		cmocka_unit_test(broken_normals_are_level),
		cmocka_unit_test(names_without_bytes_leave_materials_without_textures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
