/* test_rewrite.c - rewrite puts entities into maps of every format. If the entities are unchanged, the file keeps its
 * bytes. A change of entities changes nothing else, wherever the text is in the file. Values that engines do not accept
 * are reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/rewrite.h>

#include "map/map.h"
#include "support/make/bspx_room.h"
#include "support/rewrite/rewritten.h"

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

/* Returns whether rewrite refuses the variant as one that can only be read. Such variants are big-endian, or their
 * directory has no offsets. */
static bool is_other_way_round(const bspi_variant *variant, const bspt_rewritten *r)
{
	bool refused = !r->ok && r->error.status == BSPSCENE_ERROR_UNSUPPORTED_FORMAT &&
	               strstr(r->error.message, "writing entities into maps of this format is not supported");
	bool wanted = !strcmp(variant->magic, "PSBV") || !strcmp(variant->name, "callofduty4") ||
	              !strcmp(variant->name, "genesis3d");
	if (refused != wanted) fail_msg("%s: %s", variant->title, r->error.message);
	return refused;
}

static void check_round_trip(const bspi_variant *variant, bspt_bytes room)
{
	bspscene_scene *scene = bspt_load_room(room);
	char *same = bspt_print_entities(scene, "", false);
	bspt_rewritten r, back;
	bspt_rewrite_text(&r, room, same);
	if (!r.ok) fail_msg("%s: %s", variant->title, r.error.message);
	assert_true(r.report.identical && !r.report.changes->change_count);
	assert_int_equal(bspt_rewritten_map(&r)->size, room.size);
	assert_memory_equal(bspt_rewritten_map(&r)->data, room.data, room.size);
	bspt_rewritten_free(&r);

	/* Writes longer texts, and then the old one again. The rest of the scene does not change. */
	for (size_t length = 1; length < 40; length += 7) {
		char more[64];
		snprintf(more, sizeof more, "\"more\" \"%.*s\"\n", (int)length, "0123456789012345678901234567890123456789");
		char *longer = bspt_print_entities(scene, more, false);
		bspt_rewrite_text(&r, room, longer);
		test_free(longer);
		if (is_other_way_round(variant, &r)) break;
		assert_int_equal(r.report.changes->change_count, 1);
		assert_string_equal(r.report.changes->changes[0]->keys[0]->key, "more");
		bspscene_scene *other = bspt_load_room(*bspt_rewritten_map(&r));
		assert_true(other->pair_count == scene->pair_count + 1 && other->entity_count == scene->entity_count);
		assert_true(other->face_count == scene->face_count && other->mesh_count == scene->mesh_count);
		assert_int_equal(other->warning_count, scene->warning_count);
		bspscene_scene_free(other);
		bspt_rewrite_text(&back, *bspt_rewritten_map(&r), same);
		if (!back.ok) fail_msg("%s: %s", variant->title, back.error.message);
		assert_int_equal(bspt_rewritten_map(&back)->size, room.size);
		assert_memory_equal(bspt_rewritten_map(&back)->data, room.data, room.size);
		bspt_rewritten_free(&back);
		bspt_rewritten_free(&r);
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
	bspscene_scene *scene = bspt_load_room(room);
	char *less = bspt_print_entities(scene, "", true);
	bspt_rewritten r;
	bspt_rewrite_text(&r, room, less);
	test_free(less);
	if (is_other_way_round(variant, &r)) {
		bspscene_scene_free(scene);
		return;
	}
	assert_true(r.report.changes->removed == 1 && r.report.changes->change_count == 1);
	assert_true(bspt_rewritten_map(&r)->size < room.size);
	bspscene_scene *other = bspt_load_room(*bspt_rewritten_map(&r));
	assert_int_equal(other->entity_count, scene->entity_count - 1);
	bspscene_scene_free(other);
	bspt_rewritten_free(&r);
	bspscene_scene_free(scene);
}

static void what_is_removed_is_gone(void **state)
{
	(void)state;
	for_each_room(check_less);
}

/* ---- Data after the text ----------------------------------------------------------------------------------- */

/* BSPX lumps come after all other lumps, and their directory states their offsets. Rewrite moves the lumps and updates
 * the offsets. */
static void bspx_lumps_follow(void **state)
{
	(void)state;
	static const uint8_t bytes[] = "what nobody reads";
	const bspt_bspx lumps[] = { { "NOBODY", { bytes, sizeof bytes } } };
	bspt_bytes room = bspt_room_with_bspx(&bspi_family_quake, lumps, 1);
	bspscene_scene *scene = bspt_load_room(room);
	char *longer = bspt_print_entities(scene, "\"more\" \"of it, of an odd length\"\n", false);
	bspt_rewritten r;
	bspt_rewrite_text(&r, room, longer);
	assert_true(r.ok);
	const bspt_bytes *map = bspt_rewritten_map(&r);
	size_t at = 0;
	while (at + 4 < map->size && memcmp(map->data + at, "BSPX", 4)) at++;
	assert_true(at + 40 < map->size && !(at & 3));
	assert_string_equal((const char *)map->data + at + 8, "NOBODY");
	assert_memory_equal(map->data + bspi_load_u32(map->data + at + 32), bytes, sizeof bytes);
	bspt_rewritten_free(&r);
	test_free(longer);
	bspscene_scene_free(scene);
	free(room.data);
}

/* The text is the last lump and ends at a lump boundary. So the two bytes after it are not padding, and rewrite must
 * keep them. */
static void what_nobody_names_stays_behind_the_text(void **state)
{
	enum { TEXT_AT = 8, TEXT_SIZE = 12 };
	static const char text[16] = "{a b}{c d}      ", further[] = "{a b}{c d}{\"more\" \"of it\"}";
	static const uint8_t end[2] = { 0xab, 0xcd };
	(void)state;
	bspt_bytes room = bspt_room_with_text(bspt_room_text);
	size_t at = (room.size + 3) & ~(size_t)3;
	uint8_t *file = calloc(at + sizeof text + sizeof end, 1);
	assert_non_null(file);
	memcpy(file, room.data, room.size);
	memcpy(file + at, text, sizeof text);
	memcpy(file + at + sizeof text, end, sizeof end);
	for (size_t i = 0; i < 4; i++) {
		file[TEXT_AT + i] = (uint8_t)(at >> 8 * i);
		file[TEXT_SIZE + i] = i ? 0 : sizeof text;
	}
	bspt_rewritten r;
	bspt_rewrite_text(&r, (bspt_bytes){ file, at + sizeof text + sizeof end }, further);
	if (!r.ok) fail_msg("%s", r.error.message);
	const bspt_bytes *map = bspt_rewritten_map(&r);
	assert_true(map->size > at + sizeof further && map->data[at] == '{' && (map->size - sizeof end) % 4 == 0);
	assert_memory_equal(map->data + map->size - sizeof end, end, sizeof end);
	bspt_rewritten_free(&r);
	free(file);
	free(room.data);
}

/* ---- What changed ------------------------------------------------------------------------------------------ */

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
	bspt_bytes room = bspt_room_with_text(bspt_room_text);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_rewritten r;
		bspt_rewrite_text(&r, room, cases[i].json);
		if (!r.ok) fail_msg("%s", r.error.message);
		assert_string_equal(text_of(bspt_rewritten_map(&r)), cases[i].text);
		bspt_rewritten_free(&r);
	}
	free(room.data);
}

