/* map_store.c - claims maps, and turns working folders into results by one rename. See map_store.h. */
#include "archive/store/map_store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/json.h"
#include "cli/host/platform.h"
#include "cli/host/processes.h"
#include "cli/host/remove_tree.h"
#include "cli/report.h"
#include "cli/host/temporary.h"

/* A claim that was not touched for this many seconds is given up, if its worker is on another machine. */
#define STALE_AFTER 300.0
/* A map is not claimed again after this many workers died while they processed it. */
#define MOST_CLAIMS 1000u
/* Largest number of attempts to make a file in a folder that other workers may remove at the same time. */
#define MOST_RETURNS 16
#define CLAIMS ".claims"
#define WORK ".work"

/* ---- Paths ------------------------------------------------------------------------------------------------ */

bool cli_is_id(const char *text)
{
	return text && strlen(text) == CLI_ID_LENGTH && strspn(text, "0123456789abcdef") == CLI_ID_LENGTH;
}

char *cli_store_path(const cli_store *store, const char *id, const char *name)
{
	return cli_format("%s/%.2s/%s%s%s", store->path, id, id, name ? "/" : "", name ? name : "");
}

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

/* Returns the path to which a replaced result is moved before it is deleted. */
static char *replaced_path(const cli_store *store, const char *id, uint32_t number)
{
	return cli_format("%s/" WORK "/%s.%u.old", store->path, id, (unsigned)number);
}

static bool is_there(const char *path)
{
	return cli_kind_of(path, false) != CLI_PATH_ABSENT;
}

/* ---- Claims ----------------------------------------------------------------------------------------------- */

/* Returns the current time by the clock of the file system that has the claims. The clocks of several machines may
 * differ. */
static double file_system_time(const cli_store *store)
{
	char *name = cli_format("%s/" CLAIMS "/x", store->path), *probe = cli_temporary_name(name);
	FILE *file = cli_open_new(probe, NULL);
	double now = (double)time(NULL);
	if (file) cli_seconds_of(probe, &now);
	if (file) fclose(file);
	cli_remove_file(probe);
	free(probe);
	free(name);
	return now;
}

/* True if the worker that made the claim does not run any more. */
static bool is_stale(const cli_store *store, const char *path)
{
	unsigned place = 0;
	unsigned long process = 0;
	uint64_t began = 0;
	double touched;
	FILE *file = cli_open_regular(path);
	bool known = file && fscanf(file, "%8x %lu %" SCNu64, &place, &process, &began) == 3;
	if (file) fclose(file);
	if (known && place == store->here) return !cli_process_runs(process, began);
	return cli_seconds_of(path, &touched) && file_system_time(store) - touched > STALE_AFTER;
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
	FILE *file = cli_open_new(path, NULL);
	if (!file) return false;
	bool ok = fprintf(file, "%08x %lu %" PRIu64 "\n", (unsigned)store->here, cli_process_number(),
	                  cli_process_began()) > 0;
	return fclose(file) == 0 && ok;
}

/* Creates the claim's file together with its contents. If the file system has no hard links, a worker that is killed at
 * this point leaves an empty file. */
static bool write_claim(const cli_store *store, const char *path)
{
	char *temporary = cli_temporary_name(path);
	bool ok = write_words(store, temporary);
	bool linked = ok && cli_make_link(temporary, path);
	int error = errno;
	if (ok) cli_remove_file(temporary);
	free(temporary);
	if (linked) return true;
	if (ok && error != EEXIST) return write_words(store, path);
	errno = error;
	return false;
}

/* Called after nothing could be made in `folder`. If the reason is that another worker removed the empty folder, makes
 * the folder again and returns true, so that the caller tries again. */
static bool is_back(const cli_store *store, const char *folder)
{
	if (errno != ENOENT) return false;
	char *path = cli_format("%s/%s", store->path, folder);
	bool back = cli_make_directory(path) || errno == EEXIST;
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
		if (!ours && error != EEXIST)
			cli_fail("%s: the file that claims the map cannot be created: %s", path, strerror(error));
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
	cli_fail("%s: %s: not tried again, because %u processes died while they worked on this map", store->path, id,
	         MOST_CLAIMS);
	return CLI_CLAIM_FAILED;
}

void cli_store_touch(const cli_store *store, const char *id, uint32_t number)
{
	char *path = claim_path(store, id, number);
	cli_touch(path);
	free(path);
}

void cli_store_release(const cli_store *store, const char *id, uint32_t number)
{
	remove_remains(store, id, number);
	/* Removes the newest claim, `number`, last. While it exists, no other worker begins the map. */
	for (uint32_t n = 0; n <= number; n++) {
		char *path = claim_path(store, id, n);
		cli_remove_file(path);
		free(path);
	}
}

