/* test_gltf.c - the glTF of a scene says what the scene says: every promise of product 5 in numbers that were
 * computed by hand for support/sample_scene.c. What the specification demands of any file is the validator's
 * business (tests/gltf). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "support/captured.h"
#include "support/sample_scene.h"

#define METRES 0.0254
#define PI 3.14159265358979

typedef struct written {
	bspt_sample *sample;
	bspt_captured captured;
	bspt_gltf gltf;
} written;

static void expect_near(double value, double want)
{
	if (!(fabs(value - want) <= 1e-4 * (1 + fabs(want)))) fail_msg("%.9g instead of %.9g", value, want);
}

static void write_with(written *w, const char *writer, bspscene_write_lighting lighting, const char *file_name)
{
	bspscene_write_options options;
	bspscene_error error;
	bspt_report report = { 0 };
	bspscene_write_options_init(&options);
	options.lighting = lighting;
	options.file_name = file_name;
	bspscene_output output = bspt_capture(&w->captured);
	if (!bspscene_write(&w->sample->scene, writer, &options, &output, &error)) fail_msg("%s", error.message);
	w->gltf = bspt_gltf_open(&w->captured, &report);
	bspt_assert_clean(&report);
}

static void write_sample(written *w, const char *writer, bspscene_write_lighting lighting)
{
	w->sample = bspt_sample_make();
	write_with(w, writer, lighting, NULL);
}

static void release(written *w)
{
	bspt_gltf_close(&w->gltf);
	bspt_captured_free(&w->captured);
	bspt_sample_free(w->sample);
}

static uint32_t accessor_of(const written *w, uint32_t section, const char *attribute)
{
	return (uint32_t)bspt_gltf_number(&w->gltf, "meshes/0/primitives/%u/attributes/%s", section, attribute);
}

static uint32_t material_of(const written *w, uint32_t section)
{
	return (uint32_t)bspt_gltf_number(&w->gltf, "meshes/0/primitives/%u/material", section);
}

static json_t *material_at(const written *w, uint32_t section, const char *path)
{
	return bspt_gltf_at(&w->gltf, "materials/%u/%s", material_of(w, section), path);
}

static double material_number(const written *w, uint32_t section, const char *path)
{
	return bspt_gltf_number(&w->gltf, "materials/%u/%s", material_of(w, section), path);
}

static bool has_attribute(const written *w, uint32_t section, const char *attribute)
{
	return bspt_gltf_at(&w->gltf, "meshes/0/primitives/%u/attributes/%s", section, attribute) != NULL;
}

/* Picture that a texture of a section's material shows. */
static uint32_t image_of(const written *w, uint32_t section, const char *path)
{
	return (uint32_t)bspt_gltf_number(&w->gltf, "textures/%u/source", (uint32_t)material_number(w, section, path));
}

/* ---- Geometry --------------------------------------------------------------------------------------------- */

static void geometry_is_in_metres_with_y_up(void **state)
{
	written w;
	(void)state;
	write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTMAP);
	for (uint32_t section = 0; section < BSPT_SAMPLE_SECTIONS; section++) {
		uint32_t position = accessor_of(&w, section, "POSITION"), normal = accessor_of(&w, section, "NORMAL");
		bool inside = section == BSPT_SAMPLE_INSIDE;
		/* The third corner is at (64 * (section + 1), 64, 8 * section) in the game. */
		expect_near(bspt_gltf_element(&w.gltf, position, 2, 0), 64 * (section + 1) * METRES);
		expect_near(bspt_gltf_element(&w.gltf, position, 2, 1), 8 * section * METRES);
		expect_near(bspt_gltf_element(&w.gltf, position, 2, 2), -64 * METRES);
		expect_near(bspt_gltf_number(&w.gltf, "accessors/%u/min/2", position), -64 * METRES);
		expect_near(bspt_gltf_number(&w.gltf, "accessors/%u/max/0", position), 64 * (section + 1) * METRES);
		expect_near(bspt_gltf_element(&w.gltf, normal, 0, 1), inside ? -1 : 1);
		uint32_t uv = accessor_of(&w, section, "TEXCOORD_0");
		expect_near(bspt_gltf_element(&w.gltf, uv, 2, 1), 1);
		uint32_t indices = (uint32_t)bspt_gltf_number(&w.gltf, "meshes/0/primitives/%u/indices", section);
		assert_int_equal(bspt_gltf_number(&w.gltf, "accessors/%u/componentType", indices), 5123);
		const uint32_t up[6] = { 0, 1, 2, 0, 2, 3 }, down[6] = { 2, 1, 0, 3, 2, 0 };
		for (uint32_t i = 0; i < 6; i++) {
			assert_int_equal(bspt_gltf_element(&w.gltf, indices, i, 0), (inside ? down : up)[i]);
		}
	}
	release(&w);
}

static void triangles_without_area_and_unseen_meshes_are_left_out(void **state)
{
	written w;
	(void)state;
	write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTMAP);
	assert_int_equal(json_array_size(bspt_gltf_at(&w.gltf, "meshes")), 2);
	uint32_t indices = (uint32_t)bspt_gltf_number(&w.gltf, "meshes/1/primitives/0/indices");
	const uint32_t want[6] = { 0, 1, 2, 0, 2, 3 };
	assert_int_equal(bspt_gltf_number(&w.gltf, "accessors/%u/count", indices), 6);
	for (uint32_t i = 0; i < 6; i++) assert_int_equal(bspt_gltf_element(&w.gltf, indices, i, 0), want[i]);
	assert_null(bspt_gltf_at(&w.gltf, "nodes/%u/mesh", BSPT_SAMPLE_NODE_EMPTY));
	release(&w);
}

static void large_sections_get_wide_indices(void **state)
{
	enum { COUNT = 65536 };
	static float zeros[3 * COUNT], normals[3 * COUNT];
	static const uint32_t indices[6] = { 0, 1, COUNT - 1, 2, 3, 4 };
	written w;
	(void)state;
	w.sample = bspt_sample_make();
	bspscene_mesh *mesh = &w.sample->meshes[1];
	mesh->vertex_count = COUNT;
	mesh->index_count = 6;
	mesh->positions = zeros;
	mesh->normals = normals;           /* no direction at all: still written with unit length */
	mesh->uvs = zeros;
	mesh->colors = NULL;
	mesh->indices = indices;
	w.sample->sections[BSPT_SAMPLE_SECTIONS].vertex_count = COUNT;
	w.sample->sections[BSPT_SAMPLE_SECTIONS].index_count = 6;
	write_with(&w, "glb", BSPSCENE_WRITE_LIGHTMAP, NULL);
	uint32_t wide = (uint32_t)bspt_gltf_number(&w.gltf, "meshes/1/primitives/0/indices");
	uint32_t normal = (uint32_t)bspt_gltf_number(&w.gltf, "meshes/1/primitives/0/attributes/NORMAL");
	assert_int_equal(bspt_gltf_number(&w.gltf, "accessors/%u/componentType", wide), 5125);
	assert_int_equal(bspt_gltf_element(&w.gltf, wide, 2, 0), COUNT - 1);
	expect_near(bspt_gltf_element(&w.gltf, normal, COUNT - 1, 1), 1);
	assert_null(bspt_gltf_at(&w.gltf, "meshes/1/primitives/0/attributes/COLOR_0"));
	release(&w);
}

