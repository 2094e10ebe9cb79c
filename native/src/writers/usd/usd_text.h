/* usd_text.h - writes the text of USD, that is, lines with prims and their attributes, to one buffer. After a failure
 * the functions add nothing more, so callers check for failure only once, at the end. A failure is stored in
 * writer->failure, or in a task in the buffer's error.
 *
 * The format is "usda" 1.0 as OpenUSD's parser accepts it: each statement and each item of metadata has a line of its
 * own. */
#ifndef BSPI_USD_TEXT_H
#define BSPI_USD_TEXT_H

#include "writers/json_build.h"

#define BSPI_USD_NAME_SIZE 112         /* bytes of an identifier, including the final NUL */

typedef struct bspi_usd_text {
	bspi_writer *writer;
	bspi_buffer bytes;
	uint32_t depth;                    /* number of levels by which lines are indented */
	bool in_list;                      /* the open list has at least one element */
	bool failed;
} bspi_usd_text;

/* Writes one indented line by printf. The format may only contain strings and integers, because the text of floats
 * depends on the locale. The line must be shorter than 1000 bytes. */
void bspi_usd_line(bspi_usd_text *text, const char *format, ...) BSPI_PRINTF(2, 3);
/* bspi_usd_open writes a line with an opening bracket and indents the lines after it. bspi_usd_close writes the closing
 * bracket. */
void bspi_usd_open(bspi_usd_text *text, char bracket);
void bspi_usd_close(bspi_usd_text *text, char bracket);

/* These write a line "DECLARATION = VALUE". */
void bspi_usd_number(bspi_usd_text *text, const char *declaration, float value);
void bspi_usd_tuple(bspi_usd_text *text, const char *declaration, const float *values, uint32_t count);
void bspi_usd_string(bspi_usd_text *text, const char *declaration, const char *value);

void bspi_usd_asset(bspi_usd_text *text, const char *declaration, const char *file_name);

/* bspi_usd_begin_list and bspi_usd_end_list begin and end a list. Between them, numbers and tuples are written,
 * separated by commas. */
void bspi_usd_begin_list(bspi_usd_text *text, const char *declaration);
void bspi_usd_put_integer(bspi_usd_text *text, uint32_t value);
void bspi_usd_put_tuple(bspi_usd_text *text, const float *values, uint32_t count); /* `count` 1: a plain number */
/* Ends a list. `interpolation` is metadata of the attribute, or NULL for none. */
void bspi_usd_end_list(bspi_usd_text *text, const char *interpolation);

/* Writes a JSON object as a dictionary. Lists of objects or of different types of values become JSON text. */
void bspi_usd_dictionary(bspi_usd_text *text, const char *name, const json_t *object);

/* Makes an identifier from a name: letters, digits and '_', with no digit at the beginning. Long names are cut. */
void bspi_usd_identifier(const char *name, char out[BSPI_USD_NAME_SIZE]);
/* Makes an identifier from a name and adds it to `names`. If the identifier is taken already, `number` is appended. */
void bspi_usd_take_identifier(bspi_names *names, const char *name, uint32_t number, char out[BSPI_USD_NAME_SIZE]);

#endif
