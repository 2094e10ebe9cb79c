/* test_base_games.c - the base games of a mod are found next to it, in the order of its engine, and nothing else is. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <bspscene/source.h>

#include "support/make/build_archive.h"
#include "support/make/build_map.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct disk {
	char root[200];
} disk;

static const char *at(const disk *d, const char *name)
{
	static char paths[8][1024];
	static unsigned turn;
	char *path = paths[turn++ % COUNT(paths)];
	snprintf(path, sizeof paths[0], "%s/%s", d->root, name);
	return path;
}

/* Makes a folder and its parents. */
static void make_folder(const disk *d, const char *name)
{
	char path[1024];
	snprintf(path, sizeof path, "%s", at(d, name));
	for (char *c = path + strlen(d->root) + 1; *c; c++) {
		if (*c != '/') continue;
		*c = 0;
		if (access(path, F_OK)) bspt_make_folder(path);
		*c = '/';
	}
	if (access(path, F_OK)) bspt_make_folder(path);
}

static void write_text(const disk *d, const char *name, const char *text)
{
	char folder[600];
	snprintf(folder, sizeof folder, "%s", name);
	*strrchr(folder, '/') = 0;
	make_folder(d, folder);
	bspt_write_file(at(d, name), text, strlen(text));
}

static void write_map(const disk *d, const char *name, const bspi_family *family, const char *variant)
{
	bspt_bytes map = bspt_build_room(family, bspt_find_variant(family, variant));
	write_text(d, name, "");
	bspt_write_file(at(d, name), map.data, map.size);
	free(map.data);
}

static void write_archive(const disk *d, const char *name)
{
	const bspt_member member = { .name = "in_archive", .text = name };
	bool pak = strstr(name, ".pak") != NULL;
	bspt_bytes archive = pak ? bspt_pak(&member, 1, 56) : bspt_zip(&member, 1);
	write_text(d, name, "");
	bspt_write_file(at(d, name), archive.data, archive.size);
	free(archive.data);
}

/* Makes files from a list separated by spaces. "NAME" is a folder, "NAME.pk3" and "NAME.pak" are archives, "NAME=TEXT"
 * is a file with that text, in which '+' stands for a blank. */
static void fill(const disk *d, const char *files)
{
	char copy[600], *rest = copy;
	snprintf(copy, sizeof copy, "%s", files);
	for (char *name; *rest; ) {
		name = rest;
		rest += strcspn(rest, " ");
		if (*rest) *rest++ = 0;
		char *text = strchr(name, '=');
		if (text) *text++ = 0;
		for (char *c = text; c && *c; c++) *c = (char)(*c == '+' ? ' ' : *c);
		if (text) write_text(d, name, text);
		else if (strstr(name, ".pk3") || strstr(name, ".pak")) write_archive(d, name);
		else make_folder(d, name);
	}
}

/* Lists the search paths in order of priority, relative to the root. Archives are left out. */
static void searched(const bspscene_source *source, const disk *d, char *out, size_t size)
{
	char *real = realpath(d->root, NULL);
	const char *path;
	size_t used = 0;
	out[0] = 0;
	for (uint32_t i = 0; (path = bspscene_file_system_search_path(bspscene_source_file_system(source), i)); i++) {
		size_t inside = real && !strncmp(path, real, strlen(real)) ? strlen(real) : strlen(d->root);
		if (strncmp(path, d->root, strlen(d->root)) != 0 && inside == strlen(d->root)) inside = 0;
		if (strstr(path, ".pk3") || strstr(path, ".pak")) continue;
		used += (size_t)snprintf(out + used, size - used, "%s%s", used ? " " : "", path + inside + (inside > 0));
	}
	free(real);
}

static void open_and_list(const disk *d, const char *path, const char *const *games, uint32_t count, char *out,
                          size_t size)
{
	bspscene_source_options options;
	bspscene_error error;
	bspscene_source_options_init(&options);
	options.games = games;
	options.game_count = count;
	bspscene_source *source = bspscene_source_open(path, &options, &error);
	if (!source) fail_msg("%s", error.message);
	searched(source, d, out, size);
	const char *problem = bspscene_source_problem(source, 0);
	if (problem && strstr(problem, "--game")) snprintf(out + strlen(out), size - strlen(out), " (rivals)");
	bspscene_source_free(source);
}

