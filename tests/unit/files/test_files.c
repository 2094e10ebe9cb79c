/* test_files.c - game files are found as the engines find them: names ignore case and slashes, later mounts win,
 * scripts come in Quake III's order, and nothing outside of the mounts is ever opened. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/mounted.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void mount(const bspt_mounted *p, const char *name)
{
	bspscene_error error;
	if (!bspscene_file_system_mount(p->files, bspt_mounted_at(p, name), &error)) fail_msg("%s", error.message);
}

/* ---- Names ------------------------------------------------------------------------------------------------ */

static void names_ignore_case_and_slashes(void **state)
{
	bspt_mounted *p = *state;
	bspt_mounted_folder(p, "Textures");
	bspt_mounted_folder(p, "Textures/Base");
	bspt_mounted_text(p, "Textures/Base/Wall.TGA", "loose");
	bspt_member member = { .name = "Textures\\Base\\Floor.tga", .text = "packed" };
	bspt_mounted_archive(p, "a.zip", bspt_zip(&member, 1));
	mount(p, "");
	mount(p, "a.zip");
	static const struct { const char *path, *want; } cases[] = {
		{ "textures/base/wall.tga", "loose" }, { "TEXTURES\\BASE\\WALL.TGA", "loose" },
		{ "/textures//base/./wall.tga", "loose" }, { "textures/base/floor.tga", "packed" },
		{ "Textures\\base/FLOOR.tga", "packed" }, { "textures/base", NULL }, { "textures/base/wall", NULL },
		{ "wall.tga", NULL }, { "", NULL }, { "/", NULL }, { "textures/../textures/base/wall.tga", NULL },
		{ "../a.zip", NULL }, { "c:textures/base/wall.tga", NULL },
	};
	for (size_t i = 0; i < COUNT(cases); i++) bspt_mounted_expect(p, cases[i].path, cases[i].want);
}

/* File names in archives and maps of the 1990s may be in Windows-1252. The library finds such files and always returns
 * their names in UTF-8. */
static void names_of_old_code_pages_are_found(void **state)
{
	bspt_mounted *p = *state;
	static const bspt_member members[] = {
		{ .name = "f\xfcr.tga", .text = "packed" }, { .name = "\x80.tga", .text = "euro" },
	};
	bspt_mounted_archive(p, "old.pak", bspt_pak(members, COUNT(members), 56));
	bspt_mounted_text(p, "t\xfcr.tga", "loose");
	mount(p, "");
	mount(p, "old.pak");
	static const struct { const char *path, *want; } cases[] = {
		{ "f\xfcr.tga", "packed" }, { "f\xc3\xbcr.tga", "packed" }, { "\x80.tga", "euro" },
		{ "\xe2\x82\xac.tga", "euro" }, { "t\xfcr.tga", "loose" }, { "t\xc3\xbcr.tga", "loose" }, { "f\xff.tga", NULL },
	};
	for (size_t i = 0; i < COUNT(cases); i++) bspt_mounted_expect(p, cases[i].path, cases[i].want);
	char longest[400];
	memset(longest, 0xfc, sizeof longest - 1);
	longest[sizeof longest - 1] = 0;
	for (const char *name = longest; name[80]; name++) bspt_mounted_expect(p, name, NULL);
}

static void of_equal_names_the_last_one_wins(void **state)
{
	bspt_mounted *p = *state;
	static const bspt_member twice[] = {
		{ .name = "a", .text = "first" }, { .name = "A", .text = "second" }, { .name = "b", .text = "old" },
	};
	static const bspt_member once[] = { { .name = "B", .text = "new" } };
	bspt_mounted_archive(p, "twice.zip", bspt_zip(twice, COUNT(twice)));
	bspt_mounted_archive(p, "once.pak", bspt_pak(once, COUNT(once), 56));
	mount(p, "twice.zip");
	bspt_mounted_expect(p, "b", "old");
	mount(p, "once.pak");
	bspt_mounted_expect(p, "a", "second");
	bspt_mounted_expect(p, "b", "new");
	assert_string_equal(bspscene_file_system_search_path(p->files, 0), bspt_mounted_at(p, "once.pak"));
	assert_string_equal(bspscene_file_system_search_path(p->files, 1), bspt_mounted_at(p, "twice.zip"));
	assert_null(bspscene_file_system_search_path(p->files, 2));
}

typedef struct names { char text[400]; } names;

static void add_name(void *user, const char *path)
{
	names *n = user;
	size_t used = strlen(n->text);
	snprintf(n->text + used, sizeof n->text - used, "%s ", path);
}

/* tr_shader.c of Quake III joins scripts from the last to the first of a list that begins with the archive of highest
 * priority, and the first definition of a shader is used. So for scripts the archive of lowest priority wins. */
