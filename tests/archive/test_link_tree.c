/* Promise: a link gives a second name to a file, or to each file of a folder. A missing file gets no link, symbolic
 * links are not followed, and an existing target is reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/bspt.h"
#include "cli/host/link_tree.h"

static char top[512];

static const char *at(const char *name)
{
	static char paths[4][1024];
	static int next;
	char *path = paths[next++ % 4];
	snprintf(path, sizeof paths[0], "%s/%s", top, name);
	return path;
}

static void write_text(const char *name, const char *text)
{
	bspt_write_file(at(name), text, strlen(text));
}

static int make_top(void **state)
{
	(void)state;
	bspt_make_directory(top, sizeof top);
	return 0;
}

static int remove_top(void **state)
{
	(void)state;
	bspt_remove_directory(top);
	return 0;
}

static bool is_same(const char *a, const char *b)
{
	struct stat one, other;
	assert_int_equal(stat(at(a), &one), 0);
	assert_int_equal(stat(at(b), &other), 0);
	return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static bool is_there(const char *name)
{
	struct stat found;
	return lstat(at(name), &found) == 0;
}

static void a_file_gets_a_second_name(void **state)
{
	(void)state;
	write_text("one.txt", "one");
	assert_true(cli_link_tree(at("one.txt"), at("two.txt")));
	assert_true(is_same("one.txt", "two.txt"));
}

static void a_folder_gets_one_with_all_that_is_in_it(void **state)
{
	(void)state;
	bspt_make_folder(at("from"));
	bspt_make_folder(at("from/deep"));
	bspt_make_folder(at("from/deep/deeper"));
	write_text("from/a", "a");
	write_text("from/deep/b", "b");
	write_text("from/deep/deeper/c", "c");
	assert_true(cli_link_tree(at("from"), at("to")));
	assert_true(is_same("from/a", "to/a"));
	assert_true(is_same("from/deep/b", "to/deep/b"));
	assert_true(is_same("from/deep/deeper/c", "to/deep/deeper/c"));
	assert_false(is_same("from/deep", "to/deep"));
}

static void what_is_not_there_gets_none(void **state)
{
	(void)state;
	assert_true(cli_link_tree(at("nothing"), at("to")));
	assert_false(is_there("to"));
}

static void links_are_not_followed(void **state)
{
	(void)state;
	bspt_make_folder(at("from"));
	write_text("from/a", "a");
	write_text("secret", "secret");
	assert_int_equal(symlink(at("secret"), at("from/link")), 0);
	assert_true(cli_link_tree(at("from"), at("to")));
	assert_true(is_there("to/a"));
	assert_false(is_there("to/link"));
	assert_false(cli_link_tree(at("from/link"), at("other")));
	assert_false(is_there("other"));
}

static void what_is_in_the_way_is_told(void **state)
{
	(void)state;
	bspt_make_folder(at("from"));
	bspt_make_folder(at("from/deep"));
	write_text("from/deep/b", "b");
	write_text("to", "a file where a folder has to be");
	assert_false(cli_link_tree(at("from"), at("to")));
	assert_false(cli_link_tree(at("from/deep/b"), at("to")));
	assert_false(is_same("from/deep/b", "to"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_gets_a_second_name, make_top, remove_top),
		cmocka_unit_test_setup_teardown(a_folder_gets_one_with_all_that_is_in_it, make_top, remove_top),
		cmocka_unit_test_setup_teardown(what_is_not_there_gets_none, make_top, remove_top),
		cmocka_unit_test_setup_teardown(links_are_not_followed, make_top, remove_top),
		cmocka_unit_test_setup_teardown(what_is_in_the_way_is_told, make_top, remove_top),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