/* ---- Light ------------------------------------------------------------------------------------------------ */

static double linear(double display)
{
	return display <= 0.04045 ? display / 12.92 : pow((display + 0.055) / 1.055, 2.4);
}

static void pages_are_named_by_materials(void **state)
{
	static const uint32_t lit[] = {
		BSPT_SAMPLE_BRICK, BSPT_SAMPLE_BRICK_2, BSPT_SAMPLE_LAMP, BSPT_SAMPLE_TERRAIN, BSPT_SAMPLE_INSIDE,
	};
	static const uint32_t unlit[] = {
		BSPT_SAMPLE_GRATE, BSPT_SAMPLE_SKY, BSPT_SAMPLE_SHADOW, BSPT_SAMPLE_GLOW, BSPT_SAMPLE_FILTER,
	};
	written w;
	(void)state;
	write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTMAP);
	for (size_t i = 0; i < sizeof lit / sizeof *lit; i++) {
		/* 2 in display space. */
		expect_near(material_number(&w, lit[i], "extensions/MOZ_lightmap/intensity"), pow(2, 2.2));
		assert_int_equal(material_number(&w, lit[i], "extensions/MOZ_lightmap/texCoord"), 1);
		uint32_t uv = accessor_of(&w, lit[i], "TEXCOORD_1");
		expect_near(bspt_gltf_element(&w.gltf, uv, 1, 0), 2.5 / 4);
		expect_near(bspt_gltf_element(&w.gltf, uv, 1, 1), 1.5 / 4);
	}
	for (size_t i = 0; i < sizeof unlit / sizeof *unlit; i++) {
		assert_null(material_at(&w, unlit[i], "extensions/MOZ_lightmap"));
		assert_false(has_attribute(&w, unlit[i], "TEXCOORD_1"));
	}
	/* One material on two pages is two materials. */
	assert_int_not_equal(material_of(&w, BSPT_SAMPLE_BRICK), material_of(&w, BSPT_SAMPLE_BRICK_2));
	assert_int_not_equal(image_of(&w, BSPT_SAMPLE_BRICK, "extensions/MOZ_lightmap/index"),
	                     image_of(&w, BSPT_SAMPLE_BRICK_2, "extensions/MOZ_lightmap/index"));
	assert_int_equal(image_of(&w, BSPT_SAMPLE_BRICK, "extensions/MOZ_lightmap/index"),
	                 image_of(&w, BSPT_SAMPLE_LAMP, "extensions/MOZ_lightmap/index"));
	uint32_t sampler = (uint32_t)bspt_gltf_number(&w.gltf, "textures/%u/sampler",
		(uint32_t)material_number(&w, BSPT_SAMPLE_BRICK, "extensions/MOZ_lightmap/index"));
	assert_int_equal(bspt_gltf_number(&w.gltf, "samplers/%u/wrapS", sampler), 33071);
	assert_int_equal(bspt_gltf_number(&w.gltf, "samplers/%u/minFilter", sampler), 9729);
	release(&w);
}

static void pages_are_written_luxel_for_luxel(void **state)
{
	written w;
	bspscene_pixels pixels;
	(void)state;
	write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTMAP);
	bspt_bytes png = bspt_gltf_image(&w.gltf, image_of(&w, BSPT_SAMPLE_BRICK_2, "extensions/MOZ_lightmap/index"));
	bspscene_image image = { .format = BSPSCENE_IMAGE_PNG, .data = png.data, .size = png.size };
	assert_true(bspscene_image_decode(&image, &pixels, NULL));
	assert_int_equal(pixels.width, 4);
	for (uint32_t i = 0; i < 16; i++) {
		assert_memory_equal(pixels.data + 4 * i, w.sample->luxels[1] + 3 * i, 3);
		assert_int_equal(pixels.data[4 * i + 3], 255);
	}
	bspscene_pixels_free(&pixels);
	release(&w);
}

/* 0x4200 is 3 as a half float, 0x3800 is 0.5. */
static void hdr_pages_are_scaled_into_their_picture(void **state)
{
	static uint16_t halfs[4 * 4 * 3];
	written w;
	bspscene_pixels pixels;
	(void)state;
	w.sample = bspt_sample_make();
	for (size_t i = 0; i < 48; i++) halfs[i] = i % 3 ? 0x3800 : 0x4200;
	w.sample->pages[0] = (bspscene_page){ 4, 4, BSPSCENE_PAGE_RGB16F, halfs };
	w.sample->pages[1] = (bspscene_page){ 4, 4, BSPSCENE_PAGE_RGB16F, NULL };
	w.sample->page_sets[0].intensity = 1;
	write_with(&w, "glb", BSPSCENE_WRITE_LIGHTMAP, NULL);
	expect_near(material_number(&w, BSPT_SAMPLE_BRICK, "extensions/MOZ_lightmap/intensity"), 3);
	expect_near(material_number(&w, BSPT_SAMPLE_BRICK_2, "extensions/MOZ_lightmap/intensity"), 1);
	bspt_bytes png = bspt_gltf_image(&w.gltf, image_of(&w, BSPT_SAMPLE_BRICK, "extensions/MOZ_lightmap/index"));
	bspscene_image image = { .format = BSPSCENE_IMAGE_PNG, .data = png.data, .size = png.size };
	assert_true(bspscene_image_decode(&image, &pixels, NULL));
	assert_int_equal(pixels.data[0], 255);
	assert_true(fabs(3 * linear(pixels.data[1] / 255.0) - 0.5) < 0.01);
	bspscene_pixels_free(&pixels);
	release(&w);
}

