/* process.c - processes the maps of a catalog into a store, each in a child process. See process.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/catalog/catalog_read.h"
#include "archive/companions/originals.h"
#include "archive/process/child.h"
#include "cli/host/platform.h"
#include "cli/host/processes.h"
#include "cli/json.h"
#include "archive/process/map_task.h"
#include "archive/process/process.h"
#include "archive/process/process_map.h"
#include "cli/report.h"
#include "archive/process/run_plan.h"
#include "archive/process/run_progress.h"
#include "archive/catalog/map_places.h"
#include "archive/process/known_map.h"
#include "archive/store/map_store.h"
#include "archive/catalog/prune.h"
#include "archive/store/roots.h"

enum { TIMEOUT = 600, MOST_TRIES = 3, WAIT = 200 }; /* time limit in seconds; largest number of attempts for a map;
                                                     * milliseconds to wait for children at a time */
#define TOUCH_EVERY 30.0               /* in seconds */
#define MEMORY_LIMIT ((uint64_t)4 << 30)
#define FILE_LIMIT ((uint64_t)4 << 30)
/* Number of bytes that are kept of a crashed child's messages, from their end. */
#define WORDS_KEPT 4096

/* A map that is being processed. */
typedef struct job {
	const cli_catalog_map *map;        /* the map; NULL: the job is idle */
	json_t *all;                       /* array of the map's places */
	size_t at;                         /* index in `all` of the place from which the map is read */
	json_t *entry, *places;            /* `entry`: the place at `at`; `places`: all other places, as results store
	                                    * them */
	json_t *made;                      /* the existing result if it has all requested products, else NULL */
	uint32_t claim, tries;
	char *folder, *words, *kept_folder;
	cli_map_work work;
} job;

typedef struct run_state {
	const cli_args *args;
	cli_store store;
	cli_catalog catalog;
	uint32_t next;                     /* index of the next map to begin */
	uint32_t jobs;
	job *all;
	cli_child *children;               /* the child of each job; children[i] belongs to all[i] */
	cli_map_place place;               /* the place that is open: that of the job which was started last; other jobs
	                                    * may read their maps from the same place */
	json_t *original;                  /* contents of original.json for `place`; NULL: not stored yet, or not
	                                    * requested */
	cli_run_plan plan;
	cli_run_progress progress;
	double touched;
	bool failed;                       /* the store cannot be written, so the run must end */
} run_state;

static const cli_child_work map_work = { cli_process_map, cli_describe_map_work };

/* ---- Ends ------------------------------------------------------------------------------------------------- */

static void end_job(run_state *run, job *j)
{
	cli_store_release(&run->store, j->map->id, j->claim);
	json_decref(j->all);
	json_decref(j->places);
	json_decref(j->made);
	free(j->folder);
	free(j->words);
	free(j->kept_folder);
	*j = (job) { 0 };
}

/* Returns the end of the child's standard error, without an incomplete first line; new memory. */
static char *read_words(const char *path)
{
	char text[WORDS_KEPT + 1];
	FILE *file = cli_open_regular(path);
	size_t size = 0;
	if (file && fseek(file, -WORDS_KEPT, SEEK_END)) (void)fseek(file, 0, SEEK_SET);
	bool cut = file && ftell(file) > 0;
	if (file) size = fread(text, 1, WORDS_KEPT, file);
	if (file) fclose(file);
	while (size && text[size - 1] == '\n') size--;
	text[size] = 0;
	const char *start = cut && strchr(text, '\n') ? strchr(text, '\n') + 1 : text;
	return cli_format("%s", start);
}

/* Returns the last line of a child's messages, without the prefix "bspscene: ". */
static const char *last_line(const char *words)
{
	const char *last = strrchr(words, '\n') ? strrchr(words, '\n') + 1 : words;
	return strncmp(last, "bspscene: ", 10) ? last : last + 10;
}

