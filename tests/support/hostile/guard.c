/* guard.c - queries AddressSanitizer about the heap. See bspt.h. */
#include "support/bspt.h"

#include <stdatomic.h>

#ifdef BSPT_ADDRESS_SANITIZER

#include <pthread.h>

/* Declarations of <sanitizer/allocator_interface.h> and <sanitizer/asan_interface.h>, which gcc does not ship. */
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *p);
void __asan_poison_memory_region(const volatile void *p, size_t size);
void __asan_unpoison_memory_region(const volatile void *p, size_t size);

static atomic_size_t heap_now, heap_peak;

static void on_malloc(const volatile void *p, size_t size)
{
	(void)p;
	size_t now = atomic_fetch_add(&heap_now, size) + size;
	size_t peak = atomic_load(&heap_peak);
	while (now > peak && !atomic_compare_exchange_weak(&heap_peak, &peak, now)) {}
}

static void on_free(const volatile void *p)
{
	if (p) atomic_fetch_sub(&heap_now, __sanitizer_get_allocated_size(p));
}

/* Starts as many threads at once as a job can have. The C library caches some of their stacks, so the heap does not
 * grow with later threads. */
enum { THREADS = 64 };

static void *wait_for(void *user)
{
	pthread_mutex_lock(user);
	pthread_mutex_unlock(user);
	return NULL;
}

static void run_threads_once(void)
{
	pthread_mutex_t all_there = PTHREAD_MUTEX_INITIALIZER;
	pthread_t threads[THREADS];
	pthread_mutex_lock(&all_there);
	for (int i = 0; i < THREADS; i++) {
		if (pthread_create(&threads[i], NULL, wait_for, &all_there)) bspt_die("start", "a thread");
	}
	pthread_mutex_unlock(&all_there);
	for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

bool bspt_heap_known(void)
{
	static int installed = -1;
	if (installed >= 0) return installed;
	installed = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) != 0;
	run_threads_once();
	return installed;
}

void bspt_heap_reset_peak(void) { atomic_store(&heap_peak, atomic_load(&heap_now)); }
size_t bspt_heap_now(void) { return atomic_load(&heap_now); }
size_t bspt_heap_peak(void) { return atomic_load(&heap_peak); }

bool bspt_forbid(const void *data, size_t size)
{
	__asan_poison_memory_region(data, size);
	return true;
}

void bspt_allow(const void *data, size_t size) { __asan_unpoison_memory_region(data, size); }

#else

bool bspt_heap_known(void) { return false; }
void bspt_heap_reset_peak(void) {}
size_t bspt_heap_now(void) { return 0; }
size_t bspt_heap_peak(void) { return 0; }

bool bspt_forbid(const void *data, size_t size)
{
	(void)data;
	(void)size;
	return false;
}

void bspt_allow(const void *data, size_t size)
{
	(void)data;
	(void)size;
}

#endif
