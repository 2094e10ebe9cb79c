/* shared_files.c - see shared_files.h. */
#include "archive/shared/shared_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/host/platform.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/text_set.h"

char *cli_shared_name(const void *data, size_t size)
{
	return cli_format("%016" PRIx64 "-%zx", cli_hash(data, size), size);
}

typedef struct sharing {
	const char *from, *to;
	bool failed;
} sharing;

bool cli_is_same_content(const char *one, const char *other)
{
	FILE *files[2] = { cli_open_regular(one), cli_open_regular(other) };
	bool same = files[0] && files[1];
	while (same) {
		char blocks[2][4096];
		size_t size = fread(blocks[0], 1, sizeof blocks[0], files[0]);
		same = fread(blocks[1], 1, sizeof blocks[1], files[1]) == size && !memcmp(blocks[0], blocks[1], size);
		if (size < sizeof blocks[0]) break;
	}
	for (int i = 0; i < 2; i++) {
		if (files[i]) fclose(files[i]);
	}
	return same;
}

static bool fail_of_system(const char *path)
{
	cli_output_note_system_error(errno);
	return cli_fail("%s: %s", path, strerror(errno)) == CLI_DONE;
}

/* Moves a file into the pool, unless the pool has an equal file. Another worker may move an equal file at the same
 * time, which is harmless. It is an error if the pool has a file with the same name but other contents. Somebody
 * made that file on purpose, because the name contains a hash. */
static bool share(const char *from, const char *folder, const char *to)
{
	if (!cli_make_directory(folder) && errno != EEXIST) return fail_of_system(folder);
	if (cli_kind_of(to, false) != CLI_PATH_ABSENT) {
		if (!cli_is_same_content(from, to))
			return cli_fail("%s: exists already with other contents; remove it, and run the command again", to) ==
			       CLI_DONE;
		cli_remove_file(from);
		return true;
	}
	return cli_rename(from, to) || fail_of_system(to);
}

/* Implements cli_entry_fn. */
static void share_one(const char *name, cli_path_kind kind, void *user)
{
	sharing *s = user;
	if (kind != CLI_PATH_FILE || s->failed) return;
	char *from = cli_format("%s/%s", s->from, name), *folder = cli_format("%s/%.2s", s->to, name);
	char *to = cli_format("%s/%s", folder, name);
	s->failed = !share(from, folder, to);
	free(to);
	free(folder);
	free(from);
}

bool cli_share_files(const char *folder, const char *store, const char *kind)
{
	char *from = cli_format("%s/%s", folder, kind), *to = cli_format("%s/%s", store, kind);
	sharing s = { from, to, false };
	if (cli_kind_of(from, false) == CLI_PATH_DIRECTORY) {
		if (!cli_make_directory(to) && errno != EEXIST) s.failed = !fail_of_system(to);
		if (!s.failed && !cli_each_entry(from, share_one, &s)) s.failed = !fail_of_system(from);
		cli_remove_directory(from);
	}
	free(to);
	free(from);
	return !s.failed;
}
