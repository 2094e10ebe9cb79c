/* canceler.h - lets the caller of a call cancel it while threads are still at work on tasks. */
#ifndef BSPI_CANCELER_H
#define BSPI_CANCELER_H

#include <stdatomic.h>

#include <bspscene/load.h>

typedef struct bspi_canceler {
	bspscene_progress_fn *progress;    /* of the caller; NULL: nobody is asked */
	void *user;
	uint64_t caller;                   /* bspi_thread_id of the calling thread */
	const char *stage; double fraction;/* as told last */
	atomic_bool canceled;
} bspi_canceler;

/* In the calling thread, before any task: from here on `stage` is at 0. */
void bspi_canceler_begin(bspi_canceler *canceler, bspscene_progress_fn *progress, void *user, const char *stage);
/* In the calling thread. False: the caller cancels, now or before. */
bool bspi_canceler_tell(bspi_canceler *canceler, const char *stage, double fraction);
bool bspi_canceled(const bspi_canceler *canceler);

/* A picture that a task encodes. */
typedef struct bspi_cancel_check {
	bspi_canceler *canceler;
	double pixels;                     /* of the picture */
	double asked;                      /* as many were encoded at the last question */
} bspi_cancel_check;

/* A bspscene_progress_fn for its encoder, in any thread. In the calling thread it tells the caller again what was told
 * last, once in some milliseconds of work; in all others it only sees that somebody canceled. */
bspscene_progress_result bspi_check_cancel(void *check, const char *stage, double fraction);

#endif
