/* Promise: texts of any age become UTF-8 with LF line ends. Valid UTF-8 stays, everything else is read as Windows-1252,
 * and truncated text ends at a complete letter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/companions/plain_text.h"

#define NONE "\xef\xbf\xbd"    /* U+FFFD, which replaces invalid bytes */

static void expect(const char *bytes, size_t size, size_t most, const char *text)
{
	/* A copy of the exact size, so that a sanitizer reports reads past its end. */
	char *copy = malloc(size ? size : 1);
	assert_non_null(copy);
	if (size) memcpy(copy, bytes, size);
	bool cut;
	char *made = cli_plain_text(copy, size, most, &cut);
	assert_string_equal(made, text);
	assert_true(cut == (size > most));
	free(made);
	free(copy);
}

static void expect_whole(const char *bytes, const char *text)
{
	expect(bytes, strlen(bytes), SIZE_MAX, text);
}

static void utf8_stays(void **state)
{
	(void)state;
	/* For each length of UTF-8: the first and the last code point. Also the neighbors of the surrogates. */
	static const char *const texts[] = {
		"", "A", "\x7e", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xe0\xbf\xbf", "\xe1\x80\x80", "\xed\x9f\xbf",
		"\xee\x80\x80", "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf1\x80\x80\x80", "\xf4\x8f\xbf\xbf",
		"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80.",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) expect_whole(texts[i], texts[i]);
	expect_whole("\xef\xbb\xbfread me", "read me");
	expect_whole("\xef\xbb\xbf", "");
}

/* Each byte of Windows-1252 is converted. An accented "e" of one byte comes before it, so that the text is not valid
 * UTF-8. */
static void all_else_is_windows_1252(void **state)
{
	(void)state;
	static const char *const letters[32] = {
		"\xe2\x82\xac", NONE, "\xe2\x80\x9a", "\xc6\x92", "\xe2\x80\x9e", "\xe2\x80\xa6", "\xe2\x80\xa0",
		"\xe2\x80\xa1",
		"\xcb\x86", "\xe2\x80\xb0", "\xc5\xa0", "\xe2\x80\xb9", "\xc5\x92", NONE, "\xc5\xbd", NONE,
		NONE, "\xe2\x80\x98", "\xe2\x80\x99", "\xe2\x80\x9c", "\xe2\x80\x9d", "\xe2\x80\xa2", "\xe2\x80\x93",
		"\xe2\x80\x94", "\xcb\x9c", "\xe2\x84\xa2", "\xc5\xa1", "\xe2\x80\xba", "\xc5\x93", NONE, "\xc5\xbe",
		"\xc5\xb8",
	};
	for (unsigned byte = 1; byte < 256; byte++) {
		const char bytes[] = { (char)byte, '\xe9', ' ', ' ', ' ', ' ' };
		char text[16];
		const char plain[3] = { (char)byte, 0, 0 };
		const char latin[3] = { (char)(0xc0 | byte >> 6), (char)(0x80 | (byte & 0x3f)), 0 };
		bool control = byte == 127 || (byte < 32 && byte != '\t' && byte != '\n');
		const char *letter = byte == '\r' ? "\n" : control ? "" : byte < 128 ? plain : latin;
		if (byte >= 128 && byte < 160) letter = letters[byte - 128];
		snprintf(text, sizeof text, "%s\xc3\xa9    ", letter);
		expect(bytes, sizeof bytes, SIZE_MAX, text);
	}
}

/* Texts with an overlong form, a surrogate, a number beyond the last code point, or a truncated letter are not
 * UTF-8. */
static void what_looks_like_utf8_is_not(void **state)
{
	(void)state;
	expect_whole("\xc0\x80....", "\xc3\x80\xe2\x82\xac....");
	expect_whole("\xc1\xbf....", "\xc3\x81\xc2\xbf....");
	expect_whole("\xe0\x9f\xbf....", "\xc3\xa0\xc5\xb8\xc2\xbf....");
	expect_whole("\xed\xa0\x80....", "\xc3\xad\xc2\xa0\xe2\x82\xac....");
	expect_whole("\xf0\x8f\xbf\xbf....", "\xc3\xb0" NONE "\xc2\xbf\xc2\xbf....");
	expect_whole("\xf4\x90\x80\x80....", "\xc3\xb4" NONE "\xe2\x82\xac\xe2\x82\xac....");
	expect_whole("\xf5\x80\x80\x80....", "\xc3\xb5\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac....");
	expect_whole("\xe2\x82 ....", "\xc3\xa2\xe2\x80\x9a ....");
	expect_whole("\xe2 \x82....", "\xc3\xa2 \xe2\x80\x9a....");
}

static void lines_end_alike(void **state)
{
	(void)state;
	expect_whole("a\r\nb\rc\nd\r", "a\nb\nc\nd\n");
	expect_whole("a\r\n\r\n\r\rb\r\n", "a\n\n\n\nb\n");
	expect_whole("\xe4\r\n\xe4\r", "\xc3\xa4\n\xc3\xa4\n");
}

static void what_is_cut_ends_with_a_whole_letter(void **state)
{
	(void)state;
	static const char text[] = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80";
	static const size_t whole[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10 };
	for (size_t most = 0; most < sizeof text; most++) {
		char first[sizeof text] = "";
		memcpy(first, text, whole[most]);
		expect(text, sizeof text - 1, most, first);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(utf8_stays),
		cmocka_unit_test(all_else_is_windows_1252),
		cmocka_unit_test(what_looks_like_utf8_is_not),
		cmocka_unit_test(lines_end_alike),
		cmocka_unit_test(what_is_cut_ends_with_a_whole_letter),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
