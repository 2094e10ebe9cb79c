/* output.c - writes files that appear complete or not at all. See output.h.
 * 
 * The program keeps a list of everything that it made and did not commit yet, so that a signal or exit can remove it:
 * files under temporary names, and new directories. */
#include "cli/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/inputs.h"
#include "cli/names.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/host/platform.h"
#include "cli/host/temporary.h"
#include "system/file_set.h"

/* Largest number of directories that one run searches for leftover files; maps may name very many. */
enum { MOST_SWEEPS = 64 };

struct cli_output_file {
	cli_output_file *next;             /* the file that was created before this one */
	char *temporary;                   /* path of the temporary file; NULL: none, because the target is a device or a
	                                    * pipe */
	char *path;
	FILE *stream;                      /* NULL after cli_output_end, and for directories */
	bool is_directory;
};

static cli_output_file *volatile made; /* all files that are not committed, newest first */

/* Removes all files and directories that are not committed. Calls only functions that are safe in a signal handler. */
static void remove_made(void)
{
	for (const cli_output_file *file = made; file; file = file->next) {
		if (file->is_directory) cli_remove_directory(file->path);
		else if (file->temporary) {
			if (file->stream) cli_let_go(file->stream);
			cli_remove_file(file->temporary);
		}
	}
}

static int system_error;

int cli_output_system_error(void)
{
	return system_error;
}

void cli_output_note_system_error(int error)
{
	bool is_name = error == ENAMETOOLONG || error == ENOTDIR || error == EISDIR || error == EILSEQ;
	if (!system_error && !is_name) system_error = error;
}

static void set_failure(cli_output *output, const char *path, const char *what, int error)
{
	cli_output_note_system_error(error);
	if (!output->failure) output->failure = cli_format("%s: %s: %s", path, what, strerror(error));
}

/* Records a failed write. If a signal handler in another thread closed the file to remove it, cli_hold_signals waits
 * until the process ends. */
static void set_write_failure(cli_output *output, const char *path, int error)
{
	cli_hold_signals();
	cli_release_signals();
	set_failure(output, path, "cannot write", error);
}

static cli_output_file *add_made(char *path, bool is_directory)
{
	cli_output_file *file = cli_allocate(1, sizeof *file);
	file->path = path;
	file->is_directory = is_directory;
	file->next = made;
	made = file;
	return file;
}

static bool refuse_link(cli_output *output, const char *path)
{
	if (!output->failure) {
		output->failure = cli_format("%s: not written: a link inside of the output directory is not followed", path);
	}
	return false;
}

/* Makes a directory and adds it to the list of uncommitted files. Signals wait meanwhile, so that their handler never
 * sees an incomplete list. */
static bool make_directory(cli_output *output, const char *path, bool follow_link)
{
	cli_hold_signals();
	int error = cli_make_directory(path) ? 0 : errno;
	if (!error) add_made(cli_format("%s", path), true);
	cli_release_signals();
	if (!error) return true;

	cli_path_kind kind = error == EEXIST ? cli_kind_of(path, follow_link) : CLI_PATH_ABSENT;
	if (kind == CLI_PATH_DIRECTORY) return true;
	if (kind == CLI_PATH_LINK) return refuse_link(output, path);
	set_failure(output, path, "cannot make the directory", error == EEXIST ? ENOTDIR : error);
	return false;
}

/* Makes the parent directories of a file that do not exist. Skips those that the first `from` bytes of the path
 * name. */
static bool make_parents(cli_output *output, const char *path, size_t from, bool follow_links)
{
	char *part = cli_format("%s", path);
	size_t root = cli_root_length(path);
	bool ok = true;
	for (size_t i = from > root ? from : root; part[i] && ok; i++) {
		char separator = part[i];
		if (!cli_is_separator(separator)) continue;
		part[i] = 0;
		ok = make_directory(output, part, follow_links);
		part[i] = separator;
	}
	free(part);
	return ok;
}

static bool report_opening(const cli_output *output)
{
	if (output->failure) cli_fail("%s", output->failure);
	return !output->failure;
}

