/* usd_text.c - see usd_text.h. */
#include "writers/usd/usd_text.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

#define LONGEST_LINE 1000
#define LONGEST_IDENTIFIER 96u
#define DEEPEST 12u                    /* most levels of indentation that are written; trees may be deeper */
#define MOST_DICTIONARIES 8u           /* most levels of nested dictionaries; deeper objects become JSON text */

static void put(bspi_usd_text *text, const char *data, size_t size)
{
	if (!text->failed) text->failed = !bspi_buffer_add(&text->bytes, data, size);
}

static void put_text(bspi_usd_text *text, const char *data)
{
	put(text, data, strlen(data));
}

static void indent(bspi_usd_text *text)
{
	for (uint32_t i = 0; i < text->depth && i < DEEPEST; i++) put(text, "    ", 4);
}

void bspi_usd_line(bspi_usd_text *text, const char *format, ...)
{
	char line[LONGEST_LINE];
	va_list arguments;
	va_start(arguments, format);
	int size = vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	assert(size >= 0 && (size_t)size < sizeof line);
	if (size) indent(text);
	put(text, line, (size_t)size);
	put(text, "\n", 1);
}

void bspi_usd_open(bspi_usd_text *text, char bracket)
{
	bspi_usd_line(text, "%c", bracket);
	text->depth++;
}

void bspi_usd_close(bspi_usd_text *text, char bracket)
{
	text->depth--;
	bspi_usd_line(text, "%c", bracket);
}

/* ---- Values ----------------------------------------------------------------------------------------------- */

/* Writes a float as the shortest decimal that is read back as the same float. */
static void put_float(bspi_usd_text *text, float value)
{
	char number[BSPI_NUMBER_SIZE];
	put(text, number, bspi_format_number(number, (double)value, bspi_float_digits(value)));
}

static void put_double(bspi_usd_text *text, double value)
{
	char number[BSPI_NUMBER_SIZE];
	snprintf(number, sizeof number, "%.15g", value);
	put(text, number, bspi_format_number(number, value, strtod(number, NULL) == value ? 15 : 17));
}

static void put_quoted(bspi_usd_text *text, const char *value)
{
	put(text, "\"", 1);
	for (const char *p = value; *p; p++) {
		unsigned char c = (unsigned char)*p;
		char escaped[8];
		if (c == '"' || c == '\\') snprintf(escaped, sizeof escaped, "\\%c", c);
		else if (c == '\n') snprintf(escaped, sizeof escaped, "\\n");
		else if (c < 0x20 || c == 0x7F) snprintf(escaped, sizeof escaped, "\\x%02x", c);
		else snprintf(escaped, sizeof escaped, "%c", c);
		put_text(text, escaped);
	}
	put(text, "\"", 1);
}

static void begin_value(bspi_usd_text *text, const char *declaration)
{
	indent(text);
	put_text(text, declaration);
	put(text, " = ", 3);
}

void bspi_usd_number(bspi_usd_text *text, const char *declaration, float value)
{
	begin_value(text, declaration);
	put_float(text, value);
	put(text, "\n", 1);
}

static void put_tuple(bspi_usd_text *text, const float *values, uint32_t count)
{
	if (count > 1) put(text, "(", 1);
	for (uint32_t i = 0; i < count; i++) {
		if (i) put(text, ", ", 2);
		put_float(text, values[i]);
	}
	if (count > 1) put(text, ")", 1);
}

void bspi_usd_tuple(bspi_usd_text *text, const char *declaration, const float *values, uint32_t count)
{
	begin_value(text, declaration);
	put_tuple(text, values, count);
	put(text, "\n", 1);
}

void bspi_usd_string(bspi_usd_text *text, const char *declaration, const char *value)
{
	begin_value(text, declaration);
	put_quoted(text, value);
	put(text, "\n", 1);
}

/* Writes the path of a file beside the document. Names that contain '@' are put between "@@@" instead of "@". */
void bspi_usd_asset(bspi_usd_text *text, const char *declaration, const char *file_name)
{
	const char *sign = strchr(file_name, '@') ? "@@@" : "@";
	begin_value(text, declaration);
	put_text(text, sign);
	put(text, "./", 2);
	put_text(text, file_name);
	put_text(text, sign);
	put(text, "\n", 1);
}

/* ---- Lists ------------------------------------------------------------------------------------------------ */

void bspi_usd_begin_list(bspi_usd_text *text, const char *declaration)
{
	begin_value(text, declaration);
	put(text, "[", 1);
	text->in_list = false;
}

static void begin_element(bspi_usd_text *text)
{
	if (text->in_list) put(text, ", ", 2);
	text->in_list = true;
}

void bspi_usd_put_integer(bspi_usd_text *text, uint32_t value)
{
	char number[16];
	int size = snprintf(number, sizeof number, "%" PRIu32, value);
	begin_element(text);
	put(text, number, (size_t)size);
}

void bspi_usd_put_tuple(bspi_usd_text *text, const float *values, uint32_t count)
{
	begin_element(text);
	put_tuple(text, values, count);
}

