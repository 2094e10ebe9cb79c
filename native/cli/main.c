/* main.c - the program: finds the command and runs it. Everything it knows of maps comes through bspscene.h. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "report.h"

static const cli_command *const commands[] = {
	&cli_command_info, &cli_command_list, &cli_command_convert, &cli_command_bake,
	&cli_command_render, &cli_command_entities, &cli_command_extract,
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static const cli_command *find_command(const char *name)
{
	for (int i = 0; i < COMMAND_COUNT; i++) {
		if (!strcmp(commands[i]->name, name)) return commands[i];
	}
	return NULL;
}

void cli_print_overview(void)
{
	printf("bspscene COMMAND SOURCE [OPTION]...\n\n"
	       "Turns compiled game maps (BSP) into scenes. SOURCE is a map, an archive (pk3, pk4, zip, pak, vpk) or a\n"
	       "game directory; --map NAME picks a map in the latter two.\n\nCommands:\n");
	for (int i = 0; i < COMMAND_COUNT; i++) {
		printf("  %-9s %-15s %s\n", commands[i]->name, commands[i]->operands, commands[i]->summary);
	}
	printf("\nOptions of all commands: --quiet, --version, --help.\n"
	       "\"bspscene COMMAND --help\" explains a command and shows examples.\n"
	       "Exit status: 0 done, 1 the input or output failed, 2 wrong usage.\n");
}

static cli_exit run_program(int argc, char **argv)
{
	cli_args args = { 0 };
	cli_exit status;
	int next;
	for (int i = 0; i < CLI_LIGHT_STYLES; i++) args.light_styles[i] = CLI_STYLE_AS_IT_IS;
	if (!cli_parse_common(argc, argv, &args, &next, &status)) return status;
	if (next == argc) return cli_usage("no command given; see bspscene --help");
	const cli_command *command = find_command(argv[next]);
	if (!command) return cli_usage("\"%s\" is no command; see bspscene --help", argv[next]);
	if (!cli_parse(argc - next, argv + next, command, &args, &status)) return status;
	return command->run(&args);
}

int main(int argc, char **argv)
{
	return (int)run_program(argc, argv);
}