static void the_list_says_what_changes(void **state)
{
	(void)state;
	bspt_bytes room = bspt_room_with_text(bspt_room_text);
	bspt_rewritten r;
	bspt_rewrite_text(&r, room,
	             "[{\"pairs\":[[\"classname\",\"worldspawn\"],[\"message\",\"h\xc3\xa9\"]]},"
	             "{\"pairs\":[[\"origin\",\"5 5 5\"],[\"classname\",\"light\"],[\"target\",\"a\"],[\"target\",\"b\"],"
	             "[\"target\",\"c\"]]},{\"pairs\":[[\"classname\",\"light\"],[\"light\",\"9\"]]}]");
	assert_true(r.ok);
	const bspscene_entity_changes *changes = r.report.changes;
	assert_true(changes->change_count == 3 && changes->changed == 1 && changes->added == 1 && changes->removed == 1);
	const bspscene_entity_change *moved = changes->changes[0], *gone = changes->changes[1], *made = changes->changes[2];
	assert_true(moved->kind == BSPSCENE_CHANGE_MODIFIED && moved->old_entity == 1 && moved->new_entity == 1);
	assert_int_equal(moved->key_count, 1);
	assert_string_equal(moved->keys[0]->key, "origin");
	assert_string_equal(moved->keys[0]->old_value, "1 2 3");
	assert_string_equal(moved->keys[0]->new_value, "5 5 5");
	assert_true(gone->kind == BSPSCENE_CHANGE_REMOVED && gone->old_entity == 2 && gone->key_count == 2);
	assert_string_equal(gone->classname, "info_player_deathmatch");
	assert_true(made->kind == BSPSCENE_CHANGE_ADDED && made->new_entity == 2 && !made->keys[1]->old_value);
	bspt_rewritten_free(&r);
	free(room.data);
}

