/* test_relight_probes.c - relight writes the light of probes, which have six sides, into maps. Depending on the format,
 * the map stores ambient and directed light, one color, or six sides. The bytes of unchanged probes and of points in
 * walls do not change. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "families/vbsp/vbsp_tables.h"
#include "support/check/probed.h"
#include "support/make/build_map.h"

enum { DIRECTORY = 8, ENTRY = 8, LIGHT_GRID = 15, LIGHT_ARRAY = 17, POINT = 8, RECORD = 30 };

static const bspscene_lightmap_encoding encodings[] = { BSPSCENE_LIGHTMAP_ENCODING_DISPLAY,
	                                                    BSPSCENE_LIGHTMAP_ENCODING_HDR };
#define QUAKE3 BSPT_FIXTURES "/atrium/quake3/maps/atrium.bsp"
#define RAVEN BSPT_FIXTURES "/atrium/jediacademy/maps/atrium.bsp"

/* ---- What nobody changed ----------------------------------------------------------------------------------- */

static void check_unchanged(bspt_bytes map, const char *name, uint32_t least)
{
	for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++) {
		bspt_probed p;
		bspscene_relight_report report;
		if (!bspt_bake_probes(&p, map, encodings[i])) fail_msg("%s: no probes", name);
		if (p.count < least) fail_msg("%s: %u probes", name, p.count);
		bspt_bytes out = bspt_relight_probes(&p, map, &report);
		if (!report.identical || report.points_changed) fail_msg("%s: changed", name);
		assert_int_equal(out.size, map.size);
		assert_memory_equal(out.data, map.data, map.size);
		test_free(out.data);
		bspt_probed_free(&p);
	}
}

typedef struct room_case {
	const bspi_family *family;
	const char *variant;
	uint32_t least;
} room_case;

static const room_case rooms[] = {
	{ &bspi_family_quake3, "quake3", 50 }, { &bspi_family_quake3, "raven", 50 }, { &bspi_family_quake3, "qfusion", 50 },
	{ &bspi_family_vbsp, "source20", 3 }, { &bspi_family_vbsp, "source19", 3 }, { &bspi_family_vbsp, "strata", 3 },
};

static void unchanged_probes_keep_their_bytes(void **state)
{
	(void)state;
	static const char *const files[] = { QUAKE3, RAVEN };
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		bspt_bytes map = bspt_read_file(files[i]);
		check_unchanged(map, files[i], 100);
		free(map.data);
	}
	for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
		const room_case *room = &rooms[i];
		bspt_bytes map = bspt_build_room(room->family, bspt_find_variant(room->family, room->variant));
		check_unchanged(map, room->variant, room->least);
		free(map.data);
	}
}

/* ---- A lamp -------------------------------------------------------------------------------------------------- */

static const double lamp_color[3] = { 1, 0.7, 0.4 }, everywhere[3] = { 0.01, 0.02, 0.03 };

/* Returns how much light of the lamp a surface gets at a probe, if the surface faces the lamp. Also gets the direction
 * to the lamp. */
static double see_lamp(const float at[3], const double lamp[3], double direction[3])
{
	double away = 0;
	for (int i = 0; i < 3; i++) away += (lamp[i] - (double)at[i]) * (lamp[i] - (double)at[i]);
	for (int i = 0; i < 3; i++) direction[i] = (lamp[i] - (double)at[i]) / sqrt(away);
	return fmin(100 * 100 * 0.8 / away, 0.8);
}

static void light_probe(const bspt_probed *p, uint32_t probe, const double lamp[3])
{
	double direction[3], light[3], strength = see_lamp(p->probes[probe].origin, lamp, direction);
	for (int side = 0; side < BSPT_PROBE_SIDES; side++) {
		double toward = fmax(side % 2 ? -direction[side / 2] : direction[side / 2], 0);
		for (int i = 0; i < 3; i++) light[i] = everywhere[i] + strength * lamp_color[i] * toward;
		bspt_set_probe_light(p, probe, side, light);
	}
}

/* Returns the number of the light grid's point at the position of a probe. */
static size_t point_of(const bspscene_scene *scene, const float at[3])
{
	const bspscene_light_grid *grid = scene->light_grid;
	size_t point = 0;
	for (int i = 2; i >= 0; i--) {
		double step = round(((double)at[i] - (double)grid->origin[i]) / (double)grid->step[i]);
		point = point * grid->counts[i] + (size_t)fmin(fmax(step, 0), grid->counts[i] - 1.0);
	}
	return point;
}

