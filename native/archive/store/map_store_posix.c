/* map_store_posix.c - claims, folders for work, and the one rename that makes them results. See map_store.h. */
#include "archive/store/map_store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/json.h"
#include "cli/host/platform.h"
#include "cli/host/remove_tree.h"
#include "cli/report.h"
#include "cli/host/temporary.h"

/* Seconds after which a claim that nobody touched is given up, where its worker cannot be asked. */
#define STALE_AFTER 300.0
/* So many workers never die over one map. */
#define MOST_CLAIMS 1000u
/* Of one folder that others take away at the same time. */
#define MOST_RETURNS 16
#define CLAIMS ".claims"
#define WORK ".work"

/* ---- Paths ------------------------------------------------------------------------------------------------ */

char *cli_store_work(const cli_store *store, const char *id, uint32_t number, const char *name)
{
	return cli_format("%s/" WORK "/%s.%u%s%s", store->path, id, (unsigned)number, name ? "/" : "", name ? name : "");
}

char *cli_store_words(const cli_store *store, const char *id, uint32_t number)
{
	return cli_format("%s/" WORK "/%s.%u.txt", store->path, id, (unsigned)number);
}

static char *claim_path(const cli_store *store, const char *id, uint32_t number)
{
	return cli_format("%s/" CLAIMS "/%s.%u", store->path, id, (unsigned)number);
}

/* What a replaced result is called until it is removed. */
static char *replaced_path(const cli_store *store, const char *id, uint32_t number)
{
	return cli_format("%s/" WORK "/%s.%u.old", store->path, id, (unsigned)number);
}

/* ---- Claims ----------------------------------------------------------------------------------------------- */

/* When a process began, in the system's own unit; 0: it runs no more, or the system does not say.
 * Linux's /proc/N/stat: "N (name) state ...", the 22nd is the time. A name may have any letter in it. */
static uint64_t process_began(unsigned long process)
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
	/* What ended and has a parent that does not look is still listed. */
	return at && state != 'Z' && state != 'X' ? strtoull(at + 1, NULL, 10) : 0;
}

/* Clocks of machines differ; the one of the file system that has the claims is the same for all. */
static double file_system_time(const cli_store *store)
{
	struct stat info;
	char *name = cli_format("%s/" CLAIMS "/x", store->path), *probe = cli_temporary_name(name);
	int file = open(probe, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	double now = (double)time(NULL);
	if (file >= 0 && fstat(file, &info) == 0) now = (double)info.st_mtime;
	if (file >= 0) close(file);
	unlink(probe);
	free(probe);
	free(name);
	return now;
}

/* Whose claim is it, and is he still at it? */
static bool is_stale(const cli_store *store, const char *path)
{
	unsigned place = 0;
	unsigned long process = 0;
	uint64_t began = 0;
	struct stat info;
	FILE *file = fopen(path, "r");
	bool known = file && fscanf(file, "%8x %lu %" SCNu64, &place, &process, &began) == 3;
	if (file) fclose(file);
	/* A later process may have the number by now. */
	if (known && place == store->here) return cli_process_ended(process) || process_began(process) != began;
	return stat(path, &info) == 0 && file_system_time(store) - (double)info.st_mtime > STALE_AFTER;
}

static void remove_remains(const cli_store *store, const char *id, uint32_t number)
{
	char *paths[] = { cli_store_work(store, id, number, NULL), replaced_path(store, id, number),
		              cli_store_words(store, id, number) };
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		cli_remove_tree(paths[i]);
		free(paths[i]);
	}
}

static bool write_words(const cli_store *store, const char *path)
{
	int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (file < 0) return false;
	unsigned long process = cli_process_number();
	char *text = cli_format("%08x %lu %" PRIu64 "\n", (unsigned)store->here, process, process_began(process));
	size_t size = strlen(text);
	bool ok = write(file, text, size) == (ssize_t)size;
	free(text);
	return close(file) == 0 && ok;
}

/* The file appears with its words in it, or not; where there are no links, it may be empty when we are killed here. */
static bool write_claim(const cli_store *store, const char *path)
{
	char *temporary = cli_temporary_name(path);
	bool ok = write_words(store, temporary);
	bool linked = ok && link(temporary, path) == 0;
	int error = errno;
	if (ok) unlink(temporary);
	free(temporary);
	if (linked) return true;
	if (ok && error != EEXIST) return write_words(store, path);
	errno = error;
	return false;
}

