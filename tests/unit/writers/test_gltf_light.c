/* test_gltf_light.c - a glTF file has the light of the scene. It has lightmap pages as pictures of materials, with each
 * luxel unchanged, or vertex colors. The same light is never in both. */
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

static void pages_are_named_by_materials(void **state)
{
	static const uint32_t lit[] = {
		BSPT_SAMPLE_BRICK, BSPT_SAMPLE_BRICK_2, BSPT_SAMPLE_LAMP, BSPT_SAMPLE_TERRAIN, BSPT_SAMPLE_INSIDE,
	};
	static const uint32_t unlit[] = {
		BSPT_SAMPLE_GRATE, BSPT_SAMPLE_SKY, BSPT_SAMPLE_SHADOW, BSPT_SAMPLE_GLOW, BSPT_SAMPLE_FILTER,
	};
	bspt_written_sample w;
	(void)state;
	bspt_write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
	for (size_t i = 0; i < sizeof lit / sizeof *lit; i++) {
		/* The pages' intensity is 2 for display values, which is 2^2.2 in linear light. */
		bspt_expect_near(bspt_material_number(&w, lit[i], "extensions/MOZ_lightmap/intensity"), pow(2, 2.2));
		assert_int_equal(bspt_material_number(&w, lit[i], "extensions/MOZ_lightmap/texCoord"), 1);
		uint32_t uv = bspt_accessor_of(&w, lit[i], "TEXCOORD_1");
		bspt_expect_near(bspt_gltf_element(&w.gltf, uv, 1, 0), 2.5 / 4);
		bspt_expect_near(bspt_gltf_element(&w.gltf, uv, 1, 1), 1.5 / 4);
	}
	for (size_t i = 0; i < sizeof unlit / sizeof *unlit; i++) {
		assert_null(bspt_material_at(&w, unlit[i], "extensions/MOZ_lightmap"));
		assert_false(bspt_has_attribute(&w, unlit[i], "TEXCOORD_1"));
	}
	/* A material on two pages becomes two materials. */
	assert_int_not_equal(bspt_material_of(&w, BSPT_SAMPLE_BRICK), bspt_material_of(&w, BSPT_SAMPLE_BRICK_2));
	assert_int_not_equal(bspt_image_of(&w, BSPT_SAMPLE_BRICK, "extensions/MOZ_lightmap/index"),
	                     bspt_image_of(&w, BSPT_SAMPLE_BRICK_2, "extensions/MOZ_lightmap/index"));
	assert_int_equal(bspt_image_of(&w, BSPT_SAMPLE_BRICK, "extensions/MOZ_lightmap/index"),
	                 bspt_image_of(&w, BSPT_SAMPLE_LAMP, "extensions/MOZ_lightmap/index"));
	uint32_t sampler = (uint32_t)bspt_gltf_number(&w.gltf, "textures/%u/sampler",
		(uint32_t)bspt_material_number(&w, BSPT_SAMPLE_BRICK, "extensions/MOZ_lightmap/index"));
	assert_int_equal(bspt_gltf_number(&w.gltf, "samplers/%u/wrapS", sampler), 33071);
	assert_int_equal(bspt_gltf_number(&w.gltf, "samplers/%u/minFilter", sampler), 9729);
	bspt_release_sample(&w);
}

static void pages_are_written_luxel_for_luxel(void **state)
{
	bspt_written_sample w;
	bspscene_pixels pixels;
	(void)state;
	bspt_write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
	bspt_bytes png = bspt_gltf_image(&w.gltf, bspt_image_of(&w, BSPT_SAMPLE_BRICK_2, "extensions/MOZ_lightmap/index"));
	bspscene_image image = { .format = BSPSCENE_IMAGE_PNG, .data = png.data, .size = png.size };
	assert_true(bspscene_image_decode(&image, &pixels, NULL));
	assert_int_equal(pixels.width, 4);
	for (uint32_t i = 0; i < 16; i++) {
		assert_memory_equal(pixels.data + 4 * i, w.sample->luxels[1] + 3 * i, 3);
		assert_int_equal(pixels.data[4 * i + 3], 255);
	}
	bspscene_pixels_free(&pixels);
	bspt_release_sample(&w);
}

