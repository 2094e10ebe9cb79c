/* documents.h - manual pages and completions, made from the tables of commands and options, on standard output. */
#ifndef CLI_DOCUMENTS_H
#define CLI_DOCUMENTS_H

#include "../commands.h"
#include "../option_rows.h"

/* A page in man(7) for one command, or for the program (NULL). */
void cli_write_man_page(const cli_command *command);

void cli_write_bash_completion(void);
void cli_write_zsh_completion(void);
void cli_write_fish_completion(void);

static inline bool cli_takes(const cli_command *command, const cli_option_row *row)
{
	return (row->option & (command->options | CLI_OPTIONS_COMMON)) != 0;
}

#endif
