/* help.c - prints --help from the tables of commands and options, in lines of at most 80 columns. */
#include "cli/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/option_rows.h"
#include "cli/report.h"

enum { COLUMNS = 80, OPTION_COLUMN = 26, SUMMARY_COLUMN = 12 };

static void break_line(int indent) { printf("\n%*s", indent, ""); }

/* Prints `length` bytes word by word and returns the column after them. */
static int print_words(const char *text, size_t length, int column, int indent)
{
	const char *end = text + length;
	for (const char *word = text; word < end;) {
		size_t size = 0;
		while (word + size < end && word[size] != ' ' && word[size] != '\n') size++;
		bool follows = word > text && column > indent;
		if (size && follows && column + 1 + (int)size > COLUMNS) {
			break_line(indent);
			column = indent;
			follows = false;
		}
		if (size) column += printf("%s%.*s", follows ? " " : "", (int)size, word);
		word += size + 1;
	}
	return column;
}

/* Prints text in lines of at most COLUMNS columns, the second and later ones indented. `column` is the current column.
 * A line break in the text counts as a space; an empty line separates paragraphs. */
static void print_wrapped(const char *text, int column, int indent)
{
	for (const char *end; (end = strstr(text, "\n\n")); text = end + 2, column = indent) {
		print_words(text, (size_t)(end - text), column, indent);
		putchar('\n');
		break_line(indent);
	}
	print_words(text, strlen(text), column, indent);
	putchar('\n');
}

/* Prints the name of an option, then its help in a column of its own. */
static void print_option(const cli_option_row *row)
{
	char *name = cli_format("  --%s%s%s", row->name, row->value ? " " : "", row->value ? row->value : "");
	printf("%-*s", OPTION_COLUMN, name);
	if ((int)strlen(name) + 2 > OPTION_COLUMN) break_line(OPTION_COLUMN);
	free(name);
	const char *rest = row->help;
	for (size_t length; (length = cli_help_part(row, rest)); rest += length + (rest[length] == '\n')) {
		bool is_list = cli_explains_word(row, rest);
		if (rest != row->help) break_line(OPTION_COLUMN);
		print_words(rest, length, OPTION_COLUMN, OPTION_COLUMN + (is_list ? 2 : 0));
	}
	putchar('\n');
}

void cli_print_help(const cli_command *command)
{
	char *summary = cli_summary_of(command), *title = cli_format("bspscene %s: %s", command->name, summary);
	print_wrapped(title, 0, 0);
	free(title);
	free(summary);
	printf("\nUsage: bspscene %s %s [OPTION]...\n\nExamples:\n%s\n", command->name, command->operands,
	       command->examples);
	print_wrapped(command->details, 0, 0);
	for (cli_option_group group = 0; group < CLI_GROUP_COUNT; group++) {
		const char *at = NULL;
		const cli_option_row *row = cli_next_in_group(command, group, &at);
		if (row) printf("\n%s:\n", cli_group_title(command, group));
		for (; row; row = cli_next_in_group(command, group, &at)) print_option(row);
	}
}

void cli_print_overview(void)
{
	printf("bspscene: turn compiled game maps (BSP) into scenes, pictures and data\n\n"
	       "Usage: bspscene COMMAND SOURCE [OPTION]...\n\n"
	       "Examples:\n"
	       "  bspscene info maps/atrium.bsp\n"
	       "  bspscene render maps/atrium.bsp atrium.png\n"
	       "  bspscene convert maps/atrium.bsp atrium.glb\n"
	       "  bspscene help convert\n\n");
	print_wrapped("SOURCE is a map, an archive (pk3, pk4, zip, pak, vpk), a game directory or a model. --map NAME "
	              "picks a map of an archive or game. A map in GAME/maps/ finds the textures of GAME by itself; "
	              "for any other map, name the game with --game DIR.", 0, 0);
	for (int i = 0; cli_commands[i]; i++) {
		const cli_command *command = cli_commands[i];
		if (!i || strcmp(command->section, cli_commands[i - 1]->section)) printf("\n%s:\n", command->section);
		char *summary = cli_summary_of(command);
		int column = printf("  %-*s", SUMMARY_COLUMN - 2, command->name);
		print_wrapped(summary, column, SUMMARY_COLUMN);
		free(summary);
	}
	putchar('\n');
	print_wrapped("\"bspscene help COMMAND\" explains a command and shows examples. All commands take --quiet, "
	              "--version and --help.", 0, 0);
	printf("Exit status: 0 success, 1 the input or the output failed, 2 wrong usage.\n");
}
