/* parallel.h - splits work into tasks for as many threads as the caller allows, with the result of a single thread:
 * same bytes, same error.
 *
 * Tasks run at the same time, but the calling thread takes over their results in order. A task that failed for any
 * reason (even memory held by others) is run again by the calling thread when all before it were taken over. Only that
 * result counts. */
#ifndef BSPI_PARALLEL_H
#define BSPI_PARALLEL_H

#include "base/arena.h"

/* The threads to use. */
typedef struct bspi_team {
	uint32_t threads;                  /* 0: one for each processor */
	const bspscene_thread_pool *host;  /* NULL: threads of our own */
} bspi_team;

typedef struct bspi_task {
	uint32_t index;
	bspi_arena arena;                  /* charged to the budget; freed after `finish` */
	void *result;                      /* of `work`, for `finish` */
	bspscene_error error;
} bspi_task;

/* False: task->error has the reason or, only for `finish`, `user` has it. A task that failed may be run again. */
typedef bool bspi_task_fn(void *user, bspi_task *task);

typedef struct bspi_job {
	uint32_t count;                    /* tasks 0 to count - 1 */
	/* Runs in any thread. It must not read what other tasks change. It may use the task's arena and the budget, which
	 * are safe, but of the caller's functions only the allocator. */
	bspi_task_fn *work;
	/* Runs in the calling thread, in the order of tasks; may be NULL. */
	bspi_task_fn *finish;
	/* Frees what `work` allocated outside of the task's arena, whether or not it succeeded. Runs in the calling thread,
	 * for tasks that are run again or dropped. May be NULL. */
	void (*drop)(void *user, bspi_task *task);
	/* Runs in the calling thread after `finish`: `done` tasks are finished. False ends the job; `user` has the reason.
	 * May be NULL. */
	bool (*tell)(void *user, uint32_t done);
	void *user;
} bspi_job;

/* Runs a job. False: *error has the reason, or status OK if `user` has it. No task runs any more when it returns. */
bool bspi_run_job(const bspi_team *team, bspi_budget *budget, const bspi_job *job, bspscene_error *error);
/* Returns the most threads that a job of `count` tasks uses, for data per thread. */
uint32_t bspi_team_size(const bspi_team *team, uint32_t count);

#endif
