/* Promise: material colors in USD and FBX are linear for each channel, normal maps state how to read them, and glTF's
 * factors stay within its limits. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/check/written_sample.h"

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

/* Reads the three numbers of a color after its name, each a 'D' and eight bytes. False if there are none. */
static bool read_triple(const uint8_t *at, const uint8_t *end, double out[3])
{
	const uint8_t *last = at + 64 < end - 27 ? at + 64 : end - 27;
	while (at < last && (at[0] != 'D' || at[9] != 'D' || at[18] != 'D')) at++;
	if (at >= last) return false;
	for (int i = 0; i < 3; i++) memcpy(&out[i], at + 9 * i + 1, sizeof *out);
	return true;
}

/* Only red is emitted, and its value is linear. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(normal_maps_of_usd_are_directions),
		cmocka_unit_test(emission_of_fbx_is_linear_by_channel),
		cmocka_unit_test(baked_factors_of_gltf_stop_at_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