/* Converts linear light to a byte by the formula in docs/formats. The result may exceed 255. */
static double byte_of(double linear, double overbright)
{
	return 255 * pow(linear, 1 / 2.2) / overbright;
}

static double angle_to(const uint8_t stored[2], const double direction[3])
{
	const double turn = 2 * 3.14159265358979 / 256;
	double zenith = stored[0] * turn, azimuth = stored[1] * turn;
	double dot = cos(azimuth) * sin(zenith) * direction[0] + sin(azimuth) * sin(zenith) * direction[1] +
	             cos(zenith) * direction[2];
	return acos(fmin(dot, 1)) * 180 / 3.14159265358979;
}

/* Checks a record: its ambient light, its directed light and the direction of the latter. */
static void check_record(const uint8_t *ambient, const uint8_t *directed, const uint8_t *turn, const float at[3],
                         const double lamp[3], double overbright)
{
	double direction[3], strength = see_lamp(at, lamp, direction);
	for (int i = 0; i < 3; i++) {
		double both = byte_of(everywhere[i] + strength * lamp_color[i], overbright);
		assert_true(fabs(ambient[i] - byte_of(everywhere[i], overbright)) < 0.7);
		if (fabs(ambient[i] + directed[i] - both) > 1.2) {
			fail_msg("%u and %u at %g %g %g: %g together", ambient[i], directed[i], (double)at[0], (double)at[1],
			         (double)at[2], both);
		}
	}
	if (directed[0] > 3 && angle_to(turn, direction) > 2) {
		fail_msg("%g degrees off at %g %g %g", angle_to(turn, direction), (double)at[0], (double)at[1], (double)at[2]);
	}
}

static void a_lamp_is_where_it_shines_from(void **state)
{
	(void)state;
	const double lamp[3] = { 100, 60, 150 };
	bspt_bytes map = bspt_read_file(QUAKE3);
	bspt_probed p;
	bspscene_relight_report report;
	assert_true(bspt_bake_probes(&p, map, BSPSCENE_LIGHTMAP_ENCODING_HDR));
	for (uint32_t i = 0; i < p.count; i++) light_probe(&p, i, lamp);
	bspt_bytes out = bspt_relight_probes(&p, map, &report);
	assert_int_equal(out.size, map.size);
	assert_int_equal(report.points_changed, p.count);
	const size_t lump = bspi_load_u32(map.data + DIRECTORY + ENTRY * LIGHT_GRID);
	const size_t size = bspi_load_u32(map.data + DIRECTORY + ENTRY * LIGHT_GRID + 4);
	bool *known = test_calloc(size / POINT, sizeof *known);
	size_t moved = 0, dark = 0;
	for (uint32_t i = 0; i < p.count; i++) {
		size_t point = point_of(p.baked.scene, p.probes[i].origin);
		const uint8_t *sample = out.data + lump + point * POINT;
		moved += known[point];
		known[point] = true;
		check_record(sample, sample + 3, sample + 6, p.probes[i].origin, lamp, (double)p.baked.scene->overbright);
	}
	/* Bytes outside of the changed grid points do not change. */
	for (size_t i = 0; i < map.size; i++) {
		bool inside = i >= lump && i < lump + size && known[(i - lump) / POINT];
		if (!inside) assert_int_equal(out.data[i], map.data[i]);
	}
	for (size_t i = 0; i < size / POINT; i++) dark += !known[i];
	assert_true(dark > 0 && moved == 0);
	test_free(known);
	test_free(out.data);
	bspt_probed_free(&p);
	free(map.data);
}

/* If all light comes from above, the ambient light would be 0, which tells the engine that the point is in a wall. So
 * the brightest channel of the ambient light keeps one step. */
