/* Promise: a map that is used as a model has light at its corners. It is the light that Quake's R_DrawBrushModel shows
 * there. The luxels of each face, which are 16 units apart, are interpolated. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "models/model.h"
#include "support/models/build_model.h"

enum { LUMP_ENTRIES = 4, TEXTURES = 2, TEXINFO = 6, FACES = 7, LIGHTING = 8, FACE_SIZE = 20, OFFSET_AT = 16 };
enum { HEIGHT_AT = 8 + 20, SHIFT_AT = 12, LUXELS = 9 };
static const float texture_size[2] = { 8, 4 }, shifts[2] = { 4, 0 };

static bspt_writer file;

/* Returns the value of luxel `i`. All values differ, and so do their differences along x and along y. */
static uint8_t luxel_of(uint32_t i) { return (uint8_t)(10 + 7 * i + 3 * i * i % 50); }

static size_t lump_at(uint32_t lump) { return bspi_load_u32(file.data + LUMP_ENTRIES + 8 * lump); }

/* Returns the number of a face's first luxel. For some faces, the lump ends before their last luxel. */
static uint32_t first_luxel(uint32_t triangle) { return triangle % 5; }

static void build(void)
{
	file.size = 0;
	bspt_build_box_map(&file);
	for (uint32_t i = 0; i < LUXELS; i++) file.data[lump_at(LIGHTING) + i] = luxel_of(i);
	file.data[lump_at(TEXTURES) + HEIGHT_AT] = (uint8_t)texture_size[1];
	/* These bytes are shifts[0] as a float. */
	memcpy(file.data + lump_at(TEXINFO) + SHIFT_AT, (uint8_t[]){ 0, 0, 0x80, 0x40 }, 4);
	for (uint32_t i = 0; i < BSPT_MODEL_TRIANGLES; i++) {
		file.data[lump_at(FACES) + (size_t)FACE_SIZE * i + OFFSET_AT] = (uint8_t)first_luxel(i);
	}
}

/* Returns the light at `p`, as the weighted sum of the four luxels around it. Returns 0 if luxels of the face are
 * missing. */
static double light_at(uint32_t triangle, const float *p)
{
	int first[2], count[2];
	for (int axis = 0; axis < 2; axis++) {
		float least = INFINITY, most = -INFINITY;
		for (int k = 0; k < 3; k++) {
			float at = bspt_model_points[bspt_model_triangles[triangle][k]][axis] + shifts[axis];
			least = at < least ? at : least;
			most = at > most ? at : most;
		}
		first[axis] = (int)floorf(least / 16);
		count[axis] = (int)ceilf(most / 16) - first[axis] + 1;
	}
	if ((int)first_luxel(triangle) + count[0] * count[1] > LUXELS) return 0;
	double sum = 0;
	for (int y = 0; y < count[1]; y++) {
		for (int x = 0; x < count[0]; x++) {
			double dx = fabs((double)(p[0] + shifts[0]) / 16 - first[0] - x);
			double dy = fabs((double)(p[1] + shifts[1]) / 16 - first[1] - y);
			if (dx >= 1 || dy >= 1) continue;
			sum += (1 - dx) * (1 - dy) * luxel_of(first_luxel(triangle) + (uint32_t)(y * count[0] + x));
		}
	}
	return sum;
}

static void corners_have_the_light_of_their_place(void **state)
{
	uint32_t dark = 0, lit = 0;
	bspi_ctx ctx = { .file = "test", .name = "test", .budget.limit = (uint64_t)16 << 20 };
	bspi_prop_model model;
	const char *why = "";
	(void)state;
	build();
	bspi_begin_memory(&ctx);
	if (!bspi_read_model(&ctx, "maps/b_bh25.bsp", bspt_written(&file), &(bspi_model_state){ 0 }, &model, &why)) {
		fail_msg("%s", why);
	}
	assert_true(model.lit && model.light);
	assert_int_equal(model.vertex_count, 3 * BSPT_MODEL_TRIANGLES);
	for (uint32_t i = 0; i < model.vertex_count; i++) {
		const float *p = bspt_model_points[bspt_model_triangles[i / 3][i % 3]], *got = model.positions + 3 * (size_t)i;
		const uint8_t *light = model.light + 4 * (size_t)i;
		double wanted = floor(light_at(i / 3, p) + 0.5);
		assert_true(got[0] == p[0] && got[1] == p[1] && got[2] == p[2]);
		for (uint32_t k = 0; k < 2; k++) assert_true(model.uvs[2 * i + k] == (p[k] + shifts[k]) / texture_size[k]);
		for (int k = 0; k < 3; k++) {
			if (light[k] != (uint8_t)wanted) fail_msg("corner %u: %u instead of %g", i, light[k], wanted);
		}
		assert_int_equal(light[3], 255);
		dark += wanted == 0;
		lit += wanted > 0;
	}
	assert_true(dark && lit);
	bspi_end_memory(&ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(corners_have_the_light_of_their_place) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