static const char *reason_of(const cli_child *child)
{
	switch (child->end) {
	case CLI_CHILD_EXITED:
	case CLI_CHILD_TOOK_TOO_MUCH: return "refused";
	case CLI_CHILD_TOO_LONG: return "timeout";
	case CLI_CHILD_WROTE_TOO_MUCH: return "output";
	case CLI_CHILD_CRASHED: return "crashed";
	case CLI_CHILD_KILLED: break;
	}
	return "killed";
}

/* Stores a result with the reason of the failure in place of the child's files. Takes ownership of `message`. */
static void quarantine(run_state *run, job *j, const char *reason, char *message)
{
	char *words = read_words(j->words);
	const char *name = json_string_value(json_object_get(j->entry, "name"));
	const char *last = last_line(words);
	if (!strcmp(reason, "refused") && *last) {
		free(message);
		message = cli_format("%s", last);
	}
	json_t *result = cli_begin_result(j->entry, j->places, run->args, &j->work.wanted, "quarantined");
	json_object_set_new(result, "reason", json_string(reason));
	json_object_set_new(result, "message", cli_json_text(message));
	json_object_set_new(result, "last_words", cli_json_text(*words ? words : message));
	cli_publish_json(result, run->args);
	bool ok = cli_store_clear(&run->store, j->map->id, j->claim) &&
	          cli_store_put_result(&run->store, j->map->id, j->claim, result) &&
	          cli_store_commit(&run->store, j->map->id, j->claim);
	json_decref(result);
	cli_run_quarantined(&run->progress, name ? name : j->map->id, reason, message);
	run->failed |= !ok;
	free(message);
	free(words);
	end_job(run, j);
}

static void start_job(run_state *run, uint32_t number);

/* Returns the reason of a failure, in new memory: the child's output or, if there is none, the last line of its
 * messages. */
static char *read_fault(const job *j, const cli_child *child)
{
	char *words = read_words(j->words);
	const char *last = last_line(words);
	char *fault = child->output_size ? cli_format("%.*s", (int)child->output_size, child->output)
	                                 : cli_format("%s", *last ? last : "the process ended without a message");
	free(words);
	return fault;
}

/* Ends the job without a result, so that the next run tries the map again. */
static void leave(run_state *run, job *j, const char *fault)
{
	cli_run_left(&run->progress, fault);
	end_job(run, j);
}

/* Selects the place from which the job reads its map. */
static void read_from(job *j, size_t place)
{
	json_decref(j->places);
	j->at = place;
	j->work.entry = j->entry = json_array_get(j->all, place);
	j->work.places = j->places = cli_places_but(j->all, place);
}

/* Starts the job again with the next place of the map, because the file at the present place is missing or has
 * changed. */
static void read_elsewhere(run_state *run, uint32_t number, const char *fault)
{
	job *j = &run->all[number];
	if (j->at + 1 == json_array_size(j->all)) {
		leave(run, j, fault);
		return;
	}
	read_from(j, j->at + 1);
	if (j->made && cli_is_same_source(j->entry, json_object_get(j->made, "catalog"))) {
		cli_run_skipped(&run->progress);
		end_job(run, j);
		return;
	}
	/* Products of the earlier result are not kept, because they were made from another place. */
	j->work.there = (cli_products) { 0 };
	cli_remove_file(j->words);
	if (cli_store_clear(&run->store, j->map->id, j->claim)) {
		start_job(run, number);
		return;
	}
	run->failed = true;
	end_job(run, j);
}

static void fail_store(run_state *run, job *j, const char *fault)
{
	run->failed = true;
	cli_fail("%s: cannot be written: %s", run->store.path, fault);
	end_job(run, j);
}

/* Starts a child again that was killed from outside. After MOST_TRIES attempts, leaves the map for another run. */
static void try_again(run_state *run, uint32_t number)
{
	job *j = &run->all[number];
	if (j->tries < MOST_TRIES && !cli_is_told_to_end() && cli_store_clear(&run->store, j->map->id, j->claim)) {
		cli_remove_file(j->words);
		start_job(run, number);
		return;
	}
	leave(run, j, "its process was killed several times, by another program or for lack of memory");
}

