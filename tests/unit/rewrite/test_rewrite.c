/* test_rewrite.c - entities go back into maps of every format: as they were they give the same bytes, a change changes
 * itself alone, wherever the text stands, and what no map can have is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "map/map.h"
#include "support/captured.h"
#include "support/make/bspx_room.h"

typedef struct rewritten {
	bool ok;
	bspscene_error error;
	bspscene_rewrite_report report;
	bspt_captured captured;
} rewritten;

static void rewrite(rewritten *r, bspt_bytes map, const bspscene_new_entities *entities,
                    const bspscene_rewrite_options *options, const bspscene_load_options *load)
{
	bspscene_stream stream;
	memset(r, 0, sizeof *r);
	bspscene_stream_init(&stream);
	bspscene_rewrite_report_init(&r->report);
	stream.data = map.data;
	stream.size = map.size;
	bspscene_output output = bspt_capture(&r->captured);
	r->ok = bspscene_rewrite(&stream, load, entities, options, &output, &r->report, &r->error);
	assert_int_equal(r->ok, r->error.status == BSPSCENE_OK);
	assert_int_equal(r->ok, r->report.changes != NULL);
	if (!r->ok) assert_true(r->error.message[0] && !r->captured.file_count);
}

static void rewrite_text(rewritten *r, bspt_bytes map, const char *text)
{
	bspscene_new_entities entities;
	bspscene_new_entities_init(&entities);
	entities.text = text;
	entities.text_size = strlen(text);
	rewrite(r, map, &entities, NULL, NULL);
}

static void finish(rewritten *r)
{
	bspscene_entity_changes_free(r->report.changes);
	bspt_captured_free(&r->captured);
}

static bspt_bytes build(const char *name)
{
	for (uint32_t i = 0; i < bspi_family_count; i++) {
		for (uint32_t k = 0; k < bspi_families[i]->variant_count; k++) {
			const bspi_variant *variant = &bspi_families[i]->variants[k];
			if (!strcmp(variant->name, name)) return bspt_build_room(bspi_families[i], variant);
		}
	}
	fail_msg("no variant %s", name);
	return (bspt_bytes){ NULL, 0 };
}

static bspscene_scene *load(bspt_bytes map)
{
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(map.data, map.size, NULL, &error);
	if (!scene) fail_msg("%s", error.message);
	return scene;
}

/* All entities as text, as the command line prints them; behind the first `more`, and the last left out. */
static char *print(const bspscene_scene *scene, const char *more, bool without_last)
{
	size_t room = 64 + strlen(more), at = 0;
	for (uint32_t i = 0; i < scene->pair_count; i++) {
		room += strlen(scene->pairs[i].key) + strlen(scene->pairs[i].value) + 8;
	}
	room += 8 * (size_t)scene->entity_count;
	char *text = test_malloc(room);
	for (uint32_t i = 0; i + without_last < scene->entity_count; i++) {
		const bspscene_entity *entity = scene->entities[i];
		at += (size_t)snprintf(text + at, room - at, "{\n");
		for (uint32_t k = 0; k < entity->pair_count; k++) {
			const bspscene_pair *pair = &scene->pairs[entity->first_pair + k];
			at += (size_t)snprintf(text + at, room - at, "\"%s\" \"%s\"\n", pair->key, pair->value);
		}
		at += (size_t)snprintf(text + at, room - at, "%s}\n", i ? "" : more);
	}
	return text;
}

static const bspt_bytes *written(const rewritten *r)
{
	assert_int_equal(r->captured.file_count, 1);
	return &r->captured.files[0].bytes;
}

/* ---- Every format ----------------------------------------------------------------------------------------- */

static void for_each_room(void (*check)(const bspi_variant *variant, bspt_bytes room))
{
	for (uint32_t i = 0; i < bspi_family_count; i++) {
		for (uint32_t k = 0; k < bspi_families[i]->variant_count; k++) {
			bspt_bytes room = bspt_build_room(bspi_families[i], &bspi_families[i]->variants[k]);
			check(&bspi_families[i]->variants[k], room);
			free(room.data);
		}
	}
}