/* If a key is repeated, its values are paired by their order. Equal values at the beginning and at the end are paired
 * first. */
static void repeated_keys_change_in_order(void **state)
{
	static const char before[] = "{ \"classname\" \"worldspawn\" }\n{ \"classname\" \"relay\" "
	                             "\"go\" \"a\" \"go\" \"b\" \"go\" \"c\" \"go\" \"z\" }\n";
	(void)state;
	bspt_bytes room = bspt_room_with_text(before);
	bspt_rewritten r;
	bspt_rewrite_text(&r, room, "[{\"pairs\":[[\"classname\",\"worldspawn\"]]},{\"pairs\":[[\"classname\",\"relay\"],"
	                            "[\"go\",\"a\"],[\"go\",\"x\"],[\"go\",\"z\"]]}]");
	if (!r.ok) fail_msg("%s", r.error.message);
	const bspscene_entity_changes *changes = r.report.changes;
	assert_int_equal(changes->change_count, 1);
	const bspscene_entity_change *relay = changes->changes[0];
	assert_int_equal(relay->key_count, 2);
	for (uint32_t i = 0; i < 2; i++) {
		const bspscene_key_change *key = relay->keys[i];
		assert_string_equal(key->old_value, key->new_value ? "b" : "c");
		if (key->new_value) assert_string_equal(key->new_value, "x");
	}
	bspt_rewritten_free(&r);
	free(room.data);
}

/* Hammer gives each entity a number, which it keeps. So it is the same entity even if another one is more similar. */
static void hammers_numbers_tell_who_is_who(void **state)
{
#define LAMP(number, name, x) \
	"{ \"classname\" \"light\" \"hammerid\" \"" number "\" \"targetname\" \"" name "\" \"origin\" \"" x " 0 0\" }\n"
	static const char before[] = "{ \"classname\" \"worldspawn\" }\n" LAMP("1", "a", "0") LAMP("2", "b", "64");
	static const char after[] = "{ \"classname\" \"worldspawn\" }\n" LAMP("2", "a", "0") LAMP("1", "b", "64");
	(void)state;
	bspt_bytes files[2] = { bspt_room_with_text(before), bspt_room_with_text(after) };
	bspscene_scene *scenes[2] = { bspt_load_room(files[0]), bspt_load_room(files[1]) };
	bspscene_entity_changes *changes = bspscene_compare_entities(scenes[0], scenes[1], NULL);
	assert_non_null(changes);
	assert_int_equal(changes->change_count, 2);
	assert_true(changes->reordered);
	for (uint32_t i = 0; i < 2; i++) {
		const bspscene_entity_change *change = changes->changes[i];
		assert_int_equal(change->old_entity, 1 + i);
		assert_int_equal(change->new_entity, 2 - i);
		assert_int_equal(change->key_count, 2);
	}
	bspscene_entity_changes_free(changes);
	for (int i = 0; i < 2; i++) {
		bspscene_scene_free(scenes[i]);
		free(files[i].data);
	}
}

