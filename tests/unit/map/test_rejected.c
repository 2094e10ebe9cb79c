/* Promise: every file in fixtures/rejected fails with the status in its name, with one message that names the place.
 * Files named bad-data_* are repaired with a warning by an ordinary load, and refused by a strict one. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/check/check_scene.h"

static bool has_status(const char *name, bspscene_status status)
{
	const char *word = bspscene_status_name(status);
	size_t length = strlen(word);
	return !strncmp(name, word, length) && name[length] == '_';
}

static void check_repaired(const char *name, const char *path)
{
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_file(path, NULL, &error);
	if (!scene) fail_msg("%s is not repaired: %s", name, error.message);
	bspt_report report = { 0 };
	bspt_context(&report, "%s", name);
	bspt_check_scene(scene, NULL, &report);
	bspt_assert_clean(&report);
	if (!scene->warning_count) fail_msg("%s is repaired in silence", name);
	bspscene_scene_free(scene);
}

static void check_refused(const char *name, const char *path, bool strict)
{
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.strict = strict;
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_file(path, &options, &error);
	if (scene) fail_msg("%s loads", name);
	if (!has_status(name, error.status)) {
		fail_msg("%s: %s: %s", name, bspscene_status_name(error.status), error.message);
	}
	bspt_report report = { 0 };
	bspt_check_error(&error, &report);
	bspt_assert_clean(&report);
	if (!strstr(error.message, name)) fail_msg("the message does not name its file: %s", error.message);
	if (strict && !error.lump[0]) fail_msg("%s: no lump is named: %s", name, error.message);
}

static void test_rejected(void **state)
{
	(void)state;
	DIR *folder = opendir(bspt_fixture_path("rejected"));
	assert_non_null(folder);
	int files = 0;
	for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
		const char *name = entry->d_name;
		char path[1024];
		snprintf(path, sizeof path, "%s/%.200s", bspt_fixture_path("rejected"), name);
		if (name[0] != '.') {
			bool repaired = has_status(name, BSPSCENE_ERROR_BAD_DATA);
			files++;
			check_refused(name, path, repaired);
			if (repaired) check_repaired(name, path);
		}
	}
	closedir(folder);
	assert_true(files >= 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_rejected) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