bool cli_output_open(cli_output *output, const cli_source *source, const char *directory)
{
	*output = (cli_output){ .source = source, .directory = cli_format("%s", *directory ? directory : ".") };
	cli_clean_up_at_end(remove_made);
	if (make_parents(output, output->directory, 0, true)) make_directory(output, output->directory, true);
	return report_opening(output);
}

bool cli_output_open_file(cli_output *output, const cli_source *source, const char *path, const char **name)
{
	const char *slash = cli_last_separator(path);
	char *directory = slash == path ? cli_format("/")
		: slash ? cli_format("%.*s", (int)(slash - path), path) : cli_format(".");
	*output = (cli_output){ .source = source, .directory = directory, .follow_links = true };
	*name = slash ? slash + 1 : path;
	cli_clean_up_at_end(remove_made);
	cli_path_kind kind = cli_kind_of(directory, true);
	if (kind == CLI_PATH_ABSENT) set_failure(output, directory, "cannot open the directory", errno);
	else if (kind != CLI_PATH_DIRECTORY) set_failure(output, directory, "cannot open the directory", ENOTDIR);
	return report_opening(output);
}

/* Creates a temporary file next to the target, with the permissions that the target has or would get. */
static FILE *open_temporary(const char *target, const char *existing, char **temporary)
{
	FILE *stream = NULL;
	while (!stream) {
		free(*temporary);
		*temporary = cli_temporary_name(target);
		stream = cli_open_new(*temporary, existing);
		if (!stream && errno != EEXIST) return NULL;
	}
	return stream;
}

static cli_output_file *add_file(char *path, char *temporary, FILE *stream)
{
	cli_output_file *file = add_made(path, false);
	file->temporary = temporary;
	file->stream = stream;
	return file;
}

/* Removes leftover files from the target's directory, unless the previous target was in the same directory. Writers
 * usually finish one directory before the next, so that each directory is searched about once. */
static void sweep(cli_output *output, const char *target)
{
	const char *slash = cli_last_separator(target);
	size_t length = slash ? (size_t)(slash - target) + 1 : 0;
	if (output->swept && strlen(output->swept) == length && !strncmp(output->swept, target, length)) return;
	if (output->sweep_count == MOST_SWEEPS) return;
	free(output->swept);
	output->swept = cli_format("%.*s", (int)length, target);
	output->sweep_count++;
	cli_sweep_temporaries(target);
}

/* Opens a temporary file next to `path` or, if it is a link, next to its target. */
static cli_output_file *open_beside(cli_output *output, char *path, bool exists)
{
	char *temporary = NULL;
	char *real = exists && cli_kind_of(path, false) == CLI_PATH_LINK ? cli_real_path(path) : NULL;
	sweep(output, real ? real : path);
	cli_hold_signals();
	FILE *stream = open_temporary(real ? real : path, exists ? path : NULL, &temporary);
	int error = errno;
	cli_output_file *file = stream ? add_file(path, temporary, stream) : NULL;
	cli_release_signals();
	free(real);
	if (!file) free(temporary);
	errno = error;
	return file;
}

/* Opens a device or a pipe directly. Does not hold signals, because opening a pipe waits for its reader. */
static cli_output_file *open_in_place(char *path)
{
	FILE *stream = cli_open_in_place(path);
	if (!stream) return NULL;
	cli_hold_signals();
	cli_output_file *file = add_file(path, NULL, stream);
	cli_release_signals();
	return file;
}

static cli_output_file *open_file(cli_output *output, char *path)
{
	switch (cli_kind_of(path, true)) {
	case CLI_PATH_ABSENT: return open_beside(output, path, false);
	case CLI_PATH_FILE: return open_beside(output, path, true);
	case CLI_PATH_DIRECTORY: errno = EISDIR; return NULL;
	default: return open_in_place(path);
	}
}

bool cli_output_is_free(const char *path)
{
	if (cli_kind_of(path, true) != CLI_PATH_FILE) return true;
	cli_fail("%s: exists already; --force replaces it", path);
	return false;
}

