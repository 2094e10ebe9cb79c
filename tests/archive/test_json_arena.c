/* Promise: JSON values live in an arena until it is reset, and the arena reports its memory. Values that are made later
 * have separate memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "archive/process/json_arena.h"

enum { MANY = 3000, LARGE = 1 << 20 };

static json_t *make_list(void)
{
	json_t *list = json_array();
	for (int i = 0; i < MANY; i++) json_array_append_new(list, json_sprintf("number %d", i));
	return list;
}

static void check_list(const json_t *list)
{
	assert_int_equal(json_array_size(list), MANY);
	assert_string_equal(json_string_value(json_array_get(list, MANY - 1)), "number 2999");
}

static void it_knows_its_size(void **state)
{
	cli_json_arena arena = { 0 };
	(void)state;
	cli_json_arena_use(&arena);
	assert_int_equal(arena.size, 0);
	const json_t *list = make_list();
	assert_true(arena.size > (size_t)MANY * strlen("number 2999"));
	const size_t before = arena.size;
	char *text = malloc(LARGE + 1);
	assert_non_null(text);
	memset(text, 'x', LARGE);
	text[LARGE] = 0;
	const json_t *large = json_string(text);
	assert_true(arena.size >= before + LARGE);
	check_list(list);
	assert_string_equal(json_string_value(large), text);
	cli_json_arena_reset(&arena);
	assert_true(arena.size > 0 && arena.size <= before);
	check_list(make_list());
	cli_json_arena_end();
	cli_json_arena_free(&arena);
	assert_int_equal(arena.size, 0);
	free(text);
}

/* After the arena is no longer used, values are allocated and freed one by one. Sanitizers would report a leak, or a
 * value of the arena that is freed by itself. */
static void values_of_their_own_come_after_it(void **state)
{
	cli_json_arena arenas[2] = { { 0 } };
	(void)state;
	cli_json_arena_use(&arenas[0]);
	const json_t *first = make_list();
	cli_json_arena_use(&arenas[1]);
	check_list(make_list());
	check_list(first);
	cli_json_arena_end();
	json_t *list = make_list();
	for (int i = 0; i < 2; i++) cli_json_arena_free(&arenas[i]);
	check_list(list);
	json_decref(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_knows_its_size),
		cmocka_unit_test(values_of_their_own_come_after_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
