/* child_windows.c - see child.h. Windows makes no copies of a process: each work is done at once in this one, so its
 * limits do not hold, and a crash is the program's. What it tells is kept as if it came from another process. */
#include "archive/process/child.h"

#include <stdlib.h>
#include <string.h>

#include "cli/host/platform.h"
#include "cli/report.h"

static cli_child *working;

double cli_clock(void)
{
	return (double)cli_milliseconds() / 1000;
}

bool cli_child_start(cli_child *child, cli_child_fn *run, void *user, const cli_limits *limits, const char *words)
{
	(void)words;
	*child = (cli_child) { .process = 1, .limits = *limits, .started = cli_clock(), .end = CLI_CHILD_EXITED };
	working = child;
	child->status = run(user, 0);
	working = NULL;
	return true;
}

bool cli_child_write(int out, const void *data, size_t size)
{
	(void)out;
	working->output = cli_resize(working->output, working->output_size + size, 1);
	memcpy(working->output + working->output_size, data, size);
	working->output_size += size;
	return true;
}

int cli_child_wait(cli_child *children, uint32_t count, int milliseconds)
{
	(void)milliseconds;
	for (uint32_t i = 0; i < count; i++) {
		if (!children[i].process) continue;
		children[i].process = 0;
		return (int)i;
	}
	return -1;
}

void cli_child_kill(cli_child *child)
{
	child->process = 0;
}

char *cli_child_last_words(const cli_child *child)
{
	return cli_format("ended with status %d", child->status);
}