void bspi_usd_end_list(bspi_usd_text *text, const char *interpolation)
{
	put(text, "]", 1);
	if (!interpolation) {
		put(text, "\n", 1);
		return;
	}
	put(text, " (\n", 3);
	text->depth++;
	bspi_usd_line(text, "interpolation = \"%s\"", interpolation);
	bspi_usd_close(text, ')');
}

/* ---- Dictionaries ----------------------------------------------------------------------------------------- */

/* Returns the USD type of a list that has only strings or only numbers; NULL for other lists. */
static const char *list_type(const json_t *list)
{
	size_t count = json_array_size(list), strings = 0, numbers = 0;
	for (size_t i = 0; i < count; i++) {
		strings += json_is_string(json_array_get(list, i));
		numbers += json_is_number(json_array_get(list, i));
	}
	return !count ? NULL : strings == count ? "string[]" : numbers == count ? "double[]" : NULL;
}

static void begin_member(bspi_usd_text *text, const char *type, const char *key)
{
	indent(text);
	put_text(text, type);
	put(text, " ", 1);
	put_quoted(text, key);
	put(text, " = ", 3);
}

static void put_list(bspi_usd_text *text, const json_t *list)
{
	put(text, "[", 1);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *element = json_array_get(list, i);
		if (i) put(text, ", ", 2);
		if (json_is_string(element)) put_quoted(text, json_string_value(element));
		else put_double(text, json_number_value(element));
	}
	put(text, "]\n", 2);
}

static void put_json(bspi_usd_text *text, const char *key, const json_t *value)
{
	bspi_buffer json;
	if (bspi_json_text(text->writer, value, JSON_COMPACT | JSON_ENCODE_ANY, &json) && bspi_buffer_add(&json, "", 1)) {
		begin_member(text, "string", key);
		put_quoted(text, (const char *)json.data);
		put(text, "\n", 1);
	}
	bspi_buffer_free(&json);
}

static void put_member(bspi_usd_text *text, const char *key, const json_t *value)
{
	const char *type = json_is_array(value) ? list_type(value) : NULL;
	json_int_t integer = json_integer_value(value);
	if (json_is_string(value)) {
		begin_member(text, "string", key);
		put_quoted(text, json_string_value(value));
		put(text, "\n", 1);
	} else if (json_is_integer(value)) {
		begin_member(text, integer < INT32_MIN || integer > INT32_MAX ? "int64" : "int", key);
		char number[24];
		put(text, number, (size_t)snprintf(number, sizeof number, "%" PRId64 "\n", (int64_t)integer));
	} else if (json_is_real(value)) {
		begin_member(text, "double", key);
		put_double(text, json_real_value(value));
		put(text, "\n", 1);
	} else if (json_is_boolean(value)) {
		begin_member(text, "bool", key);
		put_text(text, json_is_true(value) ? "1\n" : "0\n");
	} else if (type) {
		begin_member(text, type, key);
		put_list(text, value);
	} else {
		put_json(text, key, value);
	}
}

/* Writes a JSON object as a dictionary. Objects inside it become dictionaries too. Facts (scene_facts.h) have at most
 * one such level. */
void bspi_usd_dictionary(bspi_usd_text *text, const char *name, const json_t *object)
{
	const json_t *stack[MOST_DICTIONARIES] = { object };
	void *places[MOST_DICTIONARIES];
	uint32_t depth = 1;
	bspi_usd_line(text, "dictionary %s = {", name);
	text->depth++;
	places[0] = json_object_iter((json_t *)(uintptr_t)object);
	while (depth) {
		json_t *top = (json_t *)(uintptr_t)stack[depth - 1];
		void *place = places[depth - 1];
		if (!place) {
			bspi_usd_close(text, '}');
			depth--;
			continue;
		}
		const char *key = json_object_iter_key(place);
		json_t *value = json_object_iter_value(place);
		places[depth - 1] = json_object_iter_next(top, place);
		if (!json_is_object(value) || depth == MOST_DICTIONARIES) {
			put_member(text, key, value);
			continue;
		}
		begin_member(text, "dictionary", key);
		put(text, "{\n", 2);
		text->depth++;
		stack[depth] = value;
		places[depth++] = json_object_iter(value);
	}
}

/* ---- Names ------------------------------------------------------------------------------------------------ */

void bspi_usd_identifier(const char *name, char out[BSPI_USD_NAME_SIZE])
{
	size_t length = 0;
	if (!*name || (*name >= '0' && *name <= '9')) out[length++] = '_';
	for (; *name && length < LONGEST_IDENTIFIER; name++) {
		char c = *name;
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
		out[length++] = plain ? c : '_';
	}
	out[length] = 0;
}

void bspi_usd_take_identifier(bspi_names *names, const char *name, uint32_t number, char out[BSPI_USD_NAME_SIZE])
{
	bspi_usd_identifier(name, out);
	size_t length = strlen(out);
	while (!bspi_names_take(names, out)) {
		snprintf(out + length, BSPI_USD_NAME_SIZE - length, "_%" PRIu32, number++);
	}
}
