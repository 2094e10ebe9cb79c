/* json.c - values to jansson objects and those to standard output. See json.h. */
#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

/* Length of the valid UTF-8 sequence at `at`, 0 when there is none. jansson checks it fully: no overlong forms, no
 * surrogates. */
static size_t sequence_length(const char *at)
{
	unsigned char first = (unsigned char)*at;
	size_t length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
	if (length == 0 || strnlen(at, length) < length) return 0;
	json_t *probe = json_stringn(at, length);
	json_decref(probe);
	return probe ? length : 0;
}

json_t *cli_json_text(const char *text)
{
	json_t *value = json_string(text);
	if (value) return value;
	char *repaired = cli_allocate(strlen(text) * 3 + 1, 1), *end = repaired;
	while (*text) {
		size_t length = sequence_length(text);
		memcpy(end, length ? text : "\xef\xbf\xbd", length ? length : 3);
		end += length ? length : 3;
		text += length ? length : 1;
	}
	value = json_string(repaired);
	free(repaired);
	return value;
}

json_t *cli_json_float(float value)
{
	char text[32];
	int digits = 5;
	do {
		snprintf(text, sizeof text, "%.*g", ++digits, (double)value);
	} while (digits < 9 && strtof(text, NULL) != value);
	return json_real(strtod(text, NULL));
}

json_t *cli_json_floats(const float *values, size_t count)
{
	json_t *array = json_array();
	for (size_t i = 0; i < count; i++) json_array_append_new(array, cli_json_float(values[i]));
	return array;
}

json_t *cli_json_index(uint32_t index)
{
	return index == BSPSCENE_NO_INDEX ? json_null() : json_integer(index);
}

/* 9 digits carry every float; cli_json_float leaves no noise in them. What is not ASCII is escaped, so that a terminal
 * obeys nothing of it. */
enum { FORMAT = JSON_REAL_PRECISION(9) | JSON_ENSURE_ASCII };

/* A json_dump_callback_t. jansson leaves DEL as it is; only strings have one. */
static int put_escaped(const char *text, size_t size, void *out)
{
	for (size_t i = 0; i < size; i++) {
		if (text[i] == 0x7f ? fputs("\\u007f", out) == EOF : putc(text[i], out) == EOF) return -1;
	}
	return 0;
}

static bool print_array(const json_t *array)
{
	size_t count = json_array_size(array);
	puts("[");
	for (size_t i = 0; i < count; i++) {
		if (json_dump_callback(json_array_get(array, i), put_escaped, stdout, FORMAT)) return false;
		puts(i + 1 < count ? "," : "");
	}
	puts("]");
	return true;
}

static bool print_object(const json_t *object)
{
	if (json_dump_callback(object, put_escaped, stdout, FORMAT | JSON_INDENT(2))) return false;
	putchar('\n');
	return true;
}

cli_exit cli_json_print(json_t *value)
{
	bool ok = value && (json_is_array(value) ? print_array(value) : print_object(value));
	json_decref(value);
	cli_exit status = cli_finish_stdout();
	return status == CLI_DONE && !ok ? cli_fail("out of memory") : status;
}
