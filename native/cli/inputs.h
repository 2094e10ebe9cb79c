/* inputs.h - the files that a command reads, so that no output replaces one of them. */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include "cli/command_source.h"

/* True if `path` is SOURCE or an archive or directory that is searched, whatever names or links lead to it. False if it
 * does not exist. */
bool cli_is_input(const cli_source *source, const char *path);

/* Reads a whole stream of at most a gigabyte, and closes it. NULL if it cannot be read or is larger. */
char *cli_read_all(bspscene_stream *stream, size_t *size);
/* Reads a whole file; "-" is standard input. NULL after an error, which is printed. */
char *cli_read_file(const char *path, size_t *size);

#endif
