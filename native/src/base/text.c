/* text.c - see text.h. Nothing here depends on the locale. */
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static size_t put_utf8(char *out, uint32_t code)
{
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = (char)(0xC0 | code >> 6);
		out[1] = (char)(0x80 | (code & 0x3F));
		return 2;
	}
	out[0] = (char)(0xE0 | code >> 12);
	out[1] = (char)(0x80 | (code >> 6 & 0x3F));
	out[2] = (char)(0x80 | (code & 0x3F));
	return 3;
}

/* Code points of the bytes 0x80 to 0x9F in Windows-1252. The five unused bytes become U+FFFD. */
static const uint16_t cp1252[32] = {
	0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
	0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
	0x0153, 0xFFFD, 0x017E, 0x0178,
};

uint32_t bspi_code_of_cp1252(uint8_t byte)
{
	return byte >= 0x80 && byte < 0xA0 ? cp1252[byte - 0x80] : byte;
}

/* Reads a byte that is not valid UTF-8 as Windows-1252, and stores it as UTF-8. Returns the number of bytes stored. */
static size_t put_byte(char *out, uint8_t byte)
{
	return put_utf8(out, bspi_code_of_cp1252(byte));
}

static size_t length_to_nul(bspi_bytes text)
{
	const uint8_t *nul = text.size ? memchr(text.data, 0, text.size) : NULL;
	return nul ? (size_t)(nul - text.data) : text.size;
}

char *bspi_text_copy(bspi_ctx *ctx, bspi_bytes text, bool *repaired)
{
	size_t size = length_to_nul(text), at = 0;
	char *out;
	bool bad = false;
	for (size_t i = 0; i < size && !bad; ) {
		size_t length = bspi_utf8_length(text.data + i, size - i);
		bad = !length;
		i += length;
	}
	out = bspi_push(ctx, &ctx->result, char, bad ? size * 3 + 1 : size + 1);
	if (!out) return NULL;
	if (!bad) {
		memcpy(out, text.data, size);
		return out;
	}
	for (size_t i = 0; i < size; ) {
		size_t length = bspi_utf8_length(text.data + i, size - i);
		uint8_t c = text.data[i];
		if (length) memcpy(out + at, text.data + i, length);
		at += length ? length : put_byte(out + at, c);
		i += length ? length : 1;
	}
	if (repaired) *repaired = true;
	return out;
}

char *bspi_text_keep(bspi_ctx *ctx, const char *text)
{
	return bspi_text_copy(ctx, bspi_bytes_of(text, strlen(text)), NULL);
}

char *bspi_text_copy_quake(bspi_ctx *ctx, bspi_bytes text, bool *repaired)
{
	size_t size = length_to_nul(text);
	char *out = bspi_push(ctx, &ctx->result, char, size + 1);
	if (!out) return NULL;
	for (size_t i = 0; i < size; i++) {
		uint8_t c = text.data[i];
		if (c >= 0x80 && repaired) *repaired = true;
		if (c >= 0xA0) c &= 0x7F;
		out[i] = c >= 0x80 ? '?' : (char)c;
	}
	return out;
}

char *bspi_text_format(bspi_ctx *ctx, bspi_arena *arena, const char *format, ...)
{
	char some[BSPI_PATH_SIZE];         /* large enough for most texts; longer ones are formatted a second time, into
	                                    * `out` */
	va_list arguments;
	va_start(arguments, format);
	int size = vsnprintf(some, sizeof some, format, arguments);
	va_end(arguments);
	if (size < 0) size = 0;
	char *out = bspi_push(ctx, arena, char, (size_t)size + 1);
	if (!out) return NULL;
	if ((size_t)size < sizeof some) return memcpy(out, some, (size_t)size);
	va_start(arguments, format);
	vsnprintf(out, (size_t)size + 1, format, arguments);
	va_end(arguments);
	return out;
}

int bspi_text_compare(const char *a, const char *b)
{
	/* Letters are compared as they are before they are converted to lower case, because most of them are equal. */
	while (*a && (*a == *b || bspi_lower(*a) == bspi_lower(*b))) {
		a++;
		b++;
	}
	return (unsigned char)bspi_lower(*a) - (unsigned char)bspi_lower(*b);
}

int bspi_text_compare_parts(const char *a, size_t size_a, const char *b, size_t size_b)
{
	for (size_t i = 0; i < size_a && i < size_b; i++) {
		int order = (unsigned char)bspi_lower(a[i]) - (unsigned char)bspi_lower(b[i]);
		if (order) return order;
	}
	return (size_a > size_b) - (size_a < size_b);
}

bool bspi_text_starts(const char *text, const char *prefix)
{
	while (*prefix && bspi_lower(*text) == bspi_lower(*prefix)) {
		text++;
		prefix++;
	}
	return !*prefix;
}

bool bspi_text_matches(const char *text, const char *pattern)
{
	while (*pattern && bspi_lower(*text) == bspi_lower(*pattern)) {
		text++;
		pattern++;
	}
	return pattern[0] == '*' ? !pattern[1] : !*pattern && !*text;
}

bool bspi_text_ends(const char *text, const char *suffix)
{
	size_t size = strlen(text), tail = strlen(suffix);
	return tail <= size && bspi_text_equal(text + size - tail, suffix);
}

