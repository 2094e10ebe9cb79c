/* commands.h - the commands, each in its own file; commands.def lists them. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/options/args.h"

#define CLI_COMMAND(name) extern const cli_command cli_command_##name;
#include "cli/commands/commands.def"
#undef CLI_COMMAND

/* All commands in the order of --help, followed by NULL. */
extern const cli_command *const cli_commands[];
const cli_command *cli_find_command(const char *name);
/* Prints that the command does not exist, and suggests the most similar name. */
cli_exit cli_unknown_command(const char *name);
/* Returns the command's summary in new memory, with CLI_ENDINGS replaced. */
char *cli_summary_of(const cli_command *command);

#endif
