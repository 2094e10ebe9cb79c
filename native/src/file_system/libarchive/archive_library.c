/* archive_library.c - see archive_library.h. */
#include "base/ctx.h"

#ifdef BSPI_HAVE_LIBARCHIVE

	#include "file_system/libarchive/archive_library.h"

bool bspi_load_archive_library(const char *archive, bspi_archive_library *out, bspscene_error *error)
{
	#ifdef BSPI_LAZY_LIBARCHIVE
	static const bspi_loaded_function functions[] = { BSPI_ARCHIVE_FUNCTIONS(BSPI_FUNCTION_NAMED) };
	return bspi_load_functions(BSPI_LAZY_LIBARCHIVE, functions, sizeof functions / sizeof *functions, out) ||
	       bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "%s: cannot be read without %s", archive,
	                      BSPI_LAZY_LIBARCHIVE);
	#else
	(void)archive;
	(void)error;
	*out = (bspi_archive_library){ BSPI_ARCHIVE_FUNCTIONS(BSPI_FUNCTION_LINKED) };
	return true;
	#endif
}

#else

typedef int bspi_no_archive_library; /* a translation unit must not be empty */

#endif