static int make_disk(void **state)
{
	disk *d = calloc(1, sizeof *d);
	*state = d;
	if (!d) return -1;
	bspt_make_directory(d->root, sizeof d->root);
	return 0;
}

static int remove_disk(void **state)
{
	disk *d = *state;
	bspt_remove_directory(d->root);
	free(d);
	return 0;
}

/* ---- The table --------------------------------------------------------------------------------------------- */

static const struct {
	const bspi_family *family; const char *variant;
	const char *files;                 /* files that are made; the map is mod/maps/m.bsp */
	const char *want;
} rows[] = {
	{ &bspi_family_quake, "quake", "id1", "mod id1" },
	{ &bspi_family_quake, "quake", "ID1 qw", "mod qw ID1" },
	{ &bspi_family_quake, "quake", "valve baseq2 id1", "mod id1" },
	{ &bspi_family_quake, "quake", "Data/pak0.pk3", "mod Data" },
	{ &bspi_family_quake, "quake", "data/notes.txt=word", "mod" },
	{ &bspi_family_quake, "hexen2", "id1 data1/pak0.pak portals/pak3.pak", "mod portals data1" },
	{ &bspi_family_quake2, "quake2", "baseq2 data1", "mod baseq2" },
	{ &bspi_family_quake2, "kingpin", "main/pak0.pak baseq2", "mod main" },
	{ &bspi_family_quake2, "heretic2", "base/htic2-0.pak", "mod base" },
	{ &bspi_family_quake2, "sin", "base/pak0.pak", "mod base" },
	{ &bspi_family_quake3, "quake3", "baseq3 missionpack id1", "mod baseq3" },
	{ &bspi_family_quake3, "quake3", "baseEF", "mod baseEF" },
	{ &bspi_family_quake3, "quake3", "baseoa etmain", "mod baseoa" },
	{ &bspi_family_quake3, "quake3", "baseoa baseq3", "mod (rivals)" },
	{ &bspi_family_quake3, "quake3", "data/data.pk3", "mod data" },
	{ &bspi_family_quake3, "raven", "base/assets0.pk3 baseq3", "mod base" },
	{ &bspi_family_quake3, "rtcw", "main/pak0.pk3", "mod main" },
	{ &bspi_family_quake3, "rtcw", "etmain", "mod etmain" },
	{ &bspi_family_uebertools, "mohaa-beta", "main/Pak0.pk3", "mod main" },
	{ &bspi_family_uebertools, "fakk2", "fakk", "mod fakk" },
	{ &bspi_family_ufoai, "ufoai", "base/0maps.pk3", "mod base" },
	{ &bspi_family_callofduty, "callofduty", "main/pak0.pk3", "mod main" },
	{ &bspi_family_goldsrc, "goldsrc", "valve id1", "mod valve" },
	{ &bspi_family_goldsrc, "goldsrc", "Valve mod_downloads valve_downloads",
	  "mod Valve mod_downloads valve_downloads" },
	{ &bspi_family_goldsrc, "goldsrc", "valve cs mod/liblist.gam=fallback_dir+\"cs\"", "mod cs valve" },
	{ &bspi_family_goldsrc, "goldsrc", "valve a/liblist.gam=fallback_dir+\"b\" b/gameinfo.txt=basedir+\"c\" c "
	  "mod/gameinfo.txt=fallback_dir+\"a\"", "mod a b c valve" },
	{ &bspi_family_goldsrc, "goldsrc", "valve mod/liblist.gam=fallback_dir+\"mod\"", "mod valve" },
	{ &bspi_family_goldsrc, "goldsrc", "valve cs mod/LibList.gam=fallback_dir+\"cs\"", "mod cs valve" },
	{ &bspi_family_goldsrc, "goldsrc", "valve a/liblist.gam=fallback_dir+\"mod\" mod/liblist.gam=fallback_dir+\"a\"",
	  "mod a valve" },
};

