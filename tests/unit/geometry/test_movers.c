/* Promise: brush entities are where the game shows them when the map starts, and those that wait for a trigger are
 * hidden. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "families/quake/quake_common.h"
#include "stages/stages.h"

static const bspi_camera_rule cameras[] = { { .name = NULL } };
static const char *const hidden[] = { NULL };
static const bspi_hidden_rule hidden_by_flags[] = {
	{ "func_wall", 5, 1, false }, { "func_wall", 6, 2, false }, { "func_wall_toggle", 1, 1, false },
	{ "sprite", 1, 0, true }, { NULL, 0, 0, false },
};
static const bspi_mover_rule movers[] = {
	{ .name = "train_by_corner", .kind = BSPI_MOVER_TRAIN_BY_CORNER, .margin = 1 },
	{ .name = "train_by_center", .kind = BSPI_MOVER_TRAIN_BY_CENTER },
	{ .name = "train_by_origin", .kind = BSPI_MOVER_TRAIN_BY_ORIGIN },
	{ .name = "track_train", .kind = BSPI_MOVER_TRACK_TRAIN },
	{ .name = "east_train", .kind = BSPI_MOVER_TRACK_TRAIN, .looks_east = true },
	{ .name = "door", .kind = BSPI_MOVER_DOOR, .margin = 1, .lip = 8 },
	{ .name = "tight_door", .kind = BSPI_MOVER_DOOR },
	{ .name = "turning_door", .kind = BSPI_MOVER_ROTATING_DOOR, .lip = 90 },
	{ .name = "plat", .kind = BSPI_MOVER_PLATFORM, .margin = 1, .lip = 8, .named_stays = true },
	{ .name = "named_plat", .kind = BSPI_MOVER_PLATFORM, .margin = 1, .lip = 8 },
	{ .name = NULL },
};

typedef struct fixture {
	bspi_ctx ctx;
	bspi_map map;
	bspscene_scene scene;
	bspi_scene_parts parts;
	bspi_entity_rules rules;
	bspi_build build;
	bspi_model models[2];
} fixture;

/* Loads entities and a brush model of 64 x 32 x 128 whose corner is at 100, 0, -16. */
static void build(fixture *f, const char *text)
{
	/* In this test, `angles` rotates brush entities only in the game whose trains run on tracks. */
	static const uint32_t mesh_of_part[] = { BSPSCENE_NO_INDEX, BSPSCENE_NO_INDEX };
	memset(f, 0, sizeof *f);
	f->ctx.file = "test.bsp";
	f->ctx.budget.limit = 64u << 20;
	bspi_begin_memory(&f->ctx);
	f->rules = (bspi_entity_rules){
		.lights = &bspi_goldsrc_lights, .cameras = cameras, .hidden = hidden, .hidden_by_flags = hidden_by_flags,
		.movers = movers, .parents = true,
		.brush_angles = strstr(text, "east_train") != NULL, .first_switchable_style = 32,
	};
	f->models[1] = (bspi_model){ .mins = { 100, 0, -16 }, .maxs = { 164, 32, 112 } };
	f->map.rules.entities = &f->rules;
	f->map.models = f->models;
	f->map.models_count = 2;
	f->map.entities = bspi_bytes_of(text, strlen(text));
	bspi_set_parts(&f->scene, &f->parts);
	f->build = (bspi_build){ .ctx = &f->ctx, .map = &f->map, .scene = &f->scene, .parts = &f->parts,
	                         .mesh_of_part = mesh_of_part };
	f->scene.name = "test";
	assert_true(bspi_build_entities(&f->build));
	assert_true(bspi_build_nodes(&f->build));
}

static void release(fixture *f)
{
	bspi_end_memory(&f->ctx);
	assert_int_equal(f->ctx.budget.used, 0);
}

#define CORNERS \
	"{ \"classname\" \"path_corner\" \"targetname\" \"a\" \"target\" \"b\" \"origin\" \"10 20 30\" }" \
	"{ \"classname\" \"path_corner\" \"targetname\" \"b\" \"origin\" \"10 120 30\" }" \
	"{ \"classname\" \"path_track\" \"targetname\" \"t\" \"target\" \"u\" \"origin\" \"0 0 8\" }" \
	"{ \"classname\" \"path_track\" \"targetname\" \"u\" \"target\" \"v\" \"origin\" \"0 30 8\" }" \
	"{ \"classname\" \"path_track\" \"targetname\" \"v\" \"origin\" \"40 30 8\" }"
#define MOVER(classname, keys) "{ \"classname\" \"" classname "\" \"model\" \"*1\" " keys " }" CORNERS

