/* Promise: the largest pictures are begun first. So at the end no thread has to wait long for another thread's last
 * picture. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "writers/largest_first.h"

enum { MOST = 64, THREADS = 2, WINDOW = 8 * THREADS }; /* parallel.c begins at most WINDOW tasks ahead */

static void find_order(const double *costs, uint32_t count, uint32_t *out)
{
	bspi_writer *writer = calloc(1, sizeof *writer);
	assert_non_null(writer);
	writer->main_name = "order";
	bspi_budget_begin(&writer->budget, UINT64_MAX, NULL);
	bspi_arena_init(&writer->arena, &writer->budget);
	const uint32_t *order = bspi_largest_first(writer, costs, count);
	assert_non_null(order);
	if (count) memcpy(out, order, count * sizeof *out);
	bspi_arena_reset(&writer->arena);
	free(writer);
}

static void the_largest_comes_first_and_equals_keep_their_order(void **state)
{
	static const double costs[] = { 1, 9, 0, 9, 4, 1 };
	static const uint32_t wanted[] = { 1, 3, 4, 0, 5, 2 };
	uint32_t order[MOST];
	(void)state;
	find_order(costs, 6, order);
	assert_memory_equal(order, wanted, sizeof wanted);
	find_order(costs, 0, order);
}

/* Returns how long the threads need for all tasks. Each thread takes one task after the other. At the end of each
 * window of tasks, all threads wait for each other. */
static double time_of(const double *costs, const uint32_t *order, uint32_t count)
{
	double all = 0;
	for (uint32_t first = 0; first < count; first += WINDOW) {
		double busy[THREADS] = { 0 }, longest = 0;
		for (uint32_t i = first; i < count && i < first + WINDOW; i++) {
			uint32_t next = 0;
			for (uint32_t k = 1; k < THREADS; k++) next = busy[k] < busy[next] ? k : next;
			busy[next] += costs[order[i]];
		}
		for (uint32_t k = 0; k < THREADS; k++) longest = busy[k] > longest ? busy[k] : longest;
		all += longest;
	}
	return all;
}

/* The costs are like those in a Quake III map. Most textures are copied, which costs little, and some are encoded. One
 * lightmap page costs as much as most of the textures together. */
static void two_threads_share_the_pictures_of_a_map(void **state)
{
	double costs[MOST], sum = 0;
	uint32_t order[MOST], as_they_come[MOST];
	(void)state;
	for (uint32_t i = 0; i < MOST; i++) {
		costs[i] = i == 1 ? 40 : i % 5 == 3 ? 4 : 0.1;
		as_they_come[i] = i;
		sum += costs[i];
	}
	find_order(costs, MOST, order);
	assert_true(sum / time_of(costs, as_they_come, MOST) < 1.6);
	assert_true(sum / time_of(costs, order, MOST) > 1.9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_largest_comes_first_and_equals_keep_their_order),
		cmocka_unit_test(two_threads_share_the_pictures_of_a_map),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
