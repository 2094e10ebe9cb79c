/* test_place.c - bspscene_source_open for every kind of path: the kind, the maps and their names, the game and archives
 * that belong to it, which of equal names wins, and clear errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/source.h>

#include "support/make/build_archive.h"
#include "support/make/build_map.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- A disk for each test ---------------------------------------------------------------------------------- */

typedef struct disk {
	char root[200];
	bspt_bytes map;                    /* bytes of a small map of Quake III */
} disk;

static const char *at(const disk *d, const char *name)
{
	static char paths[4][600];
	static unsigned turn;
	char *path = paths[turn++ % 4];
	snprintf(path, sizeof paths[0], "%s/%s", d->root, name);
	return path;
}

static void write_bytes(const disk *d, const char *name, bspt_bytes bytes)
{
	bspt_write_file(at(d, name), bytes.data, bytes.size);
}

static void make_folder(const disk *d, const char *name)
{
	bspt_make_folder(at(d, name));
}

/* Makes an archive that contains the map under each of these names. It also contains a file "who" with the archive's
 * own path as its text. */
static void write_archive(const disk *d, const char *path, bool pak, const char *const *maps, size_t count)
{
	bspt_member members[8] = { { .name = "who", .text = path } };
	for (size_t i = 0; i < count; i++) members[i + 1] = (bspt_member){ .name = maps[i], .packed = d->map };
	bspt_bytes archive = pak ? bspt_pak(members, count + 1, 56) : bspt_zip(members, count + 1);
	write_bytes(d, path, archive);
	free(archive.data);
}

static void fill(const disk *d)
{
	static const char *const one[] = { "maps/dm1.bsp" };
	static const char *const many[] = { "maps/B.bsp", "maps/a.bsp", "maps/sub/deep.bsp", "a.bsp", "Maps/c.BSP" };
	static const char *const folders[] = {
		"game", "game/maps", "game/Maps2", "game/maps/sub", "downloads", "source", "source/tf", "plain", "empty",
		"upper", "upper/MAPS", "installed", "installed/baseoa", "installed/amod", "two", "two/a", "two/b", "one",
		"one/only"
	};
	for (size_t i = 0; i < COUNT(folders); i++) make_folder(d, folders[i]);
	write_bytes(d, "game/maps/loose.bsp", d->map);
	write_bytes(d, "game/maps/sub/inner.bsp", d->map);
	write_bytes(d, "upper/MAPS/x.BSP", d->map);
	write_bytes(d, "plain/alone.bsp", d->map);
	write_archive(d, "game/pak0.pk3", false, many, COUNT(many));
	write_archive(d, "game/pak1.pk3", false, one, COUNT(one));
	write_archive(d, "downloads/dm1.pk3", false, one, COUNT(one));
	write_archive(d, "downloads/other.zip", false, one, COUNT(one));
	write_archive(d, "source/tf/tf.pak", true, one, COUNT(one));
	write_archive(d, "installed/baseoa/pak0.pk3", false, many, 2);
	write_archive(d, "installed/amod/pak0.pk3", false, one, COUNT(one));
	write_archive(d, "two/a/pak0.pk3", false, one, COUNT(one));
	write_archive(d, "two/b/pak0.pk3", false, one, COUNT(one));
	write_archive(d, "one/only/pak0.pk3", false, one, COUNT(one));
	bspt_write_file(at(d, "source/tf/gameinfo.txt"), "GameInfo { }", 12);
	bspt_write_file(at(d, "plain/notes.txt"), "notes", 5);
}

static int make_disk(void **state)
{
	disk *d = calloc(1, sizeof *d);
	*state = d;
	if (!d) return -1;
	bspt_make_directory(d->root, sizeof d->root);
	d->map = bspt_build_room(&bspi_family_quake3, bspt_find_variant(&bspi_family_quake3, "quake3"));
	fill(d);
	return 0;
}

static int remove_disk(void **state)
{
	disk *d = *state;
	bspt_remove_directory(d->root);
	free(d->map.data);
	free(d);
	return 0;
}

static bspscene_source *open_place(const char *path, const bspscene_source_options *options)
{
	bspscene_error error;
	bspscene_source *place = bspscene_source_open(path, options, &error);
	if (!place) fail_msg("%s", error.message);
	assert_int_equal(error.status, BSPSCENE_OK);
	assert_null(bspscene_source_problem(place, 0));
	return place;
}

/* ---- Kinds of sources, and their search paths -------------------------------------------------------------- */

