/* Promise: a parallel job gives the same results, order, error and cancellation with any number of threads, also on the
 * threads of a host. If memory is short, the job either fails or has the same result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/ctx.h"
#include "base/parallel/threads.h"

enum { TASKS = 100, VALUES = 500, NONE = 0xffffff };

typedef struct work_state {
	uint32_t taken[TASKS], count;      /* task indices, in the order in which results are taken */
	uint64_t sum;
	/* Indices of tasks that fail, and the number of finished tasks at which `tell` cancels. NONE means never. */
	uint32_t fails, fails_too, cancels_at;
	uint32_t told;
	uint64_t caller;
	const uint32_t *order;             /* the order that the job gives to its tasks */
	bool elsewhere;                    /* true if `take` or `tell` ran in a thread other than the caller's */
} work_state;

static bool work(void *user, bspi_task *task)
{
	const work_state *s = user;
	uint64_t *values = bspi_arena_alloc(&task->arena, VALUES, sizeof *values);
	if (!values) return bspi_error_set(&task->error, BSPSCENE_ERROR_MEMORY_LIMIT, "task %u: memory", task->index);
	for (uint32_t i = 0; i < VALUES; i++) values[i] = (uint64_t)task->index * i;
	task->result = values;
	if (task->index == s->fails || task->index == s->fails_too) {
		return bspi_error_set(&task->error, BSPSCENE_ERROR_BAD_DATA, "task %u", task->index);
	}
	return true;
}

static bool take(void *user, bspi_task *task)
{
	work_state *s = user;
	const uint64_t *values = task->result;
	if (bspi_thread_id() != s->caller) s->elsewhere = true;
	s->taken[s->count++] = task->index;
	for (uint32_t i = 0; i < VALUES; i++) s->sum = s->sum * 31 + values[i];
	return true;
}

static bool tell(void *user, uint32_t done)
{
	work_state *s = user;
	if (bspi_thread_id() != s->caller) s->elsewhere = true;
	s->told = done;
	return done != s->cancels_at;
}

static work_state start(void)
{
	work_state s = { .fails = NONE, .fails_too = NONE, .cancels_at = NONE };
	s.caller = bspi_thread_id();
	return s;
}

static bool run(work_state *s, const bspi_team *team, bspi_budget *budget, bspscene_error *error)
{
	const bspi_job job = { .count = TASKS, .order = s->order, .work = work, .finish = take, .report = tell,
	                       .user = s };
	bool well = bspi_run_job(team, budget, &job, error);
	assert_int_equal(budget->used, 0);
	assert_null(budget->heap.lock);
	assert_false(s->elsewhere);
	for (uint32_t i = 0; i < s->count; i++) assert_int_equal(s->taken[i], s->order ? s->order[i] : i);
	return well;
}

/* A host's thread pool that runs tasks in reverse order, in one thread other than the caller's. */
typedef struct elsewhere {
	uint32_t count;
	bspscene_work_fn *work;
	void *data;
} elsewhere;

static void run_backwards(void *data, uint32_t number)
{
	const elsewhere *e = data;
	for (uint32_t i = e->count; number == 1 && i-- > 0;) e->work(e->data, i);
}

static void run_in_host(void *user, uint32_t count, bspscene_work_fn *host_work, void *data)
{
	elsewhere e = { count, host_work, data };
	++*(uint32_t *)user;
	bspi_run_threads(2, run_backwards, &e);
}

static void run_twice(void *user, uint32_t count, bspscene_work_fn *host_work, void *data)
{
	++*(uint32_t *)user;
	bspi_run_threads(count, host_work, data);
}

static uint32_t host_calls;
static const bspscene_thread_pool backwards = { run_in_host, &host_calls }, pool = { run_twice, &host_calls };
static const bspi_team teams[] = {
	{ 1, NULL }, { 2, NULL }, { 3, NULL }, { 8, NULL }, { 0, NULL }, { 300, NULL }, { 4, &backwards }, { 8, &pool },
};
enum { TEAMS = sizeof teams / sizeof *teams };

static void test_same_for_all_teams(void **state)
{
	(void)state;
	uint64_t expected = 0;
	for (int t = 0; t < TEAMS; t++) {
		bspi_budget budget;
		bspi_budget_begin(&budget, 1 << 30, NULL);
		work_state s = start();
		host_calls = 0;
		assert_true(run(&s, &teams[t], &budget, NULL));
		assert_int_equal(s.count, TASKS);
		assert_int_equal(s.told, TASKS);
		if (!t) expected = s.sum;
		assert_true(s.sum == expected);
		assert_true(!teams[t].host == !host_calls);
	}
}

/* Results are taken in the order that the job gives to its tasks. If two tasks fail, the job ends at the one that
 * comes first in this order. */
static void test_given_order(void **state)
{
	(void)state;
	uint32_t order[TASKS];
	for (uint32_t i = 0; i < TASKS; i++) order[i] = (i * 37 + 5) % TASKS;
	for (int t = 0; t < TEAMS; t++) {
		bspi_budget budget;
		bspscene_error error;
		bspi_budget_begin(&budget, 1 << 30, NULL);
		work_state s = start();
		s.order = order;
		assert_true(run(&s, &teams[t], &budget, NULL));
		assert_true(s.count == TASKS && s.told == TASKS);
		s = start();
		s.order = order;
		s.fails = order[60];
		s.fails_too = order[20];
		assert_false(run(&s, &teams[t], &budget, &error));
		assert_true(s.count == 20);
	}
}

