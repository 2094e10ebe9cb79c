/* system_windows.c - see system.h. */
#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0601
#include "io/system.h"

#include <windows.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/heap.h"
#include "system/windows_path.h"

/* Lets other programs use the file too: a game or editor may have it open, and an update may rename it. */
#define SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

enum { LARGEST_READ = 1 << 30 };

static bspi_path_kind kind_of_attributes(DWORD attributes)
{
	if (attributes == INVALID_FILE_ATTRIBUTES) return BSPI_PATH_ABSENT;
	if (attributes & FILE_ATTRIBUTE_DEVICE) return BSPI_PATH_OTHER;
	return attributes & FILE_ATTRIBUTE_DIRECTORY ? BSPI_PATH_DIRECTORY : BSPI_PATH_FILE;
}

/* Returns the kind of file that a path leads to. Opening the path follows links. */
static bspi_path_kind kind_of_path(const wchar_t *path)
{
	HANDLE handle = CreateFileW(path, 0, SHARE_ALL, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
	if (handle == INVALID_HANDLE_VALUE) return BSPI_PATH_ABSENT;
	BY_HANDLE_FILE_INFORMATION info;
	bspi_path_kind kind = BSPI_PATH_OTHER;
	if (GetFileType(handle) == FILE_TYPE_DISK && GetFileInformationByHandle(handle, &info)) {
		kind = kind_of_attributes(info.dwFileAttributes);
	}
	CloseHandle(handle);
	return kind;
}

bspi_path_kind bspi_system_kind(const char *path)
{
	wchar_t *name = bspi_windows_path(path);
	bspi_path_kind kind = name ? kind_of_path(name) : BSPI_PATH_ABSENT;
	free(name);
	return kind;
}

bool bspi_system_modified(const char *path, int64_t *seconds)
{
	WIN32_FILE_ATTRIBUTE_DATA data;
	wchar_t *name = bspi_windows_path(path);
	bool known = name && GetFileAttributesExW(name, GetFileExInfoStandard, &data);
	free(name);
	if (!known) return false;
	uint64_t ticks = (uint64_t)data.ftLastWriteTime.dwHighDateTime << 32 | data.ftLastWriteTime.dwLowDateTime;
	*seconds = (int64_t)(ticks / 10000000u);
	return true;
}

/* Sets errno after a file could not be opened, and returns false. For a directory, Windows reports that access is
 * denied; errno then becomes EISDIR. */
static bool refuse(const wchar_t *name)
{
	bspi_windows_failed();
	if (errno == EACCES && kind_of_path(name) == BSPI_PATH_DIRECTORY) errno = EISDIR;
	return false;
}

static bool open_wide(const wchar_t *name, intptr_t *file, uint64_t *size)
{
	HANDLE handle = CreateFileW(name, GENERIC_READ, SHARE_ALL, NULL, OPEN_EXISTING,
	                            FILE_ATTRIBUTE_NORMAL | FILE_FLAG_RANDOM_ACCESS, NULL);
	if (handle == INVALID_HANDLE_VALUE) return refuse(name);
	LARGE_INTEGER length;
	bool regular = GetFileType(handle) == FILE_TYPE_DISK && GetFileSizeEx(handle, &length);
	if (!regular) {
		CloseHandle(handle);
		errno = EINVAL;
		return false;
	}
	*file = (intptr_t)handle;
	*size = (uint64_t)length.QuadPart;
	return true;
}

bool bspi_system_open(const char *path, intptr_t *file, uint64_t *size)
{
	wchar_t *name = bspi_windows_path(path);
	bool ok = name && open_wide(name, file, size);
	free(name);
	return ok;
}

/* Reads at an explicit offset, so that threads need no lock. */
size_t bspi_system_read(intptr_t file, uint64_t offset, void *data, size_t size)
{
	OVERLAPPED at = { .Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32) };
	DWORD got = 0;
	if (ReadFile((HANDLE)file, data, size < LARGEST_READ ? (DWORD)size : LARGEST_READ, &got, &at)) return got;
	if (GetLastError() == ERROR_HANDLE_EOF) return 0;
	bspi_windows_failed();
	return SIZE_MAX;
}