static void bases_come_after_the_mod(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		void *each = NULL;
		char found[900];
		make_disk(&each);
		const disk *d = each;
		write_map(d, "mod/maps/m.bsp", rows[i].family, rows[i].variant);
		fill(d, rows[i].files);
		open_and_list(d, at(d, "mod/maps/m.bsp"), NULL, 0, found, sizeof found);
		if (strcmp(found, rows[i].want) != 0) fail_msg("%s: \"%s\", not \"%s\"", rows[i].files, found, rows[i].want);
		remove_disk(&each);
	}
}

/* A base game has no base game itself. A folder of downloads for a game (NAME_downloads) has that game as its base. */
static void games_know_their_place(void **state)
{
	const disk *d = *state;
	char found[900];
	static const struct { const char *map, *want; } cases[] = {
		{ "id1/maps/m.bsp", "id1" },
		{ "portals/maps/m.bsp", "portals data1" },
		{ "valve/maps/m.bsp", "valve" },
		{ "cstrike_downloads/maps/m.bsp", "cstrike_downloads cstrike valve" },
	};
	fill(d, "id1 valve/halflife.wad= cstrike data1/pak0.pak portals");
	write_map(d, "id1/maps/m.bsp", &bspi_family_quake, "quake");
	write_map(d, "portals/maps/m.bsp", &bspi_family_quake, "hexen2");
	write_map(d, "valve/maps/m.bsp", &bspi_family_goldsrc, "goldsrc");
	write_map(d, "cstrike_downloads/maps/m.bsp", &bspi_family_goldsrc, "goldsrc");
	for (size_t i = 0; i < COUNT(cases); i++) {
		open_and_list(d, at(d, cases[i].map), NULL, 0, found, sizeof found);
		assert_string_equal(found, cases[i].want);
	}
	open_and_list(d, at(d, "cstrike"), NULL, 0, found, sizeof found);
	assert_string_equal(found, "cstrike (rivals)");
	write_map(d, "cstrike/maps/m.bsp", &bspi_family_goldsrc, "goldsrc");
	open_and_list(d, at(d, "cstrike"), NULL, 0, found, sizeof found);
	assert_string_equal(found, "cstrike valve cstrike_downloads");
}

/* --game adds each path once, and a base game that is named explicitly keeps its position. */
static void named_games_have_bases(void **state)
{
	const disk *d = *state;
	char found[900];
	fill(d, "oa/baseoa/pak0.pk3 oa/hires/pak0.pk3 hl/valve/liblist.gam=game hl/cstrike/liblist.gam=game downloads");
	write_map(d, "downloads/m.bsp", &bspi_family_quake3, "quake3");
	write_map(d, "downloads/g.bsp", &bspi_family_goldsrc, "goldsrc");
	const char *root[] = { at(d, "oa") }, *hires[] = { at(d, "oa/hires") }, *hl[] = { at(d, "hl") };
	open_and_list(d, at(d, "downloads/m.bsp"), root, 1, found, sizeof found);
	assert_string_equal(found, "oa/baseoa oa");
	open_and_list(d, at(d, "downloads/m.bsp"), hires, 1, found, sizeof found);
	assert_string_equal(found, "oa/hires oa/baseoa");
	open_and_list(d, at(d, "downloads/g.bsp"), hl, 1, found, sizeof found);
	assert_string_equal(found, "hl/valve hl");
	const char *both[] = { at(d, "oa/baseoa"), at(d, "oa/hires") };
	open_and_list(d, at(d, "downloads/m.bsp"), both, 2, found, sizeof found);
	assert_string_equal(found, "oa/hires oa/baseoa");
}

/* The folder of the game may be above that of the map by several levels. Once, all 55 textures of the map bliink were
 * missing. */
