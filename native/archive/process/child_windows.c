/* child_windows.c - starts this program again in a job object with limits. See child.h. The child reads its task from
 * standard input. A thread of the parent reads the results from the child's standard output until the child ends.
 * An environment variable marks the process as a child. */
#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0601
#include "archive/process/child.h"

#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <psapi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"
#include "system/windows_path.h"

#define TASK L"BSPSCENE_TASK"
/* Largest size of one child's output in bytes. */
#define LARGEST_OUTPUT ((size_t)256 << 20)
/* These bits are set in the exit statuses of children that end by themselves. A child without them was killed. */
#define OWN_END 0x42530000u
#define OWN_STATUS 0x000000ffu
/* This bit is set in the exit statuses of unhandled exceptions. It is also set after Ctrl-C or when the console is
 * closed; these do not count as crashes. */
#define EXCEPTION 0x80000000u
#define NOBODY_KNOWS 0xFFFFFFFFu       /* exit status of processes that some other programs end */
enum { LONGEST_NAME = 32768, LOOK_EVERY = 100 }; /* longest path in UTF-16 units; milliseconds between checks */

typedef struct cli_child_handles {
	HANDLE process, job, reader, pipe;
	HANDLE ended;                      /* event that is set when any child has ended */
	char *output;                      /* used by the reader thread until it has ended */
	size_t size;
	volatile LONG done;
	bool took_too_much;
} cli_child_handles;

/* ---- In the child ----------------------------------------------------------------------------------------- */

/* Handles SIGABRT: ends the process with a status that differs from all statuses of children that end by themselves. */
static void abort_child(int number)
{
	(void)number;
	TerminateProcess(GetCurrentProcess(), (UINT)STATUS_FATAL_APP_EXIT);
}

json_t *cli_child_task(void)
{
	static const wchar_t variable[] = TASK;
	if (!GetEnvironmentVariableW(variable, NULL, 0)) return NULL;
	SetEnvironmentVariableW(variable, NULL);
	SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
	signal(SIGABRT, abort_child);
	_setmode(_fileno(stdin), _O_BINARY);
	json_t *task = json_loadf(stdin, JSON_DECODE_ANY, NULL);
	if (!task) abort_child(SIGABRT);
	return task;
}

/* Redirects what is printed to standard output to standard error. So the pipe of standard output has only what
 * cli_child_write sends. */
_Noreturn void cli_child_be(cli_child_fn *run, void *user)
{
	int out = _dup(_fileno(stdout));
	_dup2(_fileno(stderr), _fileno(stdout));
	int status = run(user, out);
	fflush(NULL);
	cli_child_end_with(status);
}

_Noreturn void cli_child_end_with(int status)
{
	TerminateProcess(GetCurrentProcess(), OWN_END | ((unsigned)status & OWN_STATUS));
	_Exit(status);
}

bool cli_child_write(int out, const void *data, size_t size)
{
	const char *bytes = data;
	while (size) {
		int part = _write(out, bytes, size < 65536 ? (unsigned)size : 65536u);
		if (part <= 0) return false;
		bytes += part;
		size -= (size_t)part;
	}
	return true;
}

/* ---- Beginning -------------------------------------------------------------------------------------------- */

/* Creates a job that limits memory and allows one process. The system kills that process when we end, because our
 * handle of the job is the last one. */
static HANDLE make_job(const cli_limits *limits)
{
	HANDLE job = CreateJobObjectW(NULL, NULL);
	JOBOBJECT_EXTENDED_LIMIT_INFORMATION info = { 0 };
	info.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_ACTIVE_PROCESS |
	                                        JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
	info.BasicLimitInformation.ActiveProcessLimit = 1;
	if (limits->memory && limits->memory <= SIZE_MAX) {
		info.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_MEMORY;
		info.ProcessMemoryLimit = (SIZE_T)limits->memory;
	}
	if (!job || SetInformationJobObject(job, JobObjectExtendedLimitInformation, &info, sizeof info)) return job;
	bspi_windows_failed();
	CloseHandle(job);
	return NULL;
}

/* Makes a pipe; the child inherits one end of it. */
static bool make_pipe(HANDLE *reads, HANDLE *writes, size_t size, bool child_reads)
{
	SECURITY_ATTRIBUTES inherited = { sizeof inherited, NULL, TRUE };
	if (!CreatePipe(reads, writes, &inherited, (DWORD)size)) return bspi_windows_failed();
	SetHandleInformation(child_reads ? *writes : *reads, HANDLE_FLAG_INHERIT, 0);
	return true;
}