static void commit(run_state *run, job *j)
{
	uint64_t before = cli_store_bytes(&run->store, j->map->id);
	bool ok = cli_store_commit(&run->store, j->map->id, j->claim);
	run->failed |= !ok;
	if (ok) cli_run_done(&run->progress, (double)cli_store_bytes(&run->store, j->map->id) - (double)before);
	end_job(run, j);
}

/* Handles the end of a child: decides whether the map or the machine caused it. */
static void judge(run_state *run, uint32_t number, const char *fault)
{
	job *j = &run->all[number];
	const cli_child *child = &run->children[number];
	bool exited = child->end == CLI_CHILD_EXITED, crashed = child->end == CLI_CHILD_CRASHED;
	bool full = child->end == CLI_CHILD_WROTE_TOO_MUCH;
	bool hungry = child->end == CLI_CHILD_TOOK_TOO_MUCH || (exited && child->status == CLI_MAP_NO_MEMORY);
	if (exited && child->status == CLI_MAP_MADE) {
		commit(run, j);
	} else if (exited && child->status == CLI_MAP_UNREADABLE) {
		read_elsewhere(run, number, fault);
	} else if (exited && child->status == CLI_MAP_UNWRITABLE) {
		fail_store(run, j, fault);
	} else if (full && !cli_child_has_file_size(&child->limits)) {
		fail_store(run, j, "the system does not allow files as large as --output-limit");
	} else if ((hungry || crashed) && !cli_child_has_memory(&child->limits)) {
		leave(run, j, "the system has less memory for a map than --memory-limit allows");
	} else {
		quarantine(run, j, reason_of(child), hungry ? cli_format("out of memory") : cli_child_last_words(child));
	}
}

static void finish(run_state *run, uint32_t number)
{
	cli_child *child = &run->children[number];
	char *fault = read_fault(&run->all[number], child);
	free(child->output);
	child->output = NULL;
	if (child->end == CLI_CHILD_KILLED) try_again(run, number);
	else judge(run, number, fault);
	free(fault);
}

/* ---- Beginnings ------------------------------------------------------------------------------------------- */

static bool start_child(run_state *run, uint32_t number)
{
	job *j = &run->all[number];
	const cli_args *args = run->args;
	cli_limits limits = { .memory = MEMORY_LIMIT, .file_size = FILE_LIMIT, .seconds = TIMEOUT };
	/* The limit of the process must be higher than --memory-limit. That option limits only what loading takes, but
	 * decoded pictures and the program itself need memory too. */
	if (args->memory_limit) limits.memory = ((uint64_t)args->memory_limit * 3 + 256) << 20;
	if (args->output_limit) limits.file_size = ((uint64_t)args->output_limit + 1) << 20;
	if (args->timeout) limits.seconds = args->timeout;
	j->tries++;
	j->work.place = run->place.place;
	if (cli_child_start(&run->children[number], &map_work, &j->work, &limits, j->words)) return true;
	run->failed = true;
	cli_fail("%s: cannot start a process for this map: %s", j->map->id, strerror(errno));
	return false;
}

static bool open_place(run_state *run, const json_t *entry, bspscene_error *error)
{
	if (cli_is_place_of(entry, run->args, &run->place)) return true;
	cli_close_place(&run->place);
	json_decref(run->original);
	run->original = NULL;
	if (cli_open_place_of(entry, run->args, &run->place, error)) return true;
	cli_close_place(&run->place);
	return false;
}

/* Stores the original file of the open place, if --keep-originals was given. All maps of the place share it. Returns
 * false after an error, which is printed. */
static bool keep_original(run_state *run, job *j)
{
	int fault = 0;
	bool wanted = j->work.wanted.steps & CLI_STEP_ORIGINALS;
	if (wanted && !run->original) run->original = cli_keep_original(run->store.path, j->entry, run->args, &fault);
	j->work.original = wanted ? run->original : NULL;
	run->failed |= fault != 0;
	return !wanted || run->original;
}

/* Starts the child of the job. Opens the map's place first, unless it is open. A map that is tried again may need that,
 * because the place of another map was opened meanwhile. */