static void light_of_the_game_is_not_lit_again(void **state)
{
	static const struct { bspscene_write_lighting lighting; uint32_t section; bool unlit; } cases[] = {
		{ BSPSCENE_WRITE_LIGHTMAP, BSPT_SAMPLE_BRICK, false }, { BSPSCENE_WRITE_LIGHTMAP, BSPT_SAMPLE_GRATE, true },
		{ BSPSCENE_WRITE_LIGHTMAP, BSPT_SAMPLE_SKY, true }, { BSPSCENE_WRITE_LIGHTMAP, BSPT_SAMPLE_GLOW, true },
		{ BSPSCENE_WRITE_LIGHTMAP, BSPT_SAMPLE_SHADOW, true }, { BSPSCENE_WRITE_LIGHTMAP, BSPT_SAMPLE_LAMP, false },
		{ BSPSCENE_WRITE_VERTEX, BSPT_SAMPLE_BRICK, true }, { BSPSCENE_WRITE_VERTEX, BSPT_SAMPLE_LAMP, true },
		{ BSPSCENE_WRITE_NO_LIGHT, BSPT_SAMPLE_BRICK, false }, { BSPSCENE_WRITE_NO_LIGHT, BSPT_SAMPLE_GRATE, false },
		{ BSPSCENE_WRITE_NO_LIGHT, BSPT_SAMPLE_SKY, true }, { BSPSCENE_WRITE_NO_LIGHT, BSPT_SAMPLE_LAMP, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		written w;
		write_sample(&w, "glb", cases[i].lighting);
		bool unlit = material_at(&w, cases[i].section, "extensions/KHR_materials_unlit") != NULL;
		assert_int_equal(unlit, cases[i].unlit);
		release(&w);
	}
}

static void vertices_are_coloured_only_where_light_or_alpha_is_in_them(void **state)
{
	written w;
	(void)state;
	write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTMAP);
	for (uint32_t section = 0; section < BSPT_SAMPLE_SECTIONS; section++) {
		bool want = section == BSPT_SAMPLE_GRATE || section == BSPT_SAMPLE_SHADOW || section == BSPT_SAMPLE_TERRAIN;
		assert_int_equal(has_attribute(&w, section, "COLOR_0"), want);
	}
	/* Vertex light: 120 of 255 in red, doubled by the pages' intensity, in linear light. */
	uint32_t grate = accessor_of(&w, BSPT_SAMPLE_GRATE, "COLOR_0");
	expect_near(bspt_gltf_element(&w.gltf, grate, 2, 0), linear(120 / 255.0) * pow(2, 2.2));
	expect_near(bspt_gltf_element(&w.gltf, grate, 2, 3), 1);
	/* Alpha of the vertices, no light: that is in the page. */
	uint32_t terrain = accessor_of(&w, BSPT_SAMPLE_TERRAIN, "COLOR_0");
	expect_near(bspt_gltf_element(&w.gltf, terrain, 2, 0), 1);
	expect_near(bspt_gltf_element(&w.gltf, terrain, 2, 3), 170 / 255.0);
	uint32_t shadow = accessor_of(&w, BSPT_SAMPLE_SHADOW, "COLOR_0");
	expect_near(bspt_gltf_element(&w.gltf, shadow, 0, 0), 0);
	expect_near(bspt_gltf_element(&w.gltf, shadow, 0, 3), 1);
	release(&w);
}

static void light_is_baked_into_vertices_on_request(void **state)
{
	written w;
	(void)state;
	write_sample(&w, "glb", BSPSCENE_WRITE_VERTEX);
	/* The first corner is the centre of luxel (1, 1), number 5: red 85, green 170, blue 0; on page 1 blue is 255. */
	uint32_t color = accessor_of(&w, BSPT_SAMPLE_BRICK, "COLOR_0");
	expect_near(bspt_gltf_element(&w.gltf, color, 0, 0), linear(85 / 255.0) * pow(2, 2.2));
	expect_near(bspt_gltf_element(&w.gltf, color, 0, 1), 1);
	expect_near(bspt_gltf_element(&w.gltf, color, 0, 2), 0);
	color = accessor_of(&w, BSPT_SAMPLE_BRICK_2, "COLOR_0");
	expect_near(bspt_gltf_element(&w.gltf, color, 0, 2), 1);
	assert_int_equal(material_of(&w, BSPT_SAMPLE_BRICK), material_of(&w, BSPT_SAMPLE_BRICK_2));
	assert_false(has_attribute(&w, BSPT_SAMPLE_BRICK, "TEXCOORD_1"));
	assert_null(material_at(&w, BSPT_SAMPLE_BRICK, "extensions/MOZ_lightmap"));
	release(&w);

	write_sample(&w, "glb", BSPSCENE_WRITE_NO_LIGHT);
	for (uint32_t section = 0; section < BSPT_SAMPLE_SECTIONS; section++) {
		assert_int_equal(has_attribute(&w, section, "COLOR_0"), section == BSPT_SAMPLE_TERRAIN);
		assert_false(has_attribute(&w, section, "TEXCOORD_1"));
	}
	release(&w);
}

static void light_between_luxels_is_filtered(void **state)
{
	written w;
	(void)state;
	w.sample = bspt_sample_make();
	w.sample->lightmap_uvs[0] = w.sample->lightmap_uvs[1] = 2.0f / 4; /* between luxels 5, 6, 9 and 10 */
	w.sample->lightmap_uvs[2] = -1;                                  /* far outside: the border */
	w.sample->lightmap_uvs[3] = 7;
	w.sample->page_sets[0].intensity = 1;
	write_with(&w, "glb", BSPSCENE_WRITE_VERTEX, NULL);
	uint32_t color = accessor_of(&w, BSPT_SAMPLE_BRICK, "COLOR_0");
	expect_near(bspt_gltf_element(&w.gltf, color, 0, 0), linear(17 * 7.5 / 255));
	expect_near(bspt_gltf_element(&w.gltf, color, 1, 0), linear(17 * 12 / 255.0));
	release(&w);
}

/* ---- Materials -------------------------------------------------------------------------------------------- */

static void materials_keep_what_gltf_can_say(void **state)
{
	written w;
	(void)state;
	write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTMAP);
	assert_null(material_at(&w, BSPT_SAMPLE_BRICK, "alphaMode"));
	assert_string_equal(json_string_value(material_at(&w, BSPT_SAMPLE_GRATE, "alphaMode")), "MASK");
	expect_near(material_number(&w, BSPT_SAMPLE_GRATE, "alphaCutoff"), 0.25);
	assert_true(json_is_true(material_at(&w, BSPT_SAMPLE_GRATE, "doubleSided")));
	assert_string_equal(json_string_value(material_at(&w, BSPT_SAMPLE_GLOW, "alphaMode")), "BLEND");
	assert_string_equal(json_string_value(material_at(&w, BSPT_SAMPLE_INSIDE, "alphaMode")), "BLEND");
	expect_near(material_number(&w, BSPT_SAMPLE_INSIDE, "pbrMetallicRoughness/baseColorFactor/0"), linear(0.5));
	expect_near(material_number(&w, BSPT_SAMPLE_INSIDE, "pbrMetallicRoughness/baseColorFactor/3"), 0.5);
	const char *transform = "pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform";
	assert_null(material_at(&w, BSPT_SAMPLE_BRICK, transform));
	json_t *moved = material_at(&w, BSPT_SAMPLE_INSIDE, transform);
	expect_near(json_number_value(json_array_get(json_object_get(moved, "scale"), 0)), 2);
	expect_near(json_number_value(json_array_get(json_object_get(moved, "offset"), 1)), 0.25);
	expect_near(material_number(&w, BSPT_SAMPLE_LAMP, "emissiveFactor/0"), 1);
	expect_near(material_number(&w, BSPT_SAMPLE_LAMP, "extensions/KHR_materials_emissive_strength/emissiveStrength"),
	            linear(2));
	assert_non_null(material_at(&w, BSPT_SAMPLE_LAMP, "emissiveTexture"));
	assert_int_equal(material_number(&w, BSPT_SAMPLE_BRICK, "pbrMetallicRoughness/metallicFactor"), 0);

	uint32_t repeat = (uint32_t)bspt_gltf_number(&w.gltf, "textures/%u/sampler",
		(uint32_t)material_number(&w, BSPT_SAMPLE_BRICK, "pbrMetallicRoughness/baseColorTexture/index"));
	uint32_t clamp = (uint32_t)bspt_gltf_number(&w.gltf, "textures/%u/sampler",
		(uint32_t)material_number(&w, BSPT_SAMPLE_INSIDE, "pbrMetallicRoughness/baseColorTexture/index"));
	assert_int_equal(bspt_gltf_number(&w.gltf, "samplers/%u/wrapT", repeat), 10497);
	assert_int_equal(bspt_gltf_number(&w.gltf, "samplers/%u/wrapT", clamp), 33071);
	release(&w);
}

