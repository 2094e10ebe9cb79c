/* command_catalog.c - bspscene catalog: prints a line for each map in folders and archives. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/catalog/catalog_entry.h"
#include "archive/catalog/map_names.h"
#include "archive/process/child.h"
#include "cli/commands/commands.h"
#include "cli/json.h"
#include "cli/options/option_rows.h"
#include "cli/report.h"
#include "cli/host/walk.h"

typedef struct own_options {
	bool recursive;
} own_options;

static const own_options *own_of(const cli_args *args) { return args->own; }

/* Default limits of memory in bytes and of time in seconds for reading one file, because the files are not trusted. */
#define MEMORY_LIMIT ((uint64_t)8 << 30)
#define TIMEOUT 3600u

typedef struct work {
	const char *path;
	const cli_map_folder *folders[2];
	const cli_args *args;
	int out;
} work;

static bool put_line(void *user, char *line)
{
	const work *w = user;
	bool ok = cli_child_write(w->out, line, strlen(line));
	free(line);
	return ok;
}

static int read_file(void *user, int out)
{
	work *w = user;
	w->out = out;
	return cli_catalog_file(w->path, w->folders, w->args, put_line, w, NULL) ? 0 : 1;
}

/* Implements `describe` of cli_child_work. A child needs only the path of its file. */
static json_t *describe(const void *user)
{
	return cli_json_text(((const work *)user)->path);
}

static const cli_child_work reading = { read_file, describe };

/* Reads the file of `task` in a child process, for systems on which the child starts the program again instead of
 * forking. */
static _Noreturn void be_child(const json_t *task, const cli_args *args)
{
	cli_map_folders folders = { 0 };
	work w = { .path = json_string_value(task), .args = args };
	cli_find_folders(&folders, w.path, w.folders);
	cli_child_be(read_file, &w);
}

/* Prints the complete lines of a child's output. The child may have died in the middle of a line. */
static void print(const work *w, cli_child *child)
{
	size_t size = child->output_size;
	while (size && child->output[size - 1] != '\n') size--;
	if (size) fwrite(child->output, 1, size, stdout);
	free(child->output);
	child->output = NULL;
	if (child->end == CLI_CHILD_EXITED && child->status == 0) return;
	char *words = cli_child_last_words(child), *line = cli_catalog_error(w->path, NULL, 0, words, w->args);
	fputs(line, stdout);
	cli_warn(w->args, "%s: not read, because the process that was reading it failed: %s", w->path, words);
	free(line);
	free(words);
}

/* Reads files in several processes, and prints the results in the order of the files. */
static cli_exit read_all(const cli_paths *files, const cli_args *args)
{
	uint32_t jobs = args->jobs ? args->jobs : 1, begun = 0, printed = 0;
	cli_limits limits = { .memory = args->memory_limit ? (uint64_t)args->memory_limit << 20 : MEMORY_LIMIT,
	                      .seconds = args->timeout ? args->timeout : TIMEOUT };
	cli_child *children = cli_allocate(files->count, sizeof *children);
	work *works = cli_allocate(files->count, sizeof *works);
	cli_map_folders folders = { 0 };
	cli_exit status = CLI_DONE;
	for (; printed < files->count && status == CLI_DONE; printed++) {
		for (; begun < files->count && begun < printed + jobs; begun++) {
			works[begun] = (work) { .path = files->paths[begun], .args = args, .out = -1 };
			cli_find_folders(&folders, files->paths[begun], works[begun].folders);
			if (!cli_child_start(&children[begun], &reading, &works[begun], &limits, NULL)) {
				status = cli_fail("%s: cannot start a process to read it: %s", files->paths[begun], strerror(errno));
				break;
			}
		}
		while (printed < begun && children[printed].process) {
			cli_child_wait(children + printed, begun - printed, 1000);
		}
		if (printed < begun) print(&works[printed], &children[printed]);
		if (ferror(stdout)) status = CLI_FAILED;
	}
	for (uint32_t i = 0; i < begun; i++) cli_child_kill(&children[i]);
	cli_map_folders_free(&folders);
	free(works);
	free(children);
	cli_exit end = cli_finish_stdout();
	return status == CLI_DONE ? end : status;
}

/* Warns if a folder without maps has maps in its subfolders. */
static void tell_of_deeper(const char *source, const cli_args *args)
{
	cli_paths below = { 0 };
	if (cli_walk(&below, source, true, cli_catalog_takes) && below.count) {
		cli_warn(args, "%s: %u map%s or archive%s in folders below not read: add --recursive", source, below.count,
		         below.count == 1 ? "" : "s", below.count == 1 ? "" : "s");
	}
	cli_paths_free(&below);
}

static cli_exit run(const cli_args *args)
{
	cli_paths files = { 0 };
	cli_exit status = CLI_DONE;
	json_t *task = cli_child_task();
	if (task) be_child(task, args);
	for (uint32_t i = 0; i < args->operand_count && status == CLI_DONE; i++) {
		const uint32_t before = files.count;
		const bool deep = own_of(args)->recursive;
		if (cli_walk(&files, args->operands[i], deep, cli_catalog_takes)) {
			if (!deep && files.count == before) tell_of_deeper(args->operands[i], args);
			continue;
		}
		status = cli_fail("%s: %s", args->operands[i], strerror(errno));
	}
	if (status == CLI_DONE) status = read_all(&files, args);
	cli_paths_free(&files);
	return status;
}

static const cli_option_row own_rows[] = {
	{ "recursive", NULL,
	  "look in subfolders as well",
	  .apply = cli_set_switch, .member = offsetof(own_options, recursive) },
	{ "timeout", "SECONDS",
	  "time limit for each file (default 3600)",
	  .apply = cli_set_count, .member = offsetof(cli_args, timeout), .most = 1e6f, .group = CLI_GROUP_LIMITS,
	  .in_args = true },
	CLI_MIB_ROW("memory-limit", memory_limit, "memory for reading one file (default 8192)"),
	{ .name = NULL },
};

const cli_command cli_command_catalog = {
	.name = "catalog",
	.operands = "SOURCE...",
	.section = "Collections of maps",
	.summary = "print a line of JSON for each map in folders and archives",
	.details =
		"Looks for maps in files, folders and archives (zip, pk3, pk4, iwd, pkz, dpk, kpf, pak, vpk, gma; 7z, rar and "
		"tar in builds with libarchive), in archives inside archives, and in files compressed with gzip, bzip2, xz or "
		"Zstandard.\n\n"
		"It prints a line of JSON for each map: its id (SHA-256 of its bytes), hashes of its faces and entities that "
		"stay the same when the map is lit or compiled again, its name, title, format, size, path and the files next "
		"to it. Light and entities in files next to a map make it another map; --entities map leaves the entities "
		"out. A file that cannot be read has a line with \"error\". Symbolic links are not followed. Each file is "
		"read in a process of its own. \"bspscene process\" takes the lines.",
	.examples =
		"  bspscene catalog --recursive ~/maps >catalog.jsonl\n"
		"  bspscene catalog pak1-maps.pk3 | jq -r .name\n",
	.options =
		"recursive root entities jobs timeout memory-limit quiet version help",
	.own = own_rows, .own_size = sizeof(own_options),
	.operand_count = 1,
	.most_operands = UINT32_MAX,
	.run = run,
};
