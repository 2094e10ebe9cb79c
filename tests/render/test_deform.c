/* Promise: pictures apply deformVertexes: sprites face the viewer, or rotate toward the viewer about their long axis;
 * waves, bulges and moves have the state at the picture's time. The first tests check vertices, the others pictures. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "shade/deform.h"
#include "wall.h"

/* View axes of an eye that looks along +X, and of one that looks along -Y. */
static const bspr_axes ahead = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 0 }, false };
static const bspr_axes aside = { { 0, -1, 0 }, { 1, 0, 0 }, { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 0 }, false };

/* A square with sides of 20 units in the plane X = 64. Its corners and triangles have the order that sprites get. */
typedef struct square {
	float positions[12], normals[12], uvs[8];
	uint8_t colors[16];
	uint32_t indices[6];
} square;

static const square flat = {
	.positions = { 64, 10, 10, 64, -10, 10, 64, -10, -10, 64, 10, -10 },
	.normals = { -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0 },
	.uvs = { 0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.7f, 0.8f },
	.colors = { 1, 2, 3, 4, 5, 6, 7, 8 },
	.indices = { 0, 3, 1, 3, 2, 1 },
};

static void deform(square *s, const bspscene_deform *how, const bspr_axes *axes, float time)
{
	const bspr_piece piece = {
		.positions = s->positions, .normals = s->normals, .uvs = s->uvs, .colors = s->colors, .vertex_count = 4,
		.indices = s->indices, .index_count = 6,
	};
	bspr_deform(how, axes, time, &piece);
}

static void expect_numbers(const char *what, const float *got, const float *want, int count)
{
	for (int i = 0; i < count; i++) {
		if (fabsf(got[i] - want[i]) > 1e-2f) {
			fail_msg("%s: number %d is %g instead of %g", what, i, (double)got[i], (double)want[i]);
		}
	}
}

