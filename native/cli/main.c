/* main.c - finds the command and runs it. */
#include <stdlib.h>

#include "cli/commands/commands.h"
#include "cli/report.h"
#include "cli/host/platform.h"

static cli_exit run_program(int argc, char **argv)
{
	cli_args args = { 0 };
	cli_exit status;
	int next;
	for (int i = 0; i < CLI_LIGHT_STYLES; i++) args.light_styles[i] = CLI_STYLE_AS_IT_IS;
	if (!cli_parse_common(argc, argv, &args, &next, &status)) return status;
	if (next == argc) {
		cli_print_overview();
		return cli_finish_stdout();
	}
	const cli_command *command = cli_find_command(argv[next]);
	if (!command) return cli_unknown_command(argv[next]);
	if (!cli_parse(argc - next, argv + next, command, &args, &status)) {
		free(args.own);
		return status;
	}
	status = command->run(&args);
	free(args.own);
	return status;
}

int main(int argc, char **argv)
{
	cli_platform_begin(&argc, &argv);
	return (int)run_program(argc, argv);
}
