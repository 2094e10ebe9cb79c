/* json.c - builds jansson objects from values, and prints them. See json.h. */
#include "cli/json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/byte_buffer.h"
#include "cli/host/platform.h"
#include "cli/report.h"

/* Returns the length of the valid UTF-8 sequence at `at`, or 0. Rejects overlong forms and surrogates, as jansson
 * does. */
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

void cli_print_float(float value, char out[CLI_FLOAT_TEXT])
{
	int digits = 5;
	do {
		snprintf(out, CLI_FLOAT_TEXT, "%.*g", ++digits, (double)value);
	} while (digits < 9 && strtof(out, NULL) != value);
}

json_t *cli_json_float(float value)
{
	char text[CLI_FLOAT_TEXT];
	cli_print_float(value, text);
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

/* Format of numbers and texts. Nine digits are enough for every float, and cli_json_float rounds so that no more are
 * printed. Characters beyond ASCII are escaped, so that no terminal interprets them. */
enum { FORMAT = JSON_REAL_PRECISION(9) | JSON_ENSURE_ASCII };

/* Where the text goes: to `stream` unless that is NULL, else to the open file of `output` unless that is NULL, else to
 * memory, in `text`. */
typedef struct sink {
	FILE *stream;
	cli_output *output;
	cli_bytes text;
} sink;

static bool put(sink *to, const char *text, size_t size)
{
	if (to->stream) return fwrite(text, 1, size, to->stream) == size;
	if (to->output) return cli_output_write(to->output, text, size);
	cli_bytes_add(&to->text, text, size);
	return true;
}

/* Implements json_dump_callback_t. Escapes the character DEL, which jansson leaves as it is. It can occur only in
 * strings. */
static int put_escaped(const char *text, size_t size, void *to)
{
	size_t from = 0;
	for (size_t i = 0; i < size; i++) {
		if (text[i] != 0x7f) continue;
		if (!put(to, text + from, i - from) || !put(to, "\\u007f", 6)) return -1;
		from = i + 1;
	}
	return put(to, text + from, size - from) ? 0 : -1;
}

static bool put_array(const json_t *array, sink *to)
{
	size_t count = json_array_size(array);
	if (!put(to, "[\n", 2)) return false;
	for (size_t i = 0; i < count; i++) {
		if (json_dump_callback(json_array_get(array, i), put_escaped, to, FORMAT)) return false;
		if (!put(to, i + 1 < count ? ",\n" : "\n", i + 1 < count ? 2 : 1)) return false;
	}
	return put(to, "]\n", 2);
}

static bool put_value(const json_t *value, sink *to)
{
	if (json_is_array(value)) return put_array(value, to);
	return !json_dump_callback(value, put_escaped, to, FORMAT | JSON_INDENT(2)) && put(to, "\n", 1);
}

cli_exit cli_json_print(json_t *value)
{
	sink to = { .stream = stdout };
	bool ok = value && put_value(value, &to);
	json_decref(value);
	cli_exit status = cli_finish_stdout();
	return status == CLI_DONE && !ok ? cli_fail("out of memory") : status;
}

bool cli_json_write(json_t *value, cli_output *output, const char *name)
{
	sink to = { .output = output };
	bool ok = value && cli_output_begin(output, name) && put_value(value, &to) && cli_output_end(output);
	json_decref(value);
	return ok;
}

bool cli_json_save(const json_t *value, const char *path)
{
	cli_remove_file(path);
	sink to = { .stream = cli_open_new(path, NULL) };
	bool ok = to.stream && put_value(value, &to);
	if (to.stream && fclose(to.stream)) ok = false;
	return ok;
}

json_t *cli_json_load(const char *path, json_error_t *error)
{
	FILE *file = cli_open_regular(path);
	json_t *value = file ? json_loadf(file, JSON_REJECT_DUPLICATES, error) : NULL;
	if (!file && error) snprintf(error->text, sizeof error->text, "%s", strerror(errno));
	if (file) fclose(file);
	return value;
}

/* ---- Lines ------------------------------------------------------------------------------------------------ */

/* Writes a value as jansson prints it. */
static bool put_dumped(const json_t *value, sink *to)
{
	return !json_dump_callback(value, put_escaped, to, FORMAT | JSON_COMPACT | JSON_ENCODE_ANY);
}

static bool put_string(const char *text, size_t size, sink *to)
{
	for (size_t i = 0; i < size; i++) {
		if (text[i] >= 0x20 && text[i] < 0x7f && text[i] != '"' && text[i] != '\\') continue;
		json_t *string = json_stringn(text, size);
		bool ok = string && put_dumped(string, to);
		json_decref(string);
		return ok;
	}
	return put(to, "\"", 1) && put(to, text, size) && put(to, "\"", 1);
}

static bool put_integer(json_int_t number, sink *to)
{
	char text[32];
	int size = snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, number);
	return put(to, text, (size_t)size);
}

static bool put_compact(const json_t *value, sink *to);

static bool put_members(json_t *object, sink *to)
{
	const char *name;
	json_t *member;
	const char *before = "{";
	json_object_foreach(object, name, member)
	{
		if (!put(to, before, 1) || !put_string(name, strlen(name), to) || !put(to, ":", 1)) return false;
		if (!put_compact(member, to)) return false;
		before = ",";
	}
	return put(to, *before == '{' ? "{}" : "}", *before == '{' ? 2 : 1);
}

/* Writes the same text as put_dumped, but many times faster, because catalogs have hundreds of thousands of lines. */
static bool put_compact(const json_t *value, sink *to)
{
	if (json_is_string(value)) return put_string(json_string_value(value), json_string_length(value), to);
	if (json_is_object(value)) return put_members((json_t *)value, to);
	if (json_is_boolean(value)) return put(to, json_is_true(value) ? "true" : "false", json_is_true(value) ? 4 : 5);
	if (json_is_integer(value)) return put_integer(json_integer_value(value), to);
	if (!json_is_array(value)) return put_dumped(value, to);
	if (!put(to, "[", 1)) return false;
	for (size_t i = 0; i < json_array_size(value); i++) {
		if (i && !put(to, ",", 1)) return false;
		if (!put_compact(json_array_get(value, i), to)) return false;
	}
	return put(to, "]", 1);
}

char *cli_json_line(json_t *value)
{
	sink to = { 0 };
	if (!value || !put_compact(value, &to) || !put(&to, "\n", 1)) cli_end_without_memory();
	json_decref(value);
	return to.text.at;
}
