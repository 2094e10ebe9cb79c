/* child.h - runs work on untrusted files in a child process, which may crash, hang or take too much memory, and
 * describes how it ended. See child_posix.c and child_windows.c. Where the system has fork, the child is a copy of this
 * process. Windows starts the program again with the same arguments and a task. */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits for a child process. 0 means that there is no limit. */
typedef struct cli_limits {
	uint64_t memory;                   /* largest number of bytes of memory */
	uint64_t file_size;                /* largest size of each file that the child writes, in bytes; not enforced on
	                                    * Windows */
	uint32_t seconds;                  /* largest duration in seconds */
} cli_limits;

typedef enum cli_child_end {
	CLI_CHILD_EXITED,                  /* the child ended by itself, with exit status `status` */
	CLI_CHILD_CRASHED,                 /* the child ended by a signal or exception that it caused itself; `status` is
	                                    * its number */
	CLI_CHILD_WROTE_TOO_MUCH,          /* the system ended the child because a file exceeded `limits.file_size` */
	CLI_CHILD_TOOK_TOO_MUCH,           /* this program killed the child because it exceeded `limits.memory`, which this
	                                    * system does not enforce */
	CLI_CHILD_KILLED,                  /* somebody else killed the child: a scheduler, or the system when memory was
	                                    * short */
	CLI_CHILD_TOO_LONG                 /* this program killed the child after `limits.seconds` */
} cli_child_end;

typedef struct cli_child {
	long process;                      /* number of the child's process; 0: no process runs */
	int pipe;                          /* POSIX: the end of the pipe from which this process reads the child's output */
	struct cli_child_handles *handles; /* Windows: the process, its job, pipes and reader thread */
	double started;                    /* when the child was started, in seconds of cli_clock */
	cli_limits limits;
	bool too_long;
	char *output;
	size_t output_size;                /* number of bytes in `output`; the caller frees `output` */
	cli_child_end end;                 /* how the child ended; `end` and `status` are set when the child has ended */
	uint32_t status;
} cli_child;

/* Does the child's work and returns its exit status. `out` is for cli_child_write. */
typedef int cli_child_fn(void *user, int out);
typedef struct cli_child_work {
	cli_child_fn *run;
	json_t *(*describe)(const void *user); /* returns the task of `user`: JSON from which a restarted program can make
	                                        * `user` again */
} cli_child_work;
/* Sends a result to the parent. False if the parent is gone. */
bool cli_child_write(int out, const void *data, size_t size);

/* Returns the task if this program runs as a child; the caller releases it. Returns NULL if it does not. */
json_t *cli_child_task(void);
/* Calls `run`, and ends the process with the status that it returns. For a program that was started as a child. */
_Noreturn void cli_child_be(cli_child_fn *run, void *user);
/* Ends a child at once, as if its work had returned the status. */
_Noreturn void cli_child_end_with(int status);

/* Starts a child that runs work->run(user). The child's standard error is appended to the file `words`. If `words` is
 * NULL, the child shares the standard error of this process. On Linux and Windows, the child ends when this process
 * ends. Returns false, with errno, on failure. */
bool cli_child_start(cli_child *child, const cli_child_work *work, void *user, const cli_limits *limits,
                     const char *words);
/* Reads the output of all children until one ends or `milliseconds` have passed. Returns the index of the ended child,
 * or -1. */
int cli_child_wait(cli_child *children, uint32_t count, int milliseconds);
/* True if the system can give a child all the memory that `limits` allows. If it cannot, a child may run out of memory
 * without fault of the map. */
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
/* Kills children that ran longer than their `limits.seconds`. Returns the milliseconds until the next child reaches
 * this limit, or `milliseconds` if that is less. */
int cli_child_stop_late(cli_child *children, uint32_t count, int milliseconds);

#endif