static void scripts_are_listed_in_the_order_quake3_reads_them(void **state)
{
	bspt_mounted *p = *state;
	static const bspt_member base[] = {
		{ .name = "scripts/b.shader", .text = "base b" }, { .name = "scripts/a.shader", .text = "base a" },
		{ .name = "scripts/c.shader", .text = "base c" }, { .name = "scripts/readme.txt", .text = "" },
	};
	static const bspt_member patch[] = {
		{ .name = "Scripts/A.shader", .text = "patch a" }, { .name = "scripts/z.SHADER", .text = "patch z" },
		{ .name = "x.shader", .text = "" },
	};
	bspt_mounted_archive(p, "base.pk3", bspt_zip(base, COUNT(base)));
	bspt_mounted_archive(p, "patch.pk3", bspt_zip(patch, COUNT(patch)));
	mount(p, "base.pk3");
	mount(p, "patch.pk3");
	static const struct { const char *prefix, *suffix, *want; } cases[] = {
		{ "scripts/", ".shader", "scripts/c.shader scripts/b.shader scripts/z.SHADER Scripts/A.shader " },
		{ "SCRIPTS/", ".txt", "scripts/readme.txt " },
		{ "maps/", ".bsp", "" },
		{ "", "x.shader", "x.shader " },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		names got = { "" };
		bspscene_file_system_list(p->files, cases[i].prefix, cases[i].suffix, add_name, &got);
		assert_string_equal(got.text, cases[i].want);
	}
	bspt_mounted_expect(p, "scripts/a.shader", "patch a");
}

/* ---- Directories ------------------------------------------------------------------------------------------ */

static void links_lead_nowhere_outside(void **state)
{
	bspt_mounted *p = *state;
	bspt_mounted_folder(p, "game");
	bspt_mounted_folder(p, "game/maps");
	bspt_mounted_folder(p, "game-data");       /* its name begins with the mounted folder's name */
	bspt_mounted_text(p, "secret", "secret");
	bspt_mounted_text(p, "game-data/secret", "secret");
	bspt_mounted_text(p, "game/real", "inside");
	if (symlink("../secret", bspt_mounted_at(p, "game/out")) ||
	    symlink("../game-data/secret", bspt_mounted_at(p, "game/near")) ||
	    symlink("real", bspt_mounted_at(p, "game/in")) || symlink("..", bspt_mounted_at(p, "game/up")) ||
	    symlink(".", bspt_mounted_at(p, "game/maps/loop")) || symlink("nothing", bspt_mounted_at(p, "game/broken")) ||
	    symlink("self", bspt_mounted_at(p, "game/self")))
		bspt_die("link", "files");
	mount(p, "game");
	bspt_mounted_expect(p, "in", "inside");
	static const char *const closed[] = { "out", "near", "up/secret", "maps/loop/real", "broken", "self" };
	for (size_t i = 0; i < COUNT(closed); i++) bspt_mounted_expect(p, closed[i], NULL);
	names all = { "" };
	bspscene_file_system_list(p->files, "", "", add_name, &all);
	assert_string_equal(all.text, "real in ");
}

/* Opening a named pipe would wait for a writer, so the library must not open it. */
static void what_is_no_regular_file_is_not_there(void **state)
{
	bspt_mounted *p = *state;
	bspscene_error error;
	bspt_mounted_folder(p, "game");
	if (mkfifo(bspt_mounted_at(p, "game/pipe"), 0666) || mkfifo(bspt_mounted_at(p, "game/pak0.pak"), 0666))
		bspt_die("create", "pipe");
	assert_true(bspscene_file_system_mount_game(p->files, bspt_mounted_at(p, "game"), &error));
	assert_int_equal(error.status, BSPSCENE_OK);
	bspt_mounted_expect(p, "pipe", NULL);
	assert_false(bspscene_file_system_mount(p->files, bspt_mounted_at(p, "game/pipe"), &error));
	assert_non_null(strstr(error.message, "pipe: is not a regular file"));
}

static void a_file_that_is_gone_is_not_found(void **state)
{
	bspt_mounted *p = *state;
	bspt_mounted_text(p, "a", "text");
	mount(p, "");
	bspt_mounted_expect(p, "a", "text");
	if (unlink(bspt_mounted_at(p, "a"))) bspt_die("remove", "a");
	bspt_mounted_expect(p, "a", NULL);
}

