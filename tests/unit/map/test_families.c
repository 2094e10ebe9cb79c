/* Promise: the table that bspscene_families returns lists all families and variants that can be read. Scenes and probed
 * files have names from this table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "support/make/build_map.h"

static void the_table_of_families_says_what_is_read(void **state)
{
	static const char *const linear[] = { "goldsrc", "source", "nightfire", "respawn" };
	const bspscene_family *const *families = bspscene_families();
	(void)state;
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		const bspscene_family *family = families[f];
		assert_ptr_equal(family, &bspi_families[f]->about);
		uint32_t v = 0;
		for (; bspscene_variant_name(family, v); v++) {
			bspt_parts parts;
			if (!bspt_room_parts(bspi_families[f], &bspi_families[f]->variants[v], &parts)) continue;
			bspt_bytes file = bspt_build_room(bspi_families[f], &bspi_families[f]->variants[v]);
			bspscene_format format;
			bspscene_format_init(&format);
			const char *variant = bspscene_variant_name(family, v);
			bool found = bspscene_probe(file.data, file.size, &format);
			if (!found || strcmp(format.family, family->name) != 0 || strcmp(format.variant, variant) != 0) {
				fail_msg("the room of %s (%s) is taken for %s (%s); look at what the `bid` of both families returns",
				         family->name, variant, found ? format.family : "no map", found ? format.variant : "");
			}
			assert_string_equal(format.title, bspscene_variant_title(family, v));
			bspscene_error error;
			bspscene_scene *scene = bspscene_load_memory(file.data, file.size, NULL, &error);
			if (!scene) fail_msg("the room of %s (%s): %s", family->name, variant, error.message);
			bool adds_linear = false;
			for (size_t i = 0; i < sizeof linear / sizeof *linear; i++) {
				adds_linear = adds_linear || !strcmp(linear[i], family->name);
			}
			if (scene->linear_lights != adds_linear) {
				fail_msg(
					"%s: linear_lights is %s; if its game adds light in that space, correct the list `linear` of this "
					"test, else the family's rules",
					family->name, adds_linear ? "false" : "true");
			}
			bspscene_scene_free(scene);
			free(file.data);
		}
		assert_int_equal(v, bspi_families[f]->variant_count);
		assert_null(bspscene_variant_title(family, v));
	}
	assert_null(families[bspi_family_count]);
	assert_null(bspscene_variant_name(&(bspscene_family){ "quake", "Quake", false }, 0));
}

/* The table of entity classes is searched from its beginning, and the first match counts. If the pattern info_player_*
 * came first, an intermission would be a player start. */
static void an_intermission_is_no_players_start(void **state)
{
	uint32_t seen = 0;
	(void)state;
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		for (uint32_t v = 0; bspscene_variant_name(&bspi_families[f]->about, v); v++) {
			const bspi_entity_rules *rules = bspi_families[f]->variants[v].rules->entities;
			const bspi_camera_rule *rule = rules ? rules->cameras : NULL;
			while (rule && rule->name && !bspi_text_matches("info_player_intermission", rule->name)) rule++;
			if (!rule || !rule->name) continue;
			if (rule->kind != BSPSCENE_CAMERA_INTERMISSION) fail_msg("%s is a start", bspi_families[f]->about.name);
			seen++;
		}
	}
	assert_true(seen > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_of_families_says_what_is_read),
		cmocka_unit_test(an_intermission_is_no_players_start),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