static void material_facts_are_kept_in_extras(void **state)
{
	written w;
	(void)state;
	write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTMAP);
	assert_string_equal(json_string_value(material_at(&w, BSPT_SAMPLE_BRICK, "extras/name")), "textures/sample/brick");
	assert_int_equal(material_number(&w, BSPT_SAMPLE_BRICK, "extras/surfaceFlags"), 0x1000);
	assert_int_equal(material_number(&w, BSPT_SAMPLE_BRICK, "extras/contentFlags"), 1);
	assert_string_equal(json_string_value(material_at(&w, BSPT_SAMPLE_BRICK, "extras/sourceFile")),
	                    "scripts/sample.shader");
	assert_int_equal(material_number(&w, BSPT_SAMPLE_BRICK, "extras/sourceLine"), 12);
	assert_int_equal(material_number(&w, BSPT_SAMPLE_BRICK_2, "extras/lightmapPage"), 1);
	assert_string_equal(json_string_value(material_at(&w, BSPT_SAMPLE_BRICK, "extras/image")),
	                    "textures/sample/floor.png");
	assert_true(json_is_true(material_at(&w, BSPT_SAMPLE_SKY, "extras/missing")));
	assert_string_equal(json_string_value(material_at(&w, BSPT_SAMPLE_SKY, "extras/kind")), "sky");
	assert_string_equal(json_string_value(material_at(&w, BSPT_SAMPLE_SHADOW, "extras/lighting")), "black");
	assert_string_equal(json_string_value(material_at(&w, BSPT_SAMPLE_GLOW, "extras/blend")), "add");
	assert_string_equal(json_string_value(material_at(&w, BSPT_SAMPLE_FILTER, "extras/blend")), "modulate");
	expect_near(material_number(&w, BSPT_SAMPLE_GLOW, "extras/scroll/0"), 0.5);
	expect_near(material_number(&w, BSPT_SAMPLE_LAMP, "extras/surfaceLight"), 1500);
	expect_near(material_number(&w, BSPT_SAMPLE_TERRAIN, "extras/animation/framesPerSecond"), 4);
	assert_int_equal(json_array_size(material_at(&w, BSPT_SAMPLE_TERRAIN, "extras/animation/frames")), 2);
	assert_string_equal(bspt_gltf_text(&w.gltf, "meshes/0/primitives/%d/extras/include", BSPT_SAMPLE_SKY), "sky");
	assert_int_equal(bspt_gltf_number(&w.gltf, "meshes/0/primitives/0/extras/fog"), 0);
	assert_null(bspt_gltf_at(&w.gltf, "meshes/0/primitives/1/extras"));
	release(&w);
}

/* ---- Pictures --------------------------------------------------------------------------------------------- */

static void pictures_pass_untouched_where_viewers_can_read_them(void **state)
{
	written w;
	(void)state;
	write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTMAP);
	const char *base = "pbrMetallicRoughness/baseColorTexture/index";
	uint32_t brick = image_of(&w, BSPT_SAMPLE_BRICK, base), lamp = image_of(&w, BSPT_SAMPLE_LAMP, base);
	uint32_t inside = image_of(&w, BSPT_SAMPLE_INSIDE, base), grate = image_of(&w, BSPT_SAMPLE_GRATE, base);
	bspt_bytes png = bspt_gltf_image(&w.gltf, brick), jpeg = bspt_gltf_image(&w.gltf, lamp);
	assert_int_equal(png.size, w.sample->png.size);
	assert_memory_equal(png.data, w.sample->png.data, png.size);
	assert_string_equal(bspt_gltf_text(&w.gltf, "images/%u/mimeType", brick), "image/png");
	const bspscene_image *source = &w.sample->images[BSPT_SAMPLE_IMAGE_JPEG];
	assert_int_equal(jpeg.size, source->size);
	assert_memory_equal(jpeg.data, source->data, jpeg.size);
	assert_string_equal(bspt_gltf_text(&w.gltf, "images/%u/mimeType", lamp), "image/jpeg");
	/* Four-channel JPEG and plain pixels become PNG. */
	assert_string_equal(bspt_gltf_text(&w.gltf, "images/%u/mimeType", inside), "image/png");
	assert_string_equal(bspt_gltf_text(&w.gltf, "images/%u/mimeType", grate), "image/png");
	/* Missing images share one checkerboard; what nothing shows is not there. */
	assert_int_equal(image_of(&w, BSPT_SAMPLE_SKY, base), image_of(&w, BSPT_SAMPLE_TERRAIN, base));
	assert_int_equal(json_array_size(bspt_gltf_at(&w.gltf, "images")), 9);
	release(&w);
}

static void check_pixel_of(const written *w, uint32_t section, const char *texture, uint32_t pixel, const uint8_t want[4])
{
	bspscene_pixels pixels;
	bspt_bytes png = bspt_gltf_image(&w->gltf, image_of(w, section, texture));
	bspscene_image image = { .format = BSPSCENE_IMAGE_PNG, .data = png.data, .size = png.size };
	assert_true(bspscene_image_decode(&image, &pixels, NULL));
	assert_memory_equal(pixels.data + 4 * pixel, want, 4);
	bspscene_pixels_free(&pixels);
}

static void check_pixel(const written *w, uint32_t section, uint32_t pixel, const uint8_t want[4])
{
	check_pixel_of(w, section, "pbrMetallicRoughness/baseColorTexture/index", pixel, want);
}

/* glTF's green points up. Where the game's does too, the picture is its own; alpha masks
 * reflections and is left out. */
static void normals_point_up_the_picture(void **state)
{
	static const uint8_t turned[2][4] = { { 255, 255, 0, 255 }, { 0, 127, 0, 255 } };
	written w;
	(void)state;
	w.sample = bspt_sample_make();
	bspscene_material *materials = w.sample->materials;
	bspscene_material *brick = &materials[w.sample->sections[BSPT_SAMPLE_BRICK].material];
	bspscene_material *lamp = &materials[w.sample->sections[BSPT_SAMPLE_LAMP].material];
	brick->normal_image = BSPT_SAMPLE_IMAGE_RGBA;
	brick->normal_green_down = true;
	lamp->normal_image = BSPT_SAMPLE_IMAGE_PNG;
	materials[w.sample->sections[BSPT_SAMPLE_GRATE].material].normal_image = BSPT_SAMPLE_IMAGE_PNG;
	write_with(&w, "glb", BSPSCENE_WRITE_LIGHTMAP, NULL);
	for (uint32_t i = 0; i < 2; i++) check_pixel_of(&w, BSPT_SAMPLE_BRICK, "normalTexture/index", i, turned[i]);
	bspt_bytes png = bspt_gltf_image(&w.gltf, image_of(&w, BSPT_SAMPLE_LAMP, "normalTexture/index"));
	assert_int_equal(png.size, w.sample->png.size);
	assert_null(material_at(&w, BSPT_SAMPLE_GRATE, "normalTexture")); /* unlit */
	assert_false(has_attribute(&w, BSPT_SAMPLE_GRATE, "TANGENT"));
	release(&w);
}

