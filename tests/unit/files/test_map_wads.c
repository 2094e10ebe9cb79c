/* test_map_wads.c - a warning names all WADs of a map that are missing. First come those that may have textures of the
 * walls. Once, only the first WAD of the list was named. This was often decals.wad, which has no such textures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "materials/indexed/map_wads.h"
#include "support/make/made_game.h"

static const uint8_t empty_wad[12] = { 'W', 'A', 'D', '3', 0, 0, 0, 0, 12 };

static void all_missing_wads_are_named(void **state)
{
	(void)state;
	static const struct { const char *value; uint32_t unfound; const char *want; } cases[] = {
		{ "here.wad", 0, "" },
		{ "", 3, "" },
		{ ";;\\;/;", 3, "" },
		{ "\\valve\\halflife.wad", 1,
		  "wad: halflife.wad was not found: put it next to the map or into the game's "
		  "directory (1 texture is in no WAD that was found)" },
		{ "/dev/halflife.wad;here.wad;/x/xeno.wad;decals.wad;c:\\Zhlt.wad;liquids.wad", 7,
		  "wad: liquids.wad, xeno.wad, halflife.wad, Zhlt.wad, decals.wad were not found: put them next to the map or "
		  "into the game's directory (7 textures are in no WAD that was found)" },
		{ "decals.wad", 0,
		  "wad: decals.wad was not found: put it next to the map or into the game's "
		  "directory (no texture of a wall is missing)" },
		{ " here ; \"HERE.WAD\";here.wad\n", 0, "" },
		{ "xeno; c:\\games\\Xeno.wad ;/xeno.WAD", 2,
		  "wad: xeno.WAD was not found: put it next to the map or into the game's "
		  "directory (2 textures are in no WAD "
		  "that was found)" },
		{ "../../secret.wad", 1,
		  "wad: secret.wad was not found: put it next to the map or into the game's "
		  "directory (1 texture is in no WAD that was found)" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_game game;
		bspt_game_start(&game);
		bspt_game_add(&game, "here.wad", empty_wad, sizeof empty_wad);
		bspi_map_wads *wads = calloc(1, sizeof *wads);
		assert_true(bspi_open_map_wads(&game.ctx, cases[i].value, wads));
		assert_true(bspi_warn_of_missing_wads(&game.ctx, wads, cases[i].unfound));
		assert_string_equal(bspt_game_warning(&game, BSPSCENE_WARNING_FILE_MISSING, NULL), cases[i].want);
		free(wads);
		bspt_game_end(&game);
	}
}

/* The message has a limited length. Names that do not fit are counted, and no name is cut. */
static void what_does_not_fit_is_counted(void **state)
{
	(void)state;
	char value[64 * 40] = "", last[40];
	for (int i = 0; i < 70; i++) {
		snprintf(last, sizeof last, "a_wad_with_a_longer_name_%02d.wad;", i);
		memcpy(value + i * 32, last, 32);
	}
	bspt_game game;
	bspt_game_start(&game);
	bspi_map_wads *wads = calloc(1, sizeof *wads);
	assert_true(bspi_open_map_wads(&game.ctx, value, wads));
	assert_int_equal(wads->missing_count, BSPI_MOST_WADS);
	assert_true(bspi_warn_of_missing_wads(&game.ctx, wads, 1));
	const char *message = bspt_game_warning(&game, BSPSCENE_WARNING_FILE_MISSING, NULL);
	const char *cut = strstr(message, ".wad and ");
	assert_non_null(cut);
	uint32_t shown = 0, more = (uint32_t)strtoul(cut + strlen(".wad and "), NULL, 10);
	for (const char *p = message; (p = strstr(p, ".wad")); p++) shown++;
	assert_int_equal(shown + more, BSPI_MOST_WADS);
	assert_non_null(strstr(message, "(1 texture is in no WAD that was found)"));
	free(wads);
	bspt_game_end(&game);
}

/* The atrium has fourteen textures. skip, clip, origin, aaatrigger and the sky need no pixels. */
static void the_atrium_counts_its_textures(void **state)
{
	(void)state;
	bspscene_scene *scene = bspscene_load_file(BSPT_FIXTURES "/atrium/goldsrc/maps/atrium_wad.bsp", NULL, NULL);
	const char *message = "";
	assert_non_null(scene);
	for (uint32_t i = 0; i < scene->warning_count; i++) {
		if (scene->warnings[i]->code == BSPSCENE_WARNING_FILE_MISSING) message = scene->warnings[i]->message;
	}
	assert_string_equal(message, "wad: sample.wad was not found: put it next to the map or into the game's directory "
	                             "(9 textures are in no WAD that was found)");
	bspscene_scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_missing_wads_are_named),
		cmocka_unit_test(what_does_not_fit_is_counted),
		cmocka_unit_test(the_atrium_counts_its_textures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
