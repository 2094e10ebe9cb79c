/* usd_text.h - the text of USD: lines of prims and their attributes, in one buffer. After a failure (writer->failure,
 * or the buffer's error in a task) nothing is added any more, so callers check for failure only once, at the end.
 *
 * The format is OpenUSD's "usda" 1.0, as its parser accepts it: each statement and each item of metadata is a line. */
#ifndef BSPI_USD_TEXT_H
#define BSPI_USD_TEXT_H

#include "writers/json_build.h"

#define BSPI_USD_NAME_SIZE 112         /* bytes of an identifier, including the final NUL */

typedef struct bspi_usd_text {
	bspi_writer *writer;
	bspi_buffer bytes;
	uint32_t depth;                    /* level of indentation */
	bool in_list;                      /* the open list has an element */
	bool failed;
} bspi_usd_text;

/* Writes one indented line by printf. The format has only strings and integers, because floats depend on the locale,
 * and the line has less than 1000 bytes. */
void bspi_usd_line(bspi_usd_text *text, const char *format, ...) BSPI_PRINTF(2, 3);
/* Write a line with an opening bracket and indent what follows; write the closing bracket. */
void bspi_usd_open(bspi_usd_text *text, char bracket);
void bspi_usd_close(bspi_usd_text *text, char bracket);

/* Write a line "DECLARATION = VALUE". */
void bspi_usd_number(bspi_usd_text *text, const char *declaration, float value);
void bspi_usd_tuple(bspi_usd_text *text, const char *declaration, const float *values, uint32_t count);
void bspi_usd_string(bspi_usd_text *text, const char *declaration, const char *value);

void bspi_usd_asset(bspi_usd_text *text, const char *declaration, const char *file_name);

/* Lists are written between these two. Numbers and tuples are separated by commas; a tuple with count 1 is a plain
 * number. */
void bspi_usd_begin_list(bspi_usd_text *text, const char *declaration);
void bspi_usd_put_integer(bspi_usd_text *text, uint32_t value);
void bspi_usd_put_tuple(bspi_usd_text *text, const float *values, uint32_t count); /* `count` 1 writes a plain number */
/* Ends a list. `interpolation` is the attribute's metadata, or NULL. */
void bspi_usd_end_list(bspi_usd_text *text, const char *interpolation);

/* Writes a JSON object as a dictionary. Lists of mixed elements and objects in lists become JSON text. */
void bspi_usd_dictionary(bspi_usd_text *text, const char *name, const json_t *object);

/* Makes an identifier of a name: letters, digits and '_', not beginning with a digit. Long names are truncated. */
void bspi_usd_identifier(const char *name, char out[BSPI_USD_NAME_SIZE]);
/* Makes an identifier that differs from all taken ones. If the name is taken, `number` is appended. */
void bspi_usd_take_identifier(bspi_names *names, const char *name, uint32_t number, char out[BSPI_USD_NAME_SIZE]);

#endif
