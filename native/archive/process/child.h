/* child.h - runs work on untrusted files in a child process, which may crash, hang or take too much memory, and
 * describes how it ended. See child_posix.c and child_windows.c. Where the system has fork, the child is a copy of this
 * process. Windows starts the program again with the same arguments and a task. */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits of a child; 0: none. */
typedef struct cli_limits {
	uint64_t memory;                   /* bytes of memory */
	uint64_t file_size;                /* bytes of each file that it writes; not on Windows */
	uint32_t seconds;                  /* seconds of elapsed time */
} cli_limits;

typedef enum cli_child_end {
	CLI_CHILD_EXITED,                  /* by exit, with `status` */
	CLI_CHILD_CRASHED,                 /* by signal or exception `status`, which it caused itself */
	CLI_CHILD_WROTE_TOO_MUCH,          /* by the system, after `limits.file_size` */
	CLI_CHILD_TOOK_TOO_MUCH,           /* killed by us after `limits.memory`, where the system does not enforce it */
	CLI_CHILD_KILLED,                  /* killed by somebody else: a scheduler, or the system when memory is short */
	CLI_CHILD_TOO_LONG                 /* killed by us after `limits.seconds` */
} cli_child_end;

typedef struct cli_child {
	long process;                      /* process number; 0: none runs */
	int pipe;                          /* POSIX: what it writes to `out` is read from here */
	struct cli_child_handles *handles; /* Windows: the same and more */
	double started;                    /* seconds of cli_clock */
	cli_limits limits;
	bool too_long;
	char *output;
	size_t output_size;                /* its output so far; the caller frees it */
	cli_child_end end;                 /* once it has ended */
	uint32_t status;
} cli_child;

/* The child's work. `out` leads to the parent. The result is the exit status. */
typedef int cli_child_fn(void *user, int out);
typedef struct cli_child_work {
	cli_child_fn *run;
	json_t *(*describe)(const void *user); /* returns the task: all from which a restarted program can make a `user` */
} cli_child_work;
/* Sends a result to the parent. False if the parent is gone. */
bool cli_child_write(int out, const void *data, size_t size);

/* Returns the task, which the caller releases, if this program runs as a child; else NULL. */
json_t *cli_child_task(void);
/* Runs the work of such a child, and ends the process. */
_Noreturn void cli_child_be(cli_child_fn *run, void *user);
/* Ends a child at once, as if its work had returned the status. */
_Noreturn void cli_child_end_with(int status);

/* Starts work->run(user). Its standard error is appended to the file `words` (NULL: shares ours). It dies with us on
 * Linux and Windows. False with errno. */
bool cli_child_start(cli_child *child, const cli_child_work *work, void *user, const cli_limits *limits,
                     const char *words);
/* Reads what children write, and waits until one has ended or the time is over. Returns its index, or -1. */
int cli_child_wait(cli_child *children, uint32_t count, int milliseconds);
/* True if the system would give a child all the memory that its limits allow. If not, a child that ran out of memory
 * proves nothing about its map. */
bool cli_child_has_memory(const cli_limits *limits);
/* True if a child may write files as large as its limits allow. */
bool cli_child_has_file_size(const cli_limits *limits);
/* Kills the child and waits for its end. */
void cli_child_kill(cli_child *child);
/* Returns "crashed: signal 11, Segmentation fault" and so on, in new memory. */
char *cli_child_last_words(const cli_child *child);

/* Returns seconds since some fixed moment. */
double cli_clock(void);

/* ---- Between child.c and the system's half ------------------------------------------------------------------ */

/* Kills a process without waiting for its end. */
void cli_child_stop(const cli_child *child);
/* Returns the name of a crash with that status, in new memory. */
char *cli_child_name_crash(uint32_t status);
/* Kills the children whose time is over. Returns the milliseconds until the next one's is over, at most `most`. */
int cli_child_stop_late(cli_child *children, uint32_t count, int milliseconds);

#endif
