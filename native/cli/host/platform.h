/* platform.h - calls of the operating system, implemented by platform_posix.c and platform_windows.c. Paths are UTF-8;
 * failures set errno. */
#ifndef CLI_PLATFORM_H
#define CLI_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum cli_path_kind {
	CLI_PATH_ABSENT,                   /* nothing has this path, or the user may not see it */
	CLI_PATH_FILE,
	CLI_PATH_DIRECTORY,
	CLI_PATH_LINK,
	CLI_PATH_OTHER                     /* a device or a pipe */
} cli_path_kind;

/* Sets standard input and output to binary mode and UTF-8. main calls this first. It may replace the arguments; the new
 * ones stay valid. */
void cli_platform_begin(int *argc, char ***argv);

bool cli_is_terminal(FILE *stream);
/* Reads a monotonic clock. */
uint64_t cli_milliseconds(void);

/* True for '/' and, on Windows, '\\'. */
bool cli_is_separator(char letter);
/* True if two characters of a path are the same to the system. On Windows, which ignores case in paths, an ASCII letter
 * in uppercase is the same as in lowercase. */
bool cli_is_same_letter(char letter, char other);
/* Returns the length of the root of a path, such as "/" or "C:/", which cannot be created. */
size_t cli_root_length(const char *path);
/* Returns what a path leads to. If the path is a link, `follow_link` asks for the kind of its target instead of
 * CLI_PATH_LINK. */
cli_path_kind cli_kind_of(const char *path, bool follow_link);
/* True if both paths lead to the same file. Compares the file numbers that the system gives to files. */
bool cli_is_same_file(const char *path, const char *other);
/* Gets the size of a file in bytes. False if it does not exist. */
bool cli_size_of(const char *path, uint64_t *size);
/* Gets the day of the last change of a file, in UTC. False if unknown. */
bool cli_day_of(const char *path, char day[sizeof "2026-01-31"]);
/* Gets the time of the last change of a file in seconds. The clock is that of the file's file system, and its day 0 is
 * unspecified. False if the time is unknown. */
bool cli_seconds_of(const char *path, double *seconds);
/* Returns the path with links resolved, in memory from malloc. NULL if the path does not exist. */
char *cli_real_path(const char *path);

/* Returns the folder of this program, in memory from malloc. NULL if the system does not say. */
char *cli_program_folder(void);

/* Called for each entry of a directory except "." and "..". */
typedef void cli_entry_fn(const char *name, cli_path_kind kind, void *user);
/* Lists a directory. Links are listed as links. False if the directory cannot be read. */
bool cli_each_entry(const char *directory, cli_entry_fn *each, void *user);

FILE *cli_open_to_read(const char *path);
/* Opens a file in a folder to which others can write. Opens only a regular file, because opening a named pipe would
 * wait for a writer. NULL with errno on failure. */
FILE *cli_open_regular(const char *path);
/* Creates a file with the permissions of the file `like` (NULL: the default ones). Fails if the file exists. */
FILE *cli_open_new(const char *path, const char *like);
/* Opens a device or a pipe for writing. */
FILE *cli_open_in_place(const char *path);
bool cli_make_directory(const char *path);
/* Makes a hard link. Fails if the new name exists. */
bool cli_make_link(const char *from, const char *to);
/* Sets the time of the last change to now. */
void cli_touch(const char *path);
/* Renames a file, replacing a file that has the new name. */
bool cli_rename(const char *from, const char *to);
/* A signal handler may call this function and the next two. This one prepares the removal of the file that `stream`
 * writes. Windows cannot remove open files, so there it closes `stream`, and later writes fail. */
void cli_let_go(FILE *stream);
void cli_remove_file(const char *path);
void cli_remove_directory(const char *path);

/* Removes regular files of this user directly in `directory`, if `wanted` accepts their names. */
void cli_remove_own_files(const char *directory, bool (*wanted)(const char *name, void *user), void *user);

/* Sets the function that is called before the program ends, by a signal, a closed window or exit. Between
 * cli_hold_signals and cli_release_signals, signals wait, so that the program does not end. A failed write to a pipe
 * does not end the program. */
void cli_clean_up_at_end(void (*clean_up)(void));
void cli_hold_signals(void);
void cli_release_signals(void);

#endif
