/* loaded_posix.c - see loaded.h. Only builds that load something need the loader. */
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
		/* A function's address comes as that of data. */
		void *address = dlsym(loaded, functions[i]);
		memcpy((char *)out + i * sizeof address, &address, sizeof address);
		complete = address != NULL;
	}
	if (loaded) dlclose(loaded);
	return complete;
}

#else

typedef int bspi_nothing_is_loaded; /* a file of C has something in it */

#endif
