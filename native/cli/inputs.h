/* inputs.h - what a command reads, so that nothing it writes replaces that. */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include "cli/source.h"

/* Is `path`, by whatever name or link, SOURCE or an archive or directory that is searched? False for what is absent. */
bool cli_is_input(const cli_source *source, const char *path);

#endif
