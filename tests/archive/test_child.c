/* Promise: the output of a child process arrives completely, and the way it ended is reported. A child that hangs is
 * killed after its time limit. Waiting returns at once if there are no children, whatever standard output is. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "archive/process/child.h"
#include "support/bspt.h"

#define LONG_WAIT 20000    /* milliseconds, much more than the tests need */
#define MOST_WAITS 1000    /* a limit is needed, because a wait also ends at every message of a child */
#define MUCH 300000        /* number of bytes, more than a pipe holds */

static const cli_limits unlimited = { .memory = 0 };

static int tell_much(void *user, int out)
{
	uint8_t *told = malloc(MUCH);
	if (!told) return 1;
	for (size_t i = 0; i < MUCH; i++) told[i] = (uint8_t)(i * 7 >> 3);
	bool taken = cli_child_write(out, told, MUCH);
	free(told);
	return taken ? *(const int *)user : 1;
}

static int abort_at_once(void *user, int out)
{
	(void)user;
	(void)out;
	abort();
}

static int hang(void *user, int out)
{
	(void)user;
	(void)out;
	while (pause() < 0) continue;
	return 0;
}

static int write_a_large_file(void *user, int out)
{
	(void)out;
	FILE *file = fopen(user, "wb");
	for (int i = 0; file && i < 1 << 20; i++) fputs("as large as it may be", file);
	return 0;
}

static cli_child started(cli_child_fn *run, void *user, cli_limits limits)
{
	cli_child child;
	assert_true(cli_child_start(&child, &(cli_child_work) { .run = run }, user, &limits, "/dev/null"));
	return child;
}

static int wait_for_end(cli_child *children, uint32_t count)
{
	int ended = -1;
	for (int i = 0; i < MOST_WAITS && ended < 0; i++) ended = cli_child_wait(children, count, LONG_WAIT);
	return ended;
}

static void expect_words(const cli_child *child, const char *wanted)
{
	char *words = cli_child_last_words(child);
	assert_string_equal(words, wanted);
	free(words);
}

static void what_it_tells_arrives_whole(void **state)
{
	(void)state;
	int status = 7;
	cli_child child = started(tell_much, &status, unlimited);
	assert_int_equal(wait_for_end(&child, 1), 0);
	assert_int_equal(child.process, 0);
	assert_int_equal(child.output_size, MUCH);
	for (size_t i = 0; i < MUCH; i++) assert_int_equal((uint8_t)child.output[i], (uint8_t)(i * 7 >> 3));
	assert_int_equal(child.end, CLI_CHILD_EXITED);
	expect_words(&child, "ended with status 7");
	free(child.output);
}

static void a_crash_is_told(void **state)
{
	(void)state;
	cli_child child = started(abort_at_once, NULL, unlimited);
	assert_int_equal(wait_for_end(&child, 1), 0);
	assert_int_equal(child.end, CLI_CHILD_CRASHED);
	assert_int_equal(child.status, SIGABRT);
	char *words = cli_child_last_words(&child);
	assert_non_null(strstr(words, "signal 6"));
	free(words);
}

static void one_that_hangs_is_stopped(void **state)
{
	(void)state;
	cli_child child = started(hang, NULL, (cli_limits) { .seconds = 1 });
	assert_int_equal(cli_child_wait(&child, 1, 1), -1);
	assert_int_equal(wait_for_end(&child, 1), 0);
	assert_int_equal(child.end, CLI_CHILD_TOO_LONG);
	expect_words(&child, "killed after 1 seconds");
}

static void one_that_somebody_kills_did_nothing_wrong(void **state)
{
	(void)state;
	cli_child child = started(hang, NULL, unlimited);
	kill((pid_t)child.process, SIGTERM);
	assert_int_equal(wait_for_end(&child, 1), 0);
	assert_int_equal(child.end, CLI_CHILD_KILLED);
	child = started(hang, NULL, unlimited);
	cli_child_kill(&child);
	assert_int_equal(child.process, 0);
	assert_int_equal(child.end, CLI_CHILD_KILLED);
}

static void too_large_a_file_ends_it(void **state)
{
	(void)state;
	char folder[512], path[600];
	bspt_make_directory(folder, sizeof folder);
	snprintf(path, sizeof path, "%s/large", folder);
	cli_child child = started(write_a_large_file, path, (cli_limits) { .file_size = 100000 });
	assert_int_equal(wait_for_end(&child, 1), 0);
	assert_int_equal(child.end, CLI_CHILD_WROTE_TOO_MUCH);
	bspt_bytes written = bspt_read_file(path);
	assert_true(written.size <= 100000);
	free(written.data);
	bspt_remove_directory(folder);
}

/* The slots without a process must not be polled. Standard output may be a terminal or a socket, which becomes readable
 * when somebody writes to it. */
static void a_place_without_a_process_is_not_asked(void **state)
{
	(void)state;
	int ends[2], output = dup(STDOUT_FILENO), status = 3;
	cli_child children[2] = { { .process = 0 }, started(hang, NULL, unlimited) };
	assert_true(output >= 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	assert_int_equal(write(ends[0], "x", 1), 1);
	fflush(stdout);
	dup2(ends[1], STDOUT_FILENO);
	int ended = cli_child_wait(children, 2, 100);
	dup2(output, STDOUT_FILENO);
	close(output);
	close(ends[0]);
	close(ends[1]);
	assert_int_equal(ended, -1);
	cli_child_kill(&children[1]);
	children[1] = started(tell_much, &status, unlimited);
	assert_int_equal(wait_for_end(children, 2), 1);
	assert_int_equal(children[1].status, 3);
	free(children[1].output);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_it_tells_arrives_whole),
		cmocka_unit_test(a_crash_is_told),
		cmocka_unit_test(one_that_hangs_is_stopped),
		cmocka_unit_test(one_that_somebody_kills_did_nothing_wrong),
		cmocka_unit_test(too_large_a_file_ends_it),
		cmocka_unit_test(a_place_without_a_process_is_not_asked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
