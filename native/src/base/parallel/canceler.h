/* canceler.h - lets the caller of a call cancel it while threads are still at work on tasks. */
#ifndef BSPI_CANCELER_H
#define BSPI_CANCELER_H

#include <stdatomic.h>

#include <bspscene/load.h>

typedef struct bspi_canceler {
	bspscene_progress_fn *progress;    /* the caller's function; NULL: none */
	void *user;
	uint64_t caller;                   /* bspi_thread_id of the calling thread */
	const char *stage; double fraction;/* the last progress that the caller was told */
	atomic_bool canceled;
} bspi_canceler;

/* Prepares a canceler. Call it in the calling thread, before any task begins. The progress is then 0, in the stage
 * `stage`. */
void bspi_canceler_begin(bspi_canceler *canceler, bspscene_progress_fn *progress, void *user, const char *stage);
/* Tells the caller the progress. Call it only in the calling thread. Returns false if the caller cancels now or
 * canceled before. */
bool bspi_canceler_tell(bspi_canceler *canceler, const char *stage, double fraction);
bool bspi_canceled(const bspi_canceler *canceler);

/* State of the progress callback for a picture that a task encodes. */
typedef struct bspi_cancel_check {
	bspi_canceler *canceler;
	double pixels;                     /* pixels of the picture */
	double reported;                   /* pixels that were encoded at the last report to the caller */
} bspi_cancel_check;

/* Implements bspscene_progress_fn for the encoder of a picture. In the calling thread, it repeats the last progress to
 * the caller after each PIXELS_BETWEEN pixels, so that the caller can cancel. In other threads, it only tests whether
 * the caller canceled. */
bspscene_progress_result bspi_check_cancel(void *check, const char *stage, double fraction);

#endif
