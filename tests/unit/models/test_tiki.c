/* Promise: a TIKI script gives the model that the game draws. It has the meshes, the shaders and skins of surfaces, the
 * requested animation, and the contents of included scripts. Missing files are named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "models/model.h"
#include "support/bspt.h"
#include "support/make/build_map.h"
#include "support/models/build_model.h"
#include "support/check/scene_find.h"

/* FRAMES, RUNS: kinds of model files, SKD 5 with SKC 13, and SKD 6 with SKC 14; ENTITIES: entity lump of Medal of
 * Honor's maps */
enum { FRAMES = 2, RUNS = 3, ENTITIES = 14 };

/* The game's files: a mesh, an animation, a script that may be included, and one that a map names. */
typedef struct game {
	bspt_writer mesh, animation;
	const char *included, *placed; /* texts of the scripts, NULL if missing */
} game;

static bool open_file(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const game *g = user;
	(void)kind;
	bspi_bytes bytes = BSPI_NO_BYTES;
	if (!strcmp(path, "models/a.skd")) bytes = bspt_written(&g->mesh);
	if (!strcmp(path, "models/b/idle.skc")) bytes = bspt_written(&g->animation);
	if (!strcmp(path, "models/more.txt") && g->included) bytes = bspi_bytes_of(g->included, strlen(g->included));
	if (!strcmp(path, "models/static/tree.tik") && g->placed) bytes = bspi_bytes_of(g->placed, strlen(g->placed));
	stream->data = bytes.data;
	stream->size = bytes.size;
	return bytes.size != 0;
}

typedef struct reading {
	bspi_ctx ctx;
	game files;
	bspi_prop_model model;
	const char *why;
	bool read;
} reading;

static void begin(reading *r, const char *included)
{
	memset(r, 0, sizeof *r);
	r->ctx = (bspi_ctx) { .file = "test", .name = "test", .budget.limit = (uint64_t)64 << 20 };
	bspt_build_tiki_mesh(&r->files.mesh, FRAMES);
	bspt_build_tiki_animation(&r->files.animation, FRAMES);
	r->files.included = included;
	bspi_begin_memory(&r->ctx);
	r->ctx.options.open_file = open_file;
	r->ctx.options.file_user = &r->files;
}

static void read_one(reading *r, const char *script, const char *sequence)
{
	bspi_bytes bytes = bspi_bytes_of(script, strlen(script));
	r->read = bspi_read_model(&r->ctx, "models/a.tik", bytes, &(bspi_model_state) { .sequence = sequence }, &r->model,
	                          &r->why);
}

static void read_script(reading *r, const char *script, const char *included, const char *sequence)
{
	begin(r, included);
	read_one(r, script, sequence);
}

static void end(reading *r)
{
	bspi_end_memory(&r->ctx);
	assert_int_equal(r->ctx.budget.used, 0);
}

#define SETUP "TIKI\nsetup\n{\npath models\nskelmodel a.skd\n"
#define IDLE "animations\n{\n$path models/b/\nidle idle.skc\n}\n"

static void what_is_missing_is_named(void **state)
{
	static const struct {
		const char *script, *included, *sequence, *words;
	} cases[] = {
		{ "TIKI\n" IDLE, NULL, NULL, "names no mesh" },
		{ "TIKI\nsetup\n{\nskelmodel a.skd\n}\n" IDLE, NULL, NULL, "mesh a.skd was not found" },
		{ SETUP "}\n", NULL, NULL, "names no animation" },
		{ SETUP "}\nanimations\n{\nidle no.skc\n}\n", NULL, NULL, "animation models/no.skc was not found" },
		{ SETUP "}\nanimations\n{\nidle a.skd\n}\n", NULL, NULL, "not an SKA or SKC" },
		{ SETUP "skelmodel b/idle.skc\n}\n" IDLE, NULL, NULL, "not an SKB or SKD" },
		{ SETUP "}\nanimations\n{\nidle b/idle.skc\nwalk no.skc\n}\n", NULL, "walk", "models/no.skc was not found" },
		{ SETUP "}\n$include models/more.txt\n", "$include models/more.txt\n", NULL, "too deep" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		reading r;
		read_script(&r, cases[i].script, cases[i].included, cases[i].sequence);
		if (r.read || !strstr(r.why, cases[i].words)) fail_msg("case %zu: \"%s\"", i, r.read ? "" : r.why);
		end(&r);
	}
}

/* A mesh without surfaces shows nothing, but may provide bones. */
static void surfaces_are_counted(void **state)
{
	static const struct {
		int32_t count;
		const char *words;
	} cases[] = { { -1, "-1 surfaces" }, { 0, NULL }, { 257, "257 surfaces" } };
	enum { COUNT_AT = 72 };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		reading r;
		begin(&r, NULL);
		bspt_put_u32_at(&r.files.mesh, COUNT_AT, (uint32_t)cases[i].count);
		read_one(&r, SETUP "}\n" IDLE, NULL);
		if (r.read != !cases[i].words || (!r.read && !strstr(r.why, cases[i].words))) {
			fail_msg("%d surfaces: %s", cases[i].count, r.read ? "read" : r.why);
		}
		if (r.read) assert_int_equal(r.model.index_count, 0);
		end(&r);
	}
}

