/* report.h - prints messages. Each error takes one line. Each warning is printed once, with the number of times that it
 * occurred. Texts of maps and file names may contain anything, so control characters in them are escaped. */
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

/* Prints a line on standard output. */
void cli_print(const char *format, ...) CLI_PRINTF(1, 2);
/* Prints a line on any stream, after `start`, which is not escaped. */
void cli_put_line(FILE *out, const char *start, const char *format, va_list arguments) CLI_PRINTF(3, 0);

/* Prints "bspscene: ..." on standard error. Returns CLI_FAILED. */
cli_exit cli_fail(const char *format, ...) CLI_PRINTF(1, 2);
/* Prints an error of the library after `prefix` ("" or "FILE: "). If a limit was exceeded, also names the option that
 * raises it. */
cli_exit cli_fail_error(const char *prefix, const bspscene_error *error);
/* Prints an error of the command line. Returns CLI_USAGE. */
cli_exit cli_usage(const char *format, ...) CLI_PRINTF(1, 2);

/* Prints "warning: ..." on standard error, unless --quiet. */
void cli_warn(const cli_args *args, const char *format, ...) CLI_PRINTF(2, 3);
/* Prints the scene's warnings. For missing textures, prints their names, the places that were searched, and what the
 * user can do. `files` may be NULL. */
void cli_warn_of_scene(const cli_args *args, const bspscene_scene *scene, const bspscene_file_system *files);

/* Flushes standard output. Prints an error if that fails, such as on a full disk or a closed pipe. */
cli_exit cli_finish_stdout(void);

/* Returns formatted text in new memory. Ends the program if memory is short. */
char *cli_format(const char *format, ...) CLI_PRINTF(1, 2);
/* Appends `item` to a list such as "a, b" in *list, which is NULL at first and is reallocated. */
void cli_append(char **list, const char *item);
/* Prints that memory is short, and ends the program. */
_Noreturn void cli_end_without_memory(void);
void *cli_allocate(size_t count, size_t size);
/* Resizes an array to `count` elements. New elements are not initialized. */
void *cli_resize(void *array, size_t count, size_t size);

#endif
