/* file.c - a regular file, read at any place. See file.h. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct bspi_file {
	const bspi_heap *heap;
	int descriptor;
	uint64_t size;
};

static bool fail_errno(bspscene_error *error, const char *path, int reason)
{
	if (reason == ENOENT || reason == ENOTDIR) {
		return bspi_error_set(error, BSPSCENE_ERROR_NOT_FOUND, "%s: no such file", path);
	}
	return bspi_error_set(error, BSPSCENE_ERROR_IO, "%s: cannot be opened: %s", path, strerror(reason));
}

bspi_file *bspi_file_open(const bspi_heap *heap, const char *path, bspscene_error *error)
{
	/* Without O_NONBLOCK a named pipe would wait for its writer. */
	int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (descriptor < 0) {
		fail_errno(error, path, errno);
		return NULL;
	}
	struct stat status;
	bspi_file *file = NULL;
	if (fstat(descriptor, &status) != 0) {
		fail_errno(error, path, errno);
	} else if (S_ISDIR(status.st_mode)) {
		bspi_error_set(error, BSPSCENE_ERROR_IO, "%s: is a directory", path);
	} else if (!S_ISREG(status.st_mode)) {
		bspi_error_set(error, BSPSCENE_ERROR_IO, "%s: is not a regular file", path);
	} else if (!(file = bspi_heap_take(heap, sizeof *file))) {
		bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "%s: out of memory", path);
	}
	if (!file) {
		close(descriptor);
		return NULL;
	}
	*file = (bspi_file){ heap, descriptor, (uint64_t)status.st_size };
	return file;
}

uint64_t bspi_file_size(const bspi_file *file)
{
	return file->size;
}

size_t bspi_file_read(const bspi_file *file, uint64_t offset, void *data, size_t size)
{
	size_t done = 0;
	if (offset >= file->size) return 0;
	if (size > file->size - offset) size = (size_t)(file->size - offset);
	while (done < size) {
		ssize_t got = pread(file->descriptor, (char *)data + done, size - done, (off_t)(offset + done));
		if (got < 0 && errno == EINTR) continue;
		if (got < 0) return SIZE_MAX;
		if (got == 0) break;
		done += (size_t)got;
	}
	return done;
}

void bspi_file_close(bspi_file *file)
{
	if (!file) return;
	close(file->descriptor);
	bspi_heap_give(file->heap, file);
}

bool bspi_is_directory(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}
