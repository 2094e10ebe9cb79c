/* output.c - bytes to files that appear complete or not at all. See output.h.
 *
 * A list of everything made and not yet committed is kept for the whole program, so that a signal or an exit can take
 * it away again: files under temporary names, and directories that did not exist before. */
#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inputs.h"
#include "progress.h"
#include "report.h"
#include "temporary.h"

/* Directories of one run that are looked through for left-over files; maps may name very many. */
enum { MOST_SWEEPS = 64 };

struct cli_output_file {
	cli_output_file *next;             /* made before this one */
	char *temporary;                   /* NULL: written in place, because the target is a device or a pipe */
	char *path;
	FILE *stream;                      /* NULL once ended, and for directories */
	bool is_directory;
};

static cli_output_file *volatile made; /* newest first */

/* Only what a signal handler may call. */
static void remove_made(void)
{
	for (const cli_output_file *file = made; file; file = file->next) {
		if (file->is_directory) rmdir(file->path);
		else if (file->temporary) unlink(file->temporary);
	}
}

static void end_by_signal(int number)
{
	remove_made();
	signal(number, SIG_DFL);
	raise(number);
}

static void install_handlers(void)
{
	static const int signals[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	static bool installed;
	if (installed) return;
	installed = true;
	atexit(remove_made);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct sigaction old;
		if (sigaction(signals[i], NULL, &old) || old.sa_handler == SIG_IGN) continue;
		struct sigaction action = { .sa_handler = end_by_signal };
		sigemptyset(&action.sa_mask);
		sigaction(signals[i], &action, NULL);
	}
	signal(SIGPIPE, SIG_IGN); /* these two become write errors, with a message */
	signal(SIGXFSZ, SIG_IGN);
}

/* The list is changed with signals held back, so the handler never sees half of it. */
static void hold_signals(sigset_t *before)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, before);
}

