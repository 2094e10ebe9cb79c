/* Promise: material colors in USD and FBX are linear in each channel, and normal maps state how they are to be read.
 * Textures and lightmap pages in USD have the game's coordinates and light. The factors in glTF are within the limits
 * of the format. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/check/written_sample.h"
#include "writers/light/drawn.h"

static void normal_maps_of_usd_are_directions(void **state)
{
	(void)state;
	bspt_sample *sample = bspt_sample_make();
	sample->materials[BSPT_SAMPLE_BRICK].normal_image = BSPT_SAMPLE_IMAGE_RGBA;
	bspt_bytes text = bspt_written_file(sample, "usda", BSPSCENE_WRITE_LIGHTING_DEFAULT, "sample.usda");
	const char *scale = strstr((const char *)text.data, "float4 inputs:scale = (2, 2, 2, 1)");
	const char *bias = strstr((const char *)text.data, "float4 inputs:bias = (-1, -1, -1, 0)");
	assert_non_null(scale);
	assert_non_null(bias);
	free(text.data);
	bspt_sample_free(sample);
}

static const uint8_t *find_bytes(bspt_bytes in, size_t from, const char *what, size_t size)
{
	for (size_t i = from; i + size <= in.size; i++) {
		if (!memcmp(in.data + i, what, size)) return in.data + i;
	}
	return NULL;
}

/* Reads the three numbers of a color after the color's name. Each number is a 'D' and eight bytes. Returns false if
 * there are none. */
static bool read_triple(const uint8_t *at, const uint8_t *end, double out[3])
{
	const uint8_t *last = at + 64 < end - 27 ? at + 64 : end - 27;
	while (at < last && (at[0] != 'D' || at[9] != 'D' || at[18] != 'D')) at++;
	if (at >= last) return false;
	for (int i = 0; i < 3; i++) memcpy(&out[i], at + 9 * i + 1, sizeof *out);
	return true;
}

/* The material emits only red light. The file has the linear value of this light, and zero for green and blue. */
static void emission_of_fbx_is_linear_by_channel(void **state)
{
	(void)state;
	bspt_sample *sample = bspt_sample_make();
	float *emissive = sample->materials[1].emissive;
	emissive[0] = 0.5f;
	emissive[1] = emissive[2] = 0;
	bspt_bytes file = bspt_written_file(sample, "fbx", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, "sample.fbx");
	const char name[] = "EmissiveColor";
	bool found = false;
	for (const uint8_t *at = file.data; (at = find_bytes(file, (size_t)(at - file.data) + 1, name, sizeof name - 1));) {
		double color[3];
		if (!read_triple(at, file.data + file.size, color)) continue;
		bool is_red = fabs(color[0] - bspt_linear(0.5)) < 1e-4 && color[1] == 0 && color[2] == 0;
		found = found || is_red;
	}
	assert_true(found);
	free(file.data);
	bspt_sample_free(sample);
}

static void baked_factors_of_gltf_stop_at_one(void **state)
{
	(void)state;
	bspt_written_sample w;
	w.sample = bspt_sample_make();
	for (int i = 0; i < BSPT_SAMPLE_MATERIALS; i++) {
		for (int k = 0; k < 3; k++) w.sample->materials[i].color[k] = 4;
	}
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_BAKED, "sample.glb");
	json_t *materials = bspt_gltf_at(&w.gltf, "materials");
	uint32_t factors = 0;
	for (size_t i = 0; i < json_array_size(materials); i++) {
		json_t *pbr = json_object_get(json_array_get(materials, i), "pbrMetallicRoughness");
		json_t *factor = json_object_get(pbr, "baseColorFactor");
		for (size_t k = 0; k < json_array_size(factor); k++) {
			assert_true(json_number_value(json_array_get(factor, k)) <= 1);
			factors++;
		}
	}
	assert_true(factors > 0);
	bspt_release_sample(&w);
}

/* ---- USD --------------------------------------------------------------------------------------------------- */

/* Returns the text of a material, or of one of its shaders if `shader` is given. The text ends where the next material
 * or shader begins. */
static char *prim_of(const char *text, const char *material, const char *shader)
{
	char name[80];
	snprintf(name, sizeof name, "def Material \"%s\"", material);
	const char *from = strstr(text, name);
	assert_non_null(from);
	const char *end = strstr(from + 1, "def Material ");
	if (shader) {
		snprintf(name, sizeof name, "def Shader \"%s\"", shader);
		from = strstr(from, name);
		assert_true(from && (!end || from < end));
		const char *next = strstr(from + 1, "def Shader ");
		if (next && (!end || next < end)) end = next;
	}
	size_t size = end ? (size_t)(end - from) : strlen(from);
	char *out = calloc(1, size + 1);
	assert_non_null(out);
	memcpy(out, from, size);
	return out;
}

/* Reads `count` numbers after a name and '('. Returns false if the prim does not have the name. */
static bool read_tuple(const char *prim, const char *name, double *out, int count)
{
	const char *at = strstr(prim, name);
	if (!at) return false;
	at += strlen(name);
	for (int i = 0; i < count; i++) {
		char *end;
		out[i] = strtod(at + strspn(at, " =(,\""), &end);
		at = end;
	}
	return true;
}

