/* inputs.h - what a command reads, so that nothing it writes replaces that. */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include "cli/command_source.h"

/* Is `path`, by whatever name or link, SOURCE or an archive or directory that is searched? False for what is absent. */
bool cli_is_input(const cli_source *source, const char *path);

/* All of a stream, up to a gigabyte; the stream is closed. NULL: it cannot be read, or is larger. */
char *cli_read_all(bspscene_stream *stream, size_t *size);
/* All of a file; "-" is standard input. NULL: the error is printed. */
char *cli_read_file(const char *path, size_t *size);

#endif
