/* commands.c - all commands, for the program, its overview and the manual page. */
#include "commands.h"

#include <stdio.h>
#include <string.h>

const cli_command *const cli_commands[] = {
	&cli_command_info, &cli_command_list, &cli_command_convert, &cli_command_bake,
	&cli_command_relight, &cli_command_render, &cli_command_entities, &cli_command_extract, &cli_command_catalog,
	&cli_command_process, &cli_command_gallery, &cli_command_diff, NULL,
};

const cli_command *cli_find_command(const char *name)
{
	for (int i = 0; cli_commands[i]; i++) {
		if (!strcmp(cli_commands[i]->name, name)) return cli_commands[i];
	}
	return NULL;
}

void cli_print_overview(void)
{
	printf("bspscene COMMAND SOURCE [OPTION]...\n\n"
	       "Turns compiled game maps (BSP) into scenes. SOURCE is a map, an archive (pk3, pk4, zip, pak, vpk) or a\n"
	       "game directory; --map NAME picks a map in the latter two.\n\nCommands:\n");
	for (int i = 0; cli_commands[i]; i++) {
		printf("  %-9s %-20s %s\n", cli_commands[i]->name, cli_commands[i]->operands, cli_commands[i]->summary);
	}
	printf("\nOptions of all commands: --quiet, --version, --help.\n"
	       "\"bspscene COMMAND --help\" explains a command and shows examples.\n"
	       "Exit status: 0 done, 1 the input or output failed, 2 wrong usage.\n");
}
