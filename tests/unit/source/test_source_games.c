/* test_source_games.c - a Source game is mounted by its gameinfo.txt: exactly the directories that it names, in their
 * order. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/mounted.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Makes two games in the directory of one engine. Every directory has a file `who` with its name. */
static void make_engine(const bspt_mounted *p)
{
	static const char *const folders[] = {
		"hl2", "tf", "tf/custom", "tf/custom/b_mod", "tf/custom/A_mod", "tf/download", "tf_dlc1", "Platform", "other",
	};
	for (size_t i = 0; i < COUNT(folders); i++) {
		char name[64];
		bspt_mounted_folder(p, folders[i]);
		snprintf(name, sizeof name, "%s/who", folders[i]);
		bspt_mounted_text(p, name, folders[i]);
	}
	bspt_mounted_archive(p, "hl2/hl2_textures_dir.vpk", bspt_vpk(&(bspt_member){ .name = "vpk", .text = "hl2" }, 1, 2));
	bspt_mounted_archive(p, "tf/custom/c.vpk", bspt_vpk(&(bspt_member){ .name = "vpk", .text = "custom" }, 1, 1));
	bspt_mounted_archive(p, "tf/custom/part_001.vpk", bspt_vpk(&(bspt_member){ .name = "vpk", .text = "part" }, 1, 1));
}

/* Compares the mounted directories below p->root, in order of priority. */
static void expect_places(const bspt_mounted *p, const char *const *want, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *got = bspscene_file_system_search_path(p->files, (uint32_t)i);
		if (got && !strcmp(got, bspt_mounted_at(p, want[i]))) continue;
		fail_msg("place %zu is \"%s\" instead of \"%s\"", i, got ? got : "nothing", want[i]);
	}
	const char *more = bspscene_file_system_search_path(p->files, (uint32_t)count);
	if (more) fail_msg("and \"%s\"", more);
}

#define PATHS(text) "\"GameInfo\"\n{\n\tgame \"A game\"\n\tFileSystem { SteamAppId 440 SearchPaths {\n" text "\n} } }\n"

static void gameinfo_names_the_places(void **state)
{
	bspt_mounted *p = *state;
	static const struct { const char *text, *want[12]; } cases[] = {
		{ PATHS("game+mod |gameinfo_path|."), { "tf_dlc1", "tf" } },
		{ PATHS("game tf/custom/*\n game+mod |gameinfo_path|. game hl2"),
		  { "tf_dlc1", "tf/custom/A_mod", "tf/custom/b_mod", "tf/custom/c.vpk", "tf", "hl2",
		    "hl2/hl2_textures_dir.vpk" } },
		{ PATHS("game tf/custom/?_MOD game tf/custom/c* game tf/custom/*_001.vpk"),
		  { "tf_dlc1", "tf/custom/A_mod", "tf/custom/b_mod", "tf/custom/c.vpk", "tf" } },
		{ PATHS("game tf/custom/*?*o* game h?2 game */custom game tf/custom/**"),
		  { "tf_dlc1", "tf/custom/A_mod", "tf/custom/b_mod", "hl2", "hl2/hl2_textures_dir.vpk", "tf/custom/c.vpk",
		    "tf" } },
		/* All of these lines name the same directory: with and without the prefix, in any letter case, and with either
		 * slash. */
		{ PATHS("Game HL2 game |all_source_engine_paths|hl2 game |ALL_SOURCE_ENGINE_PATHS|HL2\\"),
		  { "tf_dlc1", "hl2", "hl2/hl2_textures_dir.vpk", "tf" } },
		{ PATHS("game \"|all_source_engine_paths|hl2/hl2_textures.vpk\" platform platform"),
		  { "tf_dlc1", "hl2/hl2_textures_dir.vpk", "Platform", "tf" } },
		{ PATHS("game |gameinfo_path|download game tf/custom/c.vpk"),
		  { "tf_dlc1", "tf/download", "tf/custom/c.vpk", "tf" } },
		{ PATHS("game_lv other gamebin other default_write_path other"), { "tf_dlc1", "tf" } },
		{ PATHS("game gone game gone/* game gone.vpk game hl2/gone/x game |gameinfo_path|gone"), { "tf_dlc1", "tf" } },
		{ PATHS("game other [$X360] game hl2 [$WIN32]"), { "tf_dlc1", "hl2", "hl2/hl2_textures_dir.vpk", "tf" } },
		{ PATHS("game ../other game /etc game c:/x game |gameinfo_path|../other game |all_source_engine_paths|.. "
		        "game \"\""), { "tf_dlc1", "tf" } },
		{ "junk {", { "tf_dlc1", "tf" } },
		{ "", { "tf_dlc1", "tf" } },
	};
	make_engine(p);
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspscene_error error;
		size_t count = 0;
		while (cases[i].want[count]) count++;
		bspscene_file_system_free(p->files);
		p->files = bspscene_file_system_create(NULL);
		bspt_mounted_text(p, "tf/GameInfo.txt", cases[i].text);
		if (!bspscene_file_system_mount_game(p->files, bspt_mounted_at(p, i % 2 ? "tf" : "tf/"), &error))
			fail_msg("%s", error.message);
		assert_int_equal(error.status, BSPSCENE_OK);
		expect_places(p, cases[i].want, count);
	}
}

