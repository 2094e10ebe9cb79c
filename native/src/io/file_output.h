/* file_output.h - where a writer puts its files: beside a path of this machine, all of them or none. */
#ifndef BSPI_FILE_OUTPUT_H
#define BSPI_FILE_OUTPUT_H

#include <stdio.h>

#include "base/ctx.h"

typedef struct bspi_made_file bspi_made_file;

/* Files have temporary names until all are there. */
typedef struct bspi_file_output {
	bspi_heap heap;
	const char *path;                  /* of the main file; up to its last separator, of all */
	bspi_made_file *made;              /* newest first */
	FILE *file;                        /* the one that is open */
	bspscene_error *error;             /* why it stopped, may be NULL */
	bool failed;
} bspi_file_output;

/* The part of a path behind its last separator. */
const char *bspi_file_name_of(const char *path);
/* As bspscene_output's; `user` is a bspi_file_output. */
bool bspi_file_begin(void *user, const char *name);
bool bspi_file_write(void *user, const void *data, size_t size);
bool bspi_file_end(void *user);
/* Gives the files their names when all is `well`, else takes them away: all of them or none (system/file_set.h). False:
 * `error` says what did not work. */
bool bspi_file_finish(bspi_file_output *output, bool well);

#endif
