/* test_files.c - game files are found as the engines find them: names ignore case and slashes, what was mounted later
 * wins, scripts come in Quake III's order, and nothing outside of what was mounted is ever opened. */
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

#include "support/build_archive.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- A directory for each test ---------------------------------------------------------------------------- */

typedef struct place {
	char root[200];
	bspscene_files *files;
} place;

static int make_place(void **state)
{
	place *p = calloc(1, sizeof *p);
	*state = p;
	if (!p) return -1;
	bspt_make_directory(p->root, sizeof p->root);
	p->files = bspscene_files_create();
	return p->files ? 0 : -1;
}

static int remove_place(void **state)
{
	place *p = *state;
	bspscene_files_free(p->files);
	bspt_remove_directory(p->root);
	free(p);
	return 0;
}

/* "<root>/<name>", in a buffer that the second call after this one reuses. */
static const char *at(const place *p, const char *name)
{
	static char paths[2][600];
	static unsigned turn;
	char *path = paths[turn++ % 2];
	snprintf(path, sizeof paths[0], "%s/%s", p->root, name);
	return path;
}

static void make_folder(const place *p, const char *name)
{
	if (mkdir(at(p, name), 0777)) bspt_die("create", name);
}

static void write_text(const place *p, const char *name, const char *text)
{
	bspt_write_file(at(p, name), text, strlen(text));
}

static void write_archive(const place *p, const char *name, bspt_bytes archive)
{
	bspt_write_file(at(p, name), archive.data, archive.size);
	free(archive.data);
}

static bool open_text(bspscene_files *files, const char *path, char *text, size_t size)
{
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	if (!bspscene_files_open(files, &stream, path, BSPSCENE_FILE_TEXTURE)) return false;
	size_t got = stream.read(stream.user, text, size - 1);
	stream.close(stream.user);
	text[got < size ? got : 0] = 0;
	return true;
}

static void expect(const place *p, const char *path, const char *want)
{
	char got[64] = "";
	bool found = open_text(p->files, path, got, sizeof got);
	if (found != (want != NULL)) fail_msg("%s: %s", path, found ? "should not be there" : "not found");
	if (want && strcmp(got, want)) fail_msg("%s: \"%s\" instead of \"%s\"", path, got, want);
}

static void mount(const place *p, const char *name)
{
	bspscene_error error;
	if (!bspscene_files_mount(p->files, at(p, name), &error)) fail_msg("%s", error.message);
}

/* ---- Names ------------------------------------------------------------------------------------------------ */

static void names_ignore_case_and_slashes(void **state)
{
	place *p = *state;
	make_folder(p, "Textures");
	make_folder(p, "Textures/Base");
	write_text(p, "Textures/Base/Wall.TGA", "loose");
	bspt_member member = { .name = "Textures\\Base\\Floor.tga", .text = "packed" };
	write_archive(p, "a.zip", bspt_zip(&member, 1));
	mount(p, "");
	mount(p, "a.zip");
	static const struct { const char *path, *want; } cases[] = {
		{ "textures/base/wall.tga", "loose" }, { "TEXTURES\\BASE\\WALL.TGA", "loose" },
		{ "/textures//base/./wall.tga", "loose" }, { "textures/base/floor.tga", "packed" },
		{ "Textures\\base/FLOOR.tga", "packed" }, { "textures/base", NULL }, { "textures/base/wall", NULL },
		{ "wall.tga", NULL }, { "", NULL }, { "/", NULL }, { "textures/../textures/base/wall.tga", NULL },
		{ "../a.zip", NULL }, { "c:textures/base/wall.tga", NULL },
	};
	for (size_t i = 0; i < COUNT(cases); i++) expect(p, cases[i].path, cases[i].want);
}

