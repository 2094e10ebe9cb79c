/* folders_posix.c - temporary folders for tests. See bspt.h. */
#define _XOPEN_SOURCE 700
#include "support/bspt.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void bspt_make_directory(char *path, size_t size)
{
	const char *temporary = getenv("TMPDIR");
	snprintf(path, size, "%s/bspt-XXXXXX", temporary ? temporary : "/tmp");
	if (!mkdtemp(path)) bspt_die("create", path);
}

void bspt_make_folder(const char *path)
{
	if (mkdir(path, 0777)) bspt_die("create", path);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
	(void)status;
	(void)kind;
	(void)place;
	return remove(path);
}

void bspt_remove_directory(const char *path)
{
	if (nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS)) bspt_die("remove", path);
}