bool bspi_text_contains(const char *text, const char *part)
{
	while (*text && !bspi_text_starts(text, part)) text++;
	return *text || !*part;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Appends the digits at `p` to *value, and returns their end. Each digit adds `step` to *scale: 0 before the point,
 * -1 after it. A double is exact for 15 digits, which is enough for a float. Digits beyond 1e17 only change *scale. */
static const char *take_digits(const char *p, double *value, int *scale, int step)
{
	for (; is_digit(*p); p++) {
		if (*value < 1e17) {
			*value = *value * 10 + (*p - '0');
			*scale += step;
		} else {
			*scale += step + 1;
		}
	}
	return p;
}

const char *bspi_text_number(const char *text, float *out)
{
	const char *p = text;
	double value = 0;
	int scale = 0;
	while (*p && (unsigned char)*p <= ' ') p++;
	bool negative = *p == '-';
	if (*p == '-' || *p == '+') p++;
	if (!is_digit(*p) && !(*p == '.' && is_digit(p[1]))) {
		*out = 0;
		return text;
	}
	p = take_digits(p, &value, &scale, 0);
	if (*p == '.') p = take_digits(p + 1, &value, &scale, -1);
	if ((*p == 'e' || *p == 'E') && (is_digit(p[1]) || ((p[1] == '-' || p[1] == '+') && is_digit(p[2])))) {
		bool down = p[1] == '-';
		int exponent = 0;
		for (p += is_digit(p[1]) ? 1 : 2; is_digit(*p); p++) {
			if (exponent < 1000) exponent = exponent * 10 + (*p - '0');
		}
		scale += down ? -exponent : exponent;
	}
	/* Dividing by an exact power of ten rounds "0.1" to the nearest double. */
	value = scale < 0 ? value / pow(10, scale < -300 ? 300 : -scale) : value * pow(10, scale > 300 ? 300 : scale);
	if (!(value < 3.4e38)) value = 3.4e38;
	*out = (float)(negative ? -value : value);
	return p;
}

uint32_t bspi_text_numbers(const char *text, float *out, uint32_t count)
{
	uint32_t found = 0;
	while (*text && found < count) {
		const char *end = bspi_text_number(text, &out[found]);
		if (end == text) {
			text++;
			continue;
		}
		found++;
		text = end;
	}
	return found;
}

uint32_t bspi_text_scan(const char *text, float *out, uint32_t count)
{
	uint32_t found = 0;
	for (; found < count; found++) {
		const char *end = bspi_text_number(text, &out[found]);
		if (end == text) break;
		text = end;
	}
	return found;
}

/* True for ".." and for names that Windows would open as a device or on another drive. */
static bool part_is_unsafe(const char *part, size_t size)
{
	static const char *const devices[] = { "con", "prn", "aux", "nul" };
	if (size == 2 && part[0] == '.' && part[1] == '.') return true;
	for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
		if (size == 3 && bspi_lower(part[0]) == devices[i][0] && bspi_lower(part[1]) == devices[i][1] &&
		    bspi_lower(part[2]) == devices[i][2]) return true;
	}
	return memchr(part, ':', size) != NULL;
}

/* Copies a component of a path as UTF-8. An invalid byte becomes several bytes. Returns false if the result does not
 * fit. */
static bool copy_part(const char *part, size_t part_size, bool lower, char *out, size_t *at, size_t size)
{
	enum { LONGEST = 3 };
	for (size_t i = 0; i < part_size; ) {
		uint8_t c = (uint8_t)part[i];
		size_t length = bspi_utf8_length((const uint8_t *)part + i, part_size - i);
		if (c < 0x20 || (!length && size - *at < part_size - i + LONGEST)) return false;
		if (!length) *at += put_byte(out + *at, c);
		for (size_t k = 0; k < length; k++) out[(*at)++] = lower ? bspi_lower(part[i + k]) : part[i + k];
		i += length ? length : 1;
	}
	return true;
}

bool bspi_text_path(const char *path, bool lower, char *out, size_t size)
{
	size_t at = 0;
	out[0] = 0;
	while (*path) {
		size_t part = strcspn(path, "/\\");
		bool skip = !part || (part == 1 && path[0] == '.');
		const size_t needed = part + (at ? sizeof "/" : sizeof "");
		if (!skip && (part_is_unsafe(path, part) || needed > size - at)) goto unsafe;
		if (!skip && at) out[at++] = '/';
		if (!skip && !copy_part(path, part, lower, out, &at, size)) goto unsafe;
		path += part;
		if (*path) path++;
	}
	out[at] = 0;
	return at > 0;
unsafe:
	out[0] = 0;
	return false;
}

const char *bspi_last_part(const char *path)
{
	const char *part = path;
	for (const char *c = path; *c; c++) {
		if (*c == '/' || *c == '\\') part = c + 1;
	}
	return part;
}

size_t bspi_map_path_size(const char *path)
{
	const char *part = bspi_last_part(path), *end = part;
	for (; *end; end++) {
		bool ending = end > part && bspi_text_starts(end, ".bsp") && (!end[4] || end[4] == '.');
		if (ending) break;
	}
	return (size_t)(end - path);
}

bspi_bytes bspi_map_stem(const char *path)
{
	const char *part = bspi_last_part(path);
	return bspi_bytes_of(part, bspi_map_path_size(path) - (size_t)(part - path));
}

uint64_t bspi_hash(const void *data, size_t size)
{
	const uint8_t *p = data;
	uint64_t hash = 0xcbf29ce484222325u;
	for (size_t i = 0; i < size; i++) hash = (hash ^ p[i]) * 0x100000001b3u;
	return hash;
}