void cli_output_add_input(cli_output *output, const char *path)
{
	char **inputs = realloc(output->inputs, (output->input_count + 1) * sizeof *inputs);
	if (!inputs) cli_end_without_memory();
	inputs[output->input_count++] = cli_format("%s", path);
	output->inputs = inputs;
}

static bool is_input(const cli_output *output, const char *path)
{
	for (size_t i = 0; i < output->input_count; i++) {
		if (cli_is_same_file(path, output->inputs[i])) return true;
	}
	return cli_is_input(output->source, path);
}

/* True if the path may be written. Refuses inputs and, for names that come from a map, links. */
static bool may_write(cli_output *output, const char *path)
{
	if (!output->follow_links && cli_kind_of(path, false) == CLI_PATH_LINK) return refuse_link(output, path);
	if (!is_input(output, path)) return true;
	if (!output->failure) output->failure = cli_format("%s: not written: it is the input", path);
	return false;
}

/* If `own` differs from `name`, adds 1 to *count. The first time, also sets *first to a text with both names. */
static void note_change(uint32_t *count, char **first, const char *name, const char *own)
{
	if (strcmp(own, name) != 0 && !(*count)++) *first = cli_format("%s is %s", name, own);
}

/* Returns the path of a file. Names that the user chose are kept; names from a map are made safe. */
static char *make_path(cli_output *output, const char *name, size_t *from)
{
	char *own = output->follow_links ? cli_format("%s", name) : cli_portable_name(name);
	note_change(&output->renamed_count, &output->renamed, name, own);
	if (output->keeps_apart) {
		char *apart = cli_name_apart(&output->names, own);
		note_change(&output->numbered_count, &output->numbered, own, apart);
		free(own);
		own = apart;
	}
	char *path = strcmp(output->directory, ".") ? cli_format("%s/%s", output->directory, own) : cli_format("%s", own);
	*from = strlen(path) - strlen(own);
	free(own);
	return path;
}

bool cli_output_begin(void *user, const char *name)
{
	cli_output *output = user;
	if (!cli_is_name_safe(name)) {
		if (!output->failure) output->failure = cli_format("%s: not written: the name could leave its directory", name);
		return false;
	}
	size_t from;
	char *path = make_path(output, name, &from);
	if (!make_parents(output, path, from, output->follow_links) || !may_write(output, path)) {
		free(path);
		return false;
	}
	output->current = open_file(output, path);
	if (output->current) return true;
	set_failure(output, path, "cannot write", errno);
	free(path);
	return false;
}

bool cli_output_allows(cli_output *output, uint64_t size)
{
	if (!output->limit || size <= output->limit - output->written) return true;
	if (!output->failure) {
		output->failure = cli_format("%s: would be more than the output limit of %" PRIu64
		                             " MiB (--output-limit MIB raises it)", output->directory, output->limit >> 20);
	}
	return false;
}

bool cli_output_write(void *user, const void *data, size_t size)
{
	cli_output *output = user;
	cli_output_file *file = output->current;
	if (!file || !cli_output_allows(output, size)) return false;
	output->written += size;
	if (size == 0 || fwrite(data, 1, size, file->stream) == size) return true;
	set_write_failure(output, file->path, errno ? errno : EIO);
	return false;
}

bool cli_output_end(void *user)
{
	cli_output *output = user;
	cli_output_file *file = output->current;
	if (!file) return false;
	output->current = NULL;
	errno = 0;
	bool failed = fflush(file->stream) != 0 || ferror(file->stream);
	int error = errno;
	if (fclose(file->stream) && !failed) {
		failed = true;
		error = errno;
	}
	file->stream = NULL;
	if (failed) set_write_failure(output, file->path, error ? error : EIO);
	return !failed;
}

cli_output_file *cli_output_suspend(cli_output *output)
{
	cli_output_file *file = output->current;
	output->current = NULL;
	return file;
}

void cli_output_resume(cli_output *output, cli_output_file *file)
{
	output->current = file;
}

const char *cli_output_path(const cli_output *output)
{
	return output->current ? output->current->temporary : NULL;
}

static void free_file(cli_output_file *file)
{
	if (file->stream) fclose(file->stream);
	free(file->temporary);
	free(file->path);
	free(file);
}

