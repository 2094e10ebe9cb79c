/* json_build.c - see json_build.h. jansson writes numbers independently of the locale. */
#include "writers/json_build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

/* Upper bounds for the bytes that jansson allocates: for a value, and for its place in an array or object. */
#define VALUE_SIZE 192u
#define ELEMENT_SIZE 48u

/* Charges a value to the budget. It stays charged until the writer ends, because documents live nearly as long. */
static bool take(bspi_writer *writer, const json_t *value)
{
	if (writer->failure.status) return false;
	return bspi_writer_take(writer, VALUE_SIZE + json_string_length(value) + json_array_size(value) * ELEMENT_SIZE);
}

static void check(bspi_writer *writer, int result)
{
	if (result) bspi_writer_fail_memory(writer);
}

void bspi_json_set(bspi_writer *writer, json_t *object, const char *key, json_t *value)
{
	if (take(writer, value)) check(writer, json_object_set_new(object, key, value));
	else json_decref(value);
}

void bspi_json_append(bspi_writer *writer, json_t *array, json_t *value)
{
	if (take(writer, value)) check(writer, json_array_append_new(array, value));
	else json_decref(value);
}

/* Returns the double with the fewest decimal digits that, rounded to a float, is `value`. The locale does not matter,
 * because the same C library writes the text and reads it. */
static double shortest(float value)
{
	char text[32];
	snprintf(text, sizeof text, "%.*g", bspi_float_digits(value), (double)value);
	return strtod(text, NULL);
}

json_t *bspi_json_float(float value)
{
	return json_real(value == 0 ? 0 : shortest(value));
}

json_t *bspi_json_floats(const float *values, uint32_t count)
{
	json_t *array = json_array();
	for (uint32_t i = 0; i < count; i++) {
		if (json_array_append_new(array, bspi_json_float(values[i]))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static int add(const char *text, size_t size, void *user)
{
	return bspi_buffer_add(user, text, size) ? 0 : -1;
}

bool bspi_json_text(bspi_writer *writer, const json_t *document, size_t flags, bspi_buffer *out)
{
	*out = (bspi_buffer){ .writer = writer };
	if (writer->failure.status) return false;
	return !json_dump_callback(document, add, out, flags | JSON_REAL_PRECISION(9)) || bspi_writer_fail_memory(writer);
}
