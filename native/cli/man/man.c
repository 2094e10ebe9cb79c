/* man.c - the tables of commands and options -> bspscene.1 on standard output. A program of the build. */
#include <stdio.h>
#include <string.h>

#include <bspscene/bspscene.h>

#include "../commands.h"
#include "../option_rows.h"

/* Text as roff shows it: a line must not begin with a control character, and "-" is what can be typed. Line breaks
 * within a paragraph are roff's business unless `keeps_lines`. */
static void print_text(const char *text, bool keeps_lines)
{
	bool begins = true;
	for (const char *at = text; *at; at++) {
		if (*at == '\n' && !keeps_lines && at[1] != '\n') {
			putchar(' ');
			continue;
		}
		if (*at == '\n' && !keeps_lines) {
			printf("\n.PP\n");
			at++;
			begins = true;
			continue;
		}
		if (begins && (*at == '.' || *at == '\'')) printf("\\&");
		if (*at == '-') printf("\\-");
		else if (*at == '\\') printf("\\e");
		else putchar(*at);
		begins = *at == '\n';
	}
}

static void print_option(const cli_option_row *row)
{
	printf(".TP\n\\fB\\-\\-");
	print_text(row->name, false);
	if (row->value) {
		printf("\\fI ");
		print_text(row->value, false);
	}
	printf("\\fR\n");
	print_text(row->help, false);
	putchar('\n');
}

static void print_options(uint64_t taken)
{
	for (size_t i = 0; i < cli_option_count; i++) {
		if (cli_option_rows[i].option & taken) print_option(&cli_option_rows[i]);
	}
}

static void print_command(const cli_command *command)
{
	printf(".SS \"bspscene %s %s\"\n", command->name, command->operands);
	print_text(command->details, false);
	putchar('\n');
	print_options(command->options & ~(uint64_t)CLI_OPTIONS_COMMON);
	printf(".PP\nExamples:\n.PP\n.nf\n");
	print_text(command->examples, true);
	printf(".fi\n");
}

int main(void)
{
	printf(".TH BSPSCENE 1 \"\" \"bspscene %s\" \"User Commands\"\n"
	       ".SH NAME\nbspscene \\- turn compiled game maps (BSP) into scenes\n"
	       ".SH SYNOPSIS\n\\fBbspscene\\fI COMMAND SOURCE \\fR[\\fIOPTION\\fR]...\n"
	       ".SH DESCRIPTION\nSOURCE is a map, an archive (pk3, pk4, zip, pak, vpk) or a game directory; "
	       "\\-\\-map NAME picks a map in the latter two.\n.SH COMMANDS\n", bspscene_version());
	for (int i = 0; cli_commands[i]; i++) print_command(cli_commands[i]);
	printf(".SH OPTIONS OF ALL COMMANDS\n");
	print_options(CLI_OPTIONS_COMMON);
	printf(".SH EXIT STATUS\n0: done; 1: the input or output failed; 2: wrong usage.\n");
	return 0;
}