/* Archives and maps of the nineties have letters of Windows-1252; the library hands out UTF-8 alone. */
static void names_of_old_code_pages_are_found(void **state)
{
	place *p = *state;
	static const bspt_member members[] = {
		{ .name = "f\xfcr.tga", .text = "packed" }, { .name = "\x80.tga", .text = "euro" },
	};
	write_archive(p, "old.pak", bspt_pak(members, COUNT(members), 56));
	write_text(p, "t\xfcr.tga", "loose");
	mount(p, "");
	mount(p, "old.pak");
	static const struct { const char *path, *want; } cases[] = {
		{ "f\xfcr.tga", "packed" }, { "f\xc3\xbcr.tga", "packed" }, { "\x80.tga", "euro" },
		{ "\xe2\x82\xac.tga", "euro" }, { "t\xfcr.tga", "loose" }, { "t\xc3\xbcr.tga", "loose" }, { "f\xff.tga", NULL },
	};
	for (size_t i = 0; i < COUNT(cases); i++) expect(p, cases[i].path, cases[i].want);
	char longest[400];
	memset(longest, 0xfc, sizeof longest - 1);
	longest[sizeof longest - 1] = 0;
	for (const char *name = longest; name[80]; name++) expect(p, name, NULL);
}

static void of_equal_names_the_last_one_wins(void **state)
{
	place *p = *state;
	static const bspt_member twice[] = {
		{ .name = "a", .text = "first" }, { .name = "A", .text = "second" }, { .name = "b", .text = "old" },
	};
	static const bspt_member once[] = { { .name = "B", .text = "new" } };
	write_archive(p, "twice.zip", bspt_zip(twice, COUNT(twice)));
	write_archive(p, "once.pak", bspt_pak(once, COUNT(once), 56));
	mount(p, "twice.zip");
	expect(p, "b", "old");
	mount(p, "once.pak");
	expect(p, "a", "second");
	expect(p, "b", "new");
	assert_string_equal(bspscene_files_search_path(p->files, 0), at(p, "once.pak"));
	assert_string_equal(bspscene_files_search_path(p->files, 1), at(p, "twice.zip"));
	assert_null(bspscene_files_search_path(p->files, 2));
}

typedef struct names { char text[400]; } names;

static void add_name(void *user, const char *path)
{
	names *n = user;
	size_t used = strlen(n->text);
	snprintf(n->text + used, sizeof n->text - used, "%s ", path);
}

/* tr_shader.c of Quake III joins the scripts from the last to the first of a list that begins with the best archive,
 * and takes a shader's first definition: so the archive that loses elsewhere wins here. */
static void scripts_are_listed_in_the_order_quake3_reads_them(void **state)
{
	place *p = *state;
	static const bspt_member base[] = {
		{ .name = "scripts/b.shader", .text = "base b" }, { .name = "scripts/a.shader", .text = "base a" },
		{ .name = "scripts/c.shader", .text = "base c" }, { .name = "scripts/readme.txt", .text = "" },
	};
	static const bspt_member patch[] = {
		{ .name = "Scripts/A.shader", .text = "patch a" }, { .name = "scripts/z.SHADER", .text = "patch z" },
		{ .name = "x.shader", .text = "" },
	};
	write_archive(p, "base.pk3", bspt_zip(base, COUNT(base)));
	write_archive(p, "patch.pk3", bspt_zip(patch, COUNT(patch)));
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
		bspscene_files_list(p->files, cases[i].prefix, cases[i].suffix, add_name, &got);
		assert_string_equal(got.text, cases[i].want);
	}
	expect(p, "scripts/a.shader", "patch a");
}

/* ---- Directories ------------------------------------------------------------------------------------------ */

static void links_lead_nowhere_outside(void **state)
{
	place *p = *state;
	make_folder(p, "game");
	make_folder(p, "game/maps");
	make_folder(p, "game-data");       /* begins like the mounted one */
	write_text(p, "secret", "secret");
	write_text(p, "game-data/secret", "secret");
	write_text(p, "game/real", "inside");
	if (symlink("../secret", at(p, "game/out")) || symlink("../game-data/secret", at(p, "game/near")) ||
	    symlink("real", at(p, "game/in")) || symlink("..", at(p, "game/up")) || symlink(".", at(p, "game/maps/loop")) ||
	    symlink("nothing", at(p, "game/broken")) || symlink("self", at(p, "game/self"))) bspt_die("link", "files");
	mount(p, "game");
	expect(p, "in", "inside");
	static const char *const closed[] = { "out", "near", "up/secret", "maps/loop/real", "broken", "self" };
	for (size_t i = 0; i < COUNT(closed); i++) expect(p, closed[i], NULL);
	names all = { "" };
	bspscene_files_list(p->files, "", "", add_name, &all);
	assert_string_equal(all.text, "real in ");
}