/* A worker that comes to its end takes empty folders away, between two maps of another. Whether one that lacks is there
 * again, so that errno's failure may be tried anew. */
static bool is_back(const cli_store *store, const char *folder)
{
	if (errno != ENOENT) return false;
	char *path = cli_format("%s/%s", store->path, folder);
	bool back = mkdir(path, 0777) == 0 || errno == EEXIST;
	free(path);
	return back;
}

cli_claiming cli_store_claim(const cli_store *store, const char *id, uint32_t *number)
{
	for (uint32_t n = 0; n < MOST_CLAIMS; n++) {
		char *path = claim_path(store, id, n);
		bool ours = write_claim(store, path);
		for (int i = 0; !ours && i < MOST_RETURNS && is_back(store, CLAIMS); i++) ours = write_claim(store, path);
		int error = errno;
		bool others = !ours && error == EEXIST && !is_stale(store, path);
		if (!ours && error != EEXIST) cli_fail("%s: cannot be made: %s", path, strerror(error));
		free(path);
		if (others) return CLI_CLAIMED_BY_OTHER;
		if (!ours && error != EEXIST) return CLI_CLAIM_FAILED;
		if (!ours) continue;
		*number = n;
		for (uint32_t dead = 0; dead < n; dead++) remove_remains(store, id, dead);
		if (cli_store_clear(store, id, n)) return CLI_CLAIMED;
		cli_store_release(store, id, n);
		return CLI_CLAIM_FAILED;
	}
	cli_fail("%s: %s: %u workers died over it", store->path, id, MOST_CLAIMS);
	return CLI_CLAIM_FAILED;
}

void cli_store_touch(const cli_store *store, const char *id, uint32_t number)
{
	char *path = claim_path(store, id, number);
	utimensat(AT_FDCWD, path, NULL, 0);
	free(path);
}

void cli_store_release(const cli_store *store, const char *id, uint32_t number)
{
	remove_remains(store, id, number);
	/* Ours last: until then nobody else begins. */
	for (uint32_t n = 0; n <= number; n++) {
		char *path = claim_path(store, id, n);
		unlink(path);
		free(path);
	}
}

/* ---- Results ---------------------------------------------------------------------------------------------- */

bool cli_store_clear(const cli_store *store, const char *id, uint32_t number)
{
	char *work = cli_store_work(store, id, number, NULL);
	cli_remove_tree(work);
	bool ok = mkdir(work, 0777) == 0;
	for (int i = 0; !ok && i < MOST_RETURNS && is_back(store, WORK); i++) ok = mkdir(work, 0777) == 0;
	if (!ok) cli_fail("%s: cannot make the directory: %s", work, strerror(errno));
	free(work);
	return ok;
}

json_t *cli_store_result(const cli_store *store, const char *id)
{
	char *path = cli_store_path(store, id, "result.json");
	json_t *result = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
	free(path);
	if (json_is_object(result)) return result;
	json_decref(result);
	return NULL;
}

bool cli_store_put_result(const cli_store *store, const char *id, uint32_t number, const json_t *result)
{
	char *path = cli_store_work(store, id, number, "result.json");
	bool ok = cli_json_save(result, path);
	if (!ok) cli_fail("%s: cannot write: %s", path, strerror(errno));
	free(path);
	return ok;
}

bool cli_store_replace_result(const cli_store *store, const char *id, uint32_t number)
{
	char *from = cli_store_work(store, id, number, "result.json"), *to = cli_store_path(store, id, "result.json");
	bool ok = rename(from, to) == 0;
	if (!ok) cli_fail("%s: cannot rename into place: %s", to, strerror(errno));
	free(from);
	free(to);
	return ok;
}

bool cli_store_commit(const cli_store *store, const char *id, uint32_t number)
{
	char *work = cli_store_work(store, id, number, NULL), *old = replaced_path(store, id, number);
	char *path = cli_store_path(store, id, NULL), *folder = cli_format("%s/%.2s", store->path, id);
	bool ok = mkdir(folder, 0777) == 0 || errno == EEXIST;
	/* A killed worker leaves it without the old result or with the new one, never with half of one. */
	ok = ok && (rename(path, old) == 0 || errno == ENOENT) && rename(work, path) == 0;
	if (!ok) cli_fail("%s: cannot rename into place: %s", path, strerror(errno));
	free(folder);
	free(path);
	free(old);
	free(work);
	return ok;
}

