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
	const char *temporary;             /* temporary name, in the folder of `target`; at least 4 letters */
	const char *target;
	/* private */
	char *kept;                        /* second name of the old file, or NULL if `target` did not exist */
	bspi_file_mark mark;               /* identity of the new file */
	bool moved, placed;                /* the old file has only its second name; the new file has its name */
} bspi_set_file;

typedef struct bspi_file_set {
	const char *folder;                /* what all targets begin with, up to a separator; "": the current folder */
	bspi_set_file *files;              /* in the order in which they appear: the file that names the others is last */
	size_t count;
	const bspi_set_system *system;     /* NULL: &bspi_set_native */
	const char *failed;                /* the target that could not be replaced */
	bool busy;                         /* not tried, because another program holds the folder */
	/* private */
	bool locked, recorded;
	intptr_t lock;
} bspi_file_set;

/* Waits until no other program renames a set in this folder, and undoes what a killed one began. A single file does not
 * wait. False with `busy`. */
bool bspi_file_set_begin(bspi_file_set *set);
/* Renames all files, or leaves everything as it was; then `failed` and errno say why. Call it once after
 * bspi_file_set_begin. After a failure the caller removes the temporary files. */
bool bspi_file_set_finish(bspi_file_set *set);
/* Undoes what a killed program began in a folder. If there is nothing to undo, this costs one attempt to open a
 * file. */
void bspi_file_set_repair(const char *folder, const bspi_set_system *system);

#endif
