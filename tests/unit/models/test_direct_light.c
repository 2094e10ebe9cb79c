/* Promise: a model can list only a few lamps. All further lamps are added to the ambient light of its position. Their
 * light is shared among six directions, by the cosine of the angle to each. Lamps shine through glass, grates and
 * liquids. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "stages/light/direct_light.h"
#include "stages/light/light_ray.h"

static void light_of_six_sides_is_added(void **state)
{
	static const float ambient[6][3] = {
		{ 1, 0, 0 }, { 2, 0, 0 }, { 4, 0, 0 }, { 8, 0, 0 }, { 16, 0, 1 }, { 32, 0, 1 },
	};
	static const bspi_direct_light direct = {
		.cube = { { 0, 1, 3 }, { 0, 2, 3 }, { 0, 4, 3 }, { 0, 8, 3 }, { 0, 16, 3 }, { 0, 32, 3 } },
	};
	static const struct { float normal[3], want[3]; } cases[] = {
		{ { 1, 0, 0 }, { 1, 1, 3 } },  { { -1, 0, 0 }, { 2, 2, 3 } },   { { 0, 1, 0 }, { 4, 4, 3 } },
		{ { 0, -1, 0 }, { 8, 8, 3 } }, { { 0, 0, 1 }, { 16, 16, 4 } }, { { 0, 0, -1 }, { 32, 32, 4 } },
		{ { 0.6f, -0.8f, 0 }, { 5.48f, 5.48f, 3 } }, { { -0.6f, 0, 0.8f }, { 10.96f, 10.96f, 3.64f } },
	};
	static const float place[3] = { 0, 0, 0 };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (int softly = 0; softly < 2; softly++) {
			float got[3];
			bspi_direct_light_on(&direct, ambient, place, cases[i].normal, softly, got);
			for (int k = 0; k < 3; k++) {
				if (fabsf(got[k] - cases[i].want[k]) < 1e-4f) continue;
				fail_msg("case %zu: %g %g %g", i, (double)got[0], (double)got[1], (double)got[2]);
			}
		}
	}
}

/* A ray of 64 units meets a box of 16 units in its middle after 24 units. Contents are those of bspflags.h. */
static void only_opaque_brushes_block_light(void **state)
{
	static const struct { const char *what; int32_t contents; float share; } cases[] = {
		{ "solid", 0x1, 0.375f }, { "opaque", 0x80, 0.375f }, { "movable", 0x4000, 0.375f },
		{ "solid and detail", 0x8000001, 0.375f }, { "window", 0x2, 1 }, { "grate", 0x8, 1 }, { "water", 0x20, 1 },
		{ "player clip", 0x10000, 1 }, { "empty", 0, 1 },
	};
	static const float from[3] = { -32, 0, 0 }, to[3] = { 32, 0, 0 };
	bspi_plane planes[6] = { { .distance = 0 } };
	bspi_brush_side sides[6] = { { .bevel = 0 } };
	bspi_index leaf_brushes[1] = { { 0 } };
	bspi_leaf leaf = { .leaf_brush_count = 1 };
	(void)state;
	for (int i = 0; i < 6; i++) {
		planes[i].normal[i / 2] = i % 2 ? -1 : 1;
		planes[i].distance = 8;
		sides[i] = (bspi_brush_side){ .plane = i, .texture = -1 };
	}
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspi_brush brush = { .side_count = 6, .contents = cases[i].contents, .texture = -1 };
		bspi_map map = {
			.planes = planes, .planes_count = 6, .brush_sides = sides, .brush_sides_count = 6, .brushes = &brush,
			.brushes_count = 1, .leaf_brushes = leaf_brushes, .leaf_brushes_count = 1, .leafs = &leaf, .leafs_count = 1,
		};
		uint64_t budget = 1000;
		float share = bspi_trace_light(&map, from, to, &budget).share;
		if (fabsf(share - cases[i].share) > 1e-6f) fail_msg("%s: %g", cases[i].what, (double)share);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(light_of_six_sides_is_added), cmocka_unit_test(only_opaque_brushes_block_light),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
