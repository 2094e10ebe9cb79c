/* file_output.h - writes a writer's files next to a path on disk: all of them or none. */
#ifndef BSPI_FILE_OUTPUT_H
#define BSPI_FILE_OUTPUT_H

#include <stdio.h>

#include "base/ctx.h"

typedef struct bspi_made_file bspi_made_file;

/* Files have temporary names until all are complete. */
typedef struct bspi_file_output {
	bspi_heap heap;
	const char *path;                  /* of the main file; all files share its directory */
	bspi_made_file *made;              /* newest first */
	FILE *file;                        /* the one being written */
	bspscene_error *error;             /* why it failed; may be NULL */
	bool failed;
} bspi_file_output;

/* Returns the part of a path after its last separator. */
const char *bspi_file_name_of(const char *path);
/* The functions of bspscene_output; `user` is a bspi_file_output. */
bool bspi_file_begin(void *user, const char *name);
bool bspi_file_write(void *user, const void *data, size_t size);
bool bspi_file_end(void *user);
/* Gives the files their final names if `well`, else deletes them: all of them or none (system/file_set.h). False with
 * the error set on failure. */
bool bspi_file_finish(bspi_file_output *output, bool well);

#endif
