/* platform_posix.c - see platform.h. */
#include "cli/host/platform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
	#include <mach-o/dyld.h>
#endif
#ifdef __GLIBC__
	#include <malloc.h>
#endif

void cli_platform_begin(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
#ifdef __GLIBC__
	/* Keeps large blocks in mappings of their own, so that the system gets them back when they are freed. By default,
	 * glibc raises this threshold with each large block that is freed, and keeps the blocks below it: up to half of
	 * the peak. */
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

bool cli_is_terminal(FILE *stream)
{
	return isatty(fileno(stream));
}

uint64_t cli_milliseconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* ---- Paths ------------------------------------------------------------------------------------------------- */

bool cli_is_separator(char letter)
{
	return letter == '/';
}

bool cli_is_same_letter(char letter, char other)
{
	return letter == other;
}

size_t cli_root_length(const char *path)
{
	return *path == '/';
}

static cli_path_kind kind_of(mode_t mode)
{
	if (S_ISREG(mode)) return CLI_PATH_FILE;
	if (S_ISDIR(mode)) return CLI_PATH_DIRECTORY;
	return S_ISLNK(mode) ? CLI_PATH_LINK : CLI_PATH_OTHER;
}

cli_path_kind cli_kind_of(const char *path, bool follow_link)
{
	struct stat info;
	bool known = (follow_link ? stat(path, &info) : lstat(path, &info)) == 0;
	return known ? kind_of(info.st_mode) : CLI_PATH_ABSENT;
}

bool cli_is_same_file(const char *path, const char *other)
{
	struct stat a, b;
	return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool cli_size_of(const char *path, uint64_t *size)
{
	struct stat info;
	if (stat(path, &info) != 0) return false;
	*size = (uint64_t)info.st_size;
	return true;
}

bool cli_day_of(const char *path, char day[sizeof "2026-01-31"])
{
	struct stat info;
	struct tm date;
	if (stat(path, &info) != 0 || !gmtime_r(&info.st_mtime, &date)) return false;
	return strftime(day, sizeof "2026-01-31", "%Y-%m-%d", &date) > 0;
}

bool cli_seconds_of(const char *path, double *seconds)
{
	struct stat info;
	if (stat(path, &info) != 0) return false;
	*seconds = (double)info.st_mtime;
	return true;
}

char *cli_real_path(const char *path)
{
	return realpath(path, NULL);
}

char *cli_program_folder(void)
{
#ifdef __APPLE__
	char path[4096];
	uint32_t size = sizeof path;
	char *real = _NSGetExecutablePath(path, &size) ? NULL : realpath(path, NULL);
#else
	char *real = realpath("/proc/self/exe", NULL);
#endif
	char *end = real ? strrchr(real, '/') : NULL;
	if (end) *end = '\0';
	return real;
}

bool cli_each_entry(const char *path, cli_entry_fn *each, void *user)
{
	DIR *directory = opendir(path);
	if (!directory) return false;
	for (const struct dirent *entry; (entry = readdir(directory));) {
		struct stat info;
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
		if (fstatat(dirfd(directory), entry->d_name, &info, AT_SYMLINK_NOFOLLOW)) continue;
		each(entry->d_name, kind_of(info.st_mode), user);
	}
	closedir(directory);
	return true;
}

/* ---- Files ------------------------------------------------------------------------------------------------- */

FILE *cli_open_to_read(const char *path)
{
	return fopen(path, "rb");
}

FILE *cli_open_regular(const char *path)
{
	struct stat info;
	int number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (number < 0) return NULL;
	bool regular = fstat(number, &info) == 0 && S_ISREG(info.st_mode);
	FILE *stream = regular ? fdopen(number, "rb") : NULL;
	if (stream) return stream;
	close(number);
	errno = regular ? ENOMEM : EINVAL;
	return NULL;
}

FILE *cli_open_new(const char *path, const char *like)
{
	struct stat info;
	int number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (number < 0) return NULL;
	if (like && stat(like, &info) == 0) (void)fchmod(number, info.st_mode & 0777);
	FILE *stream = fdopen(number, "wb");
	if (!stream) close(number);
	return stream;
}

FILE *cli_open_in_place(const char *path)
{
	return fopen(path, "wb");
}

bool cli_make_directory(const char *path)
{
	return mkdir(path, 0777) == 0;
}

bool cli_make_link(const char *from, const char *to)
{
	return link(from, to) == 0;
}

void cli_touch(const char *path)
{
	utimensat(AT_FDCWD, path, NULL, 0);
}

bool cli_rename(const char *from, const char *to)
{
	return rename(from, to) == 0;
}

void cli_let_go(FILE *stream)
{
	(void)stream;
}

void cli_remove_file(const char *path)
{
	unlink(path);
}

void cli_remove_directory(const char *path)
{
	rmdir(path);
}

/* ---- Leftover files ----------------------------------------------------------------------------------------- */

void cli_remove_own_files(const char *directory_path, bool (*wanted)(const char *name, void *user), void *user)
{
	DIR *directory = opendir(directory_path);
	if (!directory) return;
	int folder = dirfd(directory);
	for (const struct dirent *entry; (entry = readdir(directory));) {
		struct stat info;
		if (!wanted(entry->d_name, user)) continue;
		if (fstatat(folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) || !S_ISREG(info.st_mode)) continue;
		if (info.st_uid == geteuid()) unlinkat(folder, entry->d_name, 0);
	}
	closedir(directory);
}

/* ---- Signals ----------------------------------------------------------------------------------------------- */

static void (*before_end)(void);
static sigset_t before_hold;

static void end_by_signal(int number)
{
	before_end();
	signal(number, SIG_DFL);
	raise(number);
}

void cli_clean_up_at_end(void (*clean_up)(void))
{
	static const int signals[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGXCPU };
	if (before_end) return;
	before_end = clean_up;
	atexit(clean_up);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct sigaction old;
		if (sigaction(signals[i], NULL, &old) || old.sa_handler == SIG_IGN) continue;
		struct sigaction action = { .sa_handler = end_by_signal };
		sigemptyset(&action.sa_mask);
		sigaction(signals[i], &action, NULL);
	}
	signal(SIGPIPE, SIG_IGN); /* with SIGPIPE and SIGXFSZ ignored, writes fail and the program can print a message */
	signal(SIGXFSZ, SIG_IGN);
}

void cli_hold_signals(void)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before_hold);
}

void cli_release_signals(void)
{
	sigprocmask(SIG_SETMASK, &before_hold, NULL);
}