static void test_first_error_by_index(void **state)
{
	(void)state;
	for (int t = 0; t < TEAMS; t++) {
		bspi_budget budget;
		bspscene_error error;
		bspi_budget_begin(&budget, 1 << 30, NULL);
		work_state s = start();
		s.fails = 41;
		s.fails_too = 38;
		assert_false(run(&s, &teams[t], &budget, &error));
		assert_string_equal(error.message, "task 38");
		assert_int_equal(s.count, 38);
	}
}

static void test_canceled(void **state)
{
	(void)state;
	for (int t = 0; t < TEAMS; t++) {
		for (uint32_t at = 1; at <= TASKS; at += 9) {
			bspi_budget budget;
			bspscene_error error;
			bspi_budget_begin(&budget, 1 << 30, NULL);
			work_state s = start();
			s.cancels_at = at;
			assert_false(run(&s, &teams[t], &budget, &error));
			assert_int_equal(error.status, BSPSCENE_OK);
			assert_int_equal(s.count, at);
		}
	}
}

/* If the memory limit has room for one task, it suffices for any number of threads, because tasks wait until others
 * release their memory. */
static void test_memory_of_one(void **state)
{
	(void)state;
	uint64_t expected = 0;
	for (int t = 0; t < TEAMS; t++) {
		bspi_budget budget;
		bspi_budget_begin(&budget, VALUES * sizeof(uint64_t) + 64, NULL);
		work_state s = start();
		assert_true(run(&s, &teams[t], &budget, NULL));
		if (!t) expected = s.sum;
		assert_true(s.sum == expected && s.count == TASKS);
		assert_int_equal(budget.refused, BSPI_REFUSED_NOTHING);
		bspi_budget_begin(&budget, VALUES * sizeof(uint64_t) - 64, NULL);
		s = start();
		bspscene_error error;
		assert_false(run(&s, &teams[t], &budget, &error));
		assert_string_equal(error.message, "task 0: memory");
		assert_int_equal(budget.refused, BSPI_REFUSED_MEMORY);
	}
}

/* An allocator that fails after `limit` allocations. Two threads must not call it at the same time. ThreadSanitizer
 * would report this, because `count` is not atomic. */
typedef struct limited {
	uint32_t count, limit, held;
} limited;

static void *allocate(void *user, size_t size)
{
	limited *l = user;
	if (l->count++ >= l->limit) return NULL;
	l->held++;
	return malloc(size);
}

static void release(void *user, void *data)
{
	limited *l = user;
	l->held--;
	free(data);
}

static void test_allocator_fails(void **state)
{
	(void)state;
	for (int t = 0; t < TEAMS; t++) {
		bool well = false;
		for (uint32_t limit = 0; !well; limit++) {
			limited l = { .limit = limit };
			const bspscene_allocator allocator = { allocate, release, &l };
			bspi_budget budget;
			bspscene_error error;
			bspi_budget_begin(&budget, 1 << 30, &allocator);
			work_state s = start();
			well = run(&s, &teams[t], &budget, &error);
			assert_int_equal(l.held, 0);
			assert_true(well ? s.count == TASKS : budget.exhausted);
			assert_true(limit < 3 * TASKS + 10);
			/* A task for which there was no memory may be repeated alone and then succeed. The job succeeds then, but
			 * the limit was too low for running tasks together. */
			well = well && !budget.exhausted;
		}
	}
}

static bool add_one(void *user, bspi_task *task)
{
	((uint32_t *)user)[task->index]++;
	return true;
}

static void test_in_place(void **state)
{
	(void)state;
	for (int t = 0; t < TEAMS; t++) {
		for (uint32_t count = 0; count <= TASKS; count += count < 3 ? 1 : 97) {
			uint32_t values[TASKS + 1] = { 0 };
			bspi_budget budget;
			bspi_budget_begin(&budget, 0, NULL);
			host_calls = 0;
			const bspi_job job = { .count = count, .work = add_one, .user = values };
			assert_true(bspi_run_job(&teams[t], &budget, &job, NULL));
			for (uint32_t i = 0; i <= TASKS; i++) assert_int_equal(values[i], i < count);
			if (count <= 1) assert_int_equal(host_calls, 0);
		}
	}
}

enum { MOST_NUMBERS = 8 };

static void note_number(void *data, uint32_t number)
{
	uint32_t *calls = data;
	if (number < MOST_NUMBERS) calls[number]++; /* No other thread has this number, so no lock is needed. */
}

/* As many threads run as requested, including the caller's, each with its own number. */
static void threads_are_numbered(void **state)
{
	(void)state;
	for (uint32_t count = 1; count < MOST_NUMBERS; count++) {
		uint32_t calls[MOST_NUMBERS] = { 0 };
		bspi_run_threads(count, note_number, calls);
		for (uint32_t i = 0; i < MOST_NUMBERS; i++) assert_int_equal(calls[i], i < count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_are_numbered),
		cmocka_unit_test(test_given_order),
		cmocka_unit_test(test_same_for_all_teams),  cmocka_unit_test(test_first_error_by_index),
		cmocka_unit_test(test_canceled),           cmocka_unit_test(test_memory_of_one),
		cmocka_unit_test(test_allocator_fails),     cmocka_unit_test(test_in_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
