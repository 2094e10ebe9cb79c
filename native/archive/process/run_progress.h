/* run_progress.h - the progress of a long run: a line during it, a summary at its end. */
#ifndef CLI_RUN_PROGRESS_H
#define CLI_RUN_PROGRESS_H

#include "archive/process/run_plan.h"

typedef struct cli_run_progress {
	const cli_args *args;
	uint32_t moved;                    /* number of those left of which only the places are to be written */
	uint32_t total, done, quarantined, skipped, refreshed, others, left;
	double started, shown;             /* seconds of cli_clock */
	double bytes;                      /* bytes by which finished maps made the store larger */
	bool terminal, drawn, expected;    /* the estimate from the first maps was printed */
	char *fault;                       /* error of the first of `left` */
} cli_run_progress;

/* Prints how many maps are to do. Complete ones are skipped. */
void cli_run_begin(cli_run_progress *progress, const cli_args *args, const cli_run_plan *plan);
/* Counts a finished map. `bytes`: by how much the map's folder grew. */
void cli_run_done(cli_run_progress *progress, double bytes);
void cli_run_skipped(cli_run_progress *progress);  /* the map was done already */
void cli_run_refreshed(cli_run_progress *progress); /* the map was done already; only its places were written again */
void cli_run_others(cli_run_progress *progress);   /* another worker processes the map */
/* Prints a warning at once. */
void cli_run_quarantined(cli_run_progress *progress, const char *name, const char *reason, const char *message);
/* Counts a map that failed for a reason outside of it. Printed once, at the end. */
void cli_run_left(cli_run_progress *progress, const char *fault);
/* Prints the progress line if it is time, and the estimate once. */
void cli_run_show(cli_run_progress *progress);
/* Prints the summary. CLI_FAILED: there are maps left to do. */
cli_exit cli_run_end(cli_run_progress *progress, bool stopped);

#endif
