/* file_set_system.h - what file_set.c asks of the operating system, implemented by file_set_posix.c and
 * file_set_windows.c. It is a table, so that tests can make each call fail. Paths are UTF-8; failures set errno. */
#ifndef BSPI_FILE_SET_SYSTEM_H
#define BSPI_FILE_SET_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum bspi_set_kind { BSPI_SET_ABSENT, BSPI_SET_FILE, BSPI_SET_DIRECTORY, BSPI_SET_OTHER } bspi_set_kind;
typedef enum bspi_set_locking { BSPI_SET_LOCKED, BSPI_SET_HELD, BSPI_SET_NO_LOCKS } bspi_set_locking;

/* Identifies a file under any name. */
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
	/* Opens a regular file of this user that nobody else may write; does not follow links. */
	FILE *(*open)(const char *path);
	/* Returns the number of an open file, as in bspi_file_mark. */
	bool (*number)(FILE *file, uint64_t *number);
	/* The lock ends with the program. */
	bspi_set_locking (*lock)(const char *folder, intptr_t *lock);
	void (*unlock)(intptr_t lock);
	void (*wait)(unsigned milliseconds);
} bspi_set_system;

extern const bspi_set_system bspi_set_native;

#endif
