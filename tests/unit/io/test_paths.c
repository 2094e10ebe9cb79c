/* test_paths.c - paths of game files: safe paths of any length that fits stay as they are. A normalized name normalizes
 * to itself, so listed files can be opened. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

static void paths_are_folded(void **state)
{
	(void)state;
	static const struct { const char *path, *plain, *lower; } cases[] = {
		{ "maps/a.bsp", "maps/a.bsp", "maps/a.bsp" }, { "\\Maps\\.\\A.bsp", "Maps/A.bsp", "maps/a.bsp" },
		{ "//a//b/", "a/b", "a/b" }, { "..", "", "" }, { "a/../b", "", "" }, { "c:/a", "", "" }, { "a/CON", "", "" },
		{ "a\nb", "", "" }, { "", "", "" }, { "./", "", "" }, { "console/a", "console/a", "console/a" },
		{ "\xc9t\xe9", "\xc3\x89t\xc3\xa9", "\xc3\x89t\xc3\xa9" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char out[BSPI_PATH_SIZE];
		assert_int_equal(bspi_text_path(cases[i].path, false, out, sizeof out), cases[i].plain[0] != 0);
		assert_string_equal(out, cases[i].plain);
		assert_int_equal(bspi_text_path(cases[i].path, true, out, sizeof out), cases[i].lower[0] != 0);
		assert_string_equal(out, cases[i].lower);
	}
}

/* A path may use the whole buffer but one byte for the terminator. */
static void paths_fit_to_the_last_byte(void **state)
{
	(void)state;
	char path[2 * BSPI_PATH_SIZE], out[BSPI_PATH_SIZE];
	for (size_t folder = 0; folder < 4; folder++) {
		for (size_t length = BSPI_PATH_SIZE - 3; length < BSPI_PATH_SIZE + 3; length++) {
			memset(path, 'a', length);
			path[length] = 0;
			if (folder) path[folder] = '/';
			bool fits = length < BSPI_PATH_SIZE;
			assert_int_equal(bspi_text_path(path, false, out, sizeof out), fits);
			assert_string_equal(out, fits ? path : "");
		}
	}
}

/* A byte that is not valid UTF-8 becomes a character of up to three bytes, so normalized paths may be longer than the
 * original. */
static void folded_paths_fold_to_themselves(void **state)
{
	(void)state;
	for (size_t bullets = 0; bullets < 100; bullets++) {
		for (size_t letters = 0; letters < 12; letters++) {
			char path[2 * BSPI_PATH_SIZE], once[BSPI_PATH_SIZE], twice[BSPI_PATH_SIZE];
			memset(path, '\x95', bullets);
			memset(path + bullets, 'a', letters);
			path[bullets + letters] = 0;
			if (!bspi_text_path(path, false, once, sizeof once)) continue;
			assert_true(bspi_text_path(once, false, twice, sizeof twice));
			assert_string_equal(once, twice);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_folded),
		cmocka_unit_test(paths_fit_to_the_last_byte),
		cmocka_unit_test(folded_paths_fold_to_themselves),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
