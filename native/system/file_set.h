/* file_set.h - gives several files their names together: all of them or none, for the library and the command line.
 *
 * One program at a time does it in a folder (a lock). Old files keep a second name until the last new one is in place,
 * and a record in the folder says what is being done, so that whoever writes there next can undo the work of a program
 * that was killed. SECURITY.md says what is promised. */
#ifndef BSPI_FILE_SET_H
#define BSPI_FILE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "system/file_set_system.h"

typedef struct bspi_set_file {
	const char *temporary;             /* what it is called until then; in the folder of `target`, 4 letters or more */
	const char *target;
	/* private */
	char *kept;                        /* the second name of the file that `target` was, or NULL: there was none */
	bspi_file_mark mark;               /* of the new file */
	bool moved, placed;                /* the old file has its second name alone; the new file has its name */
} bspi_set_file;

typedef struct bspi_file_set {
	const char *folder;                /* what all targets begin with, up to a separator; "": the current folder */
	bspi_set_file *files;              /* in the order in which they appear: the file that names the others is last */
	size_t count;
	const bspi_set_system *system;     /* NULL: &bspi_set_native */
	const char *failed;                /* the target that could not be replaced */
	bool busy;                         /* it was not tried: another program holds the folder */
	/* private */
	bool locked, recorded;
	intptr_t lock;
} bspi_file_set;

/* Waits until no other program gives several files their names in this folder, and undoes what a killed one began. A
 * single file does not wait. False: `busy`. */
bool bspi_file_set_begin(bspi_file_set *set);
/* Gives all files their names, or leaves everything as it was: then `failed` and errno say why. Call it once after
 * bspi_file_set_begin. The temporary names of a failed set are the caller's to remove. */
bool bspi_file_set_finish(bspi_file_set *set);
/* Undoes what a killed program began in a folder. One attempt to open a file where there is nothing to undo. */
void bspi_file_set_repair(const char *folder, const bspi_set_system *system);

#endif
