/* Promise: a .ump file that is truncated or changed, with missing files or failing memory, gives a map or an error with
 * a message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/check/check_scene.h"
#include "support/hostile/hostile.h"

#define FOLDER "ufoai"

typedef void attack_fn(const bspt_victim *victim, bspt_tally *tally, bspt_report *report);

static void attack(attack_fn *how, uint32_t stride)
{
	bspt_bytes file = bspt_read_fixture(FOLDER "/maps/yard.ump");
	bspscene_file_system *files = bspt_mount_fixtures(FOLDER, NULL);
	bspt_victim victim = { .name = "yard.ump", .data = file.data, .size = file.size, .stride = stride };
	bspt_report report = { 0 };
	bspt_tally tally = { 0 };
	bspscene_load_options_init(&victim.options);
	victim.options.lightmap_page_size = 256;
	bspt_use_files(&victim.options, files);
	how(&victim, &tally, &report);
	bspt_assert_clean(&report);
	bspscene_file_system_free(files);
	free(file.data);
}

static void cut_texts(void **state) { (void)state; attack(bspt_hostile_truncate, 7); }
static void loads_that_are_given_up(void **state) { (void)state; attack(bspt_hostile_cancel, 3); }
static void loads_without_memory(void **state) { (void)state; attack(bspt_hostile_starve, 23); }
static void sabotaged_tiles(void **state) { (void)state; attack(bspt_hostile_siblings, 1); }

/* Replaces every third byte of the text, from byte 100 on, by another one. Each copy has one replaced byte. */
static void changed_texts(void **state)
{
	bspt_bytes file = bspt_read_fixture(FOLDER "/maps/yard.ump");
	static const char others[] = "{}\"0+9 /\n\xff";
	char *text = test_malloc(file.size + 1);
	uint32_t loaded = 0, tried = 0;
	bspscene_file_system *files = bspt_mount_fixtures(FOLDER, NULL);
	bspscene_load_options options;
	(void)state;
	bspscene_load_options_init(&options);
	bspt_use_files(&options, files);
	for (size_t at = 100; at < file.size; at += 3) {
		bspscene_error error;
		memcpy(text, file.data, file.size);
		text[file.size] = 0;
		text[at] = others[at / 3 % (sizeof others - 1)];
		bspscene_scene *scene = bspscene_load_memory(text, strlen(text), &options, &error);
		tried++;
		loaded += scene != NULL;
		if (!scene && !error.message[0]) fail_msg("byte %zu: no reason", at);
		bspscene_scene_free(scene);
	}
	assert_true(loaded && loaded < tried);
	test_free(text);
	bspscene_file_system_free(files);
	free(file.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut_texts),
		cmocka_unit_test(loads_that_are_given_up),
		cmocka_unit_test(loads_without_memory),
		cmocka_unit_test(sabotaged_tiles),
		cmocka_unit_test(changed_texts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
