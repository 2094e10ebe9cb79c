/* documents.h - prints manual pages and completions from the tables of commands and options. */
#ifndef CLI_DOCUMENTS_H
#define CLI_DOCUMENTS_H

#include "cli/commands/commands.h"
#include "cli/options/option_rows.h"

/* Prints a manual page for one command, or for the program (NULL). */
void cli_write_man_page(const cli_command *command);

void cli_write_bash_completion(void);
void cli_write_zsh_completion(void);
void cli_write_fish_completion(void);

#endif
