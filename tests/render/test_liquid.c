/* Promise: liquids are divided as their engine divides them, into a limited number of pieces. They are warped at each
 * pixel or at the pieces' corners, as the material says. GoldSrc's liquids swell toward the eye. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "shade/deform.h"
#include "shade/liquid.h"
#include "support/bspt.h"
#include "wall.h"

/* ---- Pieces ------------------------------------------------------------------------------------------------- */

typedef struct found {
	uint32_t count, fewest_corners, most_corners;
	double area;
	float largest_side;
} found;

static void add_piece(void *user, const bspr_polygon *piece)
{
	found *f = user;
	double twice = 0;
	for (uint32_t k = 0; k < piece->count; k++) {
		const float *a = piece->corners[k].position, *b = piece->corners[(k + 1) % piece->count].position;
		twice += (double)a[0] * (double)b[1] - (double)b[0] * (double)a[1];
		for (int i = 0; i < 2; i++) f->largest_side = fmaxf(f->largest_side, fabsf(a[i] - b[i]));
		/* It is enough to check one value of a corner, because all of them are interpolated in the same way. */
		if (fabsf(piece->corners[k].uv[0] - a[0] * 0.5f) > 1e-2f) fail_msg("a corner at %g", (double)a[0]);
	}
	f->count++;
	f->area += twice / 2;
	if (piece->count < f->fewest_corners) f->fewest_corners = piece->count;
	if (piece->count > f->most_corners) f->most_corners = piece->count;
}

static void set_corners(bspr_cutter *cutter, const float (*corners)[2], uint32_t count)
{
	memset(cutter, 0, sizeof *cutter);
	cutter->parts[0].count = count;
	for (uint32_t k = 0; k < count; k++) {
		bspr_cut_corner *corner = &cutter->parts[0].corners[k];
		memcpy(corner->position, corners[k], sizeof corners[k]);
		corner->uv[0] = corner->position[0] * 0.5f;
	}
}

static void cuts_are_the_engines(void **state)
{
	static const struct {
		const char *what;
		float corners[4][2]; uint32_t count;
		float width; uint32_t most;
		uint32_t pieces, fewest, largest;
		double area;
	} cases[] = {
		{ "too small", { { 0, 0 }, { 60, 0 }, { 60, 60 }, { 0, 60 } }, 4, 64, 1000, 1, 4, 4, 3600 },
		{ "three by two", { { 0, 0 }, { 192, 0 }, { 192, 128 }, { 0, 128 } }, 4, 64, 1000, 6, 4, 4, 24576 },
		{ "by the world's grid", { { 32, 0 }, { 96, 0 }, { 96, 64 }, { 32, 64 } }, 4, 64, 1000, 2, 4, 4, 4096 },
		{ "not near an end", { { 0, 0 }, { 71, 0 }, { 71, 64 }, { 0, 64 } }, 4, 64, 1000, 1, 4, 4, 4544 },
		{ "eight from it", { { 0, 0 }, { 72, 0 }, { 72, 64 }, { 0, 64 } }, 4, 64, 1000, 2, 4, 4, 4608 },
		{ "a triangle", { { 0, 0 }, { 128, 0 }, { 0, 128 } }, 3, 64, 1000, 3, 3, 4, 8192 },
		{ "as wide as a map may be", { { -1e6f, -1e6f }, { 1e6f, -1e6f }, { 1e6f, 1e6f }, { -1e6f, 1e6f } }, 4, 64, 64,
		  64, 4, 4, 4e12 },
		{ "by less than a unit", { { 0, 0 }, { 20, 0 }, { 20, 4 }, { 0, 4 } }, 4, 0.5f, 1000, 2, 4, 4, 80 },
		{ "nothing to cut by", { { 0, 0 }, { 192, 0 }, { 192, 128 }, { 0, 128 } }, 4, 0, 1000, 1, 4, 4, 24576 },
	};
	bspr_cutter *cutter = malloc(sizeof *cutter);
	(void)state;
	assert_non_null(cutter);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const bspscene_deform liquid = { .kind = BSPSCENE_DEFORM_LIQUID, .width = cases[i].width };
		found f = { .fewest_corners = UINT32_MAX };
		set_corners(cutter, cases[i].corners, cases[i].count);
		bspr_cut_liquid(cutter, &liquid, cases[i].most, add_piece, &f);
		if (f.count > cases[i].pieces || (cases[i].most > 64 && f.count != cases[i].pieces)) {
			fail_msg("%s: %u pieces", cases[i].what, f.count);
		}
		if (f.fewest_corners != cases[i].fewest || f.most_corners != cases[i].largest) {
			fail_msg("%s: %u to %u corners", cases[i].what, f.fewest_corners, f.most_corners);
		}
		if (fabs(f.area - cases[i].area) > cases[i].area * 1e-5) fail_msg("%s: area %g", cases[i].what, f.area);
	}
	free(cutter);
}

