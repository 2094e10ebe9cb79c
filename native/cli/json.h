/* json.h - what jansson refuses, made acceptable: text that is not UTF-8, floats at their own precision. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <jansson.h>

#include "cli/options/args.h"
#include "cli/output.h"

/* Bytes that are not UTF-8 (file names can hold any) become U+FFFD. */
json_t *cli_json_text(const char *text);
/* With the fewest digits that read back as the same float. */
#define CLI_FLOAT_TEXT 24
void cli_print_float(float value, char out[CLI_FLOAT_TEXT]);
json_t *cli_json_float(float value);
json_t *cli_json_floats(const float *values, size_t count);
/* An index, or null for BSPSCENE_NO_INDEX. */
json_t *cli_json_index(uint32_t index);
/* Prints a value on standard output and releases it: of an array each element on a line, an object indented. */
cli_exit cli_json_print(json_t *value);
/* The same into a file of an output. False: the output knows why, or memory is out. */
bool cli_json_write(json_t *value, cli_output *output, const char *name);
/* The same into a file at a path, which takes the place of another. False: errno. */
bool cli_json_save(const json_t *value, const char *path);
/* What is in a file, without members that are there twice; NULL: it is not there, or no JSON: `error`, which may be
 * NULL. Release it. */
json_t *cli_json_load(const char *path, json_error_t *error);
/* The same as one line with its end, in new memory. */
char *cli_json_line(json_t *value);

#endif
