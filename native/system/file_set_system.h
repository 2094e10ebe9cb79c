/* file_set_system.h - the functions of the operating system that file_set.c needs. file_set_posix.c and
 * file_set_windows.c implement them. They are in a table, so that tests can make each call fail. Paths are UTF-8.
 * Failures set errno. */
#ifndef BSPI_FILE_SET_SYSTEM_H
#define BSPI_FILE_SET_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum bspi_set_kind { BSPI_SET_ABSENT, BSPI_SET_FILE, BSPI_SET_DIRECTORY, BSPI_SET_OTHER } bspi_set_kind;
typedef enum bspi_set_locking { BSPI_SET_LOCKED, BSPI_SET_HELD, BSPI_SET_NO_LOCKS } bspi_set_locking;

/* Identifies a file whatever its name is: its number (inode), its size, and the time when it was last written. */
typedef struct bspi_file_mark {
	uint64_t number, size, written;
} bspi_file_mark;

typedef struct bspi_set_system {
	/* Gets the identity of a file without following links. `mark` may be NULL. */
	bspi_set_kind (*look)(const char *path, bspi_file_mark *mark);
	bool (*link)(const char *path, const char *second);
	bool (*rename)(const char *path, const char *to);
	bool (*remove)(const char *path);
	/* Creates a new file that only this user may write. */
	FILE *(*create)(const char *path);
	/* Opens a file for reading, without following links. It must be a regular file of this user that nobody else may
	 * write. */
	FILE *(*open)(const char *path);
	/* Gets the number of an open file, the same as in bspi_file_mark. */
	bool (*number)(FILE *file, uint64_t *number);
	/* Locks a folder. The lock ends with the program at the latest. */
	bspi_set_locking (*lock)(const char *folder, intptr_t *lock);
	void (*unlock)(intptr_t lock);
	void (*wait)(unsigned milliseconds);
} bspi_set_system;

extern const bspi_set_system bspi_set_native;

#endif
