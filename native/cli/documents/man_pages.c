/* man_pages.c - prints a page in man(7) format for the program and one for each command. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/documents/documents.h"

/* Date of the last change, printed on each page. */
#define REVISED "2026-11-28"

/* Prints `length` characters for roff. Escapes control characters at the beginning of lines, and prints "-" as a minus
 * that can be copied into a command. Line breaks become spaces unless `keeps_lines`. */
static void print_part(const char *text, size_t length, bool keeps_lines)
{
	bool begins = true;
	for (size_t i = 0; i < length; i++) {
		char c = text[i] == '\n' && !keeps_lines ? ' ' : text[i];
		if (begins && (c == '.' || c == '\'')) printf("\\&");
		if (c == '-') printf("\\-");
		else if (c == '\\') printf("\\e");
		else putchar(c);
		begins = c == '\n';
	}
}

static void print_text(const char *text)
{
	print_part(text, strlen(text), false);
}

/* Prints paragraphs, which are separated by empty lines. */
static void print_paragraphs(const char *text)
{
	for (const char *end; (end = strstr(text, "\n\n")); text = end + 2) {
		print_part(text, (size_t)(end - text), false);
		printf("\n.PP\n");
	}
	print_text(text);
	putchar('\n');
}

static void print_option_help(const cli_option_row *row)
{
	const char *rest = row->help;
	for (size_t length; (length = cli_help_part(row, rest)); rest += length + (rest[length] == '\n')) {
		if (rest != row->help) printf(".br\n");
		print_part(rest, length, false);
		putchar('\n');
	}
}

static void print_option(const cli_option_row *row)
{
	printf(".TP\n\\fB\\-\\-");
	print_text(row->name);
	printf("\\fR");
	if (row->value) {
		printf(" \\fI");
		print_text(row->value);
		printf("\\fR");
	}
	putchar('\n');
	print_option_help(row);
}

static void print_head(const char *title, const char *summary)
{
	printf(".TH \"");
	for (const char *at = title; *at; at++) putchar(*at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at);
	printf("\" 1 \"" REVISED "\" \"bspscene %s\" \"User Commands\"\n.SH NAME\n", bspscene_version());
	print_text(title);
	printf(" \\- ");
	print_text(summary);
	printf("\n.SH SYNOPSIS\n");
}

/* Prints examples without the two leading spaces that they have in --help, because roff indents them. */
static void print_examples(const char *text)
{
	printf(".SH EXAMPLES\n.nf\n");
	for (; *text; text += strcspn(text, "\n") + (text[strcspn(text, "\n")] != 0)) {
		text += strspn(text, " ");
		print_part(text, strcspn(text, "\n"), true);
		putchar('\n');
	}
	printf(".fi\n");
}

static void print_exit_status(void)
{
	printf(".SH EXIT STATUS\n.TP\n0\nSuccess.\n.TP\n1\nThe input or the output failed.\n.TP\n2\nWrong usage.\n");
}

static void write_command_page(const cli_command *command)
{
	char title[64];
	snprintf(title, sizeof title, "bspscene-%s", command->name);
	char *summary = cli_summary_of(command);
	print_head(title, summary);
	free(summary);
	printf("\\fBbspscene %s\\fR \\fI", command->name);
	print_text(command->operands);
	printf("\\fR [\\fIOPTION\\fR]...\n.SH DESCRIPTION\n");
	print_paragraphs(command->details);
	print_examples(command->examples);
	printf(".SH OPTIONS\n");
	for (cli_option_group group = 0; group < CLI_GROUP_COUNT; group++) {
		const char *at = NULL;
		const cli_option_row *row = cli_next_in_group(command, group, &at);
		if (row && command->first) printf(".SS \"%s\"\n", cli_group_title(command, group));
		for (; row; row = cli_next_in_group(command, group, &at)) print_option(row);
	}
	print_exit_status();
	printf(".SH SEE ALSO\n.BR bspscene (1)\n");
}

static void write_program_page(void)
{
	print_head("bspscene", "turn compiled game maps (BSP) into scenes, pictures and data");
	printf("\\fBbspscene\\fR \\fICOMMAND SOURCE\\fR [\\fIOPTION\\fR]...\n"
	       ".SH DESCRIPTION\nSOURCE is a map, an archive (pk3, pk4, zip, pak, vpk), a game directory or a model. "
	       "\\-\\-map NAME picks a map of an archive or game. A map in GAME/maps finds the textures of GAME by itself; "
	       "for any other map, name the game with \\-\\-game DIR.\n.SH COMMANDS\n");
	for (int i = 0; cli_commands[i]; i++) {
		printf(".TP\n\\fB%s\\fR \\fI", cli_commands[i]->name);
		print_text(cli_commands[i]->operands);
		printf("\\fR\n");
		char *summary = cli_summary_of(cli_commands[i]);
		print_text(summary);
		free(summary);
		printf(": see\n.BR bspscene\\-%s (1).\n", cli_commands[i]->name);
	}
	printf(".SH OPTIONS OF ALL COMMANDS\n");
	const cli_option_row *row;
	for (const char *at = NULL; (row = cli_next_option(NULL, &at));) print_option(row);
	print_exit_status();
	printf(".SH SEE ALSO\n");
	for (int i = 0; cli_commands[i]; i++) {
		printf(".BR bspscene\\-%s (1)%s\n", cli_commands[i]->name, cli_commands[i + 1] ? "," : "");
	}
}

void cli_write_man_page(const cli_command *command)
{
	if (command) write_command_page(command);
	else write_program_page();
}
