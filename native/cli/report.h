/* report.h - what the user is told: one line per error, warnings once with their counts. Texts of maps and names of
 * files may hold anything; every line here is one that a terminal shows and does not obey. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <stdarg.h>
#include <stdio.h>

#include "cli/options/args.h"

#if defined(__GNUC__)
	#define CLI_PRINTF(format_at, first) __attribute__((format(printf, format_at, first)))
#else
	#define CLI_PRINTF(format_at, first)
#endif

/* A line on standard output. */
void cli_print(const char *format, ...) CLI_PRINTF(1, 2);
/* The same on any output; `start` is our own text. */
void cli_put_line(FILE *out, const char *start, const char *format, va_list arguments) CLI_PRINTF(3, 0);

/* "bspscene: ..." on standard error. Returns CLI_FAILED. */
cli_exit cli_fail(const char *format, ...) CLI_PRINTF(1, 2);
/* The same for an error of the library, which `prefix` ("" or "FILE: ") begins, with the option that helps. */
cli_exit cli_fail_error(const char *prefix, const bspscene_error *error);
/* The same for a wrong command line. Returns CLI_USAGE. */
cli_exit cli_usage(const char *format, ...) CLI_PRINTF(1, 2);

/* "warning: ...", unless --quiet. */
void cli_warn(const cli_args *args, const char *format, ...) CLI_PRINTF(2, 3);
/* The scene's warnings, and of missing textures: which, where they were searched and what helps. `files` may be
 * NULL. */
void cli_warn_of_scene(const cli_args *args, const bspscene_scene *scene, const bspscene_file_system *files);

/* Ends writing to standard output; a full disk or a closed pipe is an error like any other. */
cli_exit cli_finish_stdout(void);

/* printf into new memory; the program ends when there is none. */
char *cli_format(const char *format, ...) CLI_PRINTF(1, 2);
/* Makes *list (NULL: none yet) "a, b, item" in new memory. */
void cli_append(char **list, const char *item);
/* Ends the program. */
_Noreturn void cli_end_without_memory(void);
void *cli_allocate(size_t count, size_t size);
/* realloc of an array to `count` elements, the new ones unset. */
void *cli_resize(void *array, size_t count, size_t size);

#endif