static void assert_tuple(const char *prim, const char *name, const double *want, int count)
{
	double got[4];
	assert_true(read_tuple(prim, name, got, count));
	for (int i = 0; i < count; i++) bspt_expect_near(got[i], want[i]);
}

/* A clamped texture is clamped along both axes, and a repeated one repeats along both. */
static void textures_of_usd_are_clamped_along_both_axes(void **state)
{
	bspt_sample *sample = bspt_sample_make();
	bspt_bytes text = bspt_written_file(sample, "usda", BSPSCENE_WRITE_LIGHTING_NONE, "sample.usda");
	char *inside = prim_of((const char *)text.data, "textures_sample_inside", "Base"),
		 *brick = prim_of((const char *)text.data, "textures_sample_brick", "Base");
	(void)state;
	assert_non_null(strstr(inside, "inputs:wrapS = \"clamp\""));
	assert_non_null(strstr(inside, "inputs:wrapT = \"clamp\""));
	assert_non_null(strstr(brick, "inputs:wrapS = \"repeat\""));
	assert_non_null(strstr(brick, "inputs:wrapT = \"repeat\""));
	free(inside);
	free(brick);
	free(text.data);
	bspt_sample_free(sample);
}

/* A material may tint only one channel of its texture and of its glow, which are separate pictures. */
static void tints_of_usd_are_linear_by_channel(void **state)
{
	(void)state;
	for (int channel = 0; channel < 3; channel++) {
		bspt_sample *sample = bspt_sample_make();
		bspscene_material *lamp = &sample->materials[1];
		double base[4] = { 1, 1, 1, 1 }, glow[4] = { 0, 0, 0, 1 };
		for (int i = 0; i < 3; i++) lamp->emissive[i] = 0;
		lamp->color[channel] = 0.5f;
		lamp->emissive[channel] = 0.25f;
		base[channel] = bspt_linear(0.5);
		glow[channel] = bspt_linear(0.25);
		bspt_bytes text = bspt_written_file(sample, "usda", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, "sample.usda");
		char *of_base = prim_of((const char *)text.data, "textures_sample_lamp", "Base"),
			 *of_glow = prim_of((const char *)text.data, "textures_sample_lamp", "Glow");
		assert_tuple(of_base, "float4 inputs:scale", base, 4);
		assert_tuple(of_glow, "float4 inputs:scale", glow, 4);
		free(of_base);
		free(of_glow);
		free(text.data);
		/* Without a picture the glow is a color. */
		lamp->emissive_image = BSPSCENE_NO_INDEX;
		text = bspt_written_file(sample, "usda", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, "sample.usda");
		of_glow = prim_of((const char *)text.data, "textures_sample_lamp", "Surface");
		assert_tuple(of_glow, "color3f inputs:emissiveColor", glow, 3);
		free(of_glow);
		free(text.data);
		bspt_sample_free(sample);
	}
}

/* A page of floats is divided by its brightest luxel before it is written. The file states this value, so that readers
 * multiply by it. The half float 0x4200 is 3. */
static void pages_of_usd_say_their_gain(void **state)
{
	static uint16_t halves[4 * 4 * 3];
	const double want = 3;
	bspt_sample *sample = bspt_sample_make();
	(void)state;
	for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) halves[i] = i % 3 ? 0x3800 : 0x4200;
	for (int i = 0; i < BSPT_SAMPLE_PAGES; i++) {
		sample->pages[i] = (bspscene_lightmap_page) { 4, 4, BSPSCENE_LIGHTMAP_PAGE_RGB16F, halves, NULL };
	}
	sample->page_sets[0].intensity = 1;
	bspt_bytes text = bspt_written_file(sample, "usda", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, "sample.usda");
	char *brick = prim_of((const char *)text.data, "textures_sample_brick", NULL);
	assert_tuple(brick, "lightmapIntensity", &want, 1);
	free(brick);
	free(text.data);
	bspt_sample_free(sample);
}

/* A material is written as blended if the background is visible through it. A material with a mask has holes
 * instead. */
static void what_shows_the_background_is_blended(void **state)
{
	static const struct {
		bspscene_alpha_mode mode;
		float alpha;
		bool blended;
	} cases[] = {
		{ BSPSCENE_ALPHA_MODE_OPAQUE, 1, false },  { BSPSCENE_ALPHA_MODE_OPAQUE, 0.5f, true },
		{ BSPSCENE_ALPHA_MODE_MASK, 1, false },    { BSPSCENE_ALPHA_MODE_MASK, 0.5f, false },
		{ BSPSCENE_ALPHA_MODE_BLEND, 1, true },    { BSPSCENE_ALPHA_MODE_ADD, 1, true },
		{ BSPSCENE_ALPHA_MODE_MODULATE, 1, true },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const bspscene_material material = { .alpha_mode = cases[i].mode, .color = { 1, 1, 1, cases[i].alpha } };
		assert_int_equal(bspi_is_blended(&material), cases[i].blended);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(normal_maps_of_usd_are_directions),
		cmocka_unit_test(emission_of_fbx_is_linear_by_channel),
		cmocka_unit_test(textures_of_usd_are_clamped_along_both_axes),
		cmocka_unit_test(tints_of_usd_are_linear_by_channel),
		cmocka_unit_test(pages_of_usd_say_their_gain),
		cmocka_unit_test(what_shows_the_background_is_blended),
		cmocka_unit_test(baked_factors_of_gltf_stop_at_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
