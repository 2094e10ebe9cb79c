/* platform_windows.c - see platform.h. */
#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0601
#include "cli/host/platform.h"

#include <windows.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"
#include "system/windows_path.h"

#define SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

/* A rename is tried again, because virus scanners keep new files open for a moment. */
enum { RENAME_TRIES = 8, FIRST_WAIT = 10 }; /* attempts; milliseconds before the second one */
enum { LOOKING = 50 };                      /* milliseconds between the two clean-ups of on_console */

static UINT console_before;

static void restore_console(void)
{
	SetConsoleOutputCP(console_before);
}

/* Reads the program's arguments as UTF-16. The arguments of main were converted to the system's code page, which lacks
 * most characters. */
static void take_arguments(int *argc, char ***argv)
{
	int count;
	LPWSTR *given = CommandLineToArgvW(GetCommandLineW(), &count);
	if (!given) return;
	char **arguments = cli_allocate((size_t)count + 1, sizeof *arguments);
	for (int i = 0; i < count; i++) {
		arguments[i] = bspi_windows_text(given[i]);
		if (!arguments[i]) cli_end_without_memory();
	}
	LocalFree(given);
	*argc = count;
	*argv = arguments;
}

void cli_platform_begin(int *argc, char ***argv)
{
	_setmode(_fileno(stdout), _O_BINARY);
	_setmode(_fileno(stderr), _O_BINARY);
	console_before = GetConsoleOutputCP();
	if (console_before && console_before != CP_UTF8 && SetConsoleOutputCP(CP_UTF8)) atexit(restore_console);
	take_arguments(argc, argv);
}

/* Does not use _isatty, which is also true for NUL and other character devices. */
bool cli_is_terminal(FILE *stream)
{
	DWORD mode;
	return GetConsoleMode((HANDLE)_get_osfhandle(_fileno(stream)), &mode);
}

uint64_t cli_milliseconds(void)
{
	return GetTickCount64();
}

/* ---- Paths ------------------------------------------------------------------------------------------------- */

bool cli_is_separator(char letter)
{
	return letter == '/' || letter == '\\';
}

/* Windows ignores case in paths, but this function does so only for ASCII letters. */
bool cli_is_same_letter(char letter, char other)
{
	if (cli_is_separator(letter)) return cli_is_separator(other);
	bool letters = ((letter | 0x20) >= 'a') && ((letter | 0x20) <= 'z');
	return letter == other || (letters && (letter | 0x20) == (other | 0x20));
}

/* Returns the length of "C:/", of "/", or of "//server/share/". */
size_t cli_root_length(const char *path)
{
	size_t length = 0;
	if (path[0] && path[1] == ':') return cli_is_separator(path[2]) ? 3 : 2;
	if (!cli_is_separator(path[0])) return 0;
	if (!cli_is_separator(path[1])) return 1;
	for (int parts = 0; path[length] && parts < 4; length++) parts += cli_is_separator(path[length]);
	return length;
}