static HANDLE open_words(const char *path)
{
	SECURITY_ATTRIBUTES inherited = { sizeof inherited, NULL, TRUE };
	wchar_t *name = path ? bspi_windows_path(path) : NULL;
	HANDLE words = INVALID_HANDLE_VALUE, own = GetStdHandle(STD_ERROR_HANDLE), us = GetCurrentProcess();
	if (name) {
		words = CreateFileW(name, FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, &inherited,
		                    OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
	} else if (!path && own) {
		DuplicateHandle(us, own, us, &words, 0, TRUE, DUPLICATE_SAME_ACCESS);
	}
	free(name);
	return words;
}

/* Starts this program again. The new process inherits only `handles`: its standard input, output and error. */
static bool begin_process(HANDLE handles[3], PROCESS_INFORMATION *info)
{
	STARTUPINFOEXW start = { .StartupInfo = { .cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES } };
	wchar_t *program = cli_allocate(LONGEST_NAME, sizeof *program), *line = _wcsdup(GetCommandLineW());
	SIZE_T size = 0;
	InitializeProcThreadAttributeList(NULL, 1, 0, &size);
	start.lpAttributeList = cli_allocate(1, size);
	start.StartupInfo.hStdInput = handles[0];
	start.StartupInfo.hStdOutput = handles[1];
	start.StartupInfo.hStdError = handles[2];
	size_t count = handles[2] != INVALID_HANDLE_VALUE ? 3 : 2;
	bool ok = line && GetModuleFileNameW(NULL, program, LONGEST_NAME) &&
	          InitializeProcThreadAttributeList(start.lpAttributeList, 1, 0, &size);
	if (ok) {
		/* In its own process group, the child does not get Ctrl-C. The parent decides what to do. */
		DWORD how = CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP | EXTENDED_STARTUPINFO_PRESENT;
		SetEnvironmentVariableW(TASK, L"1");
		ok = UpdateProcThreadAttribute(start.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles,
		                               count * sizeof *handles, NULL, NULL) &&
		     CreateProcessW(program, line, NULL, NULL, TRUE, how, NULL, NULL, &start.StartupInfo, info);
		if (!ok) bspi_windows_failed();
		SetEnvironmentVariableW(TASK, NULL);
		DeleteProcThreadAttributeList(start.lpAttributeList);
	}
	free(start.lpAttributeList);
	free(program);
	free(line);
	return ok;
}

/* Reads all output of a child, then waits for the end of the child. */
static unsigned __stdcall read_all(void *user)
{
	cli_child_handles *h = user;
	char part[65536];
	DWORD got;
	while (ReadFile(h->pipe, part, sizeof part, &got, NULL) && h->size + got <= LARGEST_OUTPUT) {
		char *more = realloc(h->output, h->size + got + 1);
		if (!more) break;
		h->output = more;
		memcpy(h->output + h->size, part, got);
		h->size += got;
	}
	CloseHandle(h->pipe);
	WaitForSingleObject(h->process, INFINITE);
	InterlockedExchange(&h->done, 1);
	SetEvent(h->ended);
	return 0;
}

static bool put_task(HANDLE pipe, const char *text, size_t size)
{
	DWORD part;
	for (; size; text += part, size -= part) {
		if (!WriteFile(pipe, text, size < 65536 ? (DWORD)size : 65536, &part, NULL)) return bspi_windows_failed();
	}
	return true;
}

/* Creates a suspended process in its job, with a reader thread. */
static bool start_process(cli_child_handles *h, HANDLE handles[3], const cli_limits *limits)
{
	PROCESS_INFORMATION info;
	h->job = make_job(limits);
	if (!h->job || !begin_process(handles, &info)) return false;
	h->process = info.hProcess;
	bool ok = AssignProcessToJobObject(h->job, h->process) || bspi_windows_failed();
	if (ok) h->reader = (HANDLE)_beginthreadex(NULL, 0, read_all, h, 0, NULL);
	ok = ok && h->reader;
	if (ok) ResumeThread(info.hThread);
	else TerminateProcess(h->process, 1);
	CloseHandle(info.hThread);
	return ok;
}

static HANDLE event_of_ends(void)
{
	static HANDLE event;
	if (!event) event = CreateEventW(NULL, FALSE, FALSE, NULL);
	return event;
}

static void close_handle(HANDLE handle)
{
	if (handle && handle != INVALID_HANDLE_VALUE) CloseHandle(handle);
}

bool cli_child_start(cli_child *child, const cli_child_work *work, void *user, const cli_limits *limits,
                     const char *words)
{
	*child = (cli_child) { .limits = *limits, .started = cli_clock() };
	cli_child_handles *h = cli_allocate(1, sizeof *h);
	json_t *task = work->describe(user);
	char *text = json_dumps(task, JSON_COMPACT | JSON_ENCODE_ANY);
	json_decref(task);
	if (!text) cli_end_without_memory();
	HANDLE handles[3] = { NULL, NULL, open_words(words) }, gives = NULL;
	h->ended = event_of_ends();
	bool ok = h->ended && make_pipe(&handles[0], &gives, strlen(text), true) &&
	          make_pipe(&h->pipe, &handles[1], 1 << 16, false) && start_process(h, handles, limits);
	for (int i = 0; i < 3; i++) close_handle(handles[i]);
	/* If the write fails because the child has already ended, its status gives the reason. */
	if (ok) put_task(gives, text, strlen(text));
	close_handle(gives);
	free(text);
	if (!ok) {
		int error = errno;
		if (!h->reader) close_handle(h->pipe);
		close_handle(h->process);
		close_handle(h->job);
		free(h);
		errno = error;
		return false;
	}
	child->handles = h;
	child->process = 1;
	return true;
}

/* ---- Ends ------------------------------------------------------------------------------------------------- */

void cli_child_stop(const cli_child *child)
{
	TerminateJobObject(child->handles->job, 1);
}

static cli_child_end end_of(const cli_child *child, DWORD status)
{
	if (child->too_long) return CLI_CHILD_TOO_LONG;
	if (child->handles->took_too_much) return CLI_CHILD_TOOK_TOO_MUCH;
	if ((status & ~OWN_STATUS) == OWN_END) return CLI_CHILD_EXITED;
	bool is_ours = status != (DWORD)STATUS_CONTROL_C_EXIT && status != NOBODY_KNOWS;
	bool is_crash = status == (DWORD)STATUS_FATAL_APP_EXIT || status & EXCEPTION;
	return is_ours && is_crash ? CLI_CHILD_CRASHED : CLI_CHILD_KILLED;
}

static void finish(cli_child *child)
{
	cli_child_handles *h = child->handles;
	DWORD status = 0;
	WaitForSingleObject(h->reader, INFINITE);
	GetExitCodeProcess(h->process, &status);
	child->end = end_of(child, status);
	child->status = child->end == CLI_CHILD_EXITED ? status & OWN_STATUS : status;
	child->output = h->output;
	child->output_size = h->size;
	child->process = 0;
	child->handles = NULL;
	CloseHandle(h->reader);
	CloseHandle(h->process);
	CloseHandle(h->job);
	free(h);
}

/* Kills children that use too much memory, on systems that do not enforce the job's limit, such as Wine. */
static void stop_greedy(cli_child *children, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		PROCESS_MEMORY_COUNTERS memory = { .cb = sizeof memory };
		cli_child *child = &children[i];
		if (!child->process || !child->limits.memory || child->handles->took_too_much) continue;
		if (!K32GetProcessMemoryInfo(child->handles->process, &memory, sizeof memory)) continue;
		if (memory.PagefileUsage <= child->limits.memory) continue;
		child->handles->took_too_much = true;
		cli_child_stop(child);
	}
}

