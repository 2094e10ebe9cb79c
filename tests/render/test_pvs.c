/* Promise: with `pvs`, surfaces that are invisible by the map's visibility are left out. Without `pvs` or visibility
 * data, all surfaces are drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "wall.h"

static const uint8_t white[4] = { 255, 255, 255, 255 };
static const uint8_t nothing[3] = { 0, 0, 255 };
static const bspscene_image images[] = { BSPT_WALL_IMAGE(1, 1, white) };

/* The eye is in leaf 1, behind the first plane. In front of it, a second plane separates leaf 0 from leaf 2. */
static const int32_t children[4] = { 1, -2, -1, -3 };

static void make_wall_in_tree(bspt_wall *w, const float planes[8], const bspscene_leaf leafs[3], const uint8_t rows[3])
{
	bspt_make_wall(w, images, 1);
	w->material.unlit = true;
	w->face.cluster = BSPSCENE_NO_INDEX;
	w->nodes[1].kind = BSPSCENE_NODE_WORLD;
	w->tree = (bspscene_tree){ 2, 3, planes, children, leafs };
	w->vis = (bspscene_vis){ 3, 1, rows };
}

static bool is_seen(const bspt_wall *w, bool pvs)
{
	bspscene_render_options options;
	uint8_t got[3];
	bspscene_render_options_init(&options);
	options.use_pvs = pvs;
	bspt_draw_wall(w, &options, 0, got);
	bspt_expect_color("wall", got, got[0] ? white : nothing);
	return got[0] != 0;
}

/* The wall is at x = 64; y and z are from -32 to 32. The second plane is at y = 100, 0 or -100, or in the wall. */
static void faces_of_unseen_leafs_are_left_out(void **state)
{
	static const struct { const char *what; float second[4]; uint8_t sees; bool seen; } cases[] = {
		{ "all of it in front", { 0, 1, 0, -100 }, 0x1, true }, { "unseen in front", { 0, 1, 0, -100 }, 0x6, false },
		{ "all of it behind", { 0, 1, 0, 100 }, 0x4, true }, { "unseen behind", { 0, 1, 0, 100 }, 0x3, false },
		{ "half in front", { 0, 1, 0, 0 }, 0x1, true }, { "half behind", { 0, 1, 0, 0 }, 0x4, true },
		{ "both halves unseen", { 0, 1, 0, 0 }, 0x2, false },
		{ "on the plane, away from it", { 1, 0, 0, 64 }, 0x4, true }, { "unseen", { 1, 0, 0, 64 }, 0x1, false },
		{ "on the plane, along it", { -1, 0, 0, -64 }, 0x1, true }, { "unseen too", { -1, 0, 0, -64 }, 0x4, false },
	};
	static const bspscene_leaf leafs[3] = { { .cluster = 0 }, { .cluster = 1 }, { .cluster = 2 } };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		float planes[8] = { 1, 0, 0, 32 };
		const uint8_t rows[3] = { 0, cases[i].sees, 0 };
		bspt_wall w;
		memcpy(planes + 4, cases[i].second, sizeof cases[i].second);
		make_wall_in_tree(&w, planes, leafs, rows);
		if (is_seen(&w, true) != cases[i].seen) fail_msg("%s", cases[i].what);
		assert_true(is_seen(&w, false));
	}
}

/* A third plane divides the space behind the second one, and the wall extends beyond both. */
static void parts_are_cut_again(void **state)
{
	static const bspscene_leaf leafs[4] = { { .cluster = 0 }, { .cluster = 1 }, { .cluster = 2 }, { .cluster = 3 } };
	static const float planes[12] = { 1, 0, 0, 32, 0, 1, 0, 0, 0, 1, 0, -16 };
	static const int32_t three[6] = { 1, -2, -1, 2, -3, -4 };
	static const struct { uint8_t sees; bool seen; } cases[] = {
		{ 0x1, true }, { 0x4, true }, { 0x8, true }, { 0x2, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const uint8_t rows[4] = { 0, cases[i].sees, 0, 0 };
		bspt_wall w;
		make_wall_in_tree(&w, planes, leafs, rows);
		w.tree = (bspscene_tree){ 3, 4, planes, three, leafs };
		w.vis.cluster_count = 4;
		if (is_seen(&w, true) != cases[i].seen) fail_msg("case %zu", i);
	}
}

/* The second plane separates the wall's two triangles. The triangle that would be seen is in the invisible leaf, but
 * the whole face is drawn if any of its leafs is visible. */
static void faces_are_seen_as_a_whole(void **state)
{
	static const bspscene_leaf leafs[3] = { { .cluster = 0 }, { .cluster = 1 }, { .cluster = 2 } };
	static const uint8_t rows[3] = { 0, 0x4, 0 };
	static const float planes[8] = { 1, 0, 0, 32, 0, 0.70710678f, 0.70710678f, 0 };
	bspt_wall w;
	(void)state;
	make_wall_in_tree(&w, planes, leafs, rows);
	assert_true(is_seen(&w, true));
	w.face.first_index = w.face.index_count = 3;
	assert_false(is_seen(&w, true));
	w.face.cluster = 2;                /* now the first leaf of the face is visible */
	assert_true(is_seen(&w, true));
}

static void maps_that_cannot_say(void **state)
{
	static const float planes[8] = { 1, 0, 0, 32, 0, 1, 0, 0 };
	static const bspscene_leaf leafs[3] = { { .cluster = 0 }, { .cluster = 1 }, { .cluster = 2 } };
	static const bspscene_leaf outside[3] = { { .cluster = 0 }, { .cluster = BSPSCENE_NO_INDEX }, { .cluster = 2 } };
	static const uint8_t blind[3] = { 0, 0, 0 };
	bspt_wall w;
	(void)state;
	make_wall_in_tree(&w, planes, leafs, blind);
	assert_false(is_seen(&w, true));
	make_wall_in_tree(&w, planes, outside, blind);
	assert_true(is_seen(&w, true));
	make_wall_in_tree(&w, planes, leafs, NULL);
	assert_true(is_seen(&w, true));
	make_wall_in_tree(&w, planes, leafs, blind);
	w.tree.node_count = w.tree.leaf_count = 0;
	assert_true(is_seen(&w, true));
	/* Models of entities are in their own leafs, whatever leafs the world's faces are in. */
	make_wall_in_tree(&w, planes, leafs, blind);
	w.nodes[1].kind = BSPSCENE_NODE_BRUSH_ENTITY;
	assert_true(is_seen(&w, true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faces_of_unseen_leafs_are_left_out), cmocka_unit_test(parts_are_cut_again),
		cmocka_unit_test(faces_are_seen_as_a_whole), cmocka_unit_test(maps_that_cannot_say),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