static void names_of(const bspscene_source *place, char *out, size_t size)
{
	size_t used = 0;
	out[0] = 0;
	for (uint32_t i = 0; i < bspscene_source_map_count(place); i++) {
		used += (size_t)snprintf(out + used, size - used, "%s%s", i ? " " : "", bspscene_source_map_name(place, i));
	}
}

/* Gets the text of the file "who" of the source. This is the path of the archive that has the highest priority. */
static void who_of(const bspscene_source *place, char *out, size_t size)
{
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	size_t got = 0;
	if (bspscene_file_system_open(bspscene_source_file_system(place), &stream, "who", BSPSCENE_FILE_OTHER)) {
		got = stream.read(stream.user, out, size - 1);
		stream.close(stream.user);
	}
	out[got < size ? got : 0] = 0;
}

/* The same game, maps and other files are found whichever path of the game is given. Once, three hosts did this
 * separately and with different results. */
static void places_are_what_they_are(void **state)
{
	const disk *d = *state;
	static const char all[] = "a.bsp a B c dm1 loose sub/deep sub/inner";
	static const struct {
		const char *path;
		bspscene_source_kind kind;
		const char *names, *game, *who;
	} cases[] = {
		{ "game/maps/loose.bsp", BSPSCENE_SOURCE_MAP, "loose", "game", "game/pak1.pk3" },
		{ "game/maps/sub/inner.bsp", BSPSCENE_SOURCE_MAP, "inner", "game", "game/pak1.pk3" },
		{ "game/Maps2/../maps/loose.bsp", BSPSCENE_SOURCE_MAP, "loose", "game", "game/pak1.pk3" },
		{ "upper/MAPS/x.BSP", BSPSCENE_SOURCE_MAP, "x", "upper", "" },
		{ "plain/alone.bsp", BSPSCENE_SOURCE_MAP, "alone", NULL, "" },
		{ "game/pak1.pk3", BSPSCENE_SOURCE_ARCHIVE, "dm1", "game", "game/pak1.pk3" },
		{ "game/pak0.pk3", BSPSCENE_SOURCE_ARCHIVE, "a.bsp a B c sub/deep", "game", "game/pak0.pk3" },
		{ "downloads/dm1.pk3", BSPSCENE_SOURCE_ARCHIVE, "dm1", NULL, "downloads/dm1.pk3" },
		{ "downloads/other.zip", BSPSCENE_SOURCE_ARCHIVE, "dm1", "downloads", "downloads/other.zip" },
		{ "source/tf/tf.pak", BSPSCENE_SOURCE_ARCHIVE, "dm1", "source/tf", "source/tf/tf.pak" },
		{ "game", BSPSCENE_SOURCE_GAME, all, "game", "game/pak1.pk3" },
		{ "game/", BSPSCENE_SOURCE_GAME, all, "game/", "game/pak1.pk3" },
		{ "empty", BSPSCENE_SOURCE_GAME, "", "empty", "" },
		{ "installed", BSPSCENE_SOURCE_GAME, "a B", "installed/baseoa", "installed/baseoa/pak0.pk3" },
		{ "one", BSPSCENE_SOURCE_GAME, "dm1", "one/only", "one/only/pak0.pk3" },
		{ "two", BSPSCENE_SOURCE_GAME, "", "two", "" },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		char names[300], who[100];
		bspscene_source *place = open_place(at(d, cases[i].path), NULL);
		const char *game = bspscene_source_game(place);
		names_of(place, names, sizeof names);
		who_of(place, who, sizeof who);
		assert_int_equal(bspscene_source_kind_of(place), cases[i].kind);
		if (strcmp(names, cases[i].names)) fail_msg("%s: \"%s\"", cases[i].path, names);
		if (strcmp(who, cases[i].who)) fail_msg("%s: who is \"%s\"", cases[i].path, who);
		if (!cases[i].game != !game) fail_msg("%s: game %s", cases[i].path, game ? game : "none");
		if (game) assert_string_equal(game, at(d, cases[i].game));
		bspscene_source_free(place);
	}
}

/* Each archive is mounted once. Once, an archive of a game was mounted twice: by itself and with its game. */
static void each_search_path_is_there_once(void **state)
{
	const disk *d = *state;
	bspscene_source *place = open_place(at(d, "game/pak0.pk3"), NULL);
	static const char *const want[] = { "game/pak0.pk3", "game", "game/pak1.pk3" };
	for (uint32_t i = 0; i < COUNT(want); i++) {
		assert_string_equal(bspscene_file_system_search_path(bspscene_source_file_system(place), i), at(d, want[i]));
	}
	assert_null(bspscene_file_system_search_path(bspscene_source_file_system(place), COUNT(want)));
	bspscene_source_free(place);
}