/* Of the half floats, 0x4200 is 3 and 0x3800 is 0.5. */
static void hdr_pages_are_scaled_into_their_picture(void **state)
{
	static uint16_t halfs[4 * 4 * 3];
	bspt_written_sample w;
	bspscene_pixels pixels;
	(void)state;
	w.sample = bspt_sample_make();
	for (size_t i = 0; i < 48; i++) halfs[i] = i % 3 ? 0x3800 : 0x4200;
	w.sample->pages[0] = (bspscene_lightmap_page){ 4, 4, BSPSCENE_LIGHTMAP_PAGE_RGB16F, halfs, NULL };
	w.sample->pages[1] = (bspscene_lightmap_page){ 4, 4, BSPSCENE_LIGHTMAP_PAGE_RGB16F, NULL, NULL };
	w.sample->page_sets[0].intensity = 1;
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, NULL);
	bspt_expect_near(bspt_material_number(&w, BSPT_SAMPLE_BRICK, "extensions/MOZ_lightmap/intensity"), 3);
	bspt_expect_near(bspt_material_number(&w, BSPT_SAMPLE_BRICK_2, "extensions/MOZ_lightmap/intensity"), 1);
	bspt_bytes png = bspt_gltf_image(&w.gltf, bspt_image_of(&w, BSPT_SAMPLE_BRICK, "extensions/MOZ_lightmap/index"));
	bspscene_image image = { .format = BSPSCENE_IMAGE_PNG, .data = png.data, .size = png.size };
	assert_true(bspscene_image_decode(&image, &pixels, NULL));
	assert_int_equal(pixels.data[0], 255);
	assert_true(fabs(3 * bspt_linear(pixels.data[1] / 255.0) - 0.5) < 0.01);
	bspscene_pixels_free(&pixels);
	bspt_release_sample(&w);
}

