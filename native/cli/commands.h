/* commands.h - the commands, each in its own file; commands.c lists them. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "args.h"

extern const cli_command cli_command_info;
extern const cli_command cli_command_list;
extern const cli_command cli_command_convert;
extern const cli_command cli_command_bake;
extern const cli_command cli_command_relight;
extern const cli_command cli_command_render;
extern const cli_command cli_command_entities;
extern const cli_command cli_command_extract;
extern const cli_command cli_command_catalog;
extern const cli_command cli_command_process;
extern const cli_command cli_command_gallery;
extern const cli_command cli_command_diff;

/* In the order of --help; NULL behind the last. */
extern const cli_command *const cli_commands[];
const cli_command *cli_find_command(const char *name);

#endif
