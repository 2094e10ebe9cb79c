/* plain_text.c - see plain_text.h. */
#include "archive/companions/plain_text.h"

#include <stdint.h>
#include <string.h>

#include "cli/byte_buffer.h"

/* Unicode characters for the bytes 0x80 to 0x9f of Windows-1252. 0: the byte stands for no character. */
static const uint16_t windows_1252[32] = {
	0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
	0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
	0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178,
};
enum { NO_LETTER = 0xfffd };

/* Returns the length of the UTF-8 letter at `at`, or 0 if there is none. Overlong forms and surrogates are not
 * letters. */
static size_t letter_size(const uint8_t *at, size_t left)
{
	size_t size = at[0] < 0x80 ? 1 : at[0] >= 0xc2 && at[0] < 0xe0 ? 2 : at[0] >= 0xe0 && at[0] < 0xf0 ? 3
	            : at[0] >= 0xf0 && at[0] < 0xf5 ? 4 : 0;
	if (!size || size > left) return 0;
	for (size_t i = 1; i < size; i++) {
		if ((at[i] & 0xc0) != 0x80) return 0;
	}
	if (at[0] == 0xe0 && at[1] < 0xa0) return 0;
	if (at[0] == 0xed && at[1] > 0x9f) return 0;
	if (at[0] == 0xf0 && at[1] < 0x90) return 0;
	return at[0] == 0xf4 && at[1] > 0x8f ? 0 : size;
}

static bool is_utf8(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size;) {
		size_t letter = letter_size(data + i, size - i);
		/* If the text was cut inside its last character, it is UTF-8 nevertheless. */
		if (!letter) return size - i < 4 && data[i] >= 0xc2;
		i += letter;
	}
	return true;
}

static void add_letter(cli_bytes *to, uint32_t code)
{
	char bytes[3];
	if (code < 0x80) {
		bytes[0] = (char)code;
		cli_bytes_add(to, bytes, 1);
	} else if (code < 0x800) {
		bytes[0] = (char)(0xc0 | code >> 6);
		bytes[1] = (char)(0x80 | (code & 0x3f));
		cli_bytes_add(to, bytes, 2);
	} else {
		bytes[0] = (char)(0xe0 | code >> 12);
		bytes[1] = (char)(0x80 | (code >> 6 & 0x3f));
		bytes[2] = (char)(0x80 | (code & 0x3f));
		cli_bytes_add(to, bytes, 3);
	}
}

/* Appends an ASCII character, or a byte of Windows-1252 as UTF-8. Drops control codes except line ends and tabs. */
static void add_byte(cli_bytes *to, uint8_t byte)
{
	if (byte == '\n' || byte == '\t' || (byte >= ' ' && byte < 0x7f) || byte >= 0xa0) add_letter(to, byte);
	else if (byte >= 0x80) add_letter(to, windows_1252[byte - 0x80] ? windows_1252[byte - 0x80] : NO_LETTER);
}

char *cli_plain_text(const void *data, size_t size, size_t most, bool *cut)
{
	const uint8_t *bytes = data;
	cli_bytes out = { 0 };
	*cut = size > most;
	if (*cut) size = most;
	bool utf8 = is_utf8(bytes, size);
	size_t i = size >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3) ? 3 : 0;
	while (i < size) {
		size_t letter = utf8 ? letter_size(bytes + i, size - i) : 1;
		if (!letter) break;
		bool ends_line = bytes[i] == '\r' && (i + 1 == size || bytes[i + 1] != '\n');
		if (letter > 1) cli_bytes_add(&out, bytes + i, letter);
		else add_byte(&out, ends_line ? '\n' : bytes[i]);
		i += letter;
	}
	cli_bytes_add(&out, "", 0);
	return out.at;
}
