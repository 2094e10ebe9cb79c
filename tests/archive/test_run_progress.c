/* Promise: after twenty maps, a run estimates the time and space for the other maps from the maps that are done. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "archive/process/run_progress.h"
#include "archive/process/child.h"
#include "support/bspt.h"

static void show_into(cli_run_progress *progress, const char *path)
{
	fflush(stderr);
	int kept = dup(STDERR_FILENO);
	assert_true(kept >= 0 && freopen(path, "wb", stderr));
	cli_run_show(progress);
	fflush(stderr);
	dup2(kept, STDERR_FILENO);
	close(kept);
}

/* Shows the progress of a run of which twenty maps took two hours and half a gigabyte each. Checks that the output
 * contains the texts `want`. */
static void expect_shown(cli_run_progress progress, const char *const want[2])
{
	const cli_args args = { .quiet = false };
	char top[512], path[600], text[512];
	bspt_make_directory(top, sizeof top);
	snprintf(path, sizeof path, "%s/told", top);
	progress.args = &args;
	progress.shown = progress.started = cli_clock() - 7200.5;
	for (int i = 0; i < 20; i++) cli_run_done(&progress, 5e8);
	show_into(&progress, path);
	bspt_bytes told = bspt_read_file(path);
	assert_true(told.size < sizeof text);
	memcpy(text, told.data, told.size);
	text[told.size] = 0;
	for (size_t i = 0; i < 2; i++) {
		if (!strstr(text, want[i])) fail_msg("no \"%s\" in \"%s\"", want[i], text);
	}
	free(told.data);
	bspt_remove_directory(top);
}

static void the_rest_is_as_what_was(void **state)
{
	static const char *const want[] = { "after 20 maps: the other 10 will take about 1.00 hours and 5.00 GB",
		                                "20 of 30 maps, 0 quarantined, 0.00 a second, 1:00:00 and 5.00 GB left" };
	(void)state;
	expect_shown((cli_run_progress) { .total = 30 }, want);
}

/* Some maps need no time: those that were made earlier or by other runs, and those that are only renamed. They do not
 * count as left to do. */
static void what_needs_no_time_is_not_left(void **state)
{
	static const char *const want[] = { "after 20 maps: the other 10 will take about 1.00 hours and 5.00 GB",
		                                "1:00:00 and 5.00 GB left" };
	(void)state;
	expect_shown((cli_run_progress) { .total = 60, .moved = 20, .skipped = 7, .others = 3 }, want);
}

/* A map that was only moved counts as done before, but not twice. */
static void a_run_begins_with_its_plan(void **state)
{
	cli_run_progress progress;
	const cli_args args = { .quiet = true };
	const cli_run_plan plan = { .total = 30, .there = 10, .moved = 4 };
	(void)state;
	cli_run_begin(&progress, &args, &plan);
	assert_int_equal(progress.total, 30);
	assert_int_equal(progress.moved, 4);
	assert_int_equal(progress.skipped, 6);
	cli_run_refreshed(&progress);
	assert_int_equal(progress.moved + progress.skipped, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rest_is_as_what_was),
		cmocka_unit_test(what_needs_no_time_is_not_left), cmocka_unit_test(a_run_begins_with_its_plan),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
