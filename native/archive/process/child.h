/* child.h - work on files of strangers in a process of its own, which may crash, hang or take too much and whose end is
 * then told in words. On Windows, which has no fork, it is done in this process, and limits do not hold. */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a child may take; 0: no limit. */
typedef struct cli_limits {
	uint64_t memory;                   /* bytes of data */
	uint64_t file_size;                /* bytes of each file it writes */
	uint32_t seconds;                  /* by the clock on the wall */
} cli_limits;

typedef enum cli_child_end {
	CLI_CHILD_EXITED,                  /* with `status` */
	CLI_CHILD_CRASHED,                 /* by signal `status`, which it raised itself */
	CLI_CHILD_KILLED,                  /* by signal `status` from outside: a scheduler's, or the system's when memory
	                                    * is out */
	CLI_CHILD_TOO_LONG                 /* killed by us after `limits.seconds` */
} cli_child_end;

typedef struct cli_child {
	long process;                      /* 0: none runs */
	int pipe;                          /* what it writes to `out` is read from here */
	double started;                    /* seconds of cli_clock */
	cli_limits limits;
	bool too_long;
	char *output;
	size_t output_size;                /* all of it so far; free it */
	cli_child_end end;                 /* once it has ended */
	int status;
} cli_child;

/* The child's work. `out` leads to its parent; what it returns is the exit status. */
typedef int cli_child_fn(void *user, int out);
/* What the work has to tell. False: nobody takes it. */
bool cli_child_write(int out, const void *data, size_t size);

/* Starts run(user) as a copy of this process, its standard error appended to the file `words` (NULL: as ours). It dies
 * with us where the system can say so (Linux). False with errno. */
bool cli_child_start(cli_child *child, cli_child_fn *run, void *user, const cli_limits *limits, const char *words);
/* Reads what children write and waits until one has ended, or as long as said. Its number, or -1: none has. */
int cli_child_wait(cli_child *children, uint32_t count, int milliseconds);
/* Would the system give a child all the memory that its limits allow? When it would not, for want of memory or by a
 * limit of whoever started us, a child that found none has proved nothing of its map. */
bool cli_child_has_memory(const cli_limits *limits);
/* May a child write files as large as its limits allow? */
bool cli_child_has_file_size(const cli_limits *limits);
/* Kills it and waits for its end. */
void cli_child_kill(cli_child *child);
/* "ended by signal 11 (Segmentation fault)" and so on; new memory. */
char *cli_child_last_words(const cli_child *child);

/* Seconds since some moment. */
double cli_clock(void);

#endif