static void polygons_of_many_corners_stay_whole(void **state)
{
	const bspscene_deform liquid = { .kind = BSPSCENE_DEFORM_LIQUID, .width = 64 };
	bspr_cutter *cutter = malloc(sizeof *cutter);
	float corners[BSPR_CUT_CORNERS][2];
	(void)state;
	assert_non_null(cutter);
	for (int k = 0; k < BSPR_CUT_CORNERS; k++) {
		corners[k][0] = 500 * (float)cos(k * 6.283185307179586 / BSPR_CUT_CORNERS);
		corners[k][1] = 500 * (float)sin(k * 6.283185307179586 / BSPR_CUT_CORNERS);
	}
	found f = { .fewest_corners = UINT32_MAX };
	set_corners(cutter, (const float(*)[2])corners, BSPR_CUT_CORNERS);
	bspr_cut_liquid(cutter, &liquid, 1000, add_piece, &f);
	assert_int_equal(f.count, 1);
	free(cutter);
}

/* ---- Pictures ----------------------------------------------------------------------------------------------- */

#define RED 255, 0, 0, 255
#define GREEN 0, 255, 0, 255
static const uint8_t halves[] = { RED, RED, RED, RED, GREEN, GREEN, GREEN, GREEN };
static const bspscene_image images[] = { BSPT_WALL_IMAGE(8, 1, halves) };
static const uint8_t red[3] = { 255, 0, 0 }, green[3] = { 0, 255, 0 };

/* Only the texture coordinates in the wall's center are moved, by half the texture's size. Those of the wall's corners
 * stay. */
