/* Promise: an edited entity may name any brush model that the map has, but no other. Names that an entity already has
 * in the original map are not checked, so the test adds a second entity. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/rewrite/rewritten.h"

static bspscene_status rewrite_with(bspt_bytes room, const char *model)
{
	char text[256];
	bspt_rewritten r;
	snprintf(text, sizeof text,
	         "{\n\"classname\" \"worldspawn\"\n}\n{\n\"classname\" \"func_door\"\n\"model\" \"*1\"\n}\n"
	         "{\n\"classname\" \"func_illusionary\"\n\"model\" \"%s\"\n}\n",
	         model);
	bspt_rewrite_text(&r, room, text);
	bspscene_status status = r.ok ? BSPSCENE_OK : r.error.status;
	bspt_rewritten_free(&r);
	return status;
}

static void each_model_may_be_named(void **state)
{
	static const char *const rooms[] = { "quake", "quake3", "nightfire" };
	(void)state;
	for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
		bspt_bytes room = bspt_build_named_room(rooms[i]);
		uint32_t last = i == 2 ? 3 : 1;
		char model[16];
		for (uint32_t k = 1; k <= last; k++) {
			snprintf(model, sizeof model, "*%u", k);
			assert_int_equal(rewrite_with(room, model), BSPSCENE_OK);
		}
		snprintf(model, sizeof model, "*%u", last + 1);
		assert_int_not_equal(rewrite_with(room, model), BSPSCENE_OK);
		assert_int_not_equal(rewrite_with(room, "*0"), BSPSCENE_OK);
		free(room.data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(each_model_may_be_named) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
