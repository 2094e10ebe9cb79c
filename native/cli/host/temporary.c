/* temporary.c - makes names of the form ".bspscene-PLACE-PROCESS-NUMBER.tmp". A name tells which process writes the
 * file. See temporary.h.
 *
 * PLACE is a hash of the machine and its process namespace. Machines or containers that share a folder may have
 * processes with the same number, so the number alone is not enough. */
#include "cli/host/temporary.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/names.h"
#include "cli/report.h"
#include "cli/host/platform.h"
#include "cli/host/processes.h"

static const char prefix[] = ".bspscene-";
static const char suffix[] = ".tmp";

static int directory_length(const char *target)
{
	const char *slash = cli_last_separator(target);
	return slash ? (int)(slash - target + 1) : 0;
}

char *cli_temporary_name(const char *target)
{
	static unsigned number;
	return cli_format("%.*s%s%08x-%lu-%u%s", directory_length(target), target, prefix, (unsigned)cli_process_place(),
	                  cli_process_number(), number++, suffix);
}

/* Parses a number of base 10 or 16 that is followed by `end`, and moves *at past both. */
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

/* True if the name is that of a temporary file whose program ended. */
static bool is_left_over(const char *name, void *user)
{
	const uint32_t *here = user;
	unsigned long place, process, number;
	const char *at = name + sizeof prefix - 1;
	if (strncmp(name, prefix, sizeof prefix - 1) != 0) return false;
	if (!read_part(&at, 16, "-", &place) || !read_part(&at, 10, "-", &process) ||
	    !read_part(&at, 10, suffix, &number) || *at) return false;
	return place == *here && cli_process_ended(process);
}

void cli_sweep_temporaries(const char *target)
{
	int length = directory_length(target);
	char *directory = length ? cli_format("%.*s", length, target) : cli_format(".");
	uint32_t here = cli_process_place();
	cli_remove_own_files(directory, is_left_over, &here);
	free(directory);
}
