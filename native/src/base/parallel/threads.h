/* threads.h - what parallel.h asks of the operating system. In builds with BSPI_NO_THREADS, or where the system starts
 * none, the calling thread does all of the work. */
#ifndef BSPI_THREADS_H
#define BSPI_THREADS_H

#include <bspscene/common.h>

#define BSPI_MOST_THREADS 256u

/* How many threads of this process can work at once, at least 1. */
uint32_t bspi_processors(void);

/* Calls work(data, 0) in the calling thread and work(data, 1) to work(data, count - 1) in new threads at the same time.
 * Returns when all have returned. Threads that cannot be started are left out. */
void bspi_run_threads(uint32_t count, bspscene_work_fn *work, void *data);

/* The same for every call in one thread, another in all that live with it. */
uint64_t bspi_thread_id(void);

/* Room for the system's own. */
typedef struct bspi_lock {
	void *room[10];
} bspi_lock;

/* Without a system's lock there are no threads either, and locks hold nothing. */
void bspi_lock_begin(bspi_lock *lock);
void bspi_lock_end(bspi_lock *lock);
void bspi_lock_take(bspi_lock *lock); /* NULL is fine, here and below: what only one thread knows */
void bspi_lock_give(bspi_lock *lock);

#endif
