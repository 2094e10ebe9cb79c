/* parallel.h - splits work into tasks for as many threads as the caller allows. The result is the same as with a single
 * thread, to the byte and including errors.
 *
 * Tasks run at the same time, but the calling thread finishes them in order. If a task failed for any reason (even
 * because others held memory), the calling thread runs it again when all tasks before it are finished. Only the result
 * of this second run counts. */
#ifndef BSPI_PARALLEL_H
#define BSPI_PARALLEL_H

#include "base/arena.h"

/* The threads to use. */
typedef struct bspi_team {
	uint32_t threads;                  /* 0: one for each processor */
	const bspscene_thread_pool *host;  /* the caller's threads; NULL: threads of the library */
} bspi_team;

typedef struct bspi_task {
	uint32_t index;
	bspi_arena arena;                  /* charged to the budget; freed after `finish` */
	void *result;                      /* set by `work`, read by `finish` */
	bspscene_error error;
} bspi_task;

/* Returns false with the reason in task->error. A `finish` function may instead keep the reason in `user` and leave the
 * status OK. A task that failed may be run again. */
typedef bool bspi_task_fn(void *user, bspi_task *task);

typedef struct bspi_job {
	uint32_t count;                    /* tasks 0 to count - 1 */
	const uint32_t *order;             /* all tasks in the order in which they begin and finish; NULL: 0, 1, 2 and so
	                                    * on */
	/* Runs in any thread. It must not read data that other tasks change. It may use the task's arena and the budget. It
	 * must not call functions of the caller except the allocator. */
	bspi_task_fn *work;
	/* Runs in the calling thread, in the order of the tasks. May be NULL. */
	bspi_task_fn *finish;
	/* Frees what `work` allocated outside of the task's arena, whether or not it succeeded. Runs in the calling thread,
	 * for tasks that are run again or dropped. May be NULL. */
	void (*drop)(void *user, bspi_task *task);
	/* Runs in the calling thread after each `finish`. `done` is the number of finished tasks. Returning false ends the
	 * job, for a reason that `user` has. May be NULL. */
	bool (*report)(void *user, uint32_t done);
	void *user;
} bspi_job;

/* Runs a job and returns when no task runs any more. Returns false with the reason in *error, or with status OK if
 * `user` has it. */
bool bspi_run_job(const bspi_team *team, bspi_budget *budget, const bspi_job *job, bspscene_error *error);
/* Returns the largest number of threads for a job of `count` tasks, to allocate data for each thread. */
uint32_t bspi_team_size(const bspi_team *team, uint32_t count);

#endif
