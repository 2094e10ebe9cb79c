/* commands.h - the commands, each in its own file; commands.def lists them. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/options/args.h"

#define CLI_COMMAND(name) extern const cli_command cli_command_##name;
#include "cli/commands/commands.def"
#undef CLI_COMMAND

/* In the order of --help; NULL after the last. */
extern const cli_command *const cli_commands[];
const cli_command *cli_find_command(const char *name);
/* Prints that the command does not exist, and which name is nearest. */
cli_exit cli_unknown_command(const char *name);
/* Returns the summary, in which the endings of files are filled in, in new memory. */
char *cli_summary_of(const cli_command *command);

#endif
