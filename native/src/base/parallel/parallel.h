/* parallel.h - work that falls into tasks, in as many threads as the caller of the library allows, with the result of
 * one thread: same bytes, same error.
 *
 * Tasks are worked on at the same time, as if they came one after the other: what a task makes is taken over by the
 * calling thread in the order of the tasks, and one that failed, for whatever reason (memory that others held, too), is
 * done once more by the calling thread when all before it have been taken over. What it says then is what counts. */
#ifndef BSPI_PARALLEL_H
#define BSPI_PARALLEL_H

#include "base/arena.h"

/* The threads to use, and their number. */
typedef struct bspi_team {
	uint32_t threads;                  /* 0: one for each processor */
	const bspscene_thread_pool *host;  /* NULL: threads of our own */
} bspi_team;

typedef struct bspi_task {
	uint32_t index;
	bspi_arena arena;                  /* within the budget; ends after `finish` */
	void *result;                      /* of `work`, for `finish` */
	bspscene_error error;
} bspi_task;

/* False: task->error says why; or, of `finish` alone, nothing does and `user` knows. It may be asked again for what it
 * failed at. */
typedef bool bspi_task_fn(void *user, bspi_task *task);

typedef struct bspi_job {
	uint32_t count;                    /* tasks 0 to count - 1 */
	/* In any thread. Knows nothing that another task changes, takes memory from the task's arena and the budget (which
	 * are safe), calls nothing of the caller's but its allocator. */
	bspi_task_fn *work;
	/* In the calling thread, in the order of the tasks; may be NULL. */
	bspi_task_fn *finish;
	/* Gives back what `work` took elsewhere than from the task's arena, whether or not it came to its end. Only in the
	 * calling thread, for tasks that are done again or not taken over any more. May be NULL. */
	void (*drop)(void *user, bspi_task *task);
	/* In the calling thread, after `finish`: `done` tasks are finished. False ends the job, and `user` knows why. May
	 * be NULL. */
	bool (*tell)(void *user, uint32_t done);
	void *user;
} bspi_job;

/* False: *error says why, with status OK when `user` knows. Nothing of a job runs any more when this returns. */
bool bspi_run_job(const bspi_team *team, bspi_budget *budget, const bspi_job *job, bspscene_error *error);
/* How many threads such a job would have at most: what others need for each of them is theirs to make. */
uint32_t bspi_team_size(const bspi_team *team, uint32_t count);

#endif
