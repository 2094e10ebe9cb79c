/* system.h - all that the library asks of the operating system: system_posix.c and system_windows.c answer. Paths are
 * UTF-8. What fails sets errno. */
#ifndef BSPI_SYSTEM_H
#define BSPI_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum bspi_path_kind {
	BSPI_PATH_ABSENT,
	BSPI_PATH_FILE,
	BSPI_PATH_DIRECTORY,
	BSPI_PATH_LINK, /* to whatever, or to nothing */
	BSPI_PATH_OTHER /* a device, a pipe */
} bspi_path_kind;

/* Of what a path leads to: never BSPI_PATH_LINK. */
bspi_path_kind bspi_system_kind(const char *path);

/* Seconds since some day at which a file was written last, by the clock of its file system. False: nobody knows. */
bool bspi_system_modified(const char *path, int64_t *seconds);

/* A regular file for reading, at any place and by any threads. False also for what is none: errno is EISDIR for
 * directories and EINVAL for the rest. */
bool bspi_system_open(const char *path, intptr_t *file, uint64_t *size);
/* Returns how many bytes were stored, 0 at the end, SIZE_MAX when it failed. */
size_t bspi_system_read(intptr_t file, uint64_t offset, void *data, size_t size);
void bspi_system_close(intptr_t file);

/* A new file for writing. NULL: it cannot be made; errno is EEXIST where something has that name. */
FILE *bspi_system_create(const char *path);
void bspi_system_remove(const char *path);

/* Takes an entry that is not "." or "..". False: no more are wanted. */
typedef bool bspi_entry_fn(void *user, const char *name, bspi_path_kind kind);
/* All entries of a directory, in any order. False: it cannot be read. */
bool bspi_system_list(const char *path, bspi_entry_fn *each, void *user);

/* Absolute, without links, '/'-separated, by malloc; NULL when there is nothing. */
char *bspi_system_real_path(const char *path);
/* What a variable of the environment says, UTF-8, by malloc; NULL: there is none. */
char *bspi_system_variable(const char *name);
/* Where Steam is, and where else users of this system have games: "$NAME/" stands for a variable. NULL ends them. */
extern const char *const bspi_system_steam_folders[], *const bspi_system_game_folders[];
/* Text is UTF-8 to libraries that ask the locale, in this thread and until the end, where the system has such a
 * locale. */
typedef struct bspi_utf8_locale {
	void *own, *before;                /* NULL: as it was */
} bspi_utf8_locale;
bspi_utf8_locale bspi_system_begin_utf8(void);
void bspi_system_end_utf8(bspi_utf8_locale locale);
/* Makes '/' of what else separates names in the paths of this system. */
void bspi_system_fold(char *path);

#endif
