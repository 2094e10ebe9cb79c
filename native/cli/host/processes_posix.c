/* processes_posix.c - see processes.h. */
#include "cli/host/processes.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "cli/report.h"

/* Continues a 32-bit FNV-1a hash. */
static uint32_t hash(uint32_t start, const void *data, size_t size)
{
	const unsigned char *bytes = data;
	for (size_t i = 0; i < size; i++) start = (start ^ bytes[i]) * 0x01000193u;
	return start;
}

uint32_t cli_process_place(void)
{
	struct utsname machine;
	struct stat processes;
	uint32_t place = 0x811c9dc5u;
	if (uname(&machine) >= 0) place = hash(place, machine.nodename, strlen(machine.nodename));
	/* On Linux, containers with the same host name may have different process namespaces. */
	if (stat("/proc/self/ns/pid", &processes) == 0) place = hash(place, &processes.st_ino, sizeof processes.st_ino);
	return place;
}

unsigned long cli_process_number(void)
{
	return (unsigned long)getpid();
}

bool cli_process_ended(unsigned long process)
{
	return process && process <= INT32_MAX && kill((pid_t)process, 0) && errno == ESRCH;
}

/* Returns when a process began: field 22 of Linux's /proc/N/stat ("N (name) state ..."). The name of the process may
 * contain spaces and brackets. 0: the process does not run, or its start is unknown. */
static uint64_t moment_of(unsigned long process)
{
	char text[1024], state = 0;
	char *path = cli_format("/proc/%lu/stat", process);
	FILE *file = fopen(path, "r");
	free(path);
	size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
	if (file) fclose(file);
	text[size] = 0;
	const char *at = strrchr(text, ')');
	for (int field = 3; at && field <= 22; field++) {
		at = strchr(at + 1, ' ');
		if (at && field == 3) state = at[1];
	}
	/* An ended process remains in state Z or X until its parent waits for it. */
	return at && state != 'Z' && state != 'X' ? strtoull(at + 1, NULL, 10) : 0;
}

uint64_t cli_process_began(void)
{
	return moment_of(cli_process_number());
}

bool cli_process_runs(unsigned long process, uint64_t began)
{
	return !cli_process_ended(process) && moment_of(process) == began;
}

/* ---- This process ------------------------------------------------------------------------------------------ */

bool cli_process_used(double *seconds, uint64_t *peak_memory)
{
	struct rusage usage;
	if (getrusage(RUSAGE_SELF, &usage) != 0) return false;
	*seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
	*peak_memory = (uint64_t)usage.ru_maxrss * 1024;
	return true;
}

uint32_t cli_processor_count(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);
	return count > 0 ? (uint32_t)count : 1;
}

void cli_write_time(char out[CLI_TIME_TEXT])
{
	time_t now = time(NULL);
	struct tm date;
	strftime(out, CLI_TIME_TEXT, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &date));
}

static volatile sig_atomic_t told_to_end;

static void note_end(int number)
{
	told_to_end = number;
}

void cli_watch_for_end(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = note_end };
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, NULL);
	signal(SIGXFSZ, SIG_IGN); /* writes beyond the limit of a file's size fail instead of ending the process */
}

bool cli_is_told_to_end(void)
{
	return told_to_end != 0;
}
