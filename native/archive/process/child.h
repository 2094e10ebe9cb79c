/* child.h - work on files of strangers in a process of its own, which may crash, hang or take too much and whose end is
 * then told in words: child_posix.c and child_windows.c make it. Where the system copies processes it is a copy of this
 * one; Windows does not, and begins the program anew with the same arguments and a task. */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits of a child; 0: none. */
typedef struct cli_limits {
	uint64_t memory;                   /* bytes of data */
	uint64_t file_size;                /* bytes of each file it writes; Windows has no such limit */
	uint32_t seconds;                  /* by the clock on the wall */
} cli_limits;

typedef enum cli_child_end {
	CLI_CHILD_EXITED,                  /* with `status` */
	CLI_CHILD_CRASHED,                 /* by signal or exception `status`, which it raised itself */
	CLI_CHILD_WROTE_TOO_MUCH,          /* ended by the system after `limits.file_size` */
	CLI_CHILD_TOOK_TOO_MUCH,           /* killed by us after `limits.memory`, which the system does not hold */
	CLI_CHILD_KILLED,                  /* by somebody else: a scheduler, or the system when memory is out */
	CLI_CHILD_TOO_LONG                 /* killed by us after `limits.seconds` */
} cli_child_end;

typedef struct cli_child {
	long process;                      /* 0: none runs */
	int pipe;                          /* POSIX: what it writes to `out` is read from here */
	struct cli_child_handles *handles; /* Windows: the same and more */
	double started;                    /* seconds of cli_clock */
	cli_limits limits;
	bool too_long;
	char *output;
	size_t output_size;                /* all of it so far; free it */
	cli_child_end end;                 /* once it has ended */
	uint32_t status;
} cli_child;

/* The child's work. `out` leads to its parent; what it returns is the exit status. */
typedef int cli_child_fn(void *user, int out);
typedef struct cli_child_work {
	cli_child_fn *run;
	json_t *(*describe)(const void *user); /* the task: all that a program begun anew needs to make a `user` of it */
} cli_child_work;
/* Sends a result to the parent. False: the parent is gone. */
bool cli_child_write(int out, const void *data, size_t size);

/* Returns the task, which the caller releases, if this program runs as a child; else NULL. */
json_t *cli_child_task(void);
/* Such a child's work and end. */
_Noreturn void cli_child_be(cli_child_fn *run, void *user);
/* In any child: its end at once, as if its work had returned that. */
_Noreturn void cli_child_end_with(int status);

/* Starts work->run(user), its standard error appended to the file `words` (NULL: as ours). It dies with us where the
 * system can say so (Linux, Windows). False with errno. */
bool cli_child_start(cli_child *child, const cli_child_work *work, void *user, const cli_limits *limits,
                     const char *words);
/* Reads what children write and waits until one has ended, or at most as long as said. Its number, or -1: none has. */
int cli_child_wait(cli_child *children, uint32_t count, int milliseconds);
/* Would the system give a child all the memory that its limits allow? When it would not, for want of memory or by a
 * limit of whoever started us, a child that found none has proved nothing of its map. */
bool cli_child_has_memory(const cli_limits *limits);
/* True if a child may write files as large as its limits allow. */
bool cli_child_has_file_size(const cli_limits *limits);
/* Kills it and waits for its end. */
void cli_child_kill(cli_child *child);
/* "crashed: signal 11, Segmentation fault" and so on; new memory. */
char *cli_child_last_words(const cli_child *child);

/* Seconds since some moment. */
double cli_clock(void);

/* ---- Between child.c and the system's half ------------------------------------------------------------------ */

/* Ends a process whose end nobody waits for yet. */
void cli_child_stop(const cli_child *child);
/* Returns the name of a crash with that status; new memory. */
char *cli_child_name_crash(uint32_t status);
/* Stops the children that have had their time. Milliseconds until the next one has, at most as many as given. */
int cli_child_stop_late(cli_child *children, uint32_t count, int milliseconds);

#endif
