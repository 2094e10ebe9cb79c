/* child_posix.c - processes with limits: fork, setrlimit, a pipe that closes when the child has ended. See child.h. */
#include "archive/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
	#include <sys/prctl.h>
#endif

#include "cli/report.h"

/* Largest size of one child's output in bytes. If it is exceeded, the rest is not read. */
#define LARGEST_OUTPUT ((size_t)256 << 20)

/* ---- In the child ----------------------------------------------------------------------------------------- */

static void limit(int resource, uint64_t value)
{
	struct rlimit now;
	if (!value || getrlimit(resource, &now)) return;
	if (now.rlim_max != RLIM_INFINITY && value > now.rlim_max) value = now.rlim_max;
	now.rlim_cur = value;
	setrlimit(resource, &now);
}

static void apply(const cli_limits *limits)
{
#if !defined(__SANITIZE_ADDRESS__)
	/* Linux enforces RLIMIT_DATA, which does not count address space that is only reserved. Other systems enforce only
	 * RLIMIT_AS. With AddressSanitizer no limit is set, because it reserves terabytes. */
	#ifdef __linux__
	limit(RLIMIT_DATA, limits->memory);
	#else
	limit(RLIMIT_AS, limits->memory);
	#endif
#endif
	limit(RLIMIT_FSIZE, limits->file_size);
	struct rlimit none = { 0, 0 };
	setrlimit(RLIMIT_CORE, &none);
}

static _Noreturn void be_child(cli_child_fn *run, void *user, const cli_limits *limits, const char *words, int out,
                               long parent)
{
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (getppid() != (pid_t)parent) _exit(CLI_FAILED);
	signal(SIGTERM, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	signal(SIGXCPU, SIG_DFL);
	signal(SIGINT, SIG_IGN); /* a terminal sends SIGINT to parent and children; the parent decides what to do */
	if (words) {
		int file = open(words, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
		if (file >= 0) dup2(file, STDERR_FILENO);
	}
	apply(limits);
	int status = run(user, out);
	fflush(NULL);
	_exit(status);
}

bool cli_child_write(int out, const void *data, size_t size)
{
	const char *bytes = data;
	while (size) {
		ssize_t part = write(out, bytes, size);
		if (part < 0 && errno == EINTR) continue;
		if (part < 0) return false;
		bytes += part;
		size -= (size_t)part;
	}
	return true;
}

json_t *cli_child_task(void)
{
	return NULL;
}

_Noreturn void cli_child_be(cli_child_fn *run, void *user)
{
	cli_child_end_with(run(user, STDOUT_FILENO));
}

_Noreturn void cli_child_end_with(int status)
{
	_exit(status);
}

/* ---- In the parent ---------------------------------------------------------------------------------------- */

bool cli_child_start(cli_child *child, const cli_child_work *work, void *user, const cli_limits *limits,
                     const char *words)
{
	int ends[2];
	*child = (cli_child) { .limits = *limits, .started = cli_clock() };
	if (pipe(ends)) return false;
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	fflush(NULL); /* empties the buffers; the child would otherwise write their contents a second time */
	long parent = getpid();
	pid_t process = fork();
	if (process == 0) {
		close(ends[0]);
		be_child(work->run, user, limits, words, ends[1], parent);
	}
	int error = errno;
	close(ends[1]);
	if (process < 0) close(ends[0]);
	errno = error;
	child->process = process < 0 ? 0 : process;
	child->pipe = ends[0];
	return process > 0;
}

/* Reads the output that is available. Returns false if the pipe was closed, because the child has ended or is about to
 * end. */
static bool drain(cli_child *child)
{
	for (;;) {
		char part[65536];
		ssize_t got = read(child->pipe, part, sizeof part);
		if (got < 0 && errno == EINTR) continue;
		if (got < 0) return errno == EAGAIN;
		if (got == 0 || child->output_size + (size_t)got > LARGEST_OUTPUT) return false;
		child->output = cli_resize(child->output, child->output_size + (size_t)got, 1);
		memcpy(child->output + child->output_size, part, (size_t)got);
		child->output_size += (size_t)got;
	}
}

/* True for signals that come from schedulers, terminals or a system short of memory. Faults caused by a map raise other
 * signals. */
static bool is_from_outside(int number)
{
	return number == SIGKILL || number == SIGTERM || number == SIGHUP || number == SIGINT || number == SIGQUIT;
}

static void finish(cli_child *child)
{
	int status;
	close(child->pipe);
	while (waitpid((pid_t)child->process, &status, 0) < 0 && errno == EINTR) continue;
	child->process = 0;
	int number = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
	child->status = (uint32_t)number;
	child->end = WIFEXITED(status)         ? CLI_CHILD_EXITED
	             : child->too_long         ? CLI_CHILD_TOO_LONG
	             : number == SIGXFSZ       ? CLI_CHILD_WROTE_TOO_MUCH
	             : is_from_outside(number) ? CLI_CHILD_KILLED
	                                       : CLI_CHILD_CRASHED;
}

void cli_child_stop(const cli_child *child)
{
	kill((pid_t)child->process, SIGKILL);
}

int cli_child_wait(cli_child *children, uint32_t count, int milliseconds)
{
	struct pollfd *pipes = cli_allocate(count, sizeof *pipes);
	milliseconds = cli_child_stop_late(children, count, milliseconds);
	for (uint32_t i = 0; i < count; i++) {
		pipes[i] = (struct pollfd) { .fd = children[i].process ? children[i].pipe : -1, .events = POLLIN };
	}
	int ended = -1, ready = poll(pipes, count, milliseconds);
	for (uint32_t i = 0; i < count && ready > 0 && ended < 0; i++) {
		if (!pipes[i].revents || drain(&children[i])) continue;
		finish(&children[i]);
		ended = (int)i;
	}
	free(pipes);
	return ended;
}

void cli_child_kill(cli_child *child)
{
	if (!child->process) return;
	cli_child_stop(child);
	finish(child);
}

char *cli_child_name_crash(uint32_t status)
{
	return cli_format("crashed: signal %u, %s", (unsigned)status, strsignal((int)status));
}

/* ---- Limits of the machine -------------------------------------------------------------------------------- */

/* Tries the limits in a child process, because trying them here would change the limits of this process. */
bool cli_child_has_memory(const cli_limits *limits)
{
	int status = 0;
	pid_t process = fork();
	if (process == 0) {
		struct rlimit data;
		if (getrlimit(RLIMIT_DATA, &data) == 0) {
			data.rlim_cur = data.rlim_max;
			setrlimit(RLIMIT_DATA, &data);
		}
		void *volatile all = malloc((size_t)limits->memory);
		_exit(!all);
	}
	if (process < 0) return false;
	while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
	return !limits->memory || (WIFEXITED(status) && !WEXITSTATUS(status));
}

bool cli_child_has_file_size(const cli_limits *limits)
{
	struct rlimit now;
	if (getrlimit(RLIMIT_FSIZE, &now)) return true;
	return now.rlim_max == RLIM_INFINITY || (limits->file_size && now.rlim_max >= limits->file_size);
}