static void light_of_the_game_is_not_lit_again(void **state)
{
	static const struct { bspscene_write_lighting lighting; uint32_t section; bool unlit;
	} cases[] = {
		{ BSPSCENE_WRITE_LIGHTING_LIGHTMAP, BSPT_SAMPLE_BRICK, false },
		{ BSPSCENE_WRITE_LIGHTING_LIGHTMAP, BSPT_SAMPLE_GRATE, true },
		{ BSPSCENE_WRITE_LIGHTING_LIGHTMAP, BSPT_SAMPLE_SKY, true },
		{ BSPSCENE_WRITE_LIGHTING_LIGHTMAP, BSPT_SAMPLE_GLOW, true },
		{ BSPSCENE_WRITE_LIGHTING_LIGHTMAP, BSPT_SAMPLE_SHADOW, true },
		{ BSPSCENE_WRITE_LIGHTING_LIGHTMAP, BSPT_SAMPLE_LAMP, false },
		{ BSPSCENE_WRITE_LIGHTING_VERTEX, BSPT_SAMPLE_BRICK, true },
		{ BSPSCENE_WRITE_LIGHTING_VERTEX, BSPT_SAMPLE_LAMP, true },
		{ BSPSCENE_WRITE_LIGHTING_BAKED, BSPT_SAMPLE_BRICK, true },
		{ BSPSCENE_WRITE_LIGHTING_BAKED, BSPT_SAMPLE_LAMP, true },
		{ BSPSCENE_WRITE_LIGHTING_NONE, BSPT_SAMPLE_BRICK, false },
		{ BSPSCENE_WRITE_LIGHTING_NONE, BSPT_SAMPLE_GRATE, false },
		{ BSPSCENE_WRITE_LIGHTING_NONE, BSPT_SAMPLE_SKY, true },
		{ BSPSCENE_WRITE_LIGHTING_NONE, BSPT_SAMPLE_LAMP, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_written_sample w;
		bspt_write_sample(&w, "glb", cases[i].lighting);
		bool unlit = bspt_material_at(&w, cases[i].section, "extensions/KHR_materials_unlit") != NULL;
		assert_int_equal(unlit, cases[i].unlit);
		bspt_release_sample(&w);
	}
}

static void vertices_are_colored_only_where_light_or_alpha_is_in_them(void **state)
{
	bspt_written_sample w;
	(void)state;
	bspt_write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP);
	for (uint32_t section = 0; section < BSPT_SAMPLE_SECTIONS; section++) {
		bool want = section == BSPT_SAMPLE_GRATE || section == BSPT_SAMPLE_SHADOW || section == BSPT_SAMPLE_TERRAIN;
		assert_int_equal(bspt_has_attribute(&w, section, "COLOR_0"), want);
	}
	/* The vertex light is 120 of 255 in red, doubled by the pages' intensity, in linear light. */
	uint32_t grate = bspt_accessor_of(&w, BSPT_SAMPLE_GRATE, "COLOR_0");
	bspt_expect_near(bspt_gltf_element(&w.gltf, grate, 2, 0), bspt_linear(120 / 255.0) * pow(2, 2.2));
	bspt_expect_near(bspt_gltf_element(&w.gltf, grate, 2, 3), 1);
	/* COLOR_0 of the terrain has the alpha of its vertices. It does not have their light, because the terrain's light
	 * is on a lightmap page. */
	uint32_t terrain = bspt_accessor_of(&w, BSPT_SAMPLE_TERRAIN, "COLOR_0");
	bspt_expect_near(bspt_gltf_element(&w.gltf, terrain, 2, 0), 1);
	bspt_expect_near(bspt_gltf_element(&w.gltf, terrain, 2, 3), 170 / 255.0);
	uint32_t shadow = bspt_accessor_of(&w, BSPT_SAMPLE_SHADOW, "COLOR_0");
	bspt_expect_near(bspt_gltf_element(&w.gltf, shadow, 0, 0), 0);
	bspt_expect_near(bspt_gltf_element(&w.gltf, shadow, 0, 3), 1);
	bspt_release_sample(&w);
}

/* Returns a channel of COLOR_0 at one corner of a section. The vertex is found by its position, because subdivision
 * adds other vertices. */
static double color_of_corner(const bspt_written_sample *w, uint32_t section, uint32_t corner, uint32_t channel)
{
	uint32_t position = bspt_accessor_of(w, section, "POSITION"), color = bspt_accessor_of(w, section, "COLOR_0");
	uint32_t count = (uint32_t)bspt_gltf_number(&w->gltf, "accessors/%u/count", position);
	const float *want = w->sample->positions + 3 * (4 * (size_t)section + corner);
	for (uint32_t i = 0; i < count; i++) {
		double x = bspt_gltf_element(&w->gltf, position, i, 0), y = -bspt_gltf_element(&w->gltf, position, i, 2);
		if (fabs(x - (double)want[0] * 0.0254) > 1e-5 || fabs(y - (double)want[1] * 0.0254) > 1e-5) continue;
		return bspt_gltf_element(&w->gltf, color, i, channel);
	}
	fail_msg("section %u has no corner %u", section, corner);
	return 0;
}

