/* threads_posix.c - see threads.h. */
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "base/parallel/threads.h"

#ifdef BSPI_NO_THREADS

uint32_t bspi_processors(void)
{
	return 1;
}

void bspi_run_threads(uint32_t count, bspscene_work_fn *work, void *data)
{
	(void)count;
	work(data, 0);
}

bool bspi_thread_start(bspi_thread *thread, bspscene_work_fn *work, void *data, uint32_t number)
{
	(void)thread, (void)work, (void)data, (void)number;
	return false;
}

void bspi_thread_join(bspi_thread *thread)
{
	(void)thread;
}

uint64_t bspi_thread_id(void)
{
	return 0;
}

void bspi_lock_begin(bspi_lock *lock)
{
	(void)lock;
}

void bspi_lock_end(bspi_lock *lock)
{
	(void)lock;
}

void bspi_lock_take(bspi_lock *lock)
{
	(void)lock;
}

void bspi_lock_give(bspi_lock *lock)
{
	(void)lock;
}

#else

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

_Static_assert(sizeof(pthread_mutex_t) <= sizeof(bspi_lock), "bspi_lock has room for the system's");

/* Size of a thread's stack in bytes. Codecs keep tables on the stack, and some C libraries give threads only 128 KiB by
 * default. */
#define STACK_SIZE ((size_t)2 << 20)

uint32_t bspi_processors(void)
{
#ifdef __linux__
	/* Counts the processors that this process may use (taskset, containers). */
	cpu_set_t set;
	if (!sched_getaffinity(0, sizeof set, &set)) return CPU_COUNT(&set) > 1 ? (uint32_t)CPU_COUNT(&set) : 1;
#endif
	long count = sysconf(_SC_NPROCESSORS_ONLN);
	return count > 1 ? (uint32_t)count : 1;
}

_Static_assert(sizeof(pthread_t) <= sizeof(void *), "bspi_thread has room for the system's");

static void *start(void *user)
{
	const bspi_thread *self = user;
	self->work(self->data, self->number);
	return NULL;
}

bool bspi_thread_start(bspi_thread *thread, bspscene_work_fn *work, void *data, uint32_t number)
{
	pthread_attr_t attributes;
	pthread_t made;
	sigset_t all, before;
	*thread = (bspi_thread){ .work = work, .data = data, .number = number };
	if (pthread_attr_init(&attributes)) return false;
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
	/* The new thread inherits a mask that blocks all signals, so only the host's threads handle them. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	bool started = !pthread_create(&made, &attributes, start, thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	if (started) memcpy(&thread->handle, &made, sizeof made);
	return started;
}

void bspi_thread_join(bspi_thread *thread)
{
	pthread_t made;
	memcpy(&made, &thread->handle, sizeof made);
	pthread_join(made, NULL);
}

void bspi_run_threads(uint32_t count, bspscene_work_fn *work, void *data)
{
	bspi_thread workers[BSPI_MOST_THREADS];
	uint32_t started = 0, wanted = count < BSPI_MOST_THREADS ? count : BSPI_MOST_THREADS;
	while (started + 1 < wanted && bspi_thread_start(&workers[started], work, data, started + 1)) started++;
	work(data, 0);
	for (uint32_t i = 0; i < started; i++) bspi_thread_join(&workers[i]);
}

uint64_t bspi_thread_id(void)
{
	return (uint64_t)(uintptr_t)pthread_self();
}

void bspi_lock_begin(bspi_lock *lock)
{
	pthread_mutex_init((pthread_mutex_t *)(void *)lock, NULL);
}

void bspi_lock_end(bspi_lock *lock)
{
	pthread_mutex_destroy((pthread_mutex_t *)(void *)lock);
}

void bspi_lock_take(bspi_lock *lock)
{
	if (lock) pthread_mutex_lock((pthread_mutex_t *)(void *)lock);
}

void bspi_lock_give(bspi_lock *lock)
{
	if (lock) pthread_mutex_unlock((pthread_mutex_t *)(void *)lock);
}

#endif