/* A named pipe would wait for its writer, so it must not even be opened. */
static void what_is_no_regular_file_is_not_there(void **state)
{
	place *p = *state;
	bspscene_error error;
	make_folder(p, "game");
	if (mkfifo(at(p, "game/pipe"), 0666) || mkfifo(at(p, "game/pak0.pak"), 0666)) bspt_die("create", "pipe");
	assert_true(bspscene_files_mount_game(p->files, at(p, "game"), &error));
	assert_int_equal(error.status, BSPSCENE_OK);
	expect(p, "pipe", NULL);
	assert_false(bspscene_files_mount(p->files, at(p, "game/pipe"), &error));
	assert_non_null(strstr(error.message, "pipe: is not a regular file"));
}

static void a_file_that_is_gone_is_not_found(void **state)
{
	place *p = *state;
	write_text(p, "a", "text");
	mount(p, "");
	expect(p, "a", "text");
	if (unlink(at(p, "a"))) bspt_die("remove", "a");
	expect(p, "a", NULL);
}

static void what_cannot_be_mounted_says_why(void **state)
{
	place *p = *state;
	make_folder(p, "closed");
	write_text(p, "notes.txt", "notes");
	write_text(p, "closed/a", "a");
	if (chmod(at(p, "closed"), 0)) bspt_die("close", "closed");
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
		bool ok = (cases[i].game ? bspscene_files_mount_game : bspscene_files_mount)(p->files, at(p, cases[i].path),
		                                                                             &error);
		if (ok || error.status != cases[i].status || !strstr(error.message, cases[i].words)) {
			fail_msg("%s: %s \"%s\"", cases[i].path, bspscene_status_name(error.status), error.message);
		}
		assert_null(bspscene_files_search_path(p->files, 0));
	}
	if (chmod(at(p, "closed"), 0700)) bspt_die("open", "closed");
}

/* ---- Games ------------------------------------------------------------------------------------------------ */

/* A file of its own, and one that all of them have. */
static bspt_bytes labelled(const char *label, bool zip)
{
	bspt_member members[] = { { .name = label, .text = label }, { .name = "who", .text = label } };
	return zip ? bspt_zip(members, COUNT(members)) : bspt_pak(members, COUNT(members), 56);
}

static void a_game_is_mounted_in_its_engines_order(void **state)
{
	place *p = *state;
	make_folder(p, "game");
	write_archive(p, "game/pak10.pak", labelled("pak10", false));
	write_archive(p, "game/PAK2.PAK", labelled("pak2", false));
	write_archive(p, "game/pak0.pak", labelled("pak0", false));
	write_archive(p, "game/mod.pak", labelled("other", false));
	write_archive(p, "game/zeta.pk3", labelled("zeta", true));
	write_archive(p, "game/Beta.PK4", labelled("beta", true));
	write_archive(p, "game/alpha.pk3", labelled("alpha", true));
	write_archive(p, "game/tf2_misc_dir.vpk", bspt_vpk(&(bspt_member){ .name = "vpk", .text = "vpk" }, 1, 1));
	write_archive(p, "game/ignored.zip", labelled("zeta", true));
	make_folder(p, "game/Gamma.pk3dir");
	write_text(p, "game/Gamma.pk3dir/gamma", "gamma");
	bspscene_error error;
	if (!bspscene_files_mount_game(p->files, at(p, "game"), &error)) fail_msg("%s", error.message);
	assert_int_equal(error.status, BSPSCENE_OK);

	static const char *const places[] = {
		"game", "game/zeta.pk3", "game/Gamma.pk3dir", "game/Beta.PK4", "game/alpha.pk3", "game/mod.pak",
		"game/pak10.pak", "game/PAK2.PAK", "game/pak0.pak", "game/tf2_misc_dir.vpk",
	};
	for (size_t i = 0; i < COUNT(places); i++) {
		assert_string_equal(bspscene_files_search_path(p->files, (uint32_t)i), at(p, places[i]));
	}
	assert_null(bspscene_files_search_path(p->files, COUNT(places)));
	static const char *const labels[] = { "vpk", "pak0", "pak2", "pak10", "other", "alpha", "beta", "gamma", "zeta" };
	for (size_t i = 0; i < COUNT(labels); i++) expect(p, labels[i], labels[i]);
	expect(p, "who", "zeta");
	write_text(p, "game/who", "loose");
	assert_true(bspscene_files_mount_game(p->files, at(p, "game"), NULL));
	expect(p, "who", "loose");
}