/* ---- Results ---------------------------------------------------------------------------------------------- */

bool cli_store_clear(const cli_store *store, const char *id, uint32_t number)
{
	char *work = cli_store_work(store, id, number, NULL);
	cli_remove_tree(work);
	bool ok = cli_make_directory(work);
	for (int i = 0; !ok && i < MOST_RETURNS && is_back(store, WORK); i++) ok = cli_make_directory(work);
	if (!ok) cli_fail("%s: the directory cannot be created: %s", work, strerror(errno));
	free(work);
	return ok;
}

json_t *cli_store_result(const cli_store *store, const char *id)
{
	char *path = cli_store_path(store, id, "result.json");
	json_t *result = cli_json_load(path, NULL);
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
	bool ok = cli_rename(from, to);
	if (!ok) cli_fail("%s: the finished file cannot be renamed to this name: %s", to, strerror(errno));
	free(from);
	free(to);
	return ok;
}

bool cli_store_commit(const cli_store *store, const char *id, uint32_t number)
{
	char *work = cli_store_work(store, id, number, NULL), *old = replaced_path(store, id, number);
	char *path = cli_store_path(store, id, NULL), *folder = cli_format("%s/%.2s", store->path, id);
	bool ok = cli_make_directory(folder) || errno == EEXIST;
	/* If the worker is killed at this point, the store has the old result, the new one or none, but never a part of
	 * one. */
	ok = ok && (cli_rename(path, old) || errno == ENOENT) && cli_rename(work, path);
	if (!ok) cli_fail("%s: the finished file cannot be renamed to this name: %s", path, strerror(errno));
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
	bool ok = (cli_make_directory(removed) || errno == EEXIST) && (cli_make_directory(head) || errno == EEXIST);
	free(head);
	free(removed);
	return ok;
}

bool cli_store_remove(const cli_store *store, const char *id)
{
	char *from = cli_store_path(store, id, NULL), *to = removed_path(store, id);
	bool ok = make_parents_of_removed(store, id);
	if (ok) cli_remove_tree(to);
	ok = ok && cli_rename(from, to);
	if (!ok) cli_fail("%s: cannot be moved to removed/: %s", from, strerror(errno));
	free(to);
	free(from);
	return ok;
}

bool cli_store_restore(const cli_store *store, const char *id)
{
	char *from = removed_path(store, id), *to = cli_store_path(store, id, NULL);
	char *folder = cli_format("%s/%.2s", store->path, id);
	bool ok = is_there(from) && (cli_make_directory(folder) || errno == EEXIST) && cli_rename(from, to);
	free(folder);
	free(to);
	free(from);
	return ok;
}

/* ---- The store -------------------------------------------------------------------------------------------- */

/* Parses a claim's name "ID.N". */
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

/* True if a worker was killed after it completed the map's result, and left this claim. False if there is a claim with
 * a higher number, because the worker of that claim may run. */
static bool is_remains(const cli_store *store, const char *id, uint32_t number)
{
	char *claim = claim_path(store, id, number), *later = claim_path(store, id, number + 1);
	char *result = cli_store_path(store, id, "result.json");
	bool yes = is_there(result) && !is_there(later) && is_stale(store, claim);
	free(result);
	free(later);
	free(claim);
	return yes;
}

typedef struct sweeping {
	const cli_store *store;
	uint32_t count;
} sweeping;

/* Implements cli_entry_fn. */
static void sweep_one(const char *name, cli_path_kind kind, void *user)
{
	char id[CLI_ID_LENGTH + 1];
	uint32_t number;
	sweeping *s = user;
	if (kind != CLI_PATH_FILE || !read_claim_name(name, id, &number) || !is_remains(s->store, id, number)) return;
	char *claim = claim_path(s->store, id, number);
	remove_remains(s->store, id, number);
	cli_remove_file(claim);
	s->count += !is_there(claim);
	free(claim);
}

/* Removes claims that killed workers left on complete results. Returns the number of removed claims. */
static uint32_t sweep(const cli_store *store, const char *folder)
{
	sweeping s = { store, 0 };
	cli_each_entry(folder, sweep_one, &s);
	return s.count;
}

static bool make_folder(const char *path)
{
	if (cli_make_directory(path) || errno == EEXIST) return true;
	cli_fail("%s: the directory cannot be created: %s", path, strerror(errno));
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
		cli_remove_directory(path);
		idle &= !is_there(path);
		free(path);
	}
	return idle;
}