static void light_is_baked_into_vertices_on_request(void **state)
{
	bspt_written_sample w = { .sample = bspt_sample_make() };
	(void)state;
	w.sample->page_sets[0].intensity = 1;
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_VERTEX, NULL);
	/* The first corner is at the center of luxel (1, 1), which is number 5. Its light is red 85, green 170, blue 0; on
	 * page 1 its blue is 255. COLOR_0 also depends on the picture, so it has other values in the same order. */
	double red = color_of_corner(&w, BSPT_SAMPLE_BRICK, 0, 0), green = color_of_corner(&w, BSPT_SAMPLE_BRICK, 0, 1);
	assert_true(red > 0.05 && red < green && green < 0.8);
	bspt_expect_near(color_of_corner(&w, BSPT_SAMPLE_BRICK, 0, 2), 0);
	assert_true(color_of_corner(&w, BSPT_SAMPLE_BRICK_2, 0, 2) > 0.95);
	assert_int_equal(bspt_material_of(&w, BSPT_SAMPLE_BRICK), bspt_material_of(&w, BSPT_SAMPLE_BRICK_2));
	assert_false(bspt_has_attribute(&w, BSPT_SAMPLE_BRICK, "TEXCOORD_1"));
	assert_null(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "extensions/MOZ_lightmap"));
	assert_false(bspt_has_attribute(&w, BSPT_SAMPLE_BRICK, "NORMAL"));
	assert_null(bspt_gltf_at(&w.gltf, "extensions/KHR_lights_punctual"));
	/* The file reports the number of triangles before and after light is put into vertices, and the light's errors. */
	double before = bspt_gltf_number(&w.gltf, "asset/extras/trianglesOfMap");
	assert_true(before > 0 && bspt_gltf_number(&w.gltf, "asset/extras/trianglesWithLight") > before);
	bspt_expect_near(bspt_gltf_number(&w.gltf, "asset/extras/lightErrorAllowed"), 14);
	double usual = bspt_gltf_number(&w.gltf, "asset/extras/lightErrorUsual");
	assert_true(usual > 0 && usual <= bspt_gltf_number(&w.gltf, "asset/extras/lightErrorLargest"));
	assert_true(bspt_gltf_number(&w.gltf, "asset/extras/lightErrorOnEdges") >= 0);
	bspt_release_sample(&w);

	bspt_write_sample(&w, "glb", BSPSCENE_WRITE_LIGHTING_NONE);
	assert_null(bspt_gltf_at(&w.gltf, "asset/extras/trianglesOfMap"));
	/* Without light, BRICK_2 and GRATE become one primitive; only TERRAIN has alpha in its vertices. */
	uint32_t count = (uint32_t)json_array_size(bspt_gltf_at(&w.gltf, "meshes/0/primitives"));
	assert_int_equal(count, BSPT_SAMPLE_SECTIONS - 1);
	for (uint32_t primitive = 0; primitive < count; primitive++) {
		assert_int_equal(bspt_has_attribute(&w, primitive, "COLOR_0"), primitive == BSPT_SAMPLE_TERRAIN - 1);
		assert_false(bspt_has_attribute(&w, primitive, "TEXCOORD_1"));
	}
	bspt_release_sample(&w);
}

/* Returns the display value that a viewer shows for a texel: picture times COLOR_0, in linear light. */
static double shown(double picture, double color)
{
	double linear = bspt_linear(picture / 255) * color;
	return 255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055);
}

static void sample_of_gray(bspt_written_sample *w, uint8_t low, uint8_t high)
{
	w->sample = bspt_sample_make();
	size_t size = sizeof w->sample->pixels;
	for (size_t i = 0; i < size; i++) w->sample->pixels[i] = i % 4 == 3 ? 255 : i < size / 2 ? low : high;
	w->sample->images[BSPT_SAMPLE_IMAGE_RGBA].has_alpha = false;
	w->sample->materials[0].base_image = BSPT_SAMPLE_IMAGE_RGBA;
}

static void read_picture(const bspt_written_sample *w, bspscene_pixels *pixels)
{
	bspt_bytes png = bspt_gltf_image(&w->gltf, bspt_image_of(w, BSPT_SAMPLE_BRICK,
	                                                         "pbrMetallicRoughness/baseColorTexture/index"));
	bspscene_image image = { .format = BSPSCENE_IMAGE_PNG, .data = png.data, .size = png.size };
	assert_true(bspscene_image_decode(&image, pixels, NULL));
}