static void the_first_search_path_wins(void **state)
{
	bspt_mounted *p = *state;
	make_engine(p);
	bspt_mounted_folder(p, "Update");
	bspt_mounted_text(p, "Update/new", "update");
	bspt_mounted_text(p, "tf_dlc1/new", "tf_dlc1");
	bspt_mounted_text(p, "tf/custom/A_mod/new", "A_mod");
	bspt_mounted_text(p, "tf/gameinfo.txt", PATHS("game tf/custom/* game |gameinfo_path|. game hl2"));
	assert_true(bspscene_file_system_mount_game(p->files, bspt_mounted_at(p, "tf"), NULL));
	bspt_mounted_expect(p, "new", "update");
	bspt_mounted_expect(p, "who", "tf_dlc1");
	bspt_mounted_expect(p, "vpk", "custom");
}

/* Opening the engine's directory mounts those of all its games, the base game last. */
static void an_engines_directory_has_the_places_of_its_games(void **state)
{
	bspt_mounted *p = *state;
	static const char *const want[] = { "other", "tf_dlc1", "tf", "hl2", "hl2/hl2_textures_dir.vpk" };
	make_engine(p);
	bspt_mounted_text(p, "hl2/gameinfo.txt", PATHS("game hl2"));
	bspt_mounted_text(p, "tf/gameinfo.txt", PATHS("game tf"));
	bspt_mounted_text(p, "other/gameinfo.txt", PATHS("game other"));
	assert_true(bspscene_file_system_mount_game(p->files, p->root, NULL));
	expect_places(p, want, COUNT(want));
}

static void a_game_in_the_working_directory(void **state)
{
	bspt_mounted *p = *state;
	char before[600];
	bspscene_error error;
	make_engine(p);
	bspt_mounted_text(p, "tf/gameinfo.txt", PATHS("game |gameinfo_path|. game hl2"));
	if (!getcwd(before, sizeof before) || chdir(bspt_mounted_at(p, "tf"))) bspt_die("enter", "tf");
	bool ok = bspscene_file_system_mount_game(p->files, ".", &error);
	if (chdir(before)) bspt_die("return to", before);
	if (!ok) fail_msg("%s", error.message);
	assert_string_equal(bspscene_file_system_search_path(p->files, 0), ".");
	assert_string_equal(bspscene_file_system_search_path(p->files, 1), "./../hl2");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bspt_mounted_begin, bspt_mounted_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(gameinfo_names_the_places),
		TEST(the_first_search_path_wins),
		TEST(an_engines_directory_has_the_places_of_its_games),
		TEST(a_game_in_the_working_directory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
