/* file_output.h - writes the files of a writer into the folder of a path on disk: either all of them or none. */
#ifndef BSPI_FILE_OUTPUT_H
#define BSPI_FILE_OUTPUT_H

#include <stdio.h>

#include "base/ctx.h"

typedef struct bspi_made_file bspi_made_file;

/* The files being written. They have temporary names until all are complete. */
typedef struct bspi_file_output {
	bspi_heap heap;
	const char *path;                  /* path of the main file; all files are in its directory */
	bspi_made_file *made;              /* all files, the newest one first */
	FILE *file;                        /* the file that is being written */
	bspscene_error *error;             /* receives the reason of a failure; may be NULL */
	bool failed;
} bspi_file_output;

/* Returns the part of a path after its last separator. */
const char *bspi_file_name_of(const char *path);
/* The functions of a bspscene_output. `user` is a bspi_file_output. */
bool bspi_file_begin(void *user, const char *name);
bool bspi_file_write(void *user, const void *data, size_t size);
bool bspi_file_end(void *user);
/* If `well`, all files were written: gives them their final names, or none of them if one cannot be renamed
 * (system/file_set.h). Otherwise deletes them. On failure, sets the error and returns false. */
bool bspi_file_finish(bspi_file_output *output, bool well);

#endif