static void start_job(run_state *run, uint32_t number)
{
	job *j = &run->all[number];
	bspscene_error error;
	if (open_place(run, j->entry, &error)) {
		bool kept = keep_original(run, j);
		if (!kept && !run->failed) read_elsewhere(run, number, "its file cannot be read");
		else if (!kept || !start_child(run, number)) end_job(run, j);
	} else if (cli_is_fault_of_place(j->entry, run->args, &error)) {
		read_elsewhere(run, number, error.message);
	} else {
		quarantine(run, j, "refused", cli_format("%s", error.message));
	}
}

/* Sets the work of a job: which products to make, and which products of `old` to keep. `old` is the map's existing
 * result, or NULL. If that result is an error, no products are kept. */
static void plan(const run_state *run, job *j, const json_t *old)
{
	const char *status = json_string_value(json_object_get(old, "status"));
	json_int_t warnings = json_integer_value(json_object_get(old, "warnings"));
	j->work = (cli_map_work) {
		.args = run->args,
		.entry = j->entry,
		.places = j->places,
		.folder = j->folder,
		.store = run->store.path,
		.kept_folder = j->kept_folder,
		.wanted = cli_products_asked(run->args),
	};
	if (!status || strcmp(status, "done") != 0) return;
	cli_products there = cli_products_of(old);
	cli_products_add(&j->work.wanted, &there);
	/* Products are kept only if they were made from the same place with the same files next to the map. */
	if (!cli_is_same_source(j->entry, json_object_get(old, "catalog"))) return;
	j->work.there = there;
	j->work.kept_warnings = warnings > 0 && warnings < UINT32_MAX ? (uint32_t)warnings : 0;
}

static void begin(run_state *run, uint32_t number, const cli_catalog_map *map, uint32_t claim,
                  const cli_known_map *known)
{
	job *j = &run->all[number];
	*j = (job) { .map = map, .claim = claim, .all = json_incref(known->places) };
	if (known->suffices) j->made = json_incref(known->result);
	j->folder = cli_store_work(&run->store, map->id, claim, NULL);
	j->kept_folder = cli_store_path(&run->store, map->id, NULL);
	j->words = cli_store_words(&run->store, map->id, claim);
	read_from(j, 0);
	plan(run, j, known->result);
	start_job(run, number);
}

/* Updates only the places of a result that has all requested products. */
static void refresh(run_state *run, const cli_catalog_map *map, uint32_t claim, const cli_known_map *known)
{
	json_object_set(known->result, "catalog", json_array_get(known->places, 0));
	json_object_set_new(known->result, "places", cli_places_but(known->places, 0));
	bool ok = cli_store_put_result(&run->store, map->id, claim, known->result) &&
	          cli_store_replace_result(&run->store, map->id, claim);
	cli_store_release(&run->store, map->id, claim);
	run->failed |= !ok;
	if (ok) cli_run_refreshed(&run->progress);
}

/* Claims a map and begins it. False if its result is already complete. */
static bool take(run_state *run, uint32_t number, const cli_catalog_map *map)
{
	uint32_t claim;
	cli_known_map known = cli_know_map(&run->store, map, run->args);
	bool complete = known.complete;
	cli_forget_map(&known);
	if (complete) return false;
	cli_claiming claiming = cli_store_claim(&run->store, map->id, &claim);
	if (claiming == CLI_CLAIM_FAILED) run->failed = true;
	if (claiming == CLI_CLAIMED_BY_OTHER) cli_run_others(&run->progress);
	if (claiming != CLI_CLAIMED) return true;
	/* Looks again: another worker may have finished the map before it was claimed. A map without a result may be in
	 * removed/, and is restored. */
	known = cli_know_map(&run->store, map, run->args);
	if (!known.result && cli_store_restore(&run->store, map->id)) {
		cli_forget_map(&known);
		known = cli_know_map(&run->store, map, run->args);
	}
	complete = known.complete;
	if (complete) cli_store_release(&run->store, map->id, claim);
	else if (known.same_source) refresh(run, map, claim, &known);
	else begin(run, number, map, claim, &known);
	cli_forget_map(&known);
	return !complete;
}

