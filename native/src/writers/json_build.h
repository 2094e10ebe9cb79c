/* json_build.h - builds JSON documents with jansson. Floats are written with the fewest digits. If a value cannot be
 * made or exceeds the budget, writer->failure is set, and this value and all later ones are left out. So callers check
 * for failure once, when the document is written. */
#ifndef BSPI_JSON_BUILD_H
#define BSPI_JSON_BUILD_H

#include <jansson.h>

#include "writers/writer_buffer.h"

/* These add `value` to an object or an array, which then owns it. */
void bspi_json_set(bspi_writer *writer, json_t *object, const char *key, json_t *value);
void bspi_json_append(bspi_writer *writer, json_t *array, json_t *value);
/* These return floats as the decimals with the fewest digits that are read back as the same floats: 0.1, not
 * 0.100000001. */
json_t *bspi_json_float(float value);
json_t *bspi_json_floats(const float *values, uint32_t count);

/* Converts the document to text, which the caller frees. Returns false with writer->failure set if that fails. */
bool bspi_json_text(bspi_writer *writer, const json_t *document, size_t flags, bspi_buffer *out);

#endif
