/* job.c - runs long calls of the library. Each has a thread of its own. See bspscene/job.h. */
#include <assert.h>
#include <stdatomic.h>

#include <bspscene/job.h>

#include "baking/baking.h"
#include "base/ctx.h"
#include "base/heap.h"
#include "base/parallel/threads.h"
#include "images/write/write.h"
#include "options.h"
#include "sources/open_source.h"

#define WHOLE 65536u                   /* value of `reported` when the job is finished */

struct bspscene_job {
	bspi_thread thread;
	bool is_running;                   /* the thread was started and has not been joined yet */
	atomic_bool canceled, ended;
	atomic_uint reported;              /* progress of the job, in 1/WHOLE */

	/* The call and its arguments. */
	void (*run)(bspscene_job *job);
	const char *path;
	const bspscene_source *source;
	uint32_t map;
	const bspscene_scene *scene;
	union {
		bspscene_source_options source;
		bspscene_load_options load;
		bspscene_bake_options bake;
		bspscene_write_options write;
	} options;
	bspscene_progress_fn *progress;    /* the caller's callback; may be NULL */
	void *progress_user;

	/* Results. Only one of the two pointers is used. */
	bspscene_source *made_source;
	bspscene_scene *made_scene;
	bspscene_error error;
};

static void run_open(bspscene_job *job)
{
	job->made_source = bspscene_source_open(job->path, &job->options.source, &job->error);
}

static void run_load(bspscene_job *job)
{
	job->made_scene = bspscene_source_load(job->source, job->map, &job->options.load, &job->error);
}

static void run_bake_light(bspscene_job *job)
{
	job->made_scene = bspscene_bake_light(job->scene, &job->options.bake, &job->error);
}

static void run_bake_textures(bspscene_job *job)
{
	job->made_scene = bspscene_bake_textures(job->scene, &job->options.write, &job->error);
}

/* Runs the job's call. Called in the job's thread. */
static void work(void *data, uint32_t number)
{
	bspscene_job *job = data;
	(void)number;
	job->run(job);
	atomic_store_explicit(&job->ended, true, memory_order_release);
}

/* Stores the progress, and asks the caller's callback whether to continue. Called in the job's thread. */
static bspscene_progress_result report(void *user, const char *stage, double fraction)
{
	bspscene_job *job = user;
	atomic_store_explicit(&job->reported, (unsigned)(fraction * WHOLE), memory_order_relaxed);
	if (atomic_load_explicit(&job->canceled, memory_order_relaxed)) return BSPSCENE_PROGRESS_CANCEL;
	return job->progress ? job->progress(job->progress_user, stage, fraction) : BSPSCENE_PROGRESS_CONTINUE;
}

/* Sets the progress callback of options to `report`, which calls the caller's callback. */
static void watch(bspscene_job *job, bspscene_progress_fn **progress, void **user)
{
	job->progress = *progress;
	job->progress_user = *user;
	*progress = report;
	*user = job;
}

static bspscene_job *create(void (*run)(bspscene_job *), bspscene_error *error)
{
	bspi_error_set(error, BSPSCENE_OK, "%s", "");
	bspscene_job *job = bspi_heap_take_zeroed(&bspi_system_heap, sizeof *job);
	if (!job) {
		bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "%s", "out of memory");
		return NULL;
	}
	atomic_init(&job->canceled, false);
	atomic_init(&job->ended, false);
	atomic_init(&job->reported, 0);
	job->run = run;
	return job;
}

/* Starts the work. If `valid` is false, the options are not valid: frees the job and returns NULL. */
static bspscene_job *begin(bspscene_job *job, bool valid)
{
	if (!valid) {
		bspi_heap_give(&bspi_system_heap, job);
		return NULL;
	}
	job->is_running = bspi_thread_start(&job->thread, work, job, 0);
	if (!job->is_running) work(job, 0);
	return job;
}

bspscene_job *bspscene_job_open(const char *path, const bspscene_source_options *options, bspscene_error *error)
{
	assert(path);
	bspscene_job *job = create(run_open, error);
	if (!job) return NULL;
	job->path = path;
	return begin(job, bspi_read_source_options(options, &job->options.source, error));
}

bspscene_job *bspscene_job_load(const bspscene_source *source, uint32_t map, const bspscene_load_options *options,
                                bspscene_error *error)
{
	assert(source);
	bspscene_job *job = create(run_load, error);
	if (!job) return NULL;
	bspscene_load_options *known = &job->options.load;
	bool valid = bspi_read_options(options, known, error);
	watch(job, &known->progress, &known->progress_user);
	job->source = source;
	job->map = map;
	return begin(job, valid);
}

bspscene_job *bspscene_job_bake_light(const bspscene_scene *scene, const bspscene_bake_options *options,
                                      bspscene_error *error)
{
	assert(scene);
	bspscene_job *job = create(run_bake_light, error);
	if (!job) return NULL;
	bspscene_bake_options *known = &job->options.bake;
	bool valid = bspi_read_bake_options(options, known, error);
	watch(job, &known->progress, &known->progress_user);
	job->scene = scene;
	return begin(job, valid);
}

bspscene_job *bspscene_job_bake_textures(const bspscene_scene *scene, const bspscene_write_options *options,
                                         bspscene_error *error)
{
	assert(scene);
	bspscene_job *job = create(run_bake_textures, error);
	if (!job) return NULL;
	bspscene_write_options *known = &job->options.write;
	bool valid = bspi_read_write_options(options, known, error);
	watch(job, &known->progress, &known->progress_user);
	job->scene = scene;
	return begin(job, valid);
}

bool bspscene_job_ended(const bspscene_job *job)
{
	return atomic_load_explicit(&job->ended, memory_order_acquire);
}

double bspscene_job_fraction(const bspscene_job *job)
{
	return (double)atomic_load_explicit(&job->reported, memory_order_relaxed) / WHOLE;
}

void bspscene_job_cancel(bspscene_job *job)
{
	atomic_store_explicit(&job->canceled, true, memory_order_relaxed);
}

/* Waits until the work ends. The first call copies the job's error to `error`; later calls return BSPSCENE_OK there. */
static void join(bspscene_job *job, bspscene_error *error)
{
	if (job->is_running) bspi_thread_join(&job->thread);
	job->is_running = false;
	if (error) *error = job->error;
	job->error = (bspscene_error){ .record = BSPSCENE_NO_INDEX, .offset = BSPI_NO_OFFSET };
}

bspscene_source *bspscene_job_take_source(bspscene_job *job, bspscene_error *error)
{
	assert(job && job->run == run_open);
	join(job, error);
	bspscene_source *made = job->made_source;
	job->made_source = NULL;
	return made;
}

bspscene_scene *bspscene_job_take_scene(bspscene_job *job, bspscene_error *error)
{
	assert(job && job->run != run_open);
	join(job, error);
	bspscene_scene *made = job->made_scene;
	job->made_scene = NULL;
	return made;
}

void bspscene_job_free(bspscene_job *job)
{
	if (!job) return;
	bspscene_job_cancel(job);
	join(job, NULL);
	bspscene_scene_free(job->made_scene);
	bspscene_source_free(job->made_source);
	bspi_heap_give(&bspi_system_heap, job);
}
