#include "counted.h"

#include <stdatomic.h>
#include <stddef.h>

enum { BYTES_AT_ONCE = 16 };

/* The variable is atomic, so that threads, which the test does not use, would be harmless. Load and store are separate,
 * because an atomic addition takes five times as long. */
static atomic_uint_fast64_t work;

static void count(size_t amount)
{
	atomic_store_explicit(&work, atomic_load_explicit(&work, memory_order_relaxed) + amount, memory_order_relaxed);
}

uint64_t bspt_counted_work(void) { return atomic_load(&work); }

/* The compiler inserts this call into every basic block. The linker replaces the C library's functions by those
 * below. */
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) { count(1); }

#define COUNTED(type, name, parameters, arguments, amount) \
	type __real_##name parameters; \
	type __wrap_##name parameters; \
	type __wrap_##name parameters \
	{ \
		count((amount) / BYTES_AT_ONCE); \
		return __real_##name arguments; \
	}

COUNTED(void *, memcpy, (void *to, const void *from, size_t size), (to, from, size), size)
COUNTED(void *, memmove, (void *to, const void *from, size_t size), (to, from, size), size)
COUNTED(void *, memset, (void *to, int value, size_t size), (to, value, size), size)
COUNTED(int, memcmp, (const void *a, const void *b, size_t size), (a, b, size), size)
COUNTED(void *, memchr, (const void *in, int value, size_t size), (in, value, size), size)

size_t __real_strlen(const char *text);
size_t __wrap_strlen(const char *text);
size_t __wrap_strlen(const char *text)
{
	size_t length = __real_strlen(text);
	count(length / BYTES_AT_ONCE);
	return length;
}