/* Maps whose numbers are the other way round are read, and not written. */
static bool is_for_consoles(const bspi_variant *variant, const rewritten *r)
{
	bool refused = !r->ok && r->error.status == BSPSCENE_ERROR_UNSUPPORTED_FORMAT &&
	               strstr(r->error.message, "a map for consoles");
	if (!r->ok && !refused) fail_msg("%s: %s", variant->title, r->error.message);
	return refused;
}

static void check_round_trip(const bspi_variant *variant, bspt_bytes room)
{
	bspscene_scene *scene = load(room);
	char *same = print(scene, "", false);
	rewritten r, back;
	rewrite_text(&r, room, same);
	if (!r.ok) fail_msg("%s: %s", variant->title, r.error.message);
	assert_true(r.report.identical && !r.report.changes->change_count);
	assert_int_equal(written(&r)->size, room.size);
	assert_memory_equal(written(&r)->data, room.data, room.size);
	finish(&r);

	/* Longer, and back. The rest of the scene is what it was. */
	for (size_t length = 1; length < 40; length += 7) {
		char more[64];
		snprintf(more, sizeof more, "\"more\" \"%.*s\"\n", (int)length, "0123456789012345678901234567890123456789");
		char *longer = print(scene, more, false);
		rewrite_text(&r, room, longer);
		test_free(longer);
		if (is_for_consoles(variant, &r)) break;
		assert_int_equal(r.report.changes->change_count, 1);
		assert_string_equal(r.report.changes->changes[0]->keys[0]->key, "more");
		bspscene_scene *other = load(*written(&r));
		assert_true(other->pair_count == scene->pair_count + 1 && other->entity_count == scene->entity_count);
		assert_true(other->face_count == scene->face_count && other->mesh_count == scene->mesh_count);
		assert_int_equal(other->warning_count, scene->warning_count);
		bspscene_scene_free(other);
		rewrite_text(&back, *written(&r), same);
		if (!back.ok) fail_msg("%s: %s", variant->title, back.error.message);
		assert_int_equal(written(&back)->size, room.size);
		assert_memory_equal(written(&back)->data, room.data, room.size);
		finish(&back);
		finish(&r);
	}
	test_free(same);
	bspscene_scene_free(scene);
}

static void every_format_comes_back(void **state)
{
	(void)state;
	for_each_room(check_round_trip);
}

static void check_less(const bspi_variant *variant, bspt_bytes room)
{
	bspscene_scene *scene = load(room);
	char *less = print(scene, "", true);
	rewritten r;
	rewrite_text(&r, room, less);
	test_free(less);
	if (is_for_consoles(variant, &r)) {
		bspscene_scene_free(scene);
		return;
	}
	assert_true(r.report.changes->removed == 1 && r.report.changes->change_count == 1);
	assert_true(written(&r)->size < room.size);
	bspscene_scene *other = load(*written(&r));
	assert_int_equal(other->entity_count, scene->entity_count - 1);
	bspscene_scene_free(other);
	finish(&r);
	bspscene_scene_free(scene);
}

static void what_is_removed_is_gone(void **state)
{
	(void)state;
	for_each_room(check_less);
}

/* ---- What stands behind the text --------------------------------------------------------------------------- */

/* Lumps behind the lumps say themselves where they are; they are found where they were moved to. */
static void bspx_lumps_follow(void **state)
{
	(void)state;
	static const uint8_t bytes[] = "what nobody reads";
	const bspt_bspx lumps[] = { { "NOBODY", { bytes, sizeof bytes } } };
	bspt_bytes room = bspt_room_with_bspx(&bspi_family_quake, lumps, 1);
	bspscene_scene *scene = load(room);
	char *longer = print(scene, "\"more\" \"of it, of an odd length\"\n", false);
	rewritten r;
	rewrite_text(&r, room, longer);
	assert_true(r.ok);
	const bspt_bytes *map = written(&r);
	size_t at = 0;
	while (at + 4 < map->size && memcmp(map->data + at, "BSPX", 4)) at++;
	assert_true(at + 40 < map->size && !(at & 3));
	assert_string_equal((const char *)map->data + at + 8, "NOBODY");
	assert_memory_equal(map->data + bspi_load_u32(map->data + at + 32), bytes, sizeof bytes);
	finish(&r);
	test_free(longer);
	bspscene_scene_free(scene);
	free(room.data);
}

