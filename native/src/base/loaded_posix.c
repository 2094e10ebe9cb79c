/* loaded_posix.c - see loaded.h. Only compiled if some library is loaded at run time. */
#define _GNU_SOURCE /* RTLD_NODELETE */
#include "base/loaded.h"

#if defined BSPI_LAZY_LIBARCHIVE || defined BSPI_LAZY_MESHOPT

	#include <dlfcn.h>
	#include <string.h>

bool bspi_load_functions(const char *library, const bspi_loaded_function *functions, size_t count, void *out)
{
	void *loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	bool complete = loaded != NULL;
	for (size_t i = 0; complete && i < count; i++) {
		/* dlsym returns a function's address as a data pointer. */
		void *address = dlsym(loaded, functions[i]);
		memcpy((char *)out + i * sizeof address, &address, sizeof address);
		complete = address != NULL;
	}
	if (loaded) dlclose(loaded);
	return complete;
}

#else

typedef int bspi_nothing_is_loaded; /* a translation unit must not be empty */

#endif
