/* windows_path.c - see windows_path.h. */
#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0601
#include "windows_path.h"

#include <windows.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_PREFIX = 8 };

bool bspi_windows_failed(void)
{
	static const struct {
		DWORD error;
		int number;
	} known[] = {
		{ ERROR_FILE_NOT_FOUND, ENOENT },
		{ ERROR_PATH_NOT_FOUND, ENOENT },
		{ ERROR_INVALID_NAME, ENOENT },
		{ ERROR_INVALID_DRIVE, ENOENT },
		{ ERROR_BAD_NETPATH, ENOENT },
		{ ERROR_BAD_NET_NAME, ENOENT },
		{ ERROR_ACCESS_DENIED, EACCES },
		{ ERROR_SHARING_VIOLATION, EACCES },
		{ ERROR_LOCK_VIOLATION, EACCES },
		{ ERROR_WRITE_PROTECT, EROFS },
		{ ERROR_FILE_EXISTS, EEXIST },
		{ ERROR_ALREADY_EXISTS, EEXIST },
		{ ERROR_DISK_FULL, ENOSPC },
		{ ERROR_HANDLE_DISK_FULL, ENOSPC },
		{ ERROR_NOT_ENOUGH_MEMORY, ENOMEM },
		{ ERROR_OUTOFMEMORY, ENOMEM },
		{ ERROR_DIRECTORY, ENOTDIR },
		{ ERROR_DIR_NOT_EMPTY, ENOTEMPTY },
		{ ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG },
		{ ERROR_BROKEN_PIPE, EPIPE },
		{ ERROR_NO_DATA, EPIPE },
	};
	DWORD error = GetLastError();
	errno = EIO;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (known[i].error == error) errno = known[i].number;
	}
	return false;
}

static void *allocate(size_t count, size_t size)
{
	void *data = calloc(count, size);
	if (!data) errno = ENOMEM;
	return data;
}

static wchar_t *wide(const char *text)
{
	int size = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
	if (size <= 0) {
		errno = EILSEQ;
		return NULL;
	}
	wchar_t *out = allocate((size_t)size, sizeof *out);
	if (out) MultiByteToWideChar(CP_UTF8, 0, text, -1, out, size);
	return out;
}

char *bspi_windows_text(const wchar_t *text)
{
	int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
	char *out = allocate(size > 0 ? (size_t)size : 1, 1);
	if (out && size > 0) WideCharToMultiByte(CP_UTF8, 0, text, -1, out, size, NULL, NULL);
	return out;
}

void bspi_windows_fold(char *path)
{
	for (char *c = path; *c; c++) {
		if (*c == '\\') *c = '/';
	}
}

static bool is_drive(const wchar_t *path)
{
	return path[0] && path[1] == ':' && !path[2];
}

/* Puts the prefix for long paths before a path: "\\server\share" becomes "\\?\UNC\server\share". A path that has
 * this prefix already, or the prefix "\\.\" for devices, is not changed. */
static void put_prefix(wchar_t *out, wchar_t *path)
{
	bool prefixed = !wcsncmp(path, L"\\\\?\\", 4) || !wcsncmp(path, L"\\\\.\\", 4);
	bool share = !prefixed && !wcsncmp(path, L"\\\\", 2);
	const wchar_t *prefix = prefixed ? L"" : share ? L"\\\\?\\UNC" : L"\\\\?\\";
	size_t length = wcslen(prefix);
	if (share) path++;
	memcpy(out, prefix, length * sizeof *out);
	memmove(out + length, path, (wcslen(path) + 1) * sizeof *out);
}

wchar_t *bspi_windows_path(const char *path)
{
	wchar_t *given = wide(path);
	if (!given) return NULL;
	/* without the backslash, Windows reads "C:" as the current directory of the drive */
	const wchar_t drive[] = { given[0], L':', L'\\', 0 };
	const wchar_t *asked = is_drive(given) ? drive : given;
	DWORD size = GetFullPathNameW(asked, 0, NULL, NULL);
	wchar_t *out = size ? allocate((size_t)size + LONGEST_PREFIX, sizeof *out) : NULL;
	if (!size) bspi_windows_failed();
	if (out) {
		GetFullPathNameW(asked, size, out + LONGEST_PREFIX, NULL);
		put_prefix(out, out + LONGEST_PREFIX);
	}
	free(given);
	return out;
}

/* Removes the prefix for long paths: "\\?\C:\x" becomes "C:/x", and "\\?\UNC\server\x" becomes "//server/x". */
static char *plain_text(const wchar_t *path)
{
	bool share = !wcsncmp(path, L"\\\\?\\UNC\\", 8);
	bool prefixed = !wcsncmp(path, L"\\\\?\\", 4);
	char *out = bspi_windows_text(path + (share ? 6 : prefixed ? 4 : 0));
	if (!out) return NULL;
	bspi_windows_fold(out);
	if (share) out[0] = '/';
	return out;
}

/* Returns the path without links, or NULL if the system cannot tell, as on some RAM disks. */
static wchar_t *final_path(const wchar_t *path)
{
	HANDLE handle = CreateFileW(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
	                            FILE_FLAG_BACKUP_SEMANTICS, NULL);
	if (handle == INVALID_HANDLE_VALUE) return NULL;
	DWORD size = GetFinalPathNameByHandleW(handle, NULL, 0, FILE_NAME_NORMALIZED | VOLUME_NAME_DOS);
	wchar_t *out = size ? allocate((size_t)size + 1, sizeof *out) : NULL;
	DWORD got = out ? GetFinalPathNameByHandleW(handle, out, size + 1, FILE_NAME_NORMALIZED | VOLUME_NAME_DOS) : 0;
	CloseHandle(handle);
	if (got && got <= size) return out;
	free(out);
	return NULL;
}

char *bspi_windows_real_path(const char *path)
{
	wchar_t *name = bspi_windows_path(path);
	if (!name) return NULL;
	char *out = NULL;
	if (GetFileAttributesW(name) == INVALID_FILE_ATTRIBUTES) {
		bspi_windows_failed();
	} else {
		wchar_t *followed = final_path(name);
		out = plain_text(followed ? followed : name);
		free(followed);
	}
	free(name);
	return out;
}

bool bspi_windows_is_link(unsigned long attributes, unsigned long reparse_tag)
{
	return attributes & FILE_ATTRIBUTE_REPARSE_POINT &&
	       (reparse_tag == IO_REPARSE_TAG_SYMLINK || reparse_tag == IO_REPARSE_TAG_MOUNT_POINT);
}
