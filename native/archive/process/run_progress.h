/* run_progress.h - how a long run goes: a line while it does, a summary at its end. */
#ifndef CLI_RUN_PROGRESS_H
#define CLI_RUN_PROGRESS_H

#include "archive/process/run_plan.h"

typedef struct cli_run_progress {
	const cli_args *args;
	uint32_t moved;					/* of those that are left: only their places are to be written */
	uint32_t total, done, quarantined, skipped, refreshed, others, left;
	double started, shown;             /* seconds of cli_clock */
	double bytes;					  /* growth of the store by finished maps */
	bool terminal, drawn, expected;    /* expected: what was from the first maps is said */
	char *fault;					   /* fault of the first of `left` */
} cli_run_progress;

/* Prints how many maps are to do. Complete ones are skipped. */
void cli_run_begin(cli_run_progress *progress, const cli_args *args, const cli_run_plan *plan);
/* `bytes`: by which its folder grew. */
void cli_run_done(cli_run_progress *progress, double bytes);
void cli_run_skipped(cli_run_progress *progress);  /* it was there */
void cli_run_refreshed(cli_run_progress *progress); /* it was, with other places */
void cli_run_others(cli_run_progress *progress);   /* somebody else is making it */
/* Warns at once. */
void cli_run_quarantined(cli_run_progress *progress, const char *name, const char *reason, const char *message);
/* By no fault of the map's: said once, at the end. */
void cli_run_left(cli_run_progress *progress, const char *fault);
/* The line, when it is time for one; what is expected, from the twentieth map on. */
void cli_run_show(cli_run_progress *progress);
/* The summary. CLI_FAILED: there is more to do. */
cli_exit cli_run_end(cli_run_progress *progress, bool stopped);

#endif