/* `--game` may name the map's own game, or one game under two names. Once, warnings about it came twice. */
static void a_game_by_two_names_is_searched_once(void **state)
{
	const disk *d = *state;
	char plain[600], slash[600], round_about[600];
	snprintf(plain, sizeof plain, "%s", at(d, "game"));
	snprintf(slash, sizeof slash, "%s", at(d, "game/"));
	snprintf(round_about, sizeof round_about, "%s", at(d, "game/../game"));
	const char *const games[] = { plain, slash, round_about };
	static const struct { const char *path; bool alone; const char *want[4]; } cases[] = {
		{ "plain/alone.bsp", false, { "game/../game", "game/../game/pak1.pk3", "game/../game/pak0.pk3" } },
		{ "game/maps/loose.bsp", false, { "game", "game/pak1.pk3", "game/pak0.pk3" } },
		{ "game", false, { "game", "game/pak1.pk3", "game/pak0.pk3" } },
		{ "game/pak0.pk3", true,
		  { "game/pak0.pk3", "game/../game", "game/../game/pak1.pk3", "game/../game/pak0.pk3" } },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspscene_source_options options;
		bspscene_source_options_init(&options);
		options.games = games;
		options.game_count = COUNT(games);
		options.isolated = cases[i].alone;
		bspscene_source *place = open_place(at(d, cases[i].path), &options);
		const char *path;
		for (uint32_t k = 0; (path = bspscene_file_system_search_path(bspscene_source_file_system(place), k)) != NULL;
		     k++) {
			if (k >= 4 || !cases[i].want[k]) fail_msg("%s: %s too", cases[i].path, path);
			assert_string_equal(path, at(d, cases[i].want[k]));
		}
		bspscene_source_free(place);
	}
}

static void options_say_what_else_is_searched(void **state)
{
	const disk *d = *state;
	char game[600], archive[600], who[100];
	snprintf(game, sizeof game, "%s", at(d, "game"));
	snprintf(archive, sizeof archive, "%s", at(d, "downloads/dm1.pk3"));
	const char *const games[] = { game, archive };
	static const struct { const char *path; bool alone; uint32_t games; const char *who; } cases[] = {
		{ "plain/alone.bsp", false, 0, "" },
		{ "plain/alone.bsp", false, 1, "game/pak1.pk3" },
		{ "plain/alone.bsp", true, 2, "downloads/dm1.pk3" },
		{ "source/tf/tf.pak", false, 2, "source/tf/tf.pak" },
		{ "game/maps/loose.bsp", true, 0, "" },
		{ "game/maps/loose.bsp", false, 2, "game/pak1.pk3" },
		{ "game", true, 2, "game/pak1.pk3" },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspscene_source_options options;
		bspscene_source_options_init(&options);
		options.games = games;
		options.game_count = cases[i].games;
		options.isolated = cases[i].alone;
		bspscene_source *place = open_place(at(d, cases[i].path), &options);
		who_of(place, who, sizeof who);
		assert_string_equal(who, cases[i].who);
		bspscene_source_free(place);
	}
	/* Maps of further games are not listed. */
	bspscene_source_options options;
	bspscene_source_options_init(&options);
	options.games = games;
	options.game_count = 2;
	bspscene_source *place = open_place(at(d, "empty"), &options);
	assert_int_equal(bspscene_source_map_count(place), 0);
	bspscene_source_free(place);
}

/* ---- Which map is meant ------------------------------------------------------------------------------------ */

