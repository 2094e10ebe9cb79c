/* platform.h - all that the program asks of the operating system: platform_posix.c and platform_windows.c answer.
 * Paths are UTF-8; what fails sets errno. */
#ifndef CLI_PLATFORM_H
#define CLI_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum cli_path_kind {
	CLI_PATH_ABSENT,                   /* or not to be seen */
	CLI_PATH_FILE,
	CLI_PATH_DIRECTORY,
	CLI_PATH_LINK,
	CLI_PATH_OTHER                     /* a device, a pipe */
} cli_path_kind;

/* The first thing in main: bytes and UTF-8 in and out. Arguments may become others, in memory that stays. */
void cli_platform_begin(int *argc, char ***argv);

bool cli_is_terminal(FILE *stream);
/* Of a clock that nobody sets. */
uint64_t cli_milliseconds(void);

bool cli_is_separator(char letter);
/* Do paths with the one and with the other lead to the same? */
bool cli_is_same_letter(char letter, char other);
/* How much of a path nobody can make, "/" or "C:/". */
size_t cli_root_length(const char *path);
/* Of what a path leads to, or of the link itself. */
cli_path_kind cli_kind_of(const char *path, bool follow_link);
/* By what the system knows a file by, whatever names lead to it. */
bool cli_is_same_file(const char *path, const char *other);
/* Bytes of a file. False: there is none. */
bool cli_size_of(const char *path, uint64_t *size);
/* The day on which a file was written last, in UTC. False: nobody knows. */
bool cli_day_of(const char *path, char day[sizeof "2026-01-31"]);
/* Seconds since some day at which a file was written last, by the clock of its file system. False: nobody knows. */
bool cli_seconds_of(const char *path, double *seconds);
/* Without links, by malloc; NULL when there is nothing. */
char *cli_real_path(const char *path);

/* Takes an entry of a directory that is not "." or "..". */
typedef void cli_entry_fn(const char *name, cli_path_kind kind, void *user);
/* False: the directory cannot be read. Links are entries themselves. */
bool cli_each_entry(const char *directory, cli_entry_fn *each, void *user);

FILE *cli_open_to_read(const char *path);
/* Opens a file of a folder that others fill too. NULL with errno for anything but a regular file: a named pipe would
 * wait for a writer. */
FILE *cli_open_regular(const char *path);
/* A file that must not exist yet, with the rights that `like` has, when that is not NULL. */
FILE *cli_open_new(const char *path, const char *like);
/* Of a device, a pipe. */
FILE *cli_open_in_place(const char *path);
bool cli_make_directory(const char *path);
/* A second name for a file; not in place of another. */
bool cli_make_link(const char *from, const char *to);
/* As if it were written now. */
void cli_touch(const char *path);
/* Takes the place of what has the name already. */
bool cli_rename(const char *from, const char *to);
/* These three are called while a signal is handled. Where open files cannot be removed, `stream` loses its file: what
 * is written to it fails. */
void cli_let_go(FILE *stream);
void cli_remove_file(const char *path);
void cli_remove_directory(const char *path);

/* The regular files right in a directory that `wanted` names and that are the user's own are removed. */
void cli_remove_own_files(const char *directory, bool (*wanted)(const char *name, void *user), void *user);

/* Before a signal, a closed window or exit ends the program `clean_up` is called, once, and never between hold and
 * release: what has come to hold them then waits for the end. Failing writes do not end it. */
void cli_clean_up_at_end(void (*clean_up)(void));
void cli_hold_signals(void);
void cli_release_signals(void);

#endif
