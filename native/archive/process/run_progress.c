/* run_progress.c - see run_progress.h. A terminal has the line rewritten, a log file gets one each minute. */
#include "archive/process/run_progress.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive/process/child.h"
#include "cli/host/platform.h"
#include "cli/report.h"

#define ON_TERMINAL 0.2                /* seconds between lines */
#define IN_LOG 60.0

void cli_run_begin(cli_run_progress *progress, const cli_args *args, uint32_t total)
{
	double now = cli_clock();
	*progress = (cli_run_progress) {
		.args = args,
		.total = total,
		.started = now,
		.shown = now,
		.terminal = cli_is_terminal(stderr),
	};
}

static void clear(cli_run_progress *progress)
{
	if (progress->drawn) fprintf(stderr, "\r%78s\r", "");
	progress->drawn = false;
}

void cli_run_done(cli_run_progress *progress)
{
	progress->done++;
}

void cli_run_skipped(cli_run_progress *progress)
{
	progress->skipped++;
}

void cli_run_refreshed(cli_run_progress *progress)
{
	progress->skipped++;
	progress->refreshed++;
}

void cli_run_others(cli_run_progress *progress)
{
	progress->others++;
}

void cli_run_quarantined(cli_run_progress *progress, const char *name, const char *reason, const char *message)
{
	progress->quarantined++;
	clear(progress);
	cli_warn(progress->args, "%s: quarantined (%s): %s", name, reason, message);
}

void cli_run_left(cli_run_progress *progress, const char *fault)
{
	if (!progress->left++) progress->fault = cli_format("%s", fault);
}

static uint32_t made(const cli_run_progress *progress)
{
	return progress->done + progress->quarantined;
}

void cli_run_show(cli_run_progress *progress)
{
	double now = cli_clock(), seconds = now - progress->started;
	if (progress->args->quiet || now - progress->shown < (progress->terminal ? ON_TERMINAL : IN_LOG)) return;
	progress->shown = now;
	uint32_t behind = made(progress) + progress->skipped + progress->others + progress->left;
	double rate = seconds > 0 ? made(progress) / seconds : 0;
	double left = rate > 0 ? (progress->total - behind) / rate : 0;
	fprintf(stderr, "%s%u of %u maps, %u quarantined, %.2f a second, %u:%02u:%02u left %s",
	        progress->terminal ? "\r" : "", behind, progress->total, progress->quarantined, rate,
	        (unsigned)(left / 3600), (unsigned)(left / 60) % 60, (unsigned)left % 60, progress->terminal ? "" : "\n");
	progress->drawn = progress->terminal;
	fflush(stderr);
}

cli_exit cli_run_end(cli_run_progress *progress, bool stopped)
{
	double seconds = cli_clock() - progress->started;
	uint32_t behind = made(progress) + progress->skipped + progress->others + progress->left;
	clear(progress);
	if (!progress->args->quiet) {
		printf("%u maps: %u done, %u quarantined, %u there already", progress->total, progress->done,
		       progress->quarantined, progress->skipped);
		if (progress->refreshed) printf(" (%u in other places now)", progress->refreshed);
		if (progress->others) printf(", %u being made by others", progress->others);
		if (progress->left + progress->total - behind) printf(", %u left", progress->left + progress->total - behind);
		printf("; %.1f s, %.2f maps a second\n", seconds, seconds > 0 ? made(progress) / seconds : 0);
	}
	cli_exit status = cli_finish_stdout();
	if (progress->left) {
		cli_fail("%u map%s left to do, by no fault of %s: %s", progress->left, progress->left == 1 ? " is" : "s are",
		         progress->left == 1 ? "its own" : "their own; the first", progress->fault);
	}
	free(progress->fault);
	progress->fault = NULL;
	if (stopped) return cli_fail("stopped: run it again to go on");
	return behind < progress->total || progress->left ? CLI_FAILED : status;
}
