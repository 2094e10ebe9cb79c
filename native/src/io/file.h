/* file.h - files with random access, and directories: the basis of the archives in file_system/. */
#ifndef BSPI_FILE_H
#define BSPI_FILE_H

#include "base/ctx.h"

typedef struct bspi_file bspi_file;

/* Opens a file. NULL with `error` set if it does not exist, is not readable or no regular file. `heap` must live until
 * it is closed. */
bspi_file *bspi_file_open(const bspi_heap *heap, const char *path, bspscene_error *error);
uint64_t bspi_file_size(const bspi_file *file);
/* Returns how many bytes were stored: fewer than requested only at the end, SIZE_MAX on failure. */
size_t bspi_file_read(const bspi_file *file, uint64_t offset, void *data, size_t size);
void bspi_file_close(bspi_file *file); /* may be NULL */

bool bspi_is_directory(const char *path);
/* Reads at most `most` bytes from the beginning of a file; none if it cannot be read. False if memory is out. */
bool bspi_read_beginning(bspi_arena *arena, const char *path, size_t most, bspi_bytes *out);
/* True if `path` is below `folder`. Both must be real paths, see bspi_system_real_path. */
bool bspi_lies_below(const char *path, const char *folder);
/* Returns the real path of a file's directory, by malloc. NULL if there is none or memory is out. */
char *bspi_real_directory(const char *path);

/* A directory with more files is taken for a mistake ("/" instead of a game) and refused. */
#define BSPI_MOST_FILES (1u << 20)

typedef struct bspi_listing {
	const char **paths;                /* relative to the directory, with '/', sorted by bytes */
	uint32_t count;
} bspi_listing;

/* Lists the regular files below a directory into `arena`; without `deep`, only its own files and directories, the
 * latter with a final '/'. Symbolic links are followed to files inside of the directory (without `deep`: anywhere), but
 * never to directories: an unpacked archive must not lead out of its place, and there can be no loops. Paths too long
 * for a game path and directories without permission are skipped. */
bool bspi_list_directory(bspi_arena *arena, const char *path, bool deep, bspi_listing *out, bspscene_error *error);

#endif