static char *removed_path(const cli_store *store, const char *id)
{
	return cli_format("%s/removed/%.2s/%s", store->path, id, id);
}

static bool make_parents_of_removed(const cli_store *store, const char *id)
{
	char *removed = cli_format("%s/removed", store->path), *head = cli_format("%s/%.2s", removed, id);
	bool ok = (mkdir(removed, 0777) == 0 || errno == EEXIST) && (mkdir(head, 0777) == 0 || errno == EEXIST);
	free(head);
	free(removed);
	return ok;
}

bool cli_store_remove(const cli_store *store, const char *id)
{
	char *from = cli_store_path(store, id, NULL), *to = removed_path(store, id);
	bool ok = make_parents_of_removed(store, id);
	if (ok) cli_remove_tree(to);
	ok = ok && rename(from, to) == 0;
	if (!ok) cli_fail("%s: cannot be moved to removed/: %s", from, strerror(errno));
	free(to);
	free(from);
	return ok;
}

bool cli_store_restore(const cli_store *store, const char *id)
{
	char *from = removed_path(store, id), *to = cli_store_path(store, id, NULL);
	char *folder = cli_format("%s/%.2s", store->path, id);
	bool ok = access(from, F_OK) == 0 && (mkdir(folder, 0777) == 0 || errno == EEXIST) && rename(from, to) == 0;
	free(folder);
	free(to);
	free(from);
	return ok;
}

/* ---- The store -------------------------------------------------------------------------------------------- */

/* "ID.N" */
static bool read_claim_name(const char *name, char id[CLI_ID_LENGTH + 1], uint32_t *number)
{
	if (strlen(name) < CLI_ID_LENGTH + 2 || name[CLI_ID_LENGTH] != '.') return false;
	memcpy(id, name, CLI_ID_LENGTH);
	id[CLI_ID_LENGTH] = 0;
	char *end;
	unsigned long value = strtoul(name + CLI_ID_LENGTH + 1, &end, 10);
	*number = (uint32_t)value;
	return cli_is_id(id) && !*end && value < MOST_CLAIMS;
}

/* A result whose worker was killed before the end of its claim; later claims go first: nobody else can begin then. */
static bool is_remains(const cli_store *store, const char *id, uint32_t number)
{
	char *claim = claim_path(store, id, number), *later = claim_path(store, id, number + 1);
	char *result = cli_store_path(store, id, "result.json");
	bool yes = access(result, F_OK) == 0 && access(later, F_OK) != 0 && is_stale(store, claim);
	free(result);
	free(later);
	free(claim);
	return yes;
}

/* Returns how many claims were taken away. */
static uint32_t sweep(const cli_store *store, const char *folder)
{
	DIR *directory = opendir(folder);
	uint32_t count = 0;
	for (const struct dirent *entry; directory && (entry = readdir(directory));) {
		char id[CLI_ID_LENGTH + 1];
		uint32_t number;
		if (!read_claim_name(entry->d_name, id, &number) || !is_remains(store, id, number)) continue;
		char *claim = claim_path(store, id, number);
		remove_remains(store, id, number);
		count += unlink(claim) == 0;
		free(claim);
	}
	if (directory) closedir(directory);
	return count;
}

static bool make_folder(const char *path)
{
	if (mkdir(path, 0777) == 0 || errno == EEXIST) return true;
	cli_fail("%s: cannot make the directory: %s", path, strerror(errno));
	return false;
}

bool cli_store_open(cli_store *store, const char *path)
{
	*store = (cli_store) { .path = path, .here = cli_process_place() };
	char *claims = cli_format("%s/" CLAIMS, path), *work = cli_format("%s/" WORK, path);
	bool ok = make_folder(path) && make_folder(claims) && make_folder(work);
	char *inside = cli_format("%s/", claims);
	if (ok) cli_sweep_temporaries(inside);
	free(inside);
	while (ok && sweep(store, claims)) continue;
	free(work);
	free(claims);
	return ok;
}

bool cli_store_close(const cli_store *store)
{
	static const char *const folders[] = { CLAIMS, WORK };
	bool idle = true;
	for (int i = 0; i < 2; i++) {
		char *path = cli_format("%s/%s", store->path, folders[i]);
		idle &= rmdir(path) == 0 || errno == ENOENT;
		free(path);
	}
	return idle;
}
