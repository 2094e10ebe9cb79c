/* progress.h - draws a progress bar on standard error, if that is a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli/options/args.h"

typedef struct cli_progress {
	bool on, shown;
	double from, to;                   /* range of the bar, 0 to 1, that the present part of the work fills */
	uint64_t started, drawn;           /* times of cli_milliseconds when the bar began and when it was last drawn */
} cli_progress;

/* Begins a bar. The next calls of cli_progress_step fill it between `from` and `to`, which are 0 to 1. */
void cli_progress_begin(cli_progress *progress, const cli_args *args, double from, double to);
/* Continues the bar: the next calls of cli_progress_step fill it between `from` and `to`, which are 0 to 1. */
void cli_progress_part(cli_progress *progress, double from, double to);
/* Implements bspscene_progress_fn; user is the cli_progress. */
bspscene_progress_result cli_progress_step(void *user, const char *stage, double fraction);
/* Erases the bar. */
void cli_progress_end(cli_progress *progress);

#endif
