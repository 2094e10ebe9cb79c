/* test_gameinfo.c - a gameinfo.txt may name thousands of directories. Each is listed once, so memory and time grow with
 * their contents only, and the game's own directory is always searched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "file_system/gameinfo.h"
#include "support/bspt.h"

enum { MANY = 1500, MOST_PATHS = 1024 };

static void make_engine(const char *root, const char *game)
{
	char path[400];
	for (int i = 0; i < MANY; i++) {
		snprintf(path, sizeof path, "%s/d%04d", root, i);
		bspt_make_folder(path);
	}
	bspt_make_folder(game);
}

/* Writes a gameinfo.txt with MANY search paths. `line` is the printf format of a line with its number, from 0. */
static void write_gameinfo(const char *game, const char *line)
{
	char path[400], *text = malloc((size_t)MANY * 64);
	if (!text) bspt_die("allocate", "gameinfo.txt");
	size_t at = (size_t)sprintf(text, "GameInfo { FileSystem { SearchPaths {\n");
	for (int i = 0; i < MANY; i++) at += (size_t)snprintf(text + at, 64, line, i);
	at += (size_t)sprintf(text + at, "}}}\n");
	snprintf(path, sizeof path, "%s/gameinfo.txt", game);
	bspt_write_file(path, text, at);
	free(text);
}

/* Once, the parent directory was listed for each line, which took 9 s for 2,000 lines. With more than 1,024 lines the
 * game's own directory was not searched. */
static void each_directory_is_listed_once(void **state)
{
	(void)state;
	static const struct { const char *line; uint32_t want; } cases[] = {
		{ "game d%04d\n", MOST_PATHS + 1 },
		{ "game D%04d/\n", MOST_PATHS + 1 },
		{ "game d%04d/below\n", 1 },
		{ "game *no_%04d*\n", 1 },
		{ "game d0001 // %04d\n", 2 },
	};
	char root[200], game[300];
	bspt_make_directory(root, sizeof root);
	snprintf(game, sizeof game, "%s/game", root);
	make_engine(root, game);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspi_budget budget = { .limit = (uint64_t)8 << 20 };
		bspi_arena arena;
		bspi_search_paths found;
		bspscene_error error = { 0 };
		bspi_arena_init(&arena, &budget);
		write_gameinfo(game, cases[i].line);
		if (!bspi_find_search_paths(&arena, game, &found, &error)) fail_msg("%s%s", cases[i].line, error.message);
		assert_int_equal(found.count, cases[i].want);
		assert_string_equal(found.paths[found.count - 1], game);
		bspi_arena_reset(&arena);
	}
	bspt_remove_directory(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_directory_is_listed_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