static void set_failure(cli_output *output, const char *path, const char *what, int error)
{
	if (!output->failure) output->failure = cli_format("%s: %s: %s", path, what, strerror(error));
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

static bool make_directory(cli_output *output, const char *path, bool follow_link)
{
	sigset_t before;
	hold_signals(&before);
	int error = mkdir(path, 0777) == 0 ? 0 : errno;
	if (!error) add_made(cli_format("%s", path), true);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (!error) return true;

	struct stat info;
	bool exists = error == EEXIST && (follow_link ? stat(path, &info) : lstat(path, &info)) == 0;
	if (exists && S_ISDIR(info.st_mode)) return true;
	if (exists && S_ISLNK(info.st_mode)) return refuse_link(output, path);
	set_failure(output, path, "cannot make the directory", error == EEXIST ? ENOTDIR : error);
	return false;
}

/* Makes the directories that lead to a file, from letter `from` on. */
static bool make_parents(cli_output *output, const char *path, size_t from, bool follow_links)
{
	char *part = cli_format("%s", path);
	bool ok = true;
	for (size_t i = from; part[i] && ok; i++) {
		if (part[i] != '/' || i == 0) continue;
		part[i] = 0;
		ok = make_directory(output, part, follow_links);
		part[i] = '/';
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
	install_handlers();
	if (make_parents(output, output->directory, 0, true)) make_directory(output, output->directory, true);
	return report_opening(output);
}

bool cli_output_open_file(cli_output *output, const cli_source *source, const char *path, const char **name)
{
	const char *slash = strrchr(path, '/');
	char *directory = slash == path ? cli_format("/")
		: slash ? cli_format("%.*s", (int)(slash - path), path) : cli_format(".");
	*output = (cli_output){ .source = source, .directory = directory, .follow_links = true };
	*name = slash ? slash + 1 : path;
	install_handlers();
	struct stat info;
	if (stat(directory, &info)) set_failure(output, directory, "cannot open the directory", errno);
	else if (!S_ISDIR(info.st_mode)) set_failure(output, directory, "cannot open the directory", ENOTDIR);
	return report_opening(output);
}

const char *cli_ending(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *dot = strrchr(slash ? slash : path, '.');
	return dot ? dot + 1 : "";
}

/* A relative path that stays below its directory: no empty, "." or ".." parts, nothing unprintable. */
static bool is_safe(const char *name)
{
	for (const char *part = name;; part++) {
		size_t length = strcspn(part, "/");
		if (length == 0 || (length == 1 && part[0] == '.') || (length == 2 && !strncmp(part, "..", 2))) return false;
		for (size_t i = 0; i < length; i++) {
			if ((unsigned char)part[i] < 0x20 || part[i] == '\\' || part[i] == 0x7f) return false;
		}
		part += length;
		if (!*part) return true;
	}
}

/* A new file beside the target, with the rights the target has or would get. */
static FILE *open_temporary(const char *target, const struct stat *existing, char **temporary)
{
	int number = -1;
	while (number < 0) {
		free(*temporary);
		*temporary = cli_temporary_name(target);
		number = open(*temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (number < 0 && errno != EEXIST) return NULL;
	}
	if (existing) (void)fchmod(number, existing->st_mode & 0777);
	FILE *stream = fdopen(number, "wb");
	if (!stream) close(number);
	return stream;
}

static cli_output_file *add_file(char *path, char *temporary, FILE *stream)
{
	cli_output_file *file = add_made(path, false);
	file->temporary = temporary;
	file->stream = stream;
	return file;
}

/* Files come one directory after the other, so each is looked through about once. */
static void sweep(cli_output *output, const char *target)
{
	const char *slash = strrchr(target, '/');
	size_t length = slash ? (size_t)(slash - target) + 1 : 0;
	if (output->swept && strlen(output->swept) == length && !strncmp(output->swept, target, length)) return;
	if (output->sweep_count == MOST_SWEEPS) return;
	free(output->swept);
	output->swept = cli_format("%.*s", (int)length, target);
	output->sweep_count++;
	cli_sweep_temporaries(target);
}

/* A temporary file beside what `path` names; when that is a link, beside the file it leads to. */
static cli_output_file *open_beside(cli_output *output, char *path, const struct stat *existing)
{
	char *temporary = NULL;
	char *real = existing ? realpath(path, NULL) : NULL;
	sweep(output, real ? real : path);
	sigset_t before;
	hold_signals(&before);
	FILE *stream = open_temporary(real ? real : path, existing, &temporary);
	int error = errno;
	if (!stream) unlink(temporary);
	cli_output_file *file = stream ? add_file(path, temporary, stream) : NULL;
	sigprocmask(SIG_SETMASK, &before, NULL);
	free(real);
	if (!file) free(temporary);
	errno = error;
	return file;
}

/* A device or a pipe is written in place. Opening a pipe waits for its reader, so signals are not held back. */
static cli_output_file *open_in_place(char *path)
{
	FILE *stream = fopen(path, "wb");
	if (!stream) return NULL;
	sigset_t before;
	hold_signals(&before);
	cli_output_file *file = add_file(path, NULL, stream);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return file;
}

static cli_output_file *open_file(cli_output *output, char *path)
{
	struct stat info;
	if (stat(path, &info)) return open_beside(output, path, NULL);
	if (S_ISREG(info.st_mode)) return open_beside(output, path, &info);
	if (!S_ISDIR(info.st_mode)) return open_in_place(path);
	errno = EISDIR;
	return NULL;
}

/* Whether this name may be written at all: not what is read, and not what a link leads to where names are a map's. */
static bool may_write(cli_output *output, const char *path)
{
	struct stat info;
	if (!output->follow_links && lstat(path, &info) == 0 && S_ISLNK(info.st_mode)) return refuse_link(output, path);
	if (!cli_is_input(output->source, path)) return true;
	if (!output->failure) output->failure = cli_format("%s: not written: it is read from", path);
	return false;
}

bool cli_output_begin(void *user, const char *name)
{
	cli_output *output = user;
	if (!is_safe(name)) {
		if (!output->failure) output->failure = cli_format("%s: not written: the name could leave its directory", name);
		return false;
	}
	char *path = strcmp(output->directory, ".") ? cli_format("%s/%s", output->directory, name) : cli_format("%s", name);
	size_t from = strlen(path) - strlen(name);
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
	set_failure(output, file->path, "cannot write", errno ? errno : EIO);
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
	if (failed) set_failure(output, file->path, "cannot write", error ? error : EIO);
	return !failed;
}

static bool commit_file(cli_output *output, const cli_output_file *file)
{
	if (file->is_directory || !file->temporary) return true;
	char *real = realpath(file->path, NULL);
	bool ok = rename(file->temporary, real ? real : file->path) == 0;
	if (!ok) set_failure(output, file->path, "cannot rename into place", errno);
	free(real);
	return ok;
}

static void free_file(cli_output_file *file)
{
	if (file->stream) fclose(file->stream);
	free(file->temporary);
	free(file->path);
	free(file);
}

bool cli_output_commit(cli_output *output)
{
	sigset_t before;
	hold_signals(&before);
	bool ok = !output->failure;
	/* Newest first: the main file, which names the others, appears when they are there. */
	while (made && ok) {
		cli_output_file *file = made;
		ok = commit_file(output, file);
		if (!ok) break;
		made = file->next;
		free_file(file);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (!ok) cli_fail("%s", output->failure);
	return ok;
}

void cli_output_close(cli_output *output)
{
	sigset_t before;
	hold_signals(&before);
	remove_made();
	while (made) {
		cli_output_file *file = made;
		made = file->next;
		free_file(file);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	free(output->directory);
	free(output->swept);
	free(output->failure);
	*output = (cli_output){ 0 };
}

cli_exit cli_output_report(const cli_output *output, const bspscene_error *error)
{
	if (output->failure) return cli_fail("%s", output->failure);
	return cli_fail_error("", error);
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
	bspscene_output functions;
	bspscene_output_init(&functions);
	functions.user = output;
	functions.begin = cli_output_begin;
	functions.write = cli_output_write;
	functions.end = cli_output_end;
	bspscene_error error;
	bool ok = write(scene, writer, options, &functions, &error);
	cli_progress_end(&progress);
	if (!ok) return cli_output_report(output, &error);
	return cli_output_commit(output) ? CLI_DONE : CLI_FAILED;
}