static void a_lump_in_the_text_is_refused(void **state)
{
	(void)state;
	bspt_bytes room = build("quake3");
	bspscene_scene *scene = load(room);
	char *longer = print(scene, "\"more\" \"of it\"\n", false);
	uint32_t text = bspi_load_u32(room.data + 8);
	/* The shaders' lump, made to begin inside of the text. */
	for (int i = 0; i < 4; i++) room.data[8 + 7 * 16 + i] = (uint8_t)((text + 4) >> 8 * i);
	bspt_bytes kept = room;
	rewritten r;
	rewrite_text(&r, kept, longer);
	assert_false(r.ok);
	finish(&r);
	test_free(longer);
	bspscene_scene_free(scene);
	free(room.data);
}

/* ---- What changed ------------------------------------------------------------------------------------------ */

static const char room_text[] =
	"{ // the world\r\n\"classname\" \"worldspawn\"\r\n\"message\"  \"h\xe9\"\r\n}\r\n"
	"{\r\n\"origin\" \"1 2 3\"\r\nclassname light\r\n\"target\" \"a\"\r\n\"target\" \"b\"\r\n\"target\" \"c\"\r\n}\r\n"
	"{\r\n\"classname\" \"info_player_deathmatch\"\r\n\"origin\" \"0 0 24\"\r\n}\r\n";

/* A room with that text. */
static bspt_bytes build_text(const char *name, const char *text)
{
	for (uint32_t i = 0; i < bspi_family_count; i++) {
		for (uint32_t k = 0; k < bspi_families[i]->variant_count; k++) {
			const bspi_variant *variant = &bspi_families[i]->variants[k];
			bspt_parts parts;
			if (strcmp(variant->name, name) || !bspt_room_parts(bspi_families[i], variant, &parts)) continue;
			parts.raw[0] = bspi_bytes_of(text, strlen(text) + 1);
			return bspt_encode_parts(variant, &parts);
		}
	}
	fail_msg("no variant %s", name);
	return (bspt_bytes){ NULL, 0 };
}

static const char *text_of(const bspt_bytes *map)
{
	return (const char *)map->data + bspi_load_u32(map->data + 8);
}

static void only_what_changed_is_written_anew(void **state)
{
	static const struct { const char *json, *text; } cases[] = {
		{ "[{\"pairs\":[[\"classname\",\"worldspawn\"],[\"message\",\"h\xc3\xa9\"]]},"
		  "{\"pairs\":[[\"origin\",\"1 2 4\"],[\"classname\",\"light\"],[\"target\",\"a\"],[\"target\",\"c\"]]},"
		  "{\"pairs\":[[\"classname\",\"info_player_deathmatch\"],[\"origin\",\"0 0 24\"],[\"angle\",\"90\"]]}]",
		  "{ // the world\r\n\"classname\" \"worldspawn\"\r\n\"message\"  \"h\xe9\"\r\n}\r\n"
		  "{\r\n\"origin\" \"1 2 4\"\r\nclassname light\r\n\"target\" \"a\"\r\n\"target\" \"c\"\r\n}\r\n"
		  "{\r\n\"classname\" \"info_player_deathmatch\"\r\n\"origin\" \"0 0 24\"\r\n\"angle\" \"90\"\r\n}\r\n" },
		{ "[{\"pairs\":[[\"classname\",\"worldspawn\"],[\"message\",\"\xc3\xbc\xe2\x82\xac\"]]},"
		  "{\"pairs\":[[\"classname\",\"info_player_deathmatch\"],[\"origin\",\"0 0 24\"]]},"
		  "{\"pairs\":[[\"classname\",\"info_null\"]]}]",
		  "{ // the world\r\n\"classname\" \"worldspawn\"\r\n\"message\"  \"\xfc\x80\"\r\n}\r\n"
		  "{\r\n\"classname\" \"info_player_deathmatch\"\r\n\"origin\" \"0 0 24\"\r\n}\r\n"
		  "{\r\n\"classname\" \"info_null\"\r\n}\r\n" },
	};
	(void)state;
	bspt_bytes room = build_text("quake3", room_text);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		rewritten r;
		rewrite_text(&r, room, cases[i].json);
		if (!r.ok) fail_msg("%s", r.error.message);
		assert_string_equal(text_of(written(&r)), cases[i].text);
		finish(&r);
	}
	free(room.data);
}

