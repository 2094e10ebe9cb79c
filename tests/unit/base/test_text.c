/* Promise: messages are one line of UTF-8 that is harmless for terminals, whatever the names in a file contain: no
 * control characters (U+009B alone means ESC [), no line separators, no bidirectional controls. Names are compared
 * without regard to ASCII case, numbers are read as strtof reads them, and paths are normalized. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/bspscene.h>

#include "base/text.h"

static void clean_shows_and_keeps(void **state)
{
	(void)state;
	static const struct { const char *text, *shown; } cases[] = {
		{ "", "" }, { "textures/sample/brick", "textures/sample/brick" },
		{ "a\tb\nc\r\x1b[2J\x7f", "a?b?c??[2J?" },
		{ "\xc2\x80|\xc2\x9b|\xc2\x9f|\xc2\xa0", "?|?|?|\xc2\xa0" }, /* the last C1 control, then the no-break space */
		{ "\xd8\x9b|\xd8\x9c|\xd8\x9d", "\xd8\x9b|?|\xd8\x9d" }, /* the character before, at and after U+061C */
		/* U+200E and U+200F with their neighbors */
		{ "\xe2\x80\x8d|\xe2\x80\x8e|\xe2\x80\x8f|\xe2\x80\x90", "\xe2\x80\x8d|?|?|\xe2\x80\x90" },
		/* U+2028 to U+202E with their neighbors */
		{ "\xe2\x80\xa7|\xe2\x80\xa8|\xe2\x80\xae|\xe2\x80\xaf", "\xe2\x80\xa7|?|?|\xe2\x80\xaf" },
		/* U+2066 to U+2069 with their neighbors */
		{ "\xe2\x81\xa5|\xe2\x81\xa6|\xe2\x81\xa9|\xe2\x81\xaa", "\xe2\x81\xa5|?|?|\xe2\x81\xaa" },
		{ "\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80", "\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80" },
		/* Invalid UTF-8 becomes "?". The cases are a lone continuation byte, a byte that cannot begin a character, an
		 * overlong form, a surrogate, and a truncated character. */
		{ "\x9b[|\xff|\xc0\x9b|\xed\xa0\x80|\xe2\x80", "?[|?|??|???|??" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[64];
		snprintf(text, sizeof text, "%s", cases[i].text);
		bspscene_sanitize_text(text);
		if (strcmp(text, cases[i].shown)) fail_msg("case %zu: \"%s\"", i, text);
	}
}

static int sign_of(int order)
{
	return (order > 0) - (order < 0);
}

/* Each name is less than the next one. */
static void names_are_ordered_without_case(void **state)
{
	(void)state;
	static const char *const names[] = { "", "@", "A", "a0", "AB", "aBc", "abd", "b", "Z", "[", "_", "~", "\xc3\x84" };
	enum { COUNT = sizeof names / sizeof *names };
	for (int i = 0; i < COUNT * COUNT; i++) {
		const char *a = names[i / COUNT], *b = names[i % COUNT];
		/* '[' and '_' are between the upper and the lower case letters. */
		bool between = *a == '[' || *a == '_' || *b == '[' || *b == '_';
		int want = sign_of(i / COUNT - i % COUNT), got = sign_of(bspi_text_compare(a, b));
		if (between ? (got == 0) != (a == b) : got != want) fail_msg("\"%s\" and \"%s\": %d", a, b, got);
		assert_int_equal(sign_of(bspi_text_compare_parts(a, strlen(a), b, strlen(b))), got);
	}
	assert_int_equal(bspi_text_compare_parts("abX", 2, "ABy", 2), 0);
}

static void parts_of_names_are_found(void **state)
{
	(void)state;
	static const struct { const char *text, *part; bool starts, ends, contains, matches; } cases[] = {
		{ "Tools/Sky", "tools/", true, false, true, false },  { "tools/sky", "SKY", false, true, true, false },
		{ "tools/sky", "s/s", false, false, true, false },    { "sky", "sky", true, true, true, true },
		{ "SKY", "sky*", false, false, false, true },         { "sky_2", "SKY*", false, false, false, true },
		{ "sk", "sky*", false, false, false, false },         { "sky", "s*y", false, false, false, false },
		{ "sky", "", true, true, true, false },               { "", "", true, true, true, true },
		{ "", "a", false, false, false, false },              { "", "*", false, false, false, true },
		{ "aab", "ab", false, true, true, false },            { "sk", "sky", false, false, false, false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *text = cases[i].text, *part = cases[i].part;
		bool same = bspi_text_starts(text, part) == cases[i].starts && bspi_text_ends(text, part) == cases[i].ends &&
		            bspi_text_contains(text, part) == cases[i].contains &&
		            bspi_text_matches(text, part) == cases[i].matches;
		if (!same) fail_msg("\"%s\" and \"%s\"", text, part);
	}
}

/* Some spellings that only strtof knows (hexadecimal, inf) are tested below. */
static void numbers_are_read_as_strtof_reads_them(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"0", "-0", "1", "+1.5", "-2.25", "  7", "\t\n8", ".5", "-.5", "5.", "5.x", ".", "-", "+", "", "x", "- 1", "--1",
		"1e3", "1E-3", "1e+2", "1e", "1e+", "1ex", "1.5.5", "0.1", "0.3", "16777217", "123456789012345678901234567890",
		"0.00000000000000000000000000000000000000000000123", "1e-46", "3e38", "1;2", "1,5", "0000000000000000000000012",
		"100000000000000000000e-20", "0.000000000000000000001e21", "9.9e-5000",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		char *want_end;
		float got, want = strtof(texts[i], &want_end);
		const char *end = bspi_text_number(texts[i], &got);
		if (end != want_end || got < want || got > want) fail_msg("\"%s\": %.9g", texts[i], (double)got);
	}
	static const struct { const char *text; float want; size_t size; } others[] = {
		{ "1e99", 3.4e38f, 4 }, { "-1e5000", -3.4e38f, 7 }, { "inf", 0, 0 }, { "nan", 0, 0 }, { "0x10", 0, 1 },
	};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		float got;
		assert_ptr_equal(bspi_text_number(others[i].text, &got), others[i].text + others[i].size);
		assert_float_equal(got, others[i].want, 0);
	}
}

