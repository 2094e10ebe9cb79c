/* run_progress.c - see run_progress.h. Rewrites one line on a terminal; prints a line per minute to a file. */
#include "archive/process/run_progress.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive/process/child.h"
#include "cli/host/platform.h"
#include "cli/report.h"

#define ON_TERMINAL 0.2                /* seconds between lines */
#define IN_LOG 60.0

/* The remaining time is estimated once this many maps are finished. */
#define EXPECTED_FROM 20u

void cli_run_begin(cli_run_progress *progress, const cli_args *args, const cli_run_plan *plan)
{
	double now = cli_clock();
	*progress = (cli_run_progress) {
		.args = args,
		.total = plan->total,
		.moved = plan->moved,
		.skipped = plan->there - plan->moved,
		.started = now,
		.shown = now,
		.terminal = cli_is_terminal(stderr),
	};
	if (args->quiet) return;
	fprintf(stderr, "%u maps: %u to do, %u there already\n", plan->total, plan->total - plan->there, plan->there);
	fflush(stderr);
}

static void clear(cli_run_progress *progress)
{
	if (progress->drawn) fprintf(stderr, "\r%78s\r", "");
	progress->drawn = false;
}

void cli_run_done(cli_run_progress *progress, double bytes)
{
	progress->done++;
	progress->bytes += bytes;
}

void cli_run_skipped(cli_run_progress *progress)
{
	progress->skipped++;
}

void cli_run_refreshed(cli_run_progress *progress)
{
	progress->skipped++;
	progress->refreshed++;
	if (progress->moved) progress->moved--;
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

static uint32_t behind_of(const cli_run_progress *progress)
{
	return made(progress) + progress->skipped + progress->others + progress->left;
}

/* Returns the number of maps that still have to be processed. */
static uint32_t ahead_of(const cli_run_progress *progress)
{
	uint32_t behind = behind_of(progress) + progress->moved;
	return progress->total > behind ? progress->total - behind : 0;
}

/* Prints an estimate once, as soon as enough maps are finished. */
static void show_expected(cli_run_progress *progress, double seconds, double gigabytes)
{
	if (progress->expected || !ahead_of(progress)) return;
	progress->expected = true;
	clear(progress);
	fprintf(stderr, "after %u maps: the other %u will take about %.2f hours and %.2f GB\n", made(progress),
	        ahead_of(progress), seconds / 3600, gigabytes);
}

void cli_run_show(cli_run_progress *progress)
{
	double now = cli_clock(), seconds = now - progress->started;
	bool knows = made(progress) >= EXPECTED_FROM;
	double share = knows ? (double)ahead_of(progress) / made(progress) : 0;
	double left = seconds * share, gigabytes = progress->bytes > 0 ? progress->bytes * share / 1e9 : 0;
	if (progress->args->quiet) return;
	if (knows) show_expected(progress, left, gigabytes);
	if (now - progress->shown < (progress->terminal ? ON_TERMINAL : IN_LOG)) return;
	progress->shown = now;
	fprintf(stderr, "%s%u of %u maps, %u quarantined, %.2f a second", progress->terminal ? "\r" : "",
	        behind_of(progress), progress->total, progress->quarantined, seconds > 0 ? made(progress) / seconds : 0);
	if (knows) {
		fprintf(stderr, ", %u:%02u:%02u and %.2f GB left", (unsigned)(left / 3600), (unsigned)(left / 60) % 60,
		        (unsigned)left % 60, gigabytes);
	}
	fputs(progress->terminal ? " " : "\n", stderr);
	progress->drawn = progress->terminal;
	fflush(stderr);
}

cli_exit cli_run_end(cli_run_progress *progress, bool stopped)
{
	double seconds = cli_clock() - progress->started;
	uint32_t behind = behind_of(progress);
	clear(progress);
	if (!progress->args->quiet) {
		printf("%u maps: %u done, %u quarantined, %u there already", progress->total, progress->done,
		       progress->quarantined, progress->skipped);
		if (progress->refreshed) printf(" (%u in other places now)", progress->refreshed);
		if (progress->others) printf(", %u being made by other runs", progress->others);
		if (progress->left + progress->total - behind) printf(", %u left", progress->left + progress->total - behind);
		printf("; %.1f s, %.2f maps a second\n", seconds, seconds > 0 ? made(progress) / seconds : 0);
	}
	cli_exit status = cli_finish_stdout();
	if (progress->left) {
		bool one = progress->left == 1;
		cli_fail("%u map%s not processed, and the next run will try again; the %sreason: %s", progress->left,
		         one ? " was" : "s were", one ? "" : "first ", progress->fault);
	}
	free(progress->fault);
	progress->fault = NULL;
	if (stopped) return cli_fail("stopped; run the same command again to continue");
	return behind < progress->total || progress->left ? CLI_FAILED : status;
}