static void names_mean_maps(void **state)
{
	const disk *d = *state;
	static const struct { const char *path, *name, *want; bspscene_status status; } cases[] = {
		{ "game", "loose", "maps/loose.bsp", BSPSCENE_OK },
		{ "game", "LOOSE.bsp", "maps/loose.bsp", BSPSCENE_OK },
		{ "game", "maps/loose", "maps/loose.bsp", BSPSCENE_OK },
		{ "game", "maps\\loose.bsp", "maps/loose.bsp", BSPSCENE_OK },
		{ "game", "sub/deep", "maps/sub/deep.bsp", BSPSCENE_OK },
		{ "game", "deep", "maps/sub/deep.bsp", BSPSCENE_OK },
		{ "game", "c", "Maps/c.BSP", BSPSCENE_OK },
		{ "game", "a", "maps/a.bsp", BSPSCENE_OK },
		{ "game", "a.bsp", "a.bsp", BSPSCENE_OK },
		{ "game", "maps/a.bsp", "maps/a.bsp", BSPSCENE_OK },
		{ "game", "nothere", "has no map \"nothere\" in it; it has a.bsp, a, B, c, dm1, loose, sub/deep, sub/inner",
		  BSPSCENE_ERROR_NOT_FOUND },
		{ "game", NULL, "has 8 maps, choose one: a.bsp, a, B", BSPSCENE_ERROR_BAD_OPTIONS },
		{ "game", "", "has 8 maps, choose one: a.bsp, a, B", BSPSCENE_ERROR_BAD_OPTIONS },
		{ "game/pak1.pk3", NULL, "maps/dm1.bsp", BSPSCENE_OK },
		{ "empty", NULL, "has no maps (*.bsp)", BSPSCENE_ERROR_NOT_FOUND },
		{ "empty", "x", "has no maps (*.bsp)", BSPSCENE_ERROR_NOT_FOUND },
		{ "plain/alone.bsp", NULL, "plain/alone.bsp", BSPSCENE_OK },
		{ "plain/alone.bsp", "ALONE.bsp", "plain/alone.bsp", BSPSCENE_OK },
		{ "plain/alone.bsp", "other", "is a single map, whose name is not \"other\"", BSPSCENE_ERROR_BAD_OPTIONS },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspscene_error error;
		bspscene_source *place = open_place(at(d, cases[i].path), NULL);
		uint32_t map = bspscene_source_find_map(place, cases[i].name, &error);
		const char *got = map == BSPSCENE_NO_INDEX ? error.message : bspscene_source_map_path(place, map);
		if (error.status != cases[i].status || !strstr(got, cases[i].want)) {
			fail_msg("%s, %s: \"%s\"", cases[i].path, cases[i].name ? cases[i].name : "NULL", got);
		}
		assert_int_equal(bspscene_source_find_map(place, cases[i].name, NULL), map);
		bspscene_source_free(place);
	}
}

static void every_map_can_be_loaded(void **state)
{
	const disk *d = *state;
	static const char *const paths[] = { "game", "game/pak0.pk3", "plain/alone.bsp", "source/tf/tf.pak" };
	for (size_t i = 0; i < COUNT(paths); i++) {
		bspscene_source *place = open_place(at(d, paths[i]), NULL);
		for (uint32_t k = 0; k < bspscene_source_map_count(place); k++) {
			bspscene_error error;
			bspscene_stream stream;
			bspscene_stream_init(&stream);
			if (!bspscene_source_open_map(place, k, &stream, &error)) fail_msg("%s", error.message);
			assert_int_equal(stream.size, d->map.size);
			if (stream.close) stream.close(stream.user);
			bspscene_scene *scene = bspscene_source_load(place, k, NULL, &error);
			if (!scene) fail_msg("%s", error.message);
			bspscene_scene_free(scene);
		}
		bspscene_source_free(place);
	}
}

/* ---- A host's own file system ------------------------------------------------------------------------------ */

/* Compares two paths. On systems where a backslash is a separator, too, the library returns paths with slashes. */
static void assert_path(const char *path, const char *given)
{
	char expected[64];
	size_t size = strlen(given);
	assert_true(size < sizeof expected);
	memcpy(expected, given, size + 1);
#ifdef _WIN32
	for (char *at = expected; (at = strchr(at, '\\'));) *at = '/';
#endif
	assert_string_equal(path, expected);
}

static void bytes_of_a_host_are_a_place(void **state)
{
	const disk *d = *state;
	bspt_member member = { .name = "maps/inside.bsp", .packed = d->map };
	bspt_bytes zip = bspt_zip(&member, 1);
	const struct { const char *path; bspt_bytes bytes; bspscene_source_kind kind; const char *name, *game; } cases[] = {
		{ "maps/x.bsp", d->map, BSPSCENE_SOURCE_MAP, "x", "" },
		{ "games/q3/maps/x.bsp.fbx", d->map, BSPSCENE_SOURCE_MAP, "x", "games/q3" },
		{ "c:\\q3\\Maps\\sub\\x.bsp", d->map, BSPSCENE_SOURCE_MAP, "x", "c:\\q3" },
		{ "/maps/x.bsp", d->map, BSPSCENE_SOURCE_MAP, "x", "/" },
		{ "x.bsp", d->map, BSPSCENE_SOURCE_MAP, "x", NULL },
		{ "mymaps/x.bsp", d->map, BSPSCENE_SOURCE_MAP, "x", NULL },
		{ "q3/pak.pk3", zip, BSPSCENE_SOURCE_ARCHIVE, "inside", NULL },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspscene_source_options options;
		bspscene_source_options_init(&options);
		options.data = cases[i].bytes.data;
		options.size = cases[i].bytes.size;
		bspscene_source *place = open_place(cases[i].path, &options);
		const char *game = bspscene_source_game(place);
		assert_int_equal(bspscene_source_kind_of(place), cases[i].kind);
		assert_string_equal(bspscene_source_map_name(place, 0), cases[i].name);
		if (!cases[i].game != !game) fail_msg("%s: game %s", cases[i].path, game ? game : "none");
		if (game) assert_path(game, cases[i].game);
		bspscene_error error;
		bspscene_scene *scene = bspscene_source_load(place, 0, NULL, &error);
		if (!scene) fail_msg("%s", error.message);
		assert_string_equal(scene->name, cases[i].name);
		bspscene_scene_free(scene);
		bspscene_source_free(place);
	}
	free(zip.data);
}

