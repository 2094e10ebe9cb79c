/* Promise: a catalog of any length is read to its end, whatever the lengths of its parts. If a file does not have the
 * size that its catalog line states, an error is blamed on the file's place, not on the map. In "FILE:MAP" the last
 * colon is the separator. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/catalog/catalog_read.h"
#include "archive/diff/diff_sides.h"
#include "archive/process/process_map.h"
#include "support/bspt.h"

static char directory[512], path[1024];

static int begin(void **state)
{
	(void)state;
	bspt_make_directory(directory, sizeof directory);
	return 0;
}

static int end(void **state)
{
	(void)state;
	bspt_remove_directory(directory);
	return 0;
}

static const char *at(const char *name)
{
	snprintf(path, sizeof path, "%s/%s", directory, name);
	return path;
}

/* The text has sizes around those at which its buffer grows. */
static void every_length_is_read_whole(void **state)
{
	static const size_t sizes[] = { 131069, 131070, 131071, 131072, 131073, 262143, 262144 };
	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		char *text = malloc(sizes[i] + 200);
		cli_catalog catalog;
		size_t size = 0;
		uint32_t count = 0;
		assert_non_null(text);
		while (size + 300 < sizes[i]) {
			size += (size_t)sprintf(text + size, "{\"id\": \"%064x\", \"path\": \"maps/%u.bsp\"}\n", count, count);
			count++;
		}
		/* The last line has no line end; the text ends after it. */
		int head = sprintf(text + size, "{\"id\": \"%064x\", \"path\": \"", count++);
		size += (size_t)head;
		while (size + 2 < sizes[i]) text[size++] = 'x';
		size += (size_t)sprintf(text + size, "\"}");
		assert_int_equal(size, sizes[i]);
		bspt_write_file(at("catalog.jsonl"), text, size);
		assert_true(cli_catalog_read(&catalog, path, 0, 0));
		assert_int_equal(catalog.map_count, count);
		assert_int_equal(catalog.bad_count, 0);
		cli_catalog_free(&catalog);
		free(text);
	}
}

static void a_place_is_at_fault_when_its_file_changed(void **state)
{
	(void)state;
	bspscene_error error = { .status = BSPSCENE_ERROR_BAD_DATA };
	cli_args args = { 0 };
	bspt_write_file(at("map.bsp"), "12345", 5);
	for (int size = 4; size <= 6; size++) {
		json_t *entry = json_pack("{s:s, s:i}", "path", path, "stored_size", size);
		assert_int_equal(cli_is_fault_of_place(entry, &args, &error), size != 5);
		json_decref(entry);
	}
}

static void the_last_colon_divides(void **state)
{
	(void)state;
	char operand[1100];
	cli_args args = { 0 };
	bspt_write_file(at("odd:name.zip"), "x", 1);
	snprintf(operand, sizeof operand, "%s:maps/one.bsp", path);
	char *operands[] = { operand };
	args.operands = operands;
	args.operand_count = 1;
	cli_diff_side side = cli_diff_side_of(&args, 0);
	assert_string_equal(side.path, path);
	assert_string_equal(side.map, "maps/one.bsp");
	cli_diff_side_free(&side);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_length_is_read_whole),
		cmocka_unit_test(a_place_is_at_fault_when_its_file_changed),
		cmocka_unit_test(the_last_colon_divides),
	};
	return cmocka_run_group_tests(tests, begin, end);
}
