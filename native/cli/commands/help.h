/* help.h - prints --help from the tables of commands and options, in lines of at most 80 columns. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#define CLI_HELP_COLUMNS 80

/* Prints text in lines of at most CLI_HELP_COLUMNS columns, the second and later ones indented. `column` is where the
 * cursor stands. A line break in the text counts as a space, an empty line parts paragraphs. */
void cli_print_wrapped(const char *text, int column, int indent);

#endif