static void points_or_corners_warp(void **state)
{
	static const bspscene_deform whole = { .kind = BSPSCENE_DEFORM_LIQUID, .width = 1e5f },
	                             centered = { .kind = BSPSCENE_DEFORM_LIQUID, .width = 1e5f, .centered = true },
	                             uncut = { .kind = BSPSCENE_DEFORM_LIQUID, .centered = true },
	                             cut = { .kind = BSPSCENE_DEFORM_LIQUID, .width = 5 };
	/* Frequencies with three (narrow) or two (wide) half waves between the wall's center and a corner. */
	static const float narrow = 5.8904862f, wide = 3.9269908f;
	static const struct {
		const char *what; const bspscene_deform *how; float far, wave; const uint8_t *want;
	} cases[] = {
		{ "still", NULL, 0, narrow, red }, { "points", NULL, 0.5f, narrow, green },
		{ "corners", &whole, 0.5f, narrow, red }, { "corners and the middle", &centered, 0.5f, narrow, red },
		{ "cut, but not so near to an end", &cut, 0.5f, narrow, red },
		/* At the centers of both triangles, coordinates move by more than the texture's size. */
		{ "the middle of what is not cut", &uncut, 1.2f, wide, red },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		uint8_t got[3];
		bspt_make_wall(&w, images, 1);
		const uint32_t frames[] = { 0 };
		w.scene.frame_images = frames;
		w.scene.frame_image_count = 1;
		w.material.pass_count = 1;
		w.material.no_mipmaps = true;
		w.stages[0] = (bspscene_material_pass) {
			.input = BSPSCENE_PASS_INPUT_IMAGE,
			.frame_image_count = 1,
			.src_blend = BSPSCENE_BLEND_ONE,
			.depth_write = true,
			.tc_mods = { { .kind = BSPSCENE_TC_MOD_WARP, .values = { cases[i].far, cases[i].wave, 0 } } },
			.tc_mod_count = 1,
		};
		for (int k = 0; k < 4; k++) {
			w.uvs[2 * k] = 0.25f;
			w.uvs[2 * k + 1] = w.positions[3 * k + 1] / 20;
		}
		w.deform_table[0] = cases[i].how;
		w.material.deforms = w.deform_table;
		w.material.deform_count = cases[i].how != NULL;
		bspt_draw_wall(&w, NULL, 0, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

static void swell_goes_toward_the_eye(void **state)
{
	static const bspscene_deform swell = { .kind = BSPSCENE_DEFORM_LIQUID, .width = 64, .height = 0.5f };
	static const struct { float eye, time, want; } cases[] = {
		{ 100, 0, 10 + 0.5f * (14.4f + 8 * 0.707107f) },       /* waves at phases 32 and 0 of 256 */
		{ -100, 0, 10 - 0.5f * (14.4f + 8 * 0.707107f) },
		{ 100, 1, 10 + 0.5f * (14.4f - 8 * 1 - 6.4f * 0.870087f) },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspr_axes axes = { .eye = { 0, 0, cases[i].eye } };
		/* The waves depend on x + y and on 5 x - y. At this point, these are about 32 and 0. */
		float positions[3] = { 32 / 6.0f + 0.01f, 5 * 32 / 6.0f + 0.01f, 10 };
		const bspr_piece piece = { .positions = positions, .vertex_count = 1 };
		bspr_deform(&swell, &axes, cases[i].time, &piece);
		if (fabsf(positions[2] - cases[i].want) > 0.02f) fail_msg("case %zu: %g", i, (double)positions[2]);
	}
}

/* ---- Liquids of the games ------------------------------------------------------------------------------------- */

static void games_liquids(void **state)
{
	static const struct { const char *map; float far, frequency, width; bool centered; } cases[] = {
		{ "atrium/quake/maps/atrium.bsp", 0.125f, 3.1415927f, 0, false },
		{ "atrium/hexen2/maps/atrium.bsp", 0.125f, 3.1415927f, 0, false },
		{ "atrium/goldsrc/maps/atrium_wad.bsp", 0.125f, 8, 64, false },
		{ "atrium/quake2_q2map/maps/atrium.bsp", 0.0625f, 8, 64, true },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_scene *scene = bspscene_load_file(bspt_fixture_path(cases[i].map), NULL, NULL);
		uint32_t liquids = 0;
		assert_non_null(scene);
		for (uint32_t m = 0; m < scene->material_count; m++) {
			const bspscene_material *material = scene->materials[m];
			if (material->kind != BSPSCENE_MATERIAL_LIQUID || !material->pass_count) continue;
			const bspscene_tc_mod *warp = &scene->material_passes[material->first_pass]->tc_mods[0];
			const bspscene_deform *cut = bspr_liquid_of(material);
			liquids++;
			if (warp->kind != BSPSCENE_TC_MOD_WARP || fabsf(warp->values[0] - cases[i].far) > 1e-6f ||
			    fabsf(warp->values[1] - cases[i].frequency) > 1e-5f || warp->values[2] != 1 ||
			    (cut ? cut->width : 0) != cases[i].width || (cut && cut->centered != cases[i].centered)) {
				fail_msg("%s: %s does not warp as it should", cases[i].map, material->name);
			}
		}
		assert_int_not_equal(liquids, 0);
		bspscene_scene_free(scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cuts_are_the_engines), cmocka_unit_test(polygons_of_many_corners_stay_whole),
		cmocka_unit_test(points_or_corners_warp), cmocka_unit_test(swell_goes_toward_the_eye),
		cmocka_unit_test(games_liquids),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