/* Returns the folder of the output with a final slash, or "" for the current one. */
static char *folder_of(const cli_output *output)
{
	return strcmp(output->directory, ".") ? cli_format("%s/", output->directory) : cli_format("%s", "");
}

/* Returns the set of files to rename. They are in reverse order, so that the main file appears after the files that it
 * names. If the path is a link, the link stays, and its target is replaced. */
static bspi_file_set make_set(const cli_output *output)
{
	size_t count = 0;
	for (const cli_output_file *file = made; file; file = file->next) count++;
	bspi_file_set set = { .folder = folder_of(output), .files = cli_allocate(count + 1, sizeof *set.files) };
	for (const cli_output_file *file = made; file; file = file->next) {
		if (file->is_directory || !file->temporary) continue;
		char *real = cli_kind_of(file->path, false) == CLI_PATH_LINK ? cli_real_path(file->path) : NULL;
		set.files[set.count++] = (bspi_set_file) {
			.temporary = file->temporary, .target = real ? real : cli_format("%s", file->path)
		};
	}
	return set;
}

static void free_set(bspi_file_set *set)
{
	for (size_t i = 0; i < set->count; i++) free((char *)set->files[i].target);
	free(set->files);
	free((char *)set->folder);
}

static void forget_made(void)
{
	while (made) {
		cli_output_file *file = made;
		made = file->next;
		free_file(file);
	}
}

/* Renames all files. Signals are held during the renaming, but not while it waits for another program's lock. */
static bool name_files(cli_output *output)
{
	bspi_file_set set = make_set(output);
	bool ok = bspi_file_set_begin(&set);
	cli_hold_signals();
	if (!ok) output->failure = cli_format("%s: not written: another program keeps its folder locked; try again later",
	                                      output->directory);
	else if (!bspi_file_set_finish(&set)) {
		ok = false;
		set_failure(output, set.failed, "the finished file cannot be renamed to this name", errno);
	}
	if (ok) forget_made();
	cli_release_signals();
	free_set(&set);
	return ok;
}

bool cli_output_commit(cli_output *output)
{
	bool ok = !output->failure && name_files(output);
	if (!ok) cli_fail("%s", output->failure);
	return ok;
}

void cli_output_close(cli_output *output)
{
	cli_hold_signals();
	remove_made();
	forget_made();
	cli_release_signals();
	free(output->directory);
	free(output->swept);
	free(output->renamed);
	free(output->numbered);
	cli_names_apart_free(&output->names);
	free(output->failure);
	for (size_t i = 0; i < output->input_count; i++) free(output->inputs[i]);
	free(output->inputs);
	*output = (cli_output){ 0 };
}

cli_exit cli_output_report(const cli_output *output, const bspscene_error *error)
{
	if (output->failure) return cli_fail("%s", output->failure);
	if (error->status == BSPSCENE_ERROR_OUT_OF_MEMORY) cli_output_note_system_error(ENOMEM);
	return cli_fail_error("", error);
}

bspscene_output cli_output_functions(cli_output *output)
{
	bspscene_output functions;
	bspscene_output_init(&functions);
	functions.user = output;
	functions.begin = cli_output_begin;
	functions.write = cli_output_write;
	functions.end = cli_output_end;
	return functions;
}

cli_exit cli_write(const bspscene_scene *scene, cli_write_fn *write, const char *writer,
                   bspscene_write_options *options, const cli_args *args, cli_output *output)
{
	cli_progress progress;
	cli_progress_begin(&progress, args, output->source->load_share, 1);
	options->progress = cli_progress_step;
	options->progress_user = &progress;
	options->memory_limit = (uint64_t)args->memory_limit << 20;
	options->output_limit = (uint64_t)args->output_limit << 20;
	options->threads = args->threads;
	bspscene_output functions = cli_output_functions(output);
	bspscene_error error;
	bool ok = write(scene, writer, options, &functions, &error);
	cli_progress_end(&progress);
	options->progress = NULL;
	options->progress_user = NULL;
	if (!ok) return cli_output_report(output, &error);
	return cli_output_commit(output) ? CLI_DONE : CLI_FAILED;
}