/* u grows along tangent, and v against cross(normal, tangent) * w, as it is looked up: scaled, turned or mirrored. The
 * square's u is the game's x and the file's; its v is the game's y, the file's -z; its normal the file's y. */
static void tangents_follow_the_texture(void **state)
{
	static const struct { float scale[2], rotation, want[4]; } cases[] = {
		{ { 1, 1 }, 0, { 1, 0, 0, -1 } },
		{ { -2, 1 }, 0, { -1, 0, 0, 1 } },
		{ { 1, -3 }, 0, { 1, 0, 0, 1 } },
		/* Turned by a right angle, u' is -v. */
		{ { 1, 1 }, 1.5707963f, { 0, 0, 1, -1 } },
		/* A texture of one texel has no direction; any on the surface will do. */
		{ { 0, 0 }, 0, { 1, 0, 0, 1 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		written w;
		w.sample = bspt_sample_make();
		bspscene_material *brick = &w.sample->materials[w.sample->sections[BSPT_SAMPLE_BRICK].material];
		brick->normal_image = BSPT_SAMPLE_IMAGE_RGBA;
		brick->uv_rotation = cases[i].rotation;
		memcpy(brick->uv_scale, cases[i].scale, sizeof cases[i].scale);
		write_with(&w, "glb", BSPSCENE_WRITE_LIGHTMAP, NULL);
		uint32_t tangent = accessor_of(&w, BSPT_SAMPLE_BRICK, "TANGENT");
		for (uint32_t v = 0; v < 4; v++) {
			for (uint32_t k = 0; k < 4; k++) expect_near(bspt_gltf_element(&w.gltf, tangent, v, k), (double)cases[i].want[k]);
		}
		release(&w);
	}
}

/* Normals that cannot be decoded are level, no checkerboard of slopes. */
static void broken_normals_are_level(void **state)
{
	static const uint8_t level[4] = { 128, 128, 255, 255 };
	written w;
	(void)state;
	w.sample = bspt_sample_make();
	w.sample->images[BSPT_SAMPLE_IMAGE_UNUSED].size = 20;
	bspscene_material *brick = &w.sample->materials[w.sample->sections[BSPT_SAMPLE_BRICK].material];
	brick->normal_image = BSPT_SAMPLE_IMAGE_UNUSED;
	brick->normal_green_down = true;
	write_with(&w, "glb", BSPSCENE_WRITE_LIGHTMAP, NULL);
	for (uint32_t i = 0; i < 64; i += 9) check_pixel_of(&w, BSPT_SAMPLE_BRICK, "normalTexture/index", i, level);
	release(&w);
}

static void other_blendings_become_alpha(void **state)
{
	/* Pixel 1 is 0, 128, 0. Over black, colour * alpha is the texture; over white, colour * alpha + 1 - alpha is. */
	static const uint8_t added[4] = { 0, 255, 0, 128 }, modulated[4] = { 0, 128, 0, 255 };
	static const uint8_t plain[4] = { 0, 128, 0, 128 };
	static const uint8_t added_3[4] = { 64, 64, 255, 255 }, modulated_3[4] = { 0, 0, 255, 191 };
	written w;
	(void)state;
	write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTMAP);
	check_pixel(&w, BSPT_SAMPLE_GRATE, 1, plain);
	check_pixel(&w, BSPT_SAMPLE_GLOW, 1, added);
	check_pixel(&w, BSPT_SAMPLE_GLOW, 3, added_3);
	check_pixel(&w, BSPT_SAMPLE_FILTER, 1, modulated);
	check_pixel(&w, BSPT_SAMPLE_FILTER, 3, modulated_3);
	release(&w);
}

static void names_without_bytes_leave_materials_without_textures(void **state)
{
	written w;
	(void)state;
	w.sample = bspt_sample_make();
	for (uint32_t i = 0; i < BSPT_SAMPLE_IMAGES; i++) {
		w.sample->images[i].data = NULL;
		w.sample->images[i].size = 0;
	}
	write_with(&w, "glb", BSPSCENE_WRITE_LIGHTMAP, NULL);
	assert_null(material_at(&w, BSPT_SAMPLE_BRICK, "pbrMetallicRoughness/baseColorTexture"));
	assert_string_equal(json_string_value(material_at(&w, BSPT_SAMPLE_BRICK, "extras/image")),
	                    "textures/sample/floor.png");
	assert_non_null(material_at(&w, BSPT_SAMPLE_SKY, "pbrMetallicRoughness/baseColorTexture"));
	release(&w);
}

/* ---- Nodes ------------------------------------------------------------------------------------------------ */

typedef struct vector { double x, y, z; } vector;

static vector rotate(const written *w, const char *node, vector v)
{
	double q[4] = { 0, 0, 0, 1 };
	json_t *rotation = bspt_gltf_at(&w->gltf, "nodes/%s/rotation", node);
	for (size_t i = 0; rotation && i < 4; i++) q[i] = json_number_value(json_array_get(rotation, i));
	vector c = { q[1] * v.z - q[2] * v.y, q[2] * v.x - q[0] * v.z, q[0] * v.y - q[1] * v.x };
	vector d = { q[1] * c.z - q[2] * c.y, q[2] * c.x - q[0] * c.z, q[0] * c.y - q[1] * c.x };
	return (vector){ v.x + 2 * (q[3] * c.x + d.x), v.y + 2 * (q[3] * c.y + d.y), v.z + 2 * (q[3] * c.z + d.z) };
}

static void expect_direction(vector v, double x, double y, double z)
{
	expect_near(v.x, x);
	expect_near(v.y, y);
	expect_near(v.z, z);
}

static const vector forward = { 0, 0, -1 }, up = { 0, 1, 0 };

static void the_tree_is_kept(void **state)
{
	written w;
	(void)state;
	write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTMAP);
	assert_int_equal(bspt_gltf_number(&w.gltf, "scenes/0/nodes/0"), BSPT_SAMPLE_NODE_ROOT);
	assert_int_equal(json_array_size(bspt_gltf_at(&w.gltf, "nodes/0/children")), BSPT_SAMPLE_NODES - 2);
	assert_int_equal(bspt_gltf_number(&w.gltf, "nodes/%d/children/0", BSPT_SAMPLE_NODE_SPOT), BSPT_SAMPLE_NODE_CHILD);
	for (uint32_t i = 0; i < BSPT_SAMPLE_NODES; i++) {
		assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/%u/name", i), w.sample->nodes[i].name);
	}
	/* The door: a quarter turn to the left (counter-clockwise seen from above), twice as high, at (10, 20, 30). */
	expect_near(bspt_gltf_number(&w.gltf, "nodes/2/translation/0"), 10 * METRES);
	expect_near(bspt_gltf_number(&w.gltf, "nodes/2/translation/1"), 30 * METRES);
	expect_near(bspt_gltf_number(&w.gltf, "nodes/2/translation/2"), -20 * METRES);
	expect_near(bspt_gltf_number(&w.gltf, "nodes/2/scale/1"), 2);
	expect_near(bspt_gltf_number(&w.gltf, "nodes/2/scale/0"), 1);
	expect_direction(rotate(&w, "2", (vector){ 1, 0, 0 }), 0, 0, -1);
	expect_direction(rotate(&w, "2", up), 0, 1, 0);
	assert_null(bspt_gltf_at(&w.gltf, "nodes/0/translation"));
	assert_null(bspt_gltf_at(&w.gltf, "nodes/0/rotation"));
	release(&w);
}

