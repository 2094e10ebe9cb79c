/* file_set_windows.c - see file_set_system.h. */
#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0601
#include "system/file_set_system.h"

#include <windows.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

#include "system/windows_path.h"

#define SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

enum { RENAME_TRIES = 8, FIRST_WAIT = 10 }; /* FIRST_WAIT: milliseconds before the first new try, doubled for each
                                             * further one */

static bool mark_of_handle(HANDLE handle, bspi_file_mark *mark)
{
	BY_HANDLE_FILE_INFORMATION info;
	if (!GetFileInformationByHandle(handle, &info)) return bspi_windows_failed();
	*mark = (bspi_file_mark) {
		.number = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow,
		.size = (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow,
		.written = (uint64_t)info.ftLastWriteTime.dwHighDateTime << 32 | info.ftLastWriteTime.dwLowDateTime,
	};
	return true;
}

static bspi_set_kind look_wide(const wchar_t *name, bspi_file_mark *mark)
{
	DWORD attributes = GetFileAttributesW(name);
	if (attributes == INVALID_FILE_ATTRIBUTES) return BSPI_SET_ABSENT;
	HANDLE handle = mark ? CreateFileW(name, 0, SHARE_ALL, NULL, OPEN_EXISTING,
	                                   FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, NULL)
	                     : INVALID_HANDLE_VALUE;
	if (handle != INVALID_HANDLE_VALUE) {
		mark_of_handle(handle, mark);
		CloseHandle(handle);
	}
	if (attributes & FILE_ATTRIBUTE_DIRECTORY) return BSPI_SET_DIRECTORY;
	return attributes & (FILE_ATTRIBUTE_REPARSE_POINT | FILE_ATTRIBUTE_DEVICE) ? BSPI_SET_OTHER : BSPI_SET_FILE;
}

static bspi_set_kind look(const char *path, bspi_file_mark *mark)
{
	if (mark) *mark = (bspi_file_mark) { 0 };
	wchar_t *name = bspi_windows_path(path);
	bspi_set_kind kind = name ? look_wide(name, mark) : BSPI_SET_ABSENT;
	free(name);
	return kind;
}

/* False if a file is read-only. Windows can then neither replace it nor remove a second name of it. */
static bool is_writable(const wchar_t *name)
{
	DWORD attributes = GetFileAttributesW(name);
	if (attributes == INVALID_FILE_ATTRIBUTES || !(attributes & FILE_ATTRIBUTE_READONLY)) return true;
	SetLastError(ERROR_ACCESS_DENIED);
	return bspi_windows_failed();
}

/* False if another program holds the file without sharing it, or if the file is read-only. */
static bool may_be_replaced(const wchar_t *name)
{
	HANDLE handle = CreateFileW(name, DELETE, SHARE_ALL, NULL, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT, NULL);
	if (handle == INVALID_HANDLE_VALUE) return bspi_windows_failed();
	CloseHandle(handle);
	return is_writable(name);
}

static bool link_file(const char *path, const char *second)
{
	wchar_t *name = bspi_windows_path(path), *other = bspi_windows_path(second);
	bool ok = name && other && may_be_replaced(name) && (CreateHardLinkW(other, name, NULL) || bspi_windows_failed());
	free(name);
	free(other);
	return ok;
}

/* Renames a file. Tries again if that fails, because virus scanners and indexers keep new files open for a moment. */
static bool rename_wide(const wchar_t *name, const wchar_t *to)
{
	for (int i = 0;; i++) {
		if (MoveFileExW(name, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) return true;
		DWORD error = GetLastError();
		bool held = error == ERROR_ACCESS_DENIED || error == ERROR_SHARING_VIOLATION;
		if (!held || i == RENAME_TRIES) return bspi_windows_failed();
		Sleep((DWORD)FIRST_WAIT << i);
	}
}

static bool rename_file(const char *path, const char *to)
{
	wchar_t *name = bspi_windows_path(path), *other = bspi_windows_path(to);
	bool ok = name && other && is_writable(name) && rename_wide(name, other);
	free(name);
	free(other);
	return ok;
}

static bool remove_file(const char *path)
{
	wchar_t *name = bspi_windows_path(path);
	bool ok = name && (DeleteFileW(name) || bspi_windows_failed());
	free(name);
	return ok;
}

static FILE *open_stream(const char *path, bool creates)
{
	wchar_t *name = bspi_windows_path(path);
	if (!name) return NULL;
	DWORD flags = FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT;
	HANDLE handle = CreateFileW(name, creates ? GENERIC_WRITE : GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL,
	                            creates ? CREATE_NEW : OPEN_EXISTING, flags, NULL);
	free(name);
	if (handle == INVALID_HANDLE_VALUE) {
		bspi_windows_failed();
		return NULL;
	}
	int descriptor = _open_osfhandle((intptr_t)handle, _O_BINARY | (creates ? _O_WRONLY : _O_RDONLY));
	if (descriptor < 0) {
		CloseHandle(handle);
		return NULL;
	}
	FILE *stream = _fdopen(descriptor, creates ? "wb" : "rb");
	if (!stream) _close(descriptor);
	return stream;
}

static FILE *create_file(const char *path)
{
	return open_stream(path, true);
}

static FILE *open_file(const char *path)
{
	return open_stream(path, false);
}

static bool number_of(FILE *file, uint64_t *number)
{
	bspi_file_mark mark;
	if (!mark_of_handle((HANDLE)_get_osfhandle(_fileno(file)), &mark)) return false;
	*number = mark.number;
	return true;
}

/* Locks a file in the folder, because Windows cannot lock folders. The file disappears when the program that has it
 * open ends. */
static bspi_set_locking lock_folder(const char *folder, intptr_t *lock)
{
	static const char own[] = "/.bspscene-lock";
	size_t length = strlen(folder);
	char *path = malloc(length + sizeof own);
	if (!path) return BSPI_SET_NO_LOCKS;
	memcpy(path, folder, length);
	memcpy(path + length, own, sizeof own);
	wchar_t *name = bspi_windows_path(path);
	free(path);
	if (!name) return BSPI_SET_NO_LOCKS;
	HANDLE handle = CreateFileW(name, GENERIC_WRITE | DELETE, 0, NULL, OPEN_ALWAYS,
	                            FILE_ATTRIBUTE_HIDDEN | FILE_FLAG_DELETE_ON_CLOSE, NULL);
	DWORD error = GetLastError();
	free(name);
	*lock = (intptr_t)handle;
	if (handle != INVALID_HANDLE_VALUE) return BSPI_SET_LOCKED;
	return error == ERROR_SHARING_VIOLATION || error == ERROR_ACCESS_DENIED || error == ERROR_DELETE_PENDING
	       ? BSPI_SET_HELD : BSPI_SET_NO_LOCKS;
}

static void unlock_folder(intptr_t lock)
{
	CloseHandle((HANDLE)lock);
}

static void wait_a_while(unsigned milliseconds)
{
	Sleep(milliseconds);
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