/* ---- Errors and damaged archives --------------------------------------------------------------------------- */

static void what_is_no_place_says_what_it_is(void **state)
{
	const disk *d = *state;
	bspt_write_file(at(d, "plain/two"), "\n\n", 2);
	bspt_write_file(at(d, "plain/broken.pk3"), "PK\3\4 broken", 11);
	bspt_write_file(at(d, "plain/sin.bsp"), "IBSP\x29\0\0\0", 8);
	bspt_write_file(at(d, "plain/nothing.bsp"), "", 0);
	static const struct { const char *path; bspscene_status status; const char *words; } cases[] = {
		{ "nowhere.bsp", BSPSCENE_ERROR_NOT_FOUND, "nowhere.bsp: no such file" },
		{ "plain/notes.txt", BSPSCENE_ERROR_UNKNOWN_FORMAT, "not a map but text beginning with \"notes\"" },
		{ "plain/two", BSPSCENE_ERROR_UNKNOWN_FORMAT, "not a map but a text without letters" },
		{ "plain/nothing.bsp", BSPSCENE_ERROR_UNKNOWN_FORMAT, "not a map but an empty file" },
		{ "plain/broken.pk3", BSPSCENE_ERROR_BAD_HEADER, "the zip archive cannot be read" },
		{ "plain/sin.bsp", BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "SiN" },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		bspscene_error error;
		if (bspscene_source_open(at(d, cases[i].path), NULL, &error)) fail_msg("%s: opened", cases[i].path);
		if (error.status != cases[i].status || !strstr(error.message, cases[i].words)) {
			fail_msg("%s: %s \"%s\"", cases[i].path, bspscene_status_name(error.status), error.message);
		}
		assert_null(bspscene_source_open(at(d, cases[i].path), NULL, NULL));
	}
	bspscene_source_options options;
	const char *const games[] = { "/nowhere/at/all" };
	bspscene_error error;
	bspscene_source_options_init(&options);
	options.games = games;
	options.game_count = 1;
	assert_null(bspscene_source_open(at(d, "plain/alone.bsp"), &options, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_NOT_FOUND);
	options.skip_bad_games = true;
	bspscene_source *place = bspscene_source_open(at(d, "plain/alone.bsp"), &options, &error);
	assert_non_null(place);
	assert_non_null(strstr(bspscene_source_problem(place, 0), "/nowhere/at/all: no such file"));
	bspscene_source_free(place);
	options.struct_size = 3;
	assert_null(bspscene_source_open(at(d, "plain/alone.bsp"), &options, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
}

/* A damaged archive next to the opened one gives a warning, and the source opens without it. */
static void damaged_neighbors_are_left_out(void **state)
{
	const disk *d = *state;
	static const char *const paths[] = { "game", "game/pak1.pk3", "game/maps/loose.bsp" };
	bspt_write_file(at(d, "game/pak9.pk3"), "PK\3\4 broken", 11);
	for (size_t i = 0; i < COUNT(paths); i++) {
		bspscene_error error;
		bspscene_source *place = bspscene_source_open(at(d, paths[i]), NULL, &error);
		if (!place) fail_msg("%s", error.message);
		assert_non_null(bspscene_source_problem(place, 0));
		assert_non_null(strstr(bspscene_source_problem(place, 0), "pak9.pk3: the zip archive cannot be read"));
		assert_null(bspscene_source_problem(place, 1));
		bspscene_source_free(place);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_disk, remove_disk)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(places_are_what_they_are),
		TEST(each_search_path_is_there_once),
		TEST(a_game_by_two_names_is_searched_once), TEST(options_say_what_else_is_searched),
		TEST(names_mean_maps),
		TEST(every_map_can_be_loaded),
		TEST(bytes_of_a_host_are_a_place),
		TEST(what_is_no_place_says_what_it_is),
		TEST(damaged_neighbors_are_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
