/* system_posix.c - see system.h. */
#define _XOPEN_SOURCE 700
#define _FILE_OFFSET_BITS 64
#include "io/system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __APPLE__
	#include <xlocale.h>
#endif

#include "base/heap.h"

static bspi_path_kind kind_of(mode_t mode)
{
	return S_ISREG(mode)   ? BSPI_PATH_FILE
	       : S_ISDIR(mode) ? BSPI_PATH_DIRECTORY
	       : S_ISLNK(mode) ? BSPI_PATH_LINK
	                       : BSPI_PATH_OTHER;
}

bspi_path_kind bspi_system_kind(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 ? kind_of(status.st_mode) : BSPI_PATH_ABSENT;
}

bool bspi_system_modified(const char *path, int64_t *seconds)
{
	struct stat status;
	if (stat(path, &status) != 0) return false;
	*seconds = (int64_t)status.st_mtime;
	return true;
}

static bool is_regular(int descriptor, uint64_t *size)
{
	struct stat status;
	if (fstat(descriptor, &status) != 0) return false;
	*size = (uint64_t)status.st_size;
	errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
	return S_ISREG(status.st_mode);
}

bool bspi_system_open(const char *path, intptr_t *file, uint64_t *size)
{
	/* Without O_NONBLOCK, opening a named pipe would wait for its writer. */
	int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (descriptor < 0) return false;
	*file = descriptor;
	if (is_regular(descriptor, size)) return true;
	int error = errno;
	close(descriptor);
	errno = error;
	return false;
}

size_t bspi_system_read(intptr_t file, uint64_t offset, void *data, size_t size)
{
	ssize_t got;
	do {
		got = pread((int)file, data, size, (off_t)offset);
	} while (got < 0 && errno == EINTR);
	return got < 0 ? SIZE_MAX : (size_t)got;
}

void bspi_system_close(intptr_t file)
{
	close((int)file);
}

static bool tell_entry(DIR *directory, const char *name, bspi_entry_fn *each, void *user)
{
	struct stat status;
	if (!strcmp(name, ".") || !strcmp(name, "..")) return true;
	if (fstatat(dirfd(directory), name, &status, AT_SYMLINK_NOFOLLOW) != 0) return true;
	return each(user, name, kind_of(status.st_mode));
}

bool bspi_system_list(const char *path, bspi_entry_fn *each, void *user)
{
	DIR *directory = opendir(path);
	if (!directory) return false;
	const struct dirent *entry;
	do {
		errno = 0;
		entry = readdir(directory);
	} while (entry && tell_entry(directory, entry->d_name, each, user));
	int error = entry ? 0 : errno;
	closedir(directory);
	errno = error;
	return !error;
}

char *bspi_system_real_path(const char *path)
{
	return realpath(path, NULL);
}

char *bspi_system_variable(const char *name)
{
	const char *value = getenv(name);
	size_t size = value ? strlen(value) + 1 : 0;
	char *copy = value ? bspi_heap_take(&bspi_system_heap, size) : NULL;
	return copy ? memcpy(copy, value, size) : NULL;
}

/* Folders of both Linux and macOS. They do not conflict with each other. */
const char *const bspi_system_steam_folders[] = {
	"$HOME/.local/share/Steam",
	"$HOME/.steam/steam",
	"$HOME/.var/app/com.valvesoftware.Steam/.local/share/Steam",
	"$HOME/snap/steam/common/.local/share/Steam",
	"$HOME/Library/Application Support/Steam",
	NULL,
};
const char *const bspi_system_game_folders[] = {
	"/usr/share/games",
	"/usr/local/share/games",
	"/usr/local/games",
	"$HOME/GOG Games",
	"$HOME/Games",
	"/Applications",
	"$HOME/Library/Application Support",
	NULL,
};

void bspi_system_fold(char *path)
{
	(void)path; /* on these systems, '\' may be part of a name */
}

FILE *bspi_system_create(const char *path)
{
	int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
	FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
	if (descriptor >= 0 && !file) close(descriptor);
	return file;
}

void bspi_system_remove(const char *path)
{
	unlink(path);
}

bspi_utf8_locale bspi_system_begin_utf8(void)
{
	locale_t own = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	return (bspi_utf8_locale){ own, own ? uselocale(own) : NULL };
}

void bspi_system_end_utf8(bspi_utf8_locale locale)
{
	if (!locale.own) return;
	uselocale((locale_t)locale.before);
	freelocale((locale_t)locale.own);
}