static void the_list_says_what_changes(void **state)
{
	(void)state;
	bspt_bytes room = build_text("quake3", room_text);
	rewritten r;
	rewrite_text(&r, room,
	             "[{\"pairs\":[[\"classname\",\"worldspawn\"],[\"message\",\"h\xc3\xa9\"]]},"
	             "{\"pairs\":[[\"origin\",\"5 5 5\"],[\"classname\",\"light\"],[\"target\",\"a\"],[\"target\",\"b\"],"
	             "[\"target\",\"c\"]]},{\"pairs\":[[\"classname\",\"light\"],[\"light\",\"9\"]]}]");
	assert_true(r.ok);
	const bspscene_entity_changes *changes = r.report.changes;
	assert_true(changes->change_count == 3 && changes->changed == 1 && changes->added == 1 && changes->removed == 1);
	const bspscene_entity_change *moved = changes->changes[0], *gone = changes->changes[1], *made = changes->changes[2];
	assert_true(moved->kind == BSPSCENE_ENTITY_CHANGED && moved->old_entity == 1 && moved->new_entity == 1);
	assert_int_equal(moved->key_count, 1);
	assert_string_equal(moved->keys[0]->key, "origin");
	assert_string_equal(moved->keys[0]->old_value, "1 2 3");
	assert_string_equal(moved->keys[0]->new_value, "5 5 5");
	assert_true(gone->kind == BSPSCENE_ENTITY_REMOVED && gone->old_entity == 2 && gone->key_count == 2);
	assert_string_equal(gone->classname, "info_player_deathmatch");
	assert_true(made->kind == BSPSCENE_ENTITY_ADDED && made->new_entity == 2 && !made->keys[1]->old_value);
	finish(&r);
	free(room.data);
}

