/* file.h - files and directories of this machine, read at any place: what the archives in files/ stand on. */
#ifndef BSPI_FILE_H
#define BSPI_FILE_H

#include "base/ctx.h"

typedef struct bspi_file bspi_file;

/* NULL, with `error` set, for what is not there, not readable, or no regular file. `heap` must live until it is
 * closed. */
bspi_file *bspi_file_open(const bspi_heap *heap, const char *path, bspscene_error *error);
uint64_t bspi_file_size(const bspi_file *file);
/* Returns how many bytes were stored: fewer than asked only at the end, SIZE_MAX on failure. */
size_t bspi_file_read(const bspi_file *file, uint64_t offset, void *data, size_t size);
void bspi_file_close(bspi_file *file); /* NULL is fine */

bool bspi_is_directory(const char *path);
/* Reads the beginning of a file, at most so many bytes; none if it cannot be read. False: memory is out. */
bool bspi_read_beginning(bspi_arena *arena, const char *path, size_t most, bspi_bytes *out);
/* True if `path` lies below `folder`. Both are real paths, see bspi_system_real_path. */
bool bspi_lies_below(const char *path, const char *folder);
/* The directory that a file lies in, absolute and without links, by malloc; NULL when there is none or no memory. */
char *bspi_real_directory(const char *path);

/* More files than this below one directory are taken for a mistake ("/" instead of a game) and refused. */
#define BSPI_MOST_FILES (1u << 20)

typedef struct bspi_listing {
	const char **paths;                /* '/'-separated, relative to the directory, in the order of their bytes */
	uint32_t count;
} bspi_listing;

/* The regular files below a directory; without `deep` the files and, marked by a '/' at the end, directories right in
 * it. Symbolic links are followed to files inside of the directory (without `deep`: anywhere), never to directories:
 * what was unpacked from somebody's archive must not lead out of its place, and cannot be a loop. Paths too long for a
 * game path and directories that may not be entered are left out. Lives in `arena`. */
bool bspi_list_directory(bspi_arena *arena, const char *path, bool deep, bspi_listing *out, bspscene_error *error);

#endif