static void what_cannot_be_mounted_says_why(void **state)
{
	bspt_mounted *p = *state;
	bspt_mounted_folder(p, "closed");
	bspt_mounted_text(p, "notes.txt", "notes");
	bspt_mounted_text(p, "closed/a", "a");
	if (chmod(bspt_mounted_at(p, "closed"), 0)) bspt_die("close", "closed");
	const struct { const char *path; bool game, not_for_root; bspscene_status status; const char *words; } cases[] = {
		{ "missing.pk3", false, false, BSPSCENE_ERROR_NOT_FOUND, "missing.pk3: no such file" },
		{ "notes.txt/a", false, false, BSPSCENE_ERROR_NOT_FOUND, "notes.txt/a: no such file" },
		{ "notes.txt", false, false, BSPSCENE_ERROR_UNKNOWN_FORMAT,
		  "notes.txt: is neither a directory nor an archive" },
		{ "missing", true, false, BSPSCENE_ERROR_NOT_FOUND, "missing: the directory cannot be read" },
		{ "notes.txt", true, false, BSPSCENE_ERROR_IO, "the directory cannot be read: Not a directory" },
		{ "closed", false, true, BSPSCENE_ERROR_IO, "the directory cannot be read: Permission denied" },
		{ "closed", true, true, BSPSCENE_ERROR_IO, "the directory cannot be read: Permission denied" },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspscene_error error;
		if (cases[i].not_for_root && geteuid() == 0) continue;
		bool ok = (cases[i].game ? bspscene_file_system_mount_game
		                         : bspscene_file_system_mount)(p->files, bspt_mounted_at(p, cases[i].path), &error);
		if (ok || error.status != cases[i].status || !strstr(error.message, cases[i].words)) {
			fail_msg("%s: %s \"%s\"", cases[i].path, bspscene_status_name(error.status), error.message);
		}
		assert_null(bspscene_file_system_search_path(p->files, 0));
	}
	if (chmod(bspt_mounted_at(p, "closed"), 0700)) bspt_die("open", "closed");
}

/* ---- Games ------------------------------------------------------------------------------------------------ */

/* Makes an archive with two files: one whose name no other archive has, and "who", which all of these archives have. */
static bspt_bytes labeled(const char *label, bool zip)
{
	bspt_member members[] = { { .name = label, .text = label }, { .name = "who", .text = label } };
	return zip ? bspt_zip(members, COUNT(members)) : bspt_pak(members, COUNT(members), 56);
}

static void a_game_is_mounted_in_its_engines_order(void **state)
{
	bspt_mounted *p = *state;
	bspt_mounted_folder(p, "game");
	bspt_mounted_archive(p, "game/pak10.pak", labeled("pak10", false));
	bspt_mounted_archive(p, "game/PAK2.PAK", labeled("pak2", false));
	bspt_mounted_archive(p, "game/pak0.pak", labeled("pak0", false));
	bspt_mounted_archive(p, "game/mod.pak", labeled("other", false));
	bspt_mounted_archive(p, "game/zeta.pk3", labeled("zeta", true));
	bspt_mounted_archive(p, "game/Beta.PK4", labeled("beta", true));
	bspt_mounted_archive(p, "game/alpha.pk3", labeled("alpha", true));
	bspt_mounted_archive(p, "game/iw_07.iwd", labeled("iwd", true));
	bspt_mounted_archive(p, "game/tf2_misc_dir.vpk", bspt_vpk(&(bspt_member){ .name = "vpk", .text = "vpk" }, 1, 1));
	bspt_mounted_archive(p, "game/ignored.zip", labeled("zeta", true));
	bspt_mounted_folder(p, "game/Gamma.pk3dir");
	bspt_mounted_text(p, "game/Gamma.pk3dir/gamma", "gamma");
	bspscene_error error;
	if (!bspscene_file_system_mount_game(p->files, bspt_mounted_at(p, "game"), &error)) fail_msg("%s", error.message);
	assert_int_equal(error.status, BSPSCENE_OK);

	static const char *const places[] = {
		"game", "game/zeta.pk3", "game/iw_07.iwd", "game/Gamma.pk3dir", "game/Beta.PK4", "game/alpha.pk3",
		"game/mod.pak", "game/pak10.pak", "game/PAK2.PAK", "game/pak0.pak", "game/tf2_misc_dir.vpk",
	};
	for (size_t i = 0; i < COUNT(places); i++) {
		assert_string_equal(bspscene_file_system_search_path(p->files, (uint32_t)i), bspt_mounted_at(p, places[i]));
	}
	assert_null(bspscene_file_system_search_path(p->files, COUNT(places)));
	static const char *const labels[] = { "vpk", "pak0", "pak2", "pak10", "other", "alpha", "beta", "gamma", "iwd",
	                                      "zeta" };
	for (size_t i = 0; i < COUNT(labels); i++) bspt_mounted_expect(p, labels[i], labels[i]);
	bspt_mounted_expect(p, "who", "zeta");
	bspt_mounted_text(p, "game/who", "loose");
	assert_true(bspscene_file_system_mount_game(p->files, bspt_mounted_at(p, "game"), NULL));
	bspt_mounted_expect(p, "who", "loose");
}