static void scripts_add_to_each_other(void **state)
{
	static const struct {
		const char *script, *included, *sequence;
	} cases[] = {
		{ SETUP "}\n" IDLE, NULL, NULL },
		{ SETUP "}\n$include models/more.txt\n", IDLE, NULL },
		{ SETUP "}\nanimations\n{\n$include models/more.txt\n}\n", "$path models/b\nidle idle.skc\n", NULL },
		{ SETUP "}\n$include models/none.txt\n" IDLE, NULL, NULL },
		/* The idle animation is used unless the map names another animation that exists. */
		{ SETUP "}\nanimations\n{\nwalk no.skc\nidle b/idle.skc\nidle2 no.skc\n}\n", NULL, NULL },
		{ SETUP "}\nanimations\n{\nidle no.skc\nWalk b/idle.skc\n}\n", NULL, "walk" },
		{ SETUP "}\nanimations\n{\nwalk no.skc\nidle_1 b/idle.skc\n}\n", NULL, "fly" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		reading r;
		read_script(&r, cases[i].script, cases[i].included, cases[i].sequence);
		if (!r.read) fail_msg("case %zu: %s", i, r.why);
		assert_int_equal(r.model.index_count / 3, BSPT_MODEL_TRIANGLES);
		end(&r);
	}
}

/* `most` is the expected largest x coordinate of the model, or -1 if nothing is drawn. In the file, the largest x
 * coordinate is 7. */
static void setup_says_how_it_looks(void **state)
{
	static const struct {
		const char *lines;
		float most;
		uint32_t skins;
		const char *names[2];
	} cases[] = {
		{ "", 7, 1, { "", NULL } },
		{ "scale 2\norigin 1 0 0\n", 16, 1, { "", NULL } },
		{ "surface crate shader rusty\n", 7, 1, { "rusty", NULL } },
		{ "surface CRATE shader a.tga\nsurface crate shader b flags nomipmaps\n", 7, 2, { "models/a.tga", "b" } },
		{ "surface cr* flags nopicmip shader rusty\n", 7, 1, { "rusty", NULL } },
		{ "surface all shader rusty\n", 7, 1, { "rusty", NULL } },
		{ "case a b {\nscale 9\nsurface all shader rusty\n}\n", 7, 1, { "", NULL } },
		{ "surface crate flags nodraw\n", -1, 1, { "", NULL } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		reading r;
		char script[512];
		snprintf(script, sizeof script, SETUP "%s}\n" IDLE, cases[i].lines);
		read_script(&r, script, NULL, NULL);
		if (!r.read) fail_msg("case %zu: %s", i, r.why);
		if (cases[i].most < 0) assert_int_equal(r.model.index_count, 0);
		else
			assert_true(r.model.bounds.max[0] > cases[i].most - 0.01f && r.model.bounds.max[0] < cases[i].most + 0.01f);
		assert_int_equal(r.model.skin_count, cases[i].skins);
		for (uint32_t skin = 0; r.model.section_count && skin < cases[i].skins; skin++) {
			uint32_t slot = r.model.sections[0].slot;
			const bspi_model_material *material = &r.model.materials[r.model.skins[skin * r.model.slot_count + slot]];
			assert_string_equal(material->name, cases[i].names[skin]);
		}
		end(&r);
	}
}

/* In Medal of Honor, paths of models are relative to models/ even if they do not begin with it. That holds for
 * entities and for static models. */
static void maps_name_them_without_their_folder(void **state)
{
	static const char entities[] = "{ \"classname\" \"worldspawn\" }"
								   "{ \"classname\" \"a\" \"model\" \"static/tree.tik\" \"scale\" \"2\" }"
								   "{ \"classname\" \"b\" \"model\" \"models/static/tree.tik\" }";
	(void)state;
	reading r;
	bspt_parts parts;
	bspscene_load_options options;
	read_script(&r, SETUP "}\n" IDLE, NULL, NULL);
	r.files.placed = SETUP "}\n" IDLE;
	bspscene_load_options_init(&options);
	options.open_file = open_file;
	options.file_user = &r.files;
	const bspi_variant *variant = bspt_find_variant(&bspi_family_uebertools, "mohaa");
	assert_true(bspt_room_parts(&bspi_family_uebertools, variant, &parts));
	parts.raw[ENTITIES] = bspi_bytes_of(entities, sizeof entities - 1);
	bspscene_scene *scene = bspt_load_parts(variant, &parts, &options);
	const bspscene_node *a = bspt_find_node(scene, "a:1"), *b = bspt_find_node(scene, "b:2");
	assert_true(a->mesh < scene->mesh_count);
	assert_int_equal(b->mesh, a->mesh);
	assert_true(a->transform[0] == 2 && b->transform[0] == 1);
	assert_int_equal(scene->counts->static_props, 1);
	uint32_t placed = scene->nodes[scene->props[scene->prop_count - 1]->node]->mesh;
	assert_true(placed < scene->mesh_count && scene->meshes[placed]->index_count == 3 * BSPT_MODEL_TRIANGLES);
	assert_string_equal(scene->meshes[a->mesh]->name, "models/static/tree.tik");
	bspscene_scene_free(scene);
	end(&r);
}

/* Reads frame `frame` of eight frames, whose second run begins at frame 5. Returns the center of the model's bounds. */
static void read_frame_of_runs(uint32_t frame, float out[3])
{
	enum { FRAME_COUNT_AT = 34, HEAD = 41, NAMES = 10 + 8 + 10, FRAME = 44, COUNT = 8 };
	static const char script[] = SETUP "}\n" IDLE;
	reading r;
	bspt_writer runs = { .size = 0 };
	begin(&r, NULL);
	r.files.mesh.size = 0;
	bspt_build_tiki_mesh(&r.files.mesh, RUNS);
	bspt_build_tiki_animation(&runs, RUNS);
	r.files.animation.size = 0;
	bspt_put(&r.files.animation, runs.data, HEAD + NAMES);
	bspt_pad_to(&r.files.animation, HEAD + NAMES + (COUNT - 1) * FRAME);
	bspt_put(&r.files.animation, runs.data + HEAD + NAMES, runs.size - HEAD - NAMES);
	bspt_put_u32_at(&r.files.animation, FRAME_COUNT_AT, COUNT);
	bspi_model_state state = { .frame = frame };
	if (!bspi_read_model(&r.ctx, "models/a.tik", bspi_bytes_of(script, sizeof script - 1), &state, &r.model, &r.why)) {
		fail_msg("frame %u: %s", frame, r.why);
	}
	for (int i = 0; i < 3; i++) out[i] = (r.model.bounds.min[i] + r.model.bounds.max[i]) / 2;
	end(&r);
}

/* A bone keeps the value of a run up to the frame before the next run begins. */
static void runs_of_frames_begin_in_their_first_frame(void **state)
{
	float first[3], last[3], at[3];
	(void)state;
	read_frame_of_runs(0, first);
	read_frame_of_runs(7, last);
	assert_memory_not_equal(first, last, sizeof first);
	for (uint32_t frame = 0; frame < 8; frame++) {
		read_frame_of_runs(frame, at);
		if (memcmp(at, frame < 5 ? first : last, sizeof at)) fail_msg("frame %u", frame);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_missing_is_named),
		cmocka_unit_test(surfaces_are_counted),
		cmocka_unit_test(scripts_add_to_each_other),
		cmocka_unit_test(setup_says_how_it_looks),
		cmocka_unit_test(maps_name_them_without_their_folder),
		cmocka_unit_test(runs_of_frames_begin_in_their_first_frame),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