static void light_from_one_side_is_no_wall(void **state)
{
	static const double colors[][3] = { { 0.4, 0.02, 0.1 }, { 0.1, 0.4, 0.02 }, { 0.02, 0.1, 0.4 } };
	static const double dark[3] = { 0, 0, 0 };
	(void)state;
	bspt_bytes map = bspt_read_file(QUAKE3);
	const size_t lump = bspi_load_u32(map.data + DIRECTORY + ENTRY * LIGHT_GRID);
	for (int brightest = 0; brightest < 3; brightest++) {
		bspt_probed p;
		assert_true(bspt_bake_probes(&p, map, BSPSCENE_LIGHTMAP_ENCODING_HDR));
		for (uint32_t i = 0; i < p.count; i++) {
			for (int side = 0; side < BSPT_PROBE_SIDES; side++) {
				bspt_set_probe_light(&p, i, side, side == 4 ? colors[brightest] : dark);
			}
		}
		bspt_bytes out = bspt_relight_probes(&p, map, NULL);
		for (uint32_t i = 0; i < p.count; i++) {
			const uint8_t *sample = out.data + lump + point_of(p.baked.scene, p.probes[i].origin) * POINT;
			for (int k = 0; k < 3; k++) assert_int_equal(sample[k], k == brightest);
			for (int k = 0; k < 3; k++) assert_true(sample[3 + brightest] >= sample[3 + k]);
			assert_int_equal(sample[6], 0);
		}
		test_free(out.data);
		bspt_probed_free(&p);
	}
	free(map.data);
}

/* ---- Shared records ------------------------------------------------------------------------------------------ */

static const uint8_t *record_of(bspt_bytes map, size_t point)
{
	size_t index = bspi_load_u32(map.data + DIRECTORY + ENTRY * LIGHT_ARRAY);
	size_t records = bspi_load_u32(map.data + DIRECTORY + ENTRY * LIGHT_GRID);
	size_t size = bspi_load_u32(map.data + DIRECTORY + ENTRY * LIGHT_GRID + 4);
	size_t number = bspi_load_u16(map.data + index + 2 * point);
	assert_true((number + 1) * RECORD <= size && records + size <= map.size);
	return map.data + records + number * RECORD;
}

static bool is_black(const uint8_t *bytes, size_t size)
{
	bool black = true;
	for (size_t i = 0; i < size; i++) black = black && !bytes[i];
	return black;
}

/* Every second point gets the lamp's light in a new record; the others keep their light. */
static void points_that_share_records_part(void **state)
{
	(void)state;
	const double lamp[3] = { 100, 60, 150 };
	bspt_bytes map = bspt_read_file(RAVEN);
	bspt_probed p;
	assert_true(bspt_bake_probes(&p, map, BSPSCENE_LIGHTMAP_ENCODING_HDR));
	for (uint32_t i = 0; i < p.count; i++) {
		if (point_of(p.baked.scene, p.probes[i].origin) % 2 && p.probes[i].style == 0) light_probe(&p, i, lamp);
	}
	bspt_bytes out = bspt_relight_probes(&p, map, NULL);
	size_t points = bspi_load_u32(map.data + DIRECTORY + ENTRY * LIGHT_ARRAY + 4) / 2, lit = 0, alone = 0;
	bool *given = test_calloc(points, sizeof *given);
	for (uint32_t i = 0; i < p.count; i++) {
		size_t point = point_of(p.baked.scene, p.probes[i].origin);
		if (point % 2 == 0 || p.probes[i].style) continue;
		const uint8_t *record = record_of(out, point);
		given[point] = true;
		lit++;
		/* All styles of a record share one direction, so records with further styles are not checked. */
		if (!is_black(record + 15, 9)) continue;
		alone++;
		check_record(record, record + 12, record + 28, p.probes[i].origin, lamp, (double)p.baked.scene->overbright);
	}
	assert_true(lit > 100 && alone > 100);
	for (size_t i = 0; i < points; i++) {
		if (!given[i]) assert_memory_equal(record_of(out, i), record_of(map, i), RECORD);
	}
	test_free(given);
	/* Writing the baked pages of the new map changes nothing. */
	bspt_probed again;
	bspscene_relight_report report;
	assert_true(bspt_bake_probes(&again, out, BSPSCENE_LIGHTMAP_ENCODING_HDR));
	bspt_bytes same = bspt_relight_probes(&again, out, &report);
	assert_true(report.identical);
	test_free(same.data);
	bspt_probed_free(&again);
	test_free(out.data);
	bspt_probed_free(&p);
	free(map.data);
}

/* The points have more different light than there can be records. So similar records are merged, but no more than
 * necessary. */
