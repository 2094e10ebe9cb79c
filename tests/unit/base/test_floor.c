/* Promise: the floor below a point is the highest solid triangle there that faces up. It is at most 1 unit above the
 * point, and at most as far below it as the caller allows. For a box, the floor is the highest such point within the
 * box's outline. A list of all floors of a mesh gives the same results as a search of the mesh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "base/floor.h"
#include "support/bspt.h"

/* Two squares of 64 units that face up, at the heights 0 and -100; a slope from 0 at x = 64 to 32 at x = 128; a square
 * at 50 that faces down; one of water at 20. */
static const float corners[][3] = {
	{ 0, 0, 0 },     { 64, 0, 0 },    { 64, 64, 0 },    { 0, 64, 0 },
	{ 0, 0, -100 },  { 64, 0, -100 }, { 64, 64, -100 }, { 0, 64, -100 },
	{ 64, 0, 0 },    { 128, 0, 32 },  { 128, 64, 32 },  { 64, 64, 0 },
	{ 0, 64, 50 },   { 64, 64, 50 },  { 64, 0, 50 },    { 0, 0, 50 },
	{ 0, 0, 20 },    { 64, 0, 20 },   { 64, 64, 20 },   { 0, 64, 20 },
};
enum { SQUARES = sizeof corners / sizeof *corners / 4, SOLID_INDICES = 6 * (SQUARES - 1) };

typedef struct place {
	uint32_t indices[6 * SQUARES];
	bspscene_material materials[2];
	const bspscene_material *material_table[2];
	bspscene_section sections[2];
	const bspscene_section *section_table[2];
	bspscene_mesh mesh;
	const bspscene_mesh *mesh_table[1];
	bspscene_scene scene;
} place;

static void build(place *p)
{
	static const uint32_t square[] = { 0, 1, 2, 0, 2, 3 };
	*p = (place) { .materials = { { .kind = BSPSCENE_MATERIAL_NORMAL }, { .kind = BSPSCENE_MATERIAL_LIQUID } } };
	for (uint32_t i = 0; i < 6 * SQUARES; i++) p->indices[i] = i / 6 * 4 + square[i % 6];
	p->sections[0] = (bspscene_section) { .index_count = SOLID_INDICES, .material = 0 };
	p->sections[1] = (bspscene_section) { .first_index = SOLID_INDICES, .index_count = 6, .material = 1 };
	for (int i = 0; i < 2; i++) {
		p->material_table[i] = &p->materials[i];
		p->section_table[i] = &p->sections[i];
	}
	p->mesh = (bspscene_mesh) {
		.positions = corners[0], .vertex_count = 4 * SQUARES, .indices = p->indices, .index_count = 6 * SQUARES,
		.sections = p->section_table, .section_count = 2,
	};
	p->mesh_table[0] = &p->mesh;
	p->scene = (bspscene_scene) {
		.meshes = p->mesh_table, .mesh_count = 1, .materials = p->material_table, .material_count = 2,
	};
}

static const struct {
	float from[3], half_width, farthest;
	bool found;
	float height;
} cases[] = {
	{ { 32, 32, 40 }, 0, 1000, true, 0 },
	{ { 32, 32, 0 }, 0, 1000, true, 0 },
	{ { 32, 32, -1 }, 0, 1000, true, 0 },       /* the point is 1 unit below the floor */
	{ { 32, 32, -1.5f }, 0, 1000, true, -100 },
	{ { 32, 32, 40 }, 0, 39, false, 0 },
	{ { 32, 32, -50 }, 0, 49, false, 0 },
	{ { 32, 32, -99.5f }, 0, 1000, true, -100 },
	{ { 32, 32, 60 }, 0, 1000, true, 0 },       /* the square at 50 faces down, and water is no floor */
	{ { 96, 32, 40 }, 0, 1000, true, 16 },
	{ { 96, 32, 40 }, 16, 1000, true, 24 },     /* the box meets the slope where it is highest */
	{ { 60, 32, 40 }, 16, 1000, true, 6 },      /* the outline reaches the slope up to x = 76 */
	{ { 200, 32, 40 }, 16, 1000, false, 0 },
};

static void expect(size_t i, const char *what, bool found, const bspi_floor *floor)
{
	const float near = 0.01f; /* half the width of the box that stands for a point */
	if (found != cases[i].found) fail_msg("case %zu, %s: %sfound", i, what, found ? "" : "not ");
	if (found && !(floor->height >= cases[i].height - near && floor->height <= cases[i].height + near)) {
		fail_msg("case %zu, %s: %g", i, what, (double)floor->height);
	}
}

static void floors_are_found(void **state)
{
	static place p;
	static const uint32_t meshes[] = { 0 };
	bspi_ctx ctx = { .file = "test", .name = "test", .budget.limit = 1u << 20 };
	bspi_floors floors = { 0 };
	(void)state;
	build(&p);
	bspi_begin_memory(&ctx);
	assert_true(bspi_collect_floors(&ctx, &ctx.scratch, &p.scene, meshes, 1, &floors));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspi_floor floor;
		bool found = bspi_find_floor(&p.scene, &p.mesh, cases[i].from, cases[i].half_width, cases[i].farthest, &floor);
		expect(i, "in a mesh", found, &floor);
		found = bspi_find_floor_among(&floors, cases[i].from, cases[i].half_width, cases[i].farthest, &floor);
		expect(i, "among floors", found, &floor);
	}
	bspi_end_memory(&ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(floors_are_found) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