/* Light of 0.67 and 1.33 falls on dark texels. COLOR_0 cannot exceed 1, so the texture gets a brightened picture.
 * Without that, the error would be 16 of 255. The gain is chosen for the whole surface, so its brightest spot may be
 * slightly too dark. The second run has no image, as if the game's files were missing. Then the fallback color is
 * brightened. */
static void light_brighter_than_white_is_in_the_picture(void **state)
{
	(void)state;
	for (int missing = 0; missing < 2; missing++) {
		bspt_written_sample w;
		bspscene_pixels pixels;
		sample_of_gray(&w, 48, 48);
		if (missing) {
			bspscene_image *image = &w.sample->images[BSPT_SAMPLE_IMAGE_RGBA];
			image->format = BSPSCENE_IMAGE_MISSING;
			image->data = NULL;
			image->size = 0;
			memset(image->fallback_color, 48, sizeof image->fallback_color);
		}
		bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_VERTEX, NULL);
		double gain = bspt_material_number(&w, BSPT_SAMPLE_BRICK, "extras/textureGain/1");
		if (!(gain > 1.25 && gain < 4.1)) fail_msg("green is brighter by %g", gain);
		read_picture(&w, &pixels);
		const double light[2] = { 2 * 85 / 255.0, 2 * 170 / 255.0 };
		for (uint32_t c = 0; c < 2; c++) {
			double seen = shown(pixels.data[c], color_of_corner(&w, BSPT_SAMPLE_BRICK, 0, c));
			if (!(fabs(seen - 48 * light[c]) < 5)) fail_msg("%g instead of %g", seen, 48 * light[c]);
		}
		bspscene_pixels_free(&pixels);
		bspt_release_sample(&w);
	}
}

/* If a large part of a surface is too bright, a brightened picture is made. For a long thin strip of a surface, none is
 * made. */
static void narrow_strips_get_no_picture(void **state)
{
	static const struct { float length, width; bool bright; } cases[] = {
		{ 4096, 0.001f, false }, { 0.001f, 4096, false }, { 64, 64, true },
	};
	(void)state;
	for (int i = 0; i < 3 * 3; i++) {
		bspt_written_sample w;
		sample_of_gray(&w, 48, 48);
		memset(w.sample->luxels[0], 100, sizeof w.sample->luxels[0]);
		memset(w.sample->luxels[1], 255, sizeof w.sample->luxels[1]);
		memset(w.sample->colors, 64, sizeof w.sample->colors);
		for (int c = 0; c < 4; c++) {
			float *place = w.sample->positions + 3 * (4 * BSPT_SAMPLE_BRICK_2 + c);
			const float at[2] = { c == 1 || c == 2 ? cases[i / 3].length : 0, c > 1 ? cases[i / 3].width : 0 };
			for (int k = 0; k < 3; k++) place[(k + i) % 3] = k < 2 ? at[k] : 8;
		}
		bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_VERTEX, NULL);
		bool bright = false;
		size_t count = json_array_size(bspt_gltf_at(&w.gltf, "materials"));
		for (size_t m = 0; m < count; m++) {
			bool brick = !strncmp(bspt_gltf_text(&w.gltf, "materials/%zu/name", m), "textures/sample/brick", 21);
			bright |= brick && bspt_gltf_at(&w.gltf, "materials/%zu/extras/textureGain", m);
		}
		if (bright != cases[i / 3].bright) fail_msg("case %d: %d", i, bright);
		bspt_release_sample(&w);
	}
}

/* COLOR_0 is the factor by which the linear texture must be multiplied to look as in the game. If it were the light
 * converted to linear, the result would be wrong by 12 of 255. */
static void products_are_the_games(void **state)
{
	static const uint8_t grays[] = { 40, 90, 180, 250 };
	(void)state;
	for (size_t i = 0; i < sizeof grays; i++) {
		bspt_written_sample w;
		sample_of_gray(&w, grays[i], grays[i]);
		w.sample->page_sets[0].intensity = 1;
		bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_VERTEX, NULL);
		assert_null(bspt_material_at(&w, BSPT_SAMPLE_BRICK, "extras/textureGain"));
		for (uint32_t c = 0; c < 2; c++) {
			double light = (c ? 170 : 85) / 255.0, seen = shown(grays[i], color_of_corner(&w, BSPT_SAMPLE_BRICK, 0, c));
			if (!(fabs(seen - grays[i] * light) < 2)) fail_msg("%g instead of %g", seen, grays[i] * light);
		}
		bspt_release_sample(&w);
	}
}

