/* archive_library_posix.c - libarchive when the first archive of its kinds is read. See archive_library.h. */
#define _GNU_SOURCE /* RTLD_NODELETE */
#include "base/ctx.h"

#ifdef BSPI_LAZY_LIBARCHIVE

	#include <dlfcn.h>
	#include <string.h>

	#include "files/libarchive/archive_library.h"

static const struct {
	const char *name;
	size_t at;
} functions[] = {
	#define BSPI_ROW(name) { #name, offsetof(bspi_archive_library, name) },
	BSPI_ARCHIVE_FUNCTIONS(BSPI_ROW)
	#undef BSPI_ROW
};

/* Stays until the program ends: the next archive finds it loaded, and nobody has to count who still uses it. */
bool bspi_load_archive_library(const char *archive, bspi_archive_library *out, bspscene_error *error)
{
	void *library = dlopen(BSPI_LAZY_LIBARCHIVE, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	bool complete = library != NULL;
	for (size_t i = 0; complete && i < sizeof functions / sizeof *functions; i++) {
		/* A function's address comes as that of data. */
		void *address = dlsym(library, functions[i].name);
		memcpy((char *)out + functions[i].at, &address, sizeof address);
		complete = address != NULL;
	}
	if (library) dlclose(library);
	return complete || bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "%s: cannot be read without %s",
	                                  archive, BSPI_LAZY_LIBARCHIVE);
}

#else

typedef int bspi_no_lazy_libarchive; /* a file of C has something in it */

#endif