static void movers_stand_where_the_game_puts_them(void **state)
{
	static const struct { const char *text; float place[3], forward[3]; } cases[] = {
		{ MOVER("func_other", "\"target\" \"a\" \"spawnflags\" \"1\""), { 0, 0, 0 }, { 1, 0, 0 } },
		/* The game places a train by a box that is one unit larger than the model on each side. */
		{ MOVER("train_by_corner", "\"target\" \"a\""), { 10 - 99, 20 + 1, 30 + 17 }, { 1, 0, 0 } },
		{ MOVER("train_by_center", "\"target\" \"a\""), { 10 - 132, 20 - 16, 30 - 48 }, { 1, 0, 0 } },
		{ MOVER("train_by_origin", "\"target\" \"a\""), { 10, 20, 30 }, { 1, 0, 0 } },
		{ MOVER("train_by_origin", "\"target\" \"nowhere\" \"origin\" \"1 2 3\""), { 1, 2, 3 }, { 1, 0, 0 } },
		/* The model of a train on tracks faces west in the map file. In the game the train faces a point of the track
		 * some distance ahead. */
		{ MOVER("track_train", "\"target\" \"t\" \"height\" \"4\" \"wheels\" \"20\""), { 0, 0, 12 }, { 0, -1, 0 } },
		{ MOVER("track_train", "\"target\" \"t\" \"wheels\" \"70\""), { 0, 0, 8 }, { -0.8f, -0.6f, 0 } },
		{ MOVER("track_train", "\"target\" \"a\" \"wheels\" \"70\""), { 0, 0, 0 }, { 1, 0, 0 } },
		{ MOVER("east_train", "\"target\" \"t\" \"height\" \"4\" \"wheels\" \"20\""), { 0, 0, 12 }, { 0, 1, 0 } },
		{ MOVER("east_train", "\"target\" \"t\" \"spawnflags\" \"16\" \"angles\" \"0 180 0\""), { 0, 0, 8 },
		  { -1, 0, 0 } },
		/* A door moves by its size minus its lip. When the map starts, only doors with the flag "start open" are
		 * moved. */
		{ MOVER("door", "\"angle\" \"90\""), { 0, 0, 0 }, { 1, 0, 0 } },
		{ MOVER("door", "\"angle\" \"90\" \"spawnflags\" \"1\""), { 0, 34 - 8, 0 }, { 1, 0, 0 } },
		{ MOVER("door", "\"angle\" \"-1\" \"spawnflags\" \"5\" \"lip\" \"-4\""), { 0, 0, 130 + 4 }, { 1, 0, 0 } },
		{ MOVER("door", "\"angles\" \"0 -2 0\" \"spawnflags\" \"1\""), { 0, 0, -122 }, { 1, 0, 0 } },
		{ MOVER("tight_door", "\"angle\" \"180\" \"spawnflags\" \"1\""), { -64, 0, 0 }, { 1, 0, 0 } },
		{ MOVER("turning_door", "\"origin\" \"7 0 0\" \"distance\" \"180\""), { 7, 0, 0 }, { 1, 0, 0 } },
		{ MOVER("turning_door", "\"origin\" \"7 0 0\" \"spawnflags\" \"1\""), { 7, 0, 0 }, { 0, 1, 0 } },
		{ MOVER("turning_door", "\"spawnflags\" \"3\" \"distance\" \"90\""), { 0, 0, 0 }, { 0, -1, 0 } },
		{ MOVER("turning_door", "\"spawnflags\" \"129\" \"distance\" \"90\""), { 0, 0, 0 }, { 0, 0, -1 } },
		{ MOVER("turning_door", "\"spawnflags\" \"65\" \"distance\" \"90\""), { 0, 0, 0 }, { 1, 0, 0 } },
		/* In the map file, platforms are in the raised position. */
		{ MOVER("plat", ""), { 0, 0, 8 - 130 }, { 1, 0, 0 } },
		{ MOVER("plat", "\"height\" \"40\""), { 0, 0, -40 }, { 1, 0, 0 } },
		{ MOVER("plat", "\"targetname\" \"button\""), { 0, 0, 0 }, { 1, 0, 0 } },
		{ MOVER("named_plat", "\"targetname\" \"button\" \"height\" \"40\""), { 0, 0, -40 }, { 1, 0, 0 } },
		/* Absurd values stay finite. */
		{ MOVER("plat", "\"height\" \"1e30\""), { 0, 0, -1048576 }, { 1, 0, 0 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fixture f;
		build(&f, cases[i].text);
		const float *m = f.scene.nodes[f.scene.entities[0]->node]->transform;
		for (int k = 0; k < 3; k++) {
			if (fabsf(m[4 * k + 3] - cases[i].place[k]) > 1e-3f || fabsf(m[4 * k] - cases[i].forward[k]) > 1e-4f) {
				fail_msg("case %zu: at %g %g %g, forward %g %g %g", i, (double)m[3], (double)m[7], (double)m[11],
				         (double)m[0], (double)m[4], (double)m[8]);
			}
		}
		release(&f);
	}
}

/* Children of a train move with it, also through several parents; circles of parents do no harm. */
static void children_go_with_their_train(void **state)
{
	static const char train[] = "{ \"classname\" \"east_train\" \"model\" \"*1\" \"targetname\" \"train\" "
	                            "\"origin\" \"100 0 0\" \"target\" \"t\" \"wheels\" \"20\" %s } ";
	static const struct { const char *what, *train_keys, *child; float place[3], forward[3]; } cases[] = {
		{ "a point", "", "\"origin\" \"110 0 5\" \"parentname\" \"train\"", { 0, 10, 13 }, { 0, 1, 0 } },
		{ "at an attachment", "", "\"origin\" \"110 0 5\" \"parentname\" \"train,hook\"", { 0, 10, 13 }, { 0, 1, 0 } },
		{ "a brush", "",
		  "\"model\" \"*1\" \"origin\" \"100 -7 0\" \"parentname\" \"TRAIN\"", { 7, 0, 8 }, { 0, 1, 0 } },
		{ "turned itself", "", "\"origin\" \"100 0 0\" \"angles\" \"0 90 0\" \"parentname\" \"train\"", { 0, 0, 8 },
		  { -1, 0, 0 } },
		{ "of one that was built turned", "\"angles\" \"0 90 0\"", "\"origin\" \"100 10 0\" \"parentname\" \"train\"",
		  { 0, 10, 8 }, { 1, 0, 0 } },
		{ "of a child", "", "\"origin\" \"110 0 5\" \"parentname\" \"seat\"", { 0, 10, 13 }, { 0, 1, 0 } },
		{ "of nothing", "", "\"origin\" \"110 0 5\" \"parentname\" \"nobody\"", { 110, 0, 5 }, { 1, 0, 0 } },
		{ "of itself", "", "\"origin\" \"110 0 5\" \"targetname\" \"me\" \"parentname\" \"me\"", { 110, 0, 5 },
		  { 1, 0, 0 } },
		{ "of a loop", "", "\"origin\" \"110 0 5\" \"parentname\" \"loop\"", { 110, 0, 5 }, { 1, 0, 0 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[1536];
		fixture f;
		int length = snprintf(text, sizeof text, "{ \"classname\" \"thing\" %s } ", cases[i].child);
		length += snprintf(text + length, sizeof text - (size_t)length, train, cases[i].train_keys);
		snprintf(text + length, sizeof text - (size_t)length,
		         "{ \"classname\" \"a\" \"targetname\" \"seat\" \"parentname\" \"train\" } "
		         "{ \"classname\" \"a\" \"targetname\" \"loop\" \"parentname\" \"pool\" } "
		         "{ \"classname\" \"a\" \"targetname\" \"pool\" \"parentname\" \"loop\" }" CORNERS);
		build(&f, text);
		const float *m = f.scene.nodes[f.scene.entities[0]->node]->transform;
		for (int k = 0; k < 3; k++) {
			if (fabsf(m[4 * k + 3] - cases[i].place[k]) > 1e-3f || fabsf(m[4 * k] - cases[i].forward[k]) > 1e-4f) {
				fail_msg("%s: at %g %g %g, forward %g %g %g", cases[i].what, (double)m[3], (double)m[7],
				         (double)m[11], (double)m[0], (double)m[4], (double)m[8]);
			}
		}
		release(&f);
	}
}

static void what_waits_for_a_trigger_is_hidden(void **state)
{
	static const struct { const char *text; bool hidden; } cases[] = {
		{ MOVER("func_wall", ""), false }, { MOVER("func_wall", "\"spawnflags\" \"1\""), true },
		{ MOVER("func_wall", "\"spawnflags\" \"5\""), false }, { MOVER("func_wall", "\"spawnflags\" \"2\""), true },
		{ MOVER("func_wall", "\"spawnflags\" \"8\""), false },
		{ MOVER("FUNC_WALL_TOGGLE", "\"spawnflags\" \"1\""), true }, { MOVER("func_wall_toggle", ""), false },
		{ MOVER("func_wall_toggle", "\"spawnflags\" \"-1\""), false },
		{ MOVER("sprite", ""), false }, { MOVER("sprite", "\"targetname\" \"a\""), true },
		{ MOVER("sprite", "\"targetname\" \"a\" \"spawnflags\" \"1\""), false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fixture f;
		build(&f, cases[i].text);
		assert_int_equal(f.scene.nodes[f.scene.entities[0]->node]->hidden, cases[i].hidden);
		release(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(movers_stand_where_the_game_puts_them),
		cmocka_unit_test(children_go_with_their_train),
		cmocka_unit_test(what_waits_for_a_trigger_is_hidden),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