static void moving_vertices(void **state)
{
	static const struct { const char *what; bspscene_deform how; float time, want[3]; } cases[] = {
		{ "wave everywhere alike", { .kind = BSPSCENE_DEFORM_WAVE, .wave = { BSPSCENE_WAVE_SIN, 3, 8, 0.25f, 0 },
		                             .spread = 0.5f }, 7, { 64 - 11, 10, 10 } },
		{ "wave over the place", { .kind = BSPSCENE_DEFORM_WAVE, .wave = { BSPSCENE_WAVE_SIN, 3, 8, 0, 0.5f },
		                           .spread = 0.25f / 84 }, 0, { 64 - 11, 10, 10 } },
		{ "wave later", { .kind = BSPSCENE_DEFORM_WAVE, .wave = { BSPSCENE_WAVE_SIN, 3, 8, 0, 0.5f },
		                  .spread = 0.25f / 84 }, 1, { 64 + 5, 10, 10 } },
		{ "bulge", { .kind = BSPSCENE_DEFORM_BULGE, .width = 15.707963f, .height = 6, .speed = 1 }, 0, { 58, 10, 10 } },
		{ "bulge later", { .kind = BSPSCENE_DEFORM_BULGE, .width = 15.707963f, .height = 6, .speed = 1 }, 3.1415927f,
		  { 70, 10, 10 } },
		{ "move", { .kind = BSPSCENE_DEFORM_MOVE, .wave = { BSPSCENE_WAVE_SQUARE, 0, 2, 0, 1 }, .vector = { 1, 2, 3 } },
		  0.25f, { 66, 14, 16 } },
		{ "move later", { .kind = BSPSCENE_DEFORM_MOVE, .wave = { BSPSCENE_WAVE_SQUARE, 0, 2, 0, 1 },
		                  .vector = { 1, 2, 3 } }, 0.75f, { 62, 6, 4 } },
		{ "too far", { .kind = BSPSCENE_DEFORM_MOVE, .wave = { BSPSCENE_WAVE_SQUARE, 0, 1e30f, 0, 1 },
		               .vector = { 1e30f, 0, 0 } }, 0, { 64, 10, 10 } },
		{ "no number", { .kind = BSPSCENE_DEFORM_WAVE, .wave = { BSPSCENE_WAVE_SIN, 0, INFINITY, 0, 1 } }, 0,
		  { 64, 10, 10 } },
		{ "trembling normals", { .kind = BSPSCENE_DEFORM_NORMAL, .wave = { BSPSCENE_WAVE_NOISE, 0, 1, 0, 1 } }, 1,
		  { 64, 10, 10 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		square s = flat;
		deform(&s, &cases[i].how, &ahead, cases[i].time);
		expect_numbers(cases[i].what, s.positions, cases[i].want, 3);
	}
}

/* If the eye is 200 units away, a glow has the size of its quad. Beyond that, it is enlarged in proportion to the
 * distance, so that its size in the picture stays the same. */
static void glows_stay_as_large_in_the_picture(void **state)
{
	static const bspscene_deform glow = { .kind = BSPSCENE_DEFORM_GLOW };
	const float want[] = { 128, 20, 20, 128, -20, 20 };
	bspr_axes far = ahead;
	square s = flat;
	(void)state;
	far.eye[2] = -400;
	deform(&s, &glow, &far, 0);
	expect_numbers("at 400 units", s.positions, want, 6);
}

/* In views from above, glows are not enlarged further at distances beyond 512 units. Otherwise they would cover the
 * map. */
static void glows_stay_small_from_above(void **state)
{
	static const bspscene_deform glow = { .kind = BSPSCENE_DEFORM_GLOW };
	static const float distances[] = { 400, 512, 9000 };
	(void)state;
	for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
		float factor = fminf(distances[i], 512) / 200;
		const float want[] = { 64 * factor, 10 * factor, 10 * factor };
		bspr_axes far = ahead;
		square s = flat;
		far.eye[2] = -distances[i];
		far.from_above = true;
		deform(&s, &glow, &far, 0);
		expect_numbers("from above", s.positions, want, 3);
	}
}

static void sprites_face_the_viewer(void **state)
{
	static const float seen_ahead[12] = { 64, 10, 10, 64, -10, 10, 64, -10, -10, 64, 10, -10 };
	static const float seen_aside[12] = { 74, 0, 10, 54, 0, 10, 54, 0, -10, 74, 0, -10 };
	static const float uvs[8] = { 0, 0, 1, 0, 1, 1, 0, 1 };
	static const bspscene_deform how = { .kind = BSPSCENE_DEFORM_AUTOSPRITE };
	square s = flat;
	(void)state;
	memset(s.indices, 0, sizeof s.indices);
	deform(&s, &how, &ahead, 0);
	expect_numbers("ahead", s.positions, seen_ahead, 12);
	expect_numbers("textured anew", s.uvs, uvs, 8);
	assert_memory_equal(s.indices, flat.indices, sizeof s.indices);
	assert_memory_equal(s.colors + 4, s.colors, 4);
	deform(&s, &how, &aside, 0);
	expect_numbers("aside", s.positions, seen_aside, 12);
	assert_true(s.normals[1] == 1);
}

/* The quad turns about its long axis, whatever the direction of its short sides was. The long sides keep their
 * direction, and texture coordinates do not change. */
static void beams_turn_about_their_axis(void **state)
{
	static const float high_aside[12] = { 66, 0, 10, 62, 0, 10, 62, 0, -10, 66, 0, -10 };
	static const float wide_ahead[12] = { 64, 10, 2, 64, -10, 2, 64, -10, -2, 64, 10, -2 };
	static const bspscene_deform how = { .kind = BSPSCENE_DEFORM_AUTOSPRITE2 };
	square high = flat, wide = flat;
	(void)state;
	for (int k = 0; k < 4; k++) {
		high.positions[3 * k + 1] *= 0.2f;
		wide.positions[3 * k + 2] = 0;
		wide.positions[3 * k] = k < 2 ? 66 : 62;
	}
	deform(&high, &how, &aside, 0);
	expect_numbers("upright", high.positions, high_aside, 12);
	deform(&wide, &how, &ahead, 0);
	for (int k = 0; k < 4; k++) wide.positions[3 * k + 2] = fabsf(wide.positions[3 * k + 2]) * (k < 2 ? 1 : -1);
	expect_numbers("lying", wide.positions, wide_ahead, 12);
	expect_numbers("coordinates", wide.uvs, flat.uvs, 8);
}

/* The checked corner is ten units to the left of the sprite's origin and ten units above it. The eye is at
 * (0, 100, 50), and its left and up axes are tilted. */
static void sprites_of_files(void **state)
{
	static const bspr_axes view = {
		{ 1, 0, 0 }, { 0, 0.6f, 0.8f }, { 0, -0.8f, 0.6f }, { 0, 0, 1 }, { 0, 100, 50 }, false,
	};
	static const struct { const char *what; bspscene_deform_kind kind; float want[3]; } cases[] = {
		{ "parallel", BSPSCENE_DEFORM_SPRITE, { 0, -2, 14 } },
		{ "upright", BSPSCENE_DEFORM_SPRITE_UPRIGHT, { 0, 10, 10 } },
		{ "facing", BSPSCENE_DEFORM_SPRITE_FACING, { 10, 0, 10 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const bspscene_deform how = { .kind = cases[i].kind };
		square s = flat;
		deform(&s, &how, &view, 0);
		expect_numbers(cases[i].what, s.positions, cases[i].want, 3);
		expect_numbers(cases[i].what, s.normals, (const float[3]){ -1, 0, 0 }, 3);
	}
}

/* Sprites have a second quad that crosses the first, for hosts that cannot rotate sprites. The renderer does not draw
 * it. */
static void crossing_quads_go(void **state)
{
	static const bspscene_deform how = { .kind = BSPSCENE_DEFORM_SPRITE };
	float positions[24], normals[24] = { 0 };
	(void)state;
	for (int i = 0; i < 24; i++) positions[i] = (float)i + 1;
	const bspr_piece piece = { .positions = positions, .normals = normals, .vertex_count = 8 };
	bspr_deform(&how, &ahead, 0, &piece);
	expect_numbers("first", positions, (const float[3]){ 0, 2, 3 }, 3);
	for (int i = 12; i < 24; i++) assert_true(positions[i] == 0);
}

/* ---- In pictures -------------------------------------------------------------------------------------------- */

/* The upper half of the picture is white, the lower green. */
static const uint8_t bands[4 * 4 * 2] = {
	255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
	0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255,
};
static const uint8_t white[3] = { 255, 255, 255 }, green[3] = { 0, 255, 0 }, nothing[3] = { 0, 0, 255 };
static const bspscene_image images[] = { BSPT_WALL_IMAGE(4, 2, bands) };

static void set_deforms(bspt_wall *w, const bspscene_deform *how, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) w->deform_table[i] = &how[i];
	w->material.deforms = w->deform_table;
	w->material.deform_count = count;
}

/* Makes an unlit wall that is seen from its edge. Its texture coordinates are such that the texture's center is at the
 * wall's middle. */
static void make_edge(bspt_wall *w, const bspscene_deform *how, uint32_t count)
{
	bspt_make_wall(w, images, 1);
	for (int k = 0; k < 4; k++) {
		w->positions[3 * k] = k == 0 || k == 3 ? 96 : 32;
		w->positions[3 * k + 1] = 5;
		w->normals[3 * k] = 0;
		w->normals[3 * k + 1] = 1;
		w->uvs[2 * k + 1] = k < 2 ? 1 : 0;
	}
	w->material.unlit = w->material.clamp = true;
	w->material.cull = BSPSCENE_CULL_NONE;
	set_deforms(w, how, count);
}

/* An upright sprite of 64 units stays vertical however the camera is pitched and its node is rotated. From 2 units
 * above its middle and 64 units away, its edges are at pitches of 28 degrees, atan(34 / 64), and -25.1 degrees. */
static void upright_sprites_do_not_lean(void **state)
{
	static const bspscene_deform sprite = { .kind = BSPSCENE_DEFORM_SPRITE_UPRIGHT };
	static const float turns[][9] = {
		{ 1, 0, 0, 0, 1, 0, 0, 0, 1 }, { 0, -1, 0, 1, 0, 0, 0, 0, 1 }, { 1, 0, 0, 0, 0, -1, 0, 1, 0 },
		{ 0, 0, 1, 0, 1, 0, -1, 0, 0 }, { 0, 0, 1, 1, 0, 0, 0, 1, 0 },
	};
	/* If the sprite leaned with the camera, it would still be visible at the last two pitches. */
	static const struct { float pitch; const uint8_t *want; } cases[] = {
		{ -23, white }, { 23, green }, { 29.5f, nothing }, { -27.5f, nothing },
	};
	(void)state;
	for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
		for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
			bspt_wall w;
			uint8_t got[3];
			char what[64];
			make_edge(&w, &sprite, 1);
			for (int k = 0; k < 4; k++) w.positions[3 * k + 1] = k == 0 || k == 3 ? 32 : -32;
			for (int k = 0; k < 9; k++) w.nodes[1].transform[k / 3 * 4 + k % 3] = turns[i][k];
			w.nodes[1].transform[3] = 64;
			bspt_draw_wall(&w, NULL, cases[n].pitch, got);
			snprintf(what, sizeof what, "turn %zu, pitch %g", i, (double)cases[n].pitch);
			bspt_expect_color(what, got, cases[n].want);
		}
	}
}

