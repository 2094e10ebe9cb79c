/* Promise: a load reports more peak memory than its scene has. The names of Windows' devices are matched as whole words
 * of three letters. The path "." is not a parent folder. White space before the entities does not change their hash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "support/metamorphic/move_map.h"

static void a_load_holds_more_than_its_scene(void **state)
{
	static const char *const rooms[] = { "quake", "quake3", "source20" };
	(void)state;
	for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
		bspscene_error error;
		bspt_bytes room = bspt_build_named_room(rooms[i]);
		bspscene_scene *scene = bspscene_load_memory(room.data, room.size, NULL, &error);
		if (!scene) fail_msg("%s", error.message);
		assert_true(scene->memory_size > 0);
		assert_true(scene->memory_peak > scene->memory_size);
		bspscene_scene_free(scene);
		free(room.data);
	}
}

static void names_of_devices_are_whole(void **state)
{
	static const struct {
		const char *path, *want;
	} cases[] = {
		{ "cow/a", "cow/a" }, { "nut", "nut" },   { "auk/prz", "auk/prz" }, { "CON/a", "" },
		{ "a/nul", "" },      { "aux", "" },      { "a/./b", "a/b" },       { "./a", "a" },
		{ "a/../b", "" },     { ".a/b", ".a/b" }, { "a/...", "a/..." },     { "..", "" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char out[64];
		bool ok = bspi_text_path(cases[i].path, false, out, sizeof out);
		if (ok != (*cases[i].want != 0) || strcmp(out, cases[i].want) != 0) {
			fail_msg("%s is \"%s\"", cases[i].path, out);
		}
	}
}

static void white_space_may_precede_entities(void **state)
{
	(void)state;
	const bspi_variant *variant = bspt_find_variant(&bspi_family_goldsrc, "blueshift");
	bspt_own_parts own;
	bspt_own_parts_take(&own, &bspi_family_goldsrc, variant);
	const char *text = (const char *)own.parts.raw[own.entities].data;
	char *moved = malloc(strlen(text) + 8);
	assert_non_null(moved);
	strcpy(moved, " \r\n\t");
	strcat(moved, text);
	bspt_own_parts_set_text(&own, moved);
	bspscene_scene *scene = bspt_load_parts(variant, &own.parts, NULL);
	assert_string_equal(scene->variant, "blueshift");
	bspscene_scene_free(scene);
	bspt_own_parts_free(&own);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_load_holds_more_than_its_scene),
		cmocka_unit_test(names_of_devices_are_whole),
		cmocka_unit_test(white_space_may_precede_entities),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
