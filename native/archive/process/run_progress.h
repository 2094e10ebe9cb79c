/* run_progress.h - prints the progress of a long run, and a summary at its end. */
#ifndef CLI_RUN_PROGRESS_H
#define CLI_RUN_PROGRESS_H

#include "archive/process/run_plan.h"

typedef struct cli_run_progress {
	const cli_args *args;
	uint32_t moved;                    /* how many of the remaining maps need only new places in their results */
	uint32_t total, done, quarantined, skipped, refreshed, others, left;
	double started, shown;             /* seconds of cli_clock */
	double bytes;                      /* bytes that finished maps added to the store */
	bool terminal, drawn, expected;    /* true if: standard error is a terminal; the terminal shows the progress line
	                                    * now; the estimate was printed */
	char *fault;                       /* the error of the first map that was left for another run */
} cli_run_progress;

/* Begins to count, and prints how many maps have to be processed. Maps that are complete do not count. */
void cli_run_begin(cli_run_progress *progress, const cli_args *args, const cli_run_plan *plan);
/* Counts a finished map. `bytes` tells by how much the map's folder grew. */
void cli_run_done(cli_run_progress *progress, double bytes);
void cli_run_skipped(cli_run_progress *progress);  /* the map was done already */
void cli_run_refreshed(cli_run_progress *progress); /* the map was done already; only its places were written again */
void cli_run_others(cli_run_progress *progress);   /* another worker processes the map */
/* Counts a quarantined map, and prints a warning. */
void cli_run_quarantined(cli_run_progress *progress, const char *name, const char *reason, const char *message);
/* Counts a map that failed without fault of its own. The error of the first such map is printed at the end. */
void cli_run_left(cli_run_progress *progress, const char *fault);
/* Prints the progress line, if the last one is old enough. Prints the estimate once. */
void cli_run_show(cli_run_progress *progress);
/* Prints the summary. Returns CLI_FAILED if maps remain to be processed. */
cli_exit cli_run_end(cli_run_progress *progress, bool stopped);

#endif