static void more_light_than_records_is_rounded(void **state)
{
	(void)state;
	enum { COUNTS = 52, DARK = 40 };
	static const char entities[] = "{\n\"classname\" \"worldspawn\"\n\"gridsize\" \"5 5 5\"\n}\n";
	static uint8_t index[COUNTS * COUNTS * COUNTS * 2];
	const double lamp[3] = { 101, 61, 152 };
	bspt_parts parts = { .lump_count = 0 };
	const bspi_variant *variant = bspt_find_variant(&bspi_family_quake3, "raven");
	assert_true(bspt_room_parts(&bspi_family_quake3, variant, &parts));
	parts.raw[0] = bspi_bytes_of((const uint8_t *)entities, sizeof entities);
	parts.raw[LIGHT_ARRAY] = bspi_bytes_of(index, sizeof index);
	bspt_bytes map = bspt_encode_parts(variant, &parts);
	bspt_probed p;
	assert_true(bspt_bake_probes(&p, map, BSPSCENE_LIGHTMAP_ENCODING_HDR));
	uint32_t lit = 0;
	for (uint32_t i = 0; i < p.count; i++) {
		if (p.probes[i].style == 0) light_probe(&p, i, lamp);
		lit += p.probes[i].style == 0;
	}
	assert_true(lit > 0xffff);
	bspt_bytes out = bspt_relight_probes(&p, map, NULL);
	assert_true(bspi_load_u32(out.data + DIRECTORY + ENTRY * LIGHT_GRID + 4) <= 0xffff * RECORD);
	for (uint32_t i = 0; i < p.count; i++) {
		double direction[3], strength = see_lamp(p.probes[i].origin, lamp, direction);
		const uint8_t *record = record_of(out, point_of(p.baked.scene, p.probes[i].origin));
		double both = byte_of(everywhere[0] + strength * lamp_color[0], (double)p.baked.scene->overbright);
		if (both < 255 && fabs(record[0] + record[12] - both) > DARK) {
			fail_msg("%u and %u, %g together, at %g %g %g", record[0], record[12], both, (double)p.probes[i].origin[0],
			         (double)p.probes[i].origin[1], (double)p.probes[i].origin[2]);
		}
	}
	test_free(out.data);
	bspt_probed_free(&p);
	free(map.data);
}

/* ---- One color, and cubes ----------------------------------------------------------------------------------- */

/* Returns how many bytes differ, and the first and last of them. */
static size_t compare(bspt_bytes a, bspt_bytes b, size_t *first, size_t *last)
{
	size_t count = 0;
	assert_int_equal(a.size, b.size);
	for (size_t i = 0; i < a.size; i++) {
		if (a.data[i] == b.data[i]) continue;
		if (!count++) *first = i;
		*last = i;
	}
	return count;
}

static void an_octree_gets_the_mean(void **state)
{
	(void)state;
	bspt_parts parts = { .lump_count = 0 };
	const bspi_family *family = &bspi_family_quake;
	const bspi_variant *variant = family->variants;
	assert_true(bspt_room_parts(family, variant, &parts));
	bspt_room_bspx(&parts);
	bspt_bytes map = bspt_encode_parts(variant, &parts);
	check_unchanged(map, "octree", 14);
	bspt_probed p;
	assert_true(bspt_bake_probes(&p, map, BSPSCENE_LIGHTMAP_ENCODING_HDR));
	assert_int_equal(p.count, 14);
	const double bright[3] = { 0.6, 0.3, 0 }, dark[3] = { 0, 0, 0 };
	for (int side = 0; side < BSPT_PROBE_SIDES; side++) bspt_set_probe_light(&p, 3, side, side % 2 ? bright : dark);
	bspt_bytes out = bspt_relight_probes(&p, map, NULL);
	size_t first = 0, last = 0, count = compare(map, out, &first, &last);
	assert_true(count == 3 && last == first + 2);
	/* Quake doubles light, and a steady style has the brightness 264 of 256. */
	const double measure = 2 * 264 / 256.0;
	for (int i = 0; i < 3; i++) {
		double wanted = byte_of(bright[i] / 2, measure);
		if (fabs(out.data[first + (size_t)i] - wanted) > 0.7) fail_msg("%u, %g", out.data[first + (size_t)i], wanted);
	}
	assert_int_equal(p.probes[3].style, 1);
	test_free(out.data);
	bspt_probed_free(&p);
	free(map.data);
}

