/* progress.c - draws a progress bar from the library's progress calls. See progress.h. */
#include "cli/progress.h"

#include <stdio.h>

#include "cli/host/platform.h"

enum { BAR_WIDTH = 40, FIRST_AFTER = 300, EVERY = 100 }; /* width in characters; milliseconds before the bar appears;
                                                          * milliseconds between updates */

void cli_progress_begin(cli_progress *progress, const cli_args *args, double from, double to)
{
	*progress = (cli_progress){
		.on = !args->quiet && cli_is_terminal(stderr), .from = from, .to = to, .started = cli_milliseconds(),
	};
}

void cli_progress_part(cli_progress *progress, double from, double to)
{
	progress->from = from;
	progress->to = to;
}

bspscene_progress_result cli_progress_step(void *user, const char *stage, double fraction)
{
	cli_progress *progress = user;
	if (!progress->on) return BSPSCENE_PROGRESS_CONTINUE;
	uint64_t now = cli_milliseconds();
	if (now - progress->started < FIRST_AFTER || now - progress->drawn < EVERY) return BSPSCENE_PROGRESS_CONTINUE;

	double part = progress->from + (progress->to - progress->from) * fraction;
	int filled = (int)(part * BAR_WIDTH);
	char bar[BAR_WIDTH + 1] = { 0 };
	for (int i = 0; i < BAR_WIDTH; i++) bar[i] = i < filled ? '=' : ' ';
	fprintf(stderr, "\r[%s] %3d %% %-12s", bar, (int)(part * 100), stage);
	fflush(stderr);
	progress->drawn = now;
	progress->shown = true;
	return BSPSCENE_PROGRESS_CONTINUE;
}

void cli_progress_end(cli_progress *progress)
{
	if (progress->shown) fprintf(stderr, "\r%*s\r", BAR_WIDTH + 22, "");
	progress->shown = false;
}
