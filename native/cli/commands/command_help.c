/* command_help.c - bspscene help: prints the same texts as --help. */
#include "cli/commands/commands.h"
#include "cli/report.h"

static cli_exit run(const cli_args *args)
{
	if (args->operand_count == 0) {
		cli_print_overview();
		return cli_finish_stdout();
	}
	const cli_command *command = cli_find_command(args->operands[0]);
	if (!command) return cli_unknown_command(args->operands[0]);
	cli_print_help(command);
	return cli_finish_stdout();
}

const cli_command cli_command_help = {
	.name = "help",
	.operands = "[COMMAND]",
	.section = "Help",
	.summary = "explain a command with examples",
	.details =
		"Prints the same as \"bspscene COMMAND --help\". Without COMMAND it lists all commands.",
	.examples =
		"  bspscene help\n"
		"  bspscene help convert\n",
	.options =
		"quiet version help",
	.most_operands = 1,
	.run = run,
};
