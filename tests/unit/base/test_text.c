/* Promise: messages are one line of UTF-8 that is harmless for terminals, whatever the names in a file contain: no
 * control characters (U+009B alone means ESC [), no line separators, no bidirectional controls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/bspscene.h>

static void clean_shows_and_keeps(void **state)
{
	(void)state;
	static const struct { const char *text, *shown; } cases[] = {
		{ "", "" }, { "textures/sample/brick", "textures/sample/brick" },
		{ "a\tb\nc\r\x1b[2J\x7f", "a?b?c??[2J?" },
		{ "\xc2\x80|\xc2\x9b|\xc2\x9f|\xc2\xa0", "?|?|?|\xc2\xa0" }, /* the last C1 control, then the no-break space */
		{ "\xd8\x9b|\xd8\x9c|\xd8\x9d", "\xd8\x9b|?|\xd8\x9d" }, /* U+061C */
		{ "\xe2\x80\x8d|\xe2\x80\x8e|\xe2\x80\x8f|\xe2\x80\x90", "\xe2\x80\x8d|?|?|\xe2\x80\x90" }, /* U+200E, U+200F */
		{ "\xe2\x80\xa7|\xe2\x80\xa8|\xe2\x80\xae|\xe2\x80\xaf", "\xe2\x80\xa7|?|?|\xe2\x80\xaf" }, /* U+2028..U+202E */
		{ "\xe2\x81\xa5|\xe2\x81\xa6|\xe2\x81\xa9|\xe2\x81\xaa", "\xe2\x81\xa5|?|?|\xe2\x81\xaa" }, /* U+2066..U+2069 */
		{ "\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80", "\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80" },
		/* Invalid UTF-8: a lone byte, one that begins nothing, an overlong form, a surrogate, a truncated sequence. */
		{ "\x9b[|\xff|\xc0\x9b|\xed\xa0\x80|\xe2\x80", "?[|?|??|???|??" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[64];
		snprintf(text, sizeof text, "%s", cases[i].text);
		bspscene_sanitize_text(text);
		if (strcmp(text, cases[i].shown)) fail_msg("case %zu: \"%s\"", i, text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(clean_shows_and_keeps) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