static void mirrored_nodes_stay_mirrored(void **state)
{
	static const float mirror[12] = { -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 };
	static const double axes[3][3] = { { -1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	written w;
	(void)state;
	w.sample = bspt_sample_make();
	memcpy(w.sample->nodes[BSPT_SAMPLE_NODE_DOOR].transform, mirror, sizeof mirror);
	write_with(&w, "glb", BSPSCENE_WRITE_LIGHTMAP, NULL);
	for (int i = 0; i < 3; i++) {
		double scale = bspt_gltf_number(&w.gltf, "nodes/2/scale/%d", i);
		vector axis = { i == 0 ? scale : 0, i == 1 ? scale : 0, i == 2 ? scale : 0 };
		expect_direction(rotate(&w, "2", axis), axes[i][0], axes[i][1], axes[i][2]);
	}
	release(&w);
}

static void lights_and_cameras_look_where_the_game_does(void **state)
{
	written w;
	(void)state;
	write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTMAP);
	/* The sun shines down. The spot does too, but has a child, so another node looks for it. */
	expect_direction(rotate(&w, "5", forward), 0, -1, 0);
	expect_direction(rotate(&w, "4", (vector){ 1, 0, 0 }), 0, -1, 0);
	assert_null(bspt_gltf_at(&w.gltf, "nodes/4/extensions"));
	char child[16];
	snprintf(child, sizeof child, "%d", (int)bspt_gltf_number(&w.gltf, "nodes/4/children/1"));
	assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/%s/name", child), "light_spot.light");
	assert_non_null(bspt_gltf_at(&w.gltf, "nodes/%s/extensions/KHR_lights_punctual", child));
	expect_direction(rotate(&w, child, forward), 1, 0, 0);
	/* The camera looks along the game's +Y, which is -Z, upright. */
	expect_direction(rotate(&w, "7", forward), 0, 0, -1);
	expect_direction(rotate(&w, "7", up), 0, 1, 0);
	expect_near(bspt_gltf_number(&w.gltf, "cameras/0/perspective/yfov"), 2 * atan(0.75));
	release(&w);
}

static void lights_have_units(void **state)
{
	written w;
	(void)state;
	write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTMAP);
	const char *lights = "extensions/KHR_lights_punctual/lights";
	assert_int_equal(json_array_size(bspt_gltf_at(&w.gltf, "%s", lights)), 3);
	assert_string_equal(bspt_gltf_text(&w.gltf, "%s/0/type", lights), "point");
	/* 7500 * 300 / d^2 luxel steps, 4 times brighter in display: white (255) at d^2 = 7500 * 300 * 4 / 255. */
	expect_near(bspt_gltf_number(&w.gltf, "%s/0/intensity", lights), PI * 7500.0 * 300 * 4 / 255 * METRES * METRES);
	expect_near(bspt_gltf_number(&w.gltf, "%s/0/color/1", lights), linear(0.5));
	assert_string_equal(bspt_gltf_text(&w.gltf, "%s/1/type", lights), "spot");
	expect_near(bspt_gltf_number(&w.gltf, "%s/1/spot/outerConeAngle", lights), PI / 6);
	assert_true(bspt_gltf_number(&w.gltf, "%s/1/spot/innerConeAngle", lights) < PI / 6);
	expect_near(bspt_gltf_number(&w.gltf, "%s/1/range", lights), 400 * METRES);
	assert_string_equal(bspt_gltf_text(&w.gltf, "%s/2/type", lights), "directional");
	expect_near(bspt_gltf_number(&w.gltf, "%s/2/intensity", lights), PI * pow(4, 2.2));
	assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/6/extras/bspscene/light/kind"), "surface");
	assert_null(bspt_gltf_at(&w.gltf, "nodes/6/extensions"));
	release(&w);
}

static void entities_are_kept_in_extras(void **state)
{
	written w;
	(void)state;
	write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTMAP);
	assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/1/extras/classname"), "worldspawn");
	assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/1/extras/message/0"), "first \"line\"\nand second");
	assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/1/extras/message/2"), "and again");
	assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/1/extras/_gr\xc3\xb6\xc3\x9f" "e"), "12");
	assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/2/extras/angle"), "90");
	assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/2/extras/bspscene/target"), "light:2");
	assert_int_equal(bspt_gltf_number(&w.gltf, "nodes/2/extras/bspscene/model"), 1);
	static const char prop[] = "{\"model\": \"models/barrel.md3\", \"static\": true, \"color\": [1.0, 0.5, 1.0, 1.0], \"solid\": 6, "
		"\"flags\": 3, \"fade\": [100.0, 200.0], \"fadeScale\": 0.5, \"lightingOrigin\": [1.0, 2.0, 3.0], \"dxLevels\": [0, 90]}";
	json_t *wanted = json_loads(prop, 0, NULL);
	assert_true(wanted && json_equal(bspt_gltf_at(&w.gltf, "nodes/8/extras/bspscene/prop"), wanted));
	json_decref(wanted);
	assert_true(json_is_true(bspt_gltf_at(&w.gltf, "nodes/9/extras/bspscene/hidden")));
	assert_string_equal(bspt_gltf_text(&w.gltf, "nodes/9/extras/bspscene/material"), "textures/sample/glow");
	/* Keys in the order of the file. */
	const char *want[] = { "classname", "message", w.sample->pairs[4].key, "bspscene" }, *key;
	json_t *value;
	size_t i = 0;
	json_object_foreach(bspt_gltf_at(&w.gltf, "nodes/1/extras"), key, value) assert_string_equal(key, want[i++]);
	assert_string_equal(bspt_gltf_text(&w.gltf, "asset/generator"), "bspscene " BSPSCENE_VERSION_STRING);
	assert_string_equal(bspt_gltf_text(&w.gltf, "asset/extras/family"), "quake3");
	assert_string_equal(bspt_gltf_text(&w.gltf, "asset/extras/map"), "sample");
	expect_near(bspt_gltf_number(&w.gltf, "asset/extras/metresPerUnit"), METRES);
	release(&w);
}

/* ---- Containers ------------------------------------------------------------------------------------------- */

