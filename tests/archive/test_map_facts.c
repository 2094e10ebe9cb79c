/* Promise: facts are read from readmes: facts that follow a colon or an equals sign, and game modes whose line says yes
 * or a number, but not those whose line says no. A face that moved along one axis only is a different face. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/companions/map_facts.h"
#include "archive/diff/face_pairs.h"
#include "support/metamorphic/move_map.h"

static void modes_are_those_that_are_affirmed(void **state)
{
	(void)state;
	cli_map_facts facts = { .map = "one" };
	cli_read_me_facts(&facts, "Single Player : No\nCooperative : 0\nDeathmatch : Yes\nCTF: y\nTourney = 4\n"
	                          "Author = Somebody\nTitle: A \"Place\"\n");
	assert_int_equal(json_array_size(facts.modes), 3);
	assert_string_equal(json_string_value(json_array_get(facts.modes, 0)), "deathmatch");
	assert_string_equal(json_string_value(json_array_get(facts.modes, 1)), "capture the flag");
	assert_string_equal(json_string_value(json_array_get(facts.modes, 2)), "tournament");
	assert_string_equal(facts.author, "Somebody");
	json_decref(facts.modes);
}

static bspscene_scene *load_moved(const bspi_variant *variant, int axis, float by)
{
	bspt_own_parts own;
	bspt_motion motion = { .scale = 1 };
	motion.shift[axis] = by;
	bspt_own_parts_take(&own, &bspi_family_quake, variant);
	bspt_move_parts(&own, variant, &motion);
	bspscene_scene *scene = bspt_load_parts(variant, &own.parts, NULL);
	bspt_own_parts_free(&own);
	return scene;
}

static void faces_that_moved_along_any_axis_are_others(void **state)
{
	(void)state;
	const bspi_variant *variant = bspt_find_variant(&bspi_family_quake, "quake");
	bspscene_scene *before = load_moved(variant, 0, 0);
	for (int axis = 0; axis < 3; axis++) {
		for (int moved = 0; moved < 2; moved++) {
			bspscene_scene *after = load_moved(variant, axis, moved ? 512 : 0);
			cli_face_pairs pairs = cli_pair_faces(before, after);
			assert_int_equal(pairs.same, moved ? 0 : before->face_count);
			cli_face_pairs_free(&pairs);
			bspscene_scene_free(after);
		}
	}
	bspscene_scene_free(before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(modes_are_those_that_are_affirmed),
		cmocka_unit_test(faces_that_moved_along_any_axis_are_others),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
