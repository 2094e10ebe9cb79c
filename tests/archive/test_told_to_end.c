/* Promise: a run notices requests to end, which come from the keyboard, a scheduler or a closed terminal. At the file
 * size limit, writing fails instead of killing the process. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/host/processes.h"

enum { NOT_TOLD, TOLD, TOO_SOON };

/* Runs in a separate process, because a request to end cannot be reset. */
static int told_by(int number)
{
	int status;
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		cli_watch_for_end();
		if (cli_is_told_to_end()) _exit(TOO_SOON);
		raise(number);
		_exit(cli_is_told_to_end() ? TOLD : NOT_TOLD);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void each_signal_is_heard(void **state)
{
	(void)state;
	assert_int_equal(told_by(SIGINT), TOLD);
	assert_int_equal(told_by(SIGTERM), TOLD);
	assert_int_equal(told_by(SIGHUP), TOLD);
	assert_int_equal(told_by(SIGXFSZ), NOT_TOLD);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(each_signal_is_heard) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
