/* test_rewrite_hostile.c - rewrite refuses impossible entities and damaged maps with a reason, or writes a map that
 * loads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/rewrite.h>

#include "support/rewrite/rewritten.h"

static void a_lump_in_the_text_is_refused(void **state)
{
	(void)state;
	bspt_bytes room = bspt_build_named_room("quake3");
	bspscene_scene *scene = bspt_load_room(room);
	char *longer = bspt_print_entities(scene, "\"more\" \"of it\"\n", false);
	uint32_t text = bspi_load_u32(room.data + 8);
	/* Makes lump 7 (shaders) begin inside the entity text. */
	for (int i = 0; i < 4; i++) room.data[8 + 7 * 16 + i] = (uint8_t)((text + 4) >> 8 * i);
	bspt_bytes kept = room;
	bspt_rewritten r;
	bspt_rewrite_text(&r, kept, longer);
	assert_false(r.ok);
	bspt_rewritten_free(&r);
	test_free(longer);
	bspscene_scene_free(scene);
	free(room.data);
}

static void what_no_map_can_have_is_refused(void **state)
{
#define WORLD "[{\"pairs\":[[\"classname\",\"worldspawn\"]"
	static const struct { const char *text, *words; } cases[] = {
		{ WORLD ",[\"message\",\"a \\\"quote\\\"\"]]}]", "quote" },
		{ WORLD ",[\"message\",\"a\\n}\"]]}]", "begins with }" },
		{ WORLD ",[\"  \",\"x\"]]}]", "has an empty key" },
		{ WORLD ",[\"model\",\"*99\"]]}]", "brush models" },
		{ WORLD ",[\"model\",\"*0\"]]}]", "brush models" },
		{ WORLD ",[\"message\",\"\xe4\xbd\xa0\"]]}]", "Windows-1252" },
		{ WORLD ",[\"message\",\"\xc4\x81\"]]}]", "Windows-1252" }, /* U+0101 must not become the byte 01 */
		/* The first three of these four bytes resemble the UTF-8 form of the euro sign. */
		{ WORLD ",[\"message\",\"\xf2\x82\xac\xa0\"]]}]", "Windows-1252" },
		{ "[{\"pairs\":[[\"classname\",\"light\"]]}]", "has to be worldspawn" },
		{ "[]", "has to be worldspawn" },
		{ "[{\"pairs\":[[\"classname\"]]}]", "is not [" },
		{ "[{\"pairs\":[[\"classname\",3]]}]", "is not [" },
		{ "[{\"pairs\":7}]", "no list of \"pairs\"" },
		{ "[7]", "no list of \"pairs\"" },
		{ "{\"entities\": 7}", "no list of entities" },
		{ "[{\"pairs\":[[\"a\\u0000b\",\"c\"]]}]", "line 1" },
		{ "[{", "line 1" },
		{ "{\n\"classname\" \"worldspawn\n}\n", "cannot be read completely" },
		{ "{ \"classname\" \"worldspawn\" \"message\" }", "cannot be read completely" },
		{ "{ \"classname\" \"worldspawn\"", "cannot be read completely" },
		{ "", "has to be worldspawn" },
	};
	(void)state;
	bspt_bytes room = bspt_room_with_text(bspt_room_text);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_rewritten r;
		bspt_rewrite_text(&r, room, cases[i].text);
		if (r.ok || !strstr(r.error.message, cases[i].words)) fail_msg("%s: %s", cases[i].text, r.error.message);
		assert_int_equal(r.error.status, BSPSCENE_ERROR_BAD_DATA);
		bspt_rewritten_free(&r);
	}
	free(room.data);
	room = bspt_build_named_room("quake");
	bspt_rewritten r;
	bspt_rewrite_text(&r, room, WORLD ",[\"message\",\"\xc3\xa9\"]]}]");
	assert_non_null(strstr(r.error.message, "Quake's font"));
	bspt_rewritten_free(&r);
	free(room.data);
}

/* If bytes of the directory are replaced, or the file is truncated, the result is an error with a message, or a map
 * that loads. */
static void damaged_maps_are_refused_or_well(void **state)
{
	static const char *const names[] = { "quake", "quake3", "source20", "left4dead2" };
	static const uint8_t values[] = { 0, 0x7f, 0xff };
	(void)state;
	for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
		bspt_bytes room = bspt_build_named_room(names[n]);
		size_t header = room.size < 1100 ? room.size : 1100;
		for (size_t i = 4; i < header; i += i > 200 ? 37u : 1u) {
			uint8_t kept = room.data[i];
			for (size_t v = 0; v < sizeof values; v++) {
				room.data[i] = values[v];
				bspt_rewritten r;
				bspt_rewrite_text(&r, room, "{\"classname\" \"worldspawn\" \"message\" \"of a length of its own\"}");
				if (r.ok) {
					bspscene_error error;
					const bspt_bytes *map = bspt_rewritten_map(&r);
					bspscene_scene *scene = bspscene_load_memory(map->data, map->size, NULL, &error);
					if (scene) assert_int_equal(scene->entity_count, 1);
					bspscene_scene_free(scene);
				}
				bspt_rewritten_free(&r);
			}
			room.data[i] = kept;
		}
		for (size_t size = 0; size < room.size; size += 97) {
			bspt_rewritten r;
			bspt_rewrite_text(&r, (bspt_bytes){ room.data, size }, "{\"classname\" \"worldspawn\"}");
			bspt_rewritten_free(&r);
		}
		free(room.data);
	}
}

/* A failure of any allocation is an error. */
static void memory_that_ends_is_said(void **state)
{
	(void)state;
	bspt_bytes room = bspt_build_named_room("quake3");
	bspscene_edited_entities entities;
	bspscene_load_options load_options;
	bspscene_edited_entities_init(&entities);
	entities.text = "[{\"pairs\":[[\"classname\",\"worldspawn\"]]}]";
	entities.text_size = strlen(entities.text);
	bool done = false;
	for (uint64_t limit = 1; !done && limit < 10000; limit++) {
		bspt_rewritten r;
		bspscene_load_options_init(&load_options);
		load_options.allocation_limit = limit;
		bspt_rewrite(&r, room, &entities, NULL, &load_options);
		done = r.ok;
		if (!done) assert_in_range(r.error.status, BSPSCENE_ERROR_OUT_OF_MEMORY, BSPSCENE_ERROR_LIMIT);
		bspt_rewritten_free(&r);
	}
	assert_true(done);
	free(room.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lump_in_the_text_is_refused),
		cmocka_unit_test(what_no_map_can_have_is_refused),
		cmocka_unit_test(damaged_maps_are_refused_or_well),
		cmocka_unit_test(memory_that_ends_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
