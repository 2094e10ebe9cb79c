/* temporary.c - ".bspscene-PLACE-PROCESS-NUMBER.tmp": who writes a file can be seen from its name. See temporary.h.
 *
 * PLACE stands for the machine and its table of processes: in a folder that several machines or containers share, a
 * number that nobody has here may be that of a running program there. */
#include "temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "report.h"

static const char prefix[] = ".bspscene-";
static const char suffix[] = ".tmp";

/* 32-bit FNV-1a. */
static uint32_t hash(uint32_t start, const void *data, size_t size)
{
	const unsigned char *bytes = data;
	for (size_t i = 0; i < size; i++) start = (start ^ bytes[i]) * 0x01000193u;
	return start;
}

static uint32_t place_of_this_process(void)
{
	struct utsname machine;
	struct stat processes;
	uint32_t place = 0x811c9dc5u;
	if (uname(&machine) >= 0) place = hash(place, machine.nodename, strlen(machine.nodename));
	/* Linux: containers with one name may have processes of their own. */
	if (stat("/proc/self/ns/pid", &processes) == 0) place = hash(place, &processes.st_ino, sizeof processes.st_ino);
	return place;
}

static int directory_length(const char *target)
{
	const char *slash = strrchr(target, '/');
	return slash ? (int)(slash - target + 1) : 0;
}

char *cli_temporary_name(const char *target)
{
	static unsigned number;
	return cli_format("%.*s%s%08x-%ld-%u%s", directory_length(target), target, prefix,
	                  (unsigned)place_of_this_process(), (long)getpid(), number++, suffix);
}

/* Reads digits of base 10 or 16 and the '-' or suffix behind them. */
static bool read_part(const char **at, int base, const char *end, unsigned long *out)
{
	char *stop;
	bool digit = (**at >= '0' && **at <= '9') || (base == 16 && **at >= 'a' && **at <= 'f');
	errno = 0;
	*out = strtoul(*at, &stop, base);
	size_t length = strlen(end);
	if (!digit || errno || strncmp(stop, end, length) != 0) return false;
	*at = stop + length;
	return true;
}

/* Is it the name of a temporary file whose program ended? */
static bool is_left_over(const char *name, uint32_t here)
{
	unsigned long place, process, number;
	const char *at = name + sizeof prefix - 1;
	if (strncmp(name, prefix, sizeof prefix - 1) != 0) return false;
	if (!read_part(&at, 16, "-", &place) || !read_part(&at, 10, "-", &process) ||
	    !read_part(&at, 10, suffix, &number) || *at) return false;
	if (place != here || process == 0 || process > INT32_MAX) return false;
	return kill((pid_t)process, 0) && errno == ESRCH;
}

void cli_sweep_temporaries(const char *target)
{
	int length = directory_length(target);
	char *path = length ? cli_format("%.*s", length, target) : cli_format(".");
	DIR *directory = opendir(path);
	free(path);
	if (!directory) return;
	uint32_t here = place_of_this_process();
	int folder = dirfd(directory);
	for (const struct dirent *entry; (entry = readdir(directory));) {
		struct stat info;
		if (!is_left_over(entry->d_name, here)) continue;
		if (fstatat(folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) || !S_ISREG(info.st_mode)) continue;
		if (info.st_uid == geteuid()) unlinkat(folder, entry->d_name, 0);
	}
	closedir(directory);
}