/* Finds the next map that an idle job can begin: one that no other worker has made or is making. */
static void begin_next(run_state *run, uint32_t number)
{
	while (run->next < run->catalog.map_count && !run->all[number].map && !run->failed) {
		uint32_t next = run->next++;
		if (run->plan.complete[next]) continue; /* already counted as complete by the plan */
		if (!take(run, number, &run->catalog.maps[next])) cli_run_skipped(&run->progress);
	}
}

/* ---- The run ---------------------------------------------------------------------------------------------- */

static bool begin_idle(run_state *run)
{
	bool busy = false;
	for (uint32_t i = 0; i < run->jobs; i++) {
		if (!run->all[i].map && !cli_is_told_to_end()) begin_next(run, i);
		busy |= run->all[i].map != NULL;
	}
	return busy;
}

static void touch(run_state *run)
{
	double now = cli_clock();
	if (now - run->touched < TOUCH_EVERY) return;
	run->touched = now;
	for (uint32_t i = 0; i < run->jobs; i++) {
		if (run->all[i].map) cli_store_touch(&run->store, run->all[i].map->id, run->all[i].claim);
	}
}

static void work(run_state *run)
{
	while (begin_idle(run) && !cli_is_told_to_end() && !run->failed) {
		int ended = cli_child_wait(run->children, run->jobs, WAIT);
		if (ended >= 0) finish(run, (uint32_t)ended);
		touch(run);
		cli_run_show(&run->progress);
	}
	for (uint32_t i = 0; i < run->jobs; i++) {
		if (!run->all[i].map) continue;
		cli_child_kill(&run->children[i]);
		free(run->children[i].output);
		end_job(run, &run->all[i]);
	}
}

/* Returns the number of threads of each job. Jobs that run at the same time share the processors. */
static uint32_t threads_of_job(uint32_t jobs)
{
	uint32_t processors = cli_processor_count();
	return processors > jobs ? processors / jobs : 1;
}

cli_exit cli_run_process(const cli_args *given)
{
	cli_args own = *given;
	const cli_args *args = &own;
	run_state state = { .args = args, .jobs = args->jobs ? args->jobs : 1, .touched = cli_clock() };
	own.threads = threads_of_job(state.jobs);
	json_t *task = cli_child_task();
	if (task) cli_process_map_of(task, args);
	cli_exit status = cli_check_process(args);
	if (status != CLI_DONE) return status;
	const cli_process_options *options = cli_process_options_of(args);
	if (!cli_catalog_read(&state.catalog, options->catalog, options->shard, options->shard_count)) return CLI_FAILED;
	if (state.catalog.bad_count) {
		cli_warn(args, "%u line%s left out, because \"bspscene catalog\" did not write them; the first is line %u",
		         state.catalog.bad_count, state.catalog.bad_count == 1 ? " is" : "s are", state.catalog.first_bad);
	}
	if (options->prune || options->dry_run) {
		status = options->prune ? cli_prune_store(args, &state.catalog) : cli_say_plan(args, &state.catalog);
		cli_catalog_free(&state.catalog);
		return status;
	}
	if (!cli_store_open(&state.store, args->source)) {
		cli_catalog_free(&state.catalog);
		return CLI_FAILED;
	}
	state.all = cli_allocate(state.jobs, sizeof *state.all);
	state.children = cli_allocate(state.jobs, sizeof *state.children);
	state.plan = cli_plan_run(&state.store, &state.catalog, args);
	cli_run_begin(&state.progress, args, &state.plan);
	cli_watch_for_end();
	work(&state);
	status = cli_run_end(&state.progress, cli_is_told_to_end());
	cli_close_place(&state.place);
	json_decref(state.original);
	cli_store_close(&state.store);
	cli_catalog_free(&state.catalog);
	free(state.plan.complete);
	free(state.children);
	free(state.all);
	return state.failed ? CLI_FAILED : status;
}
