/* file.c - a regular file with random access. See file.h. */
#include "io/file.h"

#include <errno.h>
#include <string.h>

#include "io/system.h"

struct bspi_file {
	const bspi_heap *heap;
	intptr_t handle;
	uint64_t size;
};

static void *fail_errno(bspscene_error *error, const char *path, int reason)
{
	if (reason == ENOENT || reason == ENOTDIR) {
		bspi_error_set(error, BSPSCENE_ERROR_NOT_FOUND, "%s: no such file", path);
	} else if (reason == EISDIR) {
		bspi_error_set(error, BSPSCENE_ERROR_IO, "%s: is a directory", path);
	} else if (reason == EINVAL) {
		bspi_error_set(error, BSPSCENE_ERROR_IO, "%s: is not a regular file", path);
	} else {
		bspi_error_set(error, BSPSCENE_ERROR_IO, "%s: cannot be opened: %s", path, strerror(reason));
	}
	return NULL;
}

bspi_file *bspi_file_open(const bspi_heap *heap, const char *path, bspscene_error *error)
{
	intptr_t handle;
	uint64_t size;
	if (!bspi_system_open(path, &handle, &size)) return fail_errno(error, path, errno);
	bspi_file *file = bspi_heap_take(heap, sizeof *file);
	if (!file) {
		bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "%s: out of memory", path);
		bspi_system_close(handle);
		return NULL;
	}
	*file = (bspi_file) { heap, handle, size };
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
		size_t got = bspi_system_read(file->handle, offset + done, (char *)data + done, size - done);
		if (got == SIZE_MAX) return SIZE_MAX;
		if (got == 0) break;
		done += got;
	}
	return done;
}

void bspi_file_close(bspi_file *file)
{
	if (!file) return;
	bspi_system_close(file->handle);
	bspi_heap_give(file->heap, file);
}

bool bspi_is_directory(const char *path)
{
	return bspi_system_kind(path) == BSPI_PATH_DIRECTORY;
}

bool bspi_read_beginning(bspi_arena *arena, const char *path, size_t most, bspi_bytes *out)
{
	bspi_file *file = bspi_file_open(&bspi_system_heap, path, NULL);
	uint64_t stored = file ? bspi_file_size(file) : 0;
	size_t size = stored < most ? (size_t)stored : most;
	uint8_t *data = size ? bspi_arena_alloc(arena, size, 1) : NULL;
	bool read = data && bspi_file_read(file, 0, data, size) == size;
	bspi_file_close(file);
	*out = read ? bspi_bytes_of(data, size) : BSPI_NO_BYTES;
	return !size || data;
}
