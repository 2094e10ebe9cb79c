/* Promise: the next run removes unfinished files that a program left next to an output, and no others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/host/processes.h"
#include "cli/host/temporary.h"
#include "support/bspt.h"

static unsigned long ended_process(void)
{
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) _exit(0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	return (unsigned long)child;
}

static void only_what_is_left_is_taken_away(void **state)
{
	char folder[512];
	const unsigned place = cli_process_place();
	const unsigned long dead = ended_process(), alive = cli_process_number();
	const struct {
		unsigned place;
		unsigned long process;
		const char *rest;
		bool goes;
	} files[] = {
		{ place, dead, "-0.tmp", true },      { place, dead, "-9.tmp", true },    { place, dead, "-10.tmp", true },
		{ place, alive, "-1.tmp", false },    { place + 1, dead, "-1.tmp", false }, { place, dead, "-1.tmp2", false },
		{ place, dead, "-1.glb", false },     { place, dead, "- 1.tmp", false },  { place, dead, "-+1.tmp", false },
		{ place, dead, "--1.tmp", false },    { place, dead, "-.tmp", false },    { place, dead, "-a.tmp", false },
		{ place, dead, "-99999999999999999999999.tmp", false },
	};
	(void)state;
	bspt_make_directory(folder, sizeof folder);
	char target[600];
	snprintf(target, sizeof target, "%s/map.glb", folder);
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
			char path[700];
			snprintf(path, sizeof path, "%s/.bspscene-%08x-%lu%s", folder, files[i].place, files[i].process,
			         files[i].rest);
			if (!round) bspt_write_file(path, "half", 4);
			else if ((access(path, F_OK) != 0) != files[i].goes) fail_msg("%s", path);
		}
		if (!round) cli_sweep_temporaries(target);
	}
	bspt_remove_directory(folder);
}

static void names_are_told_apart(void **state)
{
	char beginning[32], *one = cli_temporary_name("folder/map.glb"), *other = cli_temporary_name("map.glb");
	(void)state;
	snprintf(beginning, sizeof beginning, ".bspscene-%08x-%lu-", (unsigned)cli_process_place(), cli_process_number());
	assert_int_equal(strncmp(one, "folder/", 7), 0);
	assert_int_equal(strncmp(one + 7, beginning, strlen(beginning)), 0);
	assert_int_equal(strncmp(other, beginning, strlen(beginning)), 0);
	assert_string_not_equal(one + 7, other);
	free(one);
	free(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_is_left_is_taken_away),
		cmocka_unit_test(names_are_told_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
