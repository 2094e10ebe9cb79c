/* json_build.c - see json_build.h. jansson writes numbers without the locale. */
#include "writers/json_build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(bspi_writer *writer, int result)
{
	if (result) bspi_writer_fail(writer, BSPSCENE_ERROR_OUT_OF_MEMORY, "out of memory");
}

void bspi_json_set(bspi_writer *writer, json_t *object, const char *key, json_t *value)
{
	check(writer, json_object_set_new(object, key, value));
}

void bspi_json_append(bspi_writer *writer, json_t *array, json_t *value)
{
	check(writer, json_array_append_new(array, value));
}

/* Written and read by the same C library, so the locale's decimal point does not matter. */
static double shortest(float value)
{
	char text[32];
	for (int digits = 6; digits < 9; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, (double)value);
		double decimal = strtod(text, NULL);
		if ((float)decimal == value) return decimal;
	}
	return (double)value;
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

char *bspi_json_text(bspi_writer *writer, const json_t *document, size_t flags, size_t *size)
{
	if (writer->failure.status) return NULL;
	char *text = json_dumps(document, flags | JSON_REAL_PRECISION(9));
	if (!text) bspi_writer_fail(writer, BSPSCENE_ERROR_OUT_OF_MEMORY, "out of memory");
	else *size = strlen(text);
	return text;
}

void bspi_json_free(char *text)
{
	json_malloc_t allocate;
	json_free_t release;               /* a host may have given jansson its own */
	json_get_alloc_funcs(&allocate, &release);
	if (text) release(text);
}
