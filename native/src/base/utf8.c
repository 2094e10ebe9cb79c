/* utf8.c - see utf8.h. */
#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

#include <bspscene/common.h>

size_t bspi_utf8_length(const uint8_t *p, size_t left)
{
	uint8_t c = p[0];
	if (c < 0x80) return 1;
	size_t length = c >= 0xC2 && c <= 0xDF ? 2 : c >= 0xE0 && c <= 0xEF ? 3 : c >= 0xF0 && c <= 0xF4 ? 4 : 0;
	if (!length || length > left) return 0;
	for (size_t i = 1; i < length; i++) {
		if ((p[i] & 0xC0) != 0x80) return 0;
	}
	bool bad_second = (c == 0xE0 && p[1] < 0xA0) || (c == 0xED && p[1] > 0x9F) ||
	                  (c == 0xF0 && p[1] < 0x90) || (c == 0xF4 && p[1] > 0x8F);
	return bad_second ? 0 : length;
}

/* True for a character that changes a terminal's state or the layout. These are controls (ISO 6429: C0, DEL, C1),
 * Unicode's line separators, and characters with the property Bidi_Control. `p` is one well-formed sequence of `length`
 * bytes. A sequence of four bytes is never such a character. */
static bool is_obeyed(const uint8_t *p, size_t length)
{
	static const struct { uint16_t first, last; } ranges[] = {
		{ 0x0080, 0x009F }, { 0x061C, 0x061C }, { 0x200E, 0x200F }, { 0x2028, 0x202E }, { 0x2066, 0x2069 },
	};
	if (length == 1) return *p < 0x20 || *p == 0x7F;
	uint32_t code = length == 2 ? (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu)
	                            : (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
	for (size_t i = 0; length < 4 && i < sizeof ranges / sizeof *ranges; i++) {
		if (code >= ranges[i].first && code <= ranges[i].last) return true;
	}
	return false;
}

void bspscene_sanitize_text(char *text)
{
	const uint8_t *p = (const uint8_t *)text;
	size_t left = strlen(text);
	while (left) {
		size_t length = bspi_utf8_length(p, left), step = length ? length : 1;
		bool shown = length && !is_obeyed(p, length);
		memmove(text, shown ? (const char *)p : "?", shown ? step : 1);
		text += shown ? step : 1;
		p += step;
		left -= step;
	}
	*text = 0;
}
