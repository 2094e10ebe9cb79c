/* documents.h - manual pages and completions, made from the tables of commands and options, on standard output. */
#ifndef CLI_DOCUMENTS_H
#define CLI_DOCUMENTS_H

#include "cli/commands/commands.h"
#include "cli/options/option_rows.h"

/* A page in man(7) for one command, or for the program (NULL). */
void cli_write_man_page(const cli_command *command);

void cli_write_bash_completion(void);
void cli_write_zsh_completion(void);
void cli_write_fish_completion(void);

#endif
