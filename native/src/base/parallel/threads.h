/* threads.h - the operating system's functions that parallel.h needs. In builds with BSPI_NO_THREADS, or if the system
 * starts no threads, the calling thread does all work. */
#ifndef BSPI_THREADS_H
#define BSPI_THREADS_H

#include <bspscene/common.h>

#define BSPI_MOST_THREADS 256u

/* Returns how many threads of this process can run at once, at least 1. */
uint32_t bspi_processors(void);

/* Calls work(data, 0) in the calling thread and work(data, 1) to work(data, count - 1) in new threads at the same time.
 * Returns when all calls have returned. If a thread cannot be started, its call does not happen. */
void bspi_run_threads(uint32_t count, bspscene_work_fn *work, void *data);

/* A thread that runs at the same time as the one that started it. */
typedef struct bspi_thread {
	bspscene_work_fn *work;
	void *data;
	uint32_t number;
	void *handle;                      /* the operating system's handle of the thread */
} bspi_thread;

/* Calls work(data, number) in a new thread. Returns false if no thread could be started; `work` is then not called.
 * Join each started thread; `thread` must not move until then. */
bool bspi_thread_start(bspi_thread *thread, bspscene_work_fn *work, void *data, uint32_t number);
void bspi_thread_join(bspi_thread *thread);

/* Returns a number that identifies the calling thread. Threads that exist at the same time have different numbers. */
uint64_t bspi_thread_id(void);

/* Storage for the system's lock. */
typedef struct bspi_lock {
	void *room[10];
} bspi_lock;

/* In builds without threads, locks do nothing. */
void bspi_lock_begin(bspi_lock *lock);
void bspi_lock_end(bspi_lock *lock);
void bspi_lock_take(bspi_lock *lock); /* `lock` may be NULL in both functions: the data then belong to one thread */
void bspi_lock_give(bspi_lock *lock);

#endif