static void gltf_and_glb_hold_the_same_scene(void **state)
{
	written glb, gltf;
	(void)state;
	write_sample(&glb, "glb", BSPSCENE_WRITE_LIGHTMAP);
	write_sample(&gltf, "gltf", BSPSCENE_WRITE_LIGHTMAP);
	const char *const same[] = {
		"nodes", "meshes", "materials", "accessors", "textures", "samplers", "cameras", "extensions", "scenes",
	};
	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		assert_true(json_equal(bspt_gltf_at(&glb.gltf, "%s", same[i]), bspt_gltf_at(&gltf.gltf, "%s", same[i])));
	}
	assert_memory_equal(glb.gltf.binary, gltf.gltf.binary, gltf.gltf.binary_size);
	release(&glb);
	release(&gltf);
}

static void siblings_have_safe_names_of_their_own(void **state)
{
	written w;
	(void)state;
	w.sample = bspt_sample_make();
	write_with(&w, "gltf", BSPSCENE_WRITE_LIGHTMAP, "my m\xc3\xa4p.x.gltf");
	assert_string_equal(w.captured.files[0].name, "my m\xc3\xa4p.x.gltf");
	assert_string_equal(w.captured.files[1].name, "my m\xc3\xa4p.x.bin");
	assert_int_equal(w.captured.file_count, 2 + json_array_size(bspt_gltf_at(&w.gltf, "images")));
	assert_string_equal(bspt_gltf_text(&w.gltf, "buffers/0/uri"), "my%20m%C3%A4p.x.bin");
	for (uint32_t i = 0; i < w.captured.file_count; i++) {
		assert_null(strpbrk(w.captured.files[i].name, "/\\:*?\"<>|"));
		assert_null(strstr(w.captured.files[i].name, ".."));
		assert_true(w.captured.files[i].closed);
		/* "textures/sample/floor" and "Textures/Sample/floor" are one name on some systems. */
		for (uint32_t j = 0; j < i; j++) {
			assert_false(bspi_text_equal(w.captured.files[i].name, w.captured.files[j].name));
		}
	}
	release(&w);
}

static void an_empty_scene_is_a_file(void **state)
{
	static const bspscene_scene empty = {
		.name = "", .family = "quake3", .variant = "quake3", .metres_per_unit = 0.0254f,
		.sky_material = BSPSCENE_NO_INDEX,
	};
	static const char *const writers[] = { "glb", "gltf", "obj", "text" };
	(void)state;
	for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
		bspt_captured captured;
		bspscene_error error;
		bspscene_output output = bspt_capture(&captured);
		assert_true(bspscene_write(&empty, writers[i], NULL, &output, &error));
		assert_int_equal(error.status, BSPSCENE_OK);
		assert_int_equal(captured.file_count, i == 2 ? 2 : 1);
		if (i < 2) {
			bspt_report report = { 0 };
			bspt_gltf gltf = bspt_gltf_open(&captured, &report);
			bspt_assert_clean(&report);
			assert_null(bspt_gltf_at(&gltf, "buffers"));
			assert_null(bspt_gltf_at(&gltf, "meshes"));
			bspt_gltf_close(&gltf);
		}
		bspt_captured_free(&captured);
	}
}

