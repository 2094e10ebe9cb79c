/* file_set_posix.c - see file_set_system.h. */
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE
#define _FILE_OFFSET_BITS 64
#include "system/file_set_system.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bspi_set_kind look(const char *path, bspi_file_mark *mark)
{
	struct stat status;
	if (lstat(path, &status) != 0) return BSPI_SET_ABSENT;
	if (mark) {
		*mark = (bspi_file_mark) { (uint64_t)status.st_ino, (uint64_t)status.st_size, (uint64_t)status.st_mtime };
	}
	return S_ISREG(status.st_mode) ? BSPI_SET_FILE : S_ISDIR(status.st_mode) ? BSPI_SET_DIRECTORY : BSPI_SET_OTHER;
}

static bool link_file(const char *path, const char *second)
{
	return link(path, second) == 0;
}

static bool rename_file(const char *path, const char *to)
{
	return rename(path, to) == 0;
}

static bool remove_file(const char *path)
{
	return unlink(path) == 0;
}

static FILE *stream_of(int descriptor, const char *how)
{
	FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, how);
	if (descriptor >= 0 && !stream) close(descriptor);
	return stream;
}

static FILE *create_file(const char *path)
{
	return stream_of(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), "wb");
}

/* Opens a file for reading. O_NONBLOCK is needed, because opening a named pipe would otherwise wait for its writer. */
static FILE *open_file(const char *path)
{
	struct stat status;
	int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (descriptor < 0) return NULL;
	if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
	    !(status.st_mode & (S_IWGRP | S_IWOTH))) return stream_of(descriptor, "rb");
	close(descriptor);
	errno = EPERM;
	return NULL;
}

static bool number_of(FILE *file, uint64_t *number)
{
	struct stat status;
	if (fstat(fileno(file), &status) != 0) return false;
	*number = (uint64_t)status.st_ino;
	return true;
}

/* Locks the folder itself. A lock file would be left behind if the program were killed. NFS does not lock folders. */
static bspi_set_locking lock_folder(const char *folder, intptr_t *lock)
{
	int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (descriptor < 0) return BSPI_SET_NO_LOCKS;
	*lock = descriptor;
	if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return BSPI_SET_LOCKED;
	bspi_set_locking result = errno == EWOULDBLOCK || errno == EINTR ? BSPI_SET_HELD : BSPI_SET_NO_LOCKS;
	close(descriptor);
	return result;
}

static void unlock_folder(intptr_t lock)
{
	close((int)lock);
}

static void wait_a_while(unsigned milliseconds)
{
	struct timespec time = { milliseconds / 1000, (long)(milliseconds % 1000) * 1000000 };
	nanosleep(&time, NULL);
}

const bspi_set_system bspi_set_native = {
	.look = look,
	.link = link_file,
	.rename = rename_file,
	.remove = remove_file,
	.create = create_file,
	.open = open_file,
	.number = number_of,
	.lock = lock_folder,
	.unlock = unlock_folder,
	.wait = wait_a_while,
};
