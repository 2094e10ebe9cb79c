/* file.h - files with random access, and directories: the basis of the archives in file_system/. */
#ifndef BSPI_FILE_H
#define BSPI_FILE_H

#include "base/ctx.h"

typedef struct bspi_file bspi_file;

/* Opens a file. If it does not exist, cannot be read or is not a regular file, sets `error` and returns NULL. `heap`
 * must live until the file is closed. */
bspi_file *bspi_file_open(const bspi_heap *heap, const char *path, bspscene_error *error);
uint64_t bspi_file_size(const bspi_file *file);
/* Reads up to `size` bytes from `offset` on into `data`. Returns how many bytes were read: fewer than `size` only at
 * the end of the file, and SIZE_MAX on failure. */
size_t bspi_file_read(const bspi_file *file, uint64_t offset, void *data, size_t size);
void bspi_file_close(bspi_file *file); /* may be NULL */

bool bspi_is_directory(const char *path);
/* Reads at most `most` bytes from the beginning of a file. If the file cannot be read, *out is empty. Returns false
 * if memory is out. */
bool bspi_read_beginning(bspi_arena *arena, const char *path, size_t most, bspi_bytes *out);
/* True if `path` is below `folder`. Both must be real paths as bspi_system_real_path returns them. */
bool bspi_lies_below(const char *path, const char *folder);
/* Returns the real path of the directory of a file; the caller frees it. NULL if it does not exist or memory is
 * out. */
char *bspi_real_directory(const char *path);

/* The most files in a directory. If there are more, the path is taken for a mistake ("/" instead of a game's) and
 * refused. */
#define BSPI_MOST_FILES (1u << 20)

typedef struct bspi_listing {
	const char **paths;                /* relative to the directory, with '/', sorted by their bytes */
	uint32_t count;
} bspi_listing;

/* Lists files into `arena`. With `deep`, these are all regular files below the directory. Without `deep`, these are
 * the directory's own files and directories, and names of directories end with '/'. Symbolic links to files are
 * followed, but with `deep` only to files inside of the directory. Symbolic links to directories are never followed,
 * so that an unpacked archive cannot lead elsewhere, and there can be no loops. Paths that are too long for a game
 * path, and directories without permission, are skipped. */
bool bspi_list_directory(bspi_arena *arena, const char *path, bool deep, bspi_listing *out, bspscene_error *error);

#endif