static void a_glb_beyond_4_gib_is_refused(void **state)
{
	enum { COUNT = 1 << 20, TIMES = 200 };
	static float zeros[3 * COUNT];
	static bspscene_section sections[TIMES];
	static const uint32_t indices[3] = { 0, 1, 2 };
	bspt_sample *sample = bspt_sample_make();
	bspt_captured captured;
	bspscene_error error;
	(void)state;
	for (int i = 0; i < TIMES; i++) {
		sections[i] = (bspscene_section){
			.material = 0, .lightmap_page = BSPSCENE_NO_INDEX, .lighting = BSPSCENE_LIGHTING_FULLBRIGHT,
			.fog = BSPSCENE_NO_INDEX, .vertex_count = COUNT, .index_count = 3 };
	}
	sample->meshes[1] = (bspscene_mesh){
		.name = "huge", .vertex_count = COUNT, .index_count = 3, .section_count = TIMES,
		.positions = zeros, .normals = zeros, .uvs = zeros, .indices = indices, .sections = sections };
	bspscene_output output = bspt_capture(&captured);
	assert_false(bspscene_write(&sample->scene, "glb", NULL, &output, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_LIMIT);
	assert_non_null(strstr(error.message, "write .gltf instead"));
	assert_int_equal(captured.file_count, 0);
	bspt_sample_free(sample);
}

/* Two textures blended by weights: glTF has no place for them, so both are where who knows them looks. */
static void a_second_texture_and_its_weights_are_kept(void **state)
{
	static float weights[BSPT_SAMPLE_VERTICES];
	written w;
	(void)state;
	for (uint32_t i = 0; i < BSPT_SAMPLE_VERTICES; i++) weights[i] = (float)i / BSPT_SAMPLE_VERTICES;
	w.sample = bspt_sample_make();
	w.sample->meshes[0].blend_alphas = weights;
	w.sample->materials[w.sample->sections[BSPT_SAMPLE_BRICK].material].second_image = BSPT_SAMPLE_IMAGE_JPEG;
	write_with(&w, "glb", BSPSCENE_WRITE_LIGHTMAP, NULL);
	uint32_t blend = accessor_of(&w, BSPT_SAMPLE_BRICK, "_BLEND");
	for (uint32_t i = 0; i < 4; i++) expect_near(bspt_gltf_element(&w.gltf, blend, i, 0), weights[i]);
	assert_false(has_attribute(&w, BSPT_SAMPLE_LAMP, "_BLEND"));
	assert_true(image_of(&w, BSPT_SAMPLE_BRICK, "extras/secondTexture") != image_of(&w, BSPT_SAMPLE_BRICK, "pbrMetallicRoughness/baseColorTexture/index"));
	assert_null(material_at(&w, BSPT_SAMPLE_LAMP, "extras/secondTexture"));
	release(&w);
}

/* So are masks and detail; what turns is turned in the coordinates themselves, without the extension. */
static void layers_upon_the_base_texture_are_named(void **state)
{
	written w;
	(void)state;
	w.sample = bspt_sample_make();
	bspscene_material *brick = &w.sample->materials[w.sample->sections[BSPT_SAMPLE_BRICK].material];
	brick->blend_image = BSPT_SAMPLE_IMAGE_RGBA;
	brick->blend_masked = true;
	brick->blend_uv_scale[0] = 2;
	brick->detail_image = BSPT_SAMPLE_IMAGE_JPEG;
	brick->detail_mode = BSPSCENE_DETAIL_MODE_SELF_SHADOWED;
	brick->detail_uv_scale[1] = 7.5f;
	brick->detail_factor = 0.25f;
	brick->detail_color[2] = 0.5f;
	brick->uv_rotation = 1.5707963f;
	brick->uv_scale[0] = 3;
	brick->uv_offset[0] = 0.25f;
	write_with(&w, "glb", BSPSCENE_WRITE_LIGHTMAP, NULL);
	assert_non_null(material_at(&w, BSPT_SAMPLE_BRICK, "extras/blendMask/texture"));
	assert_true(json_is_true(material_at(&w, BSPT_SAMPLE_BRICK, "extras/blendMask/masked")));
	expect_near(material_number(&w, BSPT_SAMPLE_BRICK, "extras/blendMask/uvScale/0"), 2);
	assert_non_null(material_at(&w, BSPT_SAMPLE_BRICK, "extras/detail/texture"));
	assert_string_equal(json_string_value(material_at(&w, BSPT_SAMPLE_BRICK, "extras/detail/mode")), "self-shadowed");
	expect_near(material_number(&w, BSPT_SAMPLE_BRICK, "extras/detail/uvScale/1"), 7.5);
	expect_near(material_number(&w, BSPT_SAMPLE_BRICK, "extras/detail/factor"), 0.25);
	expect_near(material_number(&w, BSPT_SAMPLE_BRICK, "extras/detail/color/2"), 0.5);
	assert_null(material_at(&w, BSPT_SAMPLE_LAMP, "extras/detail"));
	assert_null(material_at(&w, BSPT_SAMPLE_LAMP, "extras/blendMask"));
	assert_non_null(material_at(&w, BSPT_SAMPLE_BRICK, "pbrMetallicRoughness/baseColorTexture"));
	assert_null(material_at(&w, BSPT_SAMPLE_BRICK, "pbrMetallicRoughness/baseColorTexture/extensions"));
	/* (1, 1) is scaled to (3, 1), turned to (-1, 3) and moved. */
	uint32_t uv = accessor_of(&w, BSPT_SAMPLE_BRICK, "TEXCOORD_0");
	expect_near(bspt_gltf_element(&w.gltf, uv, 2, 0), -0.75);
	expect_near(bspt_gltf_element(&w.gltf, uv, 2, 1), 3);
	release(&w);
}

/* The same of more: the weights of all, and for each layer its texture and what else is said of it. */
static void layers_and_their_weights_are_kept(void **state)
{
	static float weights[4 * BSPT_SAMPLE_VERTICES];
	written w;
	(void)state;
	for (uint32_t i = 0; i < 4 * BSPT_SAMPLE_VERTICES; i++) weights[i] = (float)i / (4 * BSPT_SAMPLE_VERTICES);
	w.sample = bspt_sample_make();
	w.sample->meshes[0].blend_weights = weights;
	bspscene_material *material = &w.sample->materials[w.sample->sections[BSPT_SAMPLE_BRICK].material];
	const uint32_t images[3] = { material->base_image, BSPT_SAMPLE_IMAGE_JPEG, BSPT_SAMPLE_IMAGE_RGBA };
	material->second_image = images[1];
	for (material->layer_count = 0; material->layer_count < 3; material->layer_count++) {
		material->layers[material->layer_count] = (bspscene_layer){
			.image = images[material->layer_count], .uv_scale = { 2, 3 }, .luminance = { 0.1f, 0.9f }, .luminance_share = 0.5f,
			.blend = { 0.25f, 0.75f }, .doubled = material->layer_count == 2,
		};
	}
	write_with(&w, "glb", BSPSCENE_WRITE_LIGHTMAP, NULL);
	uint32_t accessor = accessor_of(&w, BSPT_SAMPLE_BRICK, "_BLEND_WEIGHTS");
	uint32_t first = w.sample->sections[BSPT_SAMPLE_BRICK].first_vertex;
	for (uint32_t i = 0; i < 4; i++) {
		for (uint32_t k = 0; k < 4; k++) expect_near(bspt_gltf_element(&w.gltf, accessor, i, k), weights[4 * (first + i) + k]);
	}
	assert_false(has_attribute(&w, BSPT_SAMPLE_LAMP, "_BLEND_WEIGHTS"));
	assert_null(material_at(&w, BSPT_SAMPLE_LAMP, "extras/layers"));
	assert_int_equal(image_of(&w, BSPT_SAMPLE_BRICK, "extras/layers/0/texture"), image_of(&w, BSPT_SAMPLE_BRICK, "pbrMetallicRoughness/baseColorTexture/index"));
	assert_int_equal(image_of(&w, BSPT_SAMPLE_BRICK, "extras/layers/1/texture"), image_of(&w, BSPT_SAMPLE_BRICK, "extras/secondTexture"));
	assert_true(image_of(&w, BSPT_SAMPLE_BRICK, "extras/layers/2/texture") != image_of(&w, BSPT_SAMPLE_BRICK, "extras/layers/1/texture"));
	expect_near(json_number_value(material_at(&w, BSPT_SAMPLE_BRICK, "extras/layers/1/uvScale/1")), 3);
	expect_near(json_number_value(material_at(&w, BSPT_SAMPLE_BRICK, "extras/layers/1/luminance/1")), 0.9);
	expect_near(json_number_value(material_at(&w, BSPT_SAMPLE_BRICK, "extras/layers/1/luminanceShare")), 0.5);
	expect_near(json_number_value(material_at(&w, BSPT_SAMPLE_BRICK, "extras/layers/1/blend/0")), 0.25);
	assert_null(material_at(&w, BSPT_SAMPLE_BRICK, "extras/layers/1/doubled"));
	assert_true(json_is_true(material_at(&w, BSPT_SAMPLE_BRICK, "extras/layers/2/doubled")));
	release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_second_texture_and_its_weights_are_kept),
		cmocka_unit_test(layers_and_their_weights_are_kept),
		cmocka_unit_test(layers_upon_the_base_texture_are_named),
		cmocka_unit_test(geometry_is_in_metres_with_y_up),
		cmocka_unit_test(triangles_without_area_and_unseen_meshes_are_left_out),
		cmocka_unit_test(large_sections_get_wide_indices),
		cmocka_unit_test(pages_are_named_by_materials),
		cmocka_unit_test(pages_are_written_luxel_for_luxel),
		cmocka_unit_test(hdr_pages_are_scaled_into_their_picture),
		cmocka_unit_test(light_of_the_game_is_not_lit_again),
		cmocka_unit_test(vertices_are_coloured_only_where_light_or_alpha_is_in_them),
		cmocka_unit_test(light_is_baked_into_vertices_on_request),
		cmocka_unit_test(light_between_luxels_is_filtered),
		cmocka_unit_test(materials_keep_what_gltf_can_say),
		cmocka_unit_test(material_facts_are_kept_in_extras),
		cmocka_unit_test(pictures_pass_untouched_where_viewers_can_read_them),
		cmocka_unit_test(other_blendings_become_alpha),
		cmocka_unit_test(normals_point_up_the_picture),
		cmocka_unit_test(tangents_follow_the_texture),
		cmocka_unit_test(broken_normals_are_level),
		cmocka_unit_test(names_without_bytes_leave_materials_without_textures),
		cmocka_unit_test(the_tree_is_kept),
		cmocka_unit_test(mirrored_nodes_stay_mirrored),
		cmocka_unit_test(lights_and_cameras_look_where_the_game_does),
		cmocka_unit_test(lights_have_units),
		cmocka_unit_test(entities_are_kept_in_extras),
		cmocka_unit_test(gltf_and_glb_hold_the_same_scene),
		cmocka_unit_test(siblings_have_safe_names_of_their_own),
		cmocka_unit_test(an_empty_scene_is_a_file),
		cmocka_unit_test(a_glb_beyond_4_gib_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
