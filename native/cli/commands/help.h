/* help.h - prints --help from the tables of commands and options, in lines of at most 80 columns. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#define CLI_HELP_COLUMNS 80

/* Prints text in lines of at most CLI_HELP_COLUMNS columns. All lines but the first are indented by `indent`. `column`
 * is where the cursor is. A line break in the text counts as a space; an empty line separates paragraphs. */
void cli_print_wrapped(const char *text, int column, int indent);

#endif
