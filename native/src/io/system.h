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
	BSPI_PATH_LINK, /* with any target, or none */
	BSPI_PATH_OTHER /* a device, a pipe */
} bspi_path_kind;

/* Returns the kind of a path's target, never BSPI_PATH_LINK. */
bspi_path_kind bspi_system_kind(const char *path);

/* Returns the time at which a file was last written, in seconds of its file system's clock. Only differences between
 * files are meaningful. False if it is unknown. */
bool bspi_system_modified(const char *path, int64_t *seconds);

/* Opens a regular file for reading. Any number of threads may read it at any offset. Returns false for others: errno is
 * EISDIR for directories and EINVAL for devices and pipes. */
bool bspi_system_open(const char *path, intptr_t *file, uint64_t *size);
/* Returns how many bytes were stored, 0 at the end, SIZE_MAX on failure. */
size_t bspi_system_read(intptr_t file, uint64_t offset, void *data, size_t size);
void bspi_system_close(intptr_t file);

/* Creates a file. NULL on failure; errno is EEXIST if the name exists. */
FILE *bspi_system_create(const char *path);
void bspi_system_remove(const char *path);

/* Called for each entry except "." and "..". Return false to stop. */
typedef bool bspi_entry_fn(void *user, const char *name, bspi_path_kind kind);
/* Lists a directory in any order. False if it cannot be read. */
bool bspi_system_list(const char *path, bspi_entry_fn *each, void *user);

/* Returns the real path with '/', by malloc. NULL if it does not exist. */
char *bspi_system_real_path(const char *path);
/* Returns an environment variable in UTF-8, by malloc. NULL if it is not set. */
char *bspi_system_variable(const char *name);
/* Folders of Steam, and other usual folders of games; "$NAME/" is an environment variable. Both end with NULL. */
extern const char *const bspi_system_steam_folders[], *const bspi_system_game_folders[];
/* Makes a UTF-8 locale current for this thread until the end, for libraries that use the locale, if the system has
 * one. */
typedef struct bspi_utf8_locale {
	void *own, *before; /* NULL: not changed */
} bspi_utf8_locale;
bspi_utf8_locale bspi_system_begin_utf8(void);
void bspi_system_end_utf8(bspi_utf8_locale locale);
/* Replaces other path separators of the system by '/'. */
void bspi_system_fold(char *path);

#endif
