/* Promise: in the entity text of Strata Source (VBSP 25, lump version 1), a backslash escapes quotes, backslashes, line
 * ends and tabs. Pairs with escapes are read completely, and rewrite writes escapes. Other formats have no escapes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "map/map.h"
#include "support/rewrite/rewritten.h"

enum { ENTITIES_AT = 8, SIZE_AT = 12, VERSION_AT = 16 };

static void store_u32(uint8_t *p, uint32_t value)
{
	for (int i = 0; i < 4; i++) p[i] = (uint8_t)(value >> 8 * i);
}

/* Returns a room with this entity text at the end of its file. */
static bspt_bytes room_with(const char *name, uint32_t version, const char *text)
{
	bspt_bytes room = bspt_build_named_room(name);
	size_t size = strlen(text) + 1;
	room.data = realloc(room.data, room.size + size);
	assert_non_null(room.data);
	memcpy(room.data + room.size, text, size);
	store_u32(room.data + ENTITIES_AT, (uint32_t)room.size);
	store_u32(room.data + SIZE_AT, (uint32_t)size);
	store_u32(room.data + VERSION_AT, version);
	room.size += size;
	return room;
}

static const char *text_of(const bspt_bytes *map)
{
	return (const char *)map->data + bspi_load_u32(map->data + ENTITIES_AT);
}

static const char escaped[] =
	"{\n\"classname\" \"worldspawn\"\n\"message\" \"say \\\"hi\\\"\\nthen\\tgo\"\n\"path\" \"C:\\\\maps\\\\\"\n"
	"\"odd\" \"a\\q\"\n}\n{\n\"classname\" \"light\"\n\"light\" \"300\"\n}\n";

static void pairs_stay_whole(void **state)
{
	(void)state;
	bspt_bytes room = room_with("strata", 1, escaped);
	bspscene_scene *scene = bspt_load_room(room);
	assert_true(scene->escaped_text);
	assert_int_equal(scene->entity_count, 2);
	assert_int_equal(scene->pair_count, 6);
	assert_string_equal(bspscene_entity_value(scene, 0, "message"), "say \"hi\"\nthen\tgo");
	assert_string_equal(bspscene_entity_value(scene, 0, "path"), "C:\\maps\\");
	assert_string_equal(bspscene_entity_value(scene, 0, "odd"), "a\\q");
	bspscene_scene_free(scene);
	free(room.data);
}

static void other_texts_have_no_escapes(void **state)
{
	(void)state;
	static const struct {
		const char *room;
		uint32_t version;
	} cases[] = { { "strata", 0 }, { "source20", 1 } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_bytes room = room_with(cases[i].room, cases[i].version,
		                            "{\n\"classname\" \"worldspawn\"\n\"path\" \"C:\\new\\\"\n\"a\" \"b\"\n}\n");
		bspscene_scene *scene = bspt_load_room(room);
		assert_false(scene->escaped_text);
		assert_string_equal(bspscene_entity_value(scene, 0, "path"), "C:\\new\\");
		assert_string_equal(bspscene_entity_value(scene, 0, "a"), "b");
		bspscene_scene_free(scene);
		free(room.data);
	}
}

/* A changed value gets escapes and unchanged ones keep their bytes. The unchanged text gives the same map. */
static void rewritten_texts_are_escaped(void **state)
{
	(void)state;
	bspt_bytes room = room_with("strata", 1, escaped);
	bspt_rewritten r;
	bspt_rewrite_text(&r, room, escaped);
	if (!r.ok) fail_msg("%s", r.error.message);
	assert_true(r.report.identical);
	bspt_rewritten_free(&r);
	bspt_rewrite_text(&r, room,
	                  "[{\"pairs\":[[\"classname\",\"worldspawn\"],[\"message\",\"say \\\"hi\\\"\\nthen\\tgo\"],"
	                  "[\"path\",\"C:\\\\maps\\\\\"],[\"odd\",\"a\\\\q\"],[\"new\",\"1\\n}\\t\\\"2\\\\\"]]},"
	                  "{\"pairs\":[[\"classname\",\"light\"],[\"light\",\"\\\"\"]]}]");
	if (!r.ok) fail_msg("%s", r.error.message);
	assert_int_equal(r.report.changes->change_count, 2);
	assert_string_equal(text_of(bspt_rewritten_map(&r)),
	                    "{\n\"classname\" \"worldspawn\"\n\"message\" \"say \\\"hi\\\"\\nthen\\tgo\"\n"
	                    "\"path\" \"C:\\\\maps\\\\\"\n\"odd\" \"a\\q\"\n\"new\" \"1\\n}\\t\\\"2\\\\\"\n}\n"
	                    "{\n\"classname\" \"light\"\n\"light\" \"\\\"\"\n}\n");
	bspscene_scene *scene = bspt_load_room(*bspt_rewritten_map(&r));
	assert_string_equal(bspscene_entity_value(scene, 0, "new"), "1\n}\t\"2\\");
	assert_string_equal(bspscene_entity_value(scene, 1, "light"), "\"");
	bspscene_scene_free(scene);
	bspt_rewritten_free(&r);
	free(room.data);
}

static void a_quote_is_refused_elsewhere(void **state)
{
	(void)state;
	bspt_bytes room = room_with("source20", 0, "{\n\"classname\" \"worldspawn\"\n}\n");
	bspt_rewritten r;
	bspt_rewrite_text(&r, room, "[{\"pairs\":[[\"classname\",\"worldspawn\"],[\"a\",\"\\\"\"]]}]");
	assert_int_equal(r.error.status, BSPSCENE_ERROR_BAD_DATA);
	bspt_rewritten_free(&r);
	free(room.data);
}

/* The text may end after a backslash or inside a string. */
static void cut_texts_are_read_to_their_end(void **state)
{
	(void)state;
	for (size_t size = sizeof escaped - 1; size > 0; size--) {
		char *text = malloc(size + 1);
		assert_non_null(text);
		memcpy(text, escaped, size);
		text[size] = 0;
		bspt_bytes room = room_with("strata", 1, text);
		bspscene_scene *scene = bspt_load_room(room);
		assert_true(scene->pair_count <= 6);
		bspscene_scene_free(scene);
		free(room.data);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_stay_whole), cmocka_unit_test(other_texts_have_no_escapes),
		cmocka_unit_test(rewritten_texts_are_escaped), cmocka_unit_test(a_quote_is_refused_elsewhere),
		cmocka_unit_test(cut_texts_are_read_to_their_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