static void the_game_above_is_found(void **state)
{
	const disk *d = *state;
	char found[900];
	static const struct { const char *map, *want; } cases[] = {
		{ "source/mod/mapsrc/m.bsp", "source/mod source/hl2" },
		{ "source/mod/mapsrc/old/deep/m.bsp", "source/mod source/hl2" },
		{ "source/mod/custom/mine/maps/m.bsp", "source/mod/custom/mine source/mod source/hl2" },
		{ "source/mod/maps/m.bsp", "source/mod source/hl2" },
	};
	fill(d, "source/hl2 source/mod/gameinfo.txt=");
	write_text(d, "source/mod/gameinfo.txt",
	           "GameInfo { FileSystem { SearchPaths { game |gameinfo_path|. game hl2 } } }");
	for (size_t i = 0; i < COUNT(cases); i++) {
		write_map(d, cases[i].map, &bspi_family_vbsp, "source20");
		open_and_list(d, at(d, cases[i].map), NULL, 0, found, sizeof found);
		assert_string_equal(found, cases[i].want);
	}
	write_text(d, "bliink/GameInfo.txt", "GameInfo { FileSystem { SearchPaths { game |gameinfo_path|. } } }");
	write_map(d, "bliink/mapsrc/m.bsp", &bspi_family_vbsp, "source20");
	open_and_list(d, at(d, "bliink/mapsrc/m.bsp"), NULL, 0, found, sizeof found);
	assert_string_equal(found, "bliink");
	fill(d, "hl/valve hl/mod/LIBLIST.GAM=game");
	write_map(d, "hl/mod/mapsrc/m.bsp", &bspi_family_goldsrc, "goldsrc");
	open_and_list(d, at(d, "hl/mod/mapsrc/m.bsp"), NULL, 0, found, sizeof found);
	assert_string_equal(found, "hl/mod hl/valve");
}

/* ---- Security ---------------------------------------------------------------------------------------------- */

/* The text files of a mod are not trusted. They can only name folders next to the mod, which are then mounted. */
static void texts_lead_nowhere_outside(void **state)
{
	const disk *d = *state;
	char found[900], text[900], *real = realpath(d->root, NULL);
	assert_non_null(real);
	fill(d, "secret/file=x hl/valve hl/mod hl/mod/inner");
	write_map(d, "hl/mod/maps/m.bsp", &bspi_family_goldsrc, "goldsrc");
	snprintf(text, sizeof text, "%s/secret", real);
	const char *const names[] = {
		"../secret", "..", ".", "../../secret", "..\\secret", "/", "C:\\", "secret", "mod/../../secret", "inner",
		"mod/inner", text, "file:..", "valve/../../secret", "con", "~", "%2e%2e/secret", "\"", "valve/."
	};
	const char *const files[] = { "hl/mod/liblist.gam", "hl/mod/gameinfo.txt" };
	for (size_t i = 0; i < COUNT(names); i++) {
		for (size_t k = 0; k < COUNT(files); k++) {
			char content[1200];
			snprintf(content, sizeof content, "fallback_dir \"%s\"\nbasedir \"%s\"\n", names[i], names[i]);
			write_text(d, files[k], content);
			open_and_list(d, at(d, "hl/mod/maps/m.bsp"), NULL, 0, found, sizeof found);
			if (strcmp(found, "hl/mod hl/valve") != 0) fail_msg("%s: %s", names[i], found);
			write_text(d, files[k], "");
		}
	}
	free(real);
}

/* The search paths of Source can only name folders below the one that contains the game's folder. No such path mounts a
 * folder outside, neither directly nor by a link. */
