/* originals.c - see originals.h. */
#include "archive/companions/originals.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/catalog/companion_names.h"
#include "archive/shared/shared_files.h"
#include "archive/store/roots.h"
#include "cli/host/platform.h"
#include "cli/host/processes.h"
#include "cli/json.h"
#include "cli/report.h"
#include "cli/text_set.h"

enum { BLOCK = 1 << 16 };

/* Reads a file to its end, and copies it to `out` unless that is NULL. Returns false, with errno, on failure. */
static bool read_all(FILE *file, FILE *out, uint64_t *hash, uint64_t *size)
{
	char block[BLOCK];
	size_t got;
	*hash = CLI_HASH_BEGIN;
	*size = 0;
	while ((got = fread(block, 1, sizeof block, file)) != 0) {
		*hash = cli_hash_more(*hash, block, got);
		*size += got;
		if (out && fwrite(block, 1, got, out) != got) return false;
	}
	return !ferror(file);
}

/* Returns the name that cli_shared_name makes from the file's contents. Returns NULL, with errno, if the file cannot be
 * read. */
static char *name_of(const char *path, uint64_t *size)
{
	uint64_t hash;
	FILE *file = cli_open_regular(path);
	bool ok = file && read_all(file, NULL, &hash, size);
	int error = errno;
	if (file) fclose(file);
	errno = error;
	return ok ? cli_format("%016" PRIx64 "-%" PRIx64, hash, *size) : NULL;
}

/* Copies a file to a temporary name, and renames the copy when it is complete. Returns false, with errno, on
 * failure. */
static bool copy(const char *from, const char *to)
{
	uint64_t hash, size;
	char *part = cli_format("%s.%lu", to, cli_process_number());
	cli_remove_file(part);
	FILE *in = cli_open_regular(from), *out = in ? cli_open_new(part, NULL) : NULL;
	bool ok = out && read_all(in, out, &hash, &size);
	if (in) fclose(in);
	if (out && fclose(out)) ok = false;
	ok = ok && cli_rename(part, to);
	int error = errno;
	if (!ok && out) cli_remove_file(part);
	errno = error;
	free(part);
	return ok;
}

/* Stores the file as a hard link, or as a copy if that fails. If the path is a symbolic link, stores the file that it
 * leads to. */
static bool place_in(const char *store, const char *path, const char *name)
{
	char *pool = cli_format("%s/originals", store), *folder = cli_format("%s/%.2s", pool, name);
	char *to = cli_format("%s/%s", folder, name), *from = cli_real_path(path);
	bool ok = from && (cli_make_directory(pool) || errno == EEXIST) && (cli_make_directory(folder) || errno == EEXIST);
	bool there = ok && cli_kind_of(to, false) != CLI_PATH_ABSENT;
	if (ok && !there) ok = cli_make_link(from, to) || errno == EEXIST || copy(from, to);
	int error = errno;
	/* The name contains a hash. So if the store has another file with this name, somebody made that file on purpose. */
	if (there && !cli_is_same_file(from, to) && !cli_is_same_content(from, to)) {
		ok = false;
		error = EEXIST;
	}
	free(from);
	free(to);
	free(folder);
	free(pool);
	errno = error;
	return ok;
}

json_t *cli_keep_original(const char *store, const json_t *place, const cli_args *args, int *fault)
{
	uint64_t size = 0;
	char *path = cli_path_on_disk(place, args), *name = path ? name_of(path, &size) : NULL;
	bool ok = name && place_in(store, path, name);
	*fault = name && !ok ? errno : 0;
	if (!ok) cli_fail("%s: cannot be saved in the store: %s", path ? path : "", strerror(errno));
	json_t *original = ok ? json_object() : NULL;
	if (ok) {
		json_object_set_new(original, "name", cli_json_text(cli_file_name(path)));
		json_object_set_new(original, "file", json_string(name));
		json_object_set_new(original, "size", json_integer((json_int_t)size));
	}
	free(name);
	free(path);
	return original;
}