static void lists_of_numbers_are_read(void **state)
{
	(void)state;
	static const struct { const char *text; uint32_t numbers, scanned; float first, last; } cases[] = {
		{ "1 2 3", 3, 3, 1, 3 },   { "5, 0, -7", 3, 1, 5, -7 },     { "1 2 3 4", 3, 3, 1, 3 }, { "", 0, 0, 0, 0 },
		{ "x1y2", 2, 0, 1, 2 },    { "[ 0.5 0.25 ]", 2, 0, 0.5f, 0.25f }, { "1 2 x", 2, 2, 1, 2 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		float out[4] = { 0, 0, 0, 99 };
		assert_int_equal(bspi_text_numbers(cases[i].text, out, 3), cases[i].numbers);
		assert_float_equal(out[0], cases[i].first, 0);
		if (cases[i].numbers) assert_float_equal(out[cases[i].numbers - 1], cases[i].last, 0);
		assert_float_equal(out[3], 99, 0);
		assert_int_equal(bspi_text_scan(cases[i].text, out, 3), cases[i].scanned);
		assert_float_equal(out[3], 99, 0);
	}
}

/* `size` is the size of the buffer, which includes the terminating zero. */
static void paths_are_normalized(void **state)
{
	(void)state;
	static const struct { const char *path; bool lower; size_t size; const char *want; } cases[] = {
		{ "Maps\\A.BSP", true, 64, "maps/a.bsp" },  { "Maps\\A.BSP", false, 64, "Maps/A.BSP" },
		{ "//a//b/", false, 64, "a/b" },            { "./a/./b/.", false, 64, "a/b" },
		{ "a/b", false, 4, "a/b" },                 { "a/b", false, 3, "" },
		{ "abc", false, 4, "abc" },                 { "abc", false, 3, "" },
		{ "c:/a", false, 64, "" },                  { "a\tb", false, 64, "" },
		{ "a b", false, 64, "a b" },                { "", false, 64, "" },
		{ "/", false, 64, "" },                     { "\xc3\x84", true, 64, "\xc3\x84" },
		{ "\xc4", true, 64, "\xc3\x84" },           { "\x80", false, 64, "\xe2\x82\xac" },
		{ "\x9f", false, 64, "\xc5\xb8" },          { "\x81", false, 64, "\xef\xbf\xbd" },
		{ "a\x99z", false, 64, "a\xe2\x84\xa2z" },  { "\xff", false, 64, "\xc3\xbf" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char out[64];
		bool ok = bspi_text_path(cases[i].path, cases[i].lower, out, cases[i].size);
		if (ok != (*cases[i].want != 0) || strcmp(out, cases[i].want)) fail_msg("\"%s\": \"%s\"", cases[i].path, out);
	}
}

static void maps_are_called_by_their_stem(void **state)
{
	(void)state;
	static const struct { const char *path, *stem; size_t size; } cases[] = {
		{ "maps/atrium.bsp", "atrium", 11 },  { "a.bsp/atrium.BSP.bz2", "atrium", 12 }, { "C:\\m\\x.bsp", "x", 6 },
		{ "atrium", "atrium", 6 },            { "a.bspx", "a.bspx", 6 },                { ".bsp", ".bsp", 4 },
		{ "a.b.bsp", "a.b", 3 },              { "maps/a.bsp.b.bsp", "a", 6 },           { "maps/", "", 5 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspi_bytes stem = bspi_map_stem(cases[i].path);
		assert_int_equal(stem.size, strlen(cases[i].stem));
		assert_memory_equal(stem.data, cases[i].stem, stem.size);
		assert_int_equal(bspi_map_path_size(cases[i].path), cases[i].size);
	}
}

/* The values are those that the authors of FNV-1a published. */
static void hashes_are_fnv_1a(void **state)
{
	(void)state;
	assert_true(bspi_hash("", 0) == UINT64_C(0xcbf29ce484222325));
	assert_true(bspi_hash("a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
	assert_true(bspi_hash("foobar", 6) == UINT64_C(0x85944171f73967e8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clean_shows_and_keeps),
		cmocka_unit_test(names_are_ordered_without_case),
		cmocka_unit_test(parts_of_names_are_found),
		cmocka_unit_test(numbers_are_read_as_strtof_reads_them),
		cmocka_unit_test(lists_of_numbers_are_read),
		cmocka_unit_test(paths_are_normalized),
		cmocka_unit_test(maps_are_called_by_their_stem),
		cmocka_unit_test(hashes_are_fnv_1a),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
