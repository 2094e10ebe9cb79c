/* child.c - the part of child.h that is the same on all systems. */
#include "archive/process/child.h"

#include "cli/host/platform.h"
#include "cli/report.h"

double cli_clock(void)
{
	return 1e-3 * (double)cli_milliseconds();
}

int cli_child_stop_late(cli_child *children, uint32_t count, int milliseconds)
{
	double now = cli_clock();
	for (uint32_t i = 0; i < count; i++) {
		cli_child *child = &children[i];
		if (!child->process || !child->limits.seconds || child->too_long) continue;
		double left = child->started + child->limits.seconds - now;
		if (left <= 0) {
			child->too_long = true;
			cli_child_stop(child);
		} else if (left * 1000 < milliseconds) {
			milliseconds = (int)(left * 1000) + 1;
		}
	}
	return milliseconds;
}

char *cli_child_last_words(const cli_child *child)
{
	switch (child->end) {
	case CLI_CHILD_EXITED: return cli_format("ended with status %u", (unsigned)child->status);
	case CLI_CHILD_TOO_LONG: return cli_format("killed after %u seconds", (unsigned)child->limits.seconds);
	case CLI_CHILD_KILLED: return cli_format("killed by another program, or by the system for lack of memory");
	case CLI_CHILD_TOOK_TOO_MUCH: return cli_format("out of memory");
	case CLI_CHILD_WROTE_TOO_MUCH:
	case CLI_CHILD_CRASHED: break;
	}
	return cli_child_name_crash(child->status);
}