/* A caller that knows who was who says so: the second of a source is a copy. */
static void records_say_who_they_were(void **state)
{
	(void)state;
	bspt_bytes room = build_text("quake3", room_text);
	const bspscene_pair pairs[] = { { "classname", "worldspawn" }, { "message", "h\xc3\xa9" },
		                            { "classname", "info_null" }, { " origin ", "9 9 9" } };
	const bspscene_new_entity records[] = { { 0, 0, 2 }, { 2, 2, 2 }, { 2, 2, 2 } };
	bspscene_new_entities entities;
	bspscene_new_entities_init(&entities);
	entities.entities = records;
	entities.entity_count = 3;
	entities.pairs = pairs;
	entities.pair_count = 4;
	rewritten r;
	rewrite(&r, room, &entities, NULL, NULL);
	assert_true(r.ok);
	const bspscene_entity_changes *changes = r.report.changes;
	assert_true(changes->changed == 1 && changes->added == 1 && changes->removed == 1);
	assert_string_equal(changes->changes[1]->keys[0]->new_value, "info_null");
	assert_string_equal(changes->changes[1]->keys[1]->key, "origin");
	finish(&r);
	entities.pair_count = 3;
	rewrite(&r, room, &entities, NULL, NULL);
	assert_int_equal(r.error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	finish(&r);
	const bspscene_new_entity other[] = { { 7, 0, 2 } };
	entities.entities = other;
	entities.entity_count = 1;
	rewrite(&r, room, &entities, NULL, NULL);
	assert_int_equal(r.error.status, BSPSCENE_ERROR_OTHER_MAP);
	finish(&r);
	free(room.data);
}

/* ---- Other files ------------------------------------------------------------------------------------------- */

static void the_text_alone(void **state)
{
	(void)state;
	bspscene_new_entities entities;
	bspscene_rewrite_options options;
	bspscene_new_entities_init(&entities);
	bspscene_rewrite_options_init(&options);
	entities.text = "{\"classname\" \"worldspawn\"}";
	entities.text_size = 26;
	bspt_bytes room = build("quake"), source = build("source20");
	rewritten r;
	options.form = BSPSCENE_REWRITE_ENT;
	rewrite(&r, room, &entities, &options, NULL);
	assert_true(r.ok && !strcmp(r.captured.files[0].name, "map.ent"));
	assert_non_null(memchr(written(&r)->data, 'w', written(&r)->size));
	assert_null(memchr(written(&r)->data, 0, written(&r)->size));
	finish(&r);
	rewrite(&r, source, &entities, &options, NULL);
	assert_int_equal(r.error.status, BSPSCENE_ERROR_UNSUPPORTED_FORMAT);
	finish(&r);
	options.form = BSPSCENE_REWRITE_LUMP_PATCH;
	rewrite(&r, room, &entities, &options, NULL);
	assert_int_equal(r.error.status, BSPSCENE_ERROR_UNSUPPORTED_FORMAT);
	finish(&r);
	rewrite(&r, source, &entities, &options, NULL);
	assert_true(r.ok && !strcmp(r.captured.files[0].name, "map_l_0.lmp"));
	assert_int_equal(bspi_load_u32(written(&r)->data), 20);
	assert_int_equal(bspi_load_u32(written(&r)->data + 16), bspi_load_u32(source.data + 1032));
	finish(&r);
	free(room.data);
	free(source.data);
}

/* ---- What engines do not take, and no map can have --------------------------------------------------------- */

static void engines_limits_are_warned_of(void **state)
{
	(void)state;
	bspt_bytes room = build_text("quake3", room_text);
	char text[2048];
	snprintf(text, sizeof text, "[{\"pairs\":[[\"classname\",\"worldspawn\"],[\"message\",\"%01100d\"]]}]", 0);
	rewritten r;
	rewrite_text(&r, room, text);
	assert_true(r.ok && r.report.changes->warning_count == 1);
	assert_int_equal(r.report.changes->warnings[0]->code, BSPSCENE_WARNING_LIMIT);
	assert_non_null(strstr(r.report.changes->warnings[0]->message, "1100 bytes; Quake III reads values of 1023"));
	finish(&r);
	free(room.data);
}

static void what_no_map_can_have_is_refused(void **state)
{
#define WORLD "[{\"pairs\":[[\"classname\",\"worldspawn\"]"
	static const struct { const char *text, *words; } cases[] = {
		{ WORLD ",[\"message\",\"a \\\"quote\\\"\"]]}]", "quote" },
		{ WORLD ",[\"message\",\"a\\n}\"]]}]", "begins with }" },
		{ WORLD ",[\"  \",\"x\"]]}]", "without a name" },
		{ WORLD ",[\"model\",\"*99\"]]}]", "brush models" },
		{ WORLD ",[\"model\",\"*0\"]]}]", "brush models" },
		{ WORLD ",[\"message\",\"\xe4\xbd\xa0\"]]}]", "Windows-1252" },
		{ "[{\"pairs\":[[\"classname\",\"light\"]]}]", "has to be worldspawn" },
		{ "[]", "has to be worldspawn" },
		{ "[{\"pairs\":[[\"classname\"]]}]", "is not [" },
		{ "[{\"pairs\":[[\"classname\",3]]}]", "is not [" },
		{ "[{\"pairs\":7}]", "no list of \"pairs\"" },
		{ "[7]", "no list of \"pairs\"" },
		{ "{\"entities\": 7}", "no list of entities" },
		{ "[{\"pairs\":[[\"a\\u0000b\",\"c\"]]}]", "line 1" },
		{ "[{", "line 1" },
		{ "{\n\"classname\" \"worldspawn\n}\n", "cannot be read as a whole" },
		{ "{ \"classname\" \"worldspawn\" \"message\" }", "cannot be read as a whole" },
		{ "{ \"classname\" \"worldspawn\"", "cannot be read as a whole" },
		{ "", "has to be worldspawn" },
	};
	(void)state;
	bspt_bytes room = build_text("quake3", room_text);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		rewritten r;
		rewrite_text(&r, room, cases[i].text);
		if (r.ok || !strstr(r.error.message, cases[i].words)) fail_msg("%s: %s", cases[i].text, r.error.message);
		assert_int_equal(r.error.status, BSPSCENE_ERROR_BAD_DATA);
		finish(&r);
	}
	free(room.data);
	room = build("quake");
	rewritten r;
	rewrite_text(&r, room, WORLD ",[\"message\",\"\xc3\xa9\"]]}]");
	assert_non_null(strstr(r.error.message, "Quake's font"));
	finish(&r);
	free(room.data);
}