static int find_ended(cli_child *children, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (!children[i].process || !InterlockedCompareExchange(&children[i].handles->done, 0, 0)) continue;
		finish(&children[i]);
		return (int)i;
	}
	return -1;
}

int cli_child_wait(cli_child *children, uint32_t count, int milliseconds)
{
	milliseconds = cli_child_stop_late(children, count, milliseconds);
	stop_greedy(children, count);
	int ended = find_ended(children, count);
	if (ended >= 0) return ended;
	WaitForSingleObject(event_of_ends(), (DWORD)(milliseconds < LOOK_EVERY ? milliseconds : LOOK_EVERY));
	return find_ended(children, count);
}

void cli_child_kill(cli_child *child)
{
	if (!child->process) return;
	cli_child_stop(child);
	finish(child);
}

char *cli_child_name_crash(uint32_t status)
{
	return cli_format("crashed: exception 0x%08X", (unsigned)status);
}

/* ---- Limits of the machine -------------------------------------------------------------------------------- */

bool cli_child_has_memory(const cli_limits *limits)
{
	MEMORYSTATUSEX memory = { .dwLength = sizeof memory };
	return GlobalMemoryStatusEx(&memory) && memory.ullAvailPageFile >= limits->memory;
}

bool cli_child_has_file_size(const cli_limits *limits)
{
	(void)limits;
	return true;
}
