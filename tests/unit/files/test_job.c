/* Promise: a job has the same result as the call that it stands for, and a caller only waits when it takes the result.
 * The caller can ask for the progress of a job. A job ends when it is canceled or freed, and then all of its memory is
 * free. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/job.h>

#include "base/parallel/threads.h"
#include "support/bspt.h"

#define ATRIUM "atrium/quake3/maps/atrium.bsp"

static bspscene_source *open_source(void)
{
	bspscene_error error;
	bspscene_source *source = bspscene_source_open(bspt_fixture_path(ATRIUM), NULL, &error);
	if (!source) fail_msg("%s", error.message);
	return source;
}

static bspscene_scene *take_scene(bspscene_job *job)
{
	bspscene_error error;
	assert_non_null(job);
	bspscene_scene *scene = bspscene_job_take_scene(job, &error);
	if (!scene) fail_msg("%s", error.message);
	assert_int_equal(error.status, BSPSCENE_OK);
	assert_true(bspscene_job_ended(job));
	assert_float_equal(bspscene_job_fraction(job), 1, 0);
	assert_null(bspscene_job_take_scene(job, &error));
	assert_int_equal(error.status, BSPSCENE_OK);
	bspscene_job_free(job);
	return scene;
}

static void gives_what_the_call_gives(void **state)
{
	(void)state;
	bspscene_error error;
	bspscene_job *job = bspscene_job_open(bspt_fixture_path(ATRIUM), NULL, &error);
	assert_non_null(job);
	bspscene_source *source = bspscene_job_take_source(job, &error);
	assert_non_null(source);
	assert_null(bspscene_job_take_source(job, NULL));
	bspscene_job_free(job);

	bspscene_scene *scene = bspscene_source_load(source, 0, NULL, &error);
	bspscene_scene *by_job = take_scene(bspscene_job_load(source, 0, NULL, &error));
	assert_true(bspt_scene_hash(by_job) == bspt_scene_hash(scene));

	bspscene_bake_options options;
	bspscene_bake_options_init(&options);
	options.keep_styles = true;
	options.model_light_error = 14;
	bspscene_scene *baked = bspscene_bake_light(scene, &options, &error);
	bspscene_scene *baked_by_job = take_scene(bspscene_job_bake_light(scene, &options, &error));
	assert_true(bspt_scene_hash(baked_by_job) == bspt_scene_hash(baked));

	bspscene_scene *lit = bspscene_bake_textures(baked, NULL, &error);
	bspscene_scene *lit_by_job = take_scene(bspscene_job_bake_textures(baked, NULL, &error));
	assert_true(bspt_scene_hash(lit_by_job) == bspt_scene_hash(lit));
	bspscene_scene_free(lit_by_job);
	bspscene_scene_free(lit);
	bspscene_scene_free(baked_by_job);
	bspscene_scene_free(baked);
	bspscene_scene_free(by_job);
	bspscene_scene_free(scene);
	bspscene_source_free(source);
}

static void tells_the_error_of_the_call(void **state)
{
	(void)state;
	bspscene_error error;
	bspscene_job *job = bspscene_job_open("/nowhere/none.bsp", NULL, &error);
	assert_non_null(job);
	assert_null(bspscene_job_take_source(job, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_NOT_FOUND);
	assert_non_null(strstr(error.message, "none.bsp"));
	bspscene_job_free(job);
}

static void refuses_structs_that_are_none(void **state)
{
	(void)state;
	bspscene_error error;
	bspscene_source *source = open_source();
	bspscene_load_options load = { .struct_size = 3 };
	bspscene_source_options open = { .struct_size = 3 };
	assert_null(bspscene_job_load(source, 0, &load, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	assert_null(bspscene_job_open("a.bsp", &open, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	bspscene_scene *scene = bspscene_source_load(source, 0, NULL, &error);
	bspscene_bake_options bake = { .struct_size = 3 };
	bspscene_write_options write = { .struct_size = 3 };
	assert_null(bspscene_job_bake_light(scene, &bake, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	assert_null(bspscene_job_bake_textures(scene, &write, NULL));
	bspscene_scene_free(scene);
	bspscene_source_free(source);
}

/* A load that waits in its first progress call until `goes_on` is true. */
typedef struct held_load {
	atomic_bool reached, goes_on;
	atomic_uint calls;
	uint64_t beginner;                 /* the thread that began the job, as bspi_thread_id says */
	atomic_bool elsewhere;             /* true if another thread made a progress call */
} held_load;

static bspscene_progress_result hold(void *user, const char *stage, double fraction)
{
	held_load *held = user;
	(void)stage, (void)fraction;
	atomic_fetch_add(&held->calls, 1);
	if (bspi_thread_id() == held->beginner) return BSPSCENE_PROGRESS_CONTINUE;
	atomic_store(&held->elsewhere, true);
	atomic_store(&held->reached, true);
	while (!atomic_load(&held->goes_on)) continue;
	return BSPSCENE_PROGRESS_CONTINUE;
}

static bspscene_job *begin_held(held_load *held, const bspscene_source *source)
{
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.progress = hold;
	options.progress_user = held;
	held->beginner = bspi_thread_id();
	bspscene_job *job = bspscene_job_load(source, 0, &options, NULL);
	assert_non_null(job);
	/* The job has its own copy, so the caller may overwrite the options. */
	memset(&options, 0xff, sizeof options);
	while (!atomic_load(&held->reached)) continue;
	assert_false(bspscene_job_ended(job));
	assert_true(bspscene_job_fraction(job) < 1);
	return job;
}

static void is_canceled_at_the_next_report(void **state)
{
	(void)state;
	bspscene_error error;
	bspscene_source *source = open_source();
	held_load held = { .calls = 0 };
	bspscene_job *job = begin_held(&held, source);
	bspscene_job_cancel(job);
	assert_false(bspscene_job_ended(job));
	atomic_store(&held.goes_on, true);
	assert_null(bspscene_job_take_scene(job, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_CANCELED);
	assert_true(held.elsewhere);
	assert_int_equal(held.calls, 1);
	bspscene_job_free(job);
	bspscene_source_free(source);
}

static void is_freed_with_its_result(void **state)
{
	(void)state;
	bspscene_source *source = open_source();
	held_load held = { .calls = 0 };
	bspscene_job *job = begin_held(&held, source);
	atomic_store(&held.goes_on, true);
	while (!bspscene_job_ended(job)) continue;
	assert_true(held.calls > 1);
	bspscene_job_free(job);            /* the result, a scene, is freed too */

	held = (held_load){ .calls = 0 };
	job = begin_held(&held, source);
	atomic_store(&held.goes_on, true);
	bspscene_job_free(job);            /* cancels the load, which still runs */
	bspscene_job_free(NULL);
	bspscene_source_free(source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_what_the_call_gives),
		cmocka_unit_test(tells_the_error_of_the_call),
		cmocka_unit_test(refuses_structs_that_are_none),
		cmocka_unit_test(is_canceled_at_the_next_report),
		cmocka_unit_test(is_freed_with_its_result),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
