/* job.h - Opens, loads and bakes in a thread of the library, for hosts with an event loop and no threads of their own.
 *
 *     bspscene_job *job = bspscene_job_load(source, map, NULL, &error);
 *     while (job && !bspscene_job_ended(job)) show_progress(bspscene_job_fraction(job));   // as a timer would
 *     bspscene_scene *scene = job ? bspscene_job_take_scene(job, &error) : NULL;
 *     bspscene_job_free(job);
 *
 * - Use a job in one thread.
 * - Arguments, and everything that options point to, must stay valid until the result is taken or the job is freed.
 *   The options structs themselves are copied.
 * - NOTE: callbacks of options (progress, open_file, list_files, the allocator) are called in the job's thread.
 * - If the system starts no thread, and in browsers, the call that begins a job does all of its work. */
#ifndef BSPSCENE_JOB_H
#define BSPSCENE_JOB_H

#include <bspscene/bake.h>
#include <bspscene/source.h>
#include <bspscene/writer.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A call that runs in a thread of its own. It takes its own memory from malloc. */
typedef struct bspscene_job bspscene_job;

/* ---- Begin ------------------------------------------------------------------------------------------------ */

/** Begins bspscene_source_open, which reports no progress and cannot be canceled.
 *
 * `options` and `error` may be NULL. Returns a job to be freed with bspscene_job_free, or NULL with `error` set: memory
 * is out or an options struct is not valid. */
BSPSCENE_API bspscene_job *bspscene_job_open(const char *path, const bspscene_source_options *options,
                                             bspscene_error *error);

/** Begins bspscene_source_load. Returns a job, or NULL, as bspscene_job_open does. */
BSPSCENE_API bspscene_job *bspscene_job_load(const bspscene_source *source, uint32_t map,
                                             const bspscene_load_options *options, bspscene_error *error);

/** Begins bspscene_bake_light. Returns a job, or NULL, as bspscene_job_open does. */
BSPSCENE_API bspscene_job *bspscene_job_bake_light(const bspscene_scene *scene, const bspscene_bake_options *options,
                                                   bspscene_error *error);

/** Begins bspscene_bake_textures. Returns a job, or NULL, as bspscene_job_open does. */
BSPSCENE_API bspscene_job *bspscene_job_bake_textures(const bspscene_scene *scene,
                                                      const bspscene_write_options *options, bspscene_error *error);

/* ---- Ask and cancel --------------------------------------------------------------------------------------- */

/** True if the work has ended, well or not. Does not wait. */
BSPSCENE_API bool bspscene_job_ended(const bspscene_job *job);

/** Returns the share of the work that is done, 0..1, as a progress callback receives it. It never falls. */
BSPSCENE_API double bspscene_job_fraction(const bspscene_job *job);

/** Asks the work to end at its next report of progress, with BSPSCENE_ERROR_CANCELED. Does not wait. */
BSPSCENE_API void bspscene_job_cancel(bspscene_job *job);

/* ---- End -------------------------------------------------------------------------------------------------- */

/** Waits for the end of bspscene_job_open. Returns its source, to be freed with bspscene_source_free, or NULL with
 * `error` (may be NULL) set. A second call returns NULL with BSPSCENE_OK. */
BSPSCENE_API bspscene_source *bspscene_job_take_source(bspscene_job *job, bspscene_error *error);

/** Waits for the end of any other job. Returns its scene, to be freed with bspscene_scene_free, or NULL with `error`
 * (may be NULL) set. A second call returns NULL with BSPSCENE_OK. */
BSPSCENE_API bspscene_scene *bspscene_job_take_scene(bspscene_job *job, bspscene_error *error);

/** Cancels the work, waits for its end, and frees the job. A result that was not taken is freed too. NULL does
 * nothing. */
BSPSCENE_API void bspscene_job_free(bspscene_job *job);

#ifdef __cplusplus
}
#endif
#endif
