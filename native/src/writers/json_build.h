/* json_build.h - builds JSON documents by jansson, with one place for failure and with the shortest decimals of floats.
 * A value that could not be made or exceeds the budget sets writer->failure and is left out, like all later ones. So a
 * document is checked once, when it is written. */
#ifndef BSPI_JSON_BUILD_H
#define BSPI_JSON_BUILD_H

#include <jansson.h>

#include "writers/writer_buffer.h"

/* Both take ownership of `value`. */
void bspi_json_set(bspi_writer *writer, json_t *object, const char *key, json_t *value);
void bspi_json_append(bspi_writer *writer, json_t *array, json_t *value);
/* The decimal with the fewest digits that reads back as the same float: 0.1, not 0.100000001. */
json_t *bspi_json_float(float value);
json_t *bspi_json_floats(const float *values, uint32_t count);

/* Converts the document to text, which the caller frees. False: writer->failure is set. */
bool bspi_json_text(bspi_writer *writer, const json_t *document, size_t flags, bspi_buffer *out);

#endif