static void sprites_are_seen(void **state)
{
	static const bspscene_deform sprite = { .kind = BSPSCENE_DEFORM_AUTOSPRITE };
	static const bspscene_deform beam = { .kind = BSPSCENE_DEFORM_AUTOSPRITE2 };
	static const struct { const char *what; const bspscene_deform *how; float pitch; const uint8_t *want; } cases[] = {
		{ "still", NULL, -10, nothing }, { "sprite's upper half", &sprite, -13, white },
		{ "sprite's lower half", &sprite, 18, green }, { "past the sprite", &sprite, -50, nothing },
		{ "beam", &beam, -13, white }, { "beam below", &beam, 18, green },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_wall w;
		uint8_t got[3];
		make_edge(&w, cases[i].how, cases[i].how != NULL);
		if (cases[i].how == &beam) {
			for (int k = 0; k < 4; k++) w.positions[3 * k] = k == 0 || k == 3 ? 72 : 56;
		}
		bspt_draw_wall(&w, NULL, cases[i].pitch, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

/* Sprites of a rotated mesh face the viewer as well. */
static void sprites_of_turned_nodes(void **state)
{
	static const bspscene_deform sprite = { .kind = BSPSCENE_DEFORM_AUTOSPRITE };
	static const float quarter[12] = { 0, -1, 0, 64, 1, 0, 0, -59, 0, 0, 1, 0 };
	bspt_wall w;
	uint8_t got[3];
	(void)state;
	make_edge(&w, &sprite, 1);
	memcpy(w.nodes[1].transform, quarter, sizeof quarter);
	bspt_draw_wall(&w, NULL, -15, got);
	bspt_expect_color("turned", got, white);
}

/* Models have no face records and may be scaled. Pictures that show only the world leave them out. */
static void sprites_of_models(void **state)
{
	static const bspscene_deform sprite = { .kind = BSPSCENE_DEFORM_SPRITE };
	static const struct { const char *what; float pitch; bool world_only, is_static; const uint8_t *want; } cases[] = {
		{ "upper half", -30, false, false, white }, { "lower half", 40, false, false, green },
		{ "world alone", -30, true, false, nothing },
		{ "static", -30, true, true, white },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_render_options options;
		bspscene_prop prop = { .is_static = cases[i].is_static };
		bspt_wall w;
		uint8_t got[3];
		bspscene_render_options_init(&options);
		options.world_only = cases[i].world_only;
		make_edge(&w, &sprite, 1);
		for (int k = 0; k < 4; k++) {
			w.positions[3 * k] = 0;
			w.positions[3 * k + 1] = k == 0 || k == 3 ? -32 : 32;
		}
		w.section.face_count = 0;
		w.prop_table[0] = &prop;
		w.scene.props = w.prop_table;
		w.scene.prop_count = 1;
		w.nodes[1].kind = BSPSCENE_NODE_PROP;
		w.nodes[1].prop = 0;
		/* The node scales by two and rotates by 90 degrees. The sprite is not rotated. */
		memcpy(w.nodes[1].transform, (const float[12]){ 0, -2, 0, 64, 2, 0, 0, 5, 0, 0, 2, 0 }, 12 * sizeof(float));
		bspt_draw_wall(&w, &options, cases[i].pitch, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

/* Makes a wall at `x`, from `bottom` to `top`, that blocks the view. */
static void make_blocker(const bspt_wall *w, float positions[12], float x, float bottom, float top, bspscene_mesh *out)
{
	for (int k = 0; k < 4; k++) {
		positions[3 * k] = x;
		positions[3 * k + 1] = k == 0 || k == 3 ? 64 : -64;
		positions[3 * k + 2] = k < 2 ? bottom : top;
	}
	*out = w->mesh;
	out->positions = positions;
}

/* A glow is complete if its center is visible, even in front of nearer edges, and invisible if the center is hidden.
 * The center may be up to eight units deep in a surface. */
static void glows_are_seen_whole_or_not_at_all(void **state)
{
	static const bspscene_deform glow[2] = { { .kind = BSPSCENE_DEFORM_SPRITE }, { .kind = BSPSCENE_DEFORM_GLOW } };
	static const uint8_t red[3] = { 255, 0, 0 };
	static const struct { const char *what; float x, top, pitch; const uint8_t *want; float aside; } cases[] = {
		{ "upper half", 40, -2, -10, white, 0 }, { "lower half, behind the wall's place", 40, -2, 15, green, 0 },
		{ "the wall below it", 40, -2, 30, red, 0 }, { "above a wall that hides it", 40, 4, -10, nothing, 0 },
		{ "the wall that hides it", 40, 4, 10, red, 0 }, { "in a wall", 60, 4, -10, white, 0 },
		{ "before a wall", 90, 40, -10, white, 0 },
		{ "as deep as it may lie", 56.5f, 4, -10, white, 0 }, { "deeper", 55, 4, -10, nothing, 0 },
		{ "seen aslant, as deep as it may lie", 56.3f, 4, -10, white, 15 },
		{ "seen aslant, deeper", 56.12f, 4, -10, nothing, 15 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_prop prop = { .is_static = false };
		bspscene_node nodes[3];
		bspscene_mesh meshes[2];
		bspscene_material materials[2];
		bspscene_section section;
		const bspscene_section *const sections[] = { &section };
		const bspscene_node *const node_table[] = { &nodes[0], &nodes[1], &nodes[2] };
		const bspscene_mesh *const mesh_table[] = { &meshes[0], &meshes[1] };
		const bspscene_material *const material_table[] = { &materials[0], &materials[1] };
		bspt_wall w;
		float positions[12];
		uint8_t got[3];
		make_edge(&w, glow, 2);
		section = w.section;
		section.material = 1;
		for (int k = 0; k < 4; k++) {
			w.positions[3 * k] = 0;
			w.positions[3 * k + 1] = k == 0 || k == 3 ? -32 : 32;
		}
		make_blocker(&w, positions, cases[i].x, -64, cases[i].top, &meshes[1]);
		meshes[1].sections = sections;
		w.section.face_count = 0;
		meshes[0] = w.mesh;
		materials[0] = materials[1] = w.material;
		materials[1].deform_count = 0;
		materials[1].base_image = BSPSCENE_NO_INDEX;
		materials[1].color[1] = materials[1].color[2] = 0;
		for (int k = 0; k < 3; k++) nodes[k] = w.nodes[k > 0];
		nodes[1].kind = BSPSCENE_NODE_PROP;
		nodes[1].prop = 0;
		memcpy(nodes[1].transform, (const float[12]){ 2, 0, 0, 64, 0, 2, 0, 5, 0, 0, 2, 0 }, 12 * sizeof(float));
		nodes[1].transform[7] -= cases[i].aside;
		nodes[2].mesh = 1;
		w.prop_table[0] = &prop;
		w.scene.props = w.prop_table;
		w.scene.prop_count = 1;
		w.scene.nodes = node_table;
		w.scene.node_count = 3;
		w.scene.meshes = mesh_table;
		w.scene.mesh_count = 2;
		w.scene.materials = material_table;
		w.scene.material_count = 2;
		bspt_draw_wall(&w, NULL, cases[i].pitch, got);
		bspt_expect_color(cases[i].what, got, cases[i].want);
	}
}

/* A wave moves a wall behind the viewer, where it no longer hides another wall. Later the wall comes back. */
static void waves_are_seen_at_their_time(void **state)
{
	static const bspscene_deform wave = {
		.kind = BSPSCENE_DEFORM_WAVE, .wave = { BSPSCENE_WAVE_SQUARE, 100, 100, 0, 1 },
	};
	static const bspscene_deform both[2] = {
		{ .kind = BSPSCENE_DEFORM_MOVE, .wave = { BSPSCENE_WAVE_SQUARE, 0, 100, 0, 1 }, .vector = { 2, 0, 0 } },
		{ .kind = BSPSCENE_DEFORM_WAVE, .wave = { BSPSCENE_WAVE_SQUARE, 100, 100, 0, 1 } },
	};
	static const struct { const bspscene_deform *how; uint32_t count; float time; bool seen; } cases[] = {
		{ NULL, 0, 0.25f, true }, { &wave, 1, 0.25f, false }, { &wave, 1, 0.75f, true }, { both, 2, 0.25f, true },
		{ both, 1, 0.75f, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_render_options options;
		bspt_wall w;
		uint8_t got[3];
		bspscene_render_options_init(&options);
		options.time = cases[i].time;
		bspt_make_wall(&w, images, 1);
		w.material.unlit = w.material.clamp = true;
		set_deforms(&w, cases[i].how, cases[i].count);
		bspt_draw_wall(&w, &options, 0, got);
		bspt_expect_color(cases[i].count ? "wave" : "still", got, cases[i].seen ? white : nothing);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(glows_stay_as_large_in_the_picture),
		cmocka_unit_test(glows_stay_small_from_above),
		cmocka_unit_test(moving_vertices), cmocka_unit_test(sprites_face_the_viewer),
		cmocka_unit_test(beams_turn_about_their_axis), cmocka_unit_test(sprites_of_files),
		cmocka_unit_test(crossing_quads_go), cmocka_unit_test(upright_sprites_do_not_lean),
		cmocka_unit_test(sprites_are_seen), cmocka_unit_test(sprites_of_models),
		cmocka_unit_test(sprites_of_turned_nodes),
		cmocka_unit_test(glows_are_seen_whole_or_not_at_all), cmocka_unit_test(waves_are_seen_at_their_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
