/* archive_library.c - libarchive where it is linked. See archive_library.h. */
#include "base/ctx.h"

#if defined BSPI_HAVE_LIBARCHIVE && !defined BSPI_LAZY_LIBARCHIVE

	#include "files/libarchive/archive_library.h"

bool bspi_load_archive_library(const char *archive, bspi_archive_library *out, bspscene_error *error)
{
	(void)archive;
	(void)error;
	#define BSPI_VALUE(name) .name = name,
	*out = (bspi_archive_library){ BSPI_ARCHIVE_FUNCTIONS(BSPI_VALUE) };
	#undef BSPI_VALUE
	return true;
}

#else

typedef int bspi_no_linked_libarchive; /* a file of C has something in it */

#endif
