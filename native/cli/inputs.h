/* inputs.h - recognizes and reads the input files of a command. No output may replace an input. */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include "cli/command_source.h"

/* True if `path` is an input, under any name or link. Inputs are SOURCE, and archives and directories that are searched
 * for files of the map. False if `path` does not exist. */
bool cli_is_input(const cli_source *source, const char *path);

/* Largest size in bytes of a text or atlas that a command reads. */
#define CLI_LARGEST_INPUT (UINT64_C(1) << 30)

/* Reads a whole file; "-" is standard input. NULL after an error, which is printed. */
char *cli_read_file(const char *path, size_t *size);

#endif
