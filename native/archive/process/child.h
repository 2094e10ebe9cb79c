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
	uint64_t file_size;                /* bytes of each file that it writes; not enforced on Windows */
	uint32_t seconds;                  /* seconds of elapsed time */
} cli_limits;

typedef enum cli_child_end {
	CLI_CHILD_EXITED,                  /* it ended by itself, with exit status `status` */
	CLI_CHILD_CRASHED,                 /* it ended by signal or exception `status`, which it caused itself */
	CLI_CHILD_WROTE_TOO_MUCH,          /* the system ended it because a file exceeded `limits.file_size` */
	CLI_CHILD_TOOK_TOO_MUCH,           /* we killed it because it exceeded `limits.memory`, which this system does not
	                                    * enforce */
	CLI_CHILD_KILLED,                  /* killed by somebody else: a scheduler, or the system when memory is short */
	CLI_CHILD_TOO_LONG                 /* we killed it after `limits.seconds` */
} cli_child_end;

typedef struct cli_child {
	long process;                      /* process number; 0: none runs */
	int pipe;                          /* POSIX: the end of the pipe from which we read its output */
	struct cli_child_handles *handles; /* Windows: the process, its job, pipes and reader thread */
	double started;                    /* seconds of cli_clock */
	cli_limits limits;
	bool too_long;
	char *output;
	size_t output_size;                /* bytes in `output`, which the caller frees */
	cli_child_end end;                 /* valid once it has ended, as `status` */
	uint32_t status;
} cli_child;

/* Does the child's work and returns its exit status. `out` is for cli_child_write. */
typedef int cli_child_fn(void *user, int out);
typedef struct cli_child_work {
	cli_child_fn *run;
	json_t *(*describe)(const void *user); /* returns the task: JSON from which a restarted program can rebuild
	                                        * `user` */
} cli_child_work;
/* Sends a result to the parent. False if the parent is gone. */
bool cli_child_write(int out, const void *data, size_t size);

/* Returns the task, which the caller releases, if this program runs as a child; else NULL. */
json_t *cli_child_task(void);
/* Runs the work of such a child, and ends the process. */
_Noreturn void cli_child_be(cli_child_fn *run, void *user);
/* Ends a child at once, as if its work had returned the status. */
_Noreturn void cli_child_end_with(int status);

/* Starts work->run(user). Its standard error is appended to the file `words` (NULL: it shares ours). On Linux and
 * Windows it ends when this process ends. False with errno. */
bool cli_child_start(cli_child *child, const cli_child_work *work, void *user, const cli_limits *limits,
                     const char *words);
/* Reads the output of all children until one ends or `milliseconds` have passed. Returns the index of the ended child,
 * or -1. */
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

/* ---- Shared by child.c and the code for each system
 * ------------------------------------------------------------------ */

/* Kills a process without waiting for its end. */
void cli_child_stop(const cli_child *child);
/* Returns the name of a crash with that status, in new memory. */
char *cli_child_name_crash(uint32_t status);
/* Kills children that have exceeded `limits.seconds`. Returns the milliseconds until the next child will exceed them,
 * at most `milliseconds`. */
int cli_child_stop_late(cli_child *children, uint32_t count, int milliseconds);

#endif
