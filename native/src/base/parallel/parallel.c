/* parallel.c - see parallel.h. */
#include "base/parallel/parallel.h"

#include <assert.h>

#include "base/parallel/threads.h"

/* Tasks are run in windows of this many for each thread. All tasks of a window are finished, in order, before the next
 * window begins. So a slow task does not stop the other threads, and few results wait to be finished. */
#define AHEAD 8u

typedef enum task_state { WAITING, FAILED, DONE } task_state;

typedef struct run {
	const bspi_job *job;
	bspi_budget *budget;
	bspi_lock lock;                    /* protects the members below that change, and the budget */
	uint64_t caller;                   /* bspi_thread_id of the calling thread */
	bspi_task *tasks;                  /* the tasks of the current window */
	uint8_t *states;
	uint32_t first, end;               /* range of the tasks in the window */
	uint32_t next;                     /* next task to begin */
	uint32_t finished;                 /* tasks before this one are finished */
	bool stopped;                      /* no more tasks are begun in this window */
	bool alone;                        /* tasks run in the calling thread only, and the memory of other tasks was
	                                    * released */
	bool ended;                        /* true: the job ended early; the reason is in `error`, or `user` has it */
	bspscene_error error;
} run;

static bspi_task *task_at(run *r, uint32_t index)
{
	return &r->tasks[index - r->first];
}

static void begin_task(run *r, uint32_t index)
{
	bspi_task *task = task_at(r, index);
	uint32_t number = r->job->order ? r->job->order[index] : index;
	*task = (bspi_task){ .index = number, .error = { .record = BSPSCENE_NO_INDEX, .offset = UINT64_MAX } };
	bspi_arena_init(&task->arena, r->budget);
}

static bool begin_next(run *r, uint32_t *index)
{
	bspi_lock_take(&r->lock);
	bool any = !r->stopped && r->next < r->end;
	if (any) *index = r->next++;
	bspi_lock_give(&r->lock);
	return any;
}

static void end_task(run *r, uint32_t index, bool well)
{
	bspi_lock_take(&r->lock);
	r->states[index - r->first] = well ? DONE : FAILED;
	/* Tasks before the failed one have begun already and will end. Tasks after it may not be needed, so no more tasks
	 * begin. */
	if (!well) r->stopped = true;
	bspi_lock_give(&r->lock);
}

static bool is_done(run *r, uint32_t index)
{
	bspi_lock_take(&r->lock);
	bool done = r->states[index - r->first] == DONE;
	bspi_lock_give(&r->lock);
	return done;
}

/* Finishes a task in the calling thread. If a task failed because others held memory, it is run again alone. */
static void take_over(run *r, uint32_t index)
{
	bspi_task *task = task_at(r, index);
	bool well = !r->job->finish || r->job->finish(r->job->user, task);
	if (!well && !r->alone && task->error.status) {
		end_task(r, index, false);
		return;
	}
	if (well) {
		bspi_arena_reset(&task->arena);
		r->finished = index + 1;
	} else {
		r->error = task->error;
	}
	if (well && r->job->report) well = r->job->report(r->job->user, r->finished);
	if (well) return;
	bspi_lock_take(&r->lock);
	r->stopped = r->ended = true;
	bspi_lock_give(&r->lock);
}

static void take_over_done(run *r)
{
	while (!r->ended && r->finished < r->end && is_done(r, r->finished)) take_over(r, r->finished);
}

static void work(void *data, uint32_t number)
{
	run *r = data;
	uint32_t index;
	bool is_caller = bspi_thread_id() == r->caller;
	(void)number;
	while (begin_next(r, &index)) {
		begin_task(r, index);
		end_task(r, index, r->job->work(r->job->user, task_at(r, index)));
		if (is_caller) take_over_done(r);
	}
}

static void forget_rest(run *r)
{
	for (uint32_t i = r->finished; i < r->end; i++) {
		if (r->states[i - r->first] == WAITING) continue;
		if (r->job->drop) r->job->drop(r->job->user, task_at(r, i));
		bspi_arena_reset(&task_at(r, i)->arena);
		r->states[i - r->first] = WAITING;
	}
}

/* Runs the remaining tasks of the window in order, in the calling thread. */
static void work_alone(run *r)
{
	forget_rest(r);
	r->alone = true;
	while (!r->ended && r->finished < r->end) {
		uint32_t index = r->finished;
		begin_task(r, index);
		r->states[index - r->first] = DONE;
		if (r->job->work(r->job->user, task_at(r, index))) {
			take_over(r, index);
			continue;
		}
		r->error = task_at(r, index)->error;
		r->ended = true;
	}
	forget_rest(r);
}

static void run_window(run *r, const bspi_team *team, uint32_t threads)
{
	uint32_t count = r->end - r->first;
	bspi_refusal refused = r->budget->refused;
	for (uint32_t i = 0; i < count; i++) r->states[i] = WAITING;
	r->next = r->finished = r->first;
	r->stopped = r->alone = false;
	if (threads > count) threads = count;
	if (threads > 1) {
		assert(!r->budget->heap.lock);
		r->budget->heap.lock = &r->lock;
		if (team->host) team->host->run(team->host->user, threads, work, r);
		else bspi_run_threads(threads, work, r);
		r->budget->heap.lock = NULL;
		take_over_done(r);
		/* Some tasks were refused memory only because other tasks held it. work_alone runs them again, so the refusal
		 * does not count. */
		if (!r->ended) r->budget->refused = refused;
	}
	work_alone(r);
}

uint32_t bspi_team_size(const bspi_team *team, uint32_t count)
{
	if (count <= 1) return 1;
	uint32_t threads = team->threads ? team->threads : bspi_processors();
	if (threads > BSPI_MOST_THREADS) threads = BSPI_MOST_THREADS;
	return threads < count ? threads : count;
}

bool bspi_run_job(const bspi_team *team, bspi_budget *budget, const bspi_job *job, bspscene_error *error)
{
	run r = { .job = job, .budget = budget, .caller = bspi_thread_id() };
	uint32_t threads = bspi_team_size(team, job->count), most = threads > 1 ? threads * AHEAD : 1;
	uint32_t window = most < job->count ? most : job->count;
	if (!job->count) return true;
	r.tasks = bspi_heap_take_zeroed(&budget->heap, window * sizeof *r.tasks);
	r.states = bspi_heap_take_zeroed(&budget->heap, window);
	bool well = r.tasks && r.states;
	if (!well) {
		r.error = (bspscene_error){ BSPSCENE_ERROR_OUT_OF_MEMORY, BSPSCENE_NO_INDEX, UINT64_MAX, "", "out of memory" };
	}
	bspi_lock_begin(&r.lock);
	for (; well && r.first < job->count; r.first = r.end) {
		r.end = job->count - r.first < window ? job->count : r.first + window;
		run_window(&r, team, threads);
		well = !r.ended;
	}
	bspi_lock_end(&r.lock);
	bspi_heap_give(&budget->heap, r.states);
	bspi_heap_give(&budget->heap, r.tasks);
	if (!well && error) *error = r.error;
	return well;
}