/* A damaged archive is left out, as engines do, and the caller is told. */
static void a_broken_archive_does_not_take_the_game_with_it(void **state)
{
	bspt_mounted *p = *state;
	bspt_mounted_text(p, "pak0.pak", "PACK, but that is all");
	bspt_mounted_text(p, "pak1.pk3", "version https://git-lfs.github.com/spec/v1");
	bspt_mounted_archive(p, "pak2.pk3", bspt_zip(&(bspt_member){ .name = "a", .text = "good" }, 1));
	bspscene_error error;
	assert_true(bspscene_file_system_mount_game(p->files, p->root, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_HEADER);
	assert_non_null(strstr(error.message, "pak0.pak: the pak's directory reaches past the end of the file"));
	bspt_mounted_expect(p, "a", "good");
	assert_string_equal(bspscene_file_system_search_path(p->files, 1), bspt_mounted_at(p, "pak2.pk3"));
	assert_null(bspscene_file_system_search_path(p->files, 2));
}

/* Archives of a game may be links to other directories, as installers make them; loose files may not. */
static void archives_of_a_game_may_be_links(void **state)
{
	bspt_mounted *p = *state;
	bspt_mounted_folder(p, "game");
	bspt_mounted_archive(p, "installed.pk3", bspt_zip(&(bspt_member){ .name = "a", .text = "good" }, 1));
	if (symlink("../installed.pk3", bspt_mounted_at(p, "game/pak0.pk3"))) bspt_die("link", "pak0.pk3");
	assert_true(bspscene_file_system_mount_game(p->files, bspt_mounted_at(p, "game"), NULL));
	bspt_mounted_expect(p, "a", "good");
	bspt_mounted_expect(p, "pak0.pk3", NULL);
}

/* Packs of Bloodlines have no magic; their end record identifies them. */
static void packs_of_bloodlines(void **state)
{
	bspt_mounted *p = *state;
	static const bspt_member first[] = {
		{ .name = "materials/a.tth", .text = "first" }, { .name = "materials\\B.ttz", .text = "other" },
	};
	static const bspt_member second[] = { { .name = "Materials/A.tth", .text = "second" } };
	bspt_mounted_folder(p, "game");
	bspt_mounted_archive(p, "game/pack000.vpk", bspt_troika(first, COUNT(first)));
	bspt_mounted_archive(p, "game/pack101.vpk", bspt_troika(second, COUNT(second)));
	bspt_mounted_archive(p, "game/pack102.vpk", bspt_troika(NULL, 0));
	bspt_mounted_text(p, "game/package.vpk", "no pack");
	assert_true(bspscene_file_system_mount_game(p->files, bspt_mounted_at(p, "game"), NULL));
	bspt_mounted_expect(p, "materials/a.tth", "second");
	bspt_mounted_expect(p, "materials/b.ttz", "other");
	assert_non_null(bspscene_file_system_search_path(p->files, 3));
	assert_null(bspscene_file_system_search_path(p->files, 4));
	bspscene_error error;
	static const struct { const char *end; size_t size; const char *words; } cases[] = {
		{ "\1\0\0\0\0\0\0\0\0", 9, "neither a directory nor an archive" },
		{ "xxxxxxxxxxxx\1\0\0\0\0\0\0\0\0", 21, "the list of names is broken at entry 0" },
		{ "\0\0\0\0\0\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\0", 21, "neither" },
		{ "xxxxxxxxxxxx\0\0\0\0\0\0\0\0\0\0\0\0\2\0\0\0\xc\0\0\0\0", 33, "neither" },
		{ "xxxxxxxxxxxx\1\0\0\0\xff\0\0\0\0", 21, "neither" },
		{ "xxxxxxxxxxxx\0\0\0\0\xb\0\0\0\0", 21, "neither" },
		{ "xxxxxxxxxxxx\1\0\0\0\0\0\0\0\1", 21, "neither" },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_write_file(bspt_mounted_at(p, "bad.vpk"), cases[i].end, cases[i].size);
		assert_false(bspscene_file_system_mount(p->files, bspt_mounted_at(p, "bad.vpk"), &error));
		if (!strstr(error.message, cases[i].words)) fail_msg("%zu: %s", i, error.message);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bspt_mounted_begin, bspt_mounted_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(names_ignore_case_and_slashes),
		TEST(names_of_old_code_pages_are_found),
		TEST(of_equal_names_the_last_one_wins),
		TEST(scripts_are_listed_in_the_order_quake3_reads_them),
		TEST(links_lead_nowhere_outside),
		TEST(what_is_no_regular_file_is_not_there),
		TEST(a_file_that_is_gone_is_not_found),
		TEST(what_cannot_be_mounted_says_why),
		TEST(a_game_is_mounted_in_its_engines_order),
		TEST(a_broken_archive_does_not_take_the_game_with_it),
		TEST(archives_of_a_game_may_be_links),
		TEST(packs_of_bloodlines),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
