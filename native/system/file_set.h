/* file_set.h - renames several files together, all of them or none, for the library and the command line.
 *
 * A lock lets one program at a time do it in a folder. Old files keep a second name until the last new file is in
 * place. A record in the folder says what is being done, so that the next program that writes there can undo the work
 * of a killed one. SECURITY.md says what is promised. */
#ifndef BSPI_FILE_SET_H
#define BSPI_FILE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "system/file_set_system.h"

typedef struct bspi_set_file {
	const char *temporary;             /* temporary name, in the same folder as `target`, with at least 4 letters */
	const char *target;
	/* private */
	char *kept;                        /* second name that the old file gets; NULL: there was no file `target` */
	bspi_file_mark mark;               /* identity of the new file; renaming does not change it */
	bool moved, placed;                /* moved: the old file has only its second name; placed: the new file has the
	                                    * name `target` */
} bspi_set_file;

typedef struct bspi_file_set {
	const char *folder;                /* beginning of all targets, up to a separator; "": the current folder */
	bspi_set_file *files;              /* in the order in which they get their names: a file that names the others is
	                                    * last */
	size_t count;
	const bspi_set_system *system;     /* functions of the operating system; NULL: those of bspi_set_native */
	const char *failed;                /* if a call failed: the target that could not be replaced */
	bool busy;                         /* nothing was tried, because another program holds the folder */
	/* private */
	bool locked, recorded;
	intptr_t lock;
} bspi_file_set;

/* Waits until no other program renames a set in this folder, then undoes what a killed program left there. A set of one
 * file does not wait. Returns false and sets `busy` if another program holds the folder too long. */
bool bspi_file_set_begin(bspi_file_set *set);
/* Renames all files. If that fails, leaves everything as it was, and `failed` and errno say why. Call it once, after
 * bspi_file_set_begin. After a failure the caller removes the temporary files. */
bool bspi_file_set_finish(bspi_file_set *set);
/* Undoes what a killed program left in a folder. If there is nothing to undo, this only takes one attempt to open a
 * file. */
void bspi_file_set_repair(const char *folder, const bspi_set_system *system);

#endif
