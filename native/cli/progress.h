/* progress.h - a bar on standard error for work that takes long, when that is a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli/options/args.h"

typedef struct cli_progress {
	bool on, shown;
	double from, to;                   /* of the bar, that the library's fraction fills */
	uint64_t started, drawn;           /* milliseconds */
} cli_progress;

/* What follows is the part from..to of the command. */
void cli_progress_begin(cli_progress *progress, const cli_args *args, double from, double to);
/* The same bar goes on with another part. */
void cli_progress_part(cli_progress *progress, double from, double to);
/* A bspscene_progress_fn; user is the cli_progress. */
bspscene_progress_result cli_progress_step(void *user, const char *stage, double fraction);
/* Takes the bar away. */
void cli_progress_end(cli_progress *progress);

#endif
