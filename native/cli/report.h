/* report.h - what the user is told on standard error: one line per error, warnings once with their counts. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "args.h"

#if defined(__GNUC__)
	#define CLI_PRINTF(format_at, first) __attribute__((format(printf, format_at, first)))
#else
	#define CLI_PRINTF(format_at, first)
#endif

/* "bspscene: ..." on one printable line. Returns CLI_FAILED. */
cli_exit cli_fail(const char *format, ...) CLI_PRINTF(1, 2);
/* The same for a wrong command line. Returns CLI_USAGE. */
cli_exit cli_usage(const char *format, ...) CLI_PRINTF(1, 2);

/* "warning: ...", unless --quiet. */
void cli_warn(const cli_args *args, const char *format, ...) CLI_PRINTF(2, 3);
/* The scene's warnings, and of missing textures: which, where they were searched and what helps. `files` may be
 * NULL. */
void cli_warn_of_scene(const cli_args *args, const bspscene_scene *scene, const bspscene_files *files);

/* Ends writing to standard output; a full disk or a closed pipe is an error like any other. */
cli_exit cli_finish_stdout(void);

/* printf into new memory; the program ends when there is none. */
char *cli_format(const char *format, ...) CLI_PRINTF(1, 2);
/* Makes *list (NULL: none yet) "a, b, item" in new memory. */
void cli_append(char **list, const char *item);
/* Ends the program. */
_Noreturn void cli_end_without_memory(void);
void *cli_allocate(size_t count, size_t size);

#endif