/* If the picture cannot be decoded, its texels are unknown. Light that is too bright then keeps its hue. */
static void light_of_damaged_pictures_keeps_its_hue(void **state)
{
	static const uint8_t garbage[100] = { 1, 2, 3 };
	bspt_written_sample w = { .sample = bspt_sample_make() };
	(void)state;
	w.sample->page_sets[0].intensity = 1;
	memset(w.sample->luxels, 128, sizeof w.sample->luxels);
	w.sample->images[BSPT_SAMPLE_IMAGE_PNG].data = garbage;
	w.sample->images[BSPT_SAMPLE_IMAGE_PNG].size = sizeof garbage;
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_VERTEX, NULL);
	double gray = color_of_corner(&w, BSPT_SAMPLE_BRICK, 0, 1);
	assert_true(gray > 0.1 && gray < 0.9);
	for (uint32_t c = 0; c < 3; c += 2) bspt_expect_near(color_of_corner(&w, BSPT_SAMPLE_BRICK, 0, c), gray);
	bspt_release_sample(&w);
}

/* All surfaces with lightmaps are in the baked picture, and each has its own part of it. Blended surfaces keep their
 * texture, multiplied by their mean light. */
static void baked_light_is_in_one_picture(void **state)
{
	bspt_written_sample w = { .sample = bspt_sample_make() };
	(void)state;
	memset(w.sample->colors, 64, sizeof w.sample->colors);
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_BAKED, NULL);
	assert_true(bspt_gltf_number(&w.gltf, "asset/extras/litTexelsPerLuxel") >= 1);
	const char *named = "textures/%d/source", *image = "images/%d/name", *of_texture = "textures/%d/sampler";
	static const uint32_t sections[] = { BSPT_SAMPLE_BRICK, BSPT_SAMPLE_BRICK_2, BSPT_SAMPLE_GRATE, BSPT_SAMPLE_SKY };
	for (uint32_t i = 0; i < sizeof sections / sizeof *sections; i++) {
		uint32_t section = sections[i];
		bool lit = section == BSPT_SAMPLE_BRICK || section == BSPT_SAMPLE_BRICK_2;
		json_t *texture = bspt_material_at(&w, section, "pbrMetallicRoughness/baseColorTexture/index");
		int source = texture ? (int)bspt_gltf_number(&w.gltf, named, (int)json_integer_value(texture)) : -1;
		bool is_lit = source >= 0 && !strcmp(bspt_gltf_text(&w.gltf, image, source), "lit");
		assert_int_equal(is_lit, lit);
		if (lit) { /* a sampler with mipmaps, which avoid flicker */
			int sampler = (int)bspt_gltf_number(&w.gltf, of_texture, (int)json_integer_value(texture));
			assert_int_equal(bspt_gltf_number(&w.gltf, "samplers/%d/minFilter", sampler), 9987);
			assert_int_equal(bspt_gltf_number(&w.gltf, "samplers/%d/wrapS", sampler), 33071);
		}
		assert_false(bspt_has_attribute(&w, section, "NORMAL"));
		assert_false(bspt_has_attribute(&w, section, "TEXCOORD_1"));
		assert_null(bspt_material_at(&w, section, "extensions/MOZ_lightmap"));
		for (uint32_t k = 0; lit && k < 6; k++) {
			double place = bspt_gltf_element(&w.gltf, bspt_accessor_of(&w, section, "TEXCOORD_0"), k / 2, k % 2);
			assert_true(place > 0 && place < 1);
		}
	}
	for (int c = 0; c < 3; c++) {
		char path[64];
		snprintf(path, sizeof path, "pbrMetallicRoughness/baseColorFactor/%d", c);
		bspt_expect_near(bspt_material_number(&w, BSPT_SAMPLE_GRATE, path), 0.21404114);
	}
	bspt_release_sample(&w);
}

