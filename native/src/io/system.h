/* system.h - the operating system's functions that the library needs, implemented by system_posix.c and
 * system_windows.c. Paths are UTF-8. Failures set errno. */
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
	BSPI_PATH_LINK, /* a link, whether or not its target exists */
	BSPI_PATH_OTHER /* such as a device or a pipe */
} bspi_path_kind;

/* Returns the kind of file that a path leads to. It follows links, so it never returns BSPI_PATH_LINK. */
bspi_path_kind bspi_system_kind(const char *path);

/* Returns the time at which a file was last written, in seconds. Only the difference between the times of two files
 * has a meaning. False if the time is unknown. */
bool bspi_system_modified(const char *path, int64_t *seconds);

/* Opens a regular file for reading. Several threads may read it at once, at any offsets. Returns false for
 * anything else, with errno EISDIR for directories and EINVAL for devices and pipes. */
bool bspi_system_open(const char *path, intptr_t *file, uint64_t *size);
/* Returns how many bytes were stored, 0 at the end, SIZE_MAX on failure. */
size_t bspi_system_read(intptr_t file, uint64_t offset, void *data, size_t size);
void bspi_system_close(intptr_t file);

/* Creates a file. NULL on failure; errno is EEXIST if the name exists. */
FILE *bspi_system_create(const char *path);
void bspi_system_remove(const char *path);

/* Called for each entry of a directory except "." and "..". Return false to stop. */
typedef bool bspi_entry_fn(void *user, const char *name, bspi_path_kind kind);
/* Lists the entries of a directory, in any order. False if it cannot be read. */
bool bspi_system_list(const char *path, bspi_entry_fn *each, void *user);

/* Returns the real path with '/'. The caller frees it. NULL if the path does not exist. */
char *bspi_system_real_path(const char *path);
/* Returns an environment variable in UTF-8. The caller frees it. NULL if it is not set. */
char *bspi_system_variable(const char *name);
/* Folders of Steam, and other folders in which games usually are. "$NAME/" stands for an environment variable. Both
 * lists end with NULL. */
extern const char *const bspi_system_steam_folders[], *const bspi_system_game_folders[];
/* For libraries that use the locale: bspi_system_begin_utf8 makes a UTF-8 locale current for this thread, if the
 * system has one. bspi_system_end_utf8 restores the locale that was current before. */
typedef struct bspi_utf8_locale {
	void *own, *before; /* the UTF-8 locale, and the one to restore; own is NULL: the locale was not changed */
} bspi_utf8_locale;
bspi_utf8_locale bspi_system_begin_utf8(void);
void bspi_system_end_utf8(bspi_utf8_locale locale);
/* Replaces the system's other path separators by '/'. */
void bspi_system_fold(char *path);

#endif