/* The engines start without an archive that is damaged, and so do we: but the caller learns of it. */
static void a_broken_archive_does_not_take_the_game_with_it(void **state)
{
	place *p = *state;
	write_text(p, "pak0.pak", "PACK, but that is all");
	write_text(p, "pak1.pk3", "version https://git-lfs.github.com/spec/v1");
	write_archive(p, "pak2.pk3", bspt_zip(&(bspt_member){ .name = "a", .text = "good" }, 1));
	bspscene_error error;
	assert_true(bspscene_files_mount_game(p->files, p->root, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_HEADER);
	assert_non_null(strstr(error.message, "pak0.pak: the pak's directory lies outside of the file"));
	expect(p, "a", "good");
	assert_string_equal(bspscene_files_search_path(p->files, 1), at(p, "pak2.pk3"));
	assert_null(bspscene_files_search_path(p->files, 2));
}

/* Archives of a game are often links to where they are installed; only loose files may not leave the directory. */
static void archives_of_a_game_may_be_links(void **state)
{
	place *p = *state;
	make_folder(p, "game");
	write_archive(p, "installed.pk3", bspt_zip(&(bspt_member){ .name = "a", .text = "good" }, 1));
	if (symlink("../installed.pk3", at(p, "game/pak0.pk3"))) bspt_die("link", "pak0.pk3");
	assert_true(bspscene_files_mount_game(p->files, at(p, "game"), NULL));
	expect(p, "a", "good");
	expect(p, "pak0.pk3", NULL);
}

/* Bloodlines' packs have no magic, only an end that fits. */
static void packs_of_bloodlines(void **state)
{
	place *p = *state;
	static const bspt_member first[] = {
		{ .name = "materials/a.tth", .text = "first" }, { .name = "materials\\B.ttz", .text = "other" },
	};
	static const bspt_member second[] = { { .name = "Materials/A.tth", .text = "second" } };
	make_folder(p, "game");
	write_archive(p, "game/pack000.vpk", bspt_troika(first, COUNT(first)));
	write_archive(p, "game/pack101.vpk", bspt_troika(second, COUNT(second)));
	write_archive(p, "game/pack102.vpk", bspt_troika(NULL, 0));
	write_text(p, "game/package.vpk", "no pack");
	assert_true(bspscene_files_mount_game(p->files, at(p, "game"), NULL));
	expect(p, "materials/a.tth", "second");
	expect(p, "materials/b.ttz", "other");
	assert_non_null(bspscene_files_search_path(p->files, 3));
	assert_null(bspscene_files_search_path(p->files, 4));
	bspscene_error error;
	static const struct { const char *end; size_t size; const char *words; } cases[] = {
		{ "\1\0\0\0\0\0\0\0\0", 9, "neither a directory nor an archive" },
		{ "xxxxxxxxxxxx\1\0\0\0\0\0\0\0\0", 21, "the list of names is broken at entry 0" },
		{ "\0\0\0\0\0\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\0", 21, "neither" },
		{ "xxxxxxxxxxxx\1\0\0\0\xff\0\0\0\0", 21, "neither" },
		{ "xxxxxxxxxxxx\0\0\0\0\xb\0\0\0\0", 21, "neither" },
		{ "xxxxxxxxxxxx\1\0\0\0\0\0\0\0\1", 21, "neither" },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspt_write_file(at(p, "bad.vpk"), cases[i].end, cases[i].size);
		assert_false(bspscene_files_mount(p->files, at(p, "bad.vpk"), &error));
		if (!strstr(error.message, cases[i].words)) fail_msg("%zu: %s", i, error.message);
	}
}

/* ---- Source's games --------------------------------------------------------------------------------------- */

/* Two games in one engine's directory; every directory has a file `who` with its name in it. */
static void make_engine(const place *p)
{
	static const char *const folders[] = {
		"hl2", "tf", "tf/custom", "tf/custom/b_mod", "tf/custom/A_mod", "tf/download", "tf_dlc1", "Platform", "other",
	};
	for (size_t i = 0; i < COUNT(folders); i++) {
		char name[64];
		make_folder(p, folders[i]);
		snprintf(name, sizeof name, "%s/who", folders[i]);
		write_text(p, name, folders[i]);
	}
	write_archive(p, "hl2/hl2_textures_dir.vpk", bspt_vpk(&(bspt_member){ .name = "vpk", .text = "hl2" }, 1, 2));
	write_archive(p, "tf/custom/c.vpk", bspt_vpk(&(bspt_member){ .name = "vpk", .text = "custom" }, 1, 1));
	write_archive(p, "tf/custom/part_001.vpk", bspt_vpk(&(bspt_member){ .name = "vpk", .text = "part" }, 1, 1));
}

/* The places below p->root, best first. */
static void expect_places(const place *p, const char *const *want, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *got = bspscene_files_search_path(p->files, (uint32_t)i);
		if (got && !strcmp(got, at(p, want[i]))) continue;
		fail_msg("place %zu is \"%s\" instead of \"%s\"", i, got ? got : "nothing", want[i]);
	}
	const char *more = bspscene_files_search_path(p->files, (uint32_t)count);
	if (more) fail_msg("and \"%s\"", more);
}

