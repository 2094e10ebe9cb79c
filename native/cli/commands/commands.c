/* commands.c - the table of all commands, for the program, its help and the manual pages. */
#include "cli/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/names.h"
#include "cli/commands/help.h"
#include "cli/options/nearest.h"
#include "cli/report.h"

const cli_command *const cli_commands[] = {
#define CLI_COMMAND(name) &cli_command_##name,
#include "cli/commands/commands.def"
#undef CLI_COMMAND
	NULL,
};

const cli_command *cli_find_command(const char *name)
{
	for (int i = 0; cli_commands[i]; i++) {
		if (!strcmp(cli_commands[i]->name, name)) return cli_commands[i];
	}
	return NULL;
}

char *cli_summary_of(const cli_command *command)
{
	const char *at = strstr(command->summary, CLI_ENDINGS);
	if (!at) return cli_format("%s", command->summary);
	char *endings = cli_written_endings(false);
	char *summary = cli_format("%.*s%s%s", (int)(at - command->summary), command->summary, endings,
	                           at + strlen(CLI_ENDINGS));
	free(endings);
	return summary;
}

cli_exit cli_unknown_command(const char *name)
{
	cli_nearest nearest = { .typed = name };
	for (int i = 0; cli_commands[i]; i++) cli_nearest_offer(&nearest, cli_commands[i]->name);
	if (!nearest.name) return cli_usage("\"%s\" is not a command; \"bspscene help\" lists all", name);
	return cli_usage("\"%s\" is not a command; did you mean \"%s\"? \"bspscene help\" lists all", name, nearest.name);
}

void cli_print_overview(void)
{
	enum { SUMMARY_COLUMN = 12 };
	printf("bspscene: turn compiled game maps (BSP) into scenes, pictures and data\n\n"
	       "Usage: bspscene COMMAND SOURCE [OPTION]...\n\n"
	       "Examples:\n"
	       "  bspscene info maps/atrium.bsp\n"
	       "  bspscene render maps/atrium.bsp atrium.png\n"
	       "  bspscene convert maps/atrium.bsp atrium.glb\n"
	       "  bspscene help convert\n\n");
	cli_print_wrapped("SOURCE is a map, an archive (pk3, pk4, zip, pak, vpk), a game directory or a model. --map NAME "
	                  "picks a map of an archive or game. A map in GAME/maps/ finds the textures of GAME by itself; "
	                  "for any other map, name the game with --game DIR.", 0, 0);
	for (int i = 0; cli_commands[i]; i++) {
		const cli_command *command = cli_commands[i];
		if (!i || strcmp(command->section, cli_commands[i - 1]->section)) printf("\n%s:\n", command->section);
		char *summary = cli_summary_of(command);
		int column = printf("  %-*s", SUMMARY_COLUMN - 2, command->name);
		cli_print_wrapped(summary, column, SUMMARY_COLUMN);
		free(summary);
	}
	putchar('\n');
	cli_print_wrapped("\"bspscene help COMMAND\" explains a command and shows examples. All commands take --quiet, "
	                  "--version and --help.", 0, 0);
	printf("Exit status: 0 success, 1 the input or the output failed, 2 wrong usage.\n");
}