static void cubes_have_six_sides(void **state)
{
	(void)state;
	bspt_bytes map = bspt_build_room(&bspi_family_vbsp, bspt_find_variant(&bspi_family_vbsp, "source20"));
	bspt_probed p, again;
	assert_true(bspt_bake_probes(&p, map, BSPSCENE_LIGHTMAP_ENCODING_HDR));
	assert_true(p.baked.scene->map_light->probes_without_lamps);
	assert_int_equal(p.count, 3);
	const double light[3] = { 0.75, 0.25, 3 };
	bspt_set_probe_light(&p, 1, 4, light);
	bspt_bytes out = bspt_relight_probes(&p, map, NULL);
	size_t first = 0, last = 0, count = compare(map, out, &first, &last);
	assert_true(count >= 1 && last - first < 4);
	assert_true(bspt_bake_probes(&again, out, BSPSCENE_LIGHTMAP_ENCODING_HDR));
	const bspscene_ambient *before = p.baked.scene->ambients, *after = again.baked.scene->ambients;
	for (int i = 0; i < 3; i++) assert_true(fabs((double)after[1].cube[4][i] - light[i]) < 0.011);
	for (uint32_t k = 0; k < 3 * BSPT_PROBE_SIDES; k++) {
		uint32_t probe = k / BSPT_PROBE_SIDES, side = k % BSPT_PROBE_SIDES;
		bool own = probe == 1 && side == 4;
		if (!own) assert_memory_equal(before[probe].cube[side], after[probe].cube[side], 12);
	}
	bspt_probed_free(&again);
	test_free(out.data);
	bspt_probed_free(&p);
	free(map.data);
}

/* A map may have two lists of ambient cubes, one for displays without HDR and one for HDR, in different order. If a
 * cube of one list changes, the nearest cube of the other list gets the same light. */
static void cubes_of_the_other_range_are_those_nearby(void **state)
{
	enum { SAMPLE = 28, CUBE = 24, SAMPLES = 3, VBSP_DIRECTORY = 8, VBSP_ENTRY = 16 };
	const bspi_variant *variant = bspt_find_variant(&bspi_family_vbsp, "source20");
	const double light[3] = { 0.75, 0.25, 3 };
	uint8_t exchanged[SAMPLES * SAMPLE];
	bspt_parts parts;
	(void)state;
	assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
	const uint8_t *own = parts.raw[VBSP_AMBIENT].data;
	assert_int_equal(parts.raw[VBSP_AMBIENT].size, sizeof exchanged);
	for (int i = 0; i < SAMPLES; i++) memcpy(exchanged + i * SAMPLE, own + (i < 2 ? 1 - i : i) * SAMPLE, SAMPLE);
	parts.raw[VBSP_AMBIENT_HDR] = bspi_bytes_of(exchanged, sizeof exchanged);
	parts.raw[VBSP_AMBIENT_INDEX_HDR] = parts.raw[VBSP_AMBIENT_INDEX];
	bspt_bytes map = bspt_encode_parts(variant, &parts);
	for (uint32_t probe = 0; probe < 2; probe++) {
		bspt_probed p;
		assert_true(bspt_bake_probes(&p, map, BSPSCENE_LIGHTMAP_ENCODING_HDR));
		bspt_set_probe_light(&p, probe, 4, light);
		bspt_bytes out = bspt_relight_probes(&p, map, NULL);
		const uint8_t *cubes[2][2]; /* first cube of each list, before and after relight */
		for (int k = 0; k < 2; k++) {
			int entry = VBSP_DIRECTORY + VBSP_ENTRY * (k ? VBSP_AMBIENT_HDR : VBSP_AMBIENT);
			cubes[k][0] = map.data + bspi_load_u32(map.data + entry);
			cubes[k][1] = out.data + bspi_load_u32(map.data + entry);
		}
		int changed[2] = { -1, -1 };
		for (int i = 0; i < 2 * SAMPLES; i++) {
			int list = i / SAMPLES, at = i % SAMPLES * SAMPLE;
			if (!memcmp(cubes[list][0] + at, cubes[list][1] + at, SAMPLE)) continue;
			assert_int_equal(changed[list], -1);
			changed[list] = i % SAMPLES;
		}
		assert_true(changed[0] >= 0 && changed[0] < 2 && changed[1] == 1 - changed[0]);
		assert_memory_equal(cubes[0][1] + changed[0] * SAMPLE, cubes[1][1] + changed[1] * SAMPLE, CUBE);
		test_free(out.data);
		bspt_probed_free(&p);
	}
	free(map.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unchanged_probes_keep_their_bytes),
		cmocka_unit_test(a_lamp_is_where_it_shines_from),
		cmocka_unit_test(light_from_one_side_is_no_wall),
		cmocka_unit_test(points_that_share_records_part),
		cmocka_unit_test(more_light_than_records_is_rounded),
		cmocka_unit_test(an_octree_gets_the_mean),
		cmocka_unit_test(cubes_of_the_other_range_are_those_nearby),
		cmocka_unit_test(cubes_have_six_sides),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
