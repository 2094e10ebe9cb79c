/* usd_text.h - the text of USD: lines of prims and their attributes, in one buffer. After a failure (writer->failure,
 * or in a task the buffer's error) nothing is added any more, so only the end of the work has to ask.
 *
 * The form is OpenUSD's "usda" 1.0, of which its parser is the judge: each statement and each item of metadata ends
 * with a line. */
#ifndef BSPI_USD_TEXT_H
#define BSPI_USD_TEXT_H

#include "writers/json_build.h"

#define BSPI_USD_NAME_SIZE 112         /* of an identifier and its end */

typedef struct bspi_usd_text {
	bspi_writer *writer;
	bspi_buffer bytes;
	uint32_t depth;                    /* of indentation */
	bool in_list;                      /* an element was put */
	bool failed;
} bspi_usd_text;

/* One line, indented. printf for words and integers: no floats, and less than 1000 bytes. */
void bspi_usd_line(bspi_usd_text *text, const char *format, ...) BSPI_PRINTF(2, 3);
/* A line of '{' or '(', and what is within it until the other one ends it. */
void bspi_usd_open(bspi_usd_text *text, char bracket);
void bspi_usd_close(bspi_usd_text *text, char bracket);

/* "DECLARATION = ", and then one of: */
void bspi_usd_number(bspi_usd_text *text, const char *declaration, float value);
void bspi_usd_tuple(bspi_usd_text *text, const char *declaration, const float *values, uint32_t count);
void bspi_usd_string(bspi_usd_text *text, const char *declaration, const char *value);

void bspi_usd_asset(bspi_usd_text *text, const char *declaration, const char *file_name);

/* "DECLARATION = [a, b]" of as many elements as are put before the end. */
void bspi_usd_begin_list(bspi_usd_text *text, const char *declaration);
void bspi_usd_put_integer(bspi_usd_text *text, uint32_t value);
void bspi_usd_put_tuple(bspi_usd_text *text, const float *values, uint32_t count); /* of 1: the number alone */
/* `interpolation` may be NULL. */
void bspi_usd_end_list(bspi_usd_text *text, const char *interpolation);

/* A dictionary of a JSON object's members; lists of mixed things and objects in lists are the text of their JSON. */
void bspi_usd_dictionary(bspi_usd_text *text, const char *name, const json_t *object);

/* A name that is an identifier: letters, digits and '_', no digit first, cut where it is long. */
void bspi_usd_identifier(const char *name, char out[BSPI_USD_NAME_SIZE]);
/* The same, and different from all names taken before: `number` tells it apart. */
void bspi_usd_take_identifier(bspi_names *names, const char *name, uint32_t number, char out[BSPI_USD_NAME_SIZE]);

#endif