/* Opens a file or directory for its attributes, following links. */
static HANDLE look_at(const wchar_t *path)
{
	return CreateFileW(path, 0, SHARE_ALL, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
}

static bool get_information(const char *path, BY_HANDLE_FILE_INFORMATION *info)
{
	wchar_t *name = bspi_windows_path(path);
	HANDLE handle = name ? look_at(name) : INVALID_HANDLE_VALUE;
	free(name);
	if (handle == INVALID_HANDLE_VALUE) return false;
	bool ok = GetFileInformationByHandle(handle, info);
	CloseHandle(handle);
	return ok;
}

static bool is_link(const wchar_t *path)
{
	WIN32_FIND_DATAW found;
	HANDLE search = FindFirstFileExW(path, FindExInfoBasic, &found, FindExSearchNameMatch, NULL, 0);
	if (search == INVALID_HANDLE_VALUE) return false;
	FindClose(search);
	return bspi_windows_is_link(found.dwFileAttributes, found.dwReserved0);
}

static cli_path_kind kind_of_target(const wchar_t *path)
{
	HANDLE handle = look_at(path);
	if (handle == INVALID_HANDLE_VALUE) {
		bspi_windows_failed();
		return CLI_PATH_ABSENT;
	}
	BY_HANDLE_FILE_INFORMATION info;
	cli_path_kind kind = CLI_PATH_OTHER;
	if (GetFileType(handle) == FILE_TYPE_DISK && GetFileInformationByHandle(handle, &info)) {
		kind = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? CLI_PATH_DIRECTORY : CLI_PATH_FILE;
	}
	CloseHandle(handle);
	return kind;
}

cli_path_kind cli_kind_of(const char *path, bool follow_link)
{
	wchar_t *name = bspi_windows_path(path);
	if (!name) return CLI_PATH_ABSENT;
	cli_path_kind kind = !follow_link && is_link(name) ? CLI_PATH_LINK : kind_of_target(name);
	free(name);
	return kind;
}

bool cli_is_same_file(const char *path, const char *other)
{
	BY_HANDLE_FILE_INFORMATION a, b;
	return get_information(path, &a) && get_information(other, &b) &&
	       a.dwVolumeSerialNumber == b.dwVolumeSerialNumber && a.nFileIndexHigh == b.nFileIndexHigh &&
	       a.nFileIndexLow == b.nFileIndexLow;
}

bool cli_size_of(const char *path, uint64_t *size)
{
	BY_HANDLE_FILE_INFORMATION info;
	if (!get_information(path, &info)) return false;
	*size = (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow;
	return true;
}

bool cli_day_of(const char *path, char day[sizeof "2026-01-31"])
{
	BY_HANDLE_FILE_INFORMATION info;
	SYSTEMTIME date;
	if (!get_information(path, &info) || !FileTimeToSystemTime(&info.ftLastWriteTime, &date)) return false;
	snprintf(day, sizeof "2026-01-31", "%04u-%02u-%02u", date.wYear % 10000u, date.wMonth % 100u, date.wDay % 100u);
	return true;
}

bool cli_seconds_of(const char *path, double *seconds)
{
	BY_HANDLE_FILE_INFORMATION info;
	if (!get_information(path, &info)) return false;
	const FILETIME *written = &info.ftLastWriteTime;
	*seconds = 1e-7 * (double)((uint64_t)written->dwHighDateTime << 32 | written->dwLowDateTime);
	return true;
}

char *cli_real_path(const char *path)
{
	return bspi_windows_real_path(path);
}

char *cli_program_folder(void)
{
	wchar_t path[MAX_PATH];
	DWORD length = GetModuleFileNameW(NULL, path, MAX_PATH);
	char *text = length && length < MAX_PATH ? bspi_windows_text(path) : NULL;
	for (size_t i = text ? strlen(text) : 0; i > 0; i--) {
		if (!cli_is_separator(text[i - 1])) continue;
		text[i - 1] = '\0';
		break;
	}
	return text;
}

static cli_path_kind kind_of_entry(const WIN32_FIND_DATAW *found)
{
	if (bspi_windows_is_link(found->dwFileAttributes, found->dwReserved0)) return CLI_PATH_LINK;
	return found->dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? CLI_PATH_DIRECTORY : CLI_PATH_FILE;
}

bool cli_each_entry(const char *directory, cli_entry_fn *each, void *user)
{
	char *pattern = cli_format("%s/*", directory);
	wchar_t *path = bspi_windows_path(pattern);
	free(pattern);
	if (!path) return false;
	WIN32_FIND_DATAW found;
	HANDLE search = FindFirstFileExW(path, FindExInfoBasic, &found, FindExSearchNameMatch, NULL, 0);
	free(path);
	if (search == INVALID_HANDLE_VALUE) return bspi_windows_failed();
	do {
		char *name = bspi_windows_text(found.cFileName);
		if (!name) cli_end_without_memory();
		if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) each(name, kind_of_entry(&found), user);
		free(name);
	} while (FindNextFileW(search, &found));
	FindClose(search);
	return true;
}

/* ---- Files ------------------------------------------------------------------------------------------------- */

static FILE *open_stream(const char *path, DWORD access, DWORD share, DWORD how)
{
	bool reads = access == GENERIC_READ;
	wchar_t *name = bspi_windows_path(path);
	if (!name) return NULL;
	HANDLE handle = CreateFileW(name, access, share, NULL, how, FILE_ATTRIBUTE_NORMAL, NULL);
	free(name);
	if (handle == INVALID_HANDLE_VALUE) {
		bspi_windows_failed();
		return NULL;
	}
	int descriptor = _open_osfhandle((intptr_t)handle, _O_BINARY | (reads ? _O_RDONLY : _O_WRONLY));
	if (descriptor < 0) {
		CloseHandle(handle);
		return NULL;
	}
	FILE *stream = _fdopen(descriptor, reads ? "rb" : "wb");
	if (!stream) _close(descriptor);
	return stream;
}

FILE *cli_open_to_read(const char *path)
{
	return open_stream(path, GENERIC_READ, SHARE_ALL, OPEN_EXISTING);
}

/* Named pipes do not exist in folders on Windows. */
FILE *cli_open_regular(const char *path)
{
	return cli_open_to_read(path);
}

/* Does not use `like`, because the directory sets the permissions. FILE_SHARE_DELETE allows removing the file while it
 * is open. */
FILE *cli_open_new(const char *path, const char *like)
{
	(void)like;
	return open_stream(path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, CREATE_NEW);
}

FILE *cli_open_in_place(const char *path)
{
	return open_stream(path, GENERIC_WRITE, SHARE_ALL, OPEN_EXISTING);
}

/* Windows may report "access denied" instead of "exists" for an existing directory. */
bool cli_make_directory(const char *path)
{
	wchar_t *name = bspi_windows_path(path);
	bool ok = name && (CreateDirectoryW(name, NULL) || bspi_windows_failed());
	int error = errno;
	bool there = name && !ok && kind_of_target(name) == CLI_PATH_DIRECTORY;
	if (!ok) errno = there ? EEXIST : error;
	free(name);
	return ok;
}

bool cli_make_link(const char *from, const char *to)
{
	wchar_t *old = bspi_windows_path(from), *wanted = bspi_windows_path(to);
	bool ok = old && wanted && (CreateHardLinkW(wanted, old, NULL) || bspi_windows_failed());
	free(old);
	free(wanted);
	return ok;
}

void cli_touch(const char *path)
{
	wchar_t *name = bspi_windows_path(path);
	HANDLE handle =
		name ? CreateFileW(name, FILE_WRITE_ATTRIBUTES, SHARE_ALL, NULL, OPEN_EXISTING, 0, NULL) : INVALID_HANDLE_VALUE;
	free(name);
	if (handle == INVALID_HANDLE_VALUE) return;
	FILETIME now;
	GetSystemTimeAsFileTime(&now);
	SetFileTime(handle, NULL, NULL, &now);
	CloseHandle(handle);
}

static bool replace(const wchar_t *from, const wchar_t *to)
{
	for (int i = 0;; i++) {
		if (MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) return true;
		DWORD error = GetLastError();
		bool held = error == ERROR_ACCESS_DENIED || error == ERROR_SHARING_VIOLATION;
		if (!held || i == RENAME_TRIES) return bspi_windows_failed();
		Sleep((DWORD)FIRST_WAIT << i);
	}
}

bool cli_rename(const char *from, const char *to)
{
	wchar_t *old = bspi_windows_path(from), *wanted = bspi_windows_path(to);
	bool ok = old && wanted && replace(old, wanted);
	free(old);
	free(wanted);
	return ok;
}

/* Closes the file, because Windows does not remove a folder while a removed file in it is open. */
void cli_let_go(FILE *stream)
{
	HANDLE handle = (HANDLE)_get_osfhandle(_fileno(stream));
	if (handle != INVALID_HANDLE_VALUE) CloseHandle(handle);
}

void cli_remove_file(const char *path)
{
	wchar_t *name = bspi_windows_path(path);
	if (name) DeleteFileW(name);
	free(name);
}

void cli_remove_directory(const char *path)
{
	wchar_t *name = bspi_windows_path(path);
	if (name) RemoveDirectoryW(name);
	free(name);
}

/* ---- Leftover files ----------------------------------------------------------------------------------------- */

typedef struct removal {
	const char *directory;
	bool (*wanted)(const char *name, void *user);
	void *user;
} removal;

/* Implements cli_entry_fn. */
static void remove_one(const char *name, cli_path_kind kind, void *user)
{
	const removal *r = user;
	if (kind != CLI_PATH_FILE || !r->wanted(name, r->user)) return;
	char *path = cli_format("%s/%s", r->directory, name);
	cli_remove_file(path);
	free(path);
}

/* Does not compare owners, unlike on POSIX: it removes every file that the user is allowed to remove. */
void cli_remove_own_files(const char *directory, bool (*wanted)(const char *name, void *user), void *user)
{
	removal r = { directory, wanted, user };
	cli_each_entry(directory, remove_one, &r);
}

/* ---- Signals ----------------------------------------------------------------------------------------------- */

static void (*before_end)(void);
static CRITICAL_SECTION ending;

/* Handles a request to end the program, in a thread of its own. It keeps the critical section, so that the program
 * makes no more files. It cleans up twice, because a folder that the working thread has open can be removed only after
 * a moment. It ends the process itself, because the default handler of some systems sets an exit status that does not
 * tell the reason. */
static BOOL WINAPI on_console(DWORD event)
{
	(void)event; /* all events end the program: Ctrl-C, Ctrl-Break, a closed window, logoff */
	EnterCriticalSection(&ending);
	before_end();
	Sleep(LOOKING);
	before_end();
	TerminateProcess(GetCurrentProcess(), STATUS_CONTROL_C_EXIT);
	return FALSE;
}

/* Cleans up at exit. If on_console is in the critical section, this function waits there until on_console ends the
 * process. */
static void on_exit_of_main(void)
{
	EnterCriticalSection(&ending);
	before_end();
}

void cli_clean_up_at_end(void (*clean_up)(void))
{
	if (before_end) return;
	before_end = clean_up;
	InitializeCriticalSection(&ending);
	atexit(on_exit_of_main);
	SetConsoleCtrlHandler(on_console, TRUE);
}

void cli_hold_signals(void)
{
	EnterCriticalSection(&ending);
}

void cli_release_signals(void)
{
	LeaveCriticalSection(&ending);
}
