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

static unsigned __stdcall start(void *user)
{
	const bspi_thread *self = user;
	self->work(self->data, self->number);
	return 0;
}

bool bspi_thread_start(bspi_thread *thread, bspscene_work_fn *work, void *data, uint32_t number)
{
	*thread = (bspi_thread){ .work = work, .data = data, .number = number };
	thread->handle = (HANDLE)_beginthreadex(NULL, STACK_SIZE, start, thread, 0, NULL);
	return thread->handle != NULL;
}

void bspi_thread_join(bspi_thread *thread)
{
	WaitForSingleObject(thread->handle, INFINITE);
	CloseHandle(thread->handle);
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