/* Emission is written as a second surface in front of the first. The light of the map does not darken its colors. */
static void what_shines_is_in_front(void **state)
{
	bspt_written_sample w = { .sample = bspt_sample_make() };
	(void)state;
	bspscene_material *brick = &w.sample->materials[w.sample->sections[BSPT_SAMPLE_BRICK].material];
	brick->emissive_image = BSPT_SAMPLE_IMAGE_RGBA;
	for (int i = 0; i < 3; i++) brick->color[i] = 0.5f; /* the color dims the surface, not its glow */
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_VERTEX, NULL);
	uint32_t found = 0, count = (uint32_t)json_array_size(bspt_gltf_at(&w.gltf, "meshes/0/primitives"));
	for (uint32_t i = 0; i < count; i++) {
		const char *name = json_string_value(bspt_material_at(&w, i, "name"));
		if (strcmp(name, "textures/sample/brick.glow") != 0) continue;
		found++;
		assert_string_equal(json_string_value(bspt_material_at(&w, i, "alphaMode")), "BLEND");
		assert_non_null(bspt_material_at(&w, i, "extensions/KHR_materials_unlit"));
		assert_null(bspt_material_at(&w, i, "pbrMetallicRoughness/baseColorFactor"));
		assert_false(bspt_has_attribute(&w, i, "COLOR_0"));
		double height = bspt_gltf_element(&w.gltf, bspt_accessor_of(&w, i, "POSITION"), 0, 1);
		double steps = fmod(height / 0.0254 + 1e-4, 8);
		assert_true(fabs(steps - 0.0625) < 1e-3);
	}
	assert_int_equal(found, 2); /* one glow for the first section, which has fog, one for the others */
	bspt_release_sample(&w);
}

static void light_between_luxels_is_filtered(void **state)
{
	bspt_written_sample w;
	(void)state;
	sample_of_gray(&w, 200, 200);
	w.sample->lightmap_uvs[0] = w.sample->lightmap_uvs[1] = 2.0f / 4; /* the point between luxels 5, 6, 9 and 10 */
	w.sample->lightmap_uvs[2] = -1;                                  /* far outside of the page, so it is clamped */
	w.sample->lightmap_uvs[3] = 7;
	w.sample->page_sets[0].intensity = 1;
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_VERTEX, NULL);
	double middle = shown(200, color_of_corner(&w, BSPT_SAMPLE_BRICK, 0, 0));
	double border = shown(200, color_of_corner(&w, BSPT_SAMPLE_BRICK, 1, 0));
	if (!(fabs(middle - 200 * 17 * 7.5 / 255) < 2)) fail_msg("%g in the middle", middle);
	if (!(fabs(border - 200 * 17 * 12 / 255.0) < 2)) fail_msg("%g at the border", border);
	bspt_release_sample(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_are_named_by_materials),
		cmocka_unit_test(pages_are_written_luxel_for_luxel),
		cmocka_unit_test(hdr_pages_are_scaled_into_their_picture),
		cmocka_unit_test(light_of_the_game_is_not_lit_again),
		cmocka_unit_test(vertices_are_colored_only_where_light_or_alpha_is_in_them),
		cmocka_unit_test(light_is_baked_into_vertices_on_request),
		cmocka_unit_test(light_brighter_than_white_is_in_the_picture),
		cmocka_unit_test(narrow_strips_get_no_picture),
		cmocka_unit_test(products_are_the_games),
		cmocka_unit_test(light_of_damaged_pictures_keeps_its_hue),
		cmocka_unit_test(baked_light_is_in_one_picture),
		cmocka_unit_test(what_shines_is_in_front),
		cmocka_unit_test(light_between_luxels_is_filtered),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
