/* progress.h - a bar on standard error for work that takes long, when that is a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "args.h"

typedef struct cli_progress {
	bool on, shown;
	uint64_t started, drawn;           /* milliseconds */
} cli_progress;

void cli_progress_begin(cli_progress *progress, const cli_args *args);
/* A bspscene_progress_fn; user is the cli_progress. */
bspscene_progress_result cli_progress_step(void *user, const char *stage, uint64_t done, uint64_t total);
/* Takes the bar away. */
void cli_progress_end(cli_progress *progress);

#endif