void bspi_system_close(intptr_t file)
{
	CloseHandle((HANDLE)file);
}

/* Passes a directory entry to the caller's function, unless it is "." or "..". Returns true to continue. */
static bool tell_entry(const WIN32_FIND_DATAW *found, bspi_entry_fn *each, void *user)
{
	if (!wcscmp(found->cFileName, L".") || !wcscmp(found->cFileName, L"..")) return true;
	char *name = bspi_windows_text(found->cFileName);
	bool link = bspi_windows_is_link(found->dwFileAttributes, found->dwReserved0);
	bool more = name && each(user, name, link ? BSPI_PATH_LINK : kind_of_attributes(found->dwFileAttributes));
	free(name);
	return more;
}

static bool list_wide(const wchar_t *pattern, bspi_entry_fn *each, void *user)
{
	WIN32_FIND_DATAW found;
	HANDLE search = FindFirstFileExW(pattern, FindExInfoBasic, &found, FindExSearchNameMatch, NULL, 0);
	if (search == INVALID_HANDLE_VALUE) return GetLastError() == ERROR_FILE_NOT_FOUND || bspi_windows_failed();
	bool more = true;
	while (more && tell_entry(&found, each, user)) more = FindNextFileW(search, &found);
	bool ok = more || GetLastError() == ERROR_NO_MORE_FILES || bspi_windows_failed();
	FindClose(search);
	return ok;
}

bool bspi_system_list(const char *path, bspi_entry_fn *each, void *user)
{
	size_t length = strlen(path);
	char *pattern = bspi_heap_take(&bspi_system_heap, length + 3);
	if (!pattern) return false;
	memcpy(pattern, path, length);
	memcpy(pattern + length, "/*", 3);
	wchar_t *name = bspi_windows_path(pattern);
	bool ok = name && list_wide(name, each, user);
	free(name);
	bspi_heap_give(&bspi_system_heap, pattern);
	return ok;
}

char *bspi_system_real_path(const char *path)
{
	return bspi_windows_real_path(path);
}

char *bspi_system_variable(const char *name)
{
	wchar_t wide[64];
	size_t size = 0;
	for (; name[size] && size + 1 < sizeof wide / sizeof *wide; size++) wide[size] = (wchar_t)name[size];
	wide[size] = 0;
	const wchar_t *value = _wgetenv(wide);
	return value ? bspi_windows_text(value) : NULL;
}

const char *const bspi_system_steam_folders[] = { "$ProgramFiles(x86)/Steam", "$ProgramFiles/Steam", NULL };
const char *const bspi_system_game_folders[] = {
	"$SystemDrive/GOG Games",
	"$SystemDrive/Games",
	"$ProgramFiles(x86)/GOG Galaxy/Games",
	"$ProgramFiles/GOG Galaxy/Games",
	NULL,
};

void bspi_system_fold(char *path)
{
	bspi_windows_fold(path);
}

FILE *bspi_system_create(const char *path)
{
	wchar_t *name = bspi_windows_path(path);
	int descriptor = name ? _wopen(name, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY, _S_IREAD | _S_IWRITE) : -1;
	FILE *file = descriptor < 0 ? NULL : _fdopen(descriptor, "wb");
	if (descriptor >= 0 && !file) _close(descriptor);
	free(name);
	return file;
}

void bspi_system_remove(const char *path)
{
	wchar_t *name = bspi_windows_path(path);
	if (name) DeleteFileW(name);
	free(name);
}

/* Does nothing: on Windows, libraries take UTF-16 names, which do not depend on the locale. */
bspi_utf8_locale bspi_system_begin_utf8(void)
{
	return (bspi_utf8_locale) { NULL, NULL };
}

void bspi_system_end_utf8(bspi_utf8_locale locale)
{
	(void)locale;
}
