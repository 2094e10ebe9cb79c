/* commands.c - all commands, for the program, its overview and the manual page. */
#include "cli/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/names.h"
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

void cli_print_overview(void)
{
	printf("bspscene COMMAND SOURCE [OPTION]...\n\n"
	       "Turns compiled game maps (BSP) into scenes. SOURCE is a map, an archive (pk3, pk4, zip, pak, vpk) or a\n"
	       "game directory; --map NAME picks a map in the latter two.\n\nCommands:\n");
	for (int i = 0; cli_commands[i]; i++) {
		char *summary = cli_summary_of(cli_commands[i]);
		printf("  %-9s %-20s %s\n", cli_commands[i]->name, cli_commands[i]->operands, summary);
		free(summary);
	}
	printf("\nOptions of all commands: --quiet, --version, --help.\n"
	       "\"bspscene COMMAND --help\" explains a command and shows examples.\n"
	       "Exit status: 0 done, 1 the input or output failed, 2 wrong usage.\n");
}