static void search_paths_lead_nowhere_outside(void **state)
{
	const disk *d = *state;
	char found[900], text[1200], *real = realpath(d->root, NULL);
	assert_non_null(real);
	fill(d, "secret/materials/x.vmt=x steam/hl2 steam/mod/inner");
	write_map(d, "steam/mod/maps/m.bsp", &bspi_family_vbsp, "source20");
	write_map(d, "steam/mod/mapsrc/m.bsp", &bspi_family_vbsp, "source20");
	if (symlink("../../secret", at(d, "steam/mod/link")) || symlink("../secret", at(d, "steam/linked"))) {
		bspt_die("link", "search paths");
	}
	const char *const paths[] = {
		"|gameinfo_path|../../secret", "|gameinfo_path|..\\..\\secret", "|all_source_engine_paths|../secret",
		"../secret", "..",
		"|gameinfo_path|..", "|all_source_engine_paths|..", "|all_source_engine_paths|.", "hl2/../../secret", "/",
		"C:\\", "|gameinfo_path|link", "|gameinfo_path|link/materials", "linked", "linked/*", "|gameinfo_path|l*",
		"|gameinfo_path|/etc", "file:..", "~", "%2e%2e/secret", "|gameinfo_path|./../../secret", real,
	};
	for (size_t i = 0; i < COUNT(paths); i++) {
		snprintf(text, sizeof text,
		         "GameInfo { FileSystem { SearchPaths { game |gameinfo_path|. game \"%s\" game hl2 } } }", paths[i]);
		write_text(d, "steam/mod/gameinfo.txt", text);
		open_and_list(d, at(d, "steam/mod/maps/m.bsp"), NULL, 0, found, sizeof found);
		if (strcmp(found, "steam/mod steam/hl2") != 0) fail_msg("%s: %s", paths[i], found);
		open_and_list(d, at(d, "steam/mod/mapsrc/m.bsp"), NULL, 0, found, sizeof found);
		if (strcmp(found, "steam/mod steam/hl2") != 0) fail_msg("above, %s: %s", paths[i], found);
	}
	free(real);
}

/* Links inside of a game's installation are followed only if they lead to a place inside of it. This holds for folders
 * and for files that describe a game. */
static void links_lead_nowhere_outside(void **state)
{
	const disk *d = *state;
	char found[900];
	fill(d, "secret/halflife.wad=x secret/liblist.gam=fallback_dir+\"other\" hl/mod hl/other hl/real q/mod q/real");
	write_map(d, "hl/mod/maps/m.bsp", &bspi_family_goldsrc, "goldsrc");
	write_map(d, "q/mod/maps/m.bsp", &bspi_family_quake, "quake");
	if (symlink("../secret", at(d, "hl/valve")) || symlink("../../secret/liblist.gam", at(d, "hl/mod/liblist.gam")) ||
	    symlink("real", at(d, "q/id1"))) {
		bspt_die("link", "base games");
	}
	open_and_list(d, at(d, "hl/mod/maps/m.bsp"), NULL, 0, found, sizeof found);
	assert_string_equal(found, "hl/mod");
	open_and_list(d, at(d, "q/mod/maps/m.bsp"), NULL, 0, found, sizeof found);
	assert_string_equal(found, "q/mod q/real");
}

/* The search for gameinfo.txt in the folders above a map ends below the user's home directory. It is not done for maps
 * of games that have no such file. */
static void the_search_above_ends(void **state)
{
	const disk *d = *state;
	char found[900];
	write_text(d, "home/gameinfo.txt", "GameInfo { }");
	write_map(d, "home/downloads/m.bsp", &bspi_family_vbsp, "source20");
	write_map(d, "mod/src/m.bsp", &bspi_family_quake3, "quake3");
	write_text(d, "mod/gameinfo.txt", "GameInfo { }");
	if (setenv("HOME", at(d, "home"), 1)) bspt_die("setenv", "HOME");
	open_and_list(d, at(d, "home/downloads/m.bsp"), NULL, 0, found, sizeof found);
	assert_string_equal(found, "");
	open_and_list(d, at(d, "mod/src/m.bsp"), NULL, 0, found, sizeof found);
	assert_string_equal(found, "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_disk, remove_disk)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bases_come_after_the_mod),
		TEST(games_know_their_place),
		TEST(named_games_have_bases),
		TEST(the_game_above_is_found),
		TEST(texts_lead_nowhere_outside),
		TEST(search_paths_lead_nowhere_outside),
		TEST(links_lead_nowhere_outside),
		TEST(the_search_above_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