/* Keys have any case, as the games read them. */
static void the_list_reads_keys_in_any_case(void **state)
{
	static const char before[] = "{ \"ClassName\" \"worldspawn\" }\n{ \"CLASSNAME\" \"light\" \"TargetName\" \"lamp\" "
	                             "\"Origin\" \"1 2 3\" \"light\" \"300\" }\n";
	static const char after[] = "{ \"ClassName\" \"worldspawn\" }\n{ \"CLASSNAME\" \"light\" \"TargetName\" \"lamp\" "
	                            "\"Origin\" \"1 2 3\" \"light\" \"9\" }\n";
	(void)state;
	bspt_bytes room = bspt_room_with_text(before);
	bspt_rewritten r;
	bspt_rewrite_text(&r, room, after);
	assert_true(r.ok && r.report.changes->change_count == 1);
	const bspscene_entity_change *change = r.report.changes->changes[0];
	assert_int_equal(change->kind, BSPSCENE_CHANGE_MODIFIED);
	assert_string_equal(change->classname, "light");
	assert_string_equal(change->targetname, "lamp");
	assert_string_equal(change->origin, "1 2 3");
	bspt_rewritten_free(&r);
	free(room.data);
}

/* A caller can state the source of each entity. A second entity with the same source is a copy. */
static void records_say_who_they_were(void **state)
{
	(void)state;
	bspt_bytes room = bspt_room_with_text(bspt_room_text);
	const bspscene_pair pairs[] = { { "classname", "worldspawn" }, { "message", "h\xc3\xa9" },
		                            { "classname", "info_null" }, { " origin ", "9 9 9" } };
	const bspscene_edited_entity records[] = { { 0, 0, 2 }, { 2, 2, 2 }, { 2, 2, 2 } };
	bspscene_edited_entities entities;
	bspscene_edited_entities_init(&entities);
	entities.entities = records;
	entities.entity_count = 3;
	entities.pairs = pairs;
	entities.pair_count = 4;
	bspt_rewritten r;
	bspt_rewrite(&r, room, &entities, NULL, NULL);
	assert_true(r.ok);
	const bspscene_entity_changes *changes = r.report.changes;
	assert_true(changes->changed == 1 && changes->added == 1 && changes->removed == 1);
	assert_string_equal(changes->changes[1]->keys[0]->new_value, "info_null");
	assert_string_equal(changes->changes[1]->keys[1]->key, "origin");
	bspt_rewritten_free(&r);
	entities.pair_count = 3;
	bspt_rewrite(&r, room, &entities, NULL, NULL);
	assert_int_equal(r.error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	bspt_rewritten_free(&r);
	const bspscene_edited_entity other[] = { { 7, 0, 2 } };
	entities.entities = other;
	entities.entity_count = 1;
	bspt_rewrite(&r, room, &entities, NULL, NULL);
	assert_int_equal(r.error.status, BSPSCENE_ERROR_OTHER_MAP);
	bspt_rewritten_free(&r);
	free(room.data);
}

/* ---- Other files ------------------------------------------------------------------------------------------- */

static void the_text_alone(void **state)
{
	(void)state;
	bspscene_edited_entities entities;
	bspscene_rewrite_options options;
	bspscene_edited_entities_init(&entities);
	bspscene_rewrite_options_init(&options);
	entities.text = "{\"classname\" \"worldspawn\"}";
	entities.text_size = 26;
	bspt_bytes room = bspt_build_named_room("quake"), source = bspt_build_named_room("source20");
	bspt_rewritten r;
	options.form = BSPSCENE_REWRITE_FORM_ENT;
	bspt_rewrite(&r, room, &entities, &options, NULL);
	assert_true(r.ok && !strcmp(r.captured.files[0].name, "map.ent"));
	assert_non_null(memchr(bspt_rewritten_map(&r)->data, 'w', bspt_rewritten_map(&r)->size));
	assert_null(memchr(bspt_rewritten_map(&r)->data, 0, bspt_rewritten_map(&r)->size));
	bspt_rewritten_free(&r);
	bspt_rewrite(&r, source, &entities, &options, NULL);
	assert_int_equal(r.error.status, BSPSCENE_ERROR_UNSUPPORTED_FORMAT);
	bspt_rewritten_free(&r);
	options.form = BSPSCENE_REWRITE_FORM_LUMP_PATCH;
	bspt_rewrite(&r, room, &entities, &options, NULL);
	assert_int_equal(r.error.status, BSPSCENE_ERROR_UNSUPPORTED_FORMAT);
	bspt_rewritten_free(&r);
	bspt_rewrite(&r, source, &entities, &options, NULL);
	assert_true(r.ok && !strcmp(r.captured.files[0].name, "map_l_0.lmp"));
	assert_int_equal(bspi_load_u32(bspt_rewritten_map(&r)->data), 20);
	assert_int_equal(bspi_load_u32(bspt_rewritten_map(&r)->data + 16), bspi_load_u32(source.data + 1032));
	bspt_rewritten_free(&r);
	free(room.data);
	free(source.data);
}

/* ---- What engines do not take ------------------------------------------------------------------------------ */

static void engines_limits_are_warned_of(void **state)
{
	(void)state;
	bspt_bytes room = bspt_room_with_text(bspt_room_text);
	char text[2048];
	snprintf(text, sizeof text, "[{\"pairs\":[[\"classname\",\"worldspawn\"],[\"message\",\"%01100d\"]]}]", 0);
	bspt_rewritten r;
	bspt_rewrite_text(&r, room, text);
	assert_true(r.ok && r.report.changes->warning_count == 1);
	assert_int_equal(r.report.changes->warnings[0]->code, BSPSCENE_WARNING_LIMIT);
	assert_non_null(strstr(r.report.changes->warnings[0]->message, "1100 bytes; Quake III reads at most 1023"));
	bspt_rewritten_free(&r);
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
	bspscene_edited_entities entities;
	bspscene_load_options_init(&load_options);
	bspscene_edited_entities_init(&entities);
	load_options.name = "maps/atrium.bsp";
	load_options.open_file = find_ent;
	entities.text = "{\"classname\" \"worldspawn\"}";
	entities.text_size = 26;
	bspt_bytes room = bspt_build_named_room("quake");
	bspt_rewritten r;
	bspt_rewrite(&r, room, &entities, NULL, &load_options);
	assert_true(r.ok && r.report.changes->warning_count == 1);
	assert_non_null(strstr(r.report.changes->warnings[0]->message, "maps/atrium.ent is next to the map"));
	assert_string_equal(r.captured.files[0].name, "atrium.bsp");
	bspt_rewritten_free(&r);
	free(room.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format_comes_back),
		cmocka_unit_test(what_is_removed_is_gone),
		cmocka_unit_test(bspx_lumps_follow),
		cmocka_unit_test(what_nobody_names_stays_behind_the_text),
		cmocka_unit_test(only_what_changed_is_written_anew),
		cmocka_unit_test(the_list_says_what_changes),
		cmocka_unit_test(repeated_keys_change_in_order),
		cmocka_unit_test(hammers_numbers_tell_who_is_who),
		cmocka_unit_test(the_list_reads_keys_in_any_case),
		cmocka_unit_test(records_say_who_they_were),
		cmocka_unit_test(the_text_alone),
		cmocka_unit_test(engines_limits_are_warned_of),
		cmocka_unit_test(a_file_that_engines_read_instead_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
