/* threads_windows.c - see threads.h. */
#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0601
#include "base/parallel/threads.h"

#include <process.h>
#include <windows.h>

_Static_assert(sizeof(SRWLOCK) <= sizeof(bspi_lock), "bspi_lock has room for the system's");

#define STACK_SIZE (2u << 20)

uint32_t bspi_processors(void)
{
	DWORD count = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
	return count > 1 ? count : 1;
}

typedef struct worker {
	bspscene_work_fn *work;
	void *data;
	uint32_t number;
	HANDLE thread;
} worker;

static unsigned __stdcall start(void *user)
{
	const worker *self = user;
	self->work(self->data, self->number);
	return 0;
}

void bspi_run_threads(uint32_t count, bspscene_work_fn *work, void *data)
{
	worker workers[BSPI_MOST_THREADS];
	uint32_t started = 0, wanted = count < BSPI_MOST_THREADS ? count : BSPI_MOST_THREADS;
	while (started + 1 < wanted) {
		worker *next = &workers[started];
		*next = (worker){ .work = work, .data = data, .number = started + 1 };
		next->thread = (HANDLE)_beginthreadex(NULL, STACK_SIZE, start, next, 0, NULL);
		if (!next->thread) break;
		started++;
	}
	work(data, 0);
	for (uint32_t i = 0; i < started; i++) {
		WaitForSingleObject(workers[i].thread, INFINITE);
		CloseHandle(workers[i].thread);
	}
}

uint64_t bspi_thread_id(void)
{
	return GetCurrentThreadId();
}

void bspi_lock_begin(bspi_lock *lock)
{
	InitializeSRWLock((SRWLOCK *)(void *)lock);
}

void bspi_lock_end(bspi_lock *lock)
{
	(void)lock;
}

void bspi_lock_take(bspi_lock *lock)
{
	if (lock) AcquireSRWLockExclusive((SRWLOCK *)(void *)lock);
}

void bspi_lock_give(bspi_lock *lock)
{
	if (lock) ReleaseSRWLockExclusive((SRWLOCK *)(void *)lock);
}
