/* archive_library.h - the functions of libarchive that are used. libarchive needs an XML parser and Unicode tables, and
 * loading these takes longer than most commands. So if libarchive is a shared library, it is loaded only when an
 * archive needs it. */
#ifndef BSPI_ARCHIVE_LIBRARY_H
#define BSPI_ARCHIVE_LIBRARY_H

#include <archive.h>
#include <archive_entry.h>

#include <bspscene/common.h>

#include "base/loaded.h"

#define BSPI_ARCHIVE_FUNCTIONS(FUNCTION) \
	FUNCTION(archive_bzlib_version) \
	FUNCTION(archive_entry_filetype) \
	FUNCTION(archive_entry_hardlink) \
	FUNCTION(archive_entry_pathname) \
	FUNCTION(archive_entry_size) \
	FUNCTION(archive_entry_size_is_set) \
	FUNCTION(archive_entry_sparse_count) \
	FUNCTION(archive_error_string) \
	FUNCTION(archive_filter_bytes) \
	FUNCTION(archive_format) \
	FUNCTION(archive_liblzma_version) \
	FUNCTION(archive_libzstd_version) \
	FUNCTION(archive_read_data_block) \
	FUNCTION(archive_read_free) \
	FUNCTION(archive_read_new) \
	FUNCTION(archive_read_next_header) \
	FUNCTION(archive_read_open1) \
	FUNCTION(archive_read_set_callback_data) \
	FUNCTION(archive_read_set_read_callback) \
	FUNCTION(archive_read_set_seek_callback) \
	FUNCTION(archive_read_set_skip_callback) \
	FUNCTION(archive_read_support_filter_bzip2) \
	FUNCTION(archive_read_support_filter_gzip) \
	FUNCTION(archive_read_support_filter_xz) \
	FUNCTION(archive_read_support_filter_zstd) \
	FUNCTION(archive_read_support_format_7zip) \
	FUNCTION(archive_read_support_format_rar) \
	FUNCTION(archive_read_support_format_rar5) \
	FUNCTION(archive_read_support_format_tar) \
	FUNCTION(archive_zlib_version)

/* Pointers to the functions. Each has the name of its function. */
typedef struct bspi_archive_library { BSPI_ARCHIVE_FUNCTIONS(BSPI_FUNCTION_POINTER) } bspi_archive_library;

/* Loads the library. False if it is not installed; the error names `archive`. */
bool bspi_load_archive_library(const char *archive, bspi_archive_library *out, bspscene_error *error);

#endif
