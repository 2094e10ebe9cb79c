/* json.h - conversions for jansson, which rejects text that is not UTF-8 and prints floats as doubles. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <jansson.h>

#include "cli/options/args.h"
#include "cli/output.h"

/* Returns a JSON string. The text may be a file name, which may have bytes that are not valid UTF-8. These are replaced
 * with U+FFFD. */
json_t *cli_json_text(const char *text);
/* Size of the text of cli_print_float. It prints a float with the fewest digits that read back as the same float. */
#define CLI_FLOAT_TEXT 24
void cli_print_float(float value, char out[CLI_FLOAT_TEXT]);
json_t *cli_json_float(float value);
json_t *cli_json_floats(const float *values, size_t count);
/* Returns an index, or null for BSPSCENE_NO_INDEX. */
json_t *cli_json_index(uint32_t index);
/* Prints a value on standard output and releases it. Prints an array with one element per line, and an object
 * indented. */
cli_exit cli_json_print(json_t *value);
/* Like cli_json_print, but writes the text into a file of an output. Returns false if writing failed (the output has
 * the reason) or memory is short. */
bool cli_json_write(json_t *value, cli_output *output, const char *name);
/* Like cli_json_print, but replaces the file at a path by the text, and does not release the value. Returns false with
 * errno on failure. */
bool cli_json_save(const json_t *value, const char *path);
/* Reads the JSON value in a file; duplicate members are refused. NULL: the file does not exist or is not JSON; `error`,
 * which may be NULL, has the reason. The caller releases it. */
json_t *cli_json_load(const char *path, json_error_t *error);
/* Returns a value as one line with its line break, in new memory, and releases the value. */
char *cli_json_line(json_t *value);

#endif