static bool find_ent(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	(void)user;
	(void)kind;
	stream->data = "{}";
	stream->size = 2;
	return !strcmp(path, "maps/atrium.ent");
}

static void a_file_that_engines_read_instead_is_told(void **state)
{
	(void)state;
	bspscene_load_options load_options;
	bspscene_new_entities entities;
	bspscene_load_options_init(&load_options);
	bspscene_new_entities_init(&entities);
	load_options.name = "maps/atrium.bsp";
	load_options.open_file = find_ent;
	entities.text = "{\"classname\" \"worldspawn\"}";
	entities.text_size = 26;
	bspt_bytes room = build("quake");
	rewritten r;
	rewrite(&r, room, &entities, NULL, &load_options);
	assert_true(r.ok && r.report.changes->warning_count == 1);
	assert_non_null(strstr(r.report.changes->warnings[0]->message, "maps/atrium.ent is beside the map"));
	assert_string_equal(r.captured.files[0].name, "atrium.bsp");
	finish(&r);
	free(room.data);
}

/* ---- Hostile ------------------------------------------------------------------------------------------------ */

/* Bytes of the directory become something else, and the file is cut: an error in words, or a map that loads. */
static void damaged_maps_are_refused_or_well(void **state)
{
	static const char *const names[] = { "quake", "quake3", "source20", "left4dead2" };
	static const uint8_t values[] = { 0, 0x7f, 0xff };
	(void)state;
	for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
		bspt_bytes room = build(names[n]);
		size_t header = room.size < 1100 ? room.size : 1100;
		for (size_t i = 4; i < header; i += i > 200 ? 37u : 1u) {
			uint8_t kept = room.data[i];
			for (size_t v = 0; v < sizeof values; v++) {
				room.data[i] = values[v];
				rewritten r;
				rewrite_text(&r, room, "{\"classname\" \"worldspawn\" \"message\" \"of a length of its own\"}");
				if (r.ok) {
					bspscene_error error;
					const bspt_bytes *map = written(&r);
					bspscene_scene *scene = bspscene_load_memory(map->data, map->size, NULL, &error);
					if (scene) assert_int_equal(scene->entity_count, 1);
					bspscene_scene_free(scene);
				}
				finish(&r);
			}
			room.data[i] = kept;
		}
		for (size_t size = 0; size < room.size; size += 97) {
			rewritten r;
			rewrite_text(&r, (bspt_bytes){ room.data, size }, "{\"classname\" \"worldspawn\"}");
			finish(&r);
		}
		free(room.data);
	}
}

/* Memory that ends anywhere is an error that says so. */
static void memory_that_ends_is_said(void **state)
{
	(void)state;
	bspt_bytes room = build("quake3");
	bspscene_new_entities entities;
	bspscene_load_options load_options;
	bspscene_new_entities_init(&entities);
	entities.text = "[{\"pairs\":[[\"classname\",\"worldspawn\"]]}]";
	entities.text_size = strlen(entities.text);
	bool done = false;
	for (uint64_t limit = 1; !done && limit < 10000; limit++) {
		rewritten r;
		bspscene_load_options_init(&load_options);
		load_options.allocation_limit = limit;
		rewrite(&r, room, &entities, NULL, &load_options);
		done = r.ok;
		if (!done) assert_in_range(r.error.status, BSPSCENE_ERROR_OUT_OF_MEMORY, BSPSCENE_ERROR_LIMIT);
		finish(&r);
	}
	assert_true(done);
	free(room.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format_comes_back),
		cmocka_unit_test(what_is_removed_is_gone),
		cmocka_unit_test(bspx_lumps_follow),
		cmocka_unit_test(a_lump_in_the_text_is_refused),
		cmocka_unit_test(only_what_changed_is_written_anew),
		cmocka_unit_test(the_list_says_what_changes),
		cmocka_unit_test(records_say_who_they_were),
		cmocka_unit_test(the_text_alone),
		cmocka_unit_test(engines_limits_are_warned_of),
		cmocka_unit_test(what_no_map_can_have_is_refused),
		cmocka_unit_test(a_file_that_engines_read_instead_is_told),
		cmocka_unit_test(damaged_maps_are_refused_or_well),
		cmocka_unit_test(memory_that_ends_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