#define PATHS(text) "\"GameInfo\"\n{\n\tgame \"A game\"\n\tFileSystem { SteamAppId 440 SearchPaths {\n" text "\n} } }\n"

static void gameinfo_names_the_places(void **state)
{
	place *p = *state;
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
		/* Without the mark, with it, in any case, with any slash: the same place. */
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
		bspscene_files_free(p->files);
		p->files = bspscene_files_create();
		write_text(p, "tf/GameInfo.txt", cases[i].text);
		if (!bspscene_files_mount_game(p->files, at(p, i % 2 ? "tf" : "tf/"), &error)) fail_msg("%s", error.message);
		assert_int_equal(error.status, BSPSCENE_OK);
		expect_places(p, cases[i].want, count);
	}
}

static void the_first_search_path_wins(void **state)
{
	place *p = *state;
	make_engine(p);
	make_folder(p, "Update");
	write_text(p, "Update/new", "update");
	write_text(p, "tf_dlc1/new", "tf_dlc1");
	write_text(p, "tf/custom/A_mod/new", "A_mod");
	write_text(p, "tf/gameinfo.txt", PATHS("game tf/custom/* game |gameinfo_path|. game hl2"));
	assert_true(bspscene_files_mount_game(p->files, at(p, "tf"), NULL));
	expect(p, "new", "update");
	expect(p, "who", "tf_dlc1");
	expect(p, "vpk", "custom");
}

/* The directory that an engine is installed in stands for its games, the one that they are built on last. */
static void an_engines_directory_has_the_places_of_its_games(void **state)
{
	place *p = *state;
	static const char *const want[] = { "other", "tf_dlc1", "tf", "hl2", "hl2/hl2_textures_dir.vpk" };
	make_engine(p);
	write_text(p, "hl2/gameinfo.txt", PATHS("game hl2"));
	write_text(p, "tf/gameinfo.txt", PATHS("game tf"));
	write_text(p, "other/gameinfo.txt", PATHS("game other"));
	assert_true(bspscene_files_mount_game(p->files, p->root, NULL));
	expect_places(p, want, COUNT(want));
}

static void a_game_in_the_working_directory(void **state)
{
	place *p = *state;
	char before[600];
	bspscene_error error;
	make_engine(p);
	write_text(p, "tf/gameinfo.txt", PATHS("game |gameinfo_path|. game hl2"));
	if (!getcwd(before, sizeof before) || chdir(at(p, "tf"))) bspt_die("enter", "tf");
	bool ok = bspscene_files_mount_game(p->files, ".", &error);
	if (chdir(before)) bspt_die("return to", before);
	if (!ok) fail_msg("%s", error.message);
	assert_string_equal(bspscene_files_search_path(p->files, 0), ".");
	assert_string_equal(bspscene_files_search_path(p->files, 1), "./../hl2");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_place, remove_place)

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
		TEST(gameinfo_names_the_places),
		TEST(the_first_search_path_wins),
		TEST(an_engines_directory_has_the_places_of_its_games),
		TEST(a_game_in_the_working_directory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
